/**
 * P15, and the bad input of the replicas' issue, through the command line: each is one line that names the file and the place,
 * exit code 2 (1 where the question is good and has no answer), and nothing is written.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { inFolder, run } from './cli-process.js'

const BROKERS = [{ id: 0 }, { id: 1 }, { id: 2 }]
const lists = (...partitions: unknown[]) => [{ name: 't', partitions }]
const snapshot = (fields: object) => JSON.stringify({ brokers: BROKERS, topics: lists([0, 1]), ...fields })
const reassign = (...partitions: readonly unknown[][]) =>
  JSON.stringify({ partitions: partitions.map(([topic, partition, replicas]) => ({ topic, partition, replicas })) })

type Case = readonly [name: string, file: string, said: RegExp, code?: number]

/** Clusters that `kafka reassign plan` is given. */
const CLUSTERS: readonly Case[] = [
  ['an empty file', '', /^cluster: expected a snapshot \(JSON\), .*, got nothing \[ERR_PLACEMENT_INPUT\]$/],
  [
    'an empty replica list',
    snapshot({ topics: lists([0], []) }),
    /^cluster: topics\[0\]\.partitions\[1\]\.replicas: expected one broker or more, got none/,
  ],
  [
    'a partition twice',
    snapshot({ topics: lists({ partition: 0, replicas: [0] }, { partition: 0, replicas: [1] }) }),
    /^cluster: topic "t": partition 0 is given twice/,
  ],
  ['a topic twice', snapshot({ topics: [...lists([0]), ...lists([1])] }), /^cluster: topics: topic "t" is given twice/],
  [
    'a broker given twice',
    snapshot({ brokers: [...BROKERS, { id: 1 }] }),
    /^cluster: brokers: broker 1 is given twice/,
  ],
  [
    'a partition missing in the middle',
    snapshot({ topics: lists({ partition: 0, replicas: [0] }, { partition: 2, replicas: [0] }) }),
    /^cluster: topic "t": partition 1 is missing before partition 2/,
  ],
  [
    'an unknown field of a broker',
    snapshot({ brokers: [{ id: 0, rak: 'a' }] }),
    /^cluster: brokers\[0\], a field: .* got "rak" \(did you mean rack\?\)/,
  ],
  [
    'an unknown field of a topic',
    snapshot({ topics: [{ name: 't', partition: [] }] }),
    /^cluster: topics\[0\], a field: .* got "partition" \(did you mean partitions\?\)/,
  ],
  [
    'an unknown field of a partition',
    snapshot({ topics: lists({ partition: 0, replica: [0] }) }),
    /^cluster: topics\[0\]\.partitions\[0\], a field: .* got "replica" \(did you mean replicas\?\)/,
  ],
  [
    'an unknown field of the document',
    snapshot({ racks: [] }),
    /^cluster: expected the fields brokers and topics .*, got "racks"/,
  ],
  [
    'a weight of zero',
    snapshot({ brokers: [{ id: 0, weight: 0 }] }),
    /^cluster: brokers\[0\]\.weight: expected a number above 0, got 0/,
  ],
  [
    'a weight below zero',
    snapshot({ brokers: [{ id: 0, weight: -2 }] }),
    /^cluster: brokers\[0\]\.weight: expected a number above 0, got -2/,
  ],
  [
    'a weight that is NaN',
    '{"brokers":[{"id":0,"weight":NaN}],"topics":[]}',
    /^cluster: line 1, column 33: Non-standard token 'NaN'/,
  ],
  [
    'a weight that is text',
    snapshot({ brokers: [{ id: 0, weight: '1' }] }),
    /^cluster: brokers\[0\]\.weight: expected a number, got "1"/,
  ],
  [
    'a broker id beyond 2^31 - 1',
    snapshot({ brokers: [{ id: 2 ** 31 }] }),
    /^cluster: brokers\[0\]\.id: expected an integer in \[0, 2147483647\], got 2147483648/,
  ],
  [
    'a broker id below zero',
    snapshot({ topics: lists([-1]) }),
    /^cluster: topics\[0\]\.partitions\[0\]\.replicas\[0\]: expected an integer in \[0, 2147483647\], got -1/,
  ],
  [
    'a broker id that is a fraction',
    snapshot({ topics: lists([0.5]) }),
    /^cluster: topics\[0\]\.partitions\[0\]\.replicas\[0\]: expected an integer in .*, got 0\.5/,
  ],
  ['C01: broken JSON', '{"brokers":[],\n"topics":[{]}', /^cluster: line 2, column 12: Unexpected close marker '\]'/],
  ['JSON that ends early', '{"brokers":[],\n"topics":[', /^cluster: line 2, column 11: Unexpected end-of-input/],
  [
    'racks partly missing',
    snapshot({ brokers: [{ id: 0, rack: 'a' }, { id: 1 }] }),
    /brokers: expected a rack of each or of none, got none of 1 of 2, the first is broker 1/,
  ],
  [
    'fewer brokers that are in than replicas',
    snapshot({ brokers: [{ id: 0 }, { id: 1, state: 'out' }] }),
    /t-0 needs 2 brokers.*\[ERR_PLACEMENT_INFEASIBLE\]$/,
    1,
  ],
  [
    'a capacity too small',
    snapshot({
      brokers: [
        { id: 0, capacity: 5 },
        { id: 1, capacity: 9 },
      ],
      topics: lists({ partition: 0, replicas: [0], bytes: 9 }, { partition: 1, replicas: [1], bytes: 9 }),
    }),
    /capacity.*\[ERR_PLACEMENT_INFEASIBLE\]$/,
    1,
  ],
  [
    'bytes of some partitions alone',
    snapshot({ topics: lists({ partition: 0, replicas: [0], bytes: 9 }, [1]) }),
    /^cluster: topics?.*: expected bytes of every partition or of none/,
  ],
]

