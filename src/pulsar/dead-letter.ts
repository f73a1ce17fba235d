/**
 * The retry and dead-letter topics that a consumer of the Java client takes, with `enableRetry`.
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.client.impl.ConsumerBuilderImpl.
 * Names are `<topic>-<subscription>-RETRY` and `-DLQ` since 2.8. What differs from the obvious: the older names,
 * `<namespace>/<subscription>-RETRY`, are kept where the cluster has such a topic; of several topics, the first one in the
 * order of their texts names both.
 */
import { codedError, shown } from '../errors.js'
import { isBlank } from '../fallback/pulsar/java-text.js'
import type { PulsarVersion } from '../types.js'
import { TopicName } from './topic-name.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** What a consumer is built with. */
export interface DeadLetterQuestion {
  /** Topics subscribed to, as the consumer is given them; at least one. */
  readonly topics: readonly string[]
  readonly subscription: string
  /** Names of the caller's own choice; a blank one is none. */
  readonly retryLetterTopic?: string | null | undefined
  readonly deadLetterTopic?: string | null | undefined
  /** Topics that the cluster has: those of `asked` that are among them keep their older names. */
  readonly existing?: readonly string[] | undefined
}

/** What the consumer does. */
export interface DeadLetterTopics {
  readonly retryLetterTopic: string
  readonly deadLetterTopic: string
  /** The older names that the client asks the cluster for, sorted by UTF-16 units. */
  readonly asked: readonly string[]
  /** All topics subscribed to, sorted by UTF-16 units: as given, but for blanks around them, and the retry topic. */
  readonly subscribed: readonly string[]
}

const SUFFIXES = ['-RETRY', '-DLQ'] as const

/**
 * The retry and dead-letter topics of a consumer.
 *
 * ```
 * deadLetterTopics({ topics: ['orders'], subscription: 's' }).deadLetterTopic // → 'persistent://public/default/orders-s-DLQ'
 * ```
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_TOPIC_NAME, ERR_PLACEMENT_UNKNOWN_VERSION
 */
export function deadLetterTopics(question: DeadLetterQuestion, options?: PulsarVersionOption): DeadLetterTopics {
  const version = pulsarVersion(options)
  const topics = subscribedTopics(question)
  const own = [question.retryLetterTopic, question.deadLetterTopic].map((name) => (isNone(name) ? null : name!))
  const first = TopicName.get(topics[0]!, { version })
  const older = SUFFIXES.map((suffix) => olderName(first, question.subscription + suffix))
  const asked = older.filter((_, i) => isAsked(own, i, version))
  const has = asked.length === 0 ? () => false : existence(question.existing ?? [], version)
  // 3.0 reads the names that it was told of, and so fails on a short one of a subscription or namespace with more slashes.
  if (isSince(version, '3.0')) for (const name of asked.filter(has)) TopicName.get(name, { version })
  const names = SUFFIXES.map((suffix, i) => {
    const keepsOlder = asked.includes(older[i]!) && has(older[i]!)
    return own[i] ?? (keepsOlder ? older[i]! : `${first}-${question.subscription}${suffix}`)
  }) as [string, string]
  const subscribed = [...new Set([...topics, names[0]])].sort()
  return { retryLetterTopic: names[0], deadLetterTopic: names[1], asked: [...asked].sort(), subscribed }
}

/** The topics as the builder keeps them: trimmed, without repeats, sorted. */
function subscribedTopics({ topics, subscription }: DeadLetterQuestion): string[] {
  if (!Array.isArray(topics)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `topics: expected a list of names, got ${shown(topics)}`)
  }
  if (topics.length === 0) {
    throw refused(
      'topics: expected one name or more, got none',
      'Passed in topicNames list should not be null or empty.',
    )
  }
  const blank = topics.findIndex(isNone)
  if (blank >= 0) {
    throw refused(
      `topics[${blank}]: expected a name, got ${shown(topics[blank])}`,
      'topicNames cannot have blank topic',
    )
  }
  if (isNone(subscription)) {
    throw refused(`subscription: expected a name, got ${shown(subscription)}`, 'subscriptionName cannot be blank')
  }
  return [...new Set(topics.map(trimmed))].sort()
}

/** `StringUtils.isBlank` of a name that may be missing. */
function isNone(name: unknown): boolean {
  if (name === null || name === undefined) return true
  if (typeof name === 'string') return isBlank(name)
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `topic or subscription: expected a string, got ${shown(name)}`)
}

/** `String.trim`: all units up to U+0020 at both ends. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && text.charCodeAt(from) <= 0x20) from++
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to--
  return text.slice(from, to)
}

/** Since 4.2 the older name is a full one of the topic's own domain; before, a short one, and so a persistent one. */
function olderName(topic: TopicName, localName: string): string {
  const { domain, namespace, version } = topic
  if (!isSince(version, '4.2')) return `${namespace}/${localName}`
  return TopicName.fromParts({ domain, namespace, localName }, { version }).toString()
}

/** Since 4.2 the client asks for what it was not told; before, for both unless it was told both. */
function isAsked(own: readonly (string | null)[], i: number, version: PulsarVersion): boolean {
  return isSince(version, '4.2') ? own[i] === null : own.includes(null)
}

/** Whether the cluster has a topic, by whatever form of its name. */
function existence(existing: readonly string[], version: PulsarVersion): (name: string) => boolean {
  const canonical = (name: string) =>
    TopicName.isValid(name, { version }) ? TopicName.get(name, { version }).toString() : name
  const known = new Set(existing.map(canonical))
  return (name) => known.has(canonical(name))
}

function refused(message: string, javaMessage: string): Error {
  const javaClass = 'java.lang.IllegalArgumentException'
  return codedError('ERR_PLACEMENT_TOPIC_NAME', message, { javaClass, javaMessage })
}
