/**
 * The modular load manager's leader over numbered brokers and bundles: how it places a bundle, and what it unloads.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl. What differs from the
 * obvious: where an unloaded bundle goes is chosen before it is unloaded, with what was reported then, and if that is where it is,
 * it stays; of several unloads in a cycle none sees the others. Only look-ups count what they placed since the last report.
 */

import type { JavaRandom } from '../../fallback/kafka/java-random.js'
import { AvgShedder } from '../avg-shedder.js'
import type { LeaderView, Measure, Ranked } from '../leader-view.js'
import type { BrokerFigures } from '../placement-strategies.js'
import { OverloadShedder, type Shedding, ThresholdShedder, UniformLoadShedder } from '../shedders.js'
import type { SheddingReason } from '../shedding-reason.js'
import { isSince } from '../version.js'
import { Averages, DEFAULT_RATE } from './averages.js'
import { Candidates, NamespaceCounts } from './candidates.js'
import type { CheckedQuestion } from './check.js'
import type { Cluster } from './cluster.js'
import { excludedOf, type Manager, NOWHERE, type Pick, SYSTEM_NAMESPACE, type Unload } from './manager.js'
import { PARTS } from './moves.js'
import { AvgPlacer, type Placer, placerOf } from './placers.js'

const NEVER = Number.NEGATIVE_INFINITY

type Brokers = readonly number[]

interface AnyShedder {
  shed(view: LeaderView<number, number>): Shedding<number, number> & { readonly planned?: Map<number, number> }
}

export class ModularManager implements Manager {
  readonly #cluster: Cluster
  readonly #question: CheckedQuestion
  readonly #averages: Averages
  /** Who has a bundle as the leader knows it: reported, or preallocated since. */
  readonly #known: Int32Array
  readonly #counts: NamespaceCounts
  readonly #candidates: Candidates
  /** Messages a second that each broker was given since it reported. */
  readonly #given: Float64Array
  readonly #shedder: AnyShedder
  readonly #placer: Placer
  readonly #roundRobin: Placer
  readonly #unloadedAt: Float64Array
  readonly #excluded: readonly boolean[]
  readonly #view: LeaderView<number, number>
  #step = 0
  #meanUsage = 0

