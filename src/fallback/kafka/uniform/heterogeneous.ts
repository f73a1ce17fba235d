/**
 * UniformAssignor where subscriptions differ: what is held stays, what is free goes to the lowest, and topic by topic the
 * highest give to the lowest.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.assignor.UniformHeterogeneousAssignmentBuilder; 4.0 to 4.4
 * give equal answers. Twin of native/core/src/kafka/uniform/heterogeneous.rs.
 * What differs from the obvious: each topic is levelled among its own subscribers, so that overlapping subscriptions can end
 * further apart than they need; a partition that two hold stays with both, and the later one counts as its owner.
 */
import type { AssignAnswer, AssignProblem } from '../../../engine/assign-contract.js'
import { offsetsOf } from '../list-builder.js'
import { subscribedClaims } from '../server/held.js'
import { nothingFor, runOf, serverResult } from '../server/runs.js'
import { isCounted } from '../slots.js'
import { namedTopics, subscriberClasses } from '../subscriptions.js'
import { Levels, unevenness } from './levels.js'

/** After so many rounds the original leaves it at that. */
const MOST_ROUNDS = 16
const NOBODY = -1

export function assignHeterogeneous(problem: AssignProblem): AssignAnswer {
  const topics = namedTopics(problem)
  if (topics.length === 0) return nothingFor(problem)
  const unknown = topics.find((topic) => topic >= problem.server!.known)
  if (unknown !== undefined) return { failure: 'unknown-topic', member: unknown }
  if (problem.topicOrder === null) return { failure: 'order-needed', member: -1 }
  return new Levelling(problem).answer()
}

class Levelling {
  readonly #problem: AssignProblem
  readonly #owners: Int32Array
  readonly #counts: Uint32Array
  readonly #classOf: Int32Array
  readonly #members: readonly Uint32Array[]
  readonly #levels: Levels
  /** Members that hold a slot beside its owner, by slot; a slot that was ever held so stays here. */
  readonly #alsoHeldBy = new Map<number, Set<number>>()
  /** Where each member's slots stand in a topic's slots by owner; of the topic in hand alone. */
  readonly #from: Uint32Array
  readonly #to: Uint32Array
  /** How often anything was moved, and for each class how often it had been when its members were level. */
  #moves = 0
  readonly #levelAt: Int32Array

  constructor(problem: AssignProblem) {
    const members = problem.listOf.length
    this.#problem = problem
    this.#owners = new Int32Array(problem.starts.at(-1)!).fill(NOBODY)
    this.#counts = new Uint32Array(members)
    const classes = subscriberClasses(
      problem,
      Uint32Array.from({ length: members }, (_, member) => member),
    )
    this.#classOf = classes.classOf
    this.#members = classes.members
    this.#levels = new Levels(this.#counts)
    this.#from = new Uint32Array(members)
    this.#to = new Uint32Array(members)
    this.#levelAt = new Int32Array(classes.members.length).fill(-1)
  }

  answer(): AssignAnswer {
    const stray = this.#keep()
    if (stray !== undefined) return { failure: 'out-of-bounds', member: stray }
    const topics = this.#sortedTopics()
    for (const topic of topics) this.#assignFree(topic)
    this.#level(topics.filter((topic) => this.#subscribers(topic).length >= 2))
    return this.#result()
  }

