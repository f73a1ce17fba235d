/**
 * From a 32-bit hash to a partition, in the four ways that the clients of Kafka and Pulsar do it.
 *
 * Sources: Apache Kafka 4.4.0 `Utils.toPositive` (mask) and `Utils.abs` (abs-first); librdkafka 2.0.2 rdkafka_msg.c
 * (unsigned, mask, abs); sarama 1.61.1 partitioner.go (abs, mask); kafka-go 0.4.51 balancer.go (abs, mask, unsigned).
 * Twin of native/core/src/kafka/partitioner.rs.
 * What differs from the obvious: the four disagree for hashes below zero alone, half of all keys, and agree there too when
 * the number of partitions is a power of two (mask and unsigned) or by chance.
 */
import type { Reduction } from '../../engine/contract.js'

/**
 * The partition of one hash.
 *
 * @param hash 32 bits, signed or unsigned
 * @param numPartitions in `[1, 2^31)`
 * @returns in `[0, numPartitions)`
 */
export function reduce(reduction: Reduction, hash: number, numPartitions: number): number {
  switch (reduction) {
    case 'mask':
      return (hash & 0x7fffffff) % numPartitions
    case 'unsigned':
      return (hash >>> 0) % numPartitions
    case 'abs':
      return magnitude(((hash | 0) % numPartitions) | 0)
    case 'abs-first':
      return (magnitude(hash | 0) & 0x7fffffff) % numPartitions
  }
}

/** The partitions of many hashes, in place. One loop a reduction, so that no hash asks which one it is. */
export function reduceAll(reduction: Reduction, hashes: Int32Array, numPartitions: number): void {
  switch (reduction) {
    case 'mask':
      for (let i = 0; i < hashes.length; i++) hashes[i] = (hashes[i]! & 0x7fffffff) % numPartitions
      return
    case 'unsigned':
      for (let i = 0; i < hashes.length; i++) hashes[i] = (hashes[i]! >>> 0) % numPartitions
      return
    case 'abs':
      for (let i = 0; i < hashes.length; i++) hashes[i] = magnitude((hashes[i]! % numPartitions) | 0)
      return
    case 'abs-first':
      for (let i = 0; i < hashes.length; i++) hashes[i] = (magnitude(hashes[i]!) & 0x7fffffff) % numPartitions
  }
}

/** `|value|` in 32 bits: -2^31 stays as it is, as in Java, Go and C. */
function magnitude(value: number): number {
  return value < 0 ? -value | 0 : value
}
