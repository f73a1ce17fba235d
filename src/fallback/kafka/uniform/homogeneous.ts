/**
 * UniformAssignor where all members subscribe alike: each has a quota, keeps up to that, and is filled up to it.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.assignor.UniformHomogeneousAssignmentBuilder. Twin of
 * native/core/src/kafka/mod.rs.
 * What differs from the obvious: members are filled one after the other, not in turn; the subscription of the first member
 * stands for all. Where partitions do not divide, 4.0 gives one more to the first members; later releases (KAFKA-18688)
 * offer it to each and take it back where it is not used, so that a new group has it on its last members.
 * Quotas add up to the number of partitions, and a partition that two hold or that does not exist counts as one more:
 * with such a claim partitions are always left over, and the original throws.
 */
import type { AssignAnswer, AssignProblem } from '../../../engine/assign-contract.js'
import { offsetsOf } from '../list-builder.js'
import { copiedTable, heldOfTopics, topicsInMap, walked } from '../server/held.js'
import { nothingFor, runOf, serverResult } from '../server/runs.js'
import { isCounted, topicsOfSlots } from '../slots.js'
import { topicsOf } from '../subscriptions.js'

export function assignHomogeneous(problem: AssignProblem): AssignAnswer {
  const subscribed = topicsOf(problem, 0)
  if (subscribed.length === 0) return nothingFor(problem)
  const topics = topicsInMap(problem, subscribed, copiedTable(subscribed.length))
  if (topics === null) return { failure: 'order-needed', member: -1 }
  const unknown = topics.find((topic) => topic >= problem.server!.known)
  if (unknown !== undefined) return { failure: 'unknown-topic', member: unknown }
  return new Filling(problem, topics).answer()
}

class Filling {
  readonly #problem: AssignProblem
  readonly #topics: Uint32Array
  readonly #topicOf: Uint32Array
  readonly #held: Uint8Array
  /** Slots that somebody holds. */
  readonly #taken: Uint8Array
  readonly #heldBy: Uint32Array
  readonly #quotas: Uint32Array
  /** What is over the quota of its holder, in the order in which it is given up. */
  readonly #over: number[] = []

  constructor(problem: AssignProblem, topics: Uint32Array) {
    this.#problem = problem
    this.#topics = topics
    this.#topicOf = topicsOfSlots(problem)
    const among = new Uint8Array(problem.starts.length)
    for (const topic of topics) among[topic] = 1
    this.#held = heldOfTopics(problem, this.#topicOf, among)
    this.#taken = new Uint8Array(this.#topicOf.length)
    this.#heldBy = new Uint32Array(problem.listOf.length)
    this.#quotas = new Uint32Array(problem.listOf.length)
  }

  answer(): AssignAnswer {
    if (!this.#takeHeld()) return { failure: 'left-unassigned', member: -1 }
    const partitions = this.#topics.reduce((sum, topic) => sum + this.#count(topic), 0)
    this.#setQuotas(partitions)
    if (!this.#giveUp()) return { failure: 'order-needed', member: -1 }
    return this.#filled(partitions)
  }

  #count(topic: number): number {
    const [from, to] = runOf(this.#problem, topic)
    return to - from
  }

  /** False where a partition is held twice, or does not exist. */
  #takeHeld(): boolean {
    const { claims, claimOffsets, listOf } = this.#problem
    for (let member = 0; member < listOf.length; member++) {
      for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
        if (this.#held[i] === 0) continue
        const slot = claims[i]!
        if (this.#taken[slot] === 1 || !isCounted(this.#problem, slot)) return false
        this.#taken[slot] = 1
        this.#heldBy[member]! += 1
      }
    }
    return true
  }

  #setQuotas(partitions: number): void {
    const members = this.#quotas.length
    const least = Math.floor(partitions / members)
    let extras = partitions % members
    const takesBack = this.#problem.assignor === 'uniform'
    for (let member = 0; member < members; member++) {
      // With as many members left as extras, each must take one, whatever it holds.
      const mayDecline = takesBack && members - member > extras
      const extra = extras > 0 && !(mayDecline && this.#heldBy[member]! <= least) ? 1 : 0
      this.#quotas[member] = least + extra
      extras -= extra
    }
  }

  #giveUp(): boolean {
    const { claims, claimOffsets } = this.#problem
    for (let member = 0; member < this.#quotas.length; member++) {
      if (this.#heldBy[member]! <= this.#quotas[member]!) continue
      const order = walked(this.#problem, this.#topicOf, this.#held, member)
      if (order === null) return false
      const given = new Set(this.#beyondQuota(order, this.#quotas[member]!))
      for (const slot of given) this.#over.push(slot)
      for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
        if (given.has(claims[i]!)) this.#held[i] = 0
      }
    }
    return true
  }

  /** A topic that fits is kept whole; of one that does not, as much as fits. */
  #beyondQuota(order: Uint32Array, quota: number): number[] {
    const over: number[] = []
    let room = quota
    for (const slot of order) {
      if (room > 0) room -= 1
      else over.push(slot)
    }
    return over
  }

  #filled(partitions: number): AssignAnswer {
    const { claims, claimOffsets } = this.#problem
    const offsets = offsetsOf(this.#quotas)
    const values = new Uint32Array(partitions)
    const free = this.#free(partitions)
    let next = 0
    for (let member = 0; member < this.#quotas.length; member++) {
      let at = offsets[member]!
      for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
        if (this.#held[i] === 1) values[at++] = claims[i]!
      }
      const room = offsets[member + 1]! - at
      values.set(free.subarray(next, next + room), at)
      next += room
    }
    return serverResult(this.#problem, offsets, values)
  }

  /** What nobody held, topic by topic, and then what was given up. */
  #free(partitions: number): Uint32Array {
    const free = new Uint32Array(partitions)
    let length = 0
    for (const topic of this.#topics) {
      const [from, to] = runOf(this.#problem, topic)
      for (let slot = from; slot < to; slot++) if (this.#taken[slot] === 0) free[length++] = slot
    }
    free.set(this.#over, length)
    return free
  }
}
