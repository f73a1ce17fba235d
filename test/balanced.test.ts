/**
 * `balanced`, our own assignor: what docs/assignors.md promises, against every way to deal small groups.
 *
 * `TOPIC_PLACEMENT_GROUPS` sets how many random groups, `TOPIC_PLACEMENT_SEED` which.
 */
import test from 'ava'
import { isCodedError } from '../src/errors.js'
import { kafka } from '../src/index.js'
import { ENGINES, onEngine } from './engines.js'
import {
  bestDeal,
  countsOf,
  faultOf,
  meritOf,
  rackFaultOf,
  randomGroup,
  type SmallGroup,
  type Spice,
} from './every-deal.js'
import { below, generator } from './random.js'
import { refusalOf } from './refusal.js'

const SEED = Number(process.env['TOPIC_PLACEMENT_SEED'] ?? 20261201)
const GROUPS = Number(process.env['TOPIC_PLACEMENT_GROUPS'] ?? 500)

const ask = (group: Omit<kafka.AssignQuestion, 'groupType' | 'assignor'>, assignor = 'balanced' as const) =>
  kafka.assign({ groupType: 'classic', assignor, ...group })

const PLAIN: Spice = { racks: false, memberWeights: false, topicWeights: false }
const SPICES: readonly Spice[] = [
  PLAIN,
  { ...PLAIN, memberWeights: true },
  { ...PLAIN, topicWeights: true },
  { ...PLAIN, racks: true },
  { racks: true, memberWeights: true, topicWeights: true },
]

/** Random groups of every kind. */
function* groups(count: number, spices = SPICES, most?: number): Generator<SmallGroup> {
  const next = generator(SEED)
  for (let i = 0; i < count; i++) yield randomGroup(next, spices[i % spices.length]!, most)
}

/** Loads of all topics but those of a weight and what is lighter; of those lighter, only what everybody gets for sure. */
function loadsBefore(group: SmallGroup, lists: kafka.PartitionLists, weight: number): number[] {
  const loads = group.members.map(() => 0)
  for (const topic of group.topics) {
    const own = topic.weight ?? 1
    if (own === weight) continue
    const subscribers = group.members.filter(({ topics }) => topics.includes(topic.name))
    const all = subscribers.reduce((sum, member) => sum + (member.weight ?? 1), 0)
    const counts = countsOf(lists, topic.name)
    group.members.forEach((member, i) => {
      if (!subscribers.includes(member)) return
      const floor = Math.floor((topic.partitions * (member.weight ?? 1)) / all)
      loads[i]! += own * (own > weight ? counts[i]! : floor)
    })
  }
  return loads
}

