/**
 * The member with the fewest partitions among some, ids deciding between equals, while counts go up and down.
 *
 * For the general sticky algorithm, which walks a sorted set of all members for it. Twin of
 * native/core/src/kafka/sticky/smallest.rs.
 * A heap of (count, place by id). Counts that went up since are put right when they come to the top; members whose count
 * went down stand in a log, and are put in again by whoever reads it next.
 */
import { NOBODY } from './claims.js'

/** Counts of all members, and who lost a partition, in order. */
export class Tally {
  readonly counts: Uint32Array
  /** 1 for a member that is out of the balancing. */
  readonly fixed: Uint8Array
  readonly lost: number[] = []

  constructor(members: number) {
    this.counts = new Uint32Array(members)
    this.fixed = new Uint8Array(members)
  }

  move(from: number, to: number): void {
    this.counts[from]! -= 1
    this.counts[to]! += 1
    this.lost.push(from)
  }
}

export class Smallest {
  readonly #tally: Tally
  /** Members ascending, each once. */
  readonly #members: Uint32Array
  readonly #rankOf: Uint32Array
  readonly #byRank: Uint32Array
  /** Keys `count * members + rank`, the least first. */
  #heap: number[]
  #read: number

  constructor(
    tally: Tally,
    members: Uint32Array,
    ranks: { readonly rankOf: Uint32Array; readonly byRank: Uint32Array },
  ) {
    this.#tally = tally
    this.#members = members
    this.#rankOf = ranks.rankOf
    this.#byRank = ranks.byRank
    this.#heap = []
    this.#read = 0
    this.#build()
  }

  #build(): void {
    this.#read = this.#tally.lost.length
    this.#heap = Array.from(this.#members, (member) => this.#keyOf(member))
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i--) this.#down(i)
  }

  /** The smallest, or -1 where all are fixed. */
  peek(): number {
    this.#readLog()
    const { counts, fixed } = this.#tally
    const width = this.#byRank.length
    while (this.#heap.length > 0) {
      const rank = this.#heap[0]! % width
      const count = (this.#heap[0]! - rank) / width
      const member = this.#byRank[rank]!
      if (fixed[member] === 1 || counts[member]! < count) this.#pop()
      else if (counts[member]! > count) {
        this.#heap[0] = this.#keyOf(member)
        this.#down(0)
      } else return member
    }
    return NOBODY
  }

  #readLog(): void {
    const { lost } = this.#tally
    if (lost.length - this.#read > this.#members.length) {
      this.#build()
      return
    }
    for (; this.#read < lost.length; this.#read++) {
      if (this.#has(lost[this.#read]!)) this.#push(this.#keyOf(lost[this.#read]!))
    }
  }

  #has(member: number): boolean {
    let [low, high] = [0, this.#members.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#members[middle]! < member) low = middle + 1
      else high = middle
    }
    return this.#members[low] === member
  }

  #keyOf(member: number): number {
    return this.#tally.counts[member]! * this.#byRank.length + this.#rankOf[member]!
  }

  #push(key: number): void {
    const heap = this.#heap
    let at = heap.push(key) - 1
    while (at > 0 && heap[(at - 1) >> 1]! > key) {
      heap[at] = heap[(at - 1) >> 1]!
      at = (at - 1) >> 1
    }
    heap[at] = key
  }

  #pop(): void {
    const last = this.#heap.pop()!
    if (this.#heap.length === 0) return
    this.#heap[0] = last
    this.#down(0)
  }

  #down(from: number): void {
    const heap = this.#heap
    const key = heap[from]!
    let at = from
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && heap[below + 1]! < heap[below]!) below += 1
      if (heap[below]! >= key) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = key
  }
}
