/**
 * Objectives in any order: a plan bettered by exchanges until none helps, a lower rank never bought with a higher one.
 *
 * For the orders that the engine does not solve by itself. The engine's plan is the start: level with the fewest moves where
 * counts rank before moves, else the fewest moves and then level. For each objective in turn shortest chains of exchanges
 * lead from a broker that has too much to one that has too little; where a chain costs a higher rank, another replica is
 * looked for that goes the way back. What is kept is better rank by rank; how far from level it stays is told beside.
 */
import type { PlannedReplicas } from '../engine/plan-contract.js'
import type { PlanObjective } from './plan-options.js'
import type { PlanQuestion } from './plan-question.js'
import { chainTo, type Reach, sightOf } from './plan-reach.js'
import { type Exchange, PlanState } from './plan-state.js'
import { type PlanSteps, SEARCH } from './plan-steps.js'
import type { PlanWork } from './plan-work.js'

/** Orders that the engine solves: counts and moves, in either order, and then what costs neither. */
export function isEngineOrder([one, other]: readonly PlanObjective[]): boolean {
  return (one === 'counts' && other === 'moves') || (one === 'moves' && other === 'counts')
}

/** @throws ERR_PLACEMENT_ARGUMENT_RANGE: more work than a plan may take */
export function* rankedSteps(
  question: PlanQuestion,
  planned: PlannedReplicas,
  work: PlanWork,
): PlanSteps<PlannedReplicas> {
  const search = new RankedSearch(new PlanState(question, planned), work)
  const level = search.unevenness()
  yield* search.run()
  const { bound, boundByRules, potentials } = planned
  const better = search.state.planned(planned)
  if (bound === boundByRules || search.unevenness() <= level) return better
  // Counts are not level any more, so that only the rules bound the moves.
  return { ...better, bound: boundByRules, boundByCounts: 0, potentials: new Int32Array(potentials.length) }
}

/** Where chains of one objective lead: rows that a broker can give one of, and whether the end gains. */
interface Road {
  readonly objective: PlanObjective
  readonly amount: (broker: number) => number
  readonly rows: (broker: number) => Iterable<number>
  readonly exchange: (row: number, from: number, to: number) => Exchange | null
}

class RankedSearch {
  readonly state: PlanState
  readonly #order: readonly PlanObjective[]
  readonly #ins: readonly number[]
  readonly #sight: ReturnType<typeof sightOf>
  readonly #work: PlanWork
  #passes = 0
  #rank = 0

  constructor(state: PlanState, work: PlanWork) {
    this.state = state
    this.#work = work
    this.#order = state.question.options.objectives
    this.#sight = sightOf(state.rows * state.brokers)
    this.#ins = [...state.question.brokers.keys()].filter((b) => state.isIn(b))
  }

  /** Squares of the counts over their weights. */
  unevenness(): number {
    return this.#ins.reduce((total, b) => total + this.state.load[b]! ** 2 / this.state.weight(b), 0)
  }

  *run(): PlanSteps<void> {
    yield SEARCH
    for (let any = true; any; this.#passes++) {
      any = false
      for (const [rank, objective] of this.#order.entries()) {
        this.#rank = rank
        any = (yield* this.#better(objective)) || any
      }
    }
  }

  /** So much of the rank under way is done, in `[0, 1]`: of the search, as if each pass took half of what is left. */
  #done(part: number): number {
    return 1 - (1 - (this.#rank + part) / this.#order.length / 2) / 2 ** this.#passes
  }

  #better(objective: PlanObjective): PlanSteps<boolean> {
    const told = (part: number): number => this.#done(part)
    if (objective === 'counts') return this.#level(this.#countsRoad(), told)
    if (objective === 'leaders') return this.#level(this.#leadersRoad(), told)
    return objective === 'topics' ? this.#levelTopics() : this.#sendHome()
  }

  #ranksBefore(one: PlanObjective, other: PlanObjective): boolean {
    const at = this.#order.indexOf(one)
    return at !== -1 && at < this.#order.indexOf(other)
  }

