/**
 * Places extras that no member with room can take at once, along cheapest paths: who holds an extra passes it on.
 *
 * For `balanced`. Twin of native/core/src/kafka/balanced/paths.rs.
 * Successive shortest paths, many at a time. Nodes are topics, members and levels. From a topic with extras left, an extra
 * goes to a carrier that holds none of it (cost 0 to a keeper, else 1); a member that is given one and has no room passes on
 * one of another topic (the cost of holding it comes back), or makes another member of its level, one that carries one more,
 * do that. A path ends at a member with room. As long as only shortest paths are taken, what is placed is placed at the
 * least cost there is; a round takes all that share no node, in the order of the members.
 */
import type { Placing, Rooms } from './extras.js'
import { type Held, heldBy } from './held.js'
import { includes } from './owned.js'

const FAR = 0x7fffffff
const NOWHERE = -1

export class Paths {
  readonly #placing: Placing
  readonly #rooms: Rooms
  /** Nodes: topics from 0, then members, then levels. */
  readonly #firstMember: number
  readonly #firstLevel: number
  readonly #membersOf: number[][]
  /** The cost of the cheapest way to each node, and the node before it. */
  readonly #costs: Int32Array
  readonly #from: Int32Array
  readonly #waits: Uint8Array
  readonly #used: Uint8Array
  #next: number[] = []
  /** Of each field, the carriers that could be reached at less than what one topic offered to all. */
  readonly #rests: { cost: number; members: number[] }[]
  readonly #marks: Uint32Array
  #mark = 0
  #held: Held = { offsets: new Uint32Array(0), topics: new Uint32Array(0) }

  constructor(placing: Placing, rooms: Rooms) {
    const { shares, levels } = placing
    this.#placing = placing
    this.#rooms = rooms
    this.#firstMember = shares.topics.length
    this.#firstLevel = this.#firstMember + shares.weights.length
    const nodes = this.#firstLevel + levels.more.length
    this.#membersOf = Array.from(levels.more, () => [])
    levels.levelOf.forEach((level, member) => {
      if (level !== -1) this.#membersOf[level]!.push(member)
    })
    this.#costs = new Int32Array(nodes)
    this.#from = new Int32Array(nodes)
    this.#waits = new Uint8Array(nodes)
    this.#used = new Uint8Array(nodes)
    this.#rests = shares.fields.map(() => ({ cost: FAR, members: [] }))
    this.#marks = new Uint32Array(shares.weights.length)
  }

