/**
 * `kafka.assign` of consumer and share groups: cases from the field, the rules of each release, notes, refusals, and
 * validity, balance and stickiness by a naive look at random groups.
 *
 * That answers equal the jars' is shown by the vectors and by `npm run oracle`; answers marked "jar" were given by
 * kafka-group-coordinator 4.4.0 (or the release named) through the oracle.
 */
import test from 'ava'
import { kafka } from '../src/index.js'
import { ENGINES, onEngine, onEngineAsync } from './engines.js'
import { below, generator } from './random.js'
import { refusalOf } from './refusal.js'

type Question = Omit<kafka.AssignQuestion, 'groupType'>
const consumer = (question: Question) => kafka.assign({ groupType: 'consumer', ...question })
const share = (question: Omit<Question, 'assignor'>) =>
  kafka.assign({ groupType: 'share', assignor: 'simple', ...question })

/** Uuids whose hash codes are the numbers. */
const idOf = (hash: number): string => {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32BE(hash, 12)
  return bytes.toString('base64url')
}
const topic = (name: string, partitions: number, more: Partial<kafka.GroupTopic> = {}): kafka.GroupTopic => ({
  name,
  partitions,
  id: idOf(name.charCodeAt(name.length - 1)),
  ...more,
})
const parts = (name: string, ...numbers: number[]) => numbers.map((partition) => ({ topic: name, partition }))
const member = (id: string, topics: readonly string[], ...owned: kafka.TopicPartition[]): kafka.GroupMember => ({
  id,
  topics,
  ownedPartitions: owned,
})
const counts = (lists: kafka.PartitionLists) => lists.names.memberIds.map((id) => lists.countOf(id))
const shown = (lists: kafka.PartitionLists, id: string) =>
  lists.partitionsOf(id).map((one) => `${one.topic}-${one.partition}`)

const GOOD = {
  groupType: 'consumer',
  assignor: 'uniform',
  topics: [topic('t', 2)],
  members: [member('a', ['t'])],
} as const

