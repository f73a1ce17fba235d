/** Measured loads: the JSON of Pulsar's own LocalBrokerData (written by the jars' Jackson, `test/pulsar-files`), and tables of bundles. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { pulsar } from '../src/index.js'
import { refusalOf } from './refusal.js'

const textOf = (release: string): string => readFileSync(`test/pulsar-files/load-report-${release}.json`, 'utf8')
const [A, B] = ['acme/prod/0x00000000_0x40000000', 'acme/prod/0x40000000_0x80000000'] as const
const BROKER = 'broker-1.example:8080'
const read = (text: string, name = 'f.json', cpu?: 'none' | 'messages') =>
  pulsar.readLoadReports([{ name, text }], { cpu })

/** 4 cores of which 120 % are used; 3 MB/s in of a card of 1 Gbit/s, of which the bundles have half. */
for (const release of ['5.0', '4.2', '3.0']) {
  test(`a load report of ${release}: limits in bytes, cpu dealt by bytes, what is left is the broker's`, (t) => {
    const { brokers, bundles, loads, notes } = read(textOf(release))
    t.deepEqual(brokers, [
      {
        name: BROKER,
        limits: { cpu: 400, directMemory: 4096, bandwidthIn: 125e6, bandwidthOut: 125e6 },
        base: { cpu: 0, directMemory: 25, bandwidthIn: 1.2, bandwidthOut: 4 },
      },
    ])
    t.deepEqual(bundles, [
      { name: A, owner: BROKER },
      { name: B, owner: BROKER },
    ])
    t.deepEqual(
      { ...loads[A] },
      { msgRateIn: 1000, msgRateOut: 2000, msgThroughputIn: 1e6, msgThroughputOut: 2e6, topics: 5, cpu: 90 },
    )
    t.is(loads[B]?.cpu, 30)
    t.deepEqual(notes, [])
  })
}

test('cpu is dealt by messages, or left with the broker', (t) => {
  const byMessages = read(textOf('5.0'), 'f', 'messages')
  t.deepEqual([byMessages.loads[A]?.cpu, byMessages.loads[B]?.cpu], [90, 30])
  const own = read(textOf('5.0'), 'f', 'none')
  t.deepEqual([own.brokers[0]?.base?.cpu, own.loads[A]?.cpu], [30, undefined])
})

test('reports come one behind the other, in an array, or by name; a simulation takes what was read', (t) => {
  const one = textOf('5.0').trim()
  const two = one.replaceAll('broker-1', 'broker-2').replaceAll('acme/prod', 'acme/test')
  for (const text of [`${one}\n${two}\n`, `[${one},\n${two}]`, `{"b1": ${one}, "b2": ${two}}`]) {
    const { brokers, bundles } = read(text)
    t.deepEqual(
      brokers.map(({ name }) => name),
      ['broker-1.example:8080', 'broker-2.example:8080'],
    )
    t.is(bundles.length, 4)
  }
})

test("a bundle that moved between two reports is the later one's, which is told", (t) => {
  const one = textOf('5.0').trim()
  const later = one.replaceAll('broker-1', 'broker-2').replace('1796120000000', '1796120001000')
  const { bundles, notes } = read(`[${one},${later}]`)
  t.deepEqual(
    bundles.map(({ owner }) => owner),
    ['broker-2.example:8080', 'broker-2.example:8080'],
  )
  t.is(notes[0]?.code, 'NOTE_LOAD_MOVED')
  t.is(
    refusalOf(() => read(`[${one},\n${one.replaceAll('broker-1', 'broker-2')}]`)),
    `RangeError ERR_PLACEMENT_DUPLICATE: f.json: line: 53, column: 1: bundle "${A}": expected one owner, got "broker-1.example:8080" and "broker-2.example:8080" at one time`,
  )
})

