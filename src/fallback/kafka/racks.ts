/**
 * Which members share a rack with which partitions, and whether that matters to an assignor (KIP-881).
 *
 * For the client-side assignors. Source: Apache Kafka 4.4.0, AbstractPartitionAssignor.useRackAwareAssignment.
 * Twin of native/core/src/kafka/racks.rs.
 * What differs from the obvious: where every partition lies on every rack, racks do not matter; replicas that are offline
 * count; and a member without a rack fits everywhere.
 */
import type { AssignRacks } from '../../engine/assign-contract.js'

/** True if a replica of the slot lies on the rack. */
export function isOnRack({ setOf, setOffsets, setRacks }: AssignRacks, slot: number, rack: number): boolean {
  const set = setOf[slot]!
  for (let i = setOffsets[set]!; i < setOffsets[set + 1]!; i++) if (setRacks[i] === rack) return true
  return false
}

/** Racks of the slot's replicas, each once. */
export function racksOf({ setOf, setOffsets, setRacks }: AssignRacks, slot: number): Uint32Array {
  return setRacks.subarray(setOffsets[setOf[slot]!]!, setOffsets[setOf[slot]! + 1]!)
}

/**
 * True if racks matter: a member's rack holds replicas, and not every partition lies on all the racks that any lies on.
 * `sets` are those that the partitions lie on.
 */
export function racksMatter(racks: AssignRacks, members: Iterable<number>, sets: ReadonlySet<number>): boolean {
  const mine = new Set<number>()
  for (const member of members) if (racks.ofMember[member]! >= 0) mine.add(racks.ofMember[member]!)
  if (mine.size === 0) return false
  const sizes = new Map<number, number>()
  for (const set of sets) {
    for (let i = racks.setOffsets[set]!; i < racks.setOffsets[set + 1]!; i++) {
      sizes.set(racks.setRacks[i]!, (sizes.get(racks.setRacks[i]!) ?? 0) + 1)
    }
  }
  const disjoint = ![...mine].some((rack) => sizes.has(rack))
  return !disjoint && ![...sizes.values()].every((times) => times === sets.size)
}

/** True if the member has no rack, or the slot a replica there. */
export function fits(racks: AssignRacks, member: number, slot: number): boolean {
  const rack = racks.ofMember[member]!
  return rack < 0 || isOnRack(racks, slot, rack)
}

/** How many members are on the racks of each set. */
export function membersNear({ count, ofMember, setOffsets, setRacks }: AssignRacks): Uint32Array {
  const onRack = new Uint32Array(count)
  for (const rack of ofMember) if (rack >= 0) onRack[rack]! += 1
  const near = new Uint32Array(setOffsets.length - 1)
  for (let set = 0; set < near.length; set++) {
    for (let i = setOffsets[set]!; i < setOffsets[set + 1]!; i++) near[set]! += onRack[setRacks[i]!]!
  }
  return near
}
