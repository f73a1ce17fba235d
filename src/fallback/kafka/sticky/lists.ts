/**
 * The members' lists of slots while slots are added and moved, in Java's order: what is moved goes to the end.
 *
 * For the general sticky algorithm. Twin of native/core/src/kafka/sticky/lists.rs.
 * A slot lies in one list, nearly always; a claim beyond the count makes the original hand slots out twice, and those
 * second places are kept aside.
 */
import { offsetsOf } from '../list-builder.js'
import { NOBODY } from './claims.js'
import type { Tally } from './smallest.js'

/** Where each slot lies, as it was at some time. */
interface Snapshot {
  readonly holder: Int32Array
  readonly turn: Uint32Array
  readonly secondHolder: readonly number[]
  readonly secondTurn: readonly number[]
  readonly counts: Uint32Array
}

export class Lists {
  /** The member that the original's map of partitions names: the last one that a slot was given to. */
  readonly owner: Int32Array
  readonly #tally: Tally
  /** Whose list a slot is in, and when it came there. */
  readonly #holder: Int32Array
  readonly #turn: Uint32Array
  /** The same for slots that lie in more than one place. */
  readonly #seconds = new Map<number, number[]>()
  readonly #secondSlot: number[] = []
  #secondHolder: number[] = []
  #secondTurn: number[] = []
  #turns = 0

  constructor(slots: number, tally: Tally) {
    this.owner = new Int32Array(slots).fill(NOBODY)
    this.#holder = new Int32Array(slots).fill(NOBODY)
    this.#turn = new Uint32Array(slots)
    this.#tally = tally
  }

  /** Slots that lie in more than one place. */
  doubled(): IterableIterator<number> {
    return this.#seconds.keys()
  }

  isDoubled(slot: number): boolean {
    return this.#seconds.size > 0 && this.#seconds.has(slot)
  }

  get anyDoubled(): boolean {
    return this.#seconds.size > 0
  }

  /** Whoever holds the slot, once for each place. */
  holders(slot: number): number[] {
    if (this.#holder[slot] === NOBODY) return []
    const seconds = this.#seconds.get(slot) ?? []
    return [this.#holder[slot]!, ...seconds.map((second) => this.#secondHolder[second]!)]
  }

  /** The one place of a slot that is not doubled. */
  holder(slot: number): number {
    return this.#holder[slot]!
  }

  add(slot: number, member: number): void {
    this.owner[slot] = member
    this.#tally.counts[member]! += 1
    if (this.#holder[slot] === NOBODY) {
      this.#holder[slot] = member
      this.#turn[slot] = this.#turns++
      return
    }
    const second = this.#secondSlot.push(slot) - 1
    this.#secondHolder.push(member)
    this.#secondTurn.push(this.#turns++)
    const seconds = this.#seconds.get(slot)
    if (seconds === undefined) this.#seconds.set(slot, [second])
    else seconds.push(second)
  }

  /** Takes the slot out of its owner's list, where it stands first, and puts it at the end of another. */
  move(slot: number, to: number): void {
    const from = this.owner[slot]!
    this.owner[slot] = to
    this.#tally.move(from, to)
    const second = this.#firstOf(slot, from)
    if (second === NOBODY) {
      this.#holder[slot] = to
      this.#turn[slot] = this.#turns++
    } else {
      this.#secondHolder[second] = to
      this.#secondTurn[second] = this.#turns++
    }
  }

  /** Which second place of the slot comes first in the member's list; -1 for its first place. */
  #firstOf(slot: number, member: number): number {
    if (!this.isDoubled(slot)) return NOBODY
    let [first, turn] = [NOBODY, this.#holder[slot] === member ? this.#turn[slot]! : Number.POSITIVE_INFINITY]
    for (const second of this.#seconds.get(slot)!) {
      if (this.#secondHolder[second] === member && this.#secondTurn[second]! < turn) {
        first = second
        turn = this.#secondTurn[second]!
      }
    }
    return first
  }

  snapshot(): Snapshot {
    return {
      holder: this.#holder.slice(),
      turn: this.#turn.slice(),
      secondHolder: [...this.#secondHolder],
      secondTurn: [...this.#secondTurn],
      counts: this.#tally.counts.slice(),
    }
  }

  restore(before: Snapshot): void {
    this.#holder.set(before.holder)
    this.#turn.set(before.turn)
    this.#secondHolder = [...before.secondHolder]
    this.#secondTurn = [...before.secondTurn]
    this.#tally.counts.set(before.counts)
  }

  /** The lists, laid out by member. */
  result(): { readonly offsets: Uint32Array; readonly values: Uint32Array } {
    const slots = this.#holder.length
    const atTurn = new Int32Array(this.#turns).fill(NOBODY)
    for (let slot = 0; slot < slots; slot++) if (this.#holder[slot] !== NOBODY) atTurn[this.#turn[slot]!] = slot
    this.#secondTurn.forEach((turn, second) => {
      atTurn[turn] = slots + second
    })
    const offsets = offsetsOf(this.#tally.counts)
    const values = new Uint32Array(offsets.at(-1)!)
    const ends = offsets.slice(0, -1)
    for (const place of atTurn) {
      if (place === NOBODY) continue
      const [slot, holder] =
        place < slots
          ? [place, this.#holder[place]!]
          : [this.#secondSlot[place - slots]!, this.#secondHolder[place - slots]!]
      values[ends[holder]!++] = slot
    }
    return { offsets, values }
  }
}
