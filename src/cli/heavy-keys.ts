/**
 * The keys that come most often, in memory that does not grow with the input.
 *
 * Source: Misra and Gries, Finding repeated elements, 1982. With `k` counters and `n` keys, every key that comes more than
 * `n / (k + 1)` times has a counter, and no counter is more than `n / (k + 1)` too low; with up to `k` different keys
 * the counts are exact.
 * What differs from the obvious: a key is known by two hashes, CRC-32 and murmur3, of 64 bits together, so that its bytes
 * are copied once and never compared. Two keys of a million billion pairs would be taken for one.
 */
import { hash, type TopicSet } from '../index.js'

/** Counters. The table of twice as many slots fits a second-level cache. */
const COUNTERS = 1 << 15

/** Slots of the open table: a power of two. */
const SLOTS = 2 * COUNTERS
const MASK = SLOTS - 1

/** Of a longer key these many bytes are kept, so that long keys do not fill the memory. */
const KEPT_BYTES = 1024

/** A key that came often. */
export interface HeavyKey {
  /** Its bytes, the first {@link KEPT_BYTES} of them. */
  readonly key: Uint8Array
  /** How many it has. */
  readonly bytes: number
  readonly partition: number
  /** It came so often at least, and {@link HeavyKeys.tooLow} more at most. */
  readonly atLeast: number
}

const KEPT = 0xffffffff

type Kept = Pick<HeavyKey, 'key' | 'bytes'>

/** An open table: what is known of the key in each slot. */
const emptyTable = () => ({
  crc32: new Uint32Array(SLOTS),
  murmur3: new Uint32Array(SLOTS),
  /** 0: an empty slot. */
  counts: new Float64Array(SLOTS),
  partitions: new Int32Array(SLOTS),
  /** 0: its bytes are not known; {@link KEPT}: they are kept; else 1 and its index in the batch at hand. */
  places: new Uint32Array(SLOTS),
  kept: new Array<Kept | undefined>(SLOTS),
})

export class HeavyKeys {
  #table = emptyTable()
  #used = 0
  #tooLow = 0

  /** What a count may be too low by. 0: all counts are exact. */
  get tooLow(): number {
    return this.#tooLow
  }

  /** Takes keys and the partition of each. */
  add(keys: TopicSet, partitions: Int32Array): void {
    const [crc32, murmur3] = [hash.crc32(keys), hash.murmur3(keys)]
    for (let i = 0; i < keys.length; i++) {
      const slot = this.#slotOf(crc32[i]!, murmur3[i]!)
      if (this.#table.counts[slot]! > 0) this.#again(slot, i)
      else if (this.#used === COUNTERS) this.#lowerAll()
      else this.#count(slot, { crc32: crc32[i]!, murmur3: murmur3[i]!, partition: partitions[i]! })
    }
    this.#keep(keys)
  }

  /** The keys that came twice at least and have a counter, the most frequent first. */
  keys(): HeavyKey[] {
    const { counts, partitions, kept, places } = this.#table
    const found: HeavyKey[] = []
    for (let slot = 0; slot < SLOTS; slot++) {
      if (counts[slot] === 0 || places[slot] === 0) continue
      found.push({ ...kept[slot]!, partition: partitions[slot]!, atLeast: counts[slot]! })
    }
    return found.sort((a, b) => b.atLeast - a.atLeast)
  }

  /** The slot of a key, or the empty one where it belongs. The table is half empty at least, so there is one. */
  #slotOf(crc32: number, murmur3: number): number {
    const table = this.#table
    let slot = (crc32 ^ murmur3) & MASK
    while (table.counts[slot]! > 0 && (table.crc32[slot] !== crc32 || table.murmur3[slot] !== murmur3)) {
      slot = (slot + 1) & MASK
    }
    return slot
  }

  /** Bytes are kept of a key that comes again: most never do, and copying them all would cost more than the counting. */
  #again(slot: number, index: number): void {
    const { counts, places } = this.#table
    counts[slot]!++
    if (places[slot] === 0) places[slot] = index + 1
  }

  #count(slot: number, key: { crc32: number; murmur3: number; partition: number }): void {
    const table = this.#table
    table.crc32[slot] = key.crc32
    table.murmur3[slot] = key.murmur3
    table.partitions[slot] = key.partition
    table.counts[slot] = 1
    this.#used++
  }

  /** A key without a counter takes one from each: those that come to nothing make room. Paid for by the keys counted. */
  #lowerAll(): void {
    const old = this.#table
    this.#table = emptyTable()
    this.#used = 0
    this.#tooLow++
    for (let from = 0; from < SLOTS; from++) {
      if (old.counts[from]! <= 1) continue
      const [crc32, murmur3] = [old.crc32[from]!, old.murmur3[from]!]
      const slot = this.#slotOf(crc32, murmur3)
      this.#count(slot, { crc32, murmur3, partition: old.partitions[from]! })
      this.#table.places[slot] = old.places[from]!
      this.#table.counts[slot] = old.counts[from]! - 1
      this.#table.kept[slot] = old.kept[from]
    }
  }

  /** Copies what the batch takes with it when it goes. */
  #keep(keys: TopicSet): void {
    const { places, kept } = this.#table
    for (let slot = 0; slot < SLOTS; slot++) {
      if (places[slot] === 0 || places[slot] === KEPT) continue
      const bytes = keys.bytesAt(places[slot]! - 1)
      kept[slot] = { key: bytes.slice(0, KEPT_BYTES), bytes: bytes.length }
      places[slot] = KEPT
    }
  }
}