for (const engine of ENGINES) {
  const title = (claim: string) => `${engine}: ${claim}`

  test(title(`of all ways to deal ${GROUPS} small groups, none is better (seed ${SEED})`), (t) => {
    for (const group of groups(GROUPS)) {
      const got = onEngine(engine, () => ask(group))
      t.is(faultOf(group, got), null, JSON.stringify(group))
      for (const weight of new Set(group.topics.map((topic) => topic.weight ?? 1))) {
        const topics = group.topics.filter((topic) => (topic.weight ?? 1) === weight)
        const loads = loadsBefore(group, got, weight)
        const { balance, moves } = bestDeal(group, topics, loads)
        t.like(meritOf(group, got, topics, loads), { balance, moves }, JSON.stringify(group))
      }
    }
  })

  test(title('the order of topics, members, subscriptions and claims makes no difference'), (t) => {
    const next = generator(SEED + 1)
    const shuffled = <T>(list: readonly T[]): T[] => {
      const copy = [...list]
      for (let i = copy.length - 1; i > 0; i--) {
        const j = below(next, i + 1)
        ;[copy[i], copy[j]] = [copy[j]!, copy[i]!]
      }
      return copy
    }
    for (const group of groups(GROUPS)) {
      const topics = shuffled(group.topics)
      const members = shuffled(group.members).map((member) => ({
        ...member,
        topics: shuffled([...member.topics, ...member.topics.slice(0, below(next, 3))]),
        ownedPartitions: shuffled(member.ownedPartitions!),
      }))
      const [one, other] = onEngine(engine, () => [ask(group), ask({ topics, members })])
      for (const { id } of members) t.deepEqual(other!.partitionsOf(id), one!.partitionsOf(id), JSON.stringify(group))
    }
  })

  test(title('assigned again, nothing moves'), (t) => {
    for (const group of groups(GROUPS)) {
      const before = onEngine(engine, () => ask(group))
      const members = group.members.map((member) => ({
        ...member,
        ownedPartitions: before.partitionsOf(member.id),
        generationId: 7,
      }))
      const after = onEngine(engine, () => ask({ topics: group.topics, members }))
      t.deepEqual(after.toJSON(), before.toJSON(), JSON.stringify(group))
    }
  })

  test(title('never more moves than sticky where spread and balance are equal, and never worse in these'), (t) => {
    let equal = 0
    for (const group of [...groups(2 * GROUPS, [PLAIN]), ...groups(GROUPS / 10, [PLAIN], 25)]) {
      const sticky = onEngine(engine, () => stickyOf(group))
      if (sticky === null) continue
      const [ours, theirs] = [onEngine(engine, () => ask(group)), sticky].map((lists) => standing(group, lists))
      const first = ours!.findIndex((value, i) => value !== theirs![i])
      t.true(first === -1 || ours![first]! < theirs![first]!, `${ours} ${theirs} ${JSON.stringify(group)}`)
      if (first === -1 || first === 2) equal += 1
    }
    t.true(equal > GROUPS / 5, `${equal} of equal spread and balance`)
  })

  test(title('no members, no topics, empty topics, unknown topics, empty subscriptions: each has an answer'), (t) => {
    onEngine(engine, () => {
      t.deepEqual(ask({ topics: [{ name: 't', partitions: 2 }], members: [] }).toJSON(), {})
      t.deepEqual(ask({ topics: [], members: [{ id: 'a', topics: ['t'] }] }).toJSON(), { a: [] })
      const topics = [
        { name: 'empty', partitions: 0 },
        { name: 't', partitions: 2 },
      ]
      const members = [
        { id: 'a', topics: ['empty', 't', 'unknown'] },
        { id: 'idle', topics: [] },
      ]
      t.deepEqual(ask({ topics, members }).toJSON(), {
        a: [0, 1].map((partition) => ({ topic: 't', partition })),
        idle: [],
      })
    })
  })

  test(title('claims: the newest holds, equal ones are void and noted, what is not there is passed over'), (t) => {
    onEngine(engine, () => {
      const own = (...numbers: number[]) => numbers.map((partition) => ({ topic: 't', partition }))
      const members = [
        { id: 'a', topics: ['t'], ownedPartitions: own(0, 0, 3, -1, 2147483647), generationId: 3 },
        { id: 'b', topics: ['t'], ownedPartitions: own(0, 1, 2), generationId: 2 },
        { id: 'c', topics: ['t'], ownedPartitions: [...own(3), { topic: 'gone', partition: 1 }], generationId: 3 },
      ]
      const got = ask({ topics: [{ name: 't', partitions: 6 }], members })
      t.deepEqual(
        members.map(({ id }) => got.partitionsOf(id).map(({ partition }) => partition)),
        [
          [0, 3],
          [1, 2],
          [4, 5],
        ],
      )
      t.deepEqual(
        got.notes.map(({ code, partition }) => [code, partition]),
        [['NOTE_ASSIGN_CLASH', 3]],
      )
      t.like(got, { assignor: 'balanced', algorithm: null, maxGeneration: null })
      t.is(got.withheld.values.length, 0)
    })
  })

  test(title('racks: near ones are kept first, and of what changes hands as few as can be are far'), (t) => {
    for (const group of groups(2 * GROUPS, [{ ...PLAIN, racks: true }])) {
      const got = onEngine(engine, () => ask(group))
      t.is(rackFaultOf(group, got), null, JSON.stringify(group))
    }
  })

  test(title('racks: of topics with fewer partitions than members, a near member gets one'), (t) => {
    onEngine(engine, () => {
      const topics = Array.from({ length: 60 }, (_, i) => ({ name: `t${i}`, partitions: 1, racks: [[`r${i % 3}`]] }))
      const members = Array.from({ length: 30 }, (_, i) => ({
        id: `m${i}`,
        topics: topics.map(({ name }) => name),
        rack: `r${Math.floor(i / 10)}`,
      }))
      const got = ask({ topics, members })
      const loads = members.map(() => 0)
      t.deepEqual(meritOf({ topics, members }, got, topics, loads), { balance: 12 * 30 * 4, moves: 60, far: 0 })
    })
  })

  test(title('each topic is spread where sticky gives whole topics away'), (t) => {
    onEngine(engine, () => {
      const topics = ['a', 'b'].map((name) => ({ name, partitions: 4 }))
      const members = ['m0', 'm1'].map((id, i) => ({
        id,
        topics: ['a', 'b'],
        ownedPartitions: [0, 1, 2, 3].map((partition) => ({ topic: topics[i]!.name, partition })),
        generationId: 1,
      }))
      const sticky = kafka.assign({ groupType: 'classic', assignor: 'cooperative-sticky', topics, members })
      t.deepEqual(
        ['a', 'b'].map((name) => countsOf(sticky, name)),
        [
          [4, 0],
          [0, 4],
        ],
      )
      const ours = ask({ topics, members })
      t.deepEqual(
        ['a', 'b'].map((name) => countsOf(ours, name)),
        [
          [2, 2],
          [2, 2],
        ],
      )
    })
  })

  test(title('a member of weight 3 gets three times the partitions of one of weight 1, of each topic'), (t) => {
    onEngine(engine, () => {
      const topics = ['a', 'b', 'c'].map((name) => ({ name, partitions: 6 }))
      const members = [
        { id: 'large', topics: ['a', 'b', 'c'], weight: 3 },
        { id: 'small', topics: ['a', 'b', 'c'], weight: 1 },
      ]
      const got = ask({ topics, members })
      t.deepEqual(
        ['a', 'b', 'c'].map((name) => countsOf(got, name)).sort((a, b) => a[0]! - b[0]!),
        [
          [4, 2],
          [5, 1],
          [5, 1],
        ],
      )
    })
  })

  test(title('heavy topics first: the light one goes to whom they left less'), (t) => {
    onEngine(engine, () => {
      const topics = [
        { name: 'heavy', partitions: 1, weight: 10 },
        ...['l0', 'l1', 'l2'].map((name) => ({ name, partitions: 1 })),
      ]
      const members = ['a', 'b'].map((id) => ({ id, topics: topics.map(({ name }) => name) }))
      t.deepEqual([ask({ topics, members }).countOf('a'), ask({ topics, members }).countOf('b')], [1, 3])
    })
  })
}

