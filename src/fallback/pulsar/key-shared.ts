/**
 * Key → consumer of a Key_Shared subscription, for keys by the million and for one in a gateway.
 *
 * For the selectors of Apache Pulsar (2.10 to 5.0, org.apache.pulsar.broker.service.*StickyKeyConsumerSelector), each laid
 * out as ranges of slots (KeyLayout of the engine's contract). Twin of native/core/src/pulsar/key_shared.rs.
 * What differs from the original: it walks a tree for every message; here up to 2^17 slots are written out, one entry each,
 * and the 2^31 of older releases are found through a range table.
 */
import type { BadOffset, KeyLayout, KeyTable } from '../../engine/contract.js'
import type { Packed } from '../../types.js'
import { firstBadOffset } from '../column.js'
import * as murmur3 from '../hash/murmur3.js'
import { rangeIndex } from './bundles.js'

/** Slots that are written out: 512 KB, and eight times the keys that a broker knows since 4.0. */
const MOST_SLOTS = 2 ** 17

/** The twin's own part of the contract, and the look-up of one hash. */
export interface FallbackKeyTable extends Omit<KeyTable, 'ofPackedAsync'> {
  /** Consumer of a key's hash, of which the sign is not looked at; -1 for none. */
  one(hash: number): number
}

/** The table of a layout. */
export function keyTable(layout: KeyLayout): FallbackKeyTable {
  const one = layout.modulus > 0 && layout.modulus <= MOST_SLOTS ? ofSlots(layout) : ofRanges(layout)
  return {
    one,
    ofPacked: ({ values, offsets, length }: Packed, out: Int32Array): BadOffset => {
      const bad = firstBadOffset({ values, offsets, length })
      if (bad >= 0) return bad
      for (let i = 0; i < length; i++) out[i] = one(murmur3.ofBytes(values, offsets[i]!, offsets[i + 1]!))
      return -1
    },
    ofStrings: (strings, out) => {
      for (let i = 0; i < out.length; i++) {
        const text = strings[i]
        if (typeof text !== 'string') return false
        out[i] = one(murmur3.ofString(text))
      }
      return true
    },
  }
}

type OfHash = (hash: number) => number

function ofSlots(layout: KeyLayout): OfHash {
  const { modulus, starts } = layout
  const consumers = new Int32Array(modulus)
  for (let i = 0; i < starts.length; i++) {
    const end = Math.min(modulus, starts[i + 1] ?? modulus)
    for (let slot = starts[i]!; slot < end; slot++) consumers[slot] = memberOf(layout, i, slot)
  }
  return (hash) => consumers[(hash & 0x7fffffff) % modulus]!
}

function ofRanges(layout: KeyLayout): OfHash {
  const { modulus, starts } = layout
  const ranges = rangeIndex(starts)
  return (hash) => {
    const masked = hash & 0x7fffffff
    const slot = modulus === 0 ? masked : masked % modulus
    return memberOf(layout, ranges.one(slot), slot)
  }
}

function memberOf({ firsts, members }: KeyLayout, range: number, slot: number): number {
  const first = firsts[range]!
  const count = firsts[range + 1]! - first
  return count === 0 ? -1 : members[first + (slot % count)]!
}
