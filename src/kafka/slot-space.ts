/**
 * Numbers for the partitions of a group's topics: those that are in the metadata, those that an assignor counts to, and
 * those that a member only claims.
 *
 * For `kafka.assign`; see `AssignProblem`. In a dense group (every topic's partitions are 0 to count - 1, and nobody claims
 * another) slot `starts[t] + p` is partition `p` of topic `t`, and nothing else is stored.
 */
import { codedError } from '../errors.js'
import { SLOT_COUNTED, SLOT_EXISTS } from '../fallback/kafka/slots.js'

/** Slots beyond that have no 32-bit number. */
const MOST_SLOTS = 2 ** 31 - 1

export interface SlotSpace {
  readonly starts: Uint32Array
  readonly numbers: Int32Array | null
  readonly kinds: Uint8Array | null
}

/** The partitions of one topic. */
export interface TopicShape {
  readonly count: number
  /** Numbers of the partitions, ascending; `null` for 0 to count - 1. */
  readonly ids: Int32Array | null
  /** Numbers outside those that somebody claims. */
  readonly claimed: Set<number> | null
}

/** Lays out the slots. Errors: ERR_PLACEMENT_ARGUMENT_RANGE where there are 2^31 or more. */
export function slotSpace(shapes: readonly TopicShape[]): SlotSpace {
  if (shapes.every(isDense)) return { starts: startsOf(shapes.map(({ count }) => count)), numbers: null, kinds: null }
  const topics = shapes.map((shape) => (isDense(shape) ? null : numbersOf(shape)))
  const starts = startsOf(shapes.map(({ count }, topic) => topics[topic]?.length ?? count))
  const numbers = new Int32Array(starts.at(-1)!)
  const kinds = new Uint8Array(starts.at(-1)!)
  shapes.forEach((shape, topic) => {
    const existing = shape.ids === null ? null : new Set(shape.ids)
    for (let slot = starts[topic]!; slot < starts[topic + 1]!; slot++) {
      const number = topics[topic]?.[slot - starts[topic]!] ?? slot - starts[topic]!
      const counted = number >= 0 && number < shape.count
      numbers[slot] = number
      kinds[slot] = (counted ? SLOT_COUNTED : 0) | ((existing?.has(number) ?? counted) ? SLOT_EXISTS : 0)
    }
  })
  return { starts, numbers, kinds }
}

const isDense = ({ ids, claimed }: TopicShape): boolean => ids === null && claimed === null

function numbersOf({ count, ids, claimed }: TopicShape): Int32Array {
  const numbers = new Set<number>(ids ?? [])
  for (let number = 0; number < count; number++) numbers.add(number)
  for (const number of claimed ?? []) numbers.add(number)
  return Int32Array.from(numbers).sort()
}

/** Where each topic's slots begin, and behind them the end. */
export function startsOf(counts: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(counts.length + 1)
  let total = 0
  for (let topic = 0; topic < counts.length; topic++) {
    total += counts[topic]!
    if (total > MOST_SLOTS) {
      throw codedError(
        'ERR_PLACEMENT_ARGUMENT_RANGE',
        `topics: expected at most ${MOST_SLOTS} partitions in all, got more at topics[${topic}]`,
        { index: topic },
      )
    }
    starts[topic + 1] = total
  }
  return starts
}
