/**
 * What each broker should have where brokers have weights: count over weight is water-filled, in fractions that are compared
 * exactly.
 *
 * Twin of native/core/src/kafka/planner/weighted.rs. The totals of the racks are found in two steps: shifts of 2^j … 1
 * replicas as if each rack were one broker of all its weight, then single replicas by what the dearest of one rack gains and
 * the cheapest of another pays. A step off a broker gains `(2 x - 1) / w`, a step onto it costs `(2 x + 1) / w`.
 */
import type { PlanProblem } from '../../../engine/plan-contract.js'
import { RackTotals } from './levels.js'
import { brokersIn, type Class, NONE, sum } from './rule.js'

/** A fraction of positive terms; its parts multiplied with another's stay below 2^53. */
type Price = readonly [over: number, under: number]

const isLess = (one: Price, other: Price): boolean => one[0] * other[1] < other[0] * one[1]

const MILLION = 1_000_000

/** How many replicas each broker should have, were it not that no partition is twice on a broker. */
export function targetsOf(problem: PlanProblem, weights: Uint32Array, classes: readonly Class[]): Uint32Array {
  const filling = new Filling(problem, weights, classes)
  filling.settle()
  return filling.loads
}

class Filling {
  readonly #weights: Uint32Array
  /** Brokers of each rack that are in, and their weight together. */
  readonly #inRack: readonly number[][]
  readonly #weight: readonly number[]
  /** That weight in parts of a million of the heaviest rack's. */
  readonly #coarse: readonly number[]
  readonly #totals: RackTotals
  /** Per broker. */
  readonly loads: Uint32Array

  constructor(problem: PlanProblem, weights: Uint32Array, classes: readonly Class[]) {
    this.#weights = weights
    this.#inRack = Array.from({ length: problem.racks }, () => [])
    for (let b = 0; b < problem.isIn.length; b++) if (problem.isIn[b] === 1) this.#inRack[problem.rackOf[b]!]!.push(b)
    this.#weight = this.#inRack.map((brokers) => sum(brokers.map((b) => weights[b]!)))
    const heaviest = Math.max(1, ...this.#weight)
    this.#coarse = this.#weight.map((weight) => Math.ceil((weight * MILLION) / heaviest))
    this.#totals = new RackTotals(brokersIn(problem), classes)
    this.loads = new Uint32Array(problem.isIn.length)
  }

  settle(): void {
    const all = sum(this.#totals.sums)
    let amount = 1
    while (amount * 2 <= all) amount *= 2
    for (; amount >= 1; amount = Math.floor(amount / 2)) {
      while (this.#fromAll((from) => this.#shift(from, amount))) {
        // Until no rack gains by it.
      }
    }
    for (const rack of this.#inRack.keys()) this.#fill(rack)
    while (this.#fromAll((from) => this.#shiftOne(from))) {
      // Until no single replica gains.
    }
  }

  #fromAll(shift: (from: number) => boolean): boolean {
    let any = false
    for (const from of this.#inRack.keys()) any = shift(from) || any
    return any
  }

  /** Whole racks, each as one broker: what lowers squares over weights most. */
  #shift(from: number, amount: number): boolean {
    const { sums } = this.#totals
    if (sums[from]! < amount) return false
    const parents = this.#totals.parents(from, amount)
    let [least, best]: [Price, number] = [[2 * sums[from]! - amount, this.#coarse[from]!], from]
    for (const to of this.#inRack.keys()) {
      if (to === from || parents[to] === NONE || this.#weight[to] === 0) continue
      const pays: Price = [2 * sums[to]! + amount, this.#coarse[to]!]
      if (isLess(pays, least)) [least, best] = [pays, to]
    }
    return best !== from && this.#totals.carry(parents, [from, best], amount)
  }

  /** Water inside a rack: near by proportion, then one by one. */
  #fill(rack: number): void {
    const total = this.#totals.sums[rack]!
    let filled = 0
    for (const b of this.#inRack[rack]!) {
      this.loads[b] = Math.floor((total * this.#weights[b]!) / this.#weight[rack]!)
      filled += this.loads[b]!
    }
    for (; filled < total; filled++) {
      const to = this.#cheapest(rack)
      if (to === -1) return
      this.loads[to]! += 1
    }
    this.#smooth(rack)
  }

  #smooth(rack: number): void {
    for (;;) {
      const [from, to] = [this.#dearest(rack), this.#cheapest(rack)]
      if (from === -1 || !isLess(this.#pays(to), this.#gains(from))) return
      this.loads[from]! -= 1
      this.loads[to]! += 1
    }
  }

  #shiftOne(from: number): boolean {
    const giver = this.#dearest(from)
    if (giver === -1) return false
    const parents = this.#totals.parents(from, 1)
    let [least, best, taker] = [this.#gains(giver), -1, -1]
    for (const to of this.#inRack.keys()) {
      const one = to === from || parents[to] === NONE ? -1 : this.#cheapest(to)
      if (one !== -1 && isLess(this.#pays(one), least)) [least, best, taker] = [this.#pays(one), to, one]
    }
    if (best === -1) return false
    this.loads[giver]! -= 1
    this.loads[taker]! += 1
    return this.#totals.carry(parents, [from, best], 1)
  }

  /** What a step off a broker saves; it has one. */
  #gains(b: number): Price {
    return [2 * this.loads[b]! - 1, this.#weights[b]!]
  }

  /** What a step onto a broker costs. */
  #pays(b: number): Price {
    return [2 * this.loads[b]! + 1, this.#weights[b]!]
  }

  /** The first of a rack that pays least, or -1. */
  #cheapest(rack: number): number {
    let best = -1
    for (const b of this.#inRack[rack]!) if (best === -1 || isLess(this.#pays(b), this.#pays(best))) best = b
    return best
  }

  /** The first of a rack that gains most, or -1. */
  #dearest(rack: number): number {
    let best = -1
    for (const b of this.#inRack[rack]!) {
      if (this.loads[b]! > 0 && (best === -1 || isLess(this.#gains(best), this.#gains(b)))) best = b
    }
    return best
  }
}
