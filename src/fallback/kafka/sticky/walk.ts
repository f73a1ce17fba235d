/**
 * Slots one after another, which a walk can stop at and go on from. The language's own iterators make an object a slot.
 *
 * For the general sticky algorithm, whose core has Rust's iterators for it.
 */
import type { AssignProblem } from '../../../engine/assign-contract.js'
import { exists } from '../slots.js'
import { NOBODY } from './claims.js'

export interface Walk {
  /** The next slot, -1 behind the last one. */
  next(): number
}

/** The slots of a list. */
export class ListWalk implements Walk {
  readonly #slots: ArrayLike<number>
  #at = 0

  constructor(slots: ArrayLike<number>) {
    this.#slots = slots
  }

  next(): number {
    return this.#at === this.#slots.length ? NOBODY : this.#slots[this.#at++]!
  }
}

/** The slots that exist, topic by topic. */
export class TopicWalk implements Walk {
  readonly #problem: AssignProblem
  readonly #topics: Uint32Array
  #topic = 0
  #slot = 0
  #end = 0

  constructor(problem: AssignProblem, topics: Uint32Array) {
    this.#problem = problem
    this.#topics = topics
  }

  next(): number {
    for (;;) {
      if (this.#slot === this.#end && !this.#nextTopic()) return NOBODY
      const slot = this.#slot++
      if (exists(this.#problem, slot)) return slot
    }
  }

  /** Topics that take part have a slot. */
  #nextTopic(): boolean {
    if (this.#topic === this.#topics.length) return false
    const topic = this.#topics[this.#topic++]!
    this.#slot = this.#problem.starts[topic]!
    this.#end = this.#problem.starts[topic + 1]!
    return true
  }
}
