/** What sizing takes, and what it gives. */
import type { ReassignmentEntry } from './reassignment-json.js'
import type { DescriptorModel } from './sizing-formulas.js'

/** A topic that is to be sized. */
export interface SizedTopic {
  readonly name: string
  readonly partitions: number
  /** Default: that of the options, else 1. */
  readonly replicationFactor?: number | undefined
}

/** What is known beside the topics; each may be left out. Bytes are those on disk and on the wire. */
export interface SizingOptions {
  /** Brokers that a list of topics is dealt to, in turn; a cluster has its own, and takes none. */
  readonly brokers?: number | undefined
  readonly replicationFactor?: number | undefined
  /** Bytes a second that producers write, over all partitions alike; need be no integer: 250 MB a minute are 250e6 / 60. */
  readonly rate?: number | undefined
  readonly retentionSeconds?: number | undefined
  /** Bytes that a partition keeps at most. */
  readonly retentionBytes?: number | undefined
  readonly segmentBytes?: number | undefined
  /** Default: mapped, as Kafka is today. */
  readonly descriptorModel?: DescriptorModel | undefined
  /** Connections of each broker. Default: 0. */
  readonly connections?: number | undefined
  /** Groups that read everything. Default: 0. */
  readonly consumers?: number | undefined
  /** Bytes of a broker's disk. */
  readonly disk?: number | undefined
  /** Part of the disk that may be used, in percent. Default: 70. */
  readonly fillPercent?: number | undefined
  readonly descriptorLimit?: number | undefined
  readonly mapLimit?: number | undefined
  /** A managed service's size of brokers: its limit of replicas. */
  readonly sizeClass?: string | undefined
  /** Members of one group that reads all topics. */
  readonly groupMembers?: number | undefined
  /** Bytes a second that moves may take. */
  readonly throttle?: number | undefined
  /** A reassignment that is to be made, in waves. */
  readonly waves?: readonly (readonly ReassignmentEntry[])[] | undefined
}

/** A number with what it is made of. */
export interface Figure {
  readonly quantity: string
  readonly value: number
  readonly unit: string
  /** With the numbers put in. */
  readonly formula: string
  readonly limit?: number
  /** Where the limit comes from. */
  readonly source?: string
  /** True where the value is within its limit. */
  readonly isWithin?: boolean
}

/** Figures of one broker, of one rack (the sums of its brokers), or of the whole. */
export interface SizedPart {
  readonly name: string
  readonly figures: readonly Figure[]
}

export interface SizingReport {
  readonly cluster: SizedPart
  /** Ascending by id. */
  readonly brokers: readonly SizedPart[]
  /** By name; empty where no broker has one. */
  readonly racks: readonly SizedPart[]
  /** The worst broker that is left after the loss of one broker, and of one rack: named with what is lost. */
  readonly afterBrokerLoss: SizedPart | null
  readonly afterRackLoss: SizedPart | null
  /** What was not computed, and what is missing for it. */
  readonly notComputed: readonly string[]
}
