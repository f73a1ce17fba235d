/**
 * Families of topics: names that are equal but for a number at their end, `orders-partition-0` and `orders-partition-1`.
 * Found over millions of packed names in one pass, by a table over the bytes in front of the number;
 * the hashes of each are laid side by side. Twin of native/core/src/pulsar/numbered_families.rs, which tells prefixes apart by
 * two CRCs and their length, where this one looks at the bytes.
 */
import type { NumberedFamilies } from '../../engine/contract.js'
import type { Parts } from '../../turns.js'
import type { Packed } from '../../types.js'
import { ofBytes as crc32 } from '../hash/crc32.js'
import { ofBytes as crc32c } from '../hash/crc32c.js'

const ZERO = 0x30
const NINE = 0x39

/** A number of more digits is no counter: a time, an id. */
const MOST_DIGITS = 9

/** An odd number near 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1

/** What precedes the number of a partition. */
const PARTITION_MARK = new TextEncoder().encode('-partition-')

/** Names between two turns of the event loop: a few milliseconds. */
const PART = 1 << 15

/** The families of names in chunks, whose hashes these are. */
export function* numberedFamilies(chunks: readonly Packed[], hashes: Uint32Array): Parts<NumberedFamilies> {
  const table = new FamilyTable(chunks, hashes.length)
  for (let chunk = 0, name = 0; chunk < chunks.length; chunk++) {
    const { length } = chunks[chunk]!
    for (let from = 0; from < length; from += PART) {
      const to = Math.min(from + PART, length)
      for (let i = from; i < to; i++, name++) table.add(name, chunk, i)
      yield
    }
  }
  return yield* table.families(hashes)
}

/** An open-addressed table of prefixes. Its families are numbered in the order of their first names, and told in that of CRCs. */
class FamilyTable {
  #count = 0
  /** Family of each name, -1 for a name without a number. */
  readonly #ofName: Int32Array
  readonly #sizes: Uint32Array
  readonly #least: Uint32Array
  readonly #greatest: Uint32Array
  readonly #isPartitions: Uint8Array
  readonly #chunks: readonly Packed[]
  /** Where the prefix of each family lies: chunk, first byte, length. Its bytes are those of the family's first name. */
  readonly #prefixes: Uint32Array
  /** CRC-32 of the prefix of each family. */
  readonly #crcs: Uint32Array
  /** Pairs of a family and 1, 0 for an empty slot, and its hash. At most half are taken. */
  readonly #slots: Int32Array

  constructor(chunks: readonly Packed[], length: number) {
    this.#chunks = chunks
    this.#ofName = new Int32Array(length).fill(-1)
    this.#sizes = new Uint32Array(length)
    this.#least = new Uint32Array(length)
    this.#greatest = new Uint32Array(length)
    this.#isPartitions = new Uint8Array(length)
    this.#prefixes = new Uint32Array(3 * length)
    this.#crcs = new Uint32Array(length)
    this.#slots = new Int32Array(2 * 2 ** Math.ceil(Math.log2(2 * length + 2)))
  }

