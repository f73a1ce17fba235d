/** A plan as a walk: what it asks the engine on its way, and where others may have a turn. One walk serves both twins. */
import { setImmediate } from 'node:timers/promises'
import type { Engine } from '../engine/contract.js'
import type { PlannedReplicas, PlanProblem, PlanWatch } from '../engine/plan-contract.js'

/** Yields a problem to have it planned, or nothing for a turn. */
export type PlanSteps<T> = Generator<PlanProblem | undefined, T, PlannedReplicas | undefined>

export function walked<T>(steps: PlanSteps<T>, engine: Engine): T {
  let planned: PlannedReplicas | undefined
  for (;;) {
    const { done, value } = steps.next(planned)
    if (done) return value
    planned = value && engine.planReplicas(value)
  }
}

/** Milliseconds without a turn of the event loop. */
const TURN = 10

/** @throws what the signal says */
export async function walkedAsync<T>(steps: PlanSteps<T>, engine: Engine, watch: PlanWatch): Promise<T> {
  let planned: PlannedReplicas | undefined
  let turn = performance.now()
  for (;;) {
    watch.signal?.throwIfAborted()
    const { done, value } = steps.next(planned)
    if (done) return value
    planned = value && (await engine.planReplicasAsync(value, watch))
    if (value === undefined && performance.now() - turn > TURN) {
      await setImmediate()
      turn = performance.now()
    }
  }
}
