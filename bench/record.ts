/** The results for later: one file a day, processor and Node.js release in bench/record, a row at a time. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type Machine, type Moment, machine, ROOT } from './machine.js'
import type { CaseResult, Row } from './row.js'

/** What a row found, when, and at which commit. */
export interface RowRecord extends Moment {
  readonly row: string
  readonly work: string
  readonly goal: string
  /** Load average when it ended. */
  readonly loadAfter: number
  readonly seconds: number
  readonly clock: 'wall' | 'processor'
  readonly rounds: number
  readonly cases: readonly CaseResult[]
}

/** A file of bench/record; nanoseconds an item throughout, ratios are a peer's time over ours. */
export interface BenchRecord extends Machine {
  readonly rows: readonly RowRecord[]
}

export function recordOf(rows: readonly RowRecord[]): BenchRecord {
  return { ...machine(), rows }
}

/**
 * Writes the rows into the file of today, this processor and this Node.js: rows measured again replace the older ones of
 * the same name, the others stay, each with its own time and commit.
 *
 * @param order the rows as the file lists them
 * @returns the file
 */
export function writeRecord(record: BenchRecord, order: readonly Row[], folder = `${ROOT}bench/record`): string {
  const file = `${folder}/${fileName(record)}`
  const older = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BenchRecord).rows : []
  const kept = older.filter(({ row }) => !record.rows.some((newer) => newer.row === row))
  const place = ({ row }: RowRecord): number => order.findIndex(({ name }) => name === row)
  const rows = [...kept, ...record.rows].sort((a, b) => place(a) - place(b))
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${file}.part`, `${JSON.stringify({ ...record, rows }, rounded, 1)}\n`)
  renameSync(`${file}.part`, file)
  return file
}

/** `2026-01-31-amd-epyc-avx512-node20.json`: several processors call themselves by one name, and the arm tells them apart. */
function fileName({ cpu, arm, node, platform }: Machine): string {
  const arch = platform.includes('arm64') ? '-arm64' : ''
  const words = `${cpu}-${arm}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${new Date().toISOString().slice(0, 10)}-${words}${arch}-node${node.slice(1).split('.')[0]}.json`
}

/** Four digits are more than the machine can tell; JSON knows no Infinity. */
function rounded(_: string, value: unknown): unknown {
  if (typeof value !== 'number') return value
  if (!Number.isFinite(value)) return 'never'
  return Number.isInteger(value) ? value : Number(value.toPrecision(4))
}
