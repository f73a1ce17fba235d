/**
 * Entry buckets: how the hashes of one segment of a scalable topic are dealt out among consumers that share it.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.broker.service.scalable.EntryBucketSplits (PIP-486). A bucket's hash is the
 * low half of the raw murmur3, whatever the segment's own range is: every segment has all of [0, 65535].
 */
import { checkInteger, codedError } from '../errors.js'
import { LAST_SEGMENT_HASH, SegmentRange } from './segment-range.js'

/** Buckets a segment can have. */
export const MOST_ENTRY_BUCKETS = 65536

const INT = [-(2 ** 31), 2 ** 31 - 1] as const

/**
 * Where buckets of equal width begin, the first one (0) left out.
 *
 * @param count buckets, an int32; less than 2 have no boundary, and more than 65536 count as 65536
 * @returns `count - 1` ascending hashes
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE
 * @example pulsar.entryBucketSplits(4) // [16384, 32768, 49152]
 */
export function entryBucketSplits(count: number): number[] {
  const buckets = Math.min(checkInteger(count, 'count', INT), MOST_ENTRY_BUCKETS)
  if (buckets <= 1) return []
  return Array.from({ length: buckets - 1 }, (_, i) => Math.floor(((i + 1) * 65536) / buckets))
}

/**
 * The buckets between such boundaries, both ends included.
 *
 * @throws ERR_PLACEMENT_SEGMENT where they do not ascend inside [1, 65535]
 */
export function entryBucketRanges(splits: readonly number[]): SegmentRange[] {
  const starts = [0, ...splits]
  return starts.map((start, i) => new SegmentRange(start, (starts[i + 1] ?? LAST_SEGMENT_HASH + 1) - 1))
}

/** Index of the bucket of a hash. */
export function entryBucketOf(hash: number, splits: readonly number[]): number {
  checkInteger(hash, 'hash', [0, LAST_SEGMENT_HASH])
  let [low, high] = [0, splits.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (splits[middle]! <= hash) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Buckets of each segment, where all share a budget: at least 1, at most 65536.
 *
 * @param budget `scalableTopicEntryBucketBudget`, an int32
 * @throws ERR_PLACEMENT_SEGMENT for no segments, with what Java throws; ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE
 */
export function entryBucketsForBudget(budget: number, segments: number): number {
  checkInteger(budget, 'budget', INT)
  if (checkInteger(segments, 'segments', INT) === 0) {
    const java = { javaClass: 'java.lang.ArithmeticException', javaMessage: '/ by zero' }
    throw codedError('ERR_PLACEMENT_SEGMENT', 'segments: expected one or more, got 0', java)
  }
  return Math.min(Math.max(1, Math.trunc(budget / segments)), MOST_ENTRY_BUCKETS)
}
