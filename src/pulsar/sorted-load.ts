/**
 * Topics in the order of their hashes, with what they weigh: then each layout, however many are asked about, costs a search
 * for its boundaries, and no pass over the topics.
 */
import { codedError } from '../errors.js'
import { checkRates, sumOf, type TopicRates } from './topic-rates.js'

/** What a topic is weighed by: bytes a second where they are given, else messages, else each topic is 1. */
export type LoadUnit = 'bytes' | 'messages' | 'topics'

/** Hashes ascending, and the index that each had. */
export interface SortedHashes {
  readonly sorted: Uint32Array
  readonly order: Uint32Array
}

/** Errors: ERR_PLACEMENT_ARGUMENT_RANGE and ERR_PLACEMENT_ARGUMENT_TYPE of rates, with the index. */
export class SortedLoad {
  readonly unit: LoadUnit
  readonly hashes: Uint32Array
  readonly total: number
  /** The heaviest topic. */
  readonly heaviest: number
  /** Messages and bytes a second of each topic, in the order of the hashes; `null` where none are given. */
  readonly traffic: { readonly msgRates: Float64Array; readonly throughputs: Float64Array } | null
  /** Sums of messages and of bytes before each topic, `null` where none are given. */
  readonly #sums: { readonly msgRates: Float64Array; readonly throughputs: Float64Array } | null
  /** Sums of the weights before each topic, `null` where each is 1. */
  readonly #before: Float64Array | null

  constructor({ sorted, order }: SortedHashes, rates: TopicRates) {
    checkRates(rates, sorted.length)
    this.hashes = sorted
    this.unit = unitOf(rates)
    this.traffic = Object.values(rates).some((column) => column !== undefined) ? trafficOf(order, rates) : null
    this.#sums = this.traffic && {
      msgRates: sumsBefore(this.traffic.msgRates),
      throughputs: sumsBefore(this.traffic.throughputs),
    }
    const column = this.unit === 'bytes' ? 'throughputs' : 'msgRates'
    this.#before = this.unit === 'topics' ? null : this.#sums![column]
    this.total = this.#before === null ? sorted.length : this.#before[sorted.length]!
    this.heaviest = this.#before === null ? Math.min(1, sorted.length) : largestOf(this.traffic![column])
    if (Number.isFinite(this.total)) return
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', 'rates: expected a finite sum, got Infinity')
  }

  /** Where each of `bundles` equal bundles begins among the hashes, and the end: bundle `i` holds `[at[i], at[i + 1])`. */
  startsOf(bundles: number): Uint32Array {
    const width = Math.floor(2 ** 32 / bundles)
    const at = new Uint32Array(bundles + 1)
    for (let i = 1; i < bundles; i++) at[i] = lowerBound(this.hashes, i * width, at[i - 1]!)
    at[bundles] = this.hashes.length
    return at
  }

  /** The weight of the topics `[from, to)`. */
  between(from: number, to: number): number {
    return this.#before === null ? to - from : this.#before[to]! - this.#before[from]!
  }

  /** The traffic of the topics `[from, to)`, in and out together. */
  trafficBetween(from: number, to: number): { msgRateIn: number; msgThroughputIn: number } {
    if (this.#sums === null) return { msgRateIn: 0, msgThroughputIn: 0 }
    const { msgRates, throughputs } = this.#sums
    return { msgRateIn: msgRates[to]! - msgRates[from]!, msgThroughputIn: throughputs[to]! - throughputs[from]! }
  }
}

const largestOf = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, value), 0)

function unitOf(rates: TopicRates): LoadUnit {
  if (rates.msgThroughputIn !== undefined || rates.msgThroughputOut !== undefined) return 'bytes'
  return rates.msgRateIn !== undefined || rates.msgRateOut !== undefined ? 'messages' : 'topics'
}

function trafficOf(order: Uint32Array, rates: TopicRates) {
  const ofTopics = {
    msgRates: sumOf(rates.msgRateIn, rates.msgRateOut, order.length),
    throughputs: sumOf(rates.msgThroughputIn, rates.msgThroughputOut, order.length),
  }
  return { msgRates: inOrder(ofTopics.msgRates, order), throughputs: inOrder(ofTopics.throughputs, order) }
}

function inOrder(values: Float64Array, order: Uint32Array): Float64Array {
  const ordered = new Float64Array(order.length)
  for (let i = 0; i < order.length; i++) ordered[i] = values[order[i]!]!
  return ordered
}

function sumsBefore(weights: Float64Array): Float64Array {
  const before = new Float64Array(weights.length + 1)
  for (let i = 0; i < weights.length; i++) before[i + 1] = before[i]! + weights[i]!
  return before
}

/** The first index from `from` on whose hash is not below `bound`. */
function lowerBound(hashes: Uint32Array, bound: number, from: number): number {
  let [low, high] = [from, hashes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (hashes[middle]! < bound) low = middle + 1
    else high = middle
  }
  return low
}
