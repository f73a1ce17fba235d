/**
 * `npm run quickstart`: what it refuses, what it prints, and its answer against a naive twin over the npm package crc-32.
 * `npm run build` and `node scripts/build.mjs examples` must have been there before.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import crc32 from 'crc-32'
import { type Ended, end, inFolder } from './cli-process.js'
import { ENGINES } from './engines.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Without cargo: the addon is not built, whatever this machine has. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('cargo'))
  .join(delimiter)

function quickstart(folder: string, ...args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, PATH, npm_lifecycle_event: 'quickstart', INIT_CWD: folder }
  return end(
    spawn(process.execPath, [join(ROOT, 'scripts/quickstart.mjs'), ...args], { cwd: ROOT, env, stdio: 'pipe' }),
  )
}

const REFUSED: readonly (readonly [args: string[], message: RegExp])[] = [
  [['--bundels', '64'], /^quickstart: unknown option --bundels, did you mean --bundles\? \[ERR_PLACEMENT_USAGE\]$/],
  [['--frobnicate'], /^quickstart: unknown option --frobnicate \[ERR_PLACEMENT_USAGE\]$/],
  [['--bundles', '0'], /^quickstart: --bundles: expected an integer in \[1, 65536\], got 0 \[ERR_PLACEMENT_USAGE\]$/],
  [['--seed', '-1'], /^quickstart: --seed: expected an integer in \[1, 4294967295\], got -1 \[ERR_PLACEMENT_USAGE\]$/],
  [['--keys'], /^quickstart: --keys: expected a number after it \[ERR_PLACEMENT_USAGE\]$/],
  [['--json=yes'], /^quickstart: --json: expected no value, got yes \[ERR_PLACEMENT_USAGE\]$/],
  [['a.txt', 'b.txt'], /^quickstart: expected one FILE, got a\.txt, b\.txt \[ERR_PLACEMENT_USAGE\]$/],
  [['none.txt'], /^quickstart: none\.txt: expected a readable file, got ENOENT \[ERR_PLACEMENT_INPUT\]$/],
  [['.'], /^quickstart: \.: expected a readable file, got EISDIR \[ERR_PLACEMENT_INPUT\]$/],
  [
    ['empty.txt'],
    /^quickstart: empty\.txt: expected topic names, one a line, got an empty file \[ERR_PLACEMENT_INPUT\]$/,
  ],
]

test('wrong options and files are refused before anything is set up, with exit code 2', async (t) => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'empty.txt'), '')
    for (const [args, message] of REFUSED) {
      const { code, out, err } = await quickstart(folder, ...args)
      t.is(code, 2)
      t.is(out.length, 0)
      t.regex(err[0]!, message)
      t.is(err.includes('Usage: npm run quickstart -- [FILE] [options]'), message.source.includes('USAGE'))
    }
  })
})

test("the user's file is read from where the user is; a bad name is told with its line", async (t) => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'topics.txt'), 'a\r\nb\r\nbad://t/ns/c\r\n')
    const { code, out, err } = await quickstart(folder, 'topics.txt', '--keys', '10')
    t.is(code, 2)
    t.is(out.length, 0)
    t.regex(err.at(-1)!, /^quickstart: topics\.txt:3: .*got "bad:\/\/t\/ns\/c".*\[ERR_PLACEMENT_TOPIC_NAME\]$/)
  })
})

test('--json prints one document, whose counts are those of a naive twin', async (t) => {
  const names = Array.from({ length: 500 }, (_, i) => `persistent://t/ns-${i % 3}/orders-partition-${i}`)
  const counts = new Map<string, number>()
  for (const name of names) {
    const bundle = `${name.split('/')[3]} ${(crc32.str(name) >>> 0) >>> 29}`
    counts.set(bundle, (counts.get(bundle) ?? 0) + 1)
  }
  await inFolder(async (folder) => {
    writeFileSync(join(folder, 'topics.txt'), names.join('\n'))
    const { code, out } = await quickstart(folder, 'topics.txt', '--json', '--bundles', '8', '--keys', '100')
    t.is(code, 0)
    const { source, pulsar, kafka, engines } = JSON.parse(out.toString())
    t.is(source, 'topics.txt')
    t.like(pulsar, { topics: 500, namespaces: 3, bundlesPerNamespace: 8, emptyBundles: 24 - counts.size })
    t.like(pulsar.perBundle, { places: 24, mean: 500 / 24, max: Math.max(...counts.values()) })
    t.is(kafka.keys, 100)
    t.deepEqual(
      engines.map(({ name }: { name: string }) => name),
      ['fallback'],
    )
  })
})

test('the text fits 100 columns, says its assumption, and tells how to get Rust where there is none', async (t) => {
  const { code, out, err } = await quickstart(ROOT, '--topics', '20000', '--keys', '5000', '--brokers', '7')
  t.is(code, 0)
  const lines = [...out.toString().split('\n'), ...err]
  t.deepEqual(
    lines.filter((line) => line.length > 100),
    [],
  )
  t.true(lines.includes('Pulsar: 20,000 topics (sample, seed 42)'))
  t.true(lines.some((line) => line.startsWith('  7 brokers assumed, bundles dealt evenly; re-packed by load: ')))
  t.regex(out.toString(), /^ {2}\d+ topics of 8 partitions reach +4 +8 +50 %/m)
  t.true(err.includes('No Rust here, so the TypeScript engine answers alone;'))
})

/** One engine's answer, as `scripts/quickstart.mjs` gets it. */
function ask(engine: string, question: object): Promise<readonly (readonly [string, unknown])[]> {
  const messages: [string, unknown][] = []
  const child: ChildProcess = fork(join(ROOT, 'build/examples/quickstart/main.js'), [JSON.stringify(question)], {
    env: { ...process.env, TOPIC_PLACEMENT_ENGINE: engine },
  })
  child.on('message', (message) => messages.push(message as [string, unknown]))
  return new Promise((resolve, reject) => child.on('error', reject).on('close', () => resolve(messages)))
}

