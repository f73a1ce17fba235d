/** Key → partition: the reductions, the partitioners by name, one key and many, on both engines. */
import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { defaultPartitioner } from '@platformatic/kafka'
import test from 'ava'
import fc from 'fast-check'
import type { Keys } from '../src/bulk.js'
import type { Reduction } from '../src/engine/contract.js'
import { shown } from '../src/errors.js'
import { reduce, reduceAll } from '../src/fallback/kafka/partitioner.js'
import {
  nextPartition,
  type PartitionerName,
  partitioners,
  partitionForKey,
  partitionsForKeys,
  partitionsForKeysAsync,
} from '../src/kafka/index.js'
import { PARTITIONER_NAMES } from '../src/kafka/partitioners.js'
import { TopicSet } from '../src/topic-set.js'
import type { Key } from '../src/types.js'
import { DOORS, ENGINES, onEngineAsync } from './engines.js'
import { refusalOf } from './refusal.js'
import { replayFile } from './vectors/replay.js'

const SEED = 20261130

const absolute = (value: bigint) => (value < 0n ? -value : value)

/** The definitions of the contract in unbounded integers. */
const NAIVE: Record<Reduction, (hash: bigint, n: bigint) => bigint> = {
  mask: (hash, n) => BigInt.asUintN(31, hash) % n,
  unsigned: (hash, n) => BigInt.asUintN(32, hash) % n,
  abs: (hash, n) => absolute(BigInt.asIntN(32, hash) % n),
  'abs-first': (hash, n) => (BigInt.asIntN(32, hash) === -(2n ** 31n) ? 0n : absolute(BigInt.asIntN(32, hash)) % n),
}
const REDUCTIONS = Object.keys(NAIVE) as Reduction[]

test('each reduction is its definition in unbounded integers, of one hash and of many', (t) => {
  const hashes = fc.oneof(fc.integer(), fc.constantFrom(0, -1, 1, -(2 ** 31), 2 ** 31 - 1))
  const counts = fc.oneof(
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    fc.constant(2 ** 31 - 1),
  )
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(hashes), counts, fc.constantFrom(...REDUCTIONS), (many, n, reduction) => {
        const expected = many.map((hash) => Number(NAIVE[reduction](BigInt(hash), BigInt(n))))
        const out = Int32Array.from(many)
        reduceAll(reduction, out, n)
        const same = (got: number, i: number) => Object.is(got, expected[i])
        return out.every(same) && many.map((hash) => reduce(reduction, hash, n)).every(same)
      }),
      { numRuns: 2000, seed: SEED },
    ),
  )
})

test('a hash given unsigned reduces as the same 32 bits signed', (t) => {
  for (const reduction of REDUCTIONS) {
    for (const hash of [0x80000000, 0xffffffff, 0xf5500b4d]) {
      t.is(reduce(reduction, hash, 12), reduce(reduction, hash | 0, 12), reduction)
    }
  }
})

test('H22, H23: masked, never negative, and the absolute value of -2^31 as each original has it', (t) => {
  t.deepEqual(
    [12, 8].map((n) => reduce('mask', 4115632141, n)),
    [5, 5],
  )
  t.is(reduce('mask', -10, 7), 6)
  t.is(reduce('abs', -10, 7), 3)
  t.is(reduce('mask', -(2 ** 31), 7), 0)
  t.is(reduce('abs-first', -(2 ** 31), 7), 0)
  t.is(reduce('abs', -(2 ** 31), 12), 8)
})

for (const door of DOORS) {
  for (const family of ['murmur2', 'partitioner']) {
    test(`${door.name}: ${family} is what kafka-clients 4.4.0 answers, of one key and of many`, (t) => {
      const { failures, passed } = replayFile(`test/vectors/kafka/${family}.jsonl`, [door])
      t.deepEqual(failures.slice(0, 3), [])
      t.true(passed.get(door.name)! > 25)
    })
  }
}

interface ClientsRow {
  readonly partitioner: PartitionerName
  readonly question: string
  readonly answer: string
}

