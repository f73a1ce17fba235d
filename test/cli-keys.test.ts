/** The command line's questions about Pulsar's keys: route, key-shared, failover and segments, each with its published answers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { DisagreementsDocument, KeySharedSharesDocument, SegmentsDocument } from '../src/cli/pulsar-documents.js'
import { answer, run } from './cli-process.js'
import { ENGINES } from './engines.js'

/** A folder that is gone after the test. */
function folderOf(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'topic-placement-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const words = (line: string): string[] => line.split(' ')

test('pulsar route puts keys where each client puts them (spec 5.3)', async (t) => {
  const input = 'keykeykey2\n\u4e3b\u9898\n\ud0a4\n'
  const of = async (options: string) =>
    (await answer(words(`pulsar route --partitions 7 ${options}`), { input })).replace(/^.*\t/gm, '').trim()
  t.is(await of('--client java'), '1\n4\n2')
  t.is(await of('--client go'), '3\n3\n6')
  t.is(await of('--client cpp --scheme JavaStringHash'), '1\n2\n5')
  t.is(await of('--client python --char unsigned'), '1\n1\n6')
})

test('pulsar route --disagreements tells the keys that clients put apart, and no other', async (t) => {
  const asked = { input: 'k1\nkeykeykey2\n\n' }
  const text = await answer(words('pulsar route --partitions 7 --disagreements'), asked)
  t.is(
    text,
    '2 of 3 keys lie in different partitions\nkeykeykey2\tjava 1, cpp 1, cpp on arm64 1, go 3\n\tjava 0, cpp 0, cpp on arm64 0, go draws\n',
  )
  const json = await answer(words('pulsar route --partitions 7 --disagreements --json'), asked)
  const { keys, rows } = JSON.parse(json) as DisagreementsDocument
  t.deepEqual(
    [keys, rows.map(({ index, go }) => [index, go])],
    [
      3,
      [
        [1, 3],
        [2, null],
      ],
    ],
  )
})

for (const engine of ENGINES) {
  test(`on ${engine}: pulsar key-shared gives keys to consumers, and tells who had them before`, async (t) => {
    const folder = folderOf(t)
    const consumers = join(folder, 'consumers.txt')
    writeFileSync(consumers, 'c1\nc2\nc3\n')
    const of = (options: string) =>
      answer([...words('pulsar key-shared --consumers'), consumers, ...words(options)], {
        engine,
        input: 'key1\nkey2\nk1\norder-42\n',
      })
    t.is(await of('-'), 'key1\tc1\nkey2\tc3\nk1\tc3\norder-42\tc3\n')
    const left = (await of('--leave c3 -')).split('\n')
    t.is(left[0], 'key1\tc1')
    t.regex(left[1]!, /^key2\tc3 -> c[12]$/)
    t.regex((await of('--leave c3 --jsonl -')).split('\n')[1]!, /^{"input":"key2","consumer":"c[12]","before":"c3"}$/)
  })
}

test('pulsar key-shared without keys: parts of consumers, and what moves', async (t) => {
  const folder = folderOf(t)
  const consumers = join(folder, 'consumers.txt')
  writeFileSync(consumers, Array.from({ length: 10 }, (_, i) => `c${i + 1}\n`).join(''))
  const line = `pulsar key-shared --selector auto-split --leave c3 --json --consumers ${consumers}`
  const { moved, consumers: rows } = JSON.parse(await answer(words(line))) as KeySharedSharesDocument
  t.is(moved, 4096 / 65536)
  t.is(rows.find(({ consumer }) => consumer === 'c6')!.share, 12288 / 65536)
  const sticky = join(folder, 'sticky.txt')
  writeFileSync(sticky, 'c1\t0-99,400-65535\nc2\t100-399\n')
  const text = await answer(words(`pulsar key-shared --selector sticky --consumers ${sticky}`))
  t.regex(text, /^2 consumers, 0\.00 % of all hashes move\n/)
})

test('pulsar failover names the active consumer of each partition', async (t) => {
  const folder = folderOf(t)
  const consumers = join(folder, 'consumers.txt')
  writeFileSync(consumers, 'c2\nc1\nc3\nc0\t1\n')
  const text = await answer(words(`pulsar failover --consumers ${consumers} --partitions 3 t`))
  const topic = 'persistent://public/default/t-partition'
  t.is(text, `${topic}-0\tc1\n${topic}-1\tc2\n${topic}-2\tc3\n`)
})

test('pulsar segments splits and merges as the broker, and gives keys to segments', async (t) => {
  const line = 'pulsar segments --segments 1 --steps split-segment:0 --topic topic://t/ns/x'
  const { epoch, segments } = JSON.parse(await answer(words(`${line} --json`))) as SegmentsDocument
  t.is(epoch, 1)
  t.deepEqual(
    segments.map(({ topic, active, buckets }) => [topic, active, buckets]),
    [
      ['segment://t/ns/x/0000-ffff-0', false, 4],
      ['segment://t/ns/x/0000-7fff-1', true, 2],
      ['segment://t/ns/x/8000-ffff-2', true, 2],
    ],
  )
  // Their segment hashes are 39831 and 29553 (spec 10).
  const keys = await answer(words(`${line} --jsonl -`), { input: 'key1\nkey2\n' })
  t.is(keys, '{"input":"key1","segment":2}\n{"input":"key2","segment":1}\n')
})

/** What is refused, and the line that says so. */
const REFUSED: readonly [line: string, said: RegExp][] = [
  ['pulsar route', /--partitions is missing/],
  ['pulsar route --partitions 7 --client cpp', /BoostHash, the default of cpp, .*\[ERR_PLACEMENT_UNSUPPORTED\]/],
  ['pulsar route --partitions 7 --client jav', /expected one of java, cpp, .*did you mean java\?/],
  ['pulsar route --partitions 7 --disagreements --client go', /--client: expected no --disagreements with it/],
  ['pulsar key-shared', /--consumers is missing/],
  ['pulsar key-shared --consumers examples/consumer.txt', /did you mean examples\/consumers.txt\?/],
  [
    'pulsar key-shared --consumers examples/consumers.txt --leave c9',
    /--leave: expected one of the consumers, got "c9"/,
  ],
  [
    'pulsar key-shared --consumers examples/consumers.txt --selector sticky',
    /consumers.txt:1: expected ranges such as 0-99/,
  ],
  ['pulsar key-shared --consumers examples/consumers.txt --json --format csv', /--format: expected KEYS with it/],
  ['pulsar failover --consumers examples/consumers.txt', /expected one TOPIC, got 0/],
  [
    'pulsar failover --consumers examples/consumers.txt --version 3.0 --consistent-hashing t',
    /Pulsar 3.0 has no activeConsumer/,
  ],
  ['pulsar segments --steps split:0', /--steps: expected split-segment:ID, .* got "split:0"/],
  ['pulsar segments --segments 2 --steps split-segment:9', /Segment not found: 9 \[ERR_PLACEMENT_SEGMENT\]/],
]

for (const [line, said] of REFUSED) {
  test(`refused: ${line}`, async (t) => {
    const { code, err } = await run(words(line), { input: '' })
    t.true(code === 1 || code === 2, `${code}`)
    t.regex(err.at(-1)!, said)
  })
}

test('an empty key has no partition in the Go client, and its line is told', async (t) => {
  const { code, err } = await run(words('pulsar route --partitions 7 --client go'), { input: 'a\n\n' })
  t.is(code, 1)
  t.regex(err.at(-1)!, /standard input:2: .*\[ERR_PLACEMENT_KEY_MISSING\]/)
})
