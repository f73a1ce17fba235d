/**
 * Many random clusters, longer than `npm test` has time for: `node build/test/test/planner/long.js SMALL LARGER SEED`.
 *
 * Small ones are judged by trying everything, larger ones by a proof from the definitions: every mode, rack rule, drained
 * brokers, weights, factors that change; each is planned on every engine, the plan is planned again. One small cluster of
 * forty, with bytes now and then, is asked in all 24 orders of the objectives. Lines of counts; exit code 1 where anything was
 * wrong.
 */
import { isDeepStrictEqual } from 'node:util'
import { engine } from '../../src/engine/index.js'
import type { PlannedReplicas, PlanProblem } from '../../src/engine/plan-contract.js'
import { ENGINES, onEngine } from '../engines.js'
import { chanceOf, largerCluster, smallCluster } from './chance.js'
import { gapsOf, shown, wrongAgain, wrongLeaders, wrongOfSmall } from './claims.js'
import { wrongOfLarger } from './proof.js'
import { differingOrders, noTallies, noTally, rankedCluster, type Tally, tally, wrongOfOrders } from './ranks.js'
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
const gaps = { leaders: noTally(), topics: noTally() }
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
    tally(gaps[what], gapsOf(problem, plan)[what])
  }
}
for (let i = 0; i < larger; i++) {
  const problem = largerCluster(chance)
  const plan = planned(problem)
  tell(problem, plan, [...wrongOfLarger(problem, plan), ...wrongShuffled(problem, chance)])
}
const tallies = noTallies()
const orders = Math.ceil(small / 40)
for (let i = 0; i < orders; i++) {
  const name = ENGINES[i % ENGINES.length]!
  const ranked = rankedCluster(chance)
  const wrong = [...onEngine(name, () => wrongOfOrders(ranked, tallies)), ...differingOrders(ranked)]
  wrongs += wrong.length
  for (const words of wrong) console.error(name, words)
}

console.log(
  `${small} small clusters (${tooLarge} more were too large to try everything), ${larger} larger ones, on ${ENGINES.join(' and ')}, and ${orders} in all 24 orders, seed ${seed}: ${wrongs} wrong`,
)
for (const [what, one] of Object.entries(gaps)) {
  console.log(
    `${what}: of ${one.asked} small clusters ${told(one)} above even, by what rules, counts and moves leave open`,
  )
}
for (const [what, one] of tallies) {
  console.log(`${what}: of ${one.asked} plans in some order, ranks before it the best, ${told(one)} above the best`)
}
process.exitCode = wrongs === 0 ? 0 : 1

function told({ asked, above, total, most }: Tally): string {
  return `${above} are (mean ${(total / Math.max(1, asked)).toFixed(4)}, most ${most})`
}