const COLUMNS = { names: ['t'], partitions: Int32Array.of(2), ids: [idOf(1)] }
const IDS = { ids: ['a'] }
const UNSUPPORTED = 'PlacementError ERR_PLACEMENT_UNSUPPORTED: version: expected'
const REFUSED: readonly (readonly [what: string, change: object, expected: string])[] = [
  [
    'a consumer group in 3.9',
    { version: '3.9' },
    `${UNSUPPORTED} 4.0 or later, in which consumer groups are no preview any more, got 3.9`,
  ],
  [
    'a share group in 4.1',
    { groupType: 'share', assignor: 'simple', version: '4.1' },
    `${UNSUPPORTED} 4.2 or later, in which share groups are no preview any more, got 4.1`,
  ],
  [
    'an assignor of another kind of group',
    { assignor: 'sticky' },
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: assignor: expected one of uniform, range, got "sticky"',
  ],
  [
    'a topic without id',
    { topics: [{ name: 't', partitions: 2 }] },
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: topics[0].id: expected a Uuid, which the assignors of consumer and share groups order topics by, got undefined',
  ],
  [
    'an id that is no Uuid',
    { topics: [topic('t', 2, { id: 'x' })] },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics[0].id: expected a Uuid as Kafka writes it (22 characters of base64url), got "x"',
  ],
  [
    'an id twice',
    { topics: [topic('t', 2), topic('u', 2, { id: topic('t', 2).id! })] },
    'RangeError ERR_PLACEMENT_DUPLICATE: topics[1].id: expected each once, got "AAAAAAAAAAAAAAAAAAAAdA" as at index 0 [index 1]',
  ],
  [
    'a member twice',
    { members: [member('a', ['t']), member('a', ['t'])] },
    'RangeError ERR_PLACEMENT_DUPLICATE: members[1].id: expected each once, got "a" as at index 0 [index 1]',
  ],
  [
    'a negative count',
    { topics: [topic('t', -1)] },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics[0].partitions: expected an integer in [0, 2147483647], got -1',
  ],
  [
    '2^31 partitions in all',
    { topics: [topic('t', 2 ** 30), topic('u', 2 ** 30)] },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics: expected at most 2147483647 partitions in all, got more at topics[1] [index 1]',
  ],
  [
    'a generation below -1',
    { members: [{ id: 'a', topics: ['t'], generationId: -2 }] },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: members[0].generationId: expected an integer in [-1, 2147483647], got -2',
  ],
  [
    'an owned partition that is no number',
    { members: [member('a', ['t'], { topic: 't', partition: 0.5 })] },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: members[0].ownedPartitions[0].partition: expected an integer in [-2147483648, 2147483647], got 0.5',
  ],
  [
    'an assignable partition that is no number',
    { groupType: 'share', assignor: 'simple', topics: [topic('t', 2, { assignable: [-1] })] },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics[0].assignable[0]: expected an integer in [0, 2147483647], got -1',
  ],
  [
    'a type of subscription that is none',
    { subscriptionType: 'equal' },
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: subscriptionType: expected one of homogeneous, heterogeneous, got "equal"',
  ],
  [
    'an order that is none',
    { ownedOrder: 'sorted' },
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: ownedOrder: expected one of java, given, got "sorted"',
  ],
  [
    'columns without ids',
    { topics: { names: ['t'], partitions: Int32Array.of(2) }, members: IDS },
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: topics.ids: expected an array of Uuids, one for each topic, got undefined',
  ],
  [
    'ids of another length in columns',
    { topics: { ...COLUMNS, ids: [] }, members: IDS },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics.ids: expected one for each of 1 topics, got 0',
  ],
  [
    'assignable partitions of another length in columns',
    { topics: { ...COLUMNS, assignable: new Uint8Array(1) }, members: IDS },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics.assignable: expected one entry for each of 2 partitions, got 1',
  ],
  [
    'an owned partition beyond the count in columns',
    { topics: COLUMNS, members: { ids: ['a'], owned: { offsets: Uint32Array.of(0, 1), values: Uint32Array.of(2) } } },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: members.owned.values[0]: expected a number below 2, got 2 [index 0]',
  ],
]