/** What the C and Go clients answered: see the first line of the file for how. */
const CLIENTS = readFileSync('test/vectors/clients/partitions.ndjson', 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => JSON.parse(line) as ClientsRow)

for (const door of DOORS) {
  test(`${door.name}: every client of librdkafka, sarama, kafka-go and Pulsar's Go is answered as it answers itself`, (t) => {
    const names = new Set(CLIENTS.map(({ partitioner }) => partitioner))
    t.is(names.size, 13)
    for (const { partitioner, question, answer } of CLIENTS) {
      const [, count, ...words] = question.split(' ')
      const keys = words.map((word) => (word === '-' ? null : new Uint8Array(Buffer.from(word.slice(1), 'hex'))))
      t.is(door.run(() => answersOf(keys, Number(count), partitioner)).join(' '), answer.trim(), partitioner)
    }
  })
}

/** One key and many must agree; `~` where the partitioner asks for a random number, as the judges write it. */
function answersOf(keys: readonly (Uint8Array | null)[], count: number, partitioner: PartitionerName): string[] {
  const { nullKey, emptyKey } = partitioners[partitioner]
  const draws = keys.map((key) => (key === null ? nullKey === 'draws' : key.length === 0 && emptyKey === 'draws'))
  const many = partitionsForKeys(keys, count, { partitioner, randoms: () => 0 })
  return keys.map((key, i) => {
    const refused = refusalOf(() => partitionForKey(key, count, { partitioner })).includes('ERR_PLACEMENT_KEY_MISSING')
    if (draws[i] || refused) return refused === draws[i] && many[i] === 0 ? '~' : 'draws in one form alone'
    const one = partitionForKey(key, count, { partitioner })
    return one === many[i] ? String(one) : `${one} alone, ${many[i]} among many`
  })
}

for (const door of DOORS) {
  test(`${door.name}: platformatic is what the npm module answers for the bytes of a key`, (t) => {
    for (const text of ['', 'TT0124', 'wu', 'é', '日本語のキー', 'x'.repeat(501)]) {
      const key = Buffer.from(text)
      for (const n of [1, 2, 12, 15, 1000]) {
        const expected = defaultPartitioner({} as never, key) % n
        t.is(
          door.run(() => partitionForKey(text, n, { partitioner: 'platformatic' })),
          expected,
          text,
        )
        t.is(
          door.run(() => partitionsForKeys([key], n, { partitioner: 'platformatic' })[0]),
          expected,
          text,
        )
      }
    }
  })

  test(`${door.name}: pulsar-java-string and pulsar-murmur3 are the hashes of the Pulsar 5.0 jars, then the remainder`, (t) => {
    type Row = { request: { strings?: string[] }; ok: { hashes?: number[]; client?: number[] } }
    const judged = { 'pulsar-java-string': 'java-string-hash', 'pulsar-murmur3': 'murmur3' } as const
    for (const [partitioner, family] of Object.entries(judged) as [keyof typeof judged, string][]) {
      const lines = readFileSync(`test/vectors/pulsar/${family}.jsonl`, 'utf8').trimEnd().split('\n').slice(1)
      for (const { request, ok } of lines.map((line) => JSON.parse(line) as Row)) {
        if (request.strings === undefined) continue
        const keys = request.strings
        const expected = (ok.hashes ?? ok.client)!.map((hash) => hash % 12)
        const ask = (many: Keys) => [...door.run(() => partitionsForKeys(many, 12, { partitioner }))]
        t.deepEqual(ask(keys), expected, `${family}, strings`)
        t.deepEqual(ask(TopicSet.from(keys)), expected, `${family}, TopicSet`)
        t.deepEqual(
          door.run(() => keys.map((key) => partitionForKey(key, 12, { partitioner }))),
          expected,
          family,
        )
      }
    }
  })
}

