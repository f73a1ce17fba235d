/**
 * Partitions that are shared among members: of all topics together, or of one.
 *
 * For `simple`. Source: Apache Kafka 4.4.0, SimpleHomogeneousAssignmentBuilder and
 * SimpleHeterogeneousAssignmentBuilder.TopicAssignmentPartialBuilder, which do the same to different keys. Twin of
 * native/core/src/kafka/share/round.rs.
 * What differs from the obvious: how much a member should have is a difference of two rounded products of doubles; who
 * gives up what, and which partition comes first, are orders of hash maps; members below their due stand in one ring that
 * is walked on from partition to partition; where a partition wants one more and the ring has run empty in the meantime,
 * the original throws.
 */
import { javaMapOrder } from '../java-map.js'
import { JavaTable } from '../java-table.js'
import { FIRST_TABLE, numbersInSet, sizedTable } from '../server/held.js'

/** A member and a slot that it has. */
export type Holding = readonly [member: number, slot: number]

export class ShareRound {
  /** As many members should have each partition. */
  readonly #sharing: number
  /** How many partitions each member should have; 0 for those that do not take part. */
  readonly #due: Uint32Array
  readonly #members: Uint32Array
  readonly #targets: readonly number[]
  /** Slots of each member, members of each slot. */
  readonly #slotsOf = new Map<number, Set<number>>()
  readonly #holdersOf = new Map<number, Holders>()
  /** Keys of the slots in `#holdersOf`, as their map has them. */
  readonly #keys: JavaTable
  readonly #hashOf: (slot: number) => number

  /**
   * @param members those that take part, ascending
   * @param targets slots to share, in the order in which the original lists them
   * @param all how many members the group has
   * @param hashOf the hash code of a slot's key
   */
  constructor(members: Uint32Array, targets: readonly number[], all: number, hashOf: (slot: number) => number) {
    // Equal hash codes of other keys are ordered by where these lie in memory, in Java: here as given.
    this.#keys = new JavaTable((a, b) => a - b, sizedTable(targets.length))
    this.#hashOf = hashOf
    this.#members = members
    this.#targets = targets
    this.#sharing = targets.length === 0 ? 0 : Math.floor((members.length + targets.length - 1) / targets.length)
    this.#due = new Uint32Array(all)
    const each = (this.#sharing * targets.length) / members.length
    members.forEach((member, i) => {
      this.#due[member] = Math.ceil(each * (i + 1)) - Math.ceil(each * i)
    })
  }

  /**
   * Who has what in the end.
   *
   * @param held what members have, member by member, as the original walks it
   * @returns `null` where the original asks for the next of no members
   */
  share(held: readonly Holding[]): Holding[] | null {
    for (const [member, slot] of held) {
      this.#slots(member).add(slot)
      this.#holders(slot).add(member)
    }
    this.#takeOverDue()
    this.#takeOverShared()
    for (const slot of this.#targets) this.#holders(slot)
    return this.#deal() ? this.#holdings() : null
  }

  #holders(slot: number): Holders {
    let holders = this.#holdersOf.get(slot)
    if (holders === undefined) {
      holders = new Holders()
      this.#holdersOf.set(slot, holders)
      this.#keys.compute(this.#hashOf(slot))
    } else this.#keys.touch()
    return holders
  }

  #slots(member: number): Set<number> {
    let slots = this.#slotsOf.get(member)
    if (slots === undefined) {
      slots = new Set()
      this.#slotsOf.set(member, slots)
    }
    return slots
  }

  #takeOverDue(): void {
    for (const [member, slots] of this.#slotsOf) {
      const over = slots.size - this.#due[member]!
      if (over <= 0) continue
      const some = Array.from(slots)
      const order = orderInSet(Int32Array.from(some, this.#hashOf))
      for (const i of order.subarray(0, over)) this.#take(some[i]!, member)
    }
  }

  #takeOverShared(): void {
    for (const [slot, holders] of this.#holdersOf) {
      const over = holders.now.size - this.#sharing
      if (over > 0) for (const member of holders.inOrder().slice(0, over)) this.#take(slot, member)
    }
  }

  #take(slot: number, member: number): void {
    this.#holdersOf.get(slot)!.now.delete(member)
    this.#slots(member).delete(slot)
  }

  /** False where the ring is empty when it is asked for the next member. */
  #deal(): boolean {
    const below = this.#members.filter((member) => (this.#slotsOf.get(member)?.size ?? 0) < this.#due[member]!)
    const ring = new Ring(membersInMap(below, this.#due.length))
    if (ring.isEmpty()) return true
    const slots = Array.from(this.#holdersOf.keys())
    for (const i of this.#keys.order()) {
      if (!this.#dealOne(slots[i]!, ring)) return false
      if (ring.isEmpty()) return true
    }
    return true
  }

  /** The slot's holders stay as they were, so that a member can be dealt a slot twice and have it once. */
  #dealOne(slot: number, ring: Ring): boolean {
    const holders = this.#holdersOf.get(slot)!.now
    for (let wanted = this.#sharing - holders.size; wanted > 0; ) {
      if (ring.isAtEnd()) {
        if (!ring.gave) return true
        if (ring.isEmpty()) return false
        ring.restart()
      }
      const member = ring.next()
      if (holders.has(member)) continue
      wanted -= 1
      ring.gave = true
      const mine = this.#slots(member)
      mine.add(slot)
      if (mine.size >= this.#due[member]!) ring.dropLast()
    }
    return true
  }

  #holdings(): Holding[] {
    return Array.from(this.#slotsOf, ([member, slots]) => Array.from(slots, (slot): Holding => [member, slot])).flat()
  }
}

/** Members that have a slot: a set of integers, which keeps the size that it grew to. */
class Holders {
  readonly now = new Set<number>()
  readonly #ever: number[] = []

  add(member: number): void {
    this.now.add(member)
    this.#ever.push(member)
  }

  inOrder(): number[] {
    const order = numbersInSet(Int32Array.from(this.#ever), FIRST_TABLE)
    return Array.from(order, (i) => this.#ever[i]!).filter((member) => this.now.has(member))
  }
}

/** Members below their due, walked round and round. */
class Ring {
  /** True if a member of this turn was given something. */
  gave = false
  #members: Uint32Array
  #next = 0
  #kept = 0

  constructor(members: Uint32Array) {
    this.#members = members
  }

  isAtEnd(): boolean {
    return this.#next === this.#members.length
  }

  isEmpty(): boolean {
    return this.#kept === 0 && this.isAtEnd()
  }

  next(): number {
    const member = this.#members[this.#next++]!
    this.#members[this.#kept++] = member
    return member
  }

  /** Takes the member that came last out. */
  dropLast(): void {
    this.#kept -= 1
  }

  restart(): void {
    this.#members = this.#members.subarray(0, this.#kept)
    this.#next = 0
    this.#kept = 0
    this.gave = false
  }
}

/** Members in the order of a map of integers that is made for all of the group: ascending, up to 65,536 of them. */
export function membersInMap(members: Uint32Array, all: number): Uint32Array {
  return numbersInSet(Int32Array.from(members), sizedTable(all)).map((i) => members[i]!)
}

/** Positions in the order of a set. */
function orderInSet(hashCodes: Int32Array): Uint32Array {
  const asGiven = () => Uint32Array.from(hashCodes, (_, i) => i)
  return javaMapOrder(hashCodes, null, FIRST_TABLE) ?? javaMapOrder(hashCodes, asGiven(), FIRST_TABLE)!
}
