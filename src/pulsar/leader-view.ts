/**
 * Brokers and bundles as the leader of the modular load manager looks at them when it sheds.
 *
 * Shedders ask for what they need, so that a run over many cycles can keep it in columns, by number, and touch only what changed.
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.broker.loadbalance.LoadData. What differs from the obvious: of its maps the
 * order is that of a ConcurrentHashMap, which sums and ties show.
 */
import { javaMapOrder } from '../kafka/java-map-order.js'
import { type ClusterLoad, checkLoad, messageRate, plainUsage, throughput, weightedUsage } from './broker-load.js'
import { concurrentMapOrder } from './java-map-order.js'
import type { LoadSettings } from './load-settings.js'

/** A bundle and what is compared. */
export interface Ranked<U> {
  readonly bundle: U
  readonly value: number
}

/** What bundles are ranked by: messages or bytes a second, in and out, over a short time. */
export type Measure = 'messages' | 'bytes'

/** `B` and `U` stand for a broker and a bundle: their names, or numbers. */
export interface LeaderView<B, U> {
  /** In the order of the leader's map. */
  readonly brokers: readonly B[]
  /** The same brokers in the order of a HashMap that they were put into in the order of `brokers`. */
  readonly hashOrder: readonly B[]
  /** The largest usage of a broker in [0, 1], weighted. */
  weightedUsage(broker: B): number
  /** The largest usage of a broker in [0, 1], all alike. */
  plainUsage(broker: B): number
  /** Messages a second, in and out. */
  messageRate(broker: B): number
  /** Bytes a second, in and out. */
  throughput(broker: B): number
  bundleCount(broker: B): number
  /** Bundles that may be unloaded, the largest value first; equal ones in the order of the leader's map. */
  largestBundles(broker: B, measure: Measure): readonly Ranked<U>[]
}

/** How many of what is there a broker has of it. */
export const measured = <B>(view: LeaderView<B, unknown>, broker: B, measure: Measure): number =>
  measure === 'messages' ? view.messageRate(broker) : view.throughput(broker)

/**
 * The view of a load given by names.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_DUPLICATE
 */
export function leaderViewOf(load: ClusterLoad, settings: LoadSettings): LeaderView<string, string> {
  checkLoad(load)
  return new NamedView(load, settings)
}

class NamedView implements LeaderView<string, string> {
  readonly brokers: readonly string[]
  readonly #load: ClusterLoad
  readonly #settings: LoadSettings
  #sheddable: ReadonlyMap<string, readonly string[]> | null = null

  constructor(load: ClusterLoad, settings: LoadSettings) {
    this.#load = load
    this.#settings = settings
    this.brokers = concurrentMapOrder(Object.keys(load.brokers))
  }

  get hashOrder(): readonly string[] {
    return javaMapOrder(this.brokers)
  }

  weightedUsage(broker: string): number {
    return weightedUsage(this.#load.brokers[broker]!.usage, this.#settings)
  }

  plainUsage(broker: string): number {
    return plainUsage(this.#load.brokers[broker]!.usage)
  }

  messageRate(broker: string): number {
    return messageRate(this.#load.brokers[broker]!)
  }

  throughput(broker: string): number {
    return throughput(this.#load.brokers[broker]!)
  }

  bundleCount(broker: string): number {
    return this.#load.brokers[broker]!.bundles.length
  }

  largestBundles(broker: string, measure: Measure): Ranked<string>[] {
    this.#sheddable ??= sheddableBundles(this.#load)
    const valueIn = measure === 'messages' ? messageRate : throughput
    const bundles = this.#sheddable.get(broker) ?? []
    const ranked = bundles.map((bundle) => ({ bundle, value: valueIn(this.#load.bundles[bundle]!) }))
    return ranked.sort((a, b) => b.value - a.value)
  }
}

/** Bundles that may be unloaded, by broker, in the order of the leader's map. */
function sheddableBundles({ brokers, bundles, recentlyUnloaded = [] }: ClusterLoad): Map<string, string[]> {
  const owners = new Map(Object.entries(brokers).flatMap(([name, broker]) => broker.bundles.map((one) => [one, name])))
  const recent = new Set(recentlyUnloaded)
  const sheddable = new Map<string, string[]>()
  for (const bundle of concurrentMapOrder(Object.keys(bundles))) {
    const owner = owners.get(bundle)
    if (owner === undefined || recent.has(bundle)) continue
    const list = sheddable.get(owner)
    if (list === undefined) sheddable.set(owner, [bundle])
    else list.push(bundle)
  }
  return sheddable
}
