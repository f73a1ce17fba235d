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
  const planned = await inTurns(planSteps(problem), (progress) => progress && onProgress?.(...progress), signal)
  onProgress?.(...DONE)
  return planned
}

export function betterReplicasInTurns(
  question: RankProblem,
  { signal, onProgress }: PlanWatch,
): Promise<RankedReplicas> {
  return inTurns(betterSteps(question), (fraction) => onProgress?.(fraction, 1), signal)
}

/** Rejects with `signal.reason` where the signal fires before a turn. */
async function inTurns<V, T>(
  steps: Generator<V, T, void>,
  tell: (value: V) => void,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let turn = Number.NEGATIVE_INFINITY; ; ) {
    if (performance.now() - turn > TURN) {
      await setImmediate()
      signal?.throwIfAborted()
      turn = performance.now()
    }
    const { done, value } = steps.next()
    if (done === true) return value
    tell(value)
  }
}
