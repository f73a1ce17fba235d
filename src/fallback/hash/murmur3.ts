/**
 * MurmurHash3, x86 variant of 32 bits, seed 0: what Pulsar's `Murmur3_32Hash` computes before it drops the sign.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.common.util.Murmur3_32Hash. Twin of native/core/src/hash/murmur3.rs.
 * What differs from the obvious: the result here is the raw 32 bits; Pulsar's producer, broker and Go client each mask
 * them (`& 0x7fffffff`), which is the partitioner's business, not the hash's.
 */
import { hashUtf8, LONG_UNITS } from '../utf8.js'

const SEED = 0
const C1 = 0xcc9e2d51
const C2 = 0x1b873593

/** The hash of `bytes[from, to)`, as a signed 32-bit integer. */
export function ofBytes(bytes: Uint8Array, from: number, to: number): number {
  let h = SEED
  let i = from
  for (; i + 4 <= to; i += 4) {
    const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
    h = mixed(h, word)
  }
  if (i < to) {
    let tail = bytes[i]!
    if (i + 1 < to) tail |= bytes[i + 1]! << 8
    if (i + 2 < to) tail |= bytes[i + 2]! << 16
    h ^= scrambled(tail)
  }
  return finished(h ^ (to - from))
}

/** The hash of the UTF-8 of `key`, a lone surrogate as `?`; a signed 32-bit integer. ASCII is read from the string itself. */
export function ofString(key: string): number {
  const units = key.length
  if (units >= LONG_UNITS) return hashUtf8(key, ofBytes)
  let h = SEED
  let i = 0
  for (; i + 4 <= units; i += 4) {
    const a = key.charCodeAt(i)
    const b = key.charCodeAt(i + 1)
    const c = key.charCodeAt(i + 2)
    const d = key.charCodeAt(i + 3)
    if ((a | b | c | d) > 0x7f) return hashUtf8(key, ofBytes)
    h = mixed(h, a | (b << 8) | (c << 16) | (d << 24))
  }
  if (i < units) {
    const a = key.charCodeAt(i)
    const b = i + 1 < units ? key.charCodeAt(i + 1) : 0
    const c = i + 2 < units ? key.charCodeAt(i + 2) : 0
    if ((a | b | c) > 0x7f) return hashUtf8(key, ofBytes)
    h ^= scrambled(a | (b << 8) | (c << 16))
  }
  return finished(h ^ units)
}

function scrambled(word: number): number {
  const k = Math.imul(word, C1)
  return Math.imul((k << 15) | (k >>> 17), C2)
}

function mixed(hash: number, word: number): number {
  const h = hash ^ scrambled(word)
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0
}

/** What ends the hash: every bit of the result depends on each of these. */
export function finished(hash: number): number {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
