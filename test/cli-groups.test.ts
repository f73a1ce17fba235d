/** `kafka assign`, `kafka rebalance` and `kafka compare-assignors`: what they print, the files that they read, and what they refuse. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { AssignDocument, CompareAssignorsDocument, RebalanceAnswerDocument } from '../src/cli/documents.js'
import { kafka } from '../src/index.js'
import { answer, inFolder, run } from './cli-process.js'
import { ENGINES } from './engines.js'
import { below, generator } from './random.js'
import { shownIn } from './shown.js'

const SEED = Number(process.env['TOPIC_PLACEMENT_SEED'] ?? 20261201)

const words = (line: string) => line.split(' ')

for (const engine of ENGINES) {
  const on = `on ${engine}: `

  test(`${on}kafka assign tells counts first, then members and what they have`, async (t) => {
    // RangeAssignor by hand: 6 and 4 partitions on three members are 2, 2, 2 and 2, 1, 1.
    t.is(
      await answer(words('kafka assign --assignor range --group examples/group.json'), { engine }),
      `3 members, 10 partitions by range
min 3, mean 3.3, max 4, worst/mean 1.200

partitions  of all  member  has
         4  40.0 %  app-1   payments 0-1; orders 0-1
         3  30.0 %  app-2   payments 2; orders 2-3
         3  30.0 %  app-3   payments 3; orders 4-5
`,
    )
  })

  test(`${on}kafka rebalance tells each event and round, and its JSON is the group of the next question`, async (t) => {
    await inFolder(async (folder) => {
      const line = 'kafka rebalance --assignor cooperative-sticky --group examples/group.json --leave app-3'
      const text = await answer(words(line), { engine })
      t.regex(
        text,
        /^3 members, 10 partitions by cooperative-sticky\n1 event, 1 round, partitions stop 3 times, 3 moves, /,
      )
      t.regex(text, /^1\. app-3 leaves: 1 round\n {3}3 of 10 partitions stop, /m)
      const next = join(folder, 'next.json')
      const json = await answer(words(`${line} --json`), { engine })
      writeFileSync(next, json)
      const first: RebalanceAnswerDocument = JSON.parse(json)
      t.deepEqual(first.totals, { rounds: 1, stops: 3, moves: 3, fewestMoves: 3, longestNobodys: 1 })
      const second = words(`kafka rebalance --group ${next} --join app-4 --json`)
      const { code, out, err } = await run(second, { engine })
      t.is(code, 0)
      t.is(err[0], `topic-placement: ${next}: an answer of kafka rebalance; the group at its end is taken`)
      const answered: RebalanceAnswerDocument = JSON.parse(out.toString())
      t.deepEqual(answered.steps[0]!.balanceBefore, first.steps[0]!.balanceAfter)
      t.like(answered.steps[0], { moves: 3, fewestMoves: 3 })
    })
  })
}

test('kafka assign --json is what kafka.assign answers; --state is what members own', async (t) => {
  await inFolder(async (folder) => {
    const group = words('kafka assign --assignor cooperative-sticky --json --group examples/group.json')
    const all: AssignDocument = JSON.parse(await answer(group))
    const state = join(folder, 'state.json')
    const ownedPartitions = all.members.flatMap((member) => member.ownedPartitions)
    writeFileSync(
      state,
      JSON.stringify({
        ...all,
        members: [
          { id: 'app-2', ownedPartitions },
          { id: 'gone', ownedPartitions: [] },
        ],
      }),
    )
    const { out, err } = await run([...group, '--state', state])
    t.is(err[0], `topic-placement: ${state}: 1 not in the group, what they have is nobody's: gone`)
    const next: AssignDocument = JSON.parse(out.toString())
    t.deepEqual(
      next.members.map((member) => member.ownedPartitions.length),
      [0, 4, 0],
    )
    t.deepEqual(
      next.members.map(({ withheld }) => withheld.length),
      [3, 0, 3],
    )
    const sticky = words(`kafka assign --assignor sticky --json --group examples/group.json --state ${state}`)
    const kept: AssignDocument = JSON.parse(await answer(sticky))
    t.deepEqual(
      kept.members.map((member) => member.ownedPartitions.length),
      [3, 4, 3],
    )
  })
})

/** As kafka-consumer-groups 4.4.0 printed a classic and a consumer group, the second while it rebalances. */
const CONSUMER_GROUP = `
Warning: Consumer group 'newgroup' is rebalancing.

GROUP           CONSUMER-ID            GROUP-INSTANCE-ID HOST            CLIENT-ID       #PARTITIONS     CURRENT-EPOCH   CURRENT-ASSIGNMENT        TARGET-EPOCH    TARGET-ASSIGNMENT        
newgroup        SseYaGM6RV64uDEdSpuB9g                   /127.0.0.1      new-0           5               3               orders:0;payments:0,1,2,3 3               orders:0;payments:0,1,2,3
newgroup        5BcIPrNiQM23VRGXB7oxyg inst-1            /127.0.0.1      new-1           0               3               -                         3               orders:1,2,3,4,5         
`

