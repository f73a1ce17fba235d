/**
 * Replicas of a new topic, as Kafka's tools placed them up to 4.0.
 *
 * Source: Apache Kafka 4.0.2, org.apache.kafka.admin.AdminUtils.assignReplicasToBrokers; gone from 4.1 on. What differs from
 * the obvious: the shift of the followers grows when the partition's number is a multiple of the brokers, so a topic that
 * grows goes on where it ended; with racks a candidate is passed over while another rack, or another broker, has none.
 * Twin of native/core/src/kafka/alternating.rs.
 */
import type { AlternatingProblem } from '../../engine/placement-contract.js'

/** Places row by row into `out`. */
export function placeAlternating(problem: AlternatingProblem, out: Int32Array): void {
  const { ids, rackCount, partition: start, leader, replicationFactor } = problem
  const taken = new Taken(problem)
  let shift = problem.shift
  let partition = start
  for (let at = 0; at < out.length; at += replicationFactor, partition++) {
    if (partition > 0 && partition % ids.length === 0) shift++
    const first = (partition + leader) % ids.length
    const row = out.subarray(at, at + replicationFactor)
    if (rackCount === 0) placePlain(ids, first, shift, row)
    else taken.place(first, shift, row)
  }
}

function placePlain(ids: Int32Array, first: number, shift: number, row: Int32Array): void {
  row[0] = ids[first]!
  for (let i = 1; i < row.length; i++) row[i] = ids[followerAt(first, shift + i - 1, ids.length)]!
}

/** Position of a follower; never the leader's. */
function followerAt(first: number, shift: number, count: number): number {
  return (first + 1 + (shift % (count - 1))) % count
}

/** Brokers and racks that hold a replica of the partition at hand: marked with its number, so that nothing is cleared. */
class Taken {
  readonly #problem: AlternatingProblem
  readonly #ofBroker: Float64Array
  readonly #ofRack: Float64Array
  #mark = 0
  #racks = 0

  constructor(problem: AlternatingProblem) {
    this.#problem = problem
    this.#ofBroker = new Float64Array(problem.ids.length)
    this.#ofRack = new Float64Array(problem.rackCount)
  }

  place(first: number, shift: number, row: Int32Array): void {
    const { ids, rackCount } = this.#problem
    this.#mark++
    this.#racks = 0
    row[0] = this.#take(first)
    let next = shift * rackCount
    for (let i = 1; i < row.length; next++) {
      const at = followerAt(first, next, ids.length)
      if (this.#mayTake(at)) row[i++] = this.#take(at)
    }
  }

  #mayTake(at: number): boolean {
    const { racks, rackCount } = this.#problem
    const rackIsFree = this.#ofRack[racks[at]!] !== this.#mark || this.#racks === rackCount
    return rackIsFree && this.#ofBroker[at] !== this.#mark
  }

  #take(at: number): number {
    const { ids, racks } = this.#problem
    const rack = racks[at]!
    this.#ofBroker[at] = this.#mark
    if (this.#ofRack[rack] !== this.#mark) this.#racks++
    this.#ofRack[rack] = this.#mark
    return ids[at]!
  }
}
