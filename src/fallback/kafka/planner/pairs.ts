/**
 * A number for some of the pairs of brokers: in a table where the brokers are few, in a map where the table would be larger
 * than what it holds.
 *
 * Twin of native/core/src/kafka/planner/pairs.rs.
 */

/** Up to so many brokers a table: 32 MB with eight bytes a pair. */
const MOST_IN_TABLE = 2048

/** Of each pair two numbers; 0 where none was set. */
export class Pairs {
  readonly #brokers: number
  readonly #table: Uint32Array | null
  readonly #map = new Map<number, number>()

  constructor(brokers: number) {
    this.#brokers = brokers
    this.#table = brokers <= MOST_IN_TABLE ? new Uint32Array(brokers * brokers * 2) : null
  }

  #key(from: number, to: number, side: 0 | 1): number {
    return (from * this.#brokers + to) * 2 + side
  }

  get(from: number, to: number, side: 0 | 1): number {
    const key = this.#key(from, to, side)
    return this.#table === null ? (this.#map.get(key) ?? 0) : this.#table[key]!
  }

  set(from: number, to: number, side: 0 | 1, number: number): void {
    const key = this.#key(from, to, side)
    if (this.#table === null) this.#map.set(key, number)
    else this.#table[key] = number
  }
}
