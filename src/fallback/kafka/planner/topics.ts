/**
 * Replicas of each topic levelled over the brokers, for nothing: two replicas that move anyway change places.
 *
 * Twin of native/core/src/kafka/planner/topics.rs. Counts per broker and moves stay. A local search, each replica of a topic
 * that its broker has two more of than another, against a few others: how far from level the topics are afterwards is told
 * beside the plan.
 */
import { mixed } from './chance.js'
import { inParts, type Turns } from './progress.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

const PASSES = 4

/**
 * Tries of a pass, and how many a replica has at least and at most: few where many move, or the search would take longer
 * than the plan.
 */
const TRIES = 2 ** 22
const PARTNERS = [4, 64] as const

export function* levelTopics(state: State): Turns<void> {
  const exchange = new TopicExchange(state)
  for (let pass = 0; pass < PASSES; pass++) if (!(yield* exchange.pass(pass))) return
}

class TopicExchange {
  readonly #state: State
  /** Slots on brokers that did not hold their partition. */
  readonly #moved: number[] = []
  /** Of those, the ones in each rack: what changes places in a rack breaks no rule of racks. */
  #byRack: number[][] = []
  readonly #counts: TopicCounts

  constructor(state: State) {
    this.#state = state
    for (let p = 0; p < state.partitions; p++) {
      if (state.isTouched[p] === 0) continue
      for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
        if (state.isNew(slot)) this.#moved.push(slot)
      }
    }
    this.#counts = new TopicCounts(state)
  }

  *pass(pass: number): Turns<boolean> {
    const { problem, now } = this.#state
    this.#byRack = Array.from({ length: problem.racks }, () => [])
    for (const slot of this.#moved) this.#byRack[problem.rackOf[now[slot]!]!]!.push(slot)
    let any = false
    let [known, least] = [-1, 0]
    yield* inParts(this.#moved.length, (from, to) => {
      for (let i = from; i < to; i++) {
        const topic = this.#topicOf(this.#moved[i]!)
        if (topic !== known) [known, least] = [topic, this.#counts.least(topic)]
        any = this.#level(i, least, pass) || any
      }
    })
    return any
  }

  #topicOf(slot: number): number {
    return this.#state.problem.topicOf[this.#state.partitionOf[slot]!]!
  }

  /** Tries one replica against others, as long as its broker has two more of the topic than the least. */
  #level(i: number, least: number, pass: number): boolean {
    const moved = this.#moved
    const slot = moved[i]!
    const topic = this.#topicOf(slot)
    let any = false
    const share = Math.min(PARTNERS[1], Math.max(PARTNERS[0], Math.floor(TRIES / moved.length)))
    const partners = Math.min(share, moved.length - 1)
    for (let k = 1; k <= partners; k++) {
      const at = this.#state.now[slot]!
      if (this.#counts.of(topic, at) < least + 2) break
      const among = k % 2 === 1 ? this.#byRack[this.#state.rack(at)]! : moved
      const other = among[mixed(i, k + pass * partners) % Math.max(1, among.length)]
      any = (other !== undefined && this.#trySwap(slot, other)) || any
    }
    return any
  }

  /** Two replicas change places where the squares become fewer by it; the first topic gains two or more. */
  #trySwap(one: number, other: number): boolean {
    const counts = this.#counts
    const [a, b] = [this.#state.now[one]!, this.#state.now[other]!]
    const [t, u] = [this.#topicOf(one), this.#topicOf(other)]
    if (a === b || t === u) return false
    const gain = counts.of(t, a) - counts.of(t, b)
    if (gain < 2 || gain + counts.of(u, b) - counts.of(u, a) <= 2) return false
    if (!this.#mayGo(one, b) || !this.#mayGo(other, a)) return false
    counts.add(t, a, -1)
    counts.add(t, b, 1)
    counts.add(u, b, -1)
    counts.add(u, a, 1)
    this.#state.put(one, b)
    this.#state.put(other, a)
    return true
  }

  #mayGo(slot: number, to: number): boolean {
    const state = this.#state
    const p = state.partitionOf[slot]!
    if (state.holds(p, to) || state.held(p, to)) return false
    return state.mayCross(p, state.rack(state.now[slot]!), state.rack(to))
  }
}

/** A topic with fewer replicas than one a so many brokers is counted when asked. */
const BROKERS_A_REPLICA = 4

/** Replicas by topic and broker: kept for topics that are large beside the brokers, counted when asked for the others. */
class TopicCounts {
  readonly #state: State
  /** Slots of topic `t`: `[starts[t], starts[t + 1])`. */
  readonly #starts: Uint32Array
  readonly #rows: (Uint32Array | undefined)[] = []

  constructor(state: State) {
    this.#state = state
    const { topicOf } = state.problem
    this.#starts = new Uint32Array((topicOf.at(-1) ?? -1) + 2)
    for (let p = 0; p < state.partitions; p++) this.#starts[topicOf[p]! + 1] = state.offsets[p + 1]!
    for (let t = 1; t < this.#starts.length; t++) this.#starts[t] = Math.max(this.#starts[t]!, this.#starts[t - 1]!)
    for (let t = 0; t + 1 < this.#starts.length; t++) {
      const slots = this.#starts[t + 1]! - this.#starts[t]!
      if (slots * BROKERS_A_REPLICA >= state.brokers) this.#rows[t] = this.#countAll(t)
    }
  }

  #countAll(topic: number): Uint32Array {
    const row = new Uint32Array(this.#state.brokers)
    for (let slot = this.#starts[topic]!; slot < this.#starts[topic + 1]!; slot++) {
      const broker = this.#state.now[slot]!
      if (broker !== NONE) row[broker]! += 1
    }
    return row
  }

  of(topic: number, broker: number): number {
    const row = this.#rows[topic]
    if (row !== undefined) return row[broker]!
    let count = 0
    for (let slot = this.#starts[topic]!; slot < this.#starts[topic + 1]!; slot++) {
      count += Number(this.#state.now[slot] === broker)
    }
    return count
  }

  /** The least that a broker has which is in; 0 where that is not kept. */
  least(topic: number): number {
    const row = this.#rows[topic]
    if (row === undefined) return 0
    let least = Number.POSITIVE_INFINITY
    for (let b = 0; b < row.length; b++) if (this.#state.isIn(b)) least = Math.min(least, row[b]!)
    return least
  }

  add(topic: number, broker: number, change: number): void {
    const row = this.#rows[topic]
    if (row !== undefined) row[broker]! += change
  }
}
