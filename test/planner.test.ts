/**
 * The planner's core on both engines: against a judge that tries everything, and on larger clusters against a proof from the
 * definitions. `node build/test/test/planner/long.js` asks many more.
 */
import test from 'ava'
import { engine } from '../src/engine/index.js'
import type { PlannedReplicas, PlanProblem } from '../src/engine/plan-contract.js'
import { ENGINES, onEngine } from './engines.js'
import { chanceOf, clusterOf, largerCluster, smallCluster } from './planner/chance.js'
import { shown, wrongAgain, wrongLeaders, wrongOfSmall } from './planner/claims.js'
import { wrongOfLarger } from './planner/proof.js'
import { noTallies, rankedCluster, wrongOfOrders } from './planner/ranks.js'
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

if (ENGINES.length === 2) {
  test(`both engines plan 300 clusters bit for bit alike, weights too, seed ${SEED}`, (t) => {
    const chance = chanceOf(SEED + 2)
    for (let i = 0; i < 300; i++) {
      const shape = { brokers: 2 + chance(30), racks: 1 + chance(2), partitions: chance(300), topics: 9 }
      const problem = clusterOf(chance, shape)
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
