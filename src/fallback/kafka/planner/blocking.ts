/**
 * The blocking search: along shortest ways from nodes with too much to nodes with too little, one replica a push, until no
 * way is left in the layers.
 *
 * Twin of native/core/src/kafka/planner/blocking.rs. Depth first, with a place kept in each node's arcs. The replica that
 * serves an arc is looked up when it is needed, so that each push is legal, and costs what the arc says, at that moment;
 * then every set stays the cheapest for the same potentials, and no cycle can become cheaper than nothing. One partition is
 * not used twice on a way; where only that would help, `singleWay` does it.
 */
import type { Exchanges, Seeker } from './exchanges.js'
import { FAR, type Network } from './network.js'
import type { Turns } from './progress.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

const UNSEEN = -1

/** So many pushes, a millisecond or so, and there is a turn. */
const PUSHES = 64

/** No partition and no token: the arc is not there now. */
const UNSERVED = -1

export class Blocking {
  readonly #state: State
  readonly #network: Network
  readonly #exchanges: Exchanges
  readonly #distances: Int32Array
  readonly #layers: Layers
  #nextArc = new Uint32Array(0)
  #isClosed = new Uint8Array(0)
  /** Nodes of the way, and the partitions of its arcs (`NONE` for a token). */
  #nodes: number[] = []
  #partitions: number[] = []

  constructor(state: State, network: Network, exchanges: Exchanges, distances: Int32Array) {
    this.#state = state
    this.#network = network
    this.#exchanges = exchanges
    this.#distances = distances
    this.#layers = layersOf(network, exchanges, distances)
  }

  /** How many replicas were pushed. */
  *run(): Turns<number> {
    const { nodes, excess } = this.#network
    let pushed = 0
    for (let before = -1; before < pushed; ) {
      this.#nextArc = new Uint32Array(nodes)
      this.#isClosed = new Uint8Array(nodes)
      before = pushed
      for (let source = 0; source < nodes; source++) {
        while (excess[source]! > 0 && this.#search(source)) {
          this.#push()
          pushed += 1
          if (pushed % PUSHES === 0) yield
        }
      }
    }
    return pushed
  }

  /** Finds a way to a node that lacks something; leaves it in `nodes` and `partitions`. */
  #search(source: number): boolean {
    this.#nodes = [source]
    this.#partitions = []
    this.#isClosed[source] = 1
    while (this.#nodes.length > 0) {
      const to = this.#advance(this.#nodes.at(-1)!)
      if (to === -1) {
        this.#retreat()
        continue
      }
      this.#isClosed[to] = 1
      this.#nodes.push(to)
      if (this.#network.excess[to]! < 0) return true
    }
    return false
  }

  #retreat(): void {
    this.#nodes.pop()
    this.#partitions.pop()
    const back = this.#nodes.at(-1)
    if (back !== undefined) this.#nextArc[back]! += 1
  }

  /** The next open node one layer on, once a partition that serves the arc is pushed to `partitions`; or -1. */
  #advance(from: number): number {
    const after = this.#layers.nodes[this.#layers.layer[from]! + 1]!
    for (; this.#nextArc[from]! < after.length; this.#nextArc[from]! += 1) {
      const to = after[this.#nextArc[from]!]!
      const partition = this.#served(from, to)
      if (partition === UNSERVED) continue
      this.#partitions.push(partition)
      return to
    }
    return -1
  }

  /** A partition for the arc, `NONE` for a token, `UNSERVED` where there is no such arc now. */
  #served(from: number, to: number): number {
    if (this.#isClosed[to] === 1) return UNSERVED
    const { brokers, hasToken } = this.#network
    const step = this.#distances[to]! - this.#distances[from]!
    if (from < brokers && to < brokers) {
      const partition = Math.abs(step) <= 1 ? this.#exchanges.find(this.#partitions, from, to, step) : NONE
      return partition === NONE ? UNSERVED : partition
    }
    const [broker, group, token] = from < brokers ? [from, to, 0] : [to, from, 1]
    const isArc = broker < brokers && this.#network.groupNode(broker) === group && hasToken[broker] === token
    return isArc && step === 0 ? NONE : UNSERVED
  }

  #push(): void {
    const { excess } = this.#network
    for (const [i, partition] of this.#partitions.entries()) {
      step(this.#state, this.#network, [this.#nodes[i]!, this.#nodes[i + 1]!], partition)
    }
    this.#exchanges.update()
    excess[this.#nodes[0]!]! -= 1
    excess[this.#nodes.at(-1)!]! += 1
    for (const node of this.#nodes) this.#isClosed[node] = 0
  }
}

/** One arc of a way: a replica moves, or a token changes hands. */
function step(
  state: State,
  { brokers, hasToken }: Network,
  [from, to]: readonly [number, number],
  partition: number,
): void {
  if (partition !== NONE) state.give(partition, from, to)
  else if (from < brokers) hasToken[from] = 1
  else hasToken[to] = 0
}

/** Nodes by the fewest arcs from one with too much, over the arcs that lie on shortest ways. */
interface Layers {
  readonly layer: Int32Array
  /** Nodes of each layer, ascending. */
  readonly nodes: number[][]
  /** The node before each, or -1, and the partition of the arc. */
  readonly before: Int32Array
  readonly by: Uint32Array
}

function layersOf(network: Network, exchanges: Exchanges, distances: Int32Array): Layers {
  const layer = new Int32Array(network.nodes).fill(UNSEEN)
  const before = new Int32Array(network.nodes).fill(-1)
  const by = new Uint32Array(network.nodes)
  const open: number[] = []
  for (let node = 0; node < network.nodes; node++) if (network.excess[node]! > 0) open.push(node)
  for (const node of open) layer[node] = 0
  for (const from of open) {
    const seeker: Seeker = {
      wants: (to, cost) => layer[to] === UNSEEN && distances[to]! < FAR && distances[to] === distances[from]! + cost,
      finds: (to, _, partition) => {
        layer[to] = layer[from]! + 1
        before[to] = from
        by[to] = partition
        open.push(to)
      },
    }
    network.seek(exchanges, from, seeker)
  }
  const nodes: number[][] = Array.from({ length: open.length === 0 ? 0 : layer[open.at(-1)!]! + 2 }, () => [])
  for (const [node, at] of layer.entries()) if (at !== UNSEEN) nodes[at]!.push(node)
  return { layer, nodes, before, by }
}

/**
 * One way of fewest arcs among the shortest. It may use a partition twice: with fewest arcs no shorter cut exists, so that
 * both exchanges together are legal. False where no node that lacks can be reached.
 */
export function singleWay(state: State, network: Network, exchanges: Exchanges, distances: Int32Array): boolean {
  const { before, by } = layersOf(network, exchanges, distances)
  let last = -1
  for (let node = 0; node < network.nodes; node++) {
    if (network.excess[node]! >= 0 || before[node] === -1) continue
    if (last === -1 || distances[node]! < distances[last]!) last = node
  }
  if (last === -1) return false
  let to = last
  for (let from = before[to]!; from !== -1; from = before[to]!) {
    step(state, network, [from, to], by[to]!)
    to = from
  }
  exchanges.update()
  network.excess[to]! -= 1
  network.excess[last]! += 1
  return true
}
