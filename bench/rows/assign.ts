/**
 * Kafka's assignors, the clients' and the broker's: the public API with columns in and columns out, against the jars in
 * the same run, against itself with objects in, and against the TypeScript engine.
 */
import { kafka } from '../../src/index.js'
import {
  type ColumnQuestion,
  freshConsumerGroup,
  freshGroup,
  inBuckets,
  objectsOf,
  oneJoins,
  oneLeaves,
  type Size,
  withOddMember,
  withRacks,
} from '../groups.js'
import { type JarPeer, jarsMissing, startJars } from '../peers/jars.js'
import { platformaticSizes } from '../peers/platformatic-sticky.js'
import { checkAnswers, type Effort, race, raceWith } from '../race.js'
import type { CaseResult, Row } from '../row.js'
import { aloneCase, fallback, ours, sized } from './assign-alone.js'

/** One group, put to all. The jars' answer is what the others must give. */
async function jarCase(title: string, question: ColumnQuestion, effort: Effort): Promise<CaseResult> {
  const program = question.groupType === 'classic' ? 'ClientAssignors' : 'ServerAssignors'
  const missing = jarsMissing(program)
  if (missing !== undefined) return { case: title, unit: 'partition', items: 0, skipped: missing }
  const jars = await startJars(program, question)
  try {
    return await raced(title, question, { jars, effort })
  } finally {
    jars.stop()
  }
}

interface Ring {
  readonly jars: JarPeer
  readonly effort: Effort
}

async function raced(title: string, question: ColumnQuestion, { jars, effort }: Ring): Promise<CaseResult> {
  const { offsets, values } = await jars.answer()
  checkAnswers('offsets', kafka.assign(question).offsets, offsets)
  const objects = objectsOf(question)
  const contestants = [
    ours(question),
    { name: 'objects in', run: () => kafka.assign(objects).values },
    fallback(question),
  ]
  const items = values.length
  return { case: title, unit: 'partition', items, race: await raceWith(jars, contestants, values, effort) }
}

const RANGE = { topics: 10_000, partitions: 6, members: 1000 }
const CONSTRAINED = { topics: 1000, partitions: 1000, members: 2000 }
const GENERAL = { topics: 200, partitions: 1000, members: 1000 }
/** So that the jar's answer to a join takes seconds, not minutes. */
const SMALL_GENERAL = { topics: 40, partitions: 200, members: 200 }
const RACKED = { topics: 100, partitions: 1000, members: 2000 }
const FRESH = { topics: 500, partitions: 100, members: 100 }

const CONSUMER = { topics: 1000, partitions: 500, members: 10_000 }
/** As Kafka's own benchmark has them. */
const BUCKETS = 5

const uniform = (effort: Effort): ColumnQuestion => freshConsumerGroup('uniform', sized(CONSUMER, effort))

const cooperative = (size: Size, effort: Effort): ColumnQuestion =>
  freshGroup('cooperative-sticky', sized(size, effort))

/** Of the slow peer, an answer takes a minute: one is enough, and only where there is time. */
async function slowCase(title: string, question: ColumnQuestion, effort: Effort): Promise<CaseResult> {
  if (effort.patient) return await jarCase(title, question, { ...effort, rounds: 1 })
  return { case: title, unit: 'partition', items: 0, skipped: 'kafka takes a minute: --slow' }
}

export const ASSIGN_ROWS: readonly Row[] = [
  {
    name: '10',
    work: 'range, 10,000 topics × 6 partitions × 1,000 members, against RangeAssignor; 1,000,000 topics for ours alone',
    goal: '≥ 1,000 ×',
    run: async (effort) => [
      await jarCase('fresh', freshGroup('range', sized(RANGE, effort)), effort),
      aloneCase('1,000,000 topics', freshGroup('range', sized({ ...RANGE, topics: 1_000_000 }, effort)), effort),
    ],
  },
  {
    name: '11',
    work: 'cooperative-sticky, 1,000 topics × 1,000 partitions × 2,000 members, against CooperativeStickyAssignor',
    goal: '≥ 100 ×',
    run: async (effort) => [
      await jarCase('one leaves', oneLeaves(cooperative(CONSTRAINED, effort)), effort),
      await jarCase('one joins', oneJoins(cooperative(CONSTRAINED, effort)), effort),
    ],
  },
  {
    name: '11b',
    work: 'the same with unequal subscriptions, 200 topics × 1,000 partitions × 1,000 members; 1,000 topics for ours alone',
    goal: 'leaves ≥ 50 ×, joins ≥ 1,000 ×',
    run: async (effort) => [
      await jarCase('one leaves', oneLeaves(withOddMember(cooperative(GENERAL, effort))), effort),
      await jarCase('one joins, 40 topics × 200', oneJoins(withOddMember(cooperative(SMALL_GENERAL, effort))), effort),
      await slowCase('one joins', oneJoins(withOddMember(cooperative(GENERAL, effort))), effort),
      ...[oneLeaves, oneJoins].map((event) => {
        const question = event(withOddMember(cooperative({ ...GENERAL, topics: 1000 }, effort)))
        return aloneCase(`1,000,000 partitions, ${event === oneLeaves ? 'one leaves' : 'one joins'}`, question, effort)
      }),
    ],
  },
  {
    name: '11c',
    work: 'the same on three racks, 100 topics × 1,000 partitions × 2,000 members',
    goal: '≥ 50 ×',
    run: async (effort) => [
      await jarCase('one leaves', oneLeaves(withRacks(cooperative(RACKED, effort))), effort),
      await jarCase('one joins', oneJoins(withRacks(cooperative(RACKED, effort))), effort),
    ],
  },
  {
    name: '12',
    work: "uniform of a consumer group, 1,000 topics × 500 partitions × 10,000 members, against the group coordinator's",
    goal: '≥ 5 ×',
    run: async (effort) => [
      await jarCase('full', uniform(effort), effort),
      await jarCase('one joins', oneJoins(uniform(effort)), effort),
      await jarCase('five buckets, full', inBuckets(uniform(effort), BUCKETS), effort),
      await jarCase('five buckets, one joins', oneJoins(inBuckets(uniform(effort), BUCKETS)), effort),
    ],
  },
  {
    name: '13',
    work: 'cooperative-sticky, 500 topics × 100 partitions × 100 members, fresh, against @platformatic/kafka',
    goal: '≥ 1,000 ×',
    run: (effort) => [platformaticCase(cooperative(FRESH, effort), effort)],
  },
]

/** How many each member gets: theirs is no twin of Kafka's, so which ones is another matter. */
function platformaticCase(question: ColumnQuestion, effort: Effort): CaseResult {
  const { topics, members } = question
  const items = topics.partitions.reduce((sum, count) => sum + count, 0)
  const even = members.ids.map((_, m) => Math.floor((items + members.ids.length - 1 - m) / members.ids.length))
  const contestants = [
    { name: 'topic-placement', run: () => sizesOf(kafka.assign(question)), items },
    { name: '@platformatic/kafka 2.12.1', run: platformaticSizes(question), items },
  ]
  const rounds = effort.patient ? 3 : 1
  return { case: 'fresh', unit: 'partition', items, race: race(contestants, even, { ...effort, rounds }) }
}

/** Descending: who has one more than others is another matter, too. */
function sizesOf({ offsets }: kafka.Assignment): number[] {
  return Array.from(offsets.subarray(1), (end, m) => end - offsets[m]!).sort((a, b) => b - a)
}