for (const engine of ENGINES) {
  const title = (claim: string) => `${engine}: ${claim}`
  const on = (ask: () => void) => onEngine(engine, ask)

  test(title('S11: a balanced group does not move since 4.1; 4.0 moves it to 3, 2, 2'), (t) => {
    on(() => {
      const members = [
        member('a', ['t'], ...parts('t', 0, 1)),
        member('b', ['t'], ...parts('t', 2, 3)),
        member('c', ['t'], ...parts('t', 4, 5, 6)),
      ]
      const question = { assignor: 'uniform', topics: [topic('t', 7)], members } as const
      for (const version of ['4.1', '4.2', '4.3', '4.4'] as const) {
        const now = consumer({ ...question, version })
        for (const { id, ownedPartitions } of members) t.deepEqual(now.partitionsOf(id), [...ownedPartitions!])
      }
      t.deepEqual(counts(consumer({ ...question, version: '4.0' })), [3, 2, 2])
    })
  })

  test(title('one partition more goes to the last members of a new group since 4.1, to the first in 4.0'), (t) => {
    on(() => {
      const question = (partitions: number, ...ids: string[]) =>
        ({
          assignor: 'uniform',
          topics: [topic('t', partitions)],
          members: ids.map((id) => member(id, ['t'])),
        }) as const
      t.deepEqual(counts(consumer(question(7, 'c', 'a', 'b'))), [2, 2, 3])
      t.deepEqual(counts(consumer({ ...question(7, 'c', 'a', 'b'), version: '4.0' })), [3, 2, 2])
      t.deepEqual(counts(consumer(question(2, 'a', 'b', 'c', 'd', 'e'))), [0, 0, 0, 1, 1])
    })
  })

  test(title('R01, R03: the range of the broker begins anew with the first member at each topic'), (t) => {
    on(() => {
      const members = Array.from({ length: 66 }, (_, i) => member(`m${String(i).padStart(2, '0')}`, ['t']))
      const one = consumer({ assignor: 'range', topics: [topic('t', 213)], members })
      t.deepEqual(counts(one), [...new Array(15).fill(4), ...new Array(51).fill(3)])
      const topics = Array.from({ length: 12 }, (_, i) => topic(`t${i}`, i < 10 ? 1 : 4, { id: idOf(i) }))
      const both = ['c1', 'c2'].map((id) =>
        member(
          id,
          topics.map(({ name }) => name),
        ),
      )
      t.deepEqual(counts(consumer({ assignor: 'range', topics, members: both })), [14, 4])
      t.deepEqual(counts(consumer({ assignor: 'uniform', topics, members: both })), [9, 9])
    })
  })

  test(title('S01, S02: who joins gets its share, and nobody else gains'), (t) => {
    on(() => {
      const held = [
        member('a', ['stam'], ...parts('stam', 1, 3, 5, 7, 9)),
        member('b', ['stam'], ...parts('stam', 0, 2, 4, 6, 8)),
      ]
      const got = consumer({
        assignor: 'uniform',
        topics: [topic('stam', 10)],
        members: [...held, member('c', ['stam'])],
      })
      t.is(got.countOf('c'), 3)
      for (const { id, ownedPartitions } of held) {
        for (const one of got.partitionsOf(id))
          t.deepEqual(
            ownedPartitions!.filter((own) => own.partition === one.partition),
            [one],
          )
      }
      const two = [topic('x', 4), topic('y', 4)]
      const first = member('a', ['x', 'y'], ...parts('x', 0, 1, 2, 3), ...parts('y', 0, 1, 2, 3))
      t.deepEqual(
        counts(consumer({ assignor: 'uniform', topics: two, members: [first, member('b', ['x', 'y'])] })),
        [4, 4],
      )
    })
  })

  test(title('S05: 3,000 partitions over 450 members, and 1,000 over 1,000'), (t) => {
    on(() => {
      for (const [partitions, size, least] of [
        [3000, 450, 6],
        [1000, 1000, 1],
      ] as const) {
        const members = Array.from({ length: size }, (_, i) => member(`m${i}`, ['t']))
        for (const assignor of kafka.CONSUMER_ASSIGNORS) {
          const got = counts(consumer({ assignor, topics: [topic('t', partitions)], members }))
          t.is(got.filter((count) => count === least + 1).length, partitions - least * size)
          t.is(got.filter((count) => count === least).length, size - (partitions - least * size))
        }
      }
    })
  })

  test(title('R05: the range of the broker orders static members first, by instance id'), (t) => {
    on(() => {
      const topics = [topic('t0', 3), topic('t1', 3)]
      for (const id of ['a', 'z']) {
        const members = [
          member('b', ['t0', 't1']),
          { ...member(id, ['t0', 't1']), instanceId: 'I0' },
          { ...member('m', ['t0', 't1']), instanceId: 'I1' },
        ]
        const got = consumer({ assignor: 'range', topics, members })
        t.deepEqual(shown(got, id), ['t0-0', 't1-0'])
        t.deepEqual(shown(got, 'm'), ['t0-1', 't1-1'])
        t.deepEqual(shown(got, 'b'), ['t0-2', 't1-2'])
      }
    })
  })

  test(
    title('R06, R07: a topic goes to its own subscribers alone, and one that nobody subscribes to to nobody'),
    (t) => {
      on(() => {
        const topics = ['A', 'B', 'C', 'D'].map((name) => topic(name, 4))
        const members = [member('m1', ['A']), member('m2', ['A']), member('m3', ['B']), member('m4', ['B', 'C'])]
        for (const assignor of kafka.CONSUMER_ASSIGNORS) {
          const got = consumer({ assignor, topics, members })
          t.is(got.algorithm, 'heterogeneous')
          t.deepEqual([got.countOf('m1'), got.countOf('m2')], [2, 2])
          for (const one of got) t.true(members.find(({ id }) => id === one.member)!.topics.includes(one.topic))
          t.is(got.memberOf('D', 0), -1)
          t.deepEqual(got.notes, [])
        }
        t.deepEqual(share({ topics, members }).membersOf('A', 0).length, 1)
      })
    },
  )

  test(title('R11: a topic named twice counts once'), (t) => {
    on(() => {
      const topics = [topic('a', 3), topic('b', 2)]
      const [twice, once] = [
        ['a', 'a', 'b'],
        ['a', 'b'],
      ].map((names) => ['x', 'y'].map((id) => member(id, names)))
      for (const assignor of kafka.CONSUMER_ASSIGNORS) {
        const got = consumer({ assignor, topics, members: twice! })
        t.is(got.algorithm, 'homogeneous')
        t.deepEqual(got.toJSON(), consumer({ assignor, topics, members: once! }).toJSON())
      }
      t.is(consumer({ assignor: 'uniform', topics, members: [twice![0]!, once![1]!] }).algorithm, 'homogeneous')
    })
  })

  test(title('S07: twenty members with different subscriptions are level where subscriptions allow, and end'), (t) => {
    on(() => {
      const names = Array.from({ length: 10 }, (_, i) => `t${i}`)
      const members = Array.from({ length: 20 }, (_, i) => member(`m${i}`, [names[i % 10]!, names[(i * 3 + 1) % 10]!]))
      const got = consumer({ assignor: 'uniform', topics: names.map((name) => topic(name, 20)), members })
      t.is(
        counts(got).reduce((a, b) => a + b),
        200,
      )
      t.deepEqual(unlevel(got, members), [])
    })
  })

  test(
    title('S08, S09: a partition that two hold: a group alike throws, else both keep it, and the note says so'),
    (t) => {
      on(() => {
        const topics = [topic('t', 4), topic('u', 1)]
        const members = [member('a', ['t'], ...parts('t', 0, 1)), member('b', ['t'], ...parts('t', 1, 2))]
        t.is(
          refusalOf(() => consumer({ assignor: 'uniform', topics, members })),
          'PlacementError ERR_PLACEMENT_ORIGINAL_FAILS: the assignor of this group throws ' +
            'org.apache.kafka.coordinator.group.api.assignor.PartitionAssignorException (Partitions were left unassigned) ' +
            'for these members',
        )
        const got = consumer({ assignor: 'uniform', topics, members, subscriptionType: 'heterogeneous' })
        t.deepEqual(shown(got, 'a'), ['t-0', 't-1', 't-3']) // jar
        t.deepEqual(shown(got, 'b'), ['t-1', 't-2']) // jar
        t.deepEqual(
          got.notes.map(({ code, where, member }) => [code, where, member]),
          [['NOTE_ASSIGN_TWICE', 't-1', 'b']],
        )
      })
    },
  )

  test(title('S14: numbers that are none of the topic: out of bounds, left over, or kept with a note'), (t) => {
    on(() => {
      const topics = [topic('t', 2), topic('u', 1)]
      for (const partition of [-1, 2, 2147483647]) {
        const members = [member('a', ['t'], ...parts('t', 0, partition)), member('b', ['t'])]
        t.throws(() => consumer({ assignor: 'uniform', topics, members }), {
          message: /Partitions were left unassigned/,
        })
        t.throws(() => consumer({ assignor: 'uniform', topics, members, subscriptionType: 'heterogeneous' }), {
          message: new RegExp(`ArrayIndexOutOfBoundsException \\(Index ${partition} out of bounds for length 2\\)`),
        })
        const kept = share({ topics: topics.slice(0, 1), members })
        t.deepEqual(shown(kept, partition === 2 ? 'a' : 'b'), [`t-${partition}`]) // jar
        t.deepEqual(
          kept.notes.map(({ code, where }) => [code, where]),
          [
            ['NOTE_ASSIGN_STALE_PARTITION', `t-${partition}`],
            ['NOTE_ASSIGN_NOBODY', 't-1'],
          ],
        )
      }
    })
  })

  test(title('a share group keeps and hands on what is not assignable, and throws where nobody is left'), (t) => {
    on(() => {
      const limited = (assignable: number[]) => [topic('t', 3, { assignable })]
      // Both answers: jar.
      const got = share({
        topics: limited([1, 2]),
        members: [member('a', ['t'], ...parts('t', 0, 1)), member('b', ['t'])],
      })
      t.deepEqual([shown(got, 'a'), shown(got, 'b')], [['t-1'], ['t-0']])
      t.deepEqual(
        got.notes.map(({ code, where, member }) => [code, where, member]),
        [
          ['NOTE_ASSIGN_NOT_ASSIGNABLE', 't-0', 'b'],
          ['NOTE_ASSIGN_NOBODY', 't-2', undefined],
        ],
      )
      t.throws(
        () => share({ topics: limited([1]), members: [member('a', ['t'], ...parts('t', 2)), member('b', ['t'])] }),
        { message: /throws java\.util\.NoSuchElementException for these members/ },
      )
    })
  })

  test(title('a share group keeps what a topic had that nobody subscribes to any more, with a note'), (t) => {
    on(() => {
      const members = [member('a', ['t'], ...parts('gone', 1)), member('b', ['t', 'u'])]
      const topics = [topic('t', 1), topic('u', 1), topic('gone', 2)]
      const got = share({ topics, members })
      t.true(shown(got, 'a').includes('gone-1'))
      t.deepEqual(
        got.notes.map(({ code, where, member }) => [code, where, member]),
        [['NOTE_ASSIGN_NOT_SUBSCRIBED', 'gone-1', 'a']],
      )
    })
  })

  test(title('a group said to subscribe alike is answered by its first member, with notes'), (t) => {
    on(() => {
      const topics = [topic('t', 2), topic('u', 2)]
      const members = [member('a', ['t']), member('b', ['u'])]
      for (const assignor of kafka.CONSUMER_ASSIGNORS) {
        const got = consumer({ assignor, topics, members, subscriptionType: 'homogeneous' })
        t.deepEqual([shown(got, 'a'), shown(got, 'b')], [['t-0'], ['t-1']])
        t.deepEqual(
          got.notes.map(({ code, where, member }) => [code, where, member]),
          [
            ['NOTE_ASSIGN_NOT_SUBSCRIBED', 't-1', 'b'],
            ['NOTE_ASSIGN_NOBODY', 'u-0', undefined],
            ['NOTE_ASSIGN_NOBODY', 'u-1', undefined],
          ],
        )
      }
    })
  })

  test(title('what members own is walked in the order of hash maps, or as given'), (t) => {
    on(() => {
      const members = [member('a', ['t'], ...parts('t', 4, 2, 0, 1, 3)), member('b', ['t'])]
      const question = { assignor: 'uniform', topics: [topic('t', 5)], members } as const
      t.deepEqual(shown(consumer(question), 'a'), ['t-0', 't-1', 't-2'])
      t.deepEqual(shown(consumer({ ...question, ownedOrder: 'given' }), 'a'), ['t-0', 't-2', 't-4'])
    })
  })

  test(title('a name that the broker does not know is left out; an id that it does not know stops it'), (t) => {
    on(() => {
      const topics = [topic('t', 2)]
      const got = consumer({
        assignor: 'uniform',
        topics,
        members: [member('a', ['t', 'new']), member('b', ['t', 'new'])],
      })
      t.deepEqual([got.algorithm, ...counts(got)], ['homogeneous', 1, 1])
      const uneven = consumer({ assignor: 'uniform', topics, members: [member('a', ['t', 'new']), member('b', ['t'])] })
      t.deepEqual([uneven.algorithm, ...counts(uneven)], ['heterogeneous', 1, 1])
      const held = share({ topics, members: [member('a', ['t', 'new'], ...parts('new', 0)), member('b', ['t'])] })
      t.deepEqual([held.algorithm, ...counts(held)], ['heterogeneous', 1, 1])
      const deleted = idOf(99)
      const members = [member('a', ['t', deleted])]
      const text = `Members are subscribed to topic ${deleted} which doesn't exist in the topic metadata.`
      t.throws(() => consumer({ assignor: 'uniform', topics, members }), { message: new RegExp(text) })
      t.throws(() => share({ topics, members }), { message: new RegExp(text) })
      t.throws(() => consumer({ assignor: 'range', topics, members }), {
        message: /PartitionAssignorException \(Member is subscribed to a non-existent topic\)/,
      })
    })
  })

  test(title('columns and objects give one answer'), (t) => {
    on(() => {
      for (let seed = 1; seed <= 60; seed++) {
        const { topics, members, question } = randomGroup(seed)
        const fromObjects = answerOf(() => kafka.assign({ ...question, topics, members }))
        const fromColumns = answerOf(() => kafka.assign({ ...question, ...columnsOf(topics, members) }))
        t.deepEqual(fromColumns, fromObjects, `seed ${seed}`)
      }
    })
  })

  test(title('after each step: each partition once, to a subscriber, level, and what need not move stays'), (t) => {
    on(() => {
      for (let seed = 1; seed <= 150; seed++) {
        const random = generator(seed)
        let { topics, members } = consistentGroup(random)
        for (let step = 0; step < 5; step++) {
          const got = consumer({ assignor: 'uniform', topics, members })
          const where = `seed ${seed}, step ${step}`
          t.deepEqual(invalid(got, topics, members), [], where)
          t.deepEqual(unlevel(got, members), [], where)
          if (got.algorithm === 'homogeneous') t.deepEqual(movedForNothing(got, members), [], where)
          ;({ topics, members } = changed(random, topics, owning(members, got)))
        }
      }
    })
  })

  test(title('a share group: each assignable partition to somebody, nobody above its due, at most one apart'), (t) => {
    on(() => {
      for (let seed = 1; seed <= 150; seed++) {
        const random = generator(seed)
        let { topics, members } = consistentGroup(random)
        members = members.map((one) => ({ ...one, topics: topics.map(({ name }) => name) }))
        for (let step = 0; step < 5; step++) {
          const got = share({ topics, members })
          const partitions = topics.reduce((sum, one) => sum + one.partitions, 0)
          const sharing = Math.ceil(members.length / Math.max(1, partitions))
          const where = `seed ${seed}, step ${step}`
          for (const { name, partitions } of topics) {
            for (let p = 0; p < partitions; p++) {
              const holders = got.membersOf(name, p).length
              t.true(holders >= 1 && holders <= sharing, `${where}: ${name}-${p} with ${holders} of ${sharing}`)
            }
          }
          t.true(Math.max(...counts(got)) <= Math.ceil((sharing * partitions) / members.length), where)
          ;({ topics, members } = changed(random, topics, owning(members, got)))
          members = members.map((one) => ({ ...one, topics: topics.map(({ name }) => name) }))
        }
      }
    })
  })

  test.serial(title('the async twin gives the same answer'), async (t) => {
    for (let seed = 100; seed <= 120; seed++) {
      const { topics, members, question } = randomGroup(seed)
      await onEngineAsync(engine, async () => {
        const atOnce = answerOf(() => kafka.assign({ ...question, topics, members }))
        const later = await kafka.assignAsync({ ...question, topics, members }).then(shownOf, String)
        t.deepEqual(later, atOnce, `seed ${seed}`)
      })
    }
  })

  for (const [what, change, expected] of REFUSED) {
    test(title(`refused: ${what}`), (t) => {
      on(() => {
        t.is(
          refusalOf(() => kafka.assign({ ...GOOD, ...change } as never)),
          expected,
        )
      })
    })
  }

  test(title('nobody, nothing, and no partitions: answers without partitions'), (t) => {
    on(() => {
      for (const groupType of ['consumer', 'share'] as const) {
        for (const assignor of groupType === 'share' ? kafka.SHARE_ASSIGNORS : kafka.CONSUMER_ASSIGNORS) {
          const question = { groupType, assignor } as const
          t.deepEqual(kafka.assign({ ...question, topics: [topic('t', 3)], members: [] }).toJSON(), {})
          t.deepEqual(kafka.assign({ ...question, topics: [], members: [member('a', [])] }).toJSON(), { a: [] })
          t.deepEqual(kafka.assign({ ...question, topics: [], members: [member('a', ['t'])] }).toJSON(), { a: [] })
          const empty = kafka.assign({ ...question, topics: [topic('t', 0)], members: [member('a', ['t'])] })
          t.deepEqual(empty.toJSON(), { a: [] })
        }
      }
    })
  })
}

