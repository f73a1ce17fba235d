/**
 * The planner's core on both engines: against a judge that tries everything, and on larger clusters against a proof from the
 * definitions. `node build/test/test/planner/long.js` asks many more, `sizes.js` beside it the largest.
 */
import test from 'ava'
import { CLUSTERS, problemOf } from '../bench/clusters.js'
import { engine } from '../src/engine/index.js'
import type { PlannedReplicas, PlanProblem } from '../src/engine/plan-contract.js'
import { ENGINES, onEngine } from './engines.js'
import { chanceOf, clusterOf, largerCluster, smallCluster } from './planner/chance.js'
import { countsOf, listsOf, movesBetween, shown, wrongAgain, wrongLeaders, wrongOfSmall } from './planner/claims.js'
import { judgedSize } from './planner/one-size.js'
import { wrongOfLarger } from './planner/proof.js'
import { differingOrders, noTallies, rankedCluster, wrongOfOrders } from './planner/ranks.js'
import { wrongShuffled } from './planner/shuffled.js'

const SEED = Number(process.env['TOPIC_PLACEMENT_SEED'] ?? Date.now() % 2 ** 31)

const ask = (problem: PlanProblem): PlannedReplicas => engine().planReplicas(problem)

for (const name of ENGINES) {
  test(`${name}: of 500 small clusters each plan is the best that trying everything finds, seed ${SEED}`, (t) => {
    const chance = chanceOf(SEED)
    onEngine(name, () => {
      for (let judged = 0; judged < 500; ) {
        const problem = smallCluster(chance)
        const planned = ask(problem)
        const wrong = wrongOfSmall(problem, planned)
        if (wrong === null) continue
        judged += 1
        const others = [...wrongAgain(problem, planned, ask), ...wrongLeaders(problem, planned, ask)]
        t.deepEqual([...wrong, ...others], [], shown(problem))
      }
    })
  })

  test(`${name}: on 40 larger clusters rules hold, counts are level, moves are proved, seed ${SEED}`, (t) => {
    const chance = chanceOf(SEED + 1)
    onEngine(name, () => {
      for (let i = 0; i < 40; i++) {
        const problem = largerCluster(chance)
        const planned = ask(problem)
        const others = [...wrongAgain(problem, planned, ask), ...wrongShuffled(problem, chance)]
        t.deepEqual([...wrongOfLarger(problem, planned), ...others], [], shown(problem))
      }
    })
  })
}

for (const name of ENGINES) {
  test(`${name}: 20 small clusters in all 24 orders of the objectives: the first rank is the best there is, seed ${SEED}`, (t) => {
    const chance = chanceOf(SEED + 3)
    onEngine(name, () => {
      const tallies = noTallies()
      for (let i = 0; i < 20; i++) t.deepEqual(wrongOfOrders(rankedCluster(chance), tallies), [])
      t.true([...tallies.values()].every(({ asked, above }) => above * 10 <= asked))
    })
  })
}

/** Beyond 2,048 brokers no table of pairs is kept, beyond 64 racks several share a list of replicas, beyond 16 a bit. */
const WIDE = [
  { brokers: 2100, racks: 70, partitions: 1500, topics: 9 },
  { brokers: 200, racks: 100, partitions: 1000, topics: 9 },
  { brokers: 60, racks: 20, partitions: 600, topics: 9 },
]

for (const name of ENGINES) {
  test(`${name}: many brokers, many racks: rules hold, counts are level, moves are proved, seed ${SEED}`, (t) => {
    const chance = chanceOf(SEED + 4)
    onEngine(name, () => {
      for (const shape of WIDE) {
        const problem: PlanProblem = {
          ...clusterOf(chance, shape),
          rule: 'spread',
          first: 'counts',
          after: ['leaders'],
        }
        const planned = ask(problem)
        t.deepEqual(wrongAgain(problem, planned, ask), [])
        if (shape.racks <= 20) {
          t.deepEqual(wrongOfLarger(problem, planned), [])
          continue
        }
        const lists = listsOf(planned)
        t.is(movesBetween(problem, lists), planned.moves)
        t.is(planned.bound, planned.moves)
        // More racks than replicas, and room in each: one a rack, and counts that differ by one at most.
        t.true(lists.every((list) => new Set(list.map((broker) => problem.rackOf[broker])).size === list.length))
        const counts = countsOf(lists, shape.brokers).filter((_, broker) => problem.isIn[broker] === 1)
        t.true(Math.max(...counts) - Math.min(...counts) <= 1)
      }
    })
  })
}

