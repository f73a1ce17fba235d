/** What the reassignment tool sees of a cluster, and what it does to one: the same offline, against a state on paper, and live. */
import { type CodedError, codedError } from '../errors.js'
import type { TopicPartition } from './group-types.js'
import { copiedStringSet, partitionKey, partitionMap, partitionText, stringSet } from './java-sets.js'
import { ANY_LOG_DIR, type ReassignmentEntry } from './reassignment-json.js'
import type { OngoingReassignment } from './throttles.js'

/** A replica's log directory, and the one that it moves to. */
export interface ReplicaLogDir extends TopicPartition {
  readonly broker: number
  readonly current?: string | undefined
  readonly future?: string | undefined
}

/** A cluster on paper. */
export interface ToolState {
  /** In the order in which the cluster lists them. */
  readonly brokers: readonly { readonly id: number; readonly rack?: string | null | undefined }[]
  /** Partition `i` of a topic has the replicas `partitions[i]`. */
  readonly topics: readonly { readonly name: string; readonly partitions: readonly (readonly number[])[] }[]
  /** Default: nothing moves. */
  readonly reassigning?: readonly OngoingReassignment[] | undefined
  /** Default: none are known. */
  readonly logDirs?: readonly ReplicaLogDir[] | undefined
  /** Partitions whose reassignment the controller refuses, and what it says. Default: none. */
  readonly refused?: readonly (TopicPartition & { readonly message: string })[] | undefined
}

/** One change, in the order of the calls to the cluster. */
export type ToolChange =
  | {
      readonly call: 'alterPartitionReassignments'
      /** `replicas` is `null` where a reassignment is cancelled. */
      readonly partitions: readonly (TopicPartition & { readonly replicas: readonly number[] | null })[]
    }
  | { readonly call: 'incrementalAlterConfigs'; readonly resources: readonly ConfigChange[] }
  | {
      readonly call: 'alterReplicaLogDirs'
      readonly replicas: readonly (TopicPartition & { readonly broker: number; readonly dir: string })[]
    }

/** Settings of one topic or broker that are set, or deleted where the value is `null`. */
export interface ConfigChange {
  readonly type: 'TOPIC' | 'BROKER'
  readonly name: string
  readonly settings: Readonly<Record<string, string | null>>
}

/** What an action has printed and changed. */
export interface ToolAnswer {
  readonly text: string
  readonly changes: readonly ToolChange[]
  /** The error that ended it, with what the tool throws; what was printed and changed before it stands. */
  readonly failed: CodedError | null
}

/** What an action prints and changes, while it goes on. */
export class ToolRun {
  readonly state: ToolState
  readonly changes: ToolChange[] = []
  text = ''

  constructor(state: ToolState) {
    this.state = state
  }

  print(line: string): void {
    this.text += `${line}\n`
  }

  change(change: ToolChange): void {
    this.changes.push(change)
  }

  get reassigning(): readonly OngoingReassignment[] {
    return this.state.reassigning ?? []
  }

  logDirOf({ topic, partition }: TopicPartition, broker: number): ReplicaLogDir | undefined {
    return this.state.logDirs?.find(
      (dir) => dir.topic === topic && dir.partition === partition && dir.broker === broker,
    )
  }
}

const UNKNOWN = 'org.apache.kafka.common.errors.UnknownTopicOrPartitionException'

/** Present replicas of all partitions of these topics, in the order of the tool's map. @throws ERR_PLACEMENT_REASSIGNMENT */
export function partitionsOf({ state }: ToolRun, topics: Iterable<string>): ReassignmentEntry[] {
  const known = new Map(state.topics.map((topic) => [topic.name, topic.partitions]))
  const asked = stringSet(topics)
  const missing = asked.find((topic) => !known.has(topic))
  if (missing !== undefined) throw unknown(`Topic ${missing} not found.`)
  const entries = stringSet(asked).flatMap((topic) =>
    known.get(topic)!.map((replicas, partition) => ({ topic, partition, replicas })),
  )
  return partitionMap(entries)
}

/** Present replicas of these partitions. @throws ERR_PLACEMENT_REASSIGNMENT for those that are not there */
export function presentReplicas(run: ToolRun, wanted: readonly ReassignmentEntry[]): ReassignmentEntry[] {
  const asked = partitionMap(wanted)
  const names = new Set(asked.map(partitionKey))
  const present = partitionsOf(
    run,
    asked.map(({ topic }) => topic),
  ).filter((entry) => names.has(partitionKey(entry)))
  const found = new Set(present.map(partitionKey))
  const missing = partitionMap(asked.filter((entry) => !found.has(partitionKey(entry))))
  if (missing.length === 0) return present
  throw unknown(`Unable to find partition: ${missing.map(partitionText).join(', ')}`)
}

/** As the tool gets it from the admin client. */
function unknown(text: string): CodedError {
  return codedError('ERR_PLACEMENT_REASSIGNMENT', text, {
    javaClass: 'java.util.concurrent.ExecutionException',
    javaMessage: `${UNKNOWN}: ${text}`,
  })
}

/** Topics as `--generate` asks for them. */
export const askedTopics = (topics: readonly string[]): string[] => copiedStringSet(topics)

/** The tool's errors for people. */
export function terse(javaMessage: string): CodedError {
  const javaClass = 'org.apache.kafka.tools.TerseException'
  return codedError('ERR_PLACEMENT_REASSIGNMENT', javaMessage, { javaClass, javaMessage })
}

/** Entries with the log directories that are known: those of brokers that are there. */
export function withLogDirs(run: ToolRun, entries: readonly ReassignmentEntry[]): ReassignmentEntry[] {
  const brokers = new Set(run.state.brokers.map(({ id }) => id))
  const dirOf = (entry: ReassignmentEntry, broker: number) =>
    (brokers.has(broker) ? run.logDirOf(entry, broker)?.current : undefined) ?? ANY_LOG_DIR
  return entries.map((entry) => ({ ...entry, logDirs: entry.replicas.map((broker) => dirOf(entry, broker)) }))
}
