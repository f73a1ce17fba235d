/** Sizing: the figures that must come out, and a cluster counted by hand. */
import test from 'ava'
import { Cluster, type Figure, SIZE_CLASSES, type SizedPart, size, sizing } from '../src/kafka/index.js'
import { refusalOf } from './refusal.js'

const GB = 1e9

function find(part: SizedPart | null | undefined, quantity: string): Figure {
  return part!.figures.find((one) => one.quantity === quantity)!
}

const hours = (minutes: number) => (minutes / 60).toFixed(1)

test('Z01: 1,024 handles of 1 GB segments at 250 MB a minute: 34.1 hours with an index, 22.7 with two', (t) => {
  const rate = 250e6 / 60
  t.is(sizing.segmentsWithin(1024, 'log-index'), 512)
  t.is(sizing.minutesUntilDescriptorsRunOut(1024, 'log-index', GB, rate), 2048)
  t.is(hours(2048), '34.1')
  t.is(sizing.segmentsWithin(1024, 'three-files'), 341)
  t.is(hours(sizing.minutesUntilDescriptorsRunOut(1024, 'three-files', GB, rate)), '22.7')
  // The article's 48 hours would be 720 segments and 1,440 handles.
  t.is((48 * 60 * 250e6) / GB, 720)
})

test('Z01 in the report, with its formula and the source of the limit', (t) => {
  const topics = [{ name: 'a', partitions: 1 }]
  const { cluster } = size(topics, {
    rate: 250e6 / 60,
    segmentBytes: GB,
    descriptorModel: 'log-index',
    descriptorLimit: 1024,
  })
  t.is(find(cluster, 'segments within the descriptors').value, 512)
  t.is(find(cluster, 'time until descriptors run out').value, 2048)
  t.is(
    find(cluster, 'time until descriptors run out').formula,
    '⌊512 segments × 1000000000 bytes / 4166666.667 bytes/s / 60⌋',
  )
})

test('Z03: 65,535 map areas hold 32,767 partitions of one segment', (t) => {
  t.is(sizing.partitionsWithinMaps(65_535), 32_767)
  t.is(
    find(
      size([{ name: 'a', partitions: 1 }], { mapLimit: 65_535 }).cluster,
      'one-segment partitions within the map areas',
    ).value,
    32_767,
  )
})

test('200 MB/s, three replicas, 7 days, 2 TB, 70 percent: 259.2 brokers are 260', (t) => {
  t.is(sizing.brokersByDisk(200e6, 3, 7 * 86_400, 0.7 * 2e12), 260)
  const options = { rate: 200e6, replicationFactor: 3, retentionSeconds: 7 * 86_400, disk: 2e12 }
  t.is(find(size([{ name: 'a', partitions: 10 }], options).cluster, 'brokers by disk').value, 260)
})

const CLUSTER = Cluster.from({
  brokers: [
    { id: 0, rack: 'a' },
    { id: 1, rack: 'b' },
    { id: 2, rack: 'b' },
  ],
  topics: [
    {
      name: 't',
      partitions: [
        [0, 1],
        [0, 2],
        [1, 0],
      ].map((replicas, partition) => ({ partition, replicas, bytes: 2_500 })),
    },
  ],
})

