/** `kafka.planReassignment`: cases of the field (the project's `cases.md`, by their numbers), options, readers and refusals. */
import test from 'ava'
import { kafka } from '../src/index.js'
import { ENGINES, onEngine, onEngineAsync } from './engines.js'
import { bareCluster, clusterIn, countsAfter, P01 } from './plan-cluster.js'
import { chanceOf } from './planner/chance.js'
import { planned } from './planner/ranks.js'
import { refusalOf } from './refusal.js'

for (const engine of ENGINES) {
  const plan: typeof kafka.planReassignment = (...question) =>
    onEngine(engine, () => kafka.planReassignment(...question))

  test(`${engine}: P01: one broker of twenty is drained by one move, and the bound says so`, (t) => {
    const drained = plan(P01, { removeBrokers: [19] })
    t.is(drained.moves, 1)
    t.is(drained.bound, 1)
    const [leader, follower] = drained.replicasOf('t', 1)
    t.is(leader, 8)
    t.true(follower! % 2 === 1 && follower !== 19)
    t.deepEqual(
      [...drained.changes()].map(({ partition }) => partition),
      [1],
    )
  })

  test(`${engine}: P02: two brokers come to four partitions on two: two moves, one replica each`, (t) => {
    const grown = plan(bareCluster([0, 1], [[0], [1], [0], [1]]), { addBrokers: [{ id: 2 }, { id: 3 }] })
    t.deepEqual([grown.moves, grown.bound], [2, 2])
    t.deepEqual(countsAfter(grown), [1, 1, 1, 1])
  })

  test(`${engine}: P03: a third and a fourth broker take what is above the level, no more`, (t) => {
    const lists = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? [1032, 1062] : [1062, 1032]))
    const third = plan(bareCluster([1032, 1062], lists), { addBrokers: [{ id: 1127 }] })
    t.deepEqual([third.moves, third.bound], [5, 5])
    t.deepEqual(countsAfter(third).sort(), [5, 5, 6])
    const fourth = plan(bareCluster([1032, 1062], lists), { addBrokers: [{ id: 1127 }, { id: 1119 }] })
    t.deepEqual([fourth.moves, fourth.bound], [8, 8])
    t.deepEqual(countsAfter(fourth), [4, 4, 4, 4])
  })

  test(`${engine}: P12: counts 7,6,0,0 become 4,3,3,3 by six moves`, (t) => {
    const lists = Array.from({ length: 13 }, (_, i) => [i < 7 ? 0 : 1])
    const level = plan(bareCluster([0, 1, 2, 3], lists))
    t.deepEqual([level.moves, level.bound], [6, 6])
    t.deepEqual(countsAfter(level).sort(), [3, 3, 3, 4])
  })

  test(`${engine}: K03: four replicas over two racks of two brokers lie two and two`, (t) => {
    const [list] = [plan(clusterIn({ a: [0, 1], b: [2, 3] }, [[0, 1, 2, 3]])).replicasOf('t', 0)]
    t.deepEqual(list!.toSorted(), [0, 1, 2, 3])
    const raised = plan(clusterIn({ a: [0, 1, 2, 3], b: [4, 5] }, [[0, 1]]), {
      mode: 'replication-factor',
      replicationFactor: 4,
    })
    t.deepEqual(raised.replicasOf('t', 0).toSorted(), [0, 1, 4, 5])
    t.is(raised.moves, 2)
  })

  test(`${engine}: K07: three lists that break the spread are repaired by one move each`, (t) => {
    const racks = { 115: [10103, 10104, 10105], 113: [10116, 10117, 10118], 114: [10132, 10133, 10139] }
    const lists = [
      [10139, 10117, 10116],
      [10103, 10133, 10105],
      [10116, 10105, 10103],
    ]
    const repaired = plan(clusterIn(racks, lists), { mode: 'repair' })
    t.deepEqual([repaired.moves, repaired.bound, repaired.boundByRules], [3, 3, 3])
    for (const { adding, removing } of repaired.changes()) t.deepEqual([adding.length, removing.length], [1, 1])
  })

  test(`${engine}: K12: a broker that joins a rack gets half of that rack, and nothing else moves`, (t) => {
    const lists = Array.from({ length: 30 }, (_, i) => [0, 1, 2].map((b) => (b + i) % 3))
    const joined = plan(clusterIn({ A: [0], B: [1], C: [2] }, lists), { addBrokers: [{ id: 3, rack: 'A' }] })
    t.deepEqual([joined.moves, joined.bound], [15, 15])
    t.deepEqual(countsAfter(joined), [15, 30, 30, 15])
  })

  test(`${engine}: P05: no broker stands twice in any list, whole or in waves`, (t) => {
    const drained = plan(bareCluster([1003, 1007, 1009, 1011], [[1003, 1007, 1009]]), { removeBrokers: [1009] })
    t.deepEqual(drained.replicasOf('t', 0), [1003, 1007, 1011])
    const lists = Array.from({ length: 20 }, (_, p) => [0, 1, 2].map((i) => 1003 + ((p * (i + 1) + i) % 4) * 2))
    const twice = [[1003, 1007, 1007], [1009, 1009], ...lists.filter((list) => new Set(list).size === 3)]
    const rebuilt = plan(bareCluster([1003, 1005, 1007, 1009, 1011], twice), { removeBrokers: [1009] })
    for (const one of [drained, rebuilt]) {
      const waves = one.waves({ maxReplicasPerBroker: 1 })
      t.is(
        waves.reduce((sum, { moves }) => sum + moves, 0),
        one.moves,
      )
      for (const { reassignment } of waves) {
        for (const { replicas } of reassignment.partitions) t.is(new Set(replicas).size, replicas.length)
      }
    }
  })

  test(`${engine}: the cluster in any order gives the same plan, and its plan changes nothing`, (t) => {
    const chance = chanceOf(7)
    const racks = { a: [5, 1, 9], b: [2, 8, 70], c: [3] }
    const ids = Object.values(racks).flat()
    const lists = Array.from({ length: 60 }, () => {
      const list = new Set<number>()
      while (list.size < 2) list.add(ids[chance(ids.length)]!)
      return [...list]
    })
    const cluster = clusterIn(racks, lists)
    const first = plan(cluster)
    const topics = [{ name: 't', partitions: lists.map((replicas, partition) => ({ partition, replicas })).reverse() }]
    const shuffled = plan({ brokers: [...cluster.brokers].reverse(), topics })
    t.is(shuffled.fingerprint, first.fingerprint)
    t.is(JSON.stringify(shuffled), JSON.stringify(first))
    const planned = [{ name: 't', partitions: lists.map((_, p) => first.replicasOf('t', p)) }]
    const again = plan({ brokers: cluster.brokers, topics: planned })
    t.deepEqual([again.moves, again.changedRows.length, again.bound], [0, 0, 0])
    t.is(again.fingerprint, first.fingerprint)
  })

  test(`${engine}: the async twin gives the same plan, tells progress, and rejects with the signal's reason`, async (t) => {
    const told: number[][] = []
    const ask = (options: kafka.PlanAsyncOptions) =>
      onEngineAsync(engine, () => kafka.planReassignmentAsync(P01, options))
    const there = await ask({ mode: 'balance', onProgress: (...progress) => told.push(progress) })
    t.is(there.fingerprint, plan(P01, { mode: 'balance' }).fingerprint)
    t.is(told.at(-1)![0], told.at(-1)![1])
    const reason = new Error('enough')
    t.is(await t.throwsAsync(ask({ signal: AbortSignal.abort(reason) })), reason)
  })

  test(`${engine}: one broker replaces another in its lists, place for place, where the rules allow`, (t) => {
    const lists = [
      [5, 1],
      [1, 5],
      [5, 9],
      [1, 9],
    ]
    const replaced = plan(bareCluster([1, 5, 9], lists), { replace: [[5, 9]] })
    t.deepEqual(replaced.replicasOf('t', 0), [9, 1])
    t.deepEqual(replaced.replicasOf('t', 1), [1, 9])
    t.deepEqual(replaced.replicasOf('t', 2).toSorted(), [1, 9])
    t.deepEqual([replaced.moves, replaced.bound, replaced.isProved], [3, 3, true])
  })

  test(`${engine}: leaders alone: lists are put in another order, nothing moves`, (t) => {
    const lists = Array.from({ length: 6 }, (_, i) => [0, 1 + (i % 2)])
    const led = plan(bareCluster([0, 1, 2], lists), { mode: 'leaders' })
    t.is(led.moves, 0)
    t.deepEqual(led.leaderGap, { before: 36, after: 12, least: 12 })
    for (const { adding, removing } of led.changes()) t.deepEqual([...adding, ...removing], [])
  })

  test(`${engine}: leaders or topics may rank before counts and moves: what ranks first is bought with the rest`, (t) => {
    const topics = ['a', 'b'].map((name, i) => ({ name, partitions: [[i], [i]] }))
    const cluster = { brokers: [{ id: 0 }, { id: 1 }], topics }
    t.is(plan(cluster).moves, 0)
    const even = plan(cluster, { objectives: ['topics'] })
    t.deepEqual(even.question.options.objectives, ['topics', 'moves'])
    t.deepEqual([even.moves, even.topicGap.after], [2, 4])
    const lists = [
      [0, 1],
      [0, 1],
      [0, 1],
    ]
    const led = plan(bareCluster([0, 1, 2], lists), { objectives: ['leaders', 'moves'] })
    t.deepEqual([led.leaderGap.after, led.moves], [3, 1])
    const still = plan(bareCluster([0, 1, 2], lists), { objectives: ['moves', 'leaders'] })
    t.deepEqual([still.leaderGap.after, still.moves], [5, 0])
  })

  test(`${engine}: weights: a broker of weight 3 holds three times as much`, (t) => {
    const brokers = [
      { id: 0, weight: 3 },
      { id: 1, weight: 1 },
      { id: 2, weight: 1 },
    ]
    const topics = [{ name: 't', partitions: Array.from({ length: 20 }, (_, i) => [i % 3]) }]
    t.deepEqual(countsAfter(plan({ brokers, topics })), [12, 4, 4])
  })

  test(`${engine}: a half-done plan starts where it goes to`, (t) => {
    const moving = { partition: 0, replicas: [2, 1, 0], adding: [2], removing: [0] }
    const cluster = {
      brokers: [{ id: 0 }, { id: 1 }, { id: 2 }],
      topics: [{ name: 't', partitions: [moving, [0, 1]] }],
    }
    const rest = plan(cluster)
    t.is(rest.moves, 0)
    t.deepEqual(rest.replicasOf('t', 0).toSorted(), [1, 2])
  })

  test(`${engine}: a lower replication factor moves nothing, and of one topic alone`, (t) => {
    const cluster = {
      brokers: [0, 1, 2].map((id) => ({ id })),
      topics: ['a', 'b'].map((name) => ({ name, partitions: [[0, 1, 2]] })),
    }
    const lowered = plan(cluster, { mode: 'replication-factor', replicationFactor: { b: 2 } })
    t.is(lowered.moves, 0)
    t.deepEqual(lowered.replicasOf('a', 0), [0, 1, 2])
    t.is(lowered.replicasOf('b', 0).length, 2)
  })
}

