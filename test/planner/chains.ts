/** Where a plan's replicas can go: chains of exchanges, each of which keeps the rules, from broker to broker. */
import type { PlannedReplicas, PlanProblem } from '../../src/engine/plan-contract.js'
import type { RackWays } from './rack-ways.js'

export const listAt = ({ offsets, replicas }: Pick<PlannedReplicas, 'offsets' | 'replicas'>, p: number): Uint32Array =>
  replicas.subarray(offsets[p]!, offsets[p + 1]!)

/**
 * From which broker to which a chain leads. Where none leads out of a set of brokers, no plan gives that set fewer replicas:
 * each partition then holds as many brokers outside as any legal set of its own, those being the bases of a matroid.
 */
export class Chains {
  /** By broker, those that one exchange gives its replica. */
  readonly #next: number[][]
  /** By broker and rack, those of which that is not known. */
  readonly #missing: number[][] = []
  #left = 0

  constructor(problem: PlanProblem, planned: PlannedReplicas, ways: RackWays) {
    this.#next = Array.from(problem.rackOf, () => [])
    for (let from = 0; from < problem.rackOf.length; from++) this.#missAll(problem, from)
    for (let p = 0; p + 1 < planned.offsets.length && this.#left > 0; p++) {
      this.#cross(problem, listAt(planned, p), ways)
    }
  }

  #missAll({ rackOf, racks, isIn }: PlanProblem, from: number): void {
    const missing = Array.from({ length: racks }, (): number[] => [])
    for (let to = 0; to < rackOf.length; to++) if (to !== from && isIn[to] === 1) missing[rackOf[to]!]!.push(to)
    this.#missing.push(...missing)
    this.#left += missing.filter((brokers) => brokers.length > 0).length
  }

  #cross({ rackOf, racks }: PlanProblem, list: Uint32Array, ways: RackWays): void {
    const crossings = ways.crossings(list)
    for (let i = 0; i < list.length; i++) {
      const from = list[i]!
      for (const rack of crossings[rackOf[from]!]!) {
        const at = from * racks + rack
        if (this.#missing[at]!.length > 0) this.#take(at, from, list)
      }
    }
  }

  #take(at: number, from: number, list: Uint32Array): void {
    const missing = this.#missing[at]!
    const left = missing.filter((to) => list.includes(to))
    if (left.length < missing.length) this.#next[from]!.push(...missing.filter((to) => !list.includes(to)))
    if (left.length === 0) this.#left -= 1
    this.#missing[at] = left
  }

  /** Brokers at the ends of all chains from that one. */
  ends(from: number): number[] {
    const isReached = new Uint8Array(this.#next.length)
    isReached[from] = 1
    const ends = [from]
    for (const at of ends) {
      if (ends.length === isReached.length) break
      for (const to of this.#next[at]!) {
        if (isReached[to] === 1) continue
        isReached[to] = 1
        ends.push(to)
      }
    }
    return ends.slice(1)
  }
}
