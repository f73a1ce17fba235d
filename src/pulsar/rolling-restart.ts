/**
 * A rolling restart: every broker once, one after the other; how often each bundle moves, in how many steps it is unloaded, and the
 * fewest moves that can be.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1: a broker that stops unloads its bundles one by one (modular manager), or
 * `loadBalancerServiceUnitStateMaxConcurrentOverrides` (64) at a time (extensible).
 *
 * The fewest. A bundle moves once at least, since its broker restarts. Bundles of the broker that restarts first can go only to
 * brokers that are yet to restart, and move again there: twice at least. So no restart in a given order has fewer than all
 * bundles and once more those of the first; over all orders the first is the one with fewest bundles. That many are enough:
 * every other bundle goes to a broker that has restarted. A broker without bundles that restarts first, such as a spare one,
 * makes it one move each.
 *
 * What differs from the obvious: the broker that restarts last is empty at the end, however bundles are placed; and a load manager
 * sends bundles to brokers that are yet to restart.
 */
import { checkInteger, checkName, codedError, shown } from '../errors.js'
import type { LoadManager } from './bundle-split.js'
import { checkBrokers, checkLoads, checkOwners, unknownBroker } from './restart-checks.js'
import { plannedTargets, strategyTargets, type Targets } from './restart-targets.js'
import { PLACEMENTS, type PlacementName } from './simulation-types.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

export interface RollingRestartQuestion extends PulsarVersionOption {
  /** Two at least, each once. */
  readonly brokers: readonly string[]
  /** The broker of each bundle, by the bundle's key. */
  readonly owners: Readonly<Record<string, string>>
  /** The load of every bundle, in any one unit, 0 or more. Default: 1 each, which levels numbers of bundles. */
  readonly loads?: Readonly<Record<string, number>> | undefined
  /**
   * Every broker once. Default: that with fewest bundles first, since they move twice; the others from the least load on, so that
   * the heaviest is spread over most brokers.
   */
  readonly order?: readonly string[] | undefined
  /** Default: `modular`. */
  readonly loadManager?: LoadManager | undefined
  /** Bundles that the extensible manager unloads at a time, in `[1, 2^31)`. Default: 64. */
  readonly batch?: number | undefined
  /**
   * What the load manager places with. Default: `LeastResourceUsageWithWeight` where it is extensible; else `AvgShedder` in 5.0 and
   * `LeastLongTermMessageRate` before.
   */
  readonly placement?: PlacementName | undefined
  /** Of `java.util.Random`, where the strategy draws. Default: 0. */
  readonly seed?: number | undefined
}

/** Moves in order of time, a bundle each. */
export interface RestartMoves {
  readonly length: number
  /** Index in `order` of the broker that restarts. */
  readonly restart: Int32Array
  /** Index in `bundles`. */
  readonly bundle: Int32Array
  /** Index in `order`; that of the broker that restarts. */
  readonly from: Int32Array
  /** Index in `order`. */
  readonly to: Int32Array
}

/** One broker's turn. */
export interface BrokerRestart {
  readonly broker: string
  /** Bundles that it has when it goes, and their load. */
  readonly bundles: number
  readonly load: number
  /** One after the other: bundles, or batches of them. */
  readonly unloadSteps: number
  /** The largest load of another broker when they are placed, and that broker. */
  readonly peak: number
  readonly peakBroker: string
}

/** What one way of placing comes to. */
export interface RestartRun {
  /** Moves of bundles, which are blips for clients, in all. */
  readonly moves: number
  readonly unloadSteps: number
  /** How often each bundle moves, in the order of `bundles`. */
  readonly timesMoved: Int32Array
  /** Bundles that move that often: `[0]` is 0. */
  readonly histogram: readonly number[]
  /** The largest load that a broker has at any time, and the same over the mean of all brokers; 1 where there is no load. */
  readonly peak: number
  readonly peakToMean: number
  readonly restarts: readonly BrokerRestart[]
  readonly columns: RestartMoves
  /** Load of each broker at the end, in the order of `order`: the last is 0. */
  readonly loadsAfter: Float64Array
}

