/**
 * A group given as objects, checked and turned into numbers.
 *
 * For `kafka.assign`. Names come back at the end, by index: topics in the order given, behind them those that somebody
 * subscribes to and that are not there.
 */
import { isBytes } from '../bytes.js'
import type { AssignProblem, AssignRacks, ClientAssignor } from '../engine/assign-contract.js'
import { checkInteger, checkList, codedError, shown } from '../errors.js'
import { slotOf } from '../fallback/kafka/slots.js'
import { hashCodesOf, memberInfoOrder, NameIndex, orderOf } from './group-names.js'
import type { GroupMember, GroupTopic, TopicPartition } from './group-types.js'
import { checkWeight, weightsOfObjects } from './group-weights.js'
import { type SlotSpace, slotSpace, type TopicShape } from './slot-space.js'
import { decodeCooperativeUserData, decodeStickyUserData } from './sticky-user-data.js'

/** A group in numbers, and its names. */
export interface NumberedGroup {
  readonly problem: AssignProblem
  readonly topics: readonly string[]
  readonly members: readonly string[]
  /** The problem's `topicOrder`, for an assignor that turns out to need it. */
  readonly topicOrder: () => Uint32Array
}

const INT32: readonly [number, number] = [-0x80000000, 0x7fffffff]
const MOST = 0x7fffffff

export function numberObjects(
  assignor: ClientAssignor,
  topics: readonly GroupTopic[],
  members: readonly GroupMember[],
  maxGeneration: number,
): NumberedGroup {
  const topicNames = new NameIndex()
  const ids = topics.map((topic, i) => checkTopic(topicNames, topic, i))
  const memberNames = new NameIndex()
  members.forEach((member, i) => {
    checkMember(memberNames, member, i)
  })
  const lists = subscriptionLists(topicNames, members)
  const claims = new ClaimReader(topics, ids).read(members, {
    topicOf: (name) => {
      const topic = topicNames.indexOf(name)
      return (topics[topic]?.partitions ?? 0) === 0 ? -1 : topic
    },
    dataOf: (member) => claimedBy(assignor, member),
  })
  const shapes = topicNames.names.map((_, i) => shapeOf(topics[i], ids[i] ?? null, claims.beyond.get(i) ?? null))
  const space = slotSpace(shapes)
  const memberOrder = orderOf(memberNames.names)
  const racks = racksOf(space, topics, ids, members)
  const problem = {
    assignor,
    ...space,
    topicOrder: assignor === 'range' && racks === null ? null : orderOf(topicNames.names),
    topicHashes: hashCodesOf(topicNames.names),
    memberOrder,
    memberInfoOrder: memberInfoOrder(
      memberOrder,
      members.map(({ instanceId }) => instanceId ?? null),
    ),
    memberHashes: hashCodesOf(memberNames.names),
    ...lists,
    claimOffsets: claims.offsets,
    claims: claims.slots(space),
    generations: claims.generations,
    fieldGenerations: claims.fieldGenerations,
    racks,
    maxGeneration,
    server: null,
    ...weightsOfObjects(assignor, topics, members, topicNames.names.length),
  }
  return {
    problem,
    topics: topicNames.names,
    members: memberNames.names,
    topicOrder: () => orderOf(topicNames.names),
  }
}

/** The partitions of a topic, which only its name may be known of. */
export function shapeOf(
  topic: GroupTopic | undefined,
  ids: Int32Array | null,
  claimed: Set<number> | null,
): TopicShape {
  return { count: topic?.partitions ?? 0, ids, claimed }
}

