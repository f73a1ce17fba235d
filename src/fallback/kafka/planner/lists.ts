/**
 * Replica lists in canonical order: who stays, as they stood, then who is new, by broker.
 *
 * Twin of native/core/src/kafka/planner/lists.rs.
 */
import { NONE } from './rule.js'
import type { State } from './state.js'

/** Replicas of partition `p`: `replicas[offsets[p] .. offsets[p + 1])`. */
export interface Lists {
  readonly offsets: Uint32Array
  readonly replicas: Uint32Array
}

export function listsOf(state: State): Lists {
  const offsets = new Uint32Array(state.partitions + 1)
  const replicas = new Uint32Array(state.now.length)
  let length = 0
  for (let p = 0; p < state.partitions; p++) {
    const start = length
    for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
      const broker = state.origin[slot]!
      const isFirst = !replicas.subarray(start, length).includes(broker)
      if (broker !== NONE && isFirst && state.holds(p, broker)) replicas[length++] = broker
    }
    const firstNew = length
    for (let slot = state.offsets[p]!; slot < state.offsets[p + 1]!; slot++) {
      if (state.isNew(slot)) replicas[length++] = state.now[slot]!
    }
    replicas.subarray(firstNew, length).sort()
    offsets[p + 1] = length
  }
  return { offsets, replicas: replicas.slice(0, length) }
}
