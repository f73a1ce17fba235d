/**
 * What `kafka.rebalance` tells: of the script, of each event, of each round. Everything is worked out when it is read.
 */
import type { AssignNote } from './assign-notes.js'
import type { PartitionLists } from './assignment.js'
import { fewestMoves } from './fewest-moves.js'
import {
  balanceOf,
  type GroupBalance,
  type GroupSpread,
  spreadOf,
  spreadsOf,
  type TopicSpread,
} from './rebalance-balance.js'
import type { GroupEvent } from './rebalance-events.js'
import type { Round } from './rebalance-rounds.js'
import {
  holdersOf,
  listsOf,
  losses,
  type Moment,
  type ScriptSpace,
  type SlotColumns,
  SlotListBuilder,
  wantedTopics,
} from './rebalance-space.js'

/** Lists of partitions in JSON: by member that has any, then by topic. */
export type PartitionsByMember = Record<string, Record<string, number[]>>

/** Lists for JSON, members without any left out. */
export function byMember(lists: PartitionLists): PartitionsByMember {
  const all: PartitionsByMember = {}
  for (const { member, topic, partition } of lists) {
    all[member] ??= {}
    all[member][topic] ??= []
    all[member][topic].push(partition)
  }
  return all
}

/** One round of a rebalance. */
export class RebalanceRound {
  /** Where the assignor's answer is a defect of the original, and what would be right. */
  readonly notes: readonly AssignNote[]
  readonly #space: ScriptSpace
  readonly #members: readonly number[]
  readonly #round: Round

  constructor(space: ScriptSpace, members: readonly number[], round: Round) {
    this.notes = round.notes
    this.#space = space
    this.#members = members
    this.#round = round
  }

  /** Who gives up what: in an eager group everybody everything. */
  get revoked(): PartitionLists {
    const { before, during, after } = this.#round
    return this.#lists(during.values.length === 0 ? before : losses(before, after, this.#slots))
  }

  /** Who gets what that it did not have while the round ran. */
  get gained(): PartitionLists {
    return this.#lists(losses(this.#round.after, this.#round.during, this.#slots))
  }

  /** Who will get what as soon as another has given it up. */
  get withheld(): PartitionLists {
    return this.#lists(this.#round.withheld)
  }

  /** Who has what when the round has ended. */
  get after(): PartitionLists {
    return this.#lists(this.#round.after)
  }

  toJSON(): RebalanceRoundDocument {
    const { revoked, gained, withheld, notes } = this
    return { revoked: byMember(revoked), gained: byMember(gained), withheld: byMember(withheld), notes }
  }

  get #slots(): number {
    return this.#space.topicOf.length
  }

  #lists(lists: SlotColumns): PartitionLists {
    return listsOf(this.#space, this.#members, lists)
  }
}

export interface RebalanceRoundDocument {
  readonly revoked: PartitionsByMember
  readonly gained: PartitionsByMember
  readonly withheld: PartitionsByMember
  readonly notes: readonly AssignNote[]
}

/** An event, the group before and after it, and the rounds between. */
export interface StepFacts {
  readonly event: GroupEvent
  readonly before: Moment
  readonly after: Moment
  /** Rounds with the members that took part. */
  readonly rounds: readonly (readonly [members: readonly number[], round: Round])[]
  /** The static member that was away and came back. */
  readonly away: number | null
}

/** What one event did to a group. */
export class RebalanceStep {
  readonly event: GroupEvent
  /** In their order; none where the event concerns nobody in the group, or the group is empty. */
  readonly rounds: readonly RebalanceRound[]
  readonly #space: ScriptSpace
  readonly #facts: StepFacts
  #nobodys: Uint8Array | undefined
  #fewest: number | null | undefined

  constructor(space: ScriptSpace, facts: StepFacts) {
    this.event = facts.event
    this.rounds = facts.rounds.map(([members, round]) => new RebalanceRound(space, members, round))
    this.#space = space
    this.#facts = facts
  }

  /** Who had what before the event. */
  get before(): PartitionLists {
    return this.#lists(this.#facts.before)
  }

  /** Who has what when the group is at rest again. */
  get after(): PartitionLists {
    return this.#lists(this.#facts.after)
  }

