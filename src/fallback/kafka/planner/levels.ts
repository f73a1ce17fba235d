/**
 * What a level plan is: how many replicas each broker may have, `[low, low]` or `[low, low + 1]`, and how many brokers of
 * each group of racks have the one more.
 *
 * Twin of native/core/src/kafka/planner/levels.rs. A lighter broker can always take from a heavier one of its rack, so only
 * the racks' totals matter. They are water-filled, sum of squares least, inside the limits of the rack rule: shifts of
 * 2^j … 1 replicas along paths of racks. Then a rack whose total is at its limit, and cannot leave it, gets that limit for
 * every partition.
 */
import type { PlanProblem } from '../../../engine/plan-contract.js'
import { brokersIn, type Class, isOpen, NONE, sum } from './rule.js'

export interface Levels {
  /** Per broker; 0 for one that is out. */
  readonly low: Uint32Array
  readonly high: Uint32Array
  /** Group of each broker that may have one more; else `NONE`. */
  readonly group: Uint32Array
  /** How many brokers of each group have one more. */
  readonly due: readonly number[]
  /** Per rack: 1 where every partition has the most it may have there, -1 the least, 0 neither. */
  readonly tight: readonly number[]
}

/** Computes the levels, and tightens the classes. */
export function levelsOf(problem: PlanProblem, classes: readonly Class[]): Levels {
  const totals = new RackTotals(brokersIn(problem), classes)
  totals.settle()
  const racks = Array.from({ length: problem.racks }, (_, rack) => rack)
  const reached = racks.map((rack) => totals.reached(rack))
  const tight = racks.map((rack) => totals.tightness(rack, reached))
  const ranges = racks.map((rack) => totals.range(rack, reached))
  tighten(classes, tight)
  const grouping = new Grouping()
  for (const rack of racks) {
    const [low, high] = ranges[rack]!
    const isFixed = !classes.some((one) => isOpen(one, rack))
    const more = totals.sums[rack]! - low * totals.brokers[rack]!
    grouping.add(high > low, `${low} ${isFixed ? rack + 1 : 0}`, more)
  }
  return spreadToBrokers(problem, ranges, grouping, tight)
}

function tighten(classes: readonly Class[], tight: readonly number[]): void {
  for (const one of classes) {
    if (one.partitions === 0) continue
    for (const [rack, side] of tight.entries()) {
      if (side === 1) one.low[rack] = one.high[rack]!
      if (side === -1) one.high[rack] = one.low[rack]!
    }
  }
}

type Range = readonly [low: number, high: number]

function spreadToBrokers(
  { rackOf, isIn }: PlanProblem,
  ranges: readonly Range[],
  grouping: Grouping,
  tight: readonly number[],
): Levels {
  const low = rackOf.map((rack, b) => (isIn[b] === 1 ? ranges[rack]![0] : 0))
  const high = rackOf.map((rack, b) => (isIn[b] === 1 ? ranges[rack]![1] : 0))
  const group = rackOf.map((rack, b) => (isIn[b] === 1 ? grouping.ofRack[rack]! : NONE))
  return { low, high, group, due: grouping.due, tight }
}

/** Racks of one level share who has one more, unless their totals are fixed. */
class Grouping {
  readonly #keys: string[] = []
  readonly due: number[] = []
  readonly ofRack: number[] = []

  add(isOpenLevel: boolean, key: string, more: number): void {
    if (!isOpenLevel) {
      this.ofRack.push(NONE)
      return
    }
    let group = this.#keys.indexOf(key)
    if (group === -1) {
      group = this.#keys.push(key) - 1
      this.due.push(0)
    }
    this.due[group]! += more
    this.ofRack.push(group)
  }
}

/** How many replicas each rack has, and how much of it each class could give to other racks. */
export class RackTotals {
  /** Brokers of each rack that are in. */
  readonly brokers: readonly number[]
  readonly sums: number[]
  readonly #classes: readonly Class[]
  /** Of each class, what each rack has above the least. */
  readonly #above: number[][] = []
  /** Of each class, how much that can be. */
  readonly #room: number[][] = []

  constructor(brokers: readonly number[], classes: readonly Class[]) {
    this.brokers = brokers
    this.#classes = classes
    this.sums = brokers.map(() => 0)
    for (const [factor, one] of classes.entries()) {
      this.#room.push(brokers.map((_, rack) => one.partitions * (one.high[rack]! - one.low[rack]!)))
      this.#fill(factor, one)
    }
  }

