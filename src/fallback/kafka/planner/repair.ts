/**
 * Each partition by itself to a legal set that costs the fewest moves; what must be placed goes to the broker furthest below
 * its share.
 *
 * Twin of native/core/src/kafka/planner/repair.rs. All are stripped first, then filled, so that it is known who lacks how
 * much. No exchange inside one partition is cheaper afterwards: the start that the search for the fewest moves needs.
 */
import { mixed } from './chance.js'
import { inParts, type Turns } from './progress.js'
import { factorOf, NONE } from './rule.js'
import type { State } from './state.js'

/** `low` and `share`: what each broker should have at least, and what its room is measured against. */
export function* repair(state: State, low: Uint32Array, share: Uint32Array): Turns<void> {
  const broken: number[] = []
  yield* inParts(state.partitions, (from, to) => {
    for (let p = from; p < to; p++) if (!isLegal(state, p)) broken.push(p)
  })
  yield* inParts(broken.length, (from, to) => {
    for (let i = from; i < to; i++) strip(state, broken[i]!, share)
  })
  const filler = new Filler(state, low, share)
  yield* inParts(broken.length, (from, to) => {
    for (let i = from; i < to; i++) filler.fill(broken[i]!)
  })
}

function isLegal(state: State, p: number): boolean {
  const { offsets, now, problem } = state
  const factor = factorOf(problem, p)
  if (offsets[p + 1]! - offsets[p]! !== factor) return false
  const { low, high } = state.classOf(p)
  for (let slot = offsets[p]!; slot < offsets[p + 1]!; slot++) {
    const broker = now[slot]!
    if (broker === NONE || !state.isIn(broker) || isRepeated(state, p, slot)) return false
    const rack = state.rack(broker)
    if (high[rack]! < factor && state.countIn(p, rack) > high[rack]!) return false
  }
  return low.every((least, rack) => least === 0 || state.countIn(p, rack) >= least)
}

function isRepeated({ offsets, now }: State, p: number, slot: number): boolean {
  for (let before = offsets[p]!; before < slot; before++) if (now[before] === now[slot]) return true
  return false
}

/** Takes away what no legal set can keep, from the brokers that have most beyond their share. */
function strip(state: State, p: number, share: Uint32Array): void {
  for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
    const broker = state.now[slot]!
    if (broker !== NONE && (!state.isIn(broker) || isRepeated(state, p, slot))) state.put(slot, NONE)
  }
  for (let slot = surplus(state, p, share); slot !== -1; slot = surplus(state, p, share)) state.put(slot, NONE)
}

/** A slot of a rack that has too many, or, where the racks together have, of one that has more than the least; -1 for none. */
function surplus(state: State, p: number, share: Uint32Array): number {
  const { low, high } = state.classOf(p)
  const counts = low.map((_, rack) => state.countIn(p, rack))
  const anyOver = counts.some((count, rack) => count > high[rack]!)
  const needed = counts.reduce((total, count, rack) => total + Math.max(count, low[rack]!), 0)
  if (!anyOver && needed <= factorOf(state.problem, p)) return -1
  let best = -1
  let [most, tie] = [0, 0]
  for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
    const broker = state.now[slot]!
    if (broker === NONE) continue
    const rack = state.rack(broker)
    if (counts[rack]! <= (anyOver ? high : low)[rack]!) continue
    const [beyond, hash] = [state.load[broker]! - share[broker]!, mixed(p, broker)]
    if (best === -1 || beyond > most || (beyond === most && hash >= tie)) [best, most, tie] = [slot, beyond, hash]
  }
  return best
}

class Filler {
  readonly #state: State
  readonly #low: Uint32Array
  readonly #share: Uint32Array
  /** What the brokers of each rack lack. */
  readonly #lacking: number[]
  #bestRoom = 0
  #best = NONE

  constructor(state: State, low: Uint32Array, share: Uint32Array) {
    this.#state = state
    this.#low = low
    this.#share = share
    const lack = (total: number, b: number): number => total + Math.max(0, low[b]! - state.load[b]!)
    this.#lacking = state.inRack.map((brokers) => brokers.reduce(lack, 0))
  }

  fill(p: number): void {
    const state = this.#state
    let left = factorOf(state.problem, p) - state.size(p)
    for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]! && left > 0; slot++) {
      if (state.now[slot] !== NONE) continue
      const broker = this.#pick(p, slot)
      if (state.load[broker]! < this.#low[broker]!) this.#lacking[state.rack(broker)]! -= 1
      state.put(slot, broker)
      left -= 1
    }
  }

  #pick(p: number, slot: number): number {
    const racks = this.#openRacks(p)
    let rack = -1
    for (const one of racks) if (rack === -1 || this.#isNeedier(p, one, rack)) rack = one
    this.#best = NONE
    for (const one of this.#lacking[rack]! > 0 ? [rack] : racks) this.#findRoomiest(p, slot, one)
    return this.#best
  }

  #isNeedier(p: number, one: number, other: number): boolean {
    const [a, b] = [this.#lacking[one]!, this.#lacking[other]!]
    return a > b || (a === b && mixed(p, one) >= mixed(p, other))
  }

  /** Racks that still need a replica of this partition, or if none does, that may have one. */
  #openRacks(p: number): number[] {
    const { low, high } = this.#state.classOf(p)
    const racks = [...low.keys()]
    const below = (limit: readonly number[]): number[] =>
      racks.filter((rack) => limit[rack]! > 0 && this.#state.countIn(p, rack) < limit[rack]!)
    const needing = below(low)
    return needing.length === 0 ? below(high) : needing
  }

  /** The broker of a rack furthest below its share; of equal ones the first from a place that differs by slot. */
  #findRoomiest(p: number, slot: number, rack: number): void {
    const brokers = this.#state.inRack[rack]!
    const start = mixed(slot, rack) % brokers.length
    for (let i = 0; i < brokers.length; i++) {
      const broker = brokers[(start + i) % brokers.length]!
      const room = this.#share[broker]! - this.#state.load[broker]!
      if (this.#best !== NONE && room <= this.#bestRoom) continue
      if (!this.#state.holds(p, broker)) [this.#best, this.#bestRoom] = [broker, room]
    }
  }
}
