/**
 * Which partitions of its topics each member gets, once it is known how many.
 *
 * For `balanced`. Twin of native/core/src/kafka/balanced/hand_out.rs.
 * Members keep the partitions they own, as many as they may: those near first, then lowest numbers first. The others go to
 * the members that lack some, as many near as can be, else in the order of their ids.
 */
import type { AssignProblem, AssignResult } from '../../../engine/assign-contract.js'
import { offsetsOf, plainResult } from '../list-builder.js'
import { exists } from '../slots.js'
import type { Steps } from '../steps.js'
import { type Nearness, RackMatching } from './nearness.js'
import { NOBODY, type Owned } from './owned.js'
import { floorOf, type Shares } from './shares.js'

interface Sharing {
  readonly problem: AssignProblem
  readonly shares: Shares
  /** `null` where no member has a rack. */
  readonly nearness: Nearness | null
}

/** `owners` is written over, `holders` sorted within topics. */
export function* handOut(
  { problem, shares, nearness }: Sharing,
  { owners, clashes }: Owned,
  holders: Uint32Array,
): Steps<AssignResult> {
  const quotas = new Uint32Array(shares.weights.length)
  for (const [topic, id] of shares.topics.entries()) {
    const receivers = quotasOf(shares, topic, holders, quotas)
    const [start, end] = [problem.starts[id]!, problem.starts[id + 1]!]
    const dealing = { problem, nearness, owners, quotas, start, end }
    keep(dealing)
    if (nearness === null) give(dealing, receivers)
    else giveNear(dealing, receivers, nearness)
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
  readonly problem: AssignProblem
  readonly nearness: Nearness | null
  /** Owners before, and afterwards. */
  readonly owners: Uint32Array
  readonly quotas: Uint32Array
  readonly start: number
  readonly end: number
}

/** Owners keep what they may, near partitions first; the rest is nobody's. */
function keep({ nearness, owners, quotas, start, end }: Dealing): void {
  for (const far of nearness === null ? [false] : [false, true]) {
    for (let slot = start; slot < end; slot++) {
      const owner = owners[slot]!
      if (owner === NOBODY || (nearness?.isFar(owner, slot) ?? false) !== far) continue
      if (quotas[owner]! > 0) quotas[owner]! -= 1
      else owners[slot] = NOBODY
    }
  }
}

function* unowned({ problem, owners, start, end }: Dealing): Generator<number> {
  for (let slot = start; slot < end; slot++) if (owners[slot] === NOBODY && exists(problem, slot)) yield slot
}

function give(dealing: Dealing, receivers: Uint32Array): void {
  const { owners, quotas } = dealing
  let at = 0
  for (const slot of unowned(dealing)) {
    while (quotas[receivers[at]!] === 0) at += 1
    owners[slot] = receivers[at]!
    quotas[receivers[at]!]! -= 1
  }
}

/** As many as can be to racks of their replicas; inside a rack in the order of the ids. */
function giveNear(dealing: Dealing, receivers: Uint32Array, nearness: Nearness): void {
  const { owners, quotas } = dealing
  const byRack: number[][] = Array.from({ length: nearness.count }, () => [])
  const rooms = new Uint32Array(nearness.count)
  for (const member of receivers) {
    if (quotas[member] === 0) continue
    byRack[nearness.rackOf[member]!]!.push(member)
    rooms[nearness.rackOf[member]!]! += quotas[member]!
  }
  const matching = new RackMatching(nearness, rooms)
  const slots = [...unowned(dealing)]
  for (const slot of slots) matching.add(nearness.setOf(slot))
  const racks = slots.map((slot) => matching.take(nearness.setOf(slot)))
  const ends = new Uint32Array(nearness.count)
  slots.forEach((slot, i) => {
    const rack = racks[i] === -1 ? matching.takeAny() : racks[i]!
    const members = byRack[rack]!
    while (quotas[members[ends[rack]!]!] === 0) ends[rack]! += 1
    owners[slot] = members[ends[rack]!]!
    quotas[owners[slot]!]! -= 1
  })
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