/** Returns the numbers of the partitions, ascending, where they are not 0 to count - 1. */
export function checkTopic(names: NameIndex, topic: GroupTopic, i: number): Int32Array | null {
  const where = `topics[${i}]`
  if (typeof topic !== 'object' || topic === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a topic, got ${shown(topic)}`, { index: i })
  }
  names.add(topic.name, `${where}.name`)
  checkInteger(topic.partitions, `${where}.partitions`, [0, MOST])
  if (topic.weight !== undefined) checkWeight(topic.weight, `${where}.weight`)
  if (topic.racks !== undefined) checkLength(topic.racks, topic.partitions, `${where}.racks`)
  if (topic.ids === undefined) return null
  checkLength(topic.ids, topic.partitions, `${where}.ids`)
  topic.ids.forEach((id, j) => {
    checkInteger(id, `${where}.ids[${j}]`, [0, MOST])
  })
  const ids = Int32Array.from(topic.ids).sort()
  const twice = ids.findIndex((id, j) => j > 0 && id === ids[j - 1])
  if (twice !== -1) {
    throw codedError('ERR_PLACEMENT_DUPLICATE', `${where}.ids: expected each once, got ${ids[twice]} twice`, {
      index: i,
    })
  }
  return ids.every((id, j) => id === j) ? null : ids
}

function checkLength(list: readonly unknown[], length: number, where: string): void {
  checkList(list, where)
  if (list.length === length) return
  throw codedError(
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    `${where}: expected one entry for each of ${length} partitions, got ${list.length}`,
  )
}

export function checkMember(names: NameIndex, member: GroupMember, i: number): void {
  const where = `members[${i}]`
  if (typeof member !== 'object' || member === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a member, got ${shown(member)}`, { index: i })
  }
  names.add(member.id, `${where}.id`)
  checkList(member.topics, `${where}.topics`)
  for (const field of ['instanceId', 'rack'] as const) {
    const value: unknown = member[field]
    if (value !== undefined && typeof value !== 'string') {
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}.${field}: expected a string, got ${shown(value)}`)
    }
  }
  if (member.weight !== undefined) checkWeight(member.weight, `${where}.weight`)
  if (member.generationId !== undefined) checkInteger(member.generationId, `${where}.generationId`, [-1, MOST])
  const { userData } = member as { readonly userData?: unknown }
  if (userData !== undefined && userData !== null && !isBytes(userData)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}.userData: expected bytes, got ${shown(userData)}`)
  }
}

/** Equal lists are stored once. */
export function subscriptionLists(
  names: NameIndex,
  members: readonly GroupMember[],
): Pick<AssignProblem, 'listOffsets' | 'listTopics' | 'listOf'> {
  const known = new Map<readonly string[], number>()
  const byTopics = new Map<string, number>()
  const topics: number[] = []
  const offsets = [0]
  const listOf = Uint32Array.from(members, (member, i) => {
    let list = known.get(member.topics)
    if (list !== undefined) return list
    const indices = member.topics.map((topic, j) => names.indexOrAdd(topic, `members[${i}].topics[${j}]`))
    const key = indices.join()
    list = byTopics.get(key)
    if (list === undefined) {
      list = offsets.length - 1
      for (const index of indices) topics.push(index)
      offsets.push(topics.length)
      byTopics.set(key, list)
    }
    known.set(member.topics, list)
    return list
  })
  return { listOffsets: Uint32Array.from(offsets), listTopics: Uint32Array.from(topics), listOf }
}

/** What a member says it owns, and in which generation it got that. */
interface MemberData {
  readonly owned: readonly TopicPartition[]
  readonly generation: number | null
}

/** How an assignor reads claims. */
export interface ClaimRule {
  readonly dataOf: (member: GroupMember) => MemberData
  /** The topic's number; -1 for one whose claims are passed over. */
  readonly topicOf: (name: string) => number
}

function claimedBy(assignor: ClientAssignor, member: GroupMember): MemberData {
  const { ownedPartitions: owned = [], generationId = -1, userData = null } = member
  if (assignor === 'cooperative-sticky' || assignor === 'balanced') {
    return { owned, generation: generationId >= 0 ? generationId : decodeCooperativeUserData(userData) }
  }
  if (assignor !== 'sticky') return { owned: [], generation: null }
  const { ownedPartitions, generationId: generation } = decodeStickyUserData(userData)
  return { owned: ownedPartitions, generation }
}

/** What members own, in numbers. */
export class ClaimReader {
  readonly beyond = new Map<number, Set<number>>()
  readonly #topics: readonly GroupTopic[]
  readonly #ids: readonly (Int32Array | null)[]
  readonly #topicOf: number[] = []
  readonly #numberOf: number[] = []
  offsets = new Uint32Array(1)
  generations = new Int32Array(0)
  fieldGenerations = new Int32Array(0)

