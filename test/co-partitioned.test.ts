/** `kafka.coPartitioned`: which topics line up, judged by where the partitioners really put keys, and what is said where not. */
import test from 'ava'
import { kafka } from '../src/index.js'
import { refusalOf } from './refusal.js'

test('topics of one count and one partitioner line up', (t) => {
  const topics = ['orders', 'payments', 'refunds'].map((name) => ({ name, partitions: 12 }))
  t.deepEqual(kafka.coPartitioned(topics), {
    coPartitioned: true,
    sets: [{ partitions: 12, partitioners: ['kafka'], topics: ['orders', 'payments', 'refunds'] }],
    differences: [],
  })
  t.deepEqual(kafka.coPartitioned([]), { coPartitioned: true, sets: [], differences: [] })
})

test('what differs is told of each topic outside the largest set', (t) => {
  const { coPartitioned, sets, differences } = kafka.coPartitioned([
    { name: 'few', partitions: 6 },
    { name: 'orders', partitions: 12 },
    { name: 'other', partitions: 6, partitioner: 'sarama-hash' },
    { name: 'payments', partitions: 12, partitioner: 'librdkafka-murmur2-random' },
  ])
  t.false(coPartitioned)
  t.deepEqual(sets[0], {
    partitions: 12,
    partitioners: ['kafka', 'librdkafka-murmur2-random'],
    topics: ['orders', 'payments'],
  })
  t.deepEqual(differences, [
    {
      topic: 'few',
      differs: ['partitions'],
      message: 'few does not line up with orders: 6 partitions, not 12',
    },
    {
      topic: 'other',
      differs: ['partitions', 'partitioner'],
      message: 'other does not line up with orders: 6 partitions, not 12; keys placed by sarama-hash, not kafka',
    },
  ])
})

test('partitioners that part on empty keys alone are told so', (t) => {
  const { differences } = kafka.coPartitioned([
    { name: 'a', partitions: 3, partitioner: 'librdkafka-consistent' },
    { name: 'b', partitions: 3, partitioner: 'librdkafka-consistent-random' },
  ])
  t.deepEqual(differences, [
    {
      topic: 'b',
      differs: ['empty keys'],
      message: 'b does not line up with a: empty keys drawn by librdkafka-consistent-random',
    },
  ])
})

test('two partitioners are said to line up exactly if they put the same keys in the same partitions', (t) => {
  const names = Object.keys(kafka.partitioners) as kafka.PartitionerName[]
  const keys = Array.from({ length: 300 }, (_, i) => `key-${i}-é`)
  const placed = new Map(names.map((partitioner) => [partitioner, kafka.partitionsForKeys(keys, 11, { partitioner })]))
  for (const one of names) {
    for (const other of names) {
      const { differences } = kafka.coPartitioned([
        { name: 'a', partitions: 11, partitioner: one },
        { name: 'b', partitions: 11, partitioner: other },
      ])
      const apart = differences.some(({ differs }) => differs.includes('partitioner'))
      const same = placed.get(one)!.every((partition, i) => partition === placed.get(other)![i])
      t.is(apart, !same, `${one} and ${other}`)
    }
  }
})

test('bad topics are one coded error each', (t) => {
  const said = (topics: unknown) => refusalOf(() => kafka.coPartitioned(topics as kafka.PartitionedTopic[]))
  t.is(said('t'), 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: topics: expected an array, got "t"')
  t.is(said([null]), 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: topics[0]: expected a topic, got null')
  t.regex(said([{ name: 't', partitions: 0 }]), /^RangeError ERR_PLACEMENT_NUM_PARTITIONS: topics\[0\]\.partitions: /)
  t.regex(
    said([{ name: 't', partitions: 1, partitioner: 'kafk' }]),
    /ERR_PLACEMENT_UNKNOWN_NAME: topics\[0\]\.partitioner: .*did you mean kafka/,
  )
  const twice = [1, 2].map((partitions) => ({ name: 't', partitions }))
  t.regex(said(twice), /^RangeError ERR_PLACEMENT_DUPLICATE: topics\[1\]\.name: /)
})
