/** `pulsar split-bundle` and `pulsar advise` as a shell runs them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { answer, run } from './cli-process.js'

const SPLIT = ['pulsar', 'split-bundle', '--bundles', '4']

/** Hashes of public/default/my-topic-partition-0 and -1 by the specification: 0x3d4b4235, 0x4a4c72a3; my-topic 0x2bad45f7. */
const TOPICS = 'my-topic\nmy-topic-partition-0\nmy-topic-partition-1\n'

test('split-bundle tells the cut, the parts and what moves', async (t) => {
  const out = await answer([...SPLIT, '--bundle-type', 'LARGEST', '-'], { input: TOPICS })
  t.is(
    out,
    [
      '0x00000000_0x40000000 is split at 0x20000000 by range_equally_divide',
      '',
      'topics  bundle',
      '     0  0x00000000_0x20000000',
      '     2  0x20000000_0x40000000',
      '',
      '2 of 3 topics change bundle; none is unloaded: their broker keeps them',
      '5 bundles after it (--json has them)',
      'note: 0x00000000_0x20000000 holds no topic after the split [NOTE_SPLIT_EMPTY_CHILD]',
      '',
    ].join('\n'),
  )
})

test('split-bundle --json is a document with the layout after', async (t) => {
  const words = [...SPLIT, '--bundle', '0x00000000_0x40000000', '--unload', '--json', '-']
  const algorithm = ['--split-algorithm-name', 'topic_count_equally_divide']
  const document = JSON.parse(await answer([...words, ...algorithm], { input: TOPICS }))
  const cut = '0x347c4416'
  t.like(document, { question: 'pulsar split-bundle', boundaries: [cut], moved: 2, topics: 3, notes: [] })
  t.deepEqual(document.unloaded, [`0x00000000_${cut}`, `${cut}_0x40000000`])
  t.deepEqual(document.layout.boundaries, ['0x00000000', cut, '0x40000000', '0x80000000', '0xc0000000', '0xffffffff'])
})

test('split-bundle by traffic reads it from a file; a topic that is not there has none', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'topic-placement-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const stats = join(folder, 'stats.json')
  const hot = { msgRateIn: 20_000, msgRateOut: 1 }
  writeFileSync(stats, JSON.stringify({ 'persistent://public/default/my-topic': hot, 'my-topic-partition-0': hot }))
  const words = [
    ...SPLIT,
    '--bundle-type',
    'HOT',
    '--split-algorithm-name',
    'flow_or_qps_equally_divide',
    '--stats',
    stats,
  ]
  const { code, out, err } = await run([...words, '-'], { input: TOPICS })
  t.is(code, 0, err.join('\n'))
  t.true(out.toString().startsWith('0x00000000_0x40000000 is split at 0x347c4417 by flow_or_qps_equally_divide\n'))
  t.true(err.some((line) => line.endsWith('stats.json: traffic of 2 of 3 topics')))
  const before = await run([...words, '--version', '4.2', '-'], { input: TOPICS })
  t.is(before.code, 1)
  t.regex(
    before.err.join('\n'),
    /the broker of Pulsar 4\.2 fails to split by traffic \[ERR_PLACEMENT_ORIGINAL_FAILS\]$/,
  )
  const known = await run([...words, '--version', '4.2', '--default-algorithm', 'flow_or_qps_equally_divide', '-'], {
    input: TOPICS,
  })
  t.is(known.code, 0)
  writeFileSync(stats, '{"my-topic":{"msgRateIn":-1}}')
  const wrong = await run([...words, '-'], { input: TOPICS })
  t.is(wrong.code, 2)
  t.regex(wrong.err.join('\n'), /msgRateIn: expected a number of 0 or more, got -1 \[ERR_PLACEMENT_INPUT\]$/)
})

const REFUSED: readonly [words: readonly string[], refusal: RegExp][] = [
  [SPLIT, /--bundle is missing; see "topic-placement pulsar split-bundle --help" \[ERR_PLACEMENT_USAGE\]$/],
  [[...SPLIT, '--bundle', '0x0_0x8'], /Invalid upper boundary for bundle .* \[ERR_PLACEMENT_BUNDLE_RANGE\]$/],
  [[...SPLIT, '--bundle', '0x0_0x1', '--bundle-type', 'HOT'], /expected one of --bundle and --bundle-type, got both/],
  [[...SPLIT, '--bundle-type', 'LARGEST'], /Bundle range LARGEST not found\) \[ERR_PLACEMENT_BUNDLE_RANGE\]$/],
  [
    [...SPLIT, '--bundle', '0x00000000_0x40000000', '--split-algorithm-name', 'topic_count_equaly_divide'],
    /\(did you mean topic_count_equally_divide\?\) \[ERR_PLACEMENT_UNKNOWN_NAME\]$/,
  ],
  [
    [...SPLIT, '--bundle', '0x00000000_0x40000000', '--split-boundaries', '1,x'],
    /--split-boundaries: expected numbers such as 0x04000000, got "x"; see/,
  ],
  [
    ['pulsar', 'advise', '-'],
    /--brokers is missing; see "topic-placement pulsar advise --help" \[ERR_PLACEMENT_USAGE\]$/,
  ],
  [['pulsar', 'advise', '--brokers', '0', '-'], /--brokers: expected an integer in \[1, 100000\], got "0"/],
  [
    ['pulsar', 'advise', '--brokers', '2', '--candidates', '9-4', '-'],
    /--candidates: expected numbers of bundles or A-B/,
  ],
  [['pulsar', 'advise', '--brokers', '2', '--topics', 'a', 'b'], /expected --topics or one FILE, got both: "b"/],
]

for (const [words, refusal] of REFUSED) {
  test(`refused with exit code 2: ${words.slice(1).join(' ')}`, async (t) => {
    const { code, out, err } = await run(words)
    t.deepEqual([code, out.toString()], [2, ''])
    t.regex(err.join('\n'), refusal)
  })
}

const EIGHT = Array.from({ length: 8 }, (_, i) => `orders-partition-${i}\n`).join('')

test('advise: eight partitions need 64 bundles, and it says why not 32', async (t) => {
  const out = await answer(['pulsar', 'advise', '--brokers', '8', '-'], { input: EIGHT })
  const lines = out.split('\n')
  t.is(lines[0], '64 bundles (Pulsar 5.0 takes 32 by default)')
  t.true(lines.includes('  not 32: topics of 8 partitions reach 4 of 32 bundles, where random names would reach 7.2'))
  t.true(lines.every((line) => line.length <= 100))
})

test('advise --json is a document; candidates are lists and ranges; a bad name is told with its line', async (t) => {
  const words = ['pulsar', 'advise', '--brokers', '8', '--transaction-coordinators', '16', '--version', '4.2', '--json']
  const document = JSON.parse(await answer([...words, '--candidates', '64,30-32', '-'], { input: EIGHT }))
  t.like(document, { question: 'pulsar advise', bundles: 64, defaultBundles: 4, topics: 8 })
  t.deepEqual(
    document.candidates.map(({ bundles }: { bundles: number }) => bundles),
    [30, 31, 32, 64],
  )
  t.deepEqual(document.transactionCoordinators.indices.slice(0, 3), [61, 32, 6])
  const { code, err } = await run(words.concat('-'), { input: `${EIGHT}b/c\n` })
  t.is(code, 2)
  t.regex(err.join('\n'), /standard input:9: topic name: expected/)
})
