/**
 * What a leader with the modular load manager unloads: ThresholdShedder, OverloadShedder, UniformLoadShedder.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, the classes of these names in org.apache.pulsar.broker.loadbalance.impl.
 * A shedder remembers what it saw before: each is asked cycle by cycle.
 */
import { type ClusterLoad, MEGABYTE, type Unloads, weighsOverload } from './broker-load.js'
import { type LeaderView, leaderViewOf, type Measure, measured } from './leader-view.js'
import type { LoadSettings } from './load-settings.js'
import type { SheddingReason } from './shedding-reason.js'
import { UsageHistory } from './usage-history.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** A shedder, asked once a cycle. */
export interface Shedder {
  /** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_DUPLICATE */
  findBundlesForUnloading(load: ClusterLoad): Unloads
}

/** What a shedder finds in one cycle: bundles to unload by broker, in the order of the choice, and why. */
export interface Shedding<B, U> {
  readonly unloads: Map<B, U[]>
  readonly reasons: Map<B, SheddingReason>
}

export const noShedding = <B, U>(): Shedding<B, U> => ({ unloads: new Map(), reasons: new Map() })

/** What is moved beyond the threshold, of the whole. */
const MARGIN = 0.05
/** Of the threshold, what a broker is relieved of when another one has little. */
const LOWER_MARGIN = 0.5
/** What a bundle must be below before 4.2, beyond what is wanted: of messages and of bytes alike. */
const OLD_SLACK = 1000
/** Rates this close to 0 are taken for 1. */
const NEAR_ZERO = 1e-6

/** Brokers above the mean of all by a threshold shed the excess, the biggest bundles first. */
export class ThresholdShedder implements Shedder {
  readonly #settings: LoadSettings
  readonly #history: UsageHistory

  constructor(settings: LoadSettings) {
    this.#settings = settings
    this.#history = new UsageHistory(settings)
  }

  findBundlesForUnloading(load: ClusterLoad): Unloads {
    return this.shed(leaderViewOf(load, this.#settings)).unloads
  }

  /** As {@link findBundlesForUnloading}, of a view. */
  shed<B, U>(view: LeaderView<B, U>): Shedding<B, U> {
    const found = noShedding<B, U>()
    const mean = this.#mean(view)
    if (mean === 0) return found
    for (const broker of view.brokers) this.#shed(view, broker, mean, found)
    if (found.unloads.size === 0 && this.#settings.lowerBoundarySheddingEnabled) this.#shedToIdle(view, found)
    return found
  }

  /** Forgets a broker that is gone. */
  forget(broker: unknown): void {
    this.#history.forget(broker)
  }

  get #threshold(): number {
    return this.#settings.loadBalancerBrokerThresholdShedderPercentage / 100
  }

  get #leastTraffic(): number {
    return this.#settings.loadBalancerBundleUnloadMinThroughputThreshold * MEGABYTE
  }

  #mean<B>(view: LeaderView<B, unknown>): number {
    let total = 0
    for (const broker of view.brokers) total += this.#history.update(broker, view.weightedUsage(broker))
    return view.brokers.length > 0 ? total / view.brokers.length : 0
  }