/** cases.md, and its line of more keys. Partitions by partitioner. */
const CASES: readonly [id: string, key: string, n: number, expected: Partial<Record<PartitionerName, number>>][] = [
  ['H01', '100:48069', 12, { kafka: 9 }],
  ['H02', 'TT0124', 15, { kafka: 10, 'librdkafka-consistent': 9, 'librdkafka-consistent-random': 9 }],
  ['H03', 'wu', 10, { kafka: 0 }],
  ['H04', 'thingäöüÄÖÜ', 10, { kafka: 2 }],
  ['H06', '354afe16-939a-4ea8-8e17-8bb0840b6886', 10, { kafka: 4, 'librdkafka-consistent': 9 }],
  ['H06', 'f562ac3b-2224-4e25-a0ab-56094e10c239', 10, { kafka: 5, 'librdkafka-consistent': 6 }],
  [
    'H08',
    'Struct{documentKey={"_id": "638d1b94ce8def06be68b439"}}',
    50,
    { kafka: 40, 'librdkafka-consistent': 36, 'sarama-hash': 6, 'sarama-reference': 42 },
  ],
  ['H12', '1468509572224', 12, { 'sarama-hash': 8, 'sarama-reference': 0, kafka: 9 }],
  ['H19', '', 10, { kafka: 1 }],
  ['H19', '', 12, { kafka: 9 }],
  ['more keys', 'fd7af248-ce5c-46a5-93d7-1c0c9005b99d', 32, { kafka: 26 }],
  ['more keys', '12413413', 16, { kafka: 6 }],
  ['more keys', 'longstring_longstring.csv', 12, { kafka: 7 }],
  ['more keys', 'UFJPRDAuQVNTRVQuMzEwMQ.002.AC000HN.01_RMSVel', 30, { kafka: 13, 'librdkafka-consistent': 12 }],
  ['more keys', '30142322.022108_2000', 32, { kafka: 18, 'sarama-hash': 28 }],
]

for (const [id, key, n, expected] of CASES) {
  test(`${id}: ${JSON.stringify(key)} on ${n} partitions`, (t) => {
    for (const [partitioner, partition] of Object.entries(expected) as [PartitionerName, number][]) {
      t.is(partitionForKey(key, n, { partitioner }), partition, partitioner)
      for (const door of DOORS) {
        const ask = (keys: Keys) => door.run(() => partitionsForKeys(keys, n, { partitioner, randoms: [] })[0])
        for (const keys of [[key], [Buffer.from(key)], TopicSet.from([key])]) t.is(ask(keys), partition, partitioner)
      }
    }
  })
}

test('H19: an empty key draws where the original draws, and only there', (t) => {
  const drawing = PARTITIONER_NAMES.filter((partitioner) =>
    refusalOf(() => partitionForKey('', 12, { partitioner })).includes('ERR_PLACEMENT_KEY_MISSING'),
  )
  t.deepEqual(drawing, ['librdkafka-consistent-random', 'kafka-go-crc32', 'pulsar-go-java-string'])
  t.is(partitionForKey('', 12, { partitioner: 'librdkafka-consistent-random', random: 31 }), 7)
  t.is(partitionForKey(new Uint8Array(0), 12, { partitioner: 'librdkafka-consistent-random', random: 31 }), 7)
})

