/** A number of threads given by the caller: the answer of one, on every engine, and only numbers that make sense. */
import test from 'ava'
import crc32 from 'crc-32'
import { ofBytes as murmur2 } from '../bench/peers/murmur2.js'
import { hash, kafka, pulsar, RangeTable, TopicSet } from '../src/index.js'
import type { HashName } from '../src/types.js'
import { ENGINES, onEngineAsync } from './engines.js'
import { refusalOf, refusalOfAsync } from './refusal.js'

/** Enough for a dozen parts: see native/core/src/threads.rs. */
const NAMES = Array.from({ length: 200_000 }, (_, i) => `persistent://t/ns/${i % 7 === 0 ? '주문' : 'orders'}-${i}`)
const SET = TopicSet.from(NAMES)
/** The same names in two chunks, the second one a slice whose offsets do not begin at 0. */
const CHUNKS = (({ values, offsets, length }, cut) => ({
  chunks: [
    { values, offsets: offsets.subarray(0, cut + 1), length: cut },
    { values, offsets: offsets.subarray(cut, length + 1), length: length - cut },
  ],
}))(SET.chunks[0]!, 70_001)

const bundles = pulsar.NamespaceBundles.even(64)
const table = new RangeTable([0, 5, 0x90000000, 0xffffffff])
const ring = new pulsar.KeySharedRing()
for (const name of ['c1', 'c2', 'c3']) ring.join({ name })

const CRCS = Uint32Array.from(NAMES, (name) => crc32.str(name))
const BUNDLES = CRCS.map((crc) => crc >>> 26)
const RANGES = CRCS.map((crc) => Number(crc >= 5) + Number(crc >= 0x90000000))
const PARTITIONS = Int32Array.from(NAMES, (name) => (murmur2(Buffer.from(name)) & 0x7fffffff) % 12)

for (const engine of ENGINES) {
  for (const threads of [1, 2, 7, 256]) {
    test.serial(
      `on ${engine}: ${threads} threads give the answers of npm's crc-32 and of a murmur2 apart`,
      async (t) => {
        await onEngineAsync(engine, async () => {
          for (const topics of [SET, CHUNKS]) {
            t.deepEqual(hash.crc32(topics, { threads }), CRCS)
            t.deepEqual(bundles.indexOf(topics, { threads }), BUNDLES)
            t.deepEqual(kafka.partitionsForKeys(topics, 12, { threads }), PARTITIONS)
            t.deepEqual(await hash.ofAsync('crc32', topics, { threads }), CRCS)
            t.deepEqual(await bundles.indexOfAsync(topics, { threads }), BUNDLES)
            t.deepEqual(await kafka.partitionsForKeysAsync(topics, 12, { threads }), PARTITIONS)
          }
          t.deepEqual(table.indexOf(CRCS, { threads }), RANGES)
          t.deepEqual(bundles.indexOfHash(CRCS, { threads }), BUNDLES)
          t.deepEqual(hash.crc32(NAMES, { threads }), CRCS)
        })
      },
    )
  }

  test.serial(`on ${engine}: three threads give the hashes and consumers that keys one by one have`, async (t) => {
    await onEngineAsync(engine, async () => {
      for (const name of hash.names as readonly HashName[]) {
        const one = Array.from(NAMES, (key) => hash.of(name, key))
        t.deepEqual(Array.from(SET.hash(name, { threads: 3 })), one, name)
      }
      const consumers = Int32Array.from(NAMES, (name) => ring.select(name)!)
      t.deepEqual(ring.select(SET, { threads: 3 }), consumers)
      t.deepEqual(await ring.selectAsync(SET, { threads: 3 }), consumers)
    })
  })

  test.serial(`on ${engine}: a bad offset is found, and nothing written, whatever the threads`, async (t) => {
    await onEngineAsync(engine, async () => {
      const { values, length } = SET.chunks[0]!
      const offsets = Uint32Array.from(SET.chunks[0]!.offsets)
      offsets[150_000] = 0
      const out = new Uint32Array(length).fill(7)
      const refused = refusalOf(() => hash.crc32({ values, offsets, length }, { threads: 2, out }))
      t.regex(refused, /^RangeError ERR_PLACEMENT_COLUMN: keys\.offsets\[150000\]: .* \[index 150000\]$/)
      t.true(out.every((word) => word === 7))
    })
  })
}

const QUESTIONS: Record<string, (options: { threads: never }) => unknown> = {
  'hash.crc32': (options) => hash.crc32(SET, options),
  'hash.of of strings': (options) => hash.of('murmur2', ['a'], options),
  'TopicSet.hash': (options) => SET.hash('fnv1a', options),
  'hash.ofAsync': (options) => hash.ofAsync('crc32', SET, options),
  'kafka.partitionsForKeys': (options) => kafka.partitionsForKeys(['a'], 12, options),
  'kafka.partitionsForKeysAsync': (options) => kafka.partitionsForKeysAsync(['a'], 12, options),
  'NamespaceBundles.indexOf': (options) => bundles.indexOf(['a'], options),
  'NamespaceBundles.indexOfAsync': (options) => bundles.indexOfAsync(['a'], options),
  'NamespaceBundles.indexOfHash': (options) => bundles.indexOfHash(CRCS, options),
  'RangeTable.indexOf': (options) => table.indexOf(CRCS, options),
  'KeySharedRing.select': (options) => ring.select(['a'], options),
  'KeySharedRing.selectAsync': (options) => ring.selectAsync(['a'], options),
}

for (const [name, ask] of Object.entries(QUESTIONS)) {
  test(`${name} refuses no threads, part of one, too many, and what is no number`, async (t) => {
    const refused = (threads: unknown) => refusalOfAsync(async () => await ask({ threads: threads as never }))
    for (const [threads, got] of [
      [0, '0'],
      [-1, '-1'],
      [1.5, '1.5'],
      [257, '257'],
      [Number.NaN, 'NaN'],
    ] as const) {
      const message = `RangeError ERR_PLACEMENT_ARGUMENT_RANGE: threads: expected an integer in [1, 256], got ${got}`
      t.is(await refused(threads), message)
    }
    t.is(await refused('2'), 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: threads: expected an integer, got "2"')
  })
}
