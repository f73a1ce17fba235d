/**
 * Cases from the field (the project's `cases.md`): faults that people met elsewhere, as small inputs with the right answer.
 * Those of hashes, names and bundles; those of partitioners are in `partitioner.test.ts` and `built-in-partitioner.test.ts`.
 */
import test from 'ava'
import { hash, pulsar, RangeTable, TopicSet } from '../src/index.js'
import { ENGINES, onEngine } from './engines.js'

for (const engine of ENGINES) {
  test(`${engine}: B01: a topic of a production log lies in the bundle that the log names`, (t) => {
    const name = 'persistent://public/default/test-topic-o'
    t.is(hash.crc32(name), 0xf647b64d)
    onEngine(engine, () => {
      const bundles = pulsar.NamespaceBundles.fromBoundaries(['0x00000000', '0xf63fffff', '0xf64fffff', '0xffffffff'])
      t.is(bundles.bundleOf(name), '0xf63fffff_0xf64fffff')
      t.deepEqual(bundles.bundleOf([name]), ['0xf63fffff_0xf64fffff'])
      t.deepEqual([...bundles.indexOf(TopicSet.from([name]))], [1])
    })
  })

  test(`${engine}: B11: the domain is hashed with the name`, (t) => {
    const names = ['persistent', 'non-persistent'].map((domain) => `${domain}://public/default/test-topic-o`)
    const right = [0xf647b64d, 0x41649557]
    t.deepEqual(
      names.map((name) => hash.crc32(name)),
      right,
    )
    onEngine(engine, () => {
      t.deepEqual([...hash.crc32(names)], right)
      t.deepEqual(
        [...pulsar.NamespaceBundles.even(16).indexOf(names)],
        right.map((one) => Math.floor(one / 2 ** 28)),
      )
    })
  })

  test(`${engine}: B18: the largest hash is the last bundle's, and a bundle holds its lower end`, (t) => {
    onEngine(engine, () => {
      const hashes = Uint32Array.of(0xffffffff, 0xc0000000, 0xbfffffff, 0)
      const table = new RangeTable([0, 0x40000000, 0x80000000, 0xc0000000, 0xffffffff])
      for (const found of [table.indexOf(hashes), pulsar.NamespaceBundles.even(4).indexOfHash(hashes)]) {
        t.deepEqual([...found], [3, 3, 2, 0])
      }
    })
  })

  test(`${engine}: two legal topics with one CRC-32 share every bundle that there can be`, (t) => {
    const names = ['persistent://public/default/xs4ibwwl', 'persistent://public/default/adwoqc8j']
    onEngine(engine, () => {
      t.deepEqual([...hash.crc32(names)], [0xb4f4c980, 0xb4f4c980])
      const [one, other] = pulsar.NamespaceBundles.even(2 ** 20).indexOf(names)
      t.is(one, other)
    })
  })
}

test('B15: a partition is told by the last -partition- and a plain number behind it, in the topic alone', (t) => {
  const topic = (name: string) => pulsar.TopicName.get(name)
  for (const name of ['t-partition--1', 't-partition-01']) t.is(topic(name).partitionIndex, -1, name)
  t.is(topic('tp-partition-0-DLQ-partition-0').partitionIndex, 0)
  t.is(topic('tp-partition-0-DLQ-partition-0').partitionedTopicName, 'persistent://public/default/tp-partition-0-DLQ')
  t.is(topic('persistent://public/ns-partition-test/t').partitionIndex, -1)
})
