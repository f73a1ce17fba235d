/** The table of codes, its page, the throws in the sources and the pinned messages: four lists that must be one. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { COMMANDS } from '../src/cli/commands.js'
import { readRequest } from '../src/cli/grammar.js'
import { openOutput } from '../src/cli/output.js'
import type { Engine } from '../src/engine/contract.js'
import { engine, useEngine } from '../src/engine/index.js'
import { codedError, ERROR_CODES, type ErrorCode, isCodedError, nearest, shown } from '../src/errors.js'
import { hash, kafka, type Packed, PlacementError, pulsar, RangeTable, TopicSet } from '../src/index.js'
import { NOTE_CODES } from '../src/notes.js'
import type { HashName } from '../src/types.js'
import { ENGINES } from './engines.js'
import { refusalOfAsync } from './refusal.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const CODES = Object.keys(ERROR_CODES) as ErrorCode[]

/** For a call with an argument of the wrong type. */
const wrong = <T>(value: unknown): T => value as T

/** Asks with an environment variable set, and the engine chosen anew. */
function withVariable(name: string, value: string, ask: () => unknown): unknown {
  const before = process.env[name]
  process.env[name] = value
  useEngine(null)
  try {
    return ask()
  } finally {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
    useEngine(null)
  }
}

/** An engine that refuses a name which is right: a fault of ours, as it would be met. */
function withFaultyEngine(ask: () => unknown): unknown {
  useEngine('fallback')
  Object.assign(engine(), { canonicalNames: () => ({ refused: 0 }) } satisfies Partial<Engine>)
  try {
    return ask()
  } finally {
    useEngine(null)
  }
}

const HAS_NATIVE = ENGINES.includes('native')

const TWIN: kafka.GroupMember = { id: 'a', topics: [] }

