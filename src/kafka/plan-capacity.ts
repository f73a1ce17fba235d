/**
 * Brokers within the bytes that they may hold: two replicas change places until no broker is over its capacity.
 *
 * With byte capacities even whether a plan exists is as hard as packing (NP-hard): this search may move more than the bound,
 * which is told, and may fail where a plan exists, which is said. Counts per broker stay level: a small replica comes for a
 * large one; only where that does not help a replica goes alone.
 */
import type { PlannedReplicas } from '../engine/plan-contract.js'
import { codedError } from '../errors.js'
import { PlanLists } from './plan-lists.js'
import type { PlanQuestion } from './plan-question.js'
import { type PlanSteps, SEARCH } from './plan-steps.js'

/** So many replicas are tried on either side of a swap. */
const TRIED = 128

/** @throws ERR_PLACEMENT_ARGUMENT_RANGE where bytes are not known; ERR_PLACEMENT_INFEASIBLE where no plan is found */
export function* withinCapacity(question: PlanQuestion, planned: PlannedReplicas): PlanSteps<PlannedReplicas> {
  const { brokers, cluster } = question
  const limited = brokers.find(({ capacity, state }) => capacity !== null && state === 'in')
  if (limited === undefined) return planned
  if (cluster.bytes === null) {
    const message = `capacity of broker ${limited.id}: expected bytes of the partitions beside it, got none`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
  }
  return yield* new Packing(question, planned, cluster.bytes).packed()
}

export function isWithinCapacity({ brokers, cluster }: PlanQuestion, lists: Lists): boolean {
  const { offsets, replicas } = lists
  const used = new Float64Array(brokers.length)
  for (let row = 0; row + 1 < offsets.length; row++) {
    for (let i = offsets[row]!; i < offsets[row + 1]!; i++) used[replicas[i]!]! += cluster.bytes?.[row] ?? 0
  }
  return brokers.every(({ capacity }, b) => capacity === null || used[b]! <= capacity)
}

type Lists = Pick<PlannedReplicas, 'offsets' | 'replicas'>

class Packing {
  readonly #lists: PlanLists
  readonly #planned: PlannedReplicas
  readonly #bytes: Float64Array
  /** Bytes that each broker may hold, and holds. */
  readonly #room: Float64Array
  readonly #used: Float64Array
  readonly #rows: Set<number>[]

  constructor(question: PlanQuestion, planned: PlannedReplicas, bytes: Float64Array) {
    this.#lists = new PlanLists(question, planned)
    this.#planned = planned
    this.#bytes = bytes
    this.#room = Float64Array.from(question.brokers, ({ capacity }) => capacity ?? Number.POSITIVE_INFINITY)
    this.#used = new Float64Array(question.brokers.length)
    this.#rows = question.brokers.map(() => new Set<number>())
    for (let row = 0; row < this.#lists.rows; row++) {
      for (const broker of this.#lists.now(row)) {
        this.#used[broker]! += bytes[row]!
        this.#rows[broker]!.add(row)
      }
    }
  }

  /** Each exchange leaves fewer bytes over the capacities and puts no other broker over its own, so that it ends. */
  *packed(): PlanSteps<PlannedReplicas> {
    let fullest = this.#fullest()
    if (fullest === -1) return this.#planned
    this.#checkTotal()
    yield SEARCH
    const all = this.#overAll()
    for (; fullest !== -1; fullest = this.#fullest()) {
      if (!this.#swapFrom(fullest) && !this.#moveFrom(fullest)) throw this.#stuck(fullest)
      yield 1 - this.#overAll() / all
    }
    return this.#lists.planned()
  }

  #overAll(): number {
    return this.#used.reduce((sum, _, b) => sum + Math.max(0, this.#over(b)), 0)
  }

  #over(broker: number): number {
    return this.#used[broker]! - this.#room[broker]!
  }

  /** The broker that is furthest over its capacity, or -1. */
  #fullest(): number {
    let fullest = -1
    for (let b = 0; b < this.#used.length; b++) {
      if (this.#over(b) > 0 && (fullest === -1 || this.#over(b) > this.#over(fullest))) fullest = b
    }
    return fullest
  }

  #checkTotal(): void {
    const { problem } = this.#lists.question
    const total = this.#used.reduce((sum, used) => sum + used, 0)
    const room = this.#room.reduce((sum, most, b) => sum + (problem.isIn[b] === 1 ? most : 0), 0)
    if (total <= room) return
    const message = `replicas hold ${total} bytes in all, the brokers that are in may hold ${room}: add capacity of ${total - room} bytes`
    throw codedError('ERR_PLACEMENT_INFEASIBLE', message)
  }

  #stuck(broker: number): Error {
    const { id } = this.#lists.question.brokers[broker]!
    const message = `broker ${id} would hold ${this.#used[broker]} bytes, it may hold ${this.#room[broker]}, and no exchange was found that helps (whether a plan exists is not known): raise its capacity by ${this.#over(broker)} bytes, or add a broker`
    return codedError('ERR_PLACEMENT_INFEASIBLE', message)
  }

  /** Rows of a broker, the largest first, or the smallest. */
  #sorted(broker: number, sign: 1 | -1): number[] {
    const rows = [...this.#rows[broker]!]
    return rows.sort((a, b) => sign * (this.#bytes[b]! - this.#bytes[a]!) || a - b).slice(0, TRIED)
  }

  /** Brokers that are in, the one with most room first. */
  #roomiest(): number[] {
    const { isIn } = this.#lists.question.problem
    const free = (b: number): number => (this.#room[b] === Number.POSITIVE_INFINITY ? -this.#used[b]! : -this.#over(b))
    return [...isIn.keys()].filter((b) => isIn[b] === 1 && this.#over(b) < 0).sort((a, b) => free(b) - free(a) || a - b)
  }

  #swapFrom(from: number): boolean {
    const large = this.#sorted(from, 1)
    for (const to of this.#roomiest()) {
      // Each side by itself first: asked of all pairs, the rules take most of the time.
      const small = this.#sorted(to, -1).filter((one) => this.#lists.mayReplace(one, to, from))
      if (small.length === 0) continue
      for (const row of large.filter((one) => this.#lists.mayReplace(one, from, to))) {
        const other = small.find((one) => this.#fits(this.#bytes[row]! - this.#bytes[one]!, to))
        if (other === undefined) continue
        this.#shift(row, from, to)
        this.#shift(other, to, from)
        return true
      }
    }
    return false
  }

  /** Whether so many more bytes, of which there are some, are within the capacity of a broker. */
  #fits(bytes: number, to: number): boolean {
    return bytes > 0 && this.#used[to]! + bytes <= this.#room[to]!
  }

  #moveFrom(from: number): boolean {
    for (const to of this.#roomiest()) {
      const rows = this.#sorted(from, 1)
      const row = rows.find((one) => this.#fits(this.#bytes[one]!, to) && this.#lists.mayReplace(one, from, to))
      if (row === undefined) continue
      this.#shift(row, from, to)
      return true
    }
    return false
  }

  #shift(row: number, from: number, to: number): void {
    this.#lists.replace(row, from, to)
    this.#used[from]! -= this.#bytes[row]!
    this.#used[to]! += this.#bytes[row]!
    this.#rows[from]!.delete(row)
    this.#rows[to]!.add(row)
  }
}
