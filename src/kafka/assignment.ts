/**
 * Who has which partitions: columns, and readers over them.
 *
 * For whoever asked `kafka.assign`. The columns are the truth: `values[offsets[m] .. offsets[m + 1])` are the slots of
 * member `m`, in the order of the original's list. Slots of topic `t` are `[starts[t], starts[t + 1])`; slot
 * `starts[t] + i` is partition `i`, unless `numbers` is given and says another one: where ids have gaps, or where somebody
 * claimed a partition that is not there.
 */

import type { Algorithm } from '../engine/assign-contract.js'
import { codedError, shown } from '../errors.js'
import { slotOf } from '../fallback/kafka/slots.js'
import type { KafkaVersion } from '../types.js'
import type { AssignorName, GroupType } from './assign.js'
import type { AssignNote } from './assign-notes.js'
import type { TopicPartition } from './group-types.js'

/** Names and slots of a group. */
export interface GroupNames {
  /** Member ids, by the member's number. */
  readonly memberIds: readonly string[]
  /** Topic names, by the topic's number: as given, then those that are only subscribed to. */
  readonly topicNames: readonly string[]
  readonly starts: Uint32Array
  readonly numbers: Int32Array | null
}

/** One member and one of its partitions. */
export interface MemberPartition extends TopicPartition {
  readonly member: string
}

/** Lists of partitions, one for each member. */
export class PartitionLists implements Iterable<MemberPartition> {
  readonly names: GroupNames
  readonly offsets: Uint32Array
  readonly values: Uint32Array
  #indices: Map<string, number> | undefined
  #topicIndices: Map<string, number> | undefined
  #holders: { readonly first: Int32Array; readonly more: Map<number, number[]> } | undefined

  constructor(names: GroupNames, offsets: Uint32Array, values: Uint32Array) {
    this.names = names
    this.offsets = offsets
    this.values = values
  }

  /**
   * Partitions of a member, in the order of the original's list.
   *
   * @param member its id
   * @throws ERR_PLACEMENT_UNKNOWN_NAME
   */
  partitionsOf(member: string): TopicPartition[] {
    const index = this.#indexOf(member)
    return Array.from(this.values.subarray(this.offsets[index]!, this.offsets[index + 1]!), (slot) => this.#shown(slot))
  }

  /** How many partitions a member has. */
  countOf(member: string): number {
    const index = this.#indexOf(member)
    return this.offsets[index + 1]! - this.offsets[index]!
  }

  /** The first member that has a partition, as an index into `names.memberIds`; -1 for nobody, and for an unknown topic. */
  memberOf(topic: string, partition: number): number {
    const slot = this.#slotOf(topic, partition)
    return slot === -1 ? -1 : this.#byHolder().first[slot]!
  }

  /** All members that have a partition, as often as they do: the originals hand some out twice. */
  membersOf(topic: string, partition: number): number[] {
    const slot = this.#slotOf(topic, partition)
    if (slot === -1 || this.#byHolder().first[slot] === -1) return []
    return [this.#byHolder().first[slot]!, ...(this.#byHolder().more.get(slot) ?? [])]
  }

  /** Member by member as they were given, each in the order of its list. */
  *[Symbol.iterator](): Iterator<MemberPartition> {
    for (const [index, member] of this.names.memberIds.entries()) {
      for (let at = this.offsets[index]!; at < this.offsets[index + 1]!; at++) {
        yield { member, ...this.#shown(this.values[at]!) }
      }
    }
  }

  /** Lists by member id. */
  toJSON(): Record<string, TopicPartition[]> {
    return Object.fromEntries(this.names.memberIds.map((member) => [member, this.partitionsOf(member)]))
  }

  #indexOf(member: string): number {
    this.#indices ??= new Map(this.names.memberIds.map((id, index) => [id, index]))
    const index = this.#indices.get(member)
    if (index !== undefined) return index
    throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', `member: expected the id of a member, got ${shown(member)}`)
  }

  #slotOf(topic: string, partition: number): number {
    this.#topicIndices ??= new Map(this.names.topicNames.map((name, index) => [name, index]))
    const index = this.#topicIndices.get(topic)
    if (index === undefined) return -1
    const { starts, numbers } = this.names
    const slot = slotOf(this.names, index, partition)
    if (!Number.isInteger(slot) || slot < starts[index]! || slot >= starts[index + 1]!) return -1
    return numbers === null || numbers[slot] === partition ? slot : -1
  }

  #shown(slot: number): TopicPartition {
    const { starts, numbers, topicNames } = this.names
    let [low, high] = [0, topicNames.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= slot) low = middle
      else high = middle
    }
    return { topic: topicNames[low]!, partition: numbers === null ? slot - starts[low]! : numbers[slot]! }
  }

