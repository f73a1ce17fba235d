/**
 * What a level plan is where brokers have weights: how many replicas each may have, and which of them have the one more.
 *
 * Twin of native/core/src/kafka/planner/weighted_levels.rs. A heavy broker can lack partitions to take, so that the totals of
 * racks do not tell the levels, as they do without weights. One level plan is made at any price: near by targets, then by
 * chains of exchanges, which end at the least sum of squares over weights. Other level plans differ from it by exchanges that
 * cost as much as they gain, `(2 x + 1) / w`: such a price is what groups the brokers that may have one more.
 */
import type { PlanProblem } from '../../../engine/plan-contract.js'
import { even, Reach } from './even.js'
import { Exchanges } from './exchanges.js'
import type { Levels } from './levels.js'
import type { Turns } from './progress.js'
import { repair } from './repair.js'
import { type Class, NONE } from './rule.js'
import { State } from './state.js'
import { targetsOf } from './weighted.js'

export function* weightedLevelsOf(
  problem: PlanProblem,
  weights: Uint32Array,
  classes: readonly Class[],
): Turns<Levels> {
  const targets = targetsOf(problem, weights, classes)
  const ideal = new State(problem, classes)
  yield* repair(ideal, targets, targets)
  approach(ideal, targets)
  const exchanges = new Exchanges(ideal)
  yield* exchanges.prepared()
  yield* even(ideal, exchanges, 'any')
  return new Spread(ideal, weights, exchanges).levels()
}

/** Replicas of brokers above their target go straight to brokers below theirs. */
function approach(state: State, targets: Uint32Array): void {
  const { load, now, partitionOf } = state
  const takes = (b: number): boolean => state.isIn(b) && load[b]! < targets[b]!
  let takers = [...targets.keys()].filter(takes)
  for (let slot = 0; slot < partitionOf.length && takers.length > 0; slot++) {
    const from = now[slot]!
    if (from === NONE || load[from]! <= targets[from]!) continue
    const to = takerOf(state, takers, slot)
    if (to === -1) continue
    state.put(slot, to)
    if (!takes(to)) takers = takers.filter((taker) => taker !== to)
  }
}

function takerOf(state: State, takers: readonly number[], slot: number): number {
  const [p, home] = [state.partitionOf[slot]!, state.rack(state.now[slot]!)]
  for (let i = 0; i < takers.length; i++) {
    const to = takers[(slot + i) % takers.length]!
    if (!state.holds(p, to) && state.mayCross(p, home, state.rack(to))) return to
  }
  return -1
}

/** A level plan, and what its exchanges cost. */
class Spread {
  readonly #state: State
  readonly #weights: Uint32Array
  readonly #exchanges: Exchanges
  readonly #ins: number[] = []

  constructor(state: State, weights: Uint32Array, exchanges: Exchanges) {
    this.#state = state
    this.#weights = weights
    this.#exchanges = exchanges
    for (let b = 0; b < state.brokers; b++) if (state.isIn(b)) this.#ins.push(b)
  }

  /** What the next step onto a broker costs, in lowest terms; one step back, what a step off it gains; `null` if it has none. */
  #price(b: number, stepsBack: 0 | 1): string | null {
    const load = this.#state.load[b]! - stepsBack
    if (load < 0) return null
    const [over, under] = [2 * load + 1, this.#weights[b]!]
    let [a, rest] = [over, under]
    while (rest > 0) [a, rest] = [rest, a % rest]
    return `${over / a}/${under / a}`
  }

  levels(): Levels {
    const { load, problem } = this.#state
    const low = Uint32Array.from(load)
    const high = Uint32Array.from(load)
    const group = new Uint32Array(low.length).fill(NONE)
    const prices: string[] = []
    const join = (b: number, count: number, at: number): void => {
      low[b] = count
      high[b] = count + 1
      group[b] = at
    }
    for (const from of this.#ins) {
      const gains = this.#price(from, 1)
      if (gains === null) continue
      for (const to of this.#equals(from, gains)) {
        const known = prices.indexOf(gains)
        const at = known === -1 ? prices.push(gains) - 1 : known
        join(from, load[from]! - 1, at)
        join(to, load[to]!, at)
      }
    }
    const due = prices.map(() => 0)
    for (const b of this.#ins) if (group[b] !== NONE) due[group[b]!]! += load[b]! - low[b]!
    return { low, high, group, due, tight: new Array<number>(problem.racks).fill(0) }
  }

  /** Brokers that a chain leads to, and that pay what is gained. */
  #equals(from: number, gains: string): number[] {
    if (!this.#ins.some((to) => this.#price(to, 0) === gains)) return []
    const reach = new Reach(this.#state.brokers, from, 'any')
    this.#exchanges.seek(from, reach)
    for (const at of reach.found) {
      reach.at = at
      this.#exchanges.seek(at, reach)
    }
    return reach.found.filter((to) => this.#price(to, 0) === gains)
  }
}
