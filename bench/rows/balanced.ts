/**
 * `balanced`, our own assignor, which has no original: against our `cooperative-sticky` on the same group, which gives
 * another answer to the same question, and against our TypeScript engine, whose answer must be the same.
 */
import { kafka } from '../../src/index.js'
import { type ColumnQuestion, freshGroup, oneJoins, oneLeaves, type Size, withOddMember, withRacks } from '../groups.js'
import { type Contestant, type Effort, race } from '../race.js'
import type { CaseResult, Row } from '../row.js'
import { fallback, ours, sized } from './assign-alone.js'

const BASE: Size = { topics: 1000, partitions: 1000, members: 2000 }
const SIZES = [100, 1000, 10_000].map((topics) => ({ topics, partitions: 1000, members: 1000 }))

const fresh = (size: Size): ColumnQuestion => freshGroup('balanced', size)

function stickyOn(question: ColumnQuestion): Contestant {
  const same: ColumnQuestion = { ...question, assignor: 'cooperative-sticky' }
  const run = () => kafka.assign(same).final.values
  return { name: 'our cooperative-sticky', run, expected: run() }
}

function balancedCase(title: string, question: ColumnQuestion, effort: Effort): CaseResult {
  const theirs = fallback(question)
  const expected = theirs.run()
  const contestants = [ours(question), stickyOn(question), theirs]
  return { case: title, unit: 'partition', items: expected.length, race: race(contestants, expected, effort) }
}

function* cases(effort: Effort): Generator<CaseResult> {
  const base = sized(BASE, effort)
  yield balancedCase('1,000 × 1,000 × 2,000, fresh', fresh(base), effort)
  yield balancedCase('one leaves', oneLeaves(fresh(base)), effort)
  yield balancedCase('one joins', oneJoins(fresh(base)), effort)
  yield balancedCase('one joins a group that cooperative-sticky dealt', afterSticky(base), effort)
  yield balancedCase('unequal subscriptions, one leaves', oneLeaves(withOddMember(fresh(base))), effort)
  yield balancedCase('three racks, one leaves', oneLeaves(withRacks(fresh(base))), effort)
  for (const size of SIZES) {
    const count = (size.topics * size.partitions).toLocaleString('en')
    yield balancedCase(`${count}, 1,000 members, one leaves`, oneLeaves(fresh(sized(size, effort))), effort)
  }
}

const afterSticky = (size: Size): ColumnQuestion => ({
  ...oneJoins(freshGroup('cooperative-sticky', size)),
  assignor: 'balanced',
})

export const BALANCED_ROWS: readonly Row[] = [
  {
    name: 'balanced',
    work: 'balanced, our own assignor, beside our cooperative-sticky on the same group',
    goal: 'as many nanoseconds at each size',
    run: (effort) => [...cases(effort)],
  },
]
