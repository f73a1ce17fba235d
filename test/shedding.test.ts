/** Shedders and placement strategies: settings by release, and loads that no broker reports. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { isCodedError, pulsar } from '../src/index.js'

const settings = pulsar.loadSettings()
const broker = (usage: object, more: object = {}): pulsar.BrokerLoad => ({ usage, bundles: [], ...more })

const DEFAULTS = JSON.parse(readFileSync('test/pulsar-files/load-setting-defaults.json', 'utf8'))

for (const version of ['3.0', '4.2', '5.0'] as const) {
  test(`settings have the defaults that the jar of ${version} has`, (t) => {
    const ours = pulsar.loadSettings({}, { version })
    const known = Object.entries(ours).filter(([name]) => Object.hasOwn(DEFAULTS[version], name))
    t.deepEqual(Object.fromEntries(known), DEFAULTS[version])
    // Namespaces could not be excluded then.
    t.is(Object.keys(ours).length - known.length, version === '3.0' ? 1 : 0)
  })
}

test('AvgShedder tells where it wants the bundles', (t) => {
  const shedder = new pulsar.AvgShedder(settings)
  const rates = { msgRateIn: 6000 }
  const brokers = {
    a: broker({ cpu: 90 }, { msgRateIn: 9000, bundles: ['t/n/0x0_0x1', 't/n/0x1_0x2'] }),
    b: broker({ cpu: 10 }),
  }
  const load = { brokers, bundles: { 't/n/0x0_0x1': rates, 't/n/0x1_0x2': { msgRateIn: 3000 } } }
  t.deepEqual([...shedder.findBundlesForUnloading(load)], [])
  t.deepEqual([...shedder.findBundlesForUnloading(load)], [['a', ['t/n/0x1_0x2']]])
  t.deepEqual([...shedder.planned], [['t/n/0x1_0x2', 'b']])
})

test('RoundRobinBrokerSelector keeps its turn when a broker that it saw is no candidate any more', (t) => {
  const selector = new pulsar.RoundRobinBrokerSelector()
  t.deepEqual(selector.choices(['b0', 'b1', 'b3']), ['b0'])
  t.deepEqual(selector.choices(['b0', 'b2', 'b3']), ['b2'])
  t.deepEqual(selector.choices(['b0', 'b2', 'b3']), ['b3'])
})

test('UniformLoadShedder takes what is wanted, before 4.2 up to 1,000 more, of messages and of bytes', (t) => {
  const taken = (version: '3.0' | '4.2' | '5.0', measure: 'msgRateIn' | 'msgThroughputIn', over: number): boolean => {
    const [most, least] = measure === 'msgRateIn' ? [1e5, 5e4] : [1e8, 1e7]
    const small = (most - least) * 0.2 + over
    const brokers = {
      a: broker({}, { [measure]: most, bundles: ['t/n/0x0_0x1', 't/n/0x1_0x2'] }),
      b: broker({}, { [measure]: least, bundles: ['t/n/0x2_0x3'] }),
    }
    const bundles = { 't/n/0x0_0x1': { [measure]: small }, 't/n/0x1_0x2': { [measure]: 2 * most } }
    const shedder = new pulsar.UniformLoadShedder(pulsar.loadSettings({ maxUnloadPercentage: 0.2 }, { version }), {
      version,
    })
    return shedder.findBundlesForUnloading({ brokers, bundles }).size > 0
  }
  for (const measure of ['msgRateIn', 'msgThroughputIn'] as const) {
    t.deepEqual(
      [0, 999, 1000, 1 << 20].map((over) => taken('3.0', measure, over)),
      [true, true, false, false],
    )
    for (const version of ['4.2', '5.0'] as const) {
      t.deepEqual(
        [-1, 0, 1].map((over) => taken(version, measure, over)),
        [true, true, false],
      )
    }
  }
})

const shed = (brokers: Readonly<Record<string, pulsar.BrokerLoad>>) =>
  new pulsar.OverloadShedder(settings).findBundlesForUnloading({ brokers, bundles: {} })

const REFUSED: readonly [title: string, ask: () => unknown, code: string, text: RegExp][] = [
  [
    'a setting misspelt',
    () => pulsar.loadSettings({ minUnloadMesage: 1 } as never),
    'ERR_PLACEMENT_UNKNOWN_NAME',
    /did you mean minUnloadMessage/,
  ],
  [
    'a setting of the wrong type',
    () => pulsar.loadSettings({ minUnloadMessage: '1' as never }),
    'ERR_PLACEMENT_ARGUMENT_TYPE',
    /minUnloadMessage/,
  ],
  [
    'a setting that is NaN',
    () => pulsar.loadSettings({ minUnloadMessage: Number.NaN }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /NaN/,
  ],
  [
    'a release that is not known here',
    () => pulsar.loadSettings({}, { version: '2.10' }),
    'ERR_PLACEMENT_UNSUPPORTED',
    /3\.0 or newer/,
  ],
  [
    'usage over 100 %',
    () => shed({ a: broker({ cpu: 101 }) }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /brokers\["a"\]\.usage\.cpu/,
  ],
  ['usage that is NaN', () => shed({ a: broker({ bandwidthIn: Number.NaN }) }), 'ERR_PLACEMENT_ARGUMENT_RANGE', /NaN/],
  ['a negative rate', () => shed({ a: broker({}, { msgRateIn: -1 }) }), 'ERR_PLACEMENT_ARGUMENT_RANGE', /msgRateIn/],
  ['no report', () => shed({ a: {} as never }), 'ERR_PLACEMENT_ARGUMENT_TYPE', /usage and bundles/],
  [
    'a bundle of two brokers',
    () => shed({ a: broker({}, { bundles: ['x'] }), b: broker({}, { bundles: ['x'] }) }),
    'ERR_PLACEMENT_DUPLICATE',
    /"x"/,
  ],
  [
    'a transfer load that is NaN',
    () =>
      new pulsar.TransferShedder(settings).findBundlesForUnloading({
        brokers: { a: { weightedMaxEMA: Number.NaN, msgThroughputEMA: 0, msgThroughputIn: 0, msgThroughputOut: 0 } },
        topBundles: {},
      }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /weightedMaxEMA/,
  ],
]

for (const [title, ask, code, text] of REFUSED) {
  test(`refused: ${title}`, (t) => {
    const error = t.throws(ask)
    t.true(isCodedError(error), String(error))
    t.is((error as { code?: string }).code, code)
    t.regex(error!.message, text)
  })
}