/** The same of kafka-topics --describe. */
const TOPICS = `Topic: orders	TopicId: zRsCZYHgSxabE5tK3MXWmQ	PartitionCount: 6	ReplicationFactor: 1	Configs: min.insync.replicas=1
	Topic: orders	Partition: 0	Leader: 1	Replicas: 1	Isr: 1	Elr: 	LastKnownElr: 
Topic: payments	TopicId: AixKfi7UQdqhJmTyiV3uFA	PartitionCount: 4	ReplicationFactor: 1	Configs: min.insync.replicas=1
`

test("the text of Kafka's own tools is a group: members by column, instance ids, and who has what", async (t) => {
  await inFolder(async (folder) => {
    const [group, topics] = [join(folder, 'members.txt'), join(folder, 'topics.txt')]
    writeFileSync(group, CONSUMER_GROUP)
    writeFileSync(topics, TOPICS)
    const line = `kafka rebalance --assignor uniform --group ${group} --topics ${topics} --json --bounce`
    const { out, err } = await run([...words(line), '5BcIPrNiQM23VRGXB7oxyg'])
    t.deepEqual(err.slice(0, 3), [
      `topic-placement: ${group}: the text of kafka-consumer-groups --describe --members --verbose`,
      `topic-placement: ${topics}: the text of kafka-topics --describe`,
      'topic-placement: group newgroup: every member is taken to subscribe to all its topics: orders, payments',
    ])
    const document: RebalanceAnswerDocument = JSON.parse(out.toString())
    t.is(document.groupType, 'consumer')
    const told = document.state.members.map(({ id, instanceId, ownedPartitions }) => [
      id,
      instanceId,
      ownedPartitions!.length,
    ])
    t.deepEqual(
      new Set(told),
      new Set([
        ['SseYaGM6RV64uDEdSpuB9g', undefined, 5],
        ['5BcIPrNiQM23VRGXB7oxyg', 'inst-1', 0],
      ]),
    )
    t.deepEqual(
      document.state.topics.map(({ name, partitions, id }) => [name, partitions, id]),
      [
        ['orders', 6, 'zRsCZYHgSxabE5tK3MXWmQ'],
        ['payments', 4, 'AixKfi7UQdqhJmTyiV3uFA'],
      ],
    )
  })
})

test('members of the text come in the order of a Java HashMap, those of 3.x with their parentheses', async (t) => {
  await inFolder(async (folder) => {
    const file = join(folder, 'members.txt')
    const ids = ['consumer-0', 'consumer-1', 'consumer-2']
    const columns = ['GROUP', 'CONSUMER-ID', 'HOST', 'CLIENT-ID', '#PARTITIONS', 'ASSIGNMENT']
    const cells = ids.map((id, i) => ['g', id, '/h', 'c', '3', `orders(${2 * i},${2 * i + 1}), payments(${i})`])
    writeFileSync(
      file,
      `\n${[columns, ...cells].map((row) => row.map((cell) => cell.padEnd(15)).join(' ')).join('\n')}\n`,
    )
    const line = `kafka assign --assignor sticky --group ${file} --topics examples/counts --json`
    const { members }: AssignDocument = JSON.parse(await answer(words(line)))
    t.deepEqual(
      members.map(({ id }) => id),
      kafka.javaMapOrder(ids),
    )
    t.deepEqual(members.find(({ id }) => id === 'consumer-1')!.ownedPartitions.slice(0, 3), [
      { topic: 'payments', partition: 1 },
      { topic: 'orders', partition: 2 },
      { topic: 'orders', partition: 3 },
    ])
  })
})

