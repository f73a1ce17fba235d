/**
 * Replicas of a new topic, as Kafka's controller places them.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.metadata.placement.StripedReplicaPlacer. What differs from the obvious: the
 * first partition's number does not matter; all lists are shuffled anew after as many partitions as there are unfenced
 * brokers; and the racks are drawn for and shuffled in the order of a Java map, but walked by name until the first shuffle.
 * Twin of native/core/src/kafka/striped.rs.
 */
import type { StripedProblem } from '../../engine/placement-contract.js'
import { JavaRandom } from './java-random.js'

/** Places row by row into `out`: the state after the draws or how many numbers were used, -1 where they are too few. */
export function placeStriped(problem: StripedProblem, out: Int32Array): number {
  const random = new JavaRandom(problem.random)
  const placer = new Placer(problem, random)
  const { replicationFactor } = problem
  for (let at = 0; at < out.length && !random.isOut; at += replicationFactor) {
    placer.place(out, at, at + replicationFactor)
  }
  return random.isOut ? -1 : random.position
}

/** Brokers of a rack that are handed out in turn, each once an epoch. */
class Turn {
  readonly brokers: Int32Array
  #epoch = 0
  #index = 0
  #offset: number

  constructor(brokers: Int32Array, random: JavaRandom) {
    this.brokers = brokers
    this.#offset = brokers.length === 0 ? 0 : random.below(brokers.length)
  }

  /** A broker, or -1. */
  next(epoch: number): number {
    const count = this.brokers.length
    if (count === 0) return -1
    if (this.#epoch !== epoch) {
      this.#epoch = epoch
      this.#index = 0
      this.#offset = (this.#offset + 1) % count
    }
    if (this.#index === count) return -1
    return this.brokers[(this.#index++ + this.#offset) % count]!
  }
}

interface Rack {
  readonly unfenced: Turn
  readonly fenced: Turn
}

class Placer {
  readonly #random: JavaRandom
  readonly #racks: Rack[]
  readonly #walk: Uint32Array
  readonly #unfenced: number
  /** Racks in the order of placing. */
  readonly #order: Uint32Array
  #offset: number
  #epoch = 0

  constructor({ unfenced, unfencedStarts, fenced, fencedStarts, walk }: StripedProblem, random: JavaRandom) {
    this.#random = random
    this.#walk = walk
    this.#unfenced = unfenced.length
    this.#racks = new Array<Rack>(walk.length)
    for (const rack of walk) {
      const ofFenced = new Turn(fenced.slice(fencedStarts[rack], fencedStarts[rack + 1]), random)
      const ofUnfenced = new Turn(unfenced.slice(unfencedStarts[rack], unfencedStarts[rack + 1]), random)
      this.#racks[rack] = { fenced: ofFenced, unfenced: ofUnfenced }
    }
    this.#order = Uint32Array.from(walk.keys())
    this.#offset = random.below(walk.length)
  }

  place(out: Int32Array, from: number, to: number): void {
    if (this.#epoch === this.#unfenced && this.#unfenced > 1) {
      this.#shuffle()
      this.#epoch = 0
    }
    if (this.#offset === this.#order.length) this.#offset = 0
    const leaders = this.#leader(out, from)
    this.#followers(out, from + 1, to, leaders)
    this.#epoch++
    this.#offset++
  }

  #shuffle(): void {
    this.#random.shuffle(this.#order)
    for (const rack of this.#walk) {
      const { fenced, unfenced } = this.#racks[rack]!
      this.#random.shuffle(fenced.brokers)
      this.#random.shuffle(unfenced.brokers)
    }
  }

  /**
   * The next unfenced broker from the offset's rack on, and its rack's place. Each has had at most one partition less than
   * there are unfenced brokers in this epoch, so one is found.
   */
  #leader(out: Int32Array, at: number): number {
    let rack = this.#offset
    for (;;) {
      const broker = this.#racks[this.#order[rack]!]!.unfenced.next(this.#epoch)
      if (broker >= 0) {
        out[at] = broker
        return rack
      }
      rack = this.#after(rack)
    }
  }

  /** Walks the racks from the offset on, past the leader's once. */
  #followers(out: Int32Array, from: number, to: number, leaders: number): void {
    let skip = leaders
    let rack = this.#offset
    for (let at = from; at < to; ) {
      const here = rack
      rack = this.#after(rack)
      if (here === skip) {
        skip = -1
        continue
      }
      const broker = this.#next(here)
      if (broker >= 0) out[at++] = broker
    }
  }

  #next(place: number): number {
    const { unfenced, fenced } = this.#racks[this.#order[place]!]!
    const broker = unfenced.next(this.#epoch)
    return broker >= 0 ? broker : fenced.next(this.#epoch)
  }

  #after(rack: number): number {
    return rack + 1 === this.#order.length ? 0 : rack + 1
  }
}