  /** Places what shortest paths of at most that cost can; false if there is none. */
  place(mostCost: number): boolean {
    this.#search(mostCost)
    const { least, ends } = this.#cheapestEnds()
    this.#used.fill(0)
    for (const topic of this.#placing.topics) {
      if (this.#costs[topic] === least || this.#costs[topic] === least - 1) this.#walk(topic, least, ends)
    }
    return ends.length > 0
  }

  #search(mostCost: number): void {
    const { shares, topics, holders, keepers } = this.#placing
    this.#held = heldBy(shares, { topics, ends: this.#rooms.ends, holders }, keepers)
    this.#costs.fill(FAR)
    for (const rest of this.#rests) rest.cost = FAR
    for (const topic of topics) if (!this.#rooms.isPlaced(topic)) this.#offer(topic, 0, NOWHERE)
    while (this.#next.length > 0) {
      const wave = this.#next
      this.#next = []
      for (const node of wave) {
        this.#waits[node] = 0
        if (node < this.#firstMember) this.#leaveTopic(node, mostCost)
        else if (node < this.#firstLevel) this.#leaveMember(node - this.#firstMember)
        else this.#leaveLevel(node - this.#firstLevel)
      }
    }
  }

  /** A way to a node: taken if it is cheaper. */
  #offer(node: number, cost: number, from: number): void {
    if (this.#costs[node]! <= cost) return
    this.#costs[node] = cost
    this.#from[node] = from
    if (this.#waits[node] === 1) return
    this.#waits[node] = 1
    this.#next.push(node)
  }

  #leaveTopic(topic: number, mostCost: number): void {
    const { shares, keepers, holders } = this.#placing
    const cost = this.#costs[topic]!
    this.#mark += 1
    for (let i = shares.extras[topic]!; i < this.#rooms.ends[topic]!; i++) this.#marks[holders[i]!] = this.#mark
    for (let i = keepers.offsets[topic]!; i < keepers.offsets[topic + 1]!; i++) {
      const member = keepers.members[i]!
      if (this.#marks[member] !== this.#mark) this.#offer(this.#firstMember + member, cost, topic)
    }
    if (cost < mostCost) this.#spread(topic, cost + 1)
  }

  /** To all carriers. Those that are reached as cheaply already are not looked at again. */
  #spread(topic: number, cost: number): void {
    const { fields, fieldOf } = this.#placing.shares
    const rest = this.#rests[fieldOf[topic]!]!
    if (cost < rest.cost) {
      rest.cost = cost
      rest.members = Array.from(fields[fieldOf[topic]!]!.carriers)
    }
    let left = 0
    for (const member of rest.members) {
      const node = this.#firstMember + member
      if (this.#marks[member] !== this.#mark) this.#offer(node, cost, topic)
      if (this.#costs[node]! > rest.cost) rest.members[left++] = member
    }
    rest.members.length = left
  }

  #leaveMember(member: number): void {
    const { levelOf, least } = this.#placing.levels
    const node = this.#firstMember + member
    const cost = this.#costs[node]!
    for (let i = this.#held.offsets[member]!; i < this.#held.offsets[member + 1]!; i++) {
      const held = this.#held.topics[i]!
      this.#offer(held >>> 1, cost - 1 + (held & 1), node)
    }
    if (levelOf[member] === -1 || this.#rooms.carried[member] !== least[member]) return
    this.#offer(this.#firstLevel + levelOf[member]!, cost, node)
  }

  #leaveLevel(level: number): void {
    const node = this.#firstLevel + level
    for (const member of this.#membersOf[level]!) {
      const carriesMore = this.#rooms.carried[member]! > this.#placing.levels.least[member]!
      if (carriesMore) this.#offer(this.#firstMember + member, this.#costs[node]!, node)
    }
  }

  /** Members with room that are reached at the least cost. */
  #cheapestEnds(): { readonly least: number; readonly ends: Uint32Array } {
    let least = FAR - 1
    let ends: number[] = []
    for (let member = 0; member < this.#rooms.carried.length; member++) {
      const cost = this.#costs[this.#firstMember + member]!
      if (cost > least || !this.#rooms.hasRoom(member)) continue
      if (cost < least) ends = []
      least = cost
      ends.push(member)
    }
    return { least, ends: Uint32Array.from(ends) }
  }

  /** Passes extras on along the way to the topic and from there to the ends it reaches, unless a path of this round went there. */
  #walk(topic: number, least: number, ends: Uint32Array): void {
    const { shares, keepers, holders } = this.#placing
    this.#mark += 1
    for (let i = shares.extras[topic]!; i < this.#rooms.ends[topic]!; i++) this.#marks[holders[i]!] = this.#mark
    const isCheap = this.#costs[topic] === least
    const takers = isCheap ? keepers.members.subarray(keepers.offsets[topic], keepers.offsets[topic + 1]) : ends
    for (const end of takers) {
      if (this.#marks[end] === this.#mark || this.#costs[this.#firstMember + end] !== least) continue
      if (!this.#rooms.hasRoom(end) || !(isCheap || this.#isCarrier(topic, end))) continue
      if (!this.#isFree(topic, this.#firstMember + end)) continue
      this.#marks[end] = this.#mark
      this.#rooms.take(end)
      this.#hand(topic, end)
    }
  }

  #isCarrier(topic: number, member: number): boolean {
    const { fields, fieldOf } = this.#placing.shares
    return includes(fields[fieldOf[topic]!]!.carriers, member)
  }

  /** True if no path of this round went the way to the topic, the end is not on it, and where it begins extras are left. */
  #isFree(topic: number, end: number): boolean {
    let last = topic
    for (let node = topic; node !== NOWHERE; node = this.#from[node]!) {
      if (this.#used[node] === 1 || node === end) return false
      last = node
    }
    return !this.#rooms.isPlaced(last)
  }

  /** Gives an extra of the topic to the member; who gave it away gets one of the topic before it, and so on. */
  #hand(topic: number, member: number): void {
    let [at, to] = [topic, member]
    while (this.#from[at] !== NOWHERE) {
      const giver = this.#from[at]!
      this.#used[at] = 1
      this.#used[giver] = 1
      this.#passOn(at, giver - this.#firstMember, to)
      to = giver - this.#firstMember
      at = this.#from[giver]!
      if (at < this.#firstLevel) continue
      // Another one of its level carries one more instead.
      const instead = this.#from[at]!
      this.#used[at] = 1
      this.#used[instead] = 1
      this.#rooms.carried[to]! -= 1
      to = instead - this.#firstMember
      this.#rooms.carried[to]! += 1
      at = this.#from[instead]!
    }
    this.#rooms.give(at, to)
  }

  #passOn(topic: number, from: number, to: number): void {
    const { holders, shares } = this.#placing
    let i = shares.extras[topic]!
    while (holders[i] !== from) i += 1
    holders[i] = to
  }
}
