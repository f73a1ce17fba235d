/**
 * Leaders levelled by putting lists in another order, which moves no data.
 *
 * Twin of native/core/src/kafka/planner/leaders.rs. The least sum of squares that these replica sets allow: a pass over the
 * partitions whose leaders have too many, then shortest chains from a broker that leads many to one that leads two fewer,
 * until there is none. A leader stays where changing it helps nobody.
 */
import type { PlanProblem } from '../../../engine/plan-contract.js'
import type { Lists } from './lists.js'
import { inParts, type Turns } from './progress.js'
import { NONE } from './rule.js'

const PASSES = 3

export function* levelLeaders(problem: PlanProblem, lists: Lists): Turns<void> {
  const partitions = lists.offsets.length - 1
  const leading = new Leading(problem, lists)
  for (let pass = 0; pass < PASSES; pass++) yield* inParts(partitions, (from, to) => leading.pass(from, to))
  yield* inParts(partitions, (from, to) => leading.listLed(from, to))
  const order = leading.inBrokers.slice()
  for (let any = true; any; ) {
    any = false
    order.sort((a, b) => leading.load[b]! - leading.load[a]! || a - b)
    for (const from of order) {
      while (leading.relieve(from)) {
        any = true
        yield
      }
    }
  }
}

/** The sum of squares of the leaders' counts. */
export function unevennessOf(lists: Lists, brokers: number): number {
  return leadersOf(lists, brokers).reduce((total, count) => total + count * count, 0)
}

function leadersOf({ offsets, replicas }: Lists, brokers: number): number[] {
  const load = new Array<number>(brokers).fill(0)
  for (let p = 0; p + 1 < offsets.length; p++) if (offsets[p]! < offsets[p + 1]!) load[replicas[offsets[p]!]!]! += 1
  return load
}

function presentIn({ replicas }: Lists, brokers: number): number {
  const isPresent = new Uint8Array(brokers)
  for (const broker of replicas) isPresent[broker] = 1
  return isPresent.reduce((total, one) => total + one, 0)
}

class Leading {
  readonly #lists: Lists
  readonly load: number[]
  readonly inBrokers: number[] = []
  /** Partitions that each broker leads; some may have left. */
  readonly #led: number[][]
  /** The broker before each on the way, and the partition; `NONE` for one not reached. */
  readonly #before: Uint32Array
  readonly #by: Uint32Array
  /** How many brokers stand in the lists, and how many of them are not reached. */
  readonly #present: number
  #unreached = 0

  constructor({ isIn }: PlanProblem, lists: Lists) {
    this.#lists = lists
    this.load = leadersOf(lists, isIn.length)
    this.#present = presentIn(lists, isIn.length)
    this.#led = this.load.map(() => [])
    this.#before = new Uint32Array(isIn.length)
    this.#by = new Uint32Array(isIn.length)
    for (let b = 0; b < isIn.length; b++) if (isIn[b] === 1) this.inBrokers.push(b)
  }

  /** Gives away the lead where the leader has more than its even share. */
  pass(from: number, to: number): void {
    const { offsets, replicas } = this.#lists
    const share = Math.ceil((offsets.length - 1) / Math.max(1, this.inBrokers.length))
    for (let p = from; p < to; p++) {
      const start = offsets[p]!
      if (start === offsets[p + 1]! || this.load[replicas[start]!]! <= share) continue
      let least = replicas[start]!
      for (let at = start + 1; at < offsets[p + 1]!; at++) {
        if (this.load[replicas[at]!]! < this.load[least]!) least = replicas[at]!
      }
      if (this.load[least]! + 1 < this.load[replicas[start]!]!) this.#lead(p, least)
    }
  }

  /** Puts a broker of the list first; the others keep their order. */
  #lead(p: number, broker: number): void {
    const { offsets, replicas } = this.#lists
    const start = offsets[p]!
    this.load[replicas[start]!]! -= 1
    this.load[broker]! += 1
    const at = replicas.indexOf(broker, start)
    replicas.copyWithin(start + 1, start, at)
    replicas[start] = broker
  }

  /** Notes who leads what, once the passes are done. */
  listLed(from: number, to: number): void {
    const { offsets, replicas } = this.#lists
    for (let p = from; p < to; p++) {
      if (offsets[p]! < offsets[p + 1]!) this.#led[replicas[offsets[p]!]!]!.push(p)
    }
  }

  relieve(from: number): boolean {
    if (!this.inBrokers.some((to) => this.#gains(from, to))) return false
    this.#before.fill(NONE)
    this.#before[from] = from
    this.#unreached = this.#present - 1
    for (let layer = [from]; layer.length > 0; ) {
      layer = layer.flatMap((at) => this.#reachFrom(at))
      let best = -1
      for (const to of layer) {
        if (this.#gains(from, to) && (best === -1 || this.load[to]! < this.load[best]!)) best = to
      }
      if (best === -1) continue
      this.#shift(best, from)
      return true
    }
    return false
  }

  #gains(from: number, to: number): boolean {
    return this.load[to]! + 1 < this.load[from]!
  }

  /** Brokers not reached before that can take a lead of this one, ascending. */
  #reachFrom(at: number): number[] {
    const { offsets, replicas } = this.#lists
    const reached: number[] = []
    for (const p of this.#led[at]!) {
      if (this.#unreached === 0) break
      if (replicas[offsets[p]!] === at) this.#reachBy(p, at, reached)
    }
    return reached.sort((a, b) => a - b)
  }

  #reachBy(p: number, at: number, reached: number[]): void {
    const { offsets, replicas } = this.#lists
    for (let i = offsets[p]!; i < offsets[p + 1]!; i++) {
      const to = replicas[i]!
      if (this.#before[to] !== NONE) continue
      this.#before[to] = at
      this.#by[to] = p
      this.#unreached -= 1
      reached.push(to)
    }
  }

  #shift(last: number, first: number): void {
    for (let to = last; to !== first; to = this.#before[to]!) {
      const p = this.#by[to]!
      this.#lead(p, to)
      this.#led[to]!.push(p)
    }
  }
}
