/**
 * Ranges of a scalable topic's 16-bit hashes: what a segment covers, cut in two and joined.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.common.scalable.HashRange (PIP-460). Both ends are included.
 */
import { checkInteger, codedError, shown } from '../errors.js'

/** Last hash there is. */
export const LAST_SEGMENT_HASH = 0xffff

const INT = [-(2 ** 31), 2 ** 31 - 1] as const

/** Hashes `[start, end]`, both included, in [0, 65535]. */
export class SegmentRange {
  readonly start: number
  readonly end: number

  /** @throws ERR_PLACEMENT_SEGMENT with what Java throws, ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
  constructor(start: number, end: number) {
    checkEnd(start, 'start')
    checkEnd(end, 'end')
    if (end < start) throw segmentRefused(`end must be >= start, got: [${start}, ${end}]`)
    this.start = start
    this.end = end
  }

  /** Hashes in it, at least 1. */
  get size(): number {
    return this.end - this.start + 1
  }

  contains(hash: number): boolean {
    return hash >= this.start && hash <= this.end
  }

  /** Whether one ends right before the other begins. */
  isAdjacentTo(other: SegmentRange): boolean {
    return this.end + 1 === other.start || other.end + 1 === this.start
  }

  /** The lower half and the upper one; of an odd number the lower one has one hash more. @throws ERR_PLACEMENT_SEGMENT */
  split(): readonly [SegmentRange, SegmentRange] {
    if (this.size < 2)
      throw segmentRefused(`Cannot split range of size ${this.size}`, 'java.lang.IllegalStateException')
    const middle = this.start + Math.floor((this.end - this.start) / 2)
    return [new SegmentRange(this.start, middle), new SegmentRange(middle + 1, this.end)]
  }

  /** The range of both. @throws ERR_PLACEMENT_SEGMENT where they are not adjacent */
  merge(other: SegmentRange): SegmentRange {
    if (!this.isAdjacentTo(other)) throw segmentRefused(`Ranges are not adjacent: ${this} and ${other}`)
    return new SegmentRange(Math.min(this.start, other.start), Math.max(this.end, other.end))
  }

  /** As in a segment's name: `0000-7fff`. */
  toHex(): string {
    return `${hex(this.start)}-${hex(this.end)}`
  }

  /** As in Pulsar's messages: `[0000, 7fff]`. */
  toString(): string {
    return `[${hex(this.start)}, ${hex(this.end)}]`
  }
}

const hex = (hash: number): string => hash.toString(16).padStart(4, '0')

function checkEnd(hash: number, name: string): void {
  checkInteger(hash, name, INT)
  if (hash < 0 || hash > LAST_SEGMENT_HASH) throw segmentRefused(`${name} must be in [0x0000, 0xFFFF], got: ${hash}`)
}

/** What Pulsar refuses a segment with. */
export function segmentRefused(javaMessage: string, javaClass = 'java.lang.IllegalArgumentException'): Error {
  return codedError('ERR_PLACEMENT_SEGMENT', `segment: Pulsar says: ${javaMessage}`, { javaClass, javaMessage })
}

/** Refuses everything but the id of a segment: an integer. */
export function checkSegmentId(id: unknown, name: string): number {
  if (Number.isSafeInteger(id)) return id as number
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected the id of a segment, got ${shown(id)}`)
}
