/**
 * RoundRobinAssignor: partitions in a row, members in a ring.
 *
 * For `kafka.assign` with `roundrobin`. Source: Apache Kafka 4.4.0, org.apache.kafka.clients.consumer.RoundRobinAssignor.
 * Twin of native/core/src/kafka/round_robin.rs.
 * What differs from the obvious: the ring is not set back at a new topic, members that do not subscribe are passed over,
 * static members come before dynamic ones, and partitions are counted from 0, whatever numbers the metadata has.
 */
import type { AssignAnswer, AssignProblem } from '../../engine/assign-contract.js'
import { offsetsOf, plainResult } from './list-builder.js'
import { isCounted } from './slots.js'
import type { Steps } from './steps.js'
import { subscriberClasses } from './subscriptions.js'

export function* assignRoundRobin(problem: AssignProblem): Steps<AssignAnswer> {
  if (problem.listOf.length === 0) return { failure: 'empty-iterator', member: -1 }
  const ring = new Ring(problem)
  const counts = new Uint32Array(problem.listOf.length)
  for (const topic of problem.topicOrder!) {
    ring.deal(topic, (member) => {
      counts[member]! += 1
    })
    yield 2
  }
  const offsets = offsetsOf(counts)
  const ends = offsets.slice(0, -1)
  const values = new Uint32Array(offsets.at(-1)!)
  ring.pointer = 0
  for (const topic of problem.topicOrder!) {
    ring.deal(topic, (member, slot) => {
      values[ends[member]!++] = slot
    })
    yield 4
  }
  return plainResult(offsets, values)
}

/** Members in a ring; of each class of subscribers, their places in it. */
class Ring {
  /** The place that is next. */
  pointer = 0
  readonly #problem: AssignProblem
  readonly #classOf: Int32Array
  readonly #places: readonly Uint32Array[]

  constructor(problem: AssignProblem) {
    this.#problem = problem
    const { classOf, members } = subscriberClasses(problem, problem.memberInfoOrder)
    this.#classOf = classOf
    this.#places = members.map((some) => placesIn(problem.memberInfoOrder, some))
  }

  /** Calls for each partition of the topic with the member whose turn it is. */
  deal(topic: number, give: (member: number, slot: number) => void): void {
    const { starts, memberInfoOrder } = this.#problem
    if (this.#classOf[topic] === -1) return
    const places = this.#places[this.#classOf[topic]!]!
    let at = firstFrom(places, this.pointer)
    for (let slot = starts[topic]!; slot < starts[topic + 1]!; slot++) {
      if (!isCounted(this.#problem, slot)) continue
      give(memberInfoOrder[places[at]!]!, slot)
      this.pointer = places[at]! + 1
      at = at + 1 === places.length ? 0 : at + 1
    }
  }
}

/** Places of a class's members in the ring of all, ascending, each once. */
function placesIn(order: Uint32Array, some: Uint32Array): Uint32Array {
  const place = new Uint32Array(order.length)
  order.forEach((member, i) => {
    place[member] = i
  })
  return Uint32Array.from(new Set(some), (member) => place[member]!)
}

/** Where the first place at or after `pointer` stands; behind the last one the ring begins anew. */
function firstFrom(ring: Uint32Array, pointer: number): number {
  let [low, high] = [0, ring.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ring[middle]! < pointer) low = middle + 1
    else high = middle
  }
  return low === ring.length ? 0 : low
}
