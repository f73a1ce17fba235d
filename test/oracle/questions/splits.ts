/**
 * Questions to the Pulsar jars: where a bundle is cut and what the factory makes of it, with hashes that are equal, adjacent
 * and on the ends; and who decides a split, with loads on the limits and beside them.
 */
import type { Request } from '../../vectors/answer.js'
import type { Chance } from '../chance.js'
import { type Draw, listOf, type Question, whole } from '../question.js'

const LAST = 0xffffffff
const MIB = 1024 * 1024
const NAMESPACE = 'public/default'

const ALGORITHMS = [
  'range_equally_divide',
  'topic_count_equally_divide',
  'specified_positions_divide',
  'flow_or_qps_equally_divide',
]
const ODD_NAMES = [null, '', ' ', 'RANGE_EQUALLY_DIVIDE', 'flow_or_qps_equally_divide ', 'x']

export const split: Draw = (chance) => chance.pick([alone, alone, alone, together, together, factory, names])(chance)

/** An algorithm by itself, with whatever it is given. */
function alone(chance: Chance): Question {
  const ends = range(chance)
  const algorithm = chance.pick(ALGORITHMS)
  const request = {
    op: 'split-boundaries',
    namespace: NAMESPACE,
    range: textOf(ends),
    algorithm,
    ...topics(chance, ends),
  }
  return whole({ ...request, ...positionsOf(chance, algorithm, ends), ...limits(chance, algorithm) })
}

/** An algorithm, then the factory: of one bundle of a layout, or of one that is none. */
function together(chance: Chance): Question {
  const edges = boundaries(chance)
  const at = chance.between(0, edges.length - 2)
  const ends = [edges[at]!, edges[at + (chance.odds(0.97) ? 1 : 0)]!] as const
  if (ends[0] >= ends[1]) return together(chance)
  const algorithm = chance.odds(0.9) ? chance.pick(ALGORITHMS) : chance.pick(ODD_NAMES)
  const { maxMsgRate, maxBandwidthMbytes, differencePercentage } = limits(chance, algorithm)
  const config = {
    ...(chance.odds(0.85)
      ? { defaultNamespaceBundleSplitAlgorithm: chance.odds(0.7) ? (algorithm ?? 'x') : chance.pick(ALGORITHMS) }
      : {}),
    ...(maxMsgRate === undefined ? {} : { loadBalancerNamespaceBundleMaxMsgRate: maxMsgRate }),
    ...(maxBandwidthMbytes === undefined ? {} : { loadBalancerNamespaceBundleMaxBandwidthMbytes: maxBandwidthMbytes }),
    ...(differencePercentage === undefined ? {} : { flowOrQpsDifferenceThresholdPercentage: differencePercentage }),
  }
  const request = { op: 'split', namespace: NAMESPACE, boundaries: edges.map(padded), range: textOf(ends), algorithm }
  return whole({ ...request, ...topics(chance, ends), ...positionsOf(chance, algorithm, ends), config })
}

/** The factory by itself: equal parts, or boundaries inside, on the ends, twice, outside. */
function factory(chance: Chance): Question {
  const edges = boundaries(chance)
  const at = chance.between(0, edges.length - 2)
  const ends = [edges[at]!, chance.odds(0.95) ? edges[at + 1]! : Math.min(LAST, edges[at + 1]! + 1)] as const
  const request = { op: 'split-bundles', namespace: NAMESPACE, boundaries: edges.map(padded), range: textOf(ends) }
  if (chance.odds(0.4)) return whole({ ...request, into: chance.between(1, 12) })
  const inner = chance.times(chance.between(1, 5), () => hashIn(chance, ends))
  return whole({ ...request, splitBoundaries: chance.odds(0.9) ? inner : [...inner, chance.uint32()] })
}

function names(chance: Chance): Question {
  const all = [...ALGORITHMS, ...ODD_NAMES]
  const config = chance.odds(0.3) ? {} : { defaultNamespaceBundleSplitAlgorithm: chance.pick([...ALGORITHMS, '', 'x']) }
  return listOf({ op: 'split-algorithm', names: chance.shuffled(all), config }, 'names')
}

type Ends = readonly [number, number]

/** Any width, one and two often, the last bundle often. */
function range(chance: Chance): Ends {
  const lower = chance.odds(0.1) ? 0 : chance.between(0, LAST - 1)
  if (chance.odds(0.2)) return [lower, LAST]
  const width = chance.pick([1, 2, 3, 10, 1000, LAST])
  return [lower, Math.min(LAST, lower + chance.between(1, width))]
}

/** Ascending, some right beside another. */
function boundaries(chance: Chance): number[] {
  const inner = new Set<number>()
  for (let at = 1, wished = chance.between(0, 6); inner.size < wished; inner.add(at)) {
    at = chance.odds(0.2) ? Math.min(LAST - 1, at + chance.between(1, 3)) : chance.between(1, LAST - 1)
  }
  return [0, ...[...inner].sort((a, b) => a - b), LAST]
}

/** Topics and their hashes: crowded, on the ends, anywhere; none and no list at all now and then. */
function topics(chance: Chance, ends: Ends): Partial<Request> {
  if (chance.odds(0.03)) return { topics: null }
  const base = hashIn(chance, ends)
  const crowd = chance.odds(0.5)
  const list = chance.times(chance.between(0, 20), (i) => `t${i}`)
  const hash = () => (crowd && chance.odds(0.6) ? Math.min(LAST, base + chance.between(0, 3)) : hashIn(chance, ends))
  return { topics: list, hashes: Object.fromEntries(list.map((topic) => [topic, hash()])), ...stats(chance, list) }
}

