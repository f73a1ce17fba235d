/** `plan.loss`: by hand, and against a count from the definitions. */
import test from 'ava'
import { kafka } from '../src/index.js'
import { Chance } from './oracle/chance.js'
import { refusalOf } from './refusal.js'

const SEED = Number(process.env['TOPIC_PLACEMENT_SEED'] ?? 20261201)

const HAND: kafka.ClusterSnapshot = {
  brokers: [
    { id: 1, rack: 'a' },
    { id: 2, rack: 'a' },
    { id: 3, rack: 'b' },
    { id: 4, rack: 'b' },
  ],
  topics: [
    { name: 'one', partitions: [[1], [3]], minInsyncReplicas: 1 },
    {
      name: 'two',
      partitions: [
        [1, 3],
        [1, 2],
      ],
      minInsyncReplicas: 2,
    },
    {
      name: 'three',
      partitions: [
        [1, 2, 3],
        [4, 3, 2],
      ],
      minInsyncReplicas: 2,
    },
    { name: 'unknown', partitions: [[2, 4]] },
  ],
}

const asItIs = (cluster: kafka.ClusterSnapshot) => kafka.planReassignment(cluster, { mode: 'repair', rackRule: 'none' })

test('factors of 1 to 3, min.insync.replicas known of three topics: a broker and a rack, by hand', (t) => {
  const plan = asItIs(HAND)
  t.is(plan.changedRows.length, 0)
  t.deepEqual(plan.loss(1), {
    brokers: [1],
    leaders: ['one-0', 'three-0', 'two-0', 'two-1'],
    belowMinInsync: ['one-0', 'two-0', 'two-1'],
    offline: ['one-0'],
  })
  t.deepEqual(plan.loss('a'), {
    brokers: [1, 2],
    leaders: ['one-0', 'three-0', 'two-0', 'two-1', 'unknown-0'],
    belowMinInsync: ['one-0', 'three-0', 'two-0', 'two-1'],
    offline: ['one-0', 'two-1'],
  })
  t.deepEqual(plan.loss(4), { brokers: [4], leaders: ['three-1'], belowMinInsync: [], offline: [] })
})

test('a broker or a rack that the cluster does not have is refused', (t) => {
  for (const [of, shown] of [
    [5, '5'],
    ['c', '"c"'],
    ['1', '"1"'],
    ['', '""'],
    [undefined, 'undefined'],
  ] as const) {
    t.is(
      refusalOf(() => asItIs(HAND).loss(of as never)),
      `RangeError ERR_PLACEMENT_UNKNOWN_NAME: loss: expected the id of a broker or the name of a rack, got ${shown}`,
    )
  }
})

test(`on random clusters the loss of each broker and rack is what counting finds (seed ${SEED})`, (t) => {
  const chance = new Chance(SEED, 'loss')
  for (let i = 0; i < 200; i++) {
    const cluster = randomCluster(chance)
    const plan = kafka.planReassignment(cluster, {
      mode: chance.pick(['repair', 'balance'] as const),
      rackRule: 'none',
    })
    for (const { id } of cluster.brokers) t.deepEqual(plan.loss(id), counted(plan, cluster, [id]))
    for (const rack of new Set(cluster.brokers.flatMap((broker) => broker.rack ?? []))) {
      const ids = cluster.brokers.filter((broker) => broker.rack === rack).map(({ id }) => id)
      t.deepEqual(
        plan.loss(rack),
        counted(
          plan,
          cluster,
          ids.toSorted((a, b) => a - b),
        ),
      )
    }
  }
})

function randomCluster(chance: Chance): kafka.ClusterSnapshot {
  const racks = chance.pick([null, ['a', 'b'], ['a', 'b', 'c']])
  const ids = chance.shuffled([0, 1, 2, 5, 9, 10, 200]).slice(0, chance.between(3, 7))
  const brokers = ids.map((id) => (racks === null ? { id } : { id, rack: chance.pick(racks) }))
  const topics = chance.times(chance.between(1, 4), (i) => {
    const partitions = chance.times(chance.between(1, 12), () => chance.shuffled(ids).slice(0, chance.between(1, 3)))
    return { name: `t${i}`, partitions, ...(chance.odds(0.3) ? {} : { minInsyncReplicas: chance.between(1, 3) }) }
  })
  return { brokers, topics }
}

function counted(plan: kafka.ReassignmentPlan, { topics }: kafka.ClusterSnapshot, brokers: number[]): kafka.Loss {
  const found = topics.flatMap(({ name, partitions, minInsyncReplicas = 0 }) =>
    partitions.map((_, p) => {
      const list = plan.replicasOf(name, p)
      const left = list.filter((id) => !brokers.includes(id)).length
      return { name: `${name}-${p}`, list, left, isHit: left < list.length, minInsyncReplicas }
    }),
  )
  const named = (kept: typeof found) => kept.map(({ name }) => name)
  return {
    brokers,
    leaders: named(found.filter(({ list }) => brokers.includes(list[0]!))),
    belowMinInsync: named(found.filter((one) => one.isHit && one.left < one.minInsyncReplicas)),
    offline: named(found.filter(({ left }) => left === 0)),
  }
}
