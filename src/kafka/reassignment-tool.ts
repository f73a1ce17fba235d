/**
 * `kafka-reassign-partitions` as a pure function: what an action prints and changes, given a cluster.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.tools.reassign.ReassignPartitionsCommand. Defects are kept: `--verify` fails for
 * a partition whose number is the topic's count, and knows no topic is unknown; `--cancel` up to 4.0 passes over a pure
 * addition. See docs/errors.md for what `failed` carries.
 */
import { checkInteger, codedError, isCodedError } from '../errors.js'
import type { KafkaVersion } from '../types.js'
import { integerSet, partitionKey, partitionMap, partitionText } from './java-sets.js'
import { propose } from './propose.js'
import type { Draws } from './random-source.js'
import { executeArguments, generateArguments } from './reassignment-args.js'
import { checkAction, checkState } from './reassignment-checks.js'
import {
  COMMAND_FAILED,
  compareEntries,
  formatReassignment,
  OPERATION,
  parseReassignment,
  type ReassignmentEntry,
  refused,
} from './reassignment-json.js'
import { proposedMoves } from './throttles.js'
import { thrownBy } from './tool-classes.js'
import { logDirStates, logDirTargets, moveLogDirs } from './tool-log-dirs.js'
import {
  askedTopics,
  partitionsOf,
  presentReplicas,
  type ToolAnswer,
  ToolRun,
  type ToolState,
  terse,
  withLogDirs,
} from './tool-state.js'
import { clearThrottles, throttleLogDirs, throttleMoves } from './tool-throttles.js'
import { isSince, type KafkaVersionOption, kafkaVersion } from './version.js'

/** `--generate` */
export interface GenerateAction {
  readonly action: 'generate'
  /** Text of `--topics-to-move-json-file`. */
  readonly topicsJson: string
  /** `--broker-list` */
  readonly brokerList: string
  readonly disableRackAware?: boolean | undefined
  /** Where the placer draws from. */
  readonly random: Draws
}

/** `--execute`; a throttle below 0 is none. */
export interface ExecuteAction {
  readonly action: 'execute'
  /** Text of `--reassignment-json-file`. */
  readonly json: string
  readonly additional?: boolean | undefined
  /** `--throttle`, bytes a second. Default: none. */
  readonly throttle?: number | undefined
  /** `--replica-alter-log-dirs-throttle`, bytes a second. Default: none. */
  readonly logDirThrottle?: number | undefined
}

/** `--verify` and `--cancel` */
export interface FollowUpAction {
  readonly action: 'verify' | 'cancel'
  /** Text of `--reassignment-json-file`. */
  readonly json: string
  readonly preserveThrottles?: boolean | undefined
}

/** `--list` */
export interface ListAction {
  readonly action: 'list'
}

export type ToolAction = GenerateAction | ExecuteAction | FollowUpAction | ListAction

/**
 * Runs an action of the tool on paper.
 *
 * @param state the cluster
 * @param action the action with its arguments, as the tool gets them
 * @returns what it prints, what it changes, and the error that ended it
 * @throws ERR_PLACEMENT_UNKNOWN_VERSION, and what is no answer of the tool
 * @example kafka.reassignment.reassignmentTool({ brokers: [], topics: [] }, { action: 'list' }).text // 'No partition reassignments found.\n'
 */
export function reassignmentTool(state: ToolState, action: ToolAction, options: KafkaVersionOption = {}): ToolAnswer {
  const version = kafkaVersion(options)
  checkState(state)
  checkAction(action)
  const run = new ToolRun(state)
  try {
    act(run, action, version)
  } catch (error) {
    if (!isCodedError(error) || error.javaClass === undefined) throw error
    return { text: run.text, changes: run.changes, failed: thrownBy(version, error) }
  }
  return { text: run.text, changes: run.changes, failed: null }
}

function act(run: ToolRun, action: ToolAction, version: KafkaVersion): void {
  if (action.action === 'generate') generate(run, action, version)
  else if (action.action === 'execute') execute(run, action, version)
  else if (action.action === 'verify') verify(run, action)
  else if (action.action === 'cancel') cancel(run, action, version)
  else list(run)
}

function generate(run: ToolRun, action: GenerateAction, version: KafkaVersion): void {
  const { topicsJson, brokerList, disableRackAware = false, random } = action
  const { brokers: listed, topics } = generateArguments(topicsJson, brokerList)
  const current = partitionsOf(run, askedTopics(topics))
  const brokers = usableBrokers(run, listed, disableRackAware)
  const proposed = propose(current, { brokers, version, random })
  run.print(`Current partition replica assignment\n${currentJson(run, current, version)}\n`)
  run.print(`Proposed partition reassignment configuration\n${formatReassignment(proposed)}`)
}