for (const door of DOORS) {
  test(`${door.name}: keys of every length 0..300 and of every kind agree, alone and among many`, (t) => {
    const ascii = Array.from({ length: 301 }, (_, i) =>
      'abcdefghijk-'
        .repeat(26)
        .slice(i, 2 * i)
        .padEnd(i, 'z'),
    )
    const wide = ascii.map((key, i) => `${key.slice(0, i >> 1)}é\ud800😀${key.slice(i >> 1)}`)
    for (const partitioner of PARTITIONER_NAMES) {
      const keys = [...ascii, ...wide]
      const options = { partitioner, randoms: () => 0 }
      const expected = keys.map((key) => partitionForKey(key, 1000, { partitioner, random: 0 }))
      t.deepEqual([...door.run(() => partitionsForKeys(keys, 1000, options))], expected, `${partitioner}, strings`)
      const set = TopicSet.from(keys)
      t.deepEqual([...door.run(() => partitionsForKeys(set, 1000, options))], expected, `${partitioner}, TopicSet`)
      if (partitioner === 'pulsar-java-string') continue
      const bytes = keys.map((_, i) => set.bytesAt(i))
      t.deepEqual([...door.run(() => partitionsForKeys(bytes, 1000, options))], expected, `${partitioner}, bytes`)
    }
  })

  test(`${door.name}: a mixture of text, bytes and no key is answered item by item`, (t) => {
    const keys = ['a', null, Buffer.from('a'), '', null, new Uint8Array(0), '\ud800']
    const ask = (partitioner: PartitionerName) => [
      ...door.run(() => partitionsForKeys(keys, 1000, { partitioner, randoms: Int32Array.of(7, 1008) })),
    ]
    const hashed = (key: string, partitioner: PartitionerName) => partitionForKey(key, 1000, { partitioner })
    const [a, none, mark] = ['a', '', '?'].map((key) => hashed(key, 'kafka'))
    t.deepEqual(ask('kafka'), [a, 7, a, none, 8, none, mark])
    const [b, empty, unknown] = ['a', '', '?'].map((key) => hashed(key, 'librdkafka-murmur2'))
    t.deepEqual(ask('librdkafka-murmur2'), [b, empty, b, empty, empty, empty, unknown])
  })

  test(`${door.name}: the caller's array takes the answers, and an error leaves it as it was`, (t) => {
    const out = new Int32Array(5).fill(-1)
    const ask = (keys: unknown, options: object = {}) =>
      door.run(() => partitionsForKeys(keys as Keys, 15, { out, ...options }))
    t.is(ask(['TT0124', 'wu']), out)
    t.deepEqual([...out], [10, 10, -1, -1, -1])
    out.fill(-1)
    const bad = [
      () => ask(['TT0124', 5]),
      () => ask(['TT0124', null]),
      () => ask(['TT0124', null, null], { randoms: [1] }),
      () => ask(['a', 'b', 'c', 'd', 'e', 'f']),
      () => ask({ values: new Uint8Array(3), offsets: Int32Array.of(0, 2, 1), length: 2 }),
    ]
    for (const question of bad) t.regex(refusalOf(question), /ERR_PLACEMENT_/)
    t.true(out.every((value) => value === -1))
  })
}

for (const engine of ENGINES) {
  test.serial(`${engine}: the async twin answers alike, and reports its progress`, async (t) => {
    const keys = ['a', null, Buffer.from('b'), '', '\ud800', 'é'.repeat(300)]
    for (const partitioner of PARTITIONER_NAMES) {
      const options = { partitioner, randoms: () => 3 }
      const progress: number[] = []
      const asked = { ...options, out: new Int32Array(8), onProgress: (done: number) => progress.push(done) }
      const got = await onEngineAsync(engine, () => partitionsForKeysAsync(keys, 1000, asked))
      t.is(got, asked.out)
      t.deepEqual([...got], [...partitionsForKeys(keys, 1000, options), 0, 0], partitioner)
      t.deepEqual(progress, [6])
    }
    const missing = onEngineAsync(engine, () => partitionsForKeysAsync(['a', null], 12))
    t.like(await t.throwsAsync(missing), { code: 'ERR_PLACEMENT_KEY_MISSING', index: 1 })
    const signal = AbortSignal.abort(new Error('enough'))
    await t.throwsAsync(partitionsForKeysAsync(['a'], 12, { signal }), { message: 'enough' })
  })
}

/** Around every length at which one key takes another road: the platform's encoder, the engine, a buffer of its own. */
const TURNS = [32, 96, 112, 224, 240, 288, 65_536].flatMap((units) => [units - 1, units, units + 1])

