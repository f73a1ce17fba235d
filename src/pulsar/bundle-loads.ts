/** What the bundles of a layout hold of the load of topics: sums by bundle, and the topics of one bundle. */
import type { NamespaceBundle } from './bundle-range.js'
import type { NamespaceBundles } from './bundles.js'
import type { BundleStats } from './split-limits.js'
import { checkPerTopic, checkRates, type PerTopic, ratesAt, type TopicRates } from './topic-rates.js'

const NAMES = ['msgRateIn', 'msgRateOut', 'msgThroughputIn', 'msgThroughputOut', 'consumers', 'producers'] as const

type Loads = TopicRates & { readonly consumers?: PerTopic | undefined; readonly producers?: PerTopic | undefined }

/** Errors: ERR_PLACEMENT_ARGUMENT_RANGE and ERR_PLACEMENT_ARGUMENT_TYPE of loads, with the index. */
export class BundleLoads {
  readonly bundles: NamespaceBundles
  /** Topics in each bundle. */
  readonly topics: Uint32Array
  readonly #sums: Partial<Record<(typeof NAMES)[number], Float64Array>> = {}
  readonly #hashes: Uint32Array
  readonly #indices: Uint32Array
  readonly #loads: Loads

  /** `hashes` are those of the topics, in the order of `loads`. */
  constructor(bundles: NamespaceBundles, hashes: Uint32Array, loads: Loads) {
    checkRates(loads, hashes.length)
    for (const name of ['consumers', 'producers'] as const) {
      if (loads[name] !== undefined) checkPerTopic(loads[name], name, hashes.length)
    }
    this.bundles = bundles
    this.#hashes = hashes
    this.#loads = loads
    this.#indices = bundles.indexOfHash(hashes)
    this.topics = new Uint32Array(bundles.length)
    for (const index of this.#indices) this.topics[index]!++
    for (const name of NAMES) if (loads[name] !== undefined) this.#sums[name] = this.#sumOf(loads[name])
  }

  #sumOf(column: PerTopic): Float64Array {
    const sums = new Float64Array(this.bundles.length)
    for (let i = 0; i < column.length; i++) sums[this.#indices[i]!]! += column[i]!
    return sums
  }

  /** What a broker would report of a bundle. */
  statsOf(index: number): BundleStats {
    const stats: Record<string, number> = { topics: this.topics[index]! }
    for (const name of NAMES) if (this.#sums[name] !== undefined) stats[name] = this.#sums[name][index]!
    return stats
  }

  /** Hashes and rates of the topics in a bundle. */
  topicsIn(bundle: NamespaceBundle): { hashes: Uint32Array; rates: TopicRates } {
    const found: number[] = []
    this.#hashes.forEach((hash, i) => {
      if (bundle.includesHash(hash)) found.push(i)
    })
    const indices = Uint32Array.from(found)
    return { hashes: indices.map((i) => this.#hashes[i]!), rates: ratesAt(this.#loads, indices) }
  }
}
