/**
 * Who gets the extras: levels kept, as many partitions as possible stay where they are.
 *
 * For `balanced`. Twin of native/core/src/kafka/balanced/extras.rs.
 * An extra costs nothing at a keeper (a carrier that owns more than its share rounded down), and a move elsewhere. First
 * keepers get all they can, then what is left goes to whoever has room, most room first, which leaves fewest collisions;
 * what collides all the same, the search of paths.ts places along cheapest paths, so that the cost stays the least there is.
 */
import type { Steps } from '../steps.js'
import type { Levels } from './levels.js'
import { MostRoomFirst } from './most-room-first.js'
import type { Nearness } from './nearness.js'
import type { Keepers } from './owned.js'
import { Paths } from './paths.js'
import type { Shares } from './shares.js'

/** Topics of one weight, all with extras, and what binds whoever places them. `holders` is written. */
export interface Placing {
  readonly shares: Shares
  readonly topics: Uint32Array
  readonly keepers: Keepers
  readonly levels: Levels
  readonly holders: Uint32Array
  /** `null` where no member has a rack. */
  readonly nearness: Nearness | null
  /** How many partitions of a topic that nobody keeps are near to each rack. */
  readonly wants: (topic: number, isHolder: (member: number) => boolean) => Uint32Array
}

export function* placeExtras(placing: Placing): Steps<void> {
  const rooms = new Rooms(placing)
  rooms.keep()
  const paths = new Paths(placing, rooms)
  if (rooms.couldKeep()) while (paths.place(0)) yield 3
  rooms.fill()
  for (yield 4; !rooms.areAllPlaced(); yield 4) paths.place(Number.POSITIVE_INFINITY)
}

/** What is placed, and who has room for more. */
export class Rooms {
  readonly #placing: Placing
  /** Extras `[extras[t], ends[t])` have a holder. */
  readonly ends: Uint32Array
  readonly carried: Uint32Array
  /** How many of each level may still carry one more. */
  readonly #spare: Uint32Array
  readonly #marks: Uint32Array
  #mark = 0

  constructor(placing: Placing) {
    this.#placing = placing
    this.ends = placing.shares.extras.slice(0, -1)
    this.carried = new Uint32Array(placing.levels.least.length)
    this.#spare = placing.levels.more.slice()
    this.#marks = new Uint32Array(this.carried.length)
  }

