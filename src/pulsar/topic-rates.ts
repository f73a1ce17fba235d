/**
 * The traffic of topics, as columns beside their names: what the broker's statistics of a topic are to splits and advice.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.common.policies.data.stats.TopicStatsImpl.
 */
import type { Flows } from '../engine/contract.js'
import { codedError, shown } from '../errors.js'

/** A number for each topic, in the order of the topics. */
export type PerTopic = readonly number[] | Float64Array

/** Traffic of each topic a second. A column that is not given is 0 throughout, which is as no statistics. */
export interface TopicRates {
  readonly msgRateIn?: PerTopic | undefined
  readonly msgRateOut?: PerTopic | undefined
  /** Bytes. */
  readonly msgThroughputIn?: PerTopic | undefined
  /** Bytes. */
  readonly msgThroughputOut?: PerTopic | undefined
}

const COLUMNS = ['msgRateIn', 'msgRateOut', 'msgThroughputIn', 'msgThroughputOut'] as const

/**
 * Refuses columns of another length than the topics, and what is no number; a negative rate too, unless `negative` is
 * `as the broker`, which counts with it.
 *
 * Errors: ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE with the index.
 */
export function checkRates(rates: TopicRates, topics: number, negative: 'refused' | 'as the broker' = 'refused'): void {
  for (const name of COLUMNS) {
    const column = rates[name]
    if (column !== undefined) checkPerTopic(column, `rates.${name}`, topics, negative)
  }
}

/** The same of one column. */
export function checkPerTopic(
  column: PerTopic,
  name: string,
  topics: number,
  negative: 'refused' | 'as the broker' = 'refused',
): void {
  if (!Array.isArray(column) && !(column instanceof Float64Array)) {
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_TYPE',
      `${name}: expected an array or a Float64Array, got ${shown(column)}`,
    )
  }
  if (column.length !== topics) {
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_RANGE',
      `${name}: expected a number for each of ${topics} topics, got ${column.length}`,
    )
  }
  const least = negative === 'refused' ? 0 : Number.NEGATIVE_INFINITY
  for (let i = 0; i < topics; i++) {
    const value: unknown = column[i]
    if (typeof value === 'number' && value >= least && Number.isFinite(value)) continue
    throw notRate(`${name}[${i}]`, i, value)
  }
}

function notRate(where: string, index: number, value: unknown): Error {
  const code = typeof value === 'number' ? 'ERR_PLACEMENT_ARGUMENT_RANGE' : 'ERR_PLACEMENT_ARGUMENT_TYPE'
  return codedError(code, `${where}: expected a number of 0 or more, got ${shown(value)}`, { index })
}

/** In and out together, as the algorithm adds them. */
export function flowsOf(hashes: Uint32Array, rates: TopicRates): Flows {
  checkRates(rates, hashes.length, 'as the broker')
  return {
    hashes,
    msgRates: sumOf(rates.msgRateIn, rates.msgRateOut, hashes.length),
    throughputs: sumOf(rates.msgThroughputIn, rates.msgThroughputOut, hashes.length),
  }
}

/** The sum of two columns; a missing one is 0. */
export function sumOf(a: PerTopic | undefined, b: PerTopic | undefined, length: number): Float64Array {
  const sum = new Float64Array(length)
  if (a !== undefined) for (let i = 0; i < length; i++) sum[i] = a[i]!
  if (b !== undefined) for (let i = 0; i < length; i++) sum[i]! += b[i]!
  return sum
}

/** The rates of some of the topics, by their indices. */
export function ratesAt(rates: TopicRates, indices: Uint32Array): TopicRates {
  const taken: Record<string, Float64Array> = {}
  for (const name of COLUMNS) {
    const column = rates[name]
    if (column !== undefined) taken[name] = Float64Array.from(indices, (i) => column[i]!)
  }
  return taken
}
