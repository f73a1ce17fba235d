/**
 * Kafka's murmur2 written by hand in JavaScript, in the two shapes that can win, apart from the product's own code.
 *
 * `overUnits` reads the string and looks at the end whether all was ASCII; `overBytes` encodes a batch of strings at once
 * and runs over whole words where a key begins at a multiple of four, else over bytes.
 */

const M = 0x5bd1e995
const SEED = 0x9747b28c

/** The hash of one string, read unit by unit; a key with a unit above 0x7f is hashed again from its bytes. */
export function overUnits(key: string): number {
  const n = key.length
  const whole = n & ~3
  let h = SEED ^ n
  let seen = 0
  for (let i = 0; i < whole; i += 4) {
    const c0 = key.charCodeAt(i)
    const c1 = key.charCodeAt(i + 1)
    const c2 = key.charCodeAt(i + 2)
    const c3 = key.charCodeAt(i + 3)
    seen |= c0 | c1 | c2 | c3
    let w = Math.imul(c0 | (c1 << 8) | (c2 << 16) | (c3 << 24), M)
    w ^= w >>> 24
    h = Math.imul(h, M) ^ Math.imul(w, M)
  }
  let rest = 0
  for (let i = n - 1; i >= whole; i--) rest = (rest << 8) | key.charCodeAt(i)
  for (let i = whole; i < n; i++) seen |= key.charCodeAt(i)
  if (seen > 0x7f) return ofBytes(Buffer.from(key))
  if (n !== whole) h = Math.imul(h ^ rest, M)
  h = Math.imul(h ^ (h >>> 13), M)
  return h ^ (h >>> 15)
}

/** The hash of bytes. */
export function ofBytes(bytes: Uint8Array): number {
  return ofRange(bytes, 0, bytes.length)
}

function ofRange(bytes: Uint8Array, from: number, to: number): number {
  const n = to - from
  let h = SEED ^ n
  let i = from
  for (; i + 3 < to; i += 4) {
    let w = Math.imul(bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24), M)
    w ^= w >>> 24
    h = Math.imul(h, M) ^ Math.imul(w, M)
  }
  if (i < to) {
    let rest = 0
    for (let j = to - 1; j >= i; j--) rest = (rest << 8) | bytes[j]!
    h = Math.imul(h ^ rest, M)
  }
  h = Math.imul(h ^ (h >>> 13), M)
  return h ^ (h >>> 15)
}

const BATCH = 1024
const encoder = new TextEncoder()

/** Partitions of many strings: join a batch, encode it once, hash the bytes. A batch that is not ASCII goes key by key. */
export function overBytes(keys: readonly string[], numPartitions: number, out: Int32Array): Int32Array {
  let bytes = new Uint8Array(BATCH * 192)
  for (let first = 0; first < keys.length; first += BATCH) {
    const some = keys.slice(first, first + BATCH)
    const text = some.join('')
    if (text.length * 3 > bytes.length) bytes = new Uint8Array(text.length * 3)
    const ascii = encoder.encodeInto(text, bytes).written === text.length
    for (let i = 0, at = 0; i < some.length; i++) {
      const key = some[i]!
      const hash = ascii ? ofRange(bytes, at, at + key.length) : overUnits(key)
      at += key.length
      out[first + i] = (hash & 0x7fffffff) % numPartitions
    }
  }
  return out
}
