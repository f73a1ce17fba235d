/**
 * Members that wait for partitions, found by rack: those below the minimum in a ring, those at it in a row.
 *
 * For the constrained sticky algorithm. Source: Apache Kafka 4.4.0, AbstractStickyAssignor.RackInfo.nextRackConsumer.
 * Twin of native/core/src/kafka/sticky/rack_dealer.rs.
 * The original walks its lists member by member; here each rack knows its own.
 */
import type { AssignRacks } from '../../../engine/assign-contract.js'
import { NOBODY } from './claims.js'

export class RackDealer {
  readonly #racks: AssignRacks
  /** The ring: members by place, the places of each rack, and for each of those the next one that still waits. */
  readonly #ring: readonly number[]
  readonly #placeOf = new Map<number, number>()
  readonly #gone: Uint8Array
  readonly #places: number[][]
  readonly #nextWaiting: Uint32Array[]
  #cursor = 0
  /** The row: members in order of arrival, those of each rack by place, and where each rack's first one stands. */
  #row: number[] = []
  #rowGone: boolean[] = []
  #rowPlaces: number[][]
  #rowFirst: Uint32Array

  constructor(racks: AssignRacks, under: readonly number[], exact: readonly number[]) {
    this.#racks = racks
    this.#ring = under
    this.#gone = new Uint8Array(under.length)
    this.#places = Array.from({ length: racks.count }, () => [])
    under.forEach((member, place) => {
      this.#placeOf.set(member, place)
      this.#places[racks.ofMember[member]!]?.push(place)
    })
    this.#nextWaiting = this.#places.map((places) => Uint32Array.from({ length: places.length + 1 }, (_, i) => i))
    this.#rowPlaces = Array.from({ length: racks.count }, () => [])
    this.#rowFirst = new Uint32Array(racks.count)
    for (const member of exact) this.addExact(member)
  }

  /** The first member of the ring from the cursor on that is on one of the racks; the cursor then stands behind it. */
  nextUnder(near: Uint32Array): number {
    let [best, distance] = [NOBODY, Number.POSITIVE_INFINITY]
    for (const rack of near) {
      const place = this.#waitingFrom(rack, this.#cursor)
      if (place === NOBODY) continue
      const steps = place >= this.#cursor ? place - this.#cursor : place - this.#cursor + this.#ring.length
      if (steps < distance) [best, distance] = [place, steps]
    }
    if (best === NOBODY) return NOBODY
    this.#cursor = best + 1 === this.#ring.length ? 0 : best + 1
    return this.#ring[best]!
  }

  #waitingFrom(rack: number, from: number): number {
    const places = this.#places[rack]!
    let [low, high] = [0, places.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[middle]! < from) low = middle + 1
      else high = middle
    }
    let at = this.#waiting(rack, low)
    if (at === places.length) at = this.#waiting(rack, 0)
    return places[at] ?? NOBODY
  }

  /** The next index of the rack's places that still waits; paths are shortened on the way. */
  #waiting(rack: number, index: number): number {
    const next = this.#nextWaiting[rack]!
    let end = index
    while (next[end] !== end) end = next[end]!
    for (let at = index; at !== end; ) {
      const following = next[at]!
      next[at] = end
      at = following
    }
    return end
  }

  takeUnder(member: number): void {
    const place = this.#placeOf.get(member)!
    const rack = this.#racks.ofMember[member]!
    this.#gone[place] = 1
    const index = this.#places[rack]!.indexOf(place)
    this.#nextWaiting[rack]![index] = index + 1
  }

  /** The first member of the row that is on one of the racks. */
  firstExact(near: Uint32Array): number {
    let best = Number.POSITIVE_INFINITY
    for (const rack of near) best = Math.min(best, this.#rowPlaces[rack]![this.#rowFirst[rack]!] ?? best)
    return this.#row[best] ?? NOBODY
  }

  /** Takes out the first member of its rack. */
  takeExact(member: number): void {
    const rack = this.#racks.ofMember[member]!
    this.#rowGone[this.#rowPlaces[rack]![this.#rowFirst[rack]!]!] = true
    this.#rowFirst[rack]! += 1
  }

  addExact(member: number): void {
    const place = this.#row.push(member) - 1
    this.#rowPlaces[this.#racks.ofMember[member]!]?.push(place)
  }

  clearExact(): void {
    this.#row = []
    this.#rowGone = []
    this.#rowPlaces = this.#rowPlaces.map(() => [])
    this.#rowFirst.fill(0)
  }

  /** Who still waits below the minimum, in order. */
  under(): number[] {
    return this.#ring.filter((_, place) => this.#gone[place] === 0)
  }

  /** Who still waits at it, in order. */
  exact(): number[] {
    return this.#row.filter((_, place) => this.#rowGone[place] !== true)
  }
}
