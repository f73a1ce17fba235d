/**
 * What members of a consumer or share group hold, as the broker's assignors are handed it: a map of topics to sets of
 * partitions for each member.
 *
 * For `uniform` and `simple`. Sources: Apache Kafka 4.4.0, org.apache.kafka.coordinator.group.modern.Assignment; OpenJDK 17,
 * java.util.HashMap and HashSet. Twin of native/core/src/kafka/mod.rs.
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

/** Which claims count, one byte for each: its topic is among those given, and the member did not make it before. */
export function heldOfTopics(problem: AssignProblem, topicOf: Uint32Array, among: Uint8Array): Uint8Array {
  const { claims, claimOffsets, listOf } = problem
  const held = new Uint8Array(claims.length)
  const last = new Uint32Array(topicOf.length)
  for (let member = 0; member < listOf.length; member++) {
    for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
      const slot = claims[i]!
      if (among[topicOf[slot]!] === 1 && last[slot] !== member + 1) held[i] = 1
      last[slot] = member + 1
    }
  }
  return held
}

/** Which claims count: the member subscribes to the topic, and did not make it before. */
export function heldOfSubscribed(problem: AssignProblem, topicOf: Uint32Array): Uint8Array {
  const { claims, claimOffsets, listOf, listOffsets, listTopics } = problem
  const held = new Uint8Array(claims.length)
  const last = new Uint32Array(topicOf.length)
  const named = new Uint32Array(problem.starts.length)
  let stamped = -1
  // Members of one list after the other, so that each list is looked at once.
  for (const member of membersByList(problem)) {
    const list = listOf[member]!
    if (list !== stamped) {
      for (let i = listOffsets[list]!; i < listOffsets[list + 1]!; i++) named[listTopics[i]!] = list + 1
      stamped = list
    }
    for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
      const slot = claims[i]!
      if (named[topicOf[slot]!] === list + 1 && last[slot] !== member + 1) held[i] = 1
      last[slot] = member + 1
    }
  }
  return held
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
 * Slots of a member's claims that count, as the assignor walks them.
 *
 * @returns `null` where the order of topic ids decides and is not known
 */
export function walked(
  problem: AssignProblem,
  topicOf: Uint32Array,
  held: Uint8Array,
  member: number,
): Uint32Array | null {
  const { claims, claimOffsets, server } = problem
  const byTopic = new Map<number, number[]>()
  for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
    const topic = topicOf[claims[i]!]!
    let slots = byTopic.get(topic)
    if (slots === undefined) {
      slots = []
      byTopic.set(topic, slots)
    }
    if (held[i] === 1) slots.push(claims[i]!)
  }
  const given = Uint32Array.from(byTopic.keys())
  if (!server!.replayed) return Uint32Array.from([...byTopic.values()].flat())
  const topics = topicsInMap(problem, given, FIRST_TABLE)
  if (topics === null) return null
  return Uint32Array.from(Array.from(topics, (topic) => slotsInSet(problem, topic, byTopic.get(topic)!)).flat())
}

function slotsInSet({ starts, numbers }: AssignProblem, topic: number, slots: number[]): number[] {
  const values = Int32Array.from(slots, (slot) => (numbers === null ? slot - starts[topic]! : numbers[slot]!))
  return Array.from(numbersInSet(values, copiedTable(slots.length)), (i) => slots[i]!)
}
