/** What a cluster is given as, and the columns that it is kept in. */

/** `in` may hold replicas · `out` is to be left, or gone · `fenced` is registered and does not answer. */
export const BROKER_STATES = ['in', 'out', 'fenced'] as const
export type BrokerState = (typeof BROKER_STATES)[number]

/** A broker as it is given. */
export interface ClusterBroker {
  /** In [0, 2147483647]. */
  readonly id: number
  /** Default: none. */
  readonly rack?: string | null
  /** Default: in. */
  readonly state?: BrokerState
  /** Its share of the replicas beside those of others, above 0. Default: 1. */
  readonly weight?: number
  /** Bytes that it may hold. Default: no limit. */
  readonly capacity?: number
}

/** A partition as it is given. */
export interface ClusterPartition {
  readonly partition: number
  /** Broker ids in Kafka's order: the first one is the preferred leader. While it moves: the target, then what is removed. */
  readonly replicas: readonly number[]
  /** Bytes of one replica. Default: unknown; of all partitions or of none. */
  readonly bytes?: number
  /** Of a reassignment under way: the brokers that join, and those that leave. Default: none. */
  readonly adding?: readonly number[]
  readonly removing?: readonly number[]
}

/** A topic as it is given: of a bare list of broker ids, partition `i` is the `i`-th. */
export interface ClusterTopic {
  readonly name: string
  readonly partitions: readonly (ClusterPartition | readonly number[])[]
  /** `min.insync.replicas`. Default: unknown. */
  readonly minInsyncReplicas?: number
}

/** What {@link Cluster.from} takes, and the document of a snapshot file. */
export interface ClusterSnapshot {
  readonly brokers: readonly ClusterBroker[]
  readonly topics: readonly ClusterTopic[]
}

/** A broker of a {@link Cluster}. */
export interface Broker {
  readonly id: number
  readonly rack: string | null
  readonly state: BrokerState
  readonly weight: number
  readonly capacity: number | null
  /** False where only a replica list names it: Kafka keeps the replicas of a broker that is gone. It is `out`. */
  readonly listed: boolean
}

/** Brokers that join and leave the replicas of a partition under way, by id. */
export interface Moving {
  readonly adding: readonly number[]
  readonly removing: readonly number[]
}

/** The arrays of a {@link Cluster}. Row `r` is a partition; rows of topic `t` are `[topicStarts[t], topicStarts[t + 1])`. */
export interface ClusterColumns {
  /** Ascending by id. */
  readonly brokers: readonly Broker[]
  /** In Java's order of strings. */
  readonly topicNames: readonly string[]
  readonly topicStarts: Uint32Array
  /** `min.insync.replicas` of each topic, 0 where unknown. */
  readonly minInsyncReplicas: Int32Array
  /** The number of each row's partition, ascending in a topic. */
  readonly partitions: Int32Array
  /** Row `r` has the replicas `[replicaStarts[r], replicaStarts[r + 1])`. */
  readonly replicaStarts: Uint32Array
  /** Positions in `brokers`, not ids. */
  readonly replicas: Int32Array
  /** Bytes of a replica of each row; `null` where unknown. */
  readonly bytes: Float64Array | null
  /** Rows that a reassignment moves now. */
  readonly moving: ReadonlyMap<number, Moving>
}

/** What {@link Cluster.from} takes beside the snapshot. */
export interface ClusterOptions {
  /** Part of a cluster: numbers of partitions may be missing. Default: false. */
  readonly partial?: boolean
}
