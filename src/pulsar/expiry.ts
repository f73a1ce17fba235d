/**
 * Which messages have outlived their time to live, and what one run of the broker's expiry monitor marks as deleted.
 *
 * Source: Apache Pulsar 4.2.4, 5.0.1, org.apache.pulsar.client.impl.MessageImpl.isExpired and
 * org.apache.pulsar.broker.service.persistent.PersistentMessageExpiryMonitor, PersistentMessageFinder.
 * What differs from the obvious: exactly at the limit a message is not expired; the monitor first drops whole ledgers by the
 * time they were CLOSED, and then searches entries by their own.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import { comparePositions, type MessagePosition } from './redelivery.js'
import { flowVersion, type PulsarVersionOption } from './version.js'

/** When a message was made, in milliseconds. */
export interface MessageTimes {
  readonly publishTime: number
  /** When the broker stored it, where it writes that down; it counts then. */
  readonly brokerTime?: number | undefined
}

/** A ledger of the topic. */
export interface ExpiryLedger {
  readonly ledgerId: number
  /** When it was closed, in milliseconds; 0 or `undefined` while it is open. */
  readonly closedAt?: number | undefined
  /** Times of its entries, not descending. */
  readonly times: readonly number[]
}

/** The monitor's question. */
export interface ExpiryQuestion extends PulsarVersionOption {
  /** Milliseconds. */
  readonly now: number
  /** Seconds; 0 for never. */
  readonly messageTtlSeconds: number
  /** The cursor's mark-delete position; entry -1 for none of the ledger. */
  readonly markDeleted: MessagePosition
  /** Ascending. */
  readonly ledgers: readonly ExpiryLedger[]
  /** Milliseconds; below 0 for a search of everything. Default: 60,000. */
  readonly managedLedgerCursorResetLedgerCloseTimestampMaxClockSkewMillis?: number | undefined
}

/** What one run does. */
export interface ExpiryRun {
  /** Positions marked one after the other: by ledgers, then by entries. */
  readonly marked: readonly MessagePosition[]
  /** Between which positions entries are searched; `null` for no bound. */
  readonly searched: readonly [MessagePosition | null, MessagePosition | null]
  /** Where the cursor stands afterwards. */
  readonly markDeleted: MessagePosition
}

/** Bounds of a search by time. */
export interface RangeLedger {
  readonly ledgerId: number
  readonly entries: number
  /** As {@link ExpiryLedger.closedAt}. */
  readonly closedAt?: number | undefined
}

const TIME = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const
const INT = [-(2 ** 31), 2 ** 31 - 1] as const
const DEFAULT_SKEW = 60_000

/**
 * Whether a message is expired.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED
 * @example pulsar.isExpired({ publishTime: 0 }, { messageTtlSeconds: 10, now: 10_000 }) // false
 */
export function isExpired(
  { publishTime, brokerTime }: MessageTimes,
  { messageTtlSeconds, now, ...version }: Pick<ExpiryQuestion, 'messageTtlSeconds' | 'now' | 'version'>,
): boolean {
  flowVersion(version, 'message expiry')
  checkInteger(publishTime, 'publishTime', TIME)
  if (brokerTime !== undefined) checkInteger(brokerTime, 'brokerTime', TIME)
  checkInteger(now, 'now', TIME)
  return outlives(brokerTime ?? publishTime, checkInteger(messageTtlSeconds, 'messageTtlSeconds', INT), now)
}

const outlives = (time: number, ttlSeconds: number, now: number): boolean =>
  ttlSeconds !== 0 && now > time + ttlSeconds * 1000

/**
 * What one run of the expiry monitor marks as deleted.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED
 */
export function expiry(question: ExpiryQuestion): ExpiryRun {
  checkQuestion(question)
  const { ledgers, now, messageTtlSeconds: ttl } = question
  const marked: MessagePosition[] = []
  let mark = question.markDeleted
  const move = (position: MessagePosition | null): void => {
    if (position === null || !isBeyond(position, mark)) return
    marked.push(position)
    mark = position
  }
  move(expiredLedgers(question))
  const skew = question.managedLedgerCursorResetLedgerCloseTimestampMaxClockSkewMillis ?? DEFAULT_SKEW
  const infos = ledgers.map(({ ledgerId, closedAt, times }) => ({ ledgerId, closedAt, entries: times.length }))
  const searched = rangeOf(infos, now - ttl * 1000, skew)
  move(newestExpired(question, searched))
  return { marked, searched, markDeleted: mark }
}

