/**
 * What each broker carries: replicas, leaders, segments, bytes and traffic; and after the loss of a broker or a rack, when its
 * leaders are on the next replicas of their lists.
 */
import type { Cluster } from './cluster.js'

/** What a partition of one row carries. */
export interface PartitionLoad {
  /** Bytes a second in. */
  readonly rate: number
  readonly bytes: number
  readonly segments: number
}

/** Sums by broker, in the order of the cluster's brokers. */
export class BrokerLoads {
  readonly replicas: Float64Array
  readonly leaders: Float64Array
  readonly segments: Float64Array
  readonly bytes: Float64Array
  /** Bytes a second of the partitions that it leads, and those sums once for each follower of theirs. */
  readonly leaderRate: Float64Array
  readonly replicationOut: Float64Array
  /** Bytes a second that it fetches as a follower. */
  readonly followerRate: Float64Array

  constructor(brokers: number) {
    const column = () => new Float64Array(brokers)
    this.replicas = column()
    this.leaders = column()
    this.segments = column()
    this.bytes = column()
    this.leaderRate = column()
    this.replicationOut = column()
    this.followerRate = column()
  }

  copy(): BrokerLoads {
    const copy = new BrokerLoads(this.replicas.length)
    for (const name of Object.keys(copy) as (keyof BrokerLoads)[]) {
      const [from, to] = [this[name], copy[name]]
      if (from instanceof Float64Array && to instanceof Float64Array) to.set(from)
    }
    return copy
  }

  /** Bytes a second out: to followers, and once to each group of consumers. */
  networkOut(broker: number, consumers: number): number {
    return this.replicationOut[broker]! + consumers * this.leaderRate[broker]!
  }

  networkIn(broker: number): number {
    return this.leaderRate[broker]! + this.followerRate[broker]!
  }
}

/** The loads as the replicas lie. Cost: linear in the replicas. */
export function brokerLoads(cluster: Cluster, loadOf: (row: number) => PartitionLoad): BrokerLoads {
  const loads = new BrokerLoads(cluster.brokers.length)
  const { replicas, replicaStarts } = cluster
  for (let row = 0; row < cluster.length; row++) {
    addRow(loads, replicas.subarray(replicaStarts[row], replicaStarts[row + 1]), loadOf(row), 1)
  }
  return loads
}

/**
 * The loads after the loss of each of some groups of brokers, one after the other: what lay on them is gone, and the next
 * replica of a list leads. Cost: linear in the replicas, and in groups times brokers.
 */
export function* loadsAfterLoss(
  cluster: Cluster,
  base: BrokerLoads,
  loadOf: (row: number) => PartitionLoad,
  groups: readonly (readonly number[])[],
): Generator<BrokerLoads> {
  const rowsOf = rowsByBroker(cluster)
  const seen = new Int32Array(cluster.length).fill(-1)
  for (const [at, group] of groups.entries()) {
    const loads = base.copy()
    for (const broker of group) {
      for (const row of rowsOf(broker)) {
        if (seen[row] === at) continue
        seen[row] = at
        moveRow(loads, cluster, row, { load: loadOf(row), group })
      }
    }
    yield loads
  }
}

interface Lost {
  readonly load: PartitionLoad
  readonly group: readonly number[]
}

function moveRow(loads: BrokerLoads, cluster: Cluster, row: number, { load, group }: Lost): void {
  const list = cluster.replicas.subarray(cluster.replicaStarts[row], cluster.replicaStarts[row + 1])
  addRow(loads, list, load, -1)
  addRow(
    loads,
    list.filter((broker) => !group.includes(broker)),
    load,
    1,
  )
}

function rowsByBroker({ brokers, replicas, replicaStarts, length }: Cluster): (broker: number) => Int32Array {
  const starts = new Uint32Array(brokers.length + 1)
  for (const broker of replicas) starts[broker + 1]!++
  for (let b = 0; b < brokers.length; b++) starts[b + 1]! += starts[b]!
  const next = starts.slice()
  const rows = new Int32Array(replicas.length)
  for (let row = 0; row < length; row++) {
    for (let at = replicaStarts[row]!; at < replicaStarts[row + 1]!; at++) rows[next[replicas[at]!]!++] = row
  }
  return (broker) => rows.subarray(starts[broker], starts[broker + 1])
}

function addRow(loads: BrokerLoads, list: Int32Array, { rate, bytes, segments }: PartitionLoad, sign: 1 | -1): void {
  if (list.length === 0) return
  for (const broker of list) {
    loads.replicas[broker]! += sign
    loads.segments[broker]! += sign * segments
    loads.bytes[broker]! += sign * bytes
  }
  const leader = list[0]!
  loads.leaders[leader]! += sign
  loads.leaderRate[leader]! += sign * rate
  loads.replicationOut[leader]! += sign * rate * (list.length - 1)
  for (let i = 1; i < list.length; i++) loads.followerRate[list[i]!]! += sign * rate
}
