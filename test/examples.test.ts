/** The programs of `examples`, as a reader runs them. `node scripts/build.mjs examples` must have been there before. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { inFolder } from './cli-process.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

function example(name: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [join(ROOT, 'build/examples', name), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

test('the gateway routes every record and shows what more partitions move', (t) => {
  const text = example('gateway.js', '20000')
  t.regex(text, /^20000 records of topic orders routed, engine (native|fallback) \([\w-]+\)$/m)
  t.regex(text, /^a call .*: p50 \d+ ns, p99\.9 \d+ ns, worst \d+ ns$/m)
  const moves = [...text.matchAll(/^order-4\d: partition (\d+) of 12, partition (\d+) of 24$/gm)]
  t.is(moves.length, 3)
  // The hash stays, and 12 divides 24: a key keeps its partition or goes 12 further.
  for (const [line, before, after] of moves) t.is(Number(after) % 12, Number(before), line)
})

test('the batch planner writes the bundle of each name, in order, and counts them', async (t) => {
  await inFolder(async (folder) => {
    const output = join(folder, 'bundles.tsv')
    const text = example('batch-planner.js', 'examples/topics.txt', output, '64')
    const names = readFileSync(join(ROOT, 'examples/topics.txt'), 'utf8').trimEnd().split('\n')
    const rows = readFileSync(output, 'utf8').trimEnd().split('\n')
    t.deepEqual(
      rows.map((row) => row.split('\t')[0]),
      names,
    )
    t.true(rows.every((row) => /\t0x[0-9a-f]{8}_0x[0-9a-f]{8}$/.test(row)))
    t.regex(text, new RegExp(`^${names.length} topics in \\d+ of 64 bundles, at most \\d+ in one$`, 'm'))
  })
})

test('the batch planner names the line of a bad name and leaves nothing behind', async (t) => {
  await inFolder(async (folder) => {
    const [input, output] = ['topics.txt', 'bundles.tsv'].map((name) => join(folder, name)) as [string, string]
    writeFileSync(input, 'persistent://t/ns/a\nbad://t/ns/b\n')
    const { message } = t.throws(() => example('batch-planner.js', input, output))!
    t.true(message.includes(`${input}:2: `), message)
    t.throws(() => readFileSync(output), { code: 'ENOENT' })
  })
})
