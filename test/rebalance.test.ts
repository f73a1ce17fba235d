/**
 * `kafka.rebalance`: rounds, stops and moves against a naive twin on random scripts, fewest moves against every state there
 * is, cases of the field, and what is refused.
 */
import test, { type ExecutionContext } from 'ava'
import { type KafkaVersion, kafka } from '../src/index.js'
import { ENGINES, onEngine } from './engines.js'
import { fewestByTrying, ID_OF, NaiveGroup, type Placeable, shownLists } from './naive-group.js'
import { below, generator } from './random.js'
import { refusalOf } from './refusal.js'

const SEED = Number(process.env['TOPIC_PLACEMENT_SEED'] ?? 20261201)

type State = kafka.AssignQuestion
type Assignor = State['assignor']
const ASSIGNORS: readonly Assignor[] = ['range', 'roundrobin', 'sticky', 'cooperative-sticky']

/** Every kind of group, and in how many rounds random scripts settle. */
const KINDS: readonly (readonly [asked: Pick<State, 'groupType' | 'assignor'>, rounds: readonly number[]])[] = [
  [{ groupType: 'classic', assignor: 'range' }, [0, 1]],
  [{ groupType: 'classic', assignor: 'roundrobin' }, [0, 1]],
  [{ groupType: 'classic', assignor: 'sticky' }, [0, 1]],
  [{ groupType: 'classic', assignor: 'cooperative-sticky' }, [0, 1, 2]],
  [{ groupType: 'classic', assignor: 'balanced' }, [0, 1]],
  [{ groupType: 'consumer', assignor: 'uniform' }, [0, 1, 2]],
  [{ groupType: 'consumer', assignor: 'range' }, [0, 1, 2]],
]

const topic = (name: string, partitions: number): kafka.GroupTopic => ({ name, partitions, id: ID_OF(name) })
const member = (id: string, topics: readonly string[], more: Partial<kafka.GroupMember> = {}): kafka.GroupMember => ({
  id,
  topics,
  ...more,
})
const parts = (name: string, ...numbers: number[]) => numbers.map((partition) => ({ topic: name, partition }))
const group = (assignor: Assignor, topics: kafka.GroupTopic[], members: kafka.GroupMember[]): State => ({
  groupType: 'classic',
  assignor,
  topics,
  members,
})

interface Script {
  readonly members: kafka.GroupMember[]
  readonly topics: kafka.GroupTopic[]
  readonly events: kafka.GroupEvent[]
  /** The same, done to a naive group: whether its members hear of it. */
  readonly changes: ((group: NaiveGroup) => boolean)[]
}

/** A small group and what happens to it. `alike`: all subscribe to the same. */
function randomScript(next: () => number, alike: boolean, length: number): Script {
  const names = ['t0', 't1', 't2', 't3']
  const some = () => (alike ? names : names.filter(() => below(next, 3) > 0))
  const topics = names.slice(0, 3).map((name) => topic(name, 1 + below(next, 4)))
  const members = Array.from({ length: 1 + below(next, 4) }, (_, i) => member(`m${i}`, some()))
  const script: Script = { members, topics, events: [], changes: [] }
  const ids = members.map(({ id }) => id)
  const counts = new Map(topics.map((one) => [one.name, one.partitions]))
  while (script.events.length < length) addRandomEvent(next, script, { ids, counts, some })
  return script
}

interface Live {
  readonly ids: string[]
  readonly counts: Map<string, number>
  readonly some: () => string[]
}

