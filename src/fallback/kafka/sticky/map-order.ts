/**
 * Members in the order of the HashMap that the sticky assignors put them into.
 *
 * Twin of native/core/src/kafka/sticky/map_order.rs.
 */
import type { AssignProblem } from '../../../engine/assign-contract.js'
import { javaMapOrder } from '../java-map.js'
import { JavaTable, tableSizeFor } from '../java-table.js'

/** Buckets that the map begins with. */
const FIRST_TABLE = 16

/** Members in that order. */
export function mapOrderOf({ memberHashes, memberOrder }: AssignProblem): Uint32Array {
  return javaMapOrder(memberHashes, ranksOf(memberOrder), FIRST_TABLE)!
}

/**
 * Members in the order of the map when some were taken out of it, and after those were put back.
 *
 * It differs from the first order where a bucket is a tree, and behind the fixed ones of a bucket.
 */
export function mapOrdersWithout(
  { memberHashes, memberOrder }: AssignProblem,
  fixed: Uint8Array,
): { readonly without: Uint32Array; readonly after: Uint32Array } {
  const ranks = ranksOf(memberOrder)
  const memberAt: number[] = []
  const table = new JavaTable((a, b) => ranks[memberAt[a]!]! - ranks[memberAt[b]!]!, FIRST_TABLE)
  const nodeOf = memberHashes.map((hashCode, member) => {
    memberAt.push(member)
    return table.add(hashCode)
  })
  const inTurn = javaMapOrder(memberHashes, ranks, tableSizeFor(memberHashes.length))!
  const taken = inTurn.filter((member) => fixed[member] === 1)
  for (const member of taken) table.remove(nodeOf[member]!)
  const without = table.order().map((node) => memberAt[node]!)
  const hashes = Int32Array.from(taken, (member) => memberHashes[member]!)
  const places = taken.map((member) => ranks[member]!)
  for (const i of javaMapOrder(hashes, places, FIRST_TABLE)!) {
    memberAt.push(taken[i]!)
    table.add(hashes[i]!)
  }
  return { without, after: table.order().map((node) => memberAt[node]!) }
}

/** The place of each item of an order. */
export function ranksOf(order: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) ranks[order[i]!] = i
  return ranks
}