  /** True if the member may carry one more. */
  hasRoom(member: number): boolean {
    const { least, levelOf } = this.#placing.levels
    const over = this.carried[member]! - least[member]!
    return over < 0 || (over === 0 && levelOf[member] !== -1 && this.#spare[levelOf[member]!]! > 0)
  }

  /** One more for a member that has room. */
  take(member: number): void {
    const { least, levelOf } = this.#placing.levels
    if (this.carried[member]! >= least[member]!) this.#spare[levelOf[member]!]! -= 1
    this.carried[member]! += 1
  }

  isPlaced(topic: number): boolean {
    return this.ends[topic] === this.#placing.shares.extras[topic + 1]
  }

  areAllPlaced(): boolean {
    return this.#placing.topics.every((topic) => this.isPlaced(topic))
  }

  give(topic: number, member: number): void {
    this.#placing.holders[this.ends[topic]!++] = member
  }

  /**
   * Keepers get what they own, while there is room.
   *
   * Who owns too much lets go here and there, not all at the end: what is left lies in many topics and collides less.
   */
  keep(): void {
    const { counts, surplus } = this.#surplus()
    const seen = new Uint32Array(counts.length)
    this.#eachKeeper((topic, member) => {
      const isLetGo = (seen[member]!++ * surplus[member]! + member) % counts[member]! < surplus[member]!
      if (!isLetGo) this.#keepOne(topic, member)
    })
    const isOpen = this.#placing.topics.filter((topic) => !this.isPlaced(topic))
    for (const topic of isOpen) this.#keepRest(topic)
  }

  #eachKeeper(visit: (topic: number, member: number) => void): void {
    const { topics, keepers } = this.#placing
    for (const topic of topics) {
      for (let i = keepers.offsets[topic]!; i < keepers.offsets[topic + 1]!; i++) visit(topic, keepers.members[i]!)
    }
  }

  /** How much each member could keep, and how much of that it has no room for. */
  #surplus(): { readonly counts: Uint32Array; readonly surplus: Uint32Array } {
    const { least, levelOf } = this.#placing.levels
    const counts = new Uint32Array(least.length)
    this.#eachKeeper((_, member) => {
      counts[member]! += 1
    })
    const spare = this.#spare.slice()
    const surplus = counts.map((count, member) => {
      const level = levelOf[member]!
      if (count <= least[member]!) return 0
      if (level === -1 || spare[level] === 0) return count - least[member]!
      spare[level]! -= 1
      return count - least[member]! - 1
    })
    return { counts, surplus }
  }

  #keepOne(topic: number, member: number): void {
    if (this.isPlaced(topic) || !this.hasRoom(member)) return
    this.give(topic, member)
    this.take(member)
  }

  #keepRest(topic: number): void {
    const { keepers } = this.#placing
    this.#markHolders(topic)
    for (let i = keepers.offsets[topic]!; i < keepers.offsets[topic + 1]!; i++) {
      if (this.#marks[keepers.members[i]!] !== this.#mark) this.#keepOne(topic, keepers.members[i]!)
    }
  }

  #markHolders(topic: number): void {
    const { shares, holders } = this.#placing
    this.#mark += 1
    for (let i = shares.extras[topic]!; i < this.ends[topic]!; i++) this.#marks[holders[i]!] = this.#mark
  }

  /** True if a topic has extras and keepers left. */
  couldKeep(): boolean {
    const { topics, keepers, shares } = this.#placing
    return topics.some((topic) => {
      const kept = this.ends[topic]! - shares.extras[topic]!
      return !this.isPlaced(topic) && kept < keepers.offsets[topic + 1]! - keepers.offsets[topic]!
    })
  }

  /** What is left goes to whoever has room and no extra of the topic, field by field. */
  fill(): void {
    const { fieldOf } = this.#placing.shares
    const open = this.#placing.topics.filter((topic) => !this.isPlaced(topic))
    open.sort((a, b) => fieldOf[a]! - fieldOf[b]! || a - b)
    for (let from = 0, to = 0; from < open.length; from = to) {
      while (to < open.length && fieldOf[open[to]!] === fieldOf[open[from]!]) to += 1
      this.#fillField(open.subarray(from, to))
    }
  }

  #fillField(topics: Uint32Array): void {
    const { shares, levels } = this.#placing
    const { carriers } = shares.fields[shares.fieldOf[topics[0]!]!]!
    const order = new MostRoomFirst(carriers, (member) => Math.max(0, levels.least[member]! - this.carried[member]!))
    const spare = Array.from(carriers).filter((member) => levels.levelOf[member] !== -1)
    for (const topic of topics) {
      this.#markHolders(topic)
      // Near members first: fewer moves cannot be had here, and which way levels are met is free.
      const picks = this.#wanted(topic)
      for (const isPicked of picks) this.#fillRoom(topic, order, isPicked)
      for (const isPicked of picks) this.#fillSpare(topic, spare, isPicked)
    }
  }

  /** Whom to give the topic to, in turns: members near to partitions that nobody keeps, as many as are there; then all. */
  #wanted(topic: number): ((member: number) => boolean)[] {
    const { nearness, wants } = this.#placing
    if (nearness === null) return [() => true]
    const left = wants(topic, (member) => this.#marks[member] === this.#mark)
    return [(member) => left[nearness.rackOf[member]!]! > 0 && left[nearness.rackOf[member]!]!-- > 0, () => true]
  }

  #fillRoom(topic: number, order: MostRoomFirst, isPicked: (member: number) => boolean): void {
    const { holders } = this.#placing
    const from = this.ends[topic]!
    for (let i = 0; i < order.withRoom && !this.isPlaced(topic); i++) {
      const member = order.members[i]!
      if (this.#marks[member] !== this.#mark && isPicked(member)) this.give(topic, member)
    }
    for (let i = from; i < this.ends[topic]!; i++) {
      this.take(holders[i]!)
      order.lower(holders[i]!)
      this.#marks[holders[i]!] = this.#mark
    }
  }

  /** Members of `spare` may carry one more, once they have their least. */
  #fillSpare(topic: number, spare: number[], isPicked: (member: number) => boolean): void {
    for (let i = 0; i < spare.length && !this.isPlaced(topic); ) {
      const member = spare[i]!
      if (this.#marks[member] === this.#mark || (this.hasRoom(member) && !isPicked(member))) {
        i += 1
        continue
      }
      // Whoever is not marked has its least by now: nobody with more room was left.
      if (this.hasRoom(member)) {
        this.give(topic, member)
        this.take(member)
      }
      spare[i] = spare.at(-1)!
      spare.pop()
    }
  }
}
