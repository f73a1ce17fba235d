/**
 * Who gets which partitions: the assignors of Kafka's groups, on the client's side and on the broker's.
 *
 * For planners who ask what a group will do, and for clients that lead one. Sources: Apache Kafka 4.4.0,
 * org.apache.kafka.clients.consumer.RangeAssignor, RoundRobinAssignor, StickyAssignor and CooperativeStickyAssignor, whose
 * answers are equal from 3.9 on; org.apache.kafka.coordinator.group.assignor.UniformAssignor, RangeAssignor and
 * SimpleAssignor, with the releases that {@link assign} tells apart.
 */
import type {
  AssignAnswer,
  AssignFailure,
  AssignProblem,
  AssignResult,
  ClientAssignor,
  Refused,
  ServerAssignor,
} from '../engine/assign-contract.js'
import { engine } from '../engine/index.js'
import { checkInteger, checkName, codedError, type ErrorDetails, shown } from '../errors.js'
import { isCounted } from '../fallback/kafka/slots.js'
import { KAFKA_VERSIONS, type KafkaVersion } from '../types.js'
import { notesOf } from './assign-notes.js'
import { Assignment, type GroupNames, PartitionLists } from './assignment.js'
import { numberColumns } from './group-columns.js'
import { type NumberedGroup, numberObjects } from './group-objects.js'
import type { GroupMember, GroupTopic, MemberColumns, TopicColumns } from './group-types.js'
import { numberServerColumns, numberServerObjects } from './server-group.js'

/** Kinds of groups, in Kafka's words. */
export const GROUP_TYPES = ['classic', 'consumer', 'share'] as const
export type GroupType = (typeof GROUP_TYPES)[number]

/** Assignors of classic groups, by Kafka's names; `balanced` is ours, and docs/assignors.md says what it promises. */
export const CLASSIC_ASSIGNORS = ['range', 'roundrobin', 'sticky', 'cooperative-sticky', 'balanced'] as const
/** Assignors of consumer groups, which the broker runs. */
export const CONSUMER_ASSIGNORS = ['uniform', 'range'] as const
/** Assignors of share groups, which the broker runs. */
export const SHARE_ASSIGNORS = ['simple'] as const

/** An assignor, by the name that its group type has for it. */
export type AssignorName =
  | (typeof CLASSIC_ASSIGNORS)[number]
  | (typeof CONSUMER_ASSIGNORS)[number]
  | (typeof SHARE_ASSIGNORS)[number]

const ASSIGNORS: Readonly<Record<GroupType, readonly AssignorName[]>> = {
  classic: CLASSIC_ASSIGNORS,
  consumer: CONSUMER_ASSIGNORS,
  share: SHARE_ASSIGNORS,
}

/** Whether all members subscribe alike, as the broker's coordinator tells its assignors. */
export const SUBSCRIPTION_TYPES = ['homogeneous', 'heterogeneous'] as const
export type SubscriptionType = (typeof SUBSCRIPTION_TYPES)[number]

/** A group and the question that is asked about it. */
export interface AssignQuestion {
  readonly groupType: GroupType
  readonly assignor: AssignorName
  /** The release whose answer is wanted. Default: the newest. */
  readonly version?: KafkaVersion
  readonly topics: readonly GroupTopic[] | TopicColumns
  /** In the order in which the assignor walks them. In a live group that is `kafka.javaMapOrder` of their ids. */
  readonly members: readonly GroupMember[] | MemberColumns
  /**
   * The highest generation that the same assignor object saw before: the `maxGeneration` of its last answer. A Java consumer
   * keeps its assignor as long as it lives, so a leader that led before has one. Default: -1, a new assignor.
   */
  readonly maxGeneration?: number
  /** For consumer and share groups: what the assignor is told. Default: what the subscriptions are. */
  readonly subscriptionType?: SubscriptionType
  /**
   * For consumer and share groups: `java` walks what a member owns as a coordinator does that read it from its record, in
   * the order of hash maps; `given` as it stands. Default: java.
   */
  readonly ownedOrder?: OwnedOrder
}

export const OWNED_ORDERS = ['java', 'given'] as const
export type OwnedOrder = (typeof OWNED_ORDERS)[number]

