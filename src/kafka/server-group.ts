/**
 * A consumer or share group in numbers, as the broker's coordinator describes it to an assignor.
 *
 * For `kafka.assign`, from objects for people and from columns for millions. Source: Apache Kafka 4.4.0,
 * org.apache.kafka.coordinator.group.modern.GroupSpecImpl, ModernGroup and Assignment.
 * What differs from the client side: topics are known by their ids; a name that the broker cannot find is left out of a
 * subscription; whether all subscribe alike is told to the assignor, not found out by it; a repeated name counts once.
 */
import { isBytes } from '../bytes.js'
import type { AssignProblem, ServerAssignor, ServerGroup } from '../engine/assign-contract.js'
import { checkInteger, checkList } from '../errors.js'
import { slotOf } from '../fallback/kafka/slots.js'
import {
  checkInstances,
  checkMembers,
  checkTopics,
  type Lists,
  listsOf,
  ownedOf,
  refuse,
  refuseRange,
} from './group-columns.js'
import { checkNames, memberInfoOrder, NameIndex, orderOf } from './group-names.js'
import {
  ClaimReader,
  checkMember,
  checkTopic,
  type NumberedGroup,
  shapeOf,
  subscriptionLists,
} from './group-objects.js'
import type { GroupMember, GroupTopic, TopicColumns } from './group-types.js'
import { type SlotSpace, slotSpace, startsOf } from './slot-space.js'
import { isUuid, TopicIds } from './topic-ids.js'

/** What is asked beside topics and members. */
export interface ServerQuestion {
  readonly assignor: ServerAssignor
  /** As the group is said to be; `undefined` to find it out. */
  readonly homogeneous: boolean | undefined
  readonly replayed: boolean
}

const NOTHING = new Uint32Array(0)
const NO_GENERATIONS = new Int32Array(0)
const MOST = 0x7fffffff

/** Everything that the server's assignors have no use for. */
const UNUSED = {
  memberOrder: NOTHING,
  memberInfoOrder: NOTHING,
  memberHashes: NO_GENERATIONS,
  generations: NO_GENERATIONS,
  fieldGenerations: NO_GENERATIONS,
  racks: null,
  maxGeneration: -1,
  topicWeights: null,
  memberWeights: null,
} satisfies Partial<AssignProblem>

/** A group given as objects. */
export function numberServerObjects(
  question: ServerQuestion,
  topics: readonly GroupTopic[],
  members: readonly GroupMember[],
): NumberedGroup {
  const [names, topicIds, memberNames] = [new NameIndex(), new TopicIds(), new NameIndex()]
  const numbers = topics.map((topic, i) => {
    const some = checkTopic(names, topic, i)
    topicIds.add(topic.id, `topics[${i}].id`)
    return some
  })
  members.forEach((member, i) => {
    checkMember(memberNames, member, i)
  })
  const named = subscriptionLists(names, members)
  const readsOwned = question.assignor !== 'server-range'
  const claims = new ClaimReader(topics, numbers).read(members, {
    dataOf: ({ ownedPartitions = [] }) => ({ owned: readsOwned ? ownedPartitions : [], generation: null }),
    topicOf: (name) => {
      const topic = names.indexOf(name)
      if (topic !== -1 && topic < topics.length) return topic
      return isUuid(name) ? names.indexOrAdd(name, 'topic') : -1
    },
  })
  for (const name of names.names.slice(topics.length)) topicIds.addUnknown(name)
  const shapes = names.names.map((_, i) => shapeOf(topics[i], numbers[i] ?? null, claims.beyond.get(i) ?? null))
  const space = slotSpace(shapes)
  const instanceIds = members.map(({ instanceId }) => instanceId ?? null)
  const problem = {
    ...UNUSED,
    assignor: question.assignor,
    ...space,
    ...infoOrderOf(question, memberNames.names, instanceIds),
    ...withoutNameless(named, topicIds),
    topicOrder: null,
    topicHashes: topicIds.hashCodes(),
    claimOffsets: claims.offsets,
    claims: claims.slots(space),
    server: serverGroup(question, named, { known: topics.length, assignable: assignableOf(topics, space) }),
  }
  return { problem, topics: names.names, members: memberNames.names, topicOrder: () => topicIds.order() }
}

