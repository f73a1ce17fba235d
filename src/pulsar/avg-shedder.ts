/**
 * What AvgShedder unloads, and where it wants the bundles: the fullest broker is paired with the emptiest, and so on inwards.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.loadbalance.impl.AvgShedder (PIP-364).
 * What differs from the obvious: a pair must be far apart for several cycles; in 3.0 scores less than a point apart count as
 * equal when brokers are sorted.
 */
import type { ClusterLoad, Unloads } from './broker-load.js'
import { type LeaderView, leaderViewOf, type Ranked } from './leader-view.js'
import type { LoadSettings } from './load-settings.js'
import { noShedding, type Shedder, type Shedding } from './shedders.js'
import type { SheddingReason } from './shedding-reason.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

interface Scored<B> {
  readonly broker: B
  /** In percent. */
  readonly score: number
}

interface Pair<B> {
  readonly emptiest: Scored<B>
  readonly fullest: Scored<B>
}

/** As {@link Shedding}, and the broker that each bundle is meant for. */
export interface PlannedShedding<B, U> extends Shedding<B, U> {
  readonly planned: Map<U, B>
}

export class AvgShedder implements Shedder {
  readonly #settings: LoadSettings
  readonly #sortsByPoints: boolean
  readonly #low = new Map<unknown, number>()
  readonly #high = new Map<unknown, number>()
  #planned: ReadonlyMap<string, string> = new Map()

  constructor(settings: LoadSettings, options?: PulsarVersionOption) {
    this.#settings = settings
    this.#sortsByPoints = !isSince(pulsarVersion(options), '4.2')
  }

  /** The broker that each unloaded bundle of the last cycle is meant for. */
  get planned(): ReadonlyMap<string, string> {
    return this.#planned
  }

  findBundlesForUnloading(load: ClusterLoad): Unloads {
    const { unloads, planned } = this.shed(leaderViewOf(load, this.#settings))
    this.#planned = planned
    return unloads
  }

  /** As {@link findBundlesForUnloading}, of a view. */
  shed<B, U>(view: LeaderView<B, U>): PlannedShedding<B, U> {
    const found = { ...noShedding<B, U>(), planned: new Map<U, B>() }
    const pairs = this.#pairs(this.#scores(view))
    if (pairs.length === 0) this.#forget([...this.#low.keys(), ...this.#high.keys()])
    for (const { emptiest, fullest } of pairs) {
      const reason = this.#reasonOf(emptiest, fullest)
      if (reason === null) continue
      this.#forget([emptiest.broker, fullest.broker])
      const bundles = this.#select(view, emptiest.broker, fullest.broker)
      if (bundles.length === 0) continue
      found.unloads.set(fullest.broker, bundles)
      found.reasons.set(fullest.broker, reason)
      for (const bundle of bundles) found.planned.set(bundle, emptiest.broker)
    }
    return found
  }

  /** Brokers with their scores, ascending. */
  #scores<B>(view: LeaderView<B, unknown>): Scored<B>[] {
    const scored = view.hashOrder.map((broker) => ({ broker, score: view.weightedUsage(broker) * 100 }))
    const difference = (a: number, b: number) => (this.#sortsByPoints ? Math.trunc(a - b) : a - b)
    return scored.sort((a, b) => difference(a.score, b.score))
  }

  /** Pairs that are far apart, and their hits counted. */
  #pairs<B>(scores: readonly Scored<B>[]): Pair<B>[] {
    const { loadBalancerAvgShedderLowThreshold: low, loadBalancerAvgShedderHighThreshold: high } = this.#settings
    const pairs: Pair<B>[] = []
    for (let [i, j] = [0, scores.length - 1]; i <= j; i++, j--) {
      const [emptiest, fullest] = [scores[i]!, scores[j]!]
      const [both, apart] = [[emptiest.broker, fullest.broker], fullest.score - emptiest.score]
      if (apart < low) {
        this.#forget(both)
        continue
      }
      pairs.push({ emptiest, fullest })
      for (const broker of both) count(this.#low, broker)
      for (const broker of both) {
        if (apart < high) this.#high.delete(broker)
        else count(this.#high, broker)
      }
    }
    return pairs
  }

  #forget(brokers: readonly unknown[]): void {
    for (const broker of brokers) {
      this.#low.delete(broker)
      this.#high.delete(broker)
    }
  }

  /** Why a pair sheds, `null` where it was not hit often enough. */
  #reasonOf(emptiest: Scored<unknown>, fullest: Scored<unknown>): SheddingReason | null {
    const settings = this.#settings
    const hitsOf = (hits: ReadonlyMap<unknown, number>) =>
      Math.max(hits.get(emptiest.broker) ?? 0, hits.get(fullest.broker) ?? 0)
    const [high, low] = [hitsOf(this.#high), hitsOf(this.#low)]
    if (high >= settings.loadBalancerAvgShedderHitCountHighThreshold) {
      const threshold = settings.loadBalancerAvgShedderHighThreshold
      return { kind: 'pair-far-apart', figures: [fullest.score, emptiest.score, threshold, high] }
    }
    if (low < settings.loadBalancerAvgShedderHitCountLowThreshold) return null
    const threshold = settings.loadBalancerAvgShedderLowThreshold
    return { kind: 'pair-apart', figures: [fullest.score, emptiest.score, threshold, low] }
  }

  #select<B, U>(view: LeaderView<B, U>, emptiest: B, fullest: B): U[] {
    const { maxUnloadPercentage: part, minUnloadMessage, minUnloadMessageThroughput } = this.#settings
    const messages = (view.messageRate(fullest) - view.messageRate(emptiest)) * part
    const bytes = (view.throughput(fullest) - view.throughput(emptiest)) * part
    if (messages > minUnloadMessage) return upTo(messages, view.largestBundles(fullest, 'messages'))
    if (bytes > minUnloadMessageThroughput) return upTo(bytes, view.largestBundles(fullest, 'bytes'))
    return []
  }
}

/** Every bundle, from the biggest on, that what is left has room for. */
function upTo<U>(traffic: number, ranked: readonly Ranked<U>[]): U[] {
  let left = traffic
  return ranked.flatMap(({ bundle, value }) => {
    if (value <= 0 || value > left) return []
    left -= value
    return [bundle]
  })
}

function count(hits: Map<unknown, number>, name: unknown): void {
  hits.set(name, (hits.get(name) ?? 0) + 1)
}
