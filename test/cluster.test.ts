/** The columns of a cluster: sorted, numbered, and refused where the snapshot does not fit together. */
import test from 'ava'
import { kafka } from '../src/index.js'
import { refusalOf } from './refusal.js'

const { Cluster } = kafka

test('brokers ascend by id, topics by UTF-16, partitions by number, whatever their order', (t) => {
  const cluster = Cluster.from({
    brokers: [
      { id: 7, rack: 'b' },
      { id: 2, state: 'fenced', weight: 2, capacity: 10 },
    ],
    topics: [
      { name: '\uffee', partitions: [[7]] },
      {
        name: '\u{1f600}',
        minInsyncReplicas: 1,
        partitions: [
          { partition: 1, replicas: [2, 7] },
          { partition: 0, replicas: [7] },
        ],
      },
      { name: 'z', partitions: [] },
    ],
  })
  t.deepEqual(cluster.topicNames, ['z', '\u{1f600}', '\uffee'])
  t.deepEqual([...cluster.topicStarts], [0, 0, 2, 3])
  t.deepEqual([...cluster.partitions], [0, 1, 0])
  t.deepEqual([...cluster.replicaStarts], [0, 1, 3, 4])
  t.deepEqual([...cluster.replicas], [1, 0, 1, 1])
  t.deepEqual(cluster.replicasOf(1), [2, 7])
  t.deepEqual(
    [0, 1, 2].map((row) => cluster.topicOf(row)),
    ['\u{1f600}', '\u{1f600}', '\uffee'],
  )
  t.deepEqual([cluster.rowOf('\uffee', 0), cluster.rowOf('z', 0), cluster.rowOf('y', 0)], [2, -1, -1])
  t.deepEqual([cluster.brokerAt(7), cluster.brokerAt(3)], [1, -1])
  t.deepEqual(Cluster.from(cluster.toJSON()), cluster)
})

test('a broker that only a replica list names is there, out and not listed', (t) => {
  const { brokers } = Cluster.from({ brokers: [{ id: 1 }], topics: [{ name: 't', partitions: [[1, 2147483647]] }] })
  t.deepEqual(
    brokers.map(({ id, state, listed }) => [id, state, listed]),
    [
      [1, 'in', true],
      [2147483647, 'out', false],
    ],
  )
})

test('bytes and moves stay with their partition', (t) => {
  const cluster = Cluster.from({
    brokers: [],
    topics: [
      { name: 'b', partitions: [{ partition: 0, replicas: [1, 2], bytes: 5, adding: [1], removing: [2] }] },
      { name: 'a', partitions: [{ partition: 0, replicas: [1], bytes: 7 }] },
    ],
  })
  t.deepEqual([...cluster.bytes!], [7, 5])
  t.deepEqual([...cluster.moving], [[1, { adding: [1], removing: [2] }]])
})

const partition = (more: object) => ({
  brokers: [],
  topics: [{ name: 't', partitions: [{ partition: 0, replicas: [0], ...more }] }],
})
const broker = (more: object) => ({ brokers: [{ id: 0, ...more }], topics: [] })
const REFUSED: [name: string, snapshot: unknown, code: string, message: string][] = [
  ['no brokers', { topics: [] }, 'ERR_PLACEMENT_ARGUMENT_TYPE', 'cluster.brokers: expected an array, got undefined'],
  [
    'a broker twice',
    { brokers: [{ id: 1 }, { id: 1 }], topics: [] },
    'ERR_PLACEMENT_DUPLICATE',
    'brokers: broker 1 is given twice',
  ],
  [
    'a topic twice',
    {
      brokers: [],
      topics: [
        { name: 't', partitions: [] },
        { name: 't', partitions: [] },
      ],
    },
    'ERR_PLACEMENT_DUPLICATE',
    'topics: topic "t" is given twice',
  ],
  [
    'a partition twice',
    { brokers: [], topics: [{ name: 't', partitions: [[1], { partition: 0, replicas: [2] }] }] },
    'ERR_PLACEMENT_DUPLICATE',
    'topic "t": partition 0 is given twice',
  ],
  [
    'a partition missing',
    { brokers: [], topics: [{ name: 't', partitions: [[1], { partition: 2, replicas: [2] }] }] },
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    'topic "t": partition 1 is missing before partition 2',
  ],
  [
    'a broker beyond 2^31 - 1',
    broker({ id: 2 ** 31 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    'brokers[0].id: expected an integer in [0, 2147483647], got 2147483648',
  ],
  [
    'an unknown field',
    broker({ racks: 'a' }),
    'ERR_PLACEMENT_UNKNOWN_NAME',
    'brokers[0], a field: expected one of id, rack, state, weight, capacity, got "racks" (did you mean rack?)',
  ],
  [
    'a weight of zero',
    broker({ weight: 0 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    'brokers[0].weight: expected a number above 0, got 0',
  ],
  [
    'a weight that is NaN',
    broker({ weight: Number.NaN }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    'brokers[0].weight: expected a number above 0, got NaN',
  ],
  [
    'a capacity below zero',
    broker({ capacity: -1 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    `brokers[0].capacity: expected an integer in [0, ${Number.MAX_SAFE_INTEGER}], got -1`,
  ],
  [
    'a state of another name',
    broker({ state: 'inn' }),
    'ERR_PLACEMENT_UNKNOWN_NAME',
    'brokers[0].state: expected one of in, out, fenced, got "inn" (did you mean in?)',
  ],
  [
    'no replicas',
    partition({ replicas: [] }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    'topics[0].partitions[0].replicas: expected one broker or more, got none',
  ],
  [
    'a replica that is text',
    partition({ replicas: ['0'] }),
    'ERR_PLACEMENT_ARGUMENT_TYPE',
    'topics[0].partitions[0].replicas[0]: expected an integer, got "0"',
  ],
  [
    'a broker that joins and is no replica',
    partition({ adding: [3] }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    'topics[0].partitions[0].adding: expected brokers of the replicas 0, got 3',
  ],
  [
    'bytes of some',
    { brokers: [], topics: [{ name: 't', partitions: [{ partition: 0, replicas: [0], bytes: 1 }, [1]] }] },
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    'topic "t", partition 1: expected bytes of every partition or of none',
  ],
]

for (const [name, snapshot, code, message] of REFUSED) {
  test(`refused: ${name}`, (t) => {
    t.is(refusalOf(() => Cluster.from(snapshot as never)).replace(/^\w+ /, ''), `${code}: ${message}`)
  })
}

test('a part of a cluster may lack partitions', (t) => {
  const snapshot = { brokers: [], topics: [{ name: 't', partitions: [{ partition: 2147483647, replicas: [2] }] }] }
  t.is(Cluster.from(snapshot, { partial: true }).rowOf('t', 2147483647), 0)
})