/**
 * Who gets which partitions.
 *
 * `balanced` has no original. It gives each subscriber its share of each topic rounded down or up; among all such deals one
 * whose sum of load * load / weight over the members is least (topics of unequal weights: heaviest first, weight by weight);
 * among those one that moves fewest partitions; then near replicas as docs/assignors.md says; ties by names, never by the
 * order of the input.
 *
 * @returns lists of partitions, with readers; columns inside
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_NAME,
 *   ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_DUPLICATE (a topic, member or partition id twice),
 *   ERR_PLACEMENT_UNSUPPORTED (a release without that kind of group); ERR_PLACEMENT_ORIGINAL_FAILS where the original throws, with `javaClass` and `javaMessage`
 * @example
 * const topics = [{ name: 'orders', partitions: 3 }]
 * const members = ['a', 'b'].map((id) => ({ id, topics: ['orders'] }))
 * kafka.assign({ groupType: 'classic', assignor: 'range', topics, members }).partitionsOf('a') // orders-0, orders-1
 */
export function assign(question: AssignQuestion): Assignment {
  const asked = askedGroup(question)
  return assignmentOf(asked, answered(asked.group))
}

/** A question, checked and numbered. */
export interface AskedGroup extends CheckedQuestion {
  readonly group: NumberedGroup
}

export function askedGroup(question: AssignQuestion): AskedGroup {
  return { ...checkQuestion(question), group: numbered(question) }
}

/** The engine's answer with names, or the error that the original's failure is. */
export function assignmentOf({ groupType, assignor, version, group }: AskedGroup, answer: AssignAnswer): Assignment {
  const result = resultOf(group, answer)
  const { problem } = group
  const names: GroupNames = {
    memberIds: group.members,
    topicNames: group.topics,
    starts: problem.starts,
    numbers: problem.numbers,
  }
  const sticky = assignor === 'sticky' || assignor === 'cooperative-sticky'
  return new Assignment({
    groupType,
    assignor,
    version,
    algorithm: result.algorithm,
    maxGeneration: sticky ? result.maxGeneration : null,
    notes: notesOf(group, result),
    final: new PartitionLists(names, result.offsets, result.values),
    withheld: withheldLists(names, result),
  })
}

type CheckedQuestion = Required<Pick<AssignQuestion, 'groupType' | 'assignor' | 'version'>>

/** Checks which answer is wanted. */
export function checkQuestion(question: AssignQuestion): CheckedQuestion {
  if (typeof question !== 'object' || question === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `question: expected an object, got ${shown(question)}`)
  }
  const groupType = checkName(question.groupType, 'groupType', GROUP_TYPES)
  const assignor = checkName(question.assignor, 'assignor', ASSIGNORS[groupType])
  const newest = KAFKA_VERSIONS.at(-1)!
  const version = checkName(question.version ?? newest, 'version', KAFKA_VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION')
  checkSince(groupType, version)
  return { groupType, assignor, version }
}

/** The first release whose groups of that type are for production, as the rules reproduced here are. */
const SINCE: Readonly<Record<GroupType, KafkaVersion>> = { classic: '3.9', consumer: '4.0', share: '4.2' }

function checkSince(groupType: GroupType, version: KafkaVersion): void {
  const since = SINCE[groupType]
  if (KAFKA_VERSIONS.indexOf(version) >= KAFKA_VERSIONS.indexOf(since)) return
  throw codedError(
    'ERR_PLACEMENT_UNSUPPORTED',
    `version: expected ${since} or later, in which ${groupType} groups are no preview any more, got ${version}`,
  )
}

function numbered(question: AssignQuestion): NumberedGroup {
  const { groupType, assignor, topics, members, maxGeneration = -1 } = question
  checkInteger(maxGeneration, 'maxGeneration', [-1, 0x7fffffff])
  if (groupType !== 'classic') return numberedByServer(question)
  const name = assignor as ClientAssignor
  if (Array.isArray(topics) && Array.isArray(members)) return numberObjects(name, topics, members, maxGeneration)
  return numberColumns(name, topics, members, maxGeneration)
}

