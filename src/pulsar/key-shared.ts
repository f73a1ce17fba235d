/**
 * Key_Shared subscriptions: what the broker's four selectors have in common. Consumers join and leave; each is known by its
 * number, 0, 1, … in the order of joining, since names may be alike.
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.service.StickyKeyConsumerSelector; since 4.0 as
 * PIP-379 has it. The selectors: key-shared-ring.ts (the default), -auto-split.ts, -sticky.ts, -entry-bucket.ts.
 * What differs from the obvious: a consumer that leaves twice is no error to the broker.
 */
import type { Keys } from '../bulk.js'
import type { AsyncOptions } from '../bulk-async.js'
import { checkInteger, codedError, type ErrorDetails, shown } from '../errors.js'
import { HASH_OF_KEY } from '../single-key.js'
import type { Key, PulsarVersion } from '../types.js'
import {
  type ConsumerShare,
  type HashSpace,
  type IntoConsumers,
  KeySharedAssignment,
  type Run,
} from './key-shared-assignment.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** Hashes `[start, end]`, both included. */
export type KeyHashRange = readonly [start: number, end: number]

/** Of Java's `int`, which hashes and the ends of ranges are. */
export const INT = [-(2 ** 31), 2 ** 31 - 1] as const

/** A consumer that joins. */
export interface KeySharedConsumer {
  readonly name: string
}

export abstract class KeySharedSelector {
  readonly version: PulsarVersion
  readonly #names: string[] = []
  #assignment: KeySharedAssignment | undefined
  #runs: readonly Run[] | undefined

  protected constructor(options: PulsarVersionOption) {
    this.version = pulsarVersion(options)
  }

  /** The names that consumers joined with, by their numbers; those that left are there too. */
  get names(): readonly string[] {
    return this.#names
  }

  /** Who has which hashes now: a value that later joins and leaves do not change. */
  get assignment(): KeySharedAssignment {
    this.#assignment ??= new KeySharedAssignment(this.space, this.#current)
    return this.#assignment
  }

  /**
   * The consumer of that number leaves.
   *
   * @returns whether it was there
   * @throws ERR_PLACEMENT_CONSUMER for a number that never joined
   */
  leave(consumer: number): boolean {
    this.checkNumber(consumer)
    const left = this.remove(consumer)
    if (left) this.#forget()
    return left
  }

  /**
   * The hash that the broker gives a sticky key: since 4.0 one that the selector knows; before, the masked hash, of which
   * the selectors by ranges take the remainder.
   *
   * @throws ERR_PLACEMENT_KEY_TYPE
   */
  hashOf(key: Key): number {
    return isSince(this.version, '4.2') ? this.assignment.hashOf(key) : HASH_OF_KEY.murmur3(key) & 0x7fffffff
  }

  /** The consumer of a sticky key, or of each of many: see {@link KeySharedAssignment.select}. */
  select(key: Key): number | null
  select(keys: Keys, into?: IntoConsumers): Int32Array
  select(keys: Key | Keys, into?: IntoConsumers): number | null | Int32Array {
    return this.assignment.select(keys as Keys, into)
  }

  /** The async twin of {@link select} for many keys. */
  async selectAsync(keys: Keys, options?: IntoConsumers & AsyncOptions): Promise<Int32Array> {
    return await this.assignment.selectAsync(keys, options)
  }

  /**
   * The consumer of a hash that is given as it is, whatever key it is of: the broker's own method.
   *
   * @param hash an int32
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE; ERR_PLACEMENT_ORIGINAL_FAILS where the broker throws
   */
  selectHash(hash: number): number | null {
    const slot = this.slotOf(checkInteger(hash, 'hash', INT))
    const members = runAt(this.#current, slot).members
    if (members.length === 0) return null
    const index = slot % members.length
    if (index < 0) throw originalFails(`hash ${hash}`, 'java.lang.IndexOutOfBoundsException', null)
    return members[index]!
  }

  /** Ranges of hashes by consumer, as the broker's statistics show them; those without any are not there. */
  abstract ranges(): ReadonlyMap<number, readonly KeyHashRange[]>

  /** The part of all hashes that each consumer has. */
  shares(): ConsumerShare[] {
    return this.assignment.shares()
  }

  /** The hashes that keys have in that release. */
  protected abstract readonly space: HashSpace

  /** Consumers over all of Java's ints, ascending from -2^31. */
  protected abstract runs(): readonly Run[]

  /** Takes a consumer that is there out; false where it is not. */
  protected abstract remove(consumer: number): boolean

  /** From a hash given as it is to the one that is looked up. */
  protected slotOf(hash: number): number {
    return hash
  }

  /** Number of the next consumer, its name checked; nothing is changed yet. */
  protected checkName({ name }: KeySharedConsumer): number {
    if (typeof name === 'string') return this.names.length
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `name: expected a string, got ${shown(name)}`)
  }

  /** The consumer counts from now on, whether it got hashes or not. */
  protected joined(name: string): number {
    this.#forget()
    return this.#names.push(name) - 1
  }

  get #current(): readonly Run[] {
    this.#runs ??= this.runs()
    return this.#runs
  }

  #forget(): void {
    this.#assignment = undefined
    this.#runs = undefined
  }

  protected checkNumber(consumer: number): number {
    if (Number.isInteger(consumer) && consumer >= 0 && consumer < this.names.length) return consumer
    const expected = `the number of one of the ${this.names.length} consumers that joined`
    throw codedError('ERR_PLACEMENT_CONSUMER', `consumer: expected ${expected}, got ${shown(consumer)}`)
  }
}

/** The last run that begins at or below the slot; the first one begins below all. */
function runAt(runs: readonly Run[], slot: number): Run {
  let [low, high] = [0, runs.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (runs[middle]!.start <= slot) low = middle
    else high = middle - 1
  }
  return runs[low]!
}

/** What the broker refuses a consumer with. */
export function consumerRefused(message: string, javaMessage: string): Error {
  const javaClass = 'org.apache.pulsar.broker.service.BrokerServiceException$ConsumerAssignException'
  return codedError('ERR_PLACEMENT_CONSUMER', `${message}; Pulsar says: ${javaMessage}`, { javaClass, javaMessage })
}

/** What a selector refuses its own settings with. */
export function illegalSetting(message: string, javaMessage: string): Error {
  const javaClass = 'java.lang.IllegalArgumentException'
  return codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message, { javaClass, javaMessage } satisfies ErrorDetails)
}

/** What the broker throws by a defect of its own. */
export function originalFails(what: string, javaClass: string, javaMessage: string | null): Error {
  const text = javaMessage === null ? javaClass : `${javaClass}: ${javaMessage}`
  return codedError('ERR_PLACEMENT_ORIGINAL_FAILS', `${what}: the broker throws ${text}`, { javaClass, javaMessage })
}

/** The same where the broker reports ranges that touch as one: by ranges of their own or buckets, since 4.0. */
export function joinRange(ranges: Map<number, KeyHashRange[]>, consumer: number, range: KeyHashRange): void {
  const some = ranges.get(consumer) ?? []
  const last = some[some.length - 1]
  if (last !== undefined && last[1] + 1 === range[0]) some[some.length - 1] = [last[0], range[1]]
  else addRange(ranges, consumer, range)
}

/** Adds a range to those of a consumer. */
export function addRange(ranges: Map<number, KeyHashRange[]>, consumer: number, range: KeyHashRange): void {
  const some = ranges.get(consumer)
  if (some === undefined) ranges.set(consumer, [range])
  else some.push(range)
}
