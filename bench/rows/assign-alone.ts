/**
 * Kafka's client-side assignors where no jar follows: larger groups, what a partition costs as they grow, and the memory
 * that a question takes. The peer is our TypeScript engine, whose answer must be the same.
 */
import { writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { useEngine } from '../../src/engine/index.js'
import { kafka } from '../../src/index.js'
import { type ColumnQuestion, freshGroup, oneJoins, oneLeaves, type Size, withOddMember } from '../groups.js'
import { type Contestant, EFFORTS, type Effort, race } from '../race.js'
import { kilobytes } from '../resident.js'
import type { CaseResult, Row } from '../row.js'

/** What a test asks in place of the large groups. */
const TINY: Size = { topics: 6, partitions: 5, members: 4 }

const isTest = (effort: Effort): boolean => effort.items < EFFORTS.normal.items

export const sized = (size: Size, effort: Effort): Size => (isTest(effort) ? TINY : size)

export const ours = (question: ColumnQuestion): Contestant => {
  return { name: 'topic-placement', run: () => kafka.assign(question).values }
}

export function fallback(question: ColumnQuestion): Contestant {
  return { name: 'our fallback', run: () => onFallback(() => kafka.assign(question).values) }
}

function onFallback<T>(ask: () => T): T {
  useEngine('fallback')
  try {
    return ask()
  } finally {
    useEngine(null)
  }
}

/** Ours against our fallback. */
export function aloneCase(title: string, question: ColumnQuestion, effort: Effort): CaseResult {
  const theirs = fallback(question)
  const expected = theirs.run()
  return {
    case: title,
    unit: 'partition',
    items: expected.length,
    race: race([ours(question), theirs], expected, effort),
  }
}

const SCALE_SIZES = [100, 1000, 10_000].map((topics) => ({ topics, partitions: 1000, members: 1000 }))

const cooperative = (size: Size): ColumnQuestion => freshGroup('cooperative-sticky', size)
const general = (size: Size): ColumnQuestion => withOddMember(cooperative(size))

/** Groups by name: what each row asks at each size. */
const GROUPS: Readonly<Record<string, (size: Size) => ColumnQuestion>> = {
  'range, fresh': (size) => freshGroup('range', size),
  'roundrobin, fresh': (size) => freshGroup('roundrobin', size),
  'equal subscriptions, fresh': cooperative,
  'equal subscriptions, one leaves': (size) => oneLeaves(cooperative(size)),
  'equal subscriptions, one joins': (size) => oneJoins(cooperative(size)),
  'unequal subscriptions, fresh': general,
  'unequal subscriptions, one leaves': (size) => oneLeaves(general(size)),
  'unequal subscriptions, one joins': (size) => oneJoins(general(size)),
}

function* scaleCases(effort: Effort): Generator<CaseResult> {
  for (const [name, group] of Object.entries(GROUPS)) {
    for (const size of SCALE_SIZES) {
      const count = (size.topics * size.partitions).toLocaleString('en')
      yield aloneCase(`${count}, ${name}`, group(sized(size, effort)), effort)
    }
  }
}

const MOST_BYTES = 16

/** So large that each array is a mapping of its own, which the system counts. */
const MEMORY_SIZE = { topics: 10_000, partitions: 1000, members: 1000 }

/** Bytes a partition at the peak of a question, beside its columns and names: working memory, and the answer. */
async function memoryCase(name: string, effort: Effort): Promise<CaseResult> {
  const question = GROUPS[name]!(sized(MEMORY_SIZE, effort))
  const items = question.topics.partitions.reduce((sum, count) => sum + count, 0)
  if (process.platform !== 'linux') return { case: name, unit: 'partition', items, skipped: 'it is read from /proc' }
  const figures = {
    'bytes, native': (await peakOf(() => kafka.assign(question))) / items,
    'bytes, fallback': (await peakOf(() => onFallback(() => kafka.assign(question)))) / items,
  }
  const most = Math.max(...Object.values(figures))
  if (most > MOST_BYTES && !isTest(effort)) {
    throw new Error(`memory, ${name}: expected at most ${MOST_BYTES} bytes a partition, got ${most.toFixed(1)}`)
  }
  return { case: name, unit: 'partition', items, figures }
}

/** How far the process's memory rises above what it has before. */
async function peakOf(ask: () => unknown): Promise<number> {
  // What the addon allocated is given back a turn after its object is collected.
  for (let turn = 0; turn < 2; turn++) {
    globalThis.gc?.()
    await setImmediate()
  }
  // Sets the peak back to what is used now.
  writeFileSync('/proc/self/clear_refs', '5')
  const before = kilobytes('VmRSS')
  ask()
  return (kilobytes('VmHWM') - before) * 1024
}

export const ASSIGN_ALONE_ROWS: readonly Row[] = [
  {
    name: 'assign-scale',
    work: 'client-side assignors at 10^5, 10^6 and 10^7 partitions, 1,000 members, against our fallback',
    goal: 'as many nanoseconds at each size; the fallback ≤ 10 ×',
    run: (effort) => [...scaleCases(effort)],
  },
  {
    name: 'assign-memory',
    work: 'memory of a question at its peak, beside its columns and names, 10^7 partitions',
    goal: `≤ ${MOST_BYTES} bytes a partition`,
    run: async (effort) => {
      const cases: CaseResult[] = []
      for (const name of Object.keys(GROUPS)) cases.push(await memoryCase(name, effort))
      return cases
    },
  },
]
