/**
 * The order in which a `java.util.HashMap` is walked that was filled in a given order.
 *
 * For the constrained sticky assignor, the list order of range, and callers who want the order of the map that a group's
 * leader is handed. Source: OpenJDK 17, java.util.HashMap and HashSet. Twin of native/core/src/kafka/java_map.rs.
 * What differs from the obvious: the table grows while it is filled, and full buckets change that (see java-table.ts).
 * Where none is ever full, which is nearly always, the order is the buckets' one, and inside a bucket the one given.
 */
import { JavaTable, spread } from './java-table.js'

/** So many keys in one bucket make it full. */
const FULL = 9

/**
 * Positions of the keys in the order in which the map is walked.
 *
 * @param hashCodes `hashCode()` of distinct keys, in the order in which they are put
 * @param ranks place of each key in the order of `compareTo`; `null` where it is not known
 * @param tableSize buckets of the first table, a power of two: 16 by default in Java
 * @returns `null` where ranks decide and there are none
 */
export function javaMapOrder(hashCodes: Int32Array, ranks: Uint32Array | null, tableSize: number): Uint32Array | null {
  const buckets = finalBuckets(hashCodes, tableSize)
  return buckets === 0 ? exactOrder(hashCodes, ranks, tableSize) : bucketOrder(hashCodes, buckets)
}

/** Size of the table in the end; 0 if a bucket was full on the way there. */
function finalBuckets(hashCodes: Int32Array, tableSize: number): number {
  for (let buckets = tableSize; ; buckets *= 2) {
    const room = Math.floor(buckets * 0.75)
    // The key that is one too many is put before the table grows.
    if (hasFullBucket(hashCodes.subarray(0, room + 1), buckets)) return 0
    if (hashCodes.length <= room) return buckets
  }
}

function hasFullBucket(hashCodes: Int32Array, buckets: number): boolean {
  if (hashCodes.length < FULL) return false
  const counts = new Uint8Array(buckets)
  for (let i = 0; i < hashCodes.length; i++) {
    const bucket = spread(hashCodes[i]!) & (buckets - 1)
    counts[bucket]! += 1
    if (counts[bucket] === FULL) return true
  }
  return false
}

function bucketOrder(hashCodes: Int32Array, buckets: number): Uint32Array {
  const starts = new Uint32Array(buckets + 1)
  for (let i = 0; i < hashCodes.length; i++) starts[(spread(hashCodes[i]!) & (buckets - 1)) + 1]! += 1
  for (let bucket = 0; bucket < buckets; bucket++) starts[bucket + 1]! += starts[bucket]!
  const order = new Uint32Array(hashCodes.length)
  for (let i = 0; i < hashCodes.length; i++) order[starts[spread(hashCodes[i]!) & (buckets - 1)]!++] = i
  return order
}

function exactOrder(hashCodes: Int32Array, ranks: Uint32Array | null, tableSize: number): Uint32Array | null {
  let unknown = false
  const table = new JavaTable((a, b) => {
    unknown ||= ranks === null
    return ranks === null ? -1 : ranks[a]! - ranks[b]!
  }, tableSize)
  for (let i = 0; i < hashCodes.length; i++) table.add(hashCodes[i]!)
  return unknown ? null : table.order()
}
