/** Splits of a bundle: where it is cut, the layout after, what moves; each algorithm of Pulsar, and ours beside it. */
import test from 'ava'
import type { FlowLimits, Flows } from '../src/engine/contract.js'
import { engine } from '../src/engine/index.js'
import { isCodedError, pulsar, TopicSet } from '../src/index.js'
import { ENGINES, onEngine } from './engines.js'
import { nameOfCrc32 } from './oracle/crc-names.js'
import { below, generator } from './random.js'
import { refusalOf } from './refusal.js'

const MIB = 1024 * 1024
const LAST = 0xffffffff
const NS = 'public/default'

/** A topic of that hash. */
const at = (hash: number, i = 0) => nameOfCrc32(`persistent://${NS}/t${i}-`, hash)

const layout = (...edges: number[]) => pulsar.NamespaceBundles.fromBoundaries(edges, { namespace: NS, version: '5.0' })

/** What Java throws, as a call of ours tells it. */
function javaOf(ask: () => unknown): string {
  try {
    return `no error, but ${JSON.stringify(ask())}`
  } catch (error) {
    return isCodedError(error) ? `${error.code} ${error.javaClass}: ${error.javaMessage}` : String(error)
  }
}

test('B03: ten bundles, the eighth is cut in the middle of its range', (t) => {
  const split = pulsar.NamespaceBundles.even(10, { version: '5.0' }).split('0xb333332f_0xccccccc8')
  t.deepEqual(split.boundaries, [0xbffffffb])
  t.is(split.bundles.length, 11)
  t.deepEqual(
    split.children.map(({ range }) => range),
    ['0xb333332f_0xbffffffb', '0xbffffffb_0xccccccc8'],
  )
  t.deepEqual(split.notes, [])
})

test('B06: two boundaries make three bundles', (t) => {
  const bundles = pulsar.NamespaceBundles.even(9, { version: '5.0' })
  const split = bundles.splitBundles('0xaaaaaaa8_0xc71c71c4', { boundaries: [3211714940, 3266565899] })!
  t.deepEqual(
    split.children.map(({ range }) => range),
    ['0xaaaaaaa8_0xbf6ee17c', '0xbf6ee17c_0xc2b3d70b', '0xc2b3d70b_0xc71c71c4'],
  )
})

const B07 = {
  range: { lower: 0, upper: 0x200 },
  hashes: Uint32Array.of(10, 20, 80, 90, 100, 110),
  rates: {
    msgRateIn: [100, 200, 300, 400, 500, 600],
    msgThroughputIn: [10, 20, 30, 40, 50, 60].map((mib) => mib * MIB),
  },
  config: { loadBalancerNamespaceBundleMaxMsgRate: 1100, loadBalancerNamespaceBundleMaxBandwidthMbytes: 110 },
  version: '5.0',
} as const

for (const name of ENGINES) {
  test(`${name}: B07: by traffic at 96, by topic count at 85`, (t) => {
    onEngine(name, () => {
      t.deepEqual(pulsar.splitBoundaries({ ...B07, algorithm: 'flow_or_qps_equally_divide' }), [96])
      t.deepEqual(pulsar.splitBoundaries({ ...B07, algorithm: 'topic_count_equally_divide' }), [85])
    })
  })
}

test('the last bundle, and the only one, are cut one hash below the middle; ours in the middle', (t) => {
  // Spec 3.1: [e0000000, ffffffff] at efffffff, the full bundle at 7fffffff.
  const [one, eight] = [pulsar.NamespaceBundles.even(1), pulsar.NamespaceBundles.even(8)]
  t.deepEqual(one.split('0x00000000_0xffffffff').boundaries, [0x7fffffff])
  const last = eight.split('0xe0000000_0xffffffff')
  t.deepEqual(last.boundaries, [0xefffffff])
  t.is(last.notes[0]?.code, 'NOTE_SPLIT_LAST_BUNDLE')
  const ours = one.split('0x00000000_0xffffffff', { algorithm: 'range_equally_divide_corrected' })
  t.deepEqual(ours.bundles.boundaries, pulsar.NamespaceBundles.even(2).boundaries)
})