for (const door of DOORS) {
  test(`${door.name}: a long key alone is answered as among many`, (t) => {
    for (const partitioner of PARTITIONER_NAMES) {
      const ascii = TURNS.map((units) => 'abcdefg-'.repeat(units / 8 + 1).slice(0, units))
      const texts = [
        ...ascii,
        ...ascii.map((key) => `é${key.slice(1)}`),
        ...ascii.map((key) => `${key.slice(1)}\ud800`),
      ]
      const keys = [
        ...texts,
        ...ascii.map((key) => Buffer.from(key)),
        ...ascii.map((key) => Buffer.from(key, 'utf16le')),
      ]
      const alone = door.run(() => keys.map((key) => partitionForKey(key, 1_000_003, { partitioner })))
      for (const other of DOORS) {
        const many = other.run(() => partitionsForKeys(keys, 1_000_003, { partitioner }))
        t.deepEqual(alone, [...many], `${partitioner}, many on ${other.name}`)
      }
    }
  })
}

test('the numbers of a keyless record are taken as the original takes them', (t) => {
  t.deepEqual(
    [0, 7, -1, -(2 ** 31), 2 ** 31 - 1].map((random) => partitionForKey(null, 3, { random })),
    [0, 7, -1, -(2 ** 31), 2 ** 31 - 1].map((random) => nextPartition(random, { partitions: 3 })),
  )
  const draw = (partitioner: PartitionerName, random: number) => partitionForKey(null, 7, { partitioner, random })
  t.is(draw('kafka-go-hash', 15), 1)
  t.is(draw('kafka-go-murmur2', Number.MAX_SAFE_INTEGER), Number(BigInt(Number.MAX_SAFE_INTEGER) % 7n))
  t.deepEqual(
    [-1, -7, -8, 8].map((dividend) => draw('pulsar-java-string', dividend)),
    [6, 0, 6, 1],
  )
  t.true(Object.is(draw('pulsar-murmur3', -7), 0))
})

test('randoms are used one a drawing key, in order, and only for those', (t) => {
  const asked: number[] = []
  const randoms = () => asked.push(0)
  const keys = ['a', null, '', null]
  t.deepEqual(
    [...partitionsForKeys(keys, 100, { randoms })].filter((_, i) => keys[i] === null),
    [1, 2],
  )
  t.is(asked.length, 2)
  partitionsForKeys(keys, 100, { randoms, partitioner: 'librdkafka-consistent-random' })
  t.is(asked.length, 5)
  const column = TopicSet.from(['a', '', 'b', ''])
  t.deepEqual(
    [1, 3].map((i) => partitionsForKeys(column, 100, { partitioner: 'kafka-go-crc32', randoms: [8, 9] })[i]),
    [8, 9],
  )
})

test('every partitioner names its source and its judge, and the table cannot be changed', (t) => {
  t.is(PARTITIONER_NAMES.length, 17)
  t.true(Object.isFrozen(partitioners))
  for (const row of Object.values(partitioners)) {
    t.true(Object.isFrozen(row) && Object.isFrozen(row.draw) && Object.isFrozen(row.draw?.range))
    t.regex(`${row.source} ${row.judge}`, /\d+\.\d+\.\d+.* .*\d+\.\d+\.\d+/)
    t.is(row.draw === null, row.nullKey === 'as-empty')
    t.false(row.emptyKey === 'draws' && row.nullKey === 'as-empty')
  }
})

const one = (key: unknown, n: unknown, options?: object) => () => partitionForKey(key as Key, n as number, options)
const many = (keys: unknown, n: unknown, options?: object) => () =>
  partitionsForKeys(keys as Keys, n as number, options)
const COUNT = 'RangeError ERR_PLACEMENT_NUM_PARTITIONS: numPartitions: expected an integer in [1, 2147483647], got'
const DRAW =
  'ThreadLocalRandom.current().nextInt() (BuiltInPartitioner.randomPartition, no load statistics, every partition available)'

