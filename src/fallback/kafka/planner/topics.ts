/**
 * Replicas of each topic levelled over the brokers, for nothing: two replicas that move anyway change places.
 *
 * Twin of native/core/src/kafka/planner/topics.rs. Counts per broker and moves stay. A local search, each replica against a
 * few others: how far from level the topics are afterwards is told beside the plan.
 */
import { mixed } from './chance.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

const PARTNERS = 32
const PASSES = 4

export function levelTopics(state: State): void {
  const exchange = new TopicExchange(state)
  for (let pass = 0; pass < PASSES; pass++) if (!exchange.pass()) return
}

class TopicExchange {
  readonly #state: State
  /** Slots on brokers that did not hold their partition. */
  readonly #moved: number[] = []
  /** Replicas by topic and broker, of the topics that have a moved one. */
  readonly #counts = new Map<number, number>()

  constructor(state: State) {
    this.#state = state
    const { offsets, problem } = state
    const topics = new Set<number>()
    for (let p = 0; p < state.partitions; p++) {
      if (state.isTouched[p] === 0) continue
      for (let slot = offsets[p]!; slot < offsets[p + 1]!; slot++) {
        if (!state.isNew(slot)) continue
        this.#moved.push(slot)
        topics.add(problem.topicOf[p]!)
      }
    }
    for (let p = 0; p < state.partitions; p++) {
      if (topics.has(problem.topicOf[p]!)) this.#countAll(p)
    }
  }

  #countAll(p: number): void {
    const { offsets, now, problem } = this.#state
    for (let slot = offsets[p]!; slot < offsets[p + 1]!; slot++) {
      if (now[slot] !== NONE) this.#add(problem.topicOf[p]!, now[slot]!, 1)
    }
  }

  pass(): boolean {
    let any = false
    const moved = this.#moved.length
    for (let i = 0; i < moved; i++) {
      for (let k = 1; k <= Math.min(PARTNERS, moved - 1); k++) {
        any = this.#trySwap(this.#moved[i]!, this.#moved[mixed(i, k) % moved]!) || any
      }
    }
    return any
  }

  #count(topic: number, broker: number): number {
    return this.#counts.get(topic * this.#state.brokers + broker) ?? 0
  }

  #add(topic: number, broker: number, change: number): void {
    this.#counts.set(topic * this.#state.brokers + broker, this.#count(topic, broker) + change)
  }

  #trySwap(one: number, other: number): boolean {
    const { now, partitionOf, problem } = this.#state
    const [a, b] = [now[one]!, now[other]!]
    const [t, u] = [problem.topicOf[partitionOf[one]!]!, problem.topicOf[partitionOf[other]!]!]
    if (a === b || t === u) return false
    const gain = this.#count(t, a) - this.#count(t, b) + this.#count(u, b) - this.#count(u, a)
    if (gain <= 2 || !this.#mayGo(one, b) || !this.#mayGo(other, a)) return false
    this.#add(t, a, -1)
    this.#add(t, b, 1)
    this.#add(u, b, -1)
    this.#add(u, a, 1)
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
