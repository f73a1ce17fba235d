/**
 * When a consumer of the Java client asks for messages again: after a negative acknowledgement, or when none came in time.
 *
 * Source: Apache Pulsar 4.2.4, 5.0.1, org.apache.pulsar.client.impl.NegativeAcksTracker, UnAckedMessageTracker,
 * UnAckedMessageRedeliveryTracker. Times are milliseconds of one clock; events come in the order of time.
 * What differs from the obvious: times of negative acknowledgements lose their low 8 bits and so come up to 255 ms early;
 * their timer is armed by the first one alone, so that a later, shorter delay waits for it; a message acknowledged
 * negatively twice comes twice; acknowledgement timeouts are looked at once a tick, one tick late.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import { type RedeliveryBackoff, redeliveryBackoff } from './redelivery-backoff.js'
import { flowVersion, type PulsarVersionOption } from './version.js'

/** Ledger and entry. */
export type MessagePosition = readonly [ledgerId: number, entryId: number]

/** What is asked for again, at one time: positions ascending. */
export interface Redelivery {
  readonly at: number
  readonly messages: readonly MessagePosition[]
}

/** A negative acknowledgement. */
export interface NegativeAck {
  readonly at: number
  readonly nack: MessagePosition
  /** How often the message was delivered again already. Default: 0. */
  readonly redeliveryCount?: number | undefined
}

/** Settings by the consumer's names. */
export interface NegativeAckOptions extends PulsarVersionOption {
  /** Microseconds. Default: 60,000,000, one minute. */
  readonly negativeAckRedeliveryDelayMicros?: number | undefined
  /** In place of that delay. */
  readonly negativeAckRedeliveryBackoff?: RedeliveryBackoff | undefined
  /** Low bits that times lose, 0 to 52. Default: 8. */
  readonly negativeAckPrecisionBitCnt?: number | undefined
  /** The end of what is looked at. Default: until all is asked for. */
  readonly until?: number | undefined
}

/** What happens to a message. */
export type AckTimeoutEvent = { readonly at: number } & (
  | { readonly receive: MessagePosition; readonly redeliveryCount?: number | undefined }
  | { readonly ack: MessagePosition }
  /** A cumulative acknowledgement. */
  | { readonly ackUpTo: MessagePosition }
)

/** Settings by the consumer's names. */
export interface AckTimeoutOptions extends PulsarVersionOption {
  /** When the consumer was made. Default: 0. */
  readonly at?: number | undefined
  /** Milliseconds; the builder takes none below 1,000. */
  readonly ackTimeoutMillis: number
  /** Milliseconds. Default: 1,000. */
  readonly tickDurationMillis?: number | undefined
  readonly ackTimeoutRedeliveryBackoff?: RedeliveryBackoff | undefined
  /** The end of what is looked at. Default: until all is asked for. */
  readonly until?: number | undefined
}

const TIME = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const
const LEAST_NACK_DELAY = 100

/**
 * When messages are asked for again after negative acknowledgements.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (events out of order among them),
 *   ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED (before 4.2)
 * @example
 * pulsar.negativeAcks([{ at: 0, nack: [7, 1] }], { negativeAckRedeliveryDelayMicros: 5e6 })
 * // [{ at: 5000, messages: [[7, 1]] }]
 */
export function negativeAcks(events: readonly NegativeAck[], options: NegativeAckOptions = {}): Redelivery[] {
  flowVersion(options, 'negative acknowledgements')
  const { negativeAckPrecisionBitCnt: bits = 8, until } = options
  const precision = 2 ** checkInteger(bits, 'negativeAckPrecisionBitCnt', [0, 52])
  const delay = nackDelay(options)
  const asked: Redelivery[] = []
  const waiting = new Map<number, MessagePosition[]>()
  let timer = Number.POSITIVE_INFINITY
  const advance = (to: number): void => {
    while (timer <= to && waiting.size > 0) timer = fire(timer, waiting, asked)
  }
  checkEvents(events, ({ nack }, where) => checkPosition(nack, `${where}.nack`))
  for (const { at, nack, redeliveryCount = 0 } of events) {
    advance(at)
    const after = delay(redeliveryCount)
    const due = Math.floor((at + after) / precision) * precision
    waiting.set(due, [...(waiting.get(due) ?? []), nack])
    if (timer === Number.POSITIVE_INFINITY) timer = at + after
  }
  advance(checkUntil(until))
  return asked
}

