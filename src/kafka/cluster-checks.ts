/** What a snapshot of a cluster may hold: each broker and each partition checked, once, before it is packed. */
import { checkInteger, checkList, checkName, checkObject, checkText, codedError, shown } from '../errors.js'
import { BROKER_STATES, type ClusterBroker, type ClusterPartition, type ClusterTopic } from './cluster-types.js'

const MOST = 0x7fffffff
const BROKER_FIELDS = ['id', 'rack', 'state', 'weight', 'capacity']
const TOPIC_FIELDS = ['name', 'partitions', 'minInsyncReplicas']
const PARTITION_FIELDS = ['partition', 'replicas', 'bytes', 'adding', 'removing']

/** A broker as given, or the error that names where it stands: `brokers[3]`. */
export function checkedBroker(broker: ClusterBroker, where: string): ClusterBroker {
  checkFields(broker, where, BROKER_FIELDS)
  checkInteger(broker.id, `${where}.id`, [0, MOST])
  checkRack(broker.rack, where)
  if (broker.state !== undefined) checkName(broker.state, `${where}.state`, BROKER_STATES)
  if (broker.weight !== undefined) checkPositive(broker.weight, `${where}.weight`)
  if (broker.capacity !== undefined) checkInteger(broker.capacity, `${where}.capacity`, [0, Number.MAX_SAFE_INTEGER])
  return broker
}

/** A rack's name, or none. */
export function checkRack(rack: unknown, where: string): void {
  if (rack === undefined || rack === null || typeof rack === 'string') return
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}.rack: expected a string, got ${shown(rack)}`)
}

/** The name of a field that a topic has. */
export function checkTopicField(field: string, where: string): void {
  checkName(field, `${where}, a field`, TOPIC_FIELDS)
}

/** A topic with its partitions, or the error that names the one at fault. */
export function checkedTopic(
  topic: ClusterTopic,
  where: string,
): ClusterTopic & { partitions: readonly ClusterPartition[] } {
  checkFields(topic, where, TOPIC_FIELDS)
  checkText(topic.name, `${where}.name`)
  checkList(topic.partitions, `${where}.partitions`)
  if (topic.minInsyncReplicas !== undefined)
    checkInteger(topic.minInsyncReplicas, `${where}.minInsyncReplicas`, [1, MOST])
  const partitions = topic.partitions.map((given, i) => checkedPartition(given, i, `${where}.partitions[${i}]`))
  return { ...topic, partitions }
}

/** A partition; of a bare list of brokers, `i` is its number. */
export function checkedPartition(
  given: ClusterPartition | readonly number[],
  i: number,
  where: string,
): ClusterPartition {
  const partition = (Array.isArray(given) ? { partition: i, replicas: given } : given) as ClusterPartition
  checkFields(partition, where, PARTITION_FIELDS)
  checkInteger(partition.partition, `${where}.partition`, [0, MOST])
  checkBrokers(partition.replicas, `${where}.replicas`)
  if (partition.replicas.length === 0) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${where}.replicas: expected one broker or more, got none`)
  }
  if (partition.bytes !== undefined) checkInteger(partition.bytes, `${where}.bytes`, [0, Number.MAX_SAFE_INTEGER])
  if (partition.adding !== undefined) checkMoving(partition.adding, partition.replicas, `${where}.adding`)
  if (partition.removing !== undefined) checkMoving(partition.removing, partition.replicas, `${where}.removing`)
  checkStaying(partition, where)
  return partition
}

/** What no reassignment does: a broker both joins and leaves, or nobody stays. */
function checkStaying({ replicas, adding = [], removing = [] }: ClusterPartition, where: string): void {
  if (removing.length === 0) return
  const both = removing.find((broker) => adding.includes(broker))
  if (both !== undefined) {
    const message = `${where}.removing: expected brokers that are not adding too, got ${both}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
  }
  if (replicas.some((broker) => !removing.includes(broker))) return
  const message = `${where}.removing: expected a replica or more that stays, got all of ${replicas.join(',')}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
}

/** @throws ERR_PLACEMENT_DUPLICATE */
export function checkOnce(brokers: readonly unknown[], where: string): void {
  const twice = brokers.find((broker, i) => brokers.indexOf(broker) !== i)
  if (twice === undefined) return
  throw codedError('ERR_PLACEMENT_DUPLICATE', `${where}: expected each broker once, got ${shown(twice)} twice`)
}

function checkMoving(brokers: readonly number[], replicas: readonly number[], where: string): void {
  checkBrokers(brokers, where)
  checkOnce(brokers, where)
  const stray = brokers.find((broker) => !replicas.includes(broker))
  if (stray === undefined) return
  const message = `${where}: expected brokers of the replicas ${replicas.join(',')}, got ${stray}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
}

function checkBrokers(brokers: readonly number[], where: string): void {
  if (!Array.isArray(brokers)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected an array of broker ids, got ${shown(brokers)}`)
  }
  for (let i = 0; i < brokers.length; i++) checkInteger(brokers[i], `${where}[${i}]`, [0, MOST])
}

/** A weight of a broker: a number above 0. */
function checkPositive(value: number, where: string): void {
  if (typeof value !== 'number') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a number, got ${shown(value)}`)
  }
  if (value > 0 && value < Number.POSITIVE_INFINITY) return
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${where}: expected a number above 0, got ${value}`)
}

/** An object of these fields alone. */
export function checkFields(given: object, where: string, fields: readonly string[]): void {
  checkObject(given, where)
  for (const field of Object.keys(given)) checkName(field, `${where}, a field`, fields)
}