  /** Partitions that had a member and have another one, by the one that has them now. */
  get moved(): PartitionLists {
    const { before, after } = this.#facts
    const had = holdersOf(this.#space, before)
    return this.#chosen(after, (slot, member) => had[slot] !== -1 && had[slot] !== member)
  }

  /** How many partitions moved. */
  get moves(): number {
    return this.moved.values.length
  }

  /**
   * How few could have, for the group to become as balanced as it did: no state whose fullest members have together as few
   * is reached by fewer. `null` where the answer is not a valid one (its notes tell why).
   */
  get fewestMoves(): number | null {
    if (this.#fewest === undefined) this.#fewest = fewestMoves(this.#space, this.#facts.before, this.#facts.after)
    return this.#fewest
  }

  /** Partitions that somebody had, and that nobody had in some round, by the member that had them. */
  get stopped(): PartitionLists {
    const { before, away } = this.#facts
    const nobodys = this.#rounds()
    return this.#chosen(before, (slot, member) => nobodys[slot]! > 0 || member === away)
  }

  /** In how many rounds nobody has a partition that is there and that somebody subscribes to. */
  nobodysRounds(topic: string, partition: number): number {
    const { topics, starts } = this.#space
    const index = topics.indexOf(topic)
    const count = this.#facts.after.counts[index] ?? 0
    return Number.isInteger(partition) && partition >= 0 && partition < count
      ? this.#rounds()[starts[index]! + partition]!
      : 0
  }

  /** The most rounds that any partition is nobody's. */
  get longestNobodys(): number {
    return this.#rounds().reduce((most, rounds) => Math.max(most, rounds), 0)
  }

  get balanceBefore(): GroupBalance {
    return balanceOf(this.#facts.before)
  }

  get balanceAfter(): GroupBalance {
    return balanceOf(this.#facts.after)
  }

  get spreadBefore(): GroupSpread {
    return spreadOf(this.#space, this.#facts.before)
  }

  get spreadAfter(): GroupSpread {
    return spreadOf(this.#space, this.#facts.after)
  }

  /** The same topic by topic. */
  topicSpreads(): TopicSpread[] {
    return [...spreadsOf(this.#space, this.#facts.after)]
  }

  toJSON(): RebalanceStepDocument {
    const { event, rounds, moved, moves, fewestMoves, stopped, longestNobodys } = this
    const { balanceBefore, balanceAfter, spreadBefore, spreadAfter } = this
    return {
      event,
      rounds: rounds.map((round) => round.toJSON()),
      moves,
      fewestMoves,
      moved: byMember(moved),
      stops: stopped.values.length,
      longestNobodys,
      balanceBefore,
      balanceAfter,
      spreadBefore,
      spreadAfter,
    }
  }

  #rounds(): Uint8Array {
    this.#nobodys ??= nobodysRounds(this.#space, this.#facts)
    return this.#nobodys
  }

  #lists(moment: Moment): PartitionLists {
    return listsOf(this.#space, moment.members, moment)
  }

  #chosen(moment: Moment, choose: (slot: number, member: number) => boolean): PartitionLists {
    const { members, offsets, values } = moment
    const lists = new SlotListBuilder(members.length, values.length)
    members.forEach((member, i) => {
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) if (choose(values[at]!, member)) lists.push(values[at]!)
      lists.end()
    })
    return listsOf(this.#space, members, lists)
  }
}

/** What `JSON.stringify` writes of a step. */
export interface RebalanceStepDocument {
  readonly event: GroupEvent
  readonly rounds: readonly RebalanceRoundDocument[]
  readonly moves: number
  readonly fewestMoves: number | null
  /** By the member that has them now. */
  readonly moved: PartitionsByMember
  /** How many partitions stop. */
  readonly stops: number
  readonly longestNobodys: number
  readonly balanceBefore: GroupBalance
  readonly balanceAfter: GroupBalance
  readonly spreadBefore: GroupSpread
  readonly spreadAfter: GroupSpread
}

/** Of each slot that is wanted, the rounds in which nobody has it. */
function nobodysRounds(space: ScriptSpace, { after, rounds }: StepFacts): Uint8Array {
  const { topicOf, starts } = space
  const nobodys = new Uint8Array(topicOf.length)
  const had = new Uint32Array(topicOf.length)
  rounds.forEach(([, { during }], i) => {
    for (const slot of during.values) had[slot] = i + 1
    for (let slot = 0; slot < had.length; slot++) if (had[slot] !== i + 1) nobodys[slot]! += 1
  })
  const wanted = wantedTopics(space, after)
  for (let slot = 0; slot < nobodys.length; slot++) {
    const topic = topicOf[slot]!
    if (wanted[topic] === 0 || slot - starts[topic]! >= after.counts[topic]!) nobodys[slot] = 0
  }
  return nobodys
}
