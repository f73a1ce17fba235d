/**
 * Partitions that have changed, by the brokers that hold them since.
 *
 * Twin of native/core/src/kafka/planner/changed.rs.
 */
import { NONE } from './rule.js'
import type { State } from './state.js'

export class Changed {
  /** Of each broker, partitions that it held at the start too. */
  readonly homes: readonly number[][]
  /** Of each broker, partitions that came to it. */
  readonly guests: readonly number[][]
  /** Brokers that lost a partition and are still in. */
  readonly losers = new Set<number>()

  constructor(brokers: number) {
    this.homes = Array.from({ length: brokers }, () => [])
    this.guests = Array.from({ length: brokers }, () => [])
  }

  /** A partition that has changed, perhaps not for the first time, and the brokers that lost it. */
  add(state: State, p: number, lost: readonly number[]): void {
    for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
      const broker = state.now[slot]!
      if (broker === NONE) continue
      const lists = state.held(p, broker) ? this.homes : this.guests
      lists[broker]!.push(p)
    }
    for (const home of lost) this.losers.add(home)
  }
}
