/** A million keys on a Key_Shared ring of 1,000 consumers with 100 points each, against a sorted array in JavaScript. */
import { pulsar, TopicSet } from '../../src/index.js'
import { COLUMN_KEYS, type Corpus, TOPICS } from '../corpora.js'
import { murmur3, ownerOf, sortedRing } from '../peers/ring.js'
import { type Effort, race } from '../race.js'
import type { CaseResult, Row } from '../row.js'

const NAMES = Array.from({ length: 1000 }, (_, i) => `consumer-${i}`)
const POINTS = 100

function ringOf(): pulsar.KeySharedRing {
  const ring = new pulsar.KeySharedRing({ points: POINTS })
  for (const name of NAMES) ring.join({ name })
  return ring
}

function packedCase({ name, make }: Corpus, effort: Effort): CaseResult {
  const keys = TopicSet.from(make(effort.items))
  const { values, offsets } = keys.chunks[0]!
  const [{ assignment }, sorted] = [ringOf(), sortedRing(NAMES, POINTS)]
  const [ours, theirs] = [new Int32Array(keys.length), new Int32Array(keys.length)]
  const byHand = (): Int32Array => {
    for (let i = 0; i < theirs.length; i++) {
      theirs[i] = ownerOf(sorted, murmur3(values, offsets[i]!, offsets[i + 1]!))
    }
    return theirs
  }
  const expected = byHand().slice()
  const contestants = [
    { name: 'topic-placement', run: () => assignment.select(keys, { out: ours }) },
    { name: 'JavaScript sorted array', run: byHand },
  ]
  return { case: `packed, ${name}`, unit: 'key', items: keys.length, race: race(contestants, expected, effort) }
}

export const KEY_SHARED_ROWS: readonly Row[] = [
  {
    name: 'key-shared',
    work: '1M packed keys → consumer on a ring of 1,000 consumers × 100 points, against a binary search in JavaScript',
    goal: '≥ 20 ×',
    run: (effort) => [TOPICS, COLUMN_KEYS].map((corpus) => packedCase(corpus, effort)),
  },
]
