/**
 * The proof of a plan of a larger cluster, from the input and the potentials, by code of its own.
 *
 * Rules by their definitions. Counts are level where no chain of legal exchanges leads from a broker to one that has two
 * fewer. The bound: the cheapest of all ways to lie over the racks, partition by partition, less the dearest of all level
 * counts, which exchanges between brokers that differ by one reach from any of them.
 */
import type { PlannedReplicas, PlanProblem } from '../../src/engine/plan-contract.js'
import { countsOf, listsOf, movesBetween } from './claims.js'
import { factorAt, heldBy } from './judge.js'

/** How many replicas each rack has; descending. */
type Shape = string

class Rules {
  readonly #problem: PlanProblem
  readonly room: number[]
  readonly #best = new Map<number, Shape>()
  readonly #vectors = new Map<number, number[][]>()

  constructor(problem: PlanProblem) {
    this.#problem = problem
    this.room = new Array<number>(problem.racks).fill(0)
    for (const [b, rack] of problem.rackOf.entries()) this.room[rack]! += problem.isIn[b]!
  }

  /** All ways in which so many replicas can lie over the racks and keep the rule. */
  vectors(factor: number): number[][] {
    let known = this.#vectors.get(factor)
    if (known === undefined) {
      const all = waysOver(this.room, factor)
      const best = all.map((vector) => this.#rank(vector)).toSorted()[0]!
      this.#best.set(factor, best)
      known = all.filter((vector) => this.#rank(vector) === best)
      this.#vectors.set(factor, known)
    }
    return known
  }

  #rank(vector: readonly number[]): Shape {
    if (this.#problem.rule === 'spread') return vector.toSorted((a, b) => b - a).join()
    return String(vector.filter((count) => count === 0).length)
  }

  keeps(list: readonly number[]): boolean {
    const { rackOf, isIn, racks } = this.#problem
    const vector = new Array<number>(racks).fill(0)
    for (const broker of list) vector[rackOf[broker]!]! += 1
    this.vectors(list.length)
    const isOnce = new Set(list).size === list.length
    return isOnce && list.every((b) => isIn[b] === 1) && this.#rank(vector) === this.#best.get(list.length)
  }
}

function waysOver(room: readonly number[], factor: number): number[][] {
  if (room.length === 0) return factor === 0 ? [[]] : []
  const [first, ...rest] = room
  const ways: number[][] = []
  for (let count = 0; count <= Math.min(first!, factor); count++) {
    for (const way of waysOver(rest, factor - count)) ways.push([count, ...way])
  }
  return ways
}

/** A plan that is changed by exchanges. */
class Exchanging {
  readonly #problem: PlanProblem
  readonly #rules: Rules
  readonly #lists: number[][]
  readonly counts: number[]

  constructor(problem: PlanProblem, rules: Rules, lists: readonly (readonly number[])[]) {
    this.#problem = problem
    this.#rules = rules
    this.#lists = lists.map((list) => [...list])
    this.counts = countsOf(lists, problem.rackOf.length)
  }

  /** What squares over weights lose where one replica goes from a broker to another, times both weights. */
  gainOf(from: number, to: number): number {
    const [a, b] = [this.#problem.weights?.[from] ?? 1, this.#problem.weights?.[to] ?? 1]
    return this.counts[from] === 0 ? -1 : (2 * this.counts[from]! - 1) * b - (2 * this.counts[to]! + 1) * a
  }

  /** Brokers that one replica can leave that broker for, with the chain that leads there. */
  reachable(from: number): Map<number, [before: number, partition: number]> {
    const before = new Map<number, [number, number]>([[from, [-1, -1]]])
    const open = [from]
    for (const at of open) {
      for (const [p, list] of this.#lists.entries()) {
        if (!list.includes(at)) continue
        for (const to of this.#takers(list, at)) {
          if (before.has(to)) continue
          before.set(to, [at, p])
          open.push(to)
        }
      }
    }
    return before
  }

  #takers(list: readonly number[], from: number): number[] {
    const takers: number[] = []
    for (let to = 0; to < this.#problem.rackOf.length; to++) {
      if (list.includes(to) || this.#problem.isIn[to] === 0) continue
      if (this.#rules.keeps(list.map((broker) => (broker === from ? to : broker)))) takers.push(to)
    }
    return takers
  }

  apply(chain: Map<number, [number, number]>, last: number): void {
    this.counts[last]! += 1
    let to = last
    for (let [at, p] = chain.get(to)!; at !== -1; [at, p] = chain.get(to)!) {
      this.#lists[p] = this.#lists[p]!.map((broker) => (broker === at ? to : broker))
      to = at
    }
    this.counts[to]! -= 1
  }
}

/** One sentence for each thing that does not hold. */
export function wrongOfLarger(problem: PlanProblem, planned: PlannedReplicas): string[] {
  const rules = new Rules(problem)
  const lists = listsOf(planned)
  const moves = movesBetween(problem, lists)
  const wrong = lists
    .filter((list, p) => list.length !== factorAt(problem, p) || !rules.keeps(list))
    .map((list) => `${list} breaks a rule`)
  if (planned.moves !== moves || planned.bound !== moves)
    wrong.push(`says ${planned.moves} of ${planned.bound}, makes ${moves}`)
  if (problem.first === 'counts') wrong.push(...wrongCounts(problem, planned, { rules, lists, moves }))
  const zero = new Int32Array(problem.rackOf.length)
  const least = cheapest(problem, rules, zero)
  if (planned.boundByRules !== least) wrong.push(`bound by rules ${planned.boundByRules}, by the test ${least}`)
  if (problem.first === 'moves' && moves !== least) wrong.push(`${moves} moves, the rules ask for ${least}`)
  return wrong
}

interface Found {
  readonly rules: Rules
  readonly lists: readonly (readonly number[])[]
  readonly moves: number
}

function wrongCounts(problem: PlanProblem, { potentials }: PlannedReplicas, { rules, lists, moves }: Found): string[] {
  const plan = new Exchanging(problem, rules, lists)
  for (let from = 0; from < plan.counts.length; from++) {
    for (const to of plan.reachable(from).keys()) {
      if (plan.gainOf(from, to) > 0) return [`broker ${from} has ${plan.counts[from]}, and ${to} ${plan.counts[to]}`]
    }
  }
  const bound = cheapest(problem, rules, potentials) - dearestLevels(plan, potentials)
  return bound === moves ? [] : [`${potentials} prove ${bound}, the moves are ${moves}`]
}

function dearestLevels(plan: Exchanging, potentials: Int32Array): number {
  for (let any = true; any; ) {
    any = false
    for (let from = 0; from < plan.counts.length; from++) {
      const chain = plan.reachable(from)
      const better = [...chain.keys()].find(
        (to) => to !== from && plan.gainOf(from, to) === 0 && potentials[to]! > potentials[from]!,
      )
      if (better === undefined) continue
      plan.apply(chain, better)
      any = true
    }
  }
  return plan.counts.reduce((total, count, b) => total + count * potentials[b]!, 0)
}

function cheapest(problem: PlanProblem, rules: Rules, potentials: Int32Array): number {
  let total = 0
  for (let p = 0; p + 1 < problem.offsets.length; p++) {
    const held = heldBy(problem, p)
    const prefix: number[][] = rules.room.map(() => [])
    for (const [b, rack] of problem.rackOf.entries()) {
      if (problem.isIn[b] === 1) prefix[rack]!.push(potentials[b]! + (held.includes(b) ? 0 : 1))
    }
    for (const costs of prefix) {
      costs.sort((a, b) => a - b)
      for (let i = 1; i < costs.length; i++) costs[i]! += costs[i - 1]!
    }
    const ways = rules.vectors(factorAt(problem, p))
    const costOf = (way: readonly number[]): number =>
      way.reduce((sum, count, rack) => sum + (count === 0 ? 0 : prefix[rack]![count - 1]!), 0)
    total += ways.reduce((least, way) => Math.min(least, costOf(way)), Number.POSITIVE_INFINITY)
  }
  return total
}
