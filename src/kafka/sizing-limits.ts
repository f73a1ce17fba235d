/** Limits of brokers, each with where it comes from. Data: change a number only with its source. */

export interface SizingLimit {
  readonly limit: number
  /** Who says so, and where. */
  readonly source: string
}

/** Open files of a broker process. */
export const DESCRIPTORS: SizingLimit = {
  limit: 100_000,
  source: 'Apache Kafka documentation, operations, "File descriptor limits": at least 100000 as a starting point',
}

/** Memory map areas of a process. */
export const MAP_AREAS: SizingLimit = {
  limit: 65_530,
  source: 'Linux, vm.max_map_count: 65530 by default (Apache Kafka documentation, operations, "OS")',
}

/** Replicas of a broker. */
export const REPLICAS: SizingLimit = {
  limit: 10_000,
  source: 'Cruise Control, max.replicas.per.broker: 10000 by default',
}

/** Characters of one topic's throttle setting. */
export const THROTTLE_STRING: SizingLimit = {
  limit: 32_767,
  source: 'Apache Kafka, a config value is a short string: 32767 bytes (KAFKA-17993)',
}

/** Bytes of a group's metadata record. */
export const GROUP_RECORD: SizingLimit = {
  limit: 1_048_588,
  source: 'Apache Kafka, message.max.bytes: 1048588 by default, for the topic __consumer_offsets too',
}

const MSK =
  'Amazon MSK developer guide, "Best practices for Standard brokers": partitions a broker, leaders and followers'

/** Replicas of a broker by size class, as a managed service publishes them. */
export const SIZE_CLASSES: Readonly<Record<string, SizingLimit>> = {
  'kafka.t3.small': { limit: 300, source: MSK },
  'kafka.m5.large': { limit: 1000, source: MSK },
  'kafka.m5.xlarge': { limit: 1000, source: MSK },
  'kafka.m5.2xlarge': { limit: 2000, source: MSK },
  'kafka.m5.4xlarge': { limit: 4000, source: MSK },
  'kafka.m7g.large': { limit: 1000, source: MSK },
  'kafka.m7g.xlarge': { limit: 1000, source: MSK },
  'kafka.m7g.2xlarge': { limit: 2000, source: MSK },
  'kafka.m7g.4xlarge': { limit: 4000, source: MSK },
}
