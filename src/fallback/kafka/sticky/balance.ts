/**
 * Whether any partition could go to a member that has two less, asked before every move.
 *
 * For the general sticky algorithm. Source: Apache Kafka 4.4.0, AbstractStickyAssignor.GeneralAssignmentBuilder.isBalanced.
 * Twin of native/core/src/kafka/sticky/balance.rs.
 * The original looks at every member and partition anew each time. Here one pair of member and partition that proves the
 * imbalance is kept as long as it does; the next one is looked for where the walk over the partitions stands, so that both
 * walks together are one, and in all ways only when none is there.
 * Where the original would ask for a partition that nobody has, and so fail, its own order is walked.
 */
import { isCounted } from '../slots.js'
import { topicsOf } from '../subscriptions.js'
import { type General, Stopped } from './built.js'
import { NOBODY } from './claims.js'

export class Balance {
  readonly #general: General
  /** Members by count, of those that are not fixed. */
  readonly #withCount: number[] = []
  #least = 0
  #greatest = 0
  readonly #members: number
  /** True where a partition that is counted lies with nobody that is not fixed. */
  readonly #hasGap: boolean
  /** Place of each member in the original's map, which decides who of two holders counts; `null` where there are none. */
  readonly #mapPlace: Uint32Array | null
  #proofMember = NOBODY
  #proofSlot = 0

  constructor(general: General) {
    this.#general = general
    const { counts, fixed } = general.tally
    let members = 0
    for (let member = 0; member < counts.length; member++) {
      if (fixed[member] === 1) continue
      members += 1
      this.#count(counts[member]!, 1)
    }
    this.#members = members
    this.#least = this.#withCount.findIndex((some) => some > 0)
    this.#greatest = this.#withCount.length - 1
    this.#mapPlace = general.lists.anyDoubled ? placesIn(general.mapOrder()) : null
    this.#hasGap = this.#findGap()
  }

  #count(count: number, change: number): void {
    while (this.#withCount.length <= count) this.#withCount.push(0)
    this.#withCount[count]! += change
  }

