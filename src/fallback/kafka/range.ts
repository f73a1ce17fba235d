/**
 * RangeAssignor: of each topic, a run of partitions for each member.
 *
 * For `kafka.assign` with `range`. Source: Apache Kafka 4.4.0, org.apache.kafka.clients.consumer.RangeAssignor, with the
 * rack awareness of KIP-881. Twin of native/core/src/kafka/range.rs.
 * What differs from the obvious: every topic begins anew with the first member; static members come before dynamic ones;
 * topics come in the order of a HashMap that was filled from a HashSet; where racks matter, lists are sorted instead, and
 * topics of equal subscribers and equally many partitions are handed out together.
 */
import type { AssignAnswer, AssignProblem, AssignRacks } from '../../engine/assign-contract.js'
import { javaMapOrder } from './java-map.js'
import { ListBuilder, offsetsOf, plainResult } from './list-builder.js'
import { isOnRack, racksMatter } from './racks.js'
import { exists, slotOf } from './slots.js'
import type { Steps } from './steps.js'
import { activeTopics, namedTopics, subscriberClasses } from './subscriptions.js'

/** The capacity that Java's maps begin with. */
const FIRST_TABLE = 16

export function* assignRange(problem: AssignProblem): Steps<AssignAnswer> {
  const states = rackStates(problem)
  if (states === null) return yield* inHashOrder(problem)
  if (problem.topicOrder === null) return { failure: 'order-needed', member: -1 }
  return withRacks(problem, states)
}

/** Topics that take part, each with its members. */
interface Ranges {
  readonly classOf: Int32Array
  /** Members of each class, each once. */
  readonly members: readonly Uint32Array[]
}

function rangesOf(problem: AssignProblem): Ranges {
  const { classOf, members } = subscriberClasses(problem, problem.memberInfoOrder)
  return { classOf, members: members.map((some) => Uint32Array.from(new Set(some))) }
}

/** Topics of a part. */
const TOPICS_A_PART = 1024

function* inHashOrder(problem: AssignProblem): Steps<AssignAnswer> {
  const topics = topicsInHashOrder(problem)
  if (topics === null) return { failure: 'order-needed', member: -1 }
  yield 1
  const ranges = rangesOf(problem)
  const counts = new Uint32Array(problem.listOf.length)
  const count: GiveRun = (member, _topic, _from, length) => {
    counts[member]! += length
  }
  for (let i = 0; i < topics.length; i += TOPICS_A_PART) {
    eachRun(problem, ranges, topics.subarray(i, i + TOPICS_A_PART), count)
    yield 2
  }
  const offsets = offsetsOf(counts)
  const values = new Uint32Array(offsets[counts.length]!)
  const fill = filler(problem, values, offsets.slice())
  for (let i = 0; i < topics.length; i += TOPICS_A_PART) {
    eachRun(problem, ranges, topics.subarray(i, i + TOPICS_A_PART), fill)
    yield 4
  }
  return plainResult(offsets, values)
}

type GiveRun = (member: number, topic: number, from: number, length: number) => void

function filler(problem: AssignProblem, values: Uint32Array, ends: Uint32Array): GiveRun {
  const { starts, kinds } = problem
  return (member, topic, from, length) => {
    const at = ends[member]!
    if (kinds === null) for (let i = 0; i < length; i++) values[at + i] = starts[topic]! + from + i
    else values.set(existingSlots(problem, topic).subarray(from, from + length), at)
    ends[member] = at + length
  }
}

/** Calls for each run of partitions, by their places among those that exist, topic by topic. */
function eachRun(problem: AssignProblem, { classOf, members }: Ranges, topics: Uint32Array, give: GiveRun): void {
  for (const topic of topics) {
    const some = members[classOf[topic]!]!
    const count = partitionCount(problem, topic)
    const each = Math.floor(count / some.length)
    const extra = count % some.length
    const last = Math.min(count, some.length)
    let from = 0
    for (let i = 0; i < last; i++) {
      const length = i < extra ? each + 1 : each
      give(some[i]!, topic, from, length)
      from += length
    }
  }
}

