/** How the replicas of a partition may lie over the racks, by the definition of the rack rule: every way is tried. */
import type { PlanProblem } from '../../src/engine/plan-contract.js'

/** The ways of one replication factor. */
interface Ways {
  /** Racks that have any, each followed by how many. */
  readonly all: readonly (readonly number[])[]
  /** The same, each as one number of all its digits: how many each rack has. */
  readonly keys: ReadonlySet<number>
  /** What a replica in each rack adds to that number. */
  readonly steps: readonly number[]
  /** By such a number and the rack that a replica leaves: the racks where it may go, its own too. */
  readonly crossings: Map<number, readonly (readonly number[])[]>
}

export class RackWays {
  readonly #problem: PlanProblem
  readonly #room: number[]
  readonly #ways = new Map<number, Ways>()

  constructor(problem: PlanProblem) {
    this.#problem = problem
    this.#room = new Array<number>(problem.racks).fill(0)
    for (const [b, rack] of problem.rackOf.entries()) this.#room[rack]! += problem.isIn[b]!
  }

  /** All ways in which so many replicas can lie and keep the rule. */
  of(factor: number): Ways {
    let known = this.#ways.get(factor)
    if (known === undefined) {
      known = this.#found(factor)
      this.#ways.set(factor, known)
    }
    return known
  }

  #found(factor: number): Ways {
    const { racks, rule } = this.#problem
    if ((factor + 1) ** racks > Number.MAX_SAFE_INTEGER) throw new Error(`${racks} racks are too many for this judge`)
    const steps = Array.from({ length: racks }, (_, rack) => (factor + 1) ** rack)
    const rank = rule === 'spread' ? squaresOf : emptyOf
    const every = waysOver(this.#room, factor)
    const best = Math.min(...every.map(rank))
    const ways = every.filter((way) => rank(way) === best)
    const keys = ways.map((way) => way.reduce((key, count, rack) => key + count * steps[rack]!, 0))
    const all = ways.map((way) => way.flatMap((count, rack) => (count > 0 ? [rack, count] : [])))
    return { all, keys: new Set(keys), steps, crossings: new Map() }
  }

  /** How these brokers lie over the racks. */
  keyOf(list: Uint32Array): number {
    const { steps } = this.of(list.length)
    let key = 0
    for (let i = 0; i < list.length; i++) key += steps[this.#problem.rackOf[list[i]!]!]!
    return key
  }

  /** Racks where one of these replicas may go alone, by the rack that it leaves. */
  crossings(list: Uint32Array): readonly (readonly number[])[] {
    const { keys, steps, crossings } = this.of(list.length)
    const key = this.keyOf(list)
    let known = crossings.get(key)
    if (known === undefined) {
      const from = (step: number): number[] => [...steps.keys()].filter((to) => keys.has(key - step + steps[to]!))
      known = steps.map(from)
      crossings.set(key, known)
    }
    return known
  }
}

/** Least where the counts are as level as can be. */
const squaresOf = (way: readonly number[]): number => way.reduce((total, count) => total + count * count, 0)

const emptyOf = (way: readonly number[]): number => way.filter((count) => count === 0).length

function waysOver(room: readonly number[], factor: number): number[][] {
  if (room.length === 0) return factor === 0 ? [[]] : []
  const [first, ...rest] = room
  const ways: number[][] = []
  for (let count = 0; count <= Math.min(first!, factor); count++) {
    for (const way of waysOver(rest, factor - count)) ways.push([count, ...way])
  }
  return ways
}
