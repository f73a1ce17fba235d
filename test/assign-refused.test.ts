/**
 * Bad input to `kafka.assign`, every row for every assignor on both engines: an answer, or one coded error, and the jar's own
 * where the jar has an opinion (kafka-clients and kafka-group-coordinator 4.4.0, `no members` of test/vectors/kafka).
 */
import test from 'ava'
import { kafka } from '../src/index.js'
import { ENGINES, onEngine } from './engines.js'
import { refusalOf } from './refusal.js'

type Group = Pick<kafka.AssignQuestion, 'topics' | 'members'>
type Kind = Pick<kafka.AssignQuestion, 'groupType' | 'assignor'>

const KINDS: readonly Kind[] = [
  ...kafka.CLASSIC_ASSIGNORS.map((assignor) => ({ groupType: 'classic', assignor }) as const),
  ...kafka.CONSUMER_ASSIGNORS.map((assignor) => ({ groupType: 'consumer', assignor }) as const),
  ...kafka.SHARE_ASSIGNORS.map((assignor) => ({ groupType: 'share', assignor }) as const),
]

const nameOf = ({ groupType, assignor }: Kind): string =>
  groupType === 'classic' ? assignor : `${groupType} ${assignor}`

const IDS = ['zRsCZYHgSxabE5tK3MXWmQ', 'AAAAAAAAAAAAAAAAAAAAAg', 'AAAAAAAAAAAAAAAAAAAAAw']
const topic = (name: string, partitions: number, more: Partial<kafka.GroupTopic> = {}): kafka.GroupTopic => ({
  name,
  partitions,
  id: IDS[['t', 'u', 'v'].indexOf(name)]!,
  ...more,
})
const member = (id: string, more: Partial<kafka.GroupMember> = {}): kafka.GroupMember => ({
  id,
  topics: ['t'],
  ...more,
})
const own = (topicName: string, partition: number, generationId = 1): Partial<kafka.GroupMember> => ({
  ownedPartitions: [{ topic: topicName, partition }],
  generationId,
  userData: kafka.protocol.encodeStickyUserData({ ownedPartitions: [{ topic: topicName, partition }], generationId }),
})
const columns = (topics: object, members: object): Group =>
  ({
    topics: { names: ['t'], partitions: Int32Array.of(2), ids: [IDS[0]], ...topics },
    members: { ids: ['a'], ...members },
  }) as never

/** How many partitions each member gets. */
type Counts = readonly number[]
type Outcome = Counts | RegExp

type Exceptions = Readonly<Record<string, Outcome>>

interface Row {
  readonly group: () => Group
  /** What all answer but those of `but`. */
  readonly all: Outcome
  readonly but?: Exceptions
}

const BY_ZERO = /^PlacementError ERR_PLACEMENT_ORIGINAL_FAILS: .*java\.lang\.ArithmeticException \(\/ by zero\)/
const STALE: Exceptions = {
  // The phantom stays with whoever claims it (KAFKA-21674), and takes the place of a partition that exists.
  sticky: [1, 2],
  'cooperative-sticky': [1, 2],
  'consumer uniform': /^PlacementError ERR_PLACEMENT_ORIGINAL_FAILS: .*Partitions were left unassigned/,
}
const TWICE =
  /^RangeError ERR_PLACEMENT_DUPLICATE: members(\.ids\[1\]|\[1\]\.id): expected each once, got "a" as at index 0 \[index 1\]$/
const range = (place: string, rest: string) => new RegExp(`^RangeError ERR_PLACEMENT_ARGUMENT_RANGE: ${place}: ${rest}`)
/** A coordinator has no generations and looks at no racks: what is said of them is not read. */
const notRead = (counts: Counts): Exceptions =>
  Object.fromEntries(['consumer uniform', 'consumer range', 'share simple'].map((name) => [name, counts]))

