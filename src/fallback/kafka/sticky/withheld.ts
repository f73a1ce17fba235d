/**
 * What cooperative members get only once another gave it up.
 *
 * Source: Apache Kafka 4.4.0, CooperativeStickyAssignor. Twin of native/core/src/kafka/sticky/withheld.rs.
 * What differs from the obvious: the constrained algorithm tells which slots change hands; for the general one they are
 * found from the lists and what each member said it owned.
 */
import type { AssignProblem } from '../../../engine/assign-contract.js'
import { PART, type Steps } from '../steps.js'
import type { Built, Waits } from './built.js'
import { NOBODY } from './claims.js'

const NOTHING = new Uint32Array(0)

/** Bit of a holder of a slot that another member lost. */
const LOST = 0x80000000 | 0

/** Positions in the lists, ascending. */
export function* withheldOf(problem: AssignProblem, built: Built): Steps<Uint32Array> {
  const waiting = yield* waitingOf(problem, built)
  if (waiting === null) return NOTHING
  const { offsets, values } = built
  const positions: number[] = []
  let member = 0
  for (let at = 0; at < values.length; at++) {
    if (at % PART === 0) yield 6
    while (offsets[member + 1]! <= at) member += 1
    if (waiting[values[at]!] !== member) continue
    positions.push(at)
    // A list that names it twice loses it once.
    waiting[values[at]!] = NOBODY
  }
  return Uint32Array.from(positions)
}

/** Of each slot who waits for it; `null` where nobody waits for any. */
function* waitingOf(problem: AssignProblem, built: Built): Steps<Int32Array | null> {
  const { waits } = built
  if ('told' in waits) return toldOf(problem, waits.told)
  if ('holders' in waits) return yield* heldOf(problem, waits.holders)
  return walkedOf(problem, built, waits)
}

function toldOf({ starts }: AssignProblem, told: ReadonlyMap<number, number>): Int32Array | null {
  if (told.size === 0) return null
  const waiting = new Int32Array(starts.at(-1)!).fill(NOBODY)
  for (const [slot, member] of told) waiting[slot] = member
  return waiting
}

/** Of each slot the holder, if it did not own it and another did. */
function* heldOf({ claims, claimOffsets, listOf }: AssignProblem, holders: Int32Array): Steps<Int32Array | null> {
  for (let member = 0; member < listOf.length; member++) {
    for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
      const slot = claims[i]!
      const holder = holders[slot]!
      holders[slot] = (holder & ~LOST) === member ? NOBODY : holder | LOST
    }
    yield 6
  }
  let any = false
  for (let slot = 0; slot < holders.length; slot++) {
    const holder = holders[slot]!
    // Nobody has the bit, too.
    const waits = holder < 0 && holder !== NOBODY
    holders[slot] = waits ? holder & ~LOST : NOBODY
    any ||= waits
  }
  return any ? holders : null
}

/** Slots new to one member and lost to another, in the order of the original's walk, where slots have several holders. */
function walkedOf(
  { claims, claimOffsets, starts }: AssignProblem,
  { offsets, values }: Built,
  { walk }: Extract<Waits, { walk: Uint32Array }>,
): Int32Array {
  const slots = starts.at(-1)!
  const [claimed, given] = [new Int32Array(slots).fill(NOBODY), new Int32Array(slots).fill(NOBODY)]
  const [lost, added] = [new Uint8Array(slots), new Int32Array(slots).fill(NOBODY)]
  for (const member of walk) {
    const mine = claims.subarray(claimOffsets[member]!, claimOffsets[member + 1]!)
    for (const slot of mine) claimed[slot] = member
    for (const slot of values.subarray(offsets[member]!, offsets[member + 1]!)) {
      given[slot] = member
      if (claimed[slot] !== member) added[slot] = member
    }
    for (const slot of mine) if (given[slot] !== member) lost[slot] = 1
  }
  return added.map((member, slot) => (lost[slot] === 1 ? member : NOBODY))
}
