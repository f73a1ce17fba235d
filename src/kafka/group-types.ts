/** What `kafka.assign` takes: a group's members and the topics of the cluster, as objects for people or columns for millions. */

/** A partition of a topic. */
export interface TopicPartition {
  readonly topic: string
  /** Its number, from 0; claims may name any 32-bit number. */
  readonly partition: number
}

/** A topic as the cluster's metadata has it. */
export interface GroupTopic {
  readonly name: string
  /** Number of partitions; a topic with none is as good as unknown. */
  readonly partitions: number
  /** Numbers of the partitions. Default: 0 to `partitions - 1`. */
  readonly ids?: readonly number[]
  /** Racks of each partition's replicas, in the order of `ids`; `null` for a broker without one. Default: none are known. */
  readonly racks?: readonly (readonly (string | null)[])[]
  /** Uuid as Kafka writes it, 22 characters of base64url. Consumer and share groups need it: their order depends on it. */
  readonly id?: string
  /**
   * Numbers of the partitions that a share group may hand out, those whose start offset is known. Default: all; but where
   * one topic says, a topic that does not has none.
   */
  readonly assignable?: readonly number[]
  /** Load of one of its partitions, an integer in `[1, 1000000]`: `balanced` alone looks at it. Default: 1. */
  readonly weight?: number | undefined
}

/** A member as its subscription describes it. */
export interface GroupMember {
  /** The member id; no two members share one. */
  readonly id: string
  /** Topics it subscribes to, in its order. */
  readonly topics: readonly string[]
  /** `group.instance.id` of a static member. Default: dynamic. */
  readonly instanceId?: string | undefined
  /** `client.rack`; an empty one is none. Default: none. */
  readonly rack?: string | undefined
  /**
   * Partitions it owns, in its order: the subscription's field, which `cooperative-sticky` and `balanced` read; in a consumer or share
   * group its target assignment. Default: none.
   */
  readonly ownedPartitions?: readonly TopicPartition[] | undefined
  /** The generation in which it got them: the subscription's field, -1 for none. Default: -1. */
  readonly generationId?: number | undefined
  /** What the assignor on its side sent: `sticky` reads what it owns from here alone. Default: none. */
  readonly userData?: Uint8Array | null | undefined
  /** What it can carry, set against the others, an integer in `[1, 1000000]`: `balanced` alone looks at it. Default: 1. */
  readonly weight?: number | undefined
}

/** Topics in columns: topic `t` has the partitions 0 to `partitions[t] - 1`. */
export interface TopicColumns {
  readonly names: readonly string[]
  readonly partitions: Int32Array
  /** Uuid of each topic, for consumer and share groups. */
  readonly ids?: readonly string[]
  /** 1 for each partition, numbered over all topics, that a share group may hand out. Default: all. */
  readonly assignable?: Uint8Array
  /** `weight` of each topic. Default: 1 for all. */
  readonly weights?: Uint32Array
}

/** Subscription lists in numbers: list `i` names the topics `topics[offsets[i] .. offsets[i + 1])`, member `m` has list `listOf[m]`. */
export interface SubscriptionColumns {
  readonly offsets: Uint32Array
  readonly topics: Uint32Array
  readonly listOf: Uint32Array
}

/** Owned partitions in numbers: member `m` owns `values[offsets[m] .. offsets[m + 1])`, each the sum of all partitions of earlier topics and its own number. */
export interface OwnedColumns {
  readonly offsets: Uint32Array
  readonly values: Uint32Array
}

/** Members in columns; with topics in columns only. Owned partitions and generations are as good as read from user data. */
export interface MemberColumns {
  readonly ids: readonly string[]
  /** Default: every member subscribes to every topic, in the topics' order. */
  readonly subscriptions?: SubscriptionColumns
  /** `null` for a dynamic member. Default: all are. */
  readonly instanceIds?: readonly (string | null)[]
  /** Default: nobody owns anything. */
  readonly owned?: OwnedColumns
  /** The generation of what each member owns, -1 for none. Default: -1 for all. */
  readonly generations?: Int32Array
  /** `weight` of each member. Default: 1 for all. */
  readonly weights?: Uint32Array
  /** Rack of each member and of each partition's replicas, in numbers. Default: no racks. */
  readonly racks?: RackColumns
}

/** Racks in numbers from 0 to `count - 1`: partition `p` (numbered over all topics) lies on the racks of set `setOf[p]`. */
export interface RackColumns {
  readonly count: number
  /** -1 for a member without rack. */
  readonly ofMember: Int32Array
  readonly setOf: Uint32Array
  /** Set `s` holds the racks `setRacks[setOffsets[s] .. setOffsets[s + 1])`, each once. */
  readonly setOffsets: Uint32Array
  readonly setRacks: Uint32Array
}
