/** The order in which Java walks sets of integers, strings and topic partitions: in it the reassignment tool names things. */
import type { TopicPartition } from './group-types.js'
import { topicPartitionHash } from './java-hash.js'
import { javaMapOrder, orderOfKeys } from './java-map-order.js'

/** Buckets of a new HashSet or HashMap. */
const TABLE = 16

/** Integers, each once, as a `HashSet` that they were added to. */
export function integerSet(items: Iterable<number>): number[] {
  const keys = [...new Set(items)]
  const compare = (a: number, b: number) => keys[a]! - keys[b]!
  return Array.from(orderOfKeys({ hashCodes: Int32Array.from(keys), compare }, TABLE), (at) => keys[at]!)
}

/** The same of strings. */
export const stringSet = (items: Iterable<string>): string[] => javaMapOrder([...items])

/** The same of strings that were copied from another collection. */
export const copiedStringSet = (items: readonly string[]): string[] => javaMapOrder(items, { copy: true })

/** Topic partitions, each once; of two alike the last one is kept, in the first one's place, as a map keeps its value. */
export function partitionMap<T extends TopicPartition>(items: Iterable<T>): T[] {
  const byKey = new Map<string, T>()
  for (const item of items) byKey.set(partitionKey(item), item)
  const keys = [...byKey.values()]
  const hashCodes = Int32Array.from(keys, ({ topic, partition }) => topicPartitionHash(topic, partition))
  // They have no order of their own: where a bucket is full, Java goes on by the first come.
  return Array.from(orderOfKeys({ hashCodes, compare: (a, b) => a - b }, TABLE), (at) => keys[at]!)
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
