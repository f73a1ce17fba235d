/** Replicas placed and reassigned: rows K and P of the field's cases, the two engines, and what is refused. */
import test from 'ava'
import { Cluster, placeReplicas, reassignment } from '../src/kafka/index.js'
import type { PlacementQuestion } from '../src/kafka/place-replicas.js'
import { ENGINES, onEngine } from './engines.js'
import { Chance } from './oracle/chance.js'
import { alternating, striped } from './oracle/questions/replicas.js'
import { refusalOf } from './refusal.js'
import { replayRequest } from './vectors/replay.js'

const SEED = Number(process.env['TOPIC_PLACEMENT_SEED'] ?? 20261201)

const RACKED = [
  { id: 0, rack: 'r1' },
  { id: 1, rack: 'r3' },
  { id: 2, rack: 'r3' },
  { id: 3, rack: 'r2' },
  { id: 4, rack: 'r2' },
  { id: 5, rack: 'r1' },
]

for (const name of ENGINES) {
  test(`K01: racks r1 r3 r3 r2 r2 r1, alternating from index 0, on ${name}`, (t) => {
    const { replicas } = onEngine(name, () =>
      placeReplicas({
        placer: 'alternating',
        brokers: RACKED,
        partitions: 6,
        replicationFactor: 3,
        fixedStartIndex: 0,
      }),
    ).toJSON()
    t.deepEqual(replicas, [
      [0, 3, 1],
      [3, 1, 5],
      [1, 5, 4],
      [5, 4, 2],
      [4, 2, 0],
      [2, 0, 3],
    ])
  })

  test(`K03: four brokers in two racks take four replicas, two a rack, on ${name}`, (t) => {
    const brokers = [0, 1, 2, 3].map((id) => ({ id, rack: id % 2 === 0 ? 'a' : 'b' }))
    const question = { placer: 'striped', brokers, partitions: 50, replicationFactor: 4, random: { seed: 3 } } as const
    const { replicas } = onEngine(name, () => placeReplicas(question)).toJSON()
    t.true(replicas.every((list) => new Set(list).size === 4))
  })
}

test(`millions of partitions, both engines alike (seed ${SEED})`, (t) => {
  const brokers = Array.from({ length: 97 }, (_, id) => ({ id: id * 3, rack: `r${id % 5}`, fenced: id % 11 === 0 }))
  const base = { brokers, partitions: 1_000_000, replicationFactor: 3, random: { seed: SEED } } as const
  for (const question of [
    { ...base, placer: 'striped' },
    { ...base, placer: 'alternating', startPartitionId: 5 },
  ] as PlacementQuestion[]) {
    const answers = ENGINES.map((name) => onEngine(name, () => placeReplicas(question)))
    for (const { replicas, random } of answers) {
      t.deepEqual(random, answers[0]!.random)
      t.true(Buffer.from(replicas.buffer).equals(Buffer.from(answers[0]!.replicas.buffer)))
    }
  }
})

test(`both engines place alike on random clusters, errors too (seed ${SEED})`, (t) => {
  const chance = new Chance(SEED, 'replicas')
  for (let i = 0; i < 3000; i++) {
    const { request } = (i % 2 === 0 ? striped : alternating)(chance, '4.4')
    const [first, ...others] = ENGINES.map((name) => onEngine(name, () => replayRequest('', request, '4.4')))
    for (const other of others) t.deepEqual(other, first, JSON.stringify(request))
  }
})

test("an answer goes on where it ended: two topics of one source are one topic's draws", (t) => {
  const brokers = [0, 1, 2, 3, 4].map((id) => ({ id }))
  const base = { placer: 'striped', brokers, partitions: 7, replicationFactor: 2 } as const
  for (const random of [{ seed: 5n }, { numbers: Array.from({ length: 60 }, (_, i) => (i * 2654435761) >>> 0) }]) {
    const first = placeReplicas({ ...base, random })
    t.deepEqual(placeReplicas({ ...base, random }).toJSON(), first.toJSON())
    t.notDeepEqual(placeReplicas({ ...base, random: first.random! }).toJSON(), first.toJSON())
  }
})

const ask = (more: object) =>
  refusalOf(() =>
    placeReplicas({
      placer: 'striped',
      brokers: [{ id: 0 }],
      partitions: 1,
      replicationFactor: 1,
      random: { seed: 0 },
      ...more,
    } as never),
  )

