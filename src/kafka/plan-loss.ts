/** What the loss of a broker or a rack costs once a plan is done. */
import { codedError, shown } from '../errors.js'
import type { ReassignmentPlan } from './reassignment-plan.js'

/** Partitions as `topic-partition`, by topic and number. */
export interface Loss {
  /** Brokers that are lost, by id. */
  readonly brokers: readonly number[]
  /** Partitions whose preferred leader is lost: another replica leads. */
  readonly leaders: readonly string[]
  /** Partitions left with fewer replicas than `min.insync.replicas` asks for, where that is known: writes with acks=all fail. */
  readonly belowMinInsync: readonly string[]
  /** Partitions left with no replica. */
  readonly offline: readonly string[]
}

/** @throws ERR_PLACEMENT_UNKNOWN_NAME */
export function lossOf(plan: ReassignmentPlan, of: number | string): Loss {
  const { brokers, cluster } = plan.question
  const isLost = brokers.map(({ id, rack }) => (typeof of === 'number' ? id === of : rack === of))
  if ((typeof of !== 'number' && typeof of !== 'string') || !isLost.includes(true)) {
    const message = `loss: expected the id of a broker or the name of a rack, got ${shown(of)}`
    throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message)
  }
  const loss = { leaders: [] as string[], belowMinInsync: [] as string[], offline: [] as string[] }
  for (const [topic, name] of cluster.topicNames.entries()) {
    const least = cluster.minInsyncReplicas[topic]!
    for (let row = cluster.topicStarts[topic]!; row < cluster.topicStarts[topic + 1]!; row++) {
      const list = plan.replicas.subarray(plan.offsets[row]!, plan.offsets[row + 1]!)
      const left = list.filter((broker) => !isLost[broker]).length
      if (left === list.length) continue
      const partition = `${name}-${cluster.partitions[row]}`
      if (isLost[list[0]!]) loss.leaders.push(partition)
      if (left < least) loss.belowMinInsync.push(partition)
      if (left === 0) loss.offline.push(partition)
    }
  }
  return { brokers: brokers.filter((_, b) => isLost[b]).map(({ id }) => id), ...loss }
}
