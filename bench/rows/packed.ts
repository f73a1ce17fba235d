/**
 * Rows over packed columns through the public API: 5 and 6 the processor's best arm against the scalar one, 7 and 9b
 * against a copy of the same bytes, 8 against a binary search. The same kernels without Node.js are in rust.ts.
 */
import crc32 from 'crc-32'
import { hash, pulsar, RangeTable, TopicSet } from '../../src/index.js'
import { COLUMN_KEYS, type Corpus, seeded, TOPICS } from '../corpora.js'
import { onArm, scalarArm } from '../peers/arms.js'
import { bundleIndex, evenStarts, search } from '../peers/bundles.js'
import { ofBytes } from '../peers/murmur2.js'
import { type Contestant, type Effort, race } from '../race.js'
import type { CaseResult, Row } from '../row.js'
import { rustCases } from './rust.js'

/** Keys whose bytes and answers fit a second-level cache. */
const CACHED = 8_192

function packed({ make }: Corpus, count: number): TopicSet {
  return TopicSet.from(make(count))
}

/** Names of the two places that keys lie in, with their counts. */
function sizes({ items }: Effort): (readonly [place: string, count: number])[] {
  return [
    ['in cache', Math.min(CACHED, items)],
    ['in memory', items],
  ]
}

/** A copy of the bytes of a set, and the check that it is one. */
function memcpy(set: TopicSet): Contestant {
  const { values } = set.chunks[0]!
  const bytes = values.subarray(0, set.byteLength)
  const copy = new Uint8Array(bytes.length)
  const run = (): Uint8Array => {
    copy.set(bytes)
    return copy
  }
  return { name: 'memcpy', run, expected: bytes }
}

function hashCases(name: 'murmur2' | 'crc32', effort: Effort, judge: (key: Buffer) => number): CaseResult[] {
  return sizes(effort).map(([place, count]) => {
    const set = packed(COLUMN_KEYS, count)
    const out = name === 'murmur2' ? new Int32Array(count) : new Uint32Array(count)
    const ask = (): ArrayLike<number> => hash.of(name, set, { out: out as never })
    const scalar = scalarArm()
    if (scalar === null) return { case: `addon, ${place}`, unit: 'key', items: count, skipped: 'no addon' }
    const expected = Array.from(set, (key) => judge(Buffer.from(key)))
    const contestants = [
      { name: 'topic-placement', run: ask },
      { name: 'scalar arm', run: onArm(scalar, ask) },
    ]
    // A call over a few keys is over in microseconds, which processor time does not resolve.
    const clock = count <= CACHED ? 'wall' : effort.clock
    const timed = race(contestants, expected, { ...effort, clock })
    return { case: `addon, ${place}`, unit: 'key', items: count, race: timed }
  })
}

function copyCase(effort: Effort): CaseResult {
  const set = packed(COLUMN_KEYS, effort.items)
  const out = new Uint32Array(set.length)
  const expected = Array.from(set, (key) => crc32.str(key))
  const ours = { name: 'topic-placement', run: () => hash.crc32(set, { out }) }
  return { case: 'addon', unit: 'key', items: set.length, race: race([ours, memcpy(set)], expected, effort) }
}

/** Boundaries that ascend strictly from 0, the last one 0xffffffff. */
function boundaries(count: number, draw: () => number): number[] {
  const starts = new Set([0])
  while (starts.size < count) starts.add(draw() >>> 0)
  starts.delete(0xffffffff)
  return [...[...starts].sort((a, b) => a - b), 0xffffffff]
}

