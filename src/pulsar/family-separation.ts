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
  readonly #sizes = new Map<string, FamilySize>()

  constructor(families: NumberedFamilies) {
    const { sizes, starts, hashes } = families
    for (let family = 0; family < sizes.length; family++) {
      if (!isWhole(families, family)) continue
      this.#sizeOf(families, family).add(hashes.subarray(starts[family]!, starts[family + 1]!))
    }
  }

  #sizeOf({ isPartitions, sizes }: NumberedFamilies, family: number): FamilySize {
    const kind = isPartitions[family] === 1 ? 'partitions' : 'numbers'
    const key = `${kind} ${sizes[family]}`
    const found = this.#sizes.get(key) ?? new FamilySize(kind, sizes[family]!)
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
    return [...this.#sizes.values()].sort((a, b) => b.size * b.families - a.size * a.families || a.size - b.size)
  }
}

class FamilySize {
  readonly kind: FamilySeparation['kind']
  readonly size: number
  families = 0
  readonly #hashes: Uint32Array[] = []
  /** For each number of top bits: fewest, most and all bundles reached. */
  readonly #fewest = new Float64Array(MOST_BITS + 1).fill(Number.POSITIVE_INFINITY)
  readonly #most = new Float64Array(MOST_BITS + 1)
  readonly #sum = new Float64Array(MOST_BITS + 1)

  constructor(kind: FamilySeparation['kind'], size: number) {
    this.kind = kind
    this.size = size
  }

  /** Two neighbours part at the first top bit in which they differ. */
  add(hashes: Uint32Array): void {
    this.families++
    this.#hashes.push(hashes)
    const parted = partedAt
    parted.fill(0)
    for (let i = 1; i < hashes.length; i++) parted[Math.clz32(hashes[i - 1]! ^ hashes[i]!) + 1]!++
    for (let bits = 0, reached = 1; bits <= MOST_BITS; bits++) {
      reached += parted[bits]!
      this.#fewest[bits] = Math.min(this.#fewest[bits]!, reached)
      this.#most[bits] = Math.max(this.#most[bits]!, reached)
      this.#sum[bits]! += reached
    }
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
    return {
      kind: this.kind,
      partitions: this.size,
      families: this.families,
      separatedByPowerOfTwo: bits < 0 ? null : 2 ** bits,
      separatedBy: smallestSeparating(this.#hashes),
    }
  }
}

/** Reused by each family: neighbours that part at a bit, 33 for equal hashes. */
const partedAt = new Uint32Array(34)

/** The smallest number of equal bundles that parts all hashes of each family, which ascend; `null` above 1,024. */
export function smallestSeparating(families: readonly Uint32Array[]): number | null {
  const least = families.reduce((most, { length }) => Math.max(most, length), 1)
  for (let bundles = least; bundles <= MOST_BUNDLES; bundles++) {
    if (families.every((hashes) => areParted(hashes, bundles))) return bundles
  }
  return null
}

function areParted(hashes: Uint32Array, bundles: number): boolean {
  const width = Math.floor(2 ** 32 / bundles)
  for (let i = 1, before = indexOf(hashes[0]!, width, bundles); i < hashes.length; i++) {
    const index = indexOf(hashes[i]!, width, bundles)
    if (index === before) return false
    before = index
  }
  return true
}

/** The remainder of 2^32 / N belongs to the last bundle. */
const indexOf = (hash: number, width: number, bundles: number): number =>
  Math.min(Math.floor(hash / width), bundles - 1)
