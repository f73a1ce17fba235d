/**
 * Rows 1 to 4: a million JavaScript strings, from the array to the answers.
 *
 * What they stand for: a planner that reads names or keys and wants partitions or bundles. Judges of the answers: for
 * partitions the murmur2 of bench/peers, itself held against kafkajs on the first keys of each corpus, for bundles npm's
 * crc-32.
 */
import kafkajsMurmur2 from 'kafkajs/src/producer/partitioners/default/murmur2.js'
import { HASHES } from '../../src/fallback/hash/index.js'
import { kafka, pulsar } from '../../src/index.js'
import { ALL_WIDE, type Corpus, LONE, MIXED, NON_ASCII, RECORD_KEYS, TOPICS } from '../corpora.js'
import { cppPeer } from '../peers/addon.js'
import { bundleIndex, evenStarts } from '../peers/bundles.js'
import { kafkajsPartitioner, platformaticCompatibility, platformaticDefault } from '../peers/kafka-clients.js'
import { ofBytes, overBytes, overUnits } from '../peers/murmur2.js'
import { type Contestant, checkAnswers, type Effort, race } from '../race.js'
import type { CaseResult, Row } from '../row.js'

const PARTITIONS = 12
const BUNDLES = 64

/** Bytes as Java makes them of a string: what the judge is given. */
export function javaBytes(key: string): Buffer {
  return Buffer.from(key.replace(/[\ud800-\udfff]/gu, '?'))
}

/** kafkajs needs microseconds a key: it is asked these. */
const FEW = 100_000
const JUDGED = 1_000

/** Raw murmur2 of each key. */
function judgedHashes(keys: readonly string[]): Int32Array {
  const hashes = Int32Array.from(keys, (key) => ofBytes(javaBytes(key)))
  const first = keys.slice(0, JUDGED)
  checkAnswers(
    'the judge against kafkajs',
    hashes,
    first.map((key) => kafkajsMurmur2(javaBytes(key))),
  )
  return hashes
}

function expectedPartitions(keys: readonly string[]): Int32Array {
  return judgedHashes(keys).map((hash) => (hash & 0x7fffffff) % PARTITIONS)
}

/** What a user writes: the array goes in, a new typed array comes out. */
function ours(keys: readonly string[]): Contestant {
  return { name: 'topic-placement', run: () => kafka.partitionsForKeys(keys, PARTITIONS) }
}

function eachInto(name: string, keys: readonly string[], ask: (key: string) => number): Contestant {
  const out = new Int32Array(keys.length)
  return {
    name,
    run: () => {
      for (let i = 0; i < keys.length; i++) out[i] = ask(keys[i]!)
      return out
    },
  }
}

/** A peer that is asked the first keys alone. */
function fewInto(name: string, keys: readonly string[], ask: (key: string) => number): Contestant {
  const few = keys.slice(0, FEW)
  return { ...eachInto(name, few, ask), items: few.length }
}

function kafkajs(keys: readonly string[]): Contestant {
  return fewInto('kafkajs', keys, kafkajsPartitioner(PARTITIONS))
}

function platformatic(keys: readonly string[]): Contestant {
  return fewInto('@platformatic/kafka compatibility', keys, (key) =>
    platformaticCompatibility(Buffer.from(key), PARTITIONS),
  )
}

function fallback(keys: readonly string[]): Contestant {
  const { ofString } = HASHES.murmur2
  return eachInto('our fallback', keys, (key) => (ofString(key) & 0x7fffffff) % PARTITIONS)
}

function byHand(keys: readonly string[]): Contestant[] {
  const out = new Int32Array(keys.length)
  return [
    eachInto('JavaScript over units', keys, (key) => (overUnits(key) & 0x7fffffff) % PARTITIONS),
    { name: 'JavaScript over bytes', run: () => overBytes(keys, PARTITIONS, out) },
  ]
}