test('what README.md and docs/cli.md show of groups is what the program prints', async (t) => {
  const questions = 'kafka (?:assign|rebalance|compare-assignors)'
  const pages = ['README.md', 'docs/cli.md'].map((page) => shownIn(page, questions))
  t.deepEqual(
    pages.map(({ length }) => length),
    [4, 2],
  )
  for (const [command, parts] of pages.flat()) {
    const printed = await answer(words(command))
    for (const part of parts) t.true(printed.includes(part), `${command}\n${printed}`)
  }
})

test('compare-assignors has a row for each assignor, and says which cannot answer', async (t) => {
  const line = 'kafka compare-assignors --group examples/group.json --events examples/events.json'
  const text = await answer(words(line))
  t.is(text.split('\n')[0], '4 events')
  t.true(text.split('\n').every((row) => row.length <= 100))
  const { rows, version }: CompareAssignorsDocument = JSON.parse(await answer(words(`${line} --json`)))
  t.is(version, '4.4')
  const group = JSON.parse(readFileSync('examples/group.json', 'utf8'))
  const events = JSON.parse(readFileSync('examples/events.json', 'utf8'))
  t.deepEqual(rows, JSON.parse(JSON.stringify(kafka.compareAssignors(group, events))).rows)
  const withoutIds = 'kafka compare-assignors --group examples/group.json --topics examples/counts --leave app-1'
  t.regex(await answer(words(withoutIds)), /^no consumer uniform: topics\[0\]\.id: expected a Uuid/m)
})

test('ten members are shown, and how to get the others; --all shows every one', async (t) => {
  await inFolder(async (folder) => {
    const file = join(folder, 'group.json')
    const members = Array.from({ length: 25 }, (_, i) => ({ id: `m${String(i).padStart(2, '0')}`, topics: ['t'] }))
    writeFileSync(file, JSON.stringify({ assignor: 'range', topics: [{ name: 't', partitions: 60 }], members }))
    const assigned = (await answer(words(`kafka assign --group ${file}`))).split('\n')
    t.is(assigned.length, 16)
    t.is(assigned.at(-2), '15 more: --all, or --json')
    t.is((await answer(words(`kafka assign --all --group ${file}`))).split('\n').length, 30)
    const rebalanced = await answer(words(`kafka rebalance --group ${file} --leave m24`))
    t.is(rebalanced.match(/^ {5}m\d\d gains t /gm)!.length, 10)
    t.regex(rebalanced, /^ {5}14 more: --all, or --json$/m)
    const all = await answer(words(`kafka rebalance --all --group ${file} --leave m24`))
    t.is(all.match(/^ {5}m\d\d gains t /gm)!.length, 24)
  })
})

type Refusal = readonly [files: Readonly<Record<string, string>>, line: string, message: string, code?: number]

const ONE = '{"topics":[{"name":"t","partitions":2}],"members":[{"id":"a","topics":["t"]}]}'
const HEADER = 'GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT'

