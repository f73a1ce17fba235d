/**
 * The broker graph: from each broker to each other, what it costs at least to move one replica there under the rack rule.
 *
 * Twin of native/core/src/kafka/planner/exchanges.rs. +1: a replica that stood still moves. 0: one that moves anyway goes
 * elsewhere, or one that stayed takes the place of another that could. -1: one goes home. The scan of a broker's replicas
 * ends when every pair has its answer.
 */
import { isOpen, NONE } from './rule.js'
import type { State } from './state.js'

/** What no replica can do. */
export const NO_ARC = 9

export class Exchanges {
  readonly #brokers: number
  /** Of each pair, `from * brokers + to`. */
  readonly cost: Int8Array
  /** A slot that does it at that cost. */
  readonly slot: Uint32Array
  /** First of the chain of ways home of each pair. */
  readonly #first: Uint32Array
  /** Slot and next of the chain. */
  readonly #slots: number[] = []
  readonly #next: number[] = []

  constructor(state: State) {
    this.#brokers = state.brokers
    const pairs = state.brokers * state.brokers
    this.cost = new Int8Array(pairs).fill(NO_ARC)
    this.slot = new Uint32Array(pairs).fill(NONE)
    this.#first = new Uint32Array(pairs).fill(NONE)
    this.#addWaysHome(state)
    const open = openPairs(state)
    for (let from = 0; from < state.brokers; from++) {
      if (state.isIn(from)) this.#addFrom(state, from, open[state.rack(from)]!)
    }
  }

  pair(from: number, to: number): number {
    return from * this.#brokers + to
  }

  /** The first way home of a pair that still serves, or `NONE`; what no longer does is dropped. */
  wayHome(pair: number, serves: (slot: number) => boolean): number {
    while (this.#first[pair] !== NONE) {
      const slot = this.#slots[this.#first[pair]!]!
      if (serves(slot)) return slot
      this.#first[pair] = this.#next[this.#first[pair]!]!
    }
    return NONE
  }

  #set(pair: number, cost: number, slot: number): void {
    if (cost >= this.cost[pair]!) return
    this.cost[pair] = cost
    this.slot[pair] = slot
  }

  #addWaysHome(state: State): void {
    for (const p of state.touched) {
      for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
        const home = state.origin[slot]!
        if (home !== NONE && state.isIn(home) && !state.holds(p, home)) this.#addWayHome(state, p, home)
      }
    }
  }

  #addWayHome(state: State, p: number, home: number): void {
    for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
      const from = state.now[slot]!
      if (from === NONE || !state.mayCross(p, state.rack(from), state.rack(home))) continue
      const pair = this.pair(from, home)
      this.#set(pair, state.held(p, from) ? 0 : -1, slot)
      this.#slots.push(slot)
      this.#next.push(this.#first[pair]!)
      this.#first[pair] = this.#slots.length - 1
    }
  }

  /** Guests first: what is new on the broker goes on at no cost; then what stood there from the start. */
  #addFrom(state: State, from: number, racks: readonly number[]): void {
    const free = new Missing(this, state, { from, racks, cost: 0 })
    for (const slot of state.guests[from]!) {
      if (state.now[slot] !== from || state.held(state.partitionOf[slot]!, from)) continue
      free.take(slot, (to) => this.#set(this.pair(from, to), 0, slot))
    }
    const dear = new Missing(this, state, { from, racks, cost: 1 })
    const take = (slot: number): void => {
      if (state.now[slot] !== from || !state.held(state.partitionOf[slot]!, from)) return
      dear.take(slot, (to) => this.#set(this.pair(from, to), 1, slot))
    }
    for (const slot of state.guests[from]!) {
      if (dear.left === 0) return
      take(slot)
    }
    for (let at = state.homeStarts[from]!; at < state.homeStarts[from + 1]! && dear.left > 0; at++) {
      take(state.homes[at]!)
    }
  }
}

interface Search {
  readonly from: number
  readonly racks: readonly number[]
  /** Pairs at this cost or below are not searched. */
  readonly cost: number
}

/** Brokers for which no slot at a cost was found yet, by rack. */
class Missing {
  readonly #state: State
  readonly #from: number
  readonly #racks: readonly number[]
  readonly #brokers: number[][]
  left = 0

  constructor(exchanges: Exchanges, state: State, { from, racks, cost }: Search) {
    this.#state = state
    this.#from = from
    this.#racks = racks
    const isDearer = (to: number): boolean => to !== from && exchanges.cost[exchanges.pair(from, to)]! > cost
    this.#brokers = racks.map((rack) => state.inRack[rack]!.filter(isDearer))
    for (const brokers of this.#brokers) this.left += brokers.length
  }

  /** Crosses out each broker that the slot could go to. */
  take(slot: number, found: (to: number) => void): void {
    const p = this.#state.partitionOf[slot]!
    const from = this.#state.rack(this.#from)
    for (const [i, rack] of this.#racks.entries()) {
      const brokers = this.#brokers[i]!
      if (brokers.length === 0 || !this.#state.mayCross(p, from, rack)) continue
      let kept = 0
      for (const to of brokers) {
        if (this.#state.holds(p, to) || this.#state.held(p, to)) brokers[kept++] = to
        else found(to)
      }
      this.left -= brokers.length - kept
      brokers.length = kept
    }
  }
}

/** Of each rack, those between which some class lets replicas go. */
function openPairs({ classes, problem }: State): number[][] {
  const racks = Array.from({ length: problem.racks }, (_, rack) => rack)
  const open = (a: number, b: number): boolean => a === b || classes.some((one) => isOpen(one, a) && isOpen(one, b))
  return racks.map((a) => racks.filter((b) => open(a, b)))
}
