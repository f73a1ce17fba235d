/**
 * What a sticky assignor reads and writes as a subscription's user data: what the member owned, and in which generation.
 *
 * For `kafka.assign`, and for clients that speak to Java consumers. Source: Apache Kafka 4.4.0,
 * org.apache.kafka.clients.consumer.StickyAssignor and CooperativeStickyAssignor.
 * What differs from the obvious: version 1 (with a generation) is tried before version 0 and bytes behind the end are not
 * looked at, so version 0 with four more bytes is read as version 1; what neither can read owns nothing, in generation -1.
 */

import type { TopicPartition } from './group-types.js'
import { ByteReader, ByteWriter } from './protocol-bytes.js'

/** What a member had. */
export interface StickyUserData {
  readonly ownedPartitions: readonly TopicPartition[]
  /** `null` where none is told; -1 is told for what cannot be read. */
  readonly generationId: number | null
}

/**
 * Writes the user data of `sticky`, version 1; partitions are gathered by topic, topics in the order in which they come.
 *
 * Java writes topics in the order of a HashMap: `kafka.javaMapOrder` tells it, where bytes must be equal.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE
 */
export function encodeStickyUserData(data: StickyUserData): Uint8Array {
  const writer = new ByteWriter()
  writer.topicPartitions(data.ownedPartitions)
  if (data.generationId !== null) writer.int32(data.generationId)
  return writer.bytes()
}

/**
 * Reads the user data of `sticky` as Java does: it never fails.
 *
 * @param userData bytes, or `null` for a member that sent none
 */
export function decodeStickyUserData(userData: Uint8Array | null): StickyUserData {
  if (userData === null || userData.length === 0) return { ownedPartitions: [], generationId: null }
  return read(userData, true) ?? read(userData, false) ?? { ownedPartitions: [], generationId: -1 }
}

function read(userData: Uint8Array, withGeneration: boolean): StickyUserData | undefined {
  const reader = new ByteReader(userData)
  const ownedPartitions = reader.topicPartitions()
  const generationId = withGeneration ? reader.int32() : null
  return reader.failed ? undefined : { ownedPartitions, generationId }
}

/** Writes the user data of `cooperative-sticky`: the generation. */
export function encodeCooperativeUserData(generationId: number): Uint8Array {
  const writer = new ByteWriter()
  writer.int32(generationId)
  return writer.bytes()
}

/** Reads the user data of `cooperative-sticky` as Java does: `null` for none, -1 for what cannot be read. */
export function decodeCooperativeUserData(userData: Uint8Array | null): number | null {
  if (userData === null) return null
  const reader = new ByteReader(userData)
  const generationId = reader.int32()
  return reader.failed ? -1 : generationId
}
