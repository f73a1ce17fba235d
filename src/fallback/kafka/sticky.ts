/**
 * StickyAssignor and CooperativeStickyAssignor: as balanced as can be, and what need not move stays.
 *
 * For `kafka.assign` with `sticky` and `cooperative-sticky`. Source: Apache Kafka 4.4.0, AbstractStickyAssignor and
 * CooperativeStickyAssignor. Twin of native/core/src/kafka/sticky.rs.
 * What differs from the obvious: one of two algorithms runs, by whether all subscribe alike; the cooperative one takes
 * partitions that change hands out of the lists again, until their owners gave them up; the highest generation that an
 * assignor ever saw stays with it.
 */
import type { AssignAnswer, AssignProblem } from '../../engine/assign-contract.js'
import { racksMatter } from './racks.js'
import { exists } from './slots.js'
import type { Steps } from './steps.js'
import { Claims } from './sticky/claims.js'
import { buildConstrained } from './sticky/constrained.js'
import { buildGeneral } from './sticky/general.js'
import { withheldOf } from './sticky/withheld.js'
import { activeTopics } from './subscriptions.js'

const NOTHING = new Uint32Array(0)

export function* assignSticky(problem: AssignProblem): Steps<AssignAnswer> {
  const claims = new Claims(problem)
  yield* claims.settle()
  const racksUsed = useRacks(problem)
  yield 1
  const built = yield* claims.allEqual
    ? buildConstrained(problem, claims, racksUsed)
    : buildGeneral(problem, claims, racksUsed)
  if ('failure' in built) return built
  yield 6
  const { offsets, values } = built
  const withheld = problem.assignor === 'cooperative-sticky' ? yield* withheldOf(problem, built) : NOTHING
  yield 7
  return {
    offsets,
    values,
    withheld,
    algorithm: claims.allEqual ? 'constrained' : 'general',
    maxGeneration: claims.maxGeneration,
    clashes: claims.clashes(),
  }
}

function useRacks(problem: AssignProblem): boolean {
  const { racks, listOf, starts } = problem
  if (racks === null) return false
  const sets = new Set<number>()
  activeTopics(problem).forEach((active, topic) => {
    if (active === 0) return
    for (let slot = starts[topic]!; slot < starts[topic + 1]!; slot++) {
      if (exists(problem, slot)) sets.add(racks.setOf[slot]!)
    }
  })
  return racksMatter(racks, listOf.keys(), sets)
}
