/**
 * The fewest bytes for level counts: cycles of exchanges that copy less, until there is none, and the proof from the last
 * distances.
 *
 * From broker to broker the cheapest replica to move: its bytes for a new place, as many back for a way home. A broker with one
 * more than another of its level may hand that over for nothing. A plan copies the fewest bytes of all level plans exactly
 * when no cycle costs less than nothing. The work is limited: beyond it the plan is as good as it came to be, and the bound
 * tells how far that may be from the best.
 */
import type { PlannedReplicas } from '../engine/plan-contract.js'
import { type Exchange, RankedState } from '../fallback/kafka/planner/ranked-state.js'
import { movesBetween } from './plan-difference.js'
import type { PlanQuestion } from './plan-question.js'
import { type PlanSteps, SEARCH } from './plan-steps.js'

/** Steps over arcs in all, about two seconds; and pairs of brokers, 12 bytes each. */
const MOST_STEPS = 4e8
const MOST_PAIRS = 4e6

/** What the first look at all brokers counts as, of the search; the rest is told by the steps. */
const LOOKED = 0.5

const RANKS = ['counts', 'moves'] as const

export interface FewestBytes {
  readonly planned: PlannedReplicas
  /** One number a broker, from which a bound can be computed. */
  readonly potentials: Float64Array
}

export function* withFewestBytes(question: PlanQuestion, planned: PlannedReplicas): PlanSteps<FewestBytes> {
  const brokers = question.brokers.length
  if (brokers ** 2 > MOST_PAIRS) return { planned, potentials: new Float64Array(brokers) }
  const cycles = new ByteCycles(question, planned)
  yield* cycles.run()
  const potentials = cycles.potentials()
  if (!cycles.isChanged) return { planned, potentials }
  const lists = { ...planned, replicas: cycles.state.lists() }
  return { planned: { ...lists, moves: movesBetween(question.problem, lists) }, potentials }
}

class ByteCycles {
  readonly state: RankedState
  isChanged = false
  readonly #brokers: number
  readonly #ins: readonly number[]
  /** Of each pair, `from * brokers + to`: bytes of the cheapest replica to move, and its row. */
  readonly #costs: Float64Array
  readonly #rows: Int32Array
  #distances: Float64Array
  #steps = 0

  constructor(question: PlanQuestion, planned: PlannedReplicas) {
    this.state = new RankedState({
      problem: question.problem,
      ...planned,
      costs: question.cluster.bytes,
      ranks: RANKS,
      looks: 0,
    })
    this.#brokers = question.brokers.length
    this.#ins = [...question.brokers.keys()].filter((b) => this.state.isIn(b))
    this.#costs = new Float64Array(this.#brokers ** 2)
    this.#rows = new Int32Array(this.#brokers ** 2)
    this.#distances = new Float64Array(this.#brokers)
  }

  *run(): PlanSteps<void> {
    yield SEARCH
    for (const [i, from] of this.#ins.entries()) {
      this.#lookFrom(from)
      yield LOOKED * (i / this.#ins.length)
    }
    while (this.#steps < MOST_STEPS) {
      const cycle = yield* this.#cheapCycle()
      if (cycle === null || !this.#take(cycle)) return
      this.isChanged = true
    }
  }

  potentials(): Float64Array {
    return this.#distances.map((distance) => -distance)
  }

  /** Arcs from a broker: what moved already, then what stands there, the smallest first, until every broker has one. */
  #lookFrom(from: number): void {
    const start = from * this.#brokers
    this.#costs.fill(Number.POSITIVE_INFINITY, start, start + this.#brokers)
    const { state } = this
    const rows = [...new Set(state.rowsAt(from))].filter((row) => state.list(row).includes(from))
    const [guests, own] = [rows.filter((row) => state.isNew(row, from)), rows.filter((row) => !state.isNew(row, from))]
    own.sort((a, b) => state.cost(a) - state.cost(b) || a - b)
    for (const row of rows) this.#offer(row, from, this.#homesOf(row))
    const isOpen = (most: number) => (to: number) => to !== from && this.#costs[start + to]! > most
    let missing = this.#ins.filter(isOpen(0))
    for (const row of guests) {
      if (missing.length === 0) return
      this.#offer(row, from, missing)
      missing = missing.filter(isOpen(0))
    }
    for (const row of own) {
      if (missing.length === 0) return
      this.#offer(row, from, missing)
      missing = missing.filter(isOpen(state.cost(row)))
    }
  }

  /** Brokers that held the row and do not now. */
  #homesOf(row: number): number[] {
    const { state } = this
    const [before, list] = [state.before(row), state.list(row)]
    if (before.every((broker) => list.includes(broker))) return []
    return [...before].filter((broker) => state.isIn(broker) && !list.includes(broker))
  }

