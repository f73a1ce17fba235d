/** The command line: what each command answers, on both engines. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import type { PartitionDocument, PartitionSummaryDocument } from '../src/cli/documents.js'
import type { BundlesSummaryDocument } from '../src/cli/pulsar-documents.js'
import { answer, inFolder, MAIN, run } from './cli-process.js'
import { ENGINES } from './engines.js'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Rows of `input<TAB>answer` as pairs. */
function pairs(text: string): [string, string][] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => [line.slice(0, line.lastIndexOf('\t')), line.slice(line.lastIndexOf('\t') + 1)])
}

const STRUCT = 'Struct{documentKey={"_id": "638d1b94ce8def06be68b439"}}'

/** Keys from public trackers (shared/cases.md, H01 to H22) and their partitions, by what is asked. */
const FIELD: readonly [question: string, rows: readonly (readonly [key: string, partition: string])[]][] = [
  [
    '--partitions 12',
    [
      ['100:48069', '9'],
      ['', '9'],
      ['1468509572224', '9'],
      ['longstring_longstring.csv', '7'],
    ],
  ],
  ['--partitions 15', [['TT0124', '10']]],
  ['--partitions 15 --partitioner librdkafka-consistent', [['TT0124', '9']]],
  [
    '--partitions 10',
    [
      ['wu', '0'],
      ['thingäöüÄÖÜ', '2'],
      ['', '1'],
      ['354afe16-939a-4ea8-8e17-8bb0840b6886', '4'],
      ['f562ac3b-2224-4e25-a0ab-56094e10c239', '5'],
    ],
  ],
  ['--partitions 50', [[STRUCT, '40']]],
  ['--partitions 50 --partitioner librdkafka-consistent', [[STRUCT, '36']]],
  ['--partitions 50 --partitioner sarama-hash', [[STRUCT, '6']]],
  ['--partitions 50 --partitioner sarama-reference', [[STRUCT, '42']]],
  [
    '--partitions 12 --partitioner sarama-hash',
    [
      ['1468509572224', '8'],
      ['TT0124', '8'],
    ],
  ],
  ['--partitions 12 --partitioner sarama-reference', [['1468509572224', '0']]],
  ['--partitions 12 --partitioner kafka-go-crc32', [['TT0124', '3']]],
]

/** CRC-32 as published for zlib, and the range of 64 equal bundles (spec/pulsar.md 1.1). */
const BUNDLES_OF_64: readonly [topic: string, bundle: number][] = [
  ['persistent://my-tenant/my-namespace/my-topic', 40],
  ['persistent://public/default/my-topic', 10],
  ['my-topic', 10],
  ['persistent://public/default/my-topic-partition-0', 15],
  ['persistent://public/default/my-topic-partition-1', 18],
  ['non-persistent://public/default/my-topic', 32],
  ['persistent://public/default/주제', 4],
  ['persistent://public/default/t-dukgt2d', 63],
]

function evenRange(bundle: number, count: number): string {
  const edge = (i: number) => (i === count ? 0xffffffff : i * Math.floor(2 ** 32 / count))
  const hex = (value: number) => `0x${value.toString(16).padStart(8, '0')}`
  return `${hex(edge(bundle))}_${hex(edge(bundle + 1))}`
}

