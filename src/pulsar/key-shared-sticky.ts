/**
 * Key_Shared by ranges that consumers bring along (`KeySharedPolicy.stickyHashRange`).
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.service.HashRangeExclusiveStickyKeyConsumerSelector
 * and org.apache.pulsar.client.api.KeySharedPolicy.
 * What differs from the obvious: hashes that no range holds have no consumer, and their messages wait. Only the client looks
 * whether ranges lie in [0, 65535]. Before 4.0 the broker keeps the ends alone: of a consumer with [0, 10] and [20, 30] the
 * hashes 11 to 19 are too, unless somebody sits between, and ranges of one consumer that overlap are taken.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import {
  addRange,
  consumerRefused,
  INT,
  illegalSetting,
  joinRange,
  type KeyHashRange,
  type KeySharedConsumer,
  KeySharedSelector,
} from './key-shared.js'
import type { HashSpace, Run } from './key-shared-assignment.js'
import { checkPolicy } from './key-shared-policy.js'
import { isSince, type PulsarVersionOption } from './version.js'

/** What the selector is set to. */
export interface KeySharedStickyOptions extends PulsarVersionOption {
  /** Hashes there are, from 1 on. The broker's is 65536. Default: 65536. */
  readonly rangeSize?: number | undefined
}

/** A consumer that brings ranges. */
export interface StickyConsumer extends KeySharedConsumer {
  /** `[start, end]`, both included; one or more. */
  readonly ranges: readonly KeyHashRange[]
}

/**
 * The consumers of a Key_Shared subscription in STICKY mode.
 *
 * ```
 * const sticky = new pulsar.KeySharedSticky()
 * sticky.join({ name: 'c1', ranges: [[0, 99], [400, 65535]] })
 * sticky.selectHash(200) // → null
 * ```
 */
export class KeySharedSticky extends KeySharedSelector {
  protected readonly space: HashSpace
  readonly #size: number
  readonly #ranges: (readonly KeyHashRange[])[] = []
  /** Before 4.0: each end of a range and its consumer. Since: each start, with the end. */
  readonly #entries = new Map<number, { readonly consumer: number; readonly end: number }>()

