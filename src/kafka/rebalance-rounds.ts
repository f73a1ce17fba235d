/**
 * The rounds in which a group comes to rest after something happened to it.
 *
 * For `kafka.rebalance`. Source: Apache Kafka 4.4.0, org.apache.kafka.clients.consumer.internals.ConsumerCoordinator
 * (onJoinPrepare, onJoinComplete) and org.apache.kafka.coordinator.group.modern.consumer.CurrentAssignmentBuilder.
 */
import type { AssignNote } from './assign-notes.js'
import type { RebalancingGroup } from './rebalance-group.js'
import { losses, type SlotColumns, SlotListBuilder } from './rebalance-space.js'

/**
 * How a group goes from one assignment to the next.
 *
 * - `eager`: all stop, all are assigned anew: one round.
 * - `cooperative`: members keep what they own while they join; who loses something gives it up when the round ends, and
 *   joins again, so that others get it in the round after.
 * - `consumer` (KIP-848): the broker decides once; each member first gives up what it must, and in the round after gets
 *   what nobody has any more. Who has nothing to give up gets what is free at once.
 */
export type RebalanceProtocol = 'eager' | 'cooperative' | 'consumer'

/** One round: members of the group, in their order, and their slots. */
export interface Round {
  /** What they had when it began. */
  readonly before: SlotColumns
  /** What they have while it runs. */
  readonly during: SlotColumns
  /** What they have when it ended. */
  readonly after: SlotColumns
  /** What they will get when another gave it up. */
  readonly withheld: SlotColumns
  readonly notes: readonly AssignNote[]
}

/** No group is known that needs more than three. */
const MOST_ROUNDS = 10

/** Runs a group to rest. It has members. */
export function roundsOf(group: RebalancingGroup, protocol: RebalanceProtocol): Round[] {
  if (protocol === 'eager') return [eagerRound(group)]
  return protocol === 'cooperative' ? cooperativeRounds(group) : consumerRounds(group)
}

function eagerRound(group: RebalancingGroup): Round {
  const before = group.moment
  const { final, notes } = group.ask(before)
  group.take(final)
  return { before, during: nothing(before), after: final, withheld: nothing(before), notes }
}

function cooperativeRounds(group: RebalancingGroup): Round[] {
  const rounds: Round[] = []
  let before: SlotColumns = group.moment
  // What a member no longer subscribes to it gives up before it joins.
  let during: SlotColumns = group.subscribed()
  for (let again = true; again && rounds.length < MOST_ROUNDS; ) {
    const { now, withheld, notes } = group.ask(during)
    rounds.push({ before, during, after: now, withheld, notes })
    again = losses(during, now, group.space.topicOf.length).values.length > 0
    before = now
    during = now
  }
  group.take(before)
  return rounds
}

function consumerRounds(group: RebalancingGroup): Round[] {
  const rounds: Round[] = []
  const slots = group.space.topicOf.length
  let held: SlotColumns = group.moment
  const { final, notes } = group.ask(held)
  for (;;) {
    const missing = losses(final, held, slots)
    const extra = losses(held, final, slots)
    if (missing.values.length === 0 && extra.values.length === 0) break
    const after = reconciled(held, final, extra, slots)
    const told = rounds.length === 0 ? notes : []
    rounds.push({ before: held, during: held, after, withheld: losses(final, after, slots), notes: told })
    held = after
  }
  group.take(final)
  return rounds
}

/** What members have after they heard of the target: less, or more of what is free. */
function reconciled(held: SlotColumns, target: SlotColumns, extra: SlotColumns, slots: number): SlotColumns {
  const taken = new Uint8Array(slots)
  for (const slot of held.values) taken[slot] = 1
  const own = new Int32Array(slots).fill(-1)
  const lists = new SlotListBuilder(held.offsets.length - 1, target.values.length)
  for (let i = 0; i + 1 < held.offsets.length; i++) {
    const givesUp = extra.offsets[i] !== extra.offsets[i + 1]
    for (let at = held.offsets[i]!; at < held.offsets[i + 1]!; at++) own[held.values[at]!] = i
    for (let at = target.offsets[i]!; at < target.offsets[i + 1]!; at++) {
      const slot = target.values[at]!
      if (own[slot] === i || (!givesUp && taken[slot] === 0)) lists.push(slot)
    }
    lists.end()
  }
  return { offsets: lists.offsets, values: lists.values }
}

const nothing = ({ offsets }: SlotColumns): SlotColumns => ({
  offsets: new Uint32Array(offsets.length),
  values: new Uint32Array(0),
})
