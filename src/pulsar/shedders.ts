/**
 * What a leader with the modular load manager unloads: ThresholdShedder, OverloadShedder, UniformLoadShedder.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, the classes of these names in org.apache.pulsar.broker.loadbalance.impl.
 * A shedder remembers what it saw before: each is asked cycle by cycle.
 */
import {
  type BrokerLoad,
  brokersInOrder,
  type ClusterLoad,
  checkLoad,
  largestBundles,
  MEGABYTE,
  messageRate,
  throughput,
  type Unloads,
  UsageHistory,
  usageMeasure,
} from './broker-load.js'
import type { LoadSettings } from './load-settings.js'
import type { BundleRates } from './split-limits.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** A shedder, asked once a cycle. */
export interface Shedder {
  /** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_DUPLICATE */
  findBundlesForUnloading(load: ClusterLoad): Unloads
}

/** What is moved beyond the threshold, of the whole. */
const MARGIN = 0.05
/** Of the threshold, what a broker is relieved of when another one has little. */
const LOWER_MARGIN = 0.5
/** What a bundle may be over before 4.2: messages a second, bytes a second. */
const OLD_SLACK = { rate: 1000, bytes: MEGABYTE }
/** Rates this close to 0 are taken for 1. */
const NEAR_ZERO = 1e-6

/** Brokers above the mean of all by a threshold shed the excess, the biggest bundles first. */
export class ThresholdShedder implements Shedder {
  readonly #settings: LoadSettings
  readonly #history = new UsageHistory()

  constructor(settings: LoadSettings) {
    this.#settings = settings
  }

  findBundlesForUnloading(load: ClusterLoad): Unloads {
    checkLoad(load)
    const unloads = new Map<string, string[]>()
    const mean = this.#mean(load)
    if (mean === 0) return unloads
    for (const name of brokersInOrder(load)) this.#shed(load, name, { mean, unloads })
    if (unloads.size === 0 && this.#settings.lowerBoundarySheddingEnabled) this.#shedToIdle(load, unloads)
    return unloads
  }

  get #threshold(): number {
    return this.#settings.loadBalancerBrokerThresholdShedderPercentage / 100
  }

