/**
 * The segments of a scalable topic: made, split, merged, given other buckets, and forgotten.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.broker.service.scalable.SegmentLayout, ScalableTopicController and
 * org.apache.pulsar.common.scalable.SegmentTopicName (PIP-460, PIP-483, PIP-486).
 * What differs from the obvious: a segment that was split or merged stays, sealed, until it is pruned, since its messages
 * are still read; a split gives each child half of the parent's buckets, a merge adds them up; the original keeps active
 * segments in a map without order, here they are always by range.
 */
import { checkInteger } from '../errors.js'
import { entryBucketSplits, entryBucketsForBudget, MOST_ENTRY_BUCKETS } from './entry-buckets.js'
import { checkSegmentId, LAST_SEGMENT_HASH, SegmentRange, segmentRefused } from './segment-range.js'
import { TopicName } from './topic-name.js'

const INT = [-(2 ** 31), 2 ** 31 - 1] as const

/** A segment. */
export interface Segment {
  readonly id: number
  readonly range: SegmentRange
  /** Written to; else sealed, and only read. */
  readonly isActive: boolean
  readonly parents: readonly number[]
  readonly children: readonly number[]
  /** Where its entry buckets begin, but for the first. */
  readonly bucketSplits: readonly number[]
  /** The partition that the segment is, of a topic that was migrated; else `null`. */
  readonly legacyTopic: string | null
}

/** How many entry buckets segments begin with. */
export interface BucketBudget {
  /** `scalableTopicEntryBucketBudget`: buckets of all segments together. Default: 4. */
  readonly budget?: number | undefined
  /** `scalableTopicEntryBucketMaxPerSegment`, in [1, 65536]. Default: 1024. */
  readonly maxBuckets?: number | undefined
}

/** Buckets of a segment. */
export const bucketCountOf = ({ bucketSplits }: Segment): number => bucketSplits.length + 1

/**
 * The segments of a topic at one moment: a value; each change gives another one.
 *
 * ```
 * const layout = pulsar.SegmentLayout.initial(2).split(0)
 * layout.active.map(({ range }) => range.toHex()) // → ['0000-3fff', '4000-7fff', '8000-ffff']
 * layout.topicOf(2, 'topic://public/default/x') // → 'segment://public/default/x/0000-3fff-2'
 * ```
 */
export class SegmentLayout {
  /** Grows by one with each change. */
  readonly epoch: number
  /** The id that the next segment gets. */
  readonly nextSegmentId: number
  readonly #segments: ReadonlyMap<number, Segment>

  private constructor(epoch: number, nextSegmentId: number, segments: readonly Segment[]) {
    this.epoch = epoch
    this.nextSegmentId = nextSegmentId
    this.#segments = new Map(segments.map((segment) => [segment.id, segment]))
  }

  /**
   * The segments that a new topic begins with: 65536 / count hashes each, the last one with the rest.
   *
   * @throws ERR_PLACEMENT_SEGMENT for fewer than 1 or more than 65536, with what Java throws; ERR_PLACEMENT_ARGUMENT_TYPE,
   *   ERR_PLACEMENT_ARGUMENT_RANGE
   */
  static initial(count: number, budget: BucketBudget = {}): SegmentLayout {
    if (checkInteger(count, 'count', INT) < 1) throw segmentRefused('Must have at least 1 segment')
    const splits = budgetSplits(count, budget)
    const segments = evenRanges(count).map((range, id) => segment({ id, range, bucketSplits: splits }))
    return new SegmentLayout(0, count, segments)
  }

