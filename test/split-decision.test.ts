/** Who decides a split: the modular manager's task, the extensible one's strategy, and the sequence of splits they make. */
import test from 'ava'
import { pulsar } from '../src/index.js'
import { concurrentMapOrder } from '../src/pulsar/java-map-order.js'
import { nameOfCrc32 } from './oracle/crc-names.js'
import { refusalOf } from './refusal.js'
import { firstDifference } from './vectors/compare.js'
import { readVectors } from './vectors/file.js'
import { replayRequest } from './vectors/replay.js'

const LOW = 'a/b/0x00000000_0x80000000'
const HIGH = 'a/b/0x80000000_0xffffffff'
const OVER = { topics: 1001 }
const bundleCounts = { 'a/b': 2 }

const codesOf = (notes: readonly { readonly code: string }[]) => notes.map(({ code }) => code)

test('4.2 decides as 5.0 does: it has no vectors of its own', (t) => {
  const { family, lines } = readVectors(
    new URL('../../../test/vectors/pulsar/split-decision.jsonl', import.meta.url).pathname,
  )
  for (const { request, expected, line } of lines) {
    t.is(firstDifference(expected, replayRequest(family, request, '4.2')!), undefined, `line ${line}`)
  }
})

test('the modular manager splits at once what is over a limit in the long term', (t) => {
  const ask = (stats: pulsar.BundleStats, longTerm: pulsar.BundleRates) =>
    pulsar.modularSplits({ brokers: { b1: { [LOW]: stats } }, longTerm: { [LOW]: longTerm }, bundleCounts }).split.size
  t.is(ask({ topics: 2, msgRateIn: 90_000 }, {}), 0, 'the last minute alone does not count')
  t.is(ask({ topics: 2 }, { msgRateIn: 15_000, msgRateOut: 15_000 }), 0, 'at the limit')
  t.is(ask({ topics: 2 }, { msgRateIn: 15_000, msgRateOut: 15_000.1 }), 1)
  t.is(ask({ topics: 1 }, { msgRateIn: 90_000 }), 0, 'one topic is no reason to split')
})

test('the cap of 128 bundles holds within a pass', (t) => {
  const brokers = { b1: { [LOW]: OVER, [HIGH]: OVER } }
  const ask = (count: number) => pulsar.modularSplits({ brokers, bundleCounts: { 'a/b': count } })
  t.deepEqual(
    [126, 127, 128].map((count) => ask(count).split.size),
    [2, 1, 0],
  )
  t.deepEqual(codesOf(ask(127).notes), ['NOTE_SPLIT_MAXIMUM_BUNDLES'])
})

for (const [megabytes, modular, code] of [
  [2047, 0, []],
  [2048, 1, ['NOTE_SPLIT_BANDWIDTH_OVERFLOW']],
  [4096, 0, ['NOTE_SPLIT_BANDWIDTH_OVERFLOW']],
] as const) {
  test(`a bandwidth limit of ${megabytes} MB: ${modular} idle bundles of two topics are split`, (t) => {
    const config = { loadBalancerNamespaceBundleMaxBandwidthMbytes: megabytes }
    const found = pulsar.modularSplits({ brokers: { b1: { [LOW]: { topics: 2 } } }, bundleCounts, config })
    t.is(found.split.size, modular)
    t.deepEqual(codesOf(found.notes), [...code])
    const strategy = new pulsar.ExtensibleSplits({
      config: { ...config, loadBalancerNamespaceBundleSplitConditionHitCountThreshold: 0 },
    })
    t.is(strategy.findBundlesToSplit({ stats: { [LOW]: { topics: 2 } }, bundleCounts }).split.length, modular)
  })
}

test('the extensible manager waits for the fourth hit in a row, ten splits a cycle', (t) => {
  const strategy = new pulsar.ExtensibleSplits({ version: '5.0' })
  const keys = Array.from(
    { length: 14 },
    (_, i) => `a/b/0x${(i * 16).toString(16).padStart(8, '0')}_0x${(i * 16 + 16).toString(16).padStart(8, '0')}`,
  )
  const stats = Object.fromEntries(keys.map((key) => [key, OVER]))
  const cycles = [1, 2, 3, 4, 5].map(() => strategy.findBundlesToSplit({ stats, bundleCounts }).split)
  t.deepEqual(
    cycles.map((split) => split.length),
    [0, 0, 0, 10, 4],
  )
  t.deepEqual(
    cycles[4]!.map(({ bundle }) => bundle),
    keys.slice(10),
  )
})

test('B06: more boundaries than one are refused in every cycle, and named', (t) => {
  const key = 'a/b/0xaaaaaaa8_0xc71c71c4'
  const strategy = new pulsar.ExtensibleSplits({ boundariesOf: () => [3211714940, 3266565899] })
  for (const cycle of [1, 2, 3, 4, 5, 6]) {
    const { split, notes } = strategy.findBundlesToSplit({ stats: { [key]: OVER }, bundleCounts })
    t.deepEqual([split.length, codesOf(notes)], [0, cycle > 3 ? ['NOTE_SPLIT_SEVERAL_BOUNDARIES'] : []])
  }
})

