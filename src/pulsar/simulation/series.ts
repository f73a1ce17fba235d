/** Loads of bundles in columns, step by step: constants, series, and what events change. */
import { checkInteger, codedError, nearest, shown } from '../../errors.js'
import { RATES } from '../broker-load.js'
import type { BundleLoad, LoadValue } from '../simulation-types.js'

export const LOAD_FIELDS = [...RATES, 'cpu', 'directMemory', 'topics'] as const satisfies readonly (keyof BundleLoad)[]
export type LoadField = (typeof LOAD_FIELDS)[number]

/** A bundle's load as numbers and series of one length. */
export interface CheckedLoad {
  /** By the index of a field. */
  readonly values: readonly LoadValue[]
  /** Length of the series; 1 for constants. */
  readonly length: number
  /** The largest value of each field. */
  readonly most: readonly number[]
}

/** A load and where it was given. */
export interface GivenLoad {
  readonly load: CheckedLoad
  readonly where: string
}

/**
 * Refuses loads that no broker reports.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (NaN, negative, a gap in a series, with the step),
 *   ERR_PLACEMENT_UNKNOWN_NAME (with the nearest field)
 */
export function checkBundleLoad(load: unknown, where: string): CheckedLoad {
  if (typeof load !== 'object' || load === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a load, got ${shown(load)}`)
  }
  for (const name of Object.keys(load)) checkField(name, where)
  let [length, series] = [1, '']
  const most: number[] = []
  const values = LOAD_FIELDS.map((field) => {
    const value = (load as BundleLoad)[field] ?? 0
    most.push(
      typeof value === 'number' ? checkValue(value, `${where}.${field}`) : checkSeries(value, `${where}.${field}`),
    )
    if (typeof value === 'number') return value
    if (series !== '' && value.length !== length) {
      const expected = `${where}.${field}: expected a series of ${length} steps as ${series} has, got ${value.length}`
      throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', expected)
    }
    ;[length, series] = [value.length, field]
    return value
  })
  return { values, length, most }
}

function checkField(name: string, where: string): void {
  if ((LOAD_FIELDS as readonly string[]).includes(name)) return
  const near = nearest(name, LOAD_FIELDS)
  const hint = near === null ? '' : ` (did you mean ${near}?)`
  const message = `${where}: expected one of ${LOAD_FIELDS.join(', ')}, got ${shown(name)}${hint}`
  throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message)
}

/** @returns the largest value */
function checkSeries(series: ArrayLike<number>, where: string): number {
  if (typeof series !== 'object' || typeof series.length !== 'number') {
    const message = `${where}: expected a number or a series of numbers, got ${shown(series)}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
  }
  checkInteger(series.length, `${where}.length`, [1, 2 ** 31 - 1])
  let most = 0
  for (let i = 0; i < series.length; i++) most = Math.max(most, checkValue(series[i], `${where}[${i}]`, i + 1))
  return most
}

function checkValue(value: unknown, where: string, step?: number): number {
  if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return value
  const code = typeof value === 'number' ? 'ERR_PLACEMENT_ARGUMENT_RANGE' : 'ERR_PLACEMENT_ARGUMENT_TYPE'
  const gap = step === undefined ? '' : `: the series has a gap at its step ${step}`
  throw codedError(code, `${where}: expected a finite number of 0 or more, got ${shown(value)}${gap}`)
}

interface Series {
  readonly bundle: number
  readonly load: CheckedLoad
  /** The step of its first value. */
  readonly first: number
}

/** The load of every bundle as it is now. */
export class LoadTable {
  /** One column a field, in the order of `LOAD_FIELDS`. */
  readonly columns: readonly Float64Array[]
  readonly #series = new Map<number, Series>()

  constructor(loads: readonly CheckedLoad[]) {
    this.columns = LOAD_FIELDS.map(() => new Float64Array(loads.length))
    for (const [bundle, load] of loads.entries()) this.set(bundle, load, 1)
  }

  column(field: LoadField): Float64Array {
    return this.columns[LOAD_FIELDS.indexOf(field)]!
  }

  /** Gives a bundle another load, whose series begins with step `first`. */
  set(bundle: number, load: CheckedLoad, first: number): void {
    this.#put(bundle, load, 0)
    if (load.length > 1) this.#series.set(bundle, { bundle, load, first })
    else this.#series.delete(bundle)
  }

  /** Goes on to a step. @returns whether any load changed */
  advance(step: number): boolean {
    let changed = false
    for (const { bundle, load, first } of this.#series.values()) {
      const at = step - first
      if (at <= 0) continue
      if (at < load.length) changed = this.#put(bundle, load, at) || changed
      else this.#series.delete(bundle)
    }
    return changed
  }

  #put(bundle: number, { values }: CheckedLoad, at: number): boolean {
    let changed = false
    for (const [field, value] of values.entries()) {
      const now = typeof value === 'number' ? value : value[at]!
      const column = this.columns[field]!
      changed ||= column[bundle] !== now
      column[bundle] = now
    }
    return changed
  }
}
