/**
 * A Key_Shared ring as one writes it in JavaScript: points in a sorted array, a binary search for each key, murmur3 by hand.
 * As Pulsar 4.0 and later: points and hashes in 1..65535, the first consumer at a point keeps it.
 */

const C1 = 0xcc9e2d51
const C2 = 0x1b873593

/** murmur3 of bytes `[from, to)`, 31 bits. */
export function murmur3(bytes: Uint8Array, from: number, to: number): number {
  let h = 0
  let i = from
  for (; i + 3 < to; i += 4) {
    h ^= mixed(bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24))
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0
  }
  let rest = 0
  for (let at = to - 1; at >= i; at--) rest = (rest << 8) | bytes[at]!
  h ^= mixed(rest) ^ (to - from)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) & 0x7fffffff
}

function mixed(word: number): number {
  const k = Math.imul(word, C1)
  return Math.imul((k << 15) | (k >>> 17), C2)
}

/** The ring in two sorted arrays. */
export interface SortedRing {
  readonly points: Int32Array
  readonly owners: Int32Array
}

/** The ring of consumers with names of their own. */
export function sortedRing(names: readonly string[], points: number): SortedRing {
  const owners = new Map<number, number>()
  names.forEach((name, consumer) => {
    for (let i = 0; i < points; i++) {
      const key = Buffer.from(`${name}\u00000\u0000${i}`)
      const point = (murmur3(key, 0, key.length) % 65535) + 1
      if (!owners.has(point)) owners.set(point, consumer)
    }
  })
  const sorted = [...owners].sort((a, b) => a[0] - b[0])
  return { points: Int32Array.from(sorted, ([point]) => point), owners: Int32Array.from(sorted, ([, owner]) => owner) }
}

/** The owner of the least point at or above the hash of a key, beyond the last one of the first. */
export function ownerOf({ points, owners }: SortedRing, hash: number): number {
  const slot = (hash % 65535) + 1
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (points[middle]! < slot) low = middle + 1
    else high = middle
  }
  return owners[low === points.length ? 0 : low]!
}