if (ENGINES.length === 2) {
  test(`20 small clusters in all 24 orders of the objectives: both engines give the same plans, seed ${SEED}`, (t) => {
    const chance = chanceOf(SEED + 4)
    for (let i = 0; i < 20; i++) t.deepEqual(differingOrders(rankedCluster(chance)), [])
  })

  test(`both engines plan 300 clusters bit for bit alike, weights too, seed ${SEED}`, (t) => {
    const chance = chanceOf(SEED + 2)
    for (let i = 0; i < 300; i++) {
      const random = { brokers: 2 + chance(30), racks: 1 + chance(2), partitions: chance(300), topics: 9 }
      const problem = clusterOf(chance, WIDE[i] ?? random)
      const [native, fallback] = ENGINES.map((name) => onEngine(name, () => ask(problem)))
      t.deepEqual(native, fallback, shown(problem))
    }
  })
}

test('the judge finds fault: one replica more moved, or one broker heavier, is told', (t) => {
  const problem: PlanProblem = {
    rackOf: Uint32Array.of(0, 0, 0),
    racks: 1,
    isIn: Uint8Array.of(1, 1, 1),
    weights: null,
    offsets: Uint32Array.of(0, 1, 2, 3),
    replicas: Uint32Array.of(0, 0, 1),
    factors: null,
    topicOf: new Uint32Array(3),
    rule: 'spread',
    first: 'counts',
    after: [],
  }
  const planned = ask(problem)
  t.deepEqual(wrongOfSmall(problem, planned), [])
  t.is(planned.moves, 1)
  const spread = wrongOfSmall(problem, { ...planned, replicas: Uint32Array.of(1, 0, 2), moves: 2 })!
  t.deepEqual(spread.slice(0, 2), ['2 moves, 1 are enough', 'the bound is 1, the moves 2'])
  t.regex(
    wrongOfSmall(problem, { ...planned, replicas: problem.replicas, moves: 0 })!.join(),
    /squares 5, 3 can be had/,
  )
})

test('the smallest size of the table, whole: proved, stable, the same in any order and on each engine', (t) => {
  const { planned, wrong } = judgedSize(problemOf(CLUSTERS[0]!), ENGINES, SEED)
  t.deepEqual(wrong, [])
  t.is(planned.replicas.length, problemOf(CLUSTERS[0]!).replicas.length)
})

test('the proof finds fault: a replica moved for nothing, a rule broken, a level missed, a potential changed', (t) => {
  // Racks 0 and 1 of two brokers each, all three partitions on brokers 0 and 2: levels 2, 1, 2, 1 take two moves.
  const problem: PlanProblem = {
    rackOf: Uint32Array.of(0, 0, 1, 1),
    racks: 2,
    isIn: Uint8Array.of(1, 1, 1, 1),
    weights: null,
    offsets: Uint32Array.of(0, 2, 4, 6),
    replicas: Uint32Array.of(0, 2, 0, 2, 0, 2),
    factors: null,
    topicOf: new Uint32Array(3),
    rule: 'spread',
    first: 'counts',
    after: [],
  }
  const planned = ask(problem)
  t.deepEqual(wrongOfLarger(problem, planned), [])
  const spoilt = (replicas: readonly number[], moves: number, potentials = planned.potentials): string => {
    const plan = { ...planned, replicas: Uint32Array.from(replicas), moves, bound: moves, potentials }
    return wrongOfLarger(problem, plan).join()
  }
  t.is(spoilt([0, 2, 0, 2, 1, 3], 2), '')
  t.regex(spoilt([0, 2, 0, 2, 1, 3], 1), /^says 1 of 1, makes 2/)
  t.regex(spoilt([1, 3, 0, 3, 1, 2], 4), /the potentials prove 2, the moves are 4|can be dearer/)
  t.regex(spoilt([0, 2, 0, 2, 0, 3], 1), /^broker 0 has 3, and 1 0/)
  t.regex(spoilt([0, 2, 0, 2, 1, 0], 2), /^partition 2 breaks a rule: 1,0/)
  t.regex(spoilt([0, 2, 0, 2, 3, 3], 2), /^partition 2 breaks a rule: 3,3/)
  for (const [b, potential] of planned.potentials.entries()) {
    const changed = planned.potentials.with(b, potential + 5)
    t.regex(spoilt([0, 2, 0, 2, 1, 3], 2, changed), /potentials prove|can be dearer/)
  }
})
