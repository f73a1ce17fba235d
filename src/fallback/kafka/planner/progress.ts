/**
 * How far a plan is, in parts of a thousand: after the rules, by rounds of the counts, and once they are level; and the turns
 * that it offers between.
 */

/** How many of so many parts are done. */
export type Progress = readonly [done: number, total: number]

/** Work that offers a turn now and then, and tells how far it is where that is new. */
export type Turns<T> = Generator<Progress | undefined, T, void>

/** Partitions, or slots, of a part: some milliseconds at most. */
const PART = 2048

/** All of so many, `[from, to)` by `[from, to)`, and a turn after each. */
export function* inParts(count: number, work: (from: number, to: number) => void): Turns<void> {
  for (let from = 0; from < count; from += PART) {
    work(from, Math.min(count, from + PART))
    yield
  }
}

const PARTS = 1000

export const REPAIRED: Progress = [200, PARTS]
export const COUNTED: Progress = [700, PARTS]
export const DONE: Progress = [PARTS, PARTS]

/** So many of all replicas above their level are placed. */
export function levelled(done: number, all: number): Progress {
  return [REPAIRED[0] + Math.floor(((COUNTED[0] - REPAIRED[0]) * done) / Math.max(1, all)), PARTS]
}
