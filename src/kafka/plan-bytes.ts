/**
 * Fewer bytes for the same moves, where the bytes of partitions are known: of two replicas that a broker could give, the
 * smaller one goes.
 *
 * A local search after the plan: a large partition stays at home, and a smaller one that stayed goes its way. Counts, moves
 * and leaders stay as they are. No proof that no plan copies fewer bytes.
 */
import type { PlannedReplicas } from '../engine/plan-contract.js'
import { PlanLists } from './plan-lists.js'
import type { PlanQuestion } from './plan-question.js'

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

export function withFewerBytes(question: PlanQuestion, planned: PlannedReplicas): PlannedReplicas {
  const { bytes } = question.cluster
  if (bytes === null || planned.moves === 0 || question.problem.factors !== null) return planned
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
