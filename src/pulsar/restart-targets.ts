/**
 * Where the bundles of a broker that restarts go: as a load manager places them, or so that each moves as seldom as can be.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, the placement strategies in org.apache.pulsar.broker.loadbalance.impl. Brokers report
 * between two restarts and not within one; what a broker was given since its report counts where the original counts it
 * (LeastLongTermMessageRate alone). Usage is the load over twice the mean of all brokers.
 */
import { JavaRandom } from '../fallback/kafka/java-random.js'
import { randomSource } from '../kafka/random-source.js'
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
  const pick = PICKS[placement](random, draws)
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

const PICKS: Readonly<Record<PlacementName, (random: JavaRandom, options: PulsarVersionOption) => Pick>> = {
  LeastLongTermMessageRate: (random) => (candidates, brokerLoads) => {
    const least = candidates.reduce((most, i) => Math.min(most, brokerLoads[i]!), Number.POSITIVE_INFINITY)
    return drawn(
      random,
      candidates.filter((i) => brokerLoads[i] === least),
    )
  },
  LeastResourceUsageWithWeight: (random) => leastUsage(random),
  RoundRobinBrokerSelector: () => roundRobin(),
  AvgShedder: (random, options) =>
    pulsarVersion(options) === '4.2' ? drawnByLoad(random) : (from) => drawn(random, from),
}

/** One after the other, of the candidates as they were when their number changed or the one in turn was none. */
function roundRobin(): Pick {
  let [seen, turn] = [[] as readonly number[], 0]
  return (candidates) => {
    if (candidates.length !== seen.length) seen = candidates
    const at = turn++ % candidates.length
    if (!candidates.includes(seen[at]!)) seen = candidates
    return seen[at]!
  }
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

/** Defaults of loadBalancerHistoryResourcePercentage and loadBalancerAverageResourceUsageDifferenceThresholdPercentage. */
const HISTORY = 0.9
const BELOW_MEAN = 0.1

/** Brokers below the mean by a threshold, with usages averaged at every look. What is remembered of an empty broker is forgotten. */
function leastUsage(random: JavaRandom): Pick {
  const remembered = new Map<number, number>()
  return (candidates, brokerLoads) => {
    const total = brokerLoads.reduce((sum, load) => sum + load, 0)
    const full = total === 0 ? 1 : (2 * total) / (candidates.length + 1)
    const usages = candidates.map((i) => {
      const now = brokerLoads[i]! / full
      const before = brokerLoads[i] === 0 ? undefined : remembered.get(i)
      const average = before === undefined ? now : before * HISTORY + (1 - HISTORY) * now
      remembered.set(i, average)
      return average
    })
    const mean = usages.reduce((sum, usage) => sum + usage, 0) / candidates.length
    const best = candidates.filter((_, i) => usages[i]! + BELOW_MEAN <= mean)
    return drawn(random, best.length === 0 ? candidates : best)
  }
}
