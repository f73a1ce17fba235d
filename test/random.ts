/** Random keys of every kind from a seed, cheap enough for millions: slices of pools that are made once. */

/** A generator of 32-bit numbers (mulberry32): equal seeds, equal runs. */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return (word ^ (word >>> 14)) >>> 0
  }
}

/** An integer in `[0, bound)`. */
export const below = (next: () => number, bound: number): number => Math.floor((next() / 2 ** 32) * bound)

const POOL_BYTES = 1 << 20

/** Kinds of text, each a road of its own through the packing of strings. */
export const TEXTS = ['ascii', 'latin', 'well-formed', 'any unit'] as const
export type Text = (typeof TEXTS)[number]

const UNIT: Readonly<Record<Text, (next: () => number) => string>> = {
  ascii: (next) => String.fromCharCode(below(next, 0x80)),
  latin: (next) => String.fromCharCode(below(next, 0x100)),
  'well-formed': (next) => String.fromCodePoint(wellFormed(below(next, 0x110000), next)),
  // One in ten is a surrogate, mostly a lone one.
  'any unit': (next) => String.fromCharCode(below(next, 16) === 0 ? 0xd800 + below(next, 0x800) : below(next, 0x10000)),
}

/** Half of the characters small, no surrogate among them. */
function wellFormed(point: number, next: () => number): number {
  if (next() & 1) return point & 0x7ff
  return point >= 0xd800 && point < 0xe000 ? point - 0x800 : point
}

/** Makes keys of 0 to `most` bytes or units. A slice of a pair may leave a lone surrogate in any text that has pairs. */
export class RandomKeys {
  readonly next: () => number
  readonly #most: number
  #bytes: Uint8Array | undefined
  readonly #texts = new Map<Text, string>()

  constructor(seed: number, most = 300) {
    this.next = generator(seed)
    this.#most = most
  }

  bytes(count: number): Uint8Array[] {
    this.#bytes ??= Uint8Array.from({ length: POOL_BYTES }, () => this.next())
    const pool = this.#bytes
    return Array.from({ length: count }, () => this.#slice(pool, (of, from, to) => of.subarray(from, to)))
  }

  strings(count: number, text: Text): string[] {
    const pool = this.#texts.get(text) ?? this.#pool(text)
    return Array.from({ length: count }, () => this.#slice(pool, (of, from, to) => of.slice(from, to)))
  }

  #pool(text: Text): string {
    const units = Array.from({ length: POOL_BYTES >> 2 }, () => UNIT[text](this.next))
    const pool = units.join('')
    this.#texts.set(text, pool)
    return pool
  }

  /** `count` ascending boundaries of ranges, from 0 to 0xffffffff, even or crowded. */
  boundaries(count: number): Uint32Array {
    const crowded = below(this.next, 2) === 1
    const inner = new Set<number>()
    while (inner.size < count - 2) inner.add(1 + below(this.next, crowded ? 4 * count : 0xfffffffe))
    return Uint32Array.of(0, ...[...inner].sort((a, b) => a - b), 0xffffffff)
  }

  #slice<T extends { readonly length: number }, U>(pool: T, cut: (pool: T, from: number, to: number) => U): U {
    const from = below(this.next, pool.length - this.#most)
    return cut(pool, from, from + below(this.next, this.#most + 1))
  }
}
