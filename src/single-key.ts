/**
 * One key, one call: the road of a gateway. A native call costs more than the hash of a short key, so JavaScript takes
 * the short ones and the engine the long ones.
 */
import { engine } from './engine/index.js'
import { codedError, shown } from './errors.js'
import { HASHES } from './fallback/hash/index.js'
import { encodeJava } from './packing.js'
import { HASH_NAMES, type HashName, type Key } from './types.js'

/**
 * From this many UTF-16 units or bytes on the engine is asked; up to here the JavaScript loop is faster than the call.
 * docs/performance.md has the measurement; `npm run bench -- --row 9` repeats it.
 */
const CROSSING: Readonly<Record<HashName, readonly [string: number, bytes: number]>> = {
  murmur2: [400, 100],
  murmur3: [400, 100],
  crc32: [400, 100],
  crc32c: [400, 100],
  fnv1a: [400, 100],
  'java-string': [400, 100],
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
      if (key.length < longString || name === 'java-string') return ofString(key)
      return engine().hashBytes(name, encodeJava(key))
    }
    if (!(key instanceof Uint8Array)) throw wrongKey(key)
    return key.length < longBytes ? ofBytes(key, 0, key.length) : engine().hashBytes(name, key)
  }
}

function wrongKey(key: unknown): Error {
  return codedError('ERR_PLACEMENT_KEY_TYPE', `key: expected a string or bytes, got ${shown(key)}`)
}
