/**
 * How many bundles: what each number gives and costs. Figures are those of spec/pulsar.md 2.3, 2.4 and 2.5, computed there
 * by zlib, or of a naive twin over it.
 */
import { crc32 } from 'node:zlib'
import test from 'ava'
import { sampleTopics } from '../examples/quickstart/sample.js'
import { engine } from '../src/engine/index.js'
import { pulsar, TopicSet } from '../src/index.js'
import { ENGINES, onEngine, onEngineAsync } from './engines.js'
import { nameOfCrc32 } from './oracle/crc-names.js'
import { below, generator } from './random.js'
import { refusalOf, refusalOfAsync } from './refusal.js'

const PUBLIC = 'persistent://public/default/'
const SEED = 20261202

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${PUBLIC}topic-${i}`)

const partitioned = (topics: number, partitions: number) =>
  Array.from({ length: topics * partitions }, (_, i) => {
    return `${PUBLIC}topic-${Math.floor(i / partitions)}-partition-${i % partitions}`
  })

const candidateOf = (topics: readonly string[], bundles: number, brokers = 16) =>
  pulsar.adviseBundles({ topics, brokers, candidates: [bundles] }).candidates[0]!

test("the README's namespace, the largest of the quickstart's sample, gets 64 bundles, and its table is right", (t) => {
  const topics = sampleTopics(1_000_000, 42).filter((name) => name.includes('://acme/prod/'))
  const { bundles, candidates, families } = pulsar.adviseBundles({ topics, brokers: 16 })
  t.deepEqual([topics.length, bundles], [15_839, 64])
  t.deepEqual(
    candidates.slice(0, 6).map(({ bundles: n, topicsPerBundle: { least, most }, packed, even, overLimit }) => {
      return `${n} ${least}-${most} ${packed.peakToMean.toFixed(2)} ${even.peakToMean.toFixed(2)} ${packed.idle} ${overLimit}`
    }),
    [
      '4 3943-3978 4.02 4.02 12 4',
      '8 1954-2006 2.03 2.03 8 8',
      '16 913-1076 1.09 1.09 0 8',
      '32 444-550 1.01 1.07 0 0',
      '64 217-282 1.00 1.03 0 0',
      '128 96-156 1.00 1.03 0 0',
    ],
  )
  t.deepEqual(candidates[3]!.against, [
    'topics of 8 partitions reach 4 of 32 bundles, where random names would reach 7.2',
  ])
  t.true(families.length > 0)
})

/** Spec 2.4: names, bundles, topics per bundle, peak over mean of equal counts and packed. */
const SPREAD: readonly [names: string[], bundles: number, least: number, most: number, even: number, packed: number][] =
  [
    [numbered(1000), 16, 43, 78, 1.25, 1.25],
    [numbered(1000), 32, 21, 44, 1.26, 1.04],
    [numbered(1000), 64, 10, 23, 1.06, 1.01],
    [numbered(1000), 128, 3, 13, 1.02, 1.01],
  ]

for (const name of ENGINES) {
  test(`${name}: 1,000 topics on 16 brokers, as the table of the specification has it`, (t) => {
    onEngine(name, () => {
      for (const [topics, bundles, least, most, even, packed] of SPREAD) {
        const found = candidateOf(topics, bundles)
        t.deepEqual(found.topicsPerBundle, { least, most }, `${bundles}`)
        t.deepEqual(
          [found.even, found.packed].map(({ peakToMean }) => Number(peakToMean.toFixed(2))),
          [even, packed],
        )
      }
      const four = candidateOf(numbered(1000), 4)
      t.true(four.even.peakToMean > 4.3 && four.even.peakToMean < 4.5)
      t.deepEqual([four.even.idle, four.packed.idle], [12, 12])
    })
  })

  test(`${name}: families of numbered topics crowd as the table of the specification has it`, (t) => {
    onEngine(name, () => {
      for (const [partitions, on32, ideal] of [
        [8, 4, 7.2],
        [10, 6, 8.7],
      ] as const) {
        const [crowd] = candidateOf(partitioned(150, partitions), 32).crowded
        t.deepEqual([crowd!.fewest, crowd!.most, crowd!.families, crowd!.kind], [on32, on32, 150, 'partitions'])
        t.is(Number(crowd!.expected.toFixed(1)), ideal)
        t.deepEqual(candidateOf(partitioned(150, partitions), 64).crowded, [])
      }
      for (const partitions of [3, 4]) t.deepEqual(candidateOf(partitioned(150, partitions), 32).crowded, [])
      const { families, bundles } = pulsar.adviseBundles({ topics: partitioned(100, 10), brokers: 16 })
      t.is(bundles, 64)
      t.deepEqual(families, [
        { kind: 'partitions', partitions: 10, families: 100, separatedByPowerOfTwo: 64, separatedBy: 64 },
      ])
    })
  })

  test(`${name}: numbered families are those of a naive twin (seed ${SEED})`, (t) => {
    const next = generator(SEED)
    const texts = ['t-', 't', '', 'orders-partition-', 'x-partition-', '7x', 'ключ-']
    const names = Array.from({ length: 3000 }, () => {
      const digits = below(next, 12)
      return texts[below(next, texts.length)]! + Array.from({ length: digits }, () => below(next, 3)).join('')
    })
    const hashes = Uint32Array.from(names, (text) => crc32(text))
    const expected = naiveFamilies(names, hashes)
    const found = onEngine(name, () => engine().numberedFamilies(TopicSet.from(names).chunks, hashes))
    t.deepEqual(plain(found), expected)
    // The same names in two chunks.
    const [left, right] = [TopicSet.from(names.slice(0, 1000)), TopicSet.from(names.slice(1000))]
    const chunks = [...left.chunks, ...right.chunks]
    t.deepEqual(plain(onEngine(name, () => engine().numberedFamilies(chunks, hashes))), expected)
  })

  test(`${name}: the async twin gives the same, tells its progress, and stops at a signal`, async (t) => {
    const question = { topics: numbered(5000), brokers: 3 }
    const seen: number[][] = []
    const advice = await onEngineAsync(name, () =>
      pulsar.adviseBundlesAsync(question, { onProgress: (...progress) => seen.push(progress) }),
    )
    t.deepEqual(
      advice,
      onEngine(name, () => pulsar.adviseBundles(question)),
    )
    t.deepEqual(
      seen,
      Array.from({ length: 9 }, (_, i) => [i + 1, 9]),
    )
    const stopped = new AbortController()
    const onProgress = (done: number) => {
      if (done === 2) stopped.abort(new Error('enough'))
    }
    await t.throwsAsync(pulsar.adviseBundlesAsync(question, { signal: stopped.signal, onProgress }), {
      message: 'enough',
    })
    await t.throwsAsync(pulsar.adviseBundlesAsync(question, { signal: AbortSignal.abort(new Error('never begun')) }), {
      message: 'never begun',
    })
  })
}

const plain = (families: object) =>
  Object.fromEntries(Object.entries(families).map(([key, column]) => [key, [...(column as Uint32Array)]]))

function naiveFamilies(names: readonly string[], hashes: Uint32Array) {
  const families = new Map<string, { numbers: number[]; hashes: number[] }>()
  names.forEach((name, i) => {
    const [, prefix, digits] = /^(.*?)([0-9]+)$/s.exec(name) ?? []
    if (digits === undefined || digits.length > 9) return
    const family = families.get(prefix!) ?? { numbers: [], hashes: [] }
    families.set(prefix!, family)
    family.numbers.push(Number(digits))
    family.hashes.push(hashes[i]!)
  })
  const all = [...families].filter(([, { numbers }]) => numbers.length > 1).sort(([a], [b]) => crc32(a) - crc32(b))
  return {
    sizes: all.map(([, { numbers }]) => numbers.length),
    least: all.map(([, { numbers }]) => Math.min(...numbers)),
    greatest: all.map(([, { numbers }]) => Math.max(...numbers)),
    isPartitions: all.map(([prefix]) => (prefix.endsWith('-partition-') ? 1 : 0)),
    starts: [0, ...all.map((_, i) => all.slice(0, i + 1).reduce((sum, [, { numbers }]) => sum + numbers.length, 0))],
    hashes: all.flatMap(([, family]) => family.hashes.sort((a, b) => a - b)),
  }
}

test('transaction coordinators: 16 on 64, and the numbers that part 8, 24, 32 and 64 of them', (t) => {
  // Spec 2.3.
  const sixteen = pulsar.transactionCoordinators()
  t.deepEqual([...sixteen.indices], [61, 32, 6, 27, 60, 33, 7, 26, 62, 35, 45, 48, 22, 11, 44, 49])
  const rows = [8, 16, 24, 32, 64].map((coordinators) => pulsar.transactionCoordinators({ coordinators }))
  t.deepEqual(
    rows.map(({ distinct, separatedBy, separatedByPowerOfTwo }) => [distinct, separatedBy, separatedByPowerOfTwo]),
    [
      [8, 37, 64],
      [16, 57, 64],
      [24, 57, 64],
      [30, 117, 128],
      [50, 170, 256],
    ],
  )
  const distinct = (bundles: number, coordinators = 16) =>
    pulsar.transactionCoordinators({ bundles, coordinators }).distinct
  t.deepEqual(
    [4, 8, 16, 32, 57, 65, 100].map((n) => distinct(n)),
    [4, 8, 8, 10, 16, 16, 15],
  )
  t.is(distinct(128, 64), 62)
})

test('advice for pulsar/system: 64 bundles for 16 coordinators', (t) => {
  const names = Array.from(
    { length: 16 },
    (_, i) => `persistent://pulsar/system/transaction_coordinator_assign-partition-${i}`,
  )
  const advice = pulsar.adviseBundles({ topics: names, brokers: 3, transactionCoordinators: 16 })
  t.is(advice.bundles, 64)
  t.deepEqual(advice.candidates.map(({ coordinators }) => coordinators).slice(0, 5), [4, 8, 8, 10, 16])
  t.is(advice.transactionCoordinators?.separatedBy, 57)
})