function addRandomEvent(next: () => number, { events, changes }: Script, { ids, counts, some }: Live): void {
  const [id, name] = [ids[below(next, ids.length)]!, [...counts.keys()][below(next, counts.size)]!]
  const add = (event: kafka.GroupEvent, change: (group: NaiveGroup) => boolean) => {
    events.push(event)
    changes.push(change)
  }
  const resize = (event: kafka.GroupEvent, changed: string, count: number) => {
    counts.set(changed, count)
    if (count === 0) counts.delete(changed)
    add(event, (naive) => {
      naive.topics.set(changed, count)
      if (count === 0) naive.topics.delete(changed)
      return naive.isSubscribed(changed)
    })
  }
  const kind = below(next, 6)
  if (kind === 0) {
    const [joining, topics] = [`j${events.length}`, some()]
    ids.push(joining)
    add({ join: member(joining, topics) }, ({ members }) => members.push({ id: joining, topics, generation: -1 }) > 0)
  } else if (kind === 1 && ids.length > 1) {
    ids.splice(ids.indexOf(id), 1)
    add({ leave: id }, (naive) => {
      naive.members = naive.members.filter((one) => one.id !== id)
      return naive.owned.delete(id)
    })
  } else if (kind === 2) {
    const topics = some()
    add({ subscribe: id, topics }, (naive) => {
      const before = naive.members.find((one) => one.id === id)!.topics
      naive.members = naive.members.map((one) => (one.id === id ? { ...one, topics } : one))
      return before.toString() !== topics.toString()
    })
  } else if (kind === 3) {
    const count = counts.get(name)! + 1 + below(next, 2)
    resize({ partitions: name, count }, name, count)
  } else if (kind === 4 && !counts.has('t3')) resize({ addTopic: topic('t3', 2) }, 't3', 2)
  else if (kind === 5 && counts.size > 1) resize({ removeTopic: name }, name, 0)
}

/** Rounds of a step as the twin tells them. */
const roundsOf = ({ rounds }: kafka.RebalanceStep) =>
  rounds.map(({ revoked, gained, withheld }) => ({
    revoked: shownLists(revoked),
    gained: shownLists(gained),
    withheld: shownLists(withheld),
  }))

/** What a random run met. */
interface Met {
  rounds: Set<number>
  tried: number
}

type Asked = (typeof KINDS)[number][0]

function compare(t: ExecutionContext, asked: Asked, { members, topics, events, changes }: Script, met: Met): void {
  const { steps } = kafka.rebalance({ ...asked, topics, members }, events)
  const naive = new NaiveGroup(
    asked,
    members.map(({ id, topics: names }) => ({ id, topics: names, generation: -1 })),
    new Map(topics.map(({ name, partitions }) => [name, partitions])),
  )
  changes.forEach((change, i) => {
    const step = steps[i]!
    const told = JSON.stringify({ asked, members, topics, events: events.slice(0, i + 1) })
    const expected = naive.after(() => change(naive))
    t.deepEqual(roundsOf(step), expected.rounds, told)
    t.is(step.moves, expected.moves, told)
    t.deepEqual(Object.values(shownLists(step.stopped)).flat().sort(), expected.stopped, told)
    for (const [one, rounds] of expected.nobodys) {
      t.is(step.nobodysRounds(one.slice(0, 2), Number(one.slice(3))), rounds, told)
    }
    met.rounds.add(step.rounds.length)
    met.tried += checkFewest(t, step, naive, told)
  })
}

/** Moves are never fewer than the fewest, which every state of a small group is tried for. */
function checkFewest(t: ExecutionContext, step: kafka.RebalanceStep, naive: NaiveGroup, told: string): number {
  const { before, after, fewestMoves } = step
  if (fewestMoves === null) {
    t.true(
      step.rounds.some(({ notes }) => notes.length > 0),
      told,
    )
    return 0
  }
  t.true(step.moves >= fewestMoves, told)
  if (after.values.length > 9) return 0
  const partitions = [...after].map((one) => placeable(naive, before, one))
  const loads = after.names.memberIds.map((id) => after.countOf(id))
  t.is(fewestMoves, fewestByTrying(partitions, loads), told)
  return 1
}

function placeable({ members }: NaiveGroup, before: kafka.PartitionLists, one: kafka.TopicPartition): Placeable {
  const may = members.flatMap(({ topics }, place) => (topics.includes(one.topic) ? [place] : []))
  const had = before.memberOf(one.topic, one.partition)
  if (had === -1) return { had: 'nobody', may }
  const place = members.findIndex(({ id }) => id === before.names.memberIds[had])
  return { had: place === -1 ? 'gone' : place, may }
}