  /** Those of two names or more: the hashes laid side by side, and sorted within each family. */
  *families(ofNames: Uint32Array): Parts<NumberedFamilies> {
    const told = this.#told()
    yield
    const of = <T extends Uint32Array | Uint8Array>(column: T) => told.map((family) => column[family]!)
    const sizes = of(this.#sizes)
    const starts = new Uint32Array(told.length + 1)
    for (let i = 0; i < told.length; i++) starts[i + 1] = starts[i]! + sizes[i]!
    const hashes = this.#sideBySide(ofNames, told, starts)
    for (let from = 0; from < told.length; from += PART) {
      const to = Math.min(from + PART, told.length)
      for (let i = from; i < to; i++) hashes.subarray(starts[i]!, starts[i + 1]!).sort()
      yield
    }
    const isPartitions = Uint8Array.from(of(this.#isPartitions))
    return { sizes, least: of(this.#least), greatest: of(this.#greatest), isPartitions, starts, hashes }
  }

  /** Families of two names or more, by the CRC-32 of their prefixes, then by CRC-32C and length. */
  #told(): Uint32Array {
    const told = Uint32Array.from({ length: this.#count }, (_, family) => family)
    const crcs = this.#crcs
    return told
      .filter((family) => this.#sizes[family]! > 1)
      .sort((a, b) => crcs[a]! - crcs[b]! || this.#rarelyOrdered(a, b))
  }

  #rarelyOrdered(a: number, b: number): number {
    const castagnoli = (family: number) => {
      const [chunk, from, length] = this.#prefixes.subarray(3 * family)
      return crc32c(this.#chunks[chunk!]!.values, from!, from! + length!)
    }
    return castagnoli(a) - castagnoli(b) || this.#prefixes[3 * a + 2]! - this.#prefixes[3 * b + 2]!
  }

  #sideBySide(ofNames: Uint32Array, told: Uint32Array, starts: Uint32Array): Uint32Array {
    const next = new Uint32Array(this.#count)
    told.forEach((family, i) => {
      next[family] = starts[i]!
    })
    const hashes = new Uint32Array(starts[told.length]!)
    this.#ofName.forEach((family, name) => {
      if (family >= 0 && this.#sizes[family]! > 1) hashes[next[family]!++] = ofNames[name]!
    })
    return hashes
  }

  add(name: number, chunk: number, i: number): void {
    const { values, offsets } = this.#chunks[chunk]!
    const [from, to] = [offsets[i]!, offsets[i + 1]!]
    let end = to
    while (end > from && isDigit(values[end - 1]!)) end--
    if (end === to || to - end > MOST_DIGITS) return
    const family = this.#familyOf(chunk, from, end)
    const number = numberIn(values, end, to)
    this.#ofName[name] = family
    this.#sizes[family]!++
    if (number < this.#least[family]!) this.#least[family] = number
    if (number > this.#greatest[family]!) this.#greatest[family] = number
  }

  /** The family of the bytes `[from, to)`; mostly it is that of the name before. */
  #familyOf(chunk: number, from: number, to: number): number {
    const { values } = this.#chunks[chunk]!
    const before = this.#count - 1
    if (before >= 0 && this.#isPrefixOf(before, values, from, to)) return before
    const hash = crc32(values, from, to)
    const mask = this.#slots.length - 2
    // The product spreads prefixes that differ in a byte, whose CRCs differ by a constant.
    for (let slot = (Math.imul(hash, SPREAD) >>> 3) & mask; ; slot = (slot + 2) & mask) {
      const family = this.#slots[slot]! - 1
      if (family < 0) {
        this.#slots[slot] = this.#count + 1
        this.#slots[slot + 1] = hash
        this.#crcs[this.#count] = hash
        return this.#open(chunk, from, to)
      }
      if (this.#slots[slot + 1] === hash && this.#isPrefixOf(family, values, from, to)) return family
    }
  }

  #open(chunk: number, from: number, to: number): number {
    const family = this.#count++
    this.#prefixes[3 * family] = chunk
    this.#prefixes[3 * family + 1] = from
    this.#prefixes[3 * family + 2] = to - from
    this.#least[family] = 0xffffffff
    this.#isPartitions[family] = isPartitionMark(this.#chunks[chunk]!.values, from, to) ? 1 : 0
    return family
  }

  /** From the end, where prefixes differ most. */
  #isPrefixOf(family: number, values: Uint8Array, from: number, to: number): boolean {
    const length = this.#prefixes[3 * family + 2]!
    if (length !== to - from) return false
    const first = this.#prefixes[3 * family + 1]!
    const own = this.#chunks[this.#prefixes[3 * family]!]!.values
    for (let k = length - 1; k >= 0; k--) if (own[first + k] !== values[from + k]) return false
    return true
  }
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE

function numberIn(values: Uint8Array, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) number = number * 10 + values[at]! - ZERO
  return number
}

function isPartitionMark(values: Uint8Array, from: number, to: number): boolean {
  const first = to - PARTITION_MARK.length
  if (first < from) return false
  for (let k = PARTITION_MARK.length - 1; k >= 0; k--) if (values[first + k] !== PARTITION_MARK[k]) return false
  return true
}
