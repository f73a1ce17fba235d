/**
 * `kafka.assign`: cases from the field (the project's `cases.md`, rows R and S), readers, columns, notes and refusals.
 *
 * That answers equal the jar's is shown by the vectors and by `npm run oracle`; here stands what people met elsewhere, and
 * what the API promises beyond the lists. Answers marked "jar" were given by kafka-clients 4.4.0 through the oracle.
 */
import test from 'ava'
import { kafka } from '../src/index.js'
import { ENGINES, onEngine } from './engines.js'
import { below, generator } from './random.js'
import { refusalOf } from './refusal.js'

type Question = Omit<kafka.AssignQuestion, 'groupType'>
const ask = (question: Question): kafka.Assignment => kafka.assign({ groupType: 'classic', ...question })

const topic = (name: string, partitions: number): kafka.GroupTopic => ({ name, partitions })
const member = (id: string, topics: readonly string[], more: Partial<kafka.GroupMember> = {}): kafka.GroupMember => ({
  id,
  topics,
  ...more,
})
const parts = (name: string, ...numbers: number[]) => numbers.map((partition) => ({ topic: name, partition }))
const shown = (lists: kafka.PartitionLists, id: string) =>
  lists.partitionsOf(id).map((one) => `${one.topic}-${one.partition}`)
const counts = (lists: kafka.PartitionLists) => lists.names.memberIds.map((id) => lists.countOf(id))

/** A member with a past, as each sticky assignor is told of it. */
function owning(
  assignor: string,
  id: string,
  owned: readonly kafka.TopicPartition[],
  generation: number,
  topics: string[],
) {
  const userData = kafka.protocol.encodeStickyUserData({ ownedPartitions: owned, generationId: generation })
  return member(id, topics, {
    ownedPartitions: owned,
    generationId: generation,
    ...(assignor === 'sticky' ? { userData } : {}),
  })
}

const STICKY = ['sticky', 'cooperative-sticky'] as const

