/**
 * How many extras each member carries when loads are as level as can be: at least so many, and whether one more.
 *
 * For `balanced`. Twin of native/core/src/kafka/balanced/levels.rs.
 * Loads are level when the sum of load * load / weight is least. All level ways to deal agree but for members of one
 * _level_, to whom one extra more or less is worth the same: how many of them carry one more is fixed, who is free.
 * The extras are dealt to the least loaded, then passed on along chains of topics from where they weigh most to where they
 * weigh less, until no chain is left: then what an extra is worth to whoever sends it down a chain is the price of all that
 * it reaches, and members whose next or last extra costs that price are of one level.
 */
import { type Held, heldBy } from './held.js'
import type { Shares } from './shares.js'

export interface Levels {
  /** The least that each member carries, by rank. */
  readonly least: Uint32Array
  /** The level of a member that may carry one more; -1 for one that may not. */
  readonly levelOf: Int32Array
  /** How many members of each level carry one more. */
  readonly more: Uint32Array
}

/** Topics of one weight, all with extras, and the loads of the members without them. `holders` is written over. */
export interface Round {
  readonly shares: Shares
  readonly topics: Uint32Array
  readonly loads: Float64Array
  readonly holders: Uint32Array
}

export function levelsOf(round: Round): Levels {
  return sameForAll(round) ?? new Leveller(round).levels()
}

/** Where all carriers of all topics are the same, load and weight alike, everybody gets as many, and some one more. */
function sameForAll({ shares, topics, loads }: Round): Levels | null {
  const { carriers } = shares.fields[shares.fieldOf[topics[0]!]!]!
  const [load, weight] = [loads[carriers[0]!], shares.weights[carriers[0]!]]
  if (topics.some((topic) => shares.fieldOf[topic] !== shares.fieldOf[topics[0]!])) return null
  if (carriers.some((member) => loads[member] !== load || shares.weights[member] !== weight)) return null
  let extras = 0
  for (const topic of topics) extras += shares.extras[topic + 1]! - shares.extras[topic]!
  const least = new Uint32Array(loads.length)
  const levelOf = new Int32Array(loads.length).fill(-1)
  for (const member of carriers) {
    least[member] = Math.floor(extras / carriers.length)
    levelOf[member] = 0
  }
  return { least, levelOf, more: Uint32Array.of(extras % carriers.length) }
}

class Leveller {
  readonly #shares: Shares
  readonly #topics: Uint32Array
  readonly #holders: Uint32Array
  readonly #loads: Float64Array
  readonly #weight: number
  /** How many extras each member carries. */
  readonly #carried: Uint32Array
  /** The level that each member is of, -1 while it is not known. */
  readonly #closed: Int32Array
  /** A member of each level whose last extra costs its price. */
  #payers: number[] = []
  /** Whom the search came from, and with an extra of which topic. */
  readonly #from: Uint32Array
  readonly #through: Uint32Array
  /** Searches between two changes are one _epoch_: what one of them reached, the others leave alone. */
  #epoch = 0
  readonly #seen: Uint32Array
  readonly #topicSeen: Uint32Array
  readonly #unreached: Unreached[]
  #queue: number[] = []
  readonly #marks: Uint32Array
  #mark = 0

  constructor({ shares, topics, loads, holders }: Round) {
    const members = loads.length
    this.#shares = shares
    this.#topics = topics
    this.#holders = holders
    this.#loads = loads
    this.#weight = shares.topicWeights[topics[0]!]!
    this.#carried = new Uint32Array(members)
    this.#closed = new Int32Array(members)
    this.#from = new Uint32Array(members)
    this.#through = new Uint32Array(members)
    this.#seen = new Uint32Array(members)
    this.#topicSeen = new Uint32Array(shares.topics.length)
    this.#unreached = shares.fields.map(() => ({ epoch: 0, members: [] }))
    this.#marks = new Uint32Array(members)
  }

  levels(): Levels {
    this.#deal()
    while (this.#passOn()) {}
    return this.#boxes()
  }

  /** What the next extra costs a member, but for its weight. */
  #next(member: number): number {
    return 2 * (this.#loads[member]! + this.#weight * this.#carried[member]!) + this.#weight
  }

  /** What the last one cost. */
  #last(member: number): number {
    return this.#next(member) - 2 * this.#weight
  }

