/**
 * The most level counts that can be had without one more move, or at any number of moves: shortest chains of exchanges from a
 * heavy broker to a light one, until none helps.
 *
 * Twin of native/core/src/kafka/planner/even.rs. Level is by count over weight: least sum of squares over weights. A replica
 * goes from `s` to `t` where the step off the one is dearer than the step onto the other,
 * `(2 s - 1) / w(s) > (2 t + 1) / w(t)`; without weights, where they differ by two or more. With fewest arcs no shorter cut
 * exists, so that a chain may use a partition twice and is legal.
 */
import type { Exchanges, Seeker } from './exchanges.js'
import type { Turns } from './progress.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

/** Which exchanges count: those that cost no move, or all that keep the rules. */
export type Allowed = 'free' | 'any'

export function* even(state: State, exchanges: Exchanges, allowed: Allowed): Turns<void> {
  const evener = new Evener(state, exchanges, allowed)
  const order = [...evener.ins]
  for (let any = true; any; ) {
    any = false
    order.sort((a, b) => state.load[b]! - state.load[a]! || a - b)
    for (const from of order) {
      while (evener.relieve(from)) {
        any = true
        yield
      }
    }
  }
}

class Evener {
  readonly #state: State
  readonly #exchanges: Exchanges
  readonly #allowed: Allowed
  readonly ins: readonly number[]

  constructor(state: State, exchanges: Exchanges, allowed: Allowed) {
    this.#state = state
    this.#exchanges = exchanges
    this.#allowed = allowed
    this.ins = [...state.problem.rackOf.keys()].filter((b) => state.isIn(b))
  }

  /** Takes one replica off a broker, if a chain leads where it weighs less. */
  relieve(from: number): boolean {
    if (!this.ins.some((to) => this.#gains(from, to))) return false
    const reach = new Reach(this.#state.brokers, from, this.#allowed)
    for (let layer = [from]; layer.length > 0; ) {
      reach.found = []
      for (const at of layer) {
        reach.at = at
        this.#exchanges.seek(at, reach)
      }
      layer = reach.found
      let best = -1
      for (const to of layer) {
        if (this.#gains(from, to) && (best === -1 || this.#weighsLess(to, best))) best = to
      }
      if (best === -1) continue
      this.#shift(reach, best, from)
      return true
    }
    return false
  }

  #weight(broker: number): number {
    return this.#state.problem.weights?.[broker] ?? 1
  }

  #gains(from: number, to: number): boolean {
    const [a, b] = [this.#state.load[from]!, this.#state.load[to]!]
    return a > 0 && (2 * a - 1) * this.#weight(to) > (2 * b + 1) * this.#weight(from)
  }

  #weighsLess(one: number, other: number): boolean {
    const [a, b] = [this.#state.load[one]!, this.#state.load[other]!]
    return (2 * a + 1) * this.#weight(other) < (2 * b + 1) * this.#weight(one)
  }

  #shift({ before, by }: Reach, last: number, first: number): void {
    for (let to = last; to !== first; to = before[to]!) this.#state.give(by[to]!, before[to]!, to)
    this.#exchanges.update()
  }
}

/** Looks for brokers that were not reached before. */
export class Reach implements Seeker {
  readonly #isAny: boolean
  /** The broker that is looked from. */
  at: number
  /** The broker before each on the way, and the partition; `NONE` for one not reached. */
  readonly before: Uint32Array
  readonly by: Uint32Array
  found: number[] = []

  constructor(brokers: number, from: number, allowed: Allowed) {
    this.#isAny = allowed === 'any'
    this.at = from
    this.before = new Uint32Array(brokers).fill(NONE)
    this.by = new Uint32Array(brokers)
    this.before[from] = from
  }

  wants(to: number, cost: number): boolean {
    return (cost === 0 || this.#isAny) && this.before[to] === NONE
  }

  finds(to: number, _: number, partition: number): void {
    this.before[to] = this.at
    this.by[to] = partition
    this.found.push(to)
  }
}
