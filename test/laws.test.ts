/**
 * Laws that hold whatever the keys: a column answers as its keys one by one, in chunks as in one piece, into the caller's
 * array as into a new one; names are read back as they were given. fast-check prints seed and counterexample on failure;
 * `TOPIC_PLACEMENT_SEED` sets another seed.
 */
import test from 'ava'
import fc from 'fast-check'
import { hash, type Key, kafka, type Packed, RangeTable, TopicSet } from '../src/index.js'
import { PARTITIONER_NAMES } from '../src/kafka/partitioners.js'
import { HASH_NAMES } from '../src/types.js'
import { ENGINES, onEngine } from './engines.js'

const SEED = Number(process.env['TOPIC_PLACEMENT_SEED'] ?? 20261130)

/** Text of any UTF-16 units, surrogates often, long enough to leave the road of short keys now and then. */
const unit = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 1, arbitrary: fc.integer({ min: 0xd800, max: 0xdfff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
)
const text = fc.oneof(
  { weight: 9, arbitrary: fc.array(unit, { maxLength: 40 }).map((units) => String.fromCharCode(...units)) },
  { weight: 1, arbitrary: fc.string({ minLength: 50, maxLength: 900 }) },
)
const bytes = fc.uint8Array({ maxLength: 600 }).map((array) => new Uint8Array(array))
const key: fc.Arbitrary<Key> = fc.oneof(text, bytes)
const hashName = fc.constantFrom(...HASH_NAMES)
const numPartitions = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 0x7fffffff }))

/** Keys as bytes: what a column without text kept aside can hold. */
const packedOf = (keys: readonly Uint8Array[], before = 0): Packed => {
  const offsets = new Uint32Array(keys.length + 1).fill(before)
  keys.forEach(({ length }, i) => {
    offsets[i + 1] = offsets[i]! + length
  })
  const junk = new Uint8Array(before).fill(0xa5)
  return { values: new Uint8Array(Buffer.concat([junk, ...keys, junk])), offsets, length: keys.length }
}

/** Registers a law on each engine. */
function law<Ts extends [unknown, ...unknown[]]>(
  claim: string,
  arbitraries: { [K in keyof Ts]: fc.Arbitrary<Ts[K]> },
  check: (t: import('ava').ExecutionContext, ...values: Ts) => void,
): void {
  for (const engine of ENGINES) {
    test(`${engine}: ${claim} (seed ${SEED})`, (t) => {
      const property = fc.property(...arbitraries, (...values: Ts) => onEngine(engine, () => check(t, ...values)))
      fc.assert(property, { seed: SEED, numRuns: 300 })
      t.pass()
    })
  }
}

/** For a property: fast-check wants an exception, which names both sides. */
function equal(actual: ArrayLike<unknown>, expected: ArrayLike<unknown>): void {
  const [got, wanted] = [Array.from(actual), Array.from(expected)]
  const at = wanted.findIndex((value, i) => value !== got[i])
  if (at >= 0 || got.length !== wanted.length) throw new Error(`[${at}]: expected ${wanted[at]}, got ${got[at]}`)
}

law('many keys are hashed as one by one, as an array and as a TopicSet', [hashName, fc.array(key)], (_, name, keys) => {
  const oneByOne = keys.map((one) => hash.of(name, one))
  equal(hash.of(name, keys), oneByOne)
  equal(hash.of(name, TopicSet.from(keys)), oneByOne)
  equal(TopicSet.from(keys).hash(name), oneByOne)
})

law(
  'many keys get their partitions as one by one, in [0, n)',
  [fc.constantFrom(...PARTITIONER_NAMES), fc.array(key), numPartitions, fc.integer({ min: 0, max: 0x7fffffff })],
  (_, partitioner, keys, count, random) => {
    const oneByOne = keys.map((one) => kafka.partitionForKey(one, count, { partitioner, random }))
    equal(kafka.partitionsForKeys(keys, count, { partitioner, randoms: () => random }), oneByOne)
    equal(kafka.partitionsForKeys(TopicSet.from(keys), count, { partitioner, randoms: () => random }), oneByOne)
    if (oneByOne.some((partition) => !(Number.isInteger(partition) && partition >= 0 && partition < count))) {
      throw new Error(`outside [0, ${count}): ${oneByOne}`)
    }
  },
)

