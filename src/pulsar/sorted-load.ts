/**
 * Topics in the order of their hashes, with what they weigh: then each layout, however many are asked about, costs a search
 * for its boundaries, and no pass over the topics.
 */
import { codedError } from '../errors.js'
import { checkRates, sumOf, type TopicRates } from './topic-rates.js'

/** What a topic is weighed by: bytes a second where they are given, else messages, else each topic is 1. */
export type LoadUnit = 'bytes' | 'messages' | 'topics'

/** Hashes ascending, and the index that each had, which traffic alone needs. */
export interface SortedHashes {
  readonly sorted: Uint32Array
  readonly order: Uint32Array | null
}

/** Different top halves of a hash. */
const TOPS = 2 ** 16

/** Whether any traffic is given. */
export const hasTraffic = (rates: TopicRates): boolean => Object.values(rates).some((column) => column !== undefined)

/** Errors: ERR_PLACEMENT_ARGUMENT_RANGE and ERR_PLACEMENT_ARGUMENT_TYPE of rates, with the index. */
export class SortedLoad {
  readonly unit: LoadUnit
  readonly hashes: Uint32Array
  readonly total: number
  /** The heaviest topic. */
  readonly heaviest: number
  /** Messages and bytes a second of each topic, in the order of the hashes; `null` where none are given. */
  readonly traffic: { readonly msgRates: Float64Array; readonly throughputs: Float64Array } | null
  readonly #tops: Uint32Array
  /** Sums of messages and of bytes before each topic, `null` where none are given. */
  readonly #sums: { readonly msgRates: Float64Array; readonly throughputs: Float64Array } | null
  /** Sums of the weights before each topic, `null` where each is 1. */
  readonly #before: Float64Array | null

  constructor({ sorted, order }: SortedHashes, rates: TopicRates) {
    checkRates(rates, sorted.length)
    this.hashes = sorted
    this.#tops = topsOf(sorted)
    this.unit = unitOf(rates)
    this.traffic = order === null ? null : trafficOf(order, rates)
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
    for (let i = 1; i < bundles; i++) at[i] = this.#lowerBound(i * width)
    at[bundles] = this.hashes.length
    return at
  }

  /** The first index whose hash is not below `bound`: sought among those of one top half. */
  #lowerBound(bound: number): number {
    const top = bound >>> 16
    let [low, high] = [this.#tops[top]!, this.#tops[top + 1]!]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.hashes[middle]! < bound) low = middle + 1
      else high = middle
    }
    return low
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

/** Where the hashes of each top half begin, and the end. */
function topsOf(hashes: Uint32Array): Uint32Array {
  const tops = new Uint32Array(TOPS + 1)
  for (let i = 0; i < hashes.length; i++) tops[(hashes[i]! >>> 16) + 1]!++
  for (let top = 1; top <= TOPS; top++) tops[top]! += tops[top - 1]!
  return tops
}