for (const engine of ENGINES) {
  const on = `on ${engine}: `

  test(`${on}keys from public trackers go where each client puts them`, async (t) => {
    for (const [question, rows] of FIELD) {
      const words = ['kafka', 'partition', ...question.split(' ')]
      const input = rows.map(([key]) => `${key}\n`).join('')
      t.deepEqual(pairs(await answer(words, { engine, input })), rows as [string, string][], question)
    }
  })

  test(`${on}a key that looks like JSON is placed alike from a line, from CSV and from JSON Lines`, async (t) => {
    const csv = `n,key\r\n1,"${STRUCT.replaceAll('"', '""')}"\r\n2,${STRUCT}\n`
    const json = `${JSON.stringify(STRUCT)}\n`
    const words = ['kafka', 'partition', '--partitions=50']
    t.is(await answer(words, { engine, input: STRUCT }), `${STRUCT}\t40\n`)
    t.deepEqual(pairs(await answer([...words, '--format', 'csv', '--column', 'key'], { engine, input: csv })), [
      [`"${STRUCT.replaceAll('"', '""')}"`, '40'],
      [STRUCT, '40'],
    ])
    t.deepEqual(pairs(await answer([...words, '--format', 'jsonl'], { engine, input: json })), [
      [JSON.stringify(STRUCT), '40'],
    ])
    const byField = await answer([...words, '--format', 'jsonl', '--column', 'key', '--jsonl'], {
      engine,
      input: JSON.stringify({ key: STRUCT }),
    })
    t.deepEqual(JSON.parse(byField), { input: STRUCT, partition: 40 })
  })

  test(`${on}hashes are the published ones, with the sign of the original`, async (t) => {
    const published = { crc32: '3421780262', crc32c: '3808858755', fnv1a: '3146166556', 'java-string': '-1867378635' }
    for (const [algorithm, value] of Object.entries(published)) {
      t.is(await answer(['hash', '--algorithm', algorithm], { engine, input: '123456789' }), `123456789\t${value}\n`)
    }
    t.is(
      await answer(['hash', '--algorithm', 'murmur2'], { engine, input: '21\nfoobar\n' }),
      '21\t-973932308\nfoobar\t-790332482\n',
    )
  })

  test(`${on}a group and a transactional id live where Kafka's coordinators look`, async (t) => {
    const words = ['kafka', 'group', 'my-group', 'console-consumer-1']
    t.is(
      await answer(words, { engine }),
      'my-group\t__consumer_offsets-12\t__transaction_state-12\nconsole-consumer-1\t__consumer_offsets-24\t__transaction_state-24\n',
    )
    // String.hashCode, naively: 31 times what came before, and the unit.
    const code = [...STRUCT].reduce((hash, character) => (Math.imul(31, hash) + character.charCodeAt(0)) | 0, 0)
    const partition = Math.abs(code) % 50
    t.is(
      await answer(['kafka', 'group', STRUCT], { engine }),
      `${STRUCT}\t__consumer_offsets-${partition}\t__transaction_state-${partition}\n`,
    )
    const json = await answer(['kafka', 'group', '--partitions', '7', '--json', 'polygenelubricants'], { engine })
    t.deepEqual(JSON.parse(json), {
      question: 'kafka group',
      numPartitions: 7,
      answers: [{ input: 'polygenelubricants', consumerOffsets: 0, transactionState: 0 }],
      count: 1,
    })
  })

  test(`${on}topics lie in the bundles that Pulsar's hash gives them`, async (t) => {
    const topics = BUNDLES_OF_64.map(([topic]) => topic)
    const expected = BUNDLES_OF_64.map(([topic, bundle]) => [topic, evenRange(bundle, 64)])
    const words = ['pulsar', 'bundle-range', '--bundles', '64']
    t.deepEqual(pairs(await answer([...words, ...topics], { engine })), expected as [string, string][])
    t.deepEqual(pairs(await answer(words, { engine, input: topics.join('\r\n') })), expected as [string, string][])
  })

  test(`${on}boundaries of a file count, and topics of another namespace are refused`, async (t) => {
    const words = [
      'pulsar',
      'bundle-range',
      '--boundaries',
      'examples/boundaries.json',
      '--namespace',
      'public/default',
    ]
    t.is(await answer([...words, 'my-topic'], { engine }), 'my-topic\t0x20000000_0x40000000\n')
    const { code, err, out } = await run(words, { engine, input: 'my-topic\npersistent://a/b/c\n' })
    t.deepEqual([code, out.length], [2, 0])
    t.is(
      err.at(-1),
      'topic-placement: standard input:2: expected a topic of public/default, got "persistent://a/b/c" [ERR_PLACEMENT_NAMESPACE]',
    )
  })

  test(`${on}a summary counts what the rows say, and names the key that made it so`, async (t) => {
    const input = Array.from({ length: 5000 }, (_, i) => (i % 5 === 0 ? 'hot' : `key-${i}`)).join('\n')
    const words = ['kafka', 'partition', '--partitions', '7', '--json']
    const rows: PartitionDocument = JSON.parse(await answer(words, { engine, input }))
    const counts = [0, 0, 0, 0, 0, 0, 0]
    for (const row of rows.answers) counts[row.partition]!++
    const hot = rows.answers[0]!.partition
    const summary: PartitionSummaryDocument = JSON.parse(await answer([...words, '--summary'], { engine, input }))
    t.deepEqual(
      summary.partitions.map(({ keys }) => keys),
      counts,
    )
    t.is(rows.count, 5000)
    t.is(summary.keys, 5000)
    t.is(summary.max, Math.max(...counts))
    t.is(summary.worstToMean, (Math.max(...counts) * 7) / 5000)
    t.deepEqual(summary.heaviestKeys, [{ input: 'hot', bytes: 3, partition: hot, atLeast: 1000, atMost: 1000 }])
  })

  test(`${on}topics per bundle are counted`, async (t) => {
    const words = ['pulsar', 'bundles', '--bundles', '64', '--json', '-']
    const input = BUNDLES_OF_64.map(([topic]) => topic).join('\n')
    const summary: BundlesSummaryDocument = JSON.parse(await answer(words, { engine, input }))
    t.is(summary.topics, BUNDLES_OF_64.length)
    const counted = summary.bundles.flatMap(({ topics }, bundle) => Array<number>(topics).fill(bundle))
    t.deepEqual(
      counted,
      BUNDLES_OF_64.map(([, bundle]) => bundle).sort((a, b) => a - b),
    )
  })

  test(`${on}standard error names the engine, and the answer stands alone on standard output`, async (t) => {
    const { out, err } = await run(['hash', '--algorithm', 'crc32'], { engine, input: 'a\n' })
    t.is(out.toString(), 'a\t3904355907\n')
    t.regex(err[0]!, new RegExp(`^topic-placement: hash crc32; engine ${engine} \\([\\w-]+\\)$`))
    t.is(err.length, 1)
    t.regex(
      await answer(['--version'], { engine }),
      new RegExp(`^topic-placement ${version}, engine ${engine} \\(.+\\), CPU arm [\\w-]+\n$`),
    )
  })
}

