/** The ops of the families split and split-decision, put to the public API. */
import { hash } from '../../src/hash.js'
import { NamespaceBundle } from '../../src/pulsar/bundle-range.js'
import { NamespaceBundles } from '../../src/pulsar/bundles.js'
import {
  type SplitAlgorithm,
  type SplitConfig,
  type SplitQuestion,
  splitAlgorithm,
  splitBoundaries,
} from '../../src/pulsar/split.js'
import { ExtensibleSplits, modularSplits } from '../../src/pulsar/split-decision.js'
import type { BundleCut } from '../../src/pulsar/split-layout.js'
import type { BundleStats } from '../../src/pulsar/split-limits.js'
import type { TopicRates } from '../../src/pulsar/topic-rates.js'
import type { PulsarVersion } from '../../src/types.js'
import { answersOf, type Ops } from './answer.js'

interface Layout {
  readonly namespace: string
  readonly boundaries?: readonly string[]
  readonly numBundles?: number
}

interface Boundaries {
  readonly namespace: string
  readonly range: string
  readonly algorithm: SplitAlgorithm | null
  readonly topics?: readonly string[] | null
  /** In place of a topic's CRC-32. */
  readonly hashes?: Readonly<Record<string, number>>
  readonly positions?: readonly number[] | null
  /** Messages in and out, bytes in and out. */
  readonly stats?: Readonly<Record<string, readonly [number, number, number, number]>>
}

interface Limits {
  readonly maxMsgRate?: number
  readonly maxBandwidthMbytes?: number
  readonly differencePercentage?: number
}

type Configured = { readonly config?: SplitConfig }

type Cut = Layout & { readonly range: string; readonly into?: number; readonly splitBoundaries?: readonly number[] }

export const SPLIT_OPS = {
  'split-boundaries': (request: Boundaries & Limits, version: PulsarVersion) => {
    const algorithm = request.algorithm!
    return { boundaries: splitBoundaries({ ...questionOf(request, version), algorithm, config: configOf(request) }) }
  },
  split: (request: Boundaries & Layout & Configured, version: PulsarVersion) => {
    const bundles = layoutOf(request, version)
    const algorithm = splitAlgorithm(request.algorithm, { config: request.config, version })
    const boundaries = splitBoundaries({ ...questionOf(request, version), algorithm, config: request.config })
    if (boundaries === null || boundaries.length === 0) return null
    return outcome(bundles.splitBundles(request.range, { boundaries }))
  },
} satisfies Ops

/** Ops that ask no engine. */
export const SPLIT_TYPESCRIPT_OPS = {
  'split-bundles': (request: Cut, version: PulsarVersion) =>
    outcome(layoutOf(request, version).splitBundles(request.range, cutOf(request))),
  'split-algorithm': ({ names, config }: Configured & { names: readonly (string | null)[] }, version: PulsarVersion) =>
    answersOf(names, (name) => splitAlgorithm(name, { config, version })),
  'split-decision-modular': ({ brokers, longTerm = {}, bundleCounts, config }: Modular, version: PulsarVersion) => {
    const rates = Object.entries(longTerm).map(([bundle, four]) => [bundle, bundleRatesOf(four)] as const)
    const decision = modularSplits({
      brokers: Object.fromEntries(Object.entries(brokers).map(([broker, stats]) => [broker, statsOf(stats)])),
      longTerm: Object.fromEntries(rates),
      bundleCounts: countsOf(Object.values(brokers), bundleCounts),
      config,
      version,
    })
    return { order: decision.order, split: Object.fromEntries(decision.split) }
  },
  'split-decision-extensible': (request: Extensible, version: PulsarVersion) => {
    const { cycles, config, boundaries = {} } = request
    const bundleCounts = countsOf(
      cycles.map(({ stats }) => stats),
      request.bundleCounts,
    )
    const boundariesOf = (bundle: NamespaceBundle) =>
      Object.hasOwn(boundaries, `${bundle}`)
        ? boundaries[`${bundle}`]!
        : [Math.floor((bundle.lower + bundle.upper) / 2)]
    const strategy = new ExtensibleSplits({ config, version, boundariesOf })
    const decided = cycles.map((cycle) =>
      strategy.findBundlesToSplit({ ...cycle, stats: statsOf(cycle.stats), bundleCounts }),
    )
    return { cycles: decided.map(({ split }) => Object.fromEntries(split.map((one) => [one.bundle, reported(one)]))) }
  },
} satisfies Ops