/** The end of the unbroken run of closed ledgers, from the mark on, whose closing is expired. */
function expiredLedgers({ ledgers, now, messageTtlSeconds: ttl, markDeleted }: ExpiryQuestion): MessagePosition | null {
  if (ttl <= 0) return null
  let end: MessagePosition | null = null
  for (const { ledgerId, closedAt = 0, times } of ledgers) {
    if (ledgerId < markDeleted[0]) continue
    if (closedAt <= 0 || !outlives(closedAt, ttl, now)) break
    end = [ledgerId, times.length - 1]
  }
  const last = lastEntry(ledgers) ?? markDeleted
  return end !== null && isBeyond(end, last) ? last : end
}

function lastEntry(ledgers: readonly ExpiryLedger[]): MessagePosition | null {
  const last = [...ledgers].reverse().find(({ times }) => times.length > 0)
  return last === undefined ? null : [last.ledgerId, last.times.length - 1]
}

/** The last of the entries, from the search's start on, that are all expired. */
function newestExpired(
  { ledgers, now, messageTtlSeconds: ttl }: ExpiryQuestion,
  [from, to]: ExpiryRun['searched'],
): MessagePosition | null {
  let newest: MessagePosition | null = null
  for (const { ledgerId, times } of ledgers) {
    for (const [entry, time] of times.entries()) {
      const position: MessagePosition = [ledgerId, entry]
      if ((from !== null && isBeyond(from, position)) || (to !== null && isBeyond(position, to))) continue
      // A time to live of 0 is no exception here.
      if (now <= time + ttl * 1000) return newest
      newest = position
    }
  }
  return newest
}

/**
 * Between which positions a search by time has to look.
 *
 * @param timestamp milliseconds
 * @param skew how far clocks of brokers may differ, in milliseconds; below 0 for no bounds
 * @returns both ends belong to it; `null` for no bound
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE
 */
export function searchRange(
  ledgers: readonly RangeLedger[],
  timestamp: number,
  skew: number = DEFAULT_SKEW,
): ExpiryRun['searched'] {
  checkLedgers(ledgers)
  checkInteger(timestamp, 'timestamp', TIME)
  return rangeOf(ledgers, timestamp, checkInteger(skew, 'skew', INT))
}

function rangeOf(ledgers: readonly RangeLedger[], timestamp: number, skew: number): ExpiryRun['searched'] {
  if (skew < 0) return [null, null]
  const end = ({ ledgerId, entries }: RangeLedger): MessagePosition => [ledgerId, entries - 1]
  let from: MessagePosition | null = null
  for (const ledger of ledgers) {
    if (ledger.closedAt === undefined) return [null, null]
    if (ledger.closedAt === 0) return [from, null]
    if (ledger.closedAt <= timestamp - skew) from = end(ledger)
    else if (ledger.closedAt > timestamp + skew) return [from, end(ledger)]
  }
  return [from, null]
}

const isBeyond = (a: MessagePosition, b: MessagePosition): boolean => comparePositions(a, b) > 0

function checkQuestion(question: ExpiryQuestion): void {
  flowVersion(question, 'message expiry')
  checkInteger(question.now, 'now', TIME)
  checkInteger(question.messageTtlSeconds, 'messageTtlSeconds', INT)
  const skew = question.managedLedgerCursorResetLedgerCloseTimestampMaxClockSkewMillis ?? DEFAULT_SKEW
  checkInteger(skew, 'managedLedgerCursorResetLedgerCloseTimestampMaxClockSkewMillis', INT)
  const { markDeleted } = question
  if (!Array.isArray(markDeleted) || markDeleted.length !== 2) {
    throw wrongType('markDeleted: expected [ledgerId, entryId]', markDeleted)
  }
  checkInteger(markDeleted[0], 'markDeleted[0]', [0, TIME[1]])
  checkInteger(markDeleted[1], 'markDeleted[1]', [-1, TIME[1]])
  checkLedgers(question.ledgers)
  for (const [i, { times }] of question.ledgers.entries()) checkTimes(times, `ledgers[${i}].times`)
}

function checkLedgers(ledgers: unknown): void {
  if (!Array.isArray(ledgers)) throw wrongType('ledgers: expected a list', ledgers)
  ledgers.forEach(({ ledgerId, closedAt }: RangeLedger, i) => {
    checkInteger(ledgerId, `ledgers[${i}].ledgerId (ledgers ascend)`, [
      i === 0 ? 0 : ledgers[i - 1].ledgerId + 1,
      TIME[1],
    ])
    if (closedAt !== undefined) checkInteger(closedAt, `ledgers[${i}].closedAt`, [0, TIME[1]])
  })
}

function checkTimes(times: readonly number[], name: string): void {
  if (!Array.isArray(times)) throw wrongType(`${name}: expected a list`, times)
  times.forEach((time, i) => {
    checkInteger(time, `${name}[${i}] (times do not go back)`, [i === 0 ? TIME[0] : times[i - 1]!, TIME[1]])
  })
}

function wrongType(expected: string, value: unknown): Error {
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${expected}, got ${shown(value)}`)
}