test('what a number of bundles costs: no more owned than topics, and their unloading at a restart', (t) => {
  const advice = pulsar.adviseBundles({ topics: numbered(100), brokers: 1, candidates: [64, 1024] })
  for (const { active, bundles, unloadSteps } of advice.candidates) {
    t.true(active <= Math.min(100, bundles))
    t.deepEqual(unloadSteps, { modular: active, extensible: Math.ceil(active / 64) })
  }
  const even = pulsar.NamespaceBundles.even(1024)
  t.is(advice.candidates[1]!.active, new Set(even.indexOf(numbered(100))).size)
})

test('bundles over a limit speak against a number, a hot topic does not: no number relieves it', (t) => {
  const many = pulsar.adviseBundles({ topics: numbered(5000), brokers: 2, candidates: [4, 8] })
  t.deepEqual(
    many.candidates.map(({ overLimit, hopeless }) => [overLimit, hopeless]),
    [
      [4, 0],
      [0, 0],
    ],
  )
  t.deepEqual(
    [many.bundles, many.candidates[0]!.against],
    [8, ['4 bundles are over a limit and would be split at once']],
  )
  const topics = [0, 0x40000000, 0x80000000, 0xc0000000].map((hash) => nameOfCrc32(`${PUBLIC}t-`, hash))
  const rates = { msgThroughputIn: [200 * 2 ** 20, 1, 1, 1] }
  const hot = pulsar.adviseBundles({ topics, rates, brokers: 2, candidates: [2, 4] })
  t.deepEqual([hot.unit, hot.bundles], ['bytes', 2])
  t.deepEqual(
    hot.candidates.map(({ overLimit, hopeless }) => [overLimit, hopeless]),
    [
      [1, 1],
      [0, 1],
    ],
  )
})

