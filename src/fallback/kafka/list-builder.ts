/**
 * Collects who gets what, in the order in which it is given, and lays it out by member.
 *
 * For the client-side assignors. Twin of native/core/src/kafka/list_builder.rs.
 */
import type { AssignResult } from '../../engine/assign-contract.js'

const NOTHING = new Uint32Array(0)

/** Offsets from how many each member gets. */
export function offsetsOf(counts: Uint32Array): Uint32Array {
  const offsets = new Uint32Array(counts.length + 1)
  for (let i = 0; i < counts.length; i++) offsets[i + 1] = offsets[i]! + counts[i]!
  return offsets
}

/**
 * A column for so many values, over the memory of one that nobody reads any more where that is enough: the collector comes
 * late, and two columns would be there at once.
 */
export function columnOver({ buffer, length }: Int32Array | Uint32Array, values: number): Uint32Array {
  return values <= length ? new Uint32Array(buffer, 0, values) : new Uint32Array(values)
}

/** The result of an assignor that keeps no state and withholds nothing. */
export function plainResult(offsets: Uint32Array, values: Uint32Array): AssignResult {
  return { offsets, values, withheld: NOTHING, algorithm: null, maxGeneration: -1, clashes: NOTHING }
}

export class ListBuilder {
  readonly counts: Uint32Array
  #members = new Uint32Array(1024)
  #slots = new Uint32Array(1024)
  #length = 0

  constructor(members: number) {
    this.counts = new Uint32Array(members)
  }

  add(member: number, slot: number): void {
    if (this.#length === this.#slots.length) this.#double()
    this.#members[this.#length] = member
    this.#slots[this.#length] = slot
    this.#length += 1
    this.counts[member]! += 1
  }

  #double(): void {
    const [members, slots] = [this.#members, this.#slots]
    this.#members = new Uint32Array(2 * members.length)
    this.#slots = new Uint32Array(2 * slots.length)
    this.#members.set(members)
    this.#slots.set(slots)
  }

  result(): AssignResult {
    const offsets = offsetsOf(this.counts)
    const values = new Uint32Array(this.#length)
    const ends = offsets.slice(0, -1)
    for (let i = 0; i < this.#length; i++) values[ends[this.#members[i]!]!++] = this.#slots[i]!
    return plainResult(offsets, values)
  }
}