for (const engine of ENGINES) {
  const title = (claim: string) => `${engine}: ${claim}`
  const on = (ask: () => void) => onEngine(engine, ask)

  test(title('R01: 213 partitions over 66 members: the first 15 get four, the others three'), (t) => {
    on(() => {
      const members = Array.from({ length: 66 }, (_, i) => member(`m${String(i).padStart(2, '0')}`, ['t']))
      const got = counts(ask({ assignor: 'range', topics: [topic('t', 213)], members }))
      t.deepEqual(got, [...new Array(15).fill(4), ...new Array(51).fill(3)])
    })
  })

  test(title('R02: partitions in any order of the metadata are ranged by number'), (t) => {
    on(() => {
      const topics = [
        { name: 'a', partitions: 6, ids: [0, 5, 4, 1, 2, 3] },
        { name: 'b', partitions: 6, ids: [0, 5, 1, 4, 2, 3] },
      ]
      const got = ask({ assignor: 'range', topics, members: ['c1', 'c2'].map((id) => member(id, ['a', 'b'])) })
      t.deepEqual(shown(got, 'c1'), ['a-0', 'a-1', 'a-2', 'b-0', 'b-1', 'b-2'])
      t.deepEqual(shown(got, 'c2'), ['a-3', 'a-4', 'a-5', 'b-3', 'b-4', 'b-5'])
    })
  })

  test(title('R03: ten topics of one partition and two of four: range 14 and 4, round robin 9 and 9'), (t) => {
    on(() => {
      const topics = Array.from({ length: 12 }, (_, i) => topic(`t${i}`, i < 10 ? 1 : 4))
      const members = ['c1', 'c2'].map((id) =>
        member(
          id,
          topics.map(({ name }) => name),
        ),
      )
      t.deepEqual(counts(ask({ assignor: 'range', topics, members })), [14, 4])
      t.deepEqual(counts(ask({ assignor: 'roundrobin', topics, members })), [9, 9])
    })
  })

  test(title('R05: a static member keeps its range under another member id'), (t) => {
    on(() => {
      const topics = [topic('t0', 3), topic('t1', 3)]
      const both = ['t0', 't1']
      for (const id of ['a', 'z']) {
        const members = [member(id, both, { instanceId: 'I0' }), member('m', both, { instanceId: 'I1' })]
        const got = ask({ assignor: 'range', topics, members })
        t.deepEqual(shown(got, id), ['t0-0', 't0-1', 't1-0', 't1-1'])
        t.deepEqual(shown(got, 'm'), ['t0-2', 't1-2'])
      }
    })
  })

  test(title('R06: a topic goes to its own subscribers alone'), (t) => {
    on(() => {
      const topics = ['A', 'B', 'C'].map((name) => topic(name, 4))
      const members = [member('m1', ['A']), member('m2', ['A']), member('m3', ['B']), member('m4', ['B', 'C'])]
      for (const assignor of kafka.CLASSIC_ASSIGNORS) {
        const got = ask({ assignor, topics, members })
        t.deepEqual([got.countOf('m1'), got.countOf('m2')], [2, 2], assignor)
        for (const one of got) t.true(members.find(({ id }) => id === one.member)!.topics.includes(one.topic), assignor)
        t.deepEqual(
          counts(got).reduce((a, b) => a + b),
          12,
          assignor,
        )
      }
    })
  })

  test(title('R07: a topic that nobody subscribes to, and one that is not there, are left out'), (t) => {
    on(() => {
      for (const assignor of kafka.CLASSIC_ASSIGNORS) {
        const topics = [topic('used', 3), topic('idle', 5)]
        const got = ask({ assignor, topics, members: [member('a', ['used', 'missing'])] })
        t.deepEqual(shown(got, 'a'), ['used-0', 'used-1', 'used-2'], assignor)
        t.is(got.memberOf('idle', 0), -1)
        t.deepEqual(got.membersOf('missing', 0), [])
      }
    })
  })

  test(title('R11: a topic named twice is given once'), (t) => {
    on(() => {
      const topics = [topic('a', 4), topic('b', 4)]
      const members = [member('m0', ['a', 'a', 'b']), member('m1', ['a', 'b'])]
      for (const assignor of kafka.CLASSIC_ASSIGNORS) {
        const got = ask({ assignor, topics, members })
        t.deepEqual(counts(got), [4, 4], assignor)
        t.deepEqual(got.notes, [], assignor)
      }
    })
  })

  test(title('S01: a third member joins ten partitions: it gets three, and nobody else gains'), (t) => {
    on(() => {
      for (const assignor of STICKY) {
        const members = [
          owning(assignor, 'a', parts('stam', 1, 3, 5, 7, 9), 1, ['stam']),
          owning(assignor, 'b', parts('stam', 0, 2, 4, 6, 8), 1, ['stam']),
          member('c', ['stam']),
        ]
        const { final } = ask({ assignor, topics: [topic('stam', 10)], members })
        t.is(final.countOf('c'), 3, assignor)
        for (const { id, ownedPartitions = [] } of members.slice(0, 2)) {
          const had = new Set(ownedPartitions.map(({ partition }) => partition))
          t.true(
            final.partitionsOf(id).every(({ partition }) => had.has(partition)),
            assignor,
          )
        }
      }
    })
  })

  test(title('S02: a second member joins two topics of four: four each, withheld until given up'), (t) => {
    on(() => {
      const topics = [topic('a', 4), topic('b', 4)]
      const all = [...parts('a', 0, 1, 2, 3), ...parts('b', 0, 1, 2, 3)]
      const members = [owning('', 'm0', all, 1, ['a', 'b']), member('m1', ['a', 'b'])]
      const got = ask({ assignor: 'cooperative-sticky', topics, members })
      t.deepEqual(counts(got.final), [4, 4])
      t.deepEqual(counts(got.round1), [4, 0])
      t.deepEqual(shown(got.withheld, 'm1'), shown(got.final, 'm1'))
      t.deepEqual(counts(got.withheld), [0, 4])
    })
  })

  test(title('S05: 3,000 partitions over 450 members, and 1,000 over 1,000, balanced and without repeats'), (t) => {
    on(() => {
      for (const [partitions, size] of [
        [3000, 450],
        [1000, 1000],
      ] as const) {
        const members = Array.from({ length: size }, (_, i) => member(`m${i}`, ['t']))
        for (const assignor of kafka.CLASSIC_ASSIGNORS) {
          const got = ask({ assignor, topics: [topic('t', partitions)], members })
          const each = counts(got)
          t.true(Math.max(...each) - Math.min(...each) <= 1, assignor)
          t.is(new Set(got.values).size, partitions, assignor)
        }
      }
    })
  })

  test(
    title('S07: 20 members of different subscriptions and 200 partitions: done, and balanced inside what they allow'),
    (t) => {
      on(() => {
        const next = generator(15106)
        const topics = Array.from({ length: 10 }, (_, i) => topic(`t${i}`, 20))
        for (let round = 0; round < 20; round++) {
          const members = Array.from({ length: 20 }, (_, i) =>
            member(
              `m${i}`,
              topics.map(({ name }) => name).filter(() => below(next, 2) === 0),
            ),
          )
          const got = ask({ assignor: 'sticky', topics, members })
          assertBalanced(t, got, members)
        }
      })
    },
  )

  test(title('S08: claims of a member that comes back late lose against newer ones'), (t) => {
    on(() => {
      for (const assignor of STICKY) {
        const members = [
          owning(assignor, 'c1', parts('t', 1, 2, 3), 3, ['t']),
          owning(assignor, 'c2', parts('t', 4, 5, 6), 3, ['t']),
          owning(assignor, 'c3', parts('t', 3, 6), 2, ['t']),
        ]
        const topics = [{ name: 't', partitions: 6, ids: [1, 2, 3, 4, 5, 6] }]
        const { final } = ask({ assignor, topics, members: members.toReversed() })
        t.deepEqual(counts(final), [2, 2, 2], assignor)
        t.is(new Set(final.values).size, 6, assignor)
      }
    })
  })

  test(
    title('S09: one partition claimed by two in one generation: neither claim counts, it is given once, and noted'),
    (t) => {
      on(() => {
        for (const assignor of STICKY) {
          const members = [
            owning(assignor, 'a', parts('t', 0, 1), 3, ['t']),
            owning(assignor, 'b', parts('t', 1, 2), 3, ['t']),
          ]
          const got = ask({ assignor, topics: [topic('t', 4)], members })
          t.is(got.final.membersOf('t', 1).length, 1, assignor)
          t.deepEqual(counts(got.final), [2, 2], assignor)
          t.deepEqual(
            got.notes.map(({ code, topic, partition }) => [code, topic, partition]),
            [['NOTE_ASSIGN_CLASH', 't', 1]],
            assignor,
          )
        }
      })
    },
  )

  test(title('S14: claims below 0 and beyond the count are kept as the original keeps them, and noted'), (t) => {
    on(() => {
      // Jar: sticky and cooperative-sticky alike.
      const members = [
        owning('', 'a', [...parts('t', -1, 2147483647), ...parts('t', 0)], 1, ['t']),
        member('b', ['t', 'u']),
      ]
      const got = ask({ assignor: 'cooperative-sticky', topics: [topic('t', 2), topic('u', 1)], members })
      const stale = got.notes.filter(({ code }) => code === 'NOTE_ASSIGN_STALE_PARTITION')
      t.deepEqual(
        stale.map(({ member: id, partition }) => [id, partition]),
        [
          ['a', -1],
          ['a', 2147483647],
        ],
      )
      t.regex(
        stale[0]!.message,
        /^t--1: a partition that does not exist stays .* Right would be to ignore the claim\.$/,
      )
    })
  })

  test(title('defects are noted: unsubscribed members, gaps, double and missing partitions, early clashes'), (t) => {
    on(() => {
      const codes = (question: Question) =>
        ask(question).notes.map(({ code, member: id, partition }) => [code, id, partition])
      const empty = {
        assignor: 'sticky',
        topics: [topic('t0', 5)],
        members: [member('x', []), member('a', ['t0'])],
      } as const
      t.deepEqual(
        codes(empty).map(([code, id]) => [code, id]),
        new Array(2).fill(['NOTE_ASSIGN_NOT_SUBSCRIBED', 'x']),
      )
      const gaps = [{ name: 't0', partitions: 3, ids: [7, 8, 9] }]
      t.deepEqual(codes({ assignor: 'roundrobin', topics: gaps, members: [member('a', ['t0'])] }), [
        ['NOTE_ASSIGN_NO_SUCH_PARTITION', 'a', 0],
        ['NOTE_ASSIGN_NO_SUCH_PARTITION', 'a', 1],
        ['NOTE_ASSIGN_NO_SUCH_PARTITION', 'a', 2],
        ['NOTE_ASSIGN_NOBODY', undefined, 7],
        ['NOTE_ASSIGN_NOBODY', undefined, 8],
        ['NOTE_ASSIGN_NOBODY', undefined, 9],
      ])
      const twice = [owning('', 'a', parts('t1', 0), 1, ['t1']), owning('', 'b', parts('t0', 0, 4), 1, ['t0'])]
      const double = codes({ assignor: 'cooperative-sticky', topics: [topic('t0', 3), topic('t1', 2)], members: twice })
      t.true(double.some(([code]) => code === 'NOTE_ASSIGN_TWICE'))
      const clash = [owning('', 'a', parts('t0', 0, 1), 3, ['t0']), owning('', 'b', parts('t0', 1, 2), 3, ['t0', 't1'])]
      const early = codes({ assignor: 'cooperative-sticky', topics: [topic('t0', 4), topic('t1', 1)], members: clash })
      t.deepEqual(
        early.map(([code, , partition]) => [code, partition]),
        [['NOTE_ASSIGN_CLASH_NOT_WITHHELD', 1]],
      )
    })
  })

  test(title('where the original throws, the error carries its class and text'), (t) => {
    on(() => {
      const thrown = (question: Question) => t.throws(() => ask(question), { code: 'ERR_PLACEMENT_ORIGINAL_FAILS' })
      const { name, ...circular } = thrown({ assignor: 'roundrobin', topics: [], members: [] }) as Error & object
      t.is(name, 'PlacementError')
      t.like(circular, {
        javaClass: 'java.lang.IllegalArgumentException',
        javaMessage: 'CircularIterator can only be used on non-empty lists',
      })
      t.like(thrown({ assignor: 'sticky', topics: [topic('t', 1)], members: [] }), {
        javaClass: 'java.lang.ArithmeticException',
        message: 'the assignor of this group throws java.lang.ArithmeticException (/ by zero) for these members',
      })
      const stale = {
        assignor: 'cooperative-sticky',
        topics: [topic('t0', 1)],
        members: [owning('', 'a', parts('t0', 2), 1, ['t0'])],
      } as const
      t.like(thrown(stale), {
        javaClass: 'java.lang.IllegalStateException',
        javaMessage: 'No more unfilled consumers to be assigned.',
      })
      t.deepEqual(ask({ assignor: 'range', topics: [topic('t', 1)], members: [] }).toJSON(), {})
    })
  })

  test(title('readers: lists, counts, members of a partition, JSON and iteration agree'), (t) => {
    on(() => {
      const topics = [topic('a', 3), topic('b', 2)]
      const got = ask({ assignor: 'range', topics, members: ['m1', 'm0'].map((id) => member(id, ['a', 'b'])) })
      t.deepEqual(shown(got, 'm0'), ['a-0', 'a-1', 'b-0'])
      t.is(got.countOf('m1'), 2)
      t.is(got.names.memberIds[got.memberOf('a', 2)], 'm1')
      t.deepEqual(got.membersOf('b', 0), [1])
      t.deepEqual([got.memberOf('a', 3), got.memberOf('a', -1), got.memberOf('none', 0)], [-1, -1, -1])
      t.deepEqual(Object.keys(got.toJSON()), ['m1', 'm0'])
      t.deepEqual(
        [...got].map((one) => `${one.member} ${one.topic}-${one.partition}`),
        ['m1 a-2', 'm1 b-1', 'm0 a-0', 'm0 a-1', 'm0 b-0'],
      )
      t.like(got, { assignor: 'range', groupType: 'classic', version: '4.4', algorithm: null, maxGeneration: null })
      t.is(got.final.values, got.values)
      t.regex(
        refusalOf(() => got.partitionsOf('zz')),
        /^RangeError ERR_PLACEMENT_UNKNOWN_NAME: member: /,
      )
    })
  })

  test(title('the highest generation goes from answer to question'), (t) => {
    on(() => {
      const topics = [topic('t0', 6), topic('t1', 1)]
      const high = [
        owning('', 'a', parts('t0', 0, 1, 2), 50, ['t0']),
        owning('', 'b', parts('t0', 3, 4, 5), 50, ['t0']),
      ]
      const low = [
        owning('', 'a', parts('t0', 0, 1, 2, 3), 7, ['t0']),
        owning('', 'b', parts('t0', 3), 7, ['t0', 't1']),
        owning('', 'c', parts('t0', 0, 1), 7, ['t0']),
        member('d', ['t1', 't0']),
      ]
      const assignor = 'cooperative-sticky'
      const { maxGeneration } = ask({ assignor, topics, members: high })
      t.is(maxGeneration, 50)
      const fresh = ask({ assignor, topics, members: low })
      const kept = ask({ assignor, topics, members: low, maxGeneration: maxGeneration! })
      t.deepEqual([fresh.maxGeneration, kept.maxGeneration], [7, 50])
    })
  })

  test(title('columns give the answer of objects'), (t) => {
    on(() => {
      const next = generator(4)
      for (let round = 0; round < 60; round++) {
        const { topics, members, columns } = bothForms(next)
        for (const assignor of kafka.CLASSIC_ASSIGNORS) {
          // The user data of sticky has no column: what a member owns stands there at once.
          const objects =
            assignor === 'sticky'
              ? members.map((one) =>
                  owning('sticky', one.id, one.ownedPartitions ?? [], one.generationId ?? -1, [...one.topics]),
                )
              : members
          t.deepEqual(outcome({ assignor, ...columns }), outcome({ assignor, topics, members: objects }), assignor)
        }
      }
    })
  })
}

