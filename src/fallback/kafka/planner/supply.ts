/**
 * Replicas that could go to a broker which never held their partition, by the broker where they are and the rack to go to.
 *
 * Twin of native/core/src/kafka/planner/supply.rs. Cost 1: one that stood still. Cost 0: one that moves anyway. Nearly every
 * broker of a rack can take nearly every replica that may go there, so that a few ready ones a rack serve all its brokers,
 * and are read on only where none does.
 */
import type { Changed } from './changed.js'
import { inParts, type Turns } from './progress.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

/** So many are ready from the start. */
const READY = 16

/** So many racks have lists of their own; beyond, several share one. */
const LISTS = 64

/** Partitions that one list can give, in the order in which they were found; some no more. */
class List {
  readonly ready: number[] = []
  /** How many at its beginning are gone. */
  gone = 0
  /** The partition from which the broker's own are read on; `NONE`: all were read. */
  next = NONE
  /** How many of the broker's changed ones were read. */
  seen = 0
  /** By broker: how many of the list never serve that one, or will be read again. */
  readonly passed = new Map<number, number>()
}

/** What a list is for. */
interface Want {
  readonly list: List
  /** Of the broker, by the cost: its homes or guests that have changed. */
  readonly changed: readonly number[]
  readonly from: number
  readonly rack: number
}

export class Supply {
  readonly #state: State
  readonly #changed: Changed
  /** How many lists a broker has for each cost. */
  readonly #racks: number
  /** By broker, rack and cost; made when first asked for. */
  readonly #lists: (List | undefined)[]
  /** Made when a list is read on first. */
  #homes: Homes | null = null

  constructor(state: State, changed: Changed) {
    this.#state = state
    this.#changed = changed
    this.#racks = Math.min(state.problem.racks, LISTS)
    this.#lists = Array.from({ length: state.brokers * this.#racks * 2 })
  }

  #list(from: number, rack: number, cost: number): List {
    const at = (from * this.#racks + (rack % this.#racks)) * 2 + cost
    this.#lists[at] ??= new List()
    return this.#lists[at]
  }

  /**
   * The first that each broker has for each rack: one pass over the partitions, which ends where all have enough.
   *
   * @param open of each rack, those that its replicas may go to
   */
  *madeReady(open: readonly (readonly number[])[]): Turns<void> {
    const wanting = wantingLists(this.#state, this.#racks, open)
    let left = wanting.reduce((total, lists) => total + lists.length, 0)
    yield* inParts(this.#state.partitions, (from, to) => {
      for (let p = from; p < to && left > 0; p++) left -= this.#addReady(wanting, p)
    })
  }

  /** How many lists have enough since that partition. */
  #addReady(wanting: number[][], p: number): number {
    const state = this.#state
    let enough = 0
    for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
      const from = state.now[slot]!
      if (from === NONE || wanting[from]!.length === 0 || !state.held(p, from)) continue
      const kept = wanting[from]!.filter((rack) => this.#stillWants(p, from, rack))
      enough += wanting[from]!.length - kept.length
      wanting[from] = kept
    }
    return enough
  }

  /** Adds a partition to a list if it fits; whether the list wants more. */
  #stillWants(p: number, from: number, rack: number): boolean {
    if (!this.#mayLeave(p, from, rack)) return true
    const list = this.#list(from, rack, 1)
    list.ready.push(p)
    if (list.ready.length < READY) return true
    list.next = p + 1
    return false
  }

  /** A partition that serves, and is not on the way so far; or `NONE`. */
  find(way: readonly number[], from: number, to: number, cost: 0 | 1): number {
    const rack = this.#state.rack(to)
    const list = this.#list(from, rack, cost)
    const changed = (cost === 0 ? this.#changed.guests : this.#changed.homes)[from]!
    if (list.gone === list.ready.length && list.next === NONE && list.seen === changed.length) return NONE
    const want = { list, changed, from, rack }
    let next = Math.max(list.passed.get(to) ?? 0, list.gone)
    let kept = -1
    let found = NONE
    for (; next < list.ready.length || this.#readOn(want); next++) {
      const p = list.ready[next]!
      if (!this.#fits(p, from, rack)) {
        if (list.gone === next) list.gone += 1
        continue
      }
      if (!this.#serves(p, from, to)) continue
      if (!way.includes(p)) {
        found = p
        break
      }
      if (kept === -1) kept = next
    }
    const passed = kept === -1 ? next : kept
    if (passed > list.gone) list.passed.set(to, passed)
    return found
  }

  /** Makes one more ready; false where there is none. */
  #readOn({ list, changed, from, rack }: Want): boolean {
    if (list.next !== NONE) {
      this.#homes ??= new Homes(this.#state)
      const { starts, partitions, racks } = this.#homes
      const end = starts[from + 1]!
      for (let i = this.#homes.from(from, list.next); i < end; i++) {
        const p = partitions[i]!
        if (((racks[i]! >> (rack % MASK)) & 1) === 0 || !this.#fits(p, from, rack)) continue
        list.next = p + 1
        list.ready.push(p)
        return true
      }
      list.next = NONE
    }
    while (list.seen < changed.length) {
      const p = changed[list.seen++]!
      if (!this.#fits(p, from, rack)) continue
      list.ready.push(p)
      return true
    }
    return false
  }

  /** Whether a partition of the list may still go to the rack from the broker; where racks share a list, perhaps. */
  #fits(p: number, from: number, rack: number): boolean {
    return this.#state.holds(p, from) && this.#mayLeave(p, from, rack)
  }

  #mayLeave(p: number, from: number, rack: number): boolean {
    const state = this.#state
    return this.#racks < state.problem.racks || state.mayCross(p, state.rack(from), rack)
  }

  /** Whether one that fits can go to that broker. */
  #serves(p: number, from: number, to: number): boolean {
    const state = this.#state
    if (state.holds(p, to) || state.held(p, to)) return false
    return this.#racks === state.problem.racks || state.mayCross(p, state.rack(from), state.rack(to))
  }
}

