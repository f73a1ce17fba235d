/**
 * What Kafka's placers refuse, in their order and their words.
 *
 * Sources: Apache Kafka 3.9.2 to 4.4.0, org.apache.kafka.metadata.placement.StripedReplicaPlacer, whose texts speak of log
 * directories since 4.3; 4.0.2, org.apache.kafka.admin.AdminUtils.
 */
import { codedError } from '../errors.js'
import type { KafkaVersion } from '../types.js'
import type { PlacementQuestion } from './place-replicas.js'
import { isSince } from './version.js'

const FACTOR = 'org.apache.kafka.common.errors.InvalidReplicationFactorException'
const PARTITIONS = 'org.apache.kafka.common.errors.InvalidPartitionsException'
const RACKS = 'org.apache.kafka.server.common.AdminOperationException'

type Asked = Pick<PlacementQuestion, 'brokers' | 'partitions' | 'replicationFactor'>

/** What the striped placer throws, if it does. */
export function refuseStriped({ brokers, partitions, replicationFactor }: Asked, version: KafkaVersion): void {
  if (replicationFactor <= 0) {
    throw outOfRange('replicationFactor', replicationFactor, FACTOR, notPositive(replicationFactor))
  }
  if (brokers.every(({ fenced = false }) => fenced)) throw impossible(allFenced(version))
  if (replicationFactor > brokers.length) throw impossible(tooFew(replicationFactor, brokers.length, version))
  if (partitions < 0) {
    throw outOfRange('partitions', partitions, 'java.lang.IllegalArgumentException', `Illegal Capacity: ${partitions}`)
  }
}

const notPositive = (factor: number): string =>
  `Invalid replication factor ${factor}: the replication factor must be positive.`

/** Also what the controller says. */
function allFenced(version: KafkaVersion): string {
  const text = 'All brokers are currently fenced'
  return isSince(version, '4.3') ? `${text}, or have all their log directories cordoned.` : `${text}.`
}

function tooFew(factor: number, brokers: number, version: KafkaVersion): string {
  const text = `The target replication factor of ${factor} cannot be reached because only ${brokers} broker(s) are registered`
  return isSince(version, '4.3') ? `${text} or some brokers have all their log directories cordoned.` : `${text}.`
}

/** What the alternating placer throws, if it does. */
export function refuseAlternating({ brokers, partitions, replicationFactor }: Asked): void {
  if (partitions <= 0) {
    throw outOfRange('partitions', partitions, PARTITIONS, 'Number of partitions must be larger than 0.')
  }
  if (replicationFactor <= 0) {
    throw outOfRange('replicationFactor', replicationFactor, FACTOR, 'Replication factor must be larger than 0.')
  }
  if (replicationFactor > brokers.length) {
    throw impossible(`Replication factor: ${replicationFactor} larger than available brokers: ${brokers.length}.`)
  }
  const rackless = brokers.findIndex(({ rack }) => rack === undefined || rack === null)
  if (rackless < 0 || brokers.every(({ rack }) => rack === undefined || rack === null)) return
  const message = `brokers[${rackless}].rack: expected a rack as others have, got none`
  const javaMessage = 'Not all brokers have rack information for replica rack aware assignment.'
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message, { index: rackless, javaClass: RACKS, javaMessage })
}

function outOfRange(name: string, value: number, javaClass: string, javaMessage: string): Error {
  const message = `${name}: expected a number above ${name === 'partitions' && value < 0 ? -1 : 0}, got ${value}`
  return codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message, { javaClass, javaMessage })
}

function impossible(javaMessage: string): Error {
  return codedError('ERR_PLACEMENT_REPLICATION_FACTOR', javaMessage, { javaClass: FACTOR, javaMessage })
}
