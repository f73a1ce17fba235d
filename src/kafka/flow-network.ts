/**
 * The most that flows through a network, at the least cost: capacities and costs are integers.
 *
 * For fewest-moves.ts. Shortest augmenting paths: each round finds the distance of every node from the source by cost, then
 * fills all paths of that cost, fewest arcs first. No augmentation along a shortest path makes a negative cycle, so the
 * result is of least cost for its amount (Busacker and Gowen 1960; Edmonds and Karp 1972).
 * The first arcs may have negative costs as long as no cycle of them has.
 */

/** What was sent, and what it cost in all. */
export interface Flow {
  readonly amount: number
  readonly cost: number
}

export class FlowNetwork {
  /** Arcs out of each node; arc `a ^ 1` is arc `a` the other way. */
  readonly #out: number[][]
  readonly #to: number[] = []
  readonly #room: number[] = []
  readonly #cost: number[] = []

  constructor(nodes: number) {
    this.#out = Array.from({ length: nodes }, () => [])
  }

  arc(from: number, to: number, room: number, cost = 0): void {
    if (room === 0) return
    this.#out[from]!.push(this.#to.length)
    this.#to.push(to)
    this.#room.push(room)
    this.#cost.push(cost)
    this.#out[to]!.push(this.#to.length)
    this.#to.push(from)
    this.#room.push(0)
    this.#cost.push(-cost)
  }

  send(source: number, sink: number): Flow {
    let [amount, cost] = [0, 0]
    for (;;) {
      const distance = this.#distances(source)
      if (distance[sink] === Number.POSITIVE_INFINITY) return { amount, cost }
      const sent = this.#fill(source, sink, distance)
      amount += sent
      cost += sent * distance[sink]!
    }
  }

  /** Of each node, by cost: a queue of nodes that came nearer. */
  #distances(source: number): Float64Array {
    const distance = new Float64Array(this.#out.length).fill(Number.POSITIVE_INFINITY)
    const queued = new Uint8Array(this.#out.length)
    distance[source] = 0
    let queue = [source]
    while (queue.length > 0) {
      const next: number[] = []
      for (const node of queue) {
        queued[node] = 0
        for (const arc of this.#out[node]!) {
          const [to, through] = [this.#to[arc]!, distance[node]! + this.#cost[arc]!]
          if (this.#room[arc] === 0 || through >= distance[to]!) continue
          distance[to] = through
          if (queued[to] === 0) next.push(to)
          queued[to] = 1
        }
      }
      queue = next
    }
    return distance
  }

  /** Fills the shortest paths by cost until none is left. */
  #fill(source: number, sink: number, distance: Float64Array): number {
    let sent = 0
    for (;;) {
      const layer = this.#layers(source, distance)
      if (layer[sink] === -1) return sent
      const cursor = new Uint32Array(this.#out.length)
      const push = (node: number, most: number): number => {
        if (node === sink) return most
        let pushed = 0
        for (const arcs = this.#out[node]!; cursor[node]! < arcs.length; cursor[node]!++) {
          const arc = arcs[cursor[node]!]!
          const to = this.#to[arc]!
          if (layer[to] !== layer[node]! + 1 || !this.#isTight(arc, node, distance)) continue
          const through = push(to, Math.min(most - pushed, this.#room[arc]!))
          this.#room[arc]! -= through
          this.#room[arc ^ 1]! += through
          pushed += through
          if (pushed === most) return pushed
        }
        return pushed
      }
      sent += push(source, Number.MAX_SAFE_INTEGER)
    }
  }

  #isTight(arc: number, from: number, distance: Float64Array): boolean {
    return this.#room[arc]! > 0 && distance[this.#to[arc]!] === distance[from]! + this.#cost[arc]!
  }

  /** Of each node, by arcs on paths of least cost. */
  #layers(source: number, distance: Float64Array): Int32Array {
    const layer = new Int32Array(this.#out.length).fill(-1)
    layer[source] = 0
    const queue = [source]
    for (const node of queue) {
      for (const arc of this.#out[node]!) {
        const to = this.#to[arc]!
        if (layer[to] !== -1 || !this.#isTight(arc, node, distance)) continue
        layer[to] = layer[node]! + 1
        queue.push(to)
      }
    }
    return layer
  }
}
