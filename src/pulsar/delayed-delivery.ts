/**
 * Which delayed messages are due, in which order, and when the broker's timer wakes: the in-memory tracker.
 *
 * Source: Apache Pulsar 4.2.4, 5.0.1, org.apache.pulsar.broker.delayed.InMemoryDelayedDeliveryTracker and
 * AbstractDelayedDeliveryTracker.
 * What differs from the obvious: times fall into buckets of the largest power of two that is no more than the tick was when the
 * tracker was made; what is taken at once comes in the order of its position, whatever the times; with a tick below the bucket
 * the timer wakes before the bucket is due, and never again.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import type { Note } from '../notes.js'
import type { PulsarVersion } from '../types.js'
import { distinct, type MessagePosition } from './redelivery.js'
import { flowVersion, isSince, type PulsarVersionOption } from './version.js'

/** Settings by broker.conf's names; times in milliseconds. */
export interface DelayedOptions extends PulsarVersionOption {
  /** The clock at the start. Default: 0. */
  readonly at?: number | undefined
  /** Default: 1,000. */
  readonly delayedDeliveryTickTimeMillis?: number | undefined
  /** Whether nothing comes before its time. Default: false. */
  readonly isDelayedDeliveryDeliverAtTimeStrict?: boolean | undefined
  /** Messages of one fixed delay after which reading pauses; 0 for never. Default: 50,000. */
  readonly delayedDeliveryFixedDelayDetectionLookahead?: number | undefined
}

/** What happens, in order. */
export type DelayedEvent =
  /** The clock goes on to this time. */
  | { readonly at: number }
  | { readonly add: { readonly position: MessagePosition; readonly deliverAt: number } }
  /** At most so many due messages are taken for dispatch. */
  | { readonly take: number }
  /** The subscription is cleared. */
  | { readonly clear: true }
  /** A policy of the topic or its namespace changes the tick. */
  | { readonly tickTimeMillis: number }

/** After one event. */
export interface DelayedStep {
  /** Of `add`: whether the message is held back; if not, it is delivered at once. */
  readonly added?: boolean
  /** Of `take`: what is due, ascending by position; a message that was held back under two times is told once. */
  readonly messages?: readonly MessagePosition[]
  /** Of `at`: when the timer woke the dispatcher. */
  readonly woken?: readonly number[]
  /** Whether a message is due now. */
  readonly available: boolean
  /** Messages held back. */
  readonly pending: number
  /** Whether the dispatcher stops reading, since all that is held back has one delay. */
  readonly pause: boolean
  /** When the timer wakes next; `null` for never. */
  readonly wakes: number | null
}

export interface DelayedResult {
  readonly steps: readonly DelayedStep[]
  readonly notes: readonly Note[]
}

const TIME = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const
const NOT_SET = -1

/**
 * What becomes of delayed messages as the clock goes on.
 *
 * ```
 * const add = { position: [1, 0], deliverAt: 1500 }
 * pulsar.delayed([{ add }, { at: 1100 }, { take: 10 }]).steps[2].messages // → [[1, 0]]: up to a tick early
 * ```
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (times that go back among them),
 *   ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED (before 4.2)
 */
export function delayed(events: readonly DelayedEvent[], options: DelayedOptions = {}): DelayedResult {
  const version = flowVersion(options, 'delayed delivery')
  if (!Array.isArray(events)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `events: expected a list, got ${shown(events)}`)
  }
  const tracker = new Tracker({ ...options, version })
  const notes: Note[] = []
  const steps = events.map((event: DelayedEvent, i) => {
    const step = tracker.step(event, `events[${i}]`)
    if (step.wakes === null && step.pending > 0 && !step.available) {
      if (notes.length === 0) notes.push(tracker.neverWoken(`events[${i}]`))
    }
    return step
  })
  return { steps, notes }
}

class Tracker {
  readonly #strict: boolean
  readonly #lookahead: number
  /** Before 5.0 a cleared tracker still knows whether all delays were alike. */
  readonly #forgetsOnClear: boolean
  /** What bucket times are multiples of. */
  readonly #precision: number
  /** Entries by bucket and ledger. */
  readonly #buckets = new Map<number, Map<number, Set<number>>>()
  #now: number
  #tick: number
  #pending = 0
  #highest = 0
  #fixedDelay = true
  #lastRun = 0
  /** The bucket that the timer is for. */
  #target = NOT_SET
  #timer: number | null = null

  constructor(options: DelayedOptions & { readonly version: PulsarVersion }) {
    this.#forgetsOnClear = isSince(options.version, '5.0')
    const { isDelayedDeliveryDeliverAtTimeStrict: strict = false } = options
    if (typeof strict !== 'boolean')
      throw wrongType('isDelayedDeliveryDeliverAtTimeStrict: expected true or false', strict)
    this.#strict = strict
    this.#now = checkInteger(options.at ?? 0, 'at', TIME)
    const [tick, lookahead] = [
      options.delayedDeliveryTickTimeMillis,
      options.delayedDeliveryFixedDelayDetectionLookahead,
    ]
    this.#tick = checkInteger(tick ?? 1000, 'delayedDeliveryTickTimeMillis', [1, TIME[1]])
    this.#lookahead = checkInteger(lookahead ?? 50_000, 'delayedDeliveryFixedDelayDetectionLookahead', [0, TIME[1]])
    this.#precision = 2 ** Math.floor(Math.log2(this.#tick))
  }

