/**
 * SimpleAssignor: partitions of a share group, each to as many members as it takes to keep all busy.
 *
 * For `kafka.assign` of share groups (KIP-932). Source: Apache Kafka 4.4.0,
 * org.apache.kafka.coordinator.group.assignor.SimpleAssignor with its two builders; 4.2 to 4.4 give equal answers. Twin of
 * native/core/src/kafka/share.rs.
 * What differs from the obvious: members that subscribe alike share all topics in one go, else each topic is shared among
 * its own subscribers; what a member holds of a topic that nobody subscribes to any more stays with it where subscriptions
 * differ; what is held and not assignable stays, and is handed on.
 */
import type { AssignAnswer, AssignProblem } from '../../engine/assign-contract.js'
import { offsetsOf } from './list-builder.js'
import { FIRST_TABLE, flagsOf, TopicFinder, topicsInMap, walked } from './server/held.js'
import { nothingFor, runOf, serverResult } from './server/runs.js'
import { type Holding, membersInMap, ShareRound } from './share/round.js'
import { namedTopics, subscriberClasses, topicsOf } from './subscriptions.js'

export function assignSimple(problem: AssignProblem): AssignAnswer {
  const { listOf, server } = problem
  if (listOf.length === 0) return nothingFor(problem)
  const topics = server!.homogeneous ? topicsOf(problem, 0) : topicsInMap(problem, namedTopics(problem), FIRST_TABLE)
  if (topics === null) return { failure: 'order-needed', member: -1 }
  if (topics.length === 0) return nothingFor(problem)
  const unknown = topics.find((topic) => topic >= server!.known)
  if (unknown !== undefined) return { failure: 'unknown-topic', member: unknown }
  return new Sharing(problem, topics).answer()
}

class Sharing {
  readonly #problem: AssignProblem
  readonly #topics: Uint32Array
  readonly #finder: TopicFinder
  /** Which topics are shared. */
  readonly #among: Uint8Array

  constructor(problem: AssignProblem, topics: Uint32Array) {
    this.#problem = problem
    this.#topics = topics
    this.#finder = new TopicFinder(problem)
    this.#among = flagsOf(problem, topics)
  }

  answer(): AssignAnswer {
    const { server } = this.#problem
    const held = this.#heldInOrder()
    if (held === null) return { failure: 'order-needed', member: -1 }
    const given = server!.homogeneous ? this.#together(held) : this.#topicByTopic(held)
    return given === null ? { failure: 'no-element', member: -1 } : this.#result(given)
  }

  #everybody(): Uint32Array {
    return Uint32Array.from(this.#problem.listOf.keys())
  }

  /** What members hold of the topics in question, as the assignor walks it. */
  #heldInOrder(): Holding[] | null {
    const holdings: Holding[] = []
    for (const member of membersInMap(this.#everybody(), this.#problem.listOf.length)) {
      const slots = walked(this.#problem, member, (slot) => this.#among[this.#finder.of(slot)] === 1)
      if (slots === null) return null
      for (const slot of slots) holdings.push([member, slot])
    }
    return holdings
  }

  /** All topics at once, among all members. */
  #together(held: Holding[]): Holding[] | null {
    const members = this.#everybody()
    const targets = Array.from(this.#topics, (topic) => this.#targets(topic)).flat()
    return new ShareRound(members, targets, members.length, (slot) => this.#hashOf(slot)).share(held)
  }

  /** Each topic among its own subscribers. */
  #topicByTopic(held: Holding[]): Holding[] | null {
    const classes = subscriberClasses(this.#problem, this.#everybody())
    const byTopic = new Map<number, Holding[]>(Array.from(this.#topics, (topic) => [topic, []]))
    for (const holding of held) byTopic.get(this.#finder.of(holding[1]))!.push(holding)
    const given: Holding[] = this.#keptElsewhere()
    for (const topic of this.#topics) {
      if (classes.classOf[topic] === -1) continue
      const members = classes.members[classes.classOf[topic]!]!
      const numberOf = (slot: number) => this.#numberOf(slot)
      const round = new ShareRound(members, this.#targets(topic), this.#problem.listOf.length, numberOf)
      const some = round.share(byTopic.get(topic)!)
      if (some === null) return null
      for (const holding of some) given.push(holding)
    }
    return given
  }

  /** What members hold of topics that nobody subscribes to, each once. */
  #keptElsewhere(): Holding[] {
    const { claims, claimOffsets, listOf } = this.#problem
    const kept: Holding[] = []
    for (let member = 0; member < listOf.length; member++) {
      const mine = new Set(claims.subarray(claimOffsets[member]!, claimOffsets[member + 1]!))
      for (const slot of mine) if (this.#among[this.#finder.of(slot)] === 0) kept.push([member, slot])
    }
    return kept
  }

  #targets(topic: number): number[] {
    const { assignable } = this.#problem.server!
    const [from, to] = runOf(this.#problem, topic)
    const slots = Array.from({ length: to - from }, (_, i) => from + i)
    return assignable === null ? slots : slots.filter((slot) => assignable[slot] === 1)
  }

  #numberOf(slot: number): number {
    const { starts, numbers } = this.#problem
    return numbers === null ? slot - starts[this.#finder.of(slot)]! : numbers[slot]!
  }

  /** `TopicIdPartition.hashCode`, a record's. */
  #hashOf(slot: number): number {
    return (Math.imul(31, this.#problem.topicHashes[this.#finder.of(slot)]!) + this.#numberOf(slot)) | 0
  }

  #result(given: Holding[]): AssignAnswer {
    const counts = new Uint32Array(this.#problem.listOf.length)
    for (const [member] of given) counts[member]! += 1
    const offsets = offsetsOf(counts)
    const ends = offsets.slice()
    const values = new Uint32Array(given.length)
    for (const [member, slot] of given) values[ends[member]!++] = slot
    return serverResult(this.#problem, offsets, values)
  }
}
