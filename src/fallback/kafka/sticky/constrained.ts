/**
 * The sticky assignors where all subscribe alike: everybody keeps what its quota allows, the rest is dealt out.
 *
 * Source: Apache Kafka 4.4.0, AbstractStickyAssignor.ConstrainedAssignmentBuilder. Twin of
 * native/core/src/kafka/sticky/constrained.rs.
 * What differs from the obvious: who may keep one more than the others is decided in the order of a HashMap of the
 * members; what is kept is the lowest partition numbers over all topics; partitions left over are counted from 0 to the
 * topic's count as soon as anything is kept; and a claim beyond the count stops the subtraction of what is kept.
 */
import type { AssignProblem, AssignRacks } from '../../../engine/assign-contract.js'
import { offsetsOf } from '../list-builder.js'
import { fits, membersNear, racksOf } from '../racks.js'
import { countOf, exists, isCounted } from '../slots.js'
import { activeTopics } from '../subscriptions.js'
import type { Built, Failed } from './built.js'
import { type Claims, NOBODY } from './claims.js'
import { mapOrderOf, ranksOf } from './map-order.js'
import { Owned } from './owned.js'
import { RackDealer } from './rack-dealer.js'

export function buildConstrained(problem: AssignProblem, claims: Claims, racksUsed: boolean): Built | Failed {
  if (problem.listOf.length === 0) return { failure: 'no-members', member: NOBODY }
  return new ConstrainedBuilder(problem, claims, racksUsed).build()
}

class ConstrainedBuilder {
  readonly #problem: AssignProblem
  readonly #claims: Claims
  readonly #racksUsed: boolean
  /** Topics that take part, by name. */
  readonly #topics: Uint32Array
  readonly #total: number
  readonly #min: number
  readonly #max: number
  /** Members that shall have more than the minimum, and those that have. */
  readonly #aboveDue: number
  #above = 0
  /** Members below the minimum, and those at it that may get one more. */
  #under: number[] = []
  #exact: number[] = []
  readonly #counts: Uint32Array
  readonly #owned: Owned
  /** 1 for each slot that is kept. */
  readonly #kept: Uint8Array
  #keptCount = 0
  /** Slots and members in the order in which they are dealt. */
  readonly #dealt: Uint32Array
  readonly #dealtTo: Uint32Array
  #dealtCount = 0
  readonly #transferring = new Map<number, number>()

  constructor(problem: AssignProblem, claims: Claims, racksUsed: boolean) {
    this.#problem = problem
    this.#claims = claims
    this.#racksUsed = racksUsed
    const active = activeTopics(problem)
    this.#topics = problem.topicOrder!.filter((topic) => active[topic] === 1)
    const members = problem.listOf.length
    this.#total = this.#topics.reduce((sum, topic) => sum + countOf(problem, topic), 0)
    this.#min = Math.floor(this.#total / members)
    this.#max = Math.ceil(this.#total / members)
    this.#aboveDue = this.#total % members
    this.#counts = new Uint32Array(members)
    this.#kept = new Uint8Array(problem.starts.at(-1)!)
    this.#owned = new Owned(problem, this.#topics, (member, i) => this.#mayKeep(member, i))
    this.#dealt = new Uint32Array(this.#total)
    this.#dealtTo = new Uint32Array(this.#total)
  }