interface Stats {
  readonly topics?: number
  readonly consumers?: number
  readonly producers?: number
  readonly rates?: Four
}

/** Messages in and out, bytes in and out. */
type Four = readonly [number, number, number, number]

type Counts = Readonly<Record<string, number>>

interface Modular extends Configured {
  readonly brokers: Readonly<Record<string, Readonly<Record<string, Stats>>>>
  readonly longTerm?: Readonly<Record<string, Four>>
  readonly bundleCounts?: Counts
}

interface Extensible extends Configured {
  readonly cycles: readonly {
    readonly stats: Readonly<Record<string, Stats>>
    readonly notOwned?: readonly string[]
    readonly splitting?: readonly string[]
  }[]
  readonly boundaries?: Readonly<Record<string, readonly number[] | null>>
  readonly bundleCounts?: Counts
}

const statsOf = (stats: Readonly<Record<string, Stats>>): Record<string, BundleStats> =>
  Object.fromEntries(
    Object.entries(stats).map(([bundle, { rates, ...rest }]) => [bundle, { ...rest, ...bundleRatesOf(rates) }]),
  )

const bundleRatesOf = ([msgRateIn, msgRateOut, msgThroughputIn, msgThroughputOut]: Four = [0, 0, 0, 0]) => ({
  msgRateIn,
  msgRateOut,
  msgThroughputIn,
  msgThroughputOut,
})

/** The oracle's broker knows every namespace; those that the request leaves out have one bundle. */
function countsOf(reports: readonly object[], counts: Counts = {}): Counts {
  const keys = reports.flatMap((report) => Object.keys(report))
  return { ...Object.fromEntries(keys.map((key) => [key.slice(0, Math.max(0, key.lastIndexOf('/'))), 1])), ...counts }
}

const reported = ({ reason, children }: { readonly reason: string; readonly children: readonly string[] }) => ({
  reason,
  children: [...children].sort(),
})

function questionOf(request: Boundaries, version: PulsarVersion): SplitQuestion {
  const { namespace, topics, positions } = request
  const range = NamespaceBundle.parse(namespace, request.range, { version })
  return { range, hashes: hashesOf(request), positions, rates: ratesOf(topics ?? [], request.stats), version }
}

function hashesOf({ topics, hashes }: Boundaries): Uint32Array {
  const own = hash.crc32(topics ?? [])
  return own.map((crc, i) => hashes?.[topics![i]!] ?? crc)
}

function ratesOf(topics: readonly string[], stats: Boundaries['stats'] = {}): TopicRates {
  const column = (field: 0 | 1 | 2 | 3) => topics.map((topic) => stats[topic]?.[field] ?? 0)
  return { msgRateIn: column(0), msgRateOut: column(1), msgThroughputIn: column(2), msgThroughputOut: column(3) }
}

function configOf({
  algorithm,
  maxMsgRate,
  maxBandwidthMbytes,
  differencePercentage,
}: Boundaries & Limits): SplitConfig {
  return {
    defaultNamespaceBundleSplitAlgorithm: algorithm!,
    loadBalancerNamespaceBundleMaxMsgRate: maxMsgRate,
    loadBalancerNamespaceBundleMaxBandwidthMbytes: maxBandwidthMbytes,
    flowOrQpsDifferenceThresholdPercentage: differencePercentage,
  }
}

function layoutOf({ namespace, boundaries, numBundles }: Layout, version: PulsarVersion): NamespaceBundles {
  const options = { namespace, version }
  return boundaries === undefined
    ? NamespaceBundles.even(numBundles!, options)
    : NamespaceBundles.fromBoundaries(boundaries, options)
}

const cutOf = ({ into, splitBoundaries: boundaries }: Cut): BundleCut =>
  boundaries === undefined ? { into: into! } : { boundaries }

function outcome(split: ReturnType<NamespaceBundles['splitBundles']>): unknown {
  if (split === null) return null
  return { boundaries: split.bundles.toData().boundaries, children: split.children.map(({ range }) => range) }
}