for (const engine of ENGINES) {
  const title = (claim: string) => `${engine}: ${claim}`
  const on = (ask: () => void) => onEngine(engine, ask)

  for (const [asked, rounds] of KINDS) {
    test(
      title(`${asked.groupType} ${asked.assignor}: random scripts go as a naive twin does them, seed ${SEED}`),
      (t) => {
        const next = generator(SEED)
        const met: Met = { rounds: new Set(), tried: 0 }
        on(() => {
          for (let i = 0; i < 120; i++) compare(t, asked, randomScript(next, i % 3 === 0, 4), met)
        })
        t.true(met.tried > 150, `${met.tried} tried`)
        t.deepEqual([...met.rounds].sort(), rounds)
      },
    )
  }

  test(title('three members, one leaves: eager stops all, cooperative what the leaver had'), (t) => {
    on(() => {
      const state = (assignor: Assignor) => group(assignor, [topic('orders', 6)], THREE)
      const figures = (assignor: Assignor) => {
        const [step] = kafka.rebalance(state(assignor), [{ leave: 'c' }]).steps
        const { rounds, stopped, moves, fewestMoves } = step!
        return [rounds.length, stopped.values.length, moves, fewestMoves]
      }
      t.deepEqual(figures('range'), [1, 6, 3, 2])
      t.deepEqual(figures('roundrobin'), [1, 6, 4, 2])
      t.deepEqual(figures('sticky'), [1, 6, 2, 2])
      t.deepEqual(figures('cooperative-sticky'), [1, 2, 2, 2])
    })
  })

  test(title("some unequal groups need a third round, in which a partition is nobody's again"), (t) => {
    on(() => {
      const topics = [topic('t0', 5), topic('t1', 3), topic('t2', 4)]
      const members = [
        member('m0', ['t0', 't1', 't2']),
        member('m1', ['t0']),
        member('m2', ['t1', 't2']),
        member('m3', []),
      ]
      const state = group('cooperative-sticky', topics, members)
      const [step] = kafka.rebalance(state, [{ subscribe: 'm2', topics: ['t2'] }]).steps
      t.is(step!.rounds.length, 3)
      t.is(step!.rounds[2]!.revoked.values.length, 0)
    })
  })

  test(title('a consumer group: who gives up waits, who has nothing to give up gets what is free at once'), (t) => {
    on(() => {
      const all = ['orders', 'payments']
      const ownedPartitions = [...parts('orders', 0, 1, 2, 3, 4, 5), ...parts('payments', 0, 1, 2, 3)]
      const state: State = {
        groupType: 'consumer',
        assignor: 'uniform',
        topics: [topic('orders', 6), topic('payments', 4)],
        members: [member('m0', all, { ownedPartitions })],
      }
      const { steps, protocol } = kafka.rebalance(state, [{ join: member('m1', all) }, { leave: 'm1' }])
      t.is(protocol, 'consumer')
      const [joined, left] = steps
      const counts = joined!.rounds.map(({ revoked, gained, withheld }) =>
        [revoked, gained, withheld].map(({ values }) => values.length),
      )
      t.deepEqual(counts, [
        [5, 0, 5],
        [0, 5, 0],
      ])
      t.like(joined, { moves: 5, fewestMoves: 5, longestNobodys: 1 })
      t.deepEqual([left!.rounds.length, left!.stopped.values.length, left!.moves], [1, 5, 5])
    })
  })

  test(title('S11: three members of a uniform group with 2, 2 and 3 partitions: none moves since 4.1'), (t) => {
    on(() => {
      const owned = [parts('t', 0, 1), parts('t', 2, 3), parts('t', 4, 5, 6)]
      const members = owned.map((ownedPartitions, i) => member(`m${i}`, ['t'], { ownedPartitions }))
      const moves = (version: KafkaVersion) => {
        const state: State = { groupType: 'consumer', assignor: 'uniform', version, topics: [topic('t', 7)], members }
        return kafka.rebalance(state, [{ rack: 'm0', to: 'r' }]).steps[0]!.moves
      }
      t.deepEqual([moves('4.0'), moves('4.1'), moves('4.4')], [1, 0, 0])
    })
  })

  test(
    title('S01: a third member joins ten partitions: three move, in the second round, and nobody else gains'),
    (t) => {
      on(() => {
        const members = [
          member('a', ['stam'], { ownedPartitions: parts('stam', 1, 3, 5, 7, 9), generationId: 1 }),
          member('b', ['stam'], { ownedPartitions: parts('stam', 0, 2, 4, 6, 8), generationId: 1 }),
        ]
        const state = group('cooperative-sticky', [topic('stam', 10)], members)
        const [step] = kafka.rebalance(state, [{ join: member('c', ['stam']) }]).steps
        const { moves, fewestMoves, rounds, moved } = step!
        t.deepEqual([moves, fewestMoves, rounds.length], [3, 3, 2])
        t.deepEqual([moved.countOf('a'), moved.countOf('b'), moved.countOf('c')], [0, 0, 3])
        t.deepEqual(shownLists(rounds[0]!.withheld), shownLists(rounds[1]!.gained))
        t.deepEqual([rounds[0]!.gained.values.length, rounds[1]!.revoked.values.length], [0, 0])
      })
    },
  )

  test(title('S02: two topics of four, a second member: all of one topic each is told as spread 4 to 0'), (t) => {
    on(() => {
      const state = group('cooperative-sticky', [topic('a', 4), topic('b', 4)], [member('m0', ['a', 'b'])])
      const [step] = kafka.rebalance(state, [{ join: member('m1', ['a', 'b']) }]).steps
      t.deepEqual(step!.balanceAfter, { members: 2, partitions: 8, least: 4, most: 4, mean: 4 })
      const spreads = step!.topicSpreads().map(({ least, most }) => least + most)
      t.deepEqual(spreads, [4, 4])
    })
  })

  test(title('R03: range gives ten small topics to one member: 14 and 4, which the summary tells'), (t) => {
    on(() => {
      const topics = Array.from({ length: 12 }, (_, i) => topic(`t${i}`, i < 10 ? 1 : 4))
      const all = topics.map(({ name }) => name)
      const join = [{ join: member('c2', all) }]
      const after = (assignor: Assignor) =>
        kafka.rebalance(group(assignor, topics, [member('c1', all)]), join).steps[0]!.balanceAfter
      t.like(after('range'), { least: 4, most: 14 })
      t.like(after('roundrobin'), { least: 9, most: 9 })
    })
  })

  test(title('R05: a static member bounces: no round, its partitions stop, and it has them again'), (t) => {
    on(() => {
      const both = ['t0', 't1']
      const members = [member('a', both, { instanceId: 'I0' }), member('b', both, { instanceId: 'I1' })]
      for (const assignor of ASSIGNORS) {
        const { steps, before, after } = kafka.rebalance(group(assignor, [topic('t0', 3), topic('t1', 3)], members), [
          { bounce: 'a' },
        ])
        t.deepEqual(after.toJSON(), before.toJSON(), assignor)
        t.deepEqual([steps[0]!.rounds.length, steps[0]!.moves, steps[0]!.longestNobodys], [0, 0, 0], assignor)
        t.deepEqual(shownLists(steps[0]!.stopped), { a: shownLists(before)['a']! }, assignor)
      }
    })
  })

  test(title('a dynamic member bounces: it leaves, and joins behind all others with nothing'), (t) => {
    on(() => {
      const leaveAndJoin = [{ leave: 'a' }, { join: THREE[0]! }]
      for (const assignor of ASSIGNORS) {
        const state = group(assignor, [topic('orders', 7)], THREE)
        const bounced = kafka.rebalance(state, [{ bounce: 'a' }])
        const apart = kafka.rebalance(state, leaveAndJoin)
        t.deepEqual(bounced.after.names.memberIds, ['b', 'c', 'a'], assignor)
        t.deepEqual(bounced.after.toJSON(), apart.after.toJSON(), assignor)
        t.is(bounced.totals.rounds, apart.totals.rounds, assignor)
      }
    })
  })

  test(title('S08: a member that comes back with stale claims loses them to newer ones'), (t) => {
    on(() => {
      const state = group(
        'cooperative-sticky',
        [topic('t', 6)],
        [
          member('c1', ['t'], { ownedPartitions: parts('t', 0, 1), generationId: 3 }),
          member('c2', ['t'], { ownedPartitions: parts('t', 3, 4), generationId: 3 }),
          member('c3', ['t'], { ownedPartitions: parts('t', 2, 5), generationId: 3 }),
        ],
      )
      const stale = member('c3', ['t'], { ownedPartitions: parts('t', 2, 5), generationId: 3 })
      const { steps, after } = kafka.rebalance(state, [{ leave: 'c3' }, { join: stale }])
      t.deepEqual(shownLists(steps[0]!.after), { c1: ['t-0', 't-1', 't-2'], c2: ['t-3', 't-4', 't-5'] })
      t.is(new Set(after.values).size, 6)
      t.deepEqual(
        Object.values(shownLists(after)).map(({ length }) => length),
        [2, 2, 2],
      )
      t.like(steps[1]!, { moves: 2, fewestMoves: 2 })
    })
  })

  test(title('what a member drops when it subscribes anew is free at once, and needs no second round'), (t) => {
    on(() => {
      const topics = [topic('a', 2), topic('b', 2)]
      const members = [member('m0', ['a', 'b']), member('m1', ['a', 'b'])]
      const state = group('cooperative-sticky', topics, members)
      const [step] = kafka.rebalance(state, [{ subscribe: 'm0', topics: ['a'] }]).steps
      const dropped = step!.before.partitionsOf('m0').filter((one) => one.topic === 'b')
      t.true(dropped.length > 0)
      for (const one of dropped) {
        t.is(step!.nobodysRounds(one.topic, one.partition), 1)
        t.is(step!.rounds[0]!.gained.memberOf(one.topic, one.partition), 1)
      }
    })
  })

  test(title('racks: a member moves, partitions come with theirs, and a group without racks stays as it is'), (t) => {
    on(() => {
      const racks = [['r0'], ['r1'], ['r0'], ['r1']]
      const members = [member('m0', ['t'], { rack: 'r0' }), member('m1', ['t'], { rack: 'r1' })]
      const state = group('range', [{ name: 't', partitions: 4, racks }], members)
      const { steps, before, after } = kafka.rebalance(state, [
        { rack: 'm0', to: 'r1' },
        { rack: 'm1', to: 'r0' },
        { partitions: 't', count: 6, racks: [['r0'], ['r1']] },
      ])
      t.deepEqual(shownLists(before), { m0: ['t-0', 't-2'], m1: ['t-1', 't-3'] })
      t.deepEqual(shownLists(after), { m0: ['t-1', 't-3', 't-5'], m1: ['t-0', 't-2', 't-4'] })
      t.deepEqual([steps[0]!.moves, steps[1]!.moves], [4, 0])
      const same = kafka.rebalance(group('range', [topic('t', 4)], [member('m0', ['t'])]), [{ rack: 'm0', to: '' }])
      t.is(same.steps[0]!.rounds.length, 0)
    })
  })

  test(title('each answer is the input of the next, in columns and as JSON'), (t) => {
    on(() => {
      const next = generator(SEED + 1)
      for (let i = 0; i < 60; i++) {
        const { members, topics, events } = randomScript(next, i % 2 === 0, 4)
        for (const [asked] of KINDS) {
          const whole = kafka.rebalance({ ...asked, topics, members }, events)
          const first = kafka.rebalance({ ...asked, topics, members }, events.slice(0, 2))
          // Without members or partitions nobody owns anything, and the group forms again.
          if (first.after.values.length === 0) continue
          const told = JSON.stringify({ asked, members, topics, events })
          const { state } = JSON.parse(JSON.stringify(first)) as kafka.RebalanceDocument
          for (const start of [first.state, state]) {
            const rest = kafka.rebalance(start, events.slice(2))
            t.deepEqual(rest.after.toJSON(), whole.after.toJSON(), told)
            t.deepEqual(rest.steps.map(roundsOf), whole.steps.slice(2).map(roundsOf), told)
          }
        }
      }
    })
  })

  test(title('a group in columns answers as its objects would'), (t) => {
    on(() => {
      const names = Array.from({ length: 40 }, (_, i) => `topic-${i}`)
      const ids = Array.from({ length: 30 }, (_, i) => `m${i}`)
      const columns: State = {
        groupType: 'classic',
        assignor: 'cooperative-sticky',
        topics: { names, partitions: new Int32Array(40).fill(25) },
        members: { ids },
      }
      const objects = group(
        'cooperative-sticky',
        names.map((name) => topic(name, 25)),
        ids.map((id) => member(id, names)),
      )
      const events = [{ leave: 'm7' }, { join: member('late', names) }, { partitions: 'topic-3', count: 60 }]
      t.deepEqual(
        JSON.parse(JSON.stringify(kafka.rebalance(columns, events))),
        JSON.parse(JSON.stringify(kafka.rebalance(objects, events))),
      )
    })
  })
}

