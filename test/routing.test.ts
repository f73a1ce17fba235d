/**
 * Routing of Pulsar's producers against the jars' vectors (test/vectors), the Go client's own answers, the JDK's decoder and
 * the cases that the clients' own tests publish.
 */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { isCodedError } from '../src/errors.js'
import { pulsar } from '../src/index.js'
import { decodeBase64 } from '../src/pulsar/java-base64.js'
import { refusalOf } from './refusal.js'

const { partitionForKey, clientDisagreements, roundRobinPartition, routeMessages, stickyKey, switchInterval } = pulsar

test('the Java client hashes text by its UTF-16 units, and bytes by their Base64 text', (t) => {
  t.is(partitionForKey('keykeykey2', 7), 1)
  t.is(partitionForKey('', 7), 0, 'an empty key is a key')
  t.is(partitionForKey(Buffer.from('00ff', 'hex'), 1000), partitionForKey('AP8=', 1000))
  t.is(partitionForKey('hello', 1000), 99162322 % 1000)
  t.is(partitionForKey('key1', 1000, { scheme: 'Murmur3_32Hash' }), 462881061 % 1000)
  for (const version of ['2.10', '3.0', '4.2', '5.0'] as const) t.is(partitionForKey('keykeykey2', 7, { version }), 1)
})

/** Spec 5.3: computed from the clients' sources. */
const APART: readonly [key: string, java: number, signed: number, unsigned: number, go: number][] = [
  ['keykeykey2', 1, 1, 1, 3],
  ['\u4e3b\u9898', 4, 2, 1, 3],
  ['\ud0a4', 2, 5, 6, 6],
]

test('the clients disagree about keys beyond ASCII and about hashes with the top bit set', (t) => {
  const { keys, rows } = clientDisagreements(['k1', ...APART.map(([key]) => key)], 7)
  t.is(keys, 4)
  t.deepEqual(
    rows.map((row) => [row.key, row.java, row.cppSigned, row.cppUnsigned, row.go]),
    APART,
  )
  for (const [key, java, signed, unsigned, go] of APART) {
    const scheme = 'JavaStringHash'
    t.is(partitionForKey(key, 7), java)
    t.is(partitionForKey(key, 7, { client: 'cpp', scheme }), signed)
    t.is(partitionForKey(key, 7, { client: 'node', scheme }), signed)
    t.is(partitionForKey(key, 7, { client: 'python', char: 'unsigned' }), unsigned)
    t.is(partitionForKey(key, 7, { client: 'go' }), go)
  }
})

test('under murmur3 all clients agree but about an empty key, which Go takes for none, and about bytes', (t) => {
  const scheme = 'Murmur3_32Hash'
  const keys = [...APART.map(([key]) => key), 'k1', '', new Uint8Array([1, 2])]
  const { rows } = clientDisagreements(keys, 1000, { scheme })
  t.deepEqual(
    rows.map(({ index, go }) => [index, go === null]),
    [
      [4, true],
      [5, false],
    ],
  )
  t.deepEqual(clientDisagreements(['', 'k', '키'], 1).rows, [], 'on one partition there is nothing to disagree about')
})

