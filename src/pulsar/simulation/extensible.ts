/**
 * The extensible load manager's leader over numbered brokers and bundles: how a bundle is placed, and what is transferred.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, ExtensibleLoadManagerImpl.selectAsync, UnloadScheduler, BrokerLoadData,
 * org.apache.pulsar.broker.loadbalance.extensions.strategy.LeastResourceUsageWithWeight. What is simulated: a bundle is owned or
 * not, and a transfer is done in its step; averages take in a sample each `loadBalancerReportUpdateMinIntervalMillis` of a step,
 * and the leader sees every one; a broker that joined has no report in its first step.
 */
import type { JavaRandom } from '../../fallback/kafka/java-random.js'
import { TransferShedder } from '../transfer-shedder.js'
import type { TransferLoad, TransferView } from '../transfer-view.js'
import { Candidates, NamespaceCounts } from './candidates.js'
import type { CheckedQuestion } from './check.js'
import type { Cluster } from './cluster.js'
import { excludedOf, type Manager, NOWHERE, type Pick, SYSTEM_NAMESPACE, type Unload } from './manager.js'
import { type Placer, placerOf } from './placers.js'
import { topBundles } from './top-bundles.js'

const MINUTE = 60_000

type Brokers = readonly number[]

export class ExtensibleManager implements Manager {
  readonly #cluster: Cluster
  readonly #question: CheckedQuestion
  readonly #random: JavaRandom
  readonly #counts: NamespaceCounts
  readonly #candidates: Candidates
  readonly #shedder: TransferShedder
  readonly #roundRobin: Placer
  readonly #excluded: readonly boolean[]
  /** Averages by broker: usage and bytes a second; `hasReport` tells whether there are any. */
  readonly #usage: Float64Array
  readonly #bytes: Float64Array
  readonly #hasReport: Uint8Array
  /** The step since which a broker is there. */
  readonly #since = new Map<number, number>()
  /** Steps in which bundles and brokers were unloaded. */
  readonly #bundleUnloaded = new Map<number, number>()
  readonly #brokerUnloaded = new Map<number, number>()
  readonly #tops = new Map<number, ReturnType<typeof topBundles>>()
  readonly #samples: number
  #step = 0

  constructor(cluster: Cluster, question: CheckedQuestion, random: JavaRandom) {
    const { settings } = question
    const brokers = cluster.brokerNames.length
    this.#cluster = cluster
    this.#question = question
    this.#random = random
    this.#counts = new NamespaceCounts(cluster, cluster.owner)
    this.#candidates = new Candidates(cluster, question.policies, settings, this.#counts)
    this.#shedder = new TransferShedder(settings)
    this.#excluded = excludedOf(cluster, question)
    this.#usage = new Float64Array(brokers)
    this.#bytes = new Float64Array(brokers)
    this.#hasReport = new Uint8Array(brokers)
    const interval = settings.loadBalancerSheddingIntervalMinutes * MINUTE
    this.#samples = Math.max(1, Math.floor(interval / settings.loadBalancerReportUpdateMinIntervalMillis))
    const none = { weightedUsage: () => 0, plainUsage: () => 0, longTermMsgRate: () => 0, isIdle: () => true }
    this.#roundRobin = placerOf('RoundRobinBrokerSelector', { ...question, random, figures: none })
  }

