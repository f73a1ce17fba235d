/**
 * Which partitions of a topic moved from whom to whom, so that a move the other way takes one of those back instead.
 *
 * For the general sticky algorithm. Source: Apache Kafka 4.4.0, AbstractStickyAssignor.PartitionMovements. Twin of
 * native/core/src/kafka/sticky/movements.rs.
 * What differs from the obvious: which of them is taken back is the first that a HashSet gives, by the hash codes of
 * topic and number, with the places that earlier members of the set left behind.
 */
import type { AssignProblem } from '../../../engine/assign-contract.js'
import { JavaTable } from '../java-table.js'

/** Slots that moved from one member to another, as a HashSet holds them. */
class MovedSlots {
  /** Numbers of one topic never share a hash code, so none is ever compared. */
  readonly #table = new JavaTable(() => 0)
  readonly #slots: number[] = []

  get size(): number {
    return this.#table.size
  }

  add(slot: number, hashCode: number): number {
    this.#slots.push(slot)
    return this.#table.add(hashCode)
  }

  remove(node: number): void {
    this.#table.remove(node)
  }

  first(): number {
    return this.#slots[this.#table.first()]!
  }
}

/** Where a slot was, and its node in the set of moves from there. */
interface Move {
  readonly from: number
  readonly node: number
}

export class Movements {
  readonly #topicHashes: Int32Array
  readonly #members: number
  readonly #numberOf: (slot: number) => number
  readonly #topicOf: (slot: number) => number
  /** Where a slot was before its first move, and its node in the set of its moves. */
  readonly #moved = new Map<number, Move>()
  readonly #ways = new Map<number, Map<number, MovedSlots>>()

  constructor(
    { topicHashes, listOf }: AssignProblem,
    numberOf: (slot: number) => number,
    topicOf: (slot: number) => number,
  ) {
    this.#topicHashes = topicHashes
    this.#members = listOf.length
    this.#numberOf = numberOf
    this.#topicOf = topicOf
  }

  /** The slot to move in place of `slot`, which is to go from `from` to `to`. */
  actual(slot: number, from: number, to: number): number {
    if (this.#ways.size === 0) return slot
    const origin = this.#moved.get(slot)?.from ?? from
    const back = this.#ways.get(this.#topicOf(slot))?.get(this.#key(to, origin))
    return back === undefined ? slot : back.first()
  }

  moved(slot: number, from: number, to: number): void {
    const before = this.#moved.get(slot)
    if (before !== undefined) this.#remove(slot, before, from)
    const origin = before?.from ?? from
    if (origin !== to) this.#add(slot, origin, to)
  }

  #add(slot: number, from: number, to: number): void {
    const topic = this.#topicOf(slot)
    let ofTopic = this.#ways.get(topic)
    if (ofTopic === undefined) {
      ofTopic = new Map()
      this.#ways.set(topic, ofTopic)
    }
    const key = this.#key(from, to)
    let slots = ofTopic.get(key)
    if (slots === undefined) {
      slots = new MovedSlots()
      ofTopic.set(key, slots)
    }
    const hashCode = (Math.imul(31, 31 + this.#numberOf(slot)) + this.#topicHashes[topic]!) | 0
    this.#moved.set(slot, { from, node: slots.add(slot, hashCode) })
  }

  #remove(slot: number, { from, node }: Move, to: number): void {
    const ofTopic = this.#ways.get(this.#topicOf(slot))!
    const slots = ofTopic.get(this.#key(from, to))!
    slots.remove(node)
    if (slots.size === 0) ofTopic.delete(this.#key(from, to))
    this.#moved.delete(slot)
  }

  #key(from: number, to: number): number {
    return from * this.#members + to
  }
}
