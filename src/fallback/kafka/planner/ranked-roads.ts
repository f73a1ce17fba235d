/**
 * What one exchange may do by itself for one rank: which there are, and whether it costs nothing of a rank before.
 *
 * Twin of native/core/src/kafka/planner/ranked_roads.rs.
 */
import type { Exchange, Rank, RankedState } from './ranked-state.js'

/** Where chains of one rank lead: rows that a broker can give one of, and what each broker has of it. */
export interface Road {
  readonly rank: Rank
  readonly amount: (broker: number) => number
  readonly rows: (broker: number) => ArrayLike<number> & Iterable<number>
  readonly exchange: (row: number, from: number, to: number) => Exchange | null
}

export class Roads {
  readonly #state: RankedState
  /** Of each rank its place in the order; those not sought stand behind all others. */
  readonly #places: Readonly<Record<Rank, number>>
  readonly #sought: number

  constructor(state: RankedState) {
    this.#state = state
    const { ranks } = state.question
    this.#sought = ranks.length
    const place = (rank: Rank): number => (ranks.includes(rank) ? ranks.indexOf(rank) : ranks.length)
    this.#places = {
      counts: place('counts'),
      moves: place('moves'),
      leaders: place('leaders'),
      topics: place('topics'),
    }
  }

  ranksBefore(one: Rank, other: Rank): boolean {
    return this.#places[one] < this.#places[other] && this.#places[other] < this.#sought
  }

  ofCounts(): Road {
    return {
      rank: 'counts',
      amount: (broker) => this.#state.load[broker]!,
      rows: (broker) => this.#state.rowsAt(broker),
      exchange: (row, from, to) => this.#exchangeFor('counts', { row, from, to, leads: false }),
    }
  }

  ofTopic(rows: readonly number[]): Road {
    const counts = this.#state.topicCounts(rows[0]!)
    return {
      rank: 'topics',
      amount: (broker) => counts[broker]!,
      rows: () => rows,
      exchange: (row, from, to) => this.#exchangeFor('topics', { row, from, to, leads: false }),
    }
  }

  ofLeaders(): Road {
    return {
      rank: 'leaders',
      amount: (broker) => this.#state.leads[broker]!,
      rows: (broker) => this.#state.rowsAt(broker),
      exchange: (row, from, to) => this.#leadFor(row, from, to),
    }
  }

  /** Whether one less on the one broker and one more on the other is for the better. */
  gains({ rank, amount }: Road, from: number, to: number): boolean {
    const weight = (broker: number): number => (rank === 'counts' ? this.#state.weight(broker) : 1)
    return (2 * amount(from) - 1) * weight(to) > (2 * amount(to) + 1) * weight(from)
  }

  /** An exchange, if it costs nothing of a rank before by itself. */
  #exchangeFor(rank: Rank, exchange: Exchange): Exchange | null {
    const state = this.#state
    const { row, from, to } = exchange
    if (!state.holds(row, from) || state.holds(row, to)) return null
    if (this.ranksBefore('moves', rank) && state.isNew(row, to) && !state.isNew(row, from)) return null
    if (rank !== 'leaders' && this.ranksBefore('leaders', rank) && state.leader(row) === from) {
      if (state.leads[from]! <= state.leads[to]!) return null
    }
    if (rank !== 'topics' && this.ranksBefore('topics', rank)) {
      const counts = state.topicCounts(row)
      if (counts[from]! <= counts[to]!) return null
    }
    if (rank === 'leaders' && this.ranksBefore('counts', rank) && this.#weighs(from) <= this.#weighs(to)) return null
    return state.mayGo(row, from, to) ? exchange : null
  }

  #weighs(broker: number): number {
    return this.#state.load[broker]! / this.#state.weight(broker)
  }

  /** The lead of a row goes from one broker to another: of the list, or in the place of one of the list. */
  #leadFor(row: number, from: number, to: number): Exchange | null {
    if (this.#state.leader(row) !== from) return null
    if (this.#state.holds(row, to)) return { row, from, to, leads: true }
    for (const leaving of this.#state.list(row)) {
      const exchange = this.#exchangeFor('leaders', { row, from: leaving, to, leads: true })
      if (exchange !== null) return exchange
    }
    return null
  }
}
