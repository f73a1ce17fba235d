/**
 * The partitioners by name: what each hashes, how it makes a partition of the hash, and what it does without a key.
 *
 * For whoever must know which client put a key where. Each row names its source and its judge: the original's own code,
 * which the oracle (test/oracle) asks the same questions.
 * What differs from the obvious: an empty key is a key to most, none to librdkafka's `consistent_random`, kafka-go's CRC-32
 * balancer and Pulsar's Go router; a missing one is hashed as an empty one by librdkafka's partitioners without `-random`.
 */

import type { Reduction } from '../engine/contract.js'
import { checkName, codedError } from '../errors.js'
import type { HashName } from '../types.js'

/** A partitioner of the table. */
export interface Partitioner {
  /** Its hash; `java-bytes` is the polynomial of `String.hashCode` over UTF-8 bytes. */
  readonly hash: HashName | 'java-bytes'
  /**
   * From hash `h` to one of `n` partitions: `mask` `(h & 0x7fffffff) % n` · `unsigned` `(h >>> 0) % n` · `abs`
   * `|h % n|`, `h` signed · `abs-first` `|h| % n`.
   */
  readonly reduction: Reduction
  /** No key (`null`): `draws` a partition, or is hashed `as-empty` key. */
  readonly nullKey: 'draws' | 'as-empty'
  /** An empty key: `hashed`, or `draws` as if there were none. */
  readonly emptyKey: 'hashed' | 'draws'
  /** Where the original draws: what the caller's number stands for, its range, and what becomes of it. */
  readonly draw: Draw | null
  /** Project, version, and file or class with the function. */
  readonly source: string
  /** Who was asked whether the answers are right. */
  readonly judge: string
}

/** How a keyless record gets a partition from the caller's random number `r`. */
export interface Draw {
  /** The function of the original whose result `r` is. */
  readonly from: string
  /** Ends of its range, both included. */
  readonly range: readonly [least: number, most: number]
  /** `mask` `(r & 0x7fffffff) % n` · `remainder` `r % n` · `sign-safe` `r % n`, plus `n` where that is negative. */
  readonly reduction: 'mask' | 'remainder' | 'sign-safe'
}

const INT32 = [-(2 ** 31), 2 ** 31 - 1] as const
const NATURAL = [0, Number.MAX_SAFE_INTEGER] as const
const INTEGER = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const

const remainder = (from: string): Draw => ({ from, range: NATURAL, reduction: 'remainder' })

const JAVA_DRAW: Draw = {
  from: 'ThreadLocalRandom.current().nextInt() (BuiltInPartitioner.randomPartition, no load statistics, every partition available)',
  range: INT32,
  reduction: 'mask',
}
const LIBRDKAFKA_DRAW = remainder(
  'rand_r() (rd_jitter in rd_kafka_msg_partitioner_random, the partition drawn being available)',
)
const SARAMA_DRAW = remainder('generator.Intn(numPartitions) (randomPartitioner)')
const KAFKA_GO_RANDOM = remainder('rand.Int() (randomBalancer)')
const PULSAR_DRAW: Draw = {
  from: 'the dividend of signSafeMod in RoundRobinPartitionMessageRouterImpl: currentTimeMillis / partitionSwitchMs + startPtnIdx, or without batching the counter',
  range: INTEGER,
  reduction: 'sign-safe',
}

const LIBRDKAFKA = {
  judge: 'librdkafka 2.0.2, rd_kafka_msg_partitioner_*',
  nullKey: 'as-empty',
  emptyKey: 'hashed',
  draw: null,
} as const
const LIBRDKAFKA_RANDOM = { ...LIBRDKAFKA, nullKey: 'draws', draw: LIBRDKAFKA_DRAW } as const
const SARAMA = {
  judge: 'Go module github.com/IBM/sarama v1.61.1',
  nullKey: 'draws',
  emptyKey: 'hashed',
  draw: SARAMA_DRAW,
} as const
const KAFKA_GO = {
  judge: 'Go module github.com/segmentio/kafka-go v0.4.51',
  nullKey: 'draws',
  emptyKey: 'hashed',
  draw: KAFKA_GO_RANDOM,
} as const
const PULSAR = {
  judge: 'org.apache.pulsar:pulsar-client-original:5.0.1',
  nullKey: 'draws',
  emptyKey: 'hashed',
  draw: PULSAR_DRAW,
} as const

