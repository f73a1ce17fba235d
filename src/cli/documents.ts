/**
 * The documents that `--json` prints, and the lines of `--jsonl`. Keys are stable; more may be added.
 *
 * A document of rows has a line a row, so that it can be cut and compared by lines.
 */
import type { PulsarVersion } from '../index.js'

/** What a row answers for: the text, or where its bytes are no UTF-8 (a Kafka key may be anything) their base64. */
export type RowInput = { readonly input: string } | { readonly inputBase64: string }

/** A document of rows: one for each line of the input, in its order. */
interface RowsDocument<Row> {
  readonly answers: readonly Row[]
  /** Number of answers. */
  readonly count: number
}

/** A line of `hash --jsonl`. */
export type HashRow = RowInput & {
  /** 32 bits, signed for murmur2 and java-string. */
  readonly hash: number
}

/** `hash --json` */
export interface HashDocument extends RowsDocument<HashRow> {
  readonly question: 'hash'
  readonly algorithm: string
}

/** A line of `kafka partition --jsonl`. */
export type PartitionRow = RowInput & {
  /** In [0, numPartitions). */
  readonly partition: number
}

/** `kafka partition --json` */
export interface PartitionDocument extends RowsDocument<PartitionRow> {
  readonly question: 'kafka partition'
  readonly partitioner: string
  readonly numPartitions: number
}

/** How evenly something lies over places. */
export interface SpreadDocument {
  /** Least, mean and most in one place. */
  readonly min: number
  readonly mean: number
  readonly max: number
  /** `max / mean`; `null` where there is nothing. */
  readonly worstToMean: number | null
}

/** One of the keys that come most often. */
export type HeavyKeyDocument = RowInput & {
  /** Bytes of the key; of one longer than 1024, `input` holds the first 1024. */
  readonly bytes: number
  readonly partition: number
  /** It comes so often at least. Both counts are equal where they are exact. */
  readonly atLeast: number
  readonly atMost: number
}

/** `kafka partition --summary --json`; with `--jsonl` its partitions, one a line. */
export interface PartitionSummaryDocument extends SpreadDocument {
  readonly question: 'kafka partition --summary'
  readonly partitioner: string
  readonly numPartitions: number
  /** Keys in all. */
  readonly keys: number
  readonly partitions: readonly { readonly partition: number; readonly keys: number }[]
  /** Up to a hundred, the most frequent first; only keys that may have come twice. */
  readonly heaviestKeys: readonly HeavyKeyDocument[]
}

/** A line of `kafka group --jsonl`. */
export type GroupRow = RowInput & {
  /** Partition of `__consumer_offsets`. */
  readonly consumerOffsets: number
  /** Partition of `__transaction_state`. */
  readonly transactionState: number
}

/** `kafka group --json` */
export interface GroupDocument extends RowsDocument<GroupRow> {
  readonly question: 'kafka group'
  /** Partitions of each of the two topics. */
  readonly numPartitions: number
}

/** A line of `pulsar bundle-range --jsonl`. */
export type BundleRangeRow = RowInput & {
  /** `0x%08x_0x%08x` */
  readonly range: string
}

/** `pulsar bundle-range --json` */
export interface BundleRangeDocument extends RowsDocument<BundleRangeRow> {
  readonly question: 'pulsar bundle-range'
  readonly version: PulsarVersion
  /** Number of bundles. */
  readonly bundles: number
}

/** `pulsar bundles` without topics, with and without `--json`: Pulsar's BundlesData. */
export interface BundlesDocument {
  /** N + 1 numbers such as `0x80000000`. */
  readonly boundaries: readonly string[]
  readonly numBundles: number
}

/** `pulsar bundles --json TOPICS`; with `--jsonl` its bundles, one a line. */
export interface BundlesSummaryDocument extends SpreadDocument {
  readonly question: 'pulsar bundles'
  readonly version: PulsarVersion
  readonly numBundles: number
  /** Topics in all. */
  readonly topics: number
  readonly bundles: readonly { readonly range: string; readonly topics: number }[]
}