test('fewer topics than would go round evenly: what no number of bundles can mend is no objection', (t) => {
  // 80 topics on 24 brokers: some broker has 4, and the mean is 3.33.
  const advice = pulsar.adviseBundles({ topics: partitioned(10, 8), brokers: 24 })
  t.is(advice.bundles, 64)
  t.is(advice.candidates.find(({ bundles }) => bundles === 64)!.packed.peakToMean.toFixed(2), '1.20')
})

test('equal hashes over a limit are hopeless', (t) => {
  const topics = [0, 1].map((i) => nameOfCrc32(`${PUBLIC}t${i}-`, 7))
  const [found] = pulsar.adviseBundles({ topics, rates: { msgRateIn: [20_000, 20_000] }, brokers: 1 }).candidates
  t.deepEqual([found!.overLimit, found!.hopeless], [1, 1])
})

test(`counts and loads of any number of bundles are those of a walk over the topics (seed ${SEED})`, (t) => {
  const next = generator(SEED)
  const topics = Array.from({ length: 700 }, (_, i) => `${PUBLIC}${below(next, 2 ** 32).toString(36)}-${i}`)
  const bytes = topics.map(() => below(next, 1000))
  const brokers = 5
  for (const bundles of [1, 2, 3, 7, 57, 64, 100, 1000]) {
    const [found] = pulsar.adviseBundles({
      topics,
      brokers,
      candidates: [bundles],
      rates: { msgThroughputIn: bytes },
    }).candidates
    const sums = new Array<number>(bundles).fill(0)
    const counts = new Array<number>(bundles).fill(0)
    topics.forEach((topic, i) => {
      const index = Math.min(Math.floor(crc32(topic) / Math.floor(2 ** 32 / bundles)), bundles - 1)
      sums[index]! += bytes[i]!
      counts[index]!++
    })
    t.deepEqual(found!.topicsPerBundle, { least: Math.min(...counts), most: Math.max(...counts) })
    t.is(found!.active, counts.filter((count) => count > 0).length)
    const mean = bytes.reduce((a, b) => a + b) / brokers
    t.is(found!.even.peakToMean.toFixed(9), (Math.max(...onBrokers(sums, brokers)) / mean).toFixed(9))
    t.is(found!.packed.peakToMean.toFixed(9), (Math.max(...packed(sums, brokers)) / mean).toFixed(9))
  }
})