test('broker-stats topics: topics are summed by bundle, the broker is that of the file', (t) => {
  const stats = '{"msgRateIn":1,"msgRateOut":2,"msgThroughputIn":30,"msgThroughputOut":40,"storageSize":9}'
  const topics = `{"persistent":{"persistent://acme/prod/a":${stats},"persistent://acme/prod/b":${stats}},"non-persistent":{"c":${stats}}}`
  const { brokers, bundles, loads, notes } = read(
    `{"acme/prod":{"0x00000000_0x40000000":${topics}}}`,
    'x/broker-7.json',
  )
  t.deepEqual([brokers, bundles], [[{ name: 'broker-7' }], [{ name: A, owner: 'broker-7' }]])
  t.deepEqual({ ...loads[A] }, { msgRateIn: 3, msgRateOut: 6, msgThroughputIn: 90, msgThroughputOut: 120, topics: 3 })
  t.is(notes[0]?.code, 'NOTE_LOAD_NO_USAGE')
  const named = read(`{"b1":{"acme/prod":{"0x00000000_0x40000000":${topics}}},"b2":{}}`)
  t.deepEqual(
    named.brokers.map(({ name }) => name),
    ['b1', 'b2'],
  )
})

test('more usage than limit is cut to it, which is told', (t) => {
  const { brokers, notes } = read(textOf('5.0').replace('"usage": 1024.0', '"usage": 5000.0'))
  t.is(brokers[0]?.base?.directMemory, 100)
  t.is(notes[0]?.message, `broker "${BROKER}": directMemory: 5000 of 4096 was measured, and 4096 is taken`)
})

