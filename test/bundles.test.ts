/**
 * Which bundle a topic is in: of one and of many, on both engines; the broker's own look-up; families of numbered topics.
 * The golden vectors are replayed by vectors.test.ts. Values here are published ones (spec/pulsar.md 1.1, 2.3, 2.5;
 * production logs of Pulsar's tracker), or those of a naive twin over the npm package crc-32.
 */
import test from 'ava'
import crc32 from 'crc-32'
import fc from 'fast-check'
import { isPlain } from '../src/fallback/pulsar/plain-name.js'
import { type CodedError, type PulsarVersion, pulsar, TopicSet } from '../src/index.js'
import { PULSAR_VERSIONS } from '../src/types.js'
import { ENGINES, onEngine, onEngineAsync } from './engines.js'
import { refusalOf, refusalOfAsync } from './refusal.js'

const { NamespaceBundles } = pulsar
const SEED = 20261130
const LAST = 0xffffffff
const PUBLIC = 'persistent://public/default/'

/** Published CRC-32 of full names, and the index among 4, 16, 32 and 64 bundles. */
const PUBLISHED: [name: string, hash: number, ...indices: [number, number, number, number]][] = [
  ['persistent://my-tenant/my-namespace/my-topic', 0xa34b8057, 2, 10, 20, 40],
  [`${PUBLIC}my-topic`, 0x2bad45f7, 0, 2, 5, 10],
  [`${PUBLIC}my-topic-partition-0`, 0x3d4b4235, 0, 3, 7, 15],
  [`${PUBLIC}my-topic-partition-1`, 0x4a4c72a3, 1, 4, 9, 18],
  ['non-persistent://public/default/my-topic', 0x831e214a, 2, 8, 16, 32],
  [`${PUBLIC}주제`, 0x133b604e, 0, 1, 2, 4],
  [`${PUBLIC}\u{1f600}`, 0x771cfbbd, 1, 7, 14, 29],
]

/** Names whose hashes lie on boundaries. */
const ON_BOUNDARIES: [name: string, hash: number][] = [
  [`${PUBLIC}t-atxq3zm`, 0],
  [`${PUBLIC}t-ba9kr8z`, 0x08000000],
  [`${PUBLIC}t-augtuz0`, 0x7fffffff],
  [`${PUBLIC}t-dttb229`, 0x80000000],
  [`${PUBLIC}t-dukgt2d`, LAST],
]

const coordinators = Array.from(
  { length: 16 },
  (_, i) => `persistent://pulsar/system/transaction_coordinator_assign-partition-${i}`,
)

const distinct = (indices: Iterable<number>) => new Set(indices).size

const hex = (n: number) => `0x${n.toString(16).padStart(8, '0')}`

