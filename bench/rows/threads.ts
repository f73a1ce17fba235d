/** Packed columns asked by as many threads as there are processors, against one; each the same call of the public API. */
import { availableParallelism } from 'node:os'
import crc32 from 'crc-32'
import { hash, kafka, pulsar, RangeTable, TopicSet } from '../../src/index.js'
import { COLUMN_KEYS, seeded, TOPICS } from '../corpora.js'
import { bundleIndex, evenStarts, search } from '../peers/bundles.js'
import { ofBytes } from '../peers/murmur2.js'
import { type Effort, race } from '../race.js'
import type { CaseResult, Row } from '../row.js'

/** At least two, so that the answers are asserted on any machine. */
const THREADS = Math.max(2, availableParallelism())

/** Time is the wall's: processor time adds the threads up. */
function threadsCase(
  title: string,
  expected: ArrayLike<number>,
  ask: (threads: number) => ArrayLike<number>,
  effort: Effort,
): CaseResult {
  const contestants = [
    { name: `${THREADS} threads`, run: () => ask(THREADS) },
    { name: 'one thread', run: () => ask(1) },
  ]
  const timed = race(contestants, expected, { ...effort, clock: 'wall' })
  return { case: title, unit: 'key', items: expected.length, race: timed }
}

function threadsCases(effort: Effort): CaseResult[] {
  const { items } = effort
  const [keys, topics] = [TopicSet.from(COLUMN_KEYS.make(items)), TopicSet.from(TOPICS.make(items))]
  const [signed, words] = [new Int32Array(items), new Uint32Array(items)]
  const partitions = Array.from(keys, (key) => (ofBytes(Buffer.from(key)) & 0x7fffffff) % 12)
  const hashes = Uint32Array.from(keys, (key) => crc32.str(key))
  const bundles = pulsar.NamespaceBundles.even(64)
  const [random, edges] = [seeded(8), new Set([0, 0xffffffff])]
  while (edges.size < 16_385) edges.add((random() * 2 ** 32) >>> 0)
  const boundaries = Uint32Array.from(edges).sort()
  const [table, starts] = [new RangeTable(boundaries), boundaries.subarray(0, -1)]
  const inBundles = Array.from(topics, (topic) => bundleIndex(topic, evenStarts(64)))
  const inRanges = hashes.map((hash) => search(hash, starts))
  return [
    threadsCase(
      'murmur2 → partition',
      partitions,
      (threads) => kafka.partitionsForKeys(keys, 12, { threads, out: signed }),
      effort,
    ),
    threadsCase('crc32', hashes, (threads) => hash.crc32(keys, { threads, out: words }), effort),
    threadsCase(
      'retained topics → bundles',
      inBundles,
      (threads) => bundles.indexOf(topics, { threads, out: words }),
      effort,
    ),
    threadsCase(
      'hash → one of 16,384 ranges',
      inRanges,
      (threads) => table.indexOf(hashes, { threads, out: words }),
      effort,
    ),
  ]
}

export const THREADS_ROWS: readonly Row[] = [
  {
    name: 'threads',
    work: 'packed columns by as many threads as processors, against one',
    goal: 'one by default; the memory is shared, so less than as many times',
    run: threadsCases,
  },
]
