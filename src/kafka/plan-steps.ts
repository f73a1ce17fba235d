/** A plan as a walk: what it asks the engine on its way, and where others may have a turn. One walk serves both twins. */
import { setImmediate } from 'node:timers/promises'
import type { Engine } from '../engine/contract.js'
import type { PlannedReplicas, PlanProblem, PlanWatch } from '../engine/plan-contract.js'
import { PlanProgress } from './plan-progress.js'

/** A part of the walk begins: it takes that share of what is left to do, and begins with what the engine is asked. */
export interface PlanPart {
  /** In `(0, 1]`. */
  readonly share: number
  readonly problem?: PlanProblem
}

/** Begins a part, or tells how much of the part under way is done, in `[0, 1]`, and offers a turn. */
export type PlanSteps<T> = Generator<PlanPart | number, T, PlannedReplicas | undefined>

/** How many parts come after one is seldom known: each takes half of what is left. */
const HALF = 0.5

export const SEARCH: PlanPart = { share: HALF }

/** The engine's plan; `share` 1 where nothing comes after. */
export function* asked(problem: PlanProblem, share = HALF): PlanSteps<PlannedReplicas> {
  return (yield { share, problem })!
}

export function walked<T>(steps: PlanSteps<T>, engine: Engine): T {
  let planned: PlannedReplicas | undefined
  for (;;) {
    const { done, value } = steps.next(planned)
    if (done) return value
    const problem = typeof value === 'number' ? undefined : value.problem
    planned = problem && engine.planReplicas(problem)
  }
}

/** Milliseconds without a turn of the event loop. */
const TURN = 10

/** @throws what the signal says, and what `onProgress` throws, soon after */
export async function walkedAsync<T>(steps: PlanSteps<T>, engine: Engine, watch: PlanWatch): Promise<T> {
  const stop = new AbortController()
  const { signal } = watch
  const onAbort = (): void => stop.abort(signal!.reason)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await stepped(steps, engine, new PlanProgress(watch.onProgress, stop))
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

async function stepped<T>(steps: PlanSteps<T>, engine: Engine, progress: PlanProgress): Promise<T> {
  const { signal } = progress
  const onProgress = (done: number, total: number): void => progress.tell(done / total)
  let planned: PlannedReplicas | undefined
  let turn = performance.now()
  for (;;) {
    signal.throwIfAborted()
    const { done, value } = steps.next(planned)
    if (done) {
      progress.end()
      return value
    }
    planned = undefined
    if (typeof value === 'number') progress.tell(value)
    else progress.begin(value.share)
    const problem = typeof value === 'number' ? undefined : value.problem
    if (problem !== undefined) planned = await engine.planReplicasAsync(problem, { signal, onProgress })
    else if (performance.now() - turn > TURN) await setImmediate()
    else continue
    turn = performance.now()
  }
}