function nackDelay(options: NegativeAckOptions): (count: number) => number {
  const { negativeAckRedeliveryBackoff: backoff, negativeAckRedeliveryDelayMicros: micros = 60_000_000 } = options
  if (backoff !== undefined) return redeliveryBackoff(backoff)
  checkInteger(micros, 'negativeAckRedeliveryDelayMicros', [0, Number.MAX_SAFE_INTEGER])
  const delay = Math.max(Math.floor(micros / 1000), LEAST_NACK_DELAY)
  return () => delay
}

/** What is due is asked for. @returns when the timer fires next */
function fire(now: number, waiting: Map<number, MessagePosition[]>, asked: Redelivery[]): number {
  const due = [...waiting.keys()].filter((time) => time <= now)
  const messages = due.flatMap((time) => waiting.get(time)!)
  for (const time of due) waiting.delete(time)
  if (messages.length > 0) asked.push({ at: now, messages: distinct(messages) })
  return Math.min(...waiting.keys())
}

/**
 * When messages that were not acknowledged in time are asked for again.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (events out of order, a tick of 0),
 *   ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED (before 4.2)
 * @example
 * pulsar.ackTimeouts([{ at: 0, receive: [7, 1] }], { ackTimeoutMillis: 10000 }) // [{ at: 11000, messages: [[7, 1]] }]
 */
export function ackTimeouts(events: readonly AckTimeoutEvent[], options: AckTimeoutOptions): Redelivery[] {
  flowVersion(options, 'acknowledgement timeouts')
  const wheel = new Wheel(options)
  checkEvents(events, (event, where) => checkPosition(positionOf(event, where), where), options.at ?? 0)
  for (const event of events) {
    wheel.advance(event.at)
    if ('receive' in event) wheel.receive(event.receive, event.redeliveryCount ?? 0)
    else if ('ack' in event) wheel.remove((position) => comparePositions(position, event.ack) === 0)
    else wheel.remove((position) => comparePositions(position, event.ackUpTo) <= 0)
  }
  wheel.advance(checkUntil(options.until))
  return wheel.asked
}

/** A message in the wheel. */
interface Unacked {
  readonly position: MessagePosition
  readonly count: number
  /** When its slot comes round. */
  readonly expires: number
}

/** Slots turned once a tick; what leaves the last one is asked for, or waits for its back-off. */
class Wheel {
  readonly asked: Redelivery[] = []
  readonly #tick: number
  readonly #slots: number
  readonly #start: number
  readonly #backoff: ((count: number) => number) | null
  readonly #waiting = new Map<string, Unacked>()
  /** Messages of expired slots, by key: when their back-off ends. */
  readonly #backingOff = new Map<string, { readonly position: MessagePosition; readonly due: number }>()
  #next: number

  constructor(options: AckTimeoutOptions) {
    const { at = 0, ackTimeoutMillis, tickDurationMillis = 1000, ackTimeoutRedeliveryBackoff: backoff } = options
    this.#start = checkInteger(at, 'at', TIME)
    checkInteger(ackTimeoutMillis, 'ackTimeoutMillis', [1, Number.MAX_SAFE_INTEGER])
    if (tickDurationMillis === 0) throw noTick()
    checkInteger(tickDurationMillis, 'tickDurationMillis', [1, Number.MAX_SAFE_INTEGER])
    this.#tick = Math.min(tickDurationMillis, ackTimeoutMillis)
    this.#slots = Math.ceil(ackTimeoutMillis / this.#tick) + 1
    this.#next = this.#start + this.#tick
    this.#backoff = backoff === undefined ? null : redeliveryBackoff(backoff)
  }

