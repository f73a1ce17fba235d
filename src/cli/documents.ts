/**
 * The documents that `--json` prints, and the lines of `--jsonl`: those of keys, groups and names, and what all share; those of
 * replicas are in `replica-documents.ts`, Pulsar's in `pulsar-documents.ts`. Keys are stable; more may be added.
 *
 * A document of rows has a line a row, so that it can be cut and compared by lines.
 */
import type { KafkaVersion, kafka, Note } from '../index.js'

/** What a row answers for: the text, or where its bytes are no UTF-8 (a Kafka key may be anything) their base64. */
export type RowInput = { readonly input: string } | { readonly inputBase64: string }

/** A document of rows: one for each line of the input, in its order. */
export interface RowsDocument<Row> {
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

/** `kafka assign --json`; `--state` reads it. */
export interface AssignDocument extends Pick<kafka.Assignment, 'groupType' | 'assignor' | 'version' | 'algorithm'> {
  readonly question: 'kafka assign'
  readonly maxGeneration: number | null
  readonly balance: kafka.GroupBalance
  readonly members: readonly {
    readonly id: string
    /** What it gets now. */
    readonly ownedPartitions: readonly kafka.TopicPartition[]
    /** What it gets in the next round, when others gave it up. */
    readonly withheld: readonly kafka.TopicPartition[]
  }[]
  readonly notes: readonly Note[]
}

/** `kafka rebalance --json`; `--group` reads its `state`. */
export interface RebalanceAnswerDocument extends kafka.RebalanceDocument {
  readonly question: 'kafka rebalance'
}

/** `kafka compare-assignors --json` */
export interface CompareAssignorsDocument extends kafka.AssignorComparisonDocument {
  readonly question: 'kafka compare-assignors'
  readonly version: KafkaVersion
}

/** `kafka topic-names --json` */
export interface TopicNamesDocument {
  readonly question: 'kafka topic-names'
  readonly names: number
  /** True where none is refused and none collides. */
  readonly legal: boolean
  /** With `where` each stands: `topics.txt:17`. */
  readonly illegal: readonly (kafka.IllegalTopicName & { readonly where: string })[]
  readonly collisions: readonly (kafka.TopicNameCollision & { readonly where: string })[]
}
