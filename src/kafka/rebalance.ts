/**
 * What a rebalance stops and moves, round by round: a script of events runs over a group, and after each the group comes
 * to rest.
 *
 * For whoever plans one: a deployment, one more member, more partitions. Who gets what is asked of `kafka.assign`; what the
 * members do then is in rebalance-rounds.ts.
 */
import { codedError } from '../errors.js'
import type { KafkaVersion } from '../types.js'
import { type AssignQuestion, checkQuestion } from './assign.js'
import type { PartitionLists } from './assignment.js'
import type { GroupMember, GroupTopic } from './group-types.js'
import { balanceOf, type GroupBalance, type GroupSpread, spreadOf } from './rebalance-balance.js'
import { atEvent, checkEvents, type GroupEvent } from './rebalance-events.js'
import { RebalancingGroup } from './rebalance-group.js'
import { type RebalanceProtocol, type Round, roundsOf } from './rebalance-rounds.js'
import { listsOf, type Moment } from './rebalance-space.js'
import { RebalanceStep, type RebalanceStepDocument } from './rebalance-step.js'

/** A whole script in figures. */
export interface RebalanceTotals {
  readonly rounds: number
  /** Partitions that stop, each as often as it does. */
  readonly stops: number
  readonly moves: number
  /** The sum of the fewest of each event; `null` where one has none. */
  readonly fewestMoves: number | null
  /** The most rounds that any partition is nobody's after one event. */
  readonly longestNobodys: number
}

/**
 * Runs events over a group, one after the other, each from the rest that the one before led to.
 *
 * A group in which nobody owns anything forms first. What members own is `ownedPartitions`, for `sticky` else what their
 * user data tells; topics have the partitions 0 to count - 1.
 *
 * @param state the group, as `kafka.assign` takes it; the `state` of an answer is the input of the next question
 * @param events in their order; joiners come behind the members that are there
 * @returns an answer whose lists are made when they are read; it keeps 4 bytes a partition and round
 * @throws as `kafka.assign`, with the event's index where one is at fault; ERR_PLACEMENT_UNKNOWN_NAME (a member or topic that
 *   is not there), ERR_PLACEMENT_DUPLICATE (a member or topic that is there), ERR_PLACEMENT_ARGUMENT_RANGE (partitions that
 *   are no increase; ids with gaps), ERR_PLACEMENT_UNSUPPORTED (share groups: partitions have many members there)
 * @example
 * const topics = [{ name: 'orders', partitions: 6 }]
 * const members = ['a', 'b', 'c'].map((id) => ({ id, topics: ['orders'] }))
 * const state = { groupType: 'classic', assignor: 'cooperative-sticky', topics, members } as const
 * const { steps } = kafka.rebalance(state, [{ leave: 'c' }])
 * steps[0].moves // 2: what c had
 */
export function rebalance(state: AssignQuestion, events: readonly GroupEvent[]): Rebalance {
  const { groupType, assignor, version } = checkQuestion(state)
  const protocol = protocolOf(groupType, assignor)
  const group = new RebalancingGroup(state, checkEvents(events))
  const form = group.moment
  if (form.values.length === 0 && !group.isEmpty) roundsOf(group, protocol)
  const start = group.moment
  const steps = events.map((event, i) => atEvent(i, () => stepOf(group, event, protocol)))
  return new Rebalance({ groupType, assignor, version, protocol, group, start, steps })
}

function protocolOf(groupType: string, assignor: string): RebalanceProtocol {
  if (groupType === 'consumer') return 'consumer'
  if (groupType === 'classic') return assignor === 'cooperative-sticky' ? 'cooperative' : 'eager'
  throw codedError(
    'ERR_PLACEMENT_UNSUPPORTED',
    `groupType: expected classic or consumer, got ${groupType}: partitions of a share group have many members, none waits for another`,
  )
}