test('both engines give one answer for groups larger than the vectors have', (t) => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = generator(seed)
    const names = Array.from({ length: 60 }, (_, i) => `t${i}`)
    const topics = names.map((name, i) => ({
      name,
      partitions: below(random, 120),
      id: idOf(below(random, 2 ** 25) * 128 + i),
    }))
    const alike = seed % 2 === 0
    let members = Array.from({ length: 90 }, (_, i) =>
      member(`m${i}`, alike ? names : names.filter((_, t) => t % 3 === i % 3 || below(random, 4) === 0)),
    )
    for (let step = 0; step < 3; step++) {
      for (const question of [
        { groupType: 'consumer', assignor: 'uniform' },
        { groupType: 'consumer', assignor: 'range' },
        { groupType: 'share', assignor: 'simple' },
      ] as const) {
        const answers = ENGINES.map((engine) =>
          onEngine(engine, () => kafka.assign({ ...question, topics, members }).values),
        )
        for (const values of answers)
          t.deepEqual(values, answers[0], `seed ${seed}, step ${step}, ${question.assignor}`)
      }
      const got = consumer({ assignor: 'uniform', topics, members })
      members = [...owning(members, got).slice(below(random, 5)), member(`new${step}`, names)]
    }
  }
})

/** A group that asks for trouble: any type, any assignor, claims of others. */
function randomGroup(seed: number) {
  const random = generator(seed)
  const names = Array.from({ length: 1 + below(random, 5) }, (_, i) => `t${i}`)
  const topics = names.map((name, i) => topic(name, below(random, 6), { id: idOf(i * 16) }))
  const members = Array.from({ length: 1 + below(random, 6) }, (_, i) => {
    const mine = names.filter(() => below(random, 4) > 0)
    const owned = topics.flatMap(({ name, partitions }) =>
      parts(name, ...Array.from({ length: partitions }, (_, p) => p).filter(() => below(random, 6) === 0)),
    )
    return member(`m${i}`, mine, ...owned)
  })
  const question = [
    { groupType: 'consumer', assignor: 'uniform' },
    { groupType: 'consumer', assignor: 'range' },
    { groupType: 'share', assignor: 'simple' },
  ][below(random, 3)] as Pick<kafka.AssignQuestion, 'groupType' | 'assignor'>
  return { topics, members, question }
}

