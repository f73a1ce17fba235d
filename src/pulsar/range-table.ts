/**
 * Which range a 32-bit hash falls into, for boundaries of the caller's own: the look-up of Pulsar's bundles, without Pulsar.
 *
 * N + 1 boundaries make N ranges: range `i` is `[b[i], b[i + 1])`, the last one `[b[N - 1], 0xffffffff]`.
 * What differs from the original (Apache Pulsar 5.0.1, NamespaceBundles.findBundle): the hash 0xffffffff has a range.
 */
import { checkOverlap, resultArray, type ThreadOptions, threadsOf } from '../bulk.js'
import type { RangeIndex } from '../engine/contract.js'
import { engine } from '../engine/index.js'
import { checkInteger, codedError, shown } from '../errors.js'
import { type FallbackRangeIndex, rangeIndex } from '../fallback/pulsar/bundles.js'

const LAST_HASH = 0xffffffff

/** Where an answer goes, and by how many threads it is found. */
export interface Into extends ThreadOptions {
  /** As long as the input, or longer: then the rest stays as it was. Default: a new array. */
  readonly out?: Uint32Array | undefined
}

/**
 * The two roads to an index: JavaScript for one hash, where a native call would cost more than the search, and the engine
 * for many. Both are built at their first use.
 */
export class RangeLookup {
  readonly #starts: Uint32Array
  #single: FallbackRangeIndex | undefined
  #bulk: RangeIndex | undefined

  /** `starts` ascend strictly from 0. */
  constructor(starts: Uint32Array) {
    this.#starts = starts
  }

  get single(): FallbackRangeIndex {
    this.#single ??= rangeIndex(this.#starts)
    return this.#single
  }

  get bulk(): RangeIndex {
    this.#bulk ??= engine().rangeIndex(this.#starts)
    return this.#bulk
  }

  /** Index of the range of a hash, or of each of many, the arguments checked. */
  indexOf(hashes: number | Uint32Array, into: Into): number | Uint32Array {
    if (typeof hashes === 'number') return this.single.one(checkInteger(hashes, 'hash', [0, LAST_HASH]))
    if (!(hashes instanceof Uint32Array)) {
      throw codedError(
        'ERR_PLACEMENT_ARGUMENT_TYPE',
        `hashes: expected a number or a Uint32Array, got ${shown(hashes)}`,
      )
    }
    const threads = threadsOf(into)
    const out = resultArray({ type: Uint32Array, given: into.out }, hashes.length)
    checkOverlap(out, hashes, 'hashes')
    this.bulk.ofHashes(hashes, out.subarray(0, hashes.length), threads)
    return out
  }
}

/**
 * Ranges that cover all 32-bit hashes.
 *
 * ```
 * const table = new RangeTable([0, 0x40000000, 0xffffffff])
 * table.indexOf(0x40000000) // → 1
 * table.indexOf(hash.crc32(keys)) // → Uint32Array, a range for each key
 * ```
 */
export class RangeTable {
  /** The N + 1 boundaries, a copy of what was given. Do not write into it. */
  readonly boundaries: Uint32Array
  readonly #lookup: RangeLookup

  /**
   * Makes a table.
   *
   * @param boundaries N + 1 integers, N of 1 or more, that ascend strictly from 0 to 0xffffffff
   * @throws ERR_PLACEMENT_BOUNDARIES, ERR_PLACEMENT_ARGUMENT_TYPE; with the index of the first wrong boundary
   */
  constructor(boundaries: readonly number[] | Uint32Array) {
    checkBoundaries(boundaries)
    this.boundaries = Uint32Array.from(boundaries)
    this.#lookup = new RangeLookup(this.boundaries.subarray(0, -1))
  }

  /** Number of ranges. */
  get length(): number {
    return this.boundaries.length - 1
  }

  /**
   * Index of the range of a hash, or of each of many.
   *
   * @param hashes an integer in [0, 0xffffffff] (`>>> 0` makes one of a signed hash), or a Uint32Array
   * @returns an integer in [0, length), or one for each hash
   *
   * Cost: 1 to 10 ns a hash, whatever the number of ranges.
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_OUTPUT
   */
  indexOf(hash: number): number
  indexOf(hashes: Uint32Array, into?: Into): Uint32Array
  indexOf(hashes: number | Uint32Array, into: Into = {}): number | Uint32Array {
    return this.#lookup.indexOf(hashes, into)
  }
}

function checkBoundaries(boundaries: readonly number[] | Uint32Array): void {
  if (!Array.isArray(boundaries) && !(boundaries instanceof Uint32Array)) {
    const message = `boundaries: expected an array or a Uint32Array, got ${shown(boundaries)}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
  }
  if (boundaries.length < 2) throw wrong(boundaries.length, 'at least 2 boundaries', `${boundaries.length}`)
  const last = boundaries.length - 1
  for (let i = 0; i <= last; i++) {
    const expected = expectedAt(boundaries, i, last)
    if (expected !== null) throw wrong(i, expected, shown(boundaries[i]))
  }
}

/** What should stand at an index, or `null` where it does. */
function expectedAt(boundaries: readonly number[] | Uint32Array, i: number, last: number): string | null {
  const boundary = boundaries[i]!
  if (!Number.isInteger(boundary) || boundary < 0 || boundary > LAST_HASH) return 'an integer in [0, 0xffffffff]'
  if (i === 0) return boundary === 0 ? null : '0, so that the first range covers the smallest hash'
  if (boundary <= boundaries[i - 1]!) return `more than the boundary before, ${boundaries[i - 1]}`
  return i === last && boundary !== LAST_HASH ? '0xffffffff, so that the last range covers the largest hash' : null
}

function wrong(index: number, expected: string, got: string): Error {
  return codedError('ERR_PLACEMENT_BOUNDARIES', `boundaries[${index}]: expected ${expected}, got ${got}`, { index })
}
