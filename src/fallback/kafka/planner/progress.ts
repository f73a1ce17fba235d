/** How far a plan is, in parts of a thousand: after the rules, by rounds of the counts, and once they are level. */

/** How many of so many parts are done. */
export type Progress = readonly [done: number, total: number]

const PARTS = 1000

export const REPAIRED: Progress = [200, PARTS]
export const COUNTED: Progress = [700, PARTS]
export const DONE: Progress = [PARTS, PARTS]

/** So many of all replicas above their level are placed. */
export function levelled(done: number, all: number): Progress {
  return [REPAIRED[0] + Math.floor(((COUNTED[0] - REPAIRED[0]) * done) / Math.max(1, all)), PARTS]
}
