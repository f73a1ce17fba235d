/**
 * What AvgShedder unloads, and where it wants the bundles: the fullest broker is paired with the emptiest, and so on inwards.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.loadbalance.impl.AvgShedder (PIP-364).
 * What differs from the obvious: a pair must be far apart for several cycles; in 3.0 scores less than a point apart count as
 * equal when brokers are sorted.
 */
import { javaMapOrder } from '../kafka/java-map-order.js'
import {
  brokersInOrder,
  type ClusterLoad,
  checkLoad,
  largestBundles,
  messageRate,
  throughput,
  type Unloads,
  weightedUsage,
} from './broker-load.js'
import type { LoadSettings } from './load-settings.js'
import type { Shedder } from './shedders.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

interface Pair {
  readonly emptiest: string
  readonly fullest: string
}

export class AvgShedder implements Shedder {
  readonly #settings: LoadSettings
  readonly #sortsByPoints: boolean
  readonly #low = new Map<string, number>()
  readonly #high = new Map<string, number>()
  readonly #planned = new Map<string, string>()

  constructor(settings: LoadSettings, options?: PulsarVersionOption) {
    this.#settings = settings
    this.#sortsByPoints = !isSince(pulsarVersion(options), '4.2')
  }

  /** The broker that each unloaded bundle of the last cycle is meant for. */
  get planned(): ReadonlyMap<string, string> {
    return this.#planned
  }

  findBundlesForUnloading(load: ClusterLoad): Unloads {
    checkLoad(load)
    this.#planned.clear()
    const unloads = new Map<string, string[]>()
    const pairs = this.#pairs(this.#scores(load))
    if (pairs.length === 0) this.#forget([...this.#low.keys(), ...this.#high.keys()])
    for (const { emptiest, fullest } of pairs) {
      if (!this.#wasHitEnough([emptiest, fullest])) continue
      this.#forget([emptiest, fullest])
      const bundles = this.#select(load, emptiest, fullest)
      if (bundles.length > 0) unloads.set(fullest, bundles)
      for (const bundle of bundles) this.#planned.set(bundle, emptiest)
    }
    return unloads
  }

  /** Brokers with their scores in percent, ascending. */
  #scores(load: ClusterLoad): (readonly [string, number])[] {
    const scores = new Map(
      brokersInOrder(load).map((name) => [name, weightedUsage(load.brokers[name]!, this.#settings) * 100] as const),
    )
    const entries = javaMapOrder([...scores.keys()]).map((name) => [name, scores.get(name)!] as const)
    const difference = (a: number, b: number) => (this.#sortsByPoints ? Math.trunc(a - b) : a - b)
    return entries.sort(([, a], [, b]) => difference(a, b))
  }

  /** Pairs that are far apart, and their hits counted. */
  #pairs(scores: readonly (readonly [string, number])[]): Pair[] {
    const { loadBalancerAvgShedderLowThreshold: low, loadBalancerAvgShedderHighThreshold: high } = this.#settings
    const pairs: Pair[] = []
    for (let [i, j] = [0, scores.length - 1]; i <= j; i++, j--) {
      const [[emptiest, least], [fullest, most]] = [scores[i]!, scores[j]!]
      const both = [emptiest, fullest]
      if (most - least < low) {
        this.#forget(both)
        continue
      }
      pairs.push({ emptiest, fullest })
      for (const name of both) count(this.#low, name)
      for (const name of both) {
        if (most - least < high) this.#high.delete(name)
        else count(this.#high, name)
      }
    }
    return pairs
  }

  #forget(names: readonly string[]): void {
    for (const name of names) {
      this.#low.delete(name)
      this.#high.delete(name)
    }
  }

  #wasHitEnough(names: readonly string[]): boolean {
    const { loadBalancerAvgShedderHitCountLowThreshold: low, loadBalancerAvgShedderHitCountHighThreshold: high } =
      this.#settings
    return names.some((name) => (this.#high.get(name) ?? 0) >= high || (this.#low.get(name) ?? 0) >= low)
  }

  #select(load: ClusterLoad, emptiest: string, fullest: string): string[] {
    const { maxUnloadPercentage: part, minUnloadMessage, minUnloadMessageThroughput } = this.#settings
    const [from, to] = [load.brokers[fullest]!, load.brokers[emptiest]!]
    const messages = (messageRate(from) - messageRate(to)) * part
    const bytes = (throughput(from) - throughput(to)) * part
    if (messages > minUnloadMessage) return upTo(messages, largestBundles(load, fullest, messageRate))
    if (bytes > minUnloadMessageThroughput) return upTo(bytes, largestBundles(load, fullest, throughput))
    return []
  }
}

/** Every bundle, from the biggest on, that what is left has room for. */
function upTo(traffic: number, ranked: readonly { readonly bundle: string; readonly value: number }[]): string[] {
  let left = traffic
  return ranked.flatMap(({ bundle, value }) => {
    if (value <= 0 || value > left) return []
    left -= value
    return [bundle]
  })
}

function count(hits: Map<string, number>, name: string): void {
  hits.set(name, (hits.get(name) ?? 0) + 1)
}