/** A group given in columns. */
export function numberServerColumns(question: ServerQuestion, topics: unknown, members: unknown): NumberedGroup {
  const { names, partitions, ids, assignable = null } = checkTopics(topics)
  const columns = checkMembers(members)
  checkNames(names, 'topics.names')
  checkNames(columns.ids, 'members.ids')
  const topicIds = idsOf(ids, names.length)
  const starts = startsOf(partitions)
  const [count, slots] = [columns.ids.length, starts.at(-1)!]
  const lists = listsOf(columns.subscriptions, count, names.length)
  const owned = ownedOf(question.assignor, columns.owned, count, slots)
  const problem = {
    ...UNUSED,
    assignor: question.assignor,
    starts,
    numbers: null,
    kinds: null,
    ...infoOrderOf(question, columns.ids, checkInstances(columns.instanceIds, count)),
    ...withoutNameless(lists, topicIds),
    topicOrder: null,
    topicHashes: topicIds.hashCodes(),
    claimOffsets: owned.offsets,
    claims: owned.values,
    server: serverGroup(question, lists, { known: names.length, assignable: checkAssignable(assignable, slots) }),
  }
  return { problem, topics: names, members: columns.ids, topicOrder: () => topicIds.order() }
}

/** Only `range` sorts the members, which costs more than the rest. */
function infoOrderOf(
  { assignor }: ServerQuestion,
  ids: readonly string[],
  instanceIds: readonly (string | null)[] | undefined,
): Partial<Pick<AssignProblem, 'memberInfoOrder'>> {
  return assignor === 'server-range' ? { memberInfoOrder: memberInfoOrder(orderOf(ids), instanceIds) } : {}
}

function serverGroup(
  { homogeneous, replayed }: ServerQuestion,
  named: Lists,
  facts: Pick<ServerGroup, 'known' | 'assignable'>,
): ServerGroup {
  return { ...facts, replayed, homogeneous: homogeneous ?? subscribesAlike(named) }
}

/** True if every topic that anybody names is named by everybody: names count, whether the broker finds them or not. */
function subscribesAlike({ listOffsets, listTopics, listOf }: Lists): boolean {
  if (listOffsets.length <= 2) return true
  const [first, ...others] = new Set(listOf)
  if (first === undefined) return true
  const setOf = (list: number) => new Set(listTopics.subarray(listOffsets[list]!, listOffsets[list + 1]!))
  const reference = setOf(first)
  return others.every((list) => {
    const set = setOf(list)
    return set.size === reference.size && [...set].every((topic) => reference.has(topic))
  })
}

/** The lists with each topic once, and without those that the broker cannot find. */
function withoutNameless({ listOffsets, listTopics, listOf }: Lists, ids: TopicIds): Lists {
  const lists = listOffsets.length - 1
  const [offsets, topics] = [new Uint32Array(lists + 1), new Uint32Array(listTopics.length)]
  const lastList = new Map<number, number>()
  let to = 0
  for (let list = 0; list < lists; list++) {
    for (const topic of listTopics.subarray(listOffsets[list]!, listOffsets[list + 1]!)) {
      if (lastList.get(topic) !== list && ids.has(topic)) topics[to++] = topic
      lastList.set(topic, list)
    }
    offsets[list + 1] = to
  }
  return to === topics.length
    ? { listOffsets, listTopics, listOf }
    : { listOffsets: offsets, listTopics: topics.slice(0, to), listOf }
}

function idsOf(ids: TopicColumns['ids'], topics: number): TopicIds {
  if (!Array.isArray(ids)) throw refuse('topics.ids', 'an array of Uuids, one for each topic', ids)
  if (ids.length !== topics) throw refuseRange('topics.ids', `one for each of ${topics} topics`, ids.length)
  const topicIds = new TopicIds()
  ids.forEach((id: unknown, i) => {
    topicIds.add(id, `topics.ids[${i}]`)
  })
  return topicIds
}

function checkAssignable(assignable: unknown, slots: number): Uint8Array | null {
  if (assignable === null) return null
  if (!isBytes(assignable)) throw refuse('topics.assignable', 'a Uint8Array', assignable)
  if (assignable.length === slots) return assignable
  throw refuseRange('topics.assignable', `one entry for each of ${slots} partitions`, assignable.length)
}

function assignableOf(topics: readonly GroupTopic[], space: SlotSpace): Uint8Array | null {
  if (topics.every(({ assignable }) => assignable === undefined)) return null
  const column = new Uint8Array(space.starts.at(-1)!)
  topics.forEach(({ assignable = [], partitions }, topic) => {
    const where = `topics[${topic}].assignable`
    checkList(assignable, where)
    assignable.forEach((number, i) => {
      checkInteger(number, `${where}[${i}]`, [0, MOST])
      if (number < partitions) column[slotOf(space, topic, number)] = 1
    })
  })
  return column
}
