/**
 * Which partitions of its topics each member gets, once it is known how many.
 *
 * For `balanced`. Twin of native/core/src/kafka/balanced/hand_out.rs.
 * Members keep the partitions they own, lowest numbers first, as many as they may; the others go to the members that lack
 * some, in the order of their ids.
 */
import type { AssignProblem, AssignResult } from '../../../engine/assign-contract.js'
import { offsetsOf, plainResult } from '../list-builder.js'
import { exists } from '../slots.js'
import type { Steps } from '../steps.js'
import { NOBODY, type Owned } from './owned.js'
import { floorOf, type Shares } from './shares.js'

/** `owned.owners` is written over, `holders` sorted within topics. */
export function* handOut(
  problem: AssignProblem,
  shares: Shares,
  { owners, clashes }: Owned,
  holders: Uint32Array,
): Steps<AssignResult> {
  const quotas = new Uint32Array(shares.weights.length)
  for (let topic = 0; topic < shares.topics.length; topic++) {
    const receivers = quotasOf(shares, topic, holders, quotas)
    handOutTopic(problem, shares, topic, { owners, quotas, receivers })
    yield 5
  }
  const { offsets, values } = yield* listsOf(problem, shares, owners)
  return { ...plainResult(offsets, values), clashes }
}

/** Writes how many of the topic each member gets; returns those who get any, by rank. */
function quotasOf(shares: Shares, topic: number, holders: Uint32Array, quotas: Uint32Array): Uint32Array {
  const extras = holders.subarray(shares.extras[topic], shares.extras[topic + 1])
  const { subscribers } = shares.fields[shares.fieldOf[topic]!]!
  const hasFloors = extras.length < shares.partitions[topic]!
  if (hasFloors) for (const member of subscribers) quotas[member] = floorOf(shares, topic, member)
  for (const member of extras) quotas[member]! += 1
  return hasFloors ? subscribers : extras.sort()
}

interface Dealing {
  /** Owners before, and afterwards. */
  readonly owners: Uint32Array
  readonly quotas: Uint32Array
  readonly receivers: Uint32Array
}

function handOutTopic(
  problem: AssignProblem,
  { topics }: Shares,
  topic: number,
  { owners, quotas, receivers }: Dealing,
): void {
  const [start, end] = [problem.starts[topics[topic]!]!, problem.starts[topics[topic]! + 1]!]
  for (let slot = start; slot < end; slot++) {
    const owner = owners[slot]!
    if (owner === NOBODY) continue
    if (quotas[owner]! > 0) quotas[owner]! -= 1
    else owners[slot] = NOBODY
  }
  let at = 0
  for (let slot = start; slot < end; slot++) {
    if (owners[slot] !== NOBODY || !exists(problem, slot)) continue
    while (quotas[receivers[at]!] === 0) at += 1
    owners[slot] = receivers[at]!
    quotas[receivers[at]!]! -= 1
  }
}

interface MemberLists {
  readonly offsets: Uint32Array
  readonly values: Uint32Array
}

/** Lists by member as given, topics by name, partitions by number. */
function* listsOf({ memberOrder, starts }: AssignProblem, { topics }: Shares, owners: Uint32Array): Steps<MemberLists> {
  const counts = new Uint32Array(memberOrder.length)
  for (const topic of topics) {
    for (const owner of owners.subarray(starts[topic], starts[topic + 1])) {
      if (owner !== NOBODY) counts[memberOrder[owner]!]! += 1
    }
    yield 6
  }
  const offsets = offsetsOf(counts)
  const ends = offsets.slice()
  const values = new Uint32Array(offsets.at(-1)!)
  for (const topic of topics) {
    for (let slot = starts[topic]!; slot < starts[topic + 1]!; slot++) {
      if (owners[slot] !== NOBODY) values[ends[memberOrder[owners[slot]!]!]!++] = slot
    }
    yield 7
  }
  return { offsets, values }
}
