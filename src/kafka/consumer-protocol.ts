/**
 * The consumer protocol: subscriptions and assignments as members and leader exchange them.
 *
 * For clients that plug an assignor of their own in. Source: Apache Kafka 4.4.0, ConsumerProtocolSubscription and
 * ConsumerProtocolAssignment, versions 0 to 3, and org.apache.kafka.clients.consumer.internals.ConsumerProtocol.
 * What differs from the obvious: a version beyond the known ones is read as the last one, and bytes behind the end are
 * left; the writer sorts topics and owned partitions, as Java's does.
 */
import { checkInteger, codedError } from '../errors.js'
import type { TopicPartition } from './group-types.js'
import { ByteReader, ByteWriter } from './protocol-bytes.js'

/** What a member tells the leader. */
export interface ConsumerSubscription {
  readonly topics: readonly string[]
  readonly userData: Uint8Array | null
  /** From version 1 on. */
  readonly ownedPartitions: readonly TopicPartition[]
  /** From version 2 on; -1 for none. */
  readonly generationId: number
  /** From version 3 on; `null` for none. */
  readonly rackId: string | null
}

/** What the leader tells a member. */
export interface ConsumerAssignment {
  readonly partitions: readonly TopicPartition[]
  readonly userData: Uint8Array | null
}

/** The newest version that is known. */
export const CONSUMER_PROTOCOL_VERSION = 3

/**
 * Writes a subscription. Fields that the version does not have are left out.
 *
 * @param version in `[0, 3]`; default 3
 * @throws ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_ARGUMENT_TYPE
 */
export function encodeSubscription(
  subscription: ConsumerSubscription,
  version: number = CONSUMER_PROTOCOL_VERSION,
): Uint8Array {
  const writer = begin(version)
  writer.array(subscription.topics.toSorted(byUnits), (topic) => writer.string(topic))
  writer.nullableBytes(subscription.userData)
  if (version >= 1) writer.topicPartitions(subscription.ownedPartitions.toSorted(byTopicAndNumber))
  if (version >= 2) writer.int32(checkInteger(subscription.generationId, 'generationId', [-1, 0x7fffffff]))
  if (version >= 3) writer.nullableString(subscription.rackId)
  return writer.bytes()
}

/**
 * Reads a subscription.
 *
 * @throws ERR_PLACEMENT_INPUT, where Java throws a SchemaException
 */
export function decodeSubscription(bytes: Uint8Array): ConsumerSubscription & { readonly version: number } {
  const { reader, version, known } = opened(bytes, 'subscription')
  const topics = reader.array(() => reader.string())
  const userData = reader.nullableBytes()
  const ownedPartitions = known >= 1 ? reader.topicPartitions() : []
  const generationId = known >= 2 ? reader.int32() : -1
  const rackId = known >= 3 ? reader.nullableString() : null
  finish(reader, 'subscription')
  return { version, topics, userData, ownedPartitions, generationId, rackId: rackId === '' ? null : rackId }
}

/**
 * Writes an assignment: partitions gathered by topic, topics in the order in which they come.
 *
 * @param version in `[0, 3]`; default 3. All have the same fields.
 * @throws ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_ARGUMENT_TYPE
 */
export function encodeAssignment(
  assignment: ConsumerAssignment,
  version: number = CONSUMER_PROTOCOL_VERSION,
): Uint8Array {
  const writer = begin(version)
  writer.topicPartitions(assignment.partitions)
  writer.nullableBytes(assignment.userData)
  return writer.bytes()
}

/**
 * Reads an assignment.
 *
 * @throws ERR_PLACEMENT_INPUT, where Java throws a SchemaException
 */
export function decodeAssignment(bytes: Uint8Array): ConsumerAssignment & { readonly version: number } {
  const { reader, version } = opened(bytes, 'assignment')
  const partitions = reader.topicPartitions()
  const userData = reader.nullableBytes()
  finish(reader, 'assignment')
  return { version, partitions, userData }
}

const byUnits = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

const byTopicAndNumber = (a: TopicPartition, b: TopicPartition): number =>
  byUnits(a.topic, b.topic) || a.partition - b.partition

function begin(version: number): ByteWriter {
  const writer = new ByteWriter()
  writer.int16(checkInteger(version, 'version', [0, CONSUMER_PROTOCOL_VERSION]))
  return writer
}

interface Opened {
  readonly reader: ByteReader
  readonly version: number
  /** The version whose fields are read. */
  readonly known: number
}

function opened(bytes: Uint8Array, what: string): Opened {
  const reader = new ByteReader(bytes)
  const version = reader.int16()
  if (reader.failed) throw refused(`${what}: expected a version in front, got ${bytes.length} bytes`, null)
  if (version < 0) {
    throw refused(`${what}: expected a version of 0 or more, got ${version}`, `Unsupported ${what} version: ${version}`)
  }
  return { reader, version, known: Math.min(version, CONSUMER_PROTOCOL_VERSION) }
}

function finish(reader: ByteReader, what: string): void {
  if (reader.failed) throw refused(`${what}: expected more bytes, or other lengths, than came`, null)
}

function refused(message: string, javaMessage: string | null): Error {
  const javaClass = 'org.apache.kafka.common.protocol.types.SchemaException'
  return codedError('ERR_PLACEMENT_INPUT', message, { javaClass, javaMessage })
}