test('of partitions of many sizes the smallest go, with as few moves', (t) => {
  const sizes = [900, 10, 800, 20, 700, 30, 600, 40]
  const partitions = sizes.map((bytes, partition) => ({ partition, replicas: [0], bytes }))
  const plan = kafka.planReassignment({ brokers: [{ id: 0 }, { id: 1 }], topics: [{ name: 't', partitions }] })
  t.deepEqual([plan.moves, plan.bound, plan.movedBytes], [4, 4, 100])
  t.deepEqual(countsAfter(plan), [4, 4])
})

test('a capacity is kept: large replicas change places with small ones, and counts stay level', (t) => {
  const lists = [
    [0, 100],
    [0, 90],
    [1, 10],
    [1, 20],
  ] as const
  const partitions = lists.map(([broker, bytes], partition) => ({ partition, replicas: [broker], bytes }))
  const brokers = [
    { id: 0, capacity: 130 },
    { id: 1, capacity: 200 },
  ]
  const plan = kafka.planReassignment({ brokers, topics: [{ name: 't', partitions }] })
  t.deepEqual(countsAfter(plan), [2, 2])
  const held = [0, 0]
  for (const [p, [, bytes]] of lists.entries()) held[plan.replicasOf('t', p)[0]!]! += bytes
  t.true(held[0]! <= 130 && held[1]! <= 200, String(held))
  t.deepEqual([plan.moves, plan.bound, plan.isProved], [2, 0, false])
})

