/**
 * StickyAssignor and CooperativeStickyAssignor: as balanced as can be, and what need not move stays.
 *
 * For `kafka.assign` with `sticky` and `cooperative-sticky`. Source: Apache Kafka 4.4.0, AbstractStickyAssignor and
 * CooperativeStickyAssignor. Twin of native/core/src/kafka/sticky.rs.
 * What differs from the obvious: one of two algorithms runs, by whether all subscribe alike; the cooperative one takes
 * partitions that change hands out of the lists again, until their owners gave them up; the highest generation that an
 * assignor ever saw stays with it.
 */
import type { AssignAnswer, AssignProblem } from '../../engine/assign-contract.js'
import { racksMatter } from './racks.js'
import { exists } from './slots.js'
import type { Built } from './sticky/built.js'
import { Claims, NOBODY } from './sticky/claims.js'
import { buildConstrained } from './sticky/constrained.js'
import { buildGeneral } from './sticky/general.js'
import { activeTopics } from './subscriptions.js'

const NOTHING = new Uint32Array(0)

export function assignSticky(problem: AssignProblem): AssignAnswer {
  const claims = new Claims(problem)
  const racksUsed = useRacks(problem)
  const built = claims.allEqual
    ? buildConstrained(problem, claims, racksUsed)
    : buildGeneral(problem, claims, racksUsed)
  if ('failure' in built) return built
  return {
    offsets: built.offsets,
    values: built.values,
    withheld: problem.assignor === 'cooperative-sticky' ? withheldOf(problem, built) : NOTHING,
    algorithm: claims.allEqual ? 'constrained' : 'general',
    maxGeneration: claims.maxGeneration,
    clashes: claims.clashes(),
  }
}

function useRacks(problem: AssignProblem): boolean {
  const { racks, listOf, starts } = problem
  if (racks === null) return false
  const active = activeTopics(problem)
  const slots: number[] = []
  active.forEach((one, topic) => {
    if (one === 0) return
    for (let slot = starts[topic]!; slot < starts[topic + 1]!; slot++) if (exists(problem, slot)) slots.push(slot)
  })
  return racksMatter(racks, listOf.keys(), slots)
}

/** Positions of what goes to a member only when another gave it up. */
function withheldOf(problem: AssignProblem, built: Built): Uint32Array {
  const transferring = built.transferring ?? changedHands(problem, built)
  if (transferring.size === 0) return NOTHING
  const waiting = new Map(transferring)
  const positions: number[] = []
  for (let member = 0; member + 1 < built.offsets.length; member++) {
    for (let at = built.offsets[member]!; at < built.offsets[member + 1]!; at++) {
      const slot = built.values[at]!
      if (waiting.get(slot) !== member) continue
      positions.push(at)
      // A list that names it twice loses it once.
      waiting.delete(slot)
    }
  }
  return Uint32Array.from(positions)
}

/** Slots new to one member and lost to another, by what each said it owned. */
function changedHands({ claims, claimOffsets, listOf, starts }: AssignProblem, { offsets, values, walk }: Built) {
  const slots = starts.at(-1)!
  const [claimed, given] = [new Int32Array(slots).fill(NOBODY), new Int32Array(slots).fill(NOBODY)]
  const lost = new Uint8Array(slots)
  const added = new Map<number, number>()
  for (const member of walk ?? listOf.keys()) {
    const mine = claims.subarray(claimOffsets[member]!, claimOffsets[member + 1]!)
    for (const slot of mine) claimed[slot] = member
    for (const slot of values.subarray(offsets[member]!, offsets[member + 1]!)) {
      given[slot] = member
      if (claimed[slot] !== member) added.set(slot, member)
    }
    for (const slot of mine) if (given[slot] !== member) lost[slot] = 1
  }
  for (const slot of added.keys()) if (lost[slot] === 0) added.delete(slot)
  return added
}