  /** Moves a slot from its owner. */
  move(slot: number, to: number): void {
    const { lists, tally } = this.#general
    const from = lists.owner(slot)
    this.#count(tally.counts[from]!, -1)
    this.#count(tally.counts[to]!, -1)
    lists.move(slot, to)
    this.#count(tally.counts[from]!, 1)
    this.#count(tally.counts[to]!, 1)
    this.#least = Math.min(this.#least, tally.counts[from]!)
    while (this.#withCount[this.#least] === 0) this.#least += 1
    this.#greatest = Math.max(this.#greatest, tally.counts[to]!)
    while (this.#withCount[this.#greatest] === 0) this.#greatest -= 1
  }

  /** The sum of the differences of all pairs of members that are not fixed, in 32 bits as the original adds them. */
  score(): number {
    let [score, before] = [0, 0]
    for (let count = 0; count < this.#withCount.length; count++) {
      const some = this.#withCount[count]!
      // Each of them has `before` smaller members and as many greater ones as are left: the sum over them, with signs.
      score = (score + Math.imul(count, Math.imul(some, 2 * before + some - this.#members))) | 0
      before += some
    }
    return score
  }

  /** `at` is the slot that would be moved next: what can move behind it is a proof, and the next to move. */
  isBalanced(at: number): boolean {
    if (this.#members === 0) throw new Stopped('no-element')
    if (this.#least >= this.#greatest - 1) return true
    if (this.#hasGap) return this.#isBalancedInOrder()
    if (this.#proofMember !== NOBODY && this.#proves(this.#proofMember, this.#proofSlot)) return false
    return !(this.#proofFrom(at) || this.#proofAnywhere())
  }

  /** True if the slot could go to the member and leave its owner no smaller. */
  #proves(member: number, slot: number): boolean {
    const { tally, most } = this.#general
    const owner = this.#ownerInMap(slot)
    if (owner === NOBODY || tally.counts[owner]! <= tally.counts[member]! + 1) return false
    return tally.counts[member] !== most[member] && !this.#holds(member, slot)
  }

  #holds(member: number, slot: number): boolean {
    const { lists } = this.#general
    return lists.isDoubled(slot) ? lists.holders(slot).includes(member) : lists.holder(slot) === member
  }

  /** Of several holders, the one that comes last in the original's map. */
  #ownerInMap(slot: number): number {
    const { lists, tally } = this.#general
    const { fixed } = tally
    if (!lists.isDoubled(slot)) {
      const holder = lists.holder(slot)
      return holder === NOBODY || fixed[holder] === 1 ? NOBODY : holder
    }
    let last = NOBODY
    for (const holder of lists.holders(slot)) {
      if (fixed[holder] === 1) continue
      if (last === NOBODY || this.#mapPlace![holder]! > this.#mapPlace![last]!) last = holder
    }
    return last
  }

  #keepProof(member: number, slot: number): true {
    this.#proofMember = member
    this.#proofSlot = slot
    return true
  }

  /** The first slot from `at` on, around the end, that the smallest of its subscribers could have. */
  #proofFrom(at: number): boolean {
    const { problem, classes, topicOf, smallestOf } = this.#general
    const slots = problem.starts.at(-1)!
    let [known, smallest] = [NOBODY, NOBODY]
    for (let i = 0; i < slots; i++) {
      const slot = at + i < slots ? at + i : at + i - slots
      const subscribers = classes.classOf[topicOf[slot]!]!
      if (subscribers === -1 || !isCounted(problem, slot)) continue
      // Neighbours mostly are of one class.
      if (subscribers !== known) [known, smallest] = [subscribers, smallestOf(subscribers).peek()]
      if (smallest !== NOBODY && this.#proves(smallest, slot)) return this.#keepProof(smallest, slot)
    }
    return false
  }

  #proofAnywhere(): boolean {
    const { classes, tally } = this.#general
    const best = this.#greatestOwned()
    for (const [subscribers, members] of classes.members.entries()) {
      const slot = best[subscribers]!
      if (slot === NOBODY) continue
      const greatest = tally.counts[this.#ownerInMap(slot)!]!
      const small = members.find((member) => this.#isSmall(member, greatest))
      if (small !== undefined) return this.#keepProof(small, slot)
    }
    return this.#proofAmongDoubled()
  }

  #isSmall(member: number, greatest: number): boolean {
    const { counts, fixed } = this.#general.tally
    return fixed[member] === 0 && counts[member] !== this.#general.most[member] && counts[member]! + 1 < greatest
  }

  /** Of each class a slot whose owner has the most. */
  #greatestOwned(): Int32Array {
    const { problem, classes, topicOf, lists, tally } = this.#general
    const best = new Int32Array(classes.members.length).fill(NOBODY)
    const most = new Int32Array(classes.members.length).fill(NOBODY)
    for (let slot = 0; slot < problem.starts.at(-1)!; slot++) {
      const subscribers = classes.classOf[topicOf[slot]!]!
      if (subscribers === -1 || !isCounted(problem, slot) || lists.isDoubled(slot)) continue
      const owner = this.#ownerInMap(slot)
      const count = owner === NOBODY ? NOBODY : tally.counts[owner]!
      if (count <= most[subscribers]!) continue
      best[subscribers] = slot
      most[subscribers] = count
    }
    return best
  }

  #proofAmongDoubled(): boolean {
    const { problem, classes, topicOf, lists, tally } = this.#general
    for (const slot of lists.doubled()) {
      if (!isCounted(problem, slot)) continue
      for (const member of classes.members[classes.classOf[topicOf[slot]!]!]!) {
        if (tally.fixed[member] === 0 && this.#proves(member, slot)) return this.#keepProof(member, slot)
      }
    }
    return false
  }

  #findGap(): boolean {
    const { problem, classes, topicOf, tally } = this.#general
    if (problem.kinds === null) return false
    const free = classes.members.map((members) => members.some((member) => tally.fixed[member] === 0))
    for (let slot = 0; slot < problem.starts.at(-1)!; slot++) {
      const subscribers = classes.classOf[topicOf[slot]!]!
      if (subscribers === -1 || !free[subscribers] || !isCounted(problem, slot)) continue
      if (this.#ownerInMap(slot) === NOBODY) return true
    }
    return false
  }

  /** Member by member, the smallest first, topic by topic, number by number, until a proof or a gap. */
  #isBalancedInOrder(): boolean {
    const { problem, tally, most } = this.#general
    const members = Array.from(problem.memberOrder).filter((member) => tally.fixed[member] === 0)
    for (const member of members.sort((a, b) => tally.counts[a]! - tally.counts[b]!)) {
      if (tally.counts[member] === most[member]) continue
      for (const topic of topicsOf(problem, member)) if (this.#hasProofIn(topic, member)) return false
    }
    return true
  }

  #hasProofIn(topic: number, member: number): boolean {
    const { problem, classes } = this.#general
    if (classes.classOf[topic] === -1) return false
    for (let slot = problem.starts[topic]!; slot < problem.starts[topic + 1]!; slot++) {
      if (!isCounted(problem, slot) || this.#holds(member, slot)) continue
      if (this.#ownerInMap(slot) === NOBODY) throw new Stopped('null')
      if (this.#proves(member, slot)) return true
    }
    return false
  }
}

function placesIn(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length === 0 ? 0 : Math.max(...order) + 1)
  order.forEach((member, i) => {
    places[member] = i
  })
  return places
}