  /**
   * The segments of a topic that had partitions: each partition sealed, and as many new segments after all of them.
   *
   * @param topic its full or short name
   * @param partitions 0 for a topic without partitions
   * @throws as {@link SegmentLayout.initial}, and ERR_PLACEMENT_TOPIC_NAME
   */
  static migrated(topic: string, partitions: number, budget: BucketBudget = {}): SegmentLayout {
    const name = TopicName.get(topic)
    const count = Math.max(1, checkInteger(partitions, 'partitions', [0, INT[1]]))
    const ids = Array.from({ length: count }, (_, id) => id)
    const splits = budgetSplits(count, budget)
    const ranges = evenRanges(count)
    const sealed = ids.map((id) => ({
      ...segment({ id, range: new SegmentRange(0, LAST_SEGMENT_HASH), bucketSplits: [] }),
      isActive: false,
      children: ids.map((child) => child + count),
      legacyTopic: (partitions === 0 ? name : name.partition(id)).toString(),
    }))
    const active = ids.map((id) => segment({ id: id + count, range: ranges[id]!, bucketSplits: splits, parents: ids }))
    return new SegmentLayout(0, 2 * count, [...sealed, ...active])
  }

  /** All segments, in the order of their ids. */
  get segments(): readonly Segment[] {
    return [...this.#segments.values()]
  }

  /** Those that are written to, by range and then id. */
  get active(): readonly Segment[] {
    return this.segments.filter(({ isActive }) => isActive).sort(byRange)
  }

  /** @throws ERR_PLACEMENT_SEGMENT where there is none of that id */
  segment(id: number): Segment {
    const found = this.#segments.get(checkSegmentId(id, 'id'))
    if (found === undefined) throw segmentRefused(`Segment not found: ${id}`)
    return found
  }

  /** The active segment of a hash, see `pulsar.segmentHash`. @throws ERR_PLACEMENT_SEGMENT where none covers it */
  find(hash: number): Segment {
    checkInteger(hash, 'hash', INT)
    const found = this.active.find(({ range }) => range.contains(hash))
    if (found === undefined)
      throw segmentRefused(`No active segment covers hash: ${hash}`, 'java.lang.IllegalStateException')
    return found
  }

  /** The topic that holds a segment's messages; its bundle is that of this name. @throws as {@link segmentTopic} */
  topicOf(id: number, parent: string): string {
    const { range, legacyTopic } = this.segment(id)
    return legacyTopic ?? segmentTopic(parent, range, id)
  }

  /** The segment sealed, and two for its halves. @throws ERR_PLACEMENT_SEGMENT, also for a single hash */
  split(id: number): SegmentLayout {
    const parent = this.#activeOne(id, 'split')
    const bucketSplits = entryBucketSplits(Math.max(1, Math.floor(bucketCountOf(parent) / 2)))
    const children = parent.range.split().map((range, i) => {
      return segment({ id: this.nextSegmentId + i, range, bucketSplits, parents: [id] })
    })
    return this.#changed([parent], children)
  }

  /**
   * Both segments sealed, and one for their union.
   *
   * @param maxBuckets buckets that it may have at most, in [1, 65536]. Default: 1024, the broker's
   * @throws ERR_PLACEMENT_SEGMENT where one is missing, sealed, or not adjacent
   */
  merge(first: number, second: number, maxBuckets = 1024): SegmentLayout {
    checkInteger(maxBuckets, 'maxBuckets', [1, MOST_ENTRY_BUCKETS])
    const [a, b] = [first, second].map((id, i) => this.#segments.get(checkSegmentId(id, i === 0 ? 'first' : 'second')))
    if (a === undefined || b === undefined) throw segmentRefused('Segment not found')
    if (!a.isActive || !b.isActive) throw segmentRefused('Both segments must be active')
    if (!a.range.isAdjacentTo(b.range)) throw segmentRefused(`Segments are not adjacent: ${a.range} and ${b.range}`)
    const bucketSplits = entryBucketSplits(Math.min(bucketCountOf(a) + bucketCountOf(b), maxBuckets))
    const [id, range] = [this.nextSegmentId, a.range.merge(b.range)]
    return this.#changed([a, b], [segment({ id, range, bucketSplits, parents: [a.id, b.id] })])
  }

  /** The segment sealed, and one of the same range with that many buckets. @throws ERR_PLACEMENT_SEGMENT */
  rebucket(id: number, buckets: number): SegmentLayout {
    const bucketSplits = entryBucketSplits(buckets)
    const parent = this.#activeOne(id, 'rebucket')
    if (bucketSplits.join() === parent.bucketSplits.join()) {
      throw segmentRefused(`Segment ${id} already has the requested entry-bucket splits`)
    }
    return this.#changed(
      [parent],
      [segment({ id: this.nextSegmentId, range: parent.range, bucketSplits, parents: [id] })],
    )
  }

  /** A sealed segment forgotten, by its parents and children too. @throws ERR_PLACEMENT_SEGMENT for an active one */
  prune(id: number): SegmentLayout {
    if (this.segment(id).isActive) throw segmentRefused(`Cannot prune an active segment: ${id}`)
    const others = this.segments.filter((one) => one.id !== id)
    const without = (ids: readonly number[]) => ids.filter((one) => one !== id)
    const left = others.map((one) => ({ ...one, parents: without(one.parents), children: without(one.children) }))
    return new SegmentLayout(this.epoch + 1, this.nextSegmentId, left)
  }

  /** Merges among a segment and all that it came from. */
  mergeDepth(id: number): number {
    return [this.#segments.get(id), ...this.ancestorsOf(id)].filter((one) => (one?.parents.length ?? 0) >= 2).length
  }

  /** What a segment came from, as far as it was not pruned; each once. */
  ancestorsOf(id: number): readonly Segment[] {
    const seen = new Map<number, Segment>()
    const open = [...(this.#segments.get(id)?.parents ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const found = this.#segments.get(next)
      if (found === undefined || seen.has(next)) continue
      seen.set(next, found)
      open.push(...found.parents)
    }
    return [...seen.values()]
  }

  #activeOne(id: number, what: string): Segment {
    const found = this.segment(id)
    if (!found.isActive) throw segmentRefused(`Cannot ${what} non-active segment: ${id}`)
    return found
  }

  #changed(sealed: readonly Segment[], made: readonly Segment[]): SegmentLayout {
    const children = made.map(({ id }) => id)
    const kept = this.segments.map((one) => (sealed.includes(one) ? { ...one, isActive: false, children } : one))
    return new SegmentLayout(this.epoch + 1, this.nextSegmentId + made.length, [...kept, ...made])
  }
}

/** The order in which segments are dealt out: by range, then id. */
export function byRange(a: Segment, b: Segment): number {
  return a.range.start - b.range.start || a.range.end - b.range.end || a.id - b.id
}

/**
 * The topic of a segment.
 *
 * @param parent the scalable topic, `topic://tenant/namespace/name`
 * @throws ERR_PLACEMENT_SEGMENT for a name of another domain, ERR_PLACEMENT_TOPIC_NAME
 * @example pulsar.segmentTopic('topic://t/ns/x', new pulsar.SegmentRange(0, 0x7fff), 3) // 'segment://t/ns/x/0000-7fff-3'
 */
export function segmentTopic(parent: string, range: SegmentRange, id: number): string {
  const { domain, namespace, localName } = TopicName.get(parent)
  if (domain !== 'topic') throw segmentRefused(`Parent topic must have domain 'topic', got: ${domain}`)
  return TopicName.get(`segment://${namespace}/${localName}/${range.toHex()}-${checkSegmentId(id, 'id')}`).toString()
}

type NewSegment = Pick<Segment, 'id' | 'range' | 'bucketSplits'> & { readonly parents?: readonly number[] }

function segment({ id, range, bucketSplits, parents = [] }: NewSegment): Segment {
  return { id, range, isActive: true, parents, children: [], bucketSplits, legacyTopic: null }
}

function evenRanges(count: number): SegmentRange[] {
  const size = Math.floor(65536 / count)
  return Array.from({ length: count }, (_, i) => {
    return new SegmentRange(i * size, i === count - 1 ? LAST_SEGMENT_HASH : (i + 1) * size - 1)
  })
}

function budgetSplits(segments: number, { budget = 4, maxBuckets = 1024 }: BucketBudget): number[] {
  checkInteger(maxBuckets, 'maxBuckets', [1, MOST_ENTRY_BUCKETS])
  return entryBucketSplits(Math.min(entryBucketsForBudget(budget, segments), maxBuckets))
}