test('a layout is printed byte for byte as pulsar-admin 5.0.1 prints it', async (t) => {
  const three = `{
  "boundaries" : [ "0x00000000", "0x55555555", "0xaaaaaaaa", "0xffffffff" ],
  "numBundles" : 3
}
`
  t.is(await answer(['pulsar', 'bundles', '--bundles', '3']), three)
  t.is(await answer(['pulsar', 'bundles', '--bundles', '3', '--json']), three)
  await inFolder(async (folder) => {
    const file = join(folder, 'layout.json')
    writeFileSync(file, three)
    t.is(await answer(['pulsar', 'bundles', '--boundaries', file]), three)
  })
})

test('the release of a default is said, with what it was before or is since', async (t) => {
  const said = async (...words: string[]) => (await run(['pulsar', 'bundles', ...words])).err[0]!.split('; engine')[0]
  t.is(await said(), 'topic-placement: as Pulsar 5.0: 32 bundles; before 5.0 it was 4')
  t.is(await said('--version', '3.0'), 'topic-placement: as Pulsar 3.0: 4 bundles; since 5.0 it is 32')
  t.is(await said('--bundles', '64'), 'topic-placement: as Pulsar 5.0: 64 bundles')
})

test('a table tells the counts, the ten fullest, and how to get the rest', async (t) => {
  const text = await answer(['pulsar', 'bundles', '--bundles', '16', 'examples/topics.txt'])
  const lines = text.split('\n')
  t.is(lines[0], '12 topics on 16 bundles')
  t.is(lines[1], 'min 0, mean 0.8, max 3, worst/mean 4.000')
  t.is(lines.at(-2), '6 more: --all, or --json')
  t.is(
    (await answer(['pulsar', 'bundles', '--bundles', '16', '--all', 'examples/topics.txt'])).split('\n').length,
    16 + 5,
  )
})

const CRLF_CASES: readonly [input: string, keys: string[]][] = [
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\r\nb\r\n', ['a', 'b']],
  ['a\n\nb', ['a', '', 'b']],
  ['\r\n', ['']],
  ['a\rb\n', ['a\rb']],
  ['tab\tinside\n', ['tab\tinside']],
]

