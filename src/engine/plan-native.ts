/** Plans by the addon: the problem as the binding takes it, and a worker thread that is looked at from time to time. */
import {
  PLAN_AFTER,
  PLAN_FIRST,
  PLAN_RANKS,
  PLAN_RULES,
  type PlannedReplicas,
  type PlanProblem,
  type PlanWatch,
  type RankedReplicas,
  type RankProblem,
} from './plan-contract.js'

type Binding = typeof import('../binding/binding.cjs')

/** How often the worker is asked how far it is, in milliseconds. */
const PERIOD = 20

export function planReplicas(binding: Binding, problem: PlanProblem): PlannedReplicas {
  return binding.planReplicas(columnsOf(problem))
}

export function planReplicasAsync(binding: Binding, problem: PlanProblem, watch: PlanWatch): Promise<PlannedReplicas> {
  return watched(binding, watch, (door) => binding.planReplicasAsync(columnsOf(problem), door))
}

export function betterReplicas(binding: Binding, question: RankProblem): RankedReplicas {
  return binding.betterReplicas(rankColumnsOf(question))
}

export function betterReplicasAsync(
  binding: Binding,
  question: RankProblem,
  watch: PlanWatch,
): Promise<RankedReplicas> {
  return watched(binding, watch, (door) => binding.betterReplicasAsync(rankColumnsOf(question), door))
}

async function watched<T>(
  binding: Binding,
  { signal, onProgress }: PlanWatch,
  answer: (door: InstanceType<Binding['PlanWatch']>) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const door = new binding.PlanWatch()
  const stop = (): void => door.stop()
  const timer = setInterval(() => door.total > 0 && onProgress?.(door.done, door.total), PERIOD)
  signal?.addEventListener('abort', stop)
  try {
    const answered = await answer(door)
    onProgress?.(door.total, door.total)
    return answered
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    clearInterval(timer)
    signal?.removeEventListener('abort', stop)
  }
}

const rankColumnsOf = ({ problem, offsets, replicas, costs, ranks, looks }: RankProblem) => ({
  problem: columnsOf(problem),
  offsets,
  replicas,
  ...(costs !== null && { costs }),
  ranks: ranks.map((one) => PLAN_RANKS.indexOf(one)),
  looks,
})

/** What is not there is left out. */
function columnsOf({ weights, factors, rule, first, after, ...columns }: PlanProblem) {
  return {
    ...columns,
    rule: PLAN_RULES.indexOf(rule),
    first: PLAN_FIRST.indexOf(first),
    after: after.map((one) => PLAN_AFTER.indexOf(one)),
    ...(weights !== null && { weights }),
    ...(factors !== null && { factors }),
  }
}
