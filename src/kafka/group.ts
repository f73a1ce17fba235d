/**
 * Which partition of Kafka's internal topics a group or a transactional id lives in; its leader is the coordinator.
 *
 * For operators who look for the broker that coordinates a group. Source: Apache Kafka 4.4.0,
 * org.apache.kafka.coordinator.group.GroupCoordinatorService.partitionFor and
 * kafka.coordinator.transaction.TransactionStateManager.partitionFor.
 * What differs from the obvious: it is `String.hashCode` over UTF-16 units, not murmur2, and the absolute value is taken
 * before the remainder, with `|-2^31|` = 0.
 */
import { codedError, shown } from '../errors.js'
import { ofString } from '../fallback/hash/java-string.js'
import { reduce } from '../fallback/kafka/partitioner.js'
import { checkNumPartitions } from './num-partitions.js'

/** Default of `offsets.topic.num.partitions` and of `transaction.state.log.num.partitions`. */
const DEFAULT_PARTITIONS = 50

/**
 * The partition of `__consumer_offsets` that holds a group.
 *
 * @param groupId the group's id
 * @param numPartitions partitions of `__consumer_offsets`, in `[1, 2147483647]`; default 50, Kafka's own
 * @returns in `[0, numPartitions)`
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_NUM_PARTITIONS
 * @example kafka.groupCoordinatorPartition('console-consumer-1') // 24
 */
export function groupCoordinatorPartition(groupId: string, numPartitions: number = DEFAULT_PARTITIONS): number {
  return coordinatorPartition(groupId, 'groupId', numPartitions)
}

/**
 * The partition of `__transaction_state` that holds a transactional id.
 *
 * @param transactionalId the producer's `transactional.id`
 * @param numPartitions partitions of `__transaction_state`, in `[1, 2147483647]`; default 50, Kafka's own
 * @returns in `[0, numPartitions)`
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_NUM_PARTITIONS
 * @example kafka.transactionCoordinatorPartition('my-group') // 12
 */
export function transactionCoordinatorPartition(
  transactionalId: string,
  numPartitions: number = DEFAULT_PARTITIONS,
): number {
  return coordinatorPartition(transactionalId, 'transactionalId', numPartitions)
}

function coordinatorPartition(id: string, name: string, numPartitions: number): number {
  if (typeof id !== 'string') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected a string, got ${shown(id)}`)
  }
  checkNumPartitions(numPartitions)
  return reduce('abs-first', ofString(id), numPartitions)
}
