/**
 * The brokers in the order in which Kafka's alternating placer deals them out: as given, or with racks, one of each rack in
 * turn.
 *
 * Source: Apache Kafka 4.0.2, org.apache.kafka.admin.AdminUtils.getRackAlternatedBrokerList.
 */
import type { AlternatingProblem } from '../engine/placement-contract.js'
import type { PlacementBroker } from './place-replicas.js'

/** The brokers, without a question. */
export type AlternatingBrokers = Pick<AlternatingProblem, 'ids' | 'racks' | 'rackCount'>

/** Brokers of which all or none have a rack. */
export function alternatingBrokers(brokers: readonly PlacementBroker[]): AlternatingBrokers {
  if (brokers.every(({ rack }) => rack === undefined || rack === null)) {
    return { ids: Int32Array.from(brokers, ({ id }) => id), racks: new Uint32Array(0), rackCount: 0 }
  }
  const names = [...new Set(brokers.map(({ rack }) => rack!))].sort((a, b) => (a < b ? -1 : 1))
  const queues = names.map((name) => brokers.filter(({ rack }) => rack === name).map(({ id }) => id))
  for (const queue of queues) queue.sort((a, b) => a - b)
  const dealt: [id: number, rack: number][] = []
  for (let round = 0; dealt.length < brokers.length; round++) {
    for (const [rack, queue] of queues.entries()) if (round < queue.length) dealt.push([queue[round]!, rack])
  }
  return {
    ids: Int32Array.from(dealt, ([id]) => id),
    racks: Uint32Array.from(dealt, ([, rack]) => rack),
    rackCount: names.length,
  }
}