export interface RollingRestart {
  readonly order: readonly string[]
  /** Names, sorted. */
  readonly bundles: readonly string[]
  readonly loadManager: LoadManager
  readonly placement: PlacementName
  /** The fewest moves that a restart in this order can have, and in any order. */
  readonly fewest: number
  readonly fewestInAnyOrder: number
  /** As a load manager places them, looking at what is there. */
  readonly byStrategy: RestartRun
  /** With the fewest moves of this order: to the broker with least load among those that have restarted. */
  readonly planned: RestartRun
}

/**
 * What a rolling restart moves.
 *
 * @returns the run of the load manager's strategy and a planned one with the fewest moves, in one order
 *
 * Cost: moves times brokers.
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE; ERR_PLACEMENT_ARGUMENT_RANGE (fewer than two brokers, a load that is negative, NaN or missing);
 *   ERR_PLACEMENT_DUPLICATE (a broker twice); ERR_PLACEMENT_UNKNOWN_NAME (an owner or a broker of the order that is none, with the
 *   nearest; a load without a bundle); ERR_PLACEMENT_UNKNOWN_VERSION
 *
 * @example
 * pulsar.rollingRestart({ brokers: ['a', 'b', 'c'], owners: { x: 'a', y: 'b', z: 'c' } }).planned.moves // 4
 */
export function rollingRestart(question: RollingRestartQuestion): RollingRestart {
  const { brokers, owners, loads } = question
  checkBrokers(brokers, 'brokers')
  checkOwners(owners, brokers)
  if (loads !== undefined) checkLoads(loads, owners)
  const { loadManager, placement, batch, seed, isEven } = choiceOf(question)
  const bundles = Object.keys(owners).sort()
  const counts = new Map(brokers.map((name) => [name, 0]))
  for (const bundle of bundles) counts.set(owners[bundle]!, counts.get(owners[bundle]!)! + 1)
  const order = orderOf(question, counts)
  const places = new Map(order.map((name, i) => [name, i]))
  const cluster: Cluster = {
    order,
    owners: Int32Array.from(bundles, (bundle) => places.get(owners[bundle]!)!),
    loads: Float64Array.from(bundles, (bundle) => loads?.[bundle] ?? 1),
    namespaces: namespacesOf(bundles),
    batch: loadManager === 'modular' ? 1 : batch,
  }
  return {
    order,
    bundles,
    loadManager,
    placement,
    fewest: bundles.length + counts.get(order[0]!)!,
    fewestInAnyOrder: bundles.length + Math.min(...counts.values()),
    byStrategy: runOf(cluster, strategyTargets(placement, { version: question.version, seed, isEven })),
    planned: runOf(cluster, plannedTargets),
  }
}

