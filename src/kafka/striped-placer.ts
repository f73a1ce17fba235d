/**
 * The brokers as Kafka's striped placer holds them, ready for any number of topics: grouped by rack, racks by name, and the
 * order in which the original walks its map of racks, since that is the order of its draws.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.metadata.placement.StripedReplicaPlacer. What differs from the obvious: a rack
 * named "" is not the rack of the brokers without one, but hashes alike.
 */
import type { StripedProblem } from '../engine/placement-contract.js'
import { ofString } from '../fallback/hash/java-string.js'
import { orderOfKeys } from './java-map-order.js'
import type { PlacementBroker } from './place-replicas.js'

/** The brokers, without a question. */
export type StripedBrokers = Omit<StripedProblem, 'replicationFactor' | 'random'>

/** Groups brokers, in the order in which the controller walks them. */
export function stripedBrokers(brokers: readonly PlacementBroker[]): StripedBrokers {
  const racks = [...new Set(brokers.map(({ rack }) => rack ?? null))]
  const names = [...racks].sort(compareRacks)
  const placeOf = new Map(names.map((name, place) => [name, place]))
  const members = names.map(() => ({ unfenced: [] as number[], fenced: [] as number[] }))
  for (const { id, rack, fenced = false } of brokers) {
    members[placeOf.get(rack ?? null)!]![fenced ? 'fenced' : 'unfenced'].push(id)
  }
  const unfenced = columnOf(members.map((rack) => rack.unfenced))
  const fenced = columnOf(members.map((rack) => rack.fenced))
  return {
    unfenced: unfenced.values,
    unfencedStarts: unfenced.starts,
    fenced: fenced.values,
    fencedStarts: fenced.starts,
    walk: Uint32Array.from(mapOrder(racks), (rack) => placeOf.get(racks[rack]!)!),
  }
}

function compareRacks(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  return a < b ? -1 : 1
}

/** `Optional` has no order of its own: where a bucket is full, Java goes on by the first come. */
function mapOrder(racks: readonly (string | null)[]): Uint32Array {
  const hashCodes = Int32Array.from(racks, (rack) => (rack === null ? 0 : ofString(rack)))
  return orderOfKeys({ hashCodes, compare: (a, b) => a - b }, 16)
}

function columnOf(lists: readonly number[][]) {
  const starts = new Uint32Array(lists.length + 1)
  for (const [i, list] of lists.entries()) starts[i + 1] = starts[i]! + list.length
  return { values: Int32Array.from(lists.flatMap((list) => list.sort((a, b) => a - b))), starts }
}
