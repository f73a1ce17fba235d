/**
 * Everything that is wrong with a reassignment, before it is executed: what the tool refuses, and what the controller would
 * refuse behind it.
 *
 * Sources: Apache Kafka 4.4.0, org.apache.kafka.tools.reassign.ReassignPartitionsCommand and
 * org.apache.kafka.controller.ReplicationControlManager. What differs from the original: both stop at the first fault, this
 * goes on and names each with its place. The controller does not ask whether a broker answers: that is a warning.
 */
import type { Cluster } from './cluster.js'
import { integerSet, partitionKey, partitionText, repeated } from './java-sets.js'
import type { ReassignmentEntry } from './reassignment-json.js'

/** A fault of a reassignment, or a warning. */
export interface ReassignmentProblem {
  /** Who refuses it: the tool before it asks, the controller behind it; `warning` is refused by none. */
  readonly by: 'tool' | 'controller' | 'warning'
  /** Position in the file; -1 where it is about the whole. */
  readonly index: number
  /** `topic-partition`; `null` where it is about the whole. */
  readonly partition: string | null
  /** The original's words; ours for a warning. */
  readonly message: string
}

const MANUAL = 'The manual partition assignment includes'

/**
 * Checks a reassignment against a cluster.
 *
 * @param entries of the file, in its order
 * @param cluster the present state; without one the tool's own checks alone are made
 * @returns all problems, those about the whole first, then in the file's order
 * @example kafka.reassignment.validate([], cluster)[0].message // 'Partition reassignment list cannot be empty'
 */
export function validateReassignment(entries: readonly ReassignmentEntry[], cluster?: Cluster): ReassignmentProblem[] {
  if (entries.length === 0) {
    return [{ by: 'tool', index: -1, partition: null, message: 'Partition reassignment list cannot be empty' }]
  }
  const again = new Set(repeated(entries, partitionKey))
  return entries.flatMap((entry, index) => {
    const faults = [
      ...ownFaults(entry, again.has(entry)),
      ...(cluster === undefined ? [] : clusterFaults(entry, cluster)),
    ]
    return faults.map(([by, message]) => ({ by, index, partition: partitionText(entry), message }))
  })
}

type Fault = readonly [by: ReassignmentProblem['by'], message: string]

function ownFaults(entry: ReassignmentEntry, isAgain: boolean): Fault[] {
  const faults: Fault[] = []
  const name = partitionText(entry)
  if (entry.replicas.length === 0) faults.push(['tool', 'Partition replica list cannot be empty'])
  if (isAgain) faults.push(['tool', `Partition reassignment contains duplicate topic partitions: ${name}`])
  const twice = integerSet(repeated(entry.replicas, (id) => id))
  if (twice.length > 0) {
    const lists = `${name} contains multiple entries for ${twice.join(',')}`
    faults.push(['tool', `Partition replica lists may not contain duplicate entries: ${lists}`])
    faults.push(...twice.map((id): Fault => ['controller', `${MANUAL} the broker ${id} more than once.`]))
  }
  return faults
}

function clusterFaults(entry: ReassignmentEntry, cluster: Cluster): Fault[] {
  const faults: Fault[] = []
  for (const id of new Set(entry.replicas)) {
    const broker = cluster.brokers[cluster.brokerAt(id)]
    if (broker?.listed !== true) {
      faults.push(['tool', `Unknown broker id ${id}`])
      faults.push(['controller', `${MANUAL} broker ${id}, but no such broker is registered.`])
    } else if (broker.state !== 'in')
      faults.push(['warning', `broker ${id} is ${broker.state}: nothing stops a move to it`])
  }
  const row = cluster.rowOf(entry.topic, entry.partition)
  if (row < 0) {
    const isTopic = cluster.topicNames.includes(entry.topic)
    faults.push([
      'tool',
      isTopic ? `Unable to find partition: ${partitionText(entry)}` : `Topic ${entry.topic} not found.`,
    ])
    const missing = isTopic ? `partition ${entry.topic}:${entry.partition}` : `a topic named ${entry.topic}`
    faults.push(['controller', `Unable to find ${missing}.`])
    return faults
  }
  const [now, wanted] = [cluster.replicasOf(row).length, entry.replicas.length]
  if (now !== wanted && wanted > 0 && !cluster.moving.has(row)) {
    faults.push(['warning', `the replication factor is changed from ${now} to ${wanted}`])
  }
  return faults
}