  get #leastTraffic(): number {
    return this.#settings.loadBalancerBundleUnloadMinThroughputThreshold * MEGABYTE
  }

  #mean(load: ClusterLoad): number {
    const names = brokersInOrder(load)
    const total = names.reduce((sum, name) => sum + this.#history.update(name, load.brokers[name]!, this.#settings), 0)
    return names.length > 0 ? total / names.length : 0
  }

  #shed(load: ClusterLoad, name: string, { mean, unloads }: { mean: number; unloads: Map<string, string[]> }): void {
    const usage = this.#history.of(name) ?? 0
    if (usage < mean + this.#threshold) return
    const broker = load.brokers[name]!
    const traffic = throughput(broker) * (usage - mean - this.#threshold + MARGIN)
    if (traffic < this.#leastTraffic || broker.bundles.length <= 1) return
    put(unloads, name, biggestUpTo(load, name, traffic))
  }

  /** The fullest broker sheds where another one is far below the mean; the averages are taken once more, as Pulsar does. */
  #shedToIdle(load: ClusterLoad, unloads: Map<string, string[]>): void {
    const [mean, threshold] = [this.#mean(load), this.#threshold]
    let [fullest, most, hasIdle]: [string | null, number, boolean] = [null, mean - threshold, false]
    for (const name of brokersInOrder(load)) {
      const usage = this.#history.of(name) ?? 0
      if (usage > most && load.brokers[name]!.bundles.length > 1) [fullest, most] = [name, usage]
      if (usage < mean - threshold) hasIdle = true
    }
    if (!hasIdle || fullest === null) return
    const traffic = throughput(load.brokers[fullest]!) * threshold * LOWER_MARGIN
    if (this.#leastTraffic > traffic) return
    put(unloads, fullest, biggestUpTo(load, fullest, traffic))
  }
}

/** Brokers above a fixed threshold shed the excess, the biggest bundles first. */
export class OverloadShedder implements Shedder {
  readonly #settings: LoadSettings
  readonly #usageOf: ReturnType<typeof usageMeasure>

  constructor(settings: LoadSettings, options?: PulsarVersionOption) {
    this.#settings = settings
    this.#usageOf = usageMeasure(options)
  }

  findBundlesForUnloading(load: ClusterLoad): Unloads {
    checkLoad(load)
    const unloads = new Map<string, string[]>()
    const threshold = this.#settings.loadBalancerBrokerOverloadedThresholdPercentage / 100
    for (const name of brokersInOrder(load)) {
      const broker = load.brokers[name]!
      const usage = this.#usageOf(broker, this.#settings)
      if (usage < threshold || broker.bundles.length <= 1) continue
      put(unloads, name, biggestUpTo(load, name, throughput(broker) * (usage - threshold + MARGIN)))
    }
    return unloads
  }
}

/** Bundles from the biggest on until their traffic is enough, one at least. */
function biggestUpTo(load: ClusterLoad, name: string, traffic: number): string[] {
  const chosen: string[] = []
  let marked = 0
  for (const { bundle, value } of largestBundles(load, name, throughput)) {
    if (marked >= traffic && chosen.length > 0) break
    chosen.push(bundle)
    marked += value
  }
  return chosen
}

/** A broker is compared with another one by the rate of messages, and if these are even by bytes. */
export class UniformLoadShedder implements Shedder {
  readonly #settings: LoadSettings
  readonly #slack: { readonly rate: number; readonly bytes: number }

  constructor(settings: LoadSettings, options?: PulsarVersionOption) {
    this.#settings = settings
    this.#slack = isSince(pulsarVersion(options), '4.2') ? { rate: 0, bytes: 0 } : OLD_SLACK
  }

  findBundlesForUnloading(load: ClusterLoad): Unloads {
    checkLoad(load)
    const settings = this.#settings
    const unloads = new Map<string, string[]>()
    const [rate, bytes] = [extremes(load, messageRate), extremes(load, throughput)]
    const rateLimit = settings.loadBalancerMsgRateDifferenceShedderThreshold
    const bytesLimit = settings.loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold
    if (rateLimit > 0 && ((rate.most - rate.least) * 100) / rate.least > rateLimit) {
      const [atLeast, slack] = [settings.minUnloadMessage, this.#slack.rate]
      this.#shed(load, { ...rate, measure: messageRate, atLeast, slack, unloads })
    } else if (bytesLimit > 0 && bytes.most / bytes.least > bytesLimit) {
      const [atLeast, slack] = [settings.minUnloadMessageThroughput, this.#slack.bytes]
      this.#shed(load, { ...bytes, measure: throughput, atLeast, slack, unloads })
    }
    return unloads
  }

  #shed(load: ClusterLoad, { fullest, most, least, measure, atLeast, slack, unloads }: Gap): void {
    const { maxUnloadPercentage, maxUnloadBundleNumPerShedding: mostBundles } = this.#settings
    // Java's int: what does not fit is its largest or smallest.
    let wanted = toInt((most - least) * maxUnloadPercentage)
    if (fullest === null || load.brokers[fullest]!.bundles.length <= 1 || wanted < atLeast) return
    const chosen: string[] = []
    for (const { bundle, value } of largestBundles(load, fullest, measure)) {
      if (mostBundles !== -1 && chosen.length >= mostBundles) break
      if (value > ((wanted + slack) | 0)) continue
      wanted = (wanted + toInt(-value)) | 0
      chosen.push(bundle)
    }
    put(unloads, fullest, chosen)
  }
}

interface Extremes {
  readonly fullest: string | null
  readonly most: number
  readonly least: number
}

interface Gap extends Extremes {
  readonly measure: (rates: BundleRates) => number
  readonly atLeast: number
  readonly slack: number
  readonly unloads: Map<string, string[]>
}

function extremes(load: ClusterLoad, measure: (broker: BrokerLoad) => number): Extremes {
  let [fullest, most, least]: [string | null, number, number] = [null, -1, 2 ** 31 - 1]
  for (const name of brokersInOrder(load)) {
    const value = measure(load.brokers[name]!)
    if (value > most) [fullest, most] = [name, value]
    least = Math.min(least, value)
  }
  return { fullest, most, least: Math.abs(least) <= NEAR_ZERO ? 1 : least }
}

const toInt = (value: number): number => Math.trunc(Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value)))

function put(unloads: Map<string, string[]>, broker: string, bundles: readonly string[]): void {
  if (bundles.length > 0) unloads.set(broker, [...(unloads.get(broker) ?? []), ...bundles])
}
