/**
 * A group while a script of events runs over it: its members, its topics, and who has what.
 *
 * For `kafka.rebalance`. What each answer told (who owns what, generations, the highest generation an assignor saw) goes
 * into the next question, as members of a live group send it.
 */
import { codedError, nearest, shown } from '../errors.js'
import { type AssignQuestion, assign, type SubscriptionType } from './assign.js'
import type { AssignNote } from './assign-notes.js'
import type { NumberedGroup } from './group-objects.js'
import type {
  GroupMember,
  GroupTopic,
  MemberColumns,
  SubscriptionColumns,
  TopicColumns,
  TopicPartition,
} from './group-types.js'
import type { GroupEvent, PartitionsEvent } from './rebalance-events.js'
import { checkedIds, checkIds, isConsumer, isObjects, numberedGroup } from './rebalance-input.js'
import { checkRackCount, RackTable } from './rebalance-racks.js'
import {
  appended,
  listsOf,
  type Moment,
  mapped,
  type ScriptSpace,
  type SlotColumns,
  SlotListBuilder,
  SubscriptionLists,
  scriptSpace,
  wantedTopics,
} from './rebalance-space.js'

/** What an assignor answered, in the slots of the script. */
export interface GroupAnswer {
  /** What members get now. */
  readonly now: SlotColumns
  readonly final: SlotColumns
  readonly withheld: SlotColumns
  readonly notes: readonly AssignNote[]
}

interface Member {
  readonly number: number
  readonly list: number
  readonly instanceId: string | null
  readonly rack: number
  readonly weight: number
  readonly generation: number
}

export class RebalancingGroup {
  readonly space: ScriptSpace
  readonly #question: AssignQuestion
  readonly #racks: RackTable
  /** Weight of each topic. */
  readonly #weights: Uint32Array
  /** Uuids of the topics of a consumer group, by topic. */
  readonly #ids: (string | undefined)[]
  #members: Member[]
  #counts: Int32Array
  #held: SlotColumns
  #generation: number
  #maxGeneration: number

  constructor(question: AssignQuestion, events: readonly GroupEvent[]) {
    const group = numberedGroup(question)
    const { problem } = group
    this.#question = question
    this.space = scriptSpace(group, events)
    this.#counts = new Int32Array(this.space.topics.names.length)
    group.topics.forEach((_, topic) => {
      this.#counts[topic] = problem.starts[topic + 1]! - problem.starts[topic]!
    })
    this.#ids = isConsumer(question) ? checkedIds(question) : []
    this.#weights = this.#topicWeights()
    const slotOf = this.#slots(problem.starts)
    this.#held = { offsets: problem.claimOffsets, values: problem.claims.map(slotOf) }
    this.#racks = this.#rackTable(slotOf)
    this.#members = this.#numberedMembers(group)
    this.#generation = problem.generations.reduce((most, generation) => Math.max(most, generation), 0)
    this.#maxGeneration = problem.maxGeneration
  }