/** Lists, or what the original throws. */
function outcome(question: Question): unknown {
  try {
    const got = ask(question)
    return { now: got.toJSON(), final: got.final.toJSON(), algorithm: got.algorithm, maxGeneration: got.maxGeneration }
  } catch {
    return refusalOf(() => ask(question))
  }
}

test('engines give the same columns for groups of thousands', (t) => {
  const next = generator(11)
  for (let round = 0; round < 12; round++) {
    const { columns } = bothForms(next, { topics: 40, partitions: 60, members: 70 })
    for (const assignor of kafka.CLASSIC_ASSIGNORS) {
      const [first, ...others] = ENGINES.map((engine) => onEngine(engine, () => outcome({ assignor, ...columns })))
      for (const other of others) t.deepEqual(other, first, assignor)
    }
  }
})

interface Sizes {
  readonly topics: number
  readonly partitions: number
  readonly members: number
}

/** One random group in both forms; everybody's claims are its own, of partitions that exist. */
function bothForms(next: () => number, most: Sizes = { topics: 4, partitions: 12, members: 6 }) {
  const topics = Array.from({ length: 1 + below(next, most.topics) }, (_, i) =>
    topic(`t${i}`, below(next, most.partitions)),
  )
  const names = topics.map(({ name }) => name)
  const equal = below(next, 2) === 0
  const size = 1 + below(next, most.members)
  const lists = Array.from({ length: size }, () => (equal ? names : names.filter(() => below(next, 3) > 0)))
  const owned: kafka.TopicPartition[][] = lists.map(() => [])
  for (const { name, partitions } of topics) {
    for (let partition = 0; partition < partitions; partition++) {
      if (below(next, 5) > 0) owned[below(next, size)]!.push({ topic: name, partition })
    }
  }
  const generations = lists.map(() => below(next, 3) - 1)
  const ids = lists.map((_, i) => `m${(i * 7919) % 1000}`)
  const members = ids.map((id, i) =>
    member(id, lists[i]!, { ownedPartitions: owned[i]!, generationId: generations[i]! }),
  )
  const starts = new Map<string, number>()
  let total = 0
  for (const { name, partitions } of topics) {
    starts.set(name, total)
    total += partitions
  }
  const offsets = (some: readonly (readonly unknown[])[]) => {
    let at = 0
    return Uint32Array.from([0, ...some.map((one) => (at += one.length))])
  }
  const columns = {
    topics: { names, partitions: Int32Array.from(topics, ({ partitions }) => partitions) },
    members: {
      ids,
      subscriptions: {
        offsets: offsets(lists),
        topics: Uint32Array.from(lists.flat(), (name) => names.indexOf(name)),
        listOf: Uint32Array.from(lists, (_, i) => i),
      },
      owned: {
        offsets: offsets(owned),
        values: Uint32Array.from(owned.flat(), (one) => starts.get(one.topic)! + one.partition),
      },
      generations: Int32Array.from(generations),
    },
  }
  return { topics, members, columns }
}

