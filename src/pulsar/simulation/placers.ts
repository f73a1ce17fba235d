/**
 * Placement strategies of the modular load manager over numbered brokers, with their draws.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, as placement-strategies.ts; AvgShedder.selectBroker. What is simulated: Java draws from
 * sources without a seed; here all draw from one `new java.util.Random(seed)`, in the order of the bundles.
 */

import { HASHES } from '../../fallback/hash/index.js'
import type { JavaRandom } from '../../fallback/kafka/java-random.js'
import type { PulsarVersion } from '../../types.js'
import type { LoadSettings } from '../load-settings.js'
import {
  type BrokerFigures,
  LeastLongTermMessageRate,
  LeastResourceUsageWithWeight,
  RoundRobinBrokerSelector,
} from '../placement-strategies.js'
import type { PlacementName } from '../simulation-types.js'
import { isSince } from '../version.js'

type Brokers = readonly number[]

export interface Placer {
  /** @param candidates one at least */
  pick(candidates: Brokers, bundle: number): number
  forget(broker: number): void
}

interface Setting {
  readonly settings: LoadSettings
  readonly version: PulsarVersion
  readonly random: JavaRandom
  readonly figures: BrokerFigures<number>
}

/** Every placer but AvgShedder's. */
export function placerOf(
  name: Exclude<PlacementName, 'AvgShedder'>,
  { settings, version, random, figures }: Setting,
): Placer {
  const draw = (choices: Brokers) => choices[random.below(choices.length)]!
  if (name === 'RoundRobinBrokerSelector') {
    const strategy = new RoundRobinBrokerSelector()
    return { pick: (candidates) => strategy.choicesOf(candidates)[0]!, forget: () => {} }
  }
  if (name === 'LeastLongTermMessageRate') {
    const strategy = new LeastLongTermMessageRate(settings, { version })
    return { pick: (candidates) => draw(strategy.choicesOf(candidates, figures)), forget: () => {} }
  }
  const strategy = new LeastResourceUsageWithWeight(settings)
  return {
    pick: (candidates) => draw(strategy.choicesOf(candidates, figures)),
    forget: (broker) => strategy.forget(broker),
  }
}

/**
 * AvgShedder's: where the shedder planned, else anywhere. Before 5.0 a draw is kept: in 3.0 for the bundle, in 4.2 for all bundles of
 * which the leader has the same data; what is kept is looked up within a step alone, since every report changes the data.
 */
export class AvgPlacer implements Placer {
  readonly #setting: Setting
  readonly #keyOf: (bundle: number) => unknown
  readonly #kept = new Map<unknown, number>()
  readonly #planned = new Map<number, { readonly from: number; readonly to: number }>()

  constructor(setting: Setting, dataOf: (bundle: number) => string) {
    this.#setting = setting
    this.#keyOf = setting.version === '4.2' ? dataOf : (bundle) => bundle
  }

  /** A new step. */
  clear(): void {
    this.#kept.clear()
    this.#planned.clear()
  }

  plan(bundle: number, from: number, to: number): void {
    if (this.#isPaired) this.#planned.set(bundle, { from, to })
    else this.#kept.set(this.#keyOf(bundle), to)
  }

  /** The cycle's unloads are over: a plan holds no longer. */
  endPlans(): void {
    this.#planned.clear()
  }

  pick(candidates: Brokers, bundle: number): number {
    if (this.#isPaired) return this.#pickPaired(candidates, bundle)
    const key = this.#keyOf(bundle)
    const kept = this.#kept.get(key)
    if (kept !== undefined && candidates.includes(kept)) return kept
    const drawn = this.#draw(candidates)
    this.#kept.set(key, drawn)
    return drawn
  }

  forget(): void {}

  get #isPaired(): boolean {
    return isSince(this.#setting.version, '5.0')
  }

  #pickPaired(candidates: Brokers, bundle: number): number {
    const planned = this.#planned.get(bundle)
    if (planned === undefined) return this.#draw(candidates)
    const { from, to } = planned
    const others = candidates.filter((broker) => broker !== from)
    if (!candidates.includes(to)) return this.#draw(others.length === 0 ? candidates : others)
    if (!this.#isOverloaded(to)) return to
    const healthy = others.filter((broker) => broker !== to && !this.#isOverloaded(broker))
    return healthy.length === 0 ? to : this.#draw(healthy)
  }

  #isOverloaded(broker: number): boolean {
    const limit = this.#setting.settings.loadBalancerBrokerOverloadedThresholdPercentage
    return this.#setting.figures.weightedUsage(broker) * 100 > limit
  }

  /** The broker, of them by name, that the CRC-32 of a random number's digits gives. */
  #draw(candidates: Brokers): number {
    const hash = HASHES.crc32.ofString(String(this.#setting.random.next())) >>> 0
    const sorted = [...candidates].sort((a, b) => a - b)
    return sorted[hash % sorted.length]!
  }
}
