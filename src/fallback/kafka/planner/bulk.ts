/**
 * Replicas that go straight from a broker with too many to one with too few, many in one pass over the giver's replicas.
 *
 * Twin of native/core/src/kafka/planner/bulk.rs. Only along arcs of cost 1 that lie on shortest ways: the plan stays the
 * cheapest for what it has levelled. Followers go before leaders. What is left needs ways of several brokers, and is the
 * blocking search's.
 */
import { mixed } from './chance.js'
import { FAR, type Network } from './network.js'
import type { State } from './state.js'

export class Bulk {
  readonly #state: State
  readonly #network: Network
  readonly #distances: Int32Array
  /** Brokers of each rack that can take one, and how many they can take together. */
  #takers: number[][]
  readonly #wanted: number[]
  moved = 0

  constructor(state: State, network: Network, distances: Int32Array) {
    this.#state = state
    this.#network = network
    this.#distances = distances
    this.#takers = state.inRack.map(() => [])
    this.#wanted = state.inRack.map(() => 0)
  }

  run(): void {
    for (let from = 0; from < this.#network.brokers; from++) {
      const distance = this.#distances[from]!
      if (distance === FAR || this.#spare(from) === 0 || !this.#state.isIn(from)) continue
      this.#gather(distance + 1)
      this.#give(from)
    }
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

  #gather(distance: number): void {
    for (const [rack, brokers] of this.#state.inRack.entries()) {
      this.#setTakers(
        rack,
        brokers.filter((to) => this.#distances[to] === distance && this.#lack(to) > 0),
      )
    }
  }

  #setTakers(rack: number, takers: number[]): void {
    this.#takers[rack] = takers
    this.#wanted[rack] = takers.reduce((total, to) => total + this.#lack(to), 0)
  }

  #give(from: number): void {
    const { homeStarts, homes, partitionOf, offsets, now } = this.#state
    for (const leaders of [false, true]) {
      for (let at = homeStarts[from]!; at < homeStarts[from + 1]!; at++) {
        if (this.#spare(from) === 0 || this.#takers.every((takers) => takers.length === 0)) return
        const slot = homes[at]!
        const leads = slot === offsets[partitionOf[slot]!]
        if (leads === leaders && now[slot] === from) this.#offer(slot, from)
      }
    }
  }

  /** Moves one replica to the rack that wants most, if one can take it. */
  #offer(slot: number, from: number): void {
    const p = this.#state.partitionOf[slot]!
    const home = this.#state.rack(from)
    let [most, best] = [0, -1]
    for (const [rack, wanted] of this.#wanted.entries()) {
      if (wanted <= most || !this.#state.mayCross(p, home, rack)) continue
      const to = this.#taker(p, slot, rack)
      if (to !== -1) [most, best] = [wanted, to]
    }
    if (best !== -1) this.#moveTo(slot, from, best)
  }

  #taker(p: number, slot: number, rack: number): number {
    const takers = this.#takers[rack]!
    const start = mixed(slot, rack) % takers.length
    for (let i = 0; i < takers.length; i++) {
      const to = takers[(start + i) % takers.length]!
      if (!this.#state.holds(p, to) && !this.#state.held(p, to)) return to
    }
    return -1
  }

  #moveTo(slot: number, from: number, to: number): void {
    const rack = this.#state.rack(to)
    const before = this.#lack(to)
    this.#leave(from)
    this.#arrive(to)
    this.#state.put(slot, to)
    this.moved += 1
    const after = this.#lack(to)
    this.#wanted[rack]! += after - before
    if (after === 0) this.#takers[rack] = this.#takers[rack]!.filter((taker) => taker !== to)
    const group = this.#network.groupNode(to)
    if (group !== -1 && this.#network.excess[group] === 0) this.#dropSated()
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

  #arrive(to: number): void {
    const { excess, hasToken } = this.#network
    if (excess[to]! < 0) {
      excess[to]! += 1
      return
    }
    hasToken[to] = 1
    excess[this.#network.groupNode(to)]! += 1
  }

  /** A group's last token is gone: its brokers at `low` take no more. */
  #dropSated(): void {
    for (const [rack, takers] of this.#takers.entries()) {
      this.#setTakers(
        rack,
        takers.filter((to) => this.#lack(to) > 0),
      )
    }
  }
}
