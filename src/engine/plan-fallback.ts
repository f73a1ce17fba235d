/** Plans on the event loop, a round of the search a turn, so that others get theirs. */
import { setImmediate } from 'node:timers/promises'
import { DONE } from '../fallback/kafka/planner/progress.js'
import { planSteps } from '../fallback/kafka/planner.js'
import type { PlannedReplicas, PlanProblem, PlanWatch } from './plan-contract.js'

export async function planReplicasInTurns(
  problem: PlanProblem,
  { signal, onProgress }: PlanWatch,
): Promise<PlannedReplicas> {
  const steps = planSteps(problem)
  for (;;) {
    await setImmediate()
    signal?.throwIfAborted()
    const { done, value } = steps.next()
    if (done) {
      onProgress?.(...DONE)
      return value
    }
    onProgress?.(...value)
  }
}
