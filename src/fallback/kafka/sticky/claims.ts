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
import { activeTopics, topicsOf } from '../subscriptions.js'

/** Nobody. */
export const NOBODY = -1

export class Claims {
  /** Position in `claims` of the claim that holds, for each slot; -1 for none. */
  readonly #holding: Int32Array
  /** Who claimed a slot last; where a claim holds, it is this member's. */
  readonly #rival: Int32Array
  /** 1 for a slot that was claimed twice with equal right; `null` while there is none. */
  #clashed: Uint8Array | null = null
  readonly #problem: AssignProblem
  readonly maxGeneration: number
  /** Everybody subscribes alike: the constrained algorithm's case. */
  readonly allEqual: boolean

  constructor(problem: AssignProblem) {
    const { claims, claimOffsets, generations, listOf, starts } = problem
    this.#problem = problem
    this.#holding = new Int32Array(starts.at(-1)!).fill(NOBODY)
    this.#rival = new Int32Array(starts.at(-1)!).fill(NOBODY)
    this.allEqual = subscribeAlike(problem)
    this.maxGeneration = generations.reduce((most, one) => Math.max(most, one), problem.maxGeneration)
    const active = activeSlots(problem)
    for (let member = 0; member < listOf.length; member++) {
      for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
        if (active === null || active[claims[i]!] === 1) this.#claim(member, i)
      }
    }
  }

  #claim(member: number, i: number): void {
    const { claims, generations, fieldGenerations, starts } = this.#problem
    const slot = claims[i]!
    const rival = this.#rival[slot]!
    const generation = generations[member]!
    const other = rival === NOBODY ? Number.NEGATIVE_INFINITY : fieldGenerations[rival]!
    if (generation < other) return
    // Against itself, a list takes out the first mention: the new one, where a clash has left no other.
    const isVoid = generation === other || (rival === member && this.#holding[slot] === NOBODY)
    this.#rival[slot] = member
    this.#holding[slot] = isVoid ? NOBODY : i
    if (generation !== other) return
    this.#clashed ??= new Uint8Array(starts.at(-1)!)
    this.#clashed[slot] = 1
  }

  isClashed(slot: number): boolean {
    return this.#clashed !== null && this.#clashed[slot] === 1
  }

  /** Slots that were claimed twice with equal right, ascending. */
  clashes(): Uint32Array {
    const slots: number[] = []
    this.#clashed?.forEach((one, slot) => {
      if (one === 1) slots.push(slot)
    })
    return Uint32Array.from(slots)
  }

  /** True if this claim to its slot holds. */
  holds(i: number): boolean {
    return this.#holding[this.#problem.claims[i]!] === i
  }

  /** Whose claim to the slot holds; -1 for nobody. */
  holder(slot: number): number {
    return this.#holding[slot] === NOBODY ? NOBODY : this.#rival[slot]!
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
