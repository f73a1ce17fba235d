/**
 * Which brokers a bundle can be placed on: the strategies of the modular load manager. Those that draw tell what they draw from.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, LeastLongTermMessageRate, LeastResourceUsageWithWeight, RoundRobinBrokerSelector
 * and AvgShedder in org.apache.pulsar.broker.loadbalance.impl.
 */
import {
  type BrokerLoad,
  type ClusterLoad,
  checkLoad,
  messageRate,
  plainUsage,
  weighsOverload,
  weightedUsage,
} from './broker-load.js'
import type { LoadSettings } from './load-settings.js'
import { UsageHistory } from './usage-history.js'
import { type PulsarVersionOption, pulsarVersion } from './version.js'

/** A strategy, asked bundle by bundle; it remembers what it saw before. */
export interface PlacementStrategy {
  /**
   * @param candidates brokers left by policies and filters, at least one
   * @returns those that it may pick, one where it does not draw
   */
  choices(candidates: readonly string[], load: ClusterLoad): readonly string[]
}

/** What strategies look at, of brokers by name or by number. */
export interface BrokerFigures<B> {
  /** The largest usage in [0, 1], weighted. */
  weightedUsage(broker: B): number
  /** The largest usage in [0, 1], all alike. */
  plainUsage(broker: B): number
  /** Messages a second over a long time, preallocated bundles counted. */
  longTermMsgRate(broker: B): number
  /** Whether it has no bundles, or no messages. */
  isIdle(broker: B): boolean
}

/** The figures of brokers given by names. Errors: as {@link checkLoad}. */
function figuresOf(load: ClusterLoad, settings: LoadSettings): BrokerFigures<string> {
  checkLoad(load)
  const of = (name: string): BrokerLoad => load.brokers[name]!
  return {
    weightedUsage: (name) => weightedUsage(of(name).usage, settings),
    plainUsage: (name) => plainUsage(of(name).usage),
    longTermMsgRate: (name) => {
      const { preallocated = {}, longTermMsgRate = 0 } = of(name)
      return Object.values(preallocated).reduce((sum, rates) => sum + messageRate(rates), 0) + longTermMsgRate
    },
    isIdle: (name) => of(name).bundles.length === 0 || messageRate(of(name)) === 0,
  }
}

/** The least message rate over a long time, preallocated bundles counted; overloaded brokers only where all are. */
export class LeastLongTermMessageRate implements PlacementStrategy {
  readonly #settings: LoadSettings
  readonly #weighs: boolean

  constructor(settings: LoadSettings, options?: PulsarVersionOption) {
    this.#settings = settings
    this.#weighs = weighsOverload(options)
  }

  choices(candidates: readonly string[], load: ClusterLoad): readonly string[] {
    return this.choicesOf(candidates, figuresOf(load, this.#settings))
  }

  /** As {@link choices}, by figures. */
  choicesOf<B>(candidates: readonly B[], figures: BrokerFigures<B>): readonly B[] {
    const limit = this.#settings.loadBalancerBrokerOverloadedThresholdPercentage / 100
    let [best, least]: [B[], number] = [[], Number.POSITIVE_INFINITY]
    for (const broker of candidates) {
      const usage = this.#weighs ? figures.weightedUsage(broker) : figures.plainUsage(broker)
      if (usage > limit) continue
      const score = figures.longTermMsgRate(broker)
      if (score < least) [best, least] = [[broker], score]
      else if (score === least) best.push(broker)
    }
    return best.length === 0 ? candidates : best
  }
}

/**
 * Brokers whose averaged usage lies below the mean by a threshold; all candidates where none does. What is remembered of a broker
 * without bundles or messages is forgotten.
 */
export class LeastResourceUsageWithWeight implements PlacementStrategy {
  readonly #settings: LoadSettings
  readonly #history: UsageHistory

  constructor(settings: LoadSettings) {
    this.#settings = settings
    this.#history = new UsageHistory(settings)
  }

  choices(candidates: readonly string[], load: ClusterLoad): readonly string[] {
    return this.choicesOf(candidates, figuresOf(load, this.#settings))
  }

  /** As {@link choices}, by figures. */
  choicesOf<B>(candidates: readonly B[], figures: BrokerFigures<B>): readonly B[] {
    let total = 0
    for (const broker of candidates) {
      if (figures.isIdle(broker)) this.#history.forget(broker)
      total += this.#history.update(broker, figures.weightedUsage(broker))
    }
    const mean = total / candidates.length
    const threshold = this.#settings.loadBalancerAverageResourceUsageDifferenceThresholdPercentage / 100
    const best = candidates.filter((broker) => this.#history.of(broker) + threshold <= mean)
    return best.length === 0 ? candidates : best
  }

  /** Forgets a broker that is gone. */
  forget(broker: unknown): void {
    this.#history.forget(broker)
  }
}

/** One after the other, in the order in which the candidates were seen first. */
export class RoundRobinBrokerSelector implements PlacementStrategy {
  #seen: readonly unknown[] = []
  #turn = 0

  choices(candidates: readonly string[]): readonly string[] {
    return this.choicesOf(candidates)
  }

  /** As {@link choices}, of brokers by whatever key. */
  choicesOf<B>(candidates: readonly B[]): readonly B[] {
    if (candidates.length !== this.#seen.length) this.#seen = [...candidates]
    const turn = this.#turn++ % candidates.length
    if (!(candidates as readonly unknown[]).includes(this.#seen[turn])) this.#seen = [...candidates]
    return [this.#seen[turn] as B]
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
