/**
 * Objectives in any order: a plan bettered by exchanges until none helps, a lower rank never bought with a higher one.
 *
 * For the orders that the engine does not solve by itself. Twin of native/core/src/kafka/planner/ranked.rs. For each rank in
 * turn shortest chains of exchanges lead from a broker that has too much to one that has too little; where a chain costs a
 * rank before, another replica is looked for that goes the way back. What is kept is better rank by rank, so that it ends;
 * how long it may look is counted.
 */
import type { RankedReplicas, RankProblem } from '../../../engine/plan-contract.js'
import { chainTo, Looks, type Reach, SPENT, sightOf, TRY } from './ranked-reach.js'
import { type Road, Roads } from './ranked-roads.js'
import { type Exchange, type Rank, RankedState } from './ranked-state.js'

/** Betters, and tells on its way how much is done, in `[0, 1]`. */
export function* betterSteps(question: RankProblem): Generator<number, RankedReplicas> {
  const looks = new Looks(question.looks)
  const search = new RankedSearch(new RankedState(question), looks)
  try {
    yield* search.run()
  } catch (error) {
    if (error !== SPENT) throw error
    return { replicas: question.replicas, looks: -1 }
  }
  return { replicas: search.state.lists(), looks: looks.left }
}

export function betterReplicas(question: RankProblem): RankedReplicas {
  const steps = betterSteps(question)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

class RankedSearch {
  readonly state: RankedState
  readonly #order: readonly Rank[]
  readonly #roads: Roads
  readonly #ins: readonly number[]
  readonly #sight: ReturnType<typeof sightOf>
  readonly #looks: Looks
  /** Of each rack. */
  readonly #isClosed: readonly boolean[]
  #passes = 0
  /** The rank under way. */
  #at = 0

  constructor(state: RankedState, looks: Looks) {
    this.state = state
    this.#looks = looks
    this.#order = state.question.ranks
    this.#roads = new Roads(state)
    this.#sight = sightOf(state.rows * state.brokers)
    this.#isClosed = Array.from({ length: state.question.problem.racks }, (_, rack) => state.isClosed(rack))
    this.#ins = [...state.load.keys()].filter((b) => state.isIn(b))
  }

  *run(): Generator<number, void> {
    for (let any = true; any; this.#passes++) {
      any = false
      for (this.#at = 0; this.#at < this.#order.length; this.#at++) {
        any = (yield* this.#better(this.#order[this.#at]!)) || any
      }
    }
  }

  /** So much of the rank under way is done, in `[0, 1]`: of the search, as if each pass took half of what is left. */
  #done(part: number): number {
    return 1 - (1 - (this.#at + part) / this.#order.length / 2) / 2 ** this.#passes
  }

  #better(rank: Rank): Generator<number, boolean> {
    const told = (part: number): number => this.#done(part)
    if (rank === 'counts') return this.#level(this.#roads.ofCounts(), told)
    if (rank === 'leaders') return this.#level(this.#roads.ofLeaders(), told)
    return rank === 'topics' ? this.#levelTopics() : this.#sendHome()
  }

  /** `told`: how much of the search is done, where so much of the brokers is. */
  *#level(road: Road, told: (part: number) => number): Generator<number, boolean> {
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

  /** One less on a broker, by a chain to one that has less, or straight with a way back. */
  #relieve(road: Road, from: number): boolean {
    this.#looks.spend(this.#ins.length)
    const lighter = this.#ins.filter((to) => this.#roads.gains(road, from, to))
    if (lighter.length === 0) return false
    const reach: Reach = { open: this.#reachable(road, from), before: new Map() }
    const byAmount = (a: number, b: number): number => road.amount(a) - road.amount(b) || a - b
    for (let layer = [from], arcs = 0; layer.length > 0 && arcs < this.#sight.arcs; arcs++) {
      layer = layer.flatMap((at) => this.#reachFrom(road, at, reach))
      const ends = layer.filter((to) => this.#roads.gains(road, from, to)).sort(byAmount)
      if (ends.some((to) => this.#goes(chainTo(reach.before, to)))) return true
    }
    return lighter
      .sort(byAmount)
      .slice(0, this.#sight.few)
      .some((to) => this.#goesStraight(road, from, to))
  }

  /** Brokers that a chain may lead to: others would be looked at for every row. A lead goes to who is in the list, in any rack. */
  #reachable({ rank }: Road, from: number): Set<number> {
    const { rackOf } = this.state.question.problem
    const rack = rackOf[from]!
    const isNear = (to: number): boolean =>
      rank === 'leaders' || rackOf[to] === rack || !(this.#isClosed[rack] || this.#isClosed[rackOf[to]!])
    return new Set(this.#ins.filter((to) => to !== from && isNear(to)))
  }

  #reachFrom(road: Road, at: number, { open, before }: Reach): number[] {
    const reached: number[] = []
    for (const row of road.rows(at)) {
      if (open.size === 0) break
      this.#looks.spend(1)
      if (road.rank === 'leaders' ? this.state.leader(row) !== at : !this.state.holds(row, at)) continue
      this.#looks.spend(open.size)
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
  #goesStraight({ rank, rows }: Road, from: number, to: number): boolean {
    const isBound = this.#roads.ranksBefore('moves', rank)
    let tried = 0
    for (const row of rows(from)) {
      const list = this.state.list(row)
      if (list.includes(to) || !list.includes(from) || (rank === 'leaders' && list[0] !== from)) continue
      if (++tried > this.#sight.few) return false
      const leaving = rank === 'leaders' ? [...list] : [from]
      for (const one of leaving) {
        if (isBound && this.state.isNew(row, to) && !this.state.isNew(row, one)) continue
        if (this.#goes([{ row, from: one, to, leads: rank === 'leaders' }])) return true
      }
    }
    return false
  }

  /** Makes the exchanges, alone or with one that pays the counts back. */
  #goes(exchanges: readonly Exchange[]): boolean {
    const { state } = this
    this.#looks.spend(TRY)
    const alone = state.tried(exchanges)
    if (alone !== 'not better') return alone === 'better'
    const [lost, won] = this.#shifted(exchanges)
    if (lost === -1) return false
    let tried = 0
    for (const row of state.rowsAt(won)) {
      this.#looks.spend(1)
      if (!state.mayGo(row, won, lost) || !state.holds(row, won)) continue
      if (exchanges.some((one) => one.row === row)) continue
      if (++tried > this.#sight.back) return false
      this.#looks.spend(TRY)
      const back = { row, from: won, to: lost, leads: false }
      if (state.tried([...exchanges, back]) === 'better') return true
    }
    return false
  }

  /** The broker that has one less after the exchanges, and the one that has one more; -1 where counts stay. */
  #shifted(exchanges: readonly Exchange[]): readonly [lost: number, won: number] {
    const net = new Map<number, number>()
    for (const { row, from, to } of exchanges) {
      if (this.state.holds(row, to)) continue
      net.set(from, (net.get(from) ?? 0) - 1)
      net.set(to, (net.get(to) ?? 0) + 1)
    }
    const changed = (by: number): number => [...net].find(([, change]) => change === by)?.[0] ?? -1
    return [changed(-1), changed(1)]
  }

  /** Topic by topic; where moves rank before, only topics that move. */
  *#levelTopics(): Generator<number, boolean> {
    const { topicStarts } = this.state
    const isBound = this.#roads.ranksBefore('moves', 'topics')
    const topics = topicStarts.length - 1
    let any = false
    for (let topic = 0; topic < topics; topic++) {
      const rows: number[] = []
      for (let row = topicStarts[topic]!; row < topicStarts[topic + 1]!; row++) rows.push(row)
      if (isBound && !rows.some((row) => this.#moves(row))) continue
      const told = (part: number): number => this.#done((topic + part) / topics)
      if (rows.length > 0) any = (yield* this.#level(this.#roads.ofTopic(rows), told)) || any
      yield told(1)
    }
    return any
  }

  #moves(row: number): boolean {
    return this.state.list(row).some((broker) => this.state.isNew(row, broker))
  }

  /** Replicas that moved go home where no rank before asks for it, alone or against another. */
  *#sendHome(): Generator<number, boolean> {
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