const REFUSED: readonly [name: string, more: object, said: string][] = [
  [
    'brokers repeated',
    { brokers: [{ id: 7 }, { id: 7 }] },
    'RangeError ERR_PLACEMENT_DUPLICATE: brokers[1].id: expected each once, got 7 as at index 0 [index 1]',
  ],
  [
    'a broker beyond 2^31 - 1',
    { brokers: [{ id: 2147483648 }] },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: brokers[0].id: expected an integer in [0, 2147483647], got 2147483648',
  ],
  [
    'a field misspelt',
    { brokers: [{ id: 7, fence: true }] },
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: brokers[0], a field: expected one of id, rack, fenced, got "fence" (did you mean fenced?)',
  ],
  [
    'a factor above the brokers',
    { replicationFactor: 2, version: '4.2' },
    'PlacementError ERR_PLACEMENT_REPLICATION_FACTOR: The target replication factor of 2 cannot be reached because only 1 broker(s) are registered.',
  ],
  [
    'all fenced',
    { brokers: [{ id: 1, fenced: true }] },
    'PlacementError ERR_PLACEMENT_REPLICATION_FACTOR: All brokers are currently fenced, or have all their log directories cordoned.',
  ],
  [
    'racks partly missing',
    { placer: 'alternating', brokers: [{ id: 1, rack: 'a' }, { id: 2 }] },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: brokers[1].rack: expected a rack as others have, got none [index 1]',
  ],
  [
    'no source of numbers',
    { random: undefined },
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: random: expected { seed }, { state } or { numbers }, got undefined',
  ],
  [
    'too few numbers',
    { random: { numbers: [1] } },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: random.numbers: expected more numbers, all of them are drawn',
  ],
  [
    'a seed beyond a long',
    { random: { seed: 2n ** 63n } },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: random.seed: expected a Java long, got 9223372036854775808n',
  ],
  [
    'a start for striped',
    { fixedStartIndex: 1 },
    'PlacementError ERR_PLACEMENT_UNSUPPORTED: fixedStartIndex: the striped placer has no such choice, alternating has',
  ],
  [
    'sums beyond an int',
    { placer: 'alternating', fixedStartIndex: 2147483647 },
    "PlacementError ERR_PLACEMENT_UNSUPPORTED: fixedStartIndex 2147483647, partitions 0 to 0: Kafka's sums pass 2^31 - 1 here, and it fails",
  ],
  [
    'more replicas than an array holds',
    { partitions: 2147483647 },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: partitions: expected at most 268435456 replicas in all, got 2147483647 times 1',
  ],
]

for (const [name, more, said] of REFUSED) test(`refused: ${name}`, (t) => t.is(ask(more), said))

const CLUSTER = Cluster.from({
  brokers: [{ id: 0 }, { id: 1 }, { id: 2, state: 'fenced' }],
  topics: [{ name: 'a', partitions: [[0, 1], { partition: 1, replicas: [1, 0, 2], adding: [2] }] }],
})

const file = (...partitions: readonly (readonly [string, number, readonly number[]])[]) =>
  JSON.stringify({
    version: 1,
    partitions: partitions.map(([topic, partition, replicas]) => ({ topic, partition, replicas })),
  })

/** P15, each with what the tool says and the place. */
const P15: readonly [name: string, json: string, said: string][] = [
  ['an empty file', '', 'reassignment: expected JSON, got nothing'],
  ['an empty list', file(), 'partitions: Partition reassignment list cannot be empty'],
  [
    'an empty replica list',
    file(['a', 0, [1]], ['a', 1, []]),
    'partitions[1]: Partition replica list cannot be empty [index 1]',
  ],
  [
    'a partition twice',
    file(['a', 0, [1]], ['a', 0, [0]]),
    'partitions[1]: Partition reassignment contains duplicate topic partitions: a-0 [index 1]',
  ],
  [
    'a broker twice',
    file(['a', 0, [1, 1]]),
    'partitions[0]: Partition replica lists may not contain duplicate entries: a-0 contains multiple entries for 1 [index 0]',
  ],
  [
    'C01: broken JSON',
    '{"version":1,\n"partitions":[}',
    "reassignment: line 2, column 15: Unexpected close marker '}': expected ']' (for Array of line 2, column 14)",
  ],
  [
    'a broker that is text',
    '{"partitions":[{"topic":"a","partition":0,"replicas":["1"]}]}',
    'partitions[0].replicas[0]: Expected `Integer` value, received "1"',
  ],
]

for (const [name, json, said] of P15) {
  test(`P15: ${name}`, (t) => {
    t.is(
      refusalOf(() => reassignment.executeArguments(json)),
      `RangeError ERR_PLACEMENT_REASSIGNMENT: ${said}`,
    )
  })
}

