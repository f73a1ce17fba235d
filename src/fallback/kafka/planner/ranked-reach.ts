/**
 * How far and how long a search for better ranks looks, and the chains of exchanges that it finds.
 *
 * Twin of native/core/src/kafka/planner/ranked_reach.rs.
 */
import type { Exchange } from './ranked-state.js'

/** How far a search looks, by the size of the cluster alone, so that planning again looks as far. */
interface Sight {
  /** Arcs of a chain. */
  readonly arcs: number
  /** Brokers, and rows of each, that are tried straight. */
  readonly few: number
  /** Rows that are tried for the way back. */
  readonly back: number
}

/** Up to so many partitions times brokers the search looks far. */
const NEAR = 5e3

const FAR_SIGHT: Sight = { arcs: Number.POSITIVE_INFINITY, few: 6, back: 16 }
const NEAR_SIGHT: Sight = { arcs: 1, few: 0, back: 4 }

export const sightOf = (pairs: number): Sight => (pairs <= NEAR ? FAR_SIGHT : NEAR_SIGHT)

/** What exchanges that are made and taken back count as, in looks: 2 to 3 µs in the fallback. */
export const TRY = 40

/** Thrown where no look is left. */
export const SPENT = Symbol('spent')

/** Looks at replicas and brokers: counted, not timed, so that both engines come as far. */
export class Looks {
  left: number

  constructor(left: number) {
    this.left = left
  }

  /** @throws {@link SPENT} */
  spend(looks: number): void {
    this.left -= looks
    if (this.left < 0) throw SPENT
  }
}

/** Brokers not reached yet, and how the others were. */
export interface Reach {
  readonly open: Set<number>
  readonly before: Map<number, { readonly at: number; readonly exchange: Exchange }>
}

export function chainTo(before: Reach['before'], last: number): Exchange[] {
  const chain: Exchange[] = []
  for (let step = before.get(last); step !== undefined; step = before.get(step.at)) chain.unshift(step.exchange)
  return chain
}