function lookupCase(shape: string, edges: readonly number[], hashes: Uint32Array, effort: Effort): CaseResult {
  const table = new RangeTable([...edges])
  const starts = Uint32Array.from(edges.slice(0, -1))
  const expected = hashes.map((hash) => search(hash, starts))
  const [out, theirs] = [new Uint32Array(hashes.length), new Uint32Array(hashes.length)]
  const contestants = [
    { name: 'topic-placement', run: () => table.indexOf(hashes, { out }) },
    {
      name: 'JavaScript binary search',
      run: () => {
        for (let i = 0; i < hashes.length; i++) theirs[i] = search(hashes[i]!, starts)
        return theirs
      },
    },
  ]
  return { case: `addon, ${shape}`, unit: 'hash', items: hashes.length, race: race(contestants, expected, effort) }
}

function lookupCases(effort: Effort): CaseResult[] {
  const random = seeded(8)
  const word = (): number => random() * 2 ** 32
  // A namespace whose hot bundle was split again and again: most boundaries lie in a 4,096th of the hashes.
  const clustered = (): number => (random() < 0.5 ? 0x50000000 + random() * 2 ** 20 : word())
  const hashes = Uint32Array.from({ length: effort.items }, word)
  const hot = Uint32Array.from({ length: effort.items }, clustered)
  return [
    lookupCase('16,384 uneven', boundaries(16_384, word), hashes, effort),
    lookupCase('64 even', [...evenStarts(64), 0xffffffff], hashes, effort),
    lookupCase('16,384 clustered', boundaries(16_384, clustered), hot, effort),
  ]
}

/** Names packed and made canonical once, then asked for their bundles. */
function retainedCase(effort: Effort): CaseResult {
  const topics = packed(TOPICS, effort.items)
  const bundles = pulsar.NamespaceBundles.even(64)
  const starts = evenStarts(64)
  const expected = Array.from(topics, (topic) => bundleIndex(topic, starts))
  const out = new Uint32Array(topics.length)
  const contestants = [{ name: 'topic-placement', run: () => bundles.indexOf(topics, { out }) }, memcpy(topics)]
  return { case: 'topics', unit: 'key', items: topics.length, race: race(contestants, expected, effort) }
}

export const PACKED_ROWS: readonly Row[] = [
  {
    name: '5',
    work: 'packed murmur2, keys of 20 to 60 bytes, against scalar Rust',
    goal: 'in cache ≥ 4 × (AVX-512), ≥ 2.5 × (AVX2); 1M keys ≥ 2.7 ×',
    run: (effort) => [...hashCases('murmur2', effort, ofBytes), ...rustCases('5', effort)],
  },
  {
    name: '6',
    work: 'packed crc32, the same keys, against crate crc32fast and scalar Rust',
    goal: 'in cache ≥ 7 × (VPCLMUL), ≥ 4 × (PCLMUL); 1M keys ≥ 4.5 ×',
    run: (effort) => [...hashCases('crc32', effort, (key) => crc32.buf(key)), ...rustCases('6', effort)],
  },
  {
    name: '7',
    work: 'packed crc32, 1M keys, against a copy of the same bytes',
    goal: '≤ 0.8 × its time on a Xeon, ≤ 1.1 × on Zen 5',
    run: (effort) => [copyCase(effort), ...rustCases('7', effort)],
  },
  {
    name: '8',
    work: 'range lookup, against a binary search (Rust: partition_point)',
    goal: '16,384 uneven ≥ 25 ×; 64 even ≥ 40 ×; clustered ≥ 5 ×',
    run: (effort) => [...lookupCases(effort), ...rustCases('8', effort)],
  },
  {
    name: '9b',
    work: 'a retained TopicSet → bundle indices, against a copy of the same bytes',
    goal: '≤ 1.5 × its time',
    run: (effort) => [retainedCase(effort)],
  },
  {
    name: '9c',
    work: 'murmur3, crc32c, fnv1a, String.hashCode packed, against scalar Rust',
    goal: '≥ 4 ×, ≥ 4 ×, ≥ 8 × (AVX-512)',
    run: (effort) => rustCases('9c', effort),
  },
  {
    name: '9d',
    work: 'skewed keys, against scalar Rust',
    goal: 'never below 0.95 ×',
    run: (effort) => rustCases('9d', effort),
  },
]