test('bytes known: more replicas go where that copies less, proved by the bound of bytes', (t) => {
  const partitions = [
    { partition: 0, replicas: [0], bytes: 100 },
    { partition: 1, replicas: [0], bytes: 1 },
    { partition: 2, replicas: [0], bytes: 90 },
    { partition: 3, replicas: [1], bytes: 3 },
  ]
  const plan = kafka.planReassignment({ brokers: [{ id: 0 }, { id: 1 }], topics: [{ name: 't', partitions }] })
  t.deepEqual([plan.moves, plan.movedBytes, plan.bytesBound, plan.isProved], [1, 1, 1, true])
})

test('of 40 clusters with bytes and capacities each plan keeps them, is never called proved where they cost, and stays', (t) => {
  const chance = chanceOf(11)
  let gaps = 0
  for (let i = 0; i < 40; i++) {
    const sizes = Array.from({ length: 8 }, () => 1 + chance(20))
    const room = Math.ceil(sizes.reduce((sum, one) => sum + one, 0) / 2)
    const brokers = [0, 1, 2].map((id) => ({ id, capacity: room }))
    const partitions = sizes.map((bytes, partition) => ({ partition, replicas: [chance(3)], bytes }))
    const cluster: kafka.ClusterSnapshot = { brokers, topics: [{ name: 't', partitions }] }
    const plan = kafka.planReassignment(cluster)
    const held = [0, 0, 0]
    for (const [p, bytes] of sizes.entries()) held[plan.replicasOf('t', p)[0]!]! += bytes
    t.true(
      held.every((bytes) => bytes <= room),
      `${held} of ${room}`,
    )
    t.true(plan.movedBytes! >= plan.bytesBound!)
    gaps += Number(!plan.isProved)
    t.is(kafka.planReassignment(planned(cluster, plan)).changedRows.length, 0)
  }
  t.true(gaps < 40)
})