  /** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE with what Java throws, ERR_PLACEMENT_UNKNOWN_VERSION */
  constructor({ rangeSize = 65536, ...options }: KeySharedStickyOptions = {}) {
    super(options)
    checkInteger(rangeSize, 'rangeSize', INT)
    const message = `rangeSize: expected an integer in [1, ${INT[1]}], got ${rangeSize}`
    if (rangeSize < 1) throw illegalSetting(message, 'range size must greater than 0')
    this.#size = rangeSize
    this.space = { size: rangeSize, start: 0, zeroIsOne: this.#isLate }
  }

  /**
   * A consumer joins: what its client checks, then what the broker does.
   *
   * @returns its number
   * @throws ERR_PLACEMENT_CONSUMER with what Java throws: no range, one that is reversed, outside [0, 65535], or meets
   *   another; the consumer does not count as joined
   */
  join(consumer: StickyConsumer): number {
    checkPolicy(consumer.ranges)
    return this.addConsumer(consumer)
  }

  /**
   * The broker's own method: it takes ranges beyond [0, 65535] too.
   *
   * @throws as {@link join}; what is refused here counts as joined, without ranges
   */
  addConsumer(consumer: StickyConsumer): number {
    this.checkName(consumer)
    const ranges = checkedRanges(consumer.ranges)
    const number = this.joined(consumer.name)
    this.#ranges[number] = ranges
    this.#check(ranges)
    for (const [start, end] of ranges) {
      this.#entries.set(start, { consumer: number, end })
      if (!this.#isLate) this.#entries.set(end, { consumer: number, end })
    }
    return number
  }

  protected remove(consumer: number): boolean {
    let left = false
    for (const [key, entry] of this.#entries) {
      if (entry.consumer === consumer) left = this.#entries.delete(key)
    }
    return left
  }

  protected override slotOf(hash: number): number {
    return this.#isLate ? hash : hash % this.#size
  }

  protected runs(): Run[] {
    const runs: Run[] = [{ start: INT[0], members: [] }]
    const add = (start: number, members: readonly number[]): void => {
      if (runs[runs.length - 1]!.start === start) runs.pop()
      if (start <= INT[1]) runs.push({ start, members })
    }
    this.#sorted().forEach(([key, { consumer, end }], i, sorted) => {
      const next = sorted[i + 1]
      add(key, [consumer])
      const isBridged = !this.#isLate && next?.[1].consumer === consumer
      if (!isBridged) add((this.#isLate ? end : key) + 1, [])
    })
    return runs
  }

  ranges(): ReadonlyMap<number, readonly KeyHashRange[]> {
    const ranges = new Map<number, KeyHashRange[]>()
    const sorted = this.#sorted()
    if (this.#isLate) for (const [start, { consumer, end }] of sorted) joinRange(ranges, consumer, [start, end])
    else addPairs(ranges, sorted)
    return ranges
  }

  get #isLate(): boolean {
    return isSince(this.version, '4.2')
  }

  #sorted(): (readonly [number, { readonly consumer: number; readonly end: number }])[] {
    return [...this.#entries].sort((a, b) => a[0] - b[0])
  }

  /** 2.10 looks at each range in turn for all that can be wrong with it, later releases at all of them first. */
  #check(ranges: readonly KeyHashRange[]): void {
    if (this.#isLate) checkOwn(ranges)
    if (this.version === '3.0') ranges.forEach(checkOrder)
    for (const range of ranges) {
      if (this.version === '2.10') checkOrder(range)
      const other = this.#conflicting(range)
      if (other !== undefined) throw conflict(other, this.names[other]!)
    }
  }

  /** The consumer whose ranges meet a range, as the release looks for it. */
  #conflicting([start, end]: KeyHashRange): number | undefined {
    const sorted = this.#sorted()
    const floor = sorted.findLast(([key]) => key <= (this.#isLate ? start : end))
    const ceiling = sorted.find(([key]) => key >= start)
    if (!this.#isLate) return this.#conflictOfEnds([start, end], floor, ceiling)
    const meets = [floor, ceiling].find((entry) => entry && Math.max(start, entry[0]) <= Math.min(end, entry[1].end))
    return meets?.[1].consumer
  }

  #conflictOfEnds(
    [start, end]: KeyHashRange,
    floor: Entry | undefined,
    ceiling: Entry | undefined,
  ): number | undefined {
    if (floor !== undefined && floor[0] >= start) return floor[1].consumer
    if (ceiling !== undefined && ceiling[0] <= end) return ceiling[1].consumer
    if (floor === undefined || ceiling?.[1].consumer !== floor[1].consumer) return undefined
    const around = this.#ranges[floor[1].consumer]!
    const meets = around.some(([from, to]) => Math.max(start, from) <= Math.min(end, to))
    return meets ? floor[1].consumer : undefined
  }
}

type Entry = readonly [number, { readonly consumer: number; readonly end: number }]

/** Two entries of one consumer, one after the other, are reported as a range. */
function addPairs(ranges: Map<number, KeyHashRange[]>, sorted: readonly Entry[]): void {
  let open: Entry | undefined
  for (const entry of sorted) {
    if (open === undefined) open = entry
    else {
      if (open[1].consumer === entry[1].consumer) addRange(ranges, entry[1].consumer, [open[0], entry[0]])
      open = undefined
    }
  }
}

/** Since 4.0: in the order of their starts, each range for itself and against the next one. */
function checkOwn(ranges: readonly KeyHashRange[]): void {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0])
  sorted.forEach(([start, end], i) => {
    if (start > end) throw reversed([start, end], ` for range: [${start},${end}]`)
    const next = sorted[i + 1]
    if (next === undefined || Math.max(start, next[0]) > Math.min(end, next[1])) return
    const text = `Consumer's own ranges conflict: [${start},${end}] overlaps with [${next[0]},${next[1]}]`
    throw consumerRefused('ranges: expected ranges that do not overlap', text)
  })
}

function checkOrder([start, end]: KeyHashRange): void {
  if (start > end) throw reversed([start, end], '')
}

function reversed([start, end]: KeyHashRange, detail: string): Error {
  const message = `ranges: expected ranges that end at or after their start, got [${start}, ${end}]`
  return consumerRefused(message, `Fixed hash range start > end${detail}`)
}

function checkedRanges(ranges: unknown): readonly KeyHashRange[] {
  if (ranges === undefined || ranges === null) {
    throw consumerRefused('ranges: expected one range or more, got none', 'Must specify key shared meta for consumer.')
  }
  if (!Array.isArray(ranges)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `ranges: expected a list of [start, end], got ${shown(ranges)}`)
  }
  if (ranges.length === 0) {
    throw consumerRefused(
      'ranges: expected one range or more, got none',
      'Ranges for KeyShared policy must not be empty.',
    )
  }
  return ranges.map((range: unknown, i) => {
    if (!Array.isArray(range) || range.length !== 2) {
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `ranges[${i}]: expected [start, end], got ${shown(range)}`)
    }
    return [checkInteger(range[0], `ranges[${i}][0]`, INT), checkInteger(range[1], `ranges[${i}][1]`, INT)] as const
  })
}

/** The broker prints its own object here; ours is known by its number. */
function conflict(other: number, name: string): Error {
  const message = `ranges: expected hashes that no one has, got some of consumer ${other} (${shown(name)})`
  return consumerRefused(message, `Range conflict with consumer #${other}`)
}
