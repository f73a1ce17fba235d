/**
 * UniformAssignor where all members subscribe alike: each has a quota, keeps up to that, and is filled up to it.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.assignor.UniformHomogeneousAssignmentBuilder. Twin of
 * native/core/src/kafka/uniform/homogeneous.rs.
 * What differs from the obvious: members are filled one after the other, not in turn; the subscription of the first member
 * stands for all. Where partitions do not divide, 4.0 gives one more to the first members; later releases (KAFKA-18688)
 * offer it to each and take it back where it is not used, so that a new group has it on its last members.
 * Quotas add up to the number of partitions, and a partition that two hold or that does not exist counts as one more:
 * with such a claim partitions are always left over, and the original throws.
 */
import type { AssignAnswer, AssignProblem, AssignResult } from '../../../engine/assign-contract.js'
import { offsetsOf } from '../list-builder.js'
import { copiedTable, flagsOf, TopicFinder, topicsInMap, walked } from '../server/held.js'
import { nothingFor, runOf, serverResult } from '../server/runs.js'
import { isCounted } from '../slots.js'
import { topicsOf } from '../subscriptions.js'

/** Nobody holds the slot. */
const FREE = 0xffffffff
/** It was given up, or stands in its list already. */
const DONE = 0xfffffffe

export function assignHomogeneous(problem: AssignProblem): AssignAnswer {
  const subscribed = topicsOf(problem, 0)
  if (subscribed.length === 0) return nothingFor(problem)
  const topics = topicsInMap(problem, subscribed, copiedTable(subscribed.length))
  if (topics === null) return { failure: 'order-needed', member: -1 }
  const unknown = topics.find((topic) => topic >= problem.server!.known)
  if (unknown !== undefined) return { failure: 'unknown-topic', member: unknown }
  const filling = new Filling(problem, topics)
  const held = filling.takeHeld()
  if (held === null) return { failure: 'left-unassigned', member: -1 }
  const quotas = quotasOf(problem, held, filling.partitions())
  if (!filling.giveUp(held, quotas)) return { failure: 'order-needed', member: -1 }
  return filling.filled(quotas)
}

class Filling {
  readonly #problem: AssignProblem
  readonly #topics: Uint32Array
  /** Who holds each slot, or `FREE` or `DONE`. */
  readonly #holders: Uint32Array
  /** What is over the quota of its holder, in the order in which it is given up. */
  readonly #over: number[] = []

  constructor(problem: AssignProblem, topics: Uint32Array) {
    this.#problem = problem
    this.#topics = topics
    this.#holders = new Uint32Array(problem.starts.at(-1)!).fill(FREE)
  }

  partitions(): number {
    let partitions = 0
    for (const topic of this.#topics) {
      const [from, to] = runOf(this.#problem, topic)
      partitions += to - from
    }
    return partitions
  }

  /** How many partitions each member holds; `null` where one is held twice, or does not exist. */
  takeHeld(): Uint32Array | null {
    const { claims, claimOffsets, listOf } = this.#problem
    const among = flagsOf(this.#problem, this.#topics)
    const finder = new TopicFinder(this.#problem)
    const held = new Uint32Array(listOf.length)
    for (let member = 0; member < held.length; member++) {
      for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
        const slot = claims[i]!
        if (among[finder.of(slot)] === 0) continue
        const holder = this.#holders[slot]
        if (holder === FREE && isCounted(this.#problem, slot)) {
          this.#holders[slot] = member
          held[member]! += 1
        } else if (holder !== member) return null
      }
    }
    return held
  }

  /** False where the order of topic ids decides and is not known. */
  giveUp(held: Uint32Array, quotas: Uint32Array): boolean {
    for (let member = 0; member < quotas.length; member++) {
      if (held[member]! <= quotas[member]!) continue
      const order = walked(this.#problem, member, (slot) => this.#holders[slot] === member)
      if (order === null) return false
      // A topic that fits is kept whole; of one that does not, as much as fits.
      for (const slot of order.slice(quotas[member]!)) {
        this.#holders[slot] = DONE
        this.#over.push(slot)
      }
    }
    return true
  }

  /** Lists of what is kept, then of what nobody held, topic by topic, and of what was given up. */
  filled(quotas: Uint32Array): AssignResult {
    const { claims, claimOffsets } = this.#problem
    const offsets = offsetsOf(quotas)
    const values = new Uint32Array(offsets[quotas.length]!)
    const free = new FreeSlots(this.#problem, this.#topics, this.#holders)
    let [at, over] = [0, 0]
    for (let member = 0; member < quotas.length; member++) {
      for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
        const slot = claims[i]!
        if (this.#holders[slot] !== member) continue
        this.#holders[slot] = DONE
        values[at++] = slot
      }
      while (at < offsets[member + 1]!) {
        const slot = free.next()
        values[at++] = slot === FREE ? this.#over[over++]! : slot
      }
    }
    return serverResult(this.#problem, offsets, values)
  }
}

/** Slots that nobody holds, topic by topic. */
class FreeSlots {
  readonly #problem: AssignProblem
  readonly #topics: Uint32Array
  readonly #holders: Uint32Array
  #nextTopic = 0
  #slot = 0
  #end = 0

  constructor(problem: AssignProblem, topics: Uint32Array, holders: Uint32Array) {
    this.#problem = problem
    this.#topics = topics
    this.#holders = holders
  }

  /** `FREE` where there is none any more. */
  next(): number {
    for (;;) {
      while (this.#slot < this.#end) {
        const slot = this.#slot++
        if (this.#holders[slot] === FREE) return slot
      }
      if (this.#nextTopic === this.#topics.length) return FREE
      ;[this.#slot, this.#end] = runOf(this.#problem, this.#topics[this.#nextTopic++]!) as [number, number]
    }
  }
}

function quotasOf(problem: AssignProblem, held: Uint32Array, partitions: number): Uint32Array {
  const members = held.length
  const least = Math.floor(partitions / members)
  let extras = partitions % members
  const takesBack = problem.assignor === 'uniform'
  return held.map((mine, member) => {
    // With as many members left as extras, each must take one, whatever it holds.
    const mayDecline = takesBack && members - member > extras
    const extra = extras > 0 && !(mayDecline && mine <= least) ? 1 : 0
    extras -= extra
    return least + extra
  })
}
