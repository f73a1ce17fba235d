/**
 * New replica lists for a cluster: which replicas should move so that rules hold and load is level, and the proof that no plan
 * moves fewer.
 *
 * For operators who drain, replace and add brokers. Kafka's own tool places anew: of 20 partitions it moves 20 where one move
 * is enough. The engine plans on integers; here names are numbered, questions without an answer refused, and answers read.
 */
import { checkOptions } from '../bulk-async.js'
import { engine } from '../engine/index.js'
import { Cluster } from './cluster.js'
import type { ClusterSnapshot } from './cluster-types.js'
import { checkFeasible } from './plan-feasible.js'
import { checkPlanOptions, type PlanOptions } from './plan-options.js'
import { type PlanQuestion, questionOf } from './plan-question.js'
import { answerSteps } from './plan-settled.js'
import { walked, walkedAsync } from './plan-steps.js'
import { ReassignmentPlan } from './reassignment-plan.js'

/** What the async twin takes beside the options. */
export interface PlanAsyncOptions extends PlanOptions {
  /** Stops the work: the addon at its next look (docs/planner.md), the fallback at its next turn. The promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal
  /** Called from time to time with the parts of the work that are done, and how many those are; the last call has both equal. */
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
  return new ReassignmentPlan(question, walked(answerSteps(question), engine()))
}

/** The same off the event loop. @throws as {@link planReassignment}; what the signal says */
export async function planReassignmentAsync(
  cluster: ClusterSnapshot | Cluster,
  { signal, onProgress, ...options }: PlanAsyncOptions = {},
): Promise<ReassignmentPlan> {
  checkOptions({ ...(signal !== undefined && { signal }), ...(onProgress !== undefined && { onProgress }) })
  const question = checkedQuestion(cluster, options)
  return new ReassignmentPlan(question, await walkedAsync(answerSteps(question), engine(), { signal, onProgress }))
}

function checkedQuestion(cluster: ClusterSnapshot | Cluster, options: PlanOptions): PlanQuestion {
  const question = questionOf(Cluster.from(cluster), checkPlanOptions(options))
  checkFeasible(question)
  return question
}
