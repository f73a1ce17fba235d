/** Types that more than one room of the public API speaks. */

/** The hashes, by the names that API and command line share. */
export const HASH_NAMES = ['murmur2', 'murmur3', 'crc32', 'crc32c', 'fnv1a', 'java-string'] as const
export type HashName = (typeof HASH_NAMES)[number]

/** Releases of Pulsar whose answers are reproduced, oldest first. The last one is the default. */
export const PULSAR_VERSIONS = ['2.10', '3.0', '4.2', '5.0'] as const
export type PulsarVersion = (typeof PULSAR_VERSIONS)[number]

/** Releases of Kafka whose answers are reproduced, oldest first. The last one is the default. */
export const KAFKA_VERSIONS = ['3.9', '4.0', '4.1', '4.2', '4.3', '4.4'] as const
export type KafkaVersion = (typeof KAFKA_VERSIONS)[number]

/** A key: text is hashed as its UTF-8, a lone surrogate as Java's `?`. */
export type Key = string | Uint8Array

/**
 * Strings packed one after the other: key `i` is `values[offsets[i] .. offsets[i + 1])`. The first offset need not be 0.
 * `offsets` has `length + 1` entries or more. The Arrow Utf8 layout.
 */
export interface Packed {
  readonly values: Uint8Array
  readonly offsets: Int32Array | Uint32Array
  readonly length: number
}
