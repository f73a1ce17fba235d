/**
 * Which numbered topics crowd into few bundles: the partitions of a topic, and names with a running number at the end.
 *
 * CRC-32 is linear: two names of one length that differ in their last digits have hashes that differ by a constant, whatever
 * stands before. Some of these constants leave the top bits as they are, so that on 32 bundles or fewer the digits d and
 * d + 4 share a bundle in every topic: 8 partitions reach 4 of 32 bundles. Pulsar does not document it.
 * Source: computed, over the hash and the layout of Apache Pulsar 5.0.1.
 */
import type { Keys } from '../bulk.js'
import type { NumberedFamilies } from '../engine/contract.js'
import { engine } from '../engine/index.js'
import type { NamespaceBundles } from './bundles.js'
import { canonicalTopics } from './topics.js'

/** Layouts of more than 2^10 bundles are not proposed: automatic splits stop at 128. */
const MOST_BITS = 10

/** All families of one size, and what they reach. */
export interface SuffixAliasing {
  /** `partitions` of a topic, or `numbers`: names that end with consecutive numbers. */
  readonly kind: 'partitions' | 'numbers'
  /** Names in each of these families. */
  readonly partitions: number
  /** How many such families there are. */
  readonly families: number
  /** Bundles that a family could reach: one for each name, or all there are. */
  readonly possible: number
  /** Bundles that the worst of them reaches. */
  readonly fewest: number
  /** Bundles that the best of them reaches. */
  readonly most: number
  readonly mean: number
  /** Bundles that so many names would reach on average if their hashes were random. */
  readonly expected: number
  /** The smallest power of two of equal bundles that gives each name of each such family its own; `null` above 1,024. */
  readonly separatedBy: number | null
}

/**
 * The numbered families that crowd: on average they reach fewer bundles than as many random names would.
 *
 * @param topics an array, column or TopicSet of names; a family is made of those that are among them
 * @returns a row for each size of family that crowds, the one with most topics first
 *
 * Cost: about 0.2 µs a name. Families of numbers count where no number between their least and greatest is missing.
 * @throws as {@link NamespaceBundles.indexOf}
 */
export function suffixAliasing(topics: Keys, bundles: NamespaceBundles): SuffixAliasing[] {
  const names = canonicalTopics(topics, bundles)
  const families = engine().numberedFamilies(names.chunks, names.hash('crc32'))
  const { starts, hashes } = families
  const rows = new Map<string, Row>()
  const indices = bundles.indexOfHash(hashes)
  for (let family = 0; family < families.sizes.length; family++) {
    if (!isWhole(families, family)) continue
    const [from, to] = [starts[family]!, starts[family + 1]!]
    rowFor(rows, families, family).add(reachedBy(indices, from, to), separatingBits(hashes, from, to))
  }
  const crowded = [...rows.values()].map((row) => row.against(bundles)).filter((row) => row.mean < row.expected)
  const order = (a: SuffixAliasing, b: SuffixAliasing) =>
    b.families * b.partitions - a.families * a.partitions || a.partitions - b.partitions
  return crowded.sort((a, b) => order(a, b) || (a.kind < b.kind ? 1 : -1))
}

/** Different indices in `[from, to)`, which ascend. */
function reachedBy(indices: Uint32Array, from: number, to: number): number {
  let reached = 1
  for (let i = from + 1; i < to; i++) if (indices[i] !== indices[i - 1]) reached++
  return reached
}

/** Two names or more, and of mere numbers a run without gaps. */
export function isWhole({ sizes, least, greatest, isPartitions }: NumberedFamilies, family: number): boolean {
  const size = sizes[family]!
  return size > 1 && (isPartitions[family] === 1 || greatest[family]! - least[family]! + 1 === size)
}

/** Top bits in which no two hashes in `[from, to)`, which ascend, are alike; 33 where two are equal. */
function separatingBits(hashes: Uint32Array, from: number, to: number): number {
  let bits = 0
  for (let i = from + 1; i < to; i++) bits = Math.max(bits, Math.clz32(hashes[i - 1]! ^ hashes[i]!) + 1)
  return bits
}

/** The families of one size. */
class Row {
  readonly #kind: SuffixAliasing['kind']
  readonly #size: number
  #families = 0
  #fewest = Number.POSITIVE_INFINITY
  #most = 0
  #sum = 0
  #bits = 0

  constructor(kind: SuffixAliasing['kind'], size: number) {
    this.#kind = kind
    this.#size = size
  }

  add(reached: number, bits: number): void {
    this.#families++
    this.#fewest = Math.min(this.#fewest, reached)
    this.#most = Math.max(this.#most, reached)
    this.#sum += reached
    this.#bits = Math.max(this.#bits, bits)
  }

  against(bundles: NamespaceBundles): SuffixAliasing {
    return {
      kind: this.#kind,
      partitions: this.#size,
      families: this.#families,
      possible: Math.min(this.#size, bundles.length),
      fewest: this.#fewest,
      most: this.#most,
      mean: this.#sum / this.#families,
      expected: expectedReach(bundles.boundaries, this.#size),
      separatedBy: this.#bits <= MOST_BITS ? 2 ** this.#bits : null,
    }
  }
}

function rowFor(rows: Map<string, Row>, { sizes, isPartitions }: NumberedFamilies, family: number): Row {
  const kind = isPartitions[family] === 1 ? 'partitions' : 'numbers'
  const key = `${kind} ${sizes[family]}`
  const row = rows.get(key) ?? new Row(kind, sizes[family]!)
  rows.set(key, row)
  return row
}

/** Bundles that `names` random hashes reach on average: each bundle is missed by all with (1 - width)^names. */
function expectedReach(boundaries: Uint32Array, names: number): number {
  let reach = 0
  for (let i = 1; i < boundaries.length; i++) {
    reach += 1 - (1 - (boundaries[i]! - boundaries[i - 1]!) / 2 ** 32) ** names
  }
  return reach
}
