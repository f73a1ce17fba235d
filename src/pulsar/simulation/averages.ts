/**
 * The rates of bundles averaged over time, as the leader of the modular load manager keeps them: over about 10 samples for what is
 * shed, over about 1,000 for where bundles are placed.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.policies.data.loadbalancer.TimeAverageMessageData. What differs from the obvious:
 * the first sample replaces the default, 50 messages in and 50 out a second; a bundle that no broker reports loses its history.
 * Simulated: one sample a step. Pulsar takes one at each report of any broker.
 */
import { RATES } from '../broker-load.js'
import { addUp, type Cluster, NOBODY } from './cluster.js'

const SHORT = 10
const LONG = 1000
/** Messages a second, in and out together, of a bundle of which nothing is known. */
export const DEFAULT_RATE = 100

/**
 * `keepsLong`: whether the long averages are asked for; they take a division a bundle and step, the short ones none once they stand
 * still.
 */
export class Averages {
  readonly #cluster: Cluster
  readonly #samples: Int32Array
  readonly #short: readonly Float64Array[]
  readonly #long: readonly Float64Array[]
  readonly #loads: readonly Float64Array[]
  /** Long-term messages a second of what each broker reports. */
  readonly #longIn: Float64Array
  readonly #longOut: Float64Array
  #isStill = false

  constructor(cluster: Cluster, keepsLong: boolean) {
    const [bundles, brokers] = [cluster.bundleNames.length, cluster.brokerNames.length]
    const columns = (count: number) => Array.from({ length: count }, () => new Float64Array(bundles))
    this.#cluster = cluster
    this.#samples = new Int32Array(bundles)
    this.#short = columns(4)
    this.#long = columns(keepsLong ? 2 : 0)
    this.#longIn = new Float64Array(brokers)
    this.#longOut = new Float64Array(brokers)
    this.#loads = RATES.map((field) => cluster.loads.column(field))
  }

  /** Takes the reports of a step in. */
  sample(): void {
    const { reportedOwner } = this.#cluster
    const samples = this.#samples
    for (let bundle = 0; bundle < samples.length; bundle++) {
      samples[bundle] = reportedOwner[bundle] === NOBODY ? 0 : Math.min(LONG, samples[bundle]! + 1)
    }
    if (this.#cluster.isNew) this.#isStill = false
    if (!this.#isStill) this.#isStill = this.#short.map((_, i) => this.#updateShort(i)).every((still) => still)
    for (const [i, column] of this.#long.entries()) {
      update(column, this.#loads[i]!, samples, LONG)
      addUp(i === 0 ? this.#longIn : this.#longOut, column, reportedOwner)
    }
  }

  /** @returns whether nothing changed, and nothing will while loads are the same */
  #updateShort(i: number): boolean {
    const changed = update(this.#short[i]!, this.#loads[i]!, this.#samples, SHORT)
    return !changed && this.#samples.every((count) => count === 0 || count >= SHORT)
  }

  messageRate(bundle: number): number {
    return this.#short[0]![bundle]! + this.#short[1]![bundle]!
  }

  throughput(bundle: number): number {
    return this.#short[2]![bundle]! + this.#short[3]![bundle]!
  }

  /** Long-term messages a second of a broker. */
  longTermMsgRate(broker: number): number {
    return this.#longIn[broker]! + this.#longOut[broker]!
  }

  /** All that the leader has of a bundle, as one text: equal ones are one to AvgShedder in 4.2. */
  dataOf(bundle: number): string {
    const columns = [...this.#short, ...this.#long]
    return this.#samples[bundle] === 0 ? '' : [this.#samples, ...columns].map((column) => column[bundle]).join(' ')
  }
}

/** @returns whether any average changed */
function update(averages: Float64Array, values: Float64Array, samples: Int32Array, most: number): boolean {
  let changed = false
  for (let i = 0; i < averages.length; i++) {
    const count = Math.min(samples[i]!, most)
    if (count === 0) continue
    const average = ((count - 1) * averages[i]! + values[i]!) / count
    changed ||= average !== averages[i]
    averages[i] = average
  }
  return changed
}