function numberedByServer({ subscriptionType, ownedOrder = 'java', ...question }: AssignQuestion): NumberedGroup {
  const asked = {
    assignor: serverAssignor(question),
    homogeneous:
      subscriptionType && checkName(subscriptionType, 'subscriptionType', SUBSCRIPTION_TYPES) === 'homogeneous',
    replayed: checkName(ownedOrder, 'ownedOrder', OWNED_ORDERS) === 'java',
  }
  const { topics, members } = question
  if (Array.isArray(topics) && Array.isArray(members)) return numberServerObjects(asked, topics, members)
  return numberServerColumns(asked, topics, members)
}

function serverAssignor({ assignor, version }: AssignQuestion): ServerAssignor {
  if (assignor === 'range') return 'server-range'
  if (assignor === 'simple') return 'simple'
  return version === '4.0' ? 'uniform-4.0' : 'uniform'
}

function answered(group: NumberedGroup): AssignAnswer {
  const answer = engine().assign(group.problem)
  return needsOrder(answer) ? engine().assign(inOrder(group)) : answer
}

/** Most can do without the order of the topics, which costs more than the rest. */
export const needsOrder = (answer: AssignAnswer): boolean => 'failure' in answer && answer.failure === 'order-needed'

export const inOrder = ({ problem, topicOrder }: NumberedGroup): AssignProblem => ({
  ...problem,
  topicOrder: topicOrder(),
})

const STATE = 'java.lang.IllegalStateException'
const SERVER = 'org.apache.kafka.coordinator.group.api.assignor.PartitionAssignorException'

/** What Java throws, class and text; texts of the JDK's own are no contract. */
const JAVA: Readonly<Record<AssignFailure, readonly [javaClass: string, javaMessage: string | null]>> = {
  'order-needed': ['', null],
  'no-members': ['java.lang.ArithmeticException', '/ by zero'],
  'empty-iterator': ['java.lang.IllegalArgumentException', 'CircularIterator can only be used on non-empty lists'],
  'no-room': [STATE, 'No more unfilled consumers to be assigned.'],
  'too-few-above': [
    STATE,
    "We haven't reached the expected number of members with more than the minQuota partitions, but no more partitions to be assigned",
  ],
  'below-quota': [STATE, "Consumer: [%s] doesn't reach minQuota partitions, and no more partitions to be assigned"],
  null: ['java.lang.NullPointerException', null],
  'no-element': ['java.util.NoSuchElementException', null],
  'unknown-topic': [SERVER, "Members are subscribed to topic %s which doesn't exist in the topic metadata."],
  'unknown-topic-range': [SERVER, 'Member is subscribed to a non-existent topic'],
  'left-unassigned': [SERVER, 'Partitions were left unassigned'],
  'out-of-bounds': ['java.lang.ArrayIndexOutOfBoundsException', '%s'],
}

function resultOf(group: NumberedGroup, answer: AssignAnswer): AssignResult {
  if (!('failure' in answer)) return answer
  const [javaClass, text] = JAVA[answer.failure]
  const javaMessage = text === null ? null : text.replace('%s', () => subjectOf(group, answer))
  const details: ErrorDetails = { javaClass, javaMessage }
  const said = javaMessage === null ? javaClass : `${javaClass} (${javaMessage})`
  throw codedError(
    'ERR_PLACEMENT_ORIGINAL_FAILS',
    `the assignor of this group throws ${said} for these members`,
    details,
  )
}

/** What the text of a failure names: a member, a topic by its id, or a partition. */
function subjectOf({ problem, topics, members }: NumberedGroup, { failure, member }: Refused): string {
  if (failure === 'unknown-topic') return topics[member]!
  return failure === 'out-of-bounds' ? outOfBounds(problem, member) : (members[member] ?? '')
}

function outOfBounds({ starts, numbers, kinds }: AssignProblem, slot: number): string {
  const topic = starts.findLastIndex((start) => start <= slot)
  let count = 0
  for (let other = starts[topic]!; other < starts[topic + 1]!; other++) count += Number(isCounted({ kinds }, other))
  return `Index ${numbers![slot]} out of bounds for length ${count}`
}

function withheldLists(names: GroupNames, { offsets, values, withheld }: AssignResult): PartitionLists {
  const ends = new Uint32Array(offsets.length)
  let member = 0
  for (const position of withheld) {
    while (offsets[member + 1]! <= position) member += 1
    ends[member + 1]! += 1
  }
  for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!
  return new PartitionLists(
    names,
    ends,
    withheld.map((position) => values[position]!),
  )
}
