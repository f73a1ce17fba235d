/**
 * Which consumer of a subscription reads which segments of a scalable topic, and which of their entry buckets.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.broker.service.scalable.SubscriptionCoordinator.
 * What differs from the obvious: a segment that is shared is given to each of its consumers with all of its buckets, which
 * they then deal out (`pulsar.KeySharedEntryBucket`); one that is not shared is given without any. Children of a split wait
 * until all they came from is read.
 */
import { codedError, shown } from '../errors.js'
import { entryBucketRanges } from './entry-buckets.js'
import { bucketCountOf, byRange, type Segment, type SegmentLayout } from './segment-layout.js'
import { checkSegmentId, type SegmentRange } from './segment-range.js'

/** What the broker knows of the subscription. */
export interface SegmentAssignmentOptions {
  /** Ids of sealed segments that are read to their end. Default: no one looks, and every segment is given at once. */
  readonly drained?: Iterable<number> | undefined
  /** A checkpoint consumer group: no segment is shared. Default: false. */
  readonly checkpoint?: boolean | undefined
}

/** A segment that a consumer reads. */
export interface AssignedSegment {
  readonly id: number
  readonly range: SegmentRange
  /** The buckets of a segment that is shared; none where the consumer has it alone. */
  readonly buckets: readonly SegmentRange[]
}

/** What a consumer reads. */
export interface SegmentConsumer {
  /** Its index in what was given. */
  readonly consumer: number
  readonly name: string
  readonly segments: readonly AssignedSegment[]
}

/**
 * The segments of each consumer.
 *
 * @param consumers names, in any order; names may be alike
 * @returns a row for each, in the order of names (UTF-16 units); idle ones have no segments
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE
 */
export function assignSegments(
  layout: SegmentLayout,
  consumers: readonly string[],
  { drained, checkpoint = false }: SegmentAssignmentOptions = {},
): SegmentConsumer[] {
  const segments = [...assignable(layout, drained)].sort(byRange)
  const rows = sortedConsumers(consumers)
  if (rows.length === 0 || segments.length === 0) return rows
  if (rows.length <= segments.length || checkpoint) {
    segments.forEach((segment, i) => {
      rows[i % rows.length]!.segments.push(assigned(segment, []))
    })
    return rows
  }
  dealOut(rows, segments)
  return rows
}

interface Row extends SegmentConsumer {
  readonly segments: AssignedSegment[]
}

function sortedConsumers(consumers: readonly string[]): Row[] {
  if (!Array.isArray(consumers)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `consumers: expected a list of names, got ${shown(consumers)}`)
  }
  const rows = consumers.map((name: unknown, consumer): Row => {
    if (typeof name === 'string') return { consumer, name, segments: [] }
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `consumers[${consumer}]: expected a name, got ${shown(name)}`)
  })
  return rows.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** More consumers than segments: each segment has its owners in a row, of which the first consumers are taken. */
function dealOut(rows: readonly Row[], segments: readonly Segment[]): void {
  let next = 0
  ownersOf(segments, rows.length - segments.length).forEach((count, i) => {
    const buckets = count === 1 ? [] : entryBucketRanges(segments[i]!.bucketSplits)
    for (let k = 0; k < count; k++) rows[next++]!.segments.push(assigned(segments[i]!, buckets))
  })
}

/** One owner a segment, and the surplus in rounds, at most as many as it has buckets. */
function ownersOf(segments: readonly Segment[], surplus: number): number[] {
  const owners = segments.map(() => 1)
  let left = surplus
  for (let before = -1; left > 0 && left !== before; ) {
    before = left
    for (let i = 0; i < segments.length && left > 0; i++) {
      if (owners[i]! >= bucketCountOf(segments[i]!)) continue
      owners[i]!++
      left--
    }
  }
  return owners
}

const assigned = ({ id, range }: Segment, buckets: readonly SegmentRange[]): AssignedSegment => ({ id, range, buckets })

/** Those that are not read to their end, and whose ancestors are. */
function assignable(layout: SegmentLayout, drained: Iterable<number> | undefined): readonly Segment[] {
  if (drained === undefined) return layout.segments
  const done = new Set(Array.from(drained, (id, i) => checkSegmentId(id, `drained[${i}]`)))
  return layout.segments.filter(({ id, isActive }) => {
    return (isActive || !done.has(id)) && layout.ancestorsOf(id).every((ancestor) => done.has(ancestor.id))
  })
}
