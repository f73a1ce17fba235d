/**
 * What the leader of the extensible load manager unloads, and to whom: TransferShedder.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.loadbalance.extensions.scheduler.TransferShedder.
 * What differs from the obvious: the walk over a broker's top bundles stops at the first that is too big and cannot be
 * swapped; what a swap gains is counted in debug mode alone, so that the flag changes the answer.
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
  /** The busiest bundles of each broker, the busiest first. */
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

/** One bundle's move. */
export interface Transfer {
  readonly bundle: string
  readonly from: string
  /** `null` where the load manager is not to transfer: the next look-up places it. */
  readonly to: string | null
  readonly reason: 'Overloaded' | 'Underloaded'
}

/** Where a swap must get the fullest broker. */
const SWAP_TARGET = 0.75

export class TransferShedder {
  readonly #settings: LoadSettings
  #hits = 0

  constructor(settings: LoadSettings) {
    this.#settings = settings
  }

  /** @throws ERR_PLACEMENT_ARGUMENT_RANGE */
  findBundlesForUnloading(cycle: TransferCycle): Transfer[] {
    checkCycle(cycle)
    const stats = statsOf(cycle, this.#settings)
    if (stats === null) return []
    const { min, max } = stats
    this.#hits = this.#reason(cycle, stats, [stats.sorted[min]!, stats.sorted[max]!]) === null ? 0 : this.#hits + 1
    if (this.#hits <= this.#settings.loadBalancerSheddingConditionHitCountThreshold) return []
    return this.#transfers(cycle, stats)
  }

  #transfers(cycle: TransferCycle, stats: Stats): Transfer[] {
    const transfers = new Map<string, Transfer>()
    const most = this.#settings.loadBalancerMaxNumberOfBrokerSheddingPerCycle
    while (stats.relieved < most && stats.min < stats.max) {
      const [emptiest, fullest] = [stats.sorted[stats.min]!, stats.sorted[stats.max]!]
      const reason = this.#reason(cycle, stats, [emptiest, fullest])
      if (reason === null) break
      stats.max--
      const moved = this.#relieve(cycle, { emptiest, fullest, reason }, transfers)
      if (moved > 0) offload(stats, cycle, { emptiest, fullest, moved })
    }
    if (transfers.size > 0) this.#hits = 0
    return [...transfers.values()]
  }

  /** Why the cluster is not even, or `null`. */
  #reason(
    cycle: TransferCycle,
    stats: Stats,
    [emptiest, fullest]: readonly [string, string],
  ): Transfer['reason'] | null {
    const { loadBalancerBrokerLoadTargetStd: target, loadBalancerBrokerOverloadedThresholdPercentage: limit } =
      this.#settings
    if (stats.std > target) return 'Overloaded'
    const [least, most] = [cycle.brokers[emptiest]!, cycle.brokers[fullest]!]
    const part = Math.min(0.5, Math.max(0, target / 2))
    if (least.weightedMaxEMA < stats.mean * part) return 'Underloaded'
    if (least.msgThroughputEMA < most.msgThroughputEMA * part) return 'Underloaded'
    const load = most.weightedMaxEMA
    return load > limit / 100 && load > stats.mean + target ? 'Overloaded' : null
  }

  /** Marks bundles of the fullest broker. @returns the net load that leaves it */
  #relieve(cycle: TransferCycle, pair: Relief, transfers: Map<string, Transfer>): number {
    const { emptiest, fullest, reason } = pair
    const top = cycle.topBundles[fullest] ?? []
    if (top.length <= 1) return 0
    const flow = flowOf(cycle, emptiest, fullest)
    const recent = new Set(cycle.recentlyUnloaded ?? [])
    const swaps = (cycle.topBundles[emptiest] ?? []).values()
    const to = this.#settings.loadBalancerTransferEnabled ? emptiest : null
    let left = top.length
    for (const candidate of top.filter(({ bundle }) => !this.#isExcluded(bundle) && !recent.has(bundle))) {
      if (left <= 1) break
      const bytes = bytesOf(candidate)
      if (bytes === 0) continue
      const swapped = roomFor(bytes, flow, to === null ? null : swaps)
      if (swapped === null) break
      for (const { bundle } of swapped.bundles) transfers.set(bundle, { bundle, from: emptiest, to: fullest, reason })
      if (this.#settings.loadBalancerDebugModeEnabled) flow.gain += swapped.bytes
      transfers.set(candidate.bundle, { bundle: candidate.bundle, from: fullest, to, reason })
      flow.out += bytes
      left--
    }
    return flow.out > 0 ? ((flow.out - flow.gain) * flow.load) / flow.most : 0
  }

  #isExcluded(bundle: string): boolean {
    const namespace = bundle.slice(0, bundle.lastIndexOf('/'))
    return this.#settings.loadBalancerSheddingExcludedNamespaces.includes(namespace)
  }
}