function partitionCount(problem: AssignProblem, topic: number): number {
  const { starts, kinds } = problem
  return kinds === null ? starts[topic + 1]! - starts[topic]! : existingSlots(problem, topic).length
}

function existingSlots(problem: AssignProblem, topic: number): Uint32Array {
  const slots: number[] = []
  for (let slot = problem.starts[topic]!; slot < problem.starts[topic + 1]!; slot++) {
    if (exists(problem, slot)) slots.push(slot)
  }
  return Uint32Array.from(slots)
}

/** A map of the topics with partitions, filled in the order of a set of all topics that anybody names. */
function topicsInHashOrder(problem: AssignProblem): Uint32Array | null {
  const ranks = ranksOf(problem.topicOrder)
  const all = hashOrdered(problem, namedTopics(problem), ranks)
  if (all === null) return null
  const active = activeTopics(problem)
  return hashOrdered(
    problem,
    all.filter((topic) => active[topic] === 1),
    ranks,
  )
}

function ranksOf(order: Uint32Array | null): Uint32Array | null {
  if (order === null) return null
  const ranks = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) ranks[order[i]!] = i
  return ranks
}

function hashOrdered({ topicHashes }: AssignProblem, topics: Uint32Array, ranks: Uint32Array | null) {
  const hashes = new Int32Array(topics.length)
  for (let i = 0; i < topics.length; i++) hashes[i] = topicHashes[topics[i]!]!
  const places = ranks === null ? null : topics.map((topic) => ranks[topic]!)
  const order = javaMapOrder(hashes, places, FIRST_TABLE)
  return order === null ? null : order.map((i) => topics[i]!)
}

/** One topic while it is handed out. */
class TopicState {
  readonly topic: number
  readonly slots: Uint32Array
  readonly members: Uint32Array
  readonly needsRacks: boolean
  readonly #racks: AssignRacks
  readonly #each: number
  #extra: number
  readonly #given: Map<number, number> = new Map()

  constructor(problem: AssignProblem, racks: AssignRacks, topic: number, members: Uint32Array) {
    this.topic = topic
    this.slots = existingSlots(problem, topic)
    this.members = members
    this.#racks = racks
    this.needsRacks = racksMatter(racks, members, new Set(this.slots.map((slot) => racks.setOf[slot]!)))
    this.#each = Math.floor(this.slots.length / members.length)
    this.#extra = this.slots.length % members.length
  }

