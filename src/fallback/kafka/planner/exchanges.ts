/**
 * The broker graph: from each broker to each other, what it costs at least to move one replica there under the rack rule.
 *
 * Twin of native/core/src/kafka/planner/exchanges.rs. +1: a replica that stood still moves. 0: one that moves anyway goes
 * elsewhere, or one that stayed takes the place of another that could. -1: one goes home. Of several slots that do it at
 * that cost the lowest is named. The partitions are read in order, not broker by broker: a replica apart from the last one
 * read costs a walk to memory.
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

  constructor(state: State) {
    this.#brokers = state.brokers
    const pairs = state.brokers * state.brokers
    this.cost = new Int8Array(pairs).fill(NO_ARC)
    this.slot = new Uint32Array(pairs).fill(NONE)
    eachWayHome(state, (slot, from, home, cost) => this.set(this.pair(from, home), cost, slot))
    const free = new Missing(state, this, 0)
    for (let p = 0; p < state.partitions; p++) if (state.isTouched[p] === 1) free.take(p)
    const dear = new Missing(state, this, 1)
    for (let p = 0; p < state.partitions && dear.left > 0; p++) dear.take(p)
  }

  pair(from: number, to: number): number {
    return from * this.#brokers + to
  }

  set(pair: number, cost: number, slot: number): void {
    if (cost >= this.cost[pair]!) return
    this.cost[pair] = cost
    this.slot[pair] = slot
  }
}

/** A slot, the broker where it is, the one to go to, the cost. */
type Way = (slot: number, from: number, home: number, cost: number) => void

/** Every slot of a touched partition that could go to a broker which held it at the start. */
export function eachWayHome(state: State, way: Way): void {
  for (let p = 0; p < state.partitions; p++) {
    if (state.isTouched[p] === 0) continue
    for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
      const home = state.origin[slot]!
      if (home !== NONE && state.isIn(home) && !state.holds(p, home)) eachWayTo(state, p, home, way)
    }
  }
}

function eachWayTo(state: State, p: number, home: number, way: Way): void {
  for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
    const from = state.now[slot]!
    if (from === NONE || !state.mayCross(p, state.rack(from), state.rack(home))) continue
    way(slot, from, home, state.held(p, from) ? 0 : -1)
  }
}

/** Of each broker, the brokers for which no slot at a cost was found yet. */
class Missing {
  readonly #state: State
  readonly #exchanges: Exchanges
  readonly #cost: number
  /** By broker and rack. */
  readonly #brokers: number[][][]
  /** Of each broker, the racks of which some are. */
  readonly #racks: number[][]
  /** Pairs of a broker and a rack of which some are. */
  left = 0

  constructor(state: State, exchanges: Exchanges, cost: number) {
    this.#state = state
    this.#exchanges = exchanges
    this.#cost = cost
    const open = openPairs(state)
    const racksOf = (from: number): number[] => (state.isIn(from) ? open[state.rack(from)]! : [])
    this.#racks = Array.from({ length: state.brokers }, (_, from) =>
      racksOf(from).filter((rack) => state.inRack[rack]!.length > 0),
    )
    this.#brokers = this.#racks.map((racks, from) => {
      const brokers: number[][] = []
      for (const rack of racks) brokers[rack] = state.inRack[rack]!.filter((to) => to !== from)
      return brokers
    })
    for (const racks of this.#racks) this.left += racks.length
  }

  /** Crosses out the brokers that the slots of a partition could go to. */
  take(p: number): void {
    const { offsets, now } = this.#state
    for (let slot = offsets[p]!; slot < offsets[p + 1]!; slot++) {
      const from = now[slot]!
      if (from === NONE || this.#racks[from]!.length === 0) continue
      if (this.#state.held(p, from) === (this.#cost === 1)) this.#takeSlot(p, slot, from)
    }
  }

  #takeSlot(p: number, slot: number, from: number): void {
    const racks = this.#racks[from]!
    const home = this.#state.rack(from)
    let kept = 0
    for (const rack of racks) {
      const isDone = this.#state.mayCross(p, home, rack) && this.#takeRack(p, slot, from, rack)
      if (!isDone) racks[kept++] = rack
    }
    this.left -= racks.length - kept
    racks.length = kept
  }

  /** True where no broker of the rack is missing any more. */
  #takeRack(p: number, slot: number, from: number, rack: number): boolean {
    const exchanges = this.#exchanges
    const brokers = this.#brokers[from]![rack]!
    let kept = 0
    for (const to of brokers) {
      const pair = exchanges.pair(from, to)
      if (exchanges.cost[pair]! <= this.#cost) continue
      if (this.#state.holds(p, to) || this.#state.held(p, to)) brokers[kept++] = to
      else exchanges.set(pair, this.#cost, slot)
    }
    brokers.length = kept
    return kept === 0
  }
}

/** Of each rack, those between which some class lets replicas go. */
function openPairs({ classes, problem }: State): number[][] {
  const racks = Array.from({ length: problem.racks }, (_, rack) => rack)
  const open = (a: number, b: number): boolean => a === b || classes.some((one) => isOpen(one, a) && isOpen(one, b))
  return racks.map((a) => racks.filter((b) => open(a, b)))
}
