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

/** No slot. */
const NONE = 0xffffffff

export function assignHomogeneous(problem: AssignProblem): AssignAnswer {
  const subscribed = topicsOf(problem, 0)
  if (subscribed.length === 0) return nothingFor(problem)
  const topics = topicsInMap(problem, subscribed, copiedTable(subscribed.length))
  if (topics === null) return { failure: 'order-needed', member: -1 }
  const unknown = topics.find((topic) => topic >= problem.server!.known)
  if (unknown !== undefined) return { failure: 'unknown-topic', member: unknown }
  const filling = new Filling(problem, topics)
  if (filling.takeHeld()) return filling.answer()
  // Somebody made a claim twice, or two made it, or it is of no partition: the first alone is nothing to the original.
  const again = new Filling({ ...problem, ...withoutRepeats(problem) }, topics)
  return again.takeHeld() ? again.answer() : { failure: 'left-unassigned', member: -1 }
}

/** What each member claims, each once. */
function withoutRepeats({ claims, claimOffsets, starts }: AssignProblem) {
  const offsets = new Uint32Array(claimOffsets.length)
  const distinct = new Uint32Array(claims.length)
  const last = new Uint32Array(starts.at(-1)!)
  let to = 0
  for (let member = 0; member + 1 < offsets.length; member++) {
    for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
      const slot = claims[i]!
      if (last[slot] !== member + 1) distinct[to++] = slot
      last[slot] = member + 1
    }
    offsets[member + 1] = to
  }
  return { claimOffsets: offsets, claims: distinct.subarray(0, to) }
}

class Filling {
  readonly #problem: AssignProblem
  readonly #topics: Uint32Array
  /** Which topics they are; empty where they are all. */
  readonly #among: Uint8Array
  readonly #finder: TopicFinder
  /** Which slots somebody holds, and how many each member. */
  readonly #taken: Uint8Array
  readonly #held: Uint32Array
  readonly #partitions: number

  constructor(problem: AssignProblem, topics: Uint32Array) {
    const among = flagsOf(problem, topics)
    this.#problem = problem
    this.#topics = topics
    this.#among = among.includes(0) ? among : new Uint8Array(0)
    this.#finder = new TopicFinder(problem)
    this.#taken = new Uint8Array(problem.starts.at(-1)!)
    this.#held = new Uint32Array(problem.listOf.length)
    this.#partitions = topics.reduce((sum, topic) => {
      const [from, to] = runOf(problem, topic)
      return sum + to - from
    }, 0)
  }

  /** True for a slot of the topics subscribed to. */
  #isAmong(slot: number): boolean {
    return this.#among.length === 0 || this.#among[this.#finder.of(slot)] === 1
  }

  /** False where a partition is held twice, or does not exist. */
  takeHeld(): boolean {
    const { claims, claimOffsets } = this.#problem
    for (let member = 0; member < this.#held.length; member++) {
      for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
        const slot = claims[i]!
        if (!this.#isAmong(slot)) continue
        if (this.#taken[slot] === 1 || !isCounted(this.#problem, slot)) return false
        this.#taken[slot] = 1
        this.#held[member]! += 1
      }
    }
    return true
  }

  answer(): AssignAnswer {
    const quotas = this.#quotas()
    const kept = this.#kept(quotas)
    return kept === null ? { failure: 'order-needed', member: -1 } : this.#filled(quotas, kept)
  }

  #quotas(): Uint32Array {
    const members = this.#held.length
    const least = Math.floor(this.#partitions / members)
    let extras = this.#partitions % members
    const takesBack = this.#problem.assignor === 'uniform'
    return this.#held.map((held, member) => {
      // With as many members left as extras, each must take one, whatever it holds.
      const mayDecline = takesBack && members - member > extras
      const extra = extras > 0 && !(mayDecline && held <= least) ? 1 : 0
      extras -= extra
      return least + extra
    })
  }

  /**
   * Of members over their quota, what they hold as the original walks it: a topic that fits is kept whole, of one that does
   * not as much as fits, and the rest is given up. `null` where the order of topic ids decides and is not known.
   */
  #kept(quotas: Uint32Array): Map<number, Uint32Array> | null {
    const kept = new Map<number, Uint32Array>()
    for (let member = 0; member < quotas.length; member++) {
      if (this.#held[member]! <= quotas[member]!) continue
      const order = walked(this.#problem, member, (slot) => this.#isAmong(slot))
      if (order === null) return null
      kept.set(member, order)
    }
    return kept
  }

  /** Lists of what is kept, then of what nobody held, topic by topic, and of what was given up. */
  #filled(quotas: Uint32Array, kept: ReadonlyMap<number, Uint32Array>): AssignResult {
    const offsets = offsetsOf(quotas)
    const values = new Uint32Array(this.#partitions)
    const over = Array.from(kept, ([member, order]) => Array.from(order.subarray(quotas[member]!))).flat()
    const free = new FreeSlots(this.#problem, this.#topics, this.#taken)
    let nextOver = 0
    for (let member = 0; member < quotas.length; member++) {
      let at = offsets[member]!
      const order = kept.get(member)
      if (order === undefined) at = this.#copyHeld(member, values, at)
      else {
        values.set(order.subarray(0, quotas[member]!), at)
        at += quotas[member]!
      }
      while (at < offsets[member + 1]!) {
        const slot = free.next()
        values[at++] = slot === NONE ? over[nextOver++]! : slot
      }
    }
    return serverResult(this.#problem, offsets, values)
  }

  #copyHeld(member: number, values: Uint32Array, from: number): number {
    const { claims, claimOffsets } = this.#problem
    let at = from
    for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
      if (this.#isAmong(claims[i]!)) values[at++] = claims[i]!
    }
    return at
  }
}

/** Slots that nobody holds, topic by topic. */
class FreeSlots {
  readonly #problem: AssignProblem
  readonly #topics: Uint32Array
  readonly #taken: Uint8Array
  #nextTopic = 0
  #slot = 0
  #end = 0

  constructor(problem: AssignProblem, topics: Uint32Array, taken: Uint8Array) {
    this.#problem = problem
    this.#topics = topics
    this.#taken = taken
  }

  /** `NONE` where there is none any more. */
  next(): number {
    for (;;) {
      while (this.#slot < this.#end) {
        const slot = this.#slot++
        if (this.#taken[slot] === 0) return slot
      }
      if (this.#nextTopic === this.#topics.length) return NONE
      const [from, to] = runOf(this.#problem, this.#topics[this.#nextTopic++]!)
      this.#slot = from
      this.#end = to
    }
  }
}
