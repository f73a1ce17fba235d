/**
 * Names of topics: those that Kafka refuses, and those that collide, since metrics write `.` as `_`. One pass over millions.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.common.internals.Topic. What differs from the obvious: a collision is no
 * refusal of the name itself, and the controller refuses it only where a topic of the other spelling is there.
 */
import { codedError, shown } from '../errors.js'

/** Bytes, since a legal name is ASCII. */
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
 * @param names any number, taken one by one
 * Cost: one look-up a name that holds `.` or `_`.
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE
 * @example kafka.checkTopicNames(['foo.bar', 'foo_bar']).collisions.length // 1
 */
export function checkTopicNames(names: Iterable<string>): TopicNameReport {
  const illegal: IllegalTopicName[] = []
  const collisions: TopicNameCollision[] = []
  const seen = new Map<string, { readonly first: string; readonly firstIndex: number }>()
  let index = -1
  for (const name of names) {
    index++
    if (typeof name !== 'string') {
      const message = `names[${index}]: expected a string, got ${shown(name)}`
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message, { index })
    }
    const reason = topicNameRefusal(name)
    if (reason !== null) illegal.push({ index, name, reason })
    if (!name.includes('.') && !name.includes('_')) continue
    const unified = name.replaceAll('.', '_')
    const before = seen.get(unified)
    if (before === undefined) seen.set(unified, { first: name, firstIndex: index })
    else if (before.first !== name) collisions.push({ ...before, name, index })
  }
  return { illegal, collisions }
}