/** Of each broker that held something, the lists of the racks that its replicas may go to. */
function wantingLists(state: State, racks: number, open: readonly (readonly number[])[]): number[][] {
  const ofRack = open.map((all) => [
    ...new Set(all.filter((rack) => state.inRack[rack]!.length > 0).map((rack) => rack % racks)),
  ])
  return Array.from({ length: state.brokers }, (_, b) =>
    state.isIn(b) && state.heldAtStart[b]! > 0 ? [...ofRack[state.rack(b)]!] : [],
  )
}

/** Bits of racks; beyond so many, several share one. */
const MASK = 16

/**
 * Partitions by the broker that held them at the start, ascending; beside each the racks that its replica there could go to
 * when the lists were made, as bits. A partition that changes later is listed as changed.
 */
class Homes {
  readonly starts: Uint32Array
  readonly partitions: Uint32Array
  readonly racks: Uint16Array

  constructor(state: State) {
    this.starts = new Uint32Array(state.brokers + 1)
    for (let b = 0; b < state.brokers; b++) this.starts[b + 1] = this.starts[b]! + state.heldAtStart[b]!
    const next = this.starts.slice()
    this.partitions = new Uint32Array(this.starts.at(-1)!)
    this.racks = new Uint16Array(this.partitions.length)
    const open = openRacks(state)
    for (let p = 0; p < state.partitions; p++) {
      const reachable = open[state.factor(p)]! & ~fullRacks(state, p)
      for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
        const home = state.origin[slot]!
        if (home === NONE) continue
        const own = 1 << (state.rack(home) % MASK)
        const at = next[home]!++
        this.partitions[at] = p
        this.racks[at] = mayLeaveRack(state, p, state.rack(home)) ? reachable | own : own
      }
    }
  }

  /** Position of the first of a broker's that is not before a partition. */
  from(broker: number, first: number): number {
    let [low, high] = [this.starts[broker]!, this.starts[broker + 1]!]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.partitions[middle]! < first) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Of each class, the racks that may have one more than the least, as bits. */
function openRacks({ classes, problem }: State): number[] {
  return classes.map(({ low, high }) => {
    let bits = 0
    for (let rack = 0; rack < problem.racks; rack++) if (low[rack]! < high[rack]!) bits |= 1 << (rack % MASK)
    return bits
  })
}

/** Racks that have all they may have of a partition, as bits; none where bits are shared. */
function fullRacks(state: State, p: number): number {
  if (state.problem.racks > MASK) return 0
  const { high } = state.classOf(p)
  let bits = 0
  for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
    const broker = state.now[slot]!
    if (broker !== NONE && state.countIn(p, state.rack(broker)) >= high[state.rack(broker)]!)
      bits |= 1 << state.rack(broker)
  }
  return bits
}

/** Whether a rack may have one fewer of a partition. */
function mayLeaveRack(state: State, p: number, rack: number): boolean {
  const { low, high } = state.classOf(p)
  return low[rack]! < high[rack]! && state.countIn(p, rack) > low[rack]!
}