  #subscribers(topic: number): Uint32Array {
    return this.#members[this.#classOf[topic]!]!
  }

  /** Returns a slot that does not exist and is held all the same. */
  #keep(): number | undefined {
    const { claims, claimOffsets } = this.#problem
    const subscribed = subscribedClaims(this.#problem)
    for (let member = 0; member < this.#counts.length; member++) {
      for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
        const slot = claims[i]!
        if (subscribed[i] === 0) continue
        if (!isCounted(this.#problem, slot)) return slot
        const owner = this.#owners[slot]!
        if (owner === member) continue
        if (owner !== NOBODY) this.#share(slot, owner)
        this.#owners[slot] = member
        this.#counts[member]! += 1
      }
    }
    return undefined
  }

  #share(slot: number, member: number): void {
    const others = this.#alsoHeldBy.get(slot)
    if (others === undefined) this.#alsoHeldBy.set(slot, new Set([member]))
    else others.add(member)
  }

  /** By partitions a subscriber, most first, then by fewest subscribers, then by id. */
  #sortedTopics(): Uint32Array {
    const { topicOrder } = this.#problem
    const topics = topicOrder!.filter((topic) => this.#classOf[topic] !== -1)
    const subscribers = new Map(Array.from(topics, (topic) => [topic, this.#subscribers(topic).length]))
    const partitions = new Map(
      Array.from(topics, (topic) => {
        const [from, to] = runOf(this.#problem, topic)
        return [topic, to - from]
      }),
    )
    return topics.sort((a, b) => {
      const [left, right] = [subscribers.get(a)!, subscribers.get(b)!]
      return partitions.get(b)! / right - partitions.get(a)! / left || left - right
    })
  }

  #assignFree(topic: number): void {
    const [from, to] = runOf(this.#problem, topic)
    let begun = false
    for (let slot = from; slot < to; slot++) {
      if (this.#owners[slot] !== NOBODY) continue
      if (!begun) this.#levels.begin(this.#subscribers(topic))
      begun = true
      const member = this.#levels.nextLowest()
      this.#owners[slot] = member
      this.#counts[member]! += 1
    }
  }

  /** Topics in a ring, until one round has changed nothing. */
  #level(topics: Uint32Array): void {
    let last = -1
    for (let round = 0; round < MOST_ROUNDS; round++) {
      for (let i = 0; i < topics.length; i++) {
        if (i === last) return
        if (this.#levelTopic(topics[i]!) || last === -1) last = i
      }
    }
  }

  #levelTopic(topic: number): boolean {
    const kind = this.#classOf[topic]!
    if (this.#levelAt[kind] === this.#moves) return false
    const members = this.#members[kind]!
    if (unevenness(members, this.#counts) <= 1) {
      this.#levelAt[kind] = this.#moves
      return false
    }
    const before = this.#moves
    this.#levels.begin(members)
    this.#passDown(this.#byOwner(topic, members))
    return this.#moves > before
  }

  #passDown(slots: Uint32Array): void {
    const levels = this.#levels
    while (!levels.isLevel()) {
      let giver = levels.nextHighest()
      for (; giver !== -1 && this.#to[giver]! <= this.#from[giver]!; giver = levels.nextHighest()) levels.passOver()
      if (giver === -1) return
      this.#to[giver]! -= 1
      const slot = slots[this.#to[giver]!]!
      const taker = levels.nextLowest()
      if (levels.isLevel()) return
      this.#move(slot, giver, taker)
    }
  }

  /** Slots of a topic, those of one owner together and ascending; where each owner's stand is noted. */
  #byOwner(topic: number, members: Uint32Array): Uint32Array {
    const [from, to] = runOf(this.#problem, topic)
    for (const member of members) this.#to[member] = 0
    for (let slot = from; slot < to; slot++) this.#to[this.#owners[slot]!]! += 1
    let total = 0
    for (const member of members) {
      this.#from[member] = total
      total += this.#to[member]!
      this.#to[member] = this.#from[member]!
    }
    const slots = new Uint32Array(to - from)
    for (let slot = from; slot < to; slot++) slots[this.#to[this.#owners[slot]!]!++] = slot
    return slots
  }

  /** A taker that holds it already is counted once more, as in the original. */
  #move(slot: number, giver: number, taker: number): void {
    this.#alsoHeldBy.get(slot)?.delete(taker)
    this.#owners[slot] = taker
    this.#counts[giver]! -= 1
    this.#counts[taker]! += 1
    this.#moves += 1
  }

  #result(): AssignAnswer {
    const counts = new Uint32Array(this.#counts.length)
    const each = (give: (member: number, slot: number) => void) => {
      for (let slot = 0; slot < this.#owners.length; slot++) {
        if (this.#owners[slot] !== NOBODY) give(this.#owners[slot]!, slot)
      }
      for (const [slot, members] of this.#alsoHeldBy) for (const member of members) give(member, slot)
    }
    each((member) => {
      counts[member]! += 1
    })
    const offsets = offsetsOf(counts)
    const ends = offsets.slice()
    const values = new Uint32Array(offsets[counts.length]!)
    each((member, slot) => {
      values[ends[member]!++] = slot
    })
    return serverResult(this.#problem, offsets, values, Uint32Array.from(this.#alsoHeldBy.keys()).sort())
  }
}
