/**
 * Layouts of Pulsar's bundles and what they are written in: counts, boundaries, ranges, BundlesData, defaults. TypeScript
 * alone, so asked once. Values are published ones (spec/pulsar.md 1.2, 2.1; logs of Pulsar's tracker).
 */
import test from 'ava'
import { type CodedError, type PulsarVersion, pulsar } from '../src/index.js'
import { refusalOf } from './refusal.js'

const { NamespaceBundle, NamespaceBundles } = pulsar
const LAST = 0xffffffff
const PUBLIC = 'persistent://public/default/'

test('equal bundles are cut as Pulsar cuts them: the remainder goes to the last', (t) => {
  const on = (n: number) => NamespaceBundles.even(n).toData().boundaries
  t.deepEqual(on(1), ['0x00000000', '0xffffffff'])
  t.deepEqual(on(2), ['0x00000000', '0x80000000', '0xffffffff'])
  t.deepEqual(on(3), ['0x00000000', '0x55555555', '0xaaaaaaaa', '0xffffffff'])
  t.deepEqual(on(9).slice(4, 8), ['0x71c71c70', '0x8e38e38c', '0xaaaaaaa8', '0xc71c71c4'])
  t.is(NamespaceBundles.even(9).range(6), '0xaaaaaaa8_0xc71c71c4', 'a log of apache/pulsar#22254')
  t.is(NamespaceBundles.even(10).range(9), '0xe6666661_0xffffffff')
  t.is(NamespaceBundles.even(120).range(47), '0x6444443e_0x66666660', 'a log of apache/pulsar#21722')
  t.is(NamespaceBundles.even(32).range(0), '0x00000000_0x08000000')
  t.is(NamespaceBundles.even(57).boundaries[1], Math.floor(2 ** 32 / 57))
  const million = NamespaceBundles.even(1_000_000)
  t.deepEqual([million.length, million.boundaries[999_999]], [1_000_000, 4294 * 999_999])
  t.is(million.indexOfHash(LAST), 999_999)
})

