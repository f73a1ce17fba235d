/** Failover subscriptions beside the jars' vectors (test/vectors): the short road, a naive twin of the ring, what is refused. */
import test from 'ava'
import { hash, pulsar } from '../src/index.js'
import { Chance } from './oracle/chance.js'
import { refusalOf } from './refusal.js'

const { activeConsumer, FailoverConsumers } = pulsar
const named = (...names: string[]) => names.map((name) => ({ name }))

test('a partition takes the consumer at its own index in the order of names', (t) => {
  const of = (topic: string) => activeConsumer(named('c2', 'c1', 'c3'), { topic })
  t.deepEqual(['t-partition-0', 't-partition-1', 't-partition-2', 't-partition-3'].map(of), [1, 0, 2, 1])
  t.is(activeConsumer(named('c2', 'c1'), { topic: 't', partitionIndex: 1 }), 0, 'the index can be given')
  t.is(activeConsumer([], { topic: 't' }), null)
})

test('only consumers of the best priority level count, and levels are subtracted as int32', (t) => {
  const levels = (...priorities: number[]) => priorities.map((priorityLevel, i) => ({ name: `c${i}`, priorityLevel }))
  t.is(activeConsumer(levels(1, 0, 0), { topic: 't-partition-1' }), 2)
  t.is(activeConsumer(levels(-2, 2147483647), { topic: 't-partition-0' }), 1)
})

test('2.10 keeps the eldest active on a topic without partitions, whatever its level', (t) => {
  const consumers = [{ name: 'z', priorityLevel: 9 }, { name: 'a' }]
  t.is(activeConsumer(consumers, { topic: 't', version: '2.10' }), 0)
  t.is(activeConsumer(consumers, { topic: 't', version: '3.0' }), 1)
})

test('the ring gives a topic to the owner of the next point, as a walk over all points does', (t) => {
  const seed = 20261201
  const chance = new Chance(seed)
  t.log(`seed ${seed}`)
  for (let round = 0; round < 60; round++) {
    const names = chance.times(chance.between(1, 8), () => chance.text(chance.between(0, 5), 'word'))
    const topic = `persistent://a/b/${chance.text(6, 'word')}`
    const got = activeConsumer(named(...names), { topic, partitionIndex: 3, consistentHashing: true })
    t.is(names[got!], names[naive(names, topic)], `${topic} ${names}`)
  }
})

/** The owner of the least point at or above the topic's hash, of equal points the last in the order of names. */
function naive(names: readonly string[], topic: string): number {
  const sorted = names.map((name, i) => ({ name, i })).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const masked = (text: string) => hash.murmur3(text) % 2 ** 31
  const points = sorted.flatMap(({ name, i }) =>
    Array.from({ length: 100 }, (_, j) => ({ i, at: masked(`${name}${j}`) })),
  )
  const distance = (at: number) => (at - masked(topic) + 2 ** 31) % 2 ** 31
  return points.reduce((best, point) => (distance(point.at) <= distance(best.at) ? point : best)).i
}

test('who is not there cannot leave, and numbers stay with their consumers', (t) => {
  const consumers = new FailoverConsumers({ topic: 't-partition-0' })
  t.deepEqual([consumers.join({ name: 'b' }), consumers.join({ name: 'a' })], [0, 1])
  t.deepEqual([...consumers.order], [1, 0])
  consumers.leave(1)
  t.is(consumers.active, 0)
  const error = t.throws(() => consumers.leave(1)) as Error & Record<string, unknown>
  t.is(error['javaMessage'], 'Consumer was not connected')
  t.is(error.message, 'number: expected a consumer that is there, got 1')
})

test('what is no question is refused', (t) => {
  const lines = [
    () => new FailoverConsumers({ topic: 'a//b' }),
    () => new FailoverConsumers({ topic: 't', partitionIndex: -2 }),
    () => new FailoverConsumers({ topic: 't', consistentHashing: true, version: '3.0' }),
    () => activeConsumer([{ name: 1 as never }], { topic: 't' }),
    () => activeConsumer([{ name: 'a', priorityLevel: 0.5 }], { topic: 't' }),
  ].map(refusalOf)
  t.deepEqual(lines, [
    'RangeError ERR_PLACEMENT_TOPIC_NAME: topic name: expected no empty part, got "a//b"; Pulsar 5.0 says: Invalid topic name a//b',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: partitionIndex: expected an integer in [-1, 2147483647], got -2',
    'PlacementError ERR_PLACEMENT_UNSUPPORTED: consistentHashing: expected false, got true: Pulsar 3.0 has no activeConsumerFailoverConsistentHashing',
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: name: expected a string, got 1',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: priorityLevel: expected an integer in [-2147483648, 2147483647], got 0.5',
  ])
})