  constructor(topics: readonly GroupTopic[], ids: readonly (Int32Array | null)[]) {
    this.#topics = topics
    this.#ids = ids
  }

  read(members: readonly GroupMember[], { dataOf, topicOf }: ClaimRule): this {
    this.offsets = new Uint32Array(members.length + 1)
    this.fieldGenerations = Int32Array.from(members, ({ generationId }) => generationId ?? -1)
    this.generations = Int32Array.from(members, (member, i) => {
      const { owned, generation } = dataOf(member)
      owned.forEach((claim, j) => {
        checkClaim(claim, `members[${i}].ownedPartitions[${j}]`)
        this.#add(topicOf(claim.topic), claim.partition)
      })
      this.offsets[i + 1] = this.#topicOf.length
      return generation ?? -1
    })
    return this
  }

  #add(topic: number, number: number): void {
    if (topic === -1) return
    this.#topicOf.push(topic)
    this.#numberOf.push(number)
    const count = this.#topics[topic]?.partitions ?? 0
    if ((number >= 0 && number < count) || this.#ids[topic]?.includes(number) === true) return
    const beyond = this.beyond.get(topic)
    if (beyond === undefined) this.beyond.set(topic, new Set([number]))
    else beyond.add(number)
  }

  slots(space: SlotSpace): Uint32Array {
    return Uint32Array.from(this.#topicOf, (topic, i) => slotOf(space, topic, this.#numberOf[i]!))
  }
}

function checkClaim(claim: TopicPartition, where: string): void {
  if (typeof claim !== 'object' || claim === null || typeof claim.topic !== 'string') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected { topic, partition }, got ${shown(claim)}`)
  }
  checkInteger(claim.partition, `${where}.partition`, INT32)
}

/** Racks by number: of members, and of the sets that partitions lie on. `null` where no member has one. */
function racksOf(
  { starts, ...space }: SlotSpace,
  topics: readonly GroupTopic[],
  ids: readonly (Int32Array | null)[],
  members: readonly GroupMember[],
): AssignRacks | null {
  if (!members.some(({ rack = '' }) => rack !== '')) return null
  const names = new Map<string, number>()
  const numberOf = (rack: string): number => {
    const number = names.get(rack) ?? names.size
    names.set(rack, number)
    return number
  }
  const ofMember = Int32Array.from(members, ({ rack = '' }) => (rack === '' ? -1 : numberOf(rack)))
  const sets = new RackSets()
  const setOf = new Uint32Array(starts.at(-1)!)
  topics.forEach(({ racks, ids: given }, topic) => {
    racks?.forEach((some, i) => {
      const slot = slotOf(
        { starts, numbers: space.numbers },
        topic,
        ids[topic] === null ? (given?.[i] ?? i) : given![i]!,
      )
      setOf[slot] = sets.of(rackNumbers(some, `topics[${topic}].racks[${i}]`, numberOf))
    })
  })
  return { count: names.size, ofMember, setOf, ...sets.columns() }
}

export function rackNumbers(
  some: readonly (string | null)[],
  where: string,
  numberOf: (rack: string) => number,
): number[] {
  if (!Array.isArray(some)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected an array of racks, got ${shown(some)}`)
  }
  const numbers = new Set<number>()
  for (const rack of some as readonly unknown[]) {
    if (rack === null) continue
    if (typeof rack !== 'string') {
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected racks or nulls, got ${shown(rack)}`)
    }
    numbers.add(numberOf(rack))
  }
  return [...numbers].sort((a, b) => a - b)
}

/** Sets of racks, each stored once; set 0 is the empty one. */
export class RackSets {
  readonly #known = new Map<string, number>([['', 0]])
  readonly #offsets = [0, 0]
  readonly #racks: number[] = []

  of(racks: readonly number[]): number {
    const key = racks.join()
    let set = this.#known.get(key)
    if (set === undefined) {
      set = this.#offsets.length - 1
      this.#racks.push(...racks)
      this.#offsets.push(this.#racks.length)
      this.#known.set(key, set)
    }
    return set
  }

  columns(): Pick<AssignRacks, 'setOffsets' | 'setRacks'> {
    return { setOffsets: Uint32Array.from(this.#offsets), setRacks: Uint32Array.from(this.#racks) }
  }
}