test('by topic count: the topics of the parent get another bundle, the others keep theirs', (t) => {
  const topics = [at(0x10000000), at(0x90000000), at(0xa0000000), at(0xb0000000), at(0xc0000000, 1), at(LAST)]
  const bundles = layout(0, 0x80000000, LAST)
  const split = bundles.split('0x80000000_0xffffffff', { algorithm: 'topic_count_equally_divide', topics })
  t.deepEqual(split.boundaries, [0xa8000000])
  t.deepEqual([...split.moved], [1, 2, 3, 4, 5], 'the hash 0xffffffff too')
  t.deepEqual([...split.childOf], [0, 0, 1, 1, 1])
  t.deepEqual([...split.counts], [2, 3])
  const before = bundles.bundleOf(topics)
  const after = split.bundles.bundleOf(topics)
  t.deepEqual(
    topics.flatMap((_, i) => (before[i] === after[i] ? [] : [i])),
    [...split.moved],
  )
  t.deepEqual(split.unloaded, [], 'the broker keeps the parts')
  const unloading = bundles.split('LARGEST', { algorithm: 'topic_count_equally_divide', topics, parts: 'unloaded' })
  t.deepEqual(unloading.unloaded, unloading.children)
  t.is(unloading.parent.range, '0x80000000_0xffffffff')
})

test('equal hashes in the middle go right together; ours cuts beside them', (t) => {
  const topics = [7, 7, 7, 9].map((hash, i) => at(hash, i))
  const bundles = layout(0, LAST)
  const split = bundles.split('LARGEST', { algorithm: 'topic_count_equally_divide', topics })
  t.deepEqual([split.boundaries, [...split.counts]], [[7], [0, 4]])
  t.deepEqual(
    split.notes.map(({ code }) => code),
    ['NOTE_SPLIT_EQUAL_HASHES', 'NOTE_SPLIT_EMPTY_CHILD'],
  )
  const ours = bundles.split('LARGEST', { algorithm: 'topic_count_equally_divide_corrected', topics })
  t.deepEqual([ours.boundaries, [...ours.counts]], [[8], [3, 1]])
})

test('equal hashes on the lower end of the bundle: the broker refuses its own cut; ours finds one or none', (t) => {
  const topics = [0, 0, 5].map((hash, i) => at(hash, i))
  const split = (algorithm: pulsar.SplitAlgorithm, names: string[]) =>
    layout(0, LAST).split('LARGEST', { algorithm, topics: names })
  t.is(
    javaOf(() => split('topic_count_equally_divide', topics.slice(0, 2))),
    'ERR_PLACEMENT_SPLIT java.lang.IllegalArgumentException: The given fixed keys must between the key range of the public/default/0x00000000_0xffffffff bundle',
  )
  t.deepEqual(split('topic_count_equally_divide_corrected', topics).boundaries, [3])
  t.deepEqual(split('topic_count_equally_divide_corrected', topics.slice(0, 2)).boundaries, [])
})

test('two legal topics of one hash: no split of any algorithm parts them', (t) => {
  // cases.md: both 0xb4f4c980.
  const topics = [`persistent://${NS}/xs4ibwwl`, `persistent://${NS}/adwoqc8j`]
  const rates = { msgRateIn: [90000, 90000] }
  const config = { defaultNamespaceBundleSplitAlgorithm: 'flow_or_qps_equally_divide' }
  for (const algorithm of pulsar.SPLIT_ALGORITHMS) {
    const options = { algorithm, topics, rates, config, positions: [0xb4f4c980] }
    const { counts } = pulsar.NamespaceBundles.even(1).split('LARGEST', options)
    t.true(
      counts.every((count) => count === 0 || count === 2),
      algorithm,
    )
  }
})

test('nothing to split is a success that says so', (t) => {
  const bundles = layout(0, LAST)
  const split = bundles.split('0x00000000_0xffffffff', { algorithm: 'topic_count_equally_divide', topics: ['t'] })
  t.is(split.bundles, bundles)
  t.deepEqual([split.boundaries, split.children, [...split.moved]], [[], [], []])
  t.is(split.notes[0]?.code, 'NOTE_SPLIT_NOTHING')
})

