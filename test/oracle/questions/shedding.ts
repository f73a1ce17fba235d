/** Questions to the Pulsar jars about load: what each shedder unloads, and which brokers each strategy may pick. */
import type { Chance } from '../chance.js'
import { type Draw, type Question, whole } from '../question.js'

const MB = 1 << 20
const CLASSIC = ['ThresholdShedder', 'OverloadShedder', 'UniformLoadShedder', 'AvgShedder']
const STRATEGIES = [
  'LeastLongTermMessageRate',
  'LeastResourceUsageWithWeight',
  'RoundRobinBrokerSelector',
  'AvgShedder',
]

export const shedding: Draw = (chance, release) => {
  const style = chance.between(0, 9)
  // The classes of 3.0 have no debug flag and no excluded namespaces where the questions need them.
  if (style < 4 && release !== '3.0') return transfer(chance)
  return style === 4 ? placement(chance) : shed(chance)
}

const bundleName = (broker: string, i: number): string => {
  const hex = (n: number) => `0x${n.toString(16).padStart(8, '0')}`
  return `t/${broker}/${hex(i * 0x100)}_${hex((i + 1) * 0x100)}`
}

const namesOf = (chance: Chance): string[] => chance.times(chance.between(1, 12), (i) => `b${i}`)

function usage(chance: Chance): number[] {
  if (chance.odds(0.5)) return [chance.between(0, 100), 0, 0, 0, 0]
  return chance.times(5, () => chance.between(0, 100))
}

/** Bundles whose loads differ, so that no order depends on a hash map's. */
function cycleOf(chance: Chance, counts: ReadonlyMap<string, number>): object {
  const bundles: Record<string, number[]> = {}
  const brokers: Record<string, object> = {}
  for (const [name, count] of counts) {
    const own = chance.times(count, (i) => bundleName(name, i))
    own.forEach((bundle, i) => {
      const rate = () => chance.between(0, 3000)
      const bytes = () => chance.between(0, 30 * MB)
      bundles[bundle] = [rate(), rate() + (i + 1) / 64, bytes(), bytes() + (i + 1) / 64]
    })
    const rates = [0, 1, 2, 3].map((k) => own.reduce((sum, bundle) => sum + bundles[bundle]![k]!, 0))
    brokers[name] = { usage: usage(chance), rates, bundles: own }
  }
  const recent = Object.keys(bundles).filter(() => chance.odds(0.05))
  return { brokers, bundles, ...(recent.length > 0 ? { recentlyUnloaded: recent } : {}) }
}

function shed(chance: Chance): Question {
  const strategy = chance.pick(CLASSIC)
  const counts = new Map(namesOf(chance).map((name) => [name, chance.between(0, 6)]))
  const base = cycleOf(chance, counts)
  const length = strategy === 'AvgShedder' ? chance.between(2, 10) : chance.between(1, 4)
  const cycles = chance.times(length, () => (chance.odds(0.25) ? cycleOf(chance, counts) : base))
  return whole({ op: 'shed', strategy, config: configOf(chance), cycles })
}

function configOf(chance: Chance): object {
  return chance.pick([
    {},
    {},
    { loadBalancerBrokerThresholdShedderPercentage: chance.between(1, 20), lowerBoundarySheddingEnabled: true },
    { loadBalancerHistoryResourcePercentage: 0.5, loadBalancerBundleUnloadMinThroughputThreshold: 0 },
    { loadBalancerBrokerOverloadedThresholdPercentage: chance.between(20, 90) },
    { minUnloadMessage: 1, maxUnloadPercentage: 0.5, loadBalancerMsgRateDifferenceShedderThreshold: 10 },
    { maxUnloadBundleNumPerShedding: chance.between(0, 3), maxUnloadPercentage: 0.9 },
    { loadBalancerAvgShedderHitCountLowThreshold: 1, loadBalancerAvgShedderLowThreshold: chance.between(1, 30) },
  ])
}

/** The jar draws: few brokers, so that all that can be drawn comes up. */
function placement(chance: Chance): Question {
  const names = chance.times(chance.between(1, 5), (i) => `b${i}`)
  const strategy = chance.pick(STRATEGIES)
  const cycles = chance.times(chance.between(1, 3), () => ({
    candidates: names.filter((_, i) => i === 0 || chance.odds(0.85)),
    brokers: Object.fromEntries(names.map((name) => [name, placed(chance, name)])),
  }))
  const config = chance.pick([
    {},
    { loadBalancerBrokerOverloadedThresholdPercentage: 60 },
    { loadBalancerAverageResourceUsageDifferenceThresholdPercentage: 3 },
  ])
  return whole({ op: 'place', strategy, cycles, config })
}

function placed(chance: Chance, name: string): object {
  return {
    usage: usage(chance),
    rates: [chance.between(0, 1) * 100, 0, 0, 0],
    bundles: chance.times(chance.between(0, 2), (i) => bundleName(name, i)),
    longTerm: [chance.between(0, 3) * 100, chance.between(0, 3) * 100],
    preallocated: chance.odds(0.3) ? { [bundleName(name, 9)]: [100, 0, 0, 0] } : {},
  }
}

function transfer(chance: Chance): Question {
  const names = namesOf(chance)
  const config = {
    loadBalancerSheddingConditionHitCountThreshold: chance.pick([0, 0, 1, 3]),
    ...chance.pick<object>([
      {},
      { loadBalancerTransferEnabled: false },
      { loadBalancerBrokerLoadTargetStd: 0.1 },
      { loadBalancerMaxNumberOfBrokerSheddingPerCycle: chance.between(1, 5) },
      { loadBalancerDebugModeEnabled: true },
      { loadBalancerSheddingExcludedNamespaces: ['t/b0'] },
    ]),
  }
  return whole({
    op: 'transfer-shed',
    config,
    cycles: chance.times(chance.between(1, 5), () => transferCycle(chance, names)),
  })
}

function transferCycle(chance: Chance, names: readonly string[]): object {
  const brokers: Record<string, object> = {}
  const top: Record<string, [string, number, number][]> = {}
  names.forEach((name, i) => {
    const load = chance.between(0, 120) / 100 + i / 4096
    const list = chance.times(chance.between(0, 6), (k): [string, number, number] => {
      return [bundleName(name, k), chance.between(0, 50), chance.between(0, 50) + k / 64]
    })
    list.sort((a, b) => b[1] + b[2] - (a[1] + a[2]))
    const total = list.reduce((sum, [, bytesIn, bytesOut]) => sum + bytesIn + bytesOut, 0)
    const stale = chance.odds(0.04) ? { stale: true } : {}
    brokers[name] = { load, ema: total * (chance.odds(0.8) ? 1 : 0.1), in: total / 2, out: total / 2, ...stale }
    if (chance.odds(0.95)) top[name] = list
  })
  return {
    brokers,
    top,
    ...(chance.odds(0.08) ? { registered: [...names, 'unknown'] } : {}),
    ...(chance.odds(0.08) ? { recentlyUnloadedBrokers: [chance.pick(names)] } : {}),
    ...(chance.odds(0.15) ? { recentlyUnloaded: [bundleName(chance.pick(names), 0)] } : {}),
  }
}