  /** From numbers of the partitions of `starts` to slots of the script. */
  #slots(starts: Uint32Array): (partition: number) => number {
    const shift = new Int32Array(starts.at(-1)!)
    for (let topic = 0; topic + 1 < starts.length; topic++) {
      shift.fill(this.space.starts[topic]! - starts[topic]!, starts[topic]!, starts[topic + 1]!)
    }
    return (partition) => partition + shift[partition]!
  }

  #rackTable(slotOf: (partition: number) => number): RackTable {
    const { topics, members } = this.#question
    const table = new RackTable(this.space.topicOf.length)
    if (isObjects(topics)) {
      topics.forEach(({ racks = [] }, topic) => {
        table.place(racks, this.space.starts[topic]!, `topics[${topic}].racks`)
      })
    } else if (!Array.isArray(members)) {
      const { racks } = members as MemberColumns
      if (racks !== undefined) table.placeColumns(racks, slotOf)
    }
    return table
  }

  #topicWeights(): Uint32Array {
    const { topics } = this.#question
    const weights = new Uint32Array(this.#counts.length).fill(1)
    if (!isObjects(topics)) weights.set(topics.weights ?? [])
    else for (const [topic, { weight = 1 }] of topics.entries()) weights[topic] = weight
    return weights
  }

  #numberedMembers({ members, problem }: NumberedGroup): Member[] {
    const { listOffsets, listTopics, listOf, generations } = problem
    const lists = Array.from({ length: listOffsets.length - 1 }, (_, list) =>
      this.space.lists.of(listTopics.slice(listOffsets[list], listOffsets[list + 1])),
    )
    const given = this.#question.members
    return members.map((_, number) => ({
      number,
      list: lists[listOf[number]!]!,
      instanceId: (isObjects(given) ? given[number]!.instanceId : given.instanceIds?.[number]) ?? null,
      rack: isObjects(given) ? this.#racks.numberOf(given[number]!.rack ?? '') : (given.racks?.ofMember[number] ?? -1),
      weight: (isObjects(given) ? given[number]!.weight : given.weights?.[number]) ?? 1,
      generation: generations[number]!,
    }))
  }

  /** Everything as it is now. */
  get moment(): Moment {
    return {
      members: this.#members.map(({ number }) => number),
      listOf: Uint32Array.from(this.#members, ({ list }) => list),
      counts: this.#counts,
      ...this.#held,
    }
  }

  get generation(): number {
    return this.#generation
  }

  get isEmpty(): boolean {
    return this.#members.length === 0
  }

  /** What the members own that is there and that they still subscribe to. */
  subscribed(): SlotColumns {
    const { lists, topicOf } = this.space
    const { offsets, values } = this.#held
    const kept = new SlotListBuilder(this.#members.length, values.length)
    const stamp = new Int32Array(this.#counts.length).fill(-1)
    let last = -1
    this.#members.forEach(({ list }, i) => {
      if (list !== last) for (const topic of lists.topics(list)) stamp[topic] = list
      last = list
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
        if (stamp[topicOf[values[at]!]!] === list) kept.push(values[at]!)
      }
      kept.end()
    })
    return kept
  }

  /** Asks the assignor, with these partitions as what the members own. */
  ask(owned: SlotColumns): GroupAnswer {
    const { slots, partitionOf } = this.#existing()
    const { topics, members } = this.#columns(partitionOf === null ? owned : mapped(owned, partitionOf), slots)
    const answer = assign({
      ...this.#question,
      ...(isConsumer(this.#question)
        ? { subscriptionType: this.#question.subscriptionType ?? this.#subscriptionType }
        : {}),
      topics,
      members,
      maxGeneration: this.#maxGeneration,
    })
    this.#maxGeneration = answer.maxGeneration ?? this.#maxGeneration
    this.#generation += 1
    this.#members = this.#members.map((member) => ({ ...member, generation: this.#generation }))
    const inScript = (lists: SlotColumns) => (slots === null ? lists : mapped(lists, slots))
    const [now, withheld] = [inScript(answer), inScript(answer.withheld)]
    return {
      now,
      final: answer.final.values === answer.values ? now : inScript(answer.final),
      withheld,
      notes: answer.notes,
    }
  }

  /** The members have these partitions now. */
  take(held: SlotColumns): void {
    this.#held = { offsets: held.offsets, values: held.values }
  }

  /** The slots that exist, in order, and the place of each among them (-1 for one that does not exist); `null` for all. */
  #existing(): { readonly slots: Uint32Array | null; readonly partitionOf: Int32Array | null } {
    const { starts, topicOf } = this.space
    const total = this.#counts.reduce((sum, count) => sum + count, 0)
    if (total === topicOf.length) return { slots: null, partitionOf: null }
    const slots = new Uint32Array(total)
    const partitionOf = new Int32Array(topicOf.length).fill(-1)
    let next = 0
    this.#counts.forEach((count, topic) => {
      for (let slot = starts[topic]!; slot < starts[topic]! + count; slot++) {
        slots[next] = slot
        partitionOf[slot] = next++
      }
    })
    return { slots, partitionOf }
  }

  #columns(owned: SlotColumns, slots: Uint32Array | null): { topics: TopicColumns; members: MemberColumns } {
    const instanceIds = this.#members.map(({ instanceId }) => instanceId)
    const racks = this.#racks.columns(
      Int32Array.from(this.#members, ({ rack }) => rack),
      slots,
    )
    const weights = Uint32Array.from(this.#members, ({ weight }) => weight)
    const { topics, subscriptions } = isConsumer(this.#question) ? this.#knownTopics() : this.#allTopics()
    const members: MemberColumns = {
      ids: this.#members.map(({ number }) => this.space.members.names[number]!),
      subscriptions,
      owned: { offsets: owned.offsets, values: owned.values },
      generations: Int32Array.from(this.#members, ({ generation }) => generation),
      ...(instanceIds.some((id) => id !== null) ? { instanceIds } : {}),
      ...(racks === null ? {} : { racks }),
      ...(weights.some((weight) => weight !== 1) ? { weights } : {}),
    }
    return { topics, members }
  }

  #allTopics(): { topics: TopicColumns; subscriptions: SubscriptionColumns } {
    const { topics, lists } = this.space
    const isWeighted = this.#weights.some((weight) => weight !== 1)
    return {
      topics: { names: topics.names, partitions: this.#counts, ...(isWeighted ? { weights: this.#weights } : {}) },
      subscriptions: lists.columns(Uint32Array.from(this.#members, ({ list }) => list)),
    }
  }

  /** A broker tells its assignors of topics by id: one that is not there has none, and is left out. */
  #knownTopics(): { topics: TopicColumns; subscriptions: SubscriptionColumns } {
    const known = Array.from(this.#counts.keys()).filter((topic) => this.#counts[topic]! > 0)
    const placeOf = new Map(known.map((topic, place) => [topic, place]))
    const lists = new SubscriptionLists()
    const listOf = Uint32Array.from(this.#members, ({ list }) =>
      lists.of(
        this.space.lists
          .topics(list)
          .filter((topic) => placeOf.has(topic))
          .map((topic) => placeOf.get(topic)!),
      ),
    )
    const topics = {
      names: known.map((topic) => this.space.topics.names[topic]!),
      partitions: Int32Array.from(known, (topic) => this.#counts[topic]!),
      ids: known.map((topic) => this.#ids[topic]!),
    }
    return { topics, subscriptions: lists.columns(listOf) }
  }

  /** As the broker finds it: names count, whether there is such a topic or not. */
  get #subscriptionType(): SubscriptionType {
    const [first, ...others] = [...new Set(this.#members.map(({ list }) => list))].map(
      (list) => new Set(this.space.lists.topics(list)),
    )
    const alike = others.every((set) => set.size === first!.size && [...set].every((topic) => first!.has(topic)))
    return alike ? 'homogeneous' : 'heterogeneous'
  }

  /** The group as a question: the input of the next script. */
  get state(): AssignQuestion {
    const { topics, members, maxGeneration } = this.#isSpelledOut ? this.objects() : this.#state()
    return { ...this.#question, topics, members, maxGeneration }
  }

  /** In columns a consumer group has no place for the name of a topic that is not there. */
  get #isSpelledOut(): boolean {
    if (!isConsumer(this.#question)) return false
    const lists = new Set(this.#members.map(({ list }) => list))
    return [...lists].some((list) => this.space.lists.topics(list).some((topic) => this.#counts[topic] === 0))
  }

  #state(): { topics: TopicColumns; members: MemberColumns; maxGeneration: number } {
    const { slots, partitionOf } = this.#existing()
    const owned = partitionOf === null ? this.#held : mapped(this.#held, partitionOf)
    return { ...this.#columns(owned, slots), maxGeneration: this.#maxGeneration }
  }

  /** The same as objects. */
  objects(): { topics: GroupTopic[]; members: GroupMember[]; maxGeneration: number } {
    const { topics, members, lists, starts } = this.space
    const held = listsOf(this.space, this.moment.members, this.#held)
    return {
      topics: topics.names.flatMap((name, topic) => {
        const partitions = this.#counts[topic]!
        const racks = this.#racks.namesOf(starts[topic]!, starts[topic]! + partitions)
        const id = this.#ids[topic]
        const weight = this.#weights[topic]!
        const more = {
          ...(racks === null ? {} : { racks }),
          ...(id === undefined ? {} : { id }),
          ...(weight === 1 ? {} : { weight }),
        }
        return partitions === 0 ? [] : [{ name, partitions, ...more }]
      }),
      members: this.#members.map(({ number, list, instanceId, rack, weight, generation }) => {
        const [id, named] = [members.names[number]!, this.#racks.nameOf(rack)]
        return {
          id,
          topics: Array.from(lists.topics(list), (topic) => topics.names[topic]!),
          ...(instanceId === null ? {} : { instanceId }),
          ...(named === undefined ? {} : { rack: named }),
          ...(weight === 1 ? {} : { weight }),
          ownedPartitions: held.partitionsOf(id),
          generationId: generation,
        }
      }),
      maxGeneration: this.#maxGeneration,
    }
  }

  /** Lets an event happen, but for who has what then. Returns whether the members must be assigned anew. */
  apply(event: Exclude<GroupEvent, { readonly bounce: string }>): boolean {
    if ('join' in event) return this.#join(event.join)
    if ('leave' in event) return this.remove(this.placeOf(event.leave, 'leave')) !== undefined
    if ('subscribe' in event) return this.#subscribe(event.subscribe, event.topics)
    if ('rack' in event) return this.#moveRack(event.rack, event.to)
    if ('partitions' in event) return this.#grow(event)
    if ('addTopic' in event) return this.#addTopic(event.addTopic)
    return this.#resize(this.#topicOf(event.removeTopic, 'removeTopic'), 0)
  }

  /** The place of a member in the group. `what` names the event's field. */
  placeOf(id: string, what: string): number {
    const { names } = this.space.members
    const place = this.#members.findIndex(({ number }) => names[number] === id)
    if (place !== -1) return place
    const near = nearest(
      id,
      this.#members.map(({ number }) => names[number]!),
    )
    const hint = near === null ? '' : ` (did you mean ${near}?)`
    throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', `${what}: expected a member of the group, got ${shown(id)}${hint}`)
  }

  isStatic(place: number): boolean {
    return this.#members[place]!.instanceId !== null
  }

  /** Takes a member out; its partitions are nobody's. */
  remove(place: number): Member {
    const { offsets, values } = this.#held
    const kept = new SlotListBuilder(this.#members.length - 1, values.length)
    this.#members.forEach((_, i) => {
      if (i === place) return
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) kept.push(values[at]!)
      kept.end()
    })
    this.take(kept)
    return this.#members.splice(place, 1)[0]!
  }

  /** Puts a member behind all others. */
  add(member: Member, owned: readonly number[]): void {
    const { offsets, values } = this.#held
    this.#members.push(member)
    this.take({ offsets: appended(offsets, [values.length + owned.length]), values: appended(values, owned) })
  }

  #join(member: GroupMember): boolean {
    const { members, topics, lists } = this.space
    const number = members.indexOf(member.id)
    if (this.#members.some((one) => one.number === number))
      throw twice('join.id', `${shown(member.id)}, which is in the group`)
    const { instanceId = null } = member
    const fenced = this.#members.find((one) => instanceId !== null && one.instanceId === instanceId)
    if (fenced !== undefined) {
      const other = shown(members.names[fenced.number]!)
      throw twice(
        'join.instanceId',
        `${shown(instanceId)}, which ${other} has: a static member that comes back bounces`,
      )
    }
    const list = lists.of(Uint32Array.from(member.topics, (name) => topics.indexOf(name)))
    const { ownedPartitions = [], generationId: generation = -1, rack = '', weight = 1 } = member
    const owned = ownedPartitions.flatMap((one, i) => this.#claim(one, `join.ownedPartitions[${i}]`))
    this.add({ number, list, instanceId, rack: this.#racks.numberOf(rack), weight, generation }, owned)
    return true
  }

  /** The slot of a claim; none for a topic that is not there. */
  #claim({ topic: name, partition }: TopicPartition, where: string): number[] {
    const topic = this.space.topics.indexOf(name)
    const count = this.#counts[topic] ?? 0
    if (count === 0) return []
    if (partition >= 0 && partition < count) return [this.space.starts[topic]! + partition]
    throw noSuchPartition(where, count, partition)
  }

  #subscribe(id: string, names: readonly string[]): boolean {
    const { topics, lists } = this.space
    const place = this.placeOf(id, 'subscribe')
    const member = this.#members[place]!
    const list = lists.of(Uint32Array.from(names, (name) => topics.indexOf(name)))
    const [before, after] = [new Set(lists.topics(member.list)), new Set(lists.topics(list))]
    this.#members[place] = { ...member, list }
    return before.size !== after.size || [...after].some((topic) => !before.has(topic))
  }

  #moveRack(id: string, to: string): boolean {
    const place = this.placeOf(id, 'rack')
    const member = this.#members[place]!
    const rack = this.#racks.numberOf(to)
    this.#members[place] = { ...member, rack }
    return rack !== member.rack
  }

  #grow({ partitions: name, count, racks }: PartitionsEvent): boolean {
    const topic = this.#topicOf(name, 'partitions')
    const now = this.#counts[topic]!
    checkRackCount(racks, count - now, 'racks')
    if (count <= now) throw noIncrease(name, now, count)
    if (racks !== undefined) this.#racks.place(racks, this.space.starts[topic]! + now, 'racks')
    return this.#resize(topic, count)
  }

  #addTopic({ name, partitions, racks, id, weight = 1 }: GroupTopic): boolean {
    const topic = this.space.topics.indexOf(name)
    if (this.#counts[topic]! > 0) throw twice('addTopic.name', `${shown(name)}, which is there`)
    if (isConsumer(this.#question)) {
      const others = this.#ids.filter((_, other) => this.#counts[other]! > 0)
      checkIds([...others, id], () => 'addTopic.id')
      this.#ids[topic] = id
    }
    if (racks !== undefined) this.#racks.place(racks, this.space.starts[topic]!, 'addTopic.racks')
    this.#weights[topic] = weight
    return this.#resize(topic, partitions)
  }

  #topicOf(name: string, what: string): number {
    const { topics } = this.space
    const topic = topics.indexOf(name)
    if (topic !== -1 && this.#counts[topic]! > 0) return topic
    const near = nearest(
      name,
      topics.names.filter((_, i) => this.#counts[i]! > 0),
    )
    const hint = near === null ? '' : ` (did you mean ${near}?)`
    throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', `${what}: expected a topic that is there, got ${shown(name)}${hint}`)
  }

  /** Members hear of it where somebody subscribes to the topic. */
  #resize(topic: number, count: number): boolean {
    const wanted = () => wantedTopics(this.space, this.moment)[topic] === 1
    const before = wanted()
    this.#counts = this.#counts.slice()
    this.#counts[topic] = count
    if (count === 0) this.#racks.clear(this.space.starts[topic]!, this.space.starts[topic + 1]!)
    return before || wanted()
  }
}

const twice = (where: string, what: string): Error =>
  codedError('ERR_PLACEMENT_DUPLICATE', `${where}: expected one that is new, got ${what}`)

const noSuchPartition = (where: string, count: number, partition: number): Error =>
  codedError(
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    `${where}.partition: expected an integer in [0, ${count - 1}], got ${partition}`,
  )

/** Kafka refuses it too; its words are those of the controller, 4.4.0. */
function noIncrease(name: string, now: number, count: number): Error {
  const javaMessage =
    count === now
      ? `Topic already has ${now} partition(s).`
      : `The topic ${name} currently has ${now} partition(s); ${count} would not be an increase.`
  return codedError(
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    `count: expected more than the ${now} of ${shown(name)}, got ${count}`,
    {
      javaClass: 'org.apache.kafka.common.errors.InvalidPartitionsException',
      javaMessage,
    },
  )
}
