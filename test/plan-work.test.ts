/** What the searches of a plan may take: the counter, and a plan that meets its end. */
import test from 'ava'
import { engine } from '../src/engine/index.js'
import { kafka } from '../src/index.js'
import { checkPlanOptions } from '../src/kafka/plan-options.js'
import { questionOf } from '../src/kafka/plan-question.js'
import { answerSteps } from '../src/kafka/plan-settled.js'
import { walked } from '../src/kafka/plan-steps.js'
import { PlanWork } from '../src/kafka/plan-work.js'
import { ENGINES, onEngine } from './engines.js'
import { bareCluster } from './plan-cluster.js'
import { refusalOf } from './refusal.js'

const REFUSAL = /ERR_PLACEMENT_ARGUMENT_RANGE.*: objectives: expected counts and moves first, in either order/

test('work beyond the limit is refused, and the refusal says what can be asked', (t) => {
  const work = new PlanWork(3)
  t.notThrows(() => work.spend(3))
  t.regex(
    refusalOf(() => work.spend(1)),
    REFUSAL,
  )
})

const LISTS = Array.from({ length: 40 }, (_, p) => [p % 3, 1 + (p % 3)])

/** A plan whose searches may take so much. */
function planWithin(looks: number, objectives: readonly kafka.PlanObjective[]) {
  const cluster = kafka.Cluster.from(bareCluster([0, 1, 2, 3, 4, 5], LISTS))
  return walked(answerSteps(questionOf(cluster, checkPlanOptions({ objectives })), new PlanWork(looks)), engine())
}

for (const name of ENGINES) {
  test(`${name}: a plan in another order is refused beyond what it may take, and is the same whatever is left within`, (t) => {
    const objectives = ['leaders', 'counts', 'moves'] as const
    const within = onEngine(name, () => planWithin(1e6, objectives))
    t.deepEqual(
      onEngine(name, () => planWithin(1e7, objectives)),
      within,
    )
    for (const looks of [0, 50, 100]) {
      t.regex(
        refusalOf(() => onEngine(name, () => planWithin(looks, objectives))),
        REFUSAL,
      )
    }
  })

  test(`${name}: orders that the engine solves take none of it`, (t) => {
    t.notThrows(() => onEngine(name, () => planWithin(0, ['moves', 'counts', 'leaders'])))
  })
}