function columnsOf(topics: readonly kafka.GroupTopic[], members: readonly kafka.GroupMember[]) {
  const names = topics.map(({ name }) => name)
  const starts = topics.map((_, i) => topics.slice(0, i).reduce((sum, { partitions }) => sum + partitions, 0))
  const lists = members.map((one) => one.topics.map((name) => names.indexOf(name)))
  const owned = members.map(({ ownedPartitions = [] }) =>
    ownedPartitions.map((one) => starts[names.indexOf(one.topic)]! + one.partition),
  )
  const offsets = (some: readonly number[][]) =>
    Uint32Array.from([0, ...some.map((_, i) => some.slice(0, i + 1).flat().length)])
  return {
    topics: {
      names,
      partitions: Int32Array.from(topics, ({ partitions }) => partitions),
      ids: topics.map(({ id }) => id!),
    },
    members: {
      ids: members.map(({ id }) => id),
      subscriptions: {
        offsets: offsets(lists),
        topics: Uint32Array.from(lists.flat()),
        listOf: Uint32Array.from(members, (_, i) => i),
      },
      owned: { offsets: offsets(owned), values: Uint32Array.from(owned.flat()) },
    },
  }
}

const shownOf = ({ algorithm, notes, final }: kafka.Assignment) => ({ algorithm, notes, lists: final.toJSON() })

