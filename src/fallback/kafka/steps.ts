/**
 * A long computation in parts: it gives the step reached, of `STEPS`, wherever whoever waits may do something else first.
 *
 * For the assignors; the core tells the same steps by the `Pace` of native/core/src/kafka/problem.rs.
 */
export type Steps<T> = Generator<number, T, void>

/** Each assignor takes some of them, the last one when its answer is there. */
export const STEPS = 8

/** Slots of a part: a few milliseconds. */
export const PART = 1 << 17

/** Computes without a pause. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
