/** The keyless partitioners of the Java producer, as pure functions of the caller's random numbers. */
import test from 'ava'
import { isCodedError } from '../src/errors.js'
import { loadStats, nextPartition, roundRobin, stickyAfterAppend } from '../src/kafka/index.js'
import { refusalOf } from './refusal.js'
import { kafkaOps } from './vectors/kafka-ops.js'
import { replayFile } from './vectors/replay.js'

test('load tables, draws, sticky switches and round robin are those of kafka-clients 4.4.0', (t) => {
  const { failures, passed, skipped } = replayFile('test/vectors/kafka/partitioner.jsonl', [])
  t.deepEqual(failures.slice(0, 3), [])
  t.deepEqual([...skipped], [])
  t.true((passed.get('typescript') ?? 0) > 200)
})

test('before 4.4 the answer has no table of the rack', (t) => {
  const request = { queueSizes: [0, 3, 1], partitionIds: [0, 1, 2] }
  const total = { cumulative: Int32Array.of(4, 5, 8), partitionIds: Int32Array.of(0, 1, 2) }
  t.deepEqual(kafkaOps.loadStats(request, '4.3'), { adaptive: true, total })
  t.deepEqual(kafkaOps.loadStats(request, '4.4'), { adaptive: true, total, inThisRack: null })
})

test('the example of the documentation: queues 0, 3, 1 take 4, 1 and 3 of eight draws', (t) => {
  const stats = loadStats({ queueSizes: [0, 3, 1], partitionIds: [0, 1, 2] })
  const draws = Array.from({ length: 8 }, (_, random) => nextPartition(random, { stats }))
  t.deepEqual(draws, [0, 0, 0, 0, 1, 2, 2, 2])
})

test('a number stands for that many partitions with leaders', (t) => {
  const listed = [0, 1, 2, 3, 4]
  for (const random of [0, 7, -1, -(2 ** 31), 2 ** 31 - 1]) {
    t.is(nextPartition(random, { partitions: 5 }), nextPartition(random, { partitions: listed }))
  }
  const counters = [new Map<string, number>(), new Map<string, number>()]
  for (let i = 0; i < 7; i++) t.is(roundRobin(counters[0]!, 't', 5), roundRobin(counters[1]!, 't', listed))
})

test('H25: round robin counts by topic', (t) => {
  const counters = new Map<string, number>()
  t.deepEqual(
    ['t1', 't2', 't1', 't2'].map((topic) => roundRobin(counters, topic, 3)),
    [0, 0, 1, 1],
  )
})

test('asked twice a batch, as producers before 3.9 do, round robin passes over every second partition', (t) => {
  const counters = new Map<string, number>()
  const used = new Set<number>()
  for (let batch = 0; batch < 12; batch++) {
    roundRobin(counters, 't', 4)
    used.add(roundRobin(counters, 't', 4))
  }
  t.deepEqual([...used].sort(), [1, 3])
})

test('a sticky state is left as it was, and its partition may be picked again', (t) => {
  const state = Object.freeze({ partition: 1, producedBytes: 9 })
  t.deepEqual(
    stickyAfterAppend(state, { bytes: 1 }, 10, () => 1),
    { partition: 1, producedBytes: 0 },
  )
  t.deepEqual(
    stickyAfterAppend(state, { bytes: 1, enableSwitch: false }, 10, () => t.fail() as never),
    { partition: 1, producedBytes: 10 },
  )
})

test('what Java throws is on the error', (t) => {
  const errors = [
    () => stickyAfterAppend({ partition: 0, producedBytes: 0 }, { bytes: 1 }, 0, () => 0),
    () => nextPartition(0, { partitions: [] }),
    () => roundRobin(new Map(), 't', []),
  ].map((ask) => t.throws(ask))
  t.true(errors.every(isCodedError))
  t.like(errors[0], {
    javaClass: 'java.lang.IllegalArgumentException',
    javaMessage: 'stickyBatchSize must be >= 1 but got 0',
  })
  for (const error of errors.slice(1))
    t.like(error, { javaClass: 'java.lang.ArithmeticException', javaMessage: '/ by zero' })
})

const QUEUES = { queueSizes: [1, 2], partitionIds: [0, 1] }
const BAD: readonly [ask: () => unknown, refusal: string][] = [
  [
    () => loadStats(QUEUES, { rack: 'a', version: '4.3' }),
    'PlacementError ERR_PLACEMENT_UNSUPPORTED: rack: expected none for Kafka 4.3, got "a": the producer knows racks since 4.4',
  ],
  [
    () => loadStats(QUEUES, { version: '3.6' as never }),
    'RangeError ERR_PLACEMENT_UNKNOWN_VERSION: version: expected one of 3.9, 4.0, 4.1, 4.2, 4.3, 4.4, got "3.6" (did you mean 3.9?)',
  ],
  [
    () => loadStats({ queueSizes: [1, 2], partitionIds: [0] }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: partitionIds: expected one a queue, 2, got 1',
  ],
  [
    () => loadStats({ queueSizes: [1, -2], partitionIds: [0, 1] }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: queueSizes[1]: expected an integer in [0, 2147483647], got -2',
  ],
  [
    () => loadStats({ ...QUEUES, length: 3 }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: length: expected an integer in [0, 2], got 3',
  ],
  [
    () => loadStats({ queueSizes: [0, 0, 2147483647], partitionIds: [0, 1, 2] }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: queueSizes: the sum of the weights: expected an integer in [0, 2147483647], got 4294967297',
  ],
  [
    () => nextPartition(2 ** 31, { partitions: 3 }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: random: expected an integer in [-2147483648, 2147483647], got 2147483648',
  ],
  [
    () => nextPartition(undefined as never, { partitions: 3 }),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: random: expected an integer, got undefined',
  ],
  [
    () => nextPartition(1, { partitions: [0, 'b' as never] }),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: partitions[1]: expected an integer, got "b"',
  ],
  [
    () => nextPartition(1, {}),
    'RangeError ERR_PLACEMENT_NUM_PARTITIONS: partitions: expected one partition or more, got none',
  ],
  [
    () => roundRobin(new Map(), 5 as never, 3),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: topic: expected a string, got 5',
  ],
  [
    () => roundRobin(new Map(), 't', 'p' as never),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: partitions: expected an array or a number, got "p"',
  ],
  [
    () => stickyAfterAppend({ partition: 0, producedBytes: 0 }, { bytes: 1 }, Number.NaN, () => 0),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: batchSize: expected an integer in [1, 2147483647], got NaN',
  ],
]

for (const [ask, refusal] of BAD) {
  test(`refused: ${refusal}`, (t) => t.is(refusalOf(ask), refusal))
}