/** Reassignments that `kafka reassign diff` is given, with a good cluster. */
const FILES: readonly Case[] = [
  ['an empty file', '', /^plan: reassignment: expected JSON, got nothing/],
  ['an empty list', reassign(), /Partition reassignment list cannot be empty/],
  ['an empty replica list', reassign(['t', 0, []]), /partitions\[0\]: Partition replica list cannot be empty/],
  [
    'a partition twice',
    reassign(['t', 0, [1]], ['t', 0, [2]]),
    /partitions\[1\]: Partition reassignment contains duplicate topic partitions: t-0/,
  ],
  [
    'a broker twice in a list',
    reassign(['t', 0, [1, 1]]),
    /partitions\[0\]: Partition replica lists may not contain duplicate entries: t-0 contains multiple entries for 1/,
  ],
  [
    'a topic that is missing',
    '{"partitions":[{"partition":0,"replicas":[1]}]}',
    /^plan: partitions\[0\]: No such field exists: `topic`/,
  ],
  [
    'a number that is text',
    '{"partitions":[{"topic":"t","partition":"0","replicas":[1]}]}',
    /^plan: partitions\[0\]\.partition: Expected `Integer` value, received "0"/,
  ],
  ['a version to come', '{"version":2,"partitions":[]}', /^plan: version: expected 1, got 2/],
]

const PLAN = ['kafka', 'reassign', 'plan']
const DIFF = ['kafka', 'reassign', 'diff', '--reassignment-json-file', 'plan']

for (const [kind, cases, words] of [
  ['cluster', CLUSTERS, PLAN],
  ['plan', FILES, DIFF],
] as const) {
  for (const [name, file, said, code = 2] of cases) {
    test(`P15: ${kind} file: ${name}: refused with its place, nothing is written`, async (t) => {
      await inFolder(async (folder) => {
        writeFileSync(join(folder, 'cluster'), kind === 'cluster' ? file : snapshot({}))
        if (kind === 'plan') writeFileSync(join(folder, 'plan'), file)
        writeFileSync(join(folder, 'answer'), 'as it was')
        const there = readdirSync(folder)
        const given = words.map((word) => (word === 'plan' && kind === 'plan' ? join(folder, word) : word))
        const where = ['--cluster', join(folder, 'cluster'), '--output', join(folder, 'answer')]
        const ended = await run([...given, ...where])
        const last = ended.err.at(-1)!.replaceAll(`${folder}/`, '').replace('topic-placement: ', '')
        t.regex(last, said)
        t.is(ended.code, code, last)
        t.is(ended.out.length, 0)
        t.is(readFileSync(join(folder, 'answer'), 'utf8'), 'as it was')
        t.deepEqual(readdirSync(folder), there)
      })
    })
  }
}

test('P15: an unknown partition and an unknown broker are told by validate, with their place and exit code 1', async (t) => {
  await inFolder(async (folder) => {
    const [cluster, plan] = [join(folder, 'cluster'), join(folder, 'plan')]
    writeFileSync(cluster, snapshot({}))
    writeFileSync(plan, reassign(['t', 0, [9]], ['t', 1, [0]], ['u', 0, [0]]))
    const { code, out } = await run([
      'kafka',
      'reassign',
      'validate',
      '--cluster',
      cluster,
      '--reassignment-json-file',
      plan,
    ])
    t.is(code, 1)
    for (const line of [
      'partitions[0]  tool: Unknown broker id 9',
      'partitions[1]  tool: Unable to find partition: t-1',
      'partitions[2]  tool: Topic u not found.',
    ])
      t.true(out.toString().includes(line), line)
  })
})

test('P15: a broker list with duplicates, on each command that takes one', async (t) => {
  for (const words of [
    ['kafka', 'place', '--placer', 'striped', '--partitions', '1', '--replication-factor', '1'],
    [
      'kafka',
      'reassign',
      'generate',
      '--cluster',
      'examples/orders-cluster.json',
      '--topics-to-move-json-file',
      'examples/topics-to-move.json',
    ],
  ]) {
    const { code, err } = await run([...words, '--broker-list', '1,2,1'])
    t.is(code, 2)
    t.regex(err.at(-1)!, /Broker list contains duplicate entries: \[1\]/)
  }
})

test('sparse broker ids up to 2^31 - 1 are planned as any', async (t) => {
  await inFolder(async (folder) => {
    const cluster = join(folder, 'cluster')
    writeFileSync(
      cluster,
      snapshot({ brokers: [{ id: 0 }, { id: 2_147_483_647 }, { id: 70_000 }], topics: lists([0], [0], [0]) }),
    )
    const { code, out } = await run([...PLAN, '--cluster', cluster, '--mode', 'balance', '--print', 'reassignment'])
    t.is(code, 0)
    const moved = JSON.parse(out.toString()).partitions.flatMap(({ replicas }: { replicas: number[] }) => replicas)
    t.deepEqual(
      moved.sort((a: number, b: number) => a - b),
      [70_000, 2_147_483_647],
    )
  })
})