test('explain tells who stays, leaves and joins, and why', (t) => {
  const { parts, leader } = kafka.planReassignment(P01, { removeBrokers: [19] }).explain('t', 1)
  t.deepEqual(
    parts.map(({ change, reason }) => `${change}: ${reason}`),
    ['stays: stays', 'joins: broker-out', 'leaves: broker-out'],
  )
  t.is(leader, null)
  const level = kafka.planReassignment(bareCluster([0, 1], [[0], [0]]))
  const [changed] = [...level.changes()]
  t.deepEqual(
    level.explain('t', changed!.partition).parts.map(({ reason }) => reason),
    ['level', 'level'],
  )
})

test('the loss of a broker or a rack: who loses the leader, who falls below min.insync.replicas, who is offline', (t) => {
  const brokers = [0, 1, 2].map((id) => ({ id, rack: id === 2 ? 'b' : 'a' }))
  const topics = [
    {
      name: 't',
      minInsyncReplicas: 2,
      partitions: [
        [0, 2],
        [2, 1],
        [0, 1],
      ],
    },
  ]
  const plan = kafka.planReassignment({ brokers, topics }, { mode: 'leaders', rackRule: 'none' })
  t.deepEqual(plan.loss(2), {
    brokers: [2],
    leaders: ['t-1'],
    belowMinInsync: ['t-0', 't-1'],
    offline: [],
  })
  t.deepEqual(plan.loss('a').offline, ['t-2'])
})

