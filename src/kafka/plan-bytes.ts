/**
 * The fewest bytes for level counts, where the bytes of partitions are known, and the bytes that no plan can avoid.
 *
 * First in bulk: of two replicas that a broker could give, the smaller one goes; a large partition stays at home, and a
 * smaller one that stayed goes its way. Then cycles of exchanges, which end at the fewest bytes, or at the limit of the work.
 */
import type { PlannedReplicas } from '../engine/plan-contract.js'
import { Bound } from '../fallback/kafka/planner/bound.js'
import { levelsOf } from '../fallback/kafka/planner/levels.js'
import { classesOf } from '../fallback/kafka/planner/rule.js'
import { weightedLevelsOf } from '../fallback/kafka/planner/weighted-levels.js'
import { atOnce } from '../turns.js'
import { withFewestBytes } from './plan-byte-cycles.js'
import { PlanLists } from './plan-lists.js'
import type { PlanQuestion } from './plan-question.js'
import { asked, type PlanSteps } from './plan-steps.js'

/** A replica that moves. */
interface Move {
  readonly row: number
  /** True where the broker that it comes to leads. */
  readonly leads: boolean
  readonly from: number
  readonly to: number
}

/** So many smaller partitions are tried for each. */
const TRIED = 256

/** Fewer bytes for the same level; leaders are levelled anew where they are sought. */
export function* withFewBytes(question: PlanQuestion, planned: PlannedReplicas): PlanSteps<FewBytes> {
  const { problem } = question
  const { planned: fewest, potentials } = yield* withFewestBytes(question, traded(question, planned))
  const bytesBound = boundOfBytes(question, potentials)
  if (!problem.after.includes('leaders')) return { planned: fewest, bytesBound }
  const { offsets, replicas } = fewest
  const led = yield* asked({ ...problem, offsets, replicas, factors: null, first: 'nothing', after: ['leaders'] })
  return { planned: { ...fewest, replicas: led.replicas }, bytesBound }
}

export interface FewBytes {
  readonly planned: PlannedReplicas
  readonly bytesBound: number
}

/** Bytes that no plan can avoid: by the rules alone, or by one number a broker of all plans that are level. */
export function boundOfBytes({ problem, cluster }: PlanQuestion, potentials: Float64Array | null): number {
  const classes = classesOf(problem)
  const nothing = new Float64Array(problem.isIn.length)
  const byRules = atOnce(new Bound(problem, classes, nothing, cluster.bytes).ofPartitions())
  if (potentials === null) return byRules
  const { weights } = problem
  const levels =
    weights === null ? levelsOf(problem, classesOf(problem)) : atOnce(weightedLevelsOf(problem, weights, classes))
  const bound = new Bound(problem, classes, potentials, cluster.bytes)
  return Math.max(byRules, atOnce(bound.ofPartitions()) - bound.ofLevels(levels))
}

function traded(question: PlanQuestion, planned: PlannedReplicas): PlannedReplicas {
  const bytes = question.cluster.bytes!
  if (planned.moves === 0 || question.problem.factors !== null) return planned
  const lists = new PlanLists(question, planned)
  const moves = movesOf(lists).sort((a, b) => bytes[b.row]! - bytes[a.row]! || a.row - b.row)
  const givable = givableBy(lists, new Set(moves.map(({ from }) => from)), bytes)
  for (const move of moves) {
    const rows = givable.get(move.from)!
    const at = rows.slice(0, TRIED).findIndex((row) => bytes[row]! < bytes[move.row]! && mayTrade(lists, move, row))
    if (at === -1) continue
    lists.replace(move.row, move.to, move.from)
    lists.replace(rows[at]!, move.from, move.to)
    rows.splice(at, 1)
  }
  return lists.planned()
}

/** Moves from brokers that are in; each that comes is paired with one that goes, of its rack where there is one. */
function movesOf(lists: PlanLists): Move[] {
  const { isIn, rackOf } = lists.question.problem
  const moves: Move[] = []
  for (let row = 0; row < lists.rows; row++) {
    const [before, now] = [lists.before(row), lists.now(row)]
    const gone = [...before].filter((broker) => !now.includes(broker) && isIn[broker] === 1)
    for (const [i, to] of now.entries()) {
      if (before.includes(to) || gone.length === 0) continue
      const sameRack = gone.findIndex((from) => rackOf[from] === rackOf[to])
      moves.push({ row, leads: i === 0, from: gone.splice(Math.max(0, sameRack), 1)[0]!, to })
    }
  }
  return moves
}

/** Of each broker that gives, the rows that it keeps, the smallest first. */
function givableBy(lists: PlanLists, givers: ReadonlySet<number>, bytes: Float64Array): Map<number, number[]> {
  const rows = new Map<number, number[]>()
  for (const from of givers) rows.set(from, [])
  for (let row = 0; row < lists.rows; row++) {
    const before = lists.before(row)
    for (const broker of lists.now(row)) if (before.includes(broker)) rows.get(broker)?.push(row)
  }
  for (const list of rows.values()) list.sort((a, b) => bytes[a]! - bytes[b]! || a - b)
  return rows
}

/** Both lead or both follow, so that leaders stay as level as they are. */
function mayTrade(lists: PlanLists, { row, leads, from, to }: Move, other: number): boolean {
  if ((lists.now(other)[0] === from) !== leads) return false
  return !lists.before(other).includes(to) && lists.mayReplace(row, to, from) && lists.mayReplace(other, from, to)
}
