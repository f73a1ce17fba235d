/**
 * The members' lists of slots while slots are added and moved, in Java's order: what is moved goes to the end.
 *
 * For the general sticky algorithm. Twin of native/core/src/kafka/sticky/lists.rs.
 * Who holds a slot stands by slot, the order in a log, whose last word counts. A slot lies in one list, nearly always; a
 * claim beyond the count makes the original hand slots out twice, and those second places are kept aside.
 */
import { columnOver, offsetsOf } from '../list-builder.js'
import { NOBODY } from './claims.js'
import type { Tally } from './smallest.js'

/** Lists laid out by member, and who holds each slot. */
interface Laid {
  readonly offsets: Uint32Array
  readonly values: Uint32Array
  readonly holders: Int32Array
}

/** Slots that are kept, list after list; the column has room for all, and some moves. */
export interface KeptLog {
  readonly log: Uint32Array
  readonly length: number
}

/** Where a place was before a move. */
interface Undo {
  readonly place: number
  readonly holder: number
  readonly turn: number
}

export class Lists {
  readonly #tally: Tally
  /** Whose list a slot is in: its first place. */
  readonly #holder: Int32Array
  /** Places in the order in which they came into a list: that of a slot, or behind those the second ones. */
  #log: Uint32Array
  #turns: number
  /** The position in the log of each first place; `null` until a slot has a second one. */
  #turn: Uint32Array | null = null
  /** Places of slots that lie in more than one, and which of these a slot has. */
  readonly #secondSlot: number[] = []
  readonly #secondHolder: number[] = []
  readonly #secondTurn: number[] = []
  readonly #seconds = new Map<number, number[]>()
  /** Of those, the member that the original's map of partitions names: the last one that the slot was given to. */
  readonly #lastGiven = new Map<number, number>()
  /** Moves since the mark, and how long the log was then. */
  #undo: Undo[] = []
  #marked = 0

  /** Lists of what is kept: who keeps each slot, and the slots in the order in which they stand in the lists. */
  constructor(tally: Tally, holder: Int32Array, { log, length }: KeptLog) {
    this.#tally = tally
    this.#holder = holder
    this.#log = log
    this.#turns = length
  }

  /** Slots that lie in more than one place. */
  doubled(): IterableIterator<number> {
    return this.#seconds.keys()
  }

  isDoubled(slot: number): boolean {
    return this.#turn !== null && this.#seconds.has(slot)
  }

  get anyDoubled(): boolean {
    return this.#turn !== null
  }

  /** Whoever holds the slot, once for each place. */
  holders(slot: number): number[] {
    if (this.#holder[slot] === NOBODY) return []
    const seconds = this.#seconds.get(slot) ?? []
    return [this.#holder[slot]!, ...seconds.map((place) => this.#holderAt(place))]
  }

  /** The one place of a slot that is not doubled. */
  holder(slot: number): number {
    return this.#holder[slot]!
  }

  /** The member that the original's map of partitions names. */
  owner(slot: number): number {
    return (this.#turn === null ? undefined : this.#lastGiven.get(slot)) ?? this.#holder[slot]!
  }

  #holderAt(place: number): number {
    return this.#holder[place] ?? this.#secondHolder[place - this.#holder.length]!
  }

  #turnAt(place: number): number {
    return this.#turn![place] ?? this.#secondTurn[place - this.#holder.length]!
  }

  #put(place: number, holder: number, turn: number): void {
    const second = place - this.#holder.length
    if (second >= 0) {
      this.#secondHolder[second] = holder
      this.#secondTurn[second] = turn
      return
    }
    this.#holder[place] = holder
    if (this.#turn !== null) this.#turn[place] = turn
  }

  add(slot: number, member: number): void {
    this.#tally.counts[member]! += 1
    if (this.#holder[slot] === NOBODY) {
      this.#come(slot, member)
      return
    }
    this.#turn ??= this.#turnsSoFar()
    const place = this.#holder.length + this.#secondSlot.push(slot) - 1
    const seconds = this.#seconds.get(slot)
    if (seconds === undefined) this.#seconds.set(slot, [place])
    else seconds.push(place)
    this.#lastGiven.set(slot, member)
    this.#come(place, member)
  }

  /** A place comes to the end of a member's list. */
  #come(place: number, member: number): void {
    this.#put(place, member, this.#turns)
    if (this.#turns === this.#log.length) this.#lengthenLog()
    this.#log[this.#turns] = place
    this.#turns += 1
  }

  #lengthenLog(): void {
    const longer = new Uint32Array(this.#log.length + (this.#log.length >> 1) + 16)
    longer.set(this.#log)
    this.#log = longer
  }

  /** From now on it is asked which of a slot's places came first. */
  #turnsSoFar(): Uint32Array {
    const turns = new Uint32Array(this.#holder.length)
    for (let turn = 0; turn < this.#turns; turn++) turns[this.#log[turn]!] = turn
    return turns
  }

  /** Takes the slot out of its owner's list, where it stands first, and puts it at the end of another. */
  move(slot: number, to: number): void {
    const from = this.owner(slot)
    this.#tally.move(from, to)
    let place = slot
    if (this.isDoubled(slot)) {
      place = this.#firstOf(slot, from)
      this.#lastGiven.set(slot, to)
    }
    this.#undo.push({ place, holder: this.#holderAt(place), turn: this.#turn === null ? 0 : this.#turnAt(place) })
    this.#come(place, to)
  }

  /** Which place of the slot comes first in the member's list. */
  #firstOf(slot: number, member: number): number {
    let [first, turn] = [slot, Number.POSITIVE_INFINITY]
    for (const place of [slot, ...this.#seconds.get(slot)!]) {
      if (this.#holderAt(place) !== member || this.#turnAt(place) >= turn) continue
      first = place
      turn = this.#turnAt(place)
    }
    return first
  }

  /** Forgets how to take back what was moved so far. */
  mark(): void {
    this.#undo = []
    this.#marked = this.#turns
  }

  /** Takes all moves since the mark back; counts are the caller's. */
  restore(): void {
    for (const { place, holder, turn } of this.#undo.reverse()) this.#put(place, holder, turn)
    this.#turns = this.#marked
  }

  /** `spare` is a column of as many words as there are slots, which nobody reads any more. */
  result(spare: Uint32Array): Laid {
    const holder = this.#holder
    const offsets = offsetsOf(this.#tally.counts)
    const starts = offsets.slice(1)
    const values = columnOver(spare, offsets.at(-1)!)
    const hasMoves = this.#turns > values.length
    const seen = new Uint8Array(hasMoves ? holder.length + this.#secondSlot.length : 0)
    for (let turn = this.#turns - 1; turn >= 0; turn--) {
      const place = this.#log[turn]!
      if (hasMoves && seen[place] === 1) continue
      if (hasMoves) seen[place] = 1
      const isFirst = place < holder.length
      const member = isFirst ? holder[place]! : this.#secondHolder[place - holder.length]!
      const slot = isFirst ? place : this.#secondSlot[place - holder.length]!
      starts[member]! -= 1
      values[starts[member]!] = slot
    }
    return { offsets, values, holders: holder }
  }
}
