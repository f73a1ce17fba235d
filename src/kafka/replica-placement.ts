/** What the placers answer: the replicas of a topic's new partitions, in one array. */
import { checkInteger } from '../errors.js'
import type { KafkaVersion } from '../types.js'
import type { Draws } from './random-source.js'

/** What a {@link ReplicaPlacement} holds. */
export interface ReplicaPlacementFacts {
  readonly placer: 'striped' | 'alternating'
  readonly version: KafkaVersion
  /** Number of the first new partition. */
  readonly firstPartition: number
  readonly replicationFactor: number
  /** Broker ids, partition by partition, the preferred leader first. */
  readonly replicas: Int32Array
  /** The draws that follow: for the next topic of the same source. `null` where nothing is drawn. */
  readonly random: Draws | null
}

/** Replicas of new partitions; see {@link ReplicaPlacementFacts}. */
export class ReplicaPlacement implements ReplicaPlacementFacts {
  declare readonly placer: 'striped' | 'alternating'
  declare readonly version: KafkaVersion
  declare readonly firstPartition: number
  declare readonly replicationFactor: number
  declare readonly replicas: Int32Array
  declare readonly random: Draws | null

  constructor(facts: ReplicaPlacementFacts) {
    Object.assign(this, facts)
  }

  /** Number of new partitions. */
  get length(): number {
    return this.replicas.length / this.replicationFactor
  }

  /** Broker ids of a partition, the preferred leader first. @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
  replicasOf(partition: number): number[] {
    const { firstPartition, replicationFactor } = this
    checkInteger(partition, 'partition', [firstPartition, firstPartition + this.length - 1])
    const from = (partition - firstPartition) * replicationFactor
    return Array.from(this.replicas.subarray(from, from + replicationFactor))
  }

  /** A list per partition. */
  toJSON() {
    const { placer, version, firstPartition, replicationFactor } = this
    const replicas = Array.from({ length: this.length }, (_, i) => this.replicasOf(firstPartition + i))
    return { placer, version, firstPartition, replicationFactor, replicas }
  }
}
