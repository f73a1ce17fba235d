/**
 * Moves between the log directories of a broker, as the reassignment tool starts and judges them.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.tools.reassign.ReassignPartitionsCommand and its LogDirMoveStates. What differs
 * from the obvious: a replica without a known directory counts as one that still moves.
 */
import type { TopicPartition } from './group-types.js'
import { partitionText } from './java-sets.js'
import { ANY_LOG_DIR, compareEntries, type ReassignmentEntry } from './reassignment-json.js'
import type { ToolRun } from './tool-state.js'

/** A replica that is to lie in a directory. */
export interface LogDirTarget extends TopicPartition {
  readonly broker: number
  readonly dir: string
}

/** How far a move is. */
export interface LogDirState extends LogDirTarget {
  readonly text: string
  readonly done: boolean
  /** Where a replica that moves lies now; `null` of one that does not move. */
  readonly movesFrom: string | null
}

/** The directories that entries name, by broker and partition; of a replica given twice the last one counts. */
export function logDirTargets(entries: readonly ReassignmentEntry[]): LogDirTarget[] {
  const targets = new Map<string, LogDirTarget>()
  for (const { topic, partition, replicas, logDirs = [] } of entries) {
    for (const [i, dir] of logDirs.entries()) {
      const target = { topic, partition, broker: replicas[i]!, dir }
      if (dir !== ANY_LOG_DIR) targets.set(replicaText(target), target)
    }
  }
  return [...targets.values()].sort((a, b) => a.broker - b.broker || compareEntries(a, b))
}

const replicaText = (target: LogDirTarget): string => `${partitionText(target)}-${target.broker}`

/** How far each is. */
export function logDirStates(run: ToolRun, targets: readonly LogDirTarget[]): LogDirState[] {
  return targets.map((target) => {
    const { broker, dir } = target
    const { current, future } = run.logDirOf(target, broker) ?? {}
    const state = (text: string, done: boolean, movesFrom: string | null = null) => ({
      ...target,
      text,
      done,
      movesFrom,
    })
    const partition = `Partition ${partitionText(target)}`
    if (current === undefined) {
      const offline = 'There is likely an offline log directory on the broker.'
      return state(`${partition} is not found in any live log dir on broker ${broker}. ${offline}`, false)
    }
    if (future === dir)
      return state(`Reassignment of replica ${replicaText(target)} is still in progress.`, false, current)
    if (future !== undefined) {
      return state(
        `${partition} on broker ${broker} is being moved to log dir ${future} instead of ${dir}.`,
        false,
        current,
      )
    }
    if (current === dir) return state(`Reassignment of replica ${replicaText(target)} completed successfully.`, true)
    return state(`${partition} on broker ${broker} is not being moved from log dir ${current} to ${dir}.`, true)
  })
}

/** Starts moves. */
export function moveLogDirs(run: ToolRun, targets: readonly LogDirTarget[]): void {
  run.change({ call: 'alterReplicaLogDirs', replicas: targets })
  for (const target of targets) {
    const replica = `replica ${partitionText(target)} with broker ${target.broker}`
    run.print(`Successfully started moving log directory to ${target.dir} for ${replica} `)
  }
}
