/**
 * Hash → range: which bundle of a namespace holds a topic, and the caller's own boundaries.
 *
 * Range `i` is `[starts[i], starts[i + 1])`, the last one ends with 2^32 - 1 inclusive.
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.common.naming.NamespaceBundles; CRC-32 as its bundle factory computes it.
 * Twin of native/core/src/pulsar/bundles.rs.
 * What differs from the original: its binary search loses 0xffffffff, here every hash has its range; and the way to find
 * it is chosen once, by the shape of the boundaries. On Node 20, ns a hash: shift 0.5, division 1.5 to 2.4, table 4.5 to 7,
 * where a binary search over 16,384 boundaries takes 78.
 */
import type { RangeIndex } from '../../engine/contract.js'
import type { Packed } from '../../types.js'
import { firstBadOffset } from '../column.js'
import * as crc32 from '../hash/crc32.js'
import { isPlain } from './plain-name.js'

const HASHES = 2 ** 32

/** Most bits of a hash that number the cells of a table: 2^18 cells of 4 bytes still fit a second-level cache. */
const MOST_BITS = 18

/** Finds ranges: of one hash, and of many in one loop, so that the loop holds no call of a function that varies. */
interface Finder {
  one(hash: number): number
  /** `out` may be `hashes` itself. */
  many(hashes: Uint32Array, out: Uint32Array): void
}

/** The range index of the TypeScript engine, which also takes one hash at a time. Its async twin is the engine's matter. */
export interface FallbackRangeIndex extends Omit<RangeIndex, 'ofPackedAsync'> {
  /** Index of the range of one hash, given unsigned. */
  one(hash: number): number
}

/** The index over `starts`, which ascend strictly, begin with 0 and are kept, not copied. Cost: one pass, at most 2^18 cells. */
export function rangeIndex(starts: Uint32Array): FallbackRangeIndex {
  const finder = finderOf(starts)
  return {
    one: (hash) => finder.one(hash),
    ofHashes: (hashes, out) => finder.many(hashes, out),
    ofPacked: (column, out) => ofPacked(finder, column, out),
    ofTopics: (topics, namespace, out) => {
      for (let i = 0; i < out.length; i++) {
        const topic = topics[i]
        if (typeof topic !== 'string' || !isPlain(topic, namespace)) return false
        out[i] = crc32.ofString(topic)
      }
      finder.many(out, out)
      return true
    },
  }
}

function ofPacked(finder: Finder, column: Packed, out: Uint32Array): number {
  const bad = firstBadOffset(column)
  if (bad >= 0) return bad
  const { values, offsets, length } = column
  for (let i = 0; i < length; i++) out[i] = crc32.ofBytes(values, offsets[i]!, offsets[i + 1]!)
  const hashes = out.subarray(0, length)
  finder.many(hashes, hashes)
  return -1
}

function finderOf(starts: Uint32Array): Finder {
  const width = Math.floor(HASHES / starts.length)
  if (!starts.every((start, i) => start === i * width)) return new Cells(starts)
  return Number.isInteger(Math.log2(width)) && width * starts.length === HASHES
    ? new TopBits(starts.length)
    : new Division(width, starts.length - 1)
}

/** 2^k equal ranges: the index is the top k bits. */
class TopBits implements Finder {
  readonly #shift: number

  constructor(ranges: number) {
    this.#shift = 32 - Math.log2(ranges)
  }

  one(hash: number): number {
    return this.#shift === 32 ? 0 : hash >>> this.#shift
  }

  many(hashes: Uint32Array, out: Uint32Array): void {
    const shift = this.#shift
    if (shift === 32) out.fill(0, 0, hashes.length)
    else for (let i = 0; i < hashes.length; i++) out[i] = hashes[i]! >>> shift
  }
}

/** Ranges of one width, the last one wider: a division of doubles, exact because `hash` and `width` lie below 2^33. */
class Division implements Finder {
  readonly #width: number
  readonly #last: number

  constructor(width: number, last: number) {
    this.#width = width
    this.#last = last
  }

  one(hash: number): number {
    return Math.min(Math.floor(hash / this.#width), this.#last)
  }

  many(hashes: Uint32Array, out: Uint32Array): void {
    const [width, last] = [this.#width, this.#last]
    for (let i = 0; i < hashes.length; i++) {
      out[i] = Math.min((hashes[i]! / width) | 0, last)
    }
  }
}

/** Any ranges: the top bits number a cell, and the ranges that begin inside the cell are searched by halves. */
class Cells implements Finder {
  readonly #starts: Uint32Array
  readonly #shift: number
  /** Range of the first hash of each cell, and the last range behind them. */
  readonly #first: Uint32Array

  constructor(starts: Uint32Array) {
    const bits = Math.min(MOST_BITS, Math.ceil(Math.log2(starts.length)) + 2)
    this.#starts = starts
    this.#shift = 32 - bits
    this.#first = new Uint32Array(2 ** bits + 1).fill(starts.length - 1)
    for (let cell = 0, range = 0; cell < 2 ** bits; cell++) {
      const low = cell * 2 ** this.#shift
      while (range + 1 < starts.length && starts[range + 1]! <= low) range++
      this.#first[cell] = range
    }
  }

  one(hash: number): number {
    const cell = hash >>> this.#shift
    return search(this.#starts, hash, this.#first[cell]!, this.#first[cell + 1]!)
  }

  many(hashes: Uint32Array, out: Uint32Array): void {
    const [starts, shift, first] = [this.#starts, this.#shift, this.#first]
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i]!
      const cell = hash >>> shift
      out[i] = search(starts, hash, first[cell]!, first[cell + 1]!)
    }
  }
}

/** The last of the ranges `[from, to]` that starts at or below `hash`; `from` does. */
function search(starts: Uint32Array, hash: number, from: number, to: number): number {
  let range = from
  for (let left = to - from; left > 0; ) {
    const half = (left + 1) >>> 1
    if (starts[range + half]! <= hash) range += half
    left -= half
  }
  return range
}