const ROWS: Readonly<Record<string, Row>> = {
  'no members': {
    group: () => ({ topics: [topic('t', 2)], members: [] }),
    all: [],
    but: {
      roundrobin: /CircularIterator can only be used on non-empty lists/,
      sticky: BY_ZERO,
      'cooperative-sticky': BY_ZERO,
    },
  },
  'no topics': { group: () => ({ topics: [], members: [member('a')] }), all: [0] },
  'a topic without partitions': { group: () => ({ topics: [topic('t', 0)], members: [member('a')] }), all: [0] },
  'a member twice': { group: () => ({ topics: [topic('t', 2)], members: [member('a'), member('a')] }), all: TWICE },
  'a member twice, in columns': { group: () => columns({}, { ids: ['a', 'a'] }), all: TWICE },
  'an unknown topic in a subscription': {
    group: () => ({ topics: [topic('t', 2)], members: [member('a', { topics: ['t', 'gone'] })] }),
    all: [2],
  },
  'an unknown topic alone': {
    group: () => ({ topics: [topic('t', 2)], members: [member('a', { topics: ['gone'] })] }),
    all: [0],
  },
  'an unknown topic in columns': {
    group: () =>
      columns(
        {},
        { subscriptions: { offsets: Uint32Array.of(0, 1), topics: Uint32Array.of(1), listOf: Uint32Array.of(0) } },
      ),
    all: range('members\\.subscriptions\\.topics\\[0\\]', 'expected a number below 1, got 1'),
  },
  'a negative count': {
    group: () => ({ topics: [topic('t', -1)], members: [member('a')] }),
    all: range('topics\\[0\\]\\.partitions', 'expected an integer in \\[0, 2147483647\\], got -1'),
  },
  'a negative count in columns': {
    group: () => columns({ partitions: Int32Array.of(-1) }, {}),
    all: range('topics\\.partitions\\[0\\]', 'expected a count of 0 or more, got -1'),
  },
  'an over-large count': {
    group: () => ({ topics: [topic('t', 2 ** 31)], members: [member('a')] }),
    all: range('topics\\[0\\]\\.partitions', 'expected an integer in \\[0, 2147483647\\], got 2147483648'),
  },
  'a count that is no integer': {
    group: () => ({ topics: [topic('t', 1.5)], members: [member('a')] }),
    all: range('topics\\[0\\]\\.partitions', 'expected an integer in .*, got 1.5'),
  },
  '2^31 partitions': {
    group: () => ({ topics: [topic('t', 2 ** 30), topic('u', 2 ** 30)], members: [member('a')] }),
    all: range('topics', 'expected at most 2147483647 partitions in all, got more at topics\\[1\\]'),
  },
  '2^31 partitions in columns': {
    group: () => columns({ names: ['t', 'u'], partitions: Int32Array.of(2 ** 30, 2 ** 30), ids: IDS.slice(0, 2) }, {}),
    all: range('topics', 'expected at most 2147483647 partitions in all, got more at topics\\[1\\]'),
  },
  'a generation below -1': {
    group: () => ({ topics: [topic('t', 2)], members: [member('a', { generationId: -2 })] }),
    all: range('members\\[0\\]\\.generationId', 'expected an integer in \\[-1, 2147483647\\], got -2'),
  },
  'a generation below -1 in columns': {
    group: () => columns({}, { generations: Int32Array.of(-2) }),
    all: range('members\\.generations\\[0\\]', 'expected -1 or more, got -2'),
    but: notRead([2]),
  },
  'an owned partition of an unknown topic': {
    group: () => ({ topics: [topic('t', 2)], members: [member('a', own('gone', 0)), member('b')] }),
    all: [1, 1],
  },
  'a negative owned partition': {
    group: () => ({ topics: [topic('t', 2)], members: [member('a', own('t', -1)), member('b')] }),
    all: [1, 1],
    but: STALE,
  },
  'an owned partition beyond the count': {
    group: () => ({ topics: [topic('t', 2)], members: [member('a', own('t', 7)), member('b')] }),
    all: [1, 1],
    but: STALE,
  },
  'an owned partition beyond the count, in columns': {
    group: () => columns({}, { owned: { offsets: Uint32Array.of(0, 1), values: Uint32Array.of(2) } }),
    all: range('members\\.owned\\.values\\[0\\]', 'expected a number below 2, got 2'),
  },
  'a broker of unknown rack': {
    group: () => ({
      topics: [topic('t', 2, { racks: [[null], ['r0', null]] })],
      members: [member('a', { rack: 'r1' }), member('b', { rack: 'r0' })],
    }),
    all: [1, 1],
  },
  'a rack that is not there, in columns': {
    group: () =>
      columns(
        {},
        {
          racks: {
            count: 1,
            ofMember: Int32Array.of(1),
            setOf: new Uint32Array(2),
            setOffsets: Uint32Array.of(0, 0),
            setRacks: Uint32Array.of(),
          },
        },
      ),
    all: range('members\\.racks\\.ofMember\\[0\\]', 'expected a number below 1, got 1'),
    but: notRead([2]),
  },
  'racks of another number of partitions': {
    group: () => ({ topics: [topic('t', 2, { racks: [[]] })], members: [member('a', { rack: 'r1' })] }),
    all: range('topics\\[0\\]\\.racks', 'expected one entry for each of 2 partitions, got 1'),
  },
  'counts of another length': {
    group: () => columns({ partitions: Int32Array.of(1, 2) }, {}),
    all: range('topics\\.partitions', 'expected one count for each of 1 names, got 2'),
  },
  'offsets of another length': {
    group: () => columns({}, { owned: { offsets: Uint32Array.of(0), values: Uint32Array.of(0) } }),
    all: range('members\\.owned offsets', 'expected 2 entries, got 1'),
  },
  'lists of another length': {
    group: () =>
      columns(
        {},
        { subscriptions: { offsets: Uint32Array.of(0, 1), topics: Uint32Array.of(0), listOf: Uint32Array.of() } },
      ),
    all: range('members\\.subscriptions\\.listOf', 'expected one entry for each of 1 members, got 0'),
  },
  'generations of another length': {
    group: () => columns({}, { generations: new Int32Array(2) }),
    all: range('members\\.generations', 'expected one entry for each of 1 members, got 2'),
    but: notRead([2]),
  },
  'instance ids of another length': {
    group: () => columns({}, { instanceIds: [] }),
    all: range('members\\.instanceIds', 'expected one entry for each of 1 members, got 0'),
  },
}

function isSame(question: kafka.AssignQuestion, expected: Outcome): boolean {
  if (expected instanceof RegExp) return expected.test(refusalOf(() => kafka.assign(question)))
  const { final } = kafka.assign(question)
  return final.names.memberIds.map((id) => final.countOf(id)).join() === expected.join()
}

for (const engine of ENGINES) {
  for (const [claim, { group, all, but = {} }] of Object.entries(ROWS)) {
    test(`${engine}: ${claim}: an answer or one coded error from every assignor`, (t) => {
      for (const kind of KINDS) {
        const expected = but[nameOf(kind)] ?? all
        const question = { ...kind, ...group() }
        t.true(
          onEngine(engine, () => isSame(question, expected)),
          nameOf(kind),
        )
      }
    })
  }
}

test('the exceptions name assignors that there are', (t) => {
  const names = KINDS.map(nameOf)
  for (const [claim, { but = {} }] of Object.entries(ROWS)) {
    for (const name of Object.keys(but)) t.true(names.includes(name), `${claim}: ${name}`)
  }
})
