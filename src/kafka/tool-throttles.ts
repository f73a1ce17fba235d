/**
 * Throttles as the reassignment tool sets and clears them.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.tools.reassign.ReassignPartitionsCommand.
 */
import { integerSet, stringSet } from './java-sets.js'
import type { ReassignmentEntry } from './reassignment-json.js'
import { type PartitionMove, throttlesOf } from './throttles.js'
import type { ConfigChange, ToolRun } from './tool-state.js'

/** Settings of a topic: the replicas that are slowed while they give, and while they get. */
export const LEADER_REPLICAS = 'leader.replication.throttled.replicas'
export const FOLLOWER_REPLICAS = 'follower.replication.throttled.replicas'
/** Settings of a broker, in bytes a second. */
export const LEADER_RATE = 'leader.replication.throttled.rate'
export const FOLLOWER_RATE = 'follower.replication.throttled.rate'
export const LOG_DIR_RATE = 'replica.alter.log.dirs.io.max.bytes.per.second'

/** Slows down moves between brokers. */
export function throttleMoves(run: ToolRun, moves: readonly PartitionMove[], rate: number): void {
  const { leader, follower, brokers } = throttlesOf(moves)
  const topics = Object.keys(leader).map((name): ConfigChange => {
    const settings = { [LEADER_REPLICAS]: leader[name]!, [FOLLOWER_REPLICAS]: follower[name]! }
    return { type: 'TOPIC', name, settings }
  })
  run.change({ call: 'incrementalAlterConfigs', resources: topics })
  const settings = { [LEADER_RATE]: String(rate), [FOLLOWER_RATE]: String(rate) }
  run.change({ call: 'incrementalAlterConfigs', resources: brokersWith(brokers, settings) })
  run.print(`The inter-broker throttle limit was set to ${rate} B/s`)
}

/** Slows down moves between log directories. */
export function throttleLogDirs(run: ToolRun, brokers: readonly number[], rate: number): void {
  const resources = brokersWith(brokers, { [LOG_DIR_RATE]: String(rate) })
  run.change({ call: 'incrementalAlterConfigs', resources })
  run.print(`The replica-alter-dir throttle limit was set to ${rate} B/s`)
}

/** Clears what a reassignment may have set: on all brokers and those that it names, whoever set it. */
export function clearThrottles(run: ToolRun, targets: readonly ReassignmentEntry[]): void {
  const brokers = integerSet([...run.state.brokers.map(({ id }) => id), ...targets.flatMap(({ replicas }) => replicas)])
  run.print(`Clearing broker-level throttles on broker${brokers.length === 1 ? '' : 's'} ${brokers.join(',')}`)
  const rates = { [LEADER_RATE]: null, [FOLLOWER_RATE]: null, [LOG_DIR_RATE]: null }
  run.change({ call: 'incrementalAlterConfigs', resources: brokersWith(brokers, rates) })
  const names = stringSet(targets.map(({ topic }) => topic))
  run.print(`Clearing topic-level throttles on topic${names.length === 1 ? '' : 's'} ${names.join(',')}`)
  const settings = { [LEADER_REPLICAS]: null, [FOLLOWER_REPLICAS]: null }
  const resources = names.map((name): ConfigChange => ({ type: 'TOPIC', name, settings }))
  run.change({ call: 'incrementalAlterConfigs', resources })
}

function brokersWith(brokers: readonly number[], settings: ConfigChange['settings']): ConfigChange[] {
  return brokers.map((id) => ({ type: 'BROKER', name: String(id), settings }))
}
