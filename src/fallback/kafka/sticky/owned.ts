/**
 * What each member owned and may keep, by partition number, then topic.
 *
 * For the constrained sticky algorithm. Twin of native/core/src/kafka/sticky/owned.rs.
 * In a dense group all topics are walked side by side, number by number, so that nothing is compared.
 */
import type { AssignProblem } from '../../../engine/assign-contract.js'
import { offsetsOf } from '../list-builder.js'
import { topicsOfSlots } from '../slots.js'
import { NOBODY } from './claims.js'
import { ranksOf } from './map-order.js'

export class Owned {
  readonly #offsets: Uint32Array
  readonly #slots: Uint32Array

  /** `mayKeep` is asked for every claim by its position; `topics` are those that take part, by name. */
  constructor(problem: AssignProblem, topics: Uint32Array, mayKeep: (member: number, i: number) => boolean) {
    const { claims, claimOffsets, listOf, starts } = problem
    const owners = new Int32Array(starts.at(-1)!).fill(NOBODY)
    const counts = new Uint32Array(listOf.length)
    for (let member = 0; member < listOf.length; member++) {
      for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
        if (!mayKeep(member, i)) continue
        owners[claims[i]!] = member
        counts[member]! += 1
      }
    }
    this.#offsets = offsetsOf(counts)
    this.#slots = new Uint32Array(this.#offsets.at(-1)!)
    const ends = this.#offsets.slice(0, -1)
    const visit = (slot: number, member: number) => {
      this.#slots[ends[member]!] = slot
      ends[member]! += 1
    }
    if (this.#slots.length === 0) return
    if (problem.numbers === null) eachSideBySide(problem, topics, owners, visit)
    else eachSorted(problem, problem.numbers, owners, visit)
  }

  of(member: number): Uint32Array {
    return this.#slots.subarray(this.#offsets[member]!, this.#offsets[member + 1]!)
  }
}

type Visit = (slot: number, member: number) => void

/** In a dense group the number is the distance from the topic's first slot. */
function eachSideBySide({ starts }: AssignProblem, topics: Uint32Array, owners: Int32Array, visit: Visit): void {
  const at = topics.map((topic) => starts[topic]!)
  const ends = topics.map((topic) => starts[topic + 1]!)
  for (let open = topics.length; open > 0; ) {
    let kept = 0
    for (let i = 0; i < open; i++) {
      const slot = at[i]!
      if (owners[slot] !== NOBODY) visit(slot, owners[slot]!)
      if (slot + 1 === ends[i]) continue
      at[kept] = slot + 1
      ends[kept] = ends[i]!
      kept += 1
    }
    open = kept
  }
}

function eachSorted(problem: AssignProblem, numbers: Int32Array, owners: Int32Array, visit: Visit): void {
  const ranks = ranksOf(problem.topicOrder!)
  const topics = topicsOfSlots(problem)
  const slots: number[] = []
  owners.forEach((owner, slot) => {
    if (owner !== NOBODY) slots.push(slot)
  })
  slots.sort((a, b) => numbers[a]! - numbers[b]! || ranks[topics[a]!]! - ranks[topics[b]!]!)
  for (const slot of slots) visit(slot, owners[slot]!)
}
