/**
 * The proof of a plan of any size, from the input and the potentials, by code of its own: nothing of the planner's is used.
 *
 * Rules by their definitions; moves counted from the lists. Counts are level where no chain of legal exchanges leads from a
 * broker to one where the replica weighs less. The bound: the cheapest of all ways to lie over the racks, partition by
 * partition, less the dearest level counts. Those are the plan's own where no chain between brokers whose counts may be
 * exchanged leads to a dearer one: what can be exchanged in level counts are the bases of a matroid too.
 */
import type { PlannedReplicas, PlanProblem } from '../../src/engine/plan-contract.js'
import { Chains, listAt } from './chains.js'
import { RackWays } from './rack-ways.js'

/** One sentence for each thing that does not hold; where rules are broken, of those alone. */
export function wrongOfLarger(problem: PlanProblem, planned: PlannedReplicas): string[] {
  const ways = new RackWays(problem)
  const broken = brokenRules(problem, planned, ways)
  if (broken.length > 0) return broken
  const moves = movesOf(problem, planned)
  const wrong: string[] = []
  if (planned.moves !== moves || planned.bound !== moves)
    wrong.push(`says ${planned.moves} of ${planned.bound}, makes ${moves}`)
  if (problem.first === 'counts') wrong.push(...wrongCounts(problem, planned, { ways, moves }))
  const least = new Cheapest(problem, ways, new Int32Array(problem.rackOf.length)).ofAll()
  if (planned.boundByRules !== least) wrong.push(`bound by rules ${planned.boundByRules}, by the test ${least}`)
  if (problem.first === 'moves' && moves !== least) wrong.push(`${moves} moves, the rules ask for ${least}`)
  return wrong
}

/** As many sentences as a person reads. */
const MOST_SENTENCES = 5

function brokenRules(problem: PlanProblem, planned: PlannedReplicas, ways: RackWays): string[] {
  if (planned.offsets.length !== problem.offsets.length) return [`lists of ${planned.offsets.length - 1} partitions`]
  const wrong: string[] = []
  for (let p = 0; p + 1 < planned.offsets.length && wrong.length < MOST_SENTENCES; p++) {
    const list = listAt(planned, p)
    const keeps = list.every((broker, i) => problem.isIn[broker] === 1 && list.indexOf(broker) === i)
    if (list.length !== factorAt(problem, p)) wrong.push(`partition ${p} has ${list.length} replicas: ${list}`)
    else if (!keeps || !ways.of(list.length).keys.has(ways.keyOf(list)))
      wrong.push(`partition ${p} breaks a rule: ${list}`)
  }
  return wrong
}

const factorAt = ({ offsets, factors }: PlanProblem, p: number): number =>
  factors === null ? offsets[p + 1]! - offsets[p]! : factors[p]!

function movesOf(problem: PlanProblem, planned: PlannedReplicas): number {
  let moves = 0
  for (let p = 0; p + 1 < planned.offsets.length; p++) {
    const held = listAt(problem, p)
    for (const broker of listAt(planned, p)) if (!held.includes(broker)) moves += 1
  }
  return moves
}

interface Found {
  readonly ways: RackWays
  readonly moves: number
}

function wrongCounts(problem: PlanProblem, planned: PlannedReplicas, { ways, moves }: Found): string[] {
  const { potentials } = planned
  const counts = new Array<number>(problem.rackOf.length).fill(0)
  for (const broker of planned.replicas) counts[broker]! += 1
  const chains = new Chains(problem, planned, ways)
  for (let from = 0; from < counts.length; from++) {
    for (const to of chains.ends(from)) {
      const gain = gainOf(problem, counts, [from, to])
      if (gain > 0) return [`broker ${from} has ${counts[from]}, and ${to} ${counts[to]}`]
      if (gain === 0 && potentials[to]! > potentials[from]!)
        return [`level counts can be dearer: one more on ${to}, one fewer on ${from}`]
    }
  }
  const dearest = counts.reduce((total, count, b) => total + count * potentials[b]!, 0)
  const bound = new Cheapest(problem, ways, potentials).ofAll() - dearest
  return bound === moves ? [] : [`the potentials prove ${bound}, the moves are ${moves}`]
}

/** What squares over weights lose where one replica goes from a broker to another, times both weights. */
function gainOf({ weights }: PlanProblem, counts: readonly number[], [from, to]: readonly [number, number]): number {
  return (2 * counts[from]! - 1) * (weights?.[to] ?? 1) - (2 * counts[to]! + 1) * (weights?.[from] ?? 1)
}

/** The cheapest legal sets, where a broker costs its potential, and one more if it is new. */
class Cheapest {
  readonly #problem: PlanProblem
  readonly #ways: RackWays
  readonly #potentials: Int32Array
  /** Brokers of each rack that are in, the cheapest first. */
  readonly #sorted: number[][]
  /** What the first none, one, two … of them cost, all of them new. */
  readonly #news: number[][]
  /** The same for the partition looked at. */
  readonly #costs: number[][]

  constructor(problem: PlanProblem, ways: RackWays, potentials: Int32Array) {
    this.#problem = problem
    this.#ways = ways
    this.#potentials = potentials
    this.#sorted = Array.from({ length: problem.racks }, () => [])
    for (const [b, rack] of problem.rackOf.entries()) if (problem.isIn[b] === 1) this.#sorted[rack]!.push(b)
    for (const brokers of this.#sorted) brokers.sort((a, b) => potentials[a]! - potentials[b]!)
    this.#news = this.#sorted.map((brokers) => sums(brokers.map((b) => potentials[b]! + 1)))
    this.#costs = [...this.#news]
  }

  ofAll(): number {
    let total = 0
    for (let p = 0; p + 1 < this.#problem.offsets.length; p++) total += this.#of(p)
    return total
  }

  #of(p: number): number {
    const { rackOf } = this.#problem
    const held = listAt(this.#problem, p)
    const factor = factorAt(this.#problem, p)
    for (const broker of held) this.#costs[rackOf[broker]!] = this.#costsIn(rackOf[broker]!, held, factor)
    let least = Number.POSITIVE_INFINITY
    for (const way of this.#ways.of(factor).all) least = Math.min(least, this.#costOf(way))
    for (const broker of held) this.#costs[rackOf[broker]!] = this.#news[rackOf[broker]!]!
    return least
  }

  #costOf(way: readonly number[]): number {
    let cost = 0
    for (let i = 0; i < way.length; i += 2) cost += this.#costs[way[i]!]![way[i + 1]!]!
    return cost
  }

  /** Those that are held and, as many as a set can have, the cheapest of the others. */
  #costsIn(rack: number, held: Uint32Array, factor: number): number[] {
    const { rackOf, isIn } = this.#problem
    const costs: number[] = []
    for (let i = 0; i < held.length; i++) {
      const broker = held[i]!
      if (rackOf[broker] === rack && isIn[broker] === 1 && held.indexOf(broker) === i)
        costs.push(this.#potentials[broker]!)
    }
    let left = factor
    for (const broker of this.#sorted[rack]!) {
      if (held.includes(broker)) continue
      costs.push(this.#potentials[broker]! + 1)
      left -= 1
      if (left === 0) break
    }
    return sums(costs.sort((a, b) => a - b))
  }
}

function sums(costs: readonly number[]): number[] {
  const all = [0]
  for (const cost of costs) all.push(all.at(-1)! + cost)
  return all
}
