/**
 * What the leader of the extensible load manager looks at when it sheds: reports of brokers and their busiest bundles.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.broker.loadbalance.extensions.data.
 */
import { codedError, shown } from '../errors.js'
import type { LoadSettings } from './load-settings.js'

/** A broker's report. */
export interface TransferLoad {
  /** Weighted maximum of its usages, averaged over time: 1 for full, and it can be more. */
  readonly weightedMaxEMA: number
  /** Bytes a second, averaged over time. */
  readonly msgThroughputEMA: number
  readonly msgThroughputIn: number
  readonly msgThroughputOut: number
  /** Milliseconds. Default: now. */
  readonly updatedAt?: number | undefined
}

/** One of a broker's busiest bundles. */
export interface TopBundle {
  readonly bundle: string
  readonly msgThroughputIn: number
  readonly msgThroughputOut: number
}

/** What the leader knows. */
export interface TransferCycle {
  /** In the order of the store, which ties of load show. */
  readonly brokers: Readonly<Record<string, TransferLoad>>
  /** The busiest bundles of each broker in the order of its report, which Pulsar begins with the least busy of them. */
  readonly topBundles: Readonly<Record<string, readonly TopBundle[]>>
  /** Brokers that are registered. Default: those of `brokers`. */
  readonly registered?: readonly string[] | undefined
  /** Bundles that were unloaded of late, which are left alone. */
  readonly recentlyUnloaded?: readonly string[] | undefined
  /** Brokers that were unloaded from, and when. */
  readonly recentlyUnloadedBrokers?: Readonly<Record<string, number>> | undefined
  /** Milliseconds. Default: 0. */
  readonly now?: number | undefined
}

/** What the leader knows, of brokers and bundles by name or by number. */
export interface TransferView<B, U> {
  /** In the order of the store, which ties of load show. */
  readonly brokers: readonly B[]
  /** Whether a broker is registered and has no report. */
  readonly hasMissing: boolean
  loadOf(broker: B): TransferLoad
  /** The busiest bundles in the order of the broker's report. */
  topBundles(broker: B): readonly BusyBundle<U>[]
  /** Whether a bundle may be unloaded: not of late, and its namespace is not excluded. */
  isSheddable(bundle: U): boolean
  /** Whether policies and filters let a bundle go there. */
  canTransfer(bundle: U, from: B, to: B): boolean
  /** When a broker was unloaded from, in milliseconds; `undefined` for never. */
  unloadedAt(broker: B): number | undefined
  /** Milliseconds. */
  readonly now: number
}

/** As {@link TopBundle}. */
export interface BusyBundle<U> extends Omit<TopBundle, 'bundle'> {
  readonly bundle: U
}

/** The view of a cycle given by names, in which every bundle may go anywhere. @throws ERR_PLACEMENT_ARGUMENT_RANGE */
export function transferViewOf(cycle: TransferCycle, settings: LoadSettings): TransferView<string, string> {
  checkCycle(cycle)
  const { brokers, topBundles, registered = [], recentlyUnloadedBrokers = {}, now = 0 } = cycle
  const recent = new Set(cycle.recentlyUnloaded ?? [])
  const excluded = new Set(settings.loadBalancerSheddingExcludedNamespaces)
  const cooling = new Map(Object.entries(recentlyUnloadedBrokers))
  return {
    brokers: Object.keys(brokers),
    hasMissing: registered.some((name) => !Object.hasOwn(brokers, name)),
    loadOf: (name) => brokers[name]!,
    topBundles: (name) => topBundles[name] ?? [],
    isSheddable: (bundle) => !recent.has(bundle) && !excluded.has(bundle.slice(0, bundle.lastIndexOf('/'))),
    canTransfer: () => true,
    unloadedAt: (name) => cooling.get(name),
    now,
  }
}

function checkCycle({ brokers, topBundles }: TransferCycle): void {
  for (const [name, load] of Object.entries(brokers)) {
    for (const key of ['weightedMaxEMA', 'msgThroughputEMA', 'msgThroughputIn', 'msgThroughputOut'] as const) {
      checkRate(load[key], `brokers[${shown(name)}].${key}`)
    }
  }
  for (const [name, bundles] of Object.entries(topBundles)) {
    for (const [i, { msgThroughputIn, msgThroughputOut }] of bundles.entries()) {
      checkRate(msgThroughputIn, `topBundles[${shown(name)}][${i}].msgThroughputIn`)
      checkRate(msgThroughputOut, `topBundles[${shown(name)}][${i}].msgThroughputOut`)
    }
  }
}

function checkRate(value: unknown, where: string): void {
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${where}: expected a number of 0 or more, got ${shown(value)}`)
}
