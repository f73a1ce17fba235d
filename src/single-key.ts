/**
 * One key, one call: the road of a gateway. A native call costs more than the hash of a short key, so JavaScript takes
 * the short ones and the engine the long ones.
 */
import { engine } from './engine/index.js'
import { codedError, shown } from './errors.js'
import { HASHES } from './fallback/hash/index.js'
import { utf8View } from './fallback/utf8.js'
import { HASH_NAMES, type HashName, type Key } from './types.js'

/**
 * From this many UTF-16 units or bytes on the engine is asked; below, JavaScript is faster than the call.
 *
 * Measured on Node 20 with AMD EPYC and the AVX-512 arm, best of 40 rounds on a busy machine, ns a key: JavaScript against
 * the call, the encoding of text counted in both. `npm run bench -- --row 9` repeats it.
 *
 * | hash | text of 200 | 400 | 600 | 2,000 | bytes of 128 | 300 | 600 | 2,000 |
 * |---|---|---|---|---|---|---|---|---|
 * | murmur2 | 204 296 | 329 354 | 468 427 | 1422 860 | 86 158 | 196 207 | 398 292 | 1307 674 |
 * | murmur3 | 222 313 | 365 376 | 512 436 | 1553 888 | 98 170 | 220 217 | 429 300 | 1435 691 |
 * | crc32, crc32c | 242 332 | 407 399 | 571 508 | 1731 1124 | 110 165 | 248 253 | 482 365 | 1624 919 |
 * | fnv1a | 294 448 | 517 663 | 748 903 | 2326 2476 | 139 248 | 332 435 | 661 768 | 2214 2300 |
 * | java-string | 282 – | 553 – | 824 – | 2723 – | 215 217 | 501 364 | 992 611 | 3373 1784 |
 *
 * FNV-1a is one chain of multiplications in any language. `String.hashCode` of text is of its units, which bytes are not.
 */
const CROSSING: Readonly<Record<HashName, readonly [string: number, bytes: number]>> = {
  murmur2: [448, 320],
  murmur3: [448, 320],
  crc32: [400, 320],
  crc32c: [400, 320],
  fnv1a: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  'java-string': [Number.POSITIVE_INFINITY, 128],
}

/** Hash of one key, signed 32 bits. A function for each hash, so that each call site stays of one shape. */
export const HASH_OF_KEY: Readonly<Record<HashName, (key: Key) => number>> = Object.fromEntries(
  HASH_NAMES.map((name) => [name, hashOfKey(name)]),
) as Record<HashName, (key: Key) => number>

function hashOfKey(name: HashName): (key: Key) => number {
  const { ofString, ofBytes } = HASHES[name]
  const [longString, longBytes] = CROSSING[name]
  return (key) => {
    if (typeof key === 'string') {
      return key.length < longString ? ofString(key) : engine().hashBytes(name, utf8View(key))
    }
    if (!(key instanceof Uint8Array)) throw wrongKey(key)
    return key.length < longBytes ? ofBytes(key, 0, key.length) : engine().hashBytes(name, key)
  }
}

function wrongKey(key: unknown): Error {
  return codedError('ERR_PLACEMENT_KEY_TYPE', `key: expected a string or bytes, got ${shown(key)}`)
}
