/**
 * The formulas of sizing, one a function: bytes and bytes a second in, integers out, rounded as is said. Shared by the report
 * and by whoever asks one thing alone.
 */
import { roundedUp } from './sizing-figures.js'

/** Files that a broker keeps open for a segment. */
export const DESCRIPTOR_MODELS = {
  /** A log and an index: the article "Apache Kafka Partitions as Unit of Storage". */
  'log-index': 2,
  /** A log and two indexes. */
  'three-files': 3,
  /** A log: indexes are mapped, and their files closed. Kafka today. */
  mapped: 1,
} as const
export type DescriptorModel = keyof typeof DESCRIPTOR_MODELS

/** Maps of a segment: its two indexes. */
export const MAPS_A_SEGMENT = 2

/** What a partition keeps: what comes in the retention time, or the retention's bytes if those are fewer. */
export function retainedBytes(
  rate: number,
  retentionSeconds: number,
  retentionBytes = Number.POSITIVE_INFINITY,
): number {
  return Math.min(rate * retentionSeconds, retentionBytes)
}

/** Segments of a partition, the active one at least. Rounded up. */
export const segmentsOf = (bytes: number, segmentBytes: number): number => Math.max(1, roundedUp(bytes / segmentBytes))

/** Segments that fit into the descriptors, rounded down. */
export const segmentsWithin = (descriptors: number, model: DescriptorModel): number =>
  Math.floor(descriptors / DESCRIPTOR_MODELS[model])

/** Minutes until the descriptors run out, at a rate, from none. Rounded down. */
export function minutesUntilDescriptorsRunOut(
  descriptors: number,
  model: DescriptorModel,
  segmentBytes: number,
  rate: number,
): number {
  return Math.floor((segmentsWithin(descriptors, model) * segmentBytes) / rate / 60 + 1e-9)
}

/** Partitions of one segment that fit into the map areas, rounded down. */
export const partitionsWithinMaps = (areas: number): number => Math.floor(areas / MAPS_A_SEGMENT)

/** Brokers that the disks ask for, rounded up. */
export function brokersByDisk(rate: number, replicationFactor: number, seconds: number, usableDisk: number): number {
  return roundedUp((rate * replicationFactor * seconds) / usableDisk)
}

/** Minutes to move so many bytes into the busiest broker. Rounded up. */
export const moveMinutes = (bytes: number, throttle: number): number => roundedUp(bytes / throttle / 60)

/** Bytes of a group's metadata record: what each member subscribes to and holds, and the names once more. */
export function groupRecordBytes(members: number, nameBytes: number, partitionsAMember: number): number {
  return members * (nameBytes + 4 * partitionsAMember) + nameBytes
}
