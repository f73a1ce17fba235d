/**
 * A message's way through retries to the dead-letter topic, attempt by attempt: which topic, which bundle, when.
 *
 * Source: Apache Pulsar 4.2.4, 5.0.1: the names of dead-letter.ts, the letters of retry-letter.ts. Times are a lower bound:
 * processing takes no time, and the broker's delayed delivery (delayed-delivery.ts) rounds by its tick.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import type { Note } from '../notes.js'
import type { NamespaceBundles } from './bundles.js'
import { deadLetterTopics } from './dead-letter.js'
import { type RedeliveryBackoff, redeliveryBackoff } from './redelivery-backoff.js'
import { DEFAULT_MAX_REDELIVER_COUNT, type RetryFailure, type RetryLetter, retryLetter } from './retry-letter.js'
import { TopicName } from './topic-name.js'
import { flowVersion, type PulsarVersionOption } from './version.js'

/** A consumer with `enableRetry`, and a message that it never manages to process. */
export interface RetryFlowQuestion extends PulsarVersionOption {
  /** The topic subscribed to; a partition perhaps. */
  readonly topic: string
  readonly subscription: string
  /** Default: 16, as without a dead-letter policy. */
  readonly maxRedeliverCount?: number | undefined
  /**
   * Milliseconds that `reconsumeLater` is called with, attempt by attempt, the last one again and again; or a back-off, asked with
   * the attempts before; or failures one by one, which end the flow. Default: 0.
   */
  readonly delays?: readonly number[] | RedeliveryBackoff | undefined
  readonly failures?: readonly RetryFailure[] | undefined
  /** Of the message. Default: none. */
  readonly properties?: Readonly<Record<string, string>> | undefined
  /** `ledger:entry:partition`. Default: `0:0:` and the topic's partition. */
  readonly messageId?: string | undefined
  /** Names of the caller's own choice. */
  readonly retryLetterTopic?: string | null | undefined
  readonly deadLetterTopic?: string | null | undefined
  /** Topics that the cluster has, for older names that are kept. */
  readonly existing?: readonly string[] | undefined
  /** When the message comes first, in milliseconds. Default: 0. */
  readonly at?: number | undefined
  /** The layout of the topics' namespace, for bundles. Default: none are told. */
  readonly bundles?: NamespaceBundles | undefined
}

/** One attempt that failed. */
export interface RetryAttempt extends RetryLetter {
  /** From 1. */
  readonly attempt: number
  /** When it failed, in milliseconds. */
  readonly at: number
  /** When the letter can be consumed. */
  readonly deliverAt: number
  /** The bundle that `topic` lies in; `null` without a layout, or where it is another namespace's. */
  readonly bundle: string | null
  /** The message id acknowledged, or given up. */
  readonly messageId: string
}

export interface RetryFlow {
  readonly retryLetterTopic: string
  readonly deadLetterTopic: string
  readonly attempts: readonly RetryAttempt[]
  /** The bundle of the topic itself. */
  readonly bundle: string | null
  /** A sentence an attempt. */
  readonly account: readonly string[]
  readonly notes: readonly Note[]
}

/** Attempts after which a flow that does not end is cut. */
const MOST_ATTEMPTS = 10_000

/**
 * The way of a message that always fails.
 *
 * ```
 * pulsar.retryFlow({ topic: 'orders', subscription: 's', maxRedeliverCount: 1, delays: [10_000] }).account
 * // → ['attempt 1: 10 s later, on persistent://public/default/orders-s-RETRY',
 * //    'attempt 2: at once, on persistent://public/default/orders-s-DLQ, the dead-letter topic']
 * ```
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_TOPIC_NAME (a subscription with a slash among
 *   them), ERR_PLACEMENT_ORIGINAL_FAILS, ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED (before 4.2)
 */