function answerOf(ask: () => kafka.Assignment): unknown {
  try {
    return shownOf(ask())
  } catch (error) {
    return String(error)
  }
}

interface Group {
  readonly topics: readonly kafka.GroupTopic[]
  readonly members: readonly kafka.GroupMember[]
}

function consistentGroup(random: () => number): Group {
  const names = Array.from({ length: 1 + below(random, 4) }, (_, i) => `t${i}`)
  const topics = names.map((name) => topic(name, 1 + below(random, 9), { id: idOf(below(random, 2 ** 31)) }))
  const alike = below(random, 2) === 0
  const members = Array.from({ length: 1 + below(random, 6) }, (_, i) => member(`m${i}`, some(random, names, alike)))
  return { topics, members }
}

function some(random: () => number, names: readonly string[], all: boolean): readonly string[] {
  return all ? names : names.filter((_, i) => i === 0 || below(random, 2) === 0)
}

function owning(members: readonly kafka.GroupMember[], got: kafka.Assignment): kafka.GroupMember[] {
  return members.map((one) => ({ ...one, ownedPartitions: got.partitionsOf(one.id) }))
}

/** Somebody joins or leaves, a topic grows, or somebody's subscription changes. */
function changed(random: () => number, topics: Group['topics'], members: kafka.GroupMember[]): Group {
  const step = below(random, 4)
  const alike = members.every((one) => one.topics.length === topics.length)
  const names = topics.map(({ name }) => name)
  if (step === 0) return { topics, members: [...members, member(`n${below(random, 1e9)}`, some(random, names, alike))] }
  if (step === 1 && members.length > 1) return { topics, members: members.slice(1) }
  if (step === 2)
    return { topics: topics.map((one) => ({ ...one, partitions: one.partitions + below(random, 3) })), members }
  const [first, ...others] = members
  return { topics, members: [{ ...first!, topics: some(random, names, alike) }, ...others] }
}

