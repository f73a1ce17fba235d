/**
 * Seeded chance for the oracle's questions: numbers, bytes and texts, the nasty ones more often than nature has them.
 *
 * Generator: splitmix32, so that a printed seed draws the same questions on every machine.
 */

/** Widths of UTF-8, surrogates that stand alone, what names are made of, and what hides in them. */
const UNITS: Readonly<Record<string, (chance: Chance) => string>> = {
  word: (chance) => chance.pick([...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.=:']),
  ascii: (chance) => chance.unit(0x20, 0x7e),
  control: (chance) => chance.unit(0x00, 0x1f),
  latin: (chance) => chance.unit(0xa0, 0xff),
  twoBytes: (chance) => chance.unit(0x80, 0x7ff),
  threeBytes: (chance) => (chance.odds(0.5) ? chance.unit(0x800, 0xd7ff) : chance.unit(0xe000, 0xffff)),
  pair: (chance) => String.fromCodePoint(chance.between(0x10000, 0x10ffff)),
  lone: (chance) => chance.unit(0xd800, 0xdfff),
}
const KINDS = Object.keys(UNITS)

/** Bytes where the rules of UTF-8 change. */
const EDGES = [
  0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff,
]

/** A kind of text: one of the units, or all of them mixed. */
export type TextKind = 'word' | 'ascii' | 'latin' | 'lone' | 'mixed'

export class Chance {
  #state: number

  /** The stream of questions that `name` draws under `seed`; one name's draws do not move another's. */
  constructor(seed: number, name = '') {
    this.#state = seed >>> 0
    for (const character of name) this.#state = (this.uint32() ^ character.codePointAt(0)!) >>> 0
  }

  uint32(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    let z = this.#state
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return (z ^ (z >>> 15)) >>> 0
  }

  /** In `[low, high]`. */
  between(low: number, high: number): number {
    return low + Math.floor((this.uint32() / 0x100000000) * (high - low + 1))
  }

  odds(probability: number): boolean {
    return this.uint32() / 0x100000000 < probability
  }

  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)]!
  }

  times<T>(count: number, make: (i: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i))
  }

  shuffled<T>(items: readonly T[]): T[] {
    const copy = [...items]
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.between(0, i)
      ;[copy[i], copy[j]] = [copy[j]!, copy[i]!]
    }
    return copy
  }

  unit(low: number, high: number): string {
    return String.fromCharCode(this.between(low, high))
  }

  /** Every length up to 300 comes up, short ones most, and now and then one beyond any buffer's step. */
  length(): number {
    if (this.odds(0.6)) return this.between(0, 40)
    return this.odds(0.97) ? this.between(0, 300) : this.pick([511, 512, 1000, 1023, 1025, 4096, 4099])
  }

  /** Text of `length` units (pairs count once), all of one kind or mixed. */
  text(length = this.length(), kind: TextKind | string = this.pick([...KINDS, 'mixed'])): string {
    return this.times(length, () => UNITS[kind === 'mixed' ? this.pick(KINDS) : kind]!(this)).join('')
  }

  /** Bytes of `length`: uniform, one value throughout, or the edges of UTF-8. */
  bytes(length = this.length()): Buffer {
    const style = this.between(0, 9)
    if (style === 0) return Buffer.alloc(length, this.between(0, 255))
    const draw = style < 4 ? () => this.pick(EDGES) : () => this.between(0, 255)
    return Buffer.from(this.times(length, draw))
  }

  /** A number of partitions in `[1, most]`, `most` up to 2^31 - 1. */
  partitions(most = 0x7fffffff): number {
    const style = this.between(0, 9)
    if (style < 4) return Math.min(most, this.between(1, 200))
    if (style < 7) return Math.min(most, this.pick([1, 2, 3, 6, 7, 10, 12, 16, 30, 50, 100, 128, 1000]))
    if (style === 7) return Math.min(most, Math.max(1, 2 ** this.between(0, 31) + this.between(-1, 1)))
    return style === 8 ? most : this.between(1, most)
  }
}

/** The UTF-8 that Java makes of text: a lone surrogate is `?`. */
export function javaBytes(text: string): Buffer {
  return Buffer.from(text.replace(/\p{Surrogate}/gu, '?'))
}
