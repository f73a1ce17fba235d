/**
 * From a question to lists: the engine's plan, bettered by what the engine does not know, until its own plan leaves it alone.
 *
 * Orders of ranks, bytes and capacities are bettered by local searches. Their plan is planned again, as a start of its own,
 * and taken further while that is better rank by rank; every step is, so that it ends. So planning a plan again moves
 * nothing, and no plan is worse than its start. One walk for both twins: it yields problems for the engine, and turns.
 */
import type { PlannedReplicas, PlanProblem } from '../engine/plan-contract.js'
import { codedError } from '../errors.js'
import { isBetter } from '../fallback/kafka/planner/ranked-state.js'
import { boundOfBytes, withFewBytes } from './plan-bytes.js'
import { isWithinCapacity, withinCapacity } from './plan-capacity.js'
import { differenceOf, movesBetween } from './plan-difference.js'
import { checkStart, legality } from './plan-feasible.js'
import type { PlanQuestion } from './plan-question.js'
import { isEngineOrder, rankedSteps } from './plan-ranks.js'
import { asked, type PlanSteps } from './plan-steps.js'
import { PlanWork } from './plan-work.js'

/** Lists, and what is known of them. */
export interface Answer extends PlannedReplicas {
  /** Bytes that no plan can avoid; `null` where bytes are not known. */
  readonly bytesBound: number | null
  /** True where replicas were put elsewhere for the sake of capacities: then nothing is proved. */
  readonly isPacked: boolean
}

/**
 * How often a plan is planned again as a start of its own. Each time it is better rank by rank, and there are only so many
 * plans: it ends by itself, on random clusters within four rounds; this is the bound where it would take long.
 */
const MOST_ROUNDS = 16

/**
 * `work` is what the search of another order may take.
 *
 * @throws ERR_PLACEMENT_INFEASIBLE, ERR_PLACEMENT_ARGUMENT_RANGE
 */
export function* answerSteps(question: PlanQuestion, work = new PlanWork()): PlanSteps<Answer> {
  const { problem, options } = question
  if (problem.first === 'nothing') {
    if ((yield* leastMoves(problem)) > 0) checkStart(question)
    return unbettered(yield* asked(problem, 1), question.cluster.bytes && 0)
  }
  if (options.replace.length > 0) return yield* replaced(question)
  if (isStable(question)) return unbettered(yield* asked(problem, 1), null)
  return yield* settled(question, yield* onceSteps(question, work), work)
}

const unbettered = (planned: PlannedReplicas, bytesBound: number | null): Answer => ({
  ...planned,
  bytesBound,
  isPacked: false,
})

/** What the engine's own plan is known to leave alone. */
function isStable({ options, cluster, brokers }: PlanQuestion): boolean {
  const isLimited = brokers.some(({ capacity }) => capacity !== null)
  return isEngineOrder(options.objectives) && cluster.bytes === null && !isLimited
}

function* onceSteps(question: PlanQuestion, work: PlanWork): PlanSteps<Answer> {
  return yield* packed(question, yield* bettered(question, yield* asked(question.problem), work))
}

function* bettered(question: PlanQuestion, engines: PlannedReplicas, work: PlanWork): PlanSteps<Answer> {
  const isKnown = question.cluster.bytes !== null
  if (!isEngineOrder(question.options.objectives)) {
    return unbettered(yield* rankedSteps(question, engines, work), isKnown ? boundOfBytes(question, null) : null)
  }
  if (!isKnown) return unbettered(engines, null)
  // Where the rules alone say what moves, all cheapest sets of a partition copy as much.
  if (question.problem.first === 'moves') return unbettered(engines, boundOfBytes(question, null))
  const { planned, bytesBound } = yield* withFewBytes(question, engines)
  return unbettered(planned, bytesBound)
}

/** Within capacities; where counts are not level any more, the rules alone bound the moves. */
function* packed(question: PlanQuestion, answer: Answer): PlanSteps<Answer> {
  const planned = yield* withinCapacity(question, answer)
  if (planned === answer) return answer
  const isLevel = differenceOf(startingFrom(question, answer), planned).counts <= 0
  const bytesBound = isLevel || answer.bytesBound === null ? answer.bytesBound : boundOfBytes(question, null)
  const bounds = isLevel ? {} : { bound: answer.boundByRules, boundByCounts: 0 }
  return { ...answer, ...planned, ...bounds, bytesBound, isPacked: true }
}

function* settled(question: PlanQuestion, first: Answer, work: PlanWork): PlanSteps<Answer> {
  if (isLegalStart(question) && !betters(question, first)) return unchanged(question, first)
  let best = first
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const again = startingFrom(question, best)
    const next = yield* onceSteps(again, work)
    if (!betters(again, next)) break
    best = next
  }
  const { replicas, offsets } = best
  return { ...first, offsets, replicas, moves: movesBetween(question.problem, best) }
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
function unchanged({ problem, cluster }: PlanQuestion, answer: Answer): Answer {
  const { offsets, replicas } = problem
  const none = { moves: 0, bound: 0, boundByCounts: 0, bytesBound: cluster.bytes && 0 }
  return { ...answer, ...none, offsets: offsets.slice(), replicas: replicas.slice() }
}

/** What the rules alone ask for, on the lists as they stand. */
function* leastMoves(problem: PlanProblem): PlanSteps<number> {
  return (yield* asked({ ...problem, first: 'moves', after: [] })).boundByRules
}

/**
 * One for one: the second of each pair takes the place of the first in the lists that do not have it yet; what breaks a rule
 * then is planned as usual. Moves and the bound are told against the lists at the start.
 */
function* replaced(question: PlanQuestion): PlanSteps<Answer> {
  const { problem, brokers, options, cluster } = question
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
  const planned = yield* asked({ ...problem, replicas: start })
  const bound = yield* leastMoves(problem)
  const bytesBound = cluster.bytes === null ? null : boundOfBytes(question, null)
  const bounds = { bound, boundByRules: bound, boundByCounts: 0, bytesBound }
  return yield* packed(question, { ...planned, ...bounds, moves: movesBetween(problem, planned), isPacked: false })
}
