/**
 * The consumer groups that are measured, in columns as `kafka.assign` takes them, and as objects.
 *
 * A group with a past is one that was assigned fresh before: then everybody owns what it got, in generation 1.
 */
import { kafka } from '../src/index.js'

/** A question in columns: what the jars are asked too. */
export interface ColumnQuestion extends kafka.AssignQuestion {
  readonly topics: kafka.TopicColumns
  readonly members: kafka.MemberColumns
}

type Assignor = kafka.AssignQuestion['assignor']

export interface Size {
  readonly topics: number
  /** Partitions of each topic. */
  readonly partitions: number
  readonly members: number
}

/** Everybody subscribes to everything, nobody owns anything. */
export function freshGroup(assignor: Assignor, { topics, partitions, members }: Size): ColumnQuestion {
  return {
    groupType: 'classic',
    assignor,
    topics: {
      names: Array.from({ length: topics }, (_, i) => `orders-${i}`),
      partitions: new Int32Array(topics).fill(partitions),
    },
    members: { ids: Array.from({ length: members }, (_, i) => memberId(i)) },
  }
}

/** The same of a consumer group, whose topics the broker knows by their ids. */
export function freshConsumerGroup(assignor: Assignor, size: Size): ColumnQuestion {
  const question = freshGroup(assignor, size)
  const ids = question.topics.names.map((_, i) => topicId(i))
  return { ...question, groupType: 'consumer', topics: { ...question.topics, ids } }
}

/** 128 bits from a multiplicative generator, as good as random for hash maps. */
function topicId(index: number): string {
  const bytes = Buffer.alloc(16)
  for (let word = 0; word < 4; word++) bytes.writeInt32BE(Math.imul(4 * index + word + 1, 0x9e3779b1), 4 * word)
  return bytes.toString('base64url')
}

/** Members and topics in so many buckets in turn; members subscribe to the topics of theirs. */
export function inBuckets(question: ColumnQuestion, buckets: number): ColumnQuestion {
  const lists = Array.from({ length: buckets }, (_, bucket) =>
    Array.from(question.topics.names.keys()).filter((topic) => topic % buckets === bucket),
  )
  const offsets = [0]
  for (const list of lists) offsets.push(offsets.at(-1)! + list.length)
  const listOf = Uint32Array.from(question.members.ids, (_, member) => member % buckets)
  const subscriptions = { offsets: Uint32Array.from(offsets), topics: Uint32Array.from(lists.flat()), listOf }
  return { ...question, members: { ...question.members, subscriptions } }
}