test('positions given twice make an empty bundle, which the broker refuses; ours takes them once', (t) => {
  const options = { topics: ['a', 'b'], positions: [9, 5, 9, 0, LAST] }
  const bundles = layout(0, LAST)
  t.is(
    javaOf(() => bundles.split('LARGEST', { ...options, algorithm: 'specified_positions_divide' })),
    'ERR_PLACEMENT_SPLIT java.lang.IllegalArgumentException: Cannot create bundle object for an empty key range',
  )
  const ours = bundles.split('0x00000000_0xffffffff', { ...options, algorithm: 'specified_positions_divide_corrected' })
  t.deepEqual(ours.boundaries, [5, 9])
})

test('by traffic: the documented example as the code computes it, and ours with one cut', (t) => {
  // Spec 3.4: hashes 0x10…0x76, rates 100..600, at most 450.
  const hashes = Uint32Array.of(0x10000000, 0x15000000, 0x24000000, 0x39000000, 0x58000000, 0x76000000)
  const question = {
    range: { lower: 0, upper: LAST },
    hashes,
    rates: { msgRateIn: [100, 200, 300, 400, 500, 600] },
    config: { loadBalancerNamespaceBundleMaxMsgRate: 450 },
    version: '5.0',
  } as const
  const theirs = pulsar.splitBoundaries({ ...question, algorithm: 'flow_or_qps_equally_divide' })
  t.deepEqual(theirs, [0x1c800001, 0x2e800001, 0x48800001, 0x67000001])
  // 1000 of 2100 left, 1100 right.
  t.deepEqual(pulsar.splitBoundaries({ ...question, algorithm: 'flow_or_qps_equally_divide_corrected' }), [0x48800000])
})

test('by traffic before 5.0: only where it is the default', (t) => {
  const ask = (version: '3.0' | '4.2', config: pulsar.SplitConfig = {}) =>
    pulsar.splitBoundaries({
      ...B07,
      algorithm: 'flow_or_qps_equally_divide',
      version,
      config: { ...B07.config, ...config },
    })
  for (const version of ['3.0', '4.2'] as const) {
    t.regex(
      javaOf(() => ask(version)),
      /^ERR_PLACEMENT_ORIGINAL_FAILS java\.lang\.ClassCastException: class org\.apache/,
    )
    t.deepEqual(ask(version, { defaultNamespaceBundleSplitAlgorithm: 'flow_or_qps_equally_divide' }), [96])
  }
})

test('2.10 has two algorithms, and texts of its own', (t) => {
  const bundles = pulsar.NamespaceBundles.even(1, { namespace: NS, version: '2.10' })
  t.is(
    javaOf(() => bundles.split('LARGEST', { algorithm: 'flow_or_qps_equally_divide', topics: ['a'] })),
    'ERR_PLACEMENT_UNKNOWN_NAME org.apache.pulsar.broker.web.RestException: Unsupported namespace bundle split algorithm, supported algorithms are [range_equally_divide, topic_count_equally_divide]',
  )
  // Read in the jar of 2.10.5.
  t.is(
    javaOf(() => bundles.split('LARGEST', { algorithm: 'topic_count_equally_divide', topics: [at(0), at(0, 1)] })),
    'ERR_PLACEMENT_SPLIT java.lang.IllegalArgumentException: The given fixed key must between the key range of the public/default/0x00000000_0xffffffff bundle',
  )
  const narrow = pulsar.NamespaceBundles.fromBoundaries([0, 1, LAST], { namespace: NS, version: '2.10' })
  t.is(
    javaOf(() => narrow.split('0x00000000_0x00000001')),
    "ERR_PLACEMENT_SPLIT java.lang.IllegalArgumentException: public/default/0x00000000_0x00000001 bundle can't be split further",
  )
})