law(
  'a column in chunks answers as in one piece',
  [hashName, fc.array(fc.array(bytes, { maxLength: 5 }), { maxLength: 6 })],
  (_, name, parts) => {
    equal(hash.of(name, { chunks: parts.map((part) => packedOf(part)) }), hash.of(name, packedOf(parts.flat())))
  },
)

law(
  'offsets that do not start at 0 change nothing',
  [hashName, fc.array(bytes), fc.integer({ min: 1, max: 200 })],
  (_, name, keys, before) => {
    equal(hash.of(name, packedOf(keys, before)), hash.of(name, packedOf(keys)))
  },
)

law(
  'a slice of a column answers as its part',
  [hashName, fc.array(bytes), fc.nat(), fc.nat()],
  (_, name, keys, a, b) => {
    const [from, to] = [a % (keys.length + 1), b % (keys.length + 1)].sort((x, y) => x - y) as [number, number]
    const { values, offsets } = packedOf(keys)
    const part = { values, offsets: offsets.subarray(from), length: to - from }
    equal(hash.of(name, part), Array.from(hash.of(name, packedOf(keys))).slice(from, to))
  },
)

law(
  "the caller's array is the one returned, with the same answers, untouched behind them",
  [hashName, fc.array(key), fc.integer({ min: 0, max: 3 }), numPartitions],
  (_, name, keys, more, count) => {
    const fresh = hash.of(name, keys)
    const given = (fresh.constructor as Uint32ArrayConstructor).from({ length: keys.length + more }, () => 77)
    if (hash.of(name, keys, { out: given as never }) !== (given as unknown)) throw new Error('another array came')
    equal(given, [...fresh, ...new Array(more).fill(77)])
    const out = new Int32Array(keys.length + more).fill(77)
    if (kafka.partitionsForKeys(TopicSet.from(keys), count, { out }) !== out) throw new Error('another array came')
    equal(out, [...kafka.partitionsForKeys(keys, count), ...new Array(more).fill(77)])
  },
)

law('names are read back as they were given, whole and one by one', [fc.array(text)], (_, names) => {
  const set = TopicSet.from(names)
  equal([...set], names)
  equal(
    names.map((_name, i) => set.at(i)),
    names,
  )
  equal([...TopicSet.fromShared(structuredClone(set.shared()))], names)
})

law(
  'lines are cut as a split by newline does it',
  [fc.array(fc.string({ unit: 'binary', maxLength: 12 }))],
  (_, lines) => {
    const whole = lines.join('\n').toWellFormed()
    const expected = whole.split('\n').map((line) => line.replace(/\r$/, ''))
    if (expected.at(-1) === '' && !whole.endsWith('\r')) expected.pop()
    equal([...TopicSet.fromLines(Buffer.from(whole))], expected)
  },
)

const boundaries = fc
  .uniqueArray(fc.integer({ min: 1, max: 0xfffffffe }), { maxLength: 200 })
  .map((inner) => [0, ...inner.sort((a, b) => a - b), 0xffffffff])

law(
  'a hash lies in the one range that holds it, one by one and all at once',
  [boundaries, fc.array(fc.integer({ min: 0, max: 0xffffffff }))],
  (_, edges, hashes) => {
    const table = new RangeTable(edges)
    const asked = [...hashes, ...edges, ...edges.slice(1).map((edge) => edge - 1)]
    const last = edges.length - 2
    const naive = asked.map((one) => (one === 0xffffffff ? last : edges.findLastIndex((edge) => edge <= one)))
    equal(table.indexOf(Uint32Array.from(asked)), naive)
    equal(
      asked.map((one) => table.indexOf(one)),
      naive,
    )
  },
)
