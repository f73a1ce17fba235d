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
import { Exchanges } from './exchanges.js'
import type { Levels } from './levels.js'
import { Network } from './network.js'
import { levelled, type Turns } from './progress.js'
import type { State } from './state.js'

/** Levels the plan; the distances of all brokers from all, whose negatives are potentials. */
export function* levelWithFewestMoves(state: State, levels: Levels): Turns<Int32Array> {
  const exchanges = new Exchanges(state)
  yield* exchanges.prepared()
  let total = -1
  for (;;) {
    const network = new Network(state, levels)
    const left = network.above()
    if (total === -1) total = left
    yield levelled(total - left, total)
    if (left === 0) return network.distancesFromAll(exchanges).subarray(0, network.brokers)
    if (!(yield* round(state, network, exchanges))) {
      throw codedError('ERR_PLACEMENT_INTERNAL', 'a level plan exists, and no way leads there')
    }
  }
}

/** One round of distances, and all that goes along the shortest ways; false where nothing goes. */
function* round(state: State, network: Network, exchanges: Exchanges): Turns<boolean> {
  const distances = network.distancesFromExcess(exchanges)
  const moved = yield* new Bulk(state, network, distances).run(exchanges)
  yield* exchanges.updated()
  if (network.above() === 0) return true
  yield
  const pushed = yield* new Blocking(state, network, exchanges, distances).run()
  return moved + pushed > 0 || singleWay(state, network, exchanges, distances)
}
