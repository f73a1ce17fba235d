/** The lists of a plan while the facade betters them: bytes and capacities, which the engine does not know. */
import type { PlannedReplicas } from '../engine/plan-contract.js'
import { movesBetween } from './plan-difference.js'
import { legality } from './plan-feasible.js'
import type { PlanQuestion } from './plan-question.js'

export class PlanLists {
  readonly question: PlanQuestion
  readonly replicas: Uint32Array
  readonly #planned: PlannedReplicas
  readonly #isLegal: (list: ArrayLike<number>) => boolean

  constructor(question: PlanQuestion, planned: PlannedReplicas) {
    this.question = question
    this.#planned = planned
    this.replicas = planned.replicas.slice()
    this.#isLegal = legality(question)
  }

  get rows(): number {
    return this.#planned.offsets.length - 1
  }

  now(row: number): Uint32Array {
    return this.replicas.subarray(this.#planned.offsets[row]!, this.#planned.offsets[row + 1]!)
  }

  before(row: number): Uint32Array {
    const { offsets, replicas } = this.question.problem
    return replicas.subarray(offsets[row]!, offsets[row + 1]!)
  }

  /** Whether one broker may take another's place in a list. */
  mayReplace(row: number, from: number, to: number): boolean {
    const list = this.now(row)
    return !list.includes(to) && this.#isLegal(list.map((broker) => (broker === from ? to : broker)))
  }

  /** Who is back where all were before, under the leader of before, stands in the old order. */
  replace(row: number, from: number, to: number): void {
    const [before, list] = [this.before(row), this.now(row)]
    list[list.indexOf(from)] = to
    if (list[0] === before[0] && list.every((broker) => before.includes(broker)))
      list.set(before.subarray(0, list.length))
  }

  /** The plan with these lists. */
  planned(): PlannedReplicas {
    const lists = { ...this.#planned, replicas: this.replicas }
    return { ...lists, moves: movesBetween(this.question.problem, lists) }
  }
}
