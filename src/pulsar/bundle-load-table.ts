/**
 * Loads of bundles from CSV (RFC 4180): a row a bundle, or a row a bundle and step, with the columns in any order.
 *
 * What differs from the obvious: a number left out is refused, and not taken for 0; steps are whole from 1 on, in any order of rows;
 * an owner holds before step 1, what comes later is the simulation's to say.
 */
import { type CodedError, checkText, codedError, nearest, shown } from '../errors.js'
import { LOAD_FIELDS, type LoadField } from './simulation/series.js'
import type { BundleLoad, SimulatedBundle } from './simulation-types.js'

/** Loads as `simulate` takes them. */
export interface BundleLoadTable {
  /** In the order of their first rows; with an owner where the table has one. */
  readonly bundles: readonly SimulatedBundle[]
  readonly loads: Readonly<Record<string, BundleLoad>>
  /** Steps of the longest series; 1 where the table has no steps. */
  readonly steps: number
}

const COLUMNS = ['bundle', 'step', 'owner', ...LOAD_FIELDS] as const
type Column = (typeof COLUMNS)[number]

/** As many as a simulation may have. */
const MOST_STEPS = 1_000_000

interface Cell {
  readonly text: string
  /** Counted from 1. */
  readonly column: number
}

/** A bundle while its rows are read. */
interface Series {
  owner: string | undefined
  /** Line of its first row. */
  readonly line: number
  /** Values of each step, from step 1 on; holes are gaps. */
  readonly rows: (readonly number[] | undefined)[]
}

/**
 * Reads loads of bundles.
 *
 * @param text a header of `bundle`, `step`?, `owner`? and any of msgRateIn, msgRateOut (messages a second), msgThroughputIn,
 *   msgThroughputOut (bytes a second), cpu, directMemory (in the unit of the brokers' limits), topics; then the rows
 * @param name what the text is called in messages
 * @throws ERR_PLACEMENT_INPUT (what is no such table, with line and column; a series with gaps), ERR_PLACEMENT_DUPLICATE (a bundle
 *   twice in a step), ERR_PLACEMENT_ARGUMENT_RANGE (negative, NaN, Infinity), ERR_PLACEMENT_UNKNOWN_NAME (a column, with the nearest)
 */
export function readBundleLoads(text: string, name = 'loads.csv'): BundleLoadTable {
  checkText(text, 'text')
  return new TableReader(name).read(text.replace(/^\ufeff/, ''))
}

class TableReader {
  readonly #name: string
  readonly #series = new Map<string, Series>()
  #places = new Map<Column, number>()
  #numbers: readonly LoadField[] = []

  constructor(name: string) {
    this.#name = name
  }

