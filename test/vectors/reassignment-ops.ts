/**
 * The ops of kafka-reassign-partitions, put to the public API: files, proposals, throttles, whole runs.
 *
 * Partitions travel as `[topic, number, replicas, log directories]`; maps of Java's come sorted.
 */
import { type PlacementBroker, reassignment } from '../../src/kafka/index.js'
import type { KafkaVersion } from '../../src/types.js'
import type { Ops } from './answer.js'

interface Json {
  readonly json: string
}

type Row = readonly [
  topic: string,
  partition: number,
  replicas: readonly number[],
  logDirs?: readonly (string | null)[],
]

interface Move {
  readonly current: readonly Row[]
  readonly proposed: readonly Row[]
  readonly reassigning?: readonly reassignment.OngoingReassignment[]
}

interface Proposal {
  readonly current: readonly Row[]
  readonly brokers: readonly PlacementBroker[]
  readonly seed?: number
}

interface ToolRequest extends Json {
  readonly action: reassignment.ToolAction['action']
  readonly cluster: reassignment.ToolState
  readonly brokers?: string
  readonly seed?: number
}

/** The ops that ask no engine. */
export const REASSIGNMENT_OPS = {
  parseTopicsToMove: ({ json }: Json, version: KafkaVersion) => ({
    topics: reassignment.parseTopicsToMove(json, { version }),
  }),
  parseReassignment: ({ json }: Json, version: KafkaVersion) => parsed(reassignment.parse(json, { version })),
  formatReassignment: ({ partitions }: { readonly partitions: readonly Row[] }) => ({
    json: reassignment.format(partitions.map(entryOf)),
  }),
  parseGenerateArgs: ({ json, brokers }: Json & { readonly brokers: string }, version: KafkaVersion) =>
    reassignment.generateArguments(json, brokers, { version }),
  parseExecuteArgs: ({ json }: Json, version: KafkaVersion) => {
    const { partitions, logDirs } = parsed(reassignment.executeArguments(json, { version }))
    return { partitions: partitions.sort(compareRows), logDirs }
  },
  throttles: ({ current, proposed, reassigning }: Move) => {
    const question = { current: mapped(current), proposed: mapped(proposed), reassigning }
    return reassignment.throttlesOf(reassignment.proposedMoves(question))
  },
} satisfies Ops

/** The ops that place replicas, on an engine. */
export const PROPOSAL_OPS = {
  proposeReassignment: ({ current, brokers, seed = 0 }: Proposal, version: KafkaVersion) => {
    const proposed = reassignment.propose(mapped(current), { brokers, version, random: { seed } })
    return { partitions: parsed(proposed).partitions }
  },
  reassignmentTool: (request: ToolRequest, version: KafkaVersion) => {
    const { text, changes, failed } = reassignment.reassignmentTool(request.cluster, actionOf(request), { version })
    const error = failed === null ? {} : { failed: { type: failed.javaClass, message: failed.javaMessage } }
    return { ...error, text, changes: changes.map(changeOf) }
  },
} satisfies Ops

function actionOf({ cluster: _, brokers = '', seed = 0, json, ...rest }: ToolRequest): reassignment.ToolAction {
  if (rest.action === 'generate') {
    return { ...rest, action: 'generate', topicsJson: json, brokerList: brokers, random: { seed } }
  }
  return { ...rest, json } as reassignment.ToolAction
}

/** As the oracle notes a call. */
function changeOf(change: reassignment.ToolChange) {
  const { call } = change
  if (call === 'alterPartitionReassignments') {
    const content = change.partitions.map(({ topic, partition, replicas }) => [`${topic}-${partition}`, replicas])
    return { call, content: Object.fromEntries(content) }
  }
  if (call === 'alterReplicaLogDirs') {
    const content = change.replicas.map(({ topic, partition, broker, dir }) => [`${topic}-${partition}-${broker}`, dir])
    return { call, content: Object.fromEntries(content) }
  }
  return {
    call,
    content: Object.fromEntries(change.resources.map((one) => [`${one.type} ${one.name}`, settingsOf(one)])),
  }
}

function settingsOf({ settings }: reassignment.ConfigChange) {
  const named = Object.entries(settings).map(([name, value]) => [`${value === null ? 'DELETE' : 'SET'} ${name}`, value])
  return Object.fromEntries(named)
}

/** Rows as a map holds them: of one partition given twice the last counts. */
function mapped(rows: readonly Row[]): reassignment.ReassignmentEntry[] {
  return [...new Map(rows.map((row) => [JSON.stringify([row[0], row[1]]), entryOf(row)])).values()]
}

function compareRows([a, p]: readonly unknown[], [b, q]: readonly unknown[]): number {
  return a === b ? (p as number) - (q as number) : (a as string) < (b as string) ? -1 : 1
}

function entryOf([topic, partition, replicas, logDirs]: Row): reassignment.ReassignmentEntry {
  return { topic, partition, replicas, ...(logDirs && { logDirs: logDirs.map((dir) => dir ?? 'any') }) }
}

/** Log directories are those that are named, sorted. */
function parsed(entries: readonly reassignment.ReassignmentEntry[]) {
  const dirs = new Map<string, [string, number, number, string]>()
  for (const { topic, partition, replicas, logDirs = [] } of entries) {
    logDirs.forEach((dir, i) => {
      if (dir !== 'any')
        dirs.set(JSON.stringify([topic, partition, replicas[i]]), [topic, partition, replicas[i]!, dir])
    })
  }
  const logDirs = [...dirs.values()].sort((a, b) => a[2] - b[2] || compareRows(a, b))
  return { partitions: entries.map(({ topic, partition, replicas }) => [topic, partition, replicas]), logDirs }
}
