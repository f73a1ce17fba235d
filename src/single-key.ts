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
 * `npm run bench -- --row crossing` measures it: docs/performance.md has the figures, ns a key of JavaScript and of the call,
 * the encoding of text counted in both. The two cross at 290 to 400 units of text and at 170 to 310 bytes, the first where a
 * process hashes Buffers and text beyond ASCII alike, the second where it hashes one of them alone and V8 knows the memory's
 * shape; the constants lie between. FNV-1a is one chain of multiplications in any language, and `String.hashCode` of text is
 * of its units, which bytes are not.
 */
const CROSSING: Readonly<Record<HashName, readonly [string: number, bytes: number]>> = {
  murmur2: [384, 256],
  murmur3: [384, 256],
  crc32: [352, 256],
  crc32c: [352, 256],
  fnv1a: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  'java-string': [Number.POSITIVE_INFINITY, 112],
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
