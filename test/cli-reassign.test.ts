/** `kafka place`, `kafka reassign` and `kafka size` as a shell runs them, fed what is right and what is rubbish. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { answer, inFolder, run } from './cli-process.js'

const CLUSTER = ['--cluster', 'examples/orders-cluster.json']
const PLAN = ['--reassignment-json-file', 'examples/reassignment.json']
const GENERATE = ['kafka', 'reassign', 'generate', '--topics-to-move-json-file', 'examples/topics-to-move.json']

test('place: rows, a document, and the line that kafka-topics takes; racks of a cluster count', async (t) => {
  const words = [
    'kafka',
    'place',
    '--placer',
    'alternating',
    '--start-index',
    '0',
    '--partitions',
    '3',
    '--replication-factor',
    '2',
  ]
  t.is(await answer([...words, '--broker-list', '0,1,2']), '0\t0,1\n1\t1,2\n2\t2,0\n')
  t.is(await answer([...words, '--broker-list', '0,1,2', '--replica-assignment']), '0:1,1:2,2:0\n')
  const { err } = await run([...words, '--broker-list', '0,1,2'])
  t.regex(err.at(-1)!, /as the tools of Kafka up to 4\.0: alternating placer, no draw/)
  const document = JSON.parse(await answer([...words, ...CLUSTER, '--json']))
  t.deepEqual(document.replicas, [
    [0, 1],
    [1, 2],
    [2, 3],
  ])
})

test('place answers alike on both engines', async (t) => {
  const words = [
    'kafka',
    'place',
    '--placer',
    'striped',
    ...CLUSTER,
    '--partitions',
    '500',
    '--replication-factor',
    '3',
    '--seed',
    '9',
  ]
  const [fallback, chosen] = [await answer(words, { engine: 'fallback' }), await answer(words)]
  t.is(chosen, fallback)
})

test('generate prints what the tool prints, and warns of brokers that the list leaves out and of unknown ones', async (t) => {
  const { code, out, err } = await run([...GENERATE, ...CLUSTER, '--broker-list', '2,3,9'])
  t.is(code, 0)
  t.regex(
    out.toString(),
    /^Current partition replica assignment\n\{.*\}\n\nProposed partition reassignment configuration\n\{.*\}\n$/,
  )
  t.true(
    err.includes(
      'topic-placement: warning: the list leaves out brokers 0 and 1, which hold replicas now: all of them move',
    ),
  )
  t.true(err.some((line) => line.includes('warning: broker 9 of the list: not in the cluster')))
  const document = JSON.parse(await answer([...GENERATE, ...CLUSTER, '--broker-list', '2,3', '--json']))
  t.deepEqual([document.moves, document.replicas, document.proposed.partitions.length], [8, 8, 4])
})

test('P02: a list of the new brokers alone moves everything, and it is said', async (t) => {
  await inFolder(async (folder) => {
    const [cluster, topics] = [join(folder, 'cluster.json'), join(folder, 'topics.json')]
    writeFileSync(
      cluster,
      JSON.stringify({
        brokers: [0, 1, 2, 3].map((id) => ({ id })),
        topics: [{ name: 'test', partitions: [[0], [1], [0], [1]] }],
      }),
    )
    writeFileSync(topics, '{"topics":[{"topic":"test"}]}')
    const { err } = await run([
      'kafka',
      'reassign',
      'generate',
      '--cluster',
      cluster,
      '--topics-to-move-json-file',
      topics,
      '--broker-list',
      '2,3',
    ])
    t.true(
      err.some(
        (line) =>
          line.endsWith('4 of 4 replicas move; engine native (avx512)') || line.includes('4 of 4 replicas move'),
      ),
    )
    t.true(err.some((line) => line.includes('leaves out brokers 0 and 1')))
  })
})

test('validate: exit code 0 for a good plan, 1 for one that is refused, each fault with its place', async (t) => {
  const good = await run(['kafka', 'reassign', 'validate', ...PLAN, ...CLUSTER])
  t.is(good.code, 0)
  t.is(good.out.toString(), 'valid: 3 partitions, 0 faults, 0 warnings\n')
  await inFolder(async (folder) => {
    const plan = join(folder, 'plan.json')
    writeFileSync(plan, '{"partitions":[{"topic":"orders","partition":0,"replicas":[7,7]}]}')
    const bad = await run(['kafka', 'reassign', 'validate', '--reassignment-json-file', plan, ...CLUSTER])
    t.is(bad.code, 1)
    t.true(bad.out.toString().startsWith('not valid: 1 partition, 4 faults, 0 warnings\n\npartitions[0]  tool: '))
    const document = await run(['kafka', 'reassign', 'validate', '--reassignment-json-file', plan, '--json'])
    t.is(JSON.parse(document.out.toString()).valid, false)
  })
})

test('diff --verify: what the tool would say of each partition now, exit code 1 until all is done', async (t) => {
  const { code, out, err } = await run(['kafka', 'reassign', 'diff', ...PLAN, ...CLUSTER, '--verify'])
  t.is(code, 1)
  t.is(
    out.toString(),
    `Status of partition reassignment:
There is no active reassignment of partition orders-0, but replica set is 0,1 rather than 2,1.
Reassignment of partition orders-3 is completed.
There is no active reassignment of partition payments-1, but replica set is 3,0 rather than 0,3.
`,
  )
  t.is(err.at(-1), 'topic-placement: 1 of 3 partitions are where the reassignment wants them')
  const document = await run(['kafka', 'reassign', 'diff', ...PLAN, ...CLUSTER, '--verify', '--json'])
  t.like(JSON.parse(document.out.toString()), { question: 'kafka reassign diff --verify', completed: 1 })
})

test('validate: cordoned brokers, an unchanged replication factor, and what cancelling would meet', async (t) => {
  const words = ['kafka', 'reassign', 'validate', ...PLAN, ...CLUSTER]
  const cordoned = await run([...words, '--cordoned', '2'])
  t.is(cordoned.code, 1)
  t.true(cordoned.out.toString().includes('includes broker 2, but all its log directories are cordoned.'))
  t.is((await run([...words, '--cordoned', '2', '--version', '4.2'])).code, 0)
  const cancel = await run([...words, '--cancel'])
  t.is(cancel.code, 0)
  t.true(cancel.out.toString().startsWith('valid: 3 partitions, 0 faults, 3 warnings\n'))
})

test('diff: moves, leaders, brokers; the rollback is a file that leads back; the throttles', async (t) => {
  const { code, out } = await run(['kafka', 'reassign', 'diff', ...PLAN, ...CLUSTER])
  t.is(code, 1)
  t.true(out.toString().startsWith('1 replica moves, 2 preferred leaders change; 2 partitions change, 1 does not\n'))
  t.true(out.toString().includes('\norders-0  0,1 → 2,1\n'))
  // What is asked for is answered: only a difference that was asked for is a no.
  const rollback = await answer(['kafka', 'reassign', 'diff', ...PLAN, ...CLUSTER, '--rollback'])
  t.deepEqual(
    JSON.parse(rollback).partitions.map(({ replicas }: { replicas: number[] }) => replicas),
    [
      [0, 1],
      [1, 0],
      [3, 0],
    ],
  )
  const throttles = await answer(['kafka', 'reassign', 'diff', ...PLAN, ...CLUSTER, '--throttles'])
  t.true(
    throttles.startsWith(
      'orders\tleader.replication.throttled.replicas=0:0,0:1,3:0,3:1\norders\tfollower.replication.throttled.replicas=0:2\n',
    ),
  )
})

test("diff --throttles --json: a document, topics in Java's order", async (t) => {
  await inFolder(async (folder) => {
    const [cluster, plan] = [join(folder, 'cluster.json'), join(folder, 'plan.json')]
    const entries = ['9', '10', '-'].map((topic) => ({ topic, partition: 0, replicas: [0] }))
    writeFileSync(cluster, JSON.stringify({ partitions: entries }))
    writeFileSync(plan, JSON.stringify({ partitions: entries.map((entry) => ({ ...entry, replicas: [1] })) }))
    const where = ['--reassignment-json-file', plan, '--cluster', cluster]
    const { topics, brokers } = JSON.parse(
      await answer(['kafka', 'reassign', 'diff', ...where, '--throttles', '--json']),
    )
    t.deepEqual(
      topics,
      ['-', '10', '9'].map((topic) => ({ topic, leader: '0:0', follower: '0:1' })),
    )
    t.deepEqual(brokers, [0, 1])
  })
})

test('diff --verify against a part of a cluster: partitions are told by their number, not their place', async (t) => {
  await inFolder(async (folder) => {
    const [cluster, plan] = [join(folder, 'cluster.json'), join(folder, 'plan.json')]
    const entry = (partition: number, ...replicas: number[]) => ({ topic: 't', partition, replicas })
    writeFileSync(cluster, JSON.stringify({ partitions: [entry(3, 0, 1), entry(5, 1, 2)] }))
    writeFileSync(plan, JSON.stringify({ partitions: [entry(1, 1, 2), entry(3, 0, 1), entry(5, 2, 1)] }))
    const where = ['--reassignment-json-file', plan, '--cluster', cluster]
    const { out } = await run(['kafka', 'reassign', 'diff', ...where, '--verify'])
    t.is(
      out.toString(),
      `Status of partition reassignment:
There is no active reassignment of partition t-1, but replica set is  rather than 1,2.
Reassignment of partition t-3 is completed.
There is no active reassignment of partition t-5, but replica set is 1,2 rather than 2,1.
`,
    )
  })
})

test('validate: a byte order mark is refused, as by the tool', async (t) => {
  const words = ['kafka', 'reassign', 'validate', '--reassignment-json-file', '-']
  const { code, err } = await run(words, { input: '\ufeff{"partitions":[]}' })
  t.is(code, 2)
  t.regex(err.at(-1)!, /line 1, column 1: Unexpected character \('\ufeff' \(code 65279 \/ 0xfeff\)\)/)
})

test('diff of a state with itself: nothing, exit code 0', async (t) => {
  await inFolder(async (folder) => {
    const plan = join(folder, 'plan.json')
    writeFileSync(plan, '{"partitions":[{"topic":"orders","partition":0,"replicas":[0,1]}]}')
    const { code, out } = await run(['kafka', 'reassign', 'diff', '--reassignment-json-file', plan, ...CLUSTER])
    t.is(code, 0)
    t.true(out.toString().startsWith('0 replicas move, 0 preferred leaders change; 0 partitions change, 1 does not\n'))
  })
})

test('C03: the whole output of --generate is taken as a plan, which is said', async (t) => {
  await inFolder(async (folder) => {
    const printed = join(folder, 'printed.txt')
    writeFileSync(printed, await answer([...GENERATE, ...CLUSTER, '--broker-list', '2,3']))
    const { code, err } = await run(['kafka', 'reassign', 'validate', '--reassignment-json-file', printed, ...CLUSTER])
    t.is(code, 0)
    t.true(err.includes(`topic-placement: ${printed}: what --generate prints; the proposed reassignment is taken`))
  })
})

test('validate tells by which release it judges', async (t) => {
  const words = ['kafka', 'reassign', 'validate', ...PLAN, ...CLUSTER]
  t.is((await run(words)).err.at(-1), 'topic-placement: as Kafka 4.4')
  t.is((await run([...words, '--version', '4.0'])).err.at(-1), 'topic-placement: as Kafka 4.0')
})

test('size: a reassignment file for each wave, the times summed', async (t) => {
  await inFolder(async (folder) => {
    const files = [0, 1].map((partition) => {
      const path = join(folder, `wave-${partition}.json`)
      writeFileSync(path, JSON.stringify({ version: 1, partitions: [{ topic: 't', partition, replicas: [1] }] }))
      return path
    })
    const cluster = join(folder, 'cluster.json')
    const partitions = [0, 1].map((partition) => ({ partition, replicas: [0], bytes: 1200 }))
    writeFileSync(cluster, JSON.stringify({ brokers: [{ id: 0 }, { id: 1 }], topics: [{ name: 't', partitions }] }))
    const waves = files.flatMap((file) => ['--reassignment-json-file', file])
    const text = await answer(['kafka', 'size', '--cluster', cluster, '--throttle', '10', ...waves])
    t.true(
      text.includes('move time: 4 minutes (0.1 h) = Σ over 2 waves ⌈bytes into the busiest broker / 10 bytes/s'),
      text,
    )
  })
})

test('size: figures with formulas, limits with sources, what is missing is said; Z01', async (t) => {
  const text = await answer([
    'kafka',
    'size',
    ...CLUSTER,
    '--rate',
    '200MB',
    '--retention',
    '7d',
    '--segment-bytes',
    '1GB',
    '--disk',
    '2TB',
    '--replication-factor',
    '3',
  ])
  t.true(text.includes('\n  brokers by disk: 260 = ⌈200000000 bytes/s × 3 × 604800 s / 2000000000000 bytes / 70 %⌉\n'))
  t.true(text.includes('the worst broker after the loss of one rack'))
  t.true(text.includes('not computed: moves: it takes a reassignment'))
  const hours = await answer(
    [
      'kafka',
      'size',
      '--rate',
      '250MB/min',
      '--segment-bytes',
      '1GB',
      '--descriptor-model',
      'log-index',
      '--descriptor-limit',
      '1024',
      '-',
    ],
    { input: 'a\t1\n' },
  )
  // sizing.md's figures to the minute: 250 MB a minute are no whole bytes a second.
  t.true(hours.includes('\n  segments within the descriptors: 512 = '))
  t.true(hours.includes('\n  time until descriptors run out: 2,048 minutes (34.1 h) = '), hours)
  const document = JSON.parse(
    await answer(
      ['kafka', 'size', '--binary-units', '--segment-bytes', '1GB', '--retention-bytes', '2GB', '--json', '-'],
      { input: 'a\t3\n' },
    ),
  )
  const of = (quantity: string) =>
    document.cluster.figures.find((one: { quantity: string }) => one.quantity === quantity).value
  t.is(of('segments'), 6)
})

const REFUSED: readonly [words: readonly string[], input: string, refusal: RegExp][] = [
  [['kafka', 'place', '--placer', 'striped', 'x'], '', /expected options alone, got "x".*\[ERR_PLACEMENT_USAGE\]$/],
  [['kafka', 'reassign', 'generate', 'x'], '', /expected options alone, got "x"/],
  [['kafka', 'reassign', 'validate', ...PLAN, 'x'], '', /expected options alone, got "x"/],
  [['kafka', 'reassign', 'diff', ...PLAN, ...CLUSTER, 'x'], '', /expected options alone, got "x"/],
  [
    ['kafka', 'reassign', 'diff', ...PLAN, ...CLUSTER, '--broker-list', '9'],
    '',
    /--broker-list: expected brokers of the snapshot, which names its own, got 9/,
  ],
  [['kafka', 'reassign', 'validate', ...PLAN, '--cordoned', '-1'], '', /--cordoned: expected broker ids .* got "-1"/],
  [
    ['kafka', 'reassign', 'diff', '--reassignment-json-file', '-', ...CLUSTER],
    '{"partitions":[]}',
    /-: partitions: Partition reassignment list cannot be empty \[ERR_PLACEMENT_REASSIGNMENT\]$/,
  ],
  [['kafka', 'size', '--disk', '5GB/min', '-'], 'a\t1\n', /--disk: expected bytes such as 1GB, got "5GB\/min"/],
  [['kafka', 'size', '--brokers', '2', ...CLUSTER], '', /brokers: expected with a list of topics alone/],
  [
    ['kafka', 'size', '--brokers', '2', '--replication-factor', '3', '-'],
    'a\t1\t2\nb\t1\n',
    /topics\[1\]\.replicationFactor: expected at most the number of brokers, 2, got 3/,
  ],
  [['kafka', 'size', '-'], 'a\t1\n\t2\n', /standard input:2: expected "name<TAB>partitions/],
  [['kafka', 'size', '-'], 'a\t0\n', /standard input:1: expected a number of partitions, got "0"/],
  [
    ['kafka', 'place', '--placer', 'stripe'],
    '',
    /--placer: expected one of striped, alternating, got "stripe" \(did you mean striped\?\).*\[ERR_PLACEMENT_USAGE\]$/,
  ],
  [
    ['kafka', 'place', '--placer', 'striped', '--partitions', '1', '--replication-factor', '1', '--broker-list', '1,1'],
    '',
    /Broker list contains duplicate entries: \[1\] \[ERR_PLACEMENT_REASSIGNMENT\]$/,
  ],
  [
    ['kafka', 'reassign', 'generate', ...CLUSTER, '--topics-to-move-json-file', '-', '--broker-list', '0'],
    '{"topics":[',
    /standard input|-: topics to move: line 1, column 12: .*\[ERR_PLACEMENT_REASSIGNMENT\]$/,
  ],
  [
    ['kafka', 'reassign', 'generate', ...CLUSTER, '--topics-to-move-json-file', '-', '--broker-list', '0'],
    '{"topics":[{"topic":"z"}]}',
    /Topic z not found\. \[ERR_PLACEMENT_REASSIGNMENT\]$/,
  ],
  [
    ['kafka', 'reassign', 'validate', '--reassignment-json-file', '-'],
    '{"version":1,\n "partitions":[x]}',
    /line 2, column 16: Unrecognized token 'x'.*\[ERR_PLACEMENT_REASSIGNMENT\]$/,
  ],
  [
    ['kafka', 'reassign', 'validate', '--reassignment-json-file', 'examples/reassignmen.json'],
    '',
    /expected a readable file, got no such file \(did you mean examples\/reassignment\.json\?\) \[ERR_PLACEMENT_INPUT\]$/,
  ],
  [
    ['kafka', 'reassign', 'diff', ...PLAN, '--cluster', '-'],
    'rubbish',
    /standard input: expected a snapshot .*, got another text \[ERR_PLACEMENT_INPUT\]$/,
  ],
  [
    ['kafka', 'size', '-'],
    'a 3\n',
    /standard input:1: expected "name<TAB>partitions\[<TAB>replication factor\]", got "a 3" \[ERR_PLACEMENT_INPUT\]$/,
  ],
  [
    ['kafka', 'size', '--rate', 'fast', '-'],
    'a\t3\n',
    /--rate: expected bytes such as 1GB or 250MB\/min, got "fast".*\[ERR_PLACEMENT_USAGE\]$/,
  ],
  [['kafka', 'size', '-'], '', /standard input: expected a topic a line, got none \[ERR_PLACEMENT_INPUT\]$/],
]

for (const [words, input, refusal] of REFUSED) {
  test(`refused with exit code 2, nothing written: ${words.join(' ')} < ${JSON.stringify(input.slice(0, 30))}`, async (t) => {
    await inFolder(async (folder) => {
      const { code, out, err } = await run([...words, '--output', join(folder, 'answer')], { input })
      t.is(code, 2, err.join('\n'))
      t.is(out.length, 0)
      t.regex(err.at(-1)!, refusal)
      t.deepEqual(readdirSync(folder), [])
    })
  })
}

test('--output is written whole', async (t) => {
  await inFolder(async (folder) => {
    const path = join(folder, 'plan.txt')
    await answer([...GENERATE, ...CLUSTER, '--broker-list', '2,3', '--output', path])
    t.true(existsSync(path))
    t.true(readFileSync(path, 'utf8').startsWith('Current partition replica assignment\n'))
  })
})