test('a boundary on an end of its bundle loses the decisions of the cycle', (t) => {
  const strategy = new pulsar.ExtensibleSplits({
    config: { loadBalancerNamespaceBundleSplitConditionHitCountThreshold: 0 },
    boundariesOf: (bundle) => [bundle.lower === 0 ? 0x40000000 : bundle.lower],
  })
  t.is(
    refusalOf(() => strategy.findBundlesToSplit({ stats: { [LOW]: OVER, [HIGH]: OVER }, bundleCounts })),
    'RangeError ERR_PLACEMENT_SPLIT: a/b/0x80000000_0xffffffff: expected a boundary inside the bundle, got 2147483648 (Pulsar: Cannot create bundle object for an empty key range)',
  )
})

const REFUSED: readonly [claim: string, ask: () => unknown, refusal: string][] = [
  [
    'a rate that is NaN',
    () => pulsar.modularSplits({ brokers: { b1: { [LOW]: { topics: 2, msgRateIn: Number.NaN } } }, bundleCounts }),
    `RangeError ERR_PLACEMENT_ARGUMENT_RANGE: brokers["b1"]["${LOW}"].msgRateIn: expected a number of 0 or more, got NaN`,
  ],
  [
    'a long-term rate below 0',
    () =>
      pulsar.modularSplits({
        brokers: { b1: { [LOW]: { topics: 2 } } },
        longTerm: { [LOW]: { msgRateOut: -1 } },
        bundleCounts,
      }),
    `RangeError ERR_PLACEMENT_ARGUMENT_RANGE: longTerm["${LOW}"].msgRateOut: expected a number of 0 or more, got -1`,
  ],
  [
    'a namespace of which no count is given',
    () => pulsar.modularSplits({ brokers: { b1: { [LOW]: OVER } }, bundleCounts: {} }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: bundleCounts["a/b"]: expected the number of its bundles, got undefined',
  ],
  [
    'half a topic',
    () => new pulsar.ExtensibleSplits().findBundlesToSplit({ stats: { [LOW]: { topics: 2.5 } }, bundleCounts }),
    `RangeError ERR_PLACEMENT_ARGUMENT_RANGE: stats["${LOW}"].topics: expected an integer of 0 or more, got 2.5`,
  ],
  [
    'a report that is missing',
    () => new pulsar.ExtensibleSplits().findBundlesToSplit({ stats: { [LOW]: null as never }, bundleCounts }),
    `TypeError ERR_PLACEMENT_ARGUMENT_TYPE: stats["${LOW}"]: expected an object, got null`,
  ],
  [
    'the extensible manager of 2.10',
    () => new pulsar.ExtensibleSplits({ version: '2.10' }),
    'PlacementError ERR_PLACEMENT_UNSUPPORTED: version: expected 3.0 or newer for the extensible load manager, got 2.10',
  ],
]

for (const [claim, ask, refusal] of REFUSED) {
  test(`refused: ${claim}`, (t) => t.is(refusalOf(ask), refusal))
}

test('brokers are walked in the order of a ConcurrentHashMap', (t) => {
  const name = (i: number) => `broker-${i}:8080`
  const names = Array.from({ length: 40 }, (_, i) => name(i * 7))
  // What Java 17 prints of the keys of a map filled in that order; its table grows twice on the way.
  const walked = [
    126, 7, 231, 168, 196, 28, 203, 245, 140, 14, 182, 91, 63, 21, 77, 154, 238, 273, 112, 105, 189, 210, 252, 119, 147,
    49, 224, 161, 266, 35, 70, 84, 98, 56, 259, 175, 0, 217, 42, 133,
  ]
  t.deepEqual(concurrentMapOrder(names), walked.map(name))
  t.deepEqual(concurrentMapOrder(['b1', 'b2', 'b1']), ['b2', 'b1'])
})

/** Topics of these hashes. */
const topicsAt = (...hashes: number[]) => hashes.map((hash, i) => nameOfCrc32(`persistent://a/b/t${i}-`, hash))

const one = pulsar.NamespaceBundles.even(1, { namespace: 'a/b', version: '5.0' })

test('the sequence of splits ends when no bundle is over a limit: the modular manager at once, the extensible one later', (t) => {
  const topics = Array.from({ length: 5000 }, (_, i) => `persistent://a/b/topic-${i}`)
  const ask = (loadManager: pulsar.LoadManager) =>
    pulsar.simulateSplits({ bundles: one, topics, loads: {}, loadManager })
  const [modular, extensible] = [ask('modular'), ask('extensible')]
  t.deepEqual(
    modular.splits.slice(0, 3).map(({ cycle, bundle }) => [cycle, bundle]),
    [
      [1, '0x00000000_0xffffffff'],
      [2, '0x00000000_0x7fffffff'],
      [2, '0x7fffffff_0xffffffff'],
    ],
  )
  t.deepEqual([modular.bundles.length, modular.cycles, modular.quiet, modular.notes.length], [8, 4, true, 0])
  t.deepEqual(extensible.bundles.boundaries, modular.bundles.boundaries)
  t.deepEqual([...new Set(extensible.splits.map(({ cycle }) => cycle))], [4, 8, 12])
  t.true(extensible.bundles.countsOf(topics).every((count) => count <= 1000))
})

test('#22254: by traffic the extensible manager never splits what needs two cuts; the modular one does', (t) => {
  const topics = topicsAt(10, 20, 80, 90, 100, 110)
  const loads = { msgRateIn: [20_000, 20_000, 20_000, 20_000, 20_000, 20_000] }
  const config = { defaultNamespaceBundleSplitAlgorithm: 'flow_or_qps_equally_divide' }
  const ask = (loadManager: pulsar.LoadManager) =>
    pulsar.simulateSplits({ bundles: one, topics, loads, config, loadManager })
  const never = ask('extensible')
  t.deepEqual([never.splits.length, never.quiet], [0, true])
  t.deepEqual(codesOf(never.notes), ['NOTE_SPLIT_SEVERAL_BOUNDARIES'])
  t.regex(never.notes[0]!.message, /apache\/pulsar#22254/)
  t.deepEqual(
    ask('modular').splits.map(({ boundaries }) => boundaries),
    [[16, 51, 86, 96, 106]],
  )
})

for (const loadManager of ['modular', 'extensible'] as const) {
  test(`${loadManager}: one hot topic is split off from its neighbour, and then no split relieves it`, (t) => {
    const topics = topicsAt(0x10000000, 0x60000000, 0xf0000000)
    const loads = { msgThroughputIn: [200 * 2 ** 20, 1, 1] }
    const simulated = pulsar.simulateSplits({ bundles: one, topics, loads, loadManager })
    t.deepEqual(
      simulated.splits.map(({ bundle, reason }) => [bundle, reason]),
      [
        ['0x00000000_0xffffffff', 'Bandwidth'],
        ['0x00000000_0x7fffffff', 'Bandwidth'],
      ],
    )
    t.deepEqual(codesOf(simulated.notes), ['NOTE_SPLIT_ONE_HASH'])
    t.is(simulated.notes[0]!.where, '0x00000000_0x3fffffff')
  })
}

test('equal hashes on the lower end: the modular manager asks in vain, the extensible one loses its cycles', (t) => {
  const topics = topicsAt(0, 0, 5)
  const loads = { msgRateIn: [20_000, 20_000, 1] }
  const config = { defaultNamespaceBundleSplitAlgorithm: 'topic_count_equally_divide' }
  const codes = (loadManager: pulsar.LoadManager) => {
    const simulated = pulsar.simulateSplits({ bundles: one, topics, loads, config, loadManager })
    t.deepEqual([simulated.splits.length, simulated.quiet], [0, true])
    return codesOf(simulated.notes)
  }
  t.deepEqual(codes('modular'), ['NOTE_SPLIT_REFUSED'])
  t.deepEqual(codes('extensible'), ['NOTE_SPLIT_LOST_CYCLE'])
})

test('a load that changes is followed; too few cycles are told', (t) => {
  const topics = topicsAt(1, 2, 0xf0000000)
  const [cold, hot] = [{ consumers: [1, 1, 1] }, { consumers: [600, 1, 600] }]
  const question = { bundles: one, topics, loads: [cold, cold, hot, cold] }
  const simulated = pulsar.simulateSplits(question)
  t.deepEqual(
    simulated.splits.map(({ cycle, reason }) => [cycle, reason]),
    [[3, 'Sessions']],
  )
  t.true(simulated.quiet)
  t.deepEqual(codesOf(pulsar.simulateSplits({ ...question, maxCycles: 2 }).notes), ['NOTE_SPLIT_NOT_QUIET'])
})

test('refused: loads that are none, or not of these topics', (t) => {
  const ask = (loads: never) => () => pulsar.simulateSplits({ bundles: one, topics: topicsAt(1, 2), loads })
  t.is(
    refusalOf(ask([] as never)),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: loads: expected the load of one cycle or more, got none',
  )
  t.is(
    refusalOf(ask({ msgRateIn: [1, -1] } as never)),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rates.msgRateIn[1]: expected a number of 0 or more, got -1 [index 1]',
  )
  t.is(
    refusalOf(ask({ consumers: [1] } as never)),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: consumers: expected a number for each of 2 topics, got 1',
  )
})
