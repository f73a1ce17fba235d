/**
 * The engines answer bit for bit alike: on a million random keys of 0 to 300 bytes, and a million of text, every hash and
 * reduction; on random ranges; and on random topic names. `TOPIC_PLACEMENT_SEED` repeats a run.
 */
import test from 'ava'
import { engine } from '../src/engine/index.js'
import { hash, type Key, kafka, type PulsarVersion, RangeTable, TopicSet } from '../src/index.js'
import type { PartitionerName } from '../src/kafka/partitioners.js'
import { HASH_NAMES, PULSAR_VERSIONS } from '../src/types.js'
import { ENGINES, onEngine } from './engines.js'
import { below, RandomKeys, TEXTS } from './random.js'
import { refusalOf } from './refusal.js'

const SEED = Number(process.env['TOPIC_PLACEMENT_SEED'] ?? 20261130)
const KEYS = 1_000_000
const BLOCK = 25_000

/** One partitioner for each way of making a partition of a hash, and one for each hash. */
const PARTITIONERS: readonly PartitionerName[] = [
  'kafka',
  'platformatic',
  'librdkafka-consistent',
  'librdkafka-fnv1a',
  'sarama-reference',
  'pulsar-java-string',
  'pulsar-murmur3',
]

/** What the engines answer, each compared with the first: where they part, or `null`. */
function parting(ask: () => ArrayLike<number>): string | null {
  const [first, ...others] = ENGINES.map((name) => onEngine(name, () => ({ name, answer: ask() })))
  for (const other of others) {
    const at = firstUnequal(first!.answer, other.answer)
    if (at >= 0) return `[${at}]: ${first!.name} ${first!.answer[at]}, ${other.name} ${other.answer[at]}`
  }
  return null
}

function firstUnequal(a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) return i
  return -1
}

const both = ENGINES.length > 1 ? test : test.skip

/** Asks every hash and some partitioners of a block of keys; numbers of partitions are mostly ordinary, some huge. */
function partings(
  keys: readonly Key[] | TopicSet,
  { next }: RandomKeys,
  partitioners: readonly PartitionerName[] = PARTITIONERS,
): string[] {
  const hashes = HASH_NAMES.map((name) => [name, parting(() => hash.of(name, keys))] as const)
  const places = partitioners.map((partitioner) => {
    const numPartitions = 1 + below(next, below(next, 4) === 0 ? 0x7fffffff : 1000)
    const ask = () => kafka.partitionsForKeys(keys, numPartitions, { partitioner, randoms: () => 0 })
    return [`${partitioner} of ${numPartitions}`, parting(ask)] as const
  })
  return [...hashes, ...places].filter(([, at]) => at !== null).map(([what, at]) => what + at)
}

both(`a million random keys of bytes are hashed and placed alike (seed ${SEED})`, (t) => {
  const random = new RandomKeys(SEED)
  const seen = new Set<number>()
  for (let done = 0; done < KEYS; done += BLOCK) {
    const keys = random.bytes(BLOCK)
    for (const key of keys) for (const byte of key.subarray(0, 4)) seen.add(byte)
    t.deepEqual(partings(TopicSet.from(keys), random), [], `keys ${done} on`)
  }
  t.is(seen.size, 256, 'every byte value was met')
})

TEXTS.forEach((text, kind) => {
  both(`a quarter of a million random keys of text (${text}) are hashed and placed alike (seed ${SEED})`, (t) => {
    const random = new RandomKeys(SEED + 1 + kind)
    for (let done = 0, block = kind; done < KEYS / TEXTS.length; done += BLOCK, block++) {
      // One partitioner a block: its reduction is the last step of the pass that the hashes have seen already.
      const partitioner = PARTITIONERS[block % PARTITIONERS.length]!
      t.deepEqual(partings(random.strings(BLOCK, text), random, [partitioner]), [], `keys ${done} on`)
    }
  })
})

both('text and its bytes are packed alike, whatever the batch it comes in', (t) => {
  const random = new RandomKeys(SEED + 10)
  const mixed = TEXTS.flatMap((text) => random.strings(3000, text)).sort(() => (random.next() & 1 ? 1 : -1))
  for (const length of [0, 1, 2, 1023, 1024, 1025, mixed.length]) {
    t.deepEqual(partings(mixed.slice(0, length), random), [], `${length} strings`)
  }
  t.deepEqual(partings(TopicSet.from(mixed), random), [])
})