  #countsRoad(): Road {
    const { state } = this
    return {
      objective: 'counts',
      amount: (broker) => state.load[broker]!,
      rows: (broker) => state.rowsAt(broker),
      exchange: (row, from, to) => this.#exchangeFor('counts', { row, from, to, leads: false }),
    }
  }

  #topicRoad(rows: readonly number[]): Road {
    const counts = this.state.topicCounts(rows[0]!)
    return {
      objective: 'topics',
      amount: (broker) => counts[broker]!,
      rows: () => rows,
      exchange: (row, from, to) => this.#exchangeFor('topics', { row, from, to, leads: false }),
    }
  }

  #leadersRoad(): Road {
    const { state } = this
    return {
      objective: 'leaders',
      amount: (broker) => state.leads[broker]!,
      rows: (broker) => state.rowsAt(broker),
      exchange: (row, from, to) => this.#leadFor(row, from, to),
    }
  }

  /** An exchange, if it costs nothing of a rank before the objective by itself. */
  #exchangeFor(objective: PlanObjective, exchange: Exchange): Exchange | null {
    const { state } = this
    const { row, from, to } = exchange
    const list = state.list(row)
    if (!list.includes(from) || list.includes(to)) return null
    if (this.#ranksBefore('moves', objective) && state.isNew(row, to) && !state.isNew(row, from)) return null
    if (objective !== 'leaders' && this.#ranksBefore('leaders', objective) && list[0] === from) {
      if (state.leads[from]! <= state.leads[to]!) return null
    }
    if (objective !== 'topics' && this.#ranksBefore('topics', objective)) {
      const counts = state.topicCounts(row)
      if (counts[from]! <= counts[to]!) return null
    }
    if (objective === 'leaders' && this.#ranksBefore('counts', objective) && this.#weighs(from) <= this.#weighs(to))
      return null
    return state.mayGo(row, from, to) ? exchange : null
  }

  #weighs(broker: number): number {
    return this.state.load[broker]! / this.state.weight(broker)
  }

  /** The lead of a row goes from one broker to another: of the list, or in the place of one of the list. */
  #leadFor(row: number, from: number, to: number): Exchange | null {
    const list = this.state.list(row)
    if (list[0] !== from) return null
    if (list.includes(to)) return { row, from, to, leads: true }
    for (const leaving of list) {
      const exchange = this.#exchangeFor('leaders', { row, from: leaving, to, leads: true })
      if (exchange !== null) return exchange
    }
    return null
  }

  /** `told`: how much of the search is done, where so much of the brokers is. */
  *#level(road: Road, told: (part: number) => number): PlanSteps<boolean> {
    let any = false
    for (const [i, from] of this.#ins.toSorted((a, b) => road.amount(b) - road.amount(a) || a - b).entries()) {
      while (this.#relieve(road, from)) {
        any = true
        yield told(i / this.#ins.length)
      }
      yield told(i / this.#ins.length)
    }
    return any
  }

  #gains({ objective, amount }: Road, from: number, to: number): boolean {
    const weight = (broker: number): number => (objective === 'counts' ? this.state.weight(broker) : 1)
    return (2 * amount(from) - 1) * weight(to) > (2 * amount(to) + 1) * weight(from)
  }

  /** One less on a broker, by a chain to one that has less, or straight with a way back. */
  #relieve(road: Road, from: number): boolean {
    this.#work.spend(this.#ins.length)
    const lighter = this.#ins.filter((to) => this.#gains(road, from, to))
    if (lighter.length === 0) return false
    const reach: Reach = { open: new Set(this.#ins), before: new Map() }
    reach.open.delete(from)
    const byAmount = (a: number, b: number): number => road.amount(a) - road.amount(b) || a - b
    for (let layer = [from], arcs = 0; layer.length > 0 && arcs < this.#sight.arcs; arcs++) {
      layer = layer.flatMap((at) => this.#reachFrom(road, at, reach))
      const ends = layer.filter((to) => this.#gains(road, from, to)).sort(byAmount)
      if (ends.some((to) => this.#goes(chainTo(reach.before, to)))) return true
    }
    return lighter
      .sort(byAmount)
      .slice(0, this.#sight.few)
      .some((to) => this.#goesStraight(road, from, to))
  }

  #reachFrom(road: Road, at: number, { open, before }: Reach): number[] {
    const reached: number[] = []
    for (const row of road.rows(at)) {
      if (open.size === 0) break
      this.#work.spend(1)
      const list = this.state.list(row)
      if (road.objective === 'leaders' ? list[0] !== at : !list.includes(at)) continue
      this.#work.spend(open.size)
      for (const to of open) {
        const exchange = road.exchange(row, at, to)
        if (exchange === null) continue
        before.set(to, { at, exchange })
        open.delete(to)
        reached.push(to)
      }
    }
    return reached
  }

  /** What costs a higher rank by itself, and may be paid back. */
  #goesStraight({ objective, rows }: Road, from: number, to: number): boolean {
    const isBound = this.#ranksBefore('moves', objective)
    let tried = 0
    for (const row of rows(from)) {
      const list = this.state.list(row)
      if (list.includes(to) || !list.includes(from) || (objective === 'leaders' && list[0] !== from)) continue
      if (++tried > this.#sight.few) return false
      const leaving = objective === 'leaders' ? [...list] : [from]
      for (const one of leaving) {
        if (isBound && this.state.isNew(row, to) && !this.state.isNew(row, one)) continue
        if (this.#goes([{ row, from: one, to, leads: objective === 'leaders' }])) return true
      }
    }
    return false
  }

  /** Makes the exchanges, alone or with one that pays the counts back. */
  #goes(exchanges: readonly Exchange[]): boolean {
    const { state } = this
    this.#work.spend(1)
    if (state.betters(exchanges, this.#order)) return true
    const [lost, won] = this.#shifted(exchanges)
    if (lost === -1) return false
    let tried = 0
    for (const row of state.rowsAt(won)) {
      this.#work.spend(1)
      if (exchanges.some((one) => one.row === row) || !state.mayGo(row, won, lost)) continue
      if (!state.list(row).includes(won)) continue
      if (++tried > this.#sight.back) return false
      if (state.betters([...exchanges, { row, from: won, to: lost, leads: false }], this.#order)) return true
    }
    return false
  }

  /** The broker that has one less after the exchanges, and the one that has one more; -1 where counts stay. */
  #shifted(exchanges: readonly Exchange[]): readonly [lost: number, won: number] {
    const net = new Map<number, number>()
    for (const { row, from, to } of exchanges) {
      if (this.state.list(row).includes(to)) continue
      net.set(from, (net.get(from) ?? 0) - 1)
      net.set(to, (net.get(to) ?? 0) + 1)
    }
    const changed = (by: number): number => [...net].find(([, change]) => change === by)?.[0] ?? -1
    return [changed(-1), changed(1)]
  }

  /** Topic by topic; where moves rank before, only topics that move. */
  *#levelTopics(): PlanSteps<boolean> {
    const { topicStarts } = this.state.question.cluster
    const isBound = this.#ranksBefore('moves', 'topics')
    const topics = topicStarts.length - 1
    let any = false
    for (let topic = 0; topic < topics; topic++) {
      const rows: number[] = []
      for (let row = topicStarts[topic]!; row < topicStarts[topic + 1]!; row++) rows.push(row)
      if (isBound && !rows.some((row) => this.#moves(row))) continue
      const told = (part: number): number => this.#done((topic + part) / topics)
      if (rows.length > 0) any = (yield* this.#level(this.#topicRoad(rows), told)) || any
      yield told(1)
    }
    return any
  }

  #moves(row: number): boolean {
    return this.state.list(row).some((broker) => this.state.isNew(row, broker))
  }

  /** Replicas that moved go home where no rank before asks for it, alone or against another. */
  *#sendHome(): PlanSteps<boolean> {
    let any = false
    for (let row = 0; row < this.state.rows; row++) {
      if (row % 64 === 0) yield this.#done(row / this.state.rows)
      while (this.#moves(row) && this.#goesHome(row)) any = true
    }
    return any
  }

  #goesHome(row: number): boolean {
    const { state } = this
    const list = [...state.list(row)]
    const homes = [...state.before(row)].filter((home) => state.isIn(home) && !list.includes(home))
    for (const to of homes) {
      for (const from of list) {
        if (!state.isNew(row, from)) continue
        if ([false, true].some((leads) => this.#goes([{ row, from, to, leads }]))) return true
      }
    }
    return false
  }
}
