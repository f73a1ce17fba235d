/**
 * The broker graph: from each broker to each other, what it costs at least to move one replica there under the rack rule.
 *
 * Twin of native/core/src/kafka/planner/exchanges.rs. +1: a replica that stood still moves. 0: one that moves anyway goes
 * elsewhere, or one that stayed takes the place of another that could. -1: one goes home. The graph is not written down: an
 * arc is looked up when it is asked for, so that a replica that serves it is known to do so now, and brokers that nobody asks
 * about cost nothing.
 */
import { Changed } from './changed.js'
import { inParts, type Turns } from './progress.js'
import { isOpen, NONE } from './rule.js'
import type { State } from './state.js'
import { Supply } from './supply.js'
import { WaysHome } from './ways-home.js'

/** Who looks for brokers that arcs lead to. */
export interface Seeker {
  /** Whether an arc to that broker at that cost would help. */
  wants(to: number, cost: number): boolean
  /** An arc that was wanted, and a partition that serves it. */
  finds(to: number, cost: number, partition: number): void
}

const NOWHERE: readonly number[] = []

export class Exchanges {
  readonly #state: State
  readonly #waysHome: WaysHome
  readonly #supply: Supply
  readonly #changed: Changed
  /** Racks that a replica of each rack may go to. */
  readonly #open: readonly (readonly number[])[]

  constructor(state: State) {
    this.#state = state
    this.#open = openPairs(state)
    this.#changed = new Changed(state.brokers)
    this.#waysHome = new WaysHome(state)
    this.#supply = new Supply(state, this.#changed)
  }

  /** All that must be done before the first arc is looked up; where none of cost 1 will be, `updated` is enough. */
  *prepared(): Turns<void> {
    yield* this.#supply.madeReady(this.#open)
    yield* this.updated()
  }

  /** Partitions that have changed since are looked at again. */
  *updated(): Turns<void> {
    const changed = this.#state.takeChanged()
    yield* inParts(changed.length, (from, to) => this.#add(changed, from, to))
  }

  /** The same, of the few that a push has changed. */
  update(): void {
    const changed = this.#state.takeChanged()
    this.#add(changed, 0, changed.length)
  }

  #add(changed: readonly number[], from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const p = changed[i]!
      const lost = this.#state.lost(p)
      this.#waysHome.add(p, lost)
      this.#changed.add(this.#state, p, lost)
    }
  }

  /** A partition of which a replica can go at exactly that cost, and that is not on the way so far; or `NONE`. */
  find(way: readonly number[], from: number, to: number, cost: number): number {
    if (cost === 0) this.#waysHome.complete()
    const home = cost <= 0 ? this.#waysHome.find(way, from, to, cost) : NONE
    if (home !== NONE || cost < 0) return home
    return this.#supply.find(way, from, to, cost as 0 | 1)
  }

  /** All arcs from a broker that are wanted, the cheapest first. */
  seek(from: number, seeker: Seeker): void {
    for (const cost of [-1, 0]) this.#seekHomes(from, cost, seeker)
    if (!this.#state.isIn(from)) return
    if (this.#changed.guests[from]!.length > 0) this.#seekRacks(from, 0, seeker)
    this.#seekRacks(from, 1, seeker)
  }

  #seekHomes(from: number, cost: number, seeker: Seeker): void {
    if (cost === 0 && [...this.#changed.losers].some((to) => seeker.wants(to, 0))) this.#waysHome.complete()
    for (const to of this.#waysHome.homes(from)) {
      if (!seeker.wants(to, cost)) continue
      const partition = this.#waysHome.find(NOWHERE, from, to, cost)
      if (partition !== NONE) seeker.finds(to, cost, partition)
    }
  }

  #seekRacks(from: number, cost: 0 | 1, seeker: Seeker): void {
    for (const rack of this.#open[this.#state.rack(from)]!) {
      for (const to of this.#state.inRack[rack]!) {
        if (to === from || !seeker.wants(to, cost)) continue
        const partition = this.#supply.find(NOWHERE, from, to, cost)
        if (partition !== NONE) seeker.finds(to, cost, partition)
      }
    }
  }
}

/** Of each rack, those between which some class lets replicas go. */
function openPairs({ classes, problem }: State): number[][] {
  const racks = Array.from({ length: problem.racks }, (_, rack) => rack)
  const open = (a: number, b: number): boolean => a === b || classes.some((one) => isOpen(one, a) && isOpen(one, b))
  return racks.map((a) => racks.filter((b) => open(a, b)))
}
