/**
 * Whether a plan exists, and if not, which rule stands against it, where, and the smallest change that would make it possible.
 *
 * Brokers and racks limit each replication factor alone, so that one look at each factor decides; partitions are named after.
 */

import type { PlanProblem } from '../engine/plan-contract.js'
import { codedError } from '../errors.js'
import type { PlanQuestion } from './plan-question.js'

/** @throws ERR_PLACEMENT_INFEASIBLE */
export function checkFeasible(question: PlanQuestion): void {
  const { problem } = question
  const factorOf = factors(problem)
  const reasons = new Map<number, string>()
  for (let p = 0; p + 1 < problem.offsets.length; p++) {
    const factor = factorOf(p)
    if (!reasons.has(factor)) reasons.set(factor, reasonAgainst(question, factor) ?? '')
  }
  if ([...reasons.values()].every((reason) => reason === '')) return
  throw infeasible(question, (p) => reasons.get(factorOf(p))!)
}

function factors({ factors, offsets }: PlanProblem): (p: number) => number {
  return factors === null ? (p) => offsets[p + 1]! - offsets[p]! : (p) => factors[p]!
}

/** Why no set of so many brokers is legal; `null` where one is. */
function reasonAgainst({ problem, rackRule }: PlanQuestion, factor: number): string | null {
  const ins = problem.isIn.reduce((total, one) => total + one, 0)
  if (factor > ins) {
    const lower = ins === 0 ? '' : `lower the replication factor to ${ins}, or `
    const relax = `${lower}add ${brokers(factor - ins)}`
    return `needs ${brokers(factor)}, ${ins} ${ins === 1 ? 'is' : 'are'} in: ${relax}`
  }
  if (rackRule !== 'distinct') return null
  const need = Math.min(factor, problem.racks)
  const have = new Set(problem.rackOf.filter((_, b) => problem.isIn[b] === 1)).size
  if (need <= have) return null
  const relax = `lower the rack rule to spread, or add a broker in ${need - have === 1 ? 'another rack' : `${need - have} other racks`}`
  return `needs ${need} brokers in different racks, ${have} ${have === 1 ? 'rack has' : 'racks have'} a broker that is in: ${relax}`
}

const brokers = (count: number): string => (count === 1 ? '1 broker' : `${count} brokers`)

/** All broken partitions are counted, the first ten named. */
function infeasible({ cluster }: PlanQuestion, reasonOf: (p: number) => string): Error {
  const named: string[] = []
  let [broken, first] = [0, -1]
  for (let row = 0; row < cluster.length; row++) {
    const reason = reasonOf(row)
    if (reason === '') continue
    if (first === -1) first = row
    if (broken++ < 10) named.push(`${cluster.topicOf(row)}-${cluster.partitions[row]}`)
  }
  const others = broken === 1 ? '' : ` (${broken} partitions in all: ${named.join(', ')}${broken > 10 ? ', …' : ''})`
  return codedError('ERR_PLACEMENT_INFEASIBLE', `partition ${named[0]} ${reasonOf(first)}${others}`, { index: first })
}

/** For the mode that moves nothing: lists that break a rule cannot stay. `isLegal` tells by row. @throws ERR_PLACEMENT_INFEASIBLE */
export function checkStart(question: PlanQuestion): void {
  const isLegal = legality(question)
  const { offsets, replicas } = question.problem
  throw infeasible(question, (row) =>
    isLegal(replicas.subarray(offsets[row]!, offsets[row + 1]!))
      ? ''
      : 'breaks a rule as it stands, and the mode leaders moves nothing: repair it first, or lower the rack rule to none',
  )
}

/** Whether a list of positions in the question's brokers keeps the rules. */
export function legality({ problem, rackRule }: PlanQuestion): (list: ArrayLike<number>) => boolean {
  const { isIn, rackOf, racks } = problem
  const room = new Array<number>(racks).fill(0)
  for (const [b, rack] of rackOf.entries()) room[rack]! += isIn[b]!
  return (list) => {
    const counts = new Array<number>(racks).fill(0)
    for (let i = 0; i < list.length; i++) {
      const broker = list[i]!
      if (isIn[broker] === 0 || Array.prototype.indexOf.call(list, broker) !== i) return false
      counts[rackOf[broker]!]! += 1
    }
    if (rackRule === 'distinct') return counts.filter((count) => count > 0).length === Math.min(list.length, racks)
    // Level as the racks allow: none could give one to a rack that has two fewer and a broker left.
    return counts.every((count) => counts.every((other, rack) => other + 1 >= count || other === room[rack]))
  }
}
