/**
 * Where the bundles of a broker that restarts go: as a load manager places them, or so that each moves as seldom as can be.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, the placement strategies in org.apache.pulsar.broker.loadbalance.impl. Brokers report
 * between two restarts and not within one; what a broker was given since its report counts where the original counts it
 * (LeastLongTermMessageRate alone). Usage is the load over twice the mean of all brokers.
 */
import { JavaRandom } from '../fallback/kafka/java-random.js'
import { randomSource } from '../kafka/random-source.js'
import { loadSettings } from './load-settings.js'
import { placerOf } from './simulation/placers.js'
import type { PlacementName } from './simulation-types.js'
import { type PulsarVersionOption, pulsarVersion } from './version.js'

/** A broker that goes; brokers are numbers in the order of their restarts. */
export interface Leaving {
  /** The broker. Those before it have restarted. */
  readonly at: number
  readonly brokers: number
  /** Its bundles. */
  readonly leaving: readonly number[]
  /** By bundle. */
  readonly loads: Float64Array
  /** By broker, without what leaves; `place` adds to it. */
  readonly brokerLoads: Float64Array
  /** By bundle: its broker, which `place` changes, and its namespace. */
  readonly owners: Int32Array
  readonly namespaces: Int32Array
}

/** Places every bundle that leaves. */
export type Targets = (leaving: Leaving, place: (bundle: number, broker: number) => void) => void

/**
 * To a broker that has restarted, so that the bundle moves no more; of the first to one of the others. The heaviest first, each to
 * the one with least load.
 */
export const plannedTargets: Targets = ({ at, brokers, leaving, loads, brokerLoads }, place) => {
  const [from, to] = at === 0 ? [1, brokers] : [0, at]
  for (const bundle of leaving.toSorted((a, b) => loads[b]! - loads[a]!)) {
    let least = from
    for (let i = from + 1; i < to; i++) if (brokerLoads[i]! < brokerLoads[least]!) least = i
    place(bundle, least)
  }
}

type StrategyName = Exclude<PlacementName, 'AvgShedder'>

/** These strategies look at brokers alone. */
const NO_BUNDLE = -1

/** Picks one of the candidates for a bundle. */
type Pick = (candidates: readonly number[], brokerLoads: Float64Array, load: number) => number

interface Draws extends PulsarVersionOption {
  readonly seed: number
  /** Only brokers with the fewest bundles of the bundle's namespace are candidates. */
  readonly isEven: boolean
}

/** As a strategy of the load manager places them, with what Java draws drawn from a seed. */
export function strategyTargets(placement: PlacementName, draws: Draws): Targets {
  const random = new JavaRandom(randomSource({ seed: draws.seed }))
  const pick = pickOf(placement, random, draws)
  return (question, place) => {
    const { at, brokers, leaving, loads, brokerLoads } = question
    const others = Array.from({ length: brokers }, (_, i) => i).filter((i) => i !== at)
    // A report is made between restarts: this is the last one.
    const seen = placement === 'LeastLongTermMessageRate' ? brokerLoads : brokerLoads.slice()
    const counts = draws.isEven ? new NamespaceCounts(question) : null
    for (const bundle of leaving) {
      const broker = pick(counts?.fewest(bundle, others) ?? others, seen, loads[bundle]!)
      place(bundle, broker)
      counts?.add(bundle, broker)
    }
  }
}

/** How many bundles of a namespace brokers have. */
class NamespaceCounts {
  readonly #namespaces: Int32Array
  readonly #counts = new Map<number, Map<number, number>>()

  constructor({ owners, namespaces, at }: Leaving) {
    this.#namespaces = namespaces
    owners.forEach((owner, bundle) => {
      if (owner !== at) this.add(bundle, owner)
    })
  }

  add(bundle: number, broker: number): void {
    const namespace = this.#namespaces[bundle]!
    const counts = this.#counts.get(namespace) ?? new Map<number, number>()
    counts.set(broker, (counts.get(broker) ?? 0) + 1)
    this.#counts.set(namespace, counts)
  }

  /** Those of the brokers with fewest of the bundle's namespace. */
  fewest(bundle: number, brokers: readonly number[]): readonly number[] {
    const counts = this.#counts.get(this.#namespaces[bundle]!)
    const countOf = (broker: number) => counts?.get(broker) ?? 0
    const least = brokers.reduce((most, broker) => Math.min(most, countOf(broker)), Number.POSITIVE_INFINITY)
    return brokers.filter((broker) => countOf(broker) === least)
  }
}

const drawn = (random: JavaRandom, from: readonly number[]): number => from[random.below(from.length)]!

function pickOf(placement: PlacementName, random: JavaRandom, options: PulsarVersionOption): Pick {
  if (placement !== 'AvgShedder') return pickByStrategy(placement, random, options)
  return pulsarVersion(options) === '4.2' ? drawnByLoad(random) : (from) => drawn(random, from)
}

/** The strategies of the load managers, with their memory; a broker's usage is its load over twice the mean of all. */
function pickByStrategy(placement: StrategyName, random: JavaRandom, options: PulsarVersionOption): Pick {
  // To LeastLongTermMessageRate no broker is overloaded here: it looks at loads alone.
  const looksAtUsage = placement === 'LeastResourceUsageWithWeight'
  let [loads, full]: [Float64Array, number] = [new Float64Array(0), 1]
  const figures = {
    weightedUsage: (broker: number) => (looksAtUsage ? loads[broker]! / full : 0),
    plainUsage: () => 0,
    longTermMsgRate: (broker: number) => loads[broker]!,
    isIdle: (broker: number) => loads[broker] === 0,
  }
  const version = pulsarVersion(options)
  const placer = placerOf(placement, { settings: loadSettings(), version, random, figures })
  return (candidates, brokerLoads) => {
    loads = brokerLoads
    if (looksAtUsage) full = fullLoad(loads, candidates.length + 1)
    return placer.pick(candidates, NO_BUNDLE)
  }
}

/** The load of a broker that is full; 1 where there is no load. */
function fullLoad(loads: Float64Array, brokers: number): number {
  const total = loads.reduce((sum, load) => sum + load, 0)
  return total === 0 ? 1 : (2 * total) / brokers
}

/** 4.2 remembers what it drew by the data of a bundle until a report changes it, and bundles of equal data are one to it. */
function drawnByLoad(random: JavaRandom): Pick {
  const remembered = new Map<number, number>()
  let report: Float64Array | null = null
  return (candidates, brokerLoads, load) => {
    if (report !== brokerLoads) remembered.clear()
    report = brokerLoads
    const before = remembered.get(load)
    if (before !== undefined && candidates.includes(before)) return before
    const broker = drawn(random, candidates)
    remembered.set(load, broker)
    return broker
  }
}
