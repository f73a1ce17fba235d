/**
 * Numbers that hold for a whole script of events: every member and topic that is there or comes, and a slot for every
 * partition that a topic ever gets.
 *
 * For `kafka.rebalance`. So lists of one moment can be laid over lists of another: a slot is the same partition in all.
 * A topic's slots are `[starts[t], starts[t + 1])`; at a moment when it has `count` partitions, the first `count` exist.
 */
import { PartitionLists } from './assignment.js'
import { NameIndex } from './group-names.js'
import type { NumberedGroup } from './group-objects.js'
import type { GroupEvent } from './rebalance-events.js'
import { startsOf } from './slot-space.js'

export interface ScriptSpace {
  readonly members: NameIndex
  readonly topics: NameIndex
  readonly starts: Uint32Array
  /** The topic of each slot. */
  readonly topicOf: Uint32Array
  /** Subscription lists, each once: topics by number. */
  readonly lists: SubscriptionLists
}

/** Members and their subscriptions, and who has which slots: one moment of a group. */
export interface Moment extends SlotColumns {
  /** Members in their order, by number. */
  readonly members: readonly number[]
  /** The subscription list of each. */
  readonly listOf: Uint32Array
  /** Partitions of each topic; 0 for one that is not there. */
  readonly counts: Int32Array
}

/** Lays out the numbers. Errors: ERR_PLACEMENT_ARGUMENT_RANGE where there are 2^31 partitions or more. */
export function scriptSpace(group: NumberedGroup, events: readonly GroupEvent[]): ScriptSpace {
  const [members, topics] = [new NameIndex(), new NameIndex()]
  const { starts: given } = group.problem
  const most = group.topics.map((_, topic) => given[topic + 1]! - given[topic]!)
  for (const name of group.members) members.indexOrAdd(name, '')
  for (const name of group.topics) topics.indexOrAdd(name, '')
  const named = (name: string, count: number) => {
    const topic = topics.indexOrAdd(name, '')
    most[topic] = Math.max(most[topic] ?? 0, count)
  }
  for (const event of events) {
    if ('join' in event) {
      members.indexOrAdd(event.join.id, '')
      for (const name of event.join.topics) named(name, 0)
    }
    if ('subscribe' in event) for (const name of event.topics) named(name, 0)
    if ('partitions' in event) named(event.partitions, event.count)
    if ('addTopic' in event) named(event.addTopic.name, event.addTopic.partitions)
  }
  const starts = startsOf(most)
  const topicOf = new Uint32Array(starts.at(-1)!)
  for (let topic = 0; topic < most.length; topic++) topicOf.fill(topic, starts[topic]!, starts[topic + 1]!)
  return { members, topics, starts, topicOf, lists: new SubscriptionLists() }
}

/** Which topics are subscribed to by somebody and are there: 1 for each that is. */
export function wantedTopics({ lists }: ScriptSpace, { listOf, counts }: Moment): Uint8Array {
  const wanted = new Uint8Array(counts.length)
  for (const list of new Set(listOf)) {
    for (const topic of lists.topics(list)) if (counts[topic]! > 0) wanted[topic] = 1
  }
  return wanted
}

/** The first member that has each slot, by number; -1 for nobody. */
export function holdersOf({ topicOf }: ScriptSpace, { members, offsets, values }: Moment): Int32Array {
  const holders = new Int32Array(topicOf.length).fill(-1)
  for (let i = 0; i < members.length; i++) {
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
      if (holders[values[at]!] === -1) holders[values[at]!] = members[i]!
    }
  }
  return holders
}

/** Subscription lists, equal ones stored once. */
export class SubscriptionLists {
  readonly #lists: Uint32Array[] = []
  readonly #known = new Map<string, number>()

  topics(list: number): Uint32Array {
    return this.#lists[list]!
  }

  /** The number of a list. */
  of(topics: Uint32Array): number {
    const key = topics.join()
    let list = this.#known.get(key)
    if (list === undefined) {
      list = this.#lists.push(topics) - 1
      this.#known.set(key, list)
    }
    return list
  }

  /** All lists in the columns that `kafka.assign` takes. */
  columns(listOf: Uint32Array): { offsets: Uint32Array; topics: Uint32Array; listOf: Uint32Array } {
    const offsets = startsOf(this.#lists.map(({ length }) => length))
    const topics = new Uint32Array(offsets.at(-1)!)
    this.#lists.forEach((list, i) => {
      topics.set(list, offsets[i]!)
    })
    return { offsets, topics, listOf }
  }
}

/** Lists of slots, one for each member: that at place `i` has `values[offsets[i] .. offsets[i + 1])`. */
export interface SlotColumns {
  readonly offsets: Uint32Array
  readonly values: Uint32Array
}

/** Makes such lists member by member. */
export class SlotListBuilder implements SlotColumns {
  readonly offsets: Uint32Array
  readonly #values: Uint32Array
  #member = 0
  #length = 0

  constructor(members: number, most: number) {
    this.offsets = new Uint32Array(members + 1)
    this.#values = new Uint32Array(most)
  }

  push(slot: number): void {
    this.#values[this.#length++] = slot
  }

  /** Ends the list of a member. */
  end(): void {
    this.offsets[++this.#member] = this.#length
  }

  get values(): Uint32Array {
    return this.#length === this.#values.length ? this.#values : this.#values.slice(0, this.#length)
  }
}

/** What each member has before and not after. */
export function losses(before: SlotColumns, after: SlotColumns, slots: number): SlotColumns {
  const stamp = new Int32Array(slots).fill(-1)
  const lists = new SlotListBuilder(before.offsets.length - 1, before.values.length)
  for (let i = 0; i + 1 < before.offsets.length; i++) {
    for (let at = after.offsets[i]!; at < after.offsets[i + 1]!; at++) stamp[after.values[at]!] = i
    for (let at = before.offsets[i]!; at < before.offsets[i + 1]!; at++) {
      if (stamp[before.values[at]!] !== i) lists.push(before.values[at]!)
    }
    lists.end()
  }
  return { offsets: lists.offsets, values: lists.values }
}

/** Lists of some members of a script. */
export function listsOf(
  { members, topics, starts }: ScriptSpace,
  who: readonly number[],
  lists: SlotColumns,
): PartitionLists {
  const memberIds = who.map((number) => members.names[number]!)
  return new PartitionLists({ memberIds, topicNames: topics.names, starts, numbers: null }, lists.offsets, lists.values)
}

/** The same lists with other slots; those that become -1 are left out. */
export function mapped({ offsets, values }: SlotColumns, to: Uint32Array | Int32Array): SlotColumns {
  const lists = new SlotListBuilder(offsets.length - 1, values.length)
  for (let i = 0; i + 1 < offsets.length; i++) {
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
      const slot = to[values[at]!]!
      if (slot !== -1) lists.push(slot)
    }
    lists.end()
  }
  return { offsets: lists.offsets, values: lists.values }
}

/** The same with more behind it. */
export function appended(values: Uint32Array, more: readonly number[]): Uint32Array {
  const all = new Uint32Array(values.length + more.length)
  all.set(values)
  all.set(more, values.length)
  return all
}