/** As a broker makes them: the client's id and something random. */
function memberId(index: number): string {
  const random = (Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
  return `consumer-orders-${index}-${random}-4b1d-11ee-be56-0242ac120002`
}

/** One member more subscribes to a topic more, of one partition: subscriptions are unequal, and the general algorithm runs. */
export function withOddMember(question: ColumnQuestion): ColumnQuestion {
  const { topics, members } = question
  const count = topics.names.length
  const all = Uint32Array.from({ length: count }, (_, topic) => topic)
  const listOf = new Uint32Array(members.ids.length)
  listOf[listOf.length >> 1] = 1
  return {
    ...question,
    topics: { names: [...topics.names, 'odd'], partitions: Int32Array.of(...topics.partitions, 1) },
    members: {
      ...members,
      subscriptions: {
        offsets: Uint32Array.of(0, count, 2 * count + 1),
        topics: Uint32Array.of(...all, ...all, count),
        listOf,
      },
    },
  }
}

/** Members and replicas on three racks in turn, each partition on two of them. */
export function withRacks(question: ColumnQuestion): ColumnQuestion {
  const slots = question.topics.partitions.reduce((sum, count) => sum + count, 0)
  const racks: kafka.RackColumns = {
    count: 3,
    ofMember: Int32Array.from(question.members.ids, (_, i) => i % 3),
    setOf: Uint32Array.from({ length: slots }, (_, i) => i % 3),
    setOffsets: Uint32Array.of(0, 2, 4, 6),
    setRacks: Uint32Array.of(0, 1, 1, 2, 0, 2),
  }
  return { ...question, members: { ...question.members, racks } }
}

/** After the first round, one of the members in the middle is gone. */
export function oneLeaves(question: ColumnQuestion): ColumnQuestion {
  const gone = question.members.ids.length >> 2
  return withMembers(settled(question), (member) => member !== gone)
}

/** The last of the members comes when all others had their first round. */
export function oneJoins(question: ColumnQuestion): ColumnQuestion {
  const joiner = question.members.ids.length - 1
  const others = settled(withMembers(question, (member) => member !== joiner))
  const { offsets, values } = others.members.owned!
  const owned = { offsets: Uint32Array.of(...offsets, values.length), values }
  const generations = Int32Array.of(...others.members.generations!, -1)
  return { ...question, members: { ...question.members, owned, generations } }
}

/** Everybody owns what a fresh round gives. */
function settled(question: ColumnQuestion): ColumnQuestion {
  const { offsets, values } = kafka.assign(question)
  const generations = new Int32Array(question.members.ids.length).fill(1)
  return { ...question, members: { ...question.members, owned: { offsets, values }, generations } }
}

function withMembers(question: ColumnQuestion, stays: (member: number) => boolean): ColumnQuestion {
  const { ids, subscriptions, owned, generations, racks } = question.members
  const picked = <T extends Int32Array | Uint32Array>(column: T): T => column.filter((_, m) => stays(m)) as T
  return {
    ...question,
    members: {
      ids: ids.filter((_, m) => stays(m)),
      ...(subscriptions && { subscriptions: { ...subscriptions, listOf: picked(subscriptions.listOf) } }),
      ...(owned && { owned: pickedLists(owned, stays) }),
      ...(generations && { generations: picked(generations) }),
      ...(racks && { racks: { ...racks, ofMember: picked(racks.ofMember) } }),
    },
  }
}

function pickedLists({ offsets, values }: kafka.OwnedColumns, stays: (member: number) => boolean): kafka.OwnedColumns {
  const kept = new Uint32Array(values.length)
  const starts = [0]
  for (let m = 0; m + 1 < offsets.length; m++) {
    if (!stays(m)) continue
    const list = values.subarray(...ends(offsets, m))
    kept.set(list, starts.at(-1)!)
    starts.push(starts.at(-1)! + list.length)
  }
  return { offsets: Uint32Array.from(starts), values: kept.slice(0, starts.at(-1)!) }
}

/** The same question in objects. */
export function objectsOf(question: ColumnQuestion): kafka.AssignQuestion {
  const { topics, members } = question
  const starts = [0]
  for (const count of topics.partitions) starts.push(starts.at(-1)! + count)
  const places = topics.names.flatMap((topic, t) =>
    Array.from({ length: topics.partitions[t]! }, (_, partition) => ({ topic, partition })),
  )
  const racks = members.racks
  const racksOf = (slot: number): string[] =>
    Array.from(racks!.setRacks.subarray(...ends(racks!.setOffsets, racks!.setOf[slot]!)), (rack) => `rack-${rack}`)
  const lists = listsOf(question)
  return {
    ...question,
    topics: topics.names.map((name, t) => ({
      name,
      partitions: topics.partitions[t]!,
      ...(topics.ids && { id: topics.ids[t]! }),
      ...(racks && { racks: Array.from({ length: topics.partitions[t]! }, (_, p) => racksOf(starts[t]! + p)) }),
    })),
    members: members.ids.map((id, m) => ({
      id,
      topics: lists[members.subscriptions?.listOf[m] ?? 0]!,
      ...(racks && { rack: `rack-${racks.ofMember[m]}` }),
      ...(members.owned && {
        ownedPartitions: Array.from(
          members.owned.values.subarray(...ends(members.owned.offsets, m)),
          (slot) => places[slot]!,
        ),
        generationId: members.generations![m]!,
      }),
    })),
  }
}

function listsOf({ topics, members: { subscriptions } }: ColumnQuestion): (readonly string[])[] {
  if (subscriptions === undefined) return [topics.names]
  const { offsets, topics: named } = subscriptions
  return Array.from({ length: offsets.length - 1 }, (_, list) =>
    Array.from(named.subarray(...ends(offsets, list)), (topic) => topics.names[topic]!),
  )
}

const ends = (offsets: Uint32Array, i: number): [from: number, to: number] => [offsets[i]!, offsets[i + 1]!]
