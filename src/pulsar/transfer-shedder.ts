/**
 * What the leader of the extensible load manager unloads, and to whom: TransferShedder.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.loadbalance.extensions.scheduler.TransferShedder.
 * What differs from the obvious: the walk over a broker's top bundles stops at the first that is too big and cannot be
 * swapped; what a swap gains is counted in debug mode alone, so that the flag changes the answer.
 */
import type { LoadSettings } from './load-settings.js'
import type { SheddingReason } from './shedding-reason.js'
import {
  type BusyBundle,
  type TopBundle,
  type TransferCycle,
  type TransferView,
  transferViewOf,
} from './transfer-view.js'

/** One bundle's move. */
export interface Transfer {
  readonly bundle: string
  readonly from: string
  /** `null` where the load manager is not to transfer: the next look-up places it. */
  readonly to: string | null
  readonly reason: 'Overloaded' | 'Underloaded'
}

/** As {@link Transfer}, with the figures. `isSwap`: it is given back for a bigger one. */
export interface FoundTransfer<B, U> {
  readonly bundle: U
  readonly from: B
  readonly to: B | null
  readonly reason: Transfer['reason']
  readonly why: SheddingReason
  readonly isSwap: boolean
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
    const found = this.shed(transferViewOf(cycle, this.#settings))
    return found.map(({ bundle, from, to, reason }) => ({ bundle, from, to, reason }))
  }

  /** As {@link findBundlesForUnloading}, of a view. */
  shed<B, U>(view: TransferView<B, U>): FoundTransfer<B, U>[] {
    const stats = statsOf(view, this.#settings)
    if (stats === null) return []
    const { min, max } = stats
    this.#hits = this.#why(view, stats, [stats.sorted[min]!, stats.sorted[max]!]) === null ? 0 : this.#hits + 1
    if (this.#hits <= this.#settings.loadBalancerSheddingConditionHitCountThreshold) return []
    return this.#transfers(view, stats)
  }

  #transfers<B, U>(view: TransferView<B, U>, stats: Stats<B>): FoundTransfer<B, U>[] {
    const transfers = new Map<U, FoundTransfer<B, U>>()
    const most = this.#settings.loadBalancerMaxNumberOfBrokerSheddingPerCycle
    while (stats.relieved < most && stats.min < stats.max) {
      const [emptiest, fullest] = [stats.sorted[stats.min]!, stats.sorted[stats.max]!]
      const why = this.#why(view, stats, [emptiest, fullest])
      if (why === null) break
      stats.max--
      const moved = this.#relieve(view, { emptiest, fullest, why }, transfers)
      if (moved > 0) offload(stats, [view.loadOf(fullest).weightedMaxEMA, view.loadOf(emptiest).weightedMaxEMA], moved)
    }
    if (transfers.size > 0) this.#hits = 0
    return [...transfers.values()]
  }

  /** Why the cluster is not even, or `null`. */
  #why<B>(
    view: TransferView<B, unknown>,
    stats: Stats<B>,
    [emptiest, fullest]: readonly [B, B],
  ): SheddingReason | null {
    const { loadBalancerBrokerLoadTargetStd: target, loadBalancerBrokerOverloadedThresholdPercentage: limit } =
      this.#settings
    const [least, most] = [view.loadOf(emptiest), view.loadOf(fullest)]
    const [load, leastLoad] = [most.weightedMaxEMA, least.weightedMaxEMA]
    if (stats.std > target) return { kind: 'wide-spread', figures: [load, leastLoad, stats.std, target] }
    const part = Math.min(0.5, Math.max(0, target / 2))
    if (leastLoad < stats.mean * part || least.msgThroughputEMA < most.msgThroughputEMA * part) {
      return { kind: 'underloaded', figures: [load, leastLoad, stats.mean, part] }
    }
    const isAbove = load > limit / 100 && load > stats.mean + target
    return isAbove ? { kind: 'above-limit', figures: [load, limit / 100, stats.mean, target] } : null
  }

  /** Marks bundles of the fullest broker. @returns the net load that leaves it */
  #relieve<B, U>(view: TransferView<B, U>, pair: Relief<B>, transfers: Map<U, FoundTransfer<B, U>>): number {
    const { emptiest, fullest, why } = pair
    const top = view.topBundles(fullest)
    if (top.length <= 1) return 0
    const flow = flowOf(view, emptiest, fullest)
    const reason = why.kind === 'underloaded' ? 'Underloaded' : 'Overloaded'
    const swaps = view.topBundles(emptiest).values()
    const canSwap = ({ bundle }: BusyBundle<U>) => view.canTransfer(bundle, emptiest, fullest)
    const to = this.#settings.loadBalancerTransferEnabled ? emptiest : null
    let left = top.length
    for (const candidate of top) {
      const { bundle } = candidate
      if (!view.isSheddable(bundle) || !view.canTransfer(bundle, fullest, emptiest)) continue
      if (left <= 1) break
      const bytes = bytesOf(candidate)
      if (bytes === 0) continue
      const swapped = roomFor(bytes, flow, to === null ? null : { swaps, canSwap })
      if (swapped === null) break
      for (const { bundle: back } of swapped.bundles) {
        transfers.set(back, { bundle: back, from: emptiest, to: fullest, reason, why, isSwap: true })
      }
      if (this.#settings.loadBalancerDebugModeEnabled) flow.gain += swapped.bytes
      transfers.set(bundle, { bundle, from: fullest, to, reason, why, isSwap: false })
      flow.out += bytes
      left--
    }
    return flow.out > 0 ? ((flow.out - flow.gain) * flow.load) / flow.most : 0
  }
}

interface Relief<B> {
  readonly emptiest: B
  readonly fullest: B
  readonly why: SheddingReason
}

interface Stats<B> {
  /** Brokers by load, ascending. */
  readonly sorted: readonly B[]
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

function flowOf<B>(view: TransferView<B, unknown>, emptiest: B, fullest: B): Flow {
  const [from, to] = [view.loadOf(fullest), view.loadOf(emptiest)]
  const load = from.weightedMaxEMA
  const most = bytesOf(from)
  const target = (most * ((load - to.weightedMaxEMA) / 2)) / load
  return { load, most, least: bytesOf(to), target, out: 0, gain: 0 }
}

interface Swap<U> {
  readonly bundles: readonly BusyBundle<U>[]
  readonly bytes: number
}

/** What may come back: each is looked at once. */
interface Swaps<U> {
  readonly swaps: Iterator<BusyBundle<U>>
  readonly canSwap: (bundle: BusyBundle<U>) => boolean
}

/** What must come back so that a bundle may leave: nothing where it fits, `null` where it cannot be. */
function roomFor<U>(bytes: number, flow: Flow, swaps: Swaps<U> | null): Swap<U> | null {
  // Without load there is no target, and nothing is beyond it.
  if (flow.out - flow.gain + bytes > flow.target) return swaps === null ? null : swapFor(bytes, flow, swaps)
  return { bundles: [], bytes: 0 }
}

/** Bundles of the emptiest broker that make room for one that is too big; `null` where they do not. */
function swapFor<U>(bytes: number, flow: Flow, { swaps, canSwap }: Swaps<U>): Swap<U> | null {
  let fullest = flow.most - flow.out + flow.gain - bytes
  let emptiest = flow.least + flow.out - flow.gain + bytes
  const bundles: BusyBundle<U>[] = []
  let gained = 0
  for (let next = swaps.next(); !next.done; next = swaps.next()) {
    const back = bytesOf(next.value)
    if (back === 0 || !canSwap(next.value) || fullest + back >= flow.most || emptiest - back >= flow.most) continue
    bundles.push(next.value)
    fullest += back
    emptiest -= back
    gained += back
    if (emptiest <= fullest && fullest < flow.most * SWAP_TARGET) return { bundles, bytes: gained }
  }
  return null
}

/** Mean and deviation of the loads; `null` where a report is missing, or a broker was unloaded a moment ago. */
function statsOf<B>(view: TransferView<B, unknown>, settings: LoadSettings): Stats<B> | null {
  let [sum, squares, total] = [0, 0, 0]
  for (const broker of view.brokers) {
    const { weightedMaxEMA: load, updatedAt = view.now } = view.loadOf(broker)
    if (view.now - updatedAt > settings.loadBalancerBrokerLoadDataTTLInSeconds * 1000) continue
    const unloaded = view.unloadedAt(broker)
    if (unloaded !== undefined && updatedAt - unloaded < settings.loadBalanceSheddingDelayInSeconds * 1000) return null
    sum += load
    squares += load * load
    total++
  }
  if (total === 0 || view.hasMissing) return null
  const mean = sum / total
  const sorted = [...view.brokers].sort((a, b) => view.loadOf(a).weightedMaxEMA - view.loadOf(b).weightedMaxEMA)
  const std = Math.sqrt(squares / total - mean * mean)
  return { sorted, mean, total, squares, std, min: 0, max: sorted.length - 1, relieved: 0 }
}

function offload(stats: Stats<unknown>, [most, least]: readonly [number, number], moved: number): void {
  stats.squares -= most * most + least * least
  const [newMost, newLeast] = [Math.max(0, most - moved), least + moved]
  stats.squares += newMost * newMost + newLeast * newLeast
  stats.std = Math.sqrt(Math.abs(stats.squares / stats.total - stats.mean * stats.mean))
  stats.relieved++
  stats.min++
}
