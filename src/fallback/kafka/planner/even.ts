/**
 * The most level counts that can be had without one more move, or at any number of moves: shortest chains of exchanges from a
 * heavy broker to a light one, until none helps.
 *
 * Twin of native/core/src/kafka/planner/even.rs. Level is by count over weight: least sum of squares over weights. A replica
 * goes from `s` to `t` where the step off the one is dearer than the step onto the other,
 * `(2 s - 1) / w(s) > (2 t + 1) / w(t)`; without weights, where they differ by two or more. With fewest arcs no shorter cut
 * exists, so that a chain may use a partition twice and is legal.
 */
import { inParts, type Turns } from './progress.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

/** Which exchanges count: those that cost no move, or all that keep the rules. */
export type Allowed = 'free' | 'any'

export function* even(state: State, allowed: Allowed): Turns<void> {
  const evener = new Evener(state, allowed)
  yield* inParts(state.partitions, (from, to) => evener.listSlots(from, to))
  const order: number[] = []
  for (let b = 0; b < state.brokers; b++) if (state.isIn(b)) order.push(b)
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
  readonly #allowed: Allowed
  /** Slots of each broker that can take part; some may have left. */
  readonly #slots: number[][]
  /** The broker before each on the way, and the slot; `NONE` for one not reached. */
  readonly #before: Uint32Array
  readonly #by: Uint32Array
  #unreached: number[] = []

  constructor(state: State, allowed: Allowed) {
    this.#state = state
    this.#allowed = allowed
    this.#slots = Array.from({ length: state.brokers }, () => [])
    this.#before = new Uint32Array(state.brokers)
    this.#by = new Uint32Array(state.brokers)
  }

  /** Notes what the partitions' brokers can give. */
  listSlots(from: number, to: number): void {
    const { isTouched } = this.#state
    for (let p = from; p < to; p++) if (this.#allowed === 'any' || isTouched[p] === 1) this.#addSlots(p)
  }

  #addSlots(p: number): void {
    const { offsets, now } = this.#state
    for (let slot = offsets[p]!; slot < offsets[p + 1]!; slot++) {
      if (now[slot] !== NONE) this.#slots[now[slot]!]!.push(slot)
    }
  }

  /** Takes one replica off a broker, if a chain leads where it weighs less. */
  relieve(from: number): boolean {
    this.#unreached = []
    for (let b = 0; b < this.#state.brokers; b++) if (b !== from && this.#state.isIn(b)) this.#unreached.push(b)
    if (!this.#unreached.some((to) => this.#gains(from, to))) return false
    this.#before.fill(NONE)
    this.#before[from] = from
    for (let layer = [from]; layer.length > 0; ) {
      layer = layer.flatMap((at) => this.#reachFrom(at))
      let best = -1
      for (const to of layer) {
        if (this.#gains(from, to) && (best === -1 || this.#weighsLess(to, best))) best = to
      }
      if (best === -1) continue
      this.#shift(best, from)
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

  /** Brokers not reached before to which a replica of this one can go. */
  #reachFrom(at: number): number[] {
    const reached: number[] = []
    const { now, partitionOf } = this.#state
    for (const slot of this.#slots[at]!) {
      if (this.#unreached.length === 0) break
      if (now[slot] !== at) continue
      let kept = 0
      for (const to of this.#unreached) {
        if (!this.#canGo(partitionOf[slot]!, at, to)) {
          this.#unreached[kept++] = to
          continue
        }
        reached.push(to)
        this.#before[to] = at
        this.#by[to] = slot
      }
      this.#unreached.length = kept
    }
    return reached
  }

  #canGo(p: number, from: number, to: number): boolean {
    const state = this.#state
    if (state.holds(p, to)) return false
    if (this.#allowed === 'free' && state.held(p, to) !== state.held(p, from)) return false
    return state.mayCross(p, state.rack(from), state.rack(to))
  }

  #shift(last: number, first: number): void {
    for (let to = last; to !== first; to = this.#before[to]!) {
      const slot = this.#by[to]!
      this.#state.put(slot, to)
      this.#slots[to]!.push(slot)
    }
  }
}
