/** A cluster of a size of the planner's table, planned and judged. */
import { isDeepStrictEqual } from 'node:util'
import { engine } from '../../src/engine/index.js'
import type { PlannedReplicas, PlanProblem } from '../../src/engine/plan-contract.js'
import { type ENGINES, onEngine } from '../engines.js'
import { chanceOf } from './chance.js'
import { wrongAgain } from './claims.js'
import { wrongOfLarger } from './proof.js'
import { wrongAtFacade } from './shuffled.js'

const ask = (problem: PlanProblem): PlannedReplicas => engine().planReplicas(problem)

/** The plan, alike on these engines, and one sentence for each thing that is wrong: proof, planning again, order. */
export function judgedSize(
  problem: PlanProblem,
  engines: typeof ENGINES,
  seed: number,
): { planned: PlannedReplicas; wrong: string[] } {
  const [planned, ...others] = engines.map((name) => onEngine(name, () => ask(problem)))
  const wrong = others.every((other) => isDeepStrictEqual(other, planned)) ? [] : ['the engines differ']
  wrong.push(...wrongOfLarger(problem, planned!))
  for (const name of engines) {
    const ofEngine = onEngine(name, () => [
      ...wrongAgain(problem, planned!, ask),
      ...wrongAtFacade(problem, planned!.replicas, chanceOf(seed)),
    ])
    wrong.push(...ofEngine.map((sentence) => `${name}: ${sentence}`))
  }
  return { planned: planned!, wrong }
}