  build(): Built | Failed {
    this.#keep()
    const unassigned = this.#unassigned()
    const ranks = ranksOf(this.#problem.memberOrder)
    this.#under.sort((a, b) => ranks[a]! - ranks[b]!)
    this.#exact.sort((a, b) => ranks[a]! - ranks[b]!)
    const rest = this.#dealByRack(unassigned)
    return this.#dealInTurn(rest) ?? this.#verify() ?? this.#lists()
  }

  /** What its rack does not hold, or another claims alike, a member does not keep. */
  #mayKeep(member: number, i: number): boolean {
    const slot = this.#problem.claims[i]!
    if (!this.#claims.holds(i) || this.#claims.isClashed(slot)) return false
    return !this.#racksUsed || fits(this.#problem.racks!, member, slot)
  }

  /** How many of its own each member keeps, told in the order of the map. */
  #keep(): void {
    for (const member of mapOrderOf(this.#problem)) {
      const owned = this.#owned.of(member)
      const count = this.#quotaOf(member, owned.length)
      for (let i = 0; i < count; i++) this.#kept[owned[i]!] = 1
      this.#keptCount += count
      this.#counts[member] = count
    }
  }

  #quotaOf(member: number, owned: number): number {
    if (owned < this.#min) {
      this.#under.push(member)
      return owned
    }
    const mayBeMore = this.#above < this.#aboveDue
    if (owned >= this.#max && mayBeMore) {
      this.#above += 1
      if (this.#above === this.#aboveDue) this.#exact = []
      return this.#max
    }
    if (mayBeMore) this.#exact.push(member)
    return this.#min
  }

  #unassigned(): Uint32Array {
    const { starts } = this.#problem
    const slots = new Uint32Array(this.#total)
    let [length, stopped] = [0, false]
    for (const topic of this.#topics) {
      for (let slot = starts[topic]!; slot < starts[topic + 1]!; slot++) {
        const kept = this.#kept[slot] === 1
        if (this.#isLeft(slot, stopped)) slots[length++] = slot
        else stopped ||= kept && !isCounted(this.#problem, slot)
      }
    }
    return slots.subarray(0, length)
  }

  #isLeft(slot: number, stopped: boolean): boolean {
    if (this.#keptCount === 0) return exists(this.#problem, slot)
    return isCounted(this.#problem, slot) && (stopped || this.#kept[slot] === 0)
  }

  /** Deals what lies on a waiting member's rack to it, the partitions with the fewest members near first; returns the rest. */
  #dealByRack(unassigned: Uint32Array): Uint32Array {
    const { racks } = this.#problem
    if (racks === null) return unassigned
    const sorted = byNearMembers(unassigned, racks)
    if (!this.#racksUsed) return sorted
    const dealer = new RackDealer(racks, this.#under, this.#exact)
    const rest = sorted.filter((slot) => !this.#dealNear(dealer, slot, racksOf(racks, slot)))
    this.#under = dealer.under()
    this.#exact = dealer.exact()
    return rest
  }

  #dealNear(dealer: RackDealer, slot: number, near: Uint32Array): boolean {
    const under = dealer.nextUnder(near)
    const member = under === NOBODY ? dealer.firstExact(near) : under
    if (member === NOBODY) return false
    const count = this.#deal(slot, member)
    if (under !== NOBODY) this.#afterUnder(dealer, member, count)
    else if (count === this.#max) this.#afterExact(dealer, member)
    return true
  }

  #afterUnder(dealer: RackDealer, member: number, count: number): void {
    if (count < this.#min) return
    dealer.takeUnder(member)
    if (count < this.#max && this.#above < this.#aboveDue) dealer.addExact(member)
  }

  #afterExact(dealer: RackDealer, member: number): void {
    dealer.takeExact(member)
    this.#above += 1
    if (this.#above === this.#aboveDue) dealer.clearExact()
  }

  /** Round after round over those below the minimum, then one more for each that may have it. */
  #dealInTurn(unassigned: Uint32Array): Failed | undefined {
    let [at, kept, nextExact] = [0, 0, 0]
    for (const slot of unassigned) {
      if (at === this.#under.length) {
        this.#under.length = kept
        at = 0
        kept = 0
        if (this.#under.length === 0) {
          if (nextExact === this.#exact.length) return { failure: 'no-room', member: NOBODY }
          if (this.#deal(slot, this.#exact[nextExact++]!) === this.#max) this.#above += 1
          continue
        }
      }
      const member = this.#under[at]!
      at += 1
      const count = this.#deal(slot, member)
      if (count === this.#min) this.#exact.push(member)
      else {
        this.#under[kept] = member
        kept += 1
        if (count === this.#max) this.#above += 1
      }
    }
    this.#under = [...this.#under.slice(0, kept), ...this.#under.slice(at)]
    return undefined
  }

  #deal(slot: number, member: number): number {
    this.#dealt[this.#dealtCount] = slot
    this.#dealtTo[this.#dealtCount] = member
    this.#dealtCount += 1
    const before = this.#claims.holder(slot)
    const wasAnother = before !== NOBODY && before !== member && this.#kept[slot] === 0
    if (wasAnother || this.#claims.isClashed(slot)) this.#transferring.set(slot, member)
    this.#counts[member]! += 1
    return this.#counts[member]!
  }

  #verify(): Failed | undefined {
    if (this.#under.length === 0) return undefined
    if (this.#above !== this.#aboveDue) return { failure: 'too-few-above', member: NOBODY }
    const short = this.#under.find((member) => this.#counts[member] !== this.#min)
    return short === undefined ? undefined : { failure: 'below-quota', member: short }
  }

  #lists(): Built {
    const offsets = offsetsOf(this.#counts)
    const values = new Uint32Array(offsets.at(-1)!)
    const ends = offsets.slice(0, -1)
    for (let member = 0; member < ends.length; member++) {
      for (const slot of this.#owned.of(member)) if (this.#kept[slot] === 1) values[ends[member]!++] = slot
    }
    for (let i = 0; i < this.#dealtCount; i++) values[ends[this.#dealtTo[i]!]!++] = this.#dealt[i]!
    return { offsets, values, transferring: this.#transferring, walk: null }
  }
}

/** Slots by the number of members on their racks, ascending; the order given decides between equals. */
function byNearMembers(slots: Uint32Array, racks: AssignRacks): Uint32Array {
  const near = membersNear(racks)
  const counts = [...new Set(near)].sort((a, b) => a - b)
  const place = new Map(counts.map((count, i) => [count, i]))
  const bins: number[][] = counts.map(() => [])
  const binOf = Uint32Array.from(near, (count) => place.get(count)!)
  for (const slot of slots) bins[binOf[racks.setOf[slot]!]!]!.push(slot)
  return Uint32Array.from(bins.flat())
}