for (const name of ENGINES) {
  test(`${name}: published names are in the bundle that their published hash says`, (t) => {
    onEngine(name, () => {
      const topics = PUBLISHED.map(([topic]) => topic)
      ;[4, 16, 32, 64].forEach((n, k) => {
        const bundles = NamespaceBundles.even(n)
        const expected = PUBLISHED.map(([, , ...indices]) => indices[k]!)
        t.deepEqual([...bundles.indexOf(topics)], expected, `${n} bundles, many`)
        t.deepEqual(
          topics.map((topic) => bundles.indexOf(topic)),
          expected,
          `${n} bundles, one`,
        )
        t.deepEqual([...bundles.indexOf(TopicSet.from(topics))], expected, `${n} bundles, a TopicSet`)
      })
    })
  })

  test(`${name}: a hash on a boundary belongs to the bundle that starts there, 0xffffffff to the last one`, (t) => {
    onEngine(name, () => {
      const bundles = NamespaceBundles.even(32)
      const expected = ON_BOUNDARIES.map(([, hash]) => Math.floor(hash / 2 ** 27))
      t.deepEqual(expected, [0, 1, 15, 16, 31])
      t.deepEqual([...bundles.indexOf(ON_BOUNDARIES.map(([topic]) => topic))], expected)
      t.deepEqual([...bundles.indexOfHash(Uint32Array.from(ON_BOUNDARIES, ([, hash]) => hash))], expected)
      t.is(NamespaceBundles.even(4).indexOfHash(0xc0000000), 3, 'B18')
    })
  })

  test(`${name}: a lone surrogate is hashed as Java's question mark`, (t) => {
    onEngine(name, () => {
      const lone = `${PUBLIC}a\ud800b`
      const bundles = NamespaceBundles.fromBoundaries([0, 0x1b1f2e8b, 0x1b1f2e8c, LAST])
      t.is(bundles.indexOf(lone), 1)
      t.deepEqual([...bundles.indexOf([lone, `${PUBLIC}a?b`])], [1, 1])
    })
  })

  test(`${name}: short names, all forms of a column and the empty list are taken`, (t) => {
    onEngine(name, () => {
      const bundles = NamespaceBundles.even(64, { namespace: 'public/default' })
      const names = [
        'my-topic',
        'public/default/my-topic',
        `${PUBLIC}my-topic`,
        'non-persistent://public/default/my-topic',
      ]
      const bytes = new TextEncoder().encode(names.join(''))
      const offsets = Int32Array.from([0, 1, 2, 3, 4], (n) => names.slice(0, n).join('').length)
      const column = { values: bytes, offsets, length: 4 }
      const first = { values: bytes, offsets: offsets.subarray(0, 3), length: 2 }
      const second = { values: bytes, offsets: offsets.subarray(2), length: 2 }
      const forms = [
        names,
        names.map((text) => Buffer.from(text)),
        column,
        { chunks: [first, second] },
        TopicSet.from(names),
      ]
      for (const form of forms) t.deepEqual(bundles.indexOf(form), Uint32Array.of(10, 10, 10, 32))
      t.deepEqual(bundles.indexOf([]), new Uint32Array(0))
      t.deepEqual(bundles.bundleOf([]), [])
    })
  })

  test(`${name}: topics per bundle add up, and the largest bundle is the first to come to its number`, (t) => {
    onEngine(name, () => {
      const counts = NamespaceBundles.even(16).countsOf(coordinators)
      t.deepEqual([...counts], [0, 2, 1, 0, 0, 1, 2, 0, 3, 0, 0, 2, 2, 0, 0, 3])
      t.is(NamespaceBundles.even(16).largestBundle(coordinators)?.range, '0xf0000000_0xffffffff')
      t.is(NamespaceBundles.even(16).largestBundle([]), null)
    })
  })

  test(`${name}: 16 transaction coordinators, on every number of bundles that is published`, (t) => {
    onEngine(name, () => {
      const on = (n: number) => NamespaceBundles.even(n).indexOf(coordinators)
      t.deepEqual([...on(64)], [61, 32, 6, 27, 60, 33, 7, 26, 62, 35, 45, 48, 22, 11, 44, 49])
      t.deepEqual(
        [4, 8, 16, 32, 100].map((n) => distinct(on(n))),
        [4, 8, 8, 10, 15],
      )
      const apart = Array.from({ length: 84 }, (_, i) => i + 1).filter((n) => distinct(on(n)) === 16)
      t.deepEqual(apart, [57, 58, 59, 60, 61, 62, 63, 64, 65])
      const other = coordinators.map((topic) => `non-${topic}`)
      t.deepEqual(
        [16, 64].map((n) => distinct(NamespaceBundles.even(n).indexOf(other))),
        [4, 14],
      )
    })
  })

  test(`${name}: random layouts and names: the bundle is the one that a walk over the ranges finds`, (t) => {
    const hash = fc.integer({ min: 1, max: LAST - 1 })
    const local = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .map((text) => `x${text.replaceAll('/', '-')}`)
    t.notThrows(() =>
      fc.assert(
        fc.property(fc.uniqueArray(hash, { maxLength: 60 }), fc.array(local, { maxLength: 30 }), (inner, locals) => {
          const boundaries = [0, ...inner.sort((a, b) => a - b), LAST]
          const topics = locals.map((text) => PUBLIC + text)
          const expected = topics.map((topic) => {
            const at = crc32.buf(Buffer.from(topic)) >>> 0
            return boundaries.findLastIndex((b, i) => b <= at && i < boundaries.length - 1)
          })
          return onEngine(name, () => {
            const bundles = NamespaceBundles.fromBoundaries(boundaries.map(hex), { namespace: 'public/default' })
            const ranges = expected.map((i) => `${hex(boundaries[i]!)}_${hex(boundaries[i + 1]!)}`)
            const isSame = (got: ArrayLike<unknown>, wanted: readonly unknown[]) => wanted.every((w, i) => got[i] === w)
            return (
              isSame(bundles.indexOf(topics), expected) &&
              isSame(bundles.bundleOf(topics), ranges) &&
              isSame(
                topics.map((topic) => bundles.bundleOf(topic)),
                ranges,
              ) &&
              isSame(
                topics.map((topic) => bundles.findBundle(topic).range),
                ranges,
              )
            )
          })
        }),
        { numRuns: 100, seed: SEED },
      ),
    )
  })

  test(`${name}: the first bad name is told with its index, and nothing is written`, (t) => {
    onEngine(name, () => {
      const out = new Uint32Array(4).fill(7)
      const bundles = NamespaceBundles.even(4, { namespace: 'public/default' })
      const ask = (topics: string[]) => refusalOf(() => bundles.indexOf(topics, { out }))
      t.regex(
        ask(['t', 'u', 'persistent://a//c', 'a/b']),
        /^RangeError ERR_PLACEMENT_TOPIC_NAME: topics\[2\]: .*\[index 2\]$/,
      )
      t.regex(ask(['']), /^RangeError ERR_PLACEMENT_TOPIC_NAME: topics\[0\]: .*\[index 0\]$/)
      t.is(
        ask(['t', 'public/default/u', 'public/other/u']),
        'RangeError ERR_PLACEMENT_NAMESPACE: topics[2]: expected a topic of public/default, got "persistent://public/other/u" [index 2]',
      )
      t.is(
        ask(['persistent://public/defaults/u']),
        'RangeError ERR_PLACEMENT_NAMESPACE: topics[0]: expected a topic of public/default, got "persistent://public/defaults/u" [index 0]',
      )
      t.deepEqual([...out], [7, 7, 7, 7])
    })
  })

  test(`${name}: a namespace of three parts is another one than its first two, where Pulsar has such names`, (t) => {
    onEngine(name, () => {
      const of = (namespace: string, topic: string, version: PulsarVersion) => {
        const bundles = NamespaceBundles.even(4, { namespace, version })
        return [refusalOf(() => bundles.indexOf(topic)), refusalOf(() => bundles.indexOf([topic]))].map(
          (line) => line.match(/ERR_\w+|no error/)?.[0],
        )
      }
      t.deepEqual(of('a/c', 'persistent://a/c/b/t', '3.0'), ['ERR_PLACEMENT_NAMESPACE', 'ERR_PLACEMENT_NAMESPACE'])
      t.deepEqual(of('a/c/b', 'persistent://a/c/b/t', '3.0'), ['no error', 'no error'])
      t.deepEqual(of('a/c/b', 'persistent://a/c/b/t/u', '3.0'), ['no error', 'no error'])
      t.deepEqual(of('a/c', 'persistent://a/c/b/t', '4.2'), ['ERR_PLACEMENT_TOPIC_NAME', 'ERR_PLACEMENT_TOPIC_NAME'])
      t.deepEqual(of('a/b', 'segment://a/b/x/0000-7fff-3', '5.0'), ['no error', 'no error'])
      t.deepEqual(of('a/b', 'PERSISTENT://a/b/x', '5.0'), ['no error', 'no error'])
    })
  })

  test(`${name}: an upper-case domain counts in the hash since 4.2, and is lowered before`, (t) => {
    onEngine(name, () => {
      const on = (version: PulsarVersion) => {
        const bundles = NamespaceBundles.even(64, { version })
        return [
          bundles.indexOf('PERSISTENT://public/default/my-topic'),
          ...bundles.indexOf(['PERSISTENT://public/default/my-topic']),
        ]
      }
      t.deepEqual(
        [on('2.10'), on('3.0'), on('4.2'), on('5.0')],
        [
          [10, 10],
          [10, 10],
          [3, 3],
          [3, 3],
        ],
      )
    })
  })

  test(`${name}: a result array of the caller is filled, and refused over the names or too short`, (t) => {
    onEngine(name, () => {
      const bundles = NamespaceBundles.even(4)
      const out = new Uint32Array(3).fill(7)
      t.is(bundles.indexOf(['my-topic', 't'], { out }), out)
      t.is(out[2], 7)
      t.is(
        refusalOf(() => bundles.indexOf(['a', 'b', 'c', 'd'], { out })),
        'RangeError ERR_PLACEMENT_OUTPUT: out: expected room for 4 items, got 3',
      )
      const memory = new ArrayBuffer(64)
      const column = { values: new Uint8Array(memory, 0, 8).fill(97), offsets: Uint32Array.of(0, 4, 8), length: 2 }
      t.is(
        refusalOf(() => bundles.indexOf(column, { out: new Uint32Array(memory, 4, 4) })),
        'RangeError ERR_PLACEMENT_OUTPUT: out: expected memory of its own, got an array over the values of keys',
      )
    })
  })

  test(`${name}: topics that crowd are told by the size of their families`, (t) => {
    onEngine(name, () => {
      const partitions = (topic: string, n: number) => Array.from({ length: n }, (_, i) => `${topic}-partition-${i}`)
      const topics = ['a', 'orders', '주문', 'long-name-of-a-topic'].flatMap((topic) => [
        ...partitions(`${PUBLIC}${topic}`, 8),
        ...partitions(`non-persistent://public/default/${topic}`, 10),
        ...partitions(`persistent://a/b/${topic}`, 3),
        `a/b/${topic}-partition-7-DLQ`,
        `a/b/${topic}-1764547200`,
      ])
      const rows = (n: number) =>
        pulsar.suffixAliasing(topics, NamespaceBundles.even(n)).map(({ expected, ...row }) => row)
      const row = { kind: 'partitions', families: 4, separatedBy: 64 }
      t.deepEqual(rows(32), [
        { ...row, partitions: 10, possible: 10, fewest: 6, most: 6, mean: 6 },
        { ...row, partitions: 8, possible: 8, fewest: 4, most: 4, mean: 4 },
      ])
      t.deepEqual(rows(64), [])
      const shuffled = topics.map((_, i) => topics[(i * 37) % topics.length]!)
      t.is(topics.length % 37 === 0 ? 0 : shuffled.length, topics.length)
      t.deepEqual(
        pulsar.suffixAliasing(shuffled, NamespaceBundles.even(32)),
        pulsar.suffixAliasing(topics, NamespaceBundles.even(32)),
      )
      const large = [16, 64].flatMap((n) => [1, 2, 3, 4].flatMap((k) => partitions(`${PUBLIC}large-${n}-${k}`, n)))
      const [sixteen, ...more] = pulsar.suffixAliasing(large, NamespaceBundles.even(32))
      t.deepEqual(more, [], '64 partitions reach 28 to 30 of 32 bundles, more than random names would')
      t.is(sixteen?.partitions, 16)
      t.true(sixteen!.fewest >= 6 && sixteen!.most <= 10, 'published: 6 to 10')
      t.is(sixteen?.expected.toFixed(1), '12.7')
      const numbers = (first: number) => Array.from({ length: 8 }, (_, i) => `device-${first + i}`)
      t.deepEqual(
        pulsar.suffixAliasing(numbers(0), NamespaceBundles.even(16)).map(({ kind, most }) => [kind, most]),
        [['numbers', 4]],
      )
      t.deepEqual(pulsar.suffixAliasing([...numbers(0), 'device-19'], NamespaceBundles.even(16)), [], 'a gap')
    })
  })
}