  /** @param placer how it places bundles; the question's, unless given */
  constructor(cluster: Cluster, question: CheckedQuestion, random: JavaRandom, placer?: Placer) {
    this.#cluster = cluster
    this.#question = question
    // AvgShedder in 4.2 compares all that the leader has of a bundle.
    const keepsLong = question.placement === 'LeastLongTermMessageRate' || question.version === '4.2'
    this.#averages = new Averages(cluster, keepsLong)
    this.#known = new Int32Array(cluster.owner.length)
    this.#counts = new NamespaceCounts(cluster, this.#known)
    this.#candidates = new Candidates(cluster, question.policies, question.settings, this.#counts)
    this.#given = new Float64Array(cluster.brokerNames.length)
    this.#unloadedAt = new Float64Array(cluster.owner.length).fill(NEVER)
    this.#excluded = excludedOf(cluster, question)
    const setting = { ...question, random, figures: this.#figures() }
    const { placement } = question
    this.#placer =
      placer ??
      (placement === 'AvgShedder'
        ? new AvgPlacer(setting, (bundle) => this.#averages.dataOf(bundle))
        : placerOf(placement, setting))
    this.#roundRobin = placerOf('RoundRobinBrokerSelector', setting)
    this.#shedder = shedderOf(question)
    this.#view = this.#leaderView()
  }

  report(step: number): void {
    this.#step = step
    this.#averages.sample()
    this.#known.set(this.#cluster.reportedOwner)
    this.#counts.clear()
    this.#given.fill(0)
    if (this.#placer instanceof AvgPlacer) this.#placer.clear()
    this.#meanUsage = meanOf(this.#cluster)
  }

  place(bundle: number): Pick {
    const picked = this.#select(bundle)
    if (picked === NOWHERE) return NOWHERE
    this.#counts.move(bundle, this.#known[bundle]!, picked.broker)
    this.#known[bundle] = picked.broker
    this.#given[picked.broker]! += DEFAULT_RATE
    return picked
  }

  *shed(): Iterable<Unload> {
    const { unloads, reasons, planned } = this.#shedder.shed(this.#view)
    this.#plan(planned)
    for (const [from, bundles] of unloads) {
      const reason = reasons.get(from)!
      for (const bundle of bundles) {
        if (!this.mayUnload(bundle, from)) continue
        const picked = this.#select(bundle)
        if (picked.broker === from || picked === NOWHERE) continue
        this.#unloadedAt[bundle] = this.#step
        const parts = picked.parts | this.#partsOf(from, picked.broker, reason)
        yield { bundle, from, to: picked.broker, reason, isSwap: false, parts }
      }
    }
    if (this.#placer instanceof AvgPlacer) this.#placer.endPlans()
  }

  // What it knows of owners changes with the next reports.
  moved(): void {}

  forget(broker: number): void {
    this.#placer.forget(broker)
    if (this.#shedder instanceof ThresholdShedder) this.#shedder.forget(broker)
  }

  #plan(planned: ReadonlyMap<number, number> | undefined): void {
    if (!(this.#placer instanceof AvgPlacer) || planned === undefined) return
    for (const [bundle, to] of planned) this.#placer.plan(bundle, this.#cluster.reportedOwner[bundle]!, to)
  }

  /** Whether a broker may unload a bundle. */
  mayUnload(bundle: number, from: number): boolean {
    const namespace = this.#cluster.namespaceOf[bundle]!
    return !this.#excluded[namespace] && this.#candidates.mayLeave(namespace, from)
  }

  #select(bundle: number): Pick {
    const namespace = this.#cluster.namespaceOf[bundle]!
    const isEven = this.#question.settings.loadBalancerDistributeBundlesEvenlyEnabled || this.#isSystem(namespace)
    const { allowed, filtered, candidates } = this.#candidates.modular(namespace, isEven)
    if (candidates.length === 0) return NOWHERE
    const placer = this.#excluded[namespace] ? this.#roundRobin : this.#placer
    let broker = placer.pick(candidates, bundle)
    if (this.#isOverloaded(broker)) broker = this.#placer.pick(allowed, bundle)
    return { broker, parts: this.#hidesEmptier(filtered, candidates, broker) ? PARTS.evenly : 0 }
  }

  #isSystem(namespace: number): boolean {
    return this.#cluster.namespaces[namespace] === SYSTEM_NAMESPACE
  }

  #isOverloaded(broker: number): boolean {
    const { settings, version } = this.#question
    const { weighted, plain } = this.#cluster.report
    const usage = isSince(version, '4.2') ? weighted[broker]! : plain[broker]!
    return usage > settings.loadBalancerBrokerOverloadedThresholdPercentage / 100
  }

  /** Whether a broker with less usage than the chosen one was left out of an even distribution. */
  #hidesEmptier(filtered: Brokers, even: Brokers, broker: number): boolean {
    if (even.length === filtered.length) return false
    const { weighted } = this.#cluster.report
    return filtered.some((other) => weighted[other]! < weighted[broker]! && !even.includes(other))
  }

  #partsOf(from: number, to: number, { kind, figures }: SheddingReason): number {
    const { weighted } = this.#cluster.report
    const hot = weighted[to]! >= this.#meanUsage ? PARTS.hot : 0
    const lag = kind === 'above-mean' && weighted[from]! < figures[1]! + figures[2]! ? PARTS.lag : 0
    return hot | lag
  }

  #figures(): BrokerFigures<number> {
    const { report } = this.#cluster
    return {
      weightedUsage: (broker) => report.weighted[broker]!,
      plainUsage: (broker) => report.plain[broker]!,
      longTermMsgRate: (broker) => this.#given[broker]! + this.#averages.longTermMsgRate(broker),
      isIdle: (broker) => report.bundles[broker] === 0 || report.msgRateIn[broker]! + report.msgRateOut[broker]! === 0,
    }
  }

  #leaderView(): LeaderView<number, number> {
    const cluster = this.#cluster
    const { report } = cluster
    return {
      get brokers() {
        return cluster.order
      },
      get hashOrder() {
        return cluster.hashOrder
      },
      weightedUsage: (broker) => report.weighted[broker]!,
      plainUsage: (broker) => report.plain[broker]!,
      messageRate: (broker) => report.msgRateIn[broker]! + report.msgRateOut[broker]!,
      throughput: (broker) => report.msgThroughputIn[broker]! + report.msgThroughputOut[broker]!,
      bundleCount: (broker) => report.bundles[broker]!,
      largestBundles: (broker, measure) => this.#largestBundles(broker, measure),
    }
  }

  #largestBundles(broker: number, measure: Measure): Ranked<number>[] {
    const { settings } = this.#question
    const grace = settings.loadBalancerSheddingGracePeriodMinutes / settings.loadBalancerSheddingIntervalMinutes
    const ranked: Ranked<number>[] = []
    for (const bundle of this.#cluster.reportedBundles(broker)) {
      if (this.#step - this.#unloadedAt[bundle]! <= grace) continue
      const value = measure === 'messages' ? this.#averages.messageRate(bundle) : this.#averages.throughput(bundle)
      ranked.push({ bundle, value })
    }
    return ranked.sort((a, b) => b.value - a.value)
  }
}

function shedderOf({ shedder, settings, version }: CheckedQuestion): AnyShedder {
  if (shedder === 'AvgShedder') return new AvgShedder(settings, { version })
  if (shedder === 'OverloadShedder') return new OverloadShedder(settings, { version })
  if (shedder === 'UniformLoadShedder') return new UniformLoadShedder(settings, { version })
  return new ThresholdShedder(settings)
}

function meanOf({ order, report }: Cluster): number {
  return order.reduce((sum, broker) => sum + report.weighted[broker]!, 0) / Math.max(1, order.length)
}