/** One call that meets each code, and what it says. */
const PINNED: Readonly<Record<ErrorCode, readonly [ask: () => unknown, message: string | RegExp] | null>> = {
  ERR_PLACEMENT_ARGUMENT_TYPE: [() => hash.of(wrong<HashName>(7), 'a'), 'hash: expected a string, got 7'],
  ERR_PLACEMENT_ARGUMENT_RANGE: [
    () => new RangeTable([0, 0xffffffff]).indexOf(-1),
    'hash: expected an integer in [0, 4294967295], got -1',
  ],
  ERR_PLACEMENT_KEY_TYPE: [() => hash.murmur2(wrong(7)), 'key: expected a string or bytes, got 7'],
  ERR_PLACEMENT_KEY_MISSING: [
    () => kafka.partitionForKey(null, 12, { partitioner: 'sarama-hash' }),
    'key: expected a key, got none, for which sarama-hash draws the partition: give options.random, the result of generator.Intn(numPartitions) (randomPartitioner)',
  ],
  ERR_PLACEMENT_NUM_PARTITIONS: [
    () => kafka.partitionForKey('a', 0),
    'numPartitions: expected an integer in [1, 2147483647], got 0',
  ],
  ERR_PLACEMENT_COLUMN: [
    () => hash.crc32({ values: new Uint8Array(1), offsets: Uint32Array.of(0, 2), length: 1 } satisfies Packed),
    'keys.offsets[1]: expected a number in [0, 1], got 2 [index 1]',
  ],
  ERR_PLACEMENT_OUTPUT: [
    () => hash.crc32(['a', 'b'], { out: new Uint32Array(1) }),
    'out: expected room for 2 items, got 1',
  ],
  ERR_PLACEMENT_DUPLICATE: [
    () => kafka.assign({ groupType: 'classic', assignor: 'range', topics: [], members: [TWIN, TWIN] }),
    'members[1].id: expected each once, got "a" as at index 0 [index 1]',
  ],
  ERR_PLACEMENT_UNKNOWN_NAME: [
    () => hash.of(wrong<HashName>('murmur'), 'a'),
    'hash: expected one of murmur2, murmur3, crc32, crc32c, fnv1a, java-string, got "murmur" (did you mean murmur2?)',
  ],
  ERR_PLACEMENT_UNKNOWN_VERSION: [
    () => pulsar.TopicName.get('t', { version: wrong('4.1') }),
    'version: expected one of 2.10, 3.0, 4.2, 5.0, got "4.1" (did you mean 4.2?)',
  ],
  ERR_PLACEMENT_UNSUPPORTED: [
    () => kafka.partitionForKey('a', 12, { partitioner: wrong('pulsar-boost') }),
    'partitioner: expected pulsar-java-string or pulsar-murmur3, got "pulsar-boost": BoostHash depends on the Boost that the client was linked with',
  ],
  ERR_PLACEMENT_TOPIC_NAME: [
    () => pulsar.TopicName.get('persistent://public/default'),
    'topic name: expected <domain>://<tenant>/<namespace>/<topic>, got "persistent://public/default"; Pulsar 5.0 says: Invalid topic name persistent://public/default',
  ],
  ERR_PLACEMENT_NAMESPACE: [
    () => pulsar.NamespaceName.get('a'),
    'namespace: expected <tenant>/<namespace> of letters, digits, _, -, =, : and ., got "a"; Pulsar 5.0 says: Invalid namespace format. expected <tenant>/<namespace> but got: a',
  ],
  ERR_PLACEMENT_BUNDLE_COUNT: [
    () => pulsar.NamespaceBundles.even(-1),
    'bundles: expected an integer in [1, 2147483647], got -1',
  ],
  ERR_PLACEMENT_BOUNDARIES: [
    () => new RangeTable([0, 2, 1, 0xffffffff]),
    'boundaries[2]: expected more than the boundary before, 2, got 1 [index 2]',
  ],
  ERR_PLACEMENT_BUNDLE_RANGE: [
    () => pulsar.NamespaceBundles.even(4).validateBundle('0x0_0x8'),
    'range: Invalid upper boundary for bundle 0x00000000_0x00000008. Expected upper boundary of 0x00000000_0x40000000',
  ],
  ERR_PLACEMENT_SPLIT: [
    () => pulsar.NamespaceBundles.even(1).split('LARGEST', { topics: ['t'], algorithm: 'specified_positions_divide' }),
    'positions: expected one or more for specified_positions_divide, got none',
  ],
  ERR_PLACEMENT_BUNDLES_DATA: [
    () => pulsar.NamespaceBundles.fromData('{'),
    'BundlesData: expected a string in double quotes at line: 1, column: 2, got its end [index 1]',
  ],
  ERR_PLACEMENT_CONSUMER: [
    () => new pulsar.FailoverConsumers({ topic: 't' }).leave(0),
    'number: expected a consumer that is there, got 0',
  ],
  ERR_PLACEMENT_SEGMENT: [
    () => pulsar.SegmentLayout.initial(2).merge(0, 0),
    'segment: Pulsar says: Segments are not adjacent: [0000, 7fff] and [0000, 7fff]',
  ],
  ERR_PLACEMENT_REPLICATION_FACTOR: [
    () =>
      kafka.placeReplicas({
        placer: 'striped',
        brokers: [{ id: 0 }],
        partitions: 1,
        replicationFactor: 2,
        random: { seed: 0 },
      }),
    'The target replication factor of 2 cannot be reached because only 1 broker(s) are registered or some brokers have all their log directories cordoned.',
  ],
  ERR_PLACEMENT_INFEASIBLE: [
    () =>
      kafka.planReassignment({
        brokers: [{ id: 0 }, { id: 1, state: 'out' }],
        topics: [{ name: 't', partitions: [[0, 1]] }],
      }),
    'partition t-0 needs 2 brokers, 1 is in: lower the replication factor to 1, or add 1 broker [index 0]',
  ],
  ERR_PLACEMENT_REASSIGNMENT: [() => kafka.reassignment.parse('{"version":2}'), 'version: expected 1, got 2'],
  ERR_PLACEMENT_QUORUM: [
    () => pulsar.ledger.placeEntry(0, { ensembleSize: 2, writeQuorum: 3 }),
    'expected ensembleSize >= writeQuorum >= ackQuorum, got 2, 3, 2',
  ],
  ERR_PLACEMENT_NO_ENSEMBLE: [
    () => pulsar.ledger.possibleEnsembles({ bookies: { b1: '/a', b2: '/b' }, ensembleSize: 3 }),
    'no ensemble of 3 bookies: 2 bookies in 2 racks; add bookies or racks, or take a smaller ensemble',
  ],
  ERR_PLACEMENT_ORIGINAL_FAILS: [
    () => pulsar.NamespaceBundles.fromBoundaries(['0xfffffff0', '0xffffffff']).findBundle('t'),
    "persistent://public/default/t: the broker's look-up throws (Index -1 out of bounds for length 1)",
  ],
  ERR_PLACEMENT_ENGINE: [
    () => withVariable('TOPIC_PLACEMENT_ENGINE', 'fast', () => hash.crc32(['a'])),
    'TOPIC_PLACEMENT_ENGINE: expected native or fallback, got "fast"',
  ],
  ERR_PLACEMENT_CPU: HAS_NATIVE
    ? [
        () => withVariable('TOPIC_PLACEMENT_CPU', 'fast', () => hash.crc32(['a'])),
        /^TOPIC_PLACEMENT_CPU: expected one of [a-z0-9, -]*scalar on this processor, got "fast"$/,
      ]
    : null,
  ERR_PLACEMENT_INPUT: [
    () => TopicSet.fromLines(Uint8Array.of(0xff), { name: 'topics.txt' }),
    'topics.txt:1: expected UTF-8, got byte 0xff at column 1 [index 0]',
  ],
  ERR_PLACEMENT_WRITE: [
    () => openOutput('/no/such/folder/file'),
    '/no/such/folder/file: expected to write the answer, got ENOENT (no such folder)',
  ],
  ERR_PLACEMENT_USAGE: [
    () => readRequest(['kafka', 'partitions'], COMMANDS),
    'unknown command "partitions": expected partition or group or assign or rebalance or compare-assignors or place or reassign or size or topic-names (did you mean partition?); see "topic-placement kafka --help"',
  ],
  ERR_PLACEMENT_INTERNAL: [
    () => withFaultyEngine(() => TopicSet.from(['t']).canonical()),
    'topics[0]: the engine refuses what TopicName takes: t',
  ],
}

