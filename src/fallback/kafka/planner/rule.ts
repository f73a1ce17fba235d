/**
 * The rack rule as a box: of a partition of so many replicas, each rack has at least `low` and at most `high`.
 *
 * Twin of native/core/src/kafka/planner/rule.rs. A legal set of brokers is one inside the box, no broker twice, every broker
 * in: the bases of a matroid, which is why single exchanges find the best of them.
 */
import type { PlanProblem } from '../../../engine/plan-contract.js'

/** No broker, no group, no slot. */
export const NONE = 0xffffffff

/** Partitions of one replication factor; `low` and `high` per rack. */
export interface Class {
  readonly partitions: number
  low: number[]
  high: number[]
}

/** Whether the rule leaves open how many are in that rack. */
export function isOpen({ partitions, low, high }: Class, rack: number): boolean {
  return partitions > 0 && high[rack]! > low[rack]!
}

/** The number of replicas that partition `p` shall have. */
export function factorOf({ factors, offsets }: PlanProblem, p: number): number {
  return factors === null ? offsets[p + 1]! - offsets[p]! : factors[p]!
}

/** How many brokers of each rack are in. */
export function brokersIn({ racks, rackOf, isIn }: PlanProblem): number[] {
  const counts = new Array<number>(racks).fill(0)
  for (let b = 0; b < rackOf.length; b++) counts[rackOf[b]!]! += isIn[b]!
  return counts
}

/** The class of each replication factor, at its own index. */
export function classesOf(problem: PlanProblem): Class[] {
  const brokers = brokersIn(problem)
  const sizes: number[] = []
  for (let p = 0; p + 1 < problem.offsets.length; p++) {
    const factor = factorOf(problem, p)
    while (sizes.length <= factor) sizes.push(0)
    sizes[factor]! += 1
  }
  return sizes.map((partitions, factor) => ({ partitions, ...boxed(problem.rule, factor, brokers) }))
}

function boxed(rule: PlanProblem['rule'], factor: number, brokers: readonly number[]): Pick<Class, 'low' | 'high'> {
  const capped = (most: number): number[] => brokers.map((k) => Math.min(k, most))
  const level = rule === 'spread' ? spreadLevel(factor, brokers) : Number(factor > sum(capped(1)))
  const low = capped(level)
  if (sum(low) === factor) return { low, high: low.slice() }
  return { low, high: rule === 'distinct' && level === 1 ? brokers.slice() : capped(level + 1) }
}

/** The largest level that the racks can be filled to by so many replicas. */
function spreadLevel(factor: number, brokers: readonly number[]): number {
  const full = Math.max(0, ...brokers)
  for (let level = 0; level < full; level++) {
    if (sum(brokers.map((k) => Math.min(k, level + 1))) > factor) return level
  }
  return full
}

export function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}
