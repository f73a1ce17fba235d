/**
 * What no plan can avoid, from the input and one number a broker.
 *
 * Twin of native/core/src/kafka/planner/bound.rs. For any numbers `x`, one a broker, a plan has at least this many moves:
 * over the partitions, the cheapest legal set where a broker costs its `x`, and one more if it is new; less the dearest that
 * level counts can cost by `x`. It shares nothing with the search; that the best numbers reach the plan's moves is the proof
 * that it has the fewest.
 */
import type { PlanProblem } from '../../../engine/plan-contract.js'
import type { Levels } from './levels.js'
import { inParts, type Turns } from './progress.js'
import { type Class, factorOf, NONE, sum } from './rule.js'

export class Bound {
  readonly #problem: PlanProblem
  /** The rack rule as it stands in the input, not as the levels tighten it. */
  readonly #classes: readonly Class[]
  /** Brokers of each rack that are in, the cheapest first. */
  readonly #inRack: number[][]
  readonly #potentials: Int32Array | Float64Array
  /** What a new replica of each partition costs; `null`: 1. */
  readonly #costs: Float64Array | null

  constructor(
    problem: PlanProblem,
    classes: readonly Class[],
    potentials: Int32Array | Float64Array,
    costs: Float64Array | null = null,
  ) {
    this.#problem = problem
    this.#costs = costs
    this.#classes = classes
    this.#potentials = potentials
    this.#inRack = Array.from({ length: problem.racks }, () => [])
    for (let b = 0; b < problem.isIn.length; b++) if (problem.isIn[b] === 1) this.#inRack[problem.rackOf[b]!]!.push(b)
    for (const brokers of this.#inRack) brokers.sort((a, b) => potentials[a]! - potentials[b]! || a - b)
  }

  /** The cheapest legal sets of all partitions together. */
  *ofPartitions(): Turns<number> {
    let total = 0
    yield* inParts(this.#problem.offsets.length - 1, (from, to) => {
      for (let p = from; p < to; p++) total += this.#ofPartition(p)
    })
    return total
  }

  /** The least of each rack is taken at any price; the rest is the cheapest of what the racks may have beyond. */
  #ofPartition(p: number): number {
    let left = factorOf(this.#problem, p)
    const { low, high } = this.#classes[left]!
    const more: number[] = []
    let total = 0
    for (let rack = 0; rack < this.#problem.racks; rack++) {
      if (high[rack] === 0) continue
      const costs = this.#cheapestIn(p, rack, high[rack]!)
      for (let i = 0; i < high[rack]!; i++) {
        if (i < low[rack]!) total += costs[i]!
        else more.push(costs[i]!)
      }
      left -= low[rack]!
    }
    more.sort((a, b) => a - b)
    return total + sum(more.slice(0, left))
  }

  #cheapestIn(p: number, rack: number, count: number): number[] {
    const { offsets, replicas, isIn, rackOf } = this.#problem
    const held = replicas.subarray(offsets[p]!, offsets[p + 1]!)
    const costs: number[] = []
    for (let i = 0; i < held.length; i++) {
      const broker = held[i]!
      const counts = isIn[broker] === 1 && rackOf[broker] === rack
      if (counts && held.indexOf(broker) === i) costs.push(this.#potentials[broker]!)
    }
    let left = count
    for (const broker of this.#inRack[rack]!) {
      if (left === 0) break
      if (held.includes(broker)) continue
      costs.push(this.#potentials[broker]! + (this.#costs?.[p] ?? 1))
      left -= 1
    }
    return costs.sort((a, b) => a - b)
  }

  /** The dearest that level counts can be. */
  ofLevels({ low, group, due }: Levels): number {
    const groups: number[][] = due.map(() => [])
    let total = 0
    for (const [b, potential] of this.#potentials.entries()) {
      total += low[b]! * potential
      if (group[b] !== NONE) groups[group[b]!]!.push(potential)
    }
    for (const [g, potentials] of groups.entries()) {
      total += sum(potentials.sort((a, b) => b - a).slice(0, due[g]))
    }
    return total
  }
}

/**
 * The potentials of a plan: the negatives of the distances, and beyond all of them for a rack where every partition has its
 * limit, so that the plain rule says what the tightened one did.
 */
export function potentialsOf({ rackOf }: PlanProblem, { tight }: Levels, distances: Int32Array): Int32Array {
  let [least, most] = [0, 0]
  for (const distance of distances) {
    least = Math.min(least, distance)
    most = Math.max(most, distance)
  }
  const beyond = most - least + 2
  return distances.map((distance, b) => -distance - tight[rackOf[b]!]! * beyond)
}

/** Moves that the counts alone explain: what the brokers lack, or have too much beyond what shall go altogether. */
export function boundByCounts(problem: PlanProblem, { low, high }: Levels): number {
  const load = new Array<number>(problem.isIn.length).fill(0)
  for (const broker of problem.replicas) load[broker]! += 1
  let wanted = 0
  for (let p = 0; p + 1 < problem.offsets.length; p++) wanted += factorOf(problem, p)
  const fewer = Math.max(0, problem.replicas.length - wanted)
  const over = load.reduce((total, now, b) => total + Math.max(0, now - high[b]!), 0)
  const under = load.reduce((total, now, b) => total + Math.max(0, low[b]! - now), 0)
  return Math.max(0, over - fewer, under)
}
