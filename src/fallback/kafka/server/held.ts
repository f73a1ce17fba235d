/**
 * What members of a consumer or share group hold, as the broker's assignors are handed it: a map of topics to sets of
 * partitions for each member.
 *
 * For `uniform` and `simple`. Sources: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.modern.Assignment; OpenJDK 17,
 * java.util.HashMap and HashSet. Twin of native/core/src/kafka/server/held.rs.
 * What differs from the obvious: a claim that is repeated counts once; a coordinator reads each member's topics into a map
 * that grows, and the partitions of each into a set that is made large enough first.
 */
import type { AssignProblem } from '../../../engine/assign-contract.js'
import { javaMapOrder } from '../java-map.js'
import { tableSizeFor } from '../java-table.js'

/** The capacity that Java's maps begin with. */
export const FIRST_TABLE = 16

/** Buckets of a `HashSet` that copies so many values. */
export function copiedTable(values: number): number {
  return tableSizeFor(Math.max(Math.trunc(Math.fround(values / 0.75)) + 1, FIRST_TABLE))
}

/** Buckets of a map that Kafka makes for so many keys. */
export function sizedTable(keys: number): number {
  return tableSizeFor(Math.trunc(Math.fround(Math.fround(Math.fround(keys + 1) / 0.75) + 1)))
}

/** Numbers in the order of a set of integers that they were put into one after the other; the table is a power of two. */
export function numbersInSet(numbers: Int32Array, table: number): Uint32Array {
  // Keys of a full bucket are ordered by hash code, and equal hash codes are equal numbers: ranks are never asked for.
  return javaMapOrder(numbers, null, table)!
}

/** Topics in the order of a hash map; `null` where the order of their ids decides and is not known. */
export function topicsInMap(problem: AssignProblem, topics: Uint32Array, table: number): Uint32Array | null {
  const hashes = Int32Array.from(topics, (topic) => problem.topicHashes[topic]!)
  let order = javaMapOrder(hashes, null, table)
  if (order === null) {
    if (problem.topicOrder === null) return null
    const ranks = new Map(Array.from(problem.topicOrder, (topic, rank) => [topic, rank]))
    order = javaMapOrder(
      hashes,
      Uint32Array.from(topics, (topic) => ranks.get(topic)!),
      table,
    )!
  }
  return order.map((i) => topics[i]!)
}

/** The topic of a slot, quickly where slots ascend. */
export class TopicFinder {
  readonly #starts: Uint32Array
  #from = 0
  #to = 0
  #topic = 0

  constructor({ starts }: AssignProblem) {
    this.#starts = starts
  }

  of(slot: number): number {
    if (slot >= this.#from && slot < this.#to) return this.#topic
    const starts = this.#starts
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= slot) low = middle
      else high = middle
    }
    this.#from = starts[low]!
    this.#to = starts[low + 1]!
    this.#topic = low
    return low
  }
}

/** Which topics are among those given: 1 for each that is. */
export function flagsOf({ starts }: AssignProblem, topics: Uint32Array): Uint8Array {
  const flags = new Uint8Array(starts.length - 1)
  for (const topic of topics) flags[topic] = 1
  return flags
}

/** Which claims are of a topic that the member subscribes to: 1 for each that is. */
export function subscribedClaims(problem: AssignProblem): Uint8Array {
  const { claims, claimOffsets, listOf, listOffsets, listTopics, starts } = problem
  const subscribed = new Uint8Array(claims.length)
  const namedBy = new Uint32Array(starts.length)
  const finder = new TopicFinder(problem)
  let stamped = -1
  // Members of one list after the other, so that each list is looked at once.
  for (const member of membersByList(problem)) {
    const list = listOf[member]!
    if (list !== stamped) {
      for (let i = listOffsets[list]!; i < listOffsets[list + 1]!; i++) namedBy[listTopics[i]!] = list + 1
      stamped = list
    }
    for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
      if (namedBy[finder.of(claims[i]!)] === list + 1) subscribed[i] = 1
    }
  }
  return subscribed
}

function membersByList({ listOf, listOffsets }: AssignProblem): Uint32Array {
  const ends = new Uint32Array(listOffsets.length)
  for (const list of listOf) ends[list + 1]! += 1
  for (let list = 1; list < ends.length; list++) ends[list]! += ends[list - 1]!
  const members = new Uint32Array(listOf.length)
  for (let member = 0; member < listOf.length; member++) members[ends[listOf[member]!]!++] = member
  return members
}

/**
 * Slots of a member's claims that count, each once, as the assignor walks them.
 *
 * @returns `null` where the order of topic ids decides and is not known
 */
export function walked(problem: AssignProblem, member: number, counts: (slot: number) => boolean): Uint32Array | null {
  const slotsOf = byTopic(problem, member, counts)
  if (!problem.server!.replayed) return Uint32Array.from(Array.from(slotsOf.values(), (slots) => [...slots]).flat())
  const topics = topicsInMap(problem, Uint32Array.from(slotsOf.keys()), FIRST_TABLE)
  if (topics === null) return null
  return Uint32Array.from(Array.from(topics, (topic) => inSet(problem, topic, [...slotsOf.get(topic)!])).flat())
}

/** Topics of a member's claims as they come first, and of each the slots that count. */
function byTopic(problem: AssignProblem, member: number, counts: (slot: number) => boolean): Map<number, Set<number>> {
  const { claims, claimOffsets } = problem
  const slotsOf = new Map<number, Set<number>>()
  const finder = new TopicFinder(problem)
  for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
    const topic = finder.of(claims[i]!)
    let slots = slotsOf.get(topic)
    if (slots === undefined) {
      slots = new Set()
      slotsOf.set(topic, slots)
    }
    if (counts(claims[i]!)) slots.add(claims[i]!)
  }
  return slotsOf
}

function inSet({ starts, numbers }: AssignProblem, topic: number, slots: readonly number[]): number[] {
  const values = Int32Array.from(slots, (slot) => (numbers === null ? slot - starts[topic]! : numbers[slot]!))
  return Array.from(numbersInSet(values, copiedTable(slots.length)), (i) => slots[i]!)
}
