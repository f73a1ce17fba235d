/** The ops of the family shedding, put to the shedders and strategies. All but `shed` are TypeScript only. */
import { AvgShedder } from '../../src/pulsar/avg-shedder.js'
import type { BrokerLoad, ClusterLoad } from '../../src/pulsar/broker-load.js'
import { type LoadSettings, loadSettings } from '../../src/pulsar/load-settings.js'
import {
  AvgShedderPlacement,
  LeastLongTermMessageRate,
  LeastResourceUsageWithWeight,
  type PlacementStrategy,
  RoundRobinBrokerSelector,
} from '../../src/pulsar/placement-strategies.js'
import { OverloadShedder, type Shedder, ThresholdShedder, UniformLoadShedder } from '../../src/pulsar/shedders.js'
import { TransferShedder } from '../../src/pulsar/transfer-shedder.js'
import type { PulsarVersion } from '../../src/types.js'
import type { Ops } from './answer.js'

/** `[in, out, bytes in, bytes out]` a second. */
type Rates = readonly [number?, number?, number?, number?]

interface Broker {
  /** Percent of `[cpu, memory, direct memory, bandwidth in, bandwidth out]`. */
  readonly usage: readonly number[]
  readonly rates?: Rates
  readonly bundles?: readonly string[]
  readonly longTerm?: readonly [number, number]
  readonly preallocated?: Readonly<Record<string, Rates>>
}

interface Cycle {
  readonly brokers: Readonly<Record<string, Broker>>
  readonly bundles?: Readonly<Record<string, Rates>>
  readonly recentlyUnloaded?: readonly string[]
  readonly candidates: readonly string[]
}

interface Question {
  readonly strategy: string
  readonly config?: Partial<LoadSettings>
  readonly cycles: readonly Cycle[]
}

interface TransferQuestion {
  readonly config?: Partial<LoadSettings>
  readonly cycles: readonly {
    readonly brokers: Readonly<Record<string, { load: number; ema: number; in: number; out: number; stale?: boolean }>>
    readonly top?: Readonly<Record<string, readonly (readonly [string, number, number])[]>>
    readonly registered?: readonly string[]
    readonly recentlyUnloaded?: readonly string[]
    readonly recentlyUnloadedBrokers?: readonly string[]
  }[]
}

const ratesOf = ([msgRateIn = 0, msgRateOut = 0, msgThroughputIn = 0, msgThroughputOut = 0]: Rates) => {
  return { msgRateIn, msgRateOut, msgThroughputIn, msgThroughputOut }
}

const mapped = <T, R>(record: Readonly<Record<string, T>>, make: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value)]))

function brokerOf({ usage, rates = [], bundles = [], longTerm = [0, 0], preallocated = {} }: Broker): BrokerLoad {
  const [cpu, , directMemory, bandwidthIn, bandwidthOut] = usage
  return {
    usage: { cpu, directMemory, bandwidthIn, bandwidthOut },
    ...ratesOf(rates),
    bundles,
    longTermMsgRate: longTerm[0] + longTerm[1],
    preallocated: mapped(preallocated, ratesOf),
  }
}

const loadOf = ({ brokers, bundles = {}, recentlyUnloaded }: Cycle): ClusterLoad => {
  return { brokers: mapped(brokers, brokerOf), bundles: mapped(bundles, ratesOf), recentlyUnloaded }
}

const SHEDDERS: Readonly<Record<string, (settings: LoadSettings, version: PulsarVersion) => Shedder>> = {
  ThresholdShedder: (settings) => new ThresholdShedder(settings),
  OverloadShedder: (settings, version) => new OverloadShedder(settings, { version }),
  UniformLoadShedder: (settings, version) => new UniformLoadShedder(settings, { version }),
  AvgShedder: (settings, version) => new AvgShedder(settings, { version }),
}

const STRATEGIES: Readonly<Record<string, (settings: LoadSettings, version: PulsarVersion) => PlacementStrategy>> = {
  LeastLongTermMessageRate: (settings, version) => new LeastLongTermMessageRate(settings, { version }),
  LeastResourceUsageWithWeight: (settings) => new LeastResourceUsageWithWeight(settings),
  RoundRobinBrokerSelector: () => new RoundRobinBrokerSelector(),
  AvgShedder: (_, version) => new AvgShedderPlacement({ version }),
}

export const SHEDDING_OPS = {
  shed: ({ strategy, config, cycles }: Question, version: PulsarVersion) => {
    const shedder = SHEDDERS[strategy]!(loadSettings(config, { version }), version)
    return { cycles: cycles.map((cycle) => Object.fromEntries(shedder.findBundlesForUnloading(loadOf(cycle)))) }
  },
  place: ({ strategy, config, cycles }: Question, version: PulsarVersion) => {
    const placement = STRATEGIES[strategy]!(loadSettings(config, { version }), version)
    return {
      cycles: cycles.map((cycle) =>
        cycle.candidates.length === 0 ? [] : [...placement.choices(cycle.candidates, loadOf(cycle))].sort(),
      ),
    }
  },
  'transfer-shed': ({ config, cycles }: TransferQuestion, version: PulsarVersion) => {
    const shedder = new TransferShedder(loadSettings(config, { version }))
    const now = 10_000_000
    return {
      cycles: cycles.map((cycle) => {
        const { brokers, top = {}, recentlyUnloadedBrokers = [] } = cycle
        const moves = shedder.findBundlesForUnloading({
          ...cycle,
          now,
          brokers: mapped(brokers, ({ load, ema, in: bytesIn, out, stale }) => ({
            weightedMaxEMA: load,
            msgThroughputEMA: ema,
            msgThroughputIn: bytesIn,
            msgThroughputOut: out,
            updatedAt: stale ? 1 : now,
          })),
          topBundles: mapped(top, (list) =>
            list.map(([bundle, msgThroughputIn, msgThroughputOut]) => ({ bundle, msgThroughputIn, msgThroughputOut })),
          ),
          recentlyUnloadedBrokers: Object.fromEntries(recentlyUnloadedBrokers.map((name) => [name, now])),
        })
        return Object.fromEntries(moves.map(({ bundle, from, to, reason }) => [bundle, [from, to ?? '', reason]]))
      }),
    }
  },
} satisfies Ops
