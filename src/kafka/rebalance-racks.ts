/**
 * Racks of a group's members and partitions, which events may change.
 *
 * For `kafka.rebalance`. Racks given in columns have their numbers for names.
 */
import { codedError } from '../errors.js'
import { RackSets, rackNumbers } from './group-objects.js'
import type { GroupTopic, RackColumns } from './group-types.js'

export class RackTable {
  readonly #names = new Map<string, number>()
  readonly #sets = new RackSets()
  /** The set of racks that holds the replicas of each slot; set 0 is the empty one. */
  readonly #setOf: Uint32Array

  constructor(slots: number) {
    this.#setOf = new Uint32Array(slots)
  }

  /** The number of a rack; -1 for none. */
  numberOf(rack: string): number {
    if (rack === '') return -1
    const number = this.#names.get(rack) ?? this.#names.size
    this.#names.set(rack, number)
    return number
  }

  /** Tells the racks of partitions from slot `from` on. `where` names the list in errors. */
  place(racks: NonNullable<GroupTopic['racks']>, from: number, where: string): void {
    racks.forEach((some, i) => {
      this.#setOf[from + i] = this.#sets.of(rackNumbers(some, `${where}[${i}]`, (rack) => this.numberOf(rack)))
    })
  }

  /** The same for all partitions, where they are numbered as the slots are. */
  placeColumns({ count, setOf, setOffsets, setRacks }: RackColumns, slotOf: (partition: number) => number): void {
    for (let rack = 0; rack < count; rack++) this.numberOf(String(rack))
    const sets = Array.from({ length: setOffsets.length - 1 }, (_, set) =>
      this.#sets.of([...setRacks.subarray(setOffsets[set]!, setOffsets[set + 1]!)].sort((a, b) => a - b)),
    )
    setOf.forEach((set, partition) => {
      this.#setOf[slotOf(partition)] = sets[set]!
    })
  }

  /** Forgets the racks of the slots `[from, to)`. */
  clear(from: number, to: number): void {
    this.#setOf.fill(0, from, to)
  }

  /** What `kafka.assign` takes; `null` where no member has a rack. `slots` are those that exist, `null` for all. */
  columns(ofMember: Int32Array, slots: Uint32Array | null): RackColumns | null {
    if (!ofMember.some((rack) => rack >= 0)) return null
    const setOf = slots === null ? this.#setOf : slots.map((slot) => this.#setOf[slot]!)
    return { count: this.#names.size, ofMember, setOf, ...this.#sets.columns() }
  }

  /** Names of the racks of the slots `[from, to)`; `null` where none has any. */
  namesOf(from: number, to: number): string[][] | null {
    if (this.#setOf.subarray(from, to).every((set) => set === 0)) return null
    const { setOffsets, setRacks } = this.#sets.columns()
    return Array.from(this.#setOf.subarray(from, to), (set) =>
      Array.from(setRacks.subarray(setOffsets[set]!, setOffsets[set + 1]!), (rack) => this.nameOf(rack)!),
    )
  }

  /** The name of a rack; `undefined` for -1. */
  nameOf(number: number): string | undefined {
    return [...this.#names.keys()][number]
  }
}

/** Refuses a list of racks that is not as long as the partitions it speaks of. */
export function checkRackCount(racks: GroupTopic['racks'], partitions: number, where: string): void {
  if (racks === undefined || racks.length === partitions) return
  throw codedError(
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    `${where}: expected one entry for each of ${partitions} new partitions, got ${racks.length}`,
  )
}
