/**
 * The brokers and the groups of racks as one network: who is above or below its level, and how far each is from those above.
 *
 * Twin of native/core/src/kafka/planner/network.rs. Node `b` is a broker, node `brokers + g` a group. A broker at its `high`
 * holds one of its group's tokens, a broker at `low` may take one: arcs of cost 0 between both. What a node has too much, or
 * lacks (below 0), is its excess.
 */
import { codedError } from '../../../errors.js'
import type { Exchanges, Seeker } from './exchanges.js'
import type { Levels } from './levels.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

/** Farther than any path. */
export const FAR = 2 ** 30

export class Network {
  readonly levels: Levels
  readonly brokers: number
  readonly nodes: number
  /** 1 for a broker that has a token. */
  readonly hasToken: Uint8Array
  readonly excess: Float64Array

  constructor(state: State, levels: Levels) {
    this.levels = levels
    this.brokers = state.brokers
    this.nodes = state.brokers + levels.due.length
    this.hasToken = new Uint8Array(state.brokers)
    this.excess = new Float64Array(this.nodes)
    levels.due.forEach((due, group) => {
      this.excess[this.brokers + group] = -due
    })
    for (let b = 0; b < this.brokers; b++) {
      const group = this.groupNode(b)
      if (group !== -1 && state.load[b]! >= levels.high[b]!) {
        this.hasToken[b] = 1
        this.excess[group]! += 1
      }
      this.excess[b] = state.load[b]! - levels.low[b]! - this.hasToken[b]!
    }
  }

  /** What all nodes together have too much. */
  above(): number {
    return this.excess.reduce((total, excess) => total + Math.max(0, excess), 0)
  }

  /** The node of a broker's group, or -1. */
  groupNode(broker: number): number {
    const group = this.levels.group[broker]!
    return group === NONE ? -1 : this.brokers + group
  }

  /** Nodes that a token can go to from a node, at no cost: from a broker to its group, from a group to its brokers. */
  tokenArcs(from: number): number[] {
    if (from < this.brokers) {
      const group = this.groupNode(from)
      return group !== -1 && this.hasToken[from] === 0 ? [group] : []
    }
    const returns: number[] = []
    for (let b = 0; b < this.brokers; b++) if (this.hasToken[b] === 1 && this.groupNode(b) === from) returns.push(b)
    return returns
  }

  /** Seeks along the exchanges and the tokens of a node. */
  seek(exchanges: Exchanges, from: number, seeker: Seeker): void {
    if (from < this.brokers) exchanges.seek(from, seeker)
    for (const to of this.tokenArcs(from)) if (seeker.wants(to, 0)) seeker.finds(to, 0, NONE)
  }

  /** Distances of all nodes that have too much; `FAR` where none leads. */
  distancesFromExcess(exchanges: Exchanges): Int32Array {
    return this.#relaxed(
      exchanges,
      Int32Array.from(this.excess, (excess) => (excess > 0 ? 0 : FAR)),
    )
  }

  /** Distances from all nodes at once: their negatives are the potentials that prove the plan. */
  distancesFromAll(exchanges: Exchanges): Int32Array {
    return this.#relaxed(exchanges, new Int32Array(this.nodes))
  }

  /** Shortens until nothing is shorter; there is no negative cycle, so that it ends within as many rounds as nodes. */
  #relaxed(exchanges: Exchanges, distances: Int32Array): Int32Array {
    const relaxing = new Relaxing(distances)
    let active = new Uint8Array(this.nodes).fill(1)
    for (let round = 0; round <= this.nodes; round++) {
      relaxing.nearer = new Uint8Array(this.nodes)
      for (let from = 0; from < this.nodes; from++) {
        if (active[from] === 0 || distances[from] === FAR) continue
        relaxing.distance = distances[from]!
        this.seek(exchanges, from, relaxing)
      }
      if (!relaxing.nearer.includes(1)) return distances
      active = relaxing.nearer
    }
    throw codedError('ERR_PLACEMENT_INTERNAL', 'a cycle of exchanges that costs less than nothing')
  }
}

/** Looks for what is nearer by way of one node. */
class Relaxing implements Seeker {
  readonly #distances: Int32Array
  /** Of that node. */
  distance = 0
  nearer = new Uint8Array(0)

  constructor(distances: Int32Array) {
    this.#distances = distances
  }

  wants(to: number, cost: number): boolean {
    return this.#distances[to]! > this.distance + cost
  }

  finds(to: number, cost: number): void {
    this.#distances[to] = this.distance + cost
    this.nearer[to] = 1
  }
}
