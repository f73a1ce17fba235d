/**
 * Which brokers a bundle can be placed on: the strategies of the modular load manager. Those that draw tell what they draw from.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, LeastLongTermMessageRate, LeastResourceUsageWithWeight, RoundRobinBrokerSelector
 * and AvgShedder in org.apache.pulsar.broker.loadbalance.impl.
 */
import { type BrokerLoad, type ClusterLoad, checkLoad, messageRate, UsageHistory, usageMeasure } from './broker-load.js'
import type { LoadSettings } from './load-settings.js'
import { type PulsarVersionOption, pulsarVersion } from './version.js'

/** A strategy, asked bundle by bundle; it remembers what it saw before. */
export interface PlacementStrategy {
  /**
   * @param candidates brokers left by policies and filters, at least one
   * @returns those that it may pick, one where it does not draw
   */
  choices(candidates: readonly string[], load: ClusterLoad): readonly string[]
}

/** The least message rate over a long time, preallocated bundles counted; overloaded brokers only where all are. */
export class LeastLongTermMessageRate implements PlacementStrategy {
  readonly #settings: LoadSettings
  readonly #usageOf: ReturnType<typeof usageMeasure>

  constructor(settings: LoadSettings, options?: PulsarVersionOption) {
    this.#settings = settings
    this.#usageOf = usageMeasure(options)
  }

  choices(candidates: readonly string[], load: ClusterLoad): readonly string[] {
    checkLoad(load)
    const scores = candidates.map((name) => this.#score(load.brokers[name]!))
    const least = Math.min(...scores)
    return least === Number.POSITIVE_INFINITY ? candidates : candidates.filter((_, i) => scores[i] === least)
  }

  #score(broker: BrokerLoad): number {
    const limit = this.#settings.loadBalancerBrokerOverloadedThresholdPercentage / 100
    if (this.#usageOf(broker, this.#settings) > limit) return Number.POSITIVE_INFINITY
    const given = Object.values(broker.preallocated ?? {}).reduce((sum, rates) => sum + messageRate(rates), 0)
    return given + (broker.longTermMsgRate ?? 0)
  }
}

/**
 * Brokers whose averaged usage lies below the mean by a threshold; all candidates where none does. What is remembered of a broker
 * without bundles or messages is forgotten.
 */
export class LeastResourceUsageWithWeight implements PlacementStrategy {
  readonly #settings: LoadSettings
  readonly #history = new UsageHistory()

  constructor(settings: LoadSettings) {
    this.#settings = settings
  }

  choices(candidates: readonly string[], load: ClusterLoad): readonly string[] {
    checkLoad(load)
    const usages = candidates.map((name) => this.#usage(name, load.brokers[name]!))
    const mean = usages.reduce((sum, usage) => sum + usage, 0) / candidates.length
    const threshold = this.#settings.loadBalancerAverageResourceUsageDifferenceThresholdPercentage / 100
    const best = candidates.filter((_, i) => usages[i]! + threshold <= mean)
    return best.length === 0 ? candidates : best
  }

  #usage(name: string, broker: BrokerLoad): number {
    if (broker.bundles.length === 0 || messageRate(broker) === 0) this.#history.forget(name)
    return this.#history.update(name, broker, this.#settings)
  }
}

/** One after the other, in the order in which the candidates were seen first. */
export class RoundRobinBrokerSelector implements PlacementStrategy {
  #seen: readonly string[] = []
  #turn = 0

  choices(candidates: readonly string[]): readonly string[] {
    if (candidates.length !== this.#seen.length) this.#seen = [...candidates]
    const turn = this.#turn++ % candidates.length
    if (!candidates.includes(this.#seen[turn]!)) this.#seen = [...candidates]
    return [this.#seen[turn]!]
  }
}

/** Any candidate. In 4.2 the one picked last is kept while it is a candidate, for all bundles of equal rates. */
export class AvgShedderPlacement implements PlacementStrategy {
  readonly #remembers: boolean
  #last: readonly string[] = []

  constructor(options?: PulsarVersionOption) {
    this.#remembers = pulsarVersion(options) === '4.2'
  }

  choices(candidates: readonly string[]): readonly string[] {
    const kept = this.#last.filter((name) => candidates.includes(name))
    const isKept = this.#remembers && this.#last.length > 0 && kept.length === this.#last.length
    this.#last = isKept ? kept : candidates
    return this.#last
  }
}
