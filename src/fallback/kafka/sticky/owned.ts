/**
 * What each member owned and may keep, by partition number, then topic.
 *
 * For the constrained sticky algorithm. Twin of native/core/src/kafka/sticky/owned.rs.
 * In a dense group all topics are walked side by side, number by number, so that nothing is compared.
 */
import type { AssignProblem } from '../../../engine/assign-contract.js'
import { offsetsOf } from '../list-builder.js'
import { topicsOfSlots } from '../slots.js'
import { PART, type Steps } from '../steps.js'
import { type Claims, NOBODY } from './claims.js'
import { ranksOf } from './map-order.js'

export class Owned {
  readonly #offsets: Uint32Array
  readonly #slots: Uint32Array

  private constructor(counts: Uint32Array) {
    this.#offsets = offsetsOf(counts)
    this.#slots = new Uint32Array(this.#offsets.at(-1)!)
  }

  /** `topics` are those that take part, by name. */
  static *by(problem: AssignProblem, topics: Uint32Array, claims: Claims): Steps<Owned> {
    const owned = new Owned(keptCounts(problem, claims))
    yield 1
    if (owned.#slots.length === 0) return owned
    const ends = owned.#offsets.slice(0, -1)
    if (problem.numbers !== null) owned.#placeSorted(problem, problem.numbers, { claims, ends })
    else yield* owned.#placeSideBySide(problem, topics, { claims, ends })
    return owned
  }

  /** In a dense group the number is the distance from the topic's first slot. */
  *#placeSideBySide({ starts }: AssignProblem, topics: Uint32Array, { claims, ends }: Placing): Steps<void> {
    const at = topics.map((topic) => starts[topic]!)
    const last = topics.map((topic) => starts[topic + 1]!)
    let visited = 0
    for (let open = topics.length; open > 0; ) {
      visited += open
      open = this.#placeNumber(at, last, open, { claims, ends })
      if (visited < PART) continue
      visited = 0
      yield 1
    }
  }

  /** The next number of each open topic; gives how many stay open, those in front. */
  #placeNumber(at: Uint32Array, last: Uint32Array, open: number, { claims, ends }: Placing): number {
    let kept = 0
    for (let i = 0; i < open; i++) {
      const slot = at[i]!
      const keeper = claims.keeper(slot)
      if (keeper !== NOBODY) this.#slots[ends[keeper]!++] = slot
      if (slot + 1 === last[i]) continue
      at[kept] = slot + 1
      last[kept] = last[i]!
      kept += 1
    }
    return kept
  }

  #placeSorted(problem: AssignProblem, numbers: Int32Array, { claims, ends }: Placing): void {
    const ranks = ranksOf(problem.topicOrder!)
    const topics = topicsOfSlots(problem)
    const kept: number[] = []
    for (let slot = 0; slot < numbers.length; slot++) if (claims.keeper(slot) !== NOBODY) kept.push(slot)
    kept.sort((a, b) => numbers[a]! - numbers[b]! || ranks[topics[a]!]! - ranks[topics[b]!]!)
    for (const slot of kept) this.#slots[ends[claims.keeper(slot)]!++] = slot
  }

  of(member: number): Uint32Array {
    return this.#slots.subarray(this.#offsets[member]!, this.#offsets[member + 1]!)
  }
}

/** Whose the slots are, and where each member's next one goes. */
interface Placing {
  readonly claims: Claims
  readonly ends: Uint32Array
}

function keptCounts({ listOf, starts }: AssignProblem, claims: Claims): Uint32Array {
  const counts = new Uint32Array(listOf.length)
  for (let slot = 0; slot < starts.at(-1)!; slot++) {
    const keeper = claims.keeper(slot)
    if (keeper !== NOBODY) counts[keeper]! += 1
  }
  return counts
}
