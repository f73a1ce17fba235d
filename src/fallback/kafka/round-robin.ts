/**
 * RoundRobinAssignor: partitions in a row, members in a ring.
 *
 * For `kafka.assign` with `roundrobin`. Source: Apache Kafka 4.4.0, org.apache.kafka.clients.consumer.RoundRobinAssignor.
 * Twin of native/core/src/kafka/round_robin.rs.
 * What differs from the obvious: the ring is not set back at a new topic, members that do not subscribe are passed over,
 * static members come before dynamic ones, and partitions are counted from 0, whatever numbers the metadata has.
 */
import type { AssignAnswer, AssignProblem } from '../../engine/assign-contract.js'
import { ListBuilder } from './list-builder.js'
import { isCounted } from './slots.js'
import { subscriberClasses } from './subscriptions.js'

export function assignRoundRobin(problem: AssignProblem): AssignAnswer {
  if (problem.listOf.length === 0) return { failure: 'empty-iterator', member: -1 }
  const { starts, memberInfoOrder } = problem
  const { classOf, members } = subscriberClasses(problem, memberInfoOrder)
  const places = members.map((some) => placesIn(memberInfoOrder, some))
  const lists = new ListBuilder(problem.listOf.length)
  let pointer = 0
  for (const topic of problem.topicOrder!) {
    if (classOf[topic] === -1) continue
    const ring = places[classOf[topic]!]!
    let at = firstFrom(ring, pointer)
    for (let slot = starts[topic]!; slot < starts[topic + 1]!; slot++) {
      if (!isCounted(problem, slot)) continue
      lists.add(memberInfoOrder[ring[at]!]!, slot)
      pointer = ring[at]! + 1
      at = at + 1 === ring.length ? 0 : at + 1
    }
  }
  return lists.result()
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
