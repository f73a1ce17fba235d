/**
 * The fewest partitions that must change hands for a group to become as balanced as an answer.
 *
 * For `kafka.rebalance`, which sets them beside the moves that an assignor makes.
 * A state is _as balanced_ as the answer if its fullest member has no more than the answer's fullest, its two fullest
 * together no more than the answer's two fullest, and so on, and every partition that somebody subscribes to is with one of
 * its subscribers. (The loads of the answer majorize those of the state: every measure of balance that prefers a transfer
 * from a fuller member to an emptier one agrees.) A partition _moves_ if it had a member and has another one.
 *
 * As a network: classes of topics (those with the same subscribers) → members → levels → sink. A partition that stays
 * earns 1. By Gale and Ryser, loads are majorized by the answer's exactly if their units can be laid on levels, each
 * member at most once on each, where level `j` has room for as many as there are members of the answer with `j` or more;
 * levels of equal room are taken together. So the flow of least cost is the answer, exactly.
 */
import type { AssignProblem } from '../engine/assign-contract.js'
import { subscriberClasses } from '../fallback/kafka/subscriptions.js'
import { FlowNetwork } from './flow-network.js'
import { holdersOf, type Moment, type ScriptSpace } from './rebalance-space.js'

const SOURCE = 0
const SINK = 1

/**
 * @returns the number of partitions; `null` where no state is as balanced: the answer itself gives a partition to somebody
 *   who does not subscribe, twice, or to nobody
 */
export function fewestMoves(space: ScriptSpace, before: Moment, after: Moment): number | null {
  const { classOf, members: subscribers } = classesOf(space, after)
  const loads = Array.from(after.members, (_, i) => after.offsets[i + 1]! - after.offsets[i]!)
  const supply = new Array<number>(subscribers.length).fill(0)
  classOf.forEach((number, topic) => {
    if (number !== -1) supply[number]! += after.counts[topic]!
  })
  const total = supply.reduce((sum, count) => sum + count, 0)
  if (total !== after.values.length) return null
  const { held, kept } = heldBefore(space, { before, after, classOf })
  const levels = levelsOf(loads)
  const network = new FlowNetwork(2 + supply.length + loads.length + levels.length)
  const [classNode, memberNode] = [(number: number) => 2 + number, (place: number) => 2 + supply.length + place]
  supply.forEach((count, number) => {
    network.arc(SOURCE, classNode(number), count)
    for (const place of new Set(subscribers[number])) {
      network.arc(classNode(number), memberNode(place), kept[place]!.get(number) ?? 0, -1)
      network.arc(classNode(number), memberNode(place), count)
    }
  })
  levels.forEach(({ width, members }, level) => {
    const node = 2 + supply.length + loads.length + level
    network.arc(node, SINK, width * members)
    loads.forEach((_, place) => {
      network.arc(memberNode(place), node, width)
    })
  })
  const { amount, cost } = network.send(SOURCE, SINK)
  return amount === total ? held + cost : null
}

/** Levels of loads, those of equal room together: so many levels that so many members reach. */
function levelsOf(loads: readonly number[]): { readonly width: number; readonly members: number }[] {
  const sorted = loads.toSorted((a, b) => a - b)
  const levels: { width: number; members: number }[] = []
  let below = 0
  sorted.forEach((load, i) => {
    if (load > below) levels.push({ width: load - below, members: sorted.length - i })
    below = load
  })
  return levels
}

function classesOf({ lists, starts }: ScriptSpace, { listOf, counts, members }: Moment) {
  const { offsets: listOffsets, topics: listTopics } = lists.columns(listOf)
  const present = Uint32Array.from(starts)
  counts.forEach((count, topic) => {
    present[topic + 1] = present[topic]! + count
  })
  const problem = { starts: present, listOffsets, listTopics, listOf } as unknown as AssignProblem
  return subscriberClasses(
    problem,
    Uint32Array.from(members, (_, place) => place),
  )
}

interface Change {
  readonly before: Moment
  readonly after: Moment
  readonly classOf: Int32Array
}

/** Partitions of each class that each member of the group had; and how many of all had somebody. */
function heldBefore(space: ScriptSpace, { before, after, classOf }: Change) {
  const { topicOf, starts, members } = space
  const placeOf = new Int32Array(members.names.length).fill(-1)
  after.members.forEach((number, place) => {
    placeOf[number] = place
  })
  const kept = after.members.map(() => new Map<number, number>())
  let held = 0
  holdersOf(space, before).forEach((holder, slot) => {
    const topic = topicOf[slot]!
    const number = classOf[topic]!
    if (holder === -1 || number === -1 || slot - starts[topic]! >= after.counts[topic]!) return
    held += 1
    const own = kept[placeOf[holder]!]
    own?.set(number, (own.get(number) ?? 0) + 1)
  })
  return { held, kept }
}