interface Relief {
  readonly emptiest: string
  readonly fullest: string
  readonly reason: Transfer['reason']
}

interface Stats {
  /** Names by load, ascending. */
  readonly sorted: readonly string[]
  readonly mean: number
  readonly total: number
  squares: number
  std: number
  min: number
  max: number
  /** Brokers relieved in this cycle. */
  relieved: number
}

/** Bytes a second between two brokers. */
interface Flow {
  readonly load: number
  /** Of the fullest and of the emptiest broker. */
  readonly most: number
  readonly least: number
  /** What should leave. */
  readonly target: number
  out: number
  gain: number
}

const bytesOf = ({ msgThroughputIn, msgThroughputOut }: Omit<TopBundle, 'bundle'>): number =>
  msgThroughputIn + msgThroughputOut

function flowOf({ brokers }: TransferCycle, emptiest: string, fullest: string): Flow {
  const [from, to] = [brokers[fullest]!, brokers[emptiest]!]
  const load = from.weightedMaxEMA
  const most = bytesOf(from)
  const target = (most * ((load - to.weightedMaxEMA) / 2)) / load
  return { load, most, least: bytesOf(to), target, out: 0, gain: 0 }
}

interface Swap {
  readonly bundles: readonly TopBundle[]
  readonly bytes: number
}

/** What must come back so that a bundle may leave: nothing where it fits, `null` where it cannot be. */
function roomFor(bytes: number, flow: Flow, swaps: Iterator<TopBundle> | null): Swap | null {
  // Without load there is no target, and nothing is beyond it.
  if (flow.out - flow.gain + bytes > flow.target) return swaps === null ? null : swapFor(bytes, flow, swaps)
  return { bundles: [], bytes: 0 }
}

/** Bundles of the emptiest broker that make room for one that is too big; `null` where they do not. */
function swapFor(bytes: number, flow: Flow, swaps: Iterator<TopBundle>): Swap | null {
  let fullest = flow.most - flow.out + flow.gain - bytes
  let emptiest = flow.least + flow.out - flow.gain + bytes
  const bundles: TopBundle[] = []
  let gained = 0
  for (let next = swaps.next(); !next.done; next = swaps.next()) {
    const back = bytesOf(next.value)
    if (back === 0 || fullest + back >= flow.most || emptiest - back >= flow.most) continue
    bundles.push(next.value)
    fullest += back
    emptiest -= back
    gained += back
    if (emptiest <= fullest && fullest < flow.most * SWAP_TARGET) return { bundles, bytes: gained }
  }
  return null
}

/** Mean and deviation of the loads; `null` where a report is missing, or a broker was unloaded a moment ago. */
function statsOf(cycle: TransferCycle, settings: LoadSettings): Stats | null {
  const { brokers, recentlyUnloadedBrokers = {}, now = 0 } = cycle
  const missing = new Set(cycle.registered ?? Object.keys(brokers))
  const cooling = new Map(Object.entries(recentlyUnloadedBrokers))
  let [sum, squares, total] = [0, 0, 0]
  for (const [name, { weightedMaxEMA: load, updatedAt = now }] of Object.entries(brokers)) {
    missing.delete(name)
    if (now - updatedAt > settings.loadBalancerBrokerLoadDataTTLInSeconds * 1000) continue
    const unloaded = cooling.get(name)
    if (unloaded !== undefined && updatedAt - unloaded < settings.loadBalanceSheddingDelayInSeconds * 1000) return null
    sum += load
    squares += load * load
    total++
  }
  if (total === 0 || missing.size > 0) return null
  const mean = sum / total
  const sorted = Object.keys(brokers).sort((a, b) => brokers[a]!.weightedMaxEMA - brokers[b]!.weightedMaxEMA)
  const std = Math.sqrt(squares / total - mean * mean)
  return { sorted, mean, total, squares, std, min: 0, max: sorted.length - 1, relieved: 0 }
}

function offload(
  stats: Stats,
  { brokers }: TransferCycle,
  { emptiest, fullest, moved }: { emptiest: string; fullest: string; moved: number },
): void {
  const [most, least] = [brokers[fullest]!.weightedMaxEMA, brokers[emptiest]!.weightedMaxEMA]
  stats.squares -= most * most + least * least
  const [newMost, newLeast] = [Math.max(0, most - moved), least + moved]
  stats.squares += newMost * newMost + newLeast * newLeast
  stats.std = Math.sqrt(Math.abs(stats.squares / stats.total - stats.mean * stats.mean))
  stats.relieved++
  stats.min++
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