  fits(member: number, slot: number): boolean {
    const rack = this.#racks.ofMember[member]!
    return rack < 0 || isOnRack(this.#racks, slot, rack)
  }

  room(member: number): number {
    const most = this.#each + (this.#extra > 0 ? 1 : 0)
    return Math.max(0, most - (this.#given.get(member) ?? 0))
  }

  give(member: number, count: number): void {
    const given = (this.#given.get(member) ?? 0) + count
    this.#given.set(member, given)
    if (given > this.#each) this.#extra -= 1
  }
}

/** The topics' states, or `null` where racks matter to none. */
function rackStates(problem: AssignProblem): TopicState[] | null {
  const { racks } = problem
  if (racks === null) return null
  const { classOf, members } = rangesOf(problem)
  const states: TopicState[] = []
  for (let topic = 0; topic < classOf.length; topic++) {
    if (classOf[topic] !== -1) states.push(new TopicState(problem, racks, topic, members[classOf[topic]!]!))
  }
  return states.some(({ needsRacks }) => needsRacks) ? states : null
}

function withRacks(problem: AssignProblem, states: readonly TopicState[]): AssignAnswer {
  const given = new Given(problem)
  for (const some of coPartitioned(problem, states)) {
    if (some.length > 1) giveTogether(problem, some, given)
    else if (some[0]!.needsRacks) giveMatching(some[0]!, given)
  }
  for (const state of states) giveRest(state, given)
  return given.sorted()
}

/** What is handed out; a slot is taken once, though a partition that does not exist can be given. */
class Given {
  readonly taken: Uint8Array
  readonly #problem: AssignProblem
  readonly #lists: number[][]

  constructor(problem: AssignProblem) {
    this.#problem = problem
    this.taken = new Uint8Array(problem.starts.at(-1)!)
    this.#lists = Array.from(problem.listOf, () => [])
  }

  give(member: number, slots: ArrayLike<number> & Iterable<number>, state: TopicState): void {
    for (const slot of slots) {
      this.taken[slot] = 1
      this.#lists[member]!.push(slot)
    }
    state.give(member, slots.length)
  }

  /** Lists by topic and number. */
  sorted(): AssignAnswer {
    const { starts, topicOrder } = this.#problem
    const builder = new ListBuilder(this.#lists.length)
    const holders: number[][] = []
    this.#lists.forEach((list, member) => {
      for (const slot of list) {
        holders[slot] ??= []
        holders[slot].push(member)
      }
    })
    for (const topic of topicOrder!) {
      for (let slot = starts[topic]!; slot < starts[topic + 1]!; slot++) {
        for (const member of holders[slot] ?? []) builder.add(member, slot)
      }
    }
    return builder.result()
  }
}

/** Topics of the same members and equally many partitions with known racks, together. */
function coPartitioned({ racks }: AssignProblem, states: readonly TopicState[]): TopicState[][] {
  const groups = new Map<string, TopicState[]>()
  const keys = new Map<Uint32Array, string>()
  for (const state of states) {
    const { members, slots } = state
    let key = keys.get(members)
    if (key === undefined) {
      key = members.join()
      keys.set(members, key)
    }
    const known = members.some((member) => racks!.ofMember[member]! >= 0) ? slots.length : 0
    const group = `${known} ${key}`
    const some = groups.get(group)
    if (some === undefined) groups.set(group, [state])
    else some.push(state)
  }
  return [...groups.values()]
}

/** Partition by partition of all the topics, to the first member whose rack holds them all and that has room in all. */
function giveTogether(problem: AssignProblem, states: readonly TopicState[], given: Given): void {
  const [{ members, slots }] = states as [TopicState, ...TopicState[]]
  if (!members.some((member) => problem.racks!.ofMember[member]! >= 0)) return
  const left = Array.from(members)
  for (let number = 0; number < slots.length && left.length > 0; number++) {
    const places = states.map((state) => slotOf(problem, state.topic, number))
    const at = left.findIndex((member) =>
      states.every((state, i) => state.fits(member, places[i]!) && state.room(member) > 0),
    )
    if (at === -1) continue
    const member = left[at]!
    states.forEach((state, i) => {
      given.give(member, [places[i]!], state)
    })
    if (states.every((state) => state.room(member) === 0)) left.splice(at, 1)
  }
}

/** For each member, what lies on its rack, as far as its room goes. */
function giveMatching(state: TopicState, given: Given): void {
  let left = state.slots
  for (const member of state.members) {
    const room = state.room(member)
    const some: number[] = []
    for (let i = 0; i < left.length && some.length < room; i++) if (state.fits(member, left[i]!)) some.push(left[i]!)
    if (some.length === 0) continue
    given.give(member, some, state)
    left = left.filter((slot) => given.taken[slot] === 0)
  }
}

/** A run for each member of what is left. */
function giveRest(state: TopicState, given: Given): void {
  const left = state.slots.filter((slot) => given.taken[slot] === 0)
  let from = 0
  for (const member of state.members) {
    const to = Math.min(left.length, from + state.room(member))
    if (to > from) given.give(member, left.subarray(from, to), state)
    from = to
  }
}