const TABLE = {
  kafka: {
    hash: 'murmur2',
    reduction: 'mask',
    nullKey: 'draws',
    emptyKey: 'hashed',
    draw: JAVA_DRAW,
    source: 'Apache Kafka 4.4.0, BuiltInPartitioner.partitionForKey',
    judge: 'org.apache.kafka:kafka-clients:4.4.0',
  },
  'librdkafka-consistent': {
    ...LIBRDKAFKA,
    hash: 'crc32',
    reduction: 'unsigned',
    source: 'librdkafka 2.0.2, rdkafka_msg.c, rd_kafka_msg_partitioner_consistent',
  },
  'librdkafka-consistent-random': {
    ...LIBRDKAFKA_RANDOM,
    hash: 'crc32',
    reduction: 'unsigned',
    emptyKey: 'draws',
    source: 'librdkafka 2.0.2, rdkafka_msg.c, rd_kafka_msg_partitioner_consistent_random (its default)',
  },
  'librdkafka-murmur2': {
    ...LIBRDKAFKA,
    hash: 'murmur2',
    reduction: 'mask',
    source: 'librdkafka 2.0.2, rdkafka_msg.c, rd_kafka_msg_partitioner_murmur2',
  },
  'librdkafka-murmur2-random': {
    ...LIBRDKAFKA_RANDOM,
    hash: 'murmur2',
    reduction: 'mask',
    source: 'librdkafka 2.0.2, rdkafka_msg.c, rd_kafka_msg_partitioner_murmur2_random',
  },
  'librdkafka-fnv1a': {
    ...LIBRDKAFKA,
    hash: 'fnv1a',
    reduction: 'abs',
    source: 'librdkafka 2.0.2, rdkafka_msg.c, rd_kafka_msg_partitioner_fnv1a',
  },
  'librdkafka-fnv1a-random': {
    ...LIBRDKAFKA_RANDOM,
    hash: 'fnv1a',
    reduction: 'abs',
    source: 'librdkafka 2.0.2, rdkafka_msg.c, rd_kafka_msg_partitioner_fnv1a_random',
  },
  'sarama-hash': {
    ...SARAMA,
    hash: 'fnv1a',
    reduction: 'abs',
    source: 'sarama 1.61.1, partitioner.go, NewHashPartitioner (its default)',
  },
  'sarama-reference': {
    ...SARAMA,
    hash: 'fnv1a',
    reduction: 'mask',
    source: 'sarama 1.61.1, partitioner.go, NewReferenceHashPartitioner',
  },
  'kafka-go-hash': {
    ...KAFKA_GO,
    hash: 'fnv1a',
    reduction: 'abs',
    draw: remainder('the counter of RoundRobin, from 0, with ChunkSize 1'),
    source: 'kafka-go 0.4.51, balancer.go, Hash',
  },
  'kafka-go-reference': {
    ...KAFKA_GO,
    hash: 'fnv1a',
    reduction: 'mask',
    source: 'kafka-go 0.4.51, balancer.go, ReferenceHash',
  },
  'kafka-go-crc32': {
    ...KAFKA_GO,
    hash: 'crc32',
    reduction: 'unsigned',
    emptyKey: 'draws',
    source: 'kafka-go 0.4.51, balancer.go, CRC32Balancer with Consistent false',
  },
  'kafka-go-murmur2': {
    ...KAFKA_GO,
    hash: 'murmur2',
    reduction: 'mask',
    source: 'kafka-go 0.4.51, balancer.go, Murmur2Balancer with Consistent false',
  },
  platformatic: {
    hash: 'murmur2',
    reduction: 'unsigned',
    nullKey: 'draws',
    emptyKey: 'hashed',
    draw: remainder("the topic's round robin counter, from 0"),
    source:
      '@platformatic/kafka 1.35.0, producer/partitioners.js, defaultPartitioner of a Buffer (stringSerializers make one)',
    judge: 'npm @platformatic/kafka 1.35.0',
  },
  'pulsar-java-string': {
    ...PULSAR,
    hash: 'java-string',
    reduction: 'mask',
    source:
      'Apache Pulsar 5.0.1, JavaStringHash (the Java client: its default); bytes as keyBytes go by their base64 text',
  },
  'pulsar-murmur3': {
    ...PULSAR,
    hash: 'murmur3',
    reduction: 'mask',
    source:
      'Apache Pulsar 5.0.1, Murmur3Hash32 (every client that offers it); bytes as keyBytes go by their base64 text',
  },
  'pulsar-go-java-string': {
    hash: 'java-bytes',
    reduction: 'unsigned',
    nullKey: 'draws',
    emptyKey: 'draws',
    draw: remainder('r.R.Intn(numPartitions) (NewSinglePartitionRouter, drawn once a producer)'),
    source: 'pulsar-client-go 0.19.0, NewSinglePartitionRouter with internal.JavaStringHash (its default)',
    judge: 'Go module github.com/apache/pulsar-client-go v0.19.0',
  },
} as const satisfies Record<string, Partitioner>

/** One of the names of {@link partitioners}. */
export type PartitionerName = keyof typeof TABLE

/** Every partitioner by its name, frozen. `kafka`, the Java producer's, is the default wherever a partitioner is asked for. */
export const partitioners: Readonly<Record<PartitionerName, Partitioner>> = frozen(TABLE)

/** The names, in the order of the table. */
export const PARTITIONER_NAMES: readonly PartitionerName[] = Object.freeze(Object.keys(TABLE) as PartitionerName[])

/** Names under which people ask for the hash that Pulsar's C++ client takes from Boost. */
const BOOST = /boost|^pulsar-(cpp|c\+\+)/i

/**
 * The name, if there is a partitioner of that name.
 *
 * @throws ERR_PLACEMENT_UNKNOWN_NAME (with the nearest right spelling), ERR_PLACEMENT_ARGUMENT_TYPE,
 *   ERR_PLACEMENT_UNSUPPORTED for BoostHash
 */
export function checkPartitioner(name: unknown): PartitionerName {
  if (typeof name === 'string' && !Object.hasOwn(TABLE, name) && BOOST.test(name)) {
    throw codedError(
      'ERR_PLACEMENT_UNSUPPORTED',
      `partitioner: expected pulsar-java-string or pulsar-murmur3, got "${name}": BoostHash depends on the Boost that the client was linked with`,
    )
  }
  return checkName(name, 'partitioner', PARTITIONER_NAMES)
}

function frozen<T extends Record<string, Partitioner>>(table: T): T {
  for (const row of Object.values(table)) {
    Object.freeze(row)
    if (row.draw !== null) Object.freeze(Object.freeze(row.draw).range)
  }
  return Object.freeze(table)
}