  read(text: string): BundleLoadTable {
    const lines = text.split(/\r?\n/)
    for (const [i, line] of lines.entries()) {
      if (line.trim() === '') continue
      const cells = this.#cells(line, i + 1)
      if (this.#places.size === 0) this.#header(cells, i + 1)
      else this.#row(cells, i + 1)
    }
    if (this.#places.size === 0)
      throw this.#wrong(1, 1, `expected a header such as bundle,${LOAD_FIELDS[0]}, got nothing`)
    if (this.#series.size === 0) throw this.#wrong(lines.length, 1, 'expected rows behind the header, got none')
    return this.#table()
  }

  #cells(line: string, number: number): Cell[] {
    const cells: Cell[] = []
    const pattern = /("(?:[^"]|"")*"|[^,]*)(,|$)/y
    for (let at = 0; at <= line.length; ) {
      pattern.lastIndex = at
      const [all, field, end] = pattern.exec(line) ?? ['', '"', '']
      const isQuoted = field!.startsWith('"')
      if (isQuoted && !/^"(?:[^"]|"")*"$/.test(field!)) {
        throw this.#wrong(number, at + 1, 'expected a field that ends with its quote, got another')
      }
      cells.push({ text: (isQuoted ? field!.slice(1, -1).replaceAll('""', '"') : field!).trim(), column: at + 1 })
      at += all!.length
      if (end === '') break
    }
    return cells
  }

  #header(cells: readonly Cell[], line: number): void {
    for (const [i, { text, column }] of cells.entries()) {
      if (!(COLUMNS as readonly string[]).includes(text)) {
        const near = nearest(text, COLUMNS)
        const hint = near === null ? '' : ` (did you mean ${near}?)`
        const message = `expected columns of ${COLUMNS.join(', ')}, got ${shown(text)}${hint}`
        throw this.#wrong(line, column, message, 'ERR_PLACEMENT_UNKNOWN_NAME')
      }
      if (this.#places.has(text as Column)) {
        throw this.#wrong(line, column, `expected each column once, got ${text} twice`, 'ERR_PLACEMENT_DUPLICATE')
      }
      this.#places.set(text as Column, i)
    }
    this.#numbers = LOAD_FIELDS.filter((name) => this.#places.has(name))
    if (!this.#places.has('bundle')) throw this.#wrong(line, 1, 'expected a column bundle, got none')
    if (this.#numbers.length === 0)
      throw this.#wrong(line, 1, `expected a column of ${LOAD_FIELDS.join(', ')}, got none`)
  }

  #row(cells: readonly Cell[], line: number): void {
    if (cells.length !== this.#places.size) {
      const message = `expected ${this.#places.size} fields as in the header, got ${cells.length}`
      throw this.#wrong(line, cells.at(-1)!.column, message)
    }
    const cell = (column: Column) => cells[this.#places.get(column)!]!
    const { text: bundle, column } = cell('bundle')
    if (bundle === '') throw this.#wrong(line, column, 'expected the name of a bundle, got nothing')
    const step = this.#places.has('step') ? this.#step(cell('step'), line) : 1
    const series = this.#seriesOf(bundle, line)
    if (this.#places.has('owner')) this.#own(series, cell('owner'), { line, step })
    if (series.rows[step - 1] !== undefined) {
      const what = this.#places.has('step') ? `step ${step} of ${shown(bundle)}` : shown(bundle)
      throw this.#wrong(line, column, `expected each bundle once, got ${what} again`, 'ERR_PLACEMENT_DUPLICATE')
    }
    series.rows[step - 1] = this.#numbers.map((name) => this.#number(name, cell(name), line))
  }

  #seriesOf(bundle: string, line: number): Series {
    let series = this.#series.get(bundle)
    if (series === undefined) {
      series = { owner: undefined, line, rows: [] }
      this.#series.set(bundle, series)
    }
    return series
  }

  #step({ text, column }: Cell, line: number): number {
    const step = /^\d{1,7}$/.test(text) ? Number(text) : 0
    if (step >= 1 && step <= MOST_STEPS) return step
    throw this.#wrong(line, column, `step: expected an integer in [1, ${MOST_STEPS}], got ${shown(text)}`)
  }

  #own(series: Series, { text, column }: Cell, { line, step }: { line: number; step: number }): void {
    if (text === '' || text === series.owner) return
    if (step === 1 && series.owner === undefined) {
      series.owner = text
      return
    }
    const before = series.owner === undefined ? 'none' : shown(series.owner)
    throw this.#wrong(line, column, `owner: expected the owner before step 1, ${before}, got ${shown(text)}`)
  }

  #number(name: string, { text, column }: Cell, line: number): number {
    const value = text === '' ? Number.NaN : Number(text)
    if (value >= 0 && Number.isFinite(value) && !/^0[xob]/i.test(text)) return value
    const isNumber = text !== '' && (!Number.isNaN(value) || /^[+-]?nan$/i.test(text))
    const got = text === '' ? 'nothing' : shown(text)
    const code = isNumber ? 'ERR_PLACEMENT_ARGUMENT_RANGE' : 'ERR_PLACEMENT_INPUT'
    throw this.#wrong(line, column, `${name}: expected a number of 0 or more, got ${got}`, code)
  }

  #wrong(
    line: number,
    column: number,
    message: string,
    code:
      | 'ERR_PLACEMENT_INPUT'
      | 'ERR_PLACEMENT_DUPLICATE'
      | 'ERR_PLACEMENT_ARGUMENT_RANGE'
      | 'ERR_PLACEMENT_UNKNOWN_NAME' = 'ERR_PLACEMENT_INPUT',
  ): CodedError {
    return codedError(code, `${this.#name}:${line}:${column}: ${message}`)
  }

  #table(): BundleLoadTable {
    const bundles = [...this.#series].map(([name, { owner }]) => (owner === undefined ? { name } : { name, owner }))
    const loads = [...this.#series].map(([name, series]) => [name, this.#load(name, series)] as const)
    const steps = [...this.#series.values()].reduce((most, { rows }) => Math.max(most, rows.length), 1)
    return { bundles, loads: Object.fromEntries(loads), steps }
  }

  #load(bundle: string, { rows, line }: Series): BundleLoad {
    const gap = Array.from(rows, (row) => row === undefined).indexOf(true)
    if (gap >= 0) {
      const message = `${shown(bundle)}: expected the steps 1 to ${rows.length} without gaps, got no step ${gap + 1}`
      throw this.#wrong(line, 1, message)
    }
    const valuesOf = (i: number) => (rows.length === 1 ? rows[0]![i]! : Float64Array.from(rows, (row) => row![i]!))
    return Object.fromEntries(this.#numbers.map((name, i) => [name, valuesOf(i)]))
  }
}