  /** Any way that the limits allow: the first racks take what they can. */
  #fill(factor: number, { partitions, low }: Class): void {
    let left = partitions * Math.max(0, factor - sum(low))
    const above = this.#room.at(-1)!.map((room, rack) => {
      const taken = Math.min(left, room)
      left -= taken
      this.sums[rack]! += partitions * low[rack]! + taken
      return taken
    })
    this.#above.push(above)
  }

  settle(): void {
    const all = sum(this.sums)
    let amount = 1
    while (amount * 2 <= all) amount *= 2
    for (; amount >= 1; amount = Math.floor(amount / 2)) {
      while (this.#shiftFromAll(amount)) {
        // Until no rack gains by it.
      }
    }
  }

  #shiftFromAll(amount: number): boolean {
    let any = false
    for (let from = 0; from < this.sums.length; from++) any = this.#shift(from, amount) || any
    return any
  }

  /** Moves an amount from a rack to where it lowers the sum of squares most. */
  #shift(from: number, amount: number): boolean {
    if (this.sums[from]! < amount) return false
    const parents = this.parents(from, amount)
    let [most, best] = [0, from]
    for (let to = 0; to < this.sums.length; to++) {
      if (to === from || parents[to] === NONE) continue
      const gain = this.#gain(from, to, amount)
      if (gain > most) [most, best] = [gain, to]
    }
    return best !== from && this.carry(parents, [from, best], amount)
  }

  /** Moves an amount from rack to rack along a tree just found; true. */
  carry(parents: readonly number[], [from, last]: readonly [number, number], amount: number): boolean {
    for (let to = last; to !== from; to = parents[to]!) {
      const above = this.#above[this.#classBetween(parents[to]!, to, amount)]!
      above[parents[to]!]! -= amount
      above[to]! += amount
    }
    this.sums[from]! -= amount
    this.sums[last]! += amount
    return true
  }

  #gain(from: number, to: number, amount: number): number {
    const [a, b] = [this.sums[from]!, this.sums[to]!]
    return (
      this.#squares(from, a) + this.#squares(to, b) - this.#squares(from, a - amount) - this.#squares(to, b + amount)
    )
  }

  /** The sum of squares of a total that the brokers of a rack share evenly: below 2^53 for 2^26 replicas. */
  #squares(rack: number, total: number): number {
    const brokers = this.brokers[rack]!
    if (brokers === 0) return 0
    const each = Math.floor(total / brokers)
    return brokers * each * each + (total % brokers) * (2 * each + 1)
  }

  /** A class that can give an amount from one rack to another, or -1. */
  #classBetween(from: number, to: number, amount: number): number {
    return this.#above.findIndex(
      (above, index) => above[from]! >= amount && above[to]! + amount <= this.#room[index]![to]!,
    )
  }

  /** A tree of racks that an amount can reach; `NONE` for the others. */
  parents(from: number, amount: number): number[] {
    const parents = this.sums.map(() => NONE)
    parents[from] = from
    let unreached = [...parents.keys()].filter((rack) => rack !== from)
    const open = [from]
    for (const at of open) {
      if (unreached.length === 0) break
      unreached = unreached.filter((to) => {
        if (this.#classBetween(at, to, amount) === -1) return true
        parents[to] = at
        open.push(to)
        return false
      })
    }
    return parents
  }

  reached(from: number): boolean[] {
    return this.parents(from, 1).map((parent) => parent !== NONE)
  }

  /** Count of the lightest broker of a rack. */
  #lightest(rack: number): number {
    return Math.floor(this.sums[rack]! / this.brokers[rack]!)
  }

  /** Count of the heaviest broker once it has given one; -1 where there is nothing to give. */
  #heaviestLessOne(rack: number): number {
    return this.sums[rack] === 0 ? -1 : Math.floor((this.sums[rack]! - 1) / this.brokers[rack]!)
  }

  /** Racks other than this one, with brokers. */
  #others(rack: number): number[] {
    return [...this.sums.keys()].filter((other) => other !== rack && this.brokers[other]! > 0)
  }

  tightness(rack: number, reached: readonly (readonly boolean[])[]): number {
    const least = sum(this.#classes.map((one) => one.partitions * one.low[rack]!))
    const most = sum(this.#classes.map((one) => one.partitions * one.high[rack]!))
    if (this.brokers[rack] === 0 || least === most) return 0
    const keeps = (to: number): boolean => !reached[rack]![to]! || this.#lightest(to) > this.#heaviestLessOne(rack)
    const refuses = (from: number): boolean =>
      !reached[from]![rack]! || this.#lightest(rack) > this.#heaviestLessOne(from)
    if (this.sums[rack] === most && this.#others(rack).every(keeps)) return 1
    return this.sums[rack] === least && this.#others(rack).every(refuses) ? -1 : 0
  }

  /** Least and most of a broker of that rack, over all level plans. */
  range(rack: number, reached: readonly (readonly boolean[])[]): Range {
    if (this.brokers[rack] === 0) return [0, 0]
    const level = this.#lightest(rack)
    if (this.sums[rack]! % this.brokers[rack]! > 0) return [level, level + 1]
    const mayGive = (to: number): boolean => reached[rack]![to]! && this.#lightest(to) + 1 === level
    const mayTake = (from: number): boolean => reached[from]![rack]! && this.#heaviestLessOne(from) === level
    if (level > 0 && this.#others(rack).some(mayGive)) return [level - 1, level]
    return this.#others(rack).some(mayTake) ? [level, level + 1] : [level, level]
  }
}