/** Brokers of the list that the cluster has, in its order; the others are left out without a word. */
export function usableBrokers({ state }: ToolRun, listed: readonly number[], disableRackAware: boolean) {
  const brokers = state.brokers
    .filter(({ id }) => listed.includes(id))
    .map(({ id, rack }) => ({ id, rack: disableRackAware ? null : (rack ?? null) }))
  const rackless = brokers.filter(({ rack }) => rack === null).length
  if (disableRackAware || rackless === 0 || rackless === brokers.length) return brokers
  const javaMessage =
    'Not all brokers have rack information. Add --disable-rack-aware in command line to make replica assignment without rack information.'
  throw refused(javaMessage, { javaClass: OPERATION, javaMessage })
}

/** The state as a file to go back to; it names log directories since 4.2. */
function currentJson(run: ToolRun, current: readonly ReassignmentEntry[], version: KafkaVersion): string {
  return formatReassignment(isSince(version, '4.2') ? withLogDirs(run, current) : current)
}

/** Rates that numbers hold. */
const LONG = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const

const EXISTING =
  'Cannot execute because there is an existing partition assignment.  Use --additional to override this and create a new partition assignment in addition to the existing one. The --additional flag can also be used to change the throttle by resubmitting the current reassignment.'
const RUN_VERIFY =
  'Warning: You must run --verify periodically, until the reassignment completes, to ensure the throttle is removed.'

function execute(run: ToolRun, action: ExecuteAction, version: KafkaVersion): void {
  const { json, additional = false, throttle = -1, logDirThrottle = -1 } = action
  checkInteger(throttle, 'throttle', LONG)
  checkInteger(logDirThrottle, 'logDirThrottle', LONG)
  const proposed = executeArguments(json)
  if (!additional && run.reassigning.length > 0) throw terse(EXISTING)
  checkBrokers(run, proposed)
  const current = presentReplicas(run, proposed)
  const rollback = currentJson(run, current, version)
  const save = 'Save this to use as the --reassignment-json-file option during rollback'
  run.print(`Current partition replica assignment\n\n${rollback}\n\n${save}`)
  const targets = logDirTargets(proposed)
  if (throttle >= 0 || logDirThrottle >= 0) run.print(RUN_VERIFY)
  if (throttle >= 0) throttleMoves(run, proposedMoves({ current, proposed, reassigning: run.reassigning }), throttle)
  if (logDirThrottle >= 0) throttleLogDirs(run, brokersOf(targets), logDirThrottle)
  alter(run, proposed, 'Error reassigning partition(s):')
  run.print(`Successfully started partition reassignment${plural(proposed)} for ${namesOf(proposed)}`)
  if (targets.length > 0) moveLogDirs(run, targets)
}

const brokersOf = (replicas: readonly { readonly broker: number }[]): number[] =>
  [...new Set(replicas.map(({ broker }) => broker))].sort((a, b) => a - b)

function checkBrokers({ state }: ToolRun, proposed: readonly ReassignmentEntry[]): void {
  const known = new Set(state.brokers.map(({ id }) => id))
  const asked = integerSet(partitionMap(proposed).flatMap(({ replicas }) => replicas))
  const unknown = asked.find((id) => !known.has(id))
  if (unknown === undefined) return
  const index = proposed.findIndex(({ replicas }) => replicas.includes(unknown))
  const javaMessage = `Unknown broker id ${unknown}`
  throw refused(`partitions[${index}]: ${javaMessage}`, { index, javaClass: COMMAND_FAILED, javaMessage })
}

/** Asks the controller; what it refuses ends the action. */
function alter(
  run: ToolRun,
  entries: readonly (Pick<ReassignmentEntry, 'topic' | 'partition'> & { replicas: readonly number[] | null })[],
  head: string,
): void {
  const partitions = [...entries]
    .sort(compareEntries)
    .map(({ topic, partition, replicas }) => ({ topic, partition, replicas }))
  run.change({ call: 'alterPartitionReassignments', partitions })
  const names = new Set(partitions.map(partitionKey))
  const errors = (run.state.refused ?? []).filter((entry) => names.has(partitionKey(entry))).sort(compareEntries)
  if (errors.length === 0) return
  throw terse([head, ...errors.map((entry) => `${partitionText(entry)}: ${entry.message}`)].join('\n'))
}

const plural = (items: readonly unknown[]): string => (items.length === 1 ? '' : 's')

const namesOf = (entries: readonly Pick<ReassignmentEntry, 'topic' | 'partition'>[]): string =>
  [...entries].sort(compareEntries).map(partitionText).join(',')