test('waves: replicas per broker, bytes and throttle strings stay inside the limits; each has its way back', (t) => {
  const partitions = Array.from({ length: 12 }, (_, partition) => ({ partition, replicas: [0], bytes: 10 }))
  const brokers = [0, 1, 2].map((id) => ({ id }))
  const plan = kafka.planReassignment({ brokers, topics: [{ name: 't', partitions }] })
  t.is(plan.moves, 8)
  t.is(plan.movedBytes, 80)
  const narrow = plan.waves({ maxReplicasPerBroker: 2 })
  t.is(narrow.length, 4)
  for (const { moves, bytes, rollback } of narrow) {
    t.deepEqual([moves, bytes], [2, 20])
    for (const { replicas } of rollback.partitions) t.deepEqual(replicas, [0])
  }
  t.is(plan.waves({ maxBytes: 30 }).length, 3)
  const short = plan.waves({ maxThrottleBytes: 7 })
  t.deepEqual(
    new Set(short.flatMap(({ throttles }) => throttles.map(({ follower }) => follower.length <= 7))),
    new Set([true]),
  )
  t.deepEqual(
    plan.waves().map(({ reassignment }) => reassignment),
    [plan.reassignment()],
  )
  const all = short.flatMap(({ reassignment }) => reassignment.partitions.map(({ partition }) => partition))
  t.deepEqual(
    all.toSorted((a, b) => a - b),
    [...plan.changes()].map(({ partition }) => partition),
  )
})

test("a wave's throttle strings are those that the tool sets: a new order alone counts too", (t) => {
  const plan = kafka.planReassignment(
    bareCluster(
      [0, 1, 2],
      [
        [0, 1],
        [0, 1],
        [0, 1],
        [0, 1],
        [0, 2],
        [0, 2],
      ],
    ),
  )
  t.deepEqual(
    plan.reassignment().partitions.map(({ partition, replicas }) => [partition, replicas]),
    [
      [0, [2, 1]],
      [1, [1, 2]],
      [2, [1, 0]],
      [4, [2, 0]],
    ],
  )
  // As kafka-reassign-partitions 4.0.0 and 4.4.0 set them for this file (op throttles of test/oracle/kafka).
  t.deepEqual(plan.waves()[0]!.throttles, [
    { topic: 't', leader: '0:0,0:1,1:0,1:1,2:0,2:1,4:0,4:2', follower: '0:2,1:2' },
  ])
  const short = plan.waves({ maxThrottleBytes: 15 })
  t.deepEqual(
    short.map(({ throttles }) => throttles[0]!.leader),
    ['0:0,0:1,1:0,1:1', '2:0,2:1,4:0,4:2'],
  )
  const moving = kafka.planReassignment(
    {
      brokers: [0, 1, 2].map((id) => ({ id })),
      topics: [{ name: 't', partitions: [{ partition: 0, replicas: [2, 0, 1], adding: [2], removing: [0] }, [0, 1]] }],
    },
    { removeBrokers: [1], addBrokers: [] },
  )
  // Partition 0 goes to 2,1: broker 2 joins, and sends nothing yet.
  const { throttles } = moving.waves()[0]!
  t.is(
    throttles[0]!.leader
      .split(',')
      .filter((entry) => entry.startsWith('0:'))
      .join(),
    '0:0,0:1',
  )
})

