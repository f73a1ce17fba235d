/** A plan as a walk: what it asks the engine on its way, and where others may have a turn. One walk serves both twins. */
import { setImmediate } from 'node:timers/promises'
import type { Engine } from '../engine/contract.js'
import type { PlannedReplicas, PlanProblem, PlanWatch, RankedReplicas, RankProblem } from '../engine/plan-contract.js'
import { PlanProgress } from './plan-progress.js'

/** A part of the walk begins: it takes that share of what is left to do, and begins with what the engine is asked. */
export interface PlanPart {
  /** In `(0, 1]`. */
  readonly share: number
  readonly problem?: PlanProblem
  readonly ranks?: RankProblem
}

type Answer = PlannedReplicas | RankedReplicas | undefined

/** Begins a part, or tells how much of the part under way is done, in `[0, 1]`, and offers a turn. */
export type PlanSteps<T> = Generator<PlanPart | number, T, Answer>

/** How many parts come after one is seldom known: each takes half of what is left. */
const HALF = 0.5

export const SEARCH: PlanPart = { share: HALF }

/** The engine's plan; `share` 1 where nothing comes after. */
export function* asked(problem: PlanProblem, share = HALF): PlanSteps<PlannedReplicas> {
  return (yield { share, problem }) as PlannedReplicas
}

/** The engine's search for what is better by rank. */
export function* ranked(ranks: RankProblem): PlanSteps<RankedReplicas> {
  return (yield { share: HALF, ranks }) as RankedReplicas
}

export function walked<T>(steps: PlanSteps<T>, engine: Engine): T {
  let answer: Answer
  for (;;) {
    const { done, value } = steps.next(answer)
    if (done) return value
    answer = typeof value === 'number' ? undefined : answerOf(value, engine)
  }
}

function answerOf({ problem, ranks }: PlanPart, engine: Engine): Answer {
  if (problem !== undefined) return engine.planReplicas(problem)
  return ranks && engine.betterReplicas(ranks)
}

function laterAnswerOf({ problem, ranks }: PlanPart, engine: Engine, watch: PlanWatch): Promise<Answer> | undefined {
  if (problem !== undefined) return engine.planReplicasAsync(problem, watch)
  return ranks && engine.betterReplicasAsync(ranks, watch)
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
  let answer: Answer
  let turn = performance.now()
  for (;;) {
    signal.throwIfAborted()
    const { done, value } = steps.next(answer)
    if (done) {
      progress.end()
      return value
    }
    if (typeof value === 'number') progress.tell(value)
    else progress.begin(value.share)
    const later = typeof value === 'number' ? undefined : laterAnswerOf(value, engine, { signal, onProgress })
    answer = later && (await later)
    if (later === undefined) {
      if (performance.now() - turn <= TURN) continue
      await setImmediate()
    }
    turn = performance.now()
  }
}
