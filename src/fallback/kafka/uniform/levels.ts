/**
 * Members as columns of different heights: the lowest are filled level by level, the highest taken down level by level.
 *
 * For `uniform` where subscriptions differ. Source: Apache Kafka 4.4.0,
 * UniformHeterogeneousAssignmentBuilder.MemberAssignmentBalancer. Twin of native/core/src/kafka/uniform/levels.rs.
 * What differs from the obvious: members are ordered once, by height and then by place; a level is known by its height and
 * not by its members, so that both ends walk over the same list while the heights change below them.
 */

/** So many heights a member are still sorted by counting. */
const COUNTED = 4

export class Levels {
  readonly #heights: Uint32Array
  #members: Uint32Array = new Uint32Array(0)
  /** `[0, #lowEnd)` are the lowest, as high as `#lowHeight` or one more; the next partition goes to `#low`. */
  #lowEnd = 0
  #lowHeight = 0
  #low = 0
  /** `[#highFrom, #highEnd)` are the highest that have something to give. */
  #highFrom = 0
  #highEnd = 0
  #highHeight = 0
  #high = 0

  /** @param heights how many partitions each member has, which the caller keeps up to date */
  constructor(heights: Uint32Array) {
    this.#heights = heights
  }

  /** Begins anew with these members, which ascend. */
  begin(members: Uint32Array): void {
    this.#members = byHeight(members, this.#heights)
    const last = members.length - 1
    this.#lowEnd = 0
    this.#lowHeight = this.#heightAt(0) - 1
    this.#low = 0
    this.#highFrom = members.length
    this.#highEnd = members.length
    this.#highHeight = this.#heightAt(last) + 1
    this.#high = last
  }

  #heightAt(place: number): number {
    return this.#heights[this.#members[place]!]!
  }

  /** The member that the next partition goes to. */
  nextLowest(): number {
    if (this.#low >= this.#lowEnd) {
      this.#lowHeight += 1
      while (this.#lowEnd < this.#members.length && this.#heightAt(this.#lowEnd) === this.#lowHeight) this.#lowEnd += 1
      this.#low = 0
    }
    return this.#members[this.#low++]!
  }

  /** The member that the next partition is taken from; -1 where nobody has one to give. */
  nextHighest(): number {
    if (this.#high < this.#highFrom) {
      // A range that was emptied by `passOver` would not grow by one level alone.
      const isEmpty = this.#highEnd <= this.#highFrom && this.#highFrom > 0
      this.#highHeight = isEmpty ? this.#heightAt(this.#highFrom - 1) : this.#highHeight - 1
      while (this.#highFrom > 0 && this.#heightAt(this.#highFrom - 1) === this.#highHeight) this.#highFrom -= 1
      this.#high = this.#highEnd - 1
    }
    return this.#high < 0 ? -1 : this.#members[this.#high--]!
  }

  /** Takes the member that came last from `nextHighest` out of the highest. */
  passOver(): void {
    const place = this.#high + 1
    const member = this.#members[place]!
    this.#highEnd -= 1
    this.#members[place] = this.#members[this.#highEnd]!
    this.#members[this.#highEnd] = member
  }

  /** True where the ends are at most one apart. */
  isLevel(): boolean {
    return this.#highHeight - this.#lowHeight <= 1
  }
}

/** How far the highest is above the lowest. */
export function unevenness(members: Uint32Array, heights: Uint32Array): number {
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (const member of members) {
    const height = heights[member]!
    if (height < least) least = height
    if (height > most) most = height
  }
  return most - least
}

/** Members by height; equal ones stay as they are. */
function byHeight(members: Uint32Array, heights: Uint32Array): Uint32Array {
  let [least, most] = [heights[members[0]!]!, 0]
  for (const member of members) {
    const height = heights[member]!
    if (height < least) least = height
    if (height > most) most = height
  }
  if (most - least > COUNTED * members.length) return members.slice().sort((a, b) => heights[a]! - heights[b]! || a - b)
  const ends = new Uint32Array(most - least + 2)
  for (const member of members) ends[heights[member]! - least + 1]! += 1
  for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!
  const sorted = new Uint32Array(members.length)
  for (const member of members) sorted[ends[heights[member]! - least]!++] = member
  return sorted
}
