/**
 * The ops of Kafka's client-side assignors and of Java's hash maps, put to the public API.
 *
 * Partitions travel flat: `["a", 0, 1, "b", 5]` are a-0, a-1 and b-5. An assignor object that is asked again is the
 * `maxGeneration` that goes from answer to question.
 */
import { Buffer } from 'node:buffer'
import {
  type Assignment,
  assign,
  type CLASSIC_ASSIGNORS,
  type GroupMember,
  type GroupTopic,
  javaMapOrder,
  javaUuidMapOrder,
  type PartitionLists,
  protocol,
  type TopicPartition,
} from '../../src/kafka/index.js'
import { topicPartitionHash } from '../../src/kafka/java-hash.js'
import { type JavaMapOptions, orderOfKeys, tableSizeOf } from '../../src/kafka/java-map-order.js'
import type { KafkaVersion } from '../../src/types.js'
import type { Ops } from './answer.js'

export type Flat = readonly (string | number)[]

interface Member {
  readonly id: string
  readonly topics?: readonly string[]
  readonly instanceId?: string
  readonly rack?: string
  readonly owned?: Flat
  readonly generation?: number
  readonly userData?: string
}

interface Round {
  readonly topics: readonly GroupTopic[]
  readonly members: readonly Member[]
}

type AssignorName = (typeof CLASSIC_ASSIGNORS)[number]

interface AssignRequest extends Round {
  readonly assignor: AssignorName
}

interface ConvergeRequest extends AssignRequest {
  readonly generation?: number
  readonly maxRounds?: number
}

interface MapRequest extends JavaMapOptions {
  readonly values: readonly (string | number | null)[]
  readonly kind?: 'string' | 'optionalString' | 'int' | 'uuid' | 'topicPartition'
}

/** The ops that ask no engine. */
export const KAFKA_ASSIGN_TYPESCRIPT_OPS = {
  memberData: ({ assignor, members }: AssignRequest) => memberData(assignor, members),
  userData: ({ assignor, owned, generation }: { assignor: AssignorName; owned?: Flat; generation?: number }) => {
    if (assignor === 'cooperative-sticky') return base64(protocol.encodeCooperativeUserData(generation ?? -1))
    if (owned === undefined) return { base64: null }
    return base64(
      protocol.encodeStickyUserData({ ownedPartitions: inMapOrder(unflat(owned)), generationId: generation! }),
    )
  },
} satisfies Ops

export const kafkaAssignOps = {
  ...KAFKA_ASSIGN_TYPESCRIPT_OPS,
  assign: (request: AssignRequest, version: KafkaVersion) => roundOf(request.assignor, request, version, -1).answer,
  assignRounds: (
    { assignor, rounds }: { readonly assignor: AssignorName; readonly rounds: readonly Round[] },
    version: KafkaVersion,
  ) => {
    let maxGeneration = -1
    return {
      rounds: rounds.map((round) => {
        const { answer, assignment } = roundOf(assignor, round, version, maxGeneration)
        maxGeneration = assignment.maxGeneration ?? -1
        return answer
      }),
    }
  },
  converge,
  javaMapOrder: mapOrder,
  uuidMapOrder: ({ values, ...options }: MapRequest) => ({ order: javaUuidMapOrder(values as string[], options) }),
} satisfies Ops

const base64 = (bytes: Uint8Array) => ({ base64: Buffer.from(bytes).toString('base64') })

export function unflat(flat: Flat = []): TopicPartition[] {
  let topic = ''
  const partitions: TopicPartition[] = []
  for (const item of flat) {
    if (typeof item === 'string') topic = item
    else partitions.push({ topic, partition: item })
  }
  return partitions
}

export function flatten(partitions: Iterable<TopicPartition>): (string | number)[] {
  const flat: (string | number)[] = []
  let last: string | undefined
  for (const { topic, partition } of partitions) {
    if (topic !== last) flat.push(topic)
    last = topic
    flat.push(partition)
  }
  return flat
}

const byUnits = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

function memberOf({ id, topics = [], instanceId, rack, owned, generation, userData }: Member): GroupMember {
  return {
    id,
    topics,
    instanceId,
    rack,
    ownedPartitions: unflat(owned),
    generationId: generation,
    userData: userData === undefined ? undefined : new Uint8Array(Buffer.from(userData, 'base64')),
  }
}

function asked(assignor: AssignorName, { topics, members }: Round, version: KafkaVersion, maxGeneration: number) {
  return assign({ groupType: 'classic', assignor, version, topics, members: members.map(memberOf), maxGeneration })
}

