/**
 * Who gets which partitions: the assignors of Kafka's consumer groups.
 *
 * For planners who ask what a group will do, and for clients that lead one. Sources: Apache Kafka 4.4.0,
 * org.apache.kafka.clients.consumer.RangeAssignor, RoundRobinAssignor, StickyAssignor and CooperativeStickyAssignor; the
 * answers are equal from 3.9 on.
 */
import type { AssignAnswer, AssignFailure, AssignResult, ClientAssignor } from '../engine/assign-contract.js'
import { engine } from '../engine/index.js'
import { checkInteger, checkName, codedError, type ErrorDetails, shown } from '../errors.js'
import { KAFKA_VERSIONS, type KafkaVersion } from '../types.js'
import { notesOf } from './assign-notes.js'
import { Assignment, type GroupNames, PartitionLists } from './assignment.js'
import { numberColumns } from './group-columns.js'
import { orderOf } from './group-names.js'
import { type NumberedGroup, numberObjects } from './group-objects.js'
import type { GroupMember, GroupTopic, MemberColumns, TopicColumns } from './group-types.js'

/** Kinds of groups, in Kafka's words. */
export const GROUP_TYPES = ['classic'] as const
export type GroupType = (typeof GROUP_TYPES)[number]

/** Assignors of classic groups, by Kafka's names. */
export const CLASSIC_ASSIGNORS = ['range', 'roundrobin', 'sticky', 'cooperative-sticky'] as const

/** A group and the question that is asked about it. */
export interface AssignQuestion {
  readonly groupType: GroupType
  readonly assignor: ClientAssignor
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
}

/**
 * Who gets which partitions.
 *
 * @returns lists of partitions, with readers; columns inside
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_NAME,
 *   ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_DUPLICATE (a topic, member or partition id twice);
 *   ERR_PLACEMENT_ORIGINAL_FAILS where the original throws, with `javaClass` and `javaMessage`
 * @example
 * const topics = [{ name: 'orders', partitions: 3 }]
 * const members = ['a', 'b'].map((id) => ({ id, topics: ['orders'] }))
 * kafka.assign({ groupType: 'classic', assignor: 'range', topics, members }).partitionsOf('a') // orders-0, orders-1
 */
export function assign(question: AssignQuestion): Assignment {
  const { groupType, assignor, version } = checkQuestion(question)
  const group = numbered(question)
  const result = resultOf(group, answered(group))
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

/** Checks which answer is wanted. */
export function checkQuestion(
  question: AssignQuestion,
): Required<Pick<AssignQuestion, 'groupType' | 'assignor' | 'version'>> {
  if (typeof question !== 'object' || question === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `question: expected an object, got ${shown(question)}`)
  }
  const groupType = checkName(question.groupType, 'groupType', GROUP_TYPES)
  const assignor = checkName(question.assignor, 'assignor', CLASSIC_ASSIGNORS)
  const newest = KAFKA_VERSIONS.at(-1)!
  const version = checkName(question.version ?? newest, 'version', KAFKA_VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION')
  return { groupType, assignor, version }
}

function numbered({ assignor, topics, members, maxGeneration = -1 }: AssignQuestion): NumberedGroup {
  checkInteger(maxGeneration, 'maxGeneration', [-1, 0x7fffffff])
  if (Array.isArray(topics) && Array.isArray(members)) return numberObjects(assignor, topics, members, maxGeneration)
  return numberColumns(assignor, topics, members, maxGeneration)
}

/** `range` can mostly do without the order of the topics' names, which costs more than the rest. */
function answered({ problem, topics }: NumberedGroup): AssignAnswer {
  const answer = engine().assign(problem)
  if (!('failure' in answer) || answer.failure !== 'order-needed') return answer
  return engine().assign({ ...problem, topicOrder: orderOf(topics) })
}

const STATE = 'java.lang.IllegalStateException'

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
}

function resultOf({ members }: NumberedGroup, answer: AssignAnswer): AssignResult {
  if (!('failure' in answer)) return answer
  const [javaClass, text] = JAVA[answer.failure]
  const javaMessage = text === null ? null : text.replace('%s', members[answer.member] ?? '')
  const details: ErrorDetails = { javaClass, javaMessage }
  const said = javaMessage === null ? javaClass : `${javaClass} (${javaMessage})`
  throw codedError(
    'ERR_PLACEMENT_ORIGINAL_FAILS',
    `the assignor of this group throws ${said} for these members`,
    details,
  )
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