const onBrokers = (sums: number[], brokers: number) =>
  Array.from({ length: brokers }, (_, broker) =>
    sums.filter((_, i) => i % brokers === broker).reduce((a, b) => a + b, 0),
  )

function packed(sums: number[], brokers: number): number[] {
  const loads = new Array<number>(brokers).fill(0)
  for (const sum of sums.toSorted((a, b) => b - a)) loads[loads.indexOf(Math.min(...loads))]! += sum
  return loads
}

test('no topics: the smallest number, nothing idle but the brokers', (t) => {
  const advice = pulsar.adviseBundles({ topics: [], brokers: 3, version: '4.2' })
  t.deepEqual([advice.bundles, advice.defaultBundles, advice.topics], [4, 4, 0])
  t.deepEqual(advice.candidates[0]!.packed, { peakToMean: 1, idle: 3 })
})

const ask = (more: object) => () =>
  pulsar.adviseBundles({ topics: ['a', 'b'], brokers: 2, ...more } as pulsar.AdviceQuestion)

const REFUSED: readonly [claim: string, ask: () => unknown, refusal: string][] = [
  [
    'no brokers',
    ask({ brokers: 0 }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: brokers: expected an integer in [1, 100000], got 0',
  ],
  [
    'no candidates',
    ask({ candidates: [] }),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: candidates: expected numbers of bundles, got none',
  ],
  [
    'a candidate of none',
    ask({ candidates: [4, 0] }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: candidates[1]: expected an integer in [1, 65536], got 0',
  ],
  [
    'a rate that is NaN',
    ask({ rates: { msgRateIn: [1, Number.NaN] } }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rates.msgRateIn[1]: expected a number of 0 or more, got NaN [index 1]',
  ],
  [
    'a rate below 0',
    ask({ rates: { msgThroughputOut: [-1, 0] } }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rates.msgThroughputOut[0]: expected a number of 0 or more, got -1 [index 0]',
  ],
  [
    'rates of other topics',
    ask({ rates: { msgRateIn: [1] } }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rates.msgRateIn: expected a number for each of 2 topics, got 1',
  ],
  [
    'rates whose sum is no number',
    ask({ rates: { msgRateIn: [1e308, 1e308] } }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rates: expected a finite sum, got Infinity',
  ],
  [
    'a peak below the mean',
    ask({ maxPeakToMean: 0.5 }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: maxPeakToMean: expected a number of 1 or more, got 0.5',
  ],
  [
    'a name that Pulsar refuses',
    ask({ topics: ['a', 'b/c'] }),
    'RangeError ERR_PLACEMENT_TOPIC_NAME: topics[1]: topic name: expected <tenant>/<namespace>/<topic> or <topic>, got "b/c"; Pulsar 5.0 says: Invalid short topic name \'b/c\', it should be in the format of <tenant>/<namespace>/<topic> or <topic> [index 1]',
  ],
]

for (const [claim, question, refusal] of REFUSED) {
  test(`refused: ${claim}`, async (t) => {
    t.is(refusalOf(question), refusal)
    t.is(await refusalOfAsync(async () => question()), refusal)
  })
}