function verify(run: ToolRun, { json, preserveThrottles = false }: FollowUpAction): void {
  const targets = parseReassignment(json)
  run.print(['Status of partition reassignment:', ...verdicts(run, targets)].join('\n'))
  const dirs = logDirStates(run, logDirTargets(targets))
  run.print(dirs.map(({ text }) => text).join('\n'))
  if (run.reassigning.length > 0 || dirs.some(({ done }) => !done) || preserveThrottles) return
  clearThrottles(run, targets)
}

/** A sentence a partition, sorted; of one given twice the last one that is not under way counts. */
function verdicts(run: ToolRun, targets: readonly ReassignmentEntry[]): string[] {
  const moving = new Set(run.reassigning.map(partitionKey))
  const isMoving = (entry: ReassignmentEntry) => moving.has(partitionKey(entry))
  const topics = new Map(run.state.topics.map(({ name, partitions }) => [name, partitions]))
  const said = new Map<string, readonly [ReassignmentEntry, string]>()
  for (const entry of targets.filter((one) => !isMoving(one))) {
    said.set(partitionKey(entry), [entry, settledVerdict(entry, topics.get(entry.topic))])
  }
  for (const entry of targets.filter(isMoving)) {
    said.set(partitionKey(entry), [entry, `Reassignment of partition ${partitionText(entry)} is still in progress.`])
  }
  return [...said.values()].sort(([a], [b]) => compareEntries(a, b)).map(([, text]) => text)
}

function settledVerdict(entry: ReassignmentEntry, partitions: readonly (readonly number[])[] | undefined): string {
  const { partition, replicas } = entry
  const now = presentOf(partition, partitions)
  const [is, wanted] = [now.join(','), replicas.join(',')]
  if (is === wanted) return `Reassignment of partition ${partitionText(entry)} is completed.`
  return `There is no active reassignment of partition ${partitionText(entry)}, but replica set is ${is} rather than ${wanted}.`
}

/** The tool's check of the count is off by one, and a number below 0 passes it. */
function presentOf(partition: number, partitions: readonly (readonly number[])[] | undefined): readonly number[] {
  if (partitions === undefined || partitions.length < partition) return []
  const now = partitions[partition]
  if (now !== undefined) return now
  // Of a part of a cluster, this one is not there.
  if (partition >= 0 && partition < partitions.length) return []
  const javaMessage = `Index ${partition} out of bounds for length ${partitions.length}`
  const message = `partition ${partition}: the tool of this release fails for it, the topic has ${partitions.length} partitions`
  const javaClass = 'java.lang.IndexOutOfBoundsException'
  throw codedError('ERR_PLACEMENT_ORIGINAL_FAILS', message, { javaClass, javaMessage })
}

function cancel(run: ToolRun, { json, preserveThrottles = false }: FollowUpAction, version: KafkaVersion): void {
  const targets = parseReassignment(json)
  const names = new Set(targets.map(partitionKey))
  const active = run.reassigning.filter((move) => {
    const [adds, removes] = [(move.adding?.length ?? 0) > 0, (move.removing?.length ?? 0) > 0]
    return names.has(partitionKey(move)) && (isSince(version, '4.1') ? adds || removes : !adds || removes)
  })
  if (active.length > 0) {
    alter(
      run,
      active.map((move) => ({ ...move, replicas: null })),
      `Error cancelling partition reassignment${plural(refusedOf(run, active))} for:`,
    )
    run.print(`Successfully cancelled partition reassignment${plural(active)} for: ${namesOf(active)}`)
  } else run.print('None of the specified partition reassignments are active.')
  const back = logDirStates(run, logDirTargets(targets)).filter(({ movesFrom }) => movesFrom !== null)
  if (back.length > 0)
    moveLogDirs(
      run,
      back.map(({ topic, partition, broker, movesFrom }) => ({ topic, partition, broker, dir: movesFrom! })),
    )
  else run.text += 'None of the specified partition moves are active.'
  if (!preserveThrottles) clearThrottles(run, targets)
}

function refusedOf({ state }: ToolRun, entries: readonly Pick<ReassignmentEntry, 'topic' | 'partition'>[]) {
  const names = new Set(entries.map(partitionKey))
  return (state.refused ?? []).filter((entry) => names.has(partitionKey(entry)))
}

function list(run: ToolRun): void {
  if (run.reassigning.length === 0) {
    run.print('No partition reassignments found.')
    return
  }
  const lines = [...run.reassigning].sort(compareEntries).map((move) => {
    const adding = move.adding?.length ? ` adding: ${move.adding.join(',')}.` : ''
    const removing = move.removing?.length ? ` removing: ${move.removing.join(',')}.` : ''
    return `${partitionText(move)}: replicas: ${move.replicas.join(',')}.${adding}${removing}`
  })
  run.print(['Current partition reassignments:', ...lines].join('\n'))
}
