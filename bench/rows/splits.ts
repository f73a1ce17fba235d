/**
 * Rows over a namespace of a million topics: how many bundles it should have, against one pass that only hashes its names;
 * and where its one bundle is cut, against one sort of the hashes.
 */
import crc32 from 'crc-32'
import { engine } from '../../src/engine/index.js'
import { pulsar, TopicSet } from '../../src/index.js'
import { flat, TOPICS } from '../corpora.js'
import { type Effort, race } from '../race.js'
import type { CaseResult, Row } from '../row.js'

const CANDIDATES = Array.from({ length: 256 }, (_, i) => i + 1)

/** Peers are the goals' yardsticks: a ratio of 0.05 is twenty times their time. */
function adviceCase(corpus: string, names: string[], effort: Effort): CaseResult {
  const topics = TopicSet.from(names).canonical()
  const hashes = Uint32Array.from(topics, (topic) => crc32.str(topic))
  const out = new Uint32Array(topics.length)
  const question = { topics, brokers: 16, candidates: CANDIDATES }
  const run = (): number[] =>
    pulsar.adviseBundles(question).candidates.map(({ topicsPerBundle }) => topicsPerBundle.most)
  const hashing = { name: 'one hash pass', run: () => topics.hash('crc32', { out }), expected: hashes }
  const timed = race([{ name: 'topic-placement', run }, hashing], CANDIDATES.map(mostOf(hashes)), effort)
  return { case: `N = 1 … 256, ${corpus}`, unit: 'candidate', items: CANDIDATES.length, race: timed }
}

/** In the order in which a cluster lists them. */
const partitioned = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => flat(`persistent://public/default/orders-${i >> 3}-partition-${i & 7}`))

/** By an odd stride, so that neighbours come from far apart. */
const shuffled = (names: readonly string[]): string[] => names.map((_, i) => names[(i * 7_368_787 + 1) % names.length]!)

/** Topics in the fullest of so many bundles, counted one by one. */
const mostOf = (hashes: Uint32Array) => (bundles: number) => {
  const counts = new Uint32Array(bundles)
  const width = Math.floor(2 ** 32 / bundles)
  for (const hash of hashes) counts[Math.min(Math.floor(hash / width), bundles - 1)]!++
  return Math.max(...counts)
}

function splitCase(effort: Effort): CaseResult {
  const topics = TopicSet.from(TOPICS.make(effort.items)).canonical()
  const hashes = topics.hash('crc32')
  const range = { lower: 0, upper: 0xffffffff }
  const sorted = hashes.slice().sort()
  const half = sorted.length >> 1
  const middle = Number((BigInt(sorted[half - 1]!) + BigInt(sorted[half]!)) / 2n)
  const algorithm = 'topic_count_equally_divide'
  const contestants = [
    { name: 'topic-placement', run: () => pulsar.splitBoundaries({ range, hashes, algorithm }) ?? [] },
    { name: 'Uint32Array.sort', run: () => hashes.slice().sort(), expected: sorted },
    { name: 'our own sort', run: ownSort(hashes), expected: sorted },
  ]
  return {
    case: 'a bundle cut by topic count',
    unit: 'cut',
    items: 1,
    race: race(contestants, [middle], effort),
  }
}

function ownSort(hashes: Uint32Array): () => Uint32Array {
  const [sorted, order] = [new Uint32Array(hashes.length), new Uint32Array(hashes.length)]
  return () => {
    engine().sortHashes(hashes, sorted, order)
    return sorted
  }
}

export const SPLIT_ROWS: readonly Row[] = [
  {
    name: 'advise',
    work: 'how many bundles for 1M topics, 256 candidates, against one hash pass',
    goal: '≤ 20 × its time',
    run: (effort) => [
      adviceCase('topics', TOPICS.make(effort.items), effort),
      adviceCase('topics of 8 partitions', partitioned(effort.items), effort),
      adviceCase('topics of 8 partitions in no order', shuffled(partitioned(effort.items)), effort),
    ],
  },
  {
    name: 'split',
    work: 'the cut of a bundle with 1M topics, against one sort of their hashes',
    goal: '≤ 2 × its time',
    run: (effort) => [splitCase(effort)],
  },
]