/** Partitions that nobody or several have, and members with what they do not subscribe to. */
function invalid(got: kafka.Assignment, topics: Group['topics'], members: Group['members']): string[] {
  const wrong: string[] = []
  for (const { name, partitions } of topics) {
    const wanted = members.some((one) => one.topics.includes(name)) ? 1 : 0
    for (let p = 0; p < partitions; p++) {
      if (got.membersOf(name, p).length !== wanted) wrong.push(`${name}-${p} with ${got.membersOf(name, p).length}`)
    }
  }
  for (const { member, topic } of got) {
    if (!members.find(({ id }) => id === member)!.topics.includes(topic)) wrong.push(`${member} has ${topic}`)
  }
  return wrong
}

/** Partitions that a subscriber with two fewer could have. */
function unlevel(got: kafka.Assignment, members: Group['members']): string[] {
  return [...got].flatMap(({ member, topic, partition }) =>
    members
      .filter((other) => other.topics.includes(topic) && got.countOf(other.id) + 1 < got.countOf(member))
      .map((other) => `${topic}-${partition} of ${member} for ${other.id}`),
  )
}

/** Members that lost something and yet have less than they had, or gained beside a loss. */
function movedForNothing(got: kafka.Assignment, members: Group['members']): string[] {
  return members.flatMap(({ id, topics, ownedPartitions = [] }) => {
    const had = ownedPartitions.filter((one) => topics.includes(one.topic))
    const kept = had.filter((one) => got.membersOf(one.topic, one.partition).includes(got.names.memberIds.indexOf(id)))
    return kept.length === Math.min(had.length, got.countOf(id)) ? [] : [`${id} kept ${kept.length} of ${had.length}`]
  })
}
