/** Small clusters asked in every order of the objectives, beside the best outcome of each order. */
import type { PlanProblem } from '../../src/engine/plan-contract.js'
import { kafka } from '../../src/index.js'
import { ENGINES, onEngine } from '../engines.js'
import { clusterOf } from './chance.js'
import { shown } from './claims.js'
import { bestOf, compared, ORDERS, type Outcome, outcomeOf, outcomesOf, type Sizes, snapshotOf } from './orders.js'

/** How often an objective came out above the best, those that rank before it being the best, and by how much. */
export interface Tally {
  asked: number
  above: number
  total: number
  most: number
}

export type Tallies = Map<kafka.PlanObjective, Tally>

export const noTally = (): Tally => ({ asked: 0, above: 0, total: 0, most: 0 })

export const noTallies = (): Tallies => new Map(kafka.PLAN_OBJECTIVES.map((objective) => [objective, noTally()]))

export function tally(one: Tally, by: number): void {
  one.asked += 1
  one.above += Number(by > 0)
  one.total += by
  one.most = Math.max(one.most, by)
}

/** What is judged: a cluster of two to four brokers, and what it has beside. */
export interface Ranked {
  readonly problem: PlanProblem
  readonly sizes: Sizes
  readonly outcomes: readonly Outcome[]
}

/** The next random cluster that can be judged; weights and bytes now and then. */
export function rankedCluster(chance: (bound: number) => number): Ranked {
  for (;;) {
    const brokers = 2 + chance(3)
    const shape = { brokers, racks: 1 + chance(Math.min(3, brokers)), partitions: 1 + chance(4), topics: 3 }
    const plain = clusterOf(chance, shape)
    const rule = plain.isIn.includes(0) ? 'spread' : plain.rule
    const weights = chance(4) === 0 ? plain.rackOf.map(() => 1 + chance(4)) : null
    const problem: PlanProblem = { ...plain, rule, weights, factors: null }
    const sizes: Sizes = chance(3) === 0 ? [...problem.topicOf].map(() => 1 + chance(9)) : null
    const outcomes = outcomesOf(problem, sizes, 20_000)
    if (outcomes !== null) return { problem, sizes, outcomes }
  }
}

/**
 * One sentence for each thing that does not hold in some order: the first rank is the best that can be had, no rank is better
 * than can be, the bound is not above the best, the plan planned again changes nothing.
 */
export function wrongOfOrders(ranked: Ranked, tallies: Tallies): string[] {
  return ORDERS.flatMap((objectives) => {
    const wrong = wrongOfOrder(ranked, objectives, tallies)
    return wrong.map((words) => `${objectives}: ${words}, ${shown(ranked.problem)} sizes ${ranked.sizes}`)
  })
}

function wrongOfOrder(
  { problem, sizes, outcomes }: Ranked,
  objectives: readonly kafka.PlanObjective[],
  tallies: Tallies,
): string[] {
  const cluster = snapshotOf(problem, sizes)
  const options: kafka.PlanOptions = { mode: 'balance', rackRule: problem.rule, objectives }
  const plan = kafka.planReassignment(cluster, options)
  const [best, have] = [bestOf(outcomes, objectives), outcomeOf(problem, plan, sizes)]
  const wrong: string[] = []
  if (compared(have, best, objectives) < 0) wrong.push('better than the judge finds')
  const at = objectives.findIndex((objective) => Math.abs(have[objective] - best[objective]) > 1e-9)
  const isWrong = at === 0 || (at === 1 && isExact(objectives) && objectives[1] !== 'topics')
  if (isWrong) wrong.push(`${objectives[at]} ${have[objectives[at]!]}, ${best[objectives[at]!]} can be had`)
  tell(tallies, objectives, { at, by: at === -1 ? 0 : have[objectives[at]!] - best[objectives[at]!] })
  const bound = plan.bytesBound ?? plan.bound
  if (bound > best.moves) wrong.push(`the bound is ${bound}, ${best.moves} are enough`)
  if (isExact(objectives) && bound !== best.moves) wrong.push(`proves ${bound}, the fewest are ${best.moves}`)
  const again = kafka.planReassignment(planned(cluster, plan), options)
  return again.changedRows.length === 0 ? wrong : [...wrong, 'planning again changes lists']
}

/** One sentence for each order in which the engines give different plans. */
export function differingOrders({ problem, sizes }: Ranked): string[] {
  const cluster = kafka.Cluster.from(snapshotOf(problem, sizes))
  return ORDERS.flatMap((objectives) => {
    const options: kafka.PlanOptions = { mode: 'balance', rackRule: problem.rule, objectives }
    const plans = ENGINES.map((name) => onEngine(name, () => kafka.planReassignment(cluster, options).fingerprint))
    return new Set(plans).size === 1 ? [] : [`${objectives}: the engines differ, ${shown(problem)} sizes ${sizes}`]
  })
}

/** Orders whose first two ranks are the best that can be had, and proved. */
const isExact = ([one, other]: readonly kafka.PlanObjective[]): boolean =>
  one === 'moves' || (one === 'counts' && other === 'moves')

/** Ranks after the first that is above the best are not judged. */
function tell(
  tallies: Tallies,
  objectives: readonly kafka.PlanObjective[],
  { at, by }: { readonly at: number; readonly by: number },
): void {
  for (const [rank, objective] of objectives.entries()) {
    if (at !== -1 && rank > at) return
    tally(tallies.get(objective)!, rank === at ? by : 0)
  }
}

/** The cluster once the plan is done. */
export function planned(cluster: kafka.ClusterSnapshot, plan: kafka.ReassignmentPlan): kafka.ClusterSnapshot {
  const topics = cluster.topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map((one, partition) => ({
      ...('partition' in one ? one : { partition }),
      replicas: plan.replicasOf(name, partition),
    })),
  }))
  return { brokers: cluster.brokers, topics }
}