test.serial('the async twin gives the same answer, reports its progress and takes a signal', async (t) => {
  for (const name of ENGINES) {
    await onEngineAsync(name, async () => {
      const bundles = NamespaceBundles.even(57)
      const topics = TopicSet.from(Array.from({ length: 300_000 }, (_, i) => `${PUBLIC}t-${i}`))
      const calls: [number, number][] = []
      const indices = await bundles.indexOfAsync(topics, { onProgress: (done, total) => calls.push([done, total]) })
      t.deepEqual(indices, bundles.indexOf(topics))
      t.deepEqual(calls.at(-1), [300_000, 300_000])
      t.regex(await refusalOfAsync(() => bundles.indexOfAsync(topics, { signal: AbortSignal.abort() })), /AbortError/)
      t.regex(await refusalOfAsync(() => bundles.indexOfAsync(['a/b'])), /ERR_PLACEMENT_TOPIC_NAME/)
    })
  }
})

test('B01, B03, B11: names and ranges of production logs', (t) => {
  const topic = `${PUBLIC}test-topic-o`
  const split = NamespaceBundles.fromBoundaries([0, 0xf63fffff, 0xf64fffff, LAST])
  t.is(split.bundleOf(topic), '0xf63fffff_0xf64fffff')
  t.is(NamespaceBundles.even(10).range(7), '0xb333332f_0xccccccc8')
  const exact = (hash: number) => NamespaceBundles.fromBoundaries([0, hash, hash + 1, LAST])
  t.is(exact(0xf647b64d).indexOf(topic), 1)
  t.is(exact(0x41649557).indexOf(`non-${topic}`), 1)
})

