/** The benches as tests: every row asserts its answers on 1,000 keys; what they take means nothing here. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { CORPORA, keysOfLength } from '../bench/corpora.js'
import { ROOT } from '../bench/machine.js'
import { checkAnswers, EFFORTS, race } from '../bench/race.js'
import { type BenchRecord, type RowRecord, recordOf, writeRecord } from '../bench/record.js'
import type { CaseResult } from '../bench/row.js'
import { ROWS } from '../bench/rows/index.js'
import { rowText } from '../bench/table.js'

/** A case has figures, or says what is missing on this machine. */
function checkCase(t: ExecutionContext, { case: title, items, race: timed, figures, skipped }: CaseResult): void {
  if (skipped !== undefined) {
    t.log(`${title}: skipped, ${skipped}`)
    return
  }
  t.true(items > 0, title)
  if (figures !== undefined) {
    t.true(Object.keys(figures).length > 0, title)
    return
  }
  for (const { name, best } of [timed!.ours, ...timed!.peers]) t.true(best > 0, `${title}: ${name}`)
  t.true(timed!.peers.length > 0, `${title}: a ratio needs a peer`)
}

for (const row of ROWS) {
  test.serial(`row ${row.name} asserts its answers and has figures for each case: ${row.work}`, async (t) => {
    t.timeout(10 * 60_000, 'the first run compiles the Rust bench')
    const cases = await row.run(EFFORTS.quick)
    t.true(cases.length > 0)
    for (const one of cases) checkCase(t, one)
    t.true(rowText(row, cases).startsWith(`row ${row.name}: `))
  })
}

test('a wrong answer is named and nothing is timed', (t) => {
  let calls = 0
  const wrong = {
    name: 'off by one',
    run: () => {
      calls++
      return Int32Array.of(1, 3)
    },
  }
  t.throws(() => race([wrong], [1, 2], EFFORTS.quick), { message: 'off by one: answer 1 is 3, expected 2' })
  t.is(calls, 1)
})

test('too few answers are wrong, and the sign of 32 bits is no difference', (t) => {
  t.throws(() => checkAnswers('short', [1], [1, 2]), { message: 'short: 1 answers, expected 2' })
  t.notThrows(() => checkAnswers('unsigned', [0xffffffff], [-1]))
})

test('a corpus is the same keys every time, as many as asked', (t) => {
  for (const { name, make } of CORPORA) {
    t.is(make(100).length, 100, name)
    t.deepEqual(make(100), make(100), name)
  }
  t.true(keysOfLength(20, 4096).every((key) => key.length === 4096))
})

function bench(...args: string[]): {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
} {
  return spawnSync(process.execPath, [`${ROOT}build/test/bench/main.js`, ...args], { encoding: 'utf8' })
}

test('--json gives the record of the rows asked for', (t) => {
  const { status, stdout, stderr } = bench('--quick', '--processor-time', '--json', '--row', 'harness', '--row', '4')
  t.is(status, 0, stderr)
  const { cpu, node, rows } = JSON.parse(stdout) as BenchRecord
  t.true(cpu.length > 0)
  t.is(node, process.version)
  t.deepEqual(
    rows.map(({ row }) => row),
    ['4', 'harness'],
  )
  t.is(rows[0]!.clock, 'processor')
})

test('wrong usage exits 2, names what was expected and shows how', (t) => {
  for (const [args, message] of [
    [['--row', 'nope'], '--row: expected one of 1, 2, '],
    [['--quick', '--slow'], 'expected --quick or --slow, got both'],
    [['--fast'], "Unknown option '--fast'"],
  ] as const) {
    const { status, stdout, stderr } = bench(...args)
    t.is(status, 2)
    t.is(stdout, '')
    t.true(stderr.startsWith(message), stderr)
    t.true(stderr.includes('npm run bench -- [--row NAME]'))
  }
})

test('a record keeps the rows that were not measured again, in the order of the table', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-record-'))
  const rowOf = (row: string, seconds: number): RowRecord => {
    return {
      row,
      work: '',
      goal: '',
      at: '',
      commit: '',
      load: 0,
      loadAfter: 0,
      seconds,
      clock: 'wall',
      rounds: 1,
      cases: [],
    }
  }
  try {
    writeRecord(recordOf([rowOf('9e', 1), rowOf('2', 1)]), ROWS, folder)
    const file = writeRecord(recordOf([rowOf('1', 2), rowOf('2', 2)]), ROWS, folder)
    const { rows } = JSON.parse(readFileSync(file, 'utf8')) as BenchRecord
    t.deepEqual(
      rows.map(({ row, seconds }) => [row, seconds]),
      [
        ['1', 2],
        ['2', 2],
        ['9e', 1],
      ],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
