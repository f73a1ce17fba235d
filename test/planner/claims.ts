/** What must hold of a plan: one sentence for each thing that does not. */
import { isDeepStrictEqual } from 'node:util'
import type { PlannedReplicas, PlanProblem } from '../../src/engine/plan-contract.js'
import { dualOf, factorAt, heldBy, judged, leastLeaderSquares, legalSets, squaresOf, unevennessOf } from './judge.js'

export type Ask = (problem: PlanProblem) => PlannedReplicas

export const listsOf = ({ offsets, replicas }: Pick<PlannedReplicas, 'offsets' | 'replicas'>): number[][] =>
  Array.from({ length: offsets.length - 1 }, (_, p) => [...replicas.subarray(offsets[p]!, offsets[p + 1]!)])

export function countsOf(lists: readonly (readonly number[])[], brokers: number): number[] {
  const counts = new Array<number>(brokers).fill(0)
  for (const broker of lists.flat()) counts[broker]! += 1
  return counts
}

/** Replicas on brokers that did not hold their partition, counted here. */
export function movesBetween(problem: PlanProblem, lists: readonly (readonly number[])[]): number {
  const fresh = lists.map((list, p) => list.filter((broker) => !heldBy(problem, p).includes(broker)).length)
  return fresh.reduce((total, count) => total + count, 0)
}

const leadersOf = (lists: readonly (readonly number[])[], brokers: number): number[] =>
  countsOf(
    lists.map((list) => list.slice(0, 1)),
    brokers,
  )

/** The plan as the next question. */
export function again(problem: PlanProblem, { offsets, replicas }: PlannedReplicas): PlanProblem {
  return { ...problem, offsets, replicas, factors: null }
}

/** Of a small cluster: equal to the best that trying everything finds. `null` where that is too much. */
export function wrongOfSmall(problem: PlanProblem, planned: PlannedReplicas): string[] | null {
  const verdict = judged(problem)
  if (verdict === null) return null
  const brokers = problem.rackOf.length
  const lists = listsOf(planned)
  const wrong: string[] = []
  const claim = (holds: boolean, words: string): void => {
    if (!holds) wrong.push(words)
  }
  for (const [p, list] of lists.entries()) {
    const set = list.reduce((bits, broker) => bits | (1 << broker), 0)
    claim(new Set(list).size === list.length, `partition ${p} has a broker twice: ${list}`)
    claim(legalSets(problem, factorAt(problem, p)).includes(set), `partition ${p} breaks a rule: ${list}`)
  }
  const moves = movesBetween(problem, lists)
  claim(planned.moves === moves, `says ${planned.moves} moves, makes ${moves}`)
  claim(moves === verdict.moves, `${moves} moves, ${verdict.moves} are enough`)
  const squares = unevennessOf(problem, countsOf(lists, brokers))
  claim(squares === verdict.squares, `counts' squares ${squares}, ${verdict.squares} can be had`)
  claim(planned.bound === moves, `the bound is ${planned.bound}, the moves ${moves}`)
  if (problem.first === 'counts') {
    const dual = dualOf(problem, planned.potentials, verdict.levels)
    claim(dual === moves, `potentials ${planned.potentials} prove ${dual}, the moves are ${moves}`)
  }
  claim(Math.max(planned.boundByCounts, planned.boundByRules) <= moves, 'a simple bound is above the moves')
  if (problem.after.includes('leaders')) {
    const [have, can] = [squaresOf(leadersOf(lists, brokers)), leastLeaderSquares(lists, brokers)]
    claim(have === can, `leaders' squares ${have}, ${can} can be had of these lists`)
  }
  return wrong
}

/** The plan planned again: nothing moves, nothing is put in another order. */
export function wrongAgain(problem: PlanProblem, planned: PlannedReplicas, ask: Ask): string[] {
  const second = ask(again(problem, planned))
  const wrong: string[] = []
  if (second.moves !== 0) wrong.push(`planning again moves ${second.moves}`)
  if (!isDeepStrictEqual(second.replicas, planned.replicas)) wrong.push('planning again changes lists')
  return wrong
}

/** A cluster in one line, to be pasted into a test. */
export function shown(problem: PlanProblem): string {
  const { rackOf, isIn, rule, first, after, factors, weights } = problem
  const lists = listsOf(problem).map((list) => `[${list}]`)
  const more = `${factors === null ? '' : ` factors ${factors}`}${weights === null ? '' : ` weights ${weights}`}`
  return `racks ${rackOf} in ${isIn} ${rule} ${first} after ${after}${more} lists ${lists.join(' ')}`
}

/** The mode that moves nothing, on the plan's lists turned by one: the same sets, and leaders as level as these allow. */
export function wrongLeaders(problem: PlanProblem, planned: PlannedReplicas, ask: Ask): string[] {
  const turned = listsOf(planned).map(([first, ...rest]) => [...rest, first!])
  const replicas = Uint32Array.from(turned.flat())
  const led = ask({ ...again(problem, planned), replicas, first: 'nothing', after: ['leaders'] })
  const lists = listsOf(led)
  const brokers = problem.rackOf.length
  const sorted = (all: readonly (readonly number[])[]): string =>
    JSON.stringify(all.map((list) => list.toSorted((a, b) => a - b)))
  const wrong = sorted(lists) === sorted(turned) && led.moves === 0 ? [] : ['leaders alone move replicas']
  const [have, can] = [squaresOf(leadersOf(lists, brokers)), leastLeaderSquares(lists, brokers)]
  return have === can ? wrong : [...wrong, `leaders' squares ${have}, ${can} can be had`]
}

/** How far a plan is from even: squares of leaders, and of the replicas of each topic, above what even ones would have. */
export function gapsOf(problem: PlanProblem, planned: PlannedReplicas): { leaders: number; topics: number } {
  const brokers = problem.rackOf.length
  const ins = problem.isIn.reduce((total, one) => total + one, 0)
  const lists = listsOf(planned)
  const leaders = squaresOf(leadersOf(lists, brokers)) - evenSquares(lists.length, ins)
  let topics = 0
  for (const topic of new Set(problem.topicOf)) {
    const own = lists.filter((_, p) => problem.topicOf[p] === topic)
    topics += squaresOf(countsOf(own, brokers)) - evenSquares(own.flat().length, ins)
  }
  return { leaders, topics }
}

function evenSquares(total: number, over: number): number {
  const each = Math.floor(total / over)
  return over * each * each + (total % over) * (2 * each + 1)
}