function hashIn(chance: Chance, [lower, upper]: Ends): number {
  if (chance.odds(0.15)) return chance.pick([lower, lower + 1, upper - 1, upper])
  return chance.between(lower, upper)
}

function stats(chance: Chance, list: readonly string[]): Partial<Request> {
  const rate = () => chance.pick([0, 0, 1, chance.between(0, 100), chance.between(0, 1000) / 8, -1])
  const bytes = () => chance.pick([0, 0, MIB, chance.between(0, 3 * MIB), -5])
  const some = list.filter(() => chance.odds(0.9))
  return { stats: Object.fromEntries(some.map((topic) => [topic, [rate(), rate(), bytes(), bytes()]])) }
}

function positionsOf(chance: Chance, algorithm: string | null, ends: Ends): Partial<Request> {
  if (algorithm !== 'specified_positions_divide') return {}
  if (chance.odds(0.05)) return { positions: chance.pick([null, []]) }
  const position = () => (chance.odds(0.8) ? hashIn(chance, ends) : chance.pick([-5, 0, LAST, chance.uint32()]))
  return { positions: chance.times(chance.between(1, 5), position) }
}

interface Limits {
  readonly maxMsgRate?: number
  readonly maxBandwidthMbytes?: number
  readonly differencePercentage?: number
}

function limits(chance: Chance, algorithm: string | null): Limits {
  if (algorithm !== 'flow_or_qps_equally_divide') return {}
  return {
    maxMsgRate: chance.pick([1, 50, 300, 30000]),
    maxBandwidthMbytes: chance.pick([1, 2, 10, 100]),
    differencePercentage: chance.pick([0, 10, 50]),
  }
}

export const splitDecision: Draw = (chance) => (chance.odds(0.4) ? modular(chance) : extensible(chance))

type Bundles = Record<string, object>

function modular(chance: Chance): Question {
  const names = chance.times(chance.between(1, 5), (i) =>
    chance.pick([`broker-${i}:8080`, `b${i}`, chance.text(8, 'word')]),
  )
  const brokers = Object.fromEntries(names.map((name) => [`${name}-`, bundlesOf(chance)]))
  const longTerm: Bundles = {}
  for (const bundles of Object.values(brokers)) {
    for (const key of Object.keys(bundles)) if (chance.odds(0.8)) longTerm[key] = rates(chance)
  }
  return whole({
    op: 'split-decision-modular',
    brokers,
    longTerm,
    bundleCounts: counts(chance),
    config: config(chance),
  })
}

function extensible(chance: Chance): Question {
  const bundles = { ...bundlesOf(chance), ...bundlesOf(chance) }
  const all = Object.keys(bundles)
  const cycles = chance.times(chance.between(1, 8), () => ({
    stats: Object.fromEntries(
      Object.entries(bundles)
        .filter(() => chance.odds(0.9))
        .map(([key, stats]) => [key, chance.odds(0.25) ? statsOf(chance) : stats]),
    ),
    notOwned: all.filter(() => chance.odds(0.1)),
    splitting: all.filter(() => chance.odds(0.06)),
  }))
  const odd = chance.odds(0.15)
    ? { boundaries: { [chance.pick(all)]: chance.pick([null, [], [5], [5, 6], [0], [0x800]]) } }
    : {}
  return whole({
    op: 'split-decision-extensible',
    cycles,
    ...odd,
    bundleCounts: counts(chance),
    config: config(chance),
  })
}

function bundlesOf(chance: Chance): Bundles {
  const namespace = chance.pick(['t/ns', 't/ns2', 't/n', 'u/x'])
  const width = chance.pick([1, 2, 0x1000])
  const key = (i: number) => `${namespace}/${padded(i * width)}_${padded((i + 1) * width)}`
  return Object.fromEntries(chance.times(chance.between(1, 6), (i) => [key(i), statsOf(chance)]))
}

const statsOf = (chance: Chance) => ({
  topics: chance.pick([0, 1, 2, 5, 1000, 1001, 4000]),
  consumers: chance.pick([0, 10, 500, 501, 2147483647]),
  producers: chance.pick([0, 10, 500]),
  rates: rates(chance),
})

/** On the limits of 30,000 messages and 100 MiB, beside them, and anywhere. */
function rates(chance: Chance): number[] {
  const messages = () => chance.pick([0, 15_000, 15_000.5, chance.between(0, 20_000)])
  const bytes = () => chance.pick([0, 50 * MIB, 50 * MIB + 1, chance.between(0, 80 * MIB)])
  return [messages(), messages(), bytes(), bytes()]
}

const counts = (chance: Chance) => ({
  't/ns': chance.pick([4, 126, 127, 128]),
  't/ns2': chance.between(1, 130),
  'u/x': 2,
})

function config(chance: Chance): Record<string, number> {
  if (chance.odds(0.4)) return {}
  return {
    loadBalancerNamespaceBundleSplitConditionHitCountThreshold: chance.between(-1, 3),
    loadBalancerMaxNumberOfBundlesToSplitPerCycle: chance.pick([0, 1, 2, 10]),
    loadBalancerNamespaceBundleMaxSessions: chance.pick([-1, 0, 510, 1000]),
    loadBalancerNamespaceBundleMaxBandwidthMbytes: chance.pick([100, 2047, 2048, 4096, 5000]),
  }
}

const padded = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`

const textOf = ([lower, upper]: Ends): string => `${padded(lower)}_${padded(upper)}`
