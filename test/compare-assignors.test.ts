/** `kafka.compareAssignors`: a row for each assignor, each the answer that `kafka.rebalance` gives alone. */
import test from 'ava'
import { kafka } from '../src/index.js'
import { refusalOf } from './refusal.js'

const topics = [{ name: 'orders', partitions: 6, id: 'zRsCZYHgSxabE5tK3MXWmQ' }]
const members = ['a', 'b', 'c'].map((id) => ({ id, topics: ['orders'] }))

test('three members, one leaves: each assignor by its own figures', (t) => {
  const { rows } = kafka.compareAssignors({ topics, members }, [{ leave: 'c' }])
  t.deepEqual(
    rows.map(({ assignor, rebalance }) => {
      const { rounds, stops, moves, fewestMoves } = rebalance!.totals
      return [assignor, rounds, stops, moves, fewestMoves]
    }),
    [
      ['range', 1, 6, 3, 2],
      ['roundrobin', 1, 6, 4, 2],
      ['sticky', 1, 6, 2, 2],
      ['cooperative-sticky', 1, 2, 2, 2],
      ['balanced', 1, 6, 2, 2],
      ['uniform', 1, 2, 2, 2],
      ['range', 2, 3, 3, 2],
    ],
  )
})

test('a group that owns something begins with that under every assignor', (t) => {
  const ownedPartitions = [0, 1, 2, 3, 4, 5].map((partition) => ({ topic: 'orders', partition }))
  const owning = members.map((member) => (member.id === 'b' ? { ...member, ownedPartitions, generationId: 4 } : member))
  const { rows } = kafka.compareAssignors({ topics, members: owning }, [])
  for (const { rebalance } of rows) t.is(rebalance!.before.countOf('b'), 6)
})

test('an assignor whose original throws has the error in its row', (t) => {
  // sticky alone reads a claim of a topic that its member has dropped: spec/kafka.md 2.3, kafka-clients 4.4.0.
  const parts = (...numbers: number[]) => numbers.map((partition) => ({ topic: 't0', partition }))
  const group = {
    topics: [
      { name: 't0', partitions: 4 },
      { name: 't1', partitions: 1 },
    ],
    members: [
      { id: 'a', topics: ['t1'], ownedPartitions: parts(0), generationId: 1 },
      { id: 'b', topics: ['t0'], ownedPartitions: parts(0, 1, 2, 3), generationId: 2 },
    ],
  }
  const { rows } = kafka.compareAssignors(group, [{ join: { id: 'c', topics: ['t0'] } }])
  const failed = rows.filter(({ error }) => error !== null)
  t.deepEqual(
    failed.map(({ assignor, rebalance }) => [assignor, rebalance]),
    [
      ['sticky', null],
      ['uniform', null],
      ['range', null],
    ],
  )
  t.like(failed[0]!.error, { code: 'ERR_PLACEMENT_ORIGINAL_FAILS', javaClass: 'java.lang.NullPointerException' })
  t.is(failed[1]!.error!.code, 'ERR_PLACEMENT_ARGUMENT_TYPE', 'topics without ids are none of a consumer group')
  const document = JSON.parse(JSON.stringify({ rows })) as { rows: object[] }
  t.is(document.rows.length, rows.length)
})

test('JSON holds totals, balance and spread of each row', (t) => {
  const document = JSON.parse(JSON.stringify(kafka.compareAssignors({ topics, members }, [{ leave: 'c' }])))
  t.deepEqual(document.rows[0], {
    groupType: 'classic',
    assignor: 'range',
    protocol: 'eager',
    totals: { rounds: 1, stops: 6, moves: 3, fewestMoves: 2, longestNobodys: 1 },
    balance: { members: 2, partitions: 6, least: 3, most: 3, mean: 3 },
    spread: { topics: 1, even: 1, worst: { topic: 'orders', subscribers: 2, least: 3, most: 3 } },
    error: null,
  })
})

test('an event that cannot be is refused, not compared', (t) => {
  t.regex(
    refusalOf(() => kafka.compareAssignors({ topics, members }, [{ leave: 'x' }])),
    /^RangeError ERR_PLACEMENT_UNKNOWN_NAME: events\[0\]: leave: /,
  )
})