export function retryFlow(question: RetryFlowQuestion): RetryFlow {
  const version = flowVersion(question, 'retries')
  const names = topicsOf(question)
  const attempts = attemptsOf(question, names)
  const bundle = bundleOf(question, TopicName.get(question.topic, { version }).toString())
  const last = attempts[attempts.length - 1]
  const notes = attempts.length < MOST_ATTEMPTS || last!.to === 'dead-letter' ? [] : [endless()]
  return { ...names, attempts, bundle, account: attempts.map(sentence), notes }
}

function topicsOf(question: RetryFlowQuestion): { retryLetterTopic: string; deadLetterTopic: string } {
  const { topic, version } = question
  const { retryLetterTopic, deadLetterTopic } = deadLetterTopics({ ...question, topics: [topic] }, { version })
  // The client subscribes to the one and writes to the other: both must be names.
  for (const name of [retryLetterTopic, deadLetterTopic]) TopicName.get(name, { version })
  return { retryLetterTopic, deadLetterTopic }
}

function attemptsOf(
  question: RetryFlowQuestion,
  names: { retryLetterTopic: string; deadLetterTopic: string },
): RetryAttempt[] {
  const { subscription, maxRedeliverCount = DEFAULT_MAX_REDELIVER_COUNT, version } = question
  const failure = failuresOf(question)
  let { topic, properties } = question
  let messageId = question.messageId ?? `0:0:${TopicName.get(topic, { version }).partitionIndex}`
  let at = checkInteger(question.at ?? 0, 'at', [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
  const attempts: RetryAttempt[] = []
  for (let next = failure(0); next !== null && attempts.length < MOST_ATTEMPTS; next = failure(attempts.length)) {
    const policy = { subscription, maxRedeliverCount, ...names, version }
    const letter = retryLetter({ topic, messageId, properties }, next, policy)
    const deliverAt = at + letter.deliverAfterMs
    attempts.push({
      attempt: attempts.length + 1,
      at,
      deliverAt,
      messageId,
      bundle: bundleOf(question, letter.topic),
      ...letter,
    })
    if (letter.to === 'dead-letter') break
    ;[topic, properties, at] = [letter.topic, letter.properties, deliverAt]
    // The retry topic gives it an id of its own.
    messageId = `1:${attempts.length - 1}:-1`
  }
  return attempts
}

/** The n-th failure, from 0; `null` where there is no more. */
function failuresOf({ delays = [0], failures }: RetryFlowQuestion): (n: number) => RetryFailure | null {
  if (failures !== undefined) {
    if (!Array.isArray(failures)) {
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `failures: expected a list, got ${shown(failures)}`)
    }
    return (n) => failures[n] ?? null
  }
  if (!Array.isArray(delays)) {
    const backoff = redeliveryBackoff(delays as RedeliveryBackoff)
    return (n) => ({ delayMs: backoff(n) })
  }
  if (delays.length === 0) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', 'delays: expected one delay or more, in milliseconds, got none')
  }
  for (const [i, delay] of delays.entries()) checkInteger(delay, `delays[${i}]`, [0, Number.MAX_SAFE_INTEGER])
  return (n) => ({ delayMs: delays[Math.min(n, delays.length - 1)]! })
}

function bundleOf({ bundles, version }: RetryFlowQuestion, topic: string): string | null {
  if (bundles === undefined) return null
  const namespace = TopicName.get(topic, { version }).namespace
  if (bundles.namespace !== null && bundles.namespace !== namespace) return null
  return bundles.bundleOf(topic)
}

function sentence({ attempt, to, topic, bundle, deliverAfterMs }: RetryAttempt): string {
  const when = deliverAfterMs === 0 ? 'at once' : `${duration(deliverAfterMs)} later`
  const where = bundle === null ? topic : `${topic}, bundle ${bundle}`
  return `attempt ${attempt}: ${when}, on ${where}${to === 'retry' ? '' : ', the dead-letter topic'}`
}

const duration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`)

function endless(): Note {
  const message = `cut after ${MOST_ATTEMPTS} attempts: the message's count is too far from the limit, and it stays in the retry topic`
  return { code: 'NOTE_RETRY_ENDLESS', message }
}
