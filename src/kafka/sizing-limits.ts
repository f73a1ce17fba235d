/** Limits of brokers, each with where it comes from. Data: change a number only with its source. */

export interface SizingLimit {
  readonly limit: number
  /** Who says so, and where. */
  readonly source: string
}

/** The limit of a name, or what was given in its place. */
export function given(limit: SizingLimit, value: number | undefined, name: string): SizingLimit {
  return value === undefined ? limit : { limit: value, source: `given as ${name}` }
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

/** Recommended, and the most with which a broker of that size still takes updates; leaders and followers. */
const MSK_SIZES: readonly (readonly [recommended: number, updates: number, sizes: readonly string[]])[] = [
  [300, 300, ['t3.small']],
  [1000, 1500, ['m5.large', 'm5.xlarge', 'm7g.large', 'm7g.xlarge']],
  [2000, 3000, ['m5.2xlarge', 'm7g.2xlarge']],
  [4000, 6000, ['m5.4xlarge', 'm5.8xlarge', 'm5.12xlarge', 'm5.16xlarge', 'm5.24xlarge']],
  [4000, 6000, ['m7g.4xlarge', 'm7g.8xlarge', 'm7g.12xlarge', 'm7g.16xlarge']],
]

const MSK =
  'Amazon MSK developer guide, "Best practices for Standard brokers", partitions a broker, leaders and followers'

/** Replicas of a broker by size class, as a managed service recommends them. */
export const SIZE_CLASSES: Readonly<Record<string, SizingLimit>> = Object.fromEntries(
  MSK_SIZES.flatMap(([limit, updates, sizes]) =>
    sizes.map((size) => [`kafka.${size}`, { limit, source: `${MSK}: recommended; updates work up to ${updates}` }]),
  ),
)
