/** `plan.waves` where reassignments are under way: what is slowed and in flight beside the first wave. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { kafka } from '../src/index.js'
import { inFolder, run } from './cli-process.js'
import { Chance } from './oracle/chance.js'

const SEED = Number(process.env['TOPIC_PLACEMENT_SEED'] ?? 20261201)

/** Broker 4 takes the place of 1: a-0 and b-0 move, b-0 from a move under way, b-1 and c-0 are under way by themselves. */
const BUSY = {
  brokers: [0, 1, 2, 3, 4].map((id) => ({ id })),
  topics: [
    { name: 'a', partitions: [[0, 1]] },
    {
      name: 'b',
      partitions: [
        { partition: 0, replicas: [1, 0, 2], adding: [1], removing: [2] },
        { partition: 1, replicas: [0, 3, 1], adding: [3], removing: [1] },
      ],
    },
    { name: 'c', partitions: [{ partition: 0, replicas: [0, 2], adding: [2] }] },
  ],
}

const planOf = (cluster = BUSY) => kafka.planReassignment(cluster, { replace: [[1, 4]] })

const movedIn = ({ reassignment }: kafka.Wave) =>
  reassignment.partitions.map(({ topic, partition }) => topic + partition)

test('the first wave slows what is under way too, as kafka-reassign-partitions --additional does', (t) => {
  const [wave, ...more] = planOf().waves()
  t.deepEqual(more, [])
  t.deepEqual(wave!.reassignment.partitions, [
    { topic: 'a', partition: 0, replicas: [0, 4] },
    { topic: 'b', partition: 0, replicas: [4, 0] },
  ])
  // The way back of b-0 is where it goes now.
  t.deepEqual(wave!.rollback.partitions, [
    { topic: 'a', partition: 0, replicas: [0, 1] },
    { topic: 'b', partition: 0, replicas: [1, 0] },
  ])
  // As the tools of 4.0.0 and 4.4.0 set them in this state (op throttles of test/oracle/kafka).
  t.deepEqual(wave!.throttles, [
    { topic: 'a', leader: '0:0,0:1', follower: '0:4' },
    { topic: 'b', leader: '0:0,0:2,1:0,1:1', follower: '0:4,1:3' },
    { topic: 'c', leader: '0:0', follower: '0:2' },
  ])
})

test('what is under way counts among the replicas in flight of the first wave alone', (t) => {
  // Broker 1 sends b-1 and gets b-0; 2 sends b-0 and gets c-0. By the plan 2 sends b-0 all the same.
  t.deepEqual(planOf().waves({ maxReplicasPerBroker: 3 }).map(movedIn), [['a0', 'b0']])
  t.deepEqual(planOf().waves({ maxReplicasPerBroker: 2 }).map(movedIn), [['b0'], ['a0']])
  const [first, second] = planOf().waves({ maxReplicasPerBroker: 1 })
  t.deepEqual([movedIn(first!), movedIn(second!)], [['a0'], ['b0']])
  t.deepEqual(first!.throttles, [{ topic: 'a', leader: '0:0,0:1', follower: '0:4' }])
  // Once b-0 is where it goes now, 0 and 1 hold it.
  t.deepEqual(second!.throttles, [{ topic: 'b', leader: '0:0,0:1', follower: '0:4' }])
})

test('where nothing fits beside what is under way, the waves begin when that is done', (t) => {
  // The string of b takes 15 bytes before anything is added.
  const waves = planOf().waves({ maxThrottleBytes: 7 })
  t.deepEqual(waves.map(movedIn), [['a0', 'b0']])
  t.deepEqual(waves[0]!.throttles[1], { topic: 'b', leader: '0:0,0:1', follower: '0:4' })
})

test('the command says what the tool needs for the first wave', async (t) => {
  await inFolder(async (folder) => {
    const path = join(folder, 'cluster.json')
    writeFileSync(path, JSON.stringify(BUSY))
    const { err } = await run(['kafka', 'reassign', 'waves', '--cluster', path, '--replace', '1:4'])
    const said = '3 partitions move already, beside the first wave: the tool takes it with --additional'
    t.true(err.includes(`topic-placement: ${said}`), err.join('\n'))
  })
})

test(`a plan in one wave has the strings that the tool computes, on random clusters (seed ${SEED})`, (t) => {
  const chance = new Chance(SEED, 'waves')
  for (let i = 0; i < 200; i++) {
    const cluster = kafka.Cluster.from(busyCluster(chance))
    const [wave] = kafka.planReassignment(cluster, { mode: chance.pick(['balance', 'repair']) }).waves()
    if (wave === undefined) continue
    const moves = kafka.reassignment.movesIn(cluster, [...wave.reassignment.partitions])
    const { leader, follower } = kafka.reassignment.throttlesOf(moves)
    const expected = Object.keys(leader).map((topic) => ({ topic, leader: leader[topic]!, follower: follower[topic]! }))
    t.deepEqual(wave.throttles, expected)
  }
})

/** Five brokers, one partition of three under way: one joins, one leaves or none. */
function busyCluster(chance: Chance): kafka.ClusterSnapshot {
  const partition = (number: number) => {
    const replicas = chance.shuffled([0, 1, 2, 3, 4]).slice(0, chance.between(2, 4))
    if (chance.between(0, 2) > 0) return { partition: number, replicas }
    const [adding, removing] = [replicas.slice(0, 1), replicas.length > 2 ? replicas.slice(-1) : []]
    return { partition: number, replicas, adding, removing }
  }
  const topics = ['b', 'a', '10', 'a.b'].map((name) => ({
    name,
    partitions: chance.times(chance.between(1, 12), partition),
  }))
  return { brokers: [0, 1, 2, 3, 4].map((id) => ({ id })), topics }
}