  #byHolder(): { readonly first: Int32Array; readonly more: Map<number, number[]> } {
    if (this.#holders !== undefined) return this.#holders
    const first = new Int32Array(this.names.starts.at(-1)!).fill(-1)
    const more = new Map<number, number[]>()
    for (let member = 0; member + 1 < this.offsets.length; member++) {
      for (const slot of this.values.subarray(this.offsets[member]!, this.offsets[member + 1]!)) {
        if (first[slot] === -1) first[slot] = member
        else more.set(slot, [...(more.get(slot) ?? []), member])
      }
    }
    this.#holders = { first, more }
    return this.#holders
  }
}

/** What an assignor told beside the lists. */
export interface AssignmentFacts {
  readonly groupType: GroupType
  readonly assignor: AssignorName
  readonly version: KafkaVersion
  readonly algorithm: Algorithm | null
  readonly maxGeneration: number | null
  readonly notes: readonly AssignNote[]
  readonly final: PartitionLists
  readonly withheld: PartitionLists
}

/**
 * The answer of `kafka.assign`: the lists that the original sends to the members now.
 *
 * For `cooperative-sticky` these are the first round's: `withheld` is missing in them, until whoever owns it gave it up and
 * joined again; `final` is where that leads if nothing else happens. For all others `final` is equal and `withheld` empty.
 */
export class Assignment extends PartitionLists implements AssignmentFacts {
  readonly groupType: GroupType
  readonly assignor: AssignorName
  /** The release whose answer this is. */
  readonly version: KafkaVersion
  /**
   * Which of its two algorithms the assignor took: constrained or general for a sticky one, homogeneous or heterogeneous
   * for one of the broker's; `null` for the others.
   */
  readonly algorithm: Algorithm | null
  /** The highest generation that a sticky assignor saw: give it back with the next question; `null` for the others. */
  readonly maxGeneration: number | null
  /** Where the answer is a defect of the original, and what would be right. */
  readonly notes: readonly AssignNote[]
  readonly final: PartitionLists
  readonly withheld: PartitionLists

  constructor(facts: AssignmentFacts) {
    const { final, withheld } = facts
    const { offsets, values } = withheld.values.length === 0 ? final : without(final, withheld)
    super(final.names, offsets, values)
    this.groupType = facts.groupType
    this.assignor = facts.assignor
    this.version = facts.version
    this.algorithm = facts.algorithm
    this.maxGeneration = facts.maxGeneration
    this.notes = facts.notes
    this.final = final
    this.withheld = withheld
  }

  /** What the members get now: the same lists. */
  get round1(): PartitionLists {
    return this
  }
}

/** Each withheld slot is taken out where it stands first. */
function without(final: PartitionLists, withheld: PartitionLists): { offsets: Uint32Array; values: Uint32Array } {
  const offsets = final.offsets.slice()
  const values = new Uint32Array(final.values.length - withheld.values.length)
  let to = 0
  for (let member = 0; member + 1 < offsets.length; member++) {
    offsets[member] = to
    const waiting = new Set(withheld.values.subarray(withheld.offsets[member]!, withheld.offsets[member + 1]!))
    for (const slot of final.values.subarray(final.offsets[member]!, final.offsets[member + 1]!)) {
      if (!waiting.delete(slot)) values[to++] = slot
    }
  }
  offsets[offsets.length - 1] = to
  return { offsets, values }
}
