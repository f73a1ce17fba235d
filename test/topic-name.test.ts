import { readFileSync } from 'node:fs'
import test from 'ava'
import { ofString } from '../src/fallback/hash/java-string.js'
import { deadLetterTopics } from '../src/pulsar/dead-letter.js'
import { NamespaceName } from '../src/pulsar/namespace-name.js'
import { TopicName } from '../src/pulsar/topic-name.js'
import { PULSAR_VERSIONS } from '../src/types.js'
import { refusalOf } from './refusal.js'
import { replayFile } from './vectors/replay.js'

for (const release of PULSAR_VERSIONS) {
  const suffix = release === '5.0' ? '' : `@${release}`
  test(`topic, namespace and dead-letter names are those of Pulsar ${release}`, (t) => {
    const { failures, skipped, passed } = replayFile(`test/vectors/pulsar/topic-name${suffix}.jsonl`, [])
    t.deepEqual(failures.slice(0, 3), [])
    t.deepEqual([...skipped], [])
    t.true((passed.get('typescript') ?? 0) > 80)
  })
}

test('names are read as the newest release reads them, unless another is named', (t) => {
  t.is(TopicName.get('t').version, '5.0')
  t.is(TopicName.get('PERSISTENT://a/b/c').toString(), 'PERSISTENT://a/b/c')
  t.is(TopicName.get('PERSISTENT://a/b/c', { version: '3.0' }).toString(), 'persistent://a/b/c')
  t.is(NamespaceName.get('a/b').version, '5.0')
})

test('a release that is not known is refused with the list of those that are', (t) => {
  const expected =
    'RangeError ERR_PLACEMENT_UNKNOWN_VERSION: version: expected one of 2.10, 3.0, 4.2, 5.0, got "4.0" (did you mean 3.0?)'
  const version = '4.0' as '4.2'
  t.is(
    refusalOf(() => TopicName.get('t', { version })),
    expected,
  )
  t.is(
    refusalOf(() => TopicName.isValid('t', { version })),
    expected,
  )
  t.is(
    refusalOf(() => NamespaceName.get('a/b', { version })),
    expected,
  )
  t.is(
    refusalOf(() => deadLetterTopics({ topics: ['t'], subscription: 's' }, { version })),
    expected,
  )
})

test('a refusal says what was expected, what came, and what Pulsar says', (t) => {
  t.is(
    refusalOf(() => TopicName.get('a/b')),
    'RangeError ERR_PLACEMENT_TOPIC_NAME: topic name: expected <tenant>/<namespace>/<topic> or <topic>, got "a/b"; ' +
      "Pulsar 5.0 says: Invalid short topic name 'a/b', it should be in the format of <tenant>/<namespace>/<topic> or <topic>",
  )
  t.is(
    refusalOf(() => NamespaceName.get('a/b/c')),
    'RangeError ERR_PLACEMENT_NAMESPACE: namespace: expected <tenant>/<namespace> of letters, digits, _, -, =, : and ., ' +
      'got "a/b/c"; Pulsar 5.0 says: Invalid namespace format. expected <tenant>/<namespace> but got: a/b/c',
  )
})

test('a V1 name is taken up to 3.0, and refused with the reason since 4.2', (t) => {
  const name = TopicName.get('persistent://t/c1/ns/topic', { version: '3.0' })
  t.deepEqual([name.tenant, name.cluster, name.namespace, name.localName], ['t', 'c1', 't/c1/ns', 'topic'])
  const got = refusalOf(() => TopicName.get('persistent://t/c1/ns/topic', { version: '4.2' }))
  t.regex(got, /^RangeError ERR_PLACEMENT_TOPIC_NAME: .*V1 names, with a cluster, up to Pulsar 3\.0/)
})

test('over-long names are taken, and shown cut in a refusal', (t) => {
  const local = 'x'.repeat(100_000)
  t.is(TopicName.get(local).localName.length, 100_000)
  const got = refusalOf(() => TopicName.get(`a/${local}`, { version: '3.0' }))
  t.true(got.includes(`got "a/${'x'.repeat(55)}..."`))
  t.true(got.length < 600)
})

test('what is no string is a TypeError', (t) => {
  const number = 7 as unknown as string
  t.is(
    refusalOf(() => TopicName.get(number)),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: topic name: expected a string, got 7',
  )
  t.false(TopicName.isValid(number))
  t.is(
    refusalOf(() => NamespaceName.get(number)),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: namespace: expected a string, got 7',
  )
  t.is(
    refusalOf(() => TopicName.fromParts({ domain: 'persistent', tenant: 'a', namespace: 'b', localName: number })),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: part of a topic name: expected a string, got 7',
  )
})