/** Each partition once, to a subscriber; and nobody could take one from a member that has two more. */
function assertBalanced(
  t: import('ava').ExecutionContext,
  got: kafka.Assignment,
  members: readonly kafka.GroupMember[],
) {
  const subscribers = new Map(members.map(({ id, topics }) => [id, topics]))
  const seen = new Set<string>()
  for (const one of got) {
    t.false(seen.has(`${one.topic}-${one.partition}`))
    seen.add(`${one.topic}-${one.partition}`)
    t.true(subscribers.get(one.member)!.includes(one.topic))
    for (const { id, topics } of members) {
      if (topics.includes(one.topic)) t.true(got.countOf(one.member) <= got.countOf(id) + 1)
    }
  }
}

test('the example of docs/assignors.md, when the order of the members matters, holds', (t) => {
  // Jar: both orders of Aa and BB, and of a and b.
  const keeps = (first: string, second: string) => {
    const had = { [first]: first < second ? [0, 1, 2] : [3, 4, 5], [second]: first < second ? [3, 4, 5] : [0, 1, 2] }
    const owners = [first, second].map((id) => owning('', id, parts('t', ...had[id]!), 1, ['t']))
    const { final } = ask({
      assignor: 'cooperative-sticky',
      topics: [topic('t', 7)],
      members: [...owners, member('c', ['t'])],
    })
    return counts(final)
  }
  t.deepEqual(keeps('Aa', 'BB'), [3, 2, 2])
  t.deepEqual(keeps('BB', 'Aa'), [3, 2, 2])
  t.deepEqual(keeps('a', 'b'), [3, 2, 2])
  t.deepEqual(keeps('b', 'a'), [2, 3, 2])
})