  #offer(row: number, from: number, brokers: readonly number[]): void {
    this.#steps += brokers.length * 4
    const { state } = this
    for (const to of brokers) {
      const cost = state.cost(row) * (Number(state.isNew(row, to)) - Number(state.isNew(row, from)))
      const pair = from * this.#brokers + to
      if (cost >= this.#costs[pair]! || !state.mayGo(row, from, to)) continue
      this.#costs[pair] = cost
      this.#rows[pair] = row
    }
  }

  /** Whether the one more of `to` may as well be at `from`: steps off the one gain what steps onto the other cost. */
  #isEqual(from: number, to: number): boolean {
    const { load } = this.state
    return (2 * load[to]! - 1) * this.state.weight(from) === (2 * load[from]! + 1) * this.state.weight(to)
  }

  /** A cycle that costs less than nothing, as its brokers; `null` where there is none: then the distances are the proof. */
  *#cheapCycle(): PlanSteps<number[] | null> {
    const distances = new Float64Array(this.#brokers)
    const before = new Int32Array(this.#brokers).fill(-1)
    this.#distances = distances
    for (let any = true; any && this.#steps < MOST_STEPS; ) {
      any = false
      for (const from of this.#ins) if (this.#relax(from, distances, before)) any = true
      this.#steps += this.#ins.length ** 2
      const cycle = any ? cycleIn(before) : null
      if (cycle !== null) return cycle
      yield LOOKED + (1 - LOOKED) * Math.min(1, this.#steps / MOST_STEPS)
    }
    return null
  }

  #relax(from: number, distances: Float64Array, before: Int32Array): boolean {
    let any = false
    const start = from * this.#brokers
    for (const to of this.#ins) {
      const cost = this.#costs[start + to]!
      const step = cost > 0 && to !== from && this.#isEqual(from, to) ? 0 : cost
      if (distances[from]! + step >= distances[to]!) continue
      distances[to] = distances[from]! + step
      before[to] = from
      any = true
    }
    return any
  }

  /** Makes the exchanges of a cycle, and looks anew where rows have changed. */
  #take(cycle: readonly number[]): boolean {
    const exchanges: Exchange[] = []
    for (const [i, from] of cycle.entries()) {
      const to = cycle[(i + 1) % cycle.length]!
      const pair = from * this.#brokers + to
      if (this.#costs[pair]! > 0 && this.#isEqual(from, to)) continue
      exchanges.push({ row: this.#rows[pair]!, from, to, leads: false })
    }
    const touched = new Set<number>()
    for (const { row } of exchanges) for (const broker of this.state.list(row)) touched.add(broker)
    if (!this.#takes(exchanges)) return false
    for (const { row } of exchanges) for (const broker of this.state.list(row)) touched.add(broker)
    for (const broker of touched) if (this.state.isIn(broker)) this.#lookFrom(broker)
    return true
  }

  /** A row that is on the way twice may stand against itself: then the way is cut in two there. */
  #takes(exchanges: readonly Exchange[]): boolean {
    if (exchanges.length === 0) return false
    if (this.state.tried(exchanges) === 'better') return true
    for (const [j, later] of exchanges.entries()) {
      const i = exchanges.findIndex(({ row }) => row === later.row)
      if (i === j) continue
      const earlier = exchanges[i]!
      const outer = [...exchanges.slice(0, i), { ...earlier, to: later.to }, ...exchanges.slice(j + 1)]
      const inner = [...exchanges.slice(i + 1, j), { ...later, to: earlier.to }]
      return [outer, inner].some((way) => this.#takes(way.filter(({ from, to }) => from !== to)))
    }
    return false
  }
}

/** A cycle among the brokers that distances came by, in the order of the ways; or `null`. */
function cycleIn(before: Int32Array): number[] | null {
  const seen = new Int32Array(before.length).fill(-1)
  for (let start = 0; start < before.length; start++) {
    let at = start
    while (at !== -1 && seen[at] === -1) {
      seen[at] = start
      at = before[at]!
    }
    if (at === -1 || seen[at] !== start) continue
    const cycle = [at]
    for (let next = before[at]!; next !== at; next = before[next]!) cycle.unshift(next)
    return cycle
  }
  return null
}