test('P15: a broker list with duplicates', (t) => {
  t.is(
    refusalOf(() => reassignment.parseBrokerList('1,2,1')),
    'RangeError ERR_PLACEMENT_REASSIGNMENT: Broker list contains duplicate entries: [1]',
  )
})

test('every problem of a reassignment is told with its place: by the tool, by the controller, or as a warning', (t) => {
  const entries = reassignment.parse(file(['a', 0, [0, 2]], ['a', 7, [9, 9]], ['z', 0, [1]], ['a', 0, [0]]))
  t.deepEqual(
    reassignment.validate(entries, CLUSTER).map(({ by, index, message }) => [index, by, message]),
    [
      [0, 'warning', 'broker 2 is fenced: nothing stops a move to it'],
      [1, 'tool', 'Partition replica lists may not contain duplicate entries: a-7 contains multiple entries for 9'],
      [1, 'controller', 'The manual partition assignment includes the broker 9 more than once.'],
      [1, 'tool', 'Unknown broker id 9'],
      [1, 'controller', 'The manual partition assignment includes broker 9, but no such broker is registered.'],
      [1, 'tool', 'Unable to find partition: a-7'],
      [1, 'controller', 'Unable to find partition a:7.'],
      [2, 'tool', 'Topic z not found.'],
      [2, 'controller', 'Unable to find a topic named z.'],
      [3, 'tool', 'Partition reassignment contains duplicate topic partitions: a-0'],
      [3, 'warning', 'the replication factor is changed from 2 to 1'],
    ],
  )
})

test('the controller refuses cordoned brokers since 4.3, an empty list, and where asked another replication factor', (t) => {
  const entries = reassignment.parse(file(['a', 0, [1, 0]], ['a', 1, []]))
  const said = (options: reassignment.ValidateOptions) =>
    reassignment.validate(entries, CLUSTER, options).map(({ by, index, message }) => `${index} ${by}: ${message}`)
  const cordoned = 'The manual partition assignment includes broker 1, but all its log directories are cordoned.'
  t.true(said({ cordoned: [1] }).includes(`0 controller: ${cordoned}`))
  t.false(
    said({ cordoned: [1], version: '4.2' })
      .join()
      .includes('cordoned'),
  )
  t.true(said({}).includes('1 controller: The manual partition assignment includes an empty replica list.'))
  const [factor] = reassignment.validate(reassignment.parse(file(['a', 0, [0]])), CLUSTER, {
    disallowReplicationFactorChange: true,
  })
  t.like(factor, { by: 'controller', message: 'The replication factor is changed from 2 to 1' })
  t.is(
    refusalOf(() => reassignment.validate(entries, CLUSTER, { cordoned: [-1] })),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: cordoned[0]: expected an integer in [0, 2147483647], got -1',
  )
})

test('cancelling is refused where it would need an unclean election, and asks for nothing where nothing moves', (t) => {
  const cluster = Cluster.from({
    brokers: [{ id: 0 }, { id: 1, state: 'fenced' }, { id: 2 }],
    topics: [
      {
        name: 'a',
        partitions: [
          { partition: 0, replicas: [2, 1], adding: [2], removing: [1] },
          { partition: 1, replicas: [2, 0], adding: [2], removing: [0] },
          { partition: 2, replicas: [0] },
        ],
      },
    ],
  })
  const entries = reassignment.parse(file(['a', 0, [2]], ['a', 1, [2]], ['a', 2, [0]], ['a', 3, [0]], ['z', 0, [0]]))
  t.deepEqual(
    reassignment.validateCancel(entries, cluster).map(({ by, partition, message }) => `${partition} ${by}: ${message}`),
    [
      'a-0 controller: Unable to revert partition assignment for a:0 because it would require an unclean leader election.',
      'a-2 warning: no reassignment is under way: there is nothing to cancel',
      'a-3 controller: Unable to find partition a:3.',
      'z-0 controller: Unable to find a topic named z.',
    ],
  )
})

test('C03: of the whole output of --generate the proposal is taken', (t) => {
  const [current, proposed] = [file(['a', 0, [1]]), file(['a', 0, [2]])]
  const printed = `Current partition replica assignment\n${current}\n\nProposed partition reassignment configuration\n${proposed}\n`
  t.deepEqual(reassignment.find(printed), { entries: reassignment.parse(proposed), isPrinted: true })
  t.deepEqual(reassignment.find(current), { entries: reassignment.parse(current), isPrinted: false })
})

