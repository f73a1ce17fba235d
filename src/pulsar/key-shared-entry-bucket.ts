/**
 * Key_Shared over the entry buckets of a scalable topic's segment: consumers share out whole buckets.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.broker.service.EntryBucketConsumerSelector (PIP-486). Of c consumers in the
 * order of name and id, the j-th has the buckets `[j * B / c, (j + 1) * B / c)` of B.
 * What differs from the obvious: more consumers than buckets leave some without any; a hash below the first bucket counts
 * to it.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import { INT, joinRange, type KeyHashRange, type KeySharedConsumer, KeySharedSelector } from './key-shared.js'
import type { HashSpace, Run } from './key-shared-assignment.js'
import { isSince, type PulsarVersionOption } from './version.js'

/** What the selector is set to. */
export interface KeySharedEntryBucketOptions extends PulsarVersionOption {
  /** The buckets of the segment, ascending: `[start, end]`, both included; one or more. */
  readonly buckets: readonly KeyHashRange[]
}

/** A consumer of a segment. */
export interface EntryBucketConsumer extends KeySharedConsumer {
  /** The id on its connection, which orders consumers of one name. Default: its number. */
  readonly id?: number | undefined
}

/**
 * The consumers of one segment.
 *
 * ```
 * const selector = new pulsar.KeySharedEntryBucket({ buckets: [[0, 32767], [32768, 65535]] })
 * selector.join({ name: 'a' })
 * ```
 */
export class KeySharedEntryBucket extends KeySharedSelector {
  protected readonly space: HashSpace = { size: 65536, start: 0, zeroIsOne: true }
  readonly #buckets: readonly KeyHashRange[]
  readonly #ids: number[] = []
  /** Numbers of the consumers that are there, by name and id. */
  #order: number[] = []

  /** @throws ERR_PLACEMENT_UNSUPPORTED before 5.0, ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
  constructor({ buckets, ...options }: KeySharedEntryBucketOptions) {
    super(options)
    if (!isSince(this.version, '5.0')) {
      const message = `version: expected 5.0, got ${this.version}: entry buckets came with scalable topics`
      throw codedError('ERR_PLACEMENT_UNSUPPORTED', message)
    }
    this.#buckets = checkedBuckets(buckets)
  }

  /** A consumer joins; names may be alike. @returns its number. @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
  join(consumer: EntryBucketConsumer): number {
    const number = this.checkName(consumer)
    this.#ids[number] = checkInteger(consumer.id ?? number, 'id', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
    this.joined(consumer.name)
    this.#order.push(number)
    this.#order.sort((a, b) => this.#compare(a, b))
    return number
  }

  protected remove(consumer: number): boolean {
    const left = this.#order.filter((number) => number !== consumer)
    const wasThere = left.length < this.#order.length
    this.#order = left
    return wasThere
  }

  protected runs(): Run[] {
    const owners = this.#owners()
    return this.#buckets.map(([start], i) => ({ start: i === 0 ? INT[0] : start, members: owners[i] ?? [] }))
  }

  ranges(): ReadonlyMap<number, readonly KeyHashRange[]> {
    const ranges = new Map<number, KeyHashRange[]>()
    this.#owners().forEach(([owner], i) => {
      joinRange(ranges, owner!, this.#buckets[i]!)
    })
    return ranges
  }

  /** The consumer of each bucket; none where there are no consumers. */
  #owners(): readonly (readonly number[])[] {
    const [count, buckets] = [this.#order.length, this.#buckets.length]
    const owners: (readonly number[])[] = []
    this.#order.forEach((consumer, j) => {
      const end = Math.floor(((j + 1) * buckets) / count)
      for (let i = Math.floor((j * buckets) / count); i < end; i++) owners[i] = [consumer]
    })
    return owners
  }

  #compare(a: number, b: number): number {
    const [left, right] = [this.names[a]!, this.names[b]!]
    return left < right ? -1 : left > right ? 1 : this.#ids[a]! - this.#ids[b]!
  }
}

function checkedBuckets(buckets: unknown): readonly KeyHashRange[] {
  if (!Array.isArray(buckets) || buckets.length === 0) {
    const got = Array.isArray(buckets) ? 'none' : shown(buckets)
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `buckets: expected a list of one [start, end] or more, got ${got}`)
  }
  return buckets.map((bucket: unknown, i) => {
    if (!Array.isArray(bucket) || bucket.length !== 2) {
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `buckets[${i}]: expected [start, end], got ${shown(bucket)}`)
    }
    const least = i === 0 ? 0 : (buckets[i - 1] as number[])[1]! + 1
    const start = checkInteger(bucket[0], `buckets[${i}][0]`, [least, 65535])
    return [start, checkInteger(bucket[1], `buckets[${i}][1]`, [start, 65535])] as const
  })
}
