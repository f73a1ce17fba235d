/** broker.conf: every name that a broker knows is taken, every misspelt setting refused; what a text means is in the vectors. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import type { PulsarVersion } from '../src/index.js'
import { pulsar } from '../src/index.js'
import { refusalOf } from './refusal.js'

const NAMES: Readonly<Record<PulsarVersion, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync('test/pulsar-files/broker-conf-names.json', 'utf8'),
)
const RELEASES = ['5.0', '4.2', '3.0'] as const

const settingsOf = (version: PulsarVersion) => pulsar.loadSettings({}, { version })

for (const version of RELEASES) {
  test(`${version}: a file with every setting of the release is taken, and what is about other things is counted`, (t) => {
    const names = Object.keys(NAMES[version])
    const text = names.map((name) => `# ${name}\n${name}=\n`).join('\n')
    const { settings, unused, others, notes } = pulsar.readBrokerConf(text, { version })
    t.deepEqual([settings, notes], [{}, []])
    const known = names.filter((name) => name.replace('Bandwith', 'Bandwidth') in settingsOf(version))
    t.true(unused.every((name) => /^load/.test(name)))
    t.is(known.length + unused.length + others, names.length)
  })

  test(`${version}: every setting is read with the type that it has in Java`, (t) => {
    const values: Record<string, string> = {
      int: '7',
      long: '2147483648',
      double: '0.25',
      boolean: 'true',
      Set: 'a, b',
      String: 's',
    }
    for (const [name, type] of Object.entries(NAMES[version])) {
      if (!(name in settingsOf(version))) continue
      const { settings } = pulsar.readBrokerConf(`${name}=${values[type]}`, { version })
      const expected = { int: 7, long: 2 ** 31, double: 0.25, boolean: true, Set: ['a', 'b'], String: 's' }[type]
      t.deepEqual({ ...settings }, { [name]: expected } as never, name)
      if (type === 'int')
        t.regex(
          refusalOf(() => pulsar.readBrokerConf(`${name}=2147483648`, { version })),
          /expected an integer/,
        )
    }
  })
}

test('a setting with one letter wrong is refused, and the right one told', (t) => {
  const wrongs = Object.keys(settingsOf('5.0')).flatMap((name) =>
    [1, 6, name.length - 1].map((at) => [name, at] as const),
  )
  for (const [name, at] of wrongs) {
    const wrong = name.slice(0, at) + name.slice(at + 1)
    const { code, message } = t.throws(() => pulsar.readBrokerConf(`# x\n ${wrong} = 1`)) as Error & { code: string }
    t.is(code, 'ERR_PLACEMENT_UNKNOWN_NAME')
    t.true(message.startsWith(`broker.conf:2:2: expected a setting of broker.conf, got "`), message)
    t.true(message.endsWith(`(did you mean ${name}?)`), `${wrong}: ${message}`)
  }
})

test('names of plugins and of one own are passed over', (t) => {
  const { settings, others } = pulsar.readBrokerConf('myPluginLimit=1\nPULSAR_PREFIX_x=2\nmaxThings=3\n')
  t.deepEqual([settings, others], [{}, 3])
})

test('of two lines the last counts, also where it is blank, and the first is told', (t) => {
  const { settings, notes } = pulsar.readBrokerConf('maxUnloadPercentage=0.3\nx=1\nmaxUnloadPercentage=\n', {
    name: 'b',
  })
  t.deepEqual(settings, {})
  t.deepEqual(notes, [
    {
      code: 'NOTE_CONF_TWICE',
      message: 'b:3:1: maxUnloadPercentage: it stands at b:1:1 too, and the last one counts',
      where: 'maxUnloadPercentage',
    },
  ])
})

test('a boolean that is neither is false, which is told', (t) => {
  const { settings, notes } = pulsar.readBrokerConf('lowerBoundarySheddingEnabled=yes')
  t.deepEqual(settings, { lowerBoundarySheddingEnabled: false })
  t.is(
    notes[0]?.message,
    'broker.conf:1:1: lowerBoundarySheddingEnabled: Pulsar takes "yes" for false, as all but "true"',
  )
})

test('what 3.0 does not know decides nothing there, which is told', (t) => {
  const text = 'loadBalancerBandwidthInResourceWeight=0.5\nloadBalancerSheddingExcludedNamespaces=a/b'
  const { settings, notes } = pulsar.readBrokerConf(text, { version: '3.0' })
  t.deepEqual(settings, {})
  t.deepEqual(
    notes.map(({ code }) => code),
    ['NOTE_CONF_RELEASE', 'NOTE_CONF_RELEASE'],
  )
})

test('a value that no broker starts with is told with line and column', (t) => {
  const refused = (text: string) => (t.throws(() => pulsar.readBrokerConf(text, { name: 'b.conf' })) as Error).message
  t.is(refused('\r\nminUnloadMessage = many'), 'b.conf:2:20: minUnloadMessage: expected an integer, got "many"')
  t.is(
    refused('a=\\\n b\nmaxUnloadPercentage=\\\n  0.4 # half'),
    'b.conf:4:3: maxUnloadPercentage: expected a number, got "0.4 # half"; a comment has a line of its own',
  )
  t.is(refused('x=1\ry=\\u12'), 'b.conf:2:3: expected four hexadecimal digits behind \\u')
  t.is(refused('loadBalancerFoo=1'), 'b.conf:1:1: expected a setting of broker.conf, got "loadBalancerFoo"')
  t.throws(() => pulsar.readBrokerConf(1 as never), { code: 'ERR_PLACEMENT_ARGUMENT_TYPE' })
})
