/**
 * CRC-32 (reflected polynomial 0xedb88320, init and final xor 0xffffffff): the hash of Pulsar's bundles and of
 * librdkafka's `consistent` partitioners. The same steps over other tables are CRC-32C: see crc32c.ts.
 *
 * Source: java.util.zip.CRC32 and Guava 33 Hashing.crc32 as Apache Pulsar 5.0.1 uses it. Twin of
 * native/core/src/hash/crc32.rs.
 * Slicing: row `k` of the tables holds the CRC of a byte followed by `k` zero bytes, so that SLICES bytes are folded in
 * at once by independent look-ups. Eight and not sixteen: the longer step is too long for V8 to inline where the tables are
 * known, and loses (Node 20, 39 bytes: 38.5 ns against 48.8; 256 bytes: 198 against 243).
 */
import { hashUtf8, LONG_UNITS } from '../utf8.js'

const POLYNOMIAL = 0xedb88320
const SLICES = 8
const WHOLE_SLICES = 16

/** Rows of 256 words, one a slice. `Int32Array`: an unsigned word above 2^31 would not fit the engine's small integers. */
export type CrcTables = Int32Array

/** The tables of a reflected polynomial. */
export function crcTables(polynomial: number, slices = SLICES): CrcTables {
  const tables = new Int32Array(slices * 256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0)
    tables[byte] = crc
  }
  for (let at = 256; at < tables.length; at++) {
    const shorter = tables[at - 256]!
    tables[at] = (shorter >>> 8) ^ tables[shorter & 0xff]!
  }
  return tables
}

const TABLES = crcTables(POLYNOMIAL)

/** The CRC-32 of `bytes[from, to)`, as a signed 32-bit integer. */
export function ofBytes(bytes: Uint8Array, from: number, to: number): number {
  return crcOfBytes(TABLES, bytes, from, to)
}

/**
 * The rows apart, each in a constant: V8 knows where it lies and how long it is, and the look-up needs no addition. Over one memory:
 * once a process has transferred any ArrayBuffer, V8 asks at each look-up whether the memory is still there, and one memory is asked
 * once.
 */
const WHOLE = crcTables(POLYNOMIAL, WHOLE_SLICES)
const row = (k: number): Int32Array => WHOLE.subarray(256 * k, 256 * k + 256)
const [T0, T1, T2, T3, T4, T5, T6, T7] = [row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)]
const [T8, T9, T10, T11, T12, T13, T14, T15] = [row(8), row(9), row(10), row(11), row(12), row(13), row(14), row(15)]

/**
 * The CRC-32 of all bytes, as a signed 32-bit integer: {@link ofBytes} for a key that is asked alone, with sixteen slices, since
 * nothing inlines it. Node 20, AMD EPYC, ns of 40, 64 and 256 bytes: 32, 47, 162, where {@link ofBytes} takes 35, 51, 190; and 42,
 * 60, 213 against 47, 69, 252 where the process has transferred memory.
 */
export function ofWhole(b: Uint8Array): number {
  let end = b.length - 15
  let crc = -1
  let i = 0
  // One byte after the other by `i++`: faster by 4 % than to add constants to it.
  while (i < end) {
    crc =
      T15[(crc ^ b[i++]!) & 0xff]! ^
      T14[((crc >>> 8) ^ b[i++]!) & 0xff]! ^
      T13[((crc >>> 16) ^ b[i++]!) & 0xff]! ^
      T12[(crc >>> 24) ^ b[i++]!]! ^
      T11[b[i++]!]! ^
      T10[b[i++]!]! ^
      T9[b[i++]!]! ^
      T8[b[i++]!]! ^
      T7[b[i++]!]! ^
      T6[b[i++]!]! ^
      T5[b[i++]!]! ^
      T4[b[i++]!]! ^
      T3[b[i++]!]! ^
      T2[b[i++]!]! ^
      T1[b[i++]!]! ^
      T0[b[i++]!]!
  }
  end += 8
  if (i < end) {
    crc =
      T7[(crc ^ b[i++]!) & 0xff]! ^
      T6[((crc >>> 8) ^ b[i++]!) & 0xff]! ^
      T5[((crc >>> 16) ^ b[i++]!) & 0xff]! ^
      T4[(crc >>> 24) ^ b[i++]!]! ^
      T3[b[i++]!]! ^
      T2[b[i++]!]! ^
      T1[b[i++]!]! ^
      T0[b[i++]!]!
  }
  end += 7
  while (i < end) crc = (crc >>> 8) ^ T0[(crc ^ b[i++]!) & 0xff]!
  return ~crc
}

/** The CRC-32 of the UTF-8 of `key`, a lone surrogate as `?`; a signed 32-bit integer. ASCII is read from the string. */
export function ofString(key: string): number {
  return crcOfString(TABLES, key, ofBytes)
}

/** The CRC of `bytes[from, to)` over a table set. */
export function crcOfBytes(t: CrcTables, bytes: Uint8Array, from: number, to: number): number {
  let crc = -1
  let i = from
  for (; i + 8 <= to; i += 8) {
    crc =
      t[1792 + ((crc ^ bytes[i]!) & 0xff)]! ^
      t[1536 + (((crc >>> 8) ^ bytes[i + 1]!) & 0xff)]! ^
      t[1280 + (((crc >>> 16) ^ bytes[i + 2]!) & 0xff)]! ^
      t[1024 + ((crc >>> 24) ^ bytes[i + 3]!)]! ^
      t[768 + bytes[i + 4]!]! ^
      t[512 + bytes[i + 5]!]! ^
      t[256 + bytes[i + 6]!]! ^
      t[bytes[i + 7]!]!
  }
  for (; i < to; i++) crc = (crc >>> 8) ^ t[(crc ^ bytes[i]!) & 0xff]!
  return ~crc
}

/** The CRC of the UTF-8 of `key` over a table set; `whole` is the CRC of bytes over the same one. */
export function crcOfString(t: CrcTables, key: string, whole: typeof ofBytes): number {
  const units = key.length
  if (units >= LONG_UNITS) return hashUtf8(key, whole)
  let crc = -1
  let i = 0
  for (; i + 8 <= units; i += 8) {
    const c0 = key.charCodeAt(i)
    const c1 = key.charCodeAt(i + 1)
    const c2 = key.charCodeAt(i + 2)
    const c3 = key.charCodeAt(i + 3)
    const c4 = key.charCodeAt(i + 4)
    const c5 = key.charCodeAt(i + 5)
    const c6 = key.charCodeAt(i + 6)
    const c7 = key.charCodeAt(i + 7)
    if ((c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7) > 0x7f) return hashUtf8(key, whole)
    crc =
      t[1792 + ((crc ^ c0) & 0xff)]! ^
      t[1536 + (((crc >>> 8) ^ c1) & 0xff)]! ^
      t[1280 + (((crc >>> 16) ^ c2) & 0xff)]! ^
      t[1024 + ((crc >>> 24) ^ c3)]! ^
      t[768 + c4]! ^
      t[512 + c5]! ^
      t[256 + c6]! ^
      t[c7]!
  }
  for (; i < units; i++) {
    const unit = key.charCodeAt(i)
    if (unit > 0x7f) return hashUtf8(key, whole)
    crc = (crc >>> 8) ^ t[(crc ^ unit) & 0xff]!
  }
  return ~crc
}
