/**
 * The topics of which each member holds an extra: the extras' holders turned around.
 *
 * For `balanced`. Twin of native/core/src/kafka/balanced/held.rs.
 * Made anew for each search, which is cheaper than to keep it up to date.
 */
import type { Keepers } from './owned.js'
import type { Shares } from './shares.js'

/** Member `m` holds extras of `topics[offsets[m] .. offsets[m + 1])`; twice the topic, and one more where it is a keeper. */
export interface Held {
  readonly offsets: Uint32Array
  readonly topics: Uint32Array
}

/** Extras `[extras[t], ends[t])` of the topics have a holder. */
export function heldBy(
  { extras, weights }: Shares,
  {
    topics,
    ends,
    holders,
  }: { readonly topics: Uint32Array; readonly ends: Uint32Array; readonly holders: Uint32Array },
  keepers: Keepers | null,
): Held {
  const offsets = new Uint32Array(weights.length + 1)
  for (const topic of topics) {
    for (let i = extras[topic]!; i < ends[topic]!; i++) offsets[holders[i]! + 1]! += 1
  }
  for (let member = 0; member < weights.length; member++) offsets[member + 1]! += offsets[member]!
  const held = new Uint32Array(offsets[weights.length]!)
  const at = offsets.slice()
  const keeperOf = new Int32Array(weights.length).fill(-1)
  for (const topic of topics) {
    if (keepers !== null) {
      for (let i = keepers.offsets[topic]!; i < keepers.offsets[topic + 1]!; i++) keeperOf[keepers.members[i]!] = topic
    }
    for (let i = extras[topic]!; i < ends[topic]!; i++) {
      const holder = holders[i]!
      held[at[holder]!++] = 2 * topic + (keeperOf[holder] === topic ? 1 : 0)
    }
  }
  return { offsets, topics: held }
}
