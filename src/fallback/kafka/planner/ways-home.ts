/**
 * Replicas that could go to a broker which held their partition at the start, and lost it.
 *
 * Twin of native/core/src/kafka/planner/ways_home.rs. -1 where the one that goes is new where it is; 0 where it was at home
 * too. What a partition has to offer changes only when it does: it is added anew each time, and what no longer serves is
 * dropped when it is met. Those of cost 0 are many, and added when the first is asked for.
 */
import { Pairs } from './pairs.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

const sideOf = (cost: number): 0 | 1 => (cost === 0 ? 1 : 0)

export class WaysHome {
  readonly #state: State
  /** First of the chain of each pair and cost, counted from 1; 0 for none. */
  readonly #first: Pairs
  /** Partition and next of the chain. */
  readonly #partitions: number[] = []
  readonly #next: number[] = []
  /** Of each broker, the others that it has, or had, a chain to, each once. */
  readonly #homes: readonly number[][]
  /** Partitions whose ways of cost 0 were not added yet. */
  #later: number[] = []

  constructor(state: State) {
    this.#state = state
    this.#first = new Pairs(state.brokers)
    this.#homes = Array.from({ length: state.brokers }, () => [])
  }

  /** A partition that has changed, and the brokers that lost it. */
  add(p: number, lost: readonly number[]): void {
    if (lost.length === 0) return
    this.#later.push(p)
    this.#putAll(p, lost, -1)
  }

  /** Adds the ways of cost 0. */
  complete(): void {
    if (this.#later.length === 0) return
    for (const p of this.#later) this.#putAll(p, this.#state.lost(p), 0)
    this.#later = []
  }

  #putAll(p: number, lost: readonly number[], cost: -1 | 0): void {
    const state = this.#state
    for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
      const from = state.now[slot]!
      if (from === NONE || state.held(p, from) !== (cost === 0)) continue
      for (const home of lost) if (state.mayCross(p, state.rack(from), state.rack(home))) this.#put(p, from, home, cost)
    }
  }

  #put(p: number, from: number, home: number, cost: -1 | 0): void {
    const side = sideOf(cost)
    const first = this.#first.get(from, home, side)
    if (first === 0 && this.#first.get(from, home, side === 0 ? 1 : 0) === 0) this.#homes[from]!.push(home)
    this.#partitions.push(p)
    this.#next.push(first)
    this.#first.set(from, home, side, this.#partitions.length)
  }

  /** Brokers that a way may lead to from there. */
  homes(from: number): readonly number[] {
    return this.#homes[from]!
  }

  /** A partition that serves, and is not on the way so far; or `NONE`. */
  find(way: readonly number[], from: number, to: number, cost: number): number {
    const side = sideOf(cost)
    let isFirst = true
    for (let next = this.#first.get(from, to, side); next !== 0; ) {
      const [p, after] = [this.#partitions[next - 1]!, this.#next[next - 1]!]
      const serves = this.#serves(p, from, to, cost)
      if (serves && !way.includes(p)) return p
      // A chain that became empty keeps its pair known.
      isFirst &&= !serves
      if (isFirst && after !== 0) this.#first.set(from, to, side, after)
      next = after
    }
    return NONE
  }

  #serves(p: number, from: number, to: number, cost: number): boolean {
    const state = this.#state
    if (!state.holds(p, from) || state.holds(p, to)) return false
    return state.held(p, from) === (cost === 0) && state.mayCross(p, state.rack(from), state.rack(to))
  }
}
