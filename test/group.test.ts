/** Groups and transactional ids → partitions of Kafka's internal topics. */
import test from 'ava'
import { groupCoordinatorPartition, transactionCoordinatorPartition } from '../src/kafka/index.js'
import { refusalOf } from './refusal.js'
import { replayFile } from './vectors/replay.js'

test('groups and transactional ids live where the coordinators of Kafka 4.4.0 look for them', (t) => {
  const { failures, passed } = replayFile('test/vectors/kafka/group.jsonl', [])
  t.deepEqual(failures.slice(0, 3), [])
  t.true((passed.get('typescript') ?? 0) > 50)
})

test('without a count there are 50 partitions, as in Kafka', (t) => {
  t.is(groupCoordinatorPartition('console-consumer-1'), 24)
  t.is(groupCoordinatorPartition('console-consumer-1'), groupCoordinatorPartition('console-consumer-1', 50))
  t.is(transactionCoordinatorPartition('my-group'), 1906497762 % 50)
})

test('an id whose hash code is -2^31 goes to partition 0, whatever the count', (t) => {
  for (const id of ['polygenelubricants', 'GydZG_', 'DESIGNING WORKHOUSES']) {
    t.deepEqual(
      [1, 7, 50, 2147483647].map((n) => groupCoordinatorPartition(id, n)),
      [0, 0, 0, 0],
    )
  }
})

const BAD: readonly [ask: () => unknown, refusal: string][] = [
  [
    () => groupCoordinatorPartition(7 as never),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: groupId: expected a string, got 7',
  ],
  [
    () => transactionCoordinatorPartition(undefined as never),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: transactionalId: expected a string, got undefined',
  ],
  [
    () => groupCoordinatorPartition('g', 0),
    'RangeError ERR_PLACEMENT_NUM_PARTITIONS: numPartitions: expected an integer in [1, 2147483647], got 0',
  ],
  [
    () => groupCoordinatorPartition('g', 1.5),
    'RangeError ERR_PLACEMENT_NUM_PARTITIONS: numPartitions: expected an integer in [1, 2147483647], got 1.5',
  ],
  [
    () => groupCoordinatorPartition('g', '50' as never),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: numPartitions: expected an integer, got "50"',
  ],
]

for (const [ask, refusal] of BAD) {
  test(`refused: ${refusal}`, (t) => t.is(refusalOf(ask), refusal))
}
