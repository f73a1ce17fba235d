/** `kafka reassign plan`, `waves` and `explain` as a shell runs them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { answer, end, inFolder, run, start } from './cli-process.js'
import { P01 } from './plan-cluster.js'
import { shownIn } from './shown.js'

/** Runs with P01 of the cases in a file. */
function withP01<T>(work: (words: readonly string[], folder: string) => Promise<T>): Promise<T> {
  return inFolder((folder) => {
    const path = join(folder, 'cluster.json')
    writeFileSync(path, JSON.stringify(P01))
    return work(['--cluster', path], folder)
  })
}

const PLAN = ['kafka', 'reassign', 'plan']
const DRAIN = ['--remove-brokers', '19']

test('what README.md shows of P01 is what the program prints: 1 move by the plan, 20 by the tool', async (t) => {
  const shown = shownIn('README.md', 'kafka reassign (?:plan|diff)')
  t.is(shown.length, 2)
  for (const [command, parts] of shown) {
    const { out } = await run(command.split(' '))
    for (const part of parts) t.true(out.toString().includes(part), `${command}\n${out}`)
  }
})

test('P01: moves and the bound come first; the table fits 100 columns', async (t) => {
  const out = await withP01((cluster) => answer([...PLAN, ...cluster, ...DRAIN]))
  t.true(out.startsWith('1 replica moves; the bound is 1: no plan moves fewer\n'), out)
  t.regex(out, /^--mode balance would move 1 replica$/m)
  t.true(out.split('\n').every((line) => line.length <= 100))
})

test('--json is the document, --print reassignment is for the tool, --print rollback leads back', async (t) => {
  await withP01(async (cluster) => {
    const document = JSON.parse(await answer([...PLAN, ...cluster, ...DRAIN, '--json']))
    t.like(document, { question: 'kafka reassign plan', moves: 1, bound: 1, isProved: true, movesOfBalance: 1 })
    const files = ['reassignment', 'rollback'].map((print) => answer([...PLAN, ...cluster, ...DRAIN, '--print', print]))
    const [there, back] = (await Promise.all(files)).map((file) => JSON.parse(file))
    const entry = { topic: 't', partition: 1, log_dirs: ['any', 'any'] }
    t.deepEqual(there, {
      version: 1,
      partitions: [{ ...entry, replicas: document.reassignment.partitions[0].replicas }],
    })
    t.deepEqual(back, { version: 1, partitions: [{ ...entry, replicas: [8, 19] }] })
  })
})

test('that a fenced broker is emptied is said', (t) =>
  inFolder(async (folder) => {
    const path = join(folder, 'cluster.json')
    const brokers = [{ id: 0, state: 'fenced' }, { id: 1 }, { id: 2 }]
    writeFileSync(path, JSON.stringify({ brokers, topics: [{ name: 't', partitions: [[0, 1]] }] }))
    const { out, err } = await run([...PLAN, '--cluster', path])
    t.true(String(out).startsWith('1 replica moves'))
    t.regex(err.join('\n'), /fenced brokers may hold nothing by the plan: what 0 have moves away/)
  }))

test('where no plan exists the exit code is 1, and no file is written', async (t) => {
  await withP01(async (cluster, folder) => {
    const drain = ['--remove-brokers', P01.brokers.map(({ id }) => id).join()]
    const { code, out, err } = await run([...PLAN, ...cluster, ...drain, '--output', join(folder, 'plan.txt')])
    t.deepEqual([code, out.length], [1, 0])
    t.regex(err.at(-1)!, /partition t-0 needs 2 brokers, 0 are in: .* \[ERR_PLACEMENT_INFEASIBLE\]$/)
    t.deepEqual(readdirSync(folder), ['cluster.json'])
  })
})

test('a list that leaves out brokers which hold replicas is said', async (t) => {
  const { code, err } = await withP01((cluster) => run([...PLAN, ...cluster, '--broker-list', '2,3']))
  t.is(code, 0)
  t.true(
    err.some((line) => /the list leaves out brokers 0, 1, 4, .*: --remove-brokers empties them$/.test(line)),
    err.join('\n'),
  )
})

const REFUSED: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [[], /--cluster is missing/],
  [['--cluster', 'x', 'y'], /expected options alone, got "y"/],
  [
    ['--cluster', 'x', '--remove-brokers', '1,b'],
    /--remove-brokers: expected broker ids in \[0, 2147483647\] such as 0,1,2, got "b"/,
  ],
  [['--cluster', 'x', '--replace', '5'], /--replace: expected pairs such as 5:9, got "5"/],
  [['--cluster', 'x', '--mode', 'repairs'], /--mode: expected one of .*did you mean repair\?/],
  [['--cluster', 'x'], /x: expected a readable file/],
  [['--cluster', 'x', '--broker-list', '0,2147483648'], /--broker-list: expected broker ids in .* got "2147483648"/],
  [['--cluster', 'x', '--add-brokers', '7@'], /--add-brokers: expected a rack behind @, got "7@"/],
  [['--cluster', 'x', '--output', ''], /--output: expected the name of a file, got ""/],
  [
    ['--cluster', 'examples/cluster.json', '--broker-list', '0,99'],
    /--broker-list: expected brokers of the snapshot, which names its own, got 99 \[ERR_PLACEMENT_UNKNOWN_NAME\]/,
  ],
]

for (const [words, message] of REFUSED) {
  test(`refused with exit code 2: plan ${words.join(' ')}`, async (t) => {
    const { code, out, err } = await run([...PLAN, ...words])
    t.deepEqual([code, out.length], [2, 0])
    t.regex(err.at(-1)!, message)
  })
}

test('waves: one replica a broker at a time; explain: who leaves and who joins', async (t) => {
  await withP01(async (cluster) => {
    const drain = ['--remove-brokers', '18,19']
    const words = ['kafka', 'reassign', 'waves', ...cluster, ...drain, '--max-replicas-per-broker', '1', '--json']
    const { waves, moves } = JSON.parse(await answer(words))
    t.is(moves, 2)
    t.is(waves.flatMap(({ throttles }: { throttles: unknown[] }) => throttles).length, waves.length)
    const explain = ['kafka', 'reassign', 'explain', ...cluster, ...DRAIN, '--partition', 't-1']
    t.regex(
      await answer(explain),
      /^t-1: 8,19 → 8,\d+\nbroker 8 keeps .*\nbroker \d+ gets .*\nbroker 19 gives .*: it is not in\n$/,
    )
  })
})

test('a plan that takes long is ended by an interrupt, and leaves nothing behind', async (t) => {
  await inFolder(async (folder) => {
    const cluster = join(folder, 'cluster.json')
    const partitions = Array.from({ length: 300_000 }, (_, i) => [
      i % 40,
      (i + 1 + (i % 9)) % 40,
      (i + 11 + (i % 7)) % 40,
    ])
    const brokers = Array.from({ length: 60 }, (_, id) => ({ id }))
    writeFileSync(cluster, JSON.stringify({ brokers, topics: [{ name: 't', partitions }] }))
    const child = start([...PLAN, '--cluster', cluster, '--output', join(folder, 'plan')], { engine: 'fallback' })
    child.stderr!.once('data', () => setTimeout(() => child.kill('SIGINT'), 50))
    t.is((await end(child)).code, 130)
    t.deepEqual(readdirSync(folder), ['cluster.json'])
  })
})

test("the example's cluster is P01", (t) => {
  const { brokers, topics } = JSON.parse(readFileSync('examples/cluster.json', 'utf8'))
  t.deepEqual(topics[0].partitions, P01.topics[0]!.partitions)
  t.is(brokers.length, P01.brokers.length)
})