for (const code of CODES) {
  const pinned = PINNED[code]
  const claim = `${code} is thrown by a call, with its class and message`
  if (pinned === null) {
    test.skip(claim, () => {})
    continue
  }
  test.serial(claim, async (t) => {
    const [ask, message] = pinned
    const [head, said] = [`${ERROR_CODES[code][0]} ${code}: `, await refusalOfAsync(async () => ask())]
    t.true(said.startsWith(head), said)
    if (typeof message === 'string') t.is(said.slice(head.length), message)
    else t.regex(said.slice(head.length), message)
  })
}

test('every code is thrown somewhere in the sources', (t) => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  const text = sources.map((path) => readFileSync(join(ROOT, 'src', path), 'utf8')).join('\n')
  t.deepEqual(
    CODES.filter((code) => !text.includes(`'${code}'`)),
    [],
  )
})

test('docs/errors.md lists the table, code for code, class for class, word for word', (t) => {
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(ERR_\w+)` \| `(\w+)` \| (.*) \|$/gm)].map(([, ...cells]) => cells)
  t.deepEqual(
    rows,
    CODES.map((code) => [code, ...ERROR_CODES[code]]),
  )
})

test('the codes of the Rust sources are codes of the table', (t) => {
  const rust = readdirSync(join(ROOT, 'native'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(core|binding).*\.rs$/.test(path),
  )
  const found = rust.flatMap((path) => readFileSync(join(ROOT, 'native', path), 'utf8').match(/ERR_[A-Z_]+/g) ?? [])
  t.true(rust.length > 0)
  t.deepEqual(
    found.filter((code) => !Object.hasOwn(ERROR_CODES, code)),
    [],
  )
})

test('the codes that documents name are codes of the table', (t) => {
  const pages = [
    ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
    ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
  ]
  const found = pages.flatMap(
    (path) => readFileSync(join(ROOT, path), 'utf8').match(/ERR_PLACEMENT_[A-Z_]*[A-Z]/g) ?? [],
  )
  t.deepEqual(
    found.filter((code) => !Object.hasOwn(ERROR_CODES, code)),
    [],
  )
})

test('an error carries its code, and what else is known of it', (t) => {
  const cause = new Error('behind')
  const details = { index: 3, javaClass: 'a.B', javaMessage: null, cause }
  const error = codedError('ERR_PLACEMENT_TOPIC_NAME', 'why', details)
  t.true(error instanceof RangeError && isCodedError(error))
  t.like(error, { ...details, code: 'ERR_PLACEMENT_TOPIC_NAME', message: 'why', name: 'RangeError' })
  t.false('index' in codedError('ERR_PLACEMENT_USAGE', 'why'))
  t.true(codedError('ERR_PLACEMENT_UNSUPPORTED', 'why') instanceof PlacementError)
})

test('other errors are not taken for ours, whatever their code', (t) => {
  for (const code of ['ENOENT', 'toString', undefined]) t.false(isCodedError(Object.assign(new Error('x'), { code })))
  t.false(isCodedError({ code: 'ERR_PLACEMENT_USAGE' }))
  t.false(isCodedError(null))
})

const SHOWN: readonly [value: unknown, text: string][] = [
  ['a', '"a"'],
  ['x'.repeat(61), `"${'x'.repeat(57)}..."`],
  ['\ud800\n', '"\\ud800\\n"'],
  [-0, '0'],
  [Number.NaN, 'NaN'],
  [7n, '7n'],
  [undefined, 'undefined'],
  [null, 'null'],
  [() => 1, 'a function'],
  [Symbol('s'), 'Symbol(s)'],
  [[], 'an Array'],
  [{}, 'an Object'],
  [Object.create(null), 'an object'],
  [new Uint8Array(1), 'a Uint8Array'],
  [new Int32Array(1), 'an Int32Array'],
  [new Map(), 'a Map'],
]

for (const [value, text] of SHOWN) test(`a value in a message: ${text}`, (t) => t.is(shown(value), text))

test('the nearest right spelling is told, or none where none is near', (t) => {
  const names = ['murmur2', 'murmur3', 'crc32', 'java-string']
  t.is(nearest('murmur-2', names), 'murmur2')
  t.is(nearest('CRC32', names), 'crc32')
  t.is(nearest('javastring', names), 'java-string')
  t.is(nearest('sha256', names), null)
  t.is(nearest('', names), null)
  t.is(nearest('x'.repeat(100_000), names), null)
})

test('docs/errors.md lists the notes, code for code, word for word', (t) => {
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(NOTE_\w+)` \| (.*) \|$/gm)].map(([, ...cells]) => cells)
  t.deepEqual(rows, Object.entries(NOTE_CODES))
})
