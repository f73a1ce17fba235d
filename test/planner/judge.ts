/**
 * The best plan of a small cluster by trying everything, from the definitions alone: nothing of the planner's is used.
 *
 * Legal sets come from walking all sets of brokers; the best counts and moves from walking the sets of all partitions, equal
 * counts taken together.
 */
import type { PlanProblem } from '../../src/engine/plan-contract.js'

/** Brokers of one partition, as bits. */
type BrokerSet = number

export interface Verdict {
  /** Sets of plans tried. */
  readonly space: number
  /** The least sum of squares of the counts over the weights, at the rank that the question gives it. */
  readonly squares: number
  readonly moves: number
  /** All counts that are level. */
  readonly levels: readonly (readonly number[])[]
}

export const squaresOf = (counts: readonly number[]): number =>
  counts.reduce((total, count) => total + count * count, 0)

/** The sum of squares over weights, in parts that make it whole: 60 for weights up to 6. */
export const unevennessOf = ({ weights }: PlanProblem, counts: readonly number[]): number =>
  counts.reduce((total, count, b) => total + (count * count * 60) / (weights?.[b] ?? 60), 0)

/** Brokers of a partition at the start. */
export const heldBy = ({ offsets, replicas }: PlanProblem, p: number): number[] => [
  ...replicas.subarray(offsets[p]!, offsets[p + 1]!),
]

const bitsOf = (set: BrokerSet): number => {
  let bits = 0
  for (let rest = set; rest > 0; rest &= rest - 1) bits += 1
  return bits
}

export const factorAt = (problem: PlanProblem, p: number): number =>
  problem.factors === null ? heldBy(problem, p).length : problem.factors[p]!

/** Every set of so many brokers that are in, as level over the racks, or in as many racks, as any. */
export function legalSets(problem: PlanProblem, factor: number): BrokerSet[] {
  const { rackOf, racks, isIn, rule } = problem
  const ranked: { set: BrokerSet; rank: string }[] = []
  for (let set = 0; set < 1 << rackOf.length; set++) {
    if (bitsOf(set) !== factor) continue
    const counts = new Array<number>(racks).fill(0)
    let allIn = true
    for (let b = 0; b < rackOf.length; b++) {
      if (((set >> b) & 1) === 0) continue
      allIn &&= isIn[b] === 1
      counts[rackOf[b]!]! += 1
    }
    if (!allIn) continue
    const rank =
      rule === 'spread' ? counts.toSorted((a, b) => b - a).join() : String(counts.filter((n) => n === 0).length)
    ranked.push({ set, rank })
  }
  const least = ranked.map(({ rank }) => rank).toSorted()[0]
  return ranked.filter(({ rank }) => rank === least).map(({ set }) => set)
}

export function movesOf(problem: PlanProblem, p: number, set: BrokerSet): number {
  let held = 0
  for (const broker of heldBy(problem, p)) held |= 1 << broker
  return bitsOf(set & ~held)
}

/** Counts a broker in four bits: at most seven brokers and fifteen partitions. */
function unpack(problem: PlanProblem, packed: number): number[] {
  return Array.from(problem.rackOf, (_, b) => Math.floor(packed / 16 ** b) % 16)
}

/** The best plan, or `null` where there are more than so many. */
export function judged(problem: PlanProblem, most = 1e6): Verdict | null {
  const partitions = problem.offsets.length - 1
  let best = new Map([[0, 0]])
  let space = 1
  for (let p = 0; p < partitions; p++) {
    const sets = legalSets(problem, factorAt(problem, p))
    space *= sets.length
    if (space > most) return null
    best = extended(best, sets, (set) => movesOf(problem, p, set))
  }
  const ends = [...best].map(([packed, moves]) => ({ counts: unpack(problem, packed), moves }))
  const ranked = ends.map((end) => ({ ...end, squares: unevennessOf(problem, end.counts) }))
  const countsRank = problem.first === 'counts'
  ranked.sort((a, b) =>
    countsRank ? a.squares - b.squares || a.moves - b.moves : a.moves - b.moves || a.squares - b.squares,
  )
  const { squares, moves } = ranked[0]!
  return { space, squares, moves, levels: ranked.filter((end) => end.squares === squares).map(({ counts }) => counts) }
}

function extended(best: Map<number, number>, sets: readonly BrokerSet[], cost: (set: BrokerSet) => number) {
  const next = new Map<number, number>()
  for (const set of sets) {
    let step = 0
    for (let b = 0; set >> b > 0; b++) if (((set >> b) & 1) === 1) step += 16 ** b
    const moves = cost(set)
    for (const [packed, before] of best) {
      const known = next.get(packed + step)
      if (known === undefined || before + moves < known) next.set(packed + step, before + moves)
    }
  }
  return next
}

/**
 * What no plan can avoid, for any numbers, one a broker: the cheapest legal sets where a broker costs its number, and one
 * more if it is new, less the dearest of the level counts.
 */
export function dualOf(problem: PlanProblem, potentials: Int32Array, levels: Verdict['levels']): number {
  let total = 0
  for (let p = 0; p + 1 < problem.offsets.length; p++) {
    const costs = legalSets(problem, factorAt(problem, p)).map((set) => {
      let cost = movesOf(problem, p, set)
      for (let b = 0; set >> b > 0; b++) if (((set >> b) & 1) === 1) cost += potentials[b]!
      return cost
    })
    total += Math.min(...costs)
  }
  const dearest = levels.map((counts) => counts.reduce((sum, count, b) => sum + count * potentials[b]!, 0))
  return total - Math.max(...dearest)
}

/** The least sum of squares of leaders that lists of these brokers allow, by trying every leader of each. */
export function leastLeaderSquares(lists: readonly (readonly number[])[], brokers: number): number {
  let ways = new Set([''])
  const zero = new Array<number>(brokers).fill(0)
  for (const list of lists) {
    const next = new Set<string>()
    for (const way of ways) {
      const counts = way === '' ? zero : way.split(',').map(Number)
      for (const leader of new Set(list)) next.add(counts.map((n, b) => (b === leader ? n + 1 : n)).join())
    }
    ways = next
  }
  return Math.min(...[...ways].map((way) => squaresOf(way === '' ? zero : way.split(',').map(Number))))
}
