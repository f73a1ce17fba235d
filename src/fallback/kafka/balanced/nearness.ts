/**
 * Which members are near which partitions, and how the partitions of a topic that change hands come near most often.
 *
 * For `balanced`. Twin of native/core/src/kafka/balanced/nearness.rs.
 * Far is a partition that has replicas in known racks, none of them the rack of the member; a member without a rack is near
 * to all. Members of one rack are alike, and partitions of one set of racks: what changes hands is a matching of sets and
 * racks, found by making room along racks that could swap.
 */
import type { AssignProblem, AssignRacks } from '../../../engine/assign-contract.js'
import { racksOf } from '../racks.js'

export class Nearness {
  readonly #racks: AssignRacks
  /** The place of each rack: in the order of the first member that it has; -1 for one without. */
  readonly #places: Int32Array
  /** The place of each member's rack, by rank; the last of all for a member without one. */
  readonly rackOf: Uint32Array
  /** How many places there are. */
  readonly count: number

  private constructor(racks: AssignRacks, memberOrder: Uint32Array) {
    this.#racks = racks
    this.#places = new Int32Array(racks.count).fill(-1)
    let places = 0
    for (const member of memberOrder) {
      const rack = racks.ofMember[member]!
      if (rack >= 0 && this.#places[rack] === -1) this.#places[rack] = places++
    }
    this.count = places + 1
    this.rackOf = memberOrder.map((member) => this.#places[racks.ofMember[member]!] ?? places)
  }

  /** `null` where no member has a rack. */
  static of({ racks, memberOrder }: AssignProblem): Nearness | null {
    return racks === null ? null : new Nearness(racks, memberOrder)
  }

  isFar(member: number, slot: number): boolean {
    const near = racksOf(this.#racks, slot)
    const place = this.rackOf[member]!
    return place + 1 < this.count && near.length > 0 && !near.some((rack) => this.#places[rack] === place)
  }

  setOf(slot: number): number {
    return this.#racks.setOf[slot]!
  }

  /** Places near to a set, that of the members without a rack among them. */
  near(set: number): Uint32Array {
    const { setOffsets, setRacks } = this.#racks
    const some = setRacks.subarray(setOffsets[set]!, setOffsets[set + 1]!)
    const places = Int32Array.from(some, (rack) => this.#places[rack]!).filter((place) => place !== -1)
    if (some.length === 0) return Uint32Array.from({ length: this.count }, (_, place) => place)
    return Uint32Array.of(...places.sort(), this.count - 1)
  }
}

/** How many of some slots are near to each place. */
export function wantsOf(nearness: Nearness, slots: Iterable<number>): Uint32Array {
  const wants = new Uint32Array(nearness.count)
  for (const slot of slots) for (const place of nearness.near(nearness.setOf(slot))) wants[place]! += 1
  return wants
}

/** Partitions of a topic, by sets of racks, on their way to racks that have room. */
export class RackMatching {
  readonly #nearness: Nearness
  readonly #rooms: Uint32Array
  readonly #sets = new Map<number, { readonly racks: Uint32Array; readonly placed: Uint32Array }>()
  readonly #seen: Uint32Array
  #search = 0

  /** `rooms`: how many partitions each rack can take. */
  constructor(nearness: Nearness, rooms: Uint32Array) {
    this.#nearness = nearness
    this.#rooms = rooms
    this.#seen = new Uint32Array(rooms.length)
  }

  /** One more partition of the set; it stays without a rack if none near has room, even if others make some. */
  add(set: number): void {
    this.#search += 1
    this.#place(set)
  }

  #place(set: number): boolean {
    const { racks, placed } = this.#of(set)
    for (const rack of racks) {
      if (this.#seen[rack] === this.#search) continue
      this.#seen[rack] = this.#search
      if (this.#rooms[rack]! > 0) this.#rooms[rack]! -= 1
      else if (!this.#makeRoom(rack)) continue
      placed[rack]! += 1
      return true
    }
    return false
  }

  /** Sends a partition of any set from the rack to another one. */
  #makeRoom(rack: number): boolean {
    for (const [set, { placed }] of this.#sets) {
      if (placed[rack] === 0 || !this.#place(set)) continue
      placed[rack]! -= 1
      return true
    }
    return false
  }

  #of(set: number) {
    let known = this.#sets.get(set)
    if (known === undefined) {
      known = { racks: this.#nearness.near(set), placed: new Uint32Array(this.#rooms.length) }
      this.#sets.set(set, known)
    }
    return known
  }

  /** The rack of the next partition of a set, lowest first; -1 for one that is near nowhere. */
  take(set: number): number {
    const { placed } = this.#of(set)
    const rack = placed.findIndex((count) => count > 0)
    if (rack !== -1) placed[rack]! -= 1
    return rack
  }

  /** A rack that has room left. */
  takeAny(): number {
    const rack = this.#rooms.findIndex((room) => room > 0)
    this.#rooms[rack]! -= 1
    return rack
  }
}
