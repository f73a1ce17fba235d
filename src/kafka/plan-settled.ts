/**
 * From a question to lists: the engine's plan, bettered by what the engine does not know, until its own plan leaves it alone.
 *
 * Orders of ranks, bytes and capacities are bettered by local searches. Their plan is planned again, as a start of its own,
 * and taken further while that is better rank by rank; every step is, so that it ends. So planning a plan again moves
 * nothing, and no plan is worse than its start. One walk for both twins: it yields problems for the engine, and turns.
 */
import type { PlannedReplicas, PlanProblem } from '../engine/plan-contract.js'
import { codedError } from '../errors.js'
import { withFewerBytes } from './plan-bytes.js'
import { isWithinCapacity, withinCapacity } from './plan-capacity.js'
import { differenceOf } from './plan-difference.js'
import { checkStart, legality } from './plan-feasible.js'
import type { PlanQuestion } from './plan-question.js'
import { isEngineOrder, rankedSteps } from './plan-ranks.js'
import { isBetter } from './plan-state.js'
import type { PlanSteps } from './plan-steps.js'

/** @throws ERR_PLACEMENT_INFEASIBLE */
export function* answerSteps(question: PlanQuestion): PlanSteps<PlannedReplicas> {
  const { problem, options } = question
  if (problem.first === 'nothing') {
    if ((yield* leastMoves(problem)) > 0) checkStart(question)
    return (yield problem)!
  }
  if (options.replace.length > 0) return yield* replaced(question)
  const planned = yield* onceSteps(question)
  return isStable(question) ? planned : yield* settled(question, planned)
}

/** What the engine's own plan is known to leave alone. */
function isStable({ options, cluster, brokers }: PlanQuestion): boolean {
  const isLimited = brokers.some(({ capacity }) => capacity !== null)
  return isEngineOrder(options.objectives) && cluster.bytes === null && !isLimited
}

function* onceSteps(question: PlanQuestion): PlanSteps<PlannedReplicas> {
  const planned = (yield question.problem)!
  if (isEngineOrder(question.options.objectives)) {
    return withinCapacity(question, withFewerBytes(question, planned))
  }
  return withinCapacity(question, yield* rankedSteps(question, planned))
}

function* settled(question: PlanQuestion, first: PlannedReplicas): PlanSteps<PlannedReplicas> {
  if (isLegalStart(question) && !betters(question, first)) return unchanged(question, first)
  let best = first
  for (;;) {
    const again = startingFrom(question, best)
    const next = yield* onceSteps(again)
    if (!betters(again, next)) break
    best = next
  }
  const { bound, boundByCounts, boundByRules, potentials } = first
  return { ...best, bound, boundByCounts, boundByRules, potentials, moves: movesBetween(question.problem, best) }
}

function startingFrom(question: PlanQuestion, { offsets, replicas }: PlannedReplicas): PlanQuestion {
  return { ...question, problem: { ...question.problem, offsets, replicas, factors: null } }
}

function isLegalStart(question: PlanQuestion): boolean {
  const { offsets, replicas, factors } = question.problem
  const isLegal = legality(question)
  for (let row = 0; row + 1 < offsets.length; row++) {
    const list = replicas.subarray(offsets[row]!, offsets[row + 1]!)
    if (!isLegal(list) || (factors !== null && factors[row] !== list.length)) return false
  }
  return isWithinCapacity(question, question.problem)
}

function betters(question: PlanQuestion, planned: PlannedReplicas): boolean {
  return isBetter(differenceOf(question, planned), question.options.objectives)
}

/** The start is as good as any plan that is known. */
function unchanged({ problem }: PlanQuestion, planned: PlannedReplicas): PlannedReplicas {
  const { offsets, replicas } = problem
  return { ...planned, offsets: offsets.slice(), replicas: replicas.slice(), moves: 0, bound: 0, boundByCounts: 0 }
}

/** What the rules alone ask for, on the lists as they stand. */
function* leastMoves(problem: PlanProblem): PlanSteps<number> {
  return (yield { ...problem, first: 'moves', after: [] })!.boundByRules
}

/**
 * One for one: the second of each pair takes the place of the first in the lists that do not have it yet; what breaks a rule
 * then is planned as usual. Moves and the bound are told against the lists at the start.
 */
function* replaced({ problem, brokers, options }: PlanQuestion): PlanSteps<PlannedReplicas> {
  if (problem.factors !== null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', 'replace: expected without replicationFactor')
  }
  const at = new Map(brokers.map(({ id }, position) => [id, position]))
  const successor = new Map(options.replace.map(([from, to]) => [at.get(from)!, at.get(to)!]))
  const { offsets, replicas } = problem
  const start = replicas.slice()
  for (let p = 0; p + 1 < offsets.length; p++) {
    const list = start.subarray(offsets[p]!, offsets[p + 1]!)
    for (const [i, broker] of list.entries()) {
      const next = successor.get(broker)
      if (next !== undefined && !list.includes(next)) list[i] = next
    }
  }
  const planned = (yield { ...problem, replicas: start })!
  const bound = yield* leastMoves(problem)
  return { ...planned, moves: movesBetween(problem, planned), bound, boundByRules: bound, boundByCounts: 0 }
}

function movesBetween({ offsets, replicas }: PlanProblem, planned: PlannedReplicas): number {
  let moves = 0
  for (let p = 0; p + 1 < offsets.length; p++) {
    const held = replicas.subarray(offsets[p]!, offsets[p + 1]!)
    for (let i = planned.offsets[p]!; i < planned.offsets[p + 1]!; i++)
      moves += Number(!held.includes(planned.replicas[i]!))
  }
  return moves
}
