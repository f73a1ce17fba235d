/**
 * Names of topics: those that Kafka refuses, and those that collide, since metrics write `.` as `_`. One pass over millions.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.common.internals.Topic. What differs from the obvious: a collision is no
 * refusal of the name itself, and the controller refuses it only where a topic of the other spelling is there. A name that is
 * refused collides with none.
 */
import type { Keys } from '../bulk.js'
import { checkOptions } from '../bulk-async.js'
import type { TopicNameFaults } from '../engine/contract.js'
import { engine } from '../engine/index.js'
import { TopicSet } from '../topic-set.js'
import type { Key } from '../types.js'

/** UTF-16 units, and bytes, since a legal name is ASCII. */
const LONGEST = 249
const LEGAL = /^[a-zA-Z0-9._-]+$/

/** A name that Kafka refuses. */
export interface IllegalTopicName {
  /** Position in the input. */
  readonly index: number
  readonly name: string
  /** What Kafka says. */
  readonly reason: string
}

/** Names that are one in metrics. */
export interface TopicNameCollision {
  /** The first one, and one that comes later and is spelt otherwise. */
  readonly first: string
  readonly firstIndex: number
  readonly name: string
  readonly index: number
}

export interface TopicNameReport {
  readonly illegal: readonly IllegalTopicName[]
  readonly collisions: readonly TopicNameCollision[]
}

/**
 * Why Kafka refuses a topic's name, in its words; `null` for a legal one.
 *
 * @example kafka.topicNameRefusal('a b') // "'a b' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"
 */
export function topicNameRefusal(name: string): string | null {
  if (name === '') return 'the empty string is not allowed'
  if (name === '.' || name === '..') return `'${name}' is not allowed`
  if (name.length > LONGEST) return `the length of '${name}' is longer than the max allowed length ${LONGEST}`
  if (LEGAL.test(name)) return null
  return `'${name}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'`
}

/**
 * Finds the names that are refused, and those that collide with an earlier one. A name given twice is no collision.
 *
 * @param names strings, bytes or both (array or any iterable), a column, or a TopicSet
 * @returns both in the order of the input; a third spelling collides with the first one
 * Cost: about 0.2 µs a name that is packed, 0.6 for a string; 8 to 16 bytes for each that holds `.` or `_` (16 to 32 in the
 *   fallback, which takes about three times as long).
 * @throws ERR_PLACEMENT_KEY_TYPE (with index), ERR_PLACEMENT_COLUMN, ERR_PLACEMENT_ARGUMENT_TYPE
 * @example kafka.checkTopicNames(['foo.bar', 'foo_bar']).collisions.length // 1
 */
export function checkTopicNames(names: Keys | Iterable<Key>): TopicNameReport {
  const topics = TopicSet.from(names)
  return reportOf(topics, engine().topicNameFaults(topics.chunks))
}

/**
 * The async twin of {@link checkTopicNames}: off the event loop.
 *
 * @throws what that throws; rejects with the signal's reason too
 */
export async function checkTopicNamesAsync(
  names: Keys,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<TopicNameReport> {
  checkOptions(signal === undefined ? {} : { signal })
  const topics = await TopicSet.fromAsync(names, signal)
  const faults = await engine().topicNameFaultsAsync(topics.chunks, signal)
  signal?.throwIfAborted()
  return reportOf(topics, faults)
}

function reportOf(topics: TopicSet, { illegal, collisions }: TopicNameFaults): TopicNameReport {
  return {
    illegal: Array.from(illegal, (index) => {
      const name = topics.at(index)
      return { index, name, reason: topicNameRefusal(name)! }
    }),
    collisions: Array.from({ length: collisions.length / 2 }, (_, i) => {
      const [firstIndex, index] = [collisions[2 * i]!, collisions[2 * i + 1]!]
      return { first: topics.at(firstIndex), firstIndex, name: topics.at(index), index }
    }),
  }
}