test('lines end with LF, CRLF or the input, and an empty one is an empty key', async (t) => {
  for (const [input, keys] of CRLF_CASES) {
    const found = pairs(await answer(['hash', '--algorithm', 'crc32'], { input })).map(([key]) => key)
    t.deepEqual(found, keys, JSON.stringify(input))
  }
})

test('bytes that are no UTF-8 stay a Kafka key as they are', async (t) => {
  const key = Buffer.from([0x61, 0xff, 0xfe, 0x80, 0xc3])
  const words = ['kafka', 'partition', '--partitions', '10']
  const { out } = await run(words, { input: Buffer.concat([key, Buffer.from('\n'), Buffer.from([0xa9])]) })
  t.deepEqual(out.subarray(0, key.length + 1), Buffer.concat([key, Buffer.from('\t')]))
  const rows = (
    await answer([...words, '--jsonl'], { input: Buffer.concat([key, Buffer.from('\n'), Buffer.from([0xa9])]) })
  )
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.deepEqual(
    rows.map((row) => Buffer.from(row.inputBase64, 'base64')),
    [key, Buffer.from([0xa9])],
  )
})

/** The examples in the help of a level. */
function examplesOf(help: string): string[] {
  const after = help.slice(help.indexOf('\nExamples:\n') + '\nExamples:\n'.length)
  return [...after.matchAll(/^ {2}(topic-placement .+)$/gm)].map(([, example]) => example!)
}

const LEVELS = [
  '',
  'kafka',
  'pulsar',
  'hash',
  'kafka partition',
  'kafka group',
  'kafka assign',
  'kafka rebalance',
  'kafka compare-assignors',
  'kafka reassign plan',
  'kafka reassign waves',
  'kafka reassign explain',
  'kafka place',
  'kafka reassign',
  'kafka reassign generate',
  'kafka reassign validate',
  'kafka reassign diff',
  'kafka size',
  'kafka topic-names',
  'pulsar bundles',
  'pulsar bundle-range',
  'pulsar split-bundle',
  'pulsar advise',
]

test('each level of help fits 100 columns and shows two examples that run as they stand', async (t) => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'bin'))
    const program = join(folder, 'bin/topic-placement')
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, { mode: 0o755 })
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
    const tried = new Set<string>()
    for (const level of LEVELS) {
      const help = await answer([...level.split(' ').filter(Boolean), '--help'])
      // An example is as long as Kafka's option names make it.
      const lines = help.split('\n').filter((line) => !line.startsWith('  topic-placement '))
      t.true(Math.max(...lines.map((line) => line.length)) <= 100, level)
      const examples = examplesOf(help)
      t.is(examples.length, 2, level)
      for (const example of examples) {
        if (tried.has(example)) continue
        tried.add(example)
        // Exit code 1 is an answer too: no.
        const ran = promisify(execFile)('sh', ['-c', example], { env })
        const { stdout, code } = await ran.then(
          ({ stdout }) => ({ stdout, code: 0 }),
          (error: { stdout: string; code: number }) => error,
        )
        t.true(code <= 1 && stdout.length > 0, example)
      }
    }
  })
})

test('a topic and a file of that name are told apart by looking, and it is said', async (t) => {
  const file = await run(['pulsar', 'bundle-range', 'examples/topics.txt'])
  t.is(file.err[0], 'topic-placement: examples/topics.txt is a file: one topic a line is read from it')
  t.is(file.out.toString().split('\n').length, 13)
  const topic = await run(['pulsar', 'bundle-range', 'topics.txt'])
  t.is(topic.err[0], 'topic-placement: no file "topics.txt": taken as a topic')
  t.is(topic.out.toString().split('\t')[0], 'topics.txt')
})

test('a byte order mark is no part of a name, and is part of a Kafka key', async (t) => {
  const { out, err } = await run(['pulsar', 'bundle-range'], { input: '\ufeffmy-topic\n' })
  t.is(out.toString(), 'my-topic\t0x28000000_0x30000000\n')
  t.is(err.at(-1), 'topic-placement: standard input: byte order mark left out')
  t.is((await answer(['hash', '--algorithm', 'crc32'], { input: '\ufeffmy-topic\n' })).split('\t')[0], '\ufeffmy-topic')
})