test('only digits as Java writes the number are a partition, and only in the local name', (t) => {
  t.is(TopicName.partitionIndex('t-partition--1'), -1)
  t.is(TopicName.partitionIndex('t-partition-01'), -1)
  const letters = TopicName.get('tp-partition-0-DLQ-partition-0')
  t.is(letters.partitionIndex, 0)
  t.is(letters.partitionedTopicName, 'persistent://public/default/tp-partition-0-DLQ')
  t.is(TopicName.get('persistent://a/ns-partition-test/t').partitionIndex, -1)
  t.is(TopicName.get('persistent://a/ns-partition-3/t').isPartitioned, false)
})

test('a partition is an int of Java', (t) => {
  const name = TopicName.get('t')
  t.is(name.partition(2147483647).toString(), 'persistent://public/default/t-partition-2147483647')
  t.is(name.partition(-1), name)
  for (const index of [2147483648, 0.5, Number.NaN]) {
    t.regex(
      refusalOf(() => name.partition(index)),
      /^RangeError ERR_PLACEMENT_ARGUMENT_RANGE: partition index: /,
    )
  }
})

test('what a release does not have is unsupported there', (t) => {
  const code = 'PlacementError ERR_PLACEMENT_UNSUPPORTED: '
  t.is(
    refusalOf(() => TopicName.toFullTopicName('t', { version: '3.0' })),
    `${code}TopicName.toFullTopicName: expected Pulsar 4.2 or newer, which have it, got 3.0`,
  )
  t.is(
    refusalOf(() => TopicName.get('t', { version: '4.2' }).checkForCreation()),
    `${code}TopicName.validateTopicNameForCreation: expected Pulsar 5.0 or newer, which have it, got 4.2`,
  )
  t.is(
    refusalOf(() => TopicName.fromPersistenceName('a/b/persistent/t', { version: '2.10' })),
    `${code}TopicName.fromPersistenceNamingEncoding: expected Pulsar 3.0 or newer, which have it, got 2.10`,
  )
  t.is(
    refusalOf(() => NamespaceName.fromParts({ tenant: 'a', cluster: 'c', localName: 'b' })),
    `${code}cluster: expected none, since Pulsar 4.2 has no V1 names (asked as Pulsar 5.0)`,
  )
})

test('escapes that are no UTF-8 are read as the JDK reads them', (t) => {
  const rows = readFileSync('test/vectors/jdk/string-of-bytes.ndjson', 'utf8')
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row))
  const withBytes = rows.filter((row) => typeof row.bytes === 'string')
  t.true(withBytes.length >= 2000)
  for (const { bytes, hash } of withBytes as { bytes: string; hash: number }[]) {
    const text = TopicName.fromPersistenceName(`a/b/persistent/${bytes.replace(/../g, '%$&')}`)
    t.is(ofString(text.slice('persistent://a/b/'.length)), hash, bytes)
  }
})

test('an older retry topic keeps its name, by whatever form of the name the cluster is said to have it', (t) => {
  const existing = ['persistent://public/default/s-RETRY']
  const of = (version: '2.10' | '5.0') => deadLetterTopics({ topics: ['t'], subscription: 's', existing }, { version })
  t.is(of('5.0').retryLetterTopic, 'persistent://public/default/s-RETRY')
  t.is(of('2.10').retryLetterTopic, 'public/default/s-RETRY')
  t.is(of('2.10').deadLetterTopic, 'persistent://public/default/t-s-DLQ')
})

test('no topics, blank topics and blank subscriptions are refused', (t) => {
  const ask = (topics: string[], subscription: string) => refusalOf(() => deadLetterTopics({ topics, subscription }))
  t.is(ask([], 's'), 'RangeError ERR_PLACEMENT_TOPIC_NAME: topics: expected one name or more, got none')
  t.is(ask(['t', ' '], 's'), 'RangeError ERR_PLACEMENT_TOPIC_NAME: topics[1]: expected a name, got " "')
  t.is(ask(['t'], ''), 'RangeError ERR_PLACEMENT_TOPIC_NAME: subscription: expected a name, got ""')
  const none = null as unknown as string[]
  t.is(ask(none, 's'), 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: topics: expected a list of names, got null')
})
