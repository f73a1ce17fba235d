/** A topic's bundle as one writes it with npm's crc-32: the hash of the full name, and a binary search in the boundaries. */
import crc32 from 'crc-32'

/** Starts of N even bundles, as Pulsar cuts them: multiples of floor(2^32 / N); the last one takes the rest. */
export function evenStarts(count: number): number[] {
  const size = Math.floor(2 ** 32 / count)
  return Array.from({ length: count }, (_, i) => i * size)
}

/** Index of the bundle that holds the name. */
export function bundleIndex(name: string, starts: readonly number[] | Uint32Array): number {
  return search(crc32.str(name) >>> 0, starts)
}

/** Index of the last start that is not above the hash. */
export function search(hash: number, starts: readonly number[] | Uint32Array): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= hash) low = middle
    else high = middle
  }
  return low
}