const THREE = ['a', 'b', 'c'].map((id) => member(id, ['orders']))

test('balanced reads weights, of members and topics that come later too, and the state keeps them', (t) => {
  const topics = [{ ...topic('orders', 6), weight: 2 }]
  const state = group('balanced', topics, [member('a', ['orders'], { weight: 2 }), member('b', ['orders'])])
  const events = [{ join: member('c', ['orders'], { weight: 3 }) }]
  const { before, after, state: next } = kafka.rebalance(state, events)
  t.deepEqual([before.countOf('a'), before.countOf('b')], [4, 2])
  t.deepEqual(
    ['a', 'b', 'c'].map((id) => after.countOf(id)),
    [2, 1, 3],
  )
  t.deepEqual(kafka.rebalance(next, [{ leave: 'c' }]).after.toJSON(), before.toJSON())
})

test('sticky owns what its user data tells, where ownedPartitions does not', (t) => {
  const userData = kafka.protocol.encodeStickyUserData({ ownedPartitions: parts('orders', 4, 5), generationId: 7 })
  const members = [member('a', ['orders'], { userData }), member('b', ['orders'])]
  const { before } = kafka.rebalance(group('sticky', [topic('orders', 6)], members), [])
  t.deepEqual(shownLists(before), { a: ['orders-4', 'orders-5'] })
})

