/**
 * Row 9: one key, one call, as a gateway asks; and `crossing`, the measurement behind the choice between JavaScript and
 * a native call in src/single-key.ts.
 */
import crc32 from 'crc-32'
import murmurHash3 from 'imurmurhash'
import kafkajsMurmur2 from 'kafkajs/src/producer/partitioners/default/murmur2.js'
import murmurhash from 'murmurhash'
import { HASHES } from '../../src/fallback/hash/index.js'
import { hashUtf8 } from '../../src/fallback/utf8.js'
import { type HashFunction, hash, kafka } from '../../src/index.js'
import { HASH_NAMES, type HashName, type Key } from '../../src/types.js'
import { keysOfLength } from '../corpora.js'
import { native } from '../peers/arms.js'
import { kafkajsPartitioner, platformaticCompatibility } from '../peers/kafka-clients.js'
import { type Contestant, compiledAlone, type Effort, eachKey, race } from '../race.js'
import type { CaseResult, Row } from '../row.js'

const LENGTHS = [4, 16, 40, 64, 256, 4096] as const
const CROSSING_LENGTHS = [8, 16, 24, 32, 48, 64, 80, 96, 128, 192, 256, 320, 384, 448, 512, 768, 1024, 2048, 4096]
const PARTITIONS = 12
const KAFKA_SEED = 0x9747b28c

/** A slice asks hundreds of keys: a few milliseconds are many samples. */
const SLICE_MS = 8

type Kind = 'string' | 'Buffer'
const KINDS: readonly Kind[] = ['string', 'Buffer']

/** Peers by hash and kind; imurmurhash reads strings only, and UTF-16 units, which are bytes here. */
const PEERS: { readonly [name: string]: (key: never) => number } = {
  'murmur2 string kafkajs': (key: string) => kafkajsMurmur2(key),
  'murmur2 string murmurhash': (key: string) => murmurhash.v2(key, KAFKA_SEED),
  'murmur2 Buffer kafkajs': (key: Buffer) => kafkajsMurmur2(key),
  'murmur2 Buffer murmurhash': (key: Buffer) => murmurhash.v2(key, KAFKA_SEED),
  'murmur3 string imurmurhash': (key: string) => murmurHash3(key, 0).result(),
  'murmur3 string murmurhash': (key: string) => murmurhash.v3(key, 0),
  'murmur3 Buffer murmurhash': (key: Buffer) => murmurhash.v3(key, 0),
  'crc32 string crc-32': (key: string) => crc32.str(key),
  'crc32 Buffer crc-32': (key: Buffer) => crc32.buf(key),
}

function keysOf(kind: Kind, length: number): Key[] {
  const strings = keysOfLength(Math.max(16, Math.min(512, 65_536 / length)), length)
  return kind === 'string' ? strings : strings.map((key) => Buffer.from(key))
}

function brief(effort: Effort): Effort {
  return { ...effort, sliceMs: Math.min(effort.sliceMs, SLICE_MS), clock: 'wall' }
}

/**
 * Has every hash compiled on its own. V8 inlines a hash into the first loop that grows hot with it, and into no later one:
 * 4 ns a call for whoever is measured first.
 */
function compileHashes(): void {
  const strings = keysOf('string', 40) as string[]
  const buffers = keysOf('Buffer', 40) as Buffer[]
  for (const { ofString, ofBytes } of Object.values(HASHES)) {
    for (let round = 0; round < 100; round++) {
      for (const key of strings) ofString(key)
      for (const key of buffers) ofBytes(key, 0, key.length)
    }
  }
}

/**
 * A call around a hash, compiled from text for each. One arrow for all hashes would have many targets, which V8 does not inline:
 * 5 ns a call that no caller with a hash of its own pays.
 */
function compiled<K>(call: string, ask: (...key: never[]) => number): (key: K) => number {
  return compiledAlone(`return (key) => ${call}`, { ask })
}

/** JavaScript alone. */
function fallback(name: HashName, keys: readonly Key[], kind: Kind): Contestant {
  const { ofString, ofBytes } = HASHES[name]
  if (kind === 'string') return eachKey('our fallback', keys as string[], ofString)
  return eachKey('our fallback', keys as Buffer[], compiled<Buffer>('ask(key, 0, key.length)', ofBytes))
}

