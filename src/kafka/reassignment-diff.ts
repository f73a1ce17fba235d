/** What a reassignment changes: which partitions, which replicas join and leave, what stays, and the file that leads back. */
import type { Cluster } from './cluster.js'
import { partitionKey } from './java-sets.js'
import { checkCluster, checkEntryList } from './reassignment-checks.js'
import { compareEntries, type ReassignmentEntry } from './reassignment-json.js'
import { type PartitionMove, proposedMoves } from './throttles.js'

/** A partition that is otherwise afterwards. */
export interface PartitionDiff {
  readonly topic: string
  readonly partition: number
  /** Broker ids before and after, in their order; none before where it is not there. */
  readonly before: readonly number[]
  readonly after: readonly number[]
  readonly added: readonly number[]
  readonly removed: readonly number[]
  /** The same replicas in another order: no data moves. */
  readonly reordered: boolean
  readonly leaderChanges: boolean
}

/** Two states of the same partitions. */
export interface ReassignmentDiff {
  /** Sorted by topic and number. */
  readonly changes: readonly PartitionDiff[]
  /** Partitions of the later state that are as they were. */
  readonly unchanged: number
  /** Replicas that are new on their broker. */
  readonly moves: number
  readonly leaderChanges: number
}

/** Compares two states: what the later one says of partitions that it names. */
export function diffReassignments(
  before: readonly ReassignmentEntry[],
  after: readonly ReassignmentEntry[],
): ReassignmentDiff {
  checkEntryList(before, 'before')
  checkEntryList(after, 'after')
  const known = new Map(before.map((entry) => [partitionKey(entry), entry.replicas]))
  const diffs = [...after].sort(compareEntries).map((entry) => diffOf(entry, known.get(partitionKey(entry)) ?? []))
  const changes = diffs.filter((diff) => diff.before.join() !== diff.after.join())
  return {
    changes,
    unchanged: diffs.length - changes.length,
    moves: changes.reduce((moves, { added }) => moves + added.length, 0),
    leaderChanges: changes.filter((diff) => diff.leaderChanges).length,
  }
}

function diffOf({ topic, partition, replicas: after }: ReassignmentEntry, before: readonly number[]): PartitionDiff {
  const added = after.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  const reordered = added.length + removed.length === 0 && before.join() !== after.join()
  return { topic, partition, before, after, added, removed, reordered, leaderChanges: before[0] !== after[0] }
}

/** The present replicas of these partitions: the file that leads back. Partitions that are not there are left out. */
export function rollbackOf(cluster: Cluster, entries: readonly ReassignmentEntry[]): ReassignmentEntry[] {
  checkCluster(cluster)
  checkEntryList(entries, 'entries')
  return [...entries].sort(compareEntries).flatMap(({ topic, partition }) => {
    const row = cluster.rowOf(topic, partition)
    return row < 0 ? [] : [{ topic, partition, replicas: cluster.replicasOf(row) }]
  })
}

/** All partitions of a cluster as a reassignment has them, sorted. */
export function* entriesOf(cluster: Cluster): Generator<ReassignmentEntry> {
  checkCluster(cluster)
  for (const [t, topic] of cluster.topicNames.entries()) {
    for (let row = cluster.topicStarts[t]!; row < cluster.topicStarts[t + 1]!; row++) {
      yield { topic, partition: cluster.partitions[row]!, replicas: cluster.replicasOf(row) }
    }
  }
}

/** Sources and destinations of what a reassignment would move in a cluster, moves under way among them. */
export function movesIn(cluster: Cluster, proposed: readonly ReassignmentEntry[]): PartitionMove[] {
  checkCluster(cluster)
  checkEntryList(proposed, 'proposed')
  const reassigning = [...cluster.moving].map(([row, { adding, removing }]) => {
    return {
      topic: cluster.topicOf(row),
      partition: cluster.partitions[row]!,
      replicas: cluster.replicasOf(row),
      adding,
      removing,
    }
  })
  return proposedMoves({ current: rollbackOf(cluster, proposed), proposed, reassigning })
}
