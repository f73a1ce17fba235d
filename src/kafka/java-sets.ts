/**
 * The order in which Java walks sets of integers, strings and topic partitions: in it the reassignment tool names things.
 *
 * Few items at a time, so TypeScript alone. Source: OpenJDK 17, java.util.HashMap and HashSet.
 */
import { ofString } from '../fallback/hash/java-string.js'
import { javaMapOrder } from '../fallback/kafka/java-map.js'
import type { TopicPartition } from './group-types.js'
import { topicPartitionHash } from './java-hash.js'
import { tableSizeOf } from './java-map-order.js'

/** Buckets of a new HashSet or HashMap. */
const TABLE = 16

/** Distinct keys in the order of a map; `compare` decides where a bucket is full. */
function mapOrder<T>(
  keys: readonly T[],
  hashOf: (key: T) => number,
  compare: (a: T, b: T) => number,
  table = TABLE,
): T[] {
  const hashCodes = Int32Array.from(keys, hashOf)
  const order = javaMapOrder(hashCodes, null, table) ?? javaMapOrder(hashCodes, ranksOf(keys, compare), table)!
  return Array.from(order, (at) => keys[at]!)
}

function ranksOf<T>(keys: readonly T[], compare: (a: T, b: T) => number): Uint32Array {
  const sorted = Array.from(keys.keys()).sort((a, b) => compare(keys[a]!, keys[b]!))
  const ranks = new Uint32Array(keys.length)
  for (const [rank, key] of sorted.entries()) ranks[key] = rank
  return ranks
}

/** Integers, each once, as a `HashSet` that they were added to. */
export const integerSet = (items: Iterable<number>): number[] =>
  mapOrder(
    [...new Set(items)],
    (item) => item,
    (a, b) => a - b,
  )

const byUnits = (a: string, b: string): number => (a < b ? -1 : 1)

/** The same of strings. */
export const stringSet = (items: Iterable<string>): string[] => mapOrder([...new Set(items)], ofString, byUnits)

/** The same of strings that were copied from another collection. */
export const copiedStringSet = (items: readonly string[]): string[] =>
  mapOrder([...new Set(items)], ofString, byUnits, tableSizeOf(items.length, { copy: true }))

/** Topic partitions, each once; of two alike the last one is kept, in the first one's place, as a map keeps its value. */
export function partitionMap<T extends TopicPartition>(items: Iterable<T>): T[] {
  const byKey = new Map<string, T>()
  for (const item of items) byKey.set(partitionKey(item), item)
  // They have no order of their own: where a bucket is full, Java goes on by the first come.
  return mapOrder(
    [...byKey.values()],
    ({ topic, partition }) => topicPartitionHash(topic, partition),
    () => 0,
  )
}

/** A key for maps of ours: topics hold no NUL, and if one does, its partition is still its own. */
export const partitionKey = ({ topic, partition }: TopicPartition): string => `${partition}\u0000${topic}`

/** `topic-partition`, as Java prints it. */
export const partitionText = ({ topic, partition }: TopicPartition): string => `${topic}-${partition}`

/** Items that come more than once, in the order in which they come again. */
export function repeated<T, K>(items: Iterable<T>, keyOf: (item: T) => K): T[] {
  const seen = new Set<K>()
  const again: T[] = []
  for (const item of items) {
    const key = keyOf(item)
    if (seen.has(key)) again.push(item)
    seen.add(key)
  }
  return again
}
