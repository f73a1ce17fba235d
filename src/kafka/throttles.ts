/**
 * Throttles of a reassignment: which replicas of each topic are slowed, and on which brokers.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.tools.reassign.ReassignPartitionsCommand. What differs from the obvious: the
 * entries are sorted as text ("10:1" before "2:1"); a partition that moves already keeps its sources; a new order of the same
 * replicas is a move without destinations.
 */
import { type CodedError, checkList, checkObject, checkText, codedError } from '../errors.js'
import type { TopicPartition } from './group-types.js'
import { partitionKey, partitionText } from './java-sets.js'
import { checkEntryList } from './reassignment-checks.js'
import type { ReassignmentEntry } from './reassignment-json.js'

/** A reassignment under way. */
export interface OngoingReassignment extends TopicPartition {
  /** Present replicas, those that join and those that leave among them. */
  readonly replicas: readonly number[]
  readonly adding?: readonly number[]
  readonly removing?: readonly number[]
}

/** A partition that moves: brokers that give the data, and those that get it. */
export interface PartitionMove extends TopicPartition {
  readonly sources: readonly number[]
  readonly destinations: readonly number[]
}

/** What is slowed down. */
export interface Throttles {
  /** `leader.replication.throttled.replicas` of each topic. */
  readonly leader: Readonly<Record<string, string>>
  /** `follower.replication.throttled.replicas` of each topic. */
  readonly follower: Readonly<Record<string, string>>
  /** The brokers that get the rates, ascending. */
  readonly brokers: readonly number[]
}

/** What {@link proposedMoves} takes. */
export interface MoveQuestion {
  readonly current: readonly ReassignmentEntry[]
  readonly proposed: readonly ReassignmentEntry[]
  /** Default: none. */
  readonly reassigning?: readonly OngoingReassignment[] | undefined
}

/**
 * Sources and destinations of all partitions that move: those under way, and those proposed.
 *
 * @throws ERR_PLACEMENT_REASSIGNMENT where a proposed partition has no replicas now
 */
export function proposedMoves(question: MoveQuestion): PartitionMove[] {
  checkObject(question, 'question')
  const { current, proposed, reassigning = [] } = question
  checkEntryList(current, 'current')
  checkEntryList(proposed, 'proposed')
  checkEntryList(reassigning, 'reassigning')
  const moves = new Map<string, PartitionMove>()
  for (const { topic, partition, replicas, adding = [] } of reassigning) {
    const sources = replicas.filter((broker) => !adding.includes(broker))
    moves.set(partitionKey({ topic, partition }), { topic, partition, sources, destinations: adding })
  }
  const now = new Map(current.map((entry) => [partitionKey(entry), entry.replicas]))
  for (const entry of proposed) {
    const key = partitionKey(entry)
    const sources = moves.get(key)?.sources ?? now.get(key)
    if (sources === undefined || sources.length === 0) throw withoutReplicas(entry)
    const destinations = [...new Set(entry.replicas)].filter((broker) => !sources.includes(broker))
    moves.set(key, { topic: entry.topic, partition: entry.partition, sources, destinations })
  }
  return [...moves.values()]
}

function withoutReplicas(entry: TopicPartition): CodedError {
  const javaMessage = `Trying to reassign a topic partition ${partitionText(entry)} with 0 replicas`
  return codedError('ERR_PLACEMENT_REASSIGNMENT', `${partitionText(entry)}: expected replicas now, got none`, {
    javaClass: 'java.lang.RuntimeException',
    javaMessage,
  })
}

/** The throttles of moves, by topic in Java's order of strings. */
export function throttlesOf(moves: readonly PartitionMove[]): Throttles {
  checkList(moves, 'moves')
  for (const [i, move] of moves.entries()) checkMove(move, `moves[${i}]`)
  const brokers = new Set(moves.flatMap(({ sources, destinations }) => [...sources, ...destinations]))
  return {
    leader: stringsOf(moves, ({ sources }) => sources),
    follower: stringsOf(moves, ({ sources, destinations }) => destinations.filter((one) => !sources.includes(one))),
    brokers: [...brokers].sort((a, b) => a - b),
  }
}

function checkMove(move: PartitionMove, where: string): void {
  checkObject(move, where)
  checkText(move.topic, `${where}.topic`)
  checkList(move.sources, `${where}.sources`)
  checkList(move.destinations, `${where}.destinations`)
}

function stringsOf(moves: readonly PartitionMove[], brokersOf: (move: PartitionMove) => readonly number[]) {
  const entries = new Map<string, Set<string>>()
  for (const move of moves) {
    const set = entries.get(move.topic) ?? new Set()
    entries.set(move.topic, set)
    for (const broker of brokersOf(move)) set.add(`${move.partition}:${broker}`)
  }
  const topics = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(topics.map(([topic, set]) => [topic, [...set].sort().join(',')]))
}
