/**
 * How many bundles it takes to part numbered topics, by the size of their families: what each power of two reaches, and the
 * smallest number at all.
 *
 * CRC-32 is linear, so that equal suffixes part in the same way in every family, whatever stands before them: see
 * suffix-aliasing.ts. A number of bundles that is no power of two has no such rule, and is found by trying.
 */
import type { NumberedFamilies } from '../engine/contract.js'
import { isWhole } from './suffix-aliasing.js'

/** Powers of two up to 1,024 are looked at. */
const MOST_BITS = 10

/** The smallest number of all is sought up to here. */
const MOST_BUNDLES = 1024

/** All families of one size. */
export interface FamilySeparation {
  /** `partitions` of a topic, or `numbers`: names that end with consecutive numbers. */
  readonly kind: 'partitions' | 'numbers'
  /** Names in each of these families. */
  readonly partitions: number
  readonly families: number
  /** The smallest power of two of equal bundles that gives each name its own; `null` above 1,024. */
  readonly separatedByPowerOfTwo: number | null
  /** The smallest number of equal bundles that does; `null` above 1,024. A larger one need not. */
  readonly separatedBy: number | null
}

/** What the families of one size reach of a layout. */
export interface CrowdedFamilies {
  readonly kind: FamilySeparation['kind']
  readonly partitions: number
  readonly families: number
  readonly fewest: number
  readonly most: number
  readonly mean: number
  /** Bundles that so many names would reach on average if their hashes were random. */
  readonly expected: number
}

/** The families of a set, looked at once. */
export class FamilySeparations {
  /** By size; runs of numbers by the negative. */
  readonly #sizes = new Map<number, FamilySize>()

  constructor(families: NumberedFamilies) {
    const { sizes, starts, isPartitions } = families
    let last: FamilySize | undefined
    for (let family = 0; family < sizes.length; family++) {
      if (!isWhole(families, family)) continue
      const isLast = last?.size === sizes[family] && (last?.kind === 'partitions') === (isPartitions[family] === 1)
      last = isLast ? last! : this.#sizeOf(families, family)
      last.add(starts[family]!)
    }
    for (const size of this.#sizes.values()) size.finish()
  }

  #sizeOf({ isPartitions, sizes, hashes }: NumberedFamilies, family: number): FamilySize {
    const size = sizes[family]!
    const key = isPartitions[family] === 1 ? size : -size
    const found = this.#sizes.get(key) ?? new FamilySize(key > 0 ? 'partitions' : 'numbers', size, hashes)
    this.#sizes.set(key, found)
    return found
  }

  /** A row for each size that fits 1,024 bundles, the one with most topics first. */
  rows(): FamilySeparation[] {
    return this.#byTopics()
      .filter(({ size }) => size <= MOST_BUNDLES)
      .map((size) => size.separation())
  }

  /** Sizes whose families reach fewer bundles, on average, than random names would; none unless `bundles` is a power of two. */
  crowdedOn(bundles: number): CrowdedFamilies[] {
    const bits = Math.log2(bundles)
    if (!Number.isInteger(bits) || bits > MOST_BITS) return []
    return this.#byTopics()
      .map((size) => size.on(bits))
      .filter(({ mean, expected }) => mean < expected)
  }

  #byTopics(): FamilySize[] {
    const order = (a: FamilySize, b: FamilySize) => b.size * b.families - a.size * a.families || a.size - b.size
    return [...this.#sizes.values()].sort((a, b) => order(a, b) || (a.kind < b.kind ? 1 : -1))
  }
}

class FamilySize {
  readonly kind: FamilySeparation['kind']
  readonly size: number
  families = 0
  /** Of all families; those of each begin at one of `starts`. No view of its own for each: a million would be garbage. */
  readonly #hashes: Uint32Array
  readonly #starts: number[] = []
  /** Neighbours that part at each bit; what parts later, or never, comes last. */
  readonly #parted = new Uint32Array(MOST_BITS + 2)
  /** How the names of the family before part, as one number, and how many families in a row part so: mostly all do. */
  #way = -1
  #times = 0
  /** For each number of top bits: fewest, most and all bundles reached. */
  readonly #fewest = new Float64Array(MOST_BITS + 1).fill(Number.POSITIVE_INFINITY)
  readonly #most = new Float64Array(MOST_BITS + 1)
  readonly #sum = new Float64Array(MOST_BITS + 1)