const wrong = <T>(value: unknown): T => value as T

const REFUSED: readonly [claim: string, question: () => Question, refusal: string | RegExp][] = [
  [
    'an unknown assignor',
    () => ({ assignor: wrong('rang'), topics: [], members: [] }),
    /ERR_PLACEMENT_UNKNOWN_NAME: assignor: .*did you mean range\?/,
  ],
  [
    'an unknown release',
    () => ({ assignor: 'range', version: wrong('4.9'), topics: [], members: [] }),
    /ERR_PLACEMENT_UNKNOWN_VERSION: version:/,
  ],
  [
    'a member twice',
    () => ({ assignor: 'range', topics: [], members: [member('a', []), member('a', [])] }),
    'RangeError ERR_PLACEMENT_DUPLICATE: members[1].id: expected each once, got "a" as at index 0 [index 1]',
  ],
  [
    'a topic twice',
    () => ({ assignor: 'range', topics: [topic('t', 1), topic('t', 2)], members: [] }),
    /ERR_PLACEMENT_DUPLICATE: topics\[1\].name/,
  ],
  [
    'a partition id twice',
    () => ({ assignor: 'range', topics: [{ name: 't', partitions: 2, ids: [3, 3] }], members: [] }),
    'RangeError ERR_PLACEMENT_DUPLICATE: topics[0].ids: expected each once, got 3 twice [index 0]',
  ],
  [
    'a negative count',
    () => ({ assignor: 'range', topics: [topic('t', -1)], members: [] }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics[0].partitions: expected an integer in [0, 2147483647], got -1',
  ],
  [
    '2^31 partitions',
    () => ({ assignor: 'range', topics: [topic('t', 2 ** 30), topic('u', 2 ** 30)], members: [] }),
    /topics: expected at most 2147483647 partitions in all, got more at topics\[1\] \[index 1\]/,
  ],
  [
    'a generation below -1',
    () => ({ assignor: 'sticky', topics: [], members: [member('a', [], { generationId: -2 })] }),
    /members\[0\].generationId: expected an integer in \[-1, 2147483647\], got -2/,
  ],
  [
    'ids of another number',
    () => ({ assignor: 'range', topics: [{ name: 't', partitions: 2, ids: [0] }], members: [] }),
    /topics\[0\].ids: expected one entry for each of 2 partitions, got 1/,
  ],
  [
    'racks of another number',
    () => ({ assignor: 'range', topics: [{ name: 't', partitions: 2, racks: [[]] }], members: [] }),
    /topics\[0\].racks: expected one entry for each of 2 partitions, got 1/,
  ],
  [
    'a topic that is no string',
    () => ({ assignor: 'range', topics: [], members: [member('a', wrong([7]))] }),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: members[0].topics[0]: expected a string, got 7',
  ],
  [
    'a claim that is none',
    () => ({ assignor: 'cooperative-sticky', topics: [], members: [member('a', [], { ownedPartitions: wrong([7]) })] }),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: members[0].ownedPartitions[0]: expected { topic, partition }, got 7',
  ],
  [
    'a claim that is no 32-bit number',
    () => ({
      assignor: 'cooperative-sticky',
      topics: [],
      members: [member('a', [], { ownedPartitions: [{ topic: 't', partition: 2 ** 31 }] })],
    }),
    /ownedPartitions\[0\].partition: expected an integer in \[-2147483648, 2147483647\], got 2147483648/,
  ],
  [
    'columns beside objects',
    () => ({ assignor: 'range', topics: [], members: { ids: [] } }),
    /TypeError ERR_PLACEMENT_ARGUMENT_TYPE: topics: expected \{ names: string\[\], partitions: Int32Array \}/,
  ],
  [
    'a column of the wrong length',
    () => ({ assignor: 'range', topics: { names: ['t'], partitions: Int32Array.of(1, 2) }, members: { ids: [] } }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics.partitions: expected one count for each of 1 names, got 2',
  ],
  [
    'a name twice in a column',
    () => ({
      assignor: 'range',
      topics: { names: ['Aa', 'BB', 'Aa'], partitions: new Int32Array(3) },
      members: { ids: [] },
    }),
    'RangeError ERR_PLACEMENT_DUPLICATE: topics.names[2]: expected each once, got "Aa" as at index 0 [index 2]',
  ],
  [
    'a name in a column that is no string',
    () => ({
      assignor: 'range',
      topics: { names: [], partitions: new Int32Array(0) },
      members: { ids: wrong(['a', 7]) },
    }),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: members.ids[1]: expected a string, got 7 [index 1]',
  ],
  [
    'a negative count in a column',
    () => ({ assignor: 'range', topics: { names: ['t'], partitions: Int32Array.of(-1) }, members: { ids: [] } }),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: topics.partitions[0]: expected a count of 0 or more, got -1 [index 0]',
  ],
  [
    'an owned partition beyond the count in a column',
    () => columnsWith({ owned: { offsets: Uint32Array.of(0, 1), values: Uint32Array.of(3) } }),
    /members.owned.values\[0\]: expected a number below 3, got 3 \[index 0\]/,
  ],
  [
    'offsets that descend',
    () => columnsWith({ owned: { offsets: Uint32Array.of(1, 0), values: Uint32Array.of() } }),
    /members.owned offsets\[1\]: expected no less than the one before, got 0/,
  ],
  [
    'a topic index that is not there',
    () =>
      columnsWith({
        subscriptions: { offsets: Uint32Array.of(0, 1), topics: Uint32Array.of(1), listOf: Uint32Array.of(0) },
      }),
    /members.subscriptions.topics\[0\]: expected a number below 1, got 1/,
  ],
  [
    'a rack that is not there',
    () =>
      columnsWith({
        racks: {
          count: 1,
          ofMember: Int32Array.of(1),
          setOf: new Uint32Array(3),
          setOffsets: Uint32Array.of(0, 0),
          setRacks: Uint32Array.of(),
        },
      }),
    /members.racks.ofMember\[0\]: expected a number below 1, got 1/,
  ],
  [
    'generations of another length',
    () => columnsWith({ generations: new Int32Array(2) }),
    /members.generations: expected one entry for each of 1 members, got 2/,
  ],
]

function columnsWith(more: Partial<kafka.MemberColumns>): Question {
  const topics = { names: ['t'], partitions: Int32Array.of(3) }
  return { assignor: 'cooperative-sticky', topics, members: { ids: ['a'], ...more } }
}

for (const [claim, question, refusal] of REFUSED) {
  test(`refused: ${claim}`, (t) => {
    const got = refusalOf(() => ask(question()))
    if (typeof refusal === 'string') t.is(got, refusal)
    else t.regex(got, refusal)
  })
}
