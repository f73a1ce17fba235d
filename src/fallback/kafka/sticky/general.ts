/**
 * The sticky assignors where subscriptions differ: keep what may be kept, deal the rest to the smallest, then move
 * partition by partition to whoever has two less.
 *
 * Source: Apache Kafka 4.4.0, AbstractStickyAssignor.GeneralAssignmentBuilder. Twin of
 * native/core/src/kafka/sticky/general.rs.
 * What differs from the obvious: a partition goes back to an owner of an earlier generation, subscribed or not; racks
 * decide who keeps and who is dealt to, but not who a move goes to; and a claim beyond the count stops the subtraction of
 * what is kept, so that kept partitions are dealt again.
 */
import type { AssignProblem, AssignRacks } from '../../../engine/assign-contract.js'
import { fits, isOnRack, racksOf } from '../racks.js'
import { countOf, isCounted, topicsOfSlots } from '../slots.js'
import { PART, type Steps } from '../steps.js'
import { type SubscriberClasses, subscriberClasses, topicsOf } from '../subscriptions.js'
import { Balance } from './balance.js'
import { type Built, type Failed, type General, Stopped } from './built.js'
import { type Claims, NOBODY } from './claims.js'
import { type KeptLog, Lists } from './lists.js'
import { mapOrderOf, mapOrdersWithout } from './map-order.js'
import { Movements } from './movements.js'
import { Smallest, Tally } from './smallest.js'
import { ListWalk, TopicWalk, type Walk } from './walk.js'
import { overflows, sortWrapped } from './wrapped-order.js'

export function* buildGeneral(problem: AssignProblem, claims: Claims, racksUsed: boolean): Steps<Built | Failed> {
  try {
    return yield* new GeneralBuilder(problem, claims, racksUsed).build()
  } catch (error) {
    if (error instanceof Stopped) return { failure: error.failure, member: NOBODY }
    throw error
  }
}

class GeneralBuilder {
  readonly #problem: AssignProblem
  readonly #claims: Claims
  readonly #racksUsed: boolean
  readonly #general: General
  readonly #movements: Movements
  /** Topics by number of subscribers, then name. */
  readonly #topics: Uint32Array
  readonly #ranks: { readonly rankOf: Uint32Array; readonly byRank: Uint32Array }
  /** Owner in the latest earlier generation, for each slot; `null` where there is none. */
  #previous: Int32Array | null = null
  /** 1 for a class of subscribers with a fixed member, which a group without stray claims or gaps does not have. */
  #hasFixed = new Uint8Array(0)
  #mustRevoke = false