test('HOT is the bundle with most bytes a second, and most topics under the extensible manager', (t) => {
  const topics = [at(1), at(2), at(0xc0000000)]
  const rates = { msgThroughputOut: [1, 1, 5] }
  const bundles = layout(0, 0x80000000, LAST)
  t.is(bundles.split('HOT', { topics, rates }).parent.range, '0x80000000_0xffffffff')
  t.is(bundles.split('HOT', { topics, rates, loadManager: 'extensible' }).parent.range, '0x00000000_0x80000000')
  t.is(bundles.split('HOT', { topics }).parent.range, '0x00000000_0x80000000', 'without traffic the first with topics')
  for (const word of ['LARGEST', 'HOT'] as const) {
    const java = `ERR_PLACEMENT_BUNDLE_RANGE org.apache.pulsar.broker.web.RestException: Bundle range ${word} not found`
    t.is(
      javaOf(() => bundles.split(word)),
      java,
    )
  }
})

const WHOLE = '0x00000000_0xffffffff'
const RATES = 'rates.msgRateIn'

const REFUSED: readonly [claim: string, ask: () => unknown, refusal: string][] = [
  [
    'a range that is no bundle here',
    () => layout(0, LAST).split('0x00000000_0x80000000'),
    'RangeError ERR_PLACEMENT_BUNDLE_RANGE: range: Invalid upper boundary for bundle public/default/0x00000000_0x80000000. Expected upper boundary of public/default/0x00000000_0xffffffff',
  ],
  [
    'an algorithm of another spelling',
    () => layout(0, LAST).split(WHOLE, { algorithm: 'RANGE_EQUALLY_DIVIDE' as never }),
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: algorithm: expected one of range_equally_divide, topic_count_equally_divide, specified_positions_divide, flow_or_qps_equally_divide as Pulsar 5.0, got "RANGE_EQUALLY_DIVIDE" (did you mean range_equally_divide?)',
  ],
  [
    'no positions',
    () => layout(0, LAST).split(WHOLE, { algorithm: 'specified_positions_divide' }),
    'RangeError ERR_PLACEMENT_SPLIT: positions: expected one or more for specified_positions_divide, got none',
  ],
  [
    'rates that are NaN',
    () => layout(0, LAST).split(WHOLE, { topics: ['a', 'b'], rates: { msgRateIn: [1, Number.NaN] } }),
    `RangeError ERR_PLACEMENT_ARGUMENT_RANGE: ${RATES}[1]: expected a number of 0 or more, got NaN [index 1]`,
  ],
  [
    'rates that are missing',
    () => layout(0, LAST).split(WHOLE, { topics: ['a', 'b'], rates: { msgRateIn: [1] } }),
    `RangeError ERR_PLACEMENT_ARGUMENT_RANGE: ${RATES}: expected a number for each of 2 topics, got 1`,
  ],
  [
    'rates that are no numbers',
    () => layout(0, LAST).split(WHOLE, { topics: ['a', 'b'], rates: { msgRateIn: [1, '2' as never] } }),
    `TypeError ERR_PLACEMENT_ARGUMENT_TYPE: ${RATES}[1]: expected a number of 0 or more, got "2" [index 1]`,
  ],
  [
    'topics of another namespace',
    () => layout(0, LAST).split(WHOLE, { topics: ['a', 'persistent://x/y/b'] }),
    'RangeError ERR_PLACEMENT_NAMESPACE: topics[1]: expected a topic of public/default, got "persistent://x/y/b" [index 1]',
  ],
  [
    'a setting that is no integer',
    () => layout(0, LAST).split(WHOLE, { config: { loadBalancerNamespaceBundleMaxMsgRate: 1.5 } }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: config.loadBalancerNamespaceBundleMaxMsgRate: expected an integer in [-2147483648, 2147483647], got 1.5',
  ],
]

for (const [claim, ask, refusal] of REFUSED) {
  test(`refused: ${claim}`, (t) => t.is(refusalOf(ask), refusal))
}

test('a layout that does not begin with 0 answers splitBundles as the broker does, but knows no topics', (t) => {
  const bundles = layout(0x100, LAST)
  t.is(bundles.splitBundles('0x00000100_0xffffffff', { into: 2 })?.bundles.length, 2)
  t.regex(
    refusalOf(() => bundles.split('LARGEST', { topics: ['a'] })),
    /ERR_PLACEMENT_BOUNDARIES/,
  )
})

/** The definition, over whole lists. */
function naiveFlow({ hashes, msgRates, throughputs }: Flows, limits: FlowLimits): number[] | null {
  const topics = [...hashes].map((hash, i) => ({ hash, rate: msgRates[i]!, bytes: throughputs[i]! }))
  const some = topics.filter(({ rate, bytes }) => rate > 0 || bytes > 0)
  const byHash = new Map(some.map((topic) => [topic.hash, topic]))
  const sum = (field: 'rate' | 'bytes') => some.reduce((all, topic) => all + topic[field], 0)
  const small = sum('rate') < limits.maxMsgRate * limits.share && sum('bytes') < limits.maxThroughput * limits.share
  if (byHash.size < 2 || small) return null
  const sorted = some.map(({ hash }) => hash).sort((a, b) => a - b)
  const cuts: number[] = []
  let { rate, bytes } = byHash.get(sorted[0]!)!
  for (const [i, hash] of sorted.entries()) {
    if (i === 0) continue
    const next = byHash.get(hash)!
    const isFull = rate + next.rate > limits.maxMsgRate || bytes + next.bytes > limits.maxThroughput
    if (isFull) cuts.push(Number((BigInt(sorted[i - 1]!) + BigInt(hash)) / 2n) + 1)
    rate = isFull ? next.rate : rate + next.rate
    bytes = isFull ? next.bytes : bytes + next.bytes
  }
  return cuts
}

const SEED = 20261201

for (const name of ENGINES) {
  test(`${name}: cuts and order of random hashes are those of a naive twin (seed ${SEED})`, (t) => {
    const next = generator(SEED)
    for (const length of [2, 3, 4, 5, 10, 100, 1000, 4095, 4096, 4097, 5000, 20000]) {
      for (const span of [3, length, 2 ** 20, 2 ** 32]) {
        const base = below(next, 2 ** 32 - span + 1)
        const hashes = Uint32Array.from({ length }, () => base + below(next, span))
        const flows = {
          hashes,
          msgRates: Float64Array.from({ length }, () => below(next, 4) * 10.1 - 5),
          throughputs: Float64Array.from({ length }, () => below(next, 3) * 7.7),
        }
        const limits = { maxMsgRate: 1 + below(next, length), maxThroughput: 1 + below(next, 3 * length), share: 1.1 }
        const copy = hashes.slice()
        const sorted = Array.from(hashes, (hash, i) => [hash, i] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1])
        const [left, right] = [sorted[(length >> 1) - 1]![0], sorted[length >> 1]![0]]
        onEngine(name, () => {
          t.is(engine().middleHash(hashes), Number((BigInt(left) + BigInt(right)) / 2n))
          const cuts = engine().flowBoundaries(flows, limits)
          t.deepEqual(cuts === null ? null : [...cuts], naiveFlow(flows, limits))
          const [inOrder, order] = [new Uint32Array(length), new Uint32Array(length)]
          engine().sortHashes(hashes, inOrder, order)
          t.deepEqual(
            [...inOrder],
            sorted.map(([hash]) => hash),
          )
          t.deepEqual(
            [...order],
            sorted.map(([, i]) => i),
          )
          const alone = new Uint32Array(length)
          engine().sortHashes(hashes, alone, null)
          t.deepEqual(alone, inOrder)
        })
        t.deepEqual(hashes, copy, 'the hashes given stay as they are')
      }
    }
  })

  test(`${name}: a TopicSet is split as the array it is made of, and sorted off the event loop too`, async (t) => {
    const names = Array.from({ length: 3000 }, (_, i) => `persistent://${NS}/topic-${i}`)
    const split = (topics: pulsar.SplitOptions['topics']) =>
      onEngine(name, () => layout(0, LAST).split('LARGEST', { algorithm: 'topic_count_equally_divide', topics }))
    t.deepEqual(split(TopicSet.from(names)), split(names))
    t.deepEqual([...split(names).counts], [1500, 1500])
    const [hashes, sorted, order] = [Uint32Array.of(3, 1, 2), new Uint32Array(3), new Uint32Array(3)]
    await onEngine(name, () => engine().sortHashesAsync(hashes, sorted, order))
    t.deepEqual(
      [[...sorted], [...order]],
      [
        [1, 2, 3],
        [1, 2, 0],
      ],
    )
  })
}