const TWO = bareCluster([0, 1], [[0], [1]])
const RACKED = clusterIn({ a: [0, 1], b: [2] }, [[0, 1, 2]])

const FULL = (capacity: number) => ({
  brokers: [0, 1].map((id) => ({ id, capacity })),
  topics: [
    {
      name: 't',
      partitions: [
        { partition: 0, replicas: [0], bytes: 70 },
        { partition: 1, replicas: [1], bytes: 50 },
      ],
    },
  ],
})

const REFUSED: readonly (readonly [ask: () => unknown, message: string])[] = [
  [() => kafka.planReassignment(TWO, { objectives: 'counts' as never }), 'objectives: expected an array, got "counts"'],
  [() => kafka.planReassignment(TWO, { replace: [5] as never }), 'replace[0]: expected a pair of broker ids, got 5'],
  [
    () => kafka.planReassignment(TWO, { disableRackAware: 'yes' as never }),
    'disableRackAware: expected true or false, got "yes"',
  ],
  [
    () => kafka.planReassignment(RACKED, { disableRackAware: true, rackRule: 'distinct' }),
    'rackRule: expected none beside disableRackAware, got distinct',
  ],
  [
    () => kafka.planReassignment(TWO, { addBrokers: [7, { id: 7 }] }),
    'addBrokers: expected each broker once, got 7 twice',
  ],
  [
    () => kafka.planReassignment(TWO, { addBrokers: [-1] }),
    'addBrokers[0].id: expected an integer in [0, 2147483647], got -1',
  ],
  [
    () => kafka.planReassignment(RACKED, { addBrokers: [{ id: RACKED.brokers[0]!.id, rack: 'elsewhere' }] }),
    `addBrokers[0]: expected rack ${RACKED.brokers[0]!.rack}, where the cluster has broker ${RACKED.brokers[0]!.id}, got elsewhere`,
  ],
  [
    () => kafka.planReassignment(TWO, { replace: [[1, 9]] }),
    'replace: expected ids of the cluster, got 9: addBrokers adds one',
  ],
  [
    () => kafka.planReassignment(TWO).waves({ maxReplicas: 1 } as object),
    'limits, a field: expected one of maxReplicasPerBroker, maxBytes, maxThrottleBytes, got "maxReplicas"',
  ],
  [
    () => kafka.planReassignment(TWO, { removeBrokers: [1] }).waves({ maxThrottleBytes: 2 }),
    'maxThrottleBytes: expected room for each partition, t-1 alone takes 3 bytes, got 2',
  ],
  [() => kafka.planReassignment(TWO).explain(5 as never, 0), 'topic: expected a string, got 5'],
  [() => kafka.planReassignment(TWO).change(2), 'row: expected an integer in [0, 1], got 2'],
  [
    () => kafka.planReassignment(TWO).loss(null as never),
    'loss: expected the id of a broker or the name of a rack, got null',
  ],
  [
    () => kafka.planReassignment(TWO, { mode: 'move' as 'repair' }),
    'mode: expected one of repair, balance, leaders, replication-factor, got "move"',
  ],
  [
    () => kafka.planReassignment(TWO, { objective: [] } as object),
    'options, a field: expected one of mode, rackRule, disableRackAware, objectives, removeBrokers, addBrokers, replace, replicationFactor, got "objective" (did you mean objectives?)',
  ],
  [
    () => kafka.planReassignment(TWO, { mode: 'leaders', objectives: ['leaders', 'counts'] }),
    'objectives: expected leaders alone, since the mode leaders moves nothing, got leaders, counts',
  ],
  [() => kafka.planReassignment(TWO, { removeBrokers: [7] }), 'removeBrokers: expected ids of the cluster, got 7'],
  [
    () => kafka.planReassignment(TWO, { removeBrokers: [1, 1] }),
    'removeBrokers: expected each broker once, got 1 twice',
  ],
  [
    () => kafka.planReassignment(TWO, { removeBrokers: [0, 1] }),
    'partition t-0 needs 1 broker, 0 are in: add 1 broker (2 partitions in all: t-0, t-1) [index 0]',
  ],
  [
    () => kafka.planReassignment(FULL(59)),
    'replicas hold 120 bytes in all, the brokers that are in may hold 118: add capacity of 2 bytes',
  ],
  [
    () => kafka.planReassignment(FULL(60)),
    'broker 0 would hold 70 bytes, it may hold 60, and no exchange was found that helps (whether a plan exists is not known): raise its capacity by 10 bytes, or add a broker',
  ],
  [
    () => kafka.planReassignment({ ...TWO, brokers: [{ id: 0, capacity: 1 }, { id: 1 }] }),
    'capacity of broker 0: expected bytes of the partitions beside it, got none',
  ],
  [
    () => kafka.planReassignment(TWO, { replicationFactor: 2 }),
    'replicationFactor: expected with the mode replication-factor, and with it alone',
  ],
  [
    () => kafka.planReassignment(TWO, { rackRule: 'spread' }),
    'rackRule: expected none, since no broker has a rack, got spread',
  ],
  [
    () => kafka.planReassignment({ ...TWO, brokers: [{ id: 0, rack: 'a' }, { id: 1 }] }),
    'brokers: expected a rack of each or of none, got none of 1 of 2, the first is broker 1: give it a rack, or set disableRackAware (--disable-rack-aware)',
  ],
  [
    () =>
      kafka.planReassignment(RACKED, { rackRule: 'distinct', removeBrokers: [2], addBrokers: [{ id: 3, rack: 'a' }] }),
    'partition t-0 needs 2 brokers in different racks, 1 rack has a broker that is in: lower the rack rule to spread, or add a broker in another rack [index 0]',
  ],
  [
    () => kafka.planReassignment(RACKED, { mode: 'leaders', removeBrokers: [0], addBrokers: [{ id: 3, rack: 'a' }] }),
    'partition t-0 breaks a rule as it stands, and the mode leaders moves nothing: repair it first, or lower the rack rule to none [index 0]',
  ],
]