both(`hashes fall into the same random ranges (seed ${SEED})`, (t) => {
  const random = new RandomKeys(SEED + 11)
  for (const count of [2, 3, 4, 5, 17, 33, 65, 1000, 4097, 16385, 65537]) {
    const boundaries = random.boundaries(count)
    const hashes = Uint32Array.from({ length: 20_000 }, (_, i) => nearBoundary(boundaries, i, random))
    t.is(
      parting(() => new RangeTable(boundaries).indexOf(hashes)),
      null,
      `${count} boundaries`,
    )
    const topics = TopicSet.from(random.strings(5000, 'ascii'))
    t.is(
      parting(() => ranged(boundaries, topics)),
      null,
      `${count} boundaries, packed`,
    )
    t.is(
      parting(() => rangedTopics(boundaries, [...topics])),
      null,
      `${count} boundaries, topic names`,
    )
  }
})

/** One hash in two at a boundary or beside it. */
function nearBoundary(boundaries: Uint32Array, i: number, random: RandomKeys): number {
  if (i % 2 === 0) return random.next()
  return boundaries[below(random.next, boundaries.length)]! + below(random.next, 3) - 1
}

/** The engine's own pass from keys to ranges: the facade's bundles, without the rules of names. */
function ranged(boundaries: Uint32Array, { chunks: [column], length }: TopicSet): Uint32Array {
  const out = new Uint32Array(length)
  engine().rangeIndex(boundaries.subarray(0, -1)).ofPacked(column!, out, 1)
  return out
}

/** The same of plain names, each with a key for its local name. */
function rangedTopics(boundaries: Uint32Array, keys: readonly string[]): Uint32Array {
  const names = keys.map((key, i) => `persistent://t/ns-${i % 3}/k${key.replaceAll('/', '|')}k`)
  const out = new Uint32Array(names.length)
  const arePlain = engine().rangeIndex(boundaries.subarray(0, -1)).ofTopics(names, null, out)
  return arePlain ? out : Uint32Array.of()
}

/** Parts that names are made of, those that Pulsar takes and those it refuses. */
const PARTS = [
  ...['persistent', 'non-persistent', 'PERSISTENT', 'topic', 'segment', '', 'x'],
  ...['public', 'a', 'é', 'a b', '-=:.', 'ns-partition-test', '\ud800', '日本', '\u00a0', ' '],
  ...['t', 't-partition-0', 't-partition-01', 't-partition--1', '-partition-3', 'a%2Fb', '0000-7fff-3', '😀'],
]
const JOINS = ['://', '/', '/', '/', '//', ':/', '']

function randomName({ next }: RandomKeys): string {
  const parts = Array.from({ length: 1 + below(next, 5) }, () => PARTS[below(next, PARTS.length)]!)
  const head = below(next, 2) === 0 ? PARTS[below(next, 2)]! + JOINS[0]! : ''
  return parts.reduce((name, part, i) => name + (i === 0 ? '' : JOINS[below(next, JOINS.length)]!) + part, head)
}

/** The canonical name, or what is said of it. */
function canonical(name: string, version: PulsarVersion): string {
  const refused = refusalOf(() => TopicSet.from([name]).canonical(version))
  return refused.startsWith('no error') ? TopicSet.from([name]).canonical(version).at(0) : refused
}

for (const version of PULSAR_VERSIONS) {
  both(`random topic names are made canonical, or refused, alike: Pulsar ${version} (seed ${SEED})`, (t) => {
    const random = new RandomKeys(SEED + 12)
    const names = Array.from({ length: 5000 }, () => randomName(random))
    const answers = ENGINES.map((name) => onEngine(name, () => names.map((one) => canonical(one, version))))
    const at = names.findIndex((_, i) => answers[0]![i] !== answers[1]![i])
    t.deepEqual([names[at], answers[1]![at]], [names[at], answers[0]![at]])
    const good = names.filter((_, i) => !/^(TypeError|RangeError|PlacementError) ERR_/.test(answers[0]![i]!))
    t.true(good.length > 500 && good.length < names.length - 500, 'both kinds were met')
    const sets = ENGINES.map((name) => onEngine(name, () => [...TopicSet.from(good).canonical(version)]))
    t.deepEqual(sets[1], sets[0], 'all the good ones in one set')
  })
}

test('the seed is told', (t) => {
  t.log(`TOPIC_PLACEMENT_SEED=${SEED}`)
  t.true(Number.isInteger(SEED))
})
