/**
 * The brokers and the groups of racks as one network: who is above or below its level, and how far each is from those above.
 *
 * Twin of native/core/src/kafka/planner/network.rs. Node `b` is a broker, node `brokers + g` a group. A broker at its `high`
 * holds one of its group's tokens, a broker at `low` may take one: arcs of cost 0 between both. What a node has too much, or
 * lacks (below 0), is its excess.
 */
import { codedError } from '../../../errors.js'
import { Exchanges, NO_ARC } from './exchanges.js'
import type { Levels } from './levels.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

/** Farther than any path. */
export const FAR = 2 ** 30

export class Network {
  readonly levels: Levels
  readonly exchanges: Exchanges
  readonly brokers: number
  readonly nodes: number
  /** 1 for a broker that has a token. */
  readonly hasToken: Uint8Array
  readonly excess: Float64Array

  constructor(state: State, levels: Levels) {
    this.levels = levels
    this.exchanges = new Exchanges(state)
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

  /** Nodes that one arc leads to, and its cost. */
  eachArc(from: number, arc: (to: number, cost: number) => void): void {
    if (from >= this.brokers) {
      for (let b = 0; b < this.brokers; b++) if (this.hasToken[b] === 1 && this.groupNode(b) === from) arc(b, 0)
      return
    }
    const { cost } = this.exchanges
    const start = from * this.brokers
    for (let to = 0; to < this.brokers; to++) if (cost[start + to] !== NO_ARC) arc(to, cost[start + to]!)
    const group = this.groupNode(from)
    if (group !== -1 && this.hasToken[from] === 0) arc(group, 0)
  }

  /** Distances of all nodes that have too much; `FAR` where none leads. */
  distancesFromExcess(): Int32Array {
    return this.#relaxed(Int32Array.from(this.excess, (excess) => (excess > 0 ? 0 : FAR)))
  }

  /** Distances from all nodes at once: their negatives are the potentials that prove the plan. */
  distancesFromAll(): Int32Array {
    return this.#relaxed(new Int32Array(this.nodes))
  }

  /** Shortens until nothing is shorter; there is no negative cycle, so that it ends within as many rounds as nodes. */
  #relaxed(distances: Int32Array): Int32Array {
    let active = new Uint8Array(this.nodes).fill(1)
    for (let round = 0; round <= this.nodes; round++) {
      const next = new Uint8Array(this.nodes)
      for (let from = 0; from < this.nodes; from++) {
        const distance = distances[from]!
        if (active[from] === 0 || distance === FAR) continue
        this.eachArc(from, (to, cost) => {
          if (distance + cost >= distances[to]!) return
          distances[to] = distance + cost
          next[to] = 1
        })
      }
      if (!next.includes(1)) return distances
      active = next
    }
    throw codedError('ERR_PLACEMENT_INTERNAL', 'a cycle of exchanges that costs less than nothing')
  }
}
