/** The check over a column that the core makes too (native/core/src/column.rs): offsets ascend and stay in the bytes. */
import type { Packed } from '../types.js'

/** -1, or the position of the first offset that is below its predecessor, or beyond the values (negative ones are). */
export function firstBadOffset({ values, offsets, length }: Packed): number {
  let before = 0
  for (let i = 0; i <= length; i++) {
    const offset = offsets[i]!
    if (!(offset >= before && offset <= values.length)) return i
    before = offset
  }
  return -1
}
