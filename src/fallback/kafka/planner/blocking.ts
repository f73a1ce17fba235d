/**
 * The blocking search: along shortest ways from nodes with too much to nodes with too little, one replica a push, until no
 * way is left in the layers.
 *
 * Twin of native/core/src/kafka/planner/blocking.rs. Depth first, with a place kept in each node's arcs. The replica that
 * serves an arc is looked up when it is needed, so that each push is legal, and costs what the arc says, at that moment;
 * then every set stays the cheapest for the same potentials, and no cycle can become cheaper than nothing. One partition is
 * not used twice on a way; where only that would help, `singleWay` does it.
 */
import { eachWayHome, NO_ARC } from './exchanges.js'
import { FAR, type Network } from './network.js'
import { NONE } from './rule.js'
import type { ByBroker, State } from './state.js'

const UNSEEN = -1

/** So many replicas that fit and do not serve, and the arc is left to the next round of distances. */
const PATIENCE = 2000

/** No slot and no token: the arc is not there now. */
const UNSERVED = -1

export class Blocking {
  readonly #state: State
  readonly #network: Network
  readonly #distances: Int32Array
  readonly #lists: ByBroker
  readonly #waysHome: WaysHome
  /** Fewest arcs from a node with too much. */
  readonly #layer: Int32Array
  /** Where each broker's list is read on, by rack to go to and cost, 0 or 1. */
  readonly #cursors: Uint32Array
  #nextArc = new Uint32Array(0)
  #isClosed = new Uint8Array(0)
  /** Nodes of the way, and the slots of its arcs (`NONE` for a token). */
  #nodes: number[] = []
  #slots: number[] = []
  pushed = 0

  constructor(state: State, network: Network, distances: Int32Array) {
    this.#state = state
    this.#network = network
    this.#distances = distances
    this.#lists = state.byBroker()
    this.#waysHome = new WaysHome(state)
    this.#layer = layersOf(network, distances).layer
    this.#cursors = new Uint32Array(network.brokers * state.problem.racks * 2)
  }

  run(): void {
    const { nodes, excess } = this.#network
    for (let before = -1; before < this.pushed; ) {
      this.#nextArc = new Uint32Array(nodes)
      this.#isClosed = new Uint8Array(nodes)
      before = this.pushed
      for (let source = 0; source < nodes; source++) while (excess[source]! > 0 && this.#search(source)) this.#push()
    }
  }

  /** Finds a way to a node that lacks something; leaves it in `nodes` and `slots`. */
  #search(source: number): boolean {
    this.#nodes = [source]
    this.#slots = []
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
    this.#slots.pop()
    const back = this.#nodes.at(-1)
    if (back !== undefined) this.#nextArc[back]! += 1
  }

  /** The next open node one layer on, once a slot that serves the arc is pushed to `slots`; or -1. */
  #advance(from: number): number {
    for (let to = this.#nextArc[from]!; to < this.#network.nodes; to = ++this.#nextArc[from]!) {
      if (this.#isClosed[to] === 1 || this.#layer[to] !== this.#layer[from]! + 1) continue
      const slot = this.#served(from, to)
      if (slot === UNSERVED) continue
      this.#slots.push(slot)
      return to
    }
    return -1
  }