  constructor(kind: FamilySeparation['kind'], size: number, hashes: Uint32Array) {
    this.kind = kind
    this.size = size
    this.#hashes = hashes
  }

  /** Two neighbours part at the first top bit in which they differ. */
  add(start: number): void {
    this.families++
    this.#starts.push(start)
    const way = this.size <= MOST_DIGIT ? this.#wayOf(start) : -1
    if (way !== this.#way || way === -1) {
      this.finish()
      this.#way = way
      this.#part(start)
    }
    this.#times++
  }

  /** How many neighbours part at each bit, a hexadecimal digit each, but for the last ones: they are what is left. */
  #wayOf(start: number): number {
    const hashes = this.#hashes
    let way = 0
    for (let i = start + 1; i < start + this.size; i++) {
      way += WEIGHTS[Math.clz32(hashes[i - 1]! ^ hashes[i]!)]!
    }
    return way
  }

  #part(start: number): void {
    const [hashes, parted] = [this.#hashes, this.#parted]
    parted.fill(0)
    for (let i = start + 1; i < start + this.size; i++) {
      parted[Math.min(Math.clz32(hashes[i - 1]! ^ hashes[i]!), MOST_BITS) + 1]!++
    }
  }

  /** Counts the families that parted in one way, which is where the next one parts otherwise, and the end. */
  finish(): void {
    if (this.#times === 0) return
    for (let bits = 0, reached = 1; bits <= MOST_BITS; bits++) {
      reached += this.#parted[bits]!
      this.#fewest[bits] = Math.min(this.#fewest[bits]!, reached)
      this.#most[bits] = Math.max(this.#most[bits]!, reached)
      this.#sum[bits]! += this.#times * reached
    }
    this.#times = 0
  }

  on(bits: number): CrowdedFamilies {
    const bundles = 2 ** bits
    return {
      kind: this.kind,
      partitions: this.size,
      families: this.families,
      fewest: this.#fewest[bits]!,
      most: this.#most[bits]!,
      mean: this.#sum[bits]! / this.families,
      expected: bundles * (1 - (1 - 1 / bundles) ** this.size),
    }
  }

  separation(): FamilySeparation {
    const bits = this.#fewest.indexOf(this.size)
    const known = bits < 0 ? null : 2 ** bits
    return {
      kind: this.kind,
      partitions: this.size,
      families: this.families,
      separatedByPowerOfTwo: known,
      separatedBy: smallestSeparating(this.#hashes, { starts: this.#starts, size: this.size, known }),
    }
  }
}

/** The most that a hexadecimal digit counts. */
const MOST_DIGIT = 15

/** What neighbours add to a way that part at so many leading zeros: ten digits are exact in a double. */
const WEIGHTS = Float64Array.from({ length: 33 }, (_, zeros) => (zeros < MOST_BITS ? 16 ** zeros : 0))

/** Families of one size: `size` hashes from each of `starts` on, ascending. */
export interface EqualFamilies {
  readonly starts: readonly number[]
  readonly size: number
  /** A number of bundles that parts them all; `null` where none is known. */
  readonly known: number | null
}

/** The smallest number of equal bundles that parts all hashes of each family; `null` above 1,024. */
export function smallestSeparating(hashes: Uint32Array, { starts, size, known }: EqualFamilies): number | null {
  for (let bundles = size; bundles < (known ?? MOST_BUNDLES + 1); bundles++) {
    const width = Math.floor(2 ** 32 / bundles)
    const isParted = (start: number) => areParted(hashes, [start, start + size], width, bundles)
    if (starts.every(isParted)) return bundles
  }
  return known
}

function areParted(
  hashes: Uint32Array,
  [from, to]: readonly [number, number],
  width: number,
  bundles: number,
): boolean {
  for (let i = from + 1, before = indexOf(hashes[from]!, width, bundles); i < to; i++) {
    const index = indexOf(hashes[i]!, width, bundles)
    if (index === before) return false
    before = index
  }
  return true
}

/** The remainder of 2^32 / N belongs to the last bundle. */
const indexOf = (hash: number, width: number, bundles: number): number =>
  Math.min(Math.floor(hash / width), bundles - 1)
