/**
 * New replica lists for a cluster: which replicas should move so that rules hold and load is level, and the proof that no plan
 * moves fewer.
 *
 * For operators who drain, replace and add brokers. Kafka's own tool places anew: of 20 partitions it moves 20 where one move
 * is enough. The engine plans on integers; here names are numbered, questions without an answer refused, and answers read.
 */
import { checkOptions } from '../bulk-async.js'
import { engine } from '../engine/index.js'
import type { PlannedReplicas, PlanProblem } from '../engine/plan-contract.js'
import { codedError } from '../errors.js'
import { Cluster } from './cluster.js'
import type { ClusterSnapshot } from './cluster-types.js'
import { withFewerBytes } from './plan-bytes.js'
import { withinCapacity } from './plan-capacity.js'
import { checkFeasible, checkStart } from './plan-feasible.js'
import { checkPlanOptions, type PlanOptions } from './plan-options.js'
import { type PlanQuestion, questionOf } from './plan-question.js'
import { ReassignmentPlan } from './reassignment-plan.js'

/** What the async twin takes beside the options. */
export interface PlanAsyncOptions extends PlanOptions {
  /** Stops the work before its next round; the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal
  /** Called from time to time with the replicas above their level that are placed, and how many those are. */
  readonly onProgress?: (done: number, total: number) => void
}

/**
 * Plans replicas: hard rules always, then the objectives by rank.
 *
 * The same cluster in any order gives the same plan, byte for byte, and the plan planned again changes nothing.
 *
 * @param cluster brokers and topics, or the columns of them
 * @returns the plan: moves, the bound that proves them, lists, and readers
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_NAME, ERR_PLACEMENT_DUPLICATE;
 *   ERR_PLACEMENT_INFEASIBLE where no plan keeps the rules
 * @example
 * const brokers = [0, 1, 2].map((id) => ({ id }))
 * const plan = kafka.planReassignment({ brokers, topics: [{ name: 't', partitions: [[0], [0], [1]] }] })
 * plan.moves // 1
 */
export function planReassignment(cluster: ClusterSnapshot | Cluster, options: PlanOptions = {}): ReassignmentPlan {
  const question = checkedQuestion(cluster, options)
  return refined(question, answered(question))
}

/** The same off the event loop. @throws as {@link planReassignment}; what the signal says */
export async function planReassignmentAsync(
  cluster: ClusterSnapshot | Cluster,
  { signal, onProgress, ...options }: PlanAsyncOptions = {},
): Promise<ReassignmentPlan> {
  checkOptions({ ...(signal && { signal }), ...(onProgress && { onProgress }) })
  const question = checkedQuestion(cluster, options)
  if (question.options.replace.length > 0) return refined(question, replaced(question))
  return refined(question, await engine().planReplicasAsync(question.problem, { signal, onProgress }))
}

/** What the engine does not know: bytes and capacities. */
function refined(question: PlanQuestion, planned: PlannedReplicas): ReassignmentPlan {
  if (question.problem.first === 'nothing') return new ReassignmentPlan(question, planned)
  return new ReassignmentPlan(question, withinCapacity(question, withFewerBytes(question, planned)))
}

function checkedQuestion(cluster: ClusterSnapshot | Cluster, options: PlanOptions): PlanQuestion {
  const question = questionOf(Cluster.from(cluster), checkPlanOptions(options))
  checkFeasible(question)
  if (question.problem.first === 'nothing' && leastMoves(question.problem) > 0) checkStart(question)
  return question
}

function answered(question: PlanQuestion): PlannedReplicas {
  return question.options.replace.length > 0 ? replaced(question) : engine().planReplicas(question.problem)
}

/** What the rules alone ask for, on the lists as they stand. */
function leastMoves(problem: PlanProblem): number {
  return engine().planReplicas({ ...problem, first: 'moves', after: [] }).boundByRules
}

/**
 * One for one: the second of each pair takes the place of the first in the lists that do not have it yet; what breaks a rule
 * then is planned as usual. Moves and the bound are told against the lists at the start.
 */
function replaced({ problem, brokers, options }: PlanQuestion): PlannedReplicas {
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
  const planned = engine().planReplicas({ ...problem, replicas: start })
  if (problem.factors !== null)
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', 'replace: expected without replicationFactor')
  const bound = leastMoves(problem)
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
