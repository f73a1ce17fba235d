/**
 * Everything that is wrong with a reassignment, before it is executed: what the tool refuses, and what the controller would
 * refuse behind it.
 *
 * Sources: Apache Kafka 4.4.0, org.apache.kafka.tools.reassign.ReassignPartitionsCommand and
 * org.apache.kafka.controller.ReplicationControlManager. What differs from the original: both stop at the first fault, this
 * goes on and names each with its place. The controller does not ask whether a broker answers: that is a warning. It looks at
 * all brokers of a list, those that hold the partition already too: one whose directories are cordoned is refused either way.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import type { Cluster } from './cluster.js'
import { checkFields } from './cluster-checks.js'
import { integerSet, partitionKey, partitionText, repeated } from './java-sets.js'
import { checkCluster, checkEntryList } from './reassignment-checks.js'
import type { ReassignmentEntry } from './reassignment-json.js'
import { isSince, type KafkaVersionOption, kafkaVersion } from './version.js'

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

/** What is known beside the cluster. */
export interface ValidateOptions extends KafkaVersionOption {
  /** Brokers all of whose log directories are cordoned, which 4.3 and later refuse. Default: none. */
  readonly cordoned?: readonly number[]
  /** As the tool's `--disallow-replication-factor-change`. Default: false. */
  readonly disallowReplicationFactorChange?: boolean
}

const FIELDS = ['version', 'cordoned', 'disallowReplicationFactorChange']

const MANUAL = 'The manual partition assignment includes'

/**
 * Checks a reassignment against a cluster.
 *
 * @param entries of the file, in its order
 * @param cluster the present state; without one the tool's own checks alone are made
 * @returns all problems, those about the whole first, then in the file's order
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_VERSION
 * @example kafka.reassignment.validate([], cluster)[0].message // 'Partition reassignment list cannot be empty'
 */
export function validateReassignment(
  entries: readonly ReassignmentEntry[],
  cluster?: Cluster,
  options: ValidateOptions = {},
): ReassignmentProblem[] {
  checkEntryList(entries, 'entries')
  if (cluster !== undefined) checkCluster(cluster)
  const rules = rulesOf(options)
  if (entries.length === 0) {
    return [{ by: 'tool', index: -1, partition: null, message: 'Partition reassignment list cannot be empty' }]
  }
  const again = new Set(repeated(entries, partitionKey))
  return entries.flatMap((entry, index) => {
    const faults = [
      ...ownFaults(entry, again.has(entry)),
      ...(cluster === undefined ? [] : clusterFaults(entry, cluster, rules)),
    ]
    return faults.map(([by, message]) => ({ by, index, partition: partitionText(entry), message }))
  })
}

/**
 * Checks the cancelling of reassignments under way: of partitions of which none is the tool asks for nothing, which is a warning.
 *
 * The controller refuses to go back where no replica of before is in sync. Which are is not in a snapshot: those on brokers
 * that are `in` are taken to be, and those that join are not asked.
 *
 * @param entries partitions, as `--cancel` takes them
 * @example kafka.reassignment.validateCancel(entries, cluster).length // 0 where nothing is wrong
 */
export function validateCancel(entries: readonly ReassignmentEntry[], cluster: Cluster): ReassignmentProblem[] {
  checkEntryList(entries, 'entries')
  checkCluster(cluster)
  return entries.flatMap((entry, index) => {
    const fault = cancelFault(entry, cluster)
    return fault === null ? [] : [{ by: fault[0], index, partition: partitionText(entry), message: fault[1] }]
  })
}

function cancelFault(entry: ReassignmentEntry, cluster: Cluster): Fault | null {
  const row = cluster.rowOf(entry.topic, entry.partition)
  if (row < 0) return ['controller', `Unable to find ${missingPart(entry, cluster)}.`]
  const move = cluster.moving.get(row)
  if (move === undefined) return ['warning', 'no reassignment is under way: there is nothing to cancel']
  const before = cluster.replicasOf(row).filter((id) => !move.adding.includes(id))
  if (before.some((id) => cluster.brokers[cluster.brokerAt(id)]?.state === 'in')) return null
  const place = `${entry.topic}:${entry.partition}`
  const why = 'because it would require an unclean leader election.'
  return ['controller', `Unable to revert partition assignment for ${place} ${why}`]
}

