/**
 * Many random clusters, longer than `npm test` has time for: `node build/test/test/planner/long.js SMALL LARGER SEED`.
 *
 * Small ones are judged by trying everything, larger ones by a proof from the definitions; each is planned on every engine,
 * the plan is planned again. One line of counts; exit code 1 where anything was wrong.
 */
import { isDeepStrictEqual } from 'node:util'
import { engine } from '../../src/engine/index.js'
import type { PlannedReplicas, PlanProblem } from '../../src/engine/plan-contract.js'
import { ENGINES, onEngine } from '../engines.js'
import { chanceOf, largerCluster, smallCluster } from './chance.js'
import { gapsOf, shown, wrongAgain, wrongLeaders, wrongOfSmall } from './claims.js'
import { wrongOfLarger } from './proof.js'
import { wrongShuffled } from './shuffled.js'

const [small = 20_000, larger = 10_000, seed = 1] = process.argv.slice(2).map(Number)

const ask = (problem: PlanProblem): PlannedReplicas => engine().planReplicas(problem)

let wrongs = 0

function tell(problem: PlanProblem, planned: PlannedReplicas, wrong: readonly string[]): void {
  const sentences = [...wrong, ...wrongAgain(problem, planned, ask)]
  if (sentences.length === 0) return
  wrongs += 1
  console.error(shown(problem), sentences)
}

function planned(problem: PlanProblem): PlannedReplicas {
  const [first, ...others] = ENGINES.map((name) => onEngine(name, () => ask(problem)))
  if (!others.every((other) => isDeepStrictEqual(other, first))) tell(problem, first!, ['the engines differ'])
  return first!
}

const chance = chanceOf(seed)
let tooLarge = 0
const gaps = { leaders: [0, 0], topics: [0, 0] }
for (let judged = 0; judged < small; ) {
  const problem = smallCluster(chance)
  const plan = planned(problem)
  const wrong = wrongOfSmall(problem, plan)
  if (wrong === null) {
    tooLarge += 1
    continue
  }
  judged += 1
  tell(problem, plan, [...wrong, ...wrongLeaders(problem, plan, ask)])
  for (const what of ['leaders', 'topics'] as const) {
    if (!problem.after.includes(what)) continue
    gaps[what][0]! += 1
    gaps[what][1]! += Number(gapsOf(problem, plan)[what] > 0)
  }
}
for (let i = 0; i < larger; i++) {
  const problem = largerCluster(chance)
  const plan = planned(problem)
  tell(problem, plan, [...wrongOfLarger(problem, plan), ...wrongShuffled(problem, chance)])
}
console.log(
  `${small} small clusters (${tooLarge} more were too large to try everything), ${larger} larger ones, on ${ENGINES.join(' and ')}, seed ${seed}: ${wrongs} wrong`,
)
for (const [what, [asked, above]] of Object.entries(gaps)) {
  console.log(`${what}: of ${asked} small clusters ${above} are above even, by what rules, counts and moves leave open`)
}
process.exitCode = wrongs === 0 ? 0 : 1