function cpp(keys: readonly string[]): Contestant[] {
  const peer = cppPeer()
  if (typeof peer === 'string') return []
  const out = new Int32Array(keys.length)
  const run = (): Int32Array => {
    peer.partitions(keys, PARTITIONS, out)
    return out
  }
  return [{ name: 'C++ addon, key by key', run }]
}

/** Says so where the C++ peer is missing. */
function cppMissing(): CaseResult[] {
  const peer = cppPeer()
  return typeof peer === 'string' ? [{ case: 'C++ addon', unit: 'key', items: 0, skipped: peer }] : []
}

function partitionCase(
  { name, make }: Corpus,
  effort: Effort,
  peers: (keys: readonly string[]) => readonly Contestant[],
): CaseResult {
  const keys = make(effort.items)
  const contestants = [ours(keys), ...peers(keys)]
  return { case: name, unit: 'key', items: keys.length, race: race(contestants, expectedPartitions(keys), effort) }
}

/** Row 2's second half: the default partitioner, whose answers are others (`>>> 0` where Java masks the sign). */
function platformaticDefaultCase(effort: Effort): CaseResult {
  const keys = TOPICS.make(effort.items)
  const expected = judgedHashes(keys).map((hash) => (hash >>> 0) % PARTITIONS)
  const mine = {
    name: 'topic-placement',
    run: () => kafka.partitionsForKeys(keys, PARTITIONS, { partitioner: 'platformatic' }),
  }
  const theirs = fewInto('@platformatic/kafka default', keys, (key) =>
    platformaticDefault(Buffer.from(key), PARTITIONS),
  )
  return {
    case: `${TOPICS.name}, default`,
    unit: 'key',
    items: keys.length,
    race: race([mine, theirs], expected, effort),
  }
}

function bundleCase({ name, make }: Corpus, effort: Effort): CaseResult {
  const names = make(effort.items)
  const starts = evenStarts(BUNDLES)
  const bundles = pulsar.NamespaceBundles.even(BUNDLES)
  const expected = Uint32Array.from(names, (topic) => bundleIndex(javaBytes(topic).toString(), starts))
  const contestants = [
    { name: 'topic-placement', run: () => bundles.indexOf(names) },
    eachInto('crc-32 + binary search', names, (topic) => bundleIndex(topic, starts)),
  ]
  return { case: name, unit: 'key', items: names.length, race: race(contestants, expected, effort) }
}

export const STRING_ROWS: readonly Row[] = [
  {
    name: '1',
    work: 'a million strings → murmur2 partition, against kafkajs',
    goal: '≥ 100 ×',
    run: (effort) => [TOPICS, NON_ASCII].map((corpus) => partitionCase(corpus, effort, (keys) => [kafkajs(keys)])),
  },
  {
    name: '2',
    work: 'a million strings → murmur2 partition, against @platformatic/kafka',
    goal: '≥ 35 ×',
    run: (effort) => [
      partitionCase(TOPICS, effort, (keys) => [platformatic(keys)]),
      platformaticDefaultCase(effort),
      partitionCase(NON_ASCII, effort, (keys) => [platformatic(keys)]),
    ],
  },
  {
    name: '3',
    work: 'a million strings → murmur2 partition, against JavaScript and C++ by hand',
    goal: '≥ 1.8 × the best JavaScript',
    run: (effort) => [
      ...[TOPICS, RECORD_KEYS, MIXED, NON_ASCII, ALL_WIDE].map((corpus) =>
        partitionCase(corpus, effort, (keys) => [fallback(keys), ...byHand(keys), ...cpp(keys)]),
      ),
      // Only the twin writes Java's `?` here; the others answer something else.
      partitionCase(LONE, effort, (keys) => [fallback(keys)]),
      ...cppMissing(),
    ],
  },
  {
    name: '4',
    work: 'a million topic names → Pulsar bundle, against npm crc-32 and a binary search',
    goal: '≥ 5 ×',
    run: (effort) => [TOPICS, NON_ASCII].map((corpus) => bundleCase(corpus, effort)),
  },
]