test('a cluster by broker and rack, counted by hand', (t) => {
  const { brokers, racks, notComputed } = size(CLUSTER, {
    rate: 300,
    consumers: 2,
    segmentBytes: 1000,
    connections: 5,
    replicationFactor: 2,
  })
  t.deepEqual(
    brokers.map((part) => find(part, 'replicas').value),
    [3, 2, 1],
  )
  t.deepEqual(
    brokers.map((part) => find(part, 'leaders').value),
    [2, 1, 0],
  )
  // Three segments each, one file a segment as Kafka maps its indexes, and two maps.
  t.deepEqual(
    brokers.map((part) => find(part, 'descriptors').value),
    [14, 11, 8],
  )
  t.deepEqual(
    brokers.map((part) => find(part, 'map areas').value),
    [18, 12, 6],
  )
  t.deepEqual(
    brokers.map((part) => find(part, 'disk').value),
    [7500, 5000, 2500],
  )
  // 100 bytes/s a partition: what it leads and what it follows; out to one follower and two groups of consumers.
  t.deepEqual(
    brokers.map((part) => find(part, 'network in').value),
    [300, 200, 100],
  )
  t.deepEqual(
    brokers.map((part) => find(part, 'network out').value),
    [600, 300, 0],
  )
  t.deepEqual(
    racks.map((part) => [part.name, find(part, 'replicas').value]),
    [
      ['rack a', 3],
      ['rack b', 3],
    ],
  )
  t.true(find(brokers[0], 'replicas').source!.startsWith('Cruise Control'))
  t.true(notComputed.includes('brokers by disk: it takes a rate, a retention time, a replication factor and a disk'))
})

test('48 hours of the article: 720 segments, 1,440 handles and the connections', (t) => {
  const { cluster, brokers } = size([{ name: 'a', partitions: 1 }], {
    brokers: 1,
    rate: 250e6 / 60,
    retentionSeconds: 48 * 3600,
    segmentBytes: GB,
    descriptorModel: 'log-index',
    descriptorLimit: 1024,
    connections: 10,
  })
  t.is(find(cluster, 'segments').value, 720)
  t.is(find(cluster, 'descriptors').value, 1450)
  t.is(find(cluster, 'disk').value, 720 * GB)
  t.like(find(brokers[0], 'descriptors'), { limit: 1024, isWithin: false, source: 'given as descriptorLimit' })
})

test('connections are those of each broker; without their number, replicas are counted as asked', (t) => {
  const topics = [
    { name: 'a', partitions: 10 },
    { name: 'b', partitions: 5, replicationFactor: 2 },
  ]
  const options = { replicationFactor: 3, segmentBytes: GB, retentionBytes: GB, connections: 7 }
  t.is(find(size(topics, { ...options, brokers: 4 }).cluster, 'descriptors').value, 40 + 4 * 7)
  t.is(find(size(topics, { replicationFactor: 3 }).cluster, 'replicas').value, 40)
})

test('formulas tell where bytes come from', (t) => {
  const formula = (options: object, cluster: Cluster | null = null) =>
    find(size(cluster ?? [{ name: 'a', partitions: 2 }], options).cluster, 'disk').formula
  t.is(formula({ retentionBytes: 5 }), 'Σ over replicas, 5 bytes')
  t.is(formula({ rate: 100, retentionSeconds: 60 }), 'Σ over replicas, 50 bytes/s × 60 s')
  t.is(
    formula({ rate: 100, retentionSeconds: 60, retentionBytes: 9 }),
    'Σ over replicas, min(50 bytes/s × 60 s, 9 bytes)',
  )
  t.is(formula({ rate: 100, retentionSeconds: 60 }, CLUSTER), 'Σ over replicas, bytes that the cluster tells')
})

test('a thousand brokers: the losses are compared in numbers alone', (t) => {
  const { afterBrokerLoss } = size([{ name: 'a', partitions: 3000 }], { brokers: 1000, replicationFactor: 2, rate: 1 })
  t.is(find(afterBrokerLoss, 'leaders').value, 6)
  t.true(find(afterBrokerLoss, 'leaders').formula.endsWith('; broker 1 without broker 0'))
})

test('after a loss the next replica leads: the worst broker is named with what is lost', (t) => {
  const { afterBrokerLoss, afterRackLoss } = size(CLUSTER, { rate: 300, consumers: 1 })
  t.is(find(afterBrokerLoss, 'leaders').value, 3)
  t.true(find(afterBrokerLoss, 'leaders').formula.endsWith('; broker 0 without broker 1'))
  // Without rack b, broker 0 leads all three, and has no follower left.
  t.is(find(afterRackLoss, 'leaders').value, 3)
  t.is(find(afterRackLoss, 'network out').value, 300)
})