test('the Go client answers as it answers itself, and takes an ordering key before the key', (t) => {
  const lines = readFileSync('test/vectors/clients/partitions.ndjson', 'utf8').split('\n')
  // On one partition every draw is 0, which the recorded draw (`~`) does not say.
  const asked = lines.filter((line) => /^{"partitioner":"pulsar-go-java-string","question":"\S+ (?!1 )/.test(line))
  t.true(asked.length > 5)
  for (const line of asked) {
    const { question, answer } = JSON.parse(line) as { question: string; answer: string }
    const [, count, ...words] = question.split(' ')
    const got = words.map((word) => {
      const key = word === '-' ? null : Buffer.from(word.slice(1), 'hex')
      return goPartition(key, Number(count))
    })
    t.deepEqual(got, answer.trim().split(' '), question.slice(0, 40))
  }
  t.is(partitionForKey('a', 7, { client: 'go', orderingKey: 'keykeykey2' }), 3)
  t.is(partitionForKey(null, 7, { client: 'go', orderingKey: Buffer.from('keykeykey2') }), 3)
  t.is(partitionForKey('keykeykey2', 7, { client: 'go', orderingKey: '' }), 3)
  t.is(partitionForKey('keykeykey2', 7, { orderingKey: 'a' }), 1, 'Java does not look at it')
})

/** `~` for a draw. */
function goPartition(key: Buffer | null, count: number): string {
  try {
    return String(partitionForKey(key, count, { client: 'go' }))
  } catch (error) {
    return isCodedError(error) && error.code === 'ERR_PLACEMENT_KEY_MISSING' ? '~' : String(error)
  }
}

test('without a key there is no partition to compute, but on one partition, where Go and C++ do not look', (t) => {
  t.regex(
    refusalOf(() => partitionForKey(null, 7)),
    /^PlacementError ERR_PLACEMENT_KEY_MISSING: key: expected a key, got none/,
  )
  t.regex(
    refusalOf(() => partitionForKey('', 7, { client: 'go' })),
    /ERR_PLACEMENT_KEY_MISSING: .* an empty one/,
  )
  t.regex(
    refusalOf(() => partitionForKey(null, 1)),
    /ERR_PLACEMENT_KEY_MISSING/,
  )
  t.is(partitionForKey(null, 1, { client: 'go' }), 0)
  t.is(partitionForKey(null, 1, { client: 'python' }), 0)
})

test('BoostHash has no answer, asked for or as the default of C++ and Node.js', (t) => {
  const refused =
    /^PlacementError ERR_PLACEMENT_UNSUPPORTED: scheme: expected JavaStringHash or Murmur3_32Hash, got BoostHash/
  for (const client of ['cpp', 'node'] as const)
    t.regex(
      refusalOf(() => partitionForKey('a', 7, { client })),
      refused,
    )
  t.regex(
    refusalOf(() => partitionForKey('a', 7, { scheme: 'BoostHash' })),
    refused,
  )
  t.regex(
    refusalOf(() => clientDisagreements(['a'], 7, { scheme: 'BoostHash' })),
    refused,
  )
})

test('what is no question is refused, with its place', (t) => {
  const bad = null as never
  const lines = [
    () => partitionForKey(5 as never, 7),
    () => partitionForKey('a', 0),
    () => partitionForKey('a', 7, { client: 'ruby' as never }),
    () => partitionForKey('a', 7, { scheme: 'Murmur' as never }),
    () => partitionForKey('a', 7, { char: 'x' as never }),
    () => partitionForKey('a', 7, { version: '4.1' as never }),
    () => clientDisagreements(['a', bad], 7),
    () => clientDisagreements('a' as never, 7),
    () => roundRobinPartition(2 ** 31, 7),
    () => roundRobinPartition({ now: 1.5 }, 7),
    () => routeMessages([{}], { numPartitions: 7, mode: 'custom' as never }),
    () => routeMessages([{ key: 5 as never }], { numPartitions: 7 }),
    () => switchInterval({ frequency: 0 }),
    () => stickyKey({ key: 'AP8?', base64: true }),
    () => stickyKey({ key: 5 as never }),
    () => stickyKey({ producerName: 'p', sequenceId: 0.5 }),
  ].map(refusalOf)
  t.deepEqual(lines, [
    'TypeError ERR_PLACEMENT_KEY_TYPE: key: expected a string or bytes, got 5',
    'RangeError ERR_PLACEMENT_NUM_PARTITIONS: numPartitions: expected an integer in [1, 2147483647], got 0',
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: client: expected one of java, cpp, node, python, go, got "ruby"',
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: scheme: expected one of JavaStringHash, Murmur3_32Hash, BoostHash, got "Murmur"',
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: char: expected one of signed, unsigned, got "x"',
    'RangeError ERR_PLACEMENT_UNKNOWN_VERSION: version: expected one of 2.10, 3.0, 4.2, 5.0, got "4.1" (did you mean 4.2?)',
    'TypeError ERR_PLACEMENT_KEY_TYPE: keys[1]: expected a string or bytes, got null [index 1]',
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: keys: expected a list of keys, got "a"',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: counter: expected an integer in [-2147483648, 2147483647], got 2147483648',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: now: expected an integer in [-9007199254740991, 9007199254740991], got 1.5',
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: mode: expected one of round-robin, single, got "custom"',
    'TypeError ERR_PLACEMENT_KEY_TYPE: key: expected a string or bytes, got 5',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: frequency: expected an integer in [1, 2147483647], got 0',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: key: expected Base64: Illegal base64 character 3f',
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: key: expected a string, got 5',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: sequenceId: expected an integer in [-9007199254740991, 9007199254740991], got 0.5',
  ])
})

test('the counter passes 2^31 once, and the rotation jumps there', (t) => {
  const messages = Array.from({ length: 4 }, () => ({}))
  t.deepEqual(routeMessages(messages, { numPartitions: 7, batching: false, start: 2147483646 }), [0, 1, 5, 6])
})

test('a batching producer stays for a period, 10 ms unless its delays say otherwise', (t) => {
  const at = (...times: number[]) =>
    routeMessages(
      times.map((time) => ({ at: time })),
      { numPartitions: 7 },
    )
  t.deepEqual(at(0, 9, 10, 69, 70), [0, 0, 1, 6, 0])
  t.deepEqual(switchInterval({ maxPublishDelayMicros: 1500, frequency: 3 }), { micros: 4500, millis: 4 })
})

test('before 4.0 a message without a key goes by NONE_KEY, after by its producer and number', (t) => {
  const message = { producerName: 'p', sequenceId: -1 }
  const text = (version?: '3.0') => Buffer.from(stickyKey(message, { version })).toString()
  t.is(text(), 'p--1')
  t.is(text('3.0'), 'NONE_KEY')
  t.is(Buffer.from(stickyKey({})).toString(), 'NONE_KEY')
  t.deepEqual([...stickyKey({ orderingKey: '', key: 'k' })], [], 'an empty ordering key counts')
})

test('Base64 is decoded and refused as the JDK does', (t) => {
  const [, ...lines] = readFileSync('test/vectors/jdk/base64.ndjson', 'utf8').trim().split('\n')
  t.is(lines.length, 500)
  for (const line of lines) {
    const { units, bytes, refused } = JSON.parse(line) as { units: string; bytes?: string; refused?: string }
    const text = String.fromCharCode(...(units.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)))
    t.deepEqual(decoded(text), bytes ?? refused, units)
  }
})

function decoded(text: string): unknown {
  try {
    return Buffer.from(decodeBase64(text, 'key')).toString('hex')
  } catch (error) {
    return isCodedError(error) ? error.javaMessage : String(error)
  }
}
