/**
 * Replica lists that keep the rules, level and with the fewest moves, and the bound that proves it.
 *
 * For `kafka.planReassignment`. Twin of native/core/src/kafka/planner.rs. No original: Kafka's own tool places anew and moves
 * what it likes. Each partition is first repaired by itself; then replicas move along shortest ways on the graph of brokers
 * until all counts are level; the last distances are the proof. Integers only, and every tie is decided by a fixed hash: the
 * same question, the same bytes.
 */
import type { PlannedReplicas, PlanProblem } from '../../engine/plan-contract.js'
import { atOnce } from '../../turns.js'
import { Bound, boundByCounts, potentialsOf } from './planner/bound.js'
import { even } from './planner/even.js'
import { Exchanges } from './planner/exchanges.js'
import { levelWithFewestMoves } from './planner/fewest-moves.js'
import { levelLeaders, unevennessOf } from './planner/leaders.js'
import { levelsOf } from './planner/levels.js'
import { type Lists, listsOf } from './planner/lists.js'
import { COUNTED, REPAIRED, type Turns } from './planner/progress.js'
import { repair } from './planner/repair.js'
import { type Class, classesOf } from './planner/rule.js'
import { State } from './planner/state.js'
import { levelTopics } from './planner/topics.js'
import { weightedLevelsOf } from './planner/weighted-levels.js'

/** Plans, with turns between. */
export function* planSteps(problem: PlanProblem): Turns<PlannedReplicas> {
  if (problem.first === 'nothing') return yield* leadersAlone(problem)
  return problem.first === 'moves' ? yield* movesFirst(problem) : yield* countsFirst(problem)
}

export function planReplicas(problem: PlanProblem): PlannedReplicas {
  return atOnce(planSteps(problem))
}

type Bounds = Pick<PlannedReplicas, 'bound' | 'boundByCounts' | 'boundByRules' | 'potentials'>

function* leadersAlone(problem: PlanProblem): Turns<PlannedReplicas> {
  const lists = { offsets: problem.offsets.slice(), replicas: problem.replicas.slice() }
  yield* levelLeaders(problem, lists)
  const potentials = new Int32Array(problem.isIn.length)
  return { ...lists, moves: 0, bound: 0, boundByCounts: 0, boundByRules: 0, potentials }
}

/** The rules alone bound the moves, partition by partition, and the repair meets that bound. */
function* movesFirst(problem: PlanProblem): Turns<PlannedReplicas> {
  const classes = classesOf(problem)
  const state = new State(problem, classes)
  const nothing = new Uint32Array(problem.isIn.length)
  yield* repair(state, nothing, nothing)
  yield REPAIRED
  const exchanges = new Exchanges(state)
  yield* exchanges.updated()
  yield* even(state, exchanges, 'free')
  yield COUNTED
  const bound = yield* boundByRules(problem, classes)
  return yield* finished(state, { bound, boundByCounts: 0, boundByRules: bound, potentials: zeros(problem) })
}

function* countsFirst(problem: PlanProblem): Turns<PlannedReplicas> {
  const [plain, tightened] = [classesOf(problem), classesOf(problem)]
  const { weights } = problem
  const levels = weights === null ? levelsOf(problem, tightened) : yield* weightedLevelsOf(problem, weights, plain)
  const state = new State(problem, tightened)
  yield* repair(state, levels.low, levels.high)
  yield REPAIRED
  const potentials = potentialsOf(problem, levels, yield* levelWithFewestMoves(state, levels))
  const bound = new Bound(problem, plain, potentials)
  return yield* finished(state, {
    bound: (yield* bound.ofPartitions()) - bound.ofLevels(levels),
    boundByCounts: boundByCounts(problem, levels),
    boundByRules: yield* boundByRules(problem, plain),
    potentials,
  })
}

function zeros(problem: PlanProblem): Int32Array {
  return new Int32Array(problem.isIn.length)
}

function boundByRules(problem: PlanProblem, classes: readonly Class[]): Turns<number> {
  return new Bound(problem, classes, zeros(problem)).ofPartitions()
}

/** What costs no move, in the order of rank: topics never at the price of leaders that rank before them. */
function* finished(state: State, bounds: Bounds): Turns<PlannedReplicas> {
  const { problem } = state
  const moves = state.moves()
  let best = yield* ordered(state)
  if (problem.after.includes('topics')) {
    yield* levelTopics(state)
    const levelled = yield* ordered(state)
    const isFree =
      problem.after[0] === 'topics' ||
      !problem.after.includes('leaders') ||
      unevennessOf(levelled, state.brokers) <= unevennessOf(best, state.brokers)
    if (isFree) best = levelled
  }
  return { ...best, moves, ...bounds }
}

function* ordered(state: State): Turns<Lists> {
  const lists = yield* listsOf(state)
  if (state.problem.after.includes('leaders')) yield* levelLeaders(state.problem, lists)
  return lists
}