test('moves: the longest throttle string, and the time of the busiest broker, wave by wave', (t) => {
  const wave = [{ topic: 't', partition: 0, replicas: [2, 1] }]
  const { cluster } = size(CLUSTER, { waves: [wave, wave], throttle: 10 })
  t.is(find(cluster, 'throttle string').value, '0:0,0:1'.length)
  t.is(find(cluster, 'move time').value, 2 * Math.ceil(2500 / 10 / 60))
})

test('what is under way is copied beside the first wave, and not again beside the next', (t) => {
  const partitions = [
    { partition: 0, replicas: [2, 0], adding: [2], removing: [0], bytes: 6000 },
    { partition: 1, replicas: [0], bytes: 1200 },
    { partition: 2, replicas: [1], bytes: 1200 },
  ]
  const busy = Cluster.from({ brokers: [0, 1, 2].map((id) => ({ id })), topics: [{ name: 't', partitions }] })
  const waves = [1, 2].map((partition) => [{ topic: 't', partition, replicas: [2] }])
  const { cluster } = size(busy, { waves, throttle: 10 })
  // 6,000 + 1,200 bytes into broker 2, then 1,200: ten bytes a second.
  t.is(find(cluster, 'move time').value, 14)
  // 0:0,1:0 of the first wave.
  t.is(find(cluster, 'throttle string').value, 7)
})

test('a group record: members × (names + 4 × partitions) + names', (t) => {
  const { cluster } = size([{ name: 'orders', partitions: 12 }], { groupMembers: 3 })
  t.is(find(cluster, 'group metadata record').value, 3 * (6 + 4 * 4) + 6)
})

const REFUSED: readonly [options: object, said: string][] = [
  [{ rate: -1 }, 'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rate: expected a number in [0, 9007199254740991], got -1'],
  [
    { rate: Number.NaN },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rate: expected a number in [0, 9007199254740991], got NaN',
  ],
  [
    { fillPercent: 101 },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: fillPercent: expected an integer in [1, 100], got 101',
  ],
  [{ sizeClass: 'kafka.m5.larg' }, /did you mean kafka\.m5\.large\?/.source],
  [{ waves: 5 }, 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: waves: expected an array, got 5'],
  [{ waves: [[{ topic: 't' }]] }, /waves\[0\]\[0\]\.partition: expected an integer, got undefined/.source],
  [
    { brokers: 2, replicationFactor: 3 },
    /topics\[0\]\.replicationFactor: expected at most the number of brokers, 2, got 3/.source,
  ],
  [{ segmentByte: 1 }, /did you mean segmentBytes\?/.source],
]

for (const [options, said] of REFUSED) {
  test(`refused: ${JSON.stringify(options)}`, (t) => {
    const refused = refusalOf(() => size([{ name: 'a', partitions: 1 }], options))
    t.true(refused === said || new RegExp(said).test(refused), refused)
  })
}

test("a managed service's limits by size: the recommended numbers, with those up to which updates work", (t) => {
  t.deepEqual(
    ['t3.small', 'm5.xlarge', 'm7g.2xlarge', 'm5.24xlarge', 'm7g.16xlarge'].map((name) => {
      const { limit, source } = SIZE_CLASSES[`kafka.${name}`]!
      return [limit, Number(/up to (\d+)$/.exec(source)![1])]
    }),
    [
      [300, 300],
      [1000, 1500],
      [2000, 3000],
      [4000, 6000],
      [4000, 6000],
    ],
  )
  const { brokers, afterBrokerLoss } = size([{ name: 't', partitions: 900 }], {
    brokers: 3,
    replicationFactor: 2,
    sizeClass: 'kafka.m5.large',
  })
  const replicas = (part: typeof afterBrokerLoss) => part!.figures.find(({ quantity }) => quantity === 'replicas')
  t.like(replicas(brokers[0]!), { value: 600, limit: 1000, isWithin: true })
  t.like(replicas(afterBrokerLoss), { limit: 1000 })
})