const REFUSED: readonly (readonly [text: string, refusal: RegExp])[] = [
  ['', /INPUT: f\.json: expected a load report, topics of a broker, or an array or object of them, got nothing$/],
  ['null', /line: 1, column: 1: expected a load report of the modular load manager .* got null, which the extensible/],
  ['{"a":1', /f\.json: line: 1, column: 7: expected ',' or '}'$/],
  ['3', /f\.json: line: 1, column: 1: expected an object, got 3$/],
  ['{"a":1}', /line: 1, column: 6: a: expected an object, got 1$/],
  ['[{"metrics":{},"dimensions":{}}]', /got broker-stats monitoring-metrics, which has no bundles$/],
  ['{"weightedMaxEMA":1}', /got the extensible manager's own report, without bundles$/],
  ['{"lastStats":{}}', /expected the field brokerId or webServiceUrl, got an object$/],
  ['{"lastStats":{},"webServiceUrl":"broker"}', /column: 33: webServiceUrl: expected a URL with a host, got "broker"$/],
  ['{"lastStats":{"x":{}}}', /line: 1, column: 19: expected a bundle such as .* got "x"$/],
  [
    `{"lastStats":{\n"${A}":{"msgRateIn":-1}}}`,
    /line: 2, column: 48: lastStats\["acme\/prod\/0x00000000_0x40000000"\]\.msgRateIn: expected a number of 0 or more, got -1$/,
  ],
  [`{"lastStats":{"${A}":{}}}`, /\.msgRateIn: expected a number of 0 or more, got nothing$/],
  [`{"lastStats":{"${A}":{"msgRateIn":"NaN"}}}`, /expected a number of 0 or more, got "NaN"$/],
  [
    '{"brokerId":"b","lastStats":{}} {"brokerId":"b","lastStats":{}}',
    /DUPLICATE: .*column: 33: broker "b": expected one answer/,
  ],
  [
    '{"brokerId":"b","lastStats":{},"cpu":{"usage":"x","limit":1}}',
    /cpu\.usage: expected a number of 0 or more, got "x"$/,
  ],
]

for (const [text, refusal] of REFUSED) {
  test(`a report that is none is refused with its place: ${text.slice(0, 60)}`, (t) => {
    t.regex(
      refusalOf(() => read(text)),
      refusal,
    )
  })
}

test('a table of bundles: constants, and series in any order of rows', (t) => {
  const one = pulsar.readBundleLoads('\ufeffowner,bundle,msgRateIn,cpu\r\nb1,"t/n/x",1e3,5\r\n,"a""b",0,.5\r\n')
  t.deepEqual(one.bundles, [{ name: 't/n/x', owner: 'b1' }, { name: 'a"b' }])
  t.deepEqual({ ...one.loads }, { 't/n/x': { msgRateIn: 1000, cpu: 5 }, 'a"b': { msgRateIn: 0, cpu: 0.5 } })
  const many = pulsar.readBundleLoads('bundle,step,msgRateIn,owner\nx,2,20,\ny,1,5,b2\nx,1,10,b1\nx,3,30,b1\n')
  t.is(many.steps, 3)
  t.deepEqual({ ...many.loads }, { x: { msgRateIn: Float64Array.of(10, 20, 30) }, y: { msgRateIn: 5 } })
  t.deepEqual(many.bundles, [
    { name: 'x', owner: 'b1' },
    { name: 'y', owner: 'b2' },
  ])
})

const TABLES: readonly (readonly [text: string, refusal: string])[] = [
  ['', 'ERR_PLACEMENT_INPUT: l.csv:1:1: expected a header such as bundle,msgRateIn, got nothing'],
  ['bundle,msgRateIn\n', 'ERR_PLACEMENT_INPUT: l.csv:2:1: expected rows behind the header, got none'],
  ['msgRateIn\n1', 'ERR_PLACEMENT_INPUT: l.csv:1:1: expected a column bundle, got none'],
  [
    'bundle,step\nx,1',
    'ERR_PLACEMENT_INPUT: l.csv:1:1: expected a column of msgRateIn, msgRateOut, msgThroughputIn, msgThroughputOut, cpu, directMemory, topics, got none',
  ],
  [
    'bundle,msgRateln\n',
    'ERR_PLACEMENT_UNKNOWN_NAME: l.csv:1:8: expected columns of bundle, step, owner, msgRateIn, msgRateOut, msgThroughputIn, msgThroughputOut, cpu, directMemory, topics, got "msgRateln" (did you mean msgRateIn?)',
  ],
  ['bundle,cpu,cpu\n', 'ERR_PLACEMENT_DUPLICATE: l.csv:1:12: expected each column once, got cpu twice'],
  ['bundle,cpu\nx,1,2', 'ERR_PLACEMENT_INPUT: l.csv:2:5: expected 2 fields as in the header, got 3'],
  ['bundle,cpu\nx', 'ERR_PLACEMENT_INPUT: l.csv:2:1: expected 2 fields as in the header, got 1'],
  ['bundle,cpu\n,1', 'ERR_PLACEMENT_INPUT: l.csv:2:1: expected the name of a bundle, got nothing'],
  ['bundle,cpu\nx,', 'ERR_PLACEMENT_INPUT: l.csv:2:3: cpu: expected a number of 0 or more, got nothing'],
  ['bundle,cpu\nx,NaN', 'ERR_PLACEMENT_ARGUMENT_RANGE: l.csv:2:3: cpu: expected a number of 0 or more, got "NaN"'],
  ['bundle,cpu\nx,-1', 'ERR_PLACEMENT_ARGUMENT_RANGE: l.csv:2:3: cpu: expected a number of 0 or more, got "-1"'],
  [
    'bundle,cpu\nx,Infinity',
    'ERR_PLACEMENT_ARGUMENT_RANGE: l.csv:2:3: cpu: expected a number of 0 or more, got "Infinity"',
  ],
  ['bundle,cpu\nx,12 %', 'ERR_PLACEMENT_INPUT: l.csv:2:3: cpu: expected a number of 0 or more, got "12 %"'],
  ['bundle,cpu\nx,1\n\nx,1', 'ERR_PLACEMENT_DUPLICATE: l.csv:4:1: expected each bundle once, got "x" again'],
  [
    'bundle,step,cpu\nx,1,1\nx,1,1',
    'ERR_PLACEMENT_DUPLICATE: l.csv:3:1: expected each bundle once, got step 1 of "x" again',
  ],
  [
    'bundle,step,cpu\ny,1,1\nx,1,1\nx,3,1',
    'ERR_PLACEMENT_INPUT: l.csv:3:1: "x": expected the steps 1 to 3 without gaps, got no step 2',
  ],
  ['bundle,step,cpu\nx,0,1', 'ERR_PLACEMENT_INPUT: l.csv:2:3: step: expected an integer in [1, 1000000], got "0"'],
  [
    'bundle,step,owner,cpu\nx,1,a,1\nx,2,b,1',
    'ERR_PLACEMENT_INPUT: l.csv:3:5: owner: expected the owner before step 1, "a", got "b"',
  ],
  ['bundle,cpu\n"x,1', 'ERR_PLACEMENT_INPUT: l.csv:2:1: expected a field that ends with its quote, got another'],
]

for (const [text, refusal] of TABLES) {
  test(`a table that is none is refused with line and column: ${JSON.stringify(text)}`, (t) => {
    t.is(refusalOf(() => pulsar.readBundleLoads(text, 'l.csv')).replace(/^\w+ /, ''), refusal)
  })
}
