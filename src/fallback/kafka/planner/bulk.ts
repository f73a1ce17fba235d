/**
 * Replicas that go straight from a broker with too many to one with too few, many in one pass over the partitions.
 *
 * Twin of native/core/src/kafka/planner/bulk.rs. Only along arcs of cost 1 that lie on shortest ways: the plan stays the
 * cheapest for what it has levelled. Followers go before leaders. What is left needs ways of several brokers, and is the
 * blocking search's.
 */
import { mixed } from './chance.js'
import type { Exchanges } from './exchanges.js'
import { FAR, type Network } from './network.js'
import { inParts, type Turns } from './progress.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

/** Brokers at one distance. */
interface Takers {
  readonly distance: number
  /** Those of each rack that can take one. */
  readonly brokers: number[][]
  /** How many those can take together. */
  readonly wanted: number[]
}

export class Bulk {
  readonly #state: State
  readonly #network: Network
  readonly #distances: Int32Array
  /** Of each broker that gives, who takes from it; else `null`. */
  readonly #givesTo: (Takers | null)[]
  readonly #takers: Takers[] = []
  #moved = 0

  constructor(state: State, network: Network, distances: Int32Array) {
    this.#state = state
    this.#network = network
    this.#distances = distances
    this.#givesTo = Array.from({ length: network.brokers }, () => null)
  }

  /** How many replicas were moved. */
  *run(exchanges: Exchanges): Turns<number> {
    let any = false
    for (let from = 0; from < this.#network.brokers; from++) {
      const distance = this.#distances[from]!
      if (distance === FAR || this.#spare(from) === 0 || !this.#state.isIn(from)) continue
      const takers = this.#takersAt(distance + 1)
      if (!canGive(exchanges, from, takers)) continue
      this.#givesTo[from] = takers
      any = true
    }
    const { partitions } = this.#state
    if (any) {
      yield* inParts(partitions, (from, to) => this.#offerFollowers(from, to))
      yield* inParts(partitions, (from, to) => this.#offerLeaders(from, to))
    }
    return this.#moved
  }

  #offerFollowers(from: number, to: number): void {
    const { offsets } = this.#state
    for (let p = from; p < to; p++) for (let i = offsets[p]! + 1; i < offsets[p + 1]!; i++) this.#offer(p, i)
  }

  #offerLeaders(from: number, to: number): void {
    const { offsets } = this.#state
    for (let p = from; p < to; p++) if (offsets[p]! < offsets[p + 1]!) this.#offer(p, offsets[p]!)
  }

  /** The takers at a distance, gathered when first asked for. */
  #takersAt(distance: number): Takers {
    const known = this.#takers.find((takers) => takers.distance === distance)
    if (known !== undefined) return known
    const takes = (to: number): boolean => this.#distances[to] === distance && this.#lack(to) > 0
    const brokers = this.#state.inRack.map((all) => all.filter(takes))
    const takers = { distance, brokers, wanted: brokers.map((some) => this.#wantedBy(some)) }
    this.#takers.push(takers)
    return takers
  }

  #wantedBy(takers: readonly number[]): number {
    return takers.reduce((total, to) => total + this.#lack(to), 0)
  }

  /** What a broker can give: its own excess, or a token that its group has too much. */
  #spare(from: number): number {
    const { excess, hasToken } = this.#network
    const own = Math.max(0, excess[from]!)
    if (own > 0 || hasToken[from] === 0) return own
    const group = this.#network.groupNode(from)
    return Number(excess[group]! > 0 && this.#distances[group] === this.#distances[from])
  }

  /** What a broker at the end of a shortest way can take: what it lacks, or else a token that its group still has. */
  #lack(to: number): number {
    const { excess, hasToken } = this.#network
    const own = Math.max(0, -excess[to]!)
    if (own > 0 || hasToken[to] === 1) return own
    const group = this.#network.groupNode(to)
    return Number(group !== -1 && excess[group]! < 0 && this.#distances[group] === this.#distances[to])
  }

  /** Moves a slot that stands where it was to the rack that wants most, if its broker gives and one there can take it. */
  #offer(p: number, slot: number): void {
    const from = this.#state.now[slot]!
    const takers = from === NONE ? null : this.#givesTo[from]!
    if (takers === null || this.#state.origin[slot] !== from) return
    if (this.#spare(from) === 0) {
      this.#givesTo[from] = null
      return
    }
    let [most, best] = [0, -1]
    for (const [rack, wanted] of takers.wanted.entries()) {
      if (wanted <= most || !this.#state.mayCross(p, this.#state.rack(from), rack)) continue
      const to = this.#taker(p, slot, [rack, takers.brokers[rack]!])
      if (to !== -1) [most, best] = [wanted, to]
    }
    if (best !== -1) this.#moveTo(slot, from, best)
  }

  #taker(p: number, slot: number, [rack, takers]: readonly [number, readonly number[]]): number {
    const start = mixed(slot, rack) % takers.length
    for (let i = 0; i < takers.length; i++) {
      const to = takers[(start + i) % takers.length]!
      if (!this.#state.holds(p, to) && !this.#state.held(p, to)) return to
    }
    return -1
  }

  #moveTo(slot: number, from: number, to: number): void {
    const { brokers, wanted } = this.#givesTo[from]!
    const rack = this.#state.rack(to)
    const before = this.#lack(to)
    this.#leave(from)
    const sates = this.#arrive(to)
    this.#state.put(slot, to)
    this.#moved += 1
    const after = this.#lack(to)
    wanted[rack]! += after - before
    if (after === 0) brokers[rack] = brokers[rack]!.filter((taker) => taker !== to)
    if (sates) this.#dropSated()
  }

  #leave(from: number): void {
    const { excess, hasToken } = this.#network
    if (excess[from]! > 0) {
      excess[from]! -= 1
      return
    }
    hasToken[from] = 0
    excess[this.#network.groupNode(from)]! -= 1
  }

  /** True where the last token of a group was taken. */
  #arrive(to: number): boolean {
    const { excess, hasToken } = this.#network
    if (excess[to]! < 0) {
      excess[to]! += 1
      return false
    }
    hasToken[to] = 1
    const group = this.#network.groupNode(to)
    excess[group]! += 1
    return excess[group] === 0
  }

  /** A group's last token is gone: its brokers at `low` take no more. */
  #dropSated(): void {
    for (const { brokers, wanted } of this.#takers) {
      for (const [rack, takers] of brokers.entries()) {
        brokers[rack] = takers.filter((to) => this.#lack(to) > 0)
        wanted[rack] = this.#wantedBy(brokers[rack])
      }
    }
  }
}

function canGive(exchanges: Exchanges, from: number, { brokers }: Takers): boolean {
  return brokers.some((some) => some.some((to) => to !== from && exchanges.find([], from, to, 1) !== NONE))
}
