/**
 * `npm run bench`: every row of the performance table, its answers asserted, its ratios measured against named peers in
 * the same run. Text goes to standard output, or with `--json` the record; progress goes to standard error.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { machine, moment } from './machine.js'
import { EFFORTS, type Effort } from './race.js'
import { type RowRecord, recordOf, writeRecord } from './record.js'
import type { Row } from './row.js'
import { ROWS } from './rows/index.js'
import { rowText } from './table.js'

const USAGE = `npm run bench -- [--row NAME]... [--json] [--quick | --slow] [--processor-time]

  --row NAME  only this row; more than one may be given (${ROWS.map(({ name }) => name).join(' ')})
  --json      the record on standard output instead of text
  --quick     1,000 keys and one round: are the answers right? Its times mean nothing, and no record is written
  --slow      25 rounds instead of 5
  --processor-time  count what this process computed, not what the clock on the wall says: for a machine that others use
              too. Rows over single keys and the Rust bench stay on the wall, where the best of many short samples counts

Examples: npm run bench -- --row 1 --row 4      npm run bench -- --slow --json > today.json`

interface Options {
  readonly rows: readonly Row[]
  readonly json: boolean
  readonly effort: Effort
  readonly help: boolean
}

class UsageError extends Error {}

/** @throws UsageError */
function optionsOf(args: string[]): Options {
  const { values } = parsed(args)
  if (values.quick && values.slow) throw new UsageError('expected --quick or --slow, got both')
  const named = EFFORTS[values.quick ? 'quick' : values.slow ? 'slow' : 'normal']
  const effort: Effort = values['processor-time'] ? { ...named, clock: 'processor' } : named
  return { rows: chosen(values.row ?? []), json: values.json ?? false, effort, help: values.help ?? false }
}

function parsed(args: string[]) {
  const flag = { type: 'boolean' } as const
  const row = { type: 'string', multiple: true } as const
  const options = { row, json: flag, quick: flag, slow: flag, 'processor-time': flag, help: flag } as const
  try {
    return parseArgs({ args, options })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function chosen(names: readonly string[]): readonly Row[] {
  const unknown = names.find((name) => !ROWS.some((row) => row.name === name))
  if (unknown !== undefined) {
    throw new UsageError(`--row: expected one of ${ROWS.map(({ name }) => name).join(', ')}, got ${unknown}`)
  }
  return names.length === 0 ? ROWS : ROWS.filter(({ name }) => names.includes(name))
}

async function measure(row: Row, effort: Effort): Promise<RowRecord> {
  const began = performance.now()
  process.stderr.write(`row ${row.name}: ${row.work} …\n`)
  const start = moment()
  const cases = await row.run(effort)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const { clock, rounds } = effort
  return {
    row: row.name,
    work: row.work,
    goal: row.goal,
    ...start,
    loadAfter: loadavg()[0]!,
    seconds,
    clock,
    rounds,
    cases,
  }
}

async function bench({ rows, json, effort }: Options): Promise<void> {
  const { cpu, cores, engine, arm, node, rustc } = machine()
  if (!json) console.log(`${cpu}, ${cores} cores · node ${node} · ${rustc} · engine ${engine}, arm ${arm}\n`)
  const records: RowRecord[] = []
  for (const row of rows) {
    const record = await measure(row, effort)
    records.push(record)
    if (!json) console.log(rowText(row, record.cases))
  }
  if (json) console.log(JSON.stringify(recordOf(records), null, 1))
  if (effort.items === EFFORTS.normal.items)
    process.stderr.write(`written to ${writeRecord(recordOf(records), ROWS)}\n`)
}

async function main(): Promise<void> {
  try {
    const options = optionsOf(process.argv.slice(2))
    if (options.help) console.log(USAGE)
    else await bench(options)
  } catch (error) {
    const wrongUsage = error instanceof UsageError
    process.stderr.write(`${wrongUsage ? `${error.message}\n\n${USAGE}` : (error as Error).stack}\n`)
    process.exitCode = wrongUsage ? 2 : 1
  }
}

await main()