test('two legal topics with one hash share every bundle', (t) => {
  const bundles = NamespaceBundles.fromBoundaries([0, 0xb4f4c980, 0xb4f4c981, LAST])
  t.deepEqual(bundles.bundleOf([`${PUBLIC}xs4ibwwl`, `${PUBLIC}adwoqc8j`]), Array(2).fill('0xb4f4c980_0xb4f4c981'))
})

test('a layout that begins above 0 or below it is found in as the broker does, and not indexed', (t) => {
  const above = NamespaceBundles.fromBoundaries(['0x08000000', '0x80000000', '0xffffffff'])
  t.is(above.findBundle(`${PUBLIC}t-ba9kr8z`).range, '0x08000000_0x80000000')
  t.is(
    refusalOf(() => above.findBundle(`${PUBLIC}t-atxq3zm`)),
    `PlacementError ERR_PLACEMENT_ORIGINAL_FAILS: ${PUBLIC}t-atxq3zm: the broker's look-up throws (Index -1 out of bounds for length 2)`,
  )
  const unsound =
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[0]: expected a layout that begins with 0, got 0x08000000; findBundle answers as the broker does [index 0]'
  t.is(
    refusalOf(() => above.indexOf('t')),
    unsound,
  )
  t.is(
    refusalOf(() => above.indexOf(['t'])),
    unsound,
  )
  t.is(
    refusalOf(() => above.indexOfHash(LAST)),
    unsound,
  )
  const below = NamespaceBundles.fromBoundaries(['-1', '0xffffffff'])
  t.deepEqual(below.ranges(), ['0xffffffffffffffff_0xffffffff'])
  t.is(below.findBundle('t').range, '0xffffffffffffffff_0xffffffff')
  t.regex(
    refusalOf(() => below.boundaries),
    /ERR_PLACEMENT_BOUNDARIES/,
  )
})

