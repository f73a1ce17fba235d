/**
 * Kafka's client-side assignors: the public API with columns in and columns out, against the jars in the same run, against
 * itself with objects in, and against the TypeScript engine.
 */
import { useEngine } from '../../src/engine/index.js'
import { kafka } from '../../src/index.js'
import {
  type ColumnQuestion,
  freshGroup,
  objectsOf,
  oneJoins,
  oneLeaves,
  type Size,
  withOddMember,
  withRacks,
} from '../groups.js'
import { type JarPeer, jarsMissing, startJars } from '../peers/jars.js'
import { type Contestant, checkAnswers, EFFORTS, type Effort, raceWith } from '../race.js'
import type { CaseResult, Row } from '../row.js'

/** What a test asks in place of the large groups. */
const TINY: Size = { topics: 6, partitions: 5, members: 4 }

const sized = (size: Size, effort: Effort): Size => (effort.items < EFFORTS.normal.items ? TINY : size)

/** One group, put to all. The jars' answer is what the others must give. */
async function jarCase(title: string, question: ColumnQuestion, effort: Effort): Promise<CaseResult> {
  const missing = jarsMissing()
  if (missing !== undefined) return { case: title, unit: 'partition', items: 0, skipped: missing }
  const jars = await startJars('ClientAssignors', question)
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
    { name: 'topic-placement', run: () => kafka.assign(question).values },
    { name: 'objects in', run: () => kafka.assign(objects).values },
    fallback(question),
  ]
  const items = values.length
  return { case: title, unit: 'partition', items, race: await raceWith(jars, contestants, values, effort) }
}

function fallback(question: ColumnQuestion): Contestant {
  return {
    name: 'our fallback',
    run: () => {
      useEngine('fallback')
      const { values } = kafka.assign(question)
      useEngine(null)
      return values
    },
  }
}

const RANGE = { topics: 10_000, partitions: 6, members: 1000 }
const CONSTRAINED = { topics: 1000, partitions: 1000, members: 2000 }
const GENERAL = { topics: 200, partitions: 1000, members: 1000 }
const RACKED = { topics: 100, partitions: 1000, members: 2000 }

const cooperative = (size: Size, effort: Effort): ColumnQuestion =>
  freshGroup('cooperative-sticky', sized(size, effort))

export const ASSIGN_ROWS: readonly Row[] = [
  {
    name: '10',
    work: 'range, 10,000 topics × 6 partitions × 1,000 members, against RangeAssignor',
    goal: '≥ 1,000 ×',
    run: async (effort) => [await jarCase('fresh', freshGroup('range', sized(RANGE, effort)), effort)],
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
    work: 'the same with unequal subscriptions, 200 topics × 1,000 partitions × 1,000 members',
    goal: '≥ 50 × (leave)',
    run: async (effort) => [
      await jarCase('one leaves', oneLeaves(withOddMember(cooperative(GENERAL, effort))), effort),
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
]
