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

  /** What these carry together, by their positions. */
  sumsOf(members: readonly number[]): LoadSums {
    const sum = (column: Float64Array) => members.reduce((total, at) => total + column[at]!, 0)
    return {
      brokers: members.length,
      replicas: sum(this.replicas),
      leaders: sum(this.leaders),
      segments: sum(this.segments),
      bytes: sum(this.bytes),
      leaderRate: sum(this.leaderRate),
      replicationOut: sum(this.replicationOut),
      followerRate: sum(this.followerRate),
    }
  }

  /** Takes over what another loss has changed. */
  reset(base: BrokerLoads): void {
    for (const name of MOVED) this[name].set(base[name])
  }
}

/** Columns that the loss of other brokers changes: what lies on a broker stays where it is. */
const MOVED = ['leaders', 'leaderRate', 'replicationOut', 'followerRate'] as const

/** What one broker carries, or several together. */
export interface LoadSums {
  readonly brokers: number
  readonly replicas: number
  readonly leaders: number
  readonly segments: number
  readonly bytes: number
  readonly leaderRate: number
  readonly replicationOut: number
  readonly followerRate: number
}

/** The loads as the replicas lie. Cost: linear in the replicas. */
export function brokerLoads(cluster: Cluster, loadOf: (row: number) => PartitionLoad): BrokerLoads {
  const loads = new BrokerLoads(cluster.brokers.length)
  const { replicas, replicaStarts } = cluster
  for (let row = 0; row < cluster.length; row++) {
    const { segments, bytes, rate } = loadOf(row)
    for (let at = replicaStarts[row]!; at < replicaStarts[row + 1]!; at++) {
      const broker = replicas[at]!
      loads.replicas[broker]! += 1
      loads.segments[broker]! += segments
      loads.bytes[broker]! += bytes
    }
    lead(loads, cluster, row, { rate, sign: 1, isLost: NOBODY })
  }
  return loads
}

/**
 * The loads after the loss of each of some groups of brokers, one after the other: what lay on them is gone, and the next
 * replica of a list leads. One object, which the next loss writes over; of lost brokers it tells nothing.
 *
 * Cost: linear in the replicas of the groups, and in groups times brokers.
 */
export function* loadsAfterLoss(
  cluster: Cluster,
  base: BrokerLoads,
  loadOf: (row: number) => PartitionLoad,
  groups: readonly (readonly number[])[],
): Generator<BrokerLoads> {
  const rowsOf = rowsByBroker(cluster)
  const seen = new Int32Array(cluster.length).fill(-1)
  const isLost = new Uint8Array(cluster.brokers.length)
  const loads = new BrokerLoads(cluster.brokers.length)
  for (const column of ['replicas', 'segments', 'bytes'] as const) loads[column].set(base[column])
  for (const [at, group] of groups.entries()) {
    loads.reset(base)
    for (const broker of group) isLost[broker] = 1
    for (const broker of group) {
      for (const row of rowsOf(broker)) {
        if (seen[row] === at) continue
        seen[row] = at
        const { rate } = loadOf(row)
        lead(loads, cluster, row, { rate, sign: -1, isLost: NOBODY })
        lead(loads, cluster, row, { rate, sign: 1, isLost })
      }
    }
    yield loads
    for (const broker of group) isLost[broker] = 0
  }
}

const NOBODY = new Uint8Array(0)

interface Led {
  /** Bytes a second of the partition. */
  readonly rate: number
  readonly sign: 1 | -1
  /** 1 for each broker that is not there; none where it is empty. */
  readonly isLost: Uint8Array
}

/** Adds, or takes off, what a partition's leader and followers do: the first replica that is left leads. */
function lead(
  loads: BrokerLoads,
  { replicas, replicaStarts }: Cluster,
  row: number,
  { rate, sign, isLost }: Led,
): void {
  let leader = -1
  for (let at = replicaStarts[row]!; at < replicaStarts[row + 1]!; at++) {
    const broker = replicas[at]!
    if (isLost[broker] === 1) continue
    if (leader >= 0) {
      loads.followerRate[broker]! += sign * rate
      loads.replicationOut[leader]! += sign * rate
      continue
    }
    leader = broker
    loads.leaders[leader]! += sign
    loads.leaderRate[leader]! += sign * rate
  }
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