/** Always the addon; text is encoded first, into the buffer that the product reuses too. */
function oneNativeCall(name: HashName, keys: readonly Key[], kind: Kind): Contestant[] {
  const engine = native()
  if (engine === null) return []
  if (kind === 'Buffer') {
    return [eachKey('one native call', keys as Buffer[], (key) => engine.hashBytes(name, key, key.length))]
  }
  const long = (bytes: Uint8Array, _from: number, to: number): number => engine.hashBytes(name, bytes, to)
  return [eachKey('one native call', keys as string[], (key) => hashUtf8(key, long))]
}

function peersOf(name: HashName, keys: readonly Key[], kind: Kind): Contestant[] {
  const prefix = `${name} ${kind} `
  return Object.entries(PEERS)
    .filter(([peer]) => peer.startsWith(prefix))
    .map(([peer, ask]) => eachKey(peer.slice(prefix.length), keys as never[], ask))
}

function hashCase(
  name: HashName,
  ours: HashFunction<HashName>,
  [kind, length]: [Kind, number],
  effort: Effort,
): CaseResult {
  const keys = keysOf(kind, length)
  const peers = peersOf(name, keys, kind)
  const contestants = [
    eachKey('topic-placement', keys, ours as (key: Key) => number),
    fallback(name, keys, kind),
    ...oneNativeCall(name, keys, kind),
    ...peers,
  ]
  const expected = Int32Array.from(peers[0]!.run())
  return {
    case: `${name} ${kind} ${length}`,
    unit: 'call',
    items: keys.length,
    race: race(contestants, expected, brief(effort)),
  }
}

function partitionCase(kind: Kind, length: number, effort: Effort): CaseResult {
  const keys = keysOf(kind, length)
  const kafkajs = kafkajsPartitioner(PARTITIONS)
  const theirs = eachKey('kafkajs', keys as (string | Buffer)[], kafkajs)
  const contestants = [
    eachKey('topic-placement', keys, (key) => kafka.partitionForKey(key, PARTITIONS)),
    theirs,
    eachKey('@platformatic/kafka', keys, (key) => platformaticCompatibility(Buffer.from(key), PARTITIONS)),
  ]
  const expected = Int32Array.from(theirs.run())
  return {
    case: `partition ${kind} ${length}`,
    unit: 'call',
    items: keys.length,
    race: race(contestants, expected, brief(effort)),
  }
}

function singleKeyCases(effort: Effort): CaseResult[] {
  compileHashes()
  return KINDS.flatMap((kind) =>
    LENGTHS.flatMap((length) => [
      partitionCase(kind, length, effort),
      hashCase('murmur2', hash.murmur2, [kind, length], effort),
      hashCase('murmur3', hash.murmur3, [kind, length], effort),
      hashCase('crc32', hash.crc32, [kind, length], effort),
    ]),
  )
}

/** From which length on the native call is the faster one; Infinity where it never is. */
function crossingCase(name: HashName, kind: Kind, effort: Effort): CaseResult {
  const figures: Record<string, number> = {}
  let crossing = Number.POSITIVE_INFINITY
  for (const length of CROSSING_LENGTHS) {
    const keys = keysOf(kind, length)
    const slow = fallback(name, keys, kind)
    const { ours, peers } = race([slow, ...oneNativeCall(name, keys, kind)], Int32Array.from(slow.run()), brief(effort))
    figures[`js@${length}`] = ours.best
    figures[`native@${length}`] = peers[0]!.best
    crossing = peers[0]!.best < ours.best ? Math.min(crossing, length) : Number.POSITIVE_INFINITY
  }
  return { case: `${name} ${kind}`, unit: 'call', items: 1, figures: { crossing, ...figures } }
}

function crossingCases(effort: Effort): CaseResult[] {
  if (native() === null) return [{ case: 'crossing', unit: 'call', items: 0, skipped: 'no addon' }]
  compileHashes()
  return HASH_NAMES.flatMap((name) => KINDS.map((kind) => crossingCase(name, kind, effort)))
}

export const SINGLE_KEY_ROWS: readonly Row[] = [
  {
    name: '9',
    work: 'one key, one call, against the better of the fallback and one native call, and npm',
    goal: '≤ 1.1 × the time of the better one; never slower than npm',
    run: singleKeyCases,
  },
  {
    name: 'crossing',
    work: 'from which length on a native call beats JavaScript, by hash',
    goal: 'the constants of src/single-key.ts',
    run: crossingCases,
  },
]
