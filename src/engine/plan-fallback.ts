/** Plans on the event loop, a part of the work a turn, so that others get theirs. */
import { setImmediate } from 'node:timers/promises'
import { DONE } from '../fallback/kafka/planner/progress.js'
import { betterSteps } from '../fallback/kafka/planner/ranked.js'
import { planSteps } from '../fallback/kafka/planner.js'
import type { PlannedReplicas, PlanProblem, PlanWatch, RankedReplicas, RankProblem } from './plan-contract.js'

/** Milliseconds without a turn of the event loop. */
const TURN = 10

export async function planReplicasInTurns(
  problem: PlanProblem,
  { signal, onProgress }: PlanWatch,
): Promise<PlannedReplicas> {
  const steps = planSteps(problem)
  let turn = Number.NEGATIVE_INFINITY
  for (;;) {
    if (performance.now() - turn > TURN) {
      await setImmediate()
      signal?.throwIfAborted()
      turn = performance.now()
    }
    const { done, value } = steps.next()
    if (done) {
      onProgress?.(...DONE)
      return value
    }
    if (value !== undefined) onProgress?.(...value)
  }
}

export async function betterReplicasInTurns(
  question: RankProblem,
  { signal, onProgress }: PlanWatch,
): Promise<RankedReplicas> {
  const steps = betterSteps(question)
  for (let turn = performance.now(); ; ) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - turn <= TURN) continue
    onProgress?.(value, 1)
    await setImmediate()
    signal?.throwIfAborted()
    turn = performance.now()
  }
}
