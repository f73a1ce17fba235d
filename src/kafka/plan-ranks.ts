/**
 * Objectives in the orders that the engine does not solve by itself: its plan, level with the fewest moves where counts rank
 * before moves, else the fewest moves and then level, is the start of a search; how far from level it stays is told beside.
 */
import type { PlannedReplicas } from '../engine/plan-contract.js'
import { movesBetween } from './plan-difference.js'
import type { PlanObjective } from './plan-options.js'
import type { PlanQuestion } from './plan-question.js'
import { type PlanSteps, ranked } from './plan-steps.js'
import type { PlanWork } from './plan-work.js'

/** Orders that the engine solves: counts and moves, in either order, and then what costs neither. */
export function isEngineOrder([one, other]: readonly PlanObjective[]): boolean {
  return (one === 'counts' && other === 'moves') || (one === 'moves' && other === 'counts')
}

/** @throws ERR_PLACEMENT_ARGUMENT_RANGE: more work than a plan may take */
export function* rankedSteps(
  { problem, cluster, options }: PlanQuestion,
  planned: PlannedReplicas,
  work: PlanWork,
): PlanSteps<PlannedReplicas> {
  const { offsets, bound, boundByRules, potentials } = planned
  const [costs, ranks] = [cluster.bytes, options.objectives]
  const { replicas, looks } = yield* ranked({
    problem,
    offsets,
    replicas: planned.replicas,
    costs,
    ranks,
    looks: work.left,
  })
  work.spend(work.left - looks)
  const better = { ...planned, replicas, moves: movesBetween(problem, { offsets, replicas }) }
  if (bound === boundByRules || unevenness(problem, better) <= unevenness(problem, planned)) return better
  // Counts are not level any more, so that only the rules bound the moves.
  return { ...better, bound: boundByRules, boundByCounts: 0, potentials: new Int32Array(potentials.length) }
}

/** Squares of the counts over their weights. */
function unevenness({ isIn, weights }: PlanQuestion['problem'], { replicas }: PlannedReplicas): number {
  const load = new Float64Array(isIn.length)
  for (const broker of replicas) load[broker]! += 1
  return load.reduce((total, count, b) => (isIn[b] === 1 ? total + count ** 2 / (weights?.[b] ?? 1) : total), 0)
}