  /** Difference of two costs, each over its member's weight: 0 where they are the same. Products stay below 2^53. */
  #compare(cost: number, member: number, otherCost: number, other: number): number {
    const { weights } = this.#shares
    return cost * weights[other]! - otherCost * weights[member]!
  }

  /** Fields of few carriers first: those of many level out what they leave. */
  #deal(): void {
    const { fields, fieldOf, extras } = this.#shares
    const order = this.#topics.slice()
    order.sort(
      (a, b) =>
        fields[fieldOf[a]!]!.carriers.length - fields[fieldOf[b]!]!.carriers.length ||
        fieldOf[a]! - fieldOf[b]! ||
        a - b,
    )
    let heap = new LeastFirst([], () => false)
    let field: number | undefined
    const isBefore = (a: number, b: number) => (this.#compare(this.#next(a), a, this.#next(b), b) || a - b) < 0
    for (const topic of order) {
      if (fieldOf[topic] !== field) {
        field = fieldOf[topic]!
        heap = new LeastFirst(fields[field]!.carriers, isBefore)
      }
      const [from, to] = [extras[topic]!, extras[topic + 1]!]
      for (let i = from; i < to; i++) this.#holders[i] = heap.pop()
      for (let i = from; i < to; i++) {
        const member = this.#holders[i]!
        this.#carried[member]! += 1
        heap.push(member)
      }
    }
  }

  /** Passes on what is worth it, from the dearest downwards; false if nothing was, and then all levels are known. */
  #passOn(): boolean {
    const { extras } = this.#shares
    const held = heldBy(this.#shares, { topics: this.#topics, ends: extras.subarray(1), holders: this.#holders }, null)
    const order = Array.from(this.#carried.keys()).filter((member) => this.#carried[member]! > 0)
    order.sort((a, b) => this.#compare(this.#last(b), b, this.#last(a), a) || a - b)
    this.#closed.fill(-1)
    this.#payers = []
    this.#epoch += 1
    let any = false
    for (const member of order) {
      if (this.#closed[member] !== -1) continue
      for (let to = this.#search(member, held); to !== -1; to = this.#search(member, held)) {
        this.#pass(member, to)
        any = true
      }
      this.#close(member)
    }
    return any
  }

  /** Somebody further down a chain whose next extra costs less than the last one of `start`; -1 for nobody. */
  #search(start: number, held: Held): number {
    this.#queue = [start]
    this.#seen[start] = this.#epoch
    for (let at = 0; at < this.#queue.length; at++) {
      const member = this.#queue[at]!
      for (let i = held.offsets[member]!; i < held.offsets[member + 1]!; i++) {
        const found = this.#reach(start, member, held.topics[i]! >>> 1)
        if (found !== -1) return found
      }
    }
    return -1
  }

  /** Reaches all who could take an extra of the topic from the member, if it still has one. */
  #reach(start: number, member: number, topic: number): number {
    const { extras, fieldOf } = this.#shares
    if (this.#topicSeen[topic] === this.#epoch) return -1
    this.#mark += 1
    for (let i = extras[topic]!; i < extras[topic + 1]!; i++) this.#marks[this.#holders[i]!] = this.#mark
    if (this.#marks[member] !== this.#mark) return -1
    this.#topicSeen[topic] = this.#epoch
    const rest = this.#rest(fieldOf[topic]!)
    let left = 0
    for (const other of rest) {
      if (this.#marks[other] === this.#mark) rest[left++] = other
      else if (this.#seen[other] !== this.#epoch) {
        this.#seen[other] = this.#epoch
        this.#from[other] = member
        this.#through[other] = topic
        if (this.#compare(this.#next(other), other, this.#last(start), start) < 0) return other
        this.#queue.push(other)
      }
    }
    rest.length = left
    return -1
  }

  /** Carriers of a field whom no search of this epoch reached. */
  #rest(field: number): number[] {
    const unreached = this.#unreached[field]!
    if (unreached.epoch !== this.#epoch) {
      const carriers = Array.from(this.#shares.fields[field]!.carriers)
      unreached.members = carriers.filter((member) => this.#closed[member] === -1)
      unreached.epoch = this.#epoch
    }
    return unreached.members
  }

  /** Passes one extra down the chain. */
  #pass(start: number, end: number): void {
    for (let to = end; to !== start; to = this.#from[to]!) {
      let i = this.#shares.extras[this.#through[to]!]!
      while (this.#holders[i] !== this.#from[to]) i += 1
      this.#holders[i] = to
    }
    this.#carried[start]! -= 1
    this.#carried[end]! += 1
    this.#epoch += 1
  }

  /** Nothing leads out of what the last search reached: it is of the level of `start`, for good. */
  #close(start: number): void {
    const before = this.#payers.at(-1)
    if (before === undefined || this.#compare(this.#last(before), before, this.#last(start), start) !== 0) {
      this.#payers.push(start)
    }
    for (const member of this.#queue) this.#closed[member] = this.#payers.length - 1
  }

  #boxes(): Levels {
    const members = this.#carried.length
    const levels = {
      least: this.#carried.slice(),
      levelOf: new Int32Array(members).fill(-1),
      more: new Uint32Array(this.#payers.length),
    }
    for (let member = 0; member < members; member++) {
      const level = this.#closed[member]!
      if (level === -1) continue
      const payer = this.#payers[level]!
      const costs = (cost: number) => this.#compare(cost, member, this.#last(payer), payer) === 0
      const carriesMore = this.#carried[member]! > 0 && costs(this.#last(member))
      if (carriesMore || costs(this.#next(member))) levels.levelOf[member] = level
      if (!carriesMore) continue
      levels.least[member]! -= 1
      levels.more[level]! += 1
    }
    return levels
  }
}

interface Unreached {
  epoch: number
  members: number[]
}

/** A heap of members. */
class LeastFirst {
  readonly #members: number[] = []
  readonly #isBefore: (a: number, b: number) => boolean

  constructor(members: Iterable<number>, isBefore: (a: number, b: number) => boolean) {
    this.#isBefore = isBefore
    for (const member of members) this.push(member)
  }

  push(member: number): void {
    let at = this.#members.push(member) - 1
    while (at > 0) {
      const above = (at - 1) >>> 1
      if (!this.#isBefore(member, this.#members[above]!)) break
      this.#members[at] = this.#members[above]!
      at = above
    }
    this.#members[at] = member
  }

  pop(): number {
    const first = this.#members[0]!
    const last = this.#members.pop()!
    const size = this.#members.length
    if (size === 0) return first
    let at = 0
    for (let below = 1; below < size; below = 2 * at + 1) {
      if (below + 1 < size && this.#isBefore(this.#members[below + 1]!, this.#members[below]!)) below += 1
      if (!this.#isBefore(this.#members[below]!, last)) break
      this.#members[at] = this.#members[below]!
      at = below
    }
    this.#members[at] = last
    return first
  }
}