  #shed<B, U>(view: LeaderView<B, U>, broker: B, mean: number, found: Shedding<B, U>): void {
    const [usage, threshold] = [this.#history.of(broker), this.#threshold]
    if (usage < mean + threshold) return
    const traffic = view.throughput(broker) * (usage - mean - threshold + MARGIN)
    if (traffic < this.#leastTraffic || view.bundleCount(broker) <= 1) return
    put(found, broker, biggestUpTo(view, broker, traffic), { kind: 'above-mean', figures: [usage, mean, threshold] })
  }

  /** The fullest broker sheds where another one is far below the mean; the averages are taken once more, as Pulsar does. */
  #shedToIdle<B, U>(view: LeaderView<B, U>, found: Shedding<B, U>): void {
    const [mean, threshold] = [this.#mean(view), this.#threshold]
    let [fullest, most, least]: [B | null, number, number] = [null, mean - threshold, Number.POSITIVE_INFINITY]
    for (const broker of view.brokers) {
      const usage = this.#history.of(broker)
      if (usage > most && view.bundleCount(broker) > 1) [fullest, most] = [broker, usage]
      least = Math.min(least, usage)
    }
    if (fullest === null || !(least < mean - threshold)) return
    const traffic = view.throughput(fullest) * threshold * LOWER_MARGIN
    if (this.#leastTraffic > traffic) return
    const reason: SheddingReason = { kind: 'idle-broker', figures: [most, mean, threshold, least] }
    put(found, fullest, biggestUpTo(view, fullest, traffic), reason)
  }
}

/** Brokers above a fixed threshold shed the excess, the biggest bundles first. */
export class OverloadShedder implements Shedder {
  readonly #settings: LoadSettings
  readonly #weighs: boolean

  constructor(settings: LoadSettings, options?: PulsarVersionOption) {
    this.#settings = settings
    this.#weighs = weighsOverload(options)
  }

  findBundlesForUnloading(load: ClusterLoad): Unloads {
    return this.shed(leaderViewOf(load, this.#settings)).unloads
  }

  /** As {@link findBundlesForUnloading}, of a view. */
  shed<B, U>(view: LeaderView<B, U>): Shedding<B, U> {
    const found = noShedding<B, U>()
    const threshold = this.#settings.loadBalancerBrokerOverloadedThresholdPercentage / 100
    for (const broker of view.brokers) {
      const usage = this.#weighs ? view.weightedUsage(broker) : view.plainUsage(broker)
      if (usage < threshold || view.bundleCount(broker) <= 1) continue
      const bundles = biggestUpTo(view, broker, view.throughput(broker) * (usage - threshold + MARGIN))
      put(found, broker, bundles, { kind: 'overloaded', figures: [usage, threshold] })
    }
    return found
  }
}

/** Bundles from the biggest on until their traffic is enough, one at least. */
function biggestUpTo<B, U>(view: LeaderView<B, U>, broker: B, traffic: number): U[] {
  const chosen: U[] = []
  let marked = 0
  for (const { bundle, value } of view.largestBundles(broker, 'bytes')) {
    if (marked >= traffic && chosen.length > 0) break
    chosen.push(bundle)
    marked += value
  }
  return chosen
}

/** A broker is compared with another one by the rate of messages, and if these are even by bytes. */
export class UniformLoadShedder implements Shedder {
  readonly #settings: LoadSettings
  readonly #fits: (value: number, wanted: number) => boolean

  constructor(settings: LoadSettings, options?: PulsarVersionOption) {
    this.#settings = settings
    this.#fits = isSince(pulsarVersion(options), '4.2') ? fits : fitsBefore4_2
  }

  findBundlesForUnloading(load: ClusterLoad): Unloads {
    return this.shed(leaderViewOf(load, this.#settings)).unloads
  }

  /** As {@link findBundlesForUnloading}, of a view. */
  shed<B, U>(view: LeaderView<B, U>): Shedding<B, U> {
    const settings = this.#settings
    const found = noShedding<B, U>()
    const [rate, bytes] = [extremes(view, 'messages'), extremes(view, 'bytes')]
    const rateLimit = settings.loadBalancerMsgRateDifferenceShedderThreshold
    const bytesLimit = settings.loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold
    if (rateLimit > 0 && ((rate.most - rate.least) * 100) / rate.least > rateLimit) {
      const gap = { ...rate, atLeast: settings.minUnloadMessage }
      this.#shed(view, gap, { kind: 'message-gap', figures: [rate.most, rate.least, rateLimit] }, found)
    } else if (bytesLimit > 0 && bytes.most / bytes.least > bytesLimit) {
      const gap = { ...bytes, atLeast: settings.minUnloadMessageThroughput }
      this.#shed(view, gap, { kind: 'byte-gap', figures: [bytes.most, bytes.least, bytesLimit] }, found)
    }
    return found
  }

  #shed<B, U>(view: LeaderView<B, U>, gap: Gap<B>, reason: SheddingReason, found: Shedding<B, U>): void {
    const { maxUnloadPercentage, maxUnloadBundleNumPerShedding: mostBundles } = this.#settings
    const { fullest, measure, atLeast } = gap
    // Java's int: what does not fit is its largest or smallest.
    let wanted = toInt((gap.most - gap.least) * maxUnloadPercentage)
    if (fullest === null || view.bundleCount(fullest) <= 1 || wanted < atLeast) return
    const chosen: U[] = []
    for (const { bundle, value } of view.largestBundles(fullest, measure)) {
      if (mostBundles !== -1 && chosen.length >= mostBundles) break
      if (!this.#fits(value, wanted)) continue
      wanted = (wanted + toInt(-value)) | 0
      chosen.push(bundle)
    }
    put(found, fullest, chosen, reason)
  }
}

interface Extremes<B> {
  readonly measure: Measure
  readonly fullest: B | null
  readonly most: number
  readonly least: number
}

interface Gap<B> extends Extremes<B> {
  readonly atLeast: number
}

function extremes<B>(view: LeaderView<B, unknown>, measure: Measure): Extremes<B> {
  let [fullest, most, least]: [B | null, number, number] = [null, -1, 2 ** 31 - 1]
  for (const broker of view.brokers) {
    const value = measured(view, broker, measure)
    if (value > most) [fullest, most] = [broker, value]
    least = Math.min(least, value)
  }
  return { measure, fullest, most, least: Math.abs(least) <= NEAR_ZERO ? 1 : least }
}

const fits = (value: number, wanted: number): boolean => value <= wanted
const fitsBefore4_2 = (value: number, wanted: number): boolean => value < ((wanted + OLD_SLACK) | 0)

const toInt = (value: number): number => Math.trunc(Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value)))

function put<B, U>({ unloads, reasons }: Shedding<B, U>, broker: B, bundles: U[], reason: SheddingReason): void {
  if (bundles.length === 0) return
  unloads.set(broker, bundles)
  reasons.set(broker, reason)
}
