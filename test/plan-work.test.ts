/** What the searches of a plan may take. */
import test from 'ava'
import { PlanWork } from '../src/kafka/plan-work.js'
import { refusalOf } from './refusal.js'

test('work beyond the limit is refused, and the refusal says what can be asked', (t) => {
  const work = new PlanWork(3)
  t.notThrows(() => work.spend(3))
  t.regex(
    refusalOf(() => work.spend(1)),
    /ERR_PLACEMENT_ARGUMENT_RANGE.*: objectives: expected counts and moves first, in either order/,
  )
})