/** `@` before a name is the folder of the files. */
const REFUSED: readonly Refusal[] = [
  [{}, 'kafka assign', '--group is missing; see "topic-placement kafka assign --help" [ERR_PLACEMENT_USAGE]'],
  [
    { g: ONE },
    'kafka assign --group @g',
    '--assignor is missing; see "topic-placement kafka assign --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    { g: ONE },
    'kafka assign --group @g --assignor stiky',
    '--assignor: expected one of range, roundrobin, sticky, cooperative-sticky, balanced, uniform, simple, got "stiky" (did you mean sticky?) [ERR_PLACEMENT_UNKNOWN_NAME]',
  ],
  [
    { g: ONE },
    'kafka assign --group @g x',
    'expected options alone, got also x; see "topic-placement kafka assign --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    { g: ONE },
    'kafka assign --group @g --assignor sticky --group-type consumer',
    'assignor: expected one of uniform, range, got "sticky" [ERR_PLACEMENT_UNKNOWN_NAME]',
  ],
  [
    { g: ONE },
    'kafka assign --group @g --assignor simple --version 4.0',
    'version: expected 4.2 or later, in which share groups are no preview any more, got 4.0 [ERR_PLACEMENT_UNSUPPORTED]',
    1,
  ],
  [
    {},
    'kafka assign --group @none --assignor range',
    '@none: expected a readable file, got no such file [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: '' },
    'kafka assign --group @g --assignor range',
    '@g: expected a JSON document, got nothing [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: '{\n  "topics": [}\n' },
    'kafka assign --group @g --assignor range',
    '@g: line: 2, column: 14: expected a value [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: `${ONE}\nmore` },
    'kafka assign --group @g --assignor range',
    '@g: line: 2, column: 1: expected nothing behind the document [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: '[]' },
    'kafka assign --group @g --assignor range',
    '@g: expected an object, got an Array [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: ONE.replace('members', 'member') },
    'kafka assign --group @g --assignor range',
    '@g: expected the fields groupType, assignor, version, topics, members, maxGeneration, subscriptionType, got "member" (did you mean members?) [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: ONE.replace('"a"', '7') },
    'kafka assign --group @g --assignor range',
    '@g: members[0].id: expected a string, got 7 [ERR_PLACEMENT_ARGUMENT_TYPE]',
  ],
  [
    { g: ONE.replace('["t"]', '"t"') },
    'kafka assign --group @g --assignor range',
    '@g: members[0].topics: expected an array, got "t" [ERR_PLACEMENT_ARGUMENT_TYPE]',
  ],
  [
    { g: ONE.replace('2}', '-2}') },
    'kafka assign --group @g --assignor range',
    '@g: topics[0].partitions: expected an integer in [0, 2147483647], got -2 [ERR_PLACEMENT_ARGUMENT_RANGE]',
  ],
  [
    { g: ONE, t: 't 2\nu two\n' },
    'kafka assign --group @g --topics @t --assignor range',
    '@t:2: expected a topic and its partition count, got "u two" [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: ONE, t: 't 2\nt 3\n' },
    'kafka assign --group @g --topics @t --assignor range',
    '@t: topics[1].name: expected each once, got "t" as at index 0 [ERR_PLACEMENT_DUPLICATE]',
  ],
  [
    { g: ONE, t: 'Topic: t\tPartitionCount: x\n' },
    'kafka assign --group @g --topics @t --assignor range',
    '@t:1: PartitionCount: expected an integer, got "x" [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: `${HEADER}\n` },
    'kafka assign --group @g --assignor range',
    '--topics is missing: the text of @g has no partition counts; see "topic-placement kafka assign --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    { g: `${HEADER}\n`, t: 't 2' },
    'kafka assign --group @g --topics @t --assignor range',
    '@g: expected the members of one group, got none [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: 'GROUP TOPIC PARTITION\n', t: 't 2' },
    'kafka assign --group @g --topics @t --assignor range',
    '@g:1: expected the columns CONSUMER-ID and CURRENT-ASSIGNMENT (--describe --members --verbose), got "GROUP TOPIC PARTITION" [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: `${HEADER}\ng     a           /h   c         1           t;0\n`, t: 't 2' },
    'kafka assign --group @g --topics @t --assignor range',
    '@g:2: expected partitions such as orders:0,1;payments:2, got "t" [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: `${HEADER}\ng     a           /h   c         1           u:0\n`, t: 't 2' },
    'kafka assign --group @g --topics @t --assignor range',
    '@t: expected the topic "u" of @g, got none [ERR_PLACEMENT_INPUT]',
  ],
  [
    {
      g: `${HEADER}\ng     a           /h   c         1           t:0\nh     b           /h   c         1           t:1\n`,
      t: 't 2',
    },
    'kafka assign --group @g --topics @t --assignor range',
    '@g: expected the members of one group, got g, h [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: ONE },
    'kafka rebalance --group @g --assignor range',
    'expected --join, --leave, --bounce, --add-partitions or --events, got none; see "topic-placement kafka rebalance --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    { g: ONE },
    'kafka rebalance --group @g --assignor range --leave b',
    'events[0]: leave: expected a member of the group, got "b" (did you mean a?) [ERR_PLACEMENT_UNKNOWN_NAME]',
  ],
  [
    { g: ONE },
    'kafka rebalance --group @g --assignor range --join b,b',
    'events[1]: join.id: expected one that is new, got "b", which is in the group [ERR_PLACEMENT_DUPLICATE]',
  ],
  [
    { g: ONE },
    'kafka rebalance --group @g --assignor range --add-partitions t:4',
    '--add-partitions: expected T=N, a topic and its partitions, got "t:4"; see "topic-placement kafka rebalance --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    { g: ONE },
    'kafka rebalance --group @g --assignor range --add-partitions t=1',
    'events[0]: count: expected more than the 2 of "t", got 1 [ERR_PLACEMENT_ARGUMENT_RANGE]',
  ],
  [
    { g: ONE, e: '[{"leave":"b"}]' },
    'kafka rebalance --group @g --assignor range --events @e',
    '@e: events[0]: leave: expected a member of the group, got "b" (did you mean a?) [ERR_PLACEMENT_UNKNOWN_NAME]',
  ],
  [
    { g: ONE, e: '{}' },
    'kafka rebalance --group @g --assignor range --events @e',
    '@e: expected a JSON array of events, got an Object [ERR_PLACEMENT_INPUT]',
  ],
  [
    { g: ONE, e: '[]' },
    'kafka compare-assignors --group @g --events @e --leave a',
    'expected --events or --leave, got both; see "topic-placement kafka compare-assignors --help" [ERR_PLACEMENT_USAGE]',
  ],
  [
    { g: ONE },
    'kafka rebalance --group @g --assignor simple --leave a',
    'groupType: expected classic or consumer, got share: partitions of a share group have many members, none waits for another [ERR_PLACEMENT_UNSUPPORTED]',
    1,
  ],
  [
    { g: ONE, s: '{"members":[{"id":3}]}' },
    'kafka assign --group @g --assignor sticky --state @s',
    '@s: members[0].id: expected a string, got 3 [ERR_PLACEMENT_INPUT]',
  ],
]

test('what is no group or event is refused with one line that names file and place', async (t) => {
  await inFolder(async (folder) => {
    for (const [files, line, message, code = 2] of REFUSED) {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      const ended = await run(words(line.replaceAll('@', `${folder}/`)))
      const said = ended.err.at(-1)?.replaceAll(`${folder}/`, '@')
      t.deepEqual([ended.code, ended.out.length, said], [code, 0, `topic-placement: ${message}`], line)
    }
  })
})

test(`rubbish of any kind ends with exit code 2 and one coded line, seed ${SEED}`, async (t) => {
  const next = generator(SEED)
  const sound = [ONE, CONSUMER_GROUP, TOPICS, 't 2\n', '[{"leave":"a"}]']
  const damaged = () => {
    const bytes = Buffer.from(sound[below(next, sound.length)]!)
    for (let i = 0; i < 3; i++) bytes[below(next, bytes.length)] = below(next, 256)
    return bytes.subarray(0, below(next, bytes.length + 1))
  }
  await inFolder(async (folder) => {
    for (let i = 0; i < 40; i++) {
      for (const name of ['g', 't', 'e']) writeFileSync(join(folder, name), damaged())
      const line = `kafka rebalance --assignor range --group ${folder}/g --topics ${folder}/t --events ${folder}/e`
      const { code, out, err } = await run(words(line))
      t.is(code, 2, err.join('\n'))
      t.is(out.length, 0)
      t.regex(err.at(-1)!, /^topic-placement: .* \[ERR_PLACEMENT_(?!INTERNAL)[A-Z_]+\]$/)
    }
  })
})