const QUESTION = {
  bundles: 32,
  brokers: 16,
  partitions: 48,
  topics: 30_000,
  keys: 30_000,
  seed: 7,
  file: null,
  source: null,
}

for (const engine of ENGINES) {
  test(`the ${engine} engine gives the answer of the first one, and how it compares`, async (t) => {
    const first = Object.fromEntries(await ask('fallback', QUESTION))['answer']
    const second = Object.fromEntries(await ask(engine, { ...QUESTION, against: first }))
    t.regex(String(second['text']), /keys → partitions, from strings +[\d.]+ million\/s +[\d.]+ million\/s +[\d.]+ ×$/m)
    t.is((second['answer'] as { digest: string }).digest, (first as { digest: string }).digest)
  })
}

interface Sample {
  readonly sampleTopics: (count: number, seed: number) => string[]
  readonly sampleKeys: (count: number, seed: number) => string[]
}

test('a sample is the same for the same seed, and has what makes placement hard', async (t) => {
  const { sampleTopics, sampleKeys } = (await import(join(ROOT, 'build/examples/quickstart/sample.js'))) as Sample
  const names = sampleTopics(10_000, 42)
  t.deepEqual(sampleTopics(10_000, 42), names)
  t.notDeepEqual(sampleTopics(10_000, 43), names)
  t.is(new Set(names).size, names.length)
  for (const mark of [/-partition-\d+$/, /-RETRY$/, /-DLQ$/, /-device-\d+$/, /^non-persistent:/, /[^\0-\x7f]/]) {
    t.true(
      names.some((name) => mark.test(name)),
      String(mark),
    )
  }
  const keys = sampleKeys(10_000, 42)
  t.deepEqual(sampleKeys(10_000, 42), keys)
  t.true(keys.some((key) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/.test(key)))
})
