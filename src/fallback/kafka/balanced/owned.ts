/**
 * Who owns which partition, once the claims are set against each other; and who owns more of a topic than its share.
 *
 * For `balanced`. Twin of native/core/src/kafka/balanced/owned.rs.
 * The claim of the highest generation holds. Where two members claim a partition in that generation, neither holds, and
 * where the holder does not subscribe to the topic, nobody owns it. Claims of partitions that do not exist, and repeats, are
 * passed over.
 */
import type { AssignProblem } from '../../../engine/assign-contract.js'
import { exists } from '../slots.js'
import type { Steps } from '../steps.js'
import { floorOf, ranksOf, type Shares } from './shares.js'

/** Nobody. */
export const NOBODY = 0xffffffff
/** On the rank of an owner: another member claims as much. Ranks are below. */
const CLASH = 0x80000000

export interface Owned {
  /** Rank of the owner of each slot; `NOBODY` for none. */
  readonly owners: Uint32Array
  /** Slots that two members claimed with equal right, ascending. */
  readonly clashes: Uint32Array
}

export function* ownersOf(problem: AssignProblem, shares: Shares): Steps<Owned> {
  const owners = settled(problem)
  const clashes: number[] = []
  for (const [topic, id] of shares.topics.entries()) {
    yield 0
    const { subscribers } = shares.fields[shares.fieldOf[topic]!]!
    const all = subscribers.length === shares.weights.length
    for (let slot = problem.starts[id]!; slot < problem.starts[id + 1]!; slot++) {
      const owner = owners[slot]!
      if (owner === NOBODY) continue
      if (owner >= CLASH) clashes.push(slot)
      if (owner >= CLASH || !(all || includes(subscribers, owner))) owners[slot] = NOBODY
    }
  }
  return { owners, clashes: Uint32Array.from(clashes).sort() }
}

/** Who holds each slot by generation, `CLASH` on it where two do. */
function settled(problem: AssignProblem): Uint32Array {
  const { memberOrder, claims, claimOffsets, generations, starts } = problem
  const owners = new Uint32Array(starts.at(-1)!).fill(NOBODY)
  const ranks = ranksOf(memberOrder)
  for (let member = 0; member < ranks.length; member++) {
    for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
      const slot = claims[i]!
      const other = owners[slot]!
      const rank = ranks[member]!
      if (other === NOBODY) {
        if (exists(problem, slot)) owners[slot] = rank
        continue
      }
      const than = generations[memberOrder[other % CLASH]!]!
      if (generations[member]! > than) owners[slot] = rank
      else if (generations[member] === than && other % CLASH !== rank) owners[slot] = (other % CLASH) + CLASH
    }
  }
  return owners
}

/** True if an ascending list has the value. */
export function includes(list: Uint32Array, value: number): boolean {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < value) low = middle + 1
    else high = middle
  }
  return list[low] === value
}

/** Carriers who own more than their share rounded down: keepers of topic `t` are `[offsets[t], offsets[t + 1])`. */
export interface Keepers {
  readonly offsets: Uint32Array
  readonly members: Uint32Array
}

/** Who keeps a partition by getting an extra of its topic, in the order of the partitions. */
export function* keepersOf({ starts }: AssignProblem, shares: Shares, owners: Uint32Array): Steps<Keepers> {
  const { topics, extras, weights } = shares
  const offsets = new Uint32Array(topics.length + 1)
  const counts = new Uint32Array(weights.length)
  let members: Uint32Array = new Uint32Array(extras.at(-1)!)
  for (let topic = 0, end = 0; topic < topics.length; topic++) {
    if (extras[topic] !== extras[topic + 1]) {
      const some = countOwned(owners.subarray(starts[topics[topic]!]!, starts[topics[topic]! + 1]!), counts)
      if (end + some.length > members.length) members = grown(members, end + some.length)
      for (const owner of some) {
        if (counts[owner]! > floorOf(shares, topic, owner) && isCarrier(shares, topic, owner)) members[end++] = owner
        counts[owner] = 0
      }
    }
    offsets[topic + 1] = end
    yield 1
  }
  return { offsets, members: members.subarray(0, offsets.at(-1)) }
}

/** Counts up how often each owner is there; returns those that are. */
function countOwned(owners: Uint32Array, counts: Uint32Array): number[] {
  const some: number[] = []
  for (const owner of owners) {
    if (owner === NOBODY) continue
    if (counts[owner] === 0) some.push(owner)
    counts[owner]! += 1
  }
  return some
}

function grown(members: Uint32Array, length: number): Uint32Array {
  const more = new Uint32Array(Math.max(2 * members.length, length))
  more.set(members)
  return more
}

/** A subscriber whose share is no whole number. Topics with extras alone are asked. */
function isCarrier({ partitions, fieldOf, fields, weights }: Shares, topic: number, member: number): boolean {
  return (partitions[topic]! * weights[member]!) % fields[fieldOf[topic]!]!.weight !== 0
}
