/**
 * One key, one call: the road of a gateway. A native call costs more than the hash of a short key, so JavaScript takes
 * the short ones and the engine the long ones.
 */
import { isBytes } from './bytes.js'
import { engine } from './engine/index.js'
import { codedError, shown } from './errors.js'
import * as crc32 from './fallback/hash/crc32.js'
import * as crc32c from './fallback/hash/crc32c.js'
import * as fnv1a from './fallback/hash/fnv1a.js'
import * as javaString from './fallback/hash/java-string.js'
import * as murmur2 from './fallback/hash/murmur2.js'
import * as murmur3 from './fallback/hash/murmur3.js'
import { hashUtf8, LONG_UNITS } from './fallback/utf8.js'
import type { HashName, Key } from './types.js'

/*
 * From this many UTF-16 units or bytes on the engine is asked; below, JavaScript is faster than the call.
 *
 * `npm run bench -- --row crossing` measures it: docs/performance.md has the figures, ns a key of JavaScript and of the call,
 * the encoding of text counted in both. Text crosses at 195 to 260 units, bytes at 190 to 260, the first where a process hashes
 * Buffers and plain byte arrays alike, the second where it hashes one of them alone and V8 knows the memory's shape; the
 * constants lie between. FNV-1a is one chain of multiplications in any language and stays in JavaScript; so does
 * `String.hashCode` of text, which is of its units, and not of bytes.
 */
const LONG_TEXT = 240
const LONG_BYTES = 224
/** Sixteen slices a step are faster than eight. */
const LONG_CRC32_BYTES = 288
const LONG_JAVA_STRING_BYTES = 112

/** By the engine. All of them begin at 0, as `hashUtf8` does. */
const longMurmur2 = (bytes: Uint8Array, _from: number, to: number): number => engine().hashBytes('murmur2', bytes, to)
const longMurmur3 = (bytes: Uint8Array, _from: number, to: number): number => engine().hashBytes('murmur3', bytes, to)
const longCrc32 = (bytes: Uint8Array, _from: number, to: number): number => engine().hashBytes('crc32', bytes, to)
const longCrc32c = (bytes: Uint8Array, _from: number, to: number): number => engine().hashBytes('crc32c', bytes, to)

/** Hash of one text, signed 32 bits. Each asks first what its hash asks first, in the same words: inlined, it is asked once. */
export const HASH_OF_TEXT = {
  murmur2: (key: string): number =>
    key.length >= LONG_UNITS
      ? hashUtf8(key, key.length < LONG_TEXT ? murmur2.ofBytes : longMurmur2)
      : murmur2.ofString(key),
  murmur3: (key: string): number =>
    key.length >= LONG_UNITS
      ? hashUtf8(key, key.length < LONG_TEXT ? murmur3.ofBytes : longMurmur3)
      : murmur3.ofString(key),
  crc32: (key: string): number =>
    key.length >= LONG_UNITS ? hashUtf8(key, key.length < LONG_TEXT ? crc32.ofBytes : longCrc32) : crc32.ofString(key),
  crc32c: (key: string): number =>
    key.length >= LONG_UNITS
      ? hashUtf8(key, key.length < LONG_TEXT ? crc32c.ofBytes : longCrc32c)
      : crc32c.ofString(key),
  fnv1a: fnv1a.ofString,
  'java-string': javaString.ofString,
} as const satisfies Record<HashName, (key: string) => number>

/** Hash of one key of bytes, signed 32 bits. */
export const HASH_OF_BYTES = {
  murmur2: (key: Uint8Array): number =>
    key.length < LONG_BYTES ? murmur2.ofBytes(key, 0, key.length) : longMurmur2(key, 0, key.length),
  murmur3: (key: Uint8Array): number =>
    key.length < LONG_BYTES ? murmur3.ofBytes(key, 0, key.length) : longMurmur3(key, 0, key.length),
  crc32: (key: Uint8Array): number =>
    key.length < LONG_CRC32_BYTES ? crc32.ofWhole(key) : longCrc32(key, 0, key.length),
  crc32c: (key: Uint8Array): number =>
    key.length < LONG_BYTES ? crc32c.ofBytes(key, 0, key.length) : longCrc32c(key, 0, key.length),
  fnv1a: (key: Uint8Array): number => fnv1a.ofBytes(key, 0, key.length),
  'java-string': (key: Uint8Array): number =>
    key.length < LONG_JAVA_STRING_BYTES
      ? javaString.ofBytes(key, 0, key.length)
      : engine().hashBytes('java-string', key, key.length),
} as const satisfies Record<HashName, (key: Uint8Array) => number>

/**
 * Hash of one key, signed 32 bits. Each is written out: functions that one maker makes share what V8 learns about their calls, and
 * it inlines none of them.
 */
export const HASH_OF_KEY = {
  murmur2(key: Key): number {
    if (typeof key === 'string') return HASH_OF_TEXT.murmur2(key)
    if (isBytes(key)) return HASH_OF_BYTES.murmur2(key)
    throw wrongKey(key)
  },
  murmur3(key: Key): number {
    if (typeof key === 'string') return HASH_OF_TEXT.murmur3(key)
    if (isBytes(key)) return HASH_OF_BYTES.murmur3(key)
    throw wrongKey(key)
  },
  crc32(key: Key): number {
    if (typeof key === 'string') return HASH_OF_TEXT.crc32(key)
    if (isBytes(key)) return HASH_OF_BYTES.crc32(key)
    throw wrongKey(key)
  },
  crc32c(key: Key): number {
    if (typeof key === 'string') return HASH_OF_TEXT.crc32c(key)
    if (isBytes(key)) return HASH_OF_BYTES.crc32c(key)
    throw wrongKey(key)
  },
  fnv1a(key: Key): number {
    if (typeof key === 'string') return HASH_OF_TEXT.fnv1a(key)
    if (isBytes(key)) return HASH_OF_BYTES.fnv1a(key)
    throw wrongKey(key)
  },
  'java-string'(key: Key): number {
    if (typeof key === 'string') return HASH_OF_TEXT['java-string'](key)
    if (isBytes(key)) return HASH_OF_BYTES['java-string'](key)
    throw wrongKey(key)
  },
} as const satisfies Record<HashName, (key: Key) => number>

/** The error for a key that is neither text nor bytes. */
export function wrongKey(key: unknown): Error {
  return codedError('ERR_PLACEMENT_KEY_TYPE', `key: expected a string or bytes, got ${shown(key)}`)
}
