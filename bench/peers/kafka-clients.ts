/**
 * The Kafka clients of npm as their producers use them: key → partition.
 *
 * kafkajs 2.2.4 takes strings. @platformatic/kafka takes the Buffer that its serializer made, gives 32 bits, and its producer
 * takes the remainder afterwards (`message.partition %= partitionsCount`). 1.35.0 is its newest release for Node.js 20; the
 * files measured here are the same, byte for byte, in 2.12.1.
 */
import { compatibilityPartitioner, defaultPartitioner } from '@platformatic/kafka'
import kafkajs, { type Message, type PartitionMetadata } from 'kafkajs'

/** kafkajs's default partitioner, compatible with Java's, over a topic of `numPartitions` partitions. */
export function kafkajsPartitioner(numPartitions: number): (key: string | Buffer) => number {
  const partition = kafkajs.Partitioners.DefaultPartitioner()
  const partitionMetadata = Array.from({ length: numPartitions }, (_, partitionId) => leading(partitionId))
  return (key) => partition({ topic: 'orders', partitionMetadata, message: { key } as Message })
}

function leading(partitionId: number): PartitionMetadata {
  return { partitionErrorCode: 0, partitionId, leader: 1, replicas: [1], isr: [1] }
}

type PlatformaticMessage = Parameters<typeof defaultPartitioner>[0]
const MESSAGE = { topic: 'orders' } as PlatformaticMessage

/** The one for keys that Java producers write too: `murmur2 & 0x7fffffff`. */
export function platformaticCompatibility(key: Buffer, numPartitions: number): number {
  return compatibilityPartitioner(MESSAGE, key) % numPartitions
}

/** Its default: `murmur2 >>> 0`, another partition for half of all keys. */
export function platformaticDefault(key: Buffer, numPartitions: number): number {
  return defaultPartitioner(MESSAGE, key) % numPartitions
}
