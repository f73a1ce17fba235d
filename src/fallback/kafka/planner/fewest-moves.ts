/**
 * From the repaired start to a level plan with the fewest moves: primal-dual on the broker graph, and the potentials that
 * prove it.
 *
 * Twin of native/core/src/kafka/planner/fewest_moves.rs. A plan is the cheapest for its counts exactly when no cycle of
 * exchanges, group tokens included, costs less than nothing. The repaired start is, and each push along a shortest way keeps
 * it so.
 */
import { codedError } from '../../../errors.js'
import { Blocking, singleWay } from './blocking.js'
import { Bulk } from './bulk.js'
import type { Levels } from './levels.js'
import { Network } from './network.js'
import { levelled, type Turns } from './progress.js'
import type { State } from './state.js'

/** Levels the plan; the distances of all brokers from all, whose negatives are potentials. */
export function* levelWithFewestMoves(state: State, levels: Levels): Turns<Int32Array> {
  let total = -1
  for (;;) {
    const network = new Network(state, levels)
    const left = network.above()
    if (total === -1) total = left
    yield levelled(total - left, total)
    if (left === 0) return network.distancesFromAll().subarray(0, network.brokers)
    if (!(yield* round(state, network))) {
      throw codedError('ERR_PLACEMENT_INTERNAL', 'a level plan exists, and no way leads there')
    }
  }
}

/** One round of distances, and all that goes along the shortest ways; false where nothing goes. */
function* round(state: State, network: Network): Turns<boolean> {
  const distances = network.distancesFromExcess()
  const bulk = new Bulk(state, network, distances)
  yield* bulk.run()
  if (network.above() === 0) return true
  yield
  const blocking = new Blocking(state, network, distances)
  blocking.run()
  return bulk.moved + blocking.pushed > 0 || singleWay(state, network, distances)
}