const COUNTS: [unknown, string][] = [
  [0, 'RangeError ERR_PLACEMENT_BUNDLE_COUNT: bundles: expected an integer in [1, 2147483647], got 0'],
  [-1, 'RangeError ERR_PLACEMENT_BUNDLE_COUNT: bundles: expected an integer in [1, 2147483647], got -1'],
  [2 ** 32, 'RangeError ERR_PLACEMENT_BUNDLE_COUNT: bundles: expected an integer in [1, 2147483647], got 4294967296'],
  [1.5, 'RangeError ERR_PLACEMENT_BUNDLE_COUNT: bundles: expected an integer in [1, 2147483647], got 1.5'],
  [Number.NaN, 'RangeError ERR_PLACEMENT_BUNDLE_COUNT: bundles: expected an integer in [1, 2147483647], got NaN'],
  [
    2 ** 31 - 1,
    'PlacementError ERR_PLACEMENT_UNSUPPORTED: bundles: expected at most 67108864, got 2147483647; Pulsar, too, runs out of memory on so many',
  ],
  ['4', 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: bundles: expected an integer, got "4"'],
  [undefined, 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: bundles: expected an integer, got undefined'],
]

for (const [count, refusal] of COUNTS) {
  test(`a number of bundles is refused: ${JSON.stringify(count)} ${count}`, (t) => {
    t.is(
      refusalOf(() => NamespaceBundles.even(count as number)),
      refusal,
    )
  })
}

const BOUNDARIES: [unknown, string][] = [
  [[], 'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[0]: expected at least 2 boundaries, got 0 [index 0]'],
  [['0x0'], 'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected at least 2 boundaries, got 1 [index 1]'],
  [
    [0, 9, 8, LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[2]: expected more than 0x00000009, got 0x00000008 [index 2]',
  ],
  [
    [0, 8, 8, LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[2]: expected more than 0x00000008 and less than 0xffffffff, got 0x00000008 [index 2]',
  ],
  [
    [0, 8],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected 0xffffffff, the last boundary of every layout, got 0x00000008 [index 1]',
  ],
  [
    [0, 0x100000000],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected an integer in [0, 0xffffffff], got 4294967296 [index 1]',
  ],
  [
    ['0x0', '0x100000000'],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected 0xffffffff, the last boundary of every layout, got 0x100000000 [index 1]',
  ],
  [
    ['0', 'zz', LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected a number such as "0x80000000", got "zz" [index 1]',
  ],
  [
    ['0', '0x7fffffffffffffff', LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected a number within 2^53, got "0x7fffffffffffffff" [index 1]',
  ],
  [
    [0, {}, LAST],
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: boundaries[1]: expected a number or a string, got an Object [index 1]',
  ],
  [7, 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: boundaries: expected an array or a Uint32Array, got 7'],
]

for (const [boundaries, refusal] of BOUNDARIES) {
  test(`boundaries of a layout are refused: ${JSON.stringify(boundaries)}`, (t) => {
    t.is(
      refusalOf(() => NamespaceBundles.fromBoundaries(boundaries as number[])),
      refusal,
    )
  })
}

test('boundaries are read as Java reads a long: hexadecimal, decimal, octal, with a sign, in any script', (t) => {
  const bundles = NamespaceBundles.fromBoundaries(['0', '010', '#a', '+11', '0X0c', '٣١', '4294967295'])
  t.deepEqual([...bundles.boundaries], [0, 8, 10, 11, 12, 31, LAST])
  t.deepEqual(NamespaceBundles.fromBoundaries(bundles.boundaries).toData(), bundles.toData())
})

test('a range is one of the layout, or refused in the words of the release', (t) => {
  const on = (version: PulsarVersion, namespace: string | undefined, range: string) => {
    const bundles = NamespaceBundles.even(4, { version, namespace })
    try {
      return bundles.validateBundle(range)
    } catch (error) {
      return (error as CodedError).javaMessage
    }
  }
  t.is(on('5.0', 'a/b', '0x40000000_0x80000000'), 1)
  t.is(on('3.0', 'a/b', '0x41000000_0x80000000'), 'Cannot find bundle in the bundles list')
  t.is(on('5.0', 'a/b', '0x41000000_0x80000000'), 'Cannot find bundle a/b/0x41000000_0x80000000 in the bundles list')
  t.is(on('5.0', undefined, '0x41000000_0x80000000'), undefined, 'without a namespace Java would have no name for it')
  t.is(on('5.0', 'a/b', '0xffffffff_0xffffffff'), 'Index 4 out of bounds for length 4')
})

test('of two faults the one is told that the broker meets first: the text of a range, its namespace, the range', (t) => {
  const javaMessageOf = (ask: () => unknown) => (t.throws(ask) as CodedError).javaMessage
  const format = 'Invalid namespace format. expected <tenant>/<namespace> but got: a'
  t.is(
    javaMessageOf(() => NamespaceBundle.parse('a', '2_1')),
    'Invalid range: [2..1)',
  )
  t.is(
    javaMessageOf(() => NamespaceBundle.parse('a', '1_1')),
    format,
  )
  t.is(
    javaMessageOf(() => NamespaceBundles.fromBoundaries([1, 0], { namespace: 'a' })),
    format,
  )
})

test('a bundle knows its hashes, its topics and its place in the order', (t) => {
  const [first, last] = [NamespaceBundle.parse('a/b', '0_010'), NamespaceBundle.parse('a/b', '#8_#ffffffff')]
  t.deepEqual([first.toString(), last.range], ['a/b/0x00000000_0x00000008', '0x00000008_0xffffffff'])
  t.deepEqual(
    [7, 8].map((hash) => first.includesHash(hash)),
    [true, false],
  )
  t.true(last.includesHash(LAST))
  t.deepEqual([first.compareTo(last), last.compareTo(first), first.compareTo(first)], [-1, 1, 0])
  t.true(NamespaceBundle.parse('public/default', '0xffffffff_0xffffffff').includes('t-dukgt2d'))
  t.false(first.includes(`${PUBLIC}t-atxq3zm`), 'another namespace')
  t.is(
    refusalOf(() => last.compareTo(NamespaceBundle.parse('a/b', '0x7_0x9'))),
    'RangeError ERR_PLACEMENT_BUNDLE_RANGE: bundle: expected a range apart from a/b/0x00000008_0xffffffff, got a/b/0x00000007_0x00000009',
  )
  t.is(
    refusalOf(() => NamespaceBundle.parse('a/b', '0x8')),
    'RangeError ERR_PLACEMENT_BUNDLE_RANGE: range: expected a bundle range such as "0x00000000_0xffffffff", got "0x8" (Pulsar: Invalid bundle range)',
  )
  t.regex(
    refusalOf(() => NamespaceBundle.parse('a/b', '0_0x7fffffffffffffff')),
    /expected ends within 2\^53/,
  )
  t.regex(
    refusalOf(() => NamespaceBundle.parse('a/b', 5 as never)),
    /^TypeError ERR_PLACEMENT_ARGUMENT_TYPE: range:/,
  )
})

test('BundlesData is read and written as Pulsar does, and told by line and column where it is no JSON', (t) => {
  const bundles = NamespaceBundles.even(2, { namespace: 'public/default' })
  const text = '{"boundaries":["0x00000000","0x80000000","0xffffffff"],"numBundles":2}'
  t.is(JSON.stringify(bundles), text)
  t.is(pulsar.writeBundlesData(bundles.toData()), text)
  t.deepEqual(NamespaceBundles.fromData(text).toData(), bundles.toData())
  t.deepEqual(NamespaceBundles.fromData({ ...bundles.toData(), numBundles: 99 }).toData(), bundles.toData())
  t.is(NamespaceBundles.fromData('{"numBundles":"7"}').length, 7)
  t.is(NamespaceBundles.fromData({ boundaries: [], numBundles: 3 }).length, 3)
  t.regex(
    refusalOf(() => NamespaceBundles.fromData('{}')),
    /^RangeError ERR_PLACEMENT_BUNDLE_COUNT: bundles: .* got 0$/,
  )
  t.is(
    refusalOf(() => NamespaceBundles.fromData('{"numBundles":\n 7,}')),
    'RangeError ERR_PLACEMENT_BUNDLES_DATA: BundlesData: expected a string in double quotes at line: 2, column: 4, got "}" [index 18]',
  )
  t.is(
    refusalOf(() => NamespaceBundles.fromData('{"boundaries":["0", 5')),
    `RangeError ERR_PLACEMENT_BUNDLES_DATA: BundlesData: expected ',' or ']' at line: 1, column: 22, got its end [index 21]`,
  )
  t.regex(
    refusalOf(() => NamespaceBundles.fromData(5 as never)),
    /^TypeError ERR_PLACEMENT_ARGUMENT_TYPE: data:/,
  )
  t.regex(
    refusalOf(() => pulsar.readBundlesData(`${'['.repeat(2000)}`)),
    /expected at most 1000 values inside each other/,
  )
  t.regex(
    refusalOf(() => NamespaceBundles.fromData('{"boundaries":["0",null]}')),
    /ERR_PLACEMENT_BOUNDARIES: boundaries\[1\]/,
  )
  t.regex(
    refusalOf(() => pulsar.validateBundlesData({})),
    /ERR_PLACEMENT_BOUNDARIES: boundaries: expected at least 2, got none/,
  )
})

test('defaults are those of the release: 32 bundles since 5.0, 4 before', (t) => {
  const of = (version?: PulsarVersion) => pulsar.defaults(version === undefined ? {} : { version })
  t.deepEqual(of().bundles, {
    namespace: 32,
    initialNamespace: 32,
    initialSystemNamespace: 64,
    systemNamespace: 64,
    heartbeatNamespace: 1,
  })
  t.deepEqual(
    (['2.10', '3.0', '4.2', '5.0'] as const).map((version) => [
      of(version).bundles.namespace,
      of(version).split.supportedNamespaceBundleSplitAlgorithms.length,
    ]),
    [
      [4, 2],
      [4, 4],
      [4, 4],
      [32, 4],
    ],
  )
  t.is(of('4.2').split.loadBalancerNamespaceMaximumBundles, 128)
  t.regex(
    refusalOf(() => of('1.0' as never)),
    /ERR_PLACEMENT_UNKNOWN_VERSION/,
  )
})
