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
import { columnOver, offsetsOf } from '../list-builder.js'
import { fits, membersNear, racksOf } from '../racks.js'
import { countOf, exists, isCounted } from '../slots.js'
import type { Steps } from '../steps.js'
import { activeTopics } from '../subscriptions.js'
import type { Built, Failed } from './built.js'
import { type Claims, NOBODY } from './claims.js'
import { mapOrderOf, ranksOf } from './map-order.js'
import { Owned } from './owned.js'
import { RackDealer } from './rack-dealer.js'

export function* buildConstrained(problem: AssignProblem, claims: Claims, racksUsed: boolean): Steps<Built | Failed> {
  if (problem.listOf.length === 0) return { failure: 'no-members', member: NOBODY }
  if (racksUsed || claims.anyClashed) loosenUnfit(problem, claims, racksUsed)
  const active = activeTopics(problem)
  const topics = problem.topicOrder!.filter((topic) => active[topic] === 1)
  const owned = yield* Owned.by(problem, topics, claims)
  return yield* new ConstrainedBuilder({ problem, claims, racksUsed, topics, owned }).build()
}

/** What its rack does not hold, or another claims alike, a member does not keep. */
function loosenUnfit(problem: AssignProblem, claims: Claims, racksUsed: boolean): void {
  for (let slot = 0; slot < problem.starts.at(-1)!; slot++) {
    const keeper = claims.keeper(slot)
    if (keeper === NOBODY) continue
    if (claims.isClashed(slot) || (racksUsed && !fits(problem.racks!, keeper, slot))) claims.loosen(slot)
  }
}

/** What is known before anything is dealt. */
interface Given {
  readonly problem: AssignProblem
  readonly claims: Claims
  readonly racksUsed: boolean
  /** Topics that take part, by name. */
  readonly topics: Uint32Array
  readonly owned: Owned
}

class ConstrainedBuilder {
  readonly #problem: AssignProblem
  readonly #claims: Claims
  readonly #racksUsed: boolean
  readonly #topics: Uint32Array
  readonly #owned: Owned
  readonly #total: number
  readonly #min: number
  readonly #max: number
  /** Members that shall have more than the minimum, and those that have. */
  readonly #aboveDue: number
  #above = 0
  /** Members below the minimum, and those at it that may get one more. */
  #under: number[] = []
  #exact: number[] = []
  /** How many of what it owned each member keeps, and how many it has. */
  readonly #kept: Uint32Array
  #counts: Uint32Array
  /** Slots that nobody keeps, and who got them, in the order in which they are dealt. */
  #left: Uint32Array = new Uint32Array(0)
  #dealtTo = new Uint32Array(0)
  #dealt = 0
  readonly #transferring = new Map<number, number>()

  constructor({ problem, claims, racksUsed, topics, owned }: Given) {
    this.#problem = problem
    this.#claims = claims
    this.#racksUsed = racksUsed
    this.#topics = topics
    this.#owned = owned
    const members = problem.listOf.length
    this.#total = topics.reduce((sum, topic) => sum + countOf(problem, topic), 0)
    this.#min = Math.floor(this.#total / members)
    this.#max = Math.ceil(this.#total / members)
    this.#aboveDue = this.#total % members
    this.#kept = new Uint32Array(members)
    this.#counts = this.#kept
  }

  *build(): Steps<Built | Failed> {
    yield 2
    this.#keep()
    this.#findLeft()
    yield 3
    const ranks = ranksOf(this.#problem.memberOrder)
    this.#under.sort((a, b) => ranks[a]! - ranks[b]!)
    this.#exact.sort((a, b) => ranks[a]! - ranks[b]!)
    this.#dealtTo = new Uint32Array(this.#left.length)
    this.#dealByRack()
    yield 4
    const failed = this.#dealInTurn() ?? this.#verify()
    if (failed !== undefined) return failed
    yield 5
    return this.#lists()
  }

  /** How many of its own each member keeps, told in the order of the map. */
  #keep(): void {
    for (const member of mapOrderOf(this.#problem)) {
      const owned = this.#owned.of(member)
      const kept = this.#quotaOf(member, owned.length)
      this.#kept[member] = kept
      for (let i = kept; i < owned.length; i++) this.#claims.loosen(owned[i]!)
    }
    this.#counts = this.#kept.slice()
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

  #findLeft(): void {
    this.#left = new Uint32Array(this.#walkLeft(null))
    this.#walkLeft(this.#left)
  }

  /** How many slots nobody keeps; written where there is room for them. */
  #walkLeft(out: Uint32Array | null): number {
    const { starts } = this.#problem
    const anyKept = this.#kept.some((count) => count > 0)
    let [length, stopped] = [0, false]
    for (const topic of this.#topics) {
      for (let slot = starts[topic]!; slot < starts[topic + 1]!; slot++) {
        const isKept = this.#claims.keeper(slot) !== NOBODY
        const isLeft = anyKept ? isCounted(this.#problem, slot) && (stopped || !isKept) : exists(this.#problem, slot)
        stopped ||= isKept && !isCounted(this.#problem, slot)
        if (!isLeft) continue
        if (out !== null) out[length] = slot
        length += 1
      }
    }
    return length
  }

  /**
   * Deals what lies on a waiting member's rack to it, the partitions with the fewest members near first; the rest stands
   * behind what is dealt.
   */
  #dealByRack(): void {
    const { racks } = this.#problem
    if (racks === null) return
    this.#left = byNearMembers(this.#left, racks)
    if (!this.#racksUsed) return
    const dealer = new RackDealer(racks, this.#under, this.#exact)
    const rest: number[] = []
    for (const slot of this.#left) {
      if (this.#dealNear(dealer, slot, racksOf(racks, slot))) this.#left[this.#dealt - 1] = slot
      else rest.push(slot)
    }
    this.#left.set(rest, this.#dealt)
    this.#under = dealer.under()
    this.#exact = dealer.exact()
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
  #dealInTurn(): Failed | undefined {
    let [at, kept, nextExact] = [0, 0, 0]
    for (let i = this.#dealt; i < this.#left.length; i++) {
      const slot = this.#left[i]!
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
    this.#dealtTo[this.#dealt] = member
    this.#dealt += 1
    const before = this.#claims.holder(slot)
    const wasAnother = before !== NOBODY && before !== member && this.#claims.keeper(slot) === NOBODY
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
    const values = columnOver(this.#claims.takeKeepers(), offsets.at(-1)!)
    const ends = offsets.slice(0, -1)
    for (let member = 0; member < ends.length; member++) {
      const kept = this.#owned.of(member).subarray(0, this.#kept[member]!)
      values.set(kept, ends[member])
      ends[member]! += kept.length
    }
    for (let i = 0; i < this.#left.length; i++) values[ends[this.#dealtTo[i]!]!++] = this.#left[i]!
    return { offsets, values, waits: { told: this.#transferring } }
  }
}

/** Slots by the number of members on their racks, ascending; the order given decides between equals. */
function byNearMembers(slots: Uint32Array, racks: AssignRacks): Uint32Array {
  const near = membersNear(racks)
  const counts = [...new Set(near)].sort((a, b) => a - b)
  const place = new Map(counts.map((count, i) => [count, i]))
  const binOf = Uint32Array.from(near, (count) => place.get(count)!)
  const sizes = new Uint32Array(counts.length)
  for (const slot of slots) sizes[binOf[racks.setOf[slot]!]!]! += 1
  const ends = offsetsOf(sizes)
  const sorted = new Uint32Array(slots.length)
  for (const slot of slots) sorted[ends[binOf[racks.setOf[slot]!]!]!++] = slot
  return sorted
}
