/**
 * Key → segment of a scalable topic, as the 5.0 client's producer chooses.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.client.impl.v5.SegmentRouter and
 * org.apache.pulsar.common.scalable.ScalableTopicHashing.
 * What differs from the obvious: the raw murmur3 counts, not the masked one; its upper half chooses the segment, its lower
 * half the entry bucket. A topic that was migrated is routed by its old partitions as long as all its segments are such,
 * by murmur3 although the Java client's default was `JavaStringHash`.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import { HASH_OF_KEY } from '../single-key.js'
import { segmentRefused } from './segment-range.js'

const INT = [-(2 ** 31), 2 ** 31 - 1] as const

/** What a key's hash says. */
export interface SegmentHashes {
  /** The raw murmur3, signed as Java prints it. */
  readonly murmur: number
  /** Its upper half: chooses the segment, in [0, 65535]. */
  readonly segmentHash: number
  /** Its lower half: chooses the entry bucket, in [0, 65535]. */
  readonly entryBucketHash: number
}

/** A segment as a client is told of it. */
export interface RoutedSegment {
  readonly id: number
  readonly range: { readonly start: number; readonly end: number }
  /** The old partition that it is, `null` for none. */
  readonly legacyTopic: string | null
}

/**
 * The hashes of a key.
 *
 * @param key text, hashed as its UTF-8
 * @throws ERR_PLACEMENT_KEY_TYPE
 * @example pulsar.segmentHashes('key1').segmentHash // 39831
 */
export function segmentHashes(key: string): SegmentHashes {
  const murmur = HASH_OF_KEY.murmur3(checkText(key)) | 0
  return { murmur, segmentHash: murmur >>> 16, entryBucketHash: murmur & 0xffff }
}

/**
 * The segment that a message with a key goes to.
 *
 * @param segments the active ones, in the client's order: the first that covers the hash is taken
 * @returns its id
 * @throws ERR_PLACEMENT_SEGMENT where there are none, none covers the hash, or a migrated topic lacks a partition;
 *   ERR_PLACEMENT_KEY_TYPE
 */
export function segmentOfKey(key: string, segments: readonly RoutedSegment[]): number {
  checkText(key)
  if (segments.length === 0) throw noSegments()
  if (segments.every(({ legacyTopic }) => legacyTopic !== null)) return partitionOf(key, segments)
  const { segmentHash } = segmentHashes(key)
  const found = segments.find(({ range }) => segmentHash >= range.start && segmentHash <= range.end)
  if (found !== undefined) return found.id
  throw illegalState(`No segment covers hash ${segmentHash} for key: ${key}`)
}

/**
 * The segment that a message without a key goes to.
 *
 * @param counter an int32 that begins at 0 and grows by one a message, from 2147483647 to -2147483648
 * @throws ERR_PLACEMENT_SEGMENT where there are none, ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE
 */
export function segmentOfTurn(counter: number, segments: readonly RoutedSegment[]): number {
  checkInteger(counter, 'counter', INT)
  if (segments.length === 0) throw noSegments()
  return segments[Math.abs(counter % segments.length)]!.id
}

function partitionOf(key: string, segments: readonly RoutedSegment[]): number {
  const partition = (HASH_OF_KEY.murmur3(key) & 0x7fffffff) % segments.length
  if (segments.some(({ id }) => id === partition)) return partition
  throw illegalState(`Synthetic layout missing segment_id=${partition} (N=${segments.length})`)
}

const noSegments = (): Error => illegalState('No active segments')

const illegalState = (text: string): Error => segmentRefused(text, 'java.lang.IllegalStateException')

function checkText(key: unknown): string {
  if (typeof key === 'string') return key
  throw codedError('ERR_PLACEMENT_KEY_TYPE', `key: expected a string, got ${shown(key)}`)
}
