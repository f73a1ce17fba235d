/**
 * A cluster as it stands: its brokers and where the replicas lie. For placement, reassignment, planning and sizing, offline.
 *
 * In columns, so that millions of replicas are a few arrays; objects are built only when asked for. Names and broker ids
 * are numbered once, here: brokers ascend by id, topics by name (Java's order, UTF-16), partitions by number.
 */

import { checkList } from '../errors.js'
import { ClusterBuilder } from './cluster-builder.js'
import { checkedBroker, checkedTopic, checkFields } from './cluster-checks.js'
import type {
  Broker,
  ClusterBroker,
  ClusterColumns,
  ClusterOptions,
  ClusterPartition,
  ClusterSnapshot,
  Moving,
} from './cluster-types.js'

/** A cluster in columns; see {@link ClusterColumns}. */
export class Cluster implements ClusterColumns {
  declare readonly brokers: readonly Broker[]
  declare readonly topicNames: readonly string[]
  declare readonly topicStarts: Uint32Array
  declare readonly minInsyncReplicas: Int32Array
  declare readonly partitions: Int32Array
  declare readonly replicaStarts: Uint32Array
  declare readonly replicas: Int32Array
  declare readonly bytes: Float64Array | null
  declare readonly moving: ReadonlyMap<number, Moving>

  /** Takes columns as they are: {@link Cluster.from} and {@link ClusterBuilder} have checked them. */
  constructor(columns: ClusterColumns) {
    Object.assign(this, columns)
  }

  /**
   * Checks a snapshot and packs it.
   *
   * @param snapshot brokers and topics in any order; a replica may lie on a broker that is not listed
   * @param options `partial` where partitions may be missing
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_DUPLICATE, ERR_PLACEMENT_UNKNOWN_NAME
   * @example
   * ```ts
   * Cluster.from({ brokers: [{ id: 0 }, { id: 1 }], topics: [{ name: 't', partitions: [[0, 1], [1, 0]] }] }).replicasOf(1) // [1, 0]
   * ```
   */
  static from(snapshot: ClusterSnapshot | Cluster, options: ClusterOptions = {}): Cluster {
    if (snapshot instanceof Cluster) return snapshot
    checkFields(options, 'options', ['partial'])
    const builder = new ClusterBuilder()
    for (const [i, broker] of listOf(snapshot?.brokers, 'brokers').entries()) {
      builder.addBroker(checkedBroker(broker, `brokers[${i}]`))
    }
    for (const [i, given] of listOf(snapshot.topics, 'topics').entries()) {
      const topic = checkedTopic(given, `topics[${i}]`)
      builder.addTopic(topic)
      for (const partition of topic.partitions) builder.addPartition(topic.name, partition)
    }
    return new Cluster(builder.build(options))
  }

  /** Number of partitions in all. */
  get length(): number {
    return this.partitions.length
  }

  /** Topic of a row. Cost: logarithmic. */
  topicOf(row: number): string {
    let [low, high] = [0, this.topicNames.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.topicStarts[middle]! <= row) low = middle
      else high = middle - 1
    }
    return this.topicNames[low]!
  }

  /** Broker ids of a row, in Kafka's order. */
  replicasOf(row: number): number[] {
    const lists = this.replicas.subarray(this.replicaStarts[row], this.replicaStarts[row + 1])
    return Array.from(lists, (broker) => this.brokers[broker]!.id)
  }

  /** Row of a partition, or -1. Cost: logarithmic. */
  rowOf(topic: string, partition: number): number {
    const at = positionOf(this.topicNames, topic)
    if (at < 0) return -1
    const row = positionOf(this.partitions.subarray(this.topicStarts[at], this.topicStarts[at + 1]), partition)
    return row < 0 ? -1 : this.topicStarts[at]! + row
  }

  /** Position of a broker id in `brokers`, or -1. Cost: logarithmic. */
  brokerAt(id: number): number {
    let [low, high] = [0, this.brokers.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.brokers[middle]!.id < id) low = middle + 1
      else high = middle
    }
    return this.brokers[low]?.id === id ? low : -1
  }

  /** The snapshot as objects: what {@link Cluster.from} takes. */
  toJSON(): ClusterSnapshot {
    const brokers = this.brokers.filter(({ listed }) => listed).map(brokerDocument)
    const topics = this.topicNames.map((name, t) => ({
      name,
      ...(this.minInsyncReplicas[t] === 0 ? {} : { minInsyncReplicas: this.minInsyncReplicas[t]! }),
      partitions: Array.from({ length: this.topicStarts[t + 1]! - this.topicStarts[t]! }, (_, i) =>
        this.#partition(this.topicStarts[t]! + i),
      ),
    }))
    return { brokers, topics }
  }

  #partition(row: number): ClusterPartition {
    const { partitions, bytes, moving } = this
    return {
      partition: partitions[row]!,
      replicas: this.replicasOf(row),
      ...(bytes === null ? {} : { bytes: bytes[row]! }),
      ...moving.get(row),
    }
  }
}

function brokerDocument({ id, rack, state, weight, capacity }: Broker): ClusterBroker {
  return {
    id,
    ...(rack === null ? {} : { rack }),
    ...(state === 'in' ? {} : { state }),
    ...(weight === 1 ? {} : { weight }),
    ...(capacity === null ? {} : { capacity }),
  }
}

/** Position of an item in an ascending list, or -1. */
function positionOf<T extends string | number>(items: ArrayLike<T>, wanted: T): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (items[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return items[low] === wanted ? low : -1
}

function listOf<T>(list: readonly T[], what: string): readonly T[] {
  checkList(list, `cluster.${what}`)
  return list
}
