/** The search for objectives in other orders: both engines find the same lists after the same number of looks. */
import test from 'ava'
import { engine } from '../src/engine/index.js'
import type { RankedReplicas, RankProblem } from '../src/engine/plan-contract.js'
import { ENGINES, onEngine } from './engines.js'
import { chanceOf, clusterOf } from './planner/chance.js'
import { listsOf, shown } from './planner/claims.js'
import { legalSets } from './planner/judge.js'
import { ORDERS } from './planner/orders.js'

const SEED = Math.floor(Math.random() * 2 ** 30)
const PLENTY = 1e9

/** A random plan to be bettered: near sight where it is large, far sight where it is small; weights and bytes now and then. */
function questionOf(chance: (bound: number) => number): RankProblem {
  const isSmall = chance(2) === 0
  const brokers = isSmall ? 2 + chance(8) : 10 + chance(30)
  const shape = { brokers, racks: 1 + chance(3), partitions: 1 + chance(isSmall ? 40 : 600), topics: 5 }
  const problem = { ...clusterOf(chance, shape), factors: null }
  const { offsets, replicas } = engine().planReplicas(problem)
  const costs = chance(3) === 0 ? Float64Array.from(problem.topicOf, () => chance(1000)) : null
  const ranks = ORDERS[chance(ORDERS.length)]!.slice(0, 1 + chance(4))
  return { problem, offsets, replicas, costs, ranks, looks: PLENTY }
}

function bettered(question: RankProblem): RankedReplicas[] {
  return ENGINES.map((name) => onEngine(name, () => engine().betterReplicas(question)))
}

test(`100 plans in random orders: the same lists, the same looks left, on each engine, seed ${SEED}`, (t) => {
  const chance = chanceOf(SEED)
  for (let i = 0; i < 100; i++) {
    const question = questionOf(chance)
    const [first, ...others] = bettered(question)
    for (const other of others) t.deepEqual(other, first, `${question.ranks} ${shown(question.problem)}`)
    t.true(first!.looks >= 0)
  }
})

test(`what is bettered keeps the rules, seed ${SEED}`, (t) => {
  const chance = chanceOf(SEED + 1)
  for (let i = 0; i < 100; i++) {
    const question = questionOf(chance)
    if (question.problem.rackOf.length > 10) continue
    const [{ replicas }] = bettered(question) as [RankedReplicas]
    for (const [p, list] of listsOf({ offsets: question.offsets, replicas }).entries()) {
      const set = list.reduce((bits, broker) => bits | (1 << broker), 0)
      t.is(new Set(list).size, list.length)
      t.true(legalSets(question.problem, list.length).includes(set), `${p}: ${list}, ${shown(question.problem)}`)
    }
  }
})

test(`the looks that a plan takes suffice, and one less does not, on each engine, seed ${SEED}`, (t) => {
  const chance = chanceOf(SEED + 2)
  for (let i = 0; i < 20; i++) {
    const question = questionOf(chance)
    const taken = PLENTY - bettered(question)[0]!.looks
    if (taken === 0) continue
    for (const { looks } of bettered({ ...question, looks: taken })) t.is(looks, 0)
    for (const short of bettered({ ...question, looks: taken - 1 })) {
      t.deepEqual(short, { replicas: question.replicas, looks: -1 })
    }
  }
})
