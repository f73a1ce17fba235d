/** `kafka`: where Apache Kafka, its clients and the clients of Pulsar put records and groups. */
export {
  type Append,
  type LoadStats,
  type LoadTable,
  loadStats,
  nextPartition,
  type PartitionInfo,
  type ProducerOptions,
  type QueueSizes,
  roundRobin,
  type StickyState,
  stickyAfterAppend,
  type TopicPartitions,
} from './built-in-partitioner.js'
export { groupCoordinatorPartition, transactionCoordinatorPartition } from './group.js'
export { type PartitionOptions, partitionForKey } from './partition.js'
export { type Draw, type Partitioner, type PartitionerName, partitioners } from './partitioners.js'
export { type BulkPartitionOptions, partitionsForKeys, partitionsForKeysAsync, type RecordKeys } from './partitions.js'