test('an empty group assigns nothing, and forms when somebody joins', (t) => {
  const state = group('roundrobin', [topic('orders', 2)], [member('a', ['orders'])])
  const { steps } = kafka.rebalance(state, [{ leave: 'a' }, { join: member('b', ['orders']) }])
  t.deepEqual([steps[0]!.rounds.length, steps[0]!.after.values.length], [0, 0])
  t.deepEqual(shownLists(steps[1]!.after), { b: ['orders-0', 'orders-1'] })
  t.deepEqual(steps[0]!.balanceAfter, { members: 0, partitions: 0, least: 0, most: 0, mean: 0 })
})

test('what happens to a topic that nobody subscribes to starts no rebalance', (t) => {
  const state = group('range', [topic('orders', 2), topic('idle', 3)], [member('a', ['orders'])])
  const events = [{ partitions: 'idle', count: 9 }, { addTopic: topic('more', 2) }, { removeTopic: 'idle' }]
  const { steps } = kafka.rebalance(state, events)
  t.deepEqual(
    steps.map(({ rounds }) => rounds.length),
    [0, 0, 0],
  )
})

test('JSON tells event, rounds, moves against the fewest, stops, balance and spread', (t) => {
  const state = group('cooperative-sticky', [topic('orders', 4)], THREE.slice(0, 1))
  const document = JSON.parse(JSON.stringify(kafka.rebalance(state, [{ join: THREE[1]! }])))
  t.deepEqual(document.steps, [
    {
      event: { join: { id: 'b', topics: ['orders'] } },
      rounds: [
        { revoked: { a: { orders: [2, 3] } }, gained: {}, withheld: { b: { orders: [2, 3] } }, notes: [] },
        { revoked: {}, gained: { b: { orders: [2, 3] } }, withheld: {}, notes: [] },
      ],
      moves: 2,
      fewestMoves: 2,
      moved: { b: { orders: [2, 3] } },
      stops: 2,
      longestNobodys: 1,
      balanceBefore: { members: 1, partitions: 4, least: 4, most: 4, mean: 4 },
      balanceAfter: { members: 2, partitions: 4, least: 2, most: 2, mean: 2 },
      spreadBefore: { topics: 1, even: 1, worst: { topic: 'orders', subscribers: 1, least: 4, most: 4 } },
      spreadAfter: { topics: 1, even: 1, worst: { topic: 'orders', subscribers: 2, least: 2, most: 2 } },
    },
  ])
  t.deepEqual(document.totals, { rounds: 2, stops: 2, moves: 2, fewestMoves: 2, longestNobodys: 1 })
})

