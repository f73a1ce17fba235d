/**
 * Families of topics: names that are equal but for a number at their end, `orders-partition-0` and `orders-partition-1`.
 * Found over millions of packed names in one pass, by a table over the bytes in front of the number;
 * the hashes of each are laid side by side. Twin of native/core/src/pulsar/numbered_families.rs.
 */
import type { NumberedFamilies } from '../../engine/contract.js'
import type { Packed } from '../../types.js'
import { ofBytes as crc32 } from '../hash/crc32.js'

const ZERO = 0x30
const NINE = 0x39

/** A number of more digits is no counter: a time, an id. */
const MOST_DIGITS = 9

/** An odd number near 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1

/** What precedes the number of a partition. */
const PARTITION_MARK = new TextEncoder().encode('-partition-')

/** The families of names in chunks, whose hashes these are. */
export function numberedFamilies(chunks: readonly Packed[], hashes: Uint32Array): NumberedFamilies {
  const table = new FamilyTable(chunks, hashes.length)
  for (let chunk = 0, name = 0; chunk < chunks.length; chunk++) {
    const { length } = chunks[chunk]!
    for (let i = 0; i < length; i++, name++) table.add(name, chunk, i)
  }
  return table.families(hashes)
}

/** An open-addressed table of prefixes. Its families are numbered in the order of their first names. */
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
    this.#slots = new Int32Array(2 * 2 ** Math.ceil(Math.log2(2 * length + 2)))
  }

  /** The hashes laid side by side, and sorted within each family. */
  families(ofNames: Uint32Array): NumberedFamilies {
    const count = this.#count
    const sizes = this.#sizes.slice(0, count)
    const starts = new Uint32Array(count + 1)
    for (let family = 0; family < count; family++) starts[family + 1] = starts[family]! + sizes[family]!
    const next = starts.slice()
    const hashes = new Uint32Array(starts[count]!)
    this.#ofName.forEach((family, name) => {
      if (family >= 0) hashes[next[family]!++] = ofNames[name]!
    })
    for (let family = 0; family < count; family++) hashes.subarray(starts[family]!, starts[family + 1]!).sort()
    const [least, greatest] = [this.#least.slice(0, count), this.#greatest.slice(0, count)]
    return { sizes, least, greatest, isPartitions: this.#isPartitions.slice(0, count), starts, hashes }
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
