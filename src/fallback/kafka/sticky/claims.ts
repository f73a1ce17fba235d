/**
 * What the members say they own, set against each other: whose claim holds, and which partitions two members claim alike.
 *
 * For both sticky algorithms. Source: Apache Kafka 4.4.0, AbstractStickyAssignor.allSubscriptionsEqual. Twin of
 * native/core/src/kafka/sticky/claims.rs.
 * What differs from the obvious: a newer generation wins, but the other side's generation is read from its subscription's
 * field, even where its claims came with another one; after a clash the later member counts as the one to beat, though it
 * owns nothing; a list that names a partition twice clashes with itself; and numbers beyond the count are let through.
 */
import type { AssignProblem } from '../../../engine/assign-contract.js'
import type { Steps } from '../steps.js'
import { activeTopics, topicsOf } from '../subscriptions.js'

/** Nobody. Members are below `LOOSE`. */
export const NOBODY = -1

/** Bit of an owner that does not keep the slot. */
const LOOSE = 1 << 30

/** A rival that owns nothing: `VOID - member`, below `NOBODY`. */
const VOID = -2

export class Claims {
  readonly maxGeneration: number
  /** Everybody subscribes alike: the constrained algorithm's case. */
  readonly allEqual: boolean
  readonly #problem: AssignProblem
  /** Who claimed each slot last, as above; `NOBODY` where no one did. */
  #rival: Int32Array
  /** 1 for a slot that was claimed twice with equal right; `null` while there is none. */
  #clashed: Uint8Array | null = null
  /** A member names a slot twice. */
  #anyRepeated = false

  /** Nothing is settled yet. */
  constructor(problem: AssignProblem) {
    this.#problem = problem
    this.#rival = new Int32Array(problem.starts.at(-1)!).fill(NOBODY)
    this.allEqual = subscribeAlike(problem)
    this.maxGeneration = problem.generations.reduce((most, one) => Math.max(most, one), problem.maxGeneration)
  }

  *settle(): Steps<void> {
    const active = activeSlots(this.#problem)
    for (let member = 0; member < this.#problem.listOf.length; member++) {
      this.#claimAll(member, active)
      yield 0
    }
  }

  #claimAll(member: number, active: Uint8Array | null): void {
    const { claims, claimOffsets } = this.#problem
    const rivals = this.#rival
    for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
      const slot = claims[i]!
      if (active !== null && active[slot] === 0) continue
      if (rivals[slot] === NOBODY) rivals[slot] = member
      else this.#contest(member, slot)
    }
  }

  #contest(member: number, slot: number): void {
    const { generations, fieldGenerations } = this.#problem
    const rival = this.#rival[slot]!
    const before = rival < 0 ? VOID - rival : rival
    this.#anyRepeated ||= before === member
    const generation = generations[member]!
    const other = fieldGenerations[before]!
    if (generation < other) return
    // Against itself, a list takes out the first mention: the new one, where a clash has left no other.
    const isVoid = generation === other || rival === VOID - member
    this.#rival[slot] = isVoid ? VOID - member : member
    if (generation !== other) return
    this.#clashed ??= new Uint8Array(this.#rival.length)
    this.#clashed[slot] = 1
  }

  isClashed(slot: number): boolean {
    return this.#clashed !== null && this.#clashed[slot] === 1
  }

  get anyClashed(): boolean {
    return this.#clashed !== null
  }

  /** Slots that were claimed twice with equal right, ascending. */
  clashes(): Uint32Array {
    const slots: number[] = []
    this.#clashed?.forEach((one, slot) => {
      if (one === 1) slots.push(slot)
    })
    return Uint32Array.from(slots)
  }

  /**
   * What the member owns, in its order: of a slot that it names twice, the later mention where its claims are newer than
   * its own field says.
   */
  held(member: number): Uint32Array {
    const { claims, claimOffsets, generations, fieldGenerations } = this.#problem
    const mine = claims.subarray(claimOffsets[member]!, claimOffsets[member + 1]!)
    const isHeld = (slot: number) => this.#rival[slot] === member
    if (!this.#anyRepeated) return mine.every(isHeld) ? mine : mine.filter(isHeld)
    const held = mine.filter(isHeld)
    if (generations[member]! <= fieldGenerations[member]!) return Uint32Array.from(new Set(held))
    return Uint32Array.from(new Set(held.reverse())).reverse()
  }

  /** Who owns the slot, whether it keeps it or not; -1 for nobody. */
  holder(slot: number): number {
    const rival = this.#rival[slot]!
    return rival < 0 ? NOBODY : rival & ~LOOSE
  }

  /** Who keeps the slot; -1 for nobody. */
  keeper(slot: number): number {
    const rival = this.#rival[slot]!
    return rival < 0 || rival >= LOOSE ? NOBODY : rival
  }

  /** The owner of the slot, who kept it until now, does not. */
  loosen(slot: number): void {
    this.#rival[slot]! |= LOOSE
  }

  /** Who keeps each slot, -1 where no one does. Nothing more may be asked about a slot then. */
  takeKeepers(): Int32Array {
    const keepers = this.#rival
    this.#rival = new Int32Array(0)
    for (let slot = 0; slot < keepers.length; slot++)
      if (keepers[slot]! >= LOOSE || keepers[slot]! < 0) keepers[slot] = NOBODY
    return keepers
  }
}

/** 1 for each slot of a topic that takes part; `null` where all do. */
function activeSlots(problem: AssignProblem): Uint8Array | null {
  const { starts } = problem
  const active = activeTopics(problem)
  if (active.every((one, topic) => one === 1 || starts[topic] === starts[topic + 1])) return null
  const slots = new Uint8Array(starts.at(-1)!)
  active.forEach((one, topic) => {
    slots.fill(one, starts[topic]!, starts[topic + 1]!)
  })
  return slots
}

/**
 * As the original compares: with the first list that is not empty, as a set; until one comes, empty lists are equal to
 * whatever follows. A repeat makes every list unequal but that first one.
 */
function subscribeAlike(problem: AssignProblem): boolean {
  const { listOf, starts } = problem
  const inReference = new Uint8Array(starts.length - 1)
  const equal = new Map<number, boolean>()
  let size = 0
  for (let member = 0; member < listOf.length; member++) {
    if (size === 0) {
      for (const topic of topicsOf(problem, member)) {
        size += 1 - inReference[topic]!
        inReference[topic] = 1
      }
      continue
    }
    const list = listOf[member]!
    if (!equal.has(list)) {
      const topics = topicsOf(problem, member)
      equal.set(list, topics.length === size && topics.every((topic) => inReference[topic] === 1))
    }
    if (!equal.get(list)!) return false
  }
  return true
}