test('findBundle loses 0xffffffff as the broker does, where indexOf and bundleOf do not', (t) => {
  for (const n of [1, 2, 3, 64]) {
    const bundles = NamespaceBundles.even(n)
    const error = t.throws(() => bundles.findBundle('t-dukgt2d')) as CodedError
    t.is(error.code, 'ERR_PLACEMENT_ORIGINAL_FAILS')
    t.is(error.javaClass, 'java.lang.IndexOutOfBoundsException')
    t.is(error.javaMessage, `Index ${n} out of bounds for length ${n}`)
    t.is(bundles.indexOf('t-dukgt2d'), n - 1)
    t.is(bundles.bundleOf('t-dukgt2d'), bundles.range(n - 1))
  }
})

test('a name that is plain at a glance is canonical at every release, and of its namespace', (t) => {
  const piece = fc.constantFrom(
    'a',
    'b-1',
    'ns.x',
    '주제',
    ' ',
    '\u2007',
    '/',
    '//',
    '://',
    '-partition-3',
    '\n',
    '\ud800',
    '0',
    '~',
    '',
  )
  const domain = fc.constantFrom('persistent', 'non-persistent', 'Persistent', 'topic', 'segment', '')
  const rest = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
  const given = fc
    .tuple(domain, fc.constantFrom('a/b/', 'a/ns.x/', 'a', 'a/b', ''), rest)
    .map(([d, n, r]) => `${d}://${n}${r}`)
  let plain = 0
  t.notThrows(() =>
    fc.assert(
      fc.property(given, (name) => {
        if (!isPlain(name, null)) return true
        plain++
        return PULSAR_VERSIONS.every((version) => {
          const read = pulsar.TopicName.get(name, { version })
          return (
            read.toString() === name &&
            ['a/b', 'a/ns.x', 'a/ns', 'a/b/', 'a/b/a'].every(
              (namespace) => isPlain(name, namespace) === (read.namespace === namespace),
            )
          )
        })
      }),
      { numRuns: 20_000, seed: SEED },
    ),
  )
  t.true(plain > 500, `${plain} of 20,000 were plain`)
})

test('what is no name, no list and no index is refused by type or range', (t) => {
  const bundles = NamespaceBundles.even(4)
  t.is(
    refusalOf(() => bundles.indexOf(7 as never)),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: topics: expected a name, an array, a column or a TopicSet of names, got 7',
  )
  t.is(
    refusalOf(() => bundles.range(4)),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: index: expected an integer in [0, 3], got 4',
  )
  t.regex(
    refusalOf(() => bundles.findBundle(7 as never)),
    /ERR_PLACEMENT_ARGUMENT_TYPE/,
  )
  t.regex(
    refusalOf(() => NamespaceBundles.even(4, { namespace: 'a' })),
    /ERR_PLACEMENT_NAMESPACE/,
  )
  t.regex(
    refusalOf(() => bundles.indexOf(['t', 5 as never])),
    /ERR_PLACEMENT_KEY_TYPE.*\[index 1\]/,
  )
})
