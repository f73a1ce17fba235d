/**
 * The plan while it is made: who holds each replica now, who held it at the start, and how many each broker has.
 *
 * Twin of native/core/src/kafka/planner/state.rs. A partition has one slot for each replica that it holds or shall hold.
 */
import type { PlanProblem } from '../../../engine/plan-contract.js'
import { type Class, factorOf, NONE } from './rule.js'

export class State {
  readonly problem: PlanProblem
  /** The rack rule of each replication factor. */
  readonly classes: readonly Class[]
  readonly brokers: number
  readonly partitions: number
  /** Slots of partition `p`: `[offsets[p], offsets[p + 1])`. */
  readonly offsets: Uint32Array
  /** Broker of each slot at the start; `NONE` where a replica is to be added. */
  readonly origin: Uint32Array
  /** Broker of each slot now; `NONE` for an empty one. */
  readonly now: Uint32Array
  readonly partitionOf: Uint32Array
  readonly load: Uint32Array
  /** 1 for a partition that was changed. */
  readonly isTouched: Uint8Array
  /** Partitions that have changed and were not taken yet, and which these are. */
  #changed: number[] = []
  readonly #isChanged: Uint8Array
  /** How many slots each broker had at the start. */
  readonly heldAtStart: Uint32Array
  /** Brokers of each rack that are in. */
  readonly inRack: readonly number[][]

  constructor(problem: PlanProblem, classes: readonly Class[]) {
    this.problem = problem
    this.classes = classes
    this.brokers = problem.rackOf.length
    this.partitions = problem.offsets.length - 1
    ;[this.offsets, this.origin] = slotsOf(problem)
    this.now = this.origin.slice()
    this.load = new Uint32Array(this.brokers)
    for (const broker of this.origin) if (broker !== NONE) this.load[broker]! += 1
    this.heldAtStart = this.load.slice()
    this.#isChanged = new Uint8Array(this.partitions)
    this.partitionOf = new Uint32Array(this.origin.length)
    for (let p = 0; p < this.partitions; p++) this.partitionOf.fill(p, this.offsets[p]!, this.offsets[p + 1]!)
    this.isTouched = new Uint8Array(this.partitions)
    this.inRack = Array.from({ length: problem.racks }, () => [])
    for (let b = 0; b < this.brokers; b++) if (problem.isIn[b] === 1) this.inRack[problem.rackOf[b]!]!.push(b)
  }

  /** The number of replicas that a partition shall have. */
  factor(p: number): number {
    return factorOf(this.problem, p)
  }

  classOf(p: number): Class {
    return this.classes[this.factor(p)]!
  }

  rack(broker: number): number {
    return this.problem.rackOf[broker]!
  }

  isIn(broker: number): boolean {
    return this.problem.isIn[broker] === 1
  }

  holds(p: number, broker: number): boolean {
    for (let slot = this.offsets[p]!; slot < this.offsets[p + 1]!; slot++) if (this.now[slot] === broker) return true
    return false
  }

  held(p: number, broker: number): boolean {
    for (let slot = this.offsets[p]!; slot < this.offsets[p + 1]!; slot++) if (this.origin[slot] === broker) return true
    return false
  }

  /** Replicas of a partition in a rack. */
  countIn(p: number, rack: number): number {
    let count = 0
    for (let slot = this.offsets[p]!; slot < this.offsets[p + 1]!; slot++) {
      const broker = this.now[slot]!
      if (broker !== NONE && this.problem.rackOf[broker] === rack) count += 1
    }
    return count
  }

  /** Replicas that a partition has now. */
  size(p: number): number {
    let size = 0
    for (let slot = this.offsets[p]!; slot < this.offsets[p + 1]!; slot++) size += Number(this.now[slot] !== NONE)
    return size
  }

  /** Whether the rule lets one replica of a partition go from one rack to another. */
  mayCross(p: number, from: number, to: number): boolean {
    if (from === to) return true
    const { low, high } = this.classOf(p)
    if (low[from]! >= high[from]! || low[to]! >= high[to]!) return false
    return this.countIn(p, from) > low[from]! && this.countIn(p, to) < high[to]!
  }

  /** Brokers that held a partition at the start, hold it no more, and are in. */
  lost(p: number): number[] {
    const lost: number[] = []
    for (let slot = this.offsets[p]!; slot < this.offsets[p + 1]!; slot++) {
      const home = this.origin[slot]!
      if (home !== NONE && this.isIn(home) && !this.holds(p, home)) lost.push(home)
    }
    return lost
  }

  /** A partition's replica on one broker, which holds it, goes to another. */
  give(p: number, from: number, to: number): void {
    this.put(this.now.indexOf(from, this.offsets[p]!), to)
  }

  /** Partitions that have changed since they were taken last, each once. */
  takeChanged(): readonly number[] {
    const changed = this.#changed
    for (const p of changed) this.#isChanged[p] = 0
    this.#changed = []
    return changed
  }

  /** Puts a slot on a broker, or empties it with `NONE`. */
  put(slot: number, broker: number): void {
    const before = this.now[slot]!
    this.now[slot] = broker
    if (before !== NONE) this.load[before]! -= 1
    if (broker !== NONE) this.load[broker]! += 1
    const p = this.partitionOf[slot]!
    this.isTouched[p] = 1
    if (this.#isChanged[p] === 1) return
    this.#isChanged[p] = 1
    this.#changed.push(p)
  }

  /** Replicas on a broker that did not hold their partition. */
  moves(): number {
    let moves = 0
    for (let p = 0; p < this.partitions; p++) {
      if (this.isTouched[p] === 0) continue
      for (let slot = this.offsets[p]!; slot < this.offsets[p + 1]!; slot++) moves += Number(this.isNew(slot))
    }
    return moves
  }

  /** True for a slot on a broker that did not hold its partition. */
  isNew(slot: number): boolean {
    const broker = this.now[slot]!
    return broker !== NONE && !this.held(this.partitionOf[slot]!, broker)
  }
}

/** As many slots as a partition has replicas, or shall have, if those are more. */
function slotsOf({ offsets, replicas, factors }: PlanProblem): [Uint32Array, Uint32Array] {
  if (factors === null) return [offsets, replicas]
  const starts = new Uint32Array(offsets.length)
  for (let p = 0; p < factors.length; p++) {
    starts[p + 1] = starts[p]! + Math.max(factors[p]!, offsets[p + 1]! - offsets[p]!)
  }
  const origin = new Uint32Array(starts.at(-1)!).fill(NONE)
  for (let p = 0; p < factors.length; p++) origin.set(replicas.subarray(offsets[p]!, offsets[p + 1]!), starts[p]!)
  return [starts, origin]
}
