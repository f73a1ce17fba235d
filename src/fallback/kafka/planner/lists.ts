/**
 * Replica lists in canonical order: who stays, as they stood, then who is new, by broker.
 *
 * Twin of native/core/src/kafka/planner/lists.rs.
 */
import { inParts, type Turns } from './progress.js'
import { NONE } from './rule.js'
import type { State } from './state.js'

/** Replicas of partition `p`: `replicas[offsets[p] .. offsets[p + 1])`. */
export interface Lists {
  readonly offsets: Uint32Array
  readonly replicas: Uint32Array
}

export function* listsOf(state: State): Turns<Lists> {
  const offsets = new Uint32Array(state.partitions + 1)
  const replicas = new Uint32Array(state.now.length)
  yield* inParts(state.partitions, (from, to) => {
    for (let p = from; p < to; p++) offsets[p + 1] = addList(state, p, replicas, offsets[p]!)
  })
  return { offsets, replicas: replicas.slice(0, offsets.at(-1)) }
}

/** Writes the list of a partition; where it ends. */
function addList(state: State, p: number, replicas: Uint32Array, start: number): number {
  const { offsets, origin, now } = state
  let length = start
  for (let slot = offsets[p]!; slot < offsets[p + 1]!; slot++) {
    // Nobody touches what is legal, and twice on a broker is not.
    const broker = origin[slot]!
    if (state.isTouched[p] === 0 || stays(state, p, slot)) replicas[length++] = broker
  }
  if (state.isTouched[p] === 0) return length
  const firstNew = length
  for (let slot = offsets[p]!; slot < offsets[p + 1]!; slot++) if (state.isNew(slot)) replicas[length++] = now[slot]!
  replicas.subarray(firstNew, length).sort()
  return length
}

/** Whether the broker of a slot at the start holds the partition now; of one that held it twice the first slot alone. */
function stays(state: State, p: number, slot: number): boolean {
  const broker = state.origin[slot]!
  for (let before = state.offsets[p]!; before < slot; before++) if (state.origin[before] === broker) return false
  return broker !== NONE && state.holds(p, broker)
}