const BAD: readonly [ask: () => unknown, refusal: string][] = [
  ...[0, -1, 1.5, Number.NaN, 2 ** 31, Number.POSITIVE_INFINITY].flatMap((n): [() => unknown, string][] => [
    [one('a', n), `${COUNT} ${n}`],
    [many(['a'], n), `${COUNT} ${n}`],
  ]),
  ...['12', undefined, null, 12n, {}].flatMap((n): [() => unknown, string][] => {
    const refusal = `TypeError ERR_PLACEMENT_ARGUMENT_TYPE: numPartitions: expected an integer, got ${shown(n)}`
    return [
      [one('a', n), refusal],
      [many([], n), refusal],
    ]
  }),
  ...[5, {}, undefined, true, 5n, ['a']].flatMap((key): [() => unknown, string][] => [
    [one(key, 12), `TypeError ERR_PLACEMENT_KEY_TYPE: key: expected a string or bytes, got ${shown(key)}`],
    [
      one(key, 12, { partitioner: 'pulsar-go-java-string' }),
      `TypeError ERR_PLACEMENT_KEY_TYPE: key: expected a string or bytes, got ${shown(key)}`,
    ],
    [
      many(['a', key], 12),
      `TypeError ERR_PLACEMENT_KEY_TYPE: keys[1]: expected a string or bytes, got ${shown(key)} [index 1]`,
    ],
    [
      many(['a', Buffer.from('b'), key], 12, { partitioner: 'pulsar-go-java-string' }),
      `TypeError ERR_PLACEMENT_KEY_TYPE: keys[2]: expected a string or bytes, got ${shown(key)} [index 2]`,
    ],
  ]),
  [many('abc', 12), 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: keys: expected an array or a column, got "abc"'],
  [
    one(null, 12),
    `PlacementError ERR_PLACEMENT_KEY_MISSING: key: expected a key, got none, for which kafka draws the partition: give options.random, the result of ${DRAW}`,
  ],
  [
    many(['a', null], 12),
    `PlacementError ERR_PLACEMENT_KEY_MISSING: keys[1]: expected a key, got none, for which kafka draws the partition: give options.randoms[0], the result of ${DRAW} [index 1]`,
  ],
  [
    many([null, 'a', ''], 12, { partitioner: 'kafka-go-crc32', randoms: [3] }),
    'PlacementError ERR_PLACEMENT_KEY_MISSING: keys[2]: expected a key, got an empty one, for which kafka-go-crc32 draws the partition: give options.randoms[1], the result of rand.Int() (randomBalancer) [index 2]',
  ],
  [
    one(null, 12, { random: 2 ** 31 }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: random: expected an integer in [-2147483648, 2147483647], got 2147483648',
  ],
  [one(null, 12, { random: '5' }), 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: random: expected an integer, got "5"'],
  [
    one(null, 12, { partitioner: 'sarama-hash', random: -1 }),
    `RangeError ERR_PLACEMENT_ARGUMENT_RANGE: random: expected an integer in [0, ${Number.MAX_SAFE_INTEGER}], got -1`,
  ],
  [
    many([null], 12, { randoms: [0.5] }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: randoms[0]: expected an integer in [-2147483648, 2147483647], got 0.5',
  ],
  [
    many([null], 12, { randoms: 5 }),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: randoms: expected numbers or a function, got 5',
  ],
  [
    one('a', 12, { partitioner: 'librdkafka-murmur' }),
    `RangeError ERR_PLACEMENT_UNKNOWN_NAME: partitioner: expected one of ${PARTITIONER_NAMES.join(', ')}, got "librdkafka-murmur" (did you mean librdkafka-murmur2?)`,
  ],
  [one('a', 12, { partitioner: 7 }), 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: partitioner: expected a string, got 7'],
  ...['boost', 'pulsar-cpp', 'BoostHash', 'pulsar-cpp-boost'].map((name): [() => unknown, string] => [
    many(['a'], 12, { partitioner: name }),
    `PlacementError ERR_PLACEMENT_UNSUPPORTED: partitioner: expected pulsar-java-string or pulsar-murmur3, got "${name}": BoostHash depends on the Boost that the client was linked with`,
  ]),
]

for (const [i, [ask, refusal]] of BAD.entries()) {
  test(`refused (${i}): ${refusal}`, (t) => t.is(refusalOf(ask), refusal))
}