  constructor(problem: AssignProblem, claims: Claims, racksUsed: boolean) {
    this.#problem = problem
    this.#claims = claims
    this.#racksUsed = racksUsed
    const { starts, numbers, listOf, memberOrder } = problem
    const rankOf = new Uint32Array(memberOrder.length)
    memberOrder.forEach((member, i) => {
      rankOf[member] = i
    })
    this.#ranks = { rankOf, byRank: memberOrder }
    const topicOf = topicsOfSlots(problem)
    const tally = new Tally(listOf.length)
    const classes = subscriberClasses(
      problem,
      Uint32Array.from(listOf, (_, i) => i),
    )
    this.#general = {
      problem,
      classes,
      topicOf,
      tally,
      lists: new Lists(tally, new Int32Array(0), { log: new Uint32Array(0), length: 0 }),
      most: mostOf(problem, classes),
      smallestOf: this.#heaps(tally, classes),
      mapOrder: () => mapOrdersWithout(problem, tally.fixed).without,
    }
    const topic = (slot: number) => this.#general.topicOf[slot]!
    const numberOf = (slot: number) => (numbers === null ? slot - starts[topic(slot)]! : numbers[slot]!)
    this.#movements = new Movements(problem, numberOf, topic)
    this.#topics = this.#sortedTopics()
  }

  *build(): Steps<Built> {
    const general = this.#general
    const { tally } = general
    const kept = yield* this.#keep()
    const initializing = kept.length === 0
    // Of a group that keeps nothing, all are left: no list of them is made.
    const left = initializing ? null : this.#left()
    general.lists = new Lists(tally, this.#claims.takeKeepers(), kept)
    yield 2
    this.#previous = previousOwners(this.#problem, this.#claims.maxGeneration)
    const all = (): Walk => new TopicWalk(this.#problem, this.#topics)
    const unkept = (): Walk => (left === null ? all() : new ListWalk(left))
    yield* this.#deal(unkept())
    yield 3
    this.#fixMembers()
    const balance = new Balance(general)
    const [score, counts] = [balance.score(), tally.counts.slice()]
    general.lists.mark()
    if (!this.#mustRevoke) yield* this.#reassign(unkept, balance)
    const moved = yield* this.#reassign(all, balance)
    yield 5
    if (!initializing && moved && balance.score() >= score) {
      general.lists.restore()
      tally.counts.set(counts)
    }
    const walk = general.lists.anyDoubled ? mapOrdersWithout(this.#problem, tally.fixed).after : null
    const { offsets, values, holders } = general.lists.result(general.topicOf)
    return { offsets, values, waits: walk === null ? { holders } : { walk } }
  }

  /** A heap a class, made when it is asked for. */
  #heaps(tally: Tally, { members }: SubscriberClasses): (subscribers: number) => Smallest {
    const heaps: Smallest[] = []
    return (subscribers) => {
      heaps[subscribers] ??= new Smallest(tally, Uint32Array.from(new Set(members[subscribers]!)), this.#ranks)
      return heaps[subscribers]
    }
  }

  #sortedTopics(): Uint32Array {
    const { classOf, members } = this.#general.classes
    const active = this.#problem.topicOrder!.filter((topic) => classOf[topic] !== -1)
    const size = (topic: number) => members[classOf[topic]!]!.length
    return Uint32Array.from(Array.from(active).sort((a, b) => size(a) - size(b)))
  }

  /** Leaves each member what it still subscribes to and what is on its rack. */
  *#keep(): Steps<KeptLog> {
    const { claimOffsets, listOf, starts } = this.#problem
    const { counts } = this.#general.tally
    const slots = starts.at(-1)!
    const log = new Uint32Array(slots + (slots >> 3))
    let length = 0
    for (let member = 0; member < listOf.length; member++) {
      if (claimOffsets[member] === claimOffsets[member + 1]) continue
      const subscribed = new Set(topicsOf(this.#problem, member))
      const before = length
      for (const slot of this.#claims.held(member)) {
        if (this.#mayKeep(member, slot, subscribed)) log[length++] = slot
        else this.#drop(slot)
      }
      counts[member] = length - before
      yield 1
    }
    return { log, length }
  }

  #drop(slot: number): void {
    this.#claims.loosen(slot)
    this.#mustRevoke = true
  }

  #mayKeep(member: number, slot: number, subscribed: ReadonlySet<number>): boolean {
    if (!subscribed.has(this.#general.topicOf[slot]!)) return false
    return !this.#racksUsed || fits(this.#problem.racks!, member, slot)
  }

  /** What is not kept; a kept slot that does not exist is waited for in vain, and all behind it are not kept. */
  #left(): Uint32Array {
    const sorted = this.#problem.kinds === null ? null : this.#keptInOrder()
    const left: number[] = []
    let next = 0
    const walk = new TopicWalk(this.#problem, this.#topics)
    for (let slot = walk.next(); slot !== NOBODY; slot = walk.next()) {
      if (sorted === null ? !this.#isKept(slot) : sorted[next] !== slot) left.push(slot)
      else next += 1
    }
    return Uint32Array.from(left)
  }

  /** Before anything is dealt. */
  #isKept(slot: number): boolean {
    return this.#claims.keeper(slot) !== NOBODY
  }

  #keptInOrder(): ArrayLike<number> {
    const { starts, numbers } = this.#problem
    const ranges = Array.from(this.#topics, (topic) => [starts[topic]!, starts[topic + 1]!] as const)
    if (ranges.some(([from, to]) => overflows(numbers!.subarray(from, to)))) return this.#keptWrapped()
    const sorted: number[] = []
    for (const [from, to] of ranges) for (let slot = from; slot < to; slot++) if (this.#isKept(slot)) sorted.push(slot)
    return sorted
  }

  #keptWrapped(): number[] {
    const { numbers } = this.#problem
    const slots: number[] = []
    for (const member of mapOrderOf(this.#problem)) {
      // What is not kept is no longer held.
      for (const slot of this.#claims.held(member)) slots.push(slot)
    }
    const rank = new Map(Array.from(this.#topics, (topic, i) => [topic, i]))
    const { topicOf } = this.#general
    return sortWrapped(
      slots,
      (slot) => rank.get(topicOf[slot]!)!,
      (slot) => numbers![slot]!,
    )
  }

  /** To the smallest subscriber: first, where racks matter, the smallest that fits. */
  *#deal(left: Walk): Steps<void> {
    const { lists, classes, topicOf, smallestOf } = this.#general
    const rest = this.#racksUsed ? new ListWalk(this.#dealByRack(left)) : left
    let dealt = 0
    for (let slot = rest.next(); slot !== NOBODY; slot = rest.next()) {
      lists.add(slot, smallestOf(classes.classOf[topicOf[slot]!]!).peek())
      if (++dealt % PART === 0) yield 2
    }
  }

  /** Deals each to the smallest that fits, if there is one; gives the rest. */
  #dealByRack(left: Walk): number[] {
    const { lists, classes, topicOf, tally } = this.#general
    const racks = this.#problem.racks!
    const smallestOn = this.#heapsByRack(racks)
    const rest: number[] = []
    for (let slot = left.next(); slot !== NOBODY; slot = left.next()) {
      const subscribers = classes.classOf[topicOf[slot]!]!
      let best = smallestOn(subscribers, NOBODY)
      for (const rack of racksOf(racks, slot)) {
        const other = smallestOn(subscribers, rack)
        if (other === NOBODY) continue
        if (best === NOBODY || isSmaller(tally.counts, this.#ranks.rankOf, other, best)) best = other
      }
      if (best === NOBODY) rest.push(slot)
      else lists.add(slot, best)
    }
    return rest
  }

  /** The smallest of the subscribers that are on a rack, -1 for those on none; a heap each, made when it is asked for. */
  #heapsByRack(racks: AssignRacks): (subscribers: number, rack: number) => number {
    const { classes, tally } = this.#general
    const heaps = new Map<number, Smallest>()
    return (subscribers, rack) => {
      const key = subscribers * (racks.count + 1) + rack + 1
      let heap = heaps.get(key)
      if (heap === undefined) {
        const some = new Set(classes.members[subscribers]!.filter((member) => racks.ofMember[member] === rack))
        heap = new Smallest(tally, Uint32Array.from(some), this.#ranks)
        heaps.set(key, heap)
      }
      return heap.peek()
    }
  }

  /** A member is fixed if it has all that it could have, and nothing that another could have. */
  #fixMembers(): void {
    const { problem, classes, lists, tally, most, topicOf } = this.#general
    const shares = new Uint8Array(tally.counts.length)
    for (let slot = 0; slot < problem.starts.at(-1)!; slot++) {
      const subscribers = classes.classOf[topicOf[slot]!]!
      if (subscribers === -1 || classes.members[subscribers]!.length < 2) continue
      if (lists.isDoubled(slot)) for (const holder of lists.holders(slot)) shares[holder] = 1
      else if (lists.holder(slot) !== NOBODY) shares[lists.holder(slot)] = 1
    }
    for (let member = 0; member < shares.length; member++) {
      if (tally.counts[member]! >= most[member]! && shares[member] === 0) tally.fixed[member] = 1
    }
    this.#hasFixed = Uint8Array.from(classes.members, (members) =>
      members.some((one) => tally.fixed[one] === 1) ? 1 : 0,
    )
  }

  /** Slots of topics with one subscriber stay, those that are counted. */
  #isMovable(slot: number): boolean {
    const { classes, topicOf, problem } = this.#general
    return classes.members[classes.classOf[topicOf[slot]!]!]!.length >= 2 || !isCounted(problem, slot)
  }

  /** Walks the slots again and again until none moves. Returns whether one did. */
  *#reassign(slots: () => Walk, balance: Balance): Steps<boolean> {
    let [performed, walked] = [false, 0]
    for (let modified = true; modified; ) {
      modified = false
      const walk = slots()
      for (let slot = walk.next(); slot !== NOBODY; slot = walk.next()) {
        if (++walked % PART === 0) yield 4
        if (!this.#isMovable(slot)) continue
        if (balance.isBalanced(slot)) break
        const target = this.#targetOf(slot)
        if (target === NOBODY) continue
        this.#move(slot, target, balance)
        modified = true
      }
      performed ||= modified
    }
    return performed
  }

  #move(slot: number, target: number, balance: Balance): void {
    const { lists } = this.#general
    const actual = this.#movements.actual(slot, lists.owner(slot), target)
    this.#movements.moved(actual, lists.owner(actual), target)
    balance.move(actual, target)
  }

  /** Who the slot should go to: back to an earlier owner, or to the smallest subscriber; -1 to stay. */
  #targetOf(slot: number): number {
    const { lists, tally, classes, topicOf, smallestOf } = this.#general
    const { counts, fixed } = tally
    const owner = lists.owner(slot)
    if (owner === NOBODY || fixed[owner] === 1) throw new Stopped('null')
    const previous = this.#previous === null ? NOBODY : this.#previous[slot]!
    if (previous !== NOBODY) {
      if (fixed[previous] === 1) throw new Stopped('null')
      if (counts[owner]! > counts[previous]! + 1) return previous
    }
    const subscribers = classes.classOf[topicOf[slot]!]!
    const members = classes.members[subscribers]!
    if (this.#hasFixed[subscribers] === 1) this.#askInOrder(slot, owner, members)
    const smallest = smallestOf(subscribers).peek()
    return smallest !== NOBODY && counts[owner]! > counts[smallest]! + 1 ? smallest : NOBODY
  }

  /** The original asks each subscriber for its partitions, and stops at one that is fixed unless a smaller one comes first. */
  #askInOrder(slot: number, owner: number, members: Uint32Array): void {
    const { counts, fixed } = this.#general.tally
    const { racks } = this.#problem
    const isSmall = (member: number) => {
      if (fixed[member] === 1) throw new Stopped('null')
      return counts[owner]! > counts[member]! + 1
    }
    const mine = this.#racksUsed ? racks!.ofMember[owner]! : NOBODY
    if (mine >= 0 && isOnRack(racks!, slot, mine)) {
      const near = members.filter(
        (member) => racks!.ofMember[member]! >= 0 && isOnRack(racks!, slot, racks!.ofMember[member]!),
      )
      if (near.some(isSmall)) return
    }
    members.some(isSmall)
  }
}

function isSmaller(counts: Uint32Array, rankOf: Uint32Array, a: number, b: number): boolean {
  return counts[a]! !== counts[b]! ? counts[a]! < counts[b]! : rankOf[a]! < rankOf[b]!
}

function previousOwners(problem: AssignProblem, maxGeneration: number): Int32Array | null {
  const { generations, claims, claimOffsets, starts, listOf } = problem
  let owners: Int32Array | null = null
  for (let member = 0; member < listOf.length; member++) {
    const generation = generations[member]!
    if (generation >= maxGeneration) continue
    for (let i = claimOffsets[member]!; i < claimOffsets[member + 1]!; i++) {
      owners ??= new Int32Array(starts.at(-1)!).fill(NOBODY)
      const slot = claims[i]!
      if (owners[slot] === NOBODY || generation > generations[owners[slot]!]!) owners[slot] = member
    }
  }
  return owners
}

/** Partitions of all the topics that a member names; all there are, if it names as many as there are topics. */
function mostOf(problem: AssignProblem, { classOf }: SubscriberClasses): Float64Array {
  const { listOf } = problem
  const sizes = new Float64Array(classOf.length)
  let [topics, total] = [0, 0]
  for (let topic = 0; topic < classOf.length; topic++) {
    if (classOf[topic] === -1) continue
    sizes[topic] = countOf(problem, topic)
    topics += 1
    total += sizes[topic]!
  }
  const ofList = new Map<number, number>()
  return Float64Array.from(listOf, (list, member) => {
    let most = ofList.get(list)
    if (most === undefined) {
      const named = topicsOf(problem, member).filter((topic) => classOf[topic] !== -1)
      most = named.length === topics ? total : named.reduce((sum, topic) => sum + sizes[topic]!, 0)
      ofList.set(list, most)
    }
    return most
  })
}