const REFUSED: readonly (readonly [events: unknown, message: string])[] = [
  [7, 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: events: expected an array, got 7'],
  [[null], 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: events[0]: expected an event, got null [index 0]'],
  [
    [{ leaves: 'a' }],
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: events[0]: expected one of join, leave, bounce, subscribe, partitions, addTopic, removeTopic, rack, got leaves [index 0]',
  ],
  [
    [{ leave: 'a', bounce: 'b' }],
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: events[0]: expected one of join, leave, bounce, subscribe, partitions, addTopic, removeTopic, rack, got leave and bounce [index 0]',
  ],
  [
    [{ leave: 'a', why: 'x' }],
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: events[0]: expected no field beside leave, got "why" [index 0]',
  ],
  [[{ leave: 3 }], 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: events[0].leave: expected a string, got 3 [index 0]'],
  [
    [{ bounce: 'a' }, { leave: 'bb' }],
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: events[1]: leave: expected a member of the group, got "bb" (did you mean b?) [index 1]',
  ],
  [
    [{ leave: 'a' }, { bounce: 'a' }],
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: events[1]: bounce: expected a member of the group, got "a" (did you mean b?) [index 1]',
  ],
  [
    [{ join: { id: 'a', topics: [] } }],
    'RangeError ERR_PLACEMENT_DUPLICATE: events[0]: join.id: expected one that is new, got "a", which is in the group [index 0]',
  ],
  [
    [{ join: { id: 'd', topics: [], instanceId: 'I' } }, { join: { id: 'e', topics: [], instanceId: 'I' } }],
    'RangeError ERR_PLACEMENT_DUPLICATE: events[1]: join.instanceId: expected one that is new, got "I", which "d" has: a static member that comes back bounces [index 1]',
  ],
  [
    [{ join: { id: 'd' } }],
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: events[0].join.topics: expected an array, got undefined [index 0]',
  ],
  [
    [{ join: { id: 'd', topics: ['orders'], ownedPartitions: parts('orders', 6) } }],
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: events[0]: join.ownedPartitions[0].partition: expected an integer in [0, 5], got 6 [index 0]',
  ],
  [
    [{ subscribe: 'a', topics: 'orders' }],
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: events[0].topics: expected an array, got "orders" [index 0]',
  ],
  [
    [{ partitions: 'order', count: 9 }],
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: events[0]: partitions: expected a topic that is there, got "order" (did you mean orders?) [index 0]',
  ],
  [
    [{ partitions: 'orders', count: 2.5 }],
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: events[0].count: expected an integer in [1, 2147483647], got 2.5 [index 0]',
  ],
  [
    [{ partitions: 'orders', count: 4 }],
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: events[0]: count: expected more than the 6 of "orders", got 4 [index 0]',
  ],
  [
    [{ partitions: 'orders', count: 8, racks: 'ab' }],
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: events[0].racks: expected an array, got "ab" [index 0]',
  ],
  [
    [{ partitions: 'orders', count: 8, racks: [['r']] }],
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: events[0]: racks: expected one entry for each of 2 new partitions, got 1 [index 0]',
  ],
  [
    [{ partitions: 'orders', count: 2 ** 31 - 1 }, { addTopic: { name: 'x', partitions: 2 } }],
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics: expected at most 2147483647 partitions in all, got more at topics[1] [index 1]',
  ],
  [
    [{ addTopic: { name: 'orders', partitions: 2 } }],
    'RangeError ERR_PLACEMENT_DUPLICATE: events[0]: addTopic.name: expected one that is new, got "orders", which is there [index 0]',
  ],
  [
    [{ addTopic: { name: 'x', partitions: -1 } }],
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: events[0].addTopic.partitions: expected an integer in [0, 2147483647], got -1 [index 0]',
  ],
  [
    [{ removeTopic: 'x' }],
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: events[0]: removeTopic: expected a topic that is there, got "x" [index 0]',
  ],
  [[{ rack: 'a' }], 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: events[0].to: expected a string, got undefined [index 0]'],
]

test('an event that cannot be is one coded error that names it', (t) => {
  for (const [events, message] of REFUSED) {
    const ask = () => kafka.rebalance(group('range', [topic('orders', 6)], THREE), events as kafka.GroupEvent[])
    t.is(refusalOf(ask), message)
  }
})

test('fewer partitions are refused as Kafka refuses them', (t) => {
  for (const [count, javaMessage] of [
    [6, 'Topic already has 6 partition(s).'],
    [5, 'The topic orders currently has 6 partition(s); 5 would not be an increase.'],
  ] as const) {
    const events = [{ partitions: 'orders', count }]
    const error = t.throws(() => kafka.rebalance(group('range', [topic('orders', 6)], THREE), events))
    t.like(error, { javaClass: 'org.apache.kafka.common.errors.InvalidPartitionsException', javaMessage })
  }
})

test('where the original throws, the error tells the event too', (t) => {
  // A claim of a topic that a no longer subscribes to, in an earlier generation: spec/kafka.md 2.3, kafka-clients 4.4.0.
  const members = [
    member('a', ['t1'], { ownedPartitions: parts('t0', 0), generationId: 1 }),
    member('b', ['t0'], { ownedPartitions: parts('t0', 0, 1, 2, 3), generationId: 2 }),
  ]
  const state = group('sticky', [topic('t0', 4), topic('t1', 1)], members)
  t.is(
    refusalOf(() => kafka.rebalance(state, [{ join: member('c', ['t0']) }])),
    'PlacementError ERR_PLACEMENT_ORIGINAL_FAILS: events[0]: the assignor of this group throws java.lang.NullPointerException for these members [index 0]',
  )
})

test('a consumer group needs the ids of its topics; a share group is not rebalanced', (t) => {
  const state: State = { ...group('range', [{ name: 'orders', partitions: 6 }], THREE), groupType: 'consumer' }
  t.is(
    refusalOf(() => kafka.rebalance(state, [])),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: topics[0].id: expected a Uuid, which the assignors of consumer and share groups order topics by, got undefined',
  )
  const known: State = { ...state, topics: [topic('orders', 6)] }
  t.is(
    refusalOf(() => kafka.rebalance(known, [{ addTopic: { name: 'x', partitions: 1, id: ID_OF('orders') } }])),
    `RangeError ERR_PLACEMENT_DUPLICATE: events[0]: addTopic.id: expected each once, got "${ID_OF('orders')}" as at index 0 [index 0]`,
  )
  t.regex(
    refusalOf(() => kafka.rebalance({ ...known, groupType: 'share', assignor: 'simple' }, [])),
    /^PlacementError ERR_PLACEMENT_UNSUPPORTED: groupType: expected classic or consumer, got share: /,
  )
})

test('ids with gaps and claims beyond a topic are left to kafka.assign', (t) => {
  const refused =
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics: expected partitions 0 to count - 1 of each, and no claim beyond, got others of "t0": kafka.assign takes such a group'
  const gaps = group('range', [{ name: 't0', partitions: 2, ids: [0, 2] }], [])
  const stale = group('sticky', [topic('t0', 2)], [member('a', ['t0'], { ownedPartitions: parts('t0', 2) })])
  for (const state of [gaps, stale])
    t.is(
      refusalOf(() => kafka.rebalance(state, [])),
      refused,
    )
})