  report(step: number): void {
    this.#step = step
    this.#tops.clear()
    for (const broker of this.#cluster.order) {
      if (!this.#since.has(broker)) this.#since.set(broker, step)
      if (step === 1 || this.#since.get(broker)! < step) this.#average(broker)
    }
  }

  place(bundle: number): Pick {
    const namespace = this.#cluster.namespaceOf[bundle]!
    const candidates = this.#filtered(namespace)
    if (candidates.length === 0) return NOWHERE
    if (this.#excluded[namespace]) return { broker: this.#roundRobin.pick(candidates, bundle), parts: 0 }
    const best = this.#leastUsed(candidates)
    return { broker: best[this.#random.below(best.length)]!, parts: 0 }
  }

  *shed(): Iterable<Unload> {
    for (const found of this.#shedder.shed(this.#view())) {
      const { bundle, from, why, isSwap } = found
      const to = found.to ?? this.place(bundle).broker
      this.#bundleUnloaded.set(bundle, this.#step)
      this.#brokerUnloaded.set(from, this.#step)
      yield { bundle, from, to, reason: why, isSwap, parts: 0 }
    }
  }

  moved(bundle: number, from: number, to: number): void {
    this.#counts.move(bundle, from, to)
  }

  forget(broker: number): void {
    this.#hasReport[broker] = 0
    this.#since.delete(broker)
  }

  #average(broker: number): void {
    const { report } = this.#cluster
    const [usage, bytes] = [
      report.weighted[broker]!,
      report.msgThroughputIn[broker]! + report.msgThroughputOut[broker]!,
    ]
    const part = this.#question.settings.loadBalancerHistoryResourcePercentage
    for (let i = 0; i < this.#samples; i++) {
      const isFirst = this.#hasReport[broker] === 0
      this.#usage[broker] = isFirst ? usage : this.#usage[broker]! * part + (1 - part) * usage
      this.#bytes[broker] = isFirst ? bytes : this.#bytes[broker]! * part + (1 - part) * bytes
      this.#hasReport[broker] = 1
    }
  }

  #filtered(namespace: number): Brokers {
    const few = this.#candidates.belowMostTopics(this.#cluster.hashOrder)
    const apart = this.#candidates.leastOfGroup(few, namespace, 'bundles')
    const allowed = this.#candidates.allowed(namespace)
    return allowed.length === this.#cluster.hashOrder.length ? apart : apart.filter((one) => allowed.includes(one))
  }

  /** Brokers below the mean by a threshold; all where none is, those without a report too. */
  #leastUsed(candidates: Brokers): Brokers {
    const known = candidates.filter((broker) => this.#hasReport[broker] === 1)
    const mean = known.reduce((sum, broker) => sum + this.#usage[broker]!, 0) / known.length
    const apart = this.#question.settings.loadBalancerAverageResourceUsageDifferenceThresholdPercentage / 100
    const best = known.filter((broker) => this.#usage[broker]! + apart <= mean)
    return best.length === 0 ? candidates : best
  }

  #view(): TransferView<number, number> {
    const { settings } = this.#question
    const interval = settings.loadBalancerSheddingIntervalMinutes
    const grace = settings.loadBalancerSheddingGracePeriodMinutes / interval
    const known = this.#cluster.order.filter((broker) => this.#hasReport[broker] === 1)
    const recent = (bundle: number) => this.#step - (this.#bundleUnloaded.get(bundle) ?? Number.NEGATIVE_INFINITY)
    const loads = new Map(known.map((broker) => [broker, this.#loadOf(broker)]))
    return {
      brokers: known,
      hasMissing: known.length < this.#cluster.order.length,
      loadOf: (broker) => loads.get(broker)!,
      topBundles: (broker) => this.#topBundles(broker),
      isSheddable: (bundle) => recent(bundle) > grace && !this.#excluded[this.#cluster.namespaceOf[bundle]!],
      canTransfer: (bundle, from, to) => this.#canTransfer(bundle, from, to),
      unloadedAt: (broker) => {
        const step = this.#brokerUnloaded.get(broker)
        return step === undefined ? undefined : step * interval * MINUTE
      },
      now: this.#step * interval * MINUTE,
    }
  }

  #loadOf(broker: number): TransferLoad {
    const { msgThroughputIn, msgThroughputOut } = this.#cluster.report
    return {
      weightedMaxEMA: this.#usage[broker]!,
      msgThroughputEMA: this.#bytes[broker]!,
      msgThroughputIn: msgThroughputIn[broker]!,
      msgThroughputOut: msgThroughputOut[broker]!,
    }
  }

  #topBundles(broker: number): ReturnType<typeof topBundles> {
    const known = this.#tops.get(broker)
    if (known !== undefined) return known
    const cluster = this.#cluster
    const mayMove = [...cluster.reportedBundles(broker)].filter((one) => this.#isReported(cluster.namespaceOf[one]!))
    const most = this.#question.settings.loadBalancerMaxNumberOfBundlesInBundleLoadReport
    const top = topBundles(mayMove, cluster.loads, most)
    this.#tops.set(broker, top)
    return top
  }

  /** Whether a namespace's bundles are among the busiest at all. */
  #isReported(namespace: number): boolean {
    if (this.#excluded[namespace] || this.#cluster.namespaces[namespace] === SYSTEM_NAMESPACE) return false
    return this.#mayShedPolicies || !this.#candidates.hasPolicy(namespace)
  }

  get #mayShedPolicies(): boolean {
    return this.#question.settings.loadBalancerSheddingBundlesWithPoliciesEnabled
  }

  #canTransfer(bundle: number, from: number, to: number): boolean {
    const namespace = this.#cluster.namespaceOf[bundle]!
    if (!this.#mayShedPolicies && this.#candidates.hasPolicy(namespace)) return false
    const candidates = this.#filtered(namespace)
    if (!candidates.includes(to)) return false
    return this.#question.settings.loadBalancerTransferEnabled || candidates.some((broker) => broker !== from)
  }
}
