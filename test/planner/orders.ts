/**
 * The best plans of a small cluster for every order of the objectives, by trying every set and every leader, from the
 * definitions alone; and what must hold of the facade's plan beside them.
 */
import type { PlanProblem } from '../../src/engine/plan-contract.js'
import { kafka } from '../../src/index.js'
import { countsOf, movesBetween } from './claims.js'
import { factorAt, heldBy, legalSets, squaresOf } from './judge.js'

/** What a plan comes to in each objective. */
export type Outcome = Record<kafka.PlanObjective, number>

export const ORDERS: readonly (readonly kafka.PlanObjective[])[] = permutations(kafka.PLAN_OBJECTIVES)

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, i) => permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]))
}

/** Three bits a broker: up to five brokers and seven partitions. */
const BITS = 8

interface Way {
  readonly counts: number
  readonly leads: number
  readonly own: number
  readonly topics: number
  readonly moves: number
}

const unpacked = (packed: number, brokers: number): number[] =>
  Array.from({ length: brokers }, (_, b) => Math.floor(packed / BITS ** b) % BITS)

/** What a cluster has beside the engine's question: bytes of each partition, or 1 of each. */
export type Sizes = readonly number[] | null

/** All outcomes that legal plans have; `null` where those are too many. */
export function outcomesOf(problem: PlanProblem, sizes: Sizes = null, most = 60_000): Outcome[] | null {
  const brokers = problem.rackOf.length
  let ways = new Map<string, Way>([['', { counts: 0, leads: 0, own: 0, topics: 0, moves: 0 }]])
  for (let p = 0; p + 1 < problem.offsets.length; p++) {
    const choices = choicesOf(problem, p, sizes?.[p] ?? 1)
    const isLast = problem.topicOf[p + 1] !== problem.topicOf[p]
    const next = new Map<string, Way>()
    for (const way of ways.values()) {
      for (const choice of choices) add(next, extended(way, choice, isLast ? brokers : 0))
    }
    if (next.size > most) return null
    ways = next
  }
  return [...ways.values()].map(({ counts, leads, topics, moves }) => ({
    counts: weighted(problem, unpacked(counts, brokers)),
    leaders: squaresOf(unpacked(leads, brokers)),
    topics,
    moves,
  }))
}

function weighted({ weights }: PlanProblem, counts: readonly number[]): number {
  return counts.reduce((total, count, b) => total + count ** 2 / (weights?.[b] ?? 1), 0)
}

interface Choice {
  readonly set: number
  readonly leader: number
  readonly moves: number
}

function choicesOf(problem: PlanProblem, p: number, size: number): Choice[] {
  const held = heldBy(problem, p)
  return legalSets(problem, factorAt(problem, p)).flatMap((bits) => {
    const members = [...problem.rackOf.keys()].filter((b) => ((bits >> b) & 1) === 1)
    const set = members.reduce((sum, b) => sum + BITS ** b, 0)
    const moves = members.filter((b) => !held.includes(b)).length * size
    return members.map((b) => ({ set, leader: BITS ** b, moves }))
  })
}

/** `closing`: the number of brokers after the last partition of a topic, else 0. */
function extended(way: Way, { set, leader, moves }: Choice, closing: number): Way {
  const own = way.own + set
  return {
    counts: way.counts + set,
    leads: way.leads + leader,
    own: closing > 0 ? 0 : own,
    topics: way.topics + (closing > 0 ? squaresOf(unpacked(own, closing)) : 0),
    moves: way.moves + moves,
  }
}

function add(ways: Map<string, Way>, way: Way): void {
  const key = `${way.counts} ${way.leads} ${way.own} ${way.topics}`
  const known = ways.get(key)
  if (known === undefined || way.moves < known.moves) ways.set(key, way)
}

/** The cluster as the facade takes it: broker `b` has the id `b`, and partition `p` of the problem the row `p`. */
export function snapshotOf(problem: PlanProblem, sizes: Sizes = null): kafka.ClusterSnapshot {
  const topics = [...new Set(problem.topicOf)].map((topic) => ({ name: `t${topic}`, partitions: [] as object[] }))
  for (let p = 0; p + 1 < problem.offsets.length; p++) {
    const own = topics.find(({ name }) => name === `t${problem.topicOf[p]}`)!.partitions
    own.push({ partition: own.length, replicas: heldBy(problem, p), ...(sizes !== null && { bytes: sizes[p] }) })
  }
  const brokers = [...problem.rackOf].map((rack, id) => {
    const state: kafka.BrokerState = problem.isIn[id] === 1 ? 'in' : 'out'
    return { id, rack: `r${rack}`, state, weight: problem.weights?.[id] ?? 1 }
  })
  return { brokers, topics: topics as kafka.ClusterTopic[] }
}

/** Of the start by name, so that a plan can be a start. */
export function outcomeOf(problem: PlanProblem, plan: kafka.ReassignmentPlan, sizes: Sizes = null): Outcome {
  const brokers = problem.rackOf.length
  const lists = Array.from({ length: problem.offsets.length - 1 }, (_, p) => plan.after(p))
  const leaders = countsOf(
    lists.map((list) => list.slice(0, 1)),
    brokers,
  )
  let topics = 0
  for (const topic of new Set(problem.topicOf)) {
    const own = lists.filter((_, p) => problem.topicOf[p] === topic)
    topics += squaresOf(countsOf(own, brokers))
  }
  const moved = lists.map((list, p) => list.filter((b) => !heldBy(problem, p).includes(b)).length * (sizes?.[p] ?? 1))
  return {
    counts: weighted(problem, countsOf(lists, brokers)),
    leaders: squaresOf(leaders),
    topics,
    moves: sizes === null ? movesBetween(problem, lists) : moved.reduce((sum, one) => sum + one, 0),
  }
}

/** The best outcome, rank by rank. */
export function bestOf(outcomes: readonly Outcome[], order: readonly kafka.PlanObjective[]): Outcome {
  return outcomes.reduce((best, one) => (compared(one, best, order) < 0 ? one : best))
}

/** Below 0 where the first is better. */
export function compared(one: Outcome, other: Outcome, order: readonly kafka.PlanObjective[]): number {
  const rank = order.find((objective) => Math.abs(one[objective] - other[objective]) > 1e-9)
  return rank === undefined ? 0 : one[rank] - other[rank]
}