  /** Turns the wheel up to a time; without end, until it is empty. */
  advance(to: number): void {
    while (this.#next <= to && this.#waiting.size + this.#backingOff.size > 0) {
      this.#turn(this.#next)
      this.#next += this.#tick
    }
    if (this.#next > to || to === Number.POSITIVE_INFINITY) return
    this.#next += (Math.floor((to - this.#next) / this.#tick) + 1) * this.#tick
  }

  /** A message that waits keeps its slot. */
  receive(position: MessagePosition, count: number): void {
    const key = keyOf(position)
    if (this.#waiting.has(key)) return
    checkInteger(count, 'redeliveryCount', [0, 2 ** 31 - 1])
    const expires = this.#next + (this.#slots - 1) * this.#tick
    this.#waiting.set(key, { position, count, expires })
  }

  remove(isAcked: (position: MessagePosition) => boolean): void {
    for (const [key, { position }] of this.#waiting) if (isAcked(position)) this.#waiting.delete(key)
    for (const [key, { position }] of this.#backingOff) if (isAcked(position)) this.#backingOff.delete(key)
  }

  #turn(now: number): void {
    const expired = [...this.#waiting].filter(([, { expires }]) => expires <= now)
    for (const [key] of expired) this.#waiting.delete(key)
    const messages = this.#backoff === null ? expired.map(([, { position }]) => position) : this.#backOff(expired, now)
    if (messages.length > 0) this.asked.push({ at: now, messages: distinct(messages) })
  }

  /** Those whose back-off ended, after `expired` began theirs. */
  #backOff(expired: readonly [string, Unacked][], now: number): MessagePosition[] {
    for (const [key, { position, count }] of expired) {
      this.#backingOff.set(key, { position, due: now + this.#backoff!(count) })
    }
    const ended = [...this.#backingOff].filter(([, { due }]) => due <= now)
    for (const [key] of ended) this.#backingOff.delete(key)
    return ended.map(([, { position }]) => position)
  }
}

function positionOf(event: AckTimeoutEvent, where: string): MessagePosition {
  if ('receive' in event) return event.receive
  if ('ack' in event) return event.ack
  if ('ackUpTo' in event) return event.ackUpTo
  const expected = 'expected { at } with one of receive, ack and ackUpTo'
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: ${expected}, got ${shown(event)}`)
}

const keyOf = ([ledger, entry]: MessagePosition): string => `${ledger}:${entry}`
/** By ledger, then by entry. */
export const comparePositions = (a: MessagePosition, b: MessagePosition): number => a[0] - b[0] || a[1] - b[1]

/** Each once, ascending. */
export function distinct(positions: readonly MessagePosition[]): MessagePosition[] {
  return [...new Map(positions.map((position) => [keyOf(position), position])).values()].sort(comparePositions)
}

/** Events with times that do not go back. @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
function checkEvents<T extends { readonly at: number }>(
  events: readonly T[],
  check: (event: T, where: string) => void,
  from: number = TIME[0],
): void {
  if (!Array.isArray(events)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `events: expected a list, got ${shown(events)}`)
  }
  let before = from
  for (const [i, event] of (events as readonly T[]).entries()) {
    const where = `events[${i}]`
    if (typeof event !== 'object' || event === null) {
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected an event, got ${shown(event)}`)
    }
    before = checkInteger(event.at, `${where}.at (times do not go back)`, [before, TIME[1]])
    check(event, where)
  }
}

function checkPosition(position: unknown, name: string): void {
  if (!Array.isArray(position) || position.length !== 2) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected [ledgerId, entryId], got ${shown(position)}`)
  }
  for (const part of position) checkInteger(part, name, [0, TIME[1]])
}

const checkUntil = (until: number | undefined): number =>
  until === undefined ? Number.POSITIVE_INFINITY : checkInteger(until, 'until', TIME)

function noTick(): Error {
  const message = 'tickDurationMillis: expected 1 or more, got 0'
  return codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message, {
    javaClass: 'java.lang.IllegalArgumentException',
    javaMessage: null,
  })
}