  step(event: DelayedEvent, where: string): DelayedStep {
    const answer = this.#apply(event, where)
    // Asked before the rest: to ask sets the timer.
    const available = this.#isAvailable()
    const pause = this.#lookahead > 0 && this.#fixedDelay && this.#pending >= this.#lookahead && !available
    return { ...answer, available, pending: this.#pending, pause, wakes: this.#timer }
  }

  neverWoken(where: string): Note {
    const bucket = this.#first()
    const due = this.#strict ? bucket : bucket + this.#precision - 1 - this.#tick
    const message = `${this.#pending} held back, due at ${due}, and no timer is set: the tick is ${this.#tick} ms and buckets are ${this.#precision} ms wide; only another message or a restart wakes the dispatcher`
    return { code: 'NOTE_DELAYED_NEVER_WOKEN', message, where }
  }

  #apply(event: DelayedEvent, where: string): Partial<DelayedStep> {
    if (typeof event !== 'object' || event === null) throw wrongType(`${where}: expected an event`, event)
    if ('at' in event) return { woken: this.#advance(checkInteger(event.at, `${where}.at`, [this.#now, TIME[1]])) }
    if ('add' in event) return { added: this.#add(event.add, `${where}.add`) }
    if ('take' in event) return { messages: this.#take(checkInteger(event.take, `${where}.take`, [0, TIME[1]])) }
    if ('clear' in event) this.#clear()
    else if ('tickTimeMillis' in event) {
      this.#tick = checkInteger(event.tickTimeMillis, `${where}.tickTimeMillis`, [1, TIME[1]])
    } else throw wrongType(`${where}: expected { at }, { add }, { take }, { clear } or { tickTimeMillis }`, event)
    return {}
  }

  #advance(to: number): number[] {
    const woken: number[] = []
    if (this.#timer !== null && this.#timer <= to) {
      woken.push(this.#timer)
      this.#lastRun = this.#timer
      this.#timer = null
      this.#target = NOT_SET
    }
    this.#now = to
    return woken
  }

  get #cutoff(): number {
    return this.#strict ? this.#now : this.#now + this.#tick
  }

  #add({ position, deliverAt }: { position: MessagePosition; deliverAt: number }, where: string): boolean {
    if (!Array.isArray(position) || position.length !== 2) {
      throw wrongType(`${where}.position: expected [ledgerId, entryId]`, position)
    }
    const [ledger, entry] = position.map((part) => checkInteger(part, `${where}.position`, [0, TIME[1]]))
    checkInteger(deliverAt, `${where}.deliverAt`, TIME)
    if (deliverAt < 0 || deliverAt <= this.#cutoff) {
      this.#fixedDelay = false
      return false
    }
    this.#put(ledger!, entry!, this.#bucketOf(deliverAt))
    this.#setTimer()
    if (deliverAt < this.#highest - this.#tick) this.#fixedDelay = false
    this.#highest = Math.max(this.#highest, deliverAt)
    return true
  }

  #bucketOf(deliverAt: number): number {
    const round = this.#strict ? Math.ceil : Math.floor
    return round(deliverAt / this.#precision) * this.#precision
  }

  #put(ledger: number, entry: number, bucket: number): void {
    const ledgers = this.#buckets.get(bucket) ?? new Map<number, Set<number>>()
    const entries = ledgers.get(ledger) ?? new Set<number>()
    if (!entries.has(entry)) this.#pending++
    this.#buckets.set(bucket, ledgers.set(ledger, entries.add(entry)))
  }

  #first(): number {
    return Math.min(...this.#buckets.keys())
  }

  #isDue(bucket: number): boolean {
    return this.#strict ? bucket <= this.#now : bucket <= this.#cutoff - this.#precision + 1
  }

  #isAvailable(): boolean {
    const available = this.#buckets.size > 0 && this.#isDue(this.#first())
    if (!available) this.#setTimer()
    return available
  }

  #take(most: number): MessagePosition[] {
    const taken: MessagePosition[] = []
    for (const bucket of [...this.#buckets.keys()].sort((a, b) => a - b)) {
      if (taken.length >= most || !this.#isDue(bucket)) break
      this.#takeFrom(bucket, most, taken)
    }
    this.#pending -= taken.length
    if (this.#buckets.size === 0) this.#startAnew()
    this.#setTimer()
    return distinct(taken)
  }

  #takeFrom(bucket: number, most: number, taken: MessagePosition[]): void {
    const ledgers = this.#buckets.get(bucket)!
    for (const ledger of [...ledgers.keys()].sort((a, b) => a - b)) {
      const entries = ledgers.get(ledger)!
      for (const entry of [...entries].sort((a, b) => a - b)) {
        if (taken.length >= most) return
        taken.push([ledger, entry])
        entries.delete(entry)
      }
      ledgers.delete(ledger)
    }
    this.#buckets.delete(bucket)
  }

  #clear(): void {
    this.#buckets.clear()
    this.#pending = 0
    if (this.#forgetsOnClear) this.#startAnew()
    this.#setTimer()
  }

  #startAnew(): void {
    this.#highest = 0
    this.#fixedDelay = true
  }

  #setTimer(): void {
    if (this.#pending === 0) {
      this.#timer = null
      this.#target = NOT_SET
      return
    }
    const bucket = this.#first()
    if (bucket === this.#target) return
    this.#timer = null
    this.#target = NOT_SET
    if (bucket <= this.#now) return
    this.#target = bucket
    this.#timer = Math.max(bucket, this.#lastRun + this.#tick)
  }
}

function wrongType(expected: string, value: unknown): Error {
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${expected}, got ${shown(value)}`)
}
