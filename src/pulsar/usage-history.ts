/**
 * The usage of brokers averaged over time, as ThresholdShedder and LeastResourceUsageWithWeight remember it.
 *
 * Source: Apache Pulsar 5.0.1, the fields of these classes that hold an average by broker.
 */
import type { LoadSettings } from './load-settings.js'

/** Averages by broker, a name or a number. */
export class UsageHistory {
  readonly #usage = new Map<unknown, number>()
  readonly #part: number

  constructor({ loadBalancerHistoryResourcePercentage }: LoadSettings) {
    this.#part = loadBalancerHistoryResourcePercentage
  }

  /** Takes a usage in. @returns the average now */
  update(broker: unknown, now: number): number {
    const before = this.#usage.get(broker)
    const average = before === undefined ? now : before * this.#part + (1 - this.#part) * now
    this.#usage.set(broker, average)
    return average
  }

  forget(broker: unknown): void {
    this.#usage.delete(broker)
  }

  /** 0 for a broker that was not seen. */
  of(broker: unknown): number {
    return this.#usage.get(broker) ?? 0
  }
}
