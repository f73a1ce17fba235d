/**
 * Key_Shared by consistent hashing, the broker's default: a ring of points, some for each consumer.
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.service.ConsistentHashingStickyKeyConsumerSelector
 * and ConsumerNameIndexTracker. A key goes to the owner of the next point at or above its hash, beyond the last to the first.
 * What differs by release: ring-points.ts. Since 4.0 the ring is 1..65535, before it is the 2^31 masked hashes.
 */
import { checkInteger } from '../errors.js'
import { addRange, INT, type KeyHashRange, type KeySharedConsumer, KeySharedSelector } from './key-shared.js'
import type { HashSpace, Run } from './key-shared-assignment.js'
import { type RingPoints, ringPoints } from './ring-points.js'
import { isSince, type PulsarVersionOption } from './version.js'

/** Points beyond which a ring is a mistake: a consumer has 100 by default, and 65535 are all there are. */
const MOST_POINTS = 1_000_000

/** What the broker is set to. */
export interface KeySharedRingOptions extends PulsarVersionOption {
  /** `subscriptionKeySharedConsistentHashingReplicaPoints`: points of a consumer, in [0, 1000000]. Default: 100. */
  readonly points?: number | undefined
  /** Last hash of the ring since 4.0, in [1, 2147483647]: the broker's is 65535, its tests use smaller ones. Default: 65535. */
  readonly rangeMax?: number | undefined
}

/**
 * The consumers of a Key_Shared subscription on the broker's ring.
 *
 * ```
 * const ring = new pulsar.KeySharedRing()
 * for (const name of ['c1', 'c2', 'c3']) ring.join({ name })
 * ring.select('order-42') // → 2, the number of c3
 * const before = ring.assignment
 * ring.leave(2)
 * before.movesTo(ring.assignment).share // → 0.36…, what c3 had
 * ```
 */
export class KeySharedRing extends KeySharedSelector {
  protected readonly space: HashSpace
  readonly #points: RingPoints

  /** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_VERSION */
  constructor({ points = 100, rangeMax = 65535, ...options }: KeySharedRingOptions = {}) {
    super(options)
    checkInteger(points, 'points', [0, MOST_POINTS])
    checkInteger(rangeMax, 'rangeMax', [1, INT[1]])
    const isLate = isSince(this.version, '4.2')
    this.space = { size: isLate ? rangeMax : 2 ** 31, start: isLate ? 1 : 0, zeroIsOne: false }
    this.#points = ringPoints(this.version, points, this.space)
  }

  /** A consumer joins; names may be alike. @returns its number. @throws ERR_PLACEMENT_ARGUMENT_TYPE */
  join(consumer: KeySharedConsumer): number {
    const number = this.checkName(consumer)
    this.#points.add(number, consumer.name)
    return this.joined(consumer.name)
  }

  protected remove(consumer: number): boolean {
    return this.#points.remove(consumer, this.names[consumer]!)
  }

  /** Each point ends its run: `(previous point, point]`; what lies above the last is the first one's. */
  protected runs(): Run[] {
    const sorted = this.#points.sorted()
    if (sorted.length === 0) return [{ start: INT[0], members: [] }]
    const runs = sorted.map(([, members], i) => ({ start: i === 0 ? INT[0] : sorted[i - 1]![0] + 1, members }))
    const last = sorted[sorted.length - 1]![0]
    if (last < INT[1]) runs.push({ start: last + 1, members: sorted[0]![1] })
    return runs
  }

  ranges(): ReadonlyMap<number, readonly KeyHashRange[]> {
    const sorted = this.#points.sorted()
    if (sorted.length === 0) return new Map()
    return isSince(this.version, '4.2') ? joinedRanges(sorted, this.space) : this.#rangeOfEachPoint(sorted)
  }

  /** Before 4.0 each point is a range; 3.0 adds the rest of the ring, short of its last hash. */
  #rangeOfEachPoint(sorted: readonly Point[]): Map<number, KeyHashRange[]> {
    const ranges = new Map<number, KeyHashRange[]>()
    let start = 0
    for (const [point, members] of sorted) {
      for (const consumer of members) addRange(ranges, consumer, [start, point])
      start = point + 1
    }
    if (this.version === '3.0') addRange(ranges, sorted[0]![1][0]!, [start, INT[1] - 1])
    return ranges
  }
}

type Point = readonly [point: number, members: readonly number[]]

/** Since 4.0: neighbours of one consumer are one range, and the rest of the ring belongs to the first point's. */
function joinedRanges(sorted: readonly Point[], { size }: HashSpace): Map<number, KeyHashRange[]> {
  const ranges = new Map<number, KeyHashRange[]>()
  const first = sorted[0]![1][0]!
  let start = 1
  sorted.forEach(([point, [consumer]], i) => {
    if (sorted[i + 1]?.[1][0] === consumer) return
    const isLast = i === sorted.length - 1
    const end = isLast && consumer === first ? size : point
    addRange(ranges, consumer!, [start, end])
    start = end + 1
  })
  if (start <= size) addRange(ranges, first, [start, size])
  return ranges
}