  /** A slot for the arc, `NONE` for a token, `UNSERVED` where there is no such arc now. */
  #served(from: number, to: number): number {
    const { brokers, exchanges, hasToken } = this.#network
    const step = this.#distances[to]! - this.#distances[from]!
    if (from < brokers && to < brokers) {
      const cost = exchanges.cost[exchanges.pair(from, to)]!
      return cost !== NO_ARC && cost === step ? this.#slotFor(from, to, cost) : UNSERVED
    }
    const [broker, group, token] = from < brokers ? [from, to, 0] : [to, from, 1]
    const isArc = broker < brokers && this.#network.groupNode(broker) === group && hasToken[broker] === token
    return isArc && step === 0 ? NONE : UNSERVED
  }

  #slotFor(from: number, to: number, cost: number): number {
    const { exchanges } = this.#network
    const pair = exchanges.pair(from, to)
    const serves = (slot: number): boolean => this.#serves(slot, from, to, cost)
    const known = exchanges.slot[pair]!
    if (known !== NONE && serves(known)) return known
    if (cost <= 0) {
      const home = this.#waysHome.first(pair, serves)
      if (home !== NONE) return home
    }
    return cost >= 0 ? this.#scan(from, to, cost) : UNSERVED
  }

  /** Reads on in the broker's list; what can never go to that rack at that cost again is left behind. */
  #scan(from: number, to: number, cost: number): number {
    const { homes, starts, guests } = this.#lists
    const [start, own, came] = [starts[from]!, starts[from + 1]! - starts[from]!, guests[from]!]
    const rack = this.#state.rack(to)
    const at = (from * this.#state.problem.racks + rack) * 2 + cost
    let next = Math.max(this.#cursors[at]!, cost === 0 ? own : 0)
    let isPrefix = true
    for (let passed = 0; next < own + came.length && passed <= PATIENCE; ) {
      const slot = next < own ? homes[start + next]! : came[next - own]!
      next += 1
      if (!this.#fitsRack(slot, from, rack, cost)) {
        if (isPrefix) this.#cursors[at] = next
        continue
      }
      isPrefix = false
      passed += 1
      if (this.#serves(slot, from, to, cost)) return slot
    }
    return UNSERVED
  }

  #serves(slot: number, from: number, to: number, cost: number): boolean {
    const state = this.#state
    if (state.now[slot] !== from) return false
    const p = state.partitionOf[slot]!
    if (Number(state.held(p, from)) - Number(state.held(p, to)) !== cost || state.holds(p, to)) return false
    if (!state.mayCross(p, state.rack(from), state.rack(to))) return false
    return !this.#slots.some((taken) => taken !== NONE && state.partitionOf[taken] === p)
  }

  #fitsRack(slot: number, from: number, rack: number, cost: number): boolean {
    const state = this.#state
    if (state.now[slot] !== from) return false
    const p = state.partitionOf[slot]!
    return state.held(p, from) === (cost === 1) && state.mayCross(p, state.rack(from), rack)
  }

  #push(): void {
    const { excess } = this.#network
    for (const [i, slot] of this.#slots.entries()) {
      step(this.#state, this.#network, [this.#nodes[i]!, this.#nodes[i + 1]!], slot)
    }
    excess[this.#nodes[0]!]! -= 1
    excess[this.#nodes.at(-1)!]! += 1
    for (const node of this.#nodes) this.#isClosed[node] = 0
    this.pushed += 1
  }
}

/** Slots that could go home, by pair of brokers. */
class WaysHome {
  /** First of the chain of each pair. */
  readonly #first: Uint32Array
  /** Slot and next of the chain. */
  readonly #slots: number[] = []
  readonly #next: number[] = []

  constructor(state: State) {
    this.#first = new Uint32Array(state.brokers * state.brokers).fill(NONE)
    eachWayHome(state, (slot, from, home) => {
      const pair = from * state.brokers + home
      this.#slots.push(slot)
      this.#next.push(this.#first[pair]!)
      this.#first[pair] = this.#slots.length - 1
    })
  }

  /** The first of a pair that still serves, or `NONE`; what no longer does is dropped. */
  first(pair: number, serves: (slot: number) => boolean): number {
    while (this.#first[pair] !== NONE) {
      const slot = this.#slots[this.#first[pair]!]!
      if (serves(slot)) return slot
      this.#first[pair] = this.#next[this.#first[pair]!]!
    }
    return NONE
  }
}

/** One arc of a way: a replica moves, or a token changes hands. */
function step(state: State, { brokers, hasToken }: Network, [from, to]: readonly [number, number], slot: number): void {
  if (slot !== NONE) state.put(slot, to)
  else if (from < brokers) hasToken[from] = 1
  else hasToken[to] = 0
}

/** Breadth first over the arcs that lie on shortest ways; also the node before each, or -1. */
function layersOf(network: Network, distances: Int32Array): { layer: Int32Array; before: Int32Array } {
  const layer = new Int32Array(network.nodes).fill(UNSEEN)
  const before = new Int32Array(network.nodes).fill(-1)
  const open: number[] = []
  for (let node = 0; node < network.nodes; node++) if (network.excess[node]! > 0) open.push(node)
  for (const node of open) layer[node] = 0
  for (const from of open) {
    network.eachArc(from, (to, cost) => {
      if (layer[to] !== UNSEEN || distances[to] === FAR || distances[to] !== distances[from]! + cost) return
      layer[to] = layer[from]! + 1
      before[to] = from
      open.push(to)
    })
  }
  return { layer, before }
}

/**
 * One way of fewest arcs among the shortest, by the slots that the network names. It may use a partition twice: with fewest
 * arcs no shorter cut exists, so that both exchanges together are legal. False where no node that lacks can be reached.
 */
export function singleWay(state: State, network: Network, distances: Int32Array): boolean {
  const { before } = layersOf(network, distances)
  let last = -1
  for (let node = 0; node < network.nodes; node++) {
    if (network.excess[node]! >= 0 || before[node] === -1) continue
    if (last === -1 || distances[node]! < distances[last]!) last = node
  }
  if (last === -1) return false
  let to = last
  for (let from = before[to]!; from !== -1; from = before[to]!) {
    const isExchange = from < network.brokers && to < network.brokers
    step(state, network, [from, to], isExchange ? network.exchanges.slot[network.exchanges.pair(from, to)]! : NONE)
    to = from
  }
  network.excess[to]! -= 1
  network.excess[last]! += 1
  return true
}
