/** Who decides a split: the modular manager's task, the extensible one's strategy, and the sequence of splits they make. */
import test from 'ava'
import { pulsar } from '../src/index.js'
import { concurrentMapOrder } from '../src/pulsar/java-map-order.js'
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
