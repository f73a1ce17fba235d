/**
 * Where a consumer of the Java client sends a message that was not processed, and with which properties.
 *
 * Source: Apache Pulsar 4.2.4, 5.0.1, org.apache.pulsar.client.impl.ConsumerImpl (reconsumeLater, processPossibleToDLQ) and
 * org.apache.pulsar.client.util.RetryMessageUtil.
 * What differs from the obvious: custom properties are laid over the message's own and so can move the count; the count is an
 * int and wraps; the dead-letter topic is never sent to with a delay.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import { parseLong } from './java-long.js'
import { TopicName } from './topic-name.js'
import type { PulsarVersionOption } from './version.js'

/** A message as a consumer has it. */
export interface ConsumedMessage {
  /** The topic it was read from, a partition perhaps. */
  readonly topic: string
  /** `ledger:entry:partition`, with `:batch` for one of a batch; partition -1 for none. */
  readonly messageId: string
  /** Whether the id carries the topic, as those of a consumer of several topics do; `enableRetry` makes one. Default: true. */
  readonly idTellsTopic?: boolean | undefined
  /** Default: none. */
  readonly properties?: Readonly<Record<string, string>> | undefined
}

/** What the consumer is built with. */
export interface RetryPolicy {
  readonly subscription: string
  /** Default: 16, as without a dead-letter policy. */
  readonly maxRedeliverCount?: number | undefined
  readonly retryLetterTopic: string
  readonly deadLetterTopic: string
  /** The consumer's `enableRetry`. Default: true. */
  readonly enableRetry?: boolean | undefined
}

/** How processing failed. */
export type RetryFailure =
  /** `reconsumeLater` with a delay in milliseconds and properties of the caller's. */
  | { readonly delayMs: number; readonly properties?: Readonly<Record<string, string>> | undefined }
  /** The broker delivered it more than `maxRedeliverCount` times, and the client gives it up. */
  | { readonly dead: true }

/** What is sent in place of the message. */
export interface RetryLetter {
  readonly to: 'retry' | 'dead-letter'
  readonly topic: string
  /** Sorted by name. */
  readonly properties: Readonly<Record<string, string>>
  /** Milliseconds; 0 for at once. */
  readonly deliverAfterMs: number
}

const RECONSUME_TIMES = 'RECONSUMETIMES'
const INT = [-(2 ** 31), 2 ** 31 - 1] as const

/** The limit without a dead-letter policy. */
export const DEFAULT_MAX_REDELIVER_COUNT = 16

/**
 * What a consumer sends in place of a message that it could not process.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_TOPIC_NAME,
 *   ERR_PLACEMENT_ORIGINAL_FAILS (a count that is no int), ERR_PLACEMENT_UNSUPPORTED (`enableRetry` is off),
 *   ERR_PLACEMENT_UNKNOWN_VERSION
 */
export function retryLetter(
  message: ConsumedMessage,
  failure: RetryFailure,
  policy: RetryPolicy & PulsarVersionOption,
): RetryLetter {
  const limit = policy.maxRedeliverCount ?? DEFAULT_MAX_REDELIVER_COUNT
  checkInteger(limit, 'maxRedeliverCount', [0, INT[1]])
  if ('dead' in failure) return letter('dead-letter', policy, originOf(message, policy))
  if (policy.enableRetry === false) throw retryNotEnabled()
  checkInteger(failure.delayMs, 'delayMs', [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
  const custom = checkProperties(failure.properties ?? {}, 'failure.properties')
  const properties = { ...originOf(message, policy), ...custom }
  const times = timesOf({ ...(message.properties ?? {}), ...custom }[RECONSUME_TIMES])
  const delay = Math.max(failure.delayMs, 0)
  const counted = { ...properties, [RECONSUME_TIMES]: String(times), DELAY_TIME: String(delay) }
  if (times > limit) return letter('dead-letter', policy, counted)
  return { ...letter('retry', policy, counted), deliverAfterMs: delay }
}

function letter(to: RetryLetter['to'], policy: RetryPolicy, properties: Record<string, string>): RetryLetter {
  const topic = to === 'retry' ? policy.retryLetterTopic : policy.deadLetterTopic
  const sorted = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))
  return { to, topic, properties: Object.fromEntries(sorted), deliverAfterMs: 0 }
}

/** The message's own properties, and where it first came from unless they say so already. */
function originOf(
  { topic, messageId, idTellsTopic = true, properties = {} }: ConsumedMessage,
  { subscription, ...options }: RetryPolicy & PulsarVersionOption,
): Record<string, string> {
  const origin = {
    REAL_TOPIC: idTellsTopic ? TopicName.get(topic, options).partitionedTopicName : topic,
    ORIGIN_MESSAGE_IDY_TIME: messageId,
    ORIGIN_MESSAGE_ID: messageId,
    REAL_SUBSCRIPTION: subscription,
  }
  return { ...origin, ...checkProperties(properties, 'properties') }
}

/** The count of this attempt: one more than the last one's. */
function timesOf(text: string | undefined): number {
  if (text === undefined) return 1
  const times = parseLong(text, 10)
  if (times !== undefined && times >= INT[0] && times <= INT[1]) return (Number(times) + 1) | 0
  const message = `${RECONSUME_TIMES}: expected an int, got ${shown(text)}: the client fails, and asks for the message again`
  throw codedError('ERR_PLACEMENT_ORIGINAL_FAILS', message, {
    javaClass: 'java.lang.NumberFormatException',
    javaMessage: `For input string: "${text}"`,
  })
}

function checkProperties(properties: unknown, name: string): Record<string, string> {
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected texts by name, got ${shown(properties)}`)
  }
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'string') continue
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}[${shown(key)}]: expected a string, got ${shown(value)}`)
  }
  return properties as Record<string, string>
}

function retryNotEnabled(): Error {
  return codedError('ERR_PLACEMENT_UNSUPPORTED', 'enableRetry: expected true, got false: reconsumeLater needs it', {
    javaClass: 'org.apache.pulsar.client.api.PulsarClientException',
    javaMessage:
      'reconsumeLater method not supported because retryEnabled is set to false. You can enable it via ConsumerBuilder.',
  })
}
