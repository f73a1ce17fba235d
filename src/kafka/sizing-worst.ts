/** Over the losses of brokers or racks: of each quantity, the broker that is worst off. */
import type { Cluster } from './cluster.js'
import { type BrokerLoads, type LoadSums, loadsAfterLoss, type PartitionLoad } from './sizing-loads.js'

/** Quantities that are compared; those that follow from one of them follow its broker. */
export const WORST_OF = ['replicas', 'leaders', 'segments', 'bytes', 'networkIn', 'networkOut'] as const
export type WorstOf = (typeof WORST_OF)[number]

export interface Worst {
  readonly value: number
  /** Position of the broker, and of the group that is lost. */
  readonly broker: number
  readonly group: number
  /** What the broker carries then. */
  readonly sums: LoadSums
}

export interface LossQuestion {
  readonly cluster: Cluster
  readonly base: BrokerLoads
  readonly loadOf: (row: number) => PartitionLoad
  /** Groups that read everything. */
  readonly consumers: number
}

/**
 * The worst broker of each quantity; of equals the first loss counts, and in it the first broker.
 *
 * @param groups positions of the brokers that are lost together
 */
export function worstAfterLoss(question: LossQuestion, groups: readonly (readonly number[])[]): Map<WorstOf, Worst> {
  const { cluster, base, loadOf, consumers } = question
  const worst = new Map<WorstOf, Worst>()
  const isLost = new Uint8Array(cluster.brokers.length)
  let group = 0
  for (const loads of loadsAfterLoss(cluster, base, loadOf, groups)) {
    for (const broker of groups[group]!) isLost[broker] = 1
    for (const of of WORST_OF) {
      const at = valuesOf(loads, of, consumers)
      for (let broker = 0; broker < isLost.length; broker++) {
        if (isLost[broker] === 1) continue
        const value = at(broker)
        if (value <= (worst.get(of)?.value ?? -1)) continue
        worst.set(of, { value, broker, group, sums: loads.sumsOf([broker]) })
      }
    }
    for (const broker of groups[group]!) isLost[broker] = 0
    group++
  }
  return worst
}

function valuesOf(loads: BrokerLoads, of: WorstOf, consumers: number): (broker: number) => number {
  if (of === 'networkIn') return (broker) => loads.leaderRate[broker]! + loads.followerRate[broker]!
  if (of === 'networkOut') return (broker) => loads.replicationOut[broker]! + consumers * loads.leaderRate[broker]!
  return (broker) => loads[of][broker]!
}