test('a difference tells moves apart from new orders, and the rollback leads back', (t) => {
  const after = reassignment.parse(file(['a', 1, [0, 1, 2]], ['a', 0, [0, 2]]))
  const before = reassignment.rollbackOf(CLUSTER, after)
  t.deepEqual(
    before.map(({ replicas }) => replicas),
    [
      [0, 1],
      [1, 0, 2],
    ],
  )
  const { changes, moves, leaderChanges } = reassignment.diff(before, after)
  t.deepEqual([moves, leaderChanges], [1, 1])
  t.deepEqual(
    changes.map(({ added, removed, reordered }) => [added, removed, reordered]),
    [
      [[2], [1], false],
      [[], [], true],
    ],
  )
  t.deepEqual(
    reassignment.movesIn(CLUSTER, after).map(({ sources, destinations }) => [sources, destinations]),
    [
      [[1, 0], [2]],
      [[0, 1], [2]],
    ],
  )
})

test('what --verify would say of a plan in a state', (t) => {
  const entries = reassignment.parse(file(['a', 0, [0, 1]], ['a', 1, [2]]))
  t.deepEqual(reassignment.compare(entries, CLUSTER), [
    'Reassignment of partition a-0 is completed.',
    'Reassignment of partition a-1 is still in progress.',
  ])
})

const WRONG = [{ topic: 't', partition: 0, replicas: ['1'] }] as never
const RUBBISH: readonly (readonly [ask: () => unknown, said: string])[] = [
  [() => reassignment.parse(5 as never), 'json: expected a string, got 5'],
  [() => reassignment.parse('{}', null as never), 'options: expected an object, got null'],
  [() => reassignment.parseTopicsToMove([] as never), 'json: expected a string, got an Array'],
  [() => reassignment.find(undefined as never), 'text: expected a string, got undefined'],
  [() => reassignment.format(WRONG), 'entries[0].replicas[0]: expected an integer, got "1"'],
  [() => [...reassignment.blocks(5 as never)], 'entries: expected an array, got 5'],
  [() => reassignment.formatTopicsToMove([5] as never), 'topics[0]: expected a string, got 5'],
  [() => reassignment.checkEntries([null] as never), 'entries[0]: expected an object, got null'],
  [() => reassignment.diff([], {} as never), 'after: expected an array, got an Object'],
  [() => reassignment.rollbackOf(CLUSTER, WRONG), 'entries[0].replicas[0]: expected an integer, got "1"'],
  [() => reassignment.movesIn({} as never, []), 'cluster: expected a Cluster, got an Object'],
  [() => reassignment.throttlesOf([{ topic: 'a' }] as never), 'moves[0].sources: expected an array, got undefined'],
  [() => reassignment.proposedMoves(null as never), 'question: expected an object, got null'],
  [() => reassignment.validate([], 5 as never), 'cluster: expected a Cluster, got 5'],
  [
    () => reassignment.validate([], CLUSTER, { cordonned: [] } as never),
    'options, a field: expected one of version, cordoned, disallowReplicationFactorChange, got "cordonned" (did you mean cordoned?)',
  ],
  [() => reassignment.compare([], null as never), 'cluster: expected a Cluster, got null'],
  [() => reassignment.toolState({} as never), 'cluster: expected a Cluster, got an Object'],
  [
    () => reassignment.reassignmentTool({ brokers: [], topics: [] }, { action: 'exec' } as never),
    'action.action: expected one of generate, execute, verify, cancel, list, got "exec"',
  ],
  [
    () => reassignment.reassignmentTool({ brokers: [], topics: [5] } as never, { action: 'list' }),
    'state.topics[0]: expected an object, got 5',
  ],
  [
    () => placeReplicas({ placer: 'striped', brokers: [], partitions: 1, replicas: 1 } as never),
    'question, a field: expected one of placer, brokers, partitions, replicationFactor, random, fixedStartIndex, startPartitionId, version, got "replicas"',
  ],
]

for (const [i, [ask, said]] of RUBBISH.entries()) {
  test(`rubbish is told with its place (${i}): ${said.slice(0, 70)}`, (t) => {
    t.is(refusalOf(ask).replace(/^\w+ \w+: /, ''), said)
  })
}

test('a file of many partitions is written block by block, the same text', (t) => {
  const entries = Array.from({ length: 10_000 }, (_, partition) => ({
    topic: 'a',
    partition,
    replicas: [partition % 7],
  }))
  const blocks = [...reassignment.blocks(entries)]
  t.true(blocks.length > 2)
  t.is(blocks.join(''), reassignment.format(entries))
  t.deepEqual(
    reassignment.parse(blocks.join('')).map(({ partition }) => partition),
    entries.map(({ partition }) => partition),
  )
})