function stepOf(group: RebalancingGroup, event: GroupEvent, protocol: RebalanceProtocol): RebalanceStep {
  const before = group.moment
  const rounds: (readonly [readonly number[], Round])[] = []
  const settle = () => {
    const { members } = group.moment
    if (members.length > 0) for (const round of roundsOf(group, protocol)) rounds.push([members, round])
  }
  let away: number | null = null
  if ('bounce' in event) away = bounce(group, event.bounce, settle)
  else if (group.apply(event)) settle()
  return new RebalanceStep(group.space, { event, before, after: group.moment, rounds, away })
}

/** Returns the member, where it was only away. */
function bounce(group: RebalancingGroup, id: string, settle: () => void): number | null {
  const place = group.placeOf(id, 'bounce')
  if (group.isStatic(place)) return group.moment.members[place]!
  const member = group.remove(place)
  settle()
  group.add({ ...member, generation: -1 }, [])
  settle()
  return null
}

/** What an answer is made of. */
interface RebalanceFacts extends Pick<Rebalance, 'groupType' | 'assignor' | 'version' | 'protocol' | 'steps'> {
  readonly group: RebalancingGroup
  readonly start: Moment
}

/** The answer of `kafka.rebalance`. */
export class Rebalance {
  readonly groupType: AssignQuestion['groupType']
  readonly assignor: AssignQuestion['assignor']
  /** The release whose answer this is. */
  readonly version: KafkaVersion
  readonly protocol: RebalanceProtocol
  /** One for each event. */
  readonly steps: readonly RebalanceStep[]
  readonly #group: RebalancingGroup
  readonly #start: Moment

  constructor(facts: RebalanceFacts) {
    this.groupType = facts.groupType
    this.assignor = facts.assignor
    this.version = facts.version
    this.protocol = facts.protocol
    this.steps = facts.steps
    this.#group = facts.group
    this.#start = facts.start
  }

  /** Who had what before the first event. */
  get before(): PartitionLists {
    return listsOf(this.#group.space, this.#start.members, this.#start)
  }

  /** Who has what at the end. */
  get after(): PartitionLists {
    const { moment, space } = this.#group
    return listsOf(space, moment.members, moment)
  }

  /** How evenly partitions lie on members at the end. */
  get balance(): GroupBalance {
    return balanceOf(this.#group.moment)
  }

  /** The same of each topic. */
  get spread(): GroupSpread {
    return spreadOf(this.#group.space, this.#group.moment)
  }

  /** The group at the end, in columns: the input of the next question. */
  get state(): AssignQuestion {
    return this.#group.state
  }

  get totals(): RebalanceTotals {
    const sum = (count: (step: RebalanceStep) => number) => this.steps.reduce((total, step) => total + count(step), 0)
    const fewest = this.steps.map(({ fewestMoves }) => fewestMoves)
    return {
      rounds: sum(({ rounds }) => rounds.length),
      stops: sum(({ stopped }) => stopped.values.length),
      moves: sum(({ moves }) => moves),
      fewestMoves: fewest.includes(null) ? null : sum(({ fewestMoves }) => fewestMoves ?? 0),
      longestNobodys: this.steps.reduce((most, { longestNobodys }) => Math.max(most, longestNobodys), 0),
    }
  }

  /** With the state as objects, which `kafka.rebalance` takes too. */
  toJSON(): RebalanceDocument {
    const { groupType, assignor, version, protocol, totals, steps } = this
    const { topics, members, maxGeneration } = this.#group.objects()
    const state = { groupType, assignor, version, topics, members, maxGeneration }
    return { groupType, assignor, version, protocol, totals, steps: steps.map((step) => step.toJSON()), state }
  }
}

/** What `JSON.stringify` writes of an answer. */
export interface RebalanceDocument
  extends Pick<Rebalance, 'groupType' | 'assignor' | 'version' | 'protocol' | 'totals'> {
  readonly steps: readonly RebalanceStepDocument[]
  readonly state: AssignQuestion & { readonly topics: readonly GroupTopic[]; readonly members: readonly GroupMember[] }
}