function choiceOf(question: RollingRestartQuestion) {
  const { batch = 64, seed = 0 } = question
  const loadManager = checkName(question.loadManager ?? 'modular', 'loadManager', ['modular', 'extensible'] as const)
  const modular = isSince(pulsarVersion(question), '5.0') ? 'AvgShedder' : 'LeastLongTermMessageRate'
  const standard = loadManager === 'modular' ? modular : 'LeastResourceUsageWithWeight'
  const placement = checkName<PlacementName>(question.placement ?? standard, 'placement', PLACEMENTS)
  checkInteger(batch, 'batch', [1, 2 ** 31 - 1])
  checkInteger(seed, 'seed', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
  // loadBalancerDistributeBundlesEvenlyEnabled is on before 5.0; the extensible manager does not look at it.
  const isEven = loadManager === 'modular' && !isSince(pulsarVersion(question), '5.0')
  return { loadManager, placement, batch, seed, isEven }
}

/** Bundles and brokers as numbers; brokers in the order of their restarts. */
interface Cluster {
  readonly order: readonly string[]
  readonly owners: Int32Array
  readonly loads: Float64Array
  readonly namespaces: Int32Array
  readonly batch: number
}

/** A number for the namespace of each bundle. */
function namespacesOf(bundles: readonly string[]): Int32Array {
  const numbers = new Map<string, number>()
  return Int32Array.from(bundles, (bundle) => {
    const namespace = bundle.slice(0, Math.max(0, bundle.lastIndexOf('/')))
    if (!numbers.has(namespace)) numbers.set(namespace, numbers.size)
    return numbers.get(namespace)!
  })
}

function runOf(cluster: Cluster, targets: Targets): RestartRun {
  const { order, owners: before, loads, batch } = cluster
  const state = { owners: before.slice(), brokerLoads: new Float64Array(order.length) }
  const timesMoved = new Int32Array(before.length)
  before.forEach((owner, bundle) => {
    state.brokerLoads[owner]! += loads[bundle]!
  })
  const peakBefore = state.brokerLoads[indexOfMost(state.brokerLoads)]!
  const total = loads.reduce((sum, load) => sum + load, 0)
  const rows: (readonly [restart: number, bundle: number, to: number])[] = []
  const restarts = order.map((broker, at): BrokerRestart => {
    const leaving = bundlesOf(state.owners, at)
    const load = state.brokerLoads[at]!
    state.brokerLoads[at] = 0
    const { owners, brokerLoads } = state
    targets({ ...cluster, at, brokers: order.length, leaving, owners, brokerLoads }, (bundle, to) => {
      state.owners[bundle] = to
      state.brokerLoads[to]! += loads[bundle]!
      timesMoved[bundle]!++
      rows.push([at, bundle, to])
    })
    const peakAt = indexOfMost(state.brokerLoads)
    const unloadSteps = Math.ceil(leaving.length / batch)
    const peak = state.brokerLoads[peakAt]!
    return { broker, bundles: leaving.length, load, unloadSteps, peak, peakBroker: order[peakAt]! }
  })
  const peak = Math.max(peakBefore, ...restarts.map((one) => one.peak))
  return {
    moves: rows.length,
    unloadSteps: restarts.reduce((sum, { unloadSteps }) => sum + unloadSteps, 0),
    timesMoved,
    histogram: histogramOf(timesMoved),
    peak,
    peakToMean: total === 0 ? 1 : (peak * order.length) / total,
    restarts,
    columns: columnsOf(rows),
    loadsAfter: state.brokerLoads,
  }
}

function bundlesOf(owners: Int32Array, broker: number): number[] {
  const bundles: number[] = []
  for (let i = 0; i < owners.length; i++) if (owners[i] === broker) bundles.push(i)
  return bundles
}

function columnsOf(rows: readonly (readonly [restart: number, bundle: number, to: number])[]): RestartMoves {
  const restart = Int32Array.from(rows, ([at]) => at)
  const [bundle, to] = [Int32Array.from(rows, (row) => row[1]), Int32Array.from(rows, (row) => row[2])]
  return { length: rows.length, restart, bundle, from: restart.slice(), to }
}

function histogramOf(timesMoved: Int32Array): number[] {
  const most = timesMoved.reduce((largest, times) => Math.max(largest, times), 0)
  const histogram = new Array<number>(most + 1).fill(0)
  for (const times of timesMoved) histogram[times]!++
  return histogram
}

function indexOfMost(values: Float64Array): number {
  let most = 0
  for (let i = 1; i < values.length; i++) if (values[i]! > values[most]!) most = i
  return most
}

function orderOf(
  { brokers, order, owners, loads }: RollingRestartQuestion,
  counts: ReadonlyMap<string, number>,
): readonly string[] {
  if (order === undefined) {
    const weights = new Map(brokers.map((name) => [name, 0]))
    for (const [bundle, owner] of Object.entries(owners))
      weights.set(owner, weights.get(owner)! + (loads?.[bundle] ?? 1))
    const byLoad = brokers.toSorted((a, b) => weights.get(a)! - weights.get(b)!)
    const first = byLoad.reduce((best, name) => (counts.get(name)! < counts.get(best)! ? name : best))
    return [first, ...byLoad.filter((name) => name !== first)]
  }
  checkBrokers(order, 'order')
  order.forEach((name, i) => {
    if (!counts.has(name)) throw unknownBroker(`order[${i}]`, name, brokers)
  })
  const missing = brokers.find((name) => !order.includes(name))
  if (missing === undefined) return order
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `order: expected every broker once, got none of ${shown(missing)}`)
}
