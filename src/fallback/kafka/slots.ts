/**
 * What a slot is: a partition that is in the metadata, one whose number is below the count of its topic, or a mere claim.
 *
 * For the client-side assignors. Twin of native/core/src/kafka/slots.rs.
 * In a dense group every slot is both, and no column says so.
 */
import type { AssignProblem } from '../../engine/assign-contract.js'

/** Bit of a slot that is in the metadata. */
export const SLOT_EXISTS = 1
/** Bit of a slot whose number is below the count of its topic. */
export const SLOT_COUNTED = 2

type Kinds = Pick<AssignProblem, 'kinds'>

/** True for a partition that is in the metadata. */
export function exists({ kinds }: Kinds, slot: number): boolean {
  return kinds === null || (kinds[slot]! & SLOT_EXISTS) !== 0
}

/** True for a number below the count of its topic, which is what the assignors that count from 0 hand out. */
export function isCounted({ kinds }: Kinds, slot: number): boolean {
  return kinds === null || (kinds[slot]! & SLOT_COUNTED) !== 0
}

/** The slot of a partition by its number, which is there: numbers of a topic ascend. */
export function slotOf({ starts, numbers }: Pick<AssignProblem, 'starts' | 'numbers'>, topic: number, number: number) {
  let [low, high] = [starts[topic]!, starts[topic + 1]!]
  if (numbers === null) return low + number
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}

/** The topic of each slot. */
export function topicsOfSlots({ starts }: Pick<AssignProblem, 'starts'>): Uint32Array {
  const topics = new Uint32Array(starts.at(-1)!)
  for (let topic = 0; topic + 1 < starts.length; topic++) topics.fill(topic, starts[topic]!, starts[topic + 1]!)
  return topics
}

/** How many partitions of a topic are in the metadata. */
export function countOf({ starts, kinds }: Pick<AssignProblem, 'starts' | 'kinds'>, topic: number): number {
  if (kinds === null) return starts[topic + 1]! - starts[topic]!
  let count = 0
  for (let slot = starts[topic]!; slot < starts[topic + 1]!; slot++) count += kinds[slot]! & SLOT_EXISTS
  return count
}
