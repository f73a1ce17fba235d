/**
 * The lists of a plan while they are bettered: what each broker holds and leads, and what an exchange does to each objective.
 *
 * Twin of native/core/src/kafka/planner/ranked_state.rs. An exchange puts a broker in another's place in one list, or another
 * broker of the list first. Differences are of sums of squares, so that those of several exchanges add up; an exchange can be
 * taken back. Weights and bytes are doubles: both twins do the same sums in the same order.
 */
import type { PLAN_RANKS, RankProblem } from '../../../engine/plan-contract.js'
import { type Class, classesOf, isOpen } from './rule.js'

export type Rank = (typeof PLAN_RANKS)[number]

/** In the list of a row, `to` comes for `from`; where `leads`, it stands first. `to` may be in the list: then the order changes. */
export interface Exchange {
  readonly row: number
  readonly from: number
  readonly to: number
  readonly leads: boolean
}

/** What came of exchanges that were tried; those that break a rule do so with others after them, too. */
export type Tried = 'better' | 'not better' | 'not legal'

/** What has changed in each objective; below 0 is better. */
export type Difference = Record<Rank, number>

export const noDifference = (): Difference => ({ counts: 0, moves: 0, leaders: 0, topics: 0 })

/** Weighted counts are fractions: a smaller difference is none. */
const NOTHING = 1e-9

/** Whether a difference is for the better, rank by rank. */
export function isBetter(difference: Difference, order: readonly Rank[]): boolean {
  for (const objective of order) if (Math.abs(difference[objective]) > NOTHING) return difference[objective] < 0
  return false
}

export class RankedState {
  readonly question: RankProblem
  readonly rows: number
  readonly brokers: number
  readonly load: Int32Array
  readonly leads: Int32Array
  /** First row of each topic, and the end. */
  readonly topicStarts: Uint32Array
  readonly #replicas: Uint32Array
  readonly #classes: readonly Class[]
  /** Replicas of each topic by broker, once asked for. */
  readonly #topics: (Int32Array | undefined)[] = []
  /** Rows of each broker at the start, then those that came; some may have left. */
  readonly #rowsAt: number[][]
  readonly #changed = new Set<number>()
  readonly #seeksTopics: boolean

  constructor(question: RankProblem) {
    this.question = question
    this.rows = question.offsets.length - 1
    this.brokers = question.problem.rackOf.length
    this.topicStarts = topicStartsOf(question.problem.topicOf)
    this.#replicas = question.replicas.slice()
    this.#classes = classesOf(question.problem)
    this.#seeksTopics = question.ranks.includes('topics')
    this.load = new Int32Array(this.brokers)
    this.leads = new Int32Array(this.brokers)
    this.#rowsAt = Array.from({ length: this.brokers }, () => [])
    for (let row = 0; row < this.rows; row++) {
      const list = this.list(row)
      for (const broker of list) {
        this.load[broker]! += 1
        this.#rowsAt[broker]!.push(row)
      }
      if (list.length > 0) this.leads[list[0]!]! += 1
    }
  }

  list(row: number): Uint32Array {
    const { offsets } = this.question
    return this.#replicas.subarray(offsets[row]!, offsets[row + 1]!)
  }

  before(row: number): Uint32Array {
    const { offsets, replicas } = this.question.problem
    return replicas.subarray(offsets[row]!, offsets[row + 1]!)
  }

  /** Rows that a broker holds or held; those that it does not hold any more must be passed over. */
  rowsAt(broker: number): readonly number[] {
    return this.#rowsAt[broker]!
  }

  isIn(broker: number): boolean {
    return this.question.problem.isIn[broker] === 1
  }

  /** Bytes of a replica, or 1 where bytes are not known. */
  cost(row: number): number {
    return this.question.costs?.[row] ?? 1
  }

  isNew(row: number, broker: number): boolean {
    const { offsets, replicas } = this.question.problem
    for (let i = offsets[row]!; i < offsets[row + 1]!; i++) if (replicas[i] === broker) return false
    return true
  }

  weight(broker: number): number {
    return this.question.problem.weights?.[broker] ?? 1
  }

  topicCounts(row: number): Int32Array {
    const topic = this.question.problem.topicOf[row]!
    this.#topics[topic] ??= this.#countTopic(topic)
    return this.#topics[topic]
  }

  #countTopic(topic: number): Int32Array {
    const { offsets } = this.question
    const counts = new Int32Array(this.brokers)
    const [from, to] = [offsets[this.topicStarts[topic]!]!, offsets[this.topicStarts[topic + 1]!]!]
    for (let i = from; i < to; i++) counts[this.#replicas[i]!]! += 1
    return counts
  }