interface Rules {
  readonly cordoned: ReadonlySet<number>
  readonly keepsFactor: boolean
}

function rulesOf(options: ValidateOptions): Rules {
  checkFields(options, 'options', FIELDS)
  const { cordoned = [], disallowReplicationFactorChange: keepsFactor = false } = options
  if (!Array.isArray(cordoned)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `cordoned: expected an array of broker ids, got ${shown(cordoned)}`)
  }
  for (const [i, id] of cordoned.entries()) checkInteger(id, `cordoned[${i}]`, [0, 0x7fffffff])
  return { cordoned: new Set(isSince(kafkaVersion(options), '4.3') ? cordoned : []), keepsFactor }
}

type Fault = readonly [by: ReassignmentProblem['by'], message: string]

function ownFaults(entry: ReassignmentEntry, isAgain: boolean): Fault[] {
  const faults: Fault[] = []
  const name = partitionText(entry)
  if (entry.replicas.length === 0) {
    faults.push(['tool', 'Partition replica list cannot be empty'])
    faults.push(['controller', `${MANUAL} an empty replica list.`])
  }
  if (isAgain) faults.push(['tool', `Partition reassignment contains duplicate topic partitions: ${name}`])
  const twice = integerSet(repeated(entry.replicas, (id) => id))
  if (twice.length > 0) {
    const lists = `${name} contains multiple entries for ${twice.join(',')}`
    faults.push(['tool', `Partition replica lists may not contain duplicate entries: ${lists}`])
    faults.push(...twice.map((id): Fault => ['controller', `${MANUAL} the broker ${id} more than once.`]))
  }
  return faults
}

function clusterFaults(entry: ReassignmentEntry, cluster: Cluster, { cordoned, keepsFactor }: Rules): Fault[] {
  const faults: Fault[] = []
  for (const id of new Set(entry.replicas)) {
    const broker = cluster.brokers[cluster.brokerAt(id)]
    if (broker?.listed !== true) {
      faults.push(['tool', `Unknown broker id ${id}`])
      faults.push(['controller', `${MANUAL} broker ${id}, but no such broker is registered.`])
      continue
    }
    if (cordoned.has(id))
      faults.push(['controller', `${MANUAL} broker ${id}, but all its log directories are cordoned.`])
    if (broker.state !== 'in') faults.push(['warning', `broker ${id} is ${broker.state}: nothing stops a move to it`])
  }
  const row = cluster.rowOf(entry.topic, entry.partition)
  if (row < 0) {
    const isTopic = cluster.topicNames.includes(entry.topic)
    faults.push([
      'tool',
      isTopic ? `Unable to find partition: ${partitionText(entry)}` : `Topic ${entry.topic} not found.`,
    ])
    faults.push(['controller', `Unable to find ${missingPart(entry, cluster)}.`])
    return faults
  }
  const [now, wanted] = [lastingReplicas(cluster, row), entry.replicas.length]
  if (now === wanted || wanted === 0) return faults
  const change = `replication factor is changed from ${now} to ${wanted}`
  faults.push(keepsFactor ? ['controller', `The ${change}`] : ['warning', `the ${change}`])
  return faults
}

/** How many replicas a partition has, or will have when what is under way is done. */
function lastingReplicas(cluster: Cluster, row: number): number {
  const removing = cluster.moving.get(row)?.removing ?? []
  return cluster.replicasOf(row).filter((id) => !removing.includes(id)).length
}

/** What the controller cannot find of a partition. */
function missingPart({ topic, partition }: ReassignmentEntry, cluster: Cluster): string {
  return cluster.topicNames.includes(topic) ? `partition ${topic}:${partition}` : `a topic named ${topic}`
}
