/** Plans by the addon: the problem as the binding takes it, and a worker thread that is looked at from time to time. */
import {
  PLAN_AFTER,
  PLAN_FIRST,
  PLAN_RULES,
  type PlannedReplicas,
  type PlanProblem,
  type PlanWatch,
} from './plan-contract.js'

type Binding = typeof import('../binding/binding.cjs')

/** How often the worker is asked how far it is, in milliseconds. */
const PERIOD = 50

export function planReplicas(binding: Binding, problem: PlanProblem): PlannedReplicas {
  return binding.planReplicas(columnsOf(problem))
}

export async function planReplicasAsync(
  binding: Binding,
  problem: PlanProblem,
  { signal, onProgress }: PlanWatch,
): Promise<PlannedReplicas> {
  signal?.throwIfAborted()
  const watch = new binding.PlanWatch()
  const stop = (): void => watch.stop()
  const timer = setInterval(() => watch.total > 0 && onProgress?.(watch.done, watch.total), PERIOD)
  signal?.addEventListener('abort', stop)
  try {
    const planned = await binding.planReplicasAsync(columnsOf(problem), watch)
    onProgress?.(watch.total, watch.total)
    return planned
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    clearInterval(timer)
    signal?.removeEventListener('abort', stop)
  }
}

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
