/**
 * `java.util.Random`, from its state or from numbers of the caller's own.
 *
 * For the placers, whose answers hang on every draw. Source: OpenJDK 17, java.util.Random and Collections.shuffle. What
 * differs from the obvious: a draw below a bound takes the remainder and draws again where the last, incomplete row of
 * remainders is met; a bound that is a power of two takes the high bits instead, without a second draw.
 * Twin of native/core/src/kafka/java_random.rs.
 */
import type { RandomSource } from '../../engine/placement-contract.js'

/** 0x5deece66d in halves of 24 bits: a product of two halves stays below 2^53. */
const MULTIPLIER_HIGH = 0x5de
const MULTIPLIER_LOW = 0xece66d
const HALF = 0x1000000

/** Draws one number after the other. Numbers of the caller's own may run out: `isOut` tells it, and 0 is drawn then. */
export class JavaRandom {
  isOut = false
  readonly #numbers: Int32Array | null
  #used = 0
  #high = 0
  #low = 0

  constructor(source: RandomSource) {
    this.#numbers = 'numbers' in source ? source.numbers : null
    if (!('state' in source)) return
    this.#high = Math.floor(source.state / HALF)
    this.#low = source.state % HALF
  }

  /** The 48 bits as they are now, or how many numbers were used. */
  get position(): number {
    return this.#numbers === null ? this.#high * HALF + this.#low : this.#used
  }

  /** 32 bits, signed: `nextInt()`. */
  next(): number {
    if (this.#numbers !== null) return this.#given(this.#numbers)
    const low = this.#low * MULTIPLIER_LOW + 0xb
    const high = this.#high * MULTIPLIER_LOW + this.#low * MULTIPLIER_HIGH + Math.floor(low / HALF)
    this.#low = low % HALF
    this.#high = high % HALF
    return (this.#high << 8) | (this.#low >>> 16)
  }

  /** In [0, bound): `nextInt(bound)`, bound in [1, 2^31). */
  below(bound: number): number {
    // A power of two times 31 bits is exact.
    if ((bound & (bound - 1)) === 0) return Math.floor((bound * (this.next() >>> 1)) / 0x80000000)
    for (;;) {
      const bits = this.next() >>> 1
      const rest = bits % bound
      if (bits - rest + bound - 1 < 0x80000000) return rest
    }
  }

  /** `Collections.shuffle`. */
  shuffle(list: Int32Array | Uint32Array | number[]): void {
    for (let size = list.length; size > 1; size--) {
      const at = this.below(size)
      const last = list[size - 1]!
      list[size - 1] = list[at]!
      list[at] = last
    }
  }

  #given(numbers: Int32Array): number {
    if (this.#used < numbers.length) return numbers[this.#used++]!
    this.isOut = true
    return 0
  }
}