  holds(row: number, broker: number): boolean {
    const { offsets } = this.question
    for (let i = offsets[row]!; i < offsets[row + 1]!; i++) if (this.#replicas[i] === broker) return true
    return false
  }

  /** The first of the list; `undefined` of an empty one. */
  leader(row: number): number | undefined {
    const { offsets } = this.question
    return offsets[row]! < offsets[row + 1]! ? this.#replicas[offsets[row]!] : undefined
  }

  /** Whether the rules let one broker take another's place in a list that keeps them. */
  mayGo(row: number, from: number, to: number): boolean {
    if (!this.isIn(to)) return false
    const { rackOf } = this.question.problem
    const [away, there] = [rackOf[from]!, rackOf[to]!]
    return (away === there || this.#mayCross(row, away, there)) && !this.holds(row, to)
  }

  /** Whether in no partition the rules leave open how many are in that rack: then what is there goes round in it alone. */
  isClosed(rack: number): boolean {
    return !this.#classes.some((one) => isOpen(one, rack))
  }

  #mayCross(row: number, away: number, there: number): boolean {
    const { offsets, problem } = this.question
    const [start, end] = [offsets[row]!, offsets[row + 1]!]
    const { low, high } = this.#classes[end - start]!
    if (low[away] === high[away] || low[there] === high[there]) return false
    let [leaving, coming] = [0, 0]
    for (let i = start; i < end; i++) {
      const rack = problem.rackOf[this.#replicas[i]!]
      if (rack === away) leaving += 1
      if (rack === there) coming += 1
    }
    return leaving > low[away]! && coming < high[there]!
  }

  /** Makes exchanges if they are legal, one after the other, and all together for the better; else leaves all as it was. */
  tried(exchanges: readonly Exchange[]): Tried {
    const difference = noDifference()
    const before: (readonly [row: number, list: Uint32Array])[] = []
    let isLegal = true
    for (const { row, from, to, leads } of exchanges) {
      const list = this.list(row)
      isLegal = list.includes(from) && (list.includes(to) || this.mayGo(row, from, to))
      if (!isLegal) break
      before.push([row, list.slice()])
      this.#set(row, exchanged(list, [from, to], leads), difference)
    }
    const isDone = isLegal && isBetter(difference, this.question.ranks)
    for (const [row, list] of before.toReversed()) {
      if (isDone) this.#changed.add(row)
      else this.#set(row, list, difference)
    }
    if (isDone) for (const { row, to } of exchanges) this.#rowsAt[to]!.push(row)
    if (!isLegal) return 'not legal'
    return isDone ? 'better' : 'not better'
  }

  #set(row: number, next: Uint32Array, difference: Difference): void {
    const list = this.list(row)
    const topics = this.#seeksTopics ? this.topicCounts(row) : null
    for (const broker of list) if (!next.includes(broker)) this.#leave(row, broker, { difference, topics })
    for (const broker of next) if (!list.includes(broker)) this.#arrive(row, broker, { difference, topics })
    const [was, is] = [list[0]!, next[0]!]
    if (was !== is) {
      difference.leaders += 2 * (this.leads[is]! - this.leads[was]! + 1)
      this.leads[was]! -= 1
      this.leads[is]! += 1
    }
    list.set(next)
  }

  #leave(row: number, broker: number, { difference, topics }: Ledger): void {
    difference.counts += (1 - 2 * this.load[broker]!) / this.weight(broker)
    this.load[broker]! -= 1
    if (this.isNew(row, broker)) difference.moves -= this.cost(row)
    if (topics === null) return
    difference.topics += 1 - 2 * topics[broker]!
    topics[broker]! -= 1
  }

  #arrive(row: number, broker: number, { difference, topics }: Ledger): void {
    difference.counts += (2 * this.load[broker]! + 1) / this.weight(broker)
    this.load[broker]! += 1
    if (this.isNew(row, broker)) difference.moves += this.cost(row)
    if (topics === null) return
    difference.topics += 2 * topics[broker]! + 1
    topics[broker]! += 1
  }

  /** The lists: of a changed one the leader, then who stays in the order of the start, then who is new, by id. */
  lists(): Uint32Array {
    for (const row of this.#changed) {
      const [before, list] = [this.before(row), this.list(row)]
      const others = list.subarray(1).slice()
      const place = (broker: number): number => {
        const at = before.indexOf(broker)
        return at === -1 ? before.length + broker : at
      }
      list.set(
        others.sort((a, b) => place(a) - place(b)),
        1,
      )
    }
    return this.#replicas
  }
}

function topicStartsOf(topicOf: Uint32Array): Uint32Array {
  const starts = new Uint32Array(topicOf.length === 0 ? 1 : topicOf.at(-1)! + 2)
  for (const topic of topicOf) starts[topic + 1]! += 1
  for (let topic = 1; topic < starts.length; topic++) starts[topic]! += starts[topic - 1]!
  return starts
}

/** Where an exchange is booked. */
interface Ledger {
  readonly difference: Difference
  readonly topics: Int32Array | null
}

function exchanged(list: Uint32Array, [from, to]: readonly [number, number], leads: boolean): Uint32Array {
  const next = list.includes(to) ? list.slice() : list.map((broker) => (broker === from ? to : broker))
  if (!leads || next[0] === to) return next
  const at = next.indexOf(to)
  next.copyWithin(1, 0, at)
  next[0] = to
  return next
}