/** The answer of sticky; `null` where it throws, or gives what is not there or not subscribed to. */
function stickyOf({ topics, members }: SmallGroup): kafka.Assignment | null {
  const told = members.map(({ ownedPartitions = [], generationId = -1, ...member }) => ({
    ...member,
    userData: kafka.protocol.encodeStickyUserData({ ownedPartitions, generationId }),
  }))
  try {
    const answer = kafka.assign({ groupType: 'classic', assignor: 'sticky', topics, members: told })
    return answer.notes.every(({ code }) => code === 'NOTE_ASSIGN_CLASH') ? answer : null
  } catch (error) {
    if (isCodedError(error) && error.code === 'ERR_PLACEMENT_ORIGINAL_FAILS') return null
    throw error
  }
}

test('engines give the same lists for groups of dozens', (t) => {
  for (const group of groups(Math.ceil(GROUPS / 10), SPICES, 40)) {
    const [first, ...others] = ENGINES.map((engine) => onEngine(engine, () => ask(group).toJSON()))
    for (const other of others) t.deepEqual(other, first, JSON.stringify(group))
  }
})

const REFUSED: readonly [claim: string, question: Partial<kafka.AssignQuestion>, refusal: RegExp][] = [
  [
    'a topic of weight 0',
    { topics: [{ name: 't', partitions: 1, weight: 0 }] },
    /RANGE: topics\[0\].weight: .*\[1, 1000000\], got 0/,
  ],
  ['a negative weight', { members: [{ id: 'a', topics: [], weight: -1 }] }, /RANGE: members\[0\].weight: .*got -1/],
  [
    'a weight that is no number',
    { members: [{ id: 'a', topics: [], weight: Number.NaN }] },
    /RANGE: members\[0\].weight: .*got NaN/,
  ],
  [
    'a weight of another type',
    { members: [{ id: 'a', topics: [], weight: '2' as never }] },
    /TYPE: members\[0\].weight: .*got "2"/,
  ],
  [
    'loads that cannot be compared',
    { topics: [{ name: 't', partitions: 2147483647, weight: 1000000 }], members: [{ id: 'a', topics: [], weight: 2 }] },
    /RANGE: weights: expected all loads, times the heaviest member, to be at most 2251799813685248, got/,
  ],
  [
    'weights of another length',
    { topics: { names: ['t'], partitions: Int32Array.of(1), weights: new Uint32Array(2) }, members: { ids: [] } },
    /RANGE: topics.weights: expected 1 entries, got 2/,
  ],
  [
    'a weight of 0 in a column',
    { topics: { names: [], partitions: new Int32Array(0) }, members: { ids: ['a'], weights: new Uint32Array(1) } },
    /RANGE: members.weights\[0\]: .*got 0/,
  ],
]

for (const [claim, question, refusal] of REFUSED) {
  test(`refused: ${claim}`, (t) => {
    t.regex(
      refusalOf(() => ask({ topics: [], members: [], ...question })),
      refusal,
    )
  })
}

test('balanced is an assignor of classic groups alone', (t) => {
  for (const groupType of ['consumer', 'share'] as const) {
    const got = refusalOf(() => kafka.assign({ groupType, assignor: 'balanced', topics: [], members: [] }))
    t.regex(got, /^RangeError ERR_PLACEMENT_UNKNOWN_NAME: assignor: expected one of /)
  }
})

/** Sum of squares of the counts per topic, of the loads, and the moves. */
function standing(group: SmallGroup, lists: kafka.PartitionLists): number[] {
  const squares = (some: readonly number[]) => some.reduce((sum, value) => sum + value * value, 0)
  const { moves } = meritOf(
    group,
    lists,
    group.topics,
    group.members.map(() => 0),
  )
  const spread = group.topics.reduce((sum, { name }) => sum + squares(countsOf(lists, name)), 0)
  return [spread, squares(lists.names.memberIds.map((id) => lists.countOf(id))), moves]
}