function roundOf(assignor: AssignorName, round: Round, version: KafkaVersion, maxGeneration: number) {
  const assignment = asked(assignor, round, version, maxGeneration)
  const answer: Record<string, unknown> = { assignment: perMember(assignment) }
  if (assignor === 'sticky' || assignor === 'cooperative-sticky') {
    answer['algorithm'] = assignment.algorithm
    answer['maxGeneration'] = assignment.maxGeneration
    if (round.members.some(({ userData }) => userData !== undefined)) {
      answer['memberData'] = memberData(assignor, round.members)
    }
  }
  if (assignor === 'cooperative-sticky') {
    answer['final'] = perMember(assignment.final)
    answer['withheld'] = withheldOf(assignment)
  }
  return { answer, assignment }
}

function perMember(lists: PartitionLists): Record<string, Flat> {
  return Object.fromEntries(lists.names.memberIds.map((id) => [id, flatten(lists.partitionsOf(id))]))
}

/** Sorted, and without what the member has all the same: the original can hand a partition out twice. */
function withheldOf(assignment: Assignment): Record<string, Flat> {
  const key = ({ topic, partition }: TopicPartition) => `${topic}-${partition}`
  const waiting = assignment.names.memberIds.map((id) => {
    const has = new Set(assignment.partitionsOf(id).map(key))
    const some = assignment.withheld.partitionsOf(id).filter((one) => !has.has(key(one)))
    some.sort((a, b) => byUnits(a.topic, b.topic) || a.partition - b.partition)
    return [id, flatten(some)] as const
  })
  return Object.fromEntries(waiting.filter(([, some]) => some.length > 0))
}

function memberData(assignor: AssignorName, members: readonly Member[]): Record<string, unknown> {
  return Object.fromEntries(members.map((member) => [member.id, dataOf(assignor, memberOf(member))]))
}

function dataOf(assignor: AssignorName, { ownedPartitions = [], generationId = -1, userData = null }: GroupMember) {
  if (assignor === 'sticky') {
    const data = protocol.decodeStickyUserData(userData)
    return { owned: flatten(data.ownedPartitions), generation: data.generationId }
  }
  const generation = generationId >= 0 ? generationId : protocol.decodeCooperativeUserData(userData)
  return { owned: flatten(ownedPartitions), generation }
}

/** Java gathers the partitions in a HashMap by topic. */
function inMapOrder(partitions: readonly TopicPartition[]): TopicPartition[] {
  const topics = javaMapOrder(partitions.map(({ topic }) => topic))
  return topics.flatMap((topic) => partitions.filter((one) => one.topic === topic))
}

/** Rounds until one changes nothing, each member owning what it got. */
function converge(request: ConvergeRequest, version: KafkaVersion) {
  let { members, generation = 0 } = request
  let maxGeneration = -1
  const rounds: unknown[] = []
  for (let round = 0; round < (request.maxRounds ?? 8); round++) {
    const assignment = asked(request.assignor, { topics: request.topics, members }, version, maxGeneration)
    maxGeneration = assignment.maxGeneration ?? -1
    const got = perMember(assignment)
    rounds.push(got)
    if (members.every(({ id, owned }) => sameSet(owned ?? [], got[id]!))) break
    generation += 1
    const next = generation
    members = members.map(({ userData: _, ...member }) => ({ ...member, owned: got[member.id]!, generation: next }))
  }
  return { rounds }
}

function sameSet(a: Flat, b: Flat): boolean {
  const key = (flat: Flat) => [...new Set(unflat(flat).map((one) => JSON.stringify(one)))].sort().join()
  return key(a) === key(b)
}

function mapOrder({ values, kind = 'string', ...options }: MapRequest): { readonly order: unknown } {
  if (kind === 'string') return { order: javaMapOrder(values as string[], options) }
  if (kind === 'uuid') return { order: javaUuidMapOrder(values as string[], options) }
  if (kind === 'topicPartition') return { order: orderOfOther(topicPartitions(values as Flat), options) }
  if (kind === 'int')
    return {
      order: orderOfOther(
        values.map((value) => [value, value as number]),
        options,
      ),
    }
  const hashes = new Map(values.map((value) => [value, value === null ? 0 : topicPartitionHash(value as string, -31)]))
  return { order: orderOfOther([...hashes], options) }
}

const topicPartitions = (flat: Flat): [unknown, number][] =>
  unflat(flat).map(({ topic, partition }) => [[topic, partition], topicPartitionHash(topic, partition)])

/** Keys that Java does not compare, or never with an equal hash code. */
function orderOfOther(keys: readonly (readonly [unknown, number])[], options: JavaMapOptions): unknown[] {
  const distinct = new Map(keys.map((key) => [JSON.stringify(key[0]), key]))
  const some = [...distinct.values()]
  const hashCodes = Int32Array.from(some, ([, hashCode]) => hashCode)
  const order = orderOfKeys({ hashCodes, compare: () => -1 }, tableSizeOf(keys.length, options))
  return Array.from(order, (i) => some[i]![0])
}