for (const [ask, message] of REFUSED) {
  test(`refused: ${message.slice(0, 90)}`, (t) => {
    t.is(refusalOf(ask).replace(/^\w+ \w+: /, ''), message)
  })
}

test("the README's figures: placed anew as Kafka does, P01 moves 16 to 20 replicas, 18 on average", (t) => {
  const brokers = P01.brokers.filter(({ id }) => id !== 19)
  const moves = Array.from({ length: 1000 }, (_, seed) => {
    const random = { seed }
    const placed = kafka.placeReplicas({ placer: 'striped', brokers, partitions: 10, replicationFactor: 2, random })
    const fresh = P01.topics[0]!.partitions.map((list, p) => placed.replicasOf(p).filter((id) => !list.includes(id)))
    return fresh.flat().length
  })
  t.deepEqual([Math.min(...moves), Math.max(...moves)], [16, 20])
  t.is(Math.round(moves.reduce((total, one) => total + one, 0) / 100), 180)
})

test('a cluster of nothing has nothing to move; broker ids may be as large as they come, and stand twice in a list', (t) => {
  for (const brokers of [[], [{ id: 1 }]]) t.is(kafka.planReassignment({ brokers, topics: [] }).moves, 0)
  const lists = [[2147483647], [2147483647], [2147483647, 2147483647]]
  const plan = kafka.planReassignment(bareCluster([2147483647, 0], lists))
  t.deepEqual([plan.moves, plan.bound], [2, 2])
  t.deepEqual(plan.replicasOf('t', 2), [2147483647, 0])
  t.deepEqual(countsAfter(plan), [2, 2])
})
