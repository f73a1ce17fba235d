/** The consumer protocol against bytes that kafka-clients wrote, and the user data of the sticky assignors. */
import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { kafka } from '../src/index.js'
import { refusalOf } from './refusal.js'

const { protocol } = kafka

interface Golden {
  readonly kind: 'subscription' | 'assignment'
  readonly version: number
  readonly topics?: string[]
  readonly userData: string | null
  readonly owned?: (string | number)[]
  readonly partitions?: (string | number)[]
  readonly generation?: number
  readonly rack?: string | null
  readonly base64: string
}

/** Made by test/oracle/kafka/ConsumerProtocolBytes.java with kafka-clients 4.4.0. */
const PATH = fileURLToPath(new URL('../../../test/vectors/clients/consumer-protocol.ndjson', import.meta.url))
const LINES = readFileSync(PATH, 'utf8').trimEnd().split('\n')
const GOLDEN = LINES.map((line) => JSON.parse(line) as Golden)

function partitionsOf(flat: readonly (string | number)[] = []): kafka.TopicPartition[] {
  return Array.from({ length: flat.length / 2 }, (_, i) => ({
    topic: flat[2 * i] as string,
    partition: flat[2 * i + 1] as number,
  }))
}

const bytes = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))
const base64 = (some: Uint8Array): string => Buffer.from(some).toString('base64')
const sorted = (some: readonly kafka.TopicPartition[]) =>
  some.toSorted((a, b) => (a.topic === b.topic ? a.partition - b.partition : a.topic < b.topic ? -1 : 1))

for (const golden of GOLDEN) {
  const { kind, version, generation = -1, rack = null, topics = [] } = golden
  const userData = golden.userData === null ? null : bytes(golden.userData)
  test(`version ${version}: ${kind} ${golden.base64} is written and read as kafka-clients does`, (t) => {
    if (kind === 'assignment') {
      const partitions = partitionsOf(golden.partitions)
      t.is(base64(protocol.encodeAssignment({ partitions, userData }, version)), golden.base64)
      const read = protocol.decodeAssignment(bytes(golden.base64))
      t.deepEqual(sorted(read.partitions), sorted(partitions))
      t.deepEqual(read.userData, userData)
      return
    }
    const ownedPartitions = partitionsOf(golden.owned)
    const subscription = { topics, userData, ownedPartitions, generationId: generation, rackId: rack }
    t.is(base64(protocol.encodeSubscription(subscription, version)), golden.base64)
    t.deepEqual(protocol.decodeSubscription(bytes(golden.base64)), {
      version,
      topics: topics.toSorted(),
      userData,
      ownedPartitions: version >= 1 ? sorted(ownedPartitions) : [],
      generationId: version >= 2 ? generation : -1,
      rackId: version >= 3 ? rack : null,
    })
  })
}

test('a version beyond the known ones is read as the last one, and bytes behind the end are left', (t) => {
  const of3 = protocol.encodeSubscription({
    topics: ['a'],
    userData: null,
    ownedPartitions: [],
    generationId: 4,
    rackId: 'r',
  })
  const newer = Uint8Array.of(0, 9, ...of3.subarray(2), 1, 2, 3)
  t.like(protocol.decodeSubscription(newer), { version: 9, generationId: 4, rackId: 'r' })
})

test('what cannot be read is refused with the class of Java, at every length', (t) => {
  const whole = bytes(GOLDEN.find(({ kind, version }) => kind === 'subscription' && version === 3)!.base64)
  for (let length = 0; length < whole.length; length++) {
    const error = t.throws(() => protocol.decodeSubscription(whole.subarray(0, length)), {
      code: 'ERR_PLACEMENT_INPUT',
    })
    t.like(error, { javaClass: 'org.apache.kafka.common.protocol.types.SchemaException' }, `${length} bytes`)
  }
  t.is(
    refusalOf(() => protocol.decodeAssignment(Uint8Array.of(0xff, 0xff))),
    'RangeError ERR_PLACEMENT_INPUT: assignment: expected a version of 0 or more, got -1',
  )
})

test('a name that is too long, a generation and a version that cannot be are refused', (t) => {
  const subscription = {
    topics: ['é'.repeat(20_000)],
    userData: null,
    ownedPartitions: [],
    generationId: -1,
    rackId: null,
  }
  t.regex(
    refusalOf(() => protocol.encodeSubscription(subscription)),
    /at most 32767 bytes of UTF-8, got 40000/,
  )
  t.regex(
    refusalOf(() => protocol.encodeSubscription({ ...subscription, topics: [], generationId: -2 })),
    /generationId/,
  )
  t.regex(
    refusalOf(() => protocol.encodeAssignment({ partitions: [], userData: null }, 4)),
    /version: .* \[0, 3\]/,
  )
})

test('sticky user data: the original writes these bytes, and reads what it can', (t) => {
  // From the oracle's examples: op userData of kafka-clients 4.4.0.
  const data = { ownedPartitions: [{ topic: 't', partition: 0 }], generationId: 3 }
  t.is(base64(protocol.encodeStickyUserData(data)), 'AAAAAQABdAAAAAEAAAAAAAAAAw==')
  t.deepEqual(protocol.decodeStickyUserData(bytes('AAAAAQABdAAAAAEAAAAAAAAAAw==')), data)
  t.deepEqual(protocol.decodeStickyUserData(bytes('AAAAAQABdAAAAAEAAAAA')), { ...data, generationId: null })
  t.deepEqual(protocol.decodeStickyUserData(bytes('/////w==')), { ownedPartitions: [], generationId: -1 })
  t.deepEqual(protocol.decodeStickyUserData(null), { ownedPartitions: [], generationId: null })
  t.is(protocol.decodeCooperativeUserData(bytes('AAAAAg==')), 2)
  t.is(protocol.decodeCooperativeUserData(bytes('AAA=')), -1)
  t.is(protocol.decodeCooperativeUserData(null), null)
})
