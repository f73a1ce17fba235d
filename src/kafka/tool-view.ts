/** A cluster as the reassignment tool sees it, and what `--verify` would say of a plan in that state. */
import type { Cluster } from './cluster.js'
import { checkCluster, checkEntryList } from './reassignment-checks.js'
import { formatReassignment, type ReassignmentEntry } from './reassignment-json.js'
import { reassignmentTool } from './reassignment-tool.js'
import type { ToolState } from './tool-state.js'

/** The state on paper that the tool's actions take: the brokers that are listed, of the topics all or those named. */
export function toolState(cluster: Cluster, topics?: ReadonlySet<string>): ToolState {
  checkCluster(cluster)
  const named = [...cluster.topicNames.entries()].filter(([, name]) => topics?.has(name) ?? true)
  return {
    brokers: cluster.brokers.filter(({ listed }) => listed).map(({ id, rack }) => ({ id, rack })),
    topics: named.map(([t, name]) => ({ name, partitions: partitionsOf(cluster, t) })),
    reassigning: [...cluster.moving].map(([row, { adding, removing }]) => ({
      topic: cluster.topicOf(row),
      partition: cluster.partitions[row]!,
      replicas: cluster.replicasOf(row),
      adding,
      removing,
    })),
  }
}

/** By number: of a part of a cluster, the partitions that are not there are holes. */
function partitionsOf(cluster: Cluster, topic: number): number[][] {
  const lists: number[][] = []
  for (let row = cluster.topicStarts[topic]!; row < cluster.topicStarts[topic + 1]!; row++) {
    lists[cluster.partitions[row]!] = cluster.replicasOf(row)
  }
  return lists
}

/** What `--verify` would say of each partition, a sentence a line. @throws ERR_PLACEMENT_ORIGINAL_FAILS where the tool fails */
export function compareWithState(entries: readonly ReassignmentEntry[], cluster: Cluster): string[] {
  checkEntryList(entries, 'entries')
  const state = toolState(cluster, new Set(entries.map(({ topic }) => topic)))
  const json = formatReassignment(entries)
  const { text, failed } = reassignmentTool(state, { action: 'verify', json, preserveThrottles: true })
  if (failed !== null) throw failed
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
}
