/**
 * How many bundles a namespace should begin with: what each number gives and costs, for the user's own topics and brokers.
 *
 * The layout is that of Apache Pulsar (all releases); limits and defaults are those of the release asked for. A number of
 * bundles is judged by what can be known before a broker runs: how its topics fall into the bundles, how the bundles can
 * lie on brokers, which numbered topics crowd, what is split at once, and what a restart has to unload.
 */
import type { Keys } from '../bulk.js'
import { type AsyncOptions, checkOptions } from '../bulk-async.js'
import type { NumberedFamilies } from '../engine/contract.js'
import { engine } from '../engine/index.js'
import { checkInteger, codedError, shown } from '../errors.js'
import type { PulsarVersion } from '../types.js'
import { type BrokerSpread, evenSpread, packedSpread } from './broker-spread.js'
import { type CoordinatorSpread, distinctCoordinators, transactionCoordinators } from './coordinators.js'
import { defaults, type SplitDefaults } from './defaults.js'
import { type CrowdedFamilies, type FamilySeparation, FamilySeparations } from './family-separation.js'
import { objections, type Wishes } from './objections.js'
import { hasTraffic, type LoadUnit, type SortedHashes, SortedLoad } from './sorted-load.js'
import { type SplitConfig, splitSettings } from './split.js'
import { overByRates, reasonToSplit } from './split-limits.js'
import type { TopicRates } from './topic-rates.js'
import { canonicalTopics, canonicalTopicsAsync } from './topics.js'
import { type PulsarVersionOption, pulsarVersion } from './version.js'

/** Bundles that the extensible manager overrides at a time when a broker stops: loadBalancerServiceUnitStateMaxConcurrentOverrides. */
const OVERRIDES = 64

const DEFAULT_CANDIDATES = [4, 8, 16, 32, 64, 128, 256, 512, 1024]

export interface AdviceQuestion extends PulsarVersionOption {
  /** The topics that the namespace will have: each partition by its own name. */
  readonly topics: Keys
  readonly brokers: number
  /** Their traffic. Default: all topics weigh the same. */
  readonly rates?: TopicRates | undefined
  /** Numbers of bundles to look at, each in [1, 65536]. Default: the powers of two from 4 to 1,024. */
  readonly candidates?: readonly number[] | undefined
  /** For `pulsar/system`: that many transaction coordinators should lie on bundles of their own. */
  readonly transactionCoordinators?: number | undefined
  /** How much fuller than the mean the fullest broker may be once bundles are packed by load. Default: 1.1. */
  readonly maxPeakToMean?: number | undefined
  readonly config?: SplitConfig | undefined
}

/** What one number of bundles gives and costs. */
export interface BundleCandidate {
  readonly bundles: number
  /** Topics in the emptiest and the fullest bundle. */
  readonly topicsPerBundle: { readonly least: number; readonly most: number }
  /** Bundles with topics: no others are owned, so this is the number of ownership entries and of entries in load reports. */
  readonly active: number
  /** Equal numbers of bundles on each broker. */
  readonly even: BrokerSpread
  /** Bundles packed by load. */
  readonly packed: BrokerSpread
  /** Numbered topics that reach fewer bundles than random names would. */
  readonly crowded: readonly CrowdedFamilies[]
  /** Bundles over a limit, which automatic splits take on at once. */
  readonly overLimit: number
  /** Bundles over a limit by one topic or topics of one hash: no split relieves them. */
  readonly hopeless: number
  /** Steps in which a broker with its share of the bundles unloads them when it stops. */
  readonly unloadSteps: { readonly modular: number; readonly extensible: number }
  /** Bundles that the transaction coordinators lie on; `null` where they are not asked about. */
  readonly coordinators: number | null
  /** Why not this many; empty where nothing speaks against it. */
  readonly against: readonly string[]
}

export interface BundleAdvice {
  /** The smallest candidate that nothing speaks against; else the one with least against it, of these the most even. */
  readonly bundles: number
  /** What the release would take where no number is given. */
  readonly defaultBundles: number
  readonly version: PulsarVersion
  readonly topics: number
  readonly brokers: number
  /** What topics are weighed by. */
  readonly unit: LoadUnit
  readonly candidates: readonly BundleCandidate[]
  /** How many bundles it takes to part the numbered topics. */
  readonly families: readonly FamilySeparation[]
  readonly transactionCoordinators: CoordinatorSpread | null
}

/**
 * How many bundles a namespace should begin with.
 *
 * ```
 * const topics = Array.from({ length: 8 }, (_, i) => `persistent://public/default/orders-partition-${i}`)
 * const advice = pulsar.adviseBundles({ topics, brokers: 8 })
 * advice.bundles // → 64: on 32 the eight partitions share 4 bundles, and so 4 brokers
 * ```
 *
 * Cost: one hash pass, one sort of the hashes, one search for numbered topics; then about 10 µs for each 64 bundles.
 * @throws ERR_PLACEMENT_TOPIC_NAME and ERR_PLACEMENT_KEY_TYPE with the index; ERR_PLACEMENT_ARGUMENT_RANGE,
 *   ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_UNKNOWN_VERSION
 */
export function adviseBundles(question: AdviceQuestion): BundleAdvice {
  const asked = checkedQuestion(question)
  const names = canonicalTopics(asked.topics, { namespace: null, version: asked.version })
  const hashes = names.hash('crc32')
  const { sorted, order } = room(hashes.length, asked)
  engine().sortHashes(hashes, sorted, order)
  const families = engine().numberedFamilies(names.chunks, hashes)
  const advisor = new Advisor(asked, families, { sorted, order })
  return advisor.advice(asked.candidates.map((bundles) => advisor.candidate(bundles)))
}

/**
 * The async twin of {@link adviseBundles}: off the event loop, up to the candidates, between which it gives way.
 *
 * Progress is told in candidates.
 *
 * @throws as `adviseBundles`, by rejecting; a signal that fires rejects with its reason
 */
export async function adviseBundlesAsync(question: AdviceQuestion, options: AsyncOptions = {}): Promise<BundleAdvice> {
  checkOptions(options)
  const { signal, onProgress } = options
  signal?.throwIfAborted()
  const asked = checkedQuestion(question)
  const { topics, version } = asked
  const names = await canonicalTopicsAsync(topics, { namespace: null, version, signal })
  const hashes = await names.hashAsync('crc32', signal === undefined ? {} : { signal })
  const { sorted, order } = room(hashes.length, asked)
  await engine().sortHashesAsync(hashes, sorted, order)
  signal?.throwIfAborted()
  const families = await engine().numberedFamiliesAsync(names.chunks, hashes, signal)
  signal?.throwIfAborted()
  const advisor = new Advisor(asked, families, { sorted, order })
  const candidates: BundleCandidate[] = []
  for (const bundles of asked.candidates) {
    candidates.push(advisor.candidate(bundles))
    await new Promise(setImmediate)
    signal?.throwIfAborted()
    onProgress?.(candidates.length, asked.candidates.length)
  }
  return advisor.advice(candidates)
}

const room = (length: number, { rates }: CheckedAdvice): SortedHashes => ({
  sorted: new Uint32Array(length),
  order: hasTraffic(rates) ? new Uint32Array(length) : null,
})

interface CheckedAdvice {
  readonly topics: Keys
  readonly brokers: number
  readonly rates: TopicRates
  readonly candidates: readonly number[]
  readonly coordinators: number | null
  readonly maxPeakToMean: number
  readonly settings: SplitDefaults
  readonly version: PulsarVersion
}

function checkedQuestion(question: AdviceQuestion): CheckedAdvice {
  const version = pulsarVersion(question)
  const { candidates = DEFAULT_CANDIDATES, maxPeakToMean = 1.1, rates = {}, transactionCoordinators: wanted } = question
  if (typeof maxPeakToMean !== 'number' || !(maxPeakToMean >= 1)) {
    const code = typeof maxPeakToMean === 'number' ? 'ERR_PLACEMENT_ARGUMENT_RANGE' : 'ERR_PLACEMENT_ARGUMENT_TYPE'
    throw codedError(code, `maxPeakToMean: expected a number of 1 or more, got ${shown(maxPeakToMean)}`)
  }
  return {
    topics: question.topics,
    brokers: checkInteger(question.brokers, 'brokers', [1, 100_000]),
    rates,
    candidates: checkCandidates(candidates),
    coordinators: wanted === undefined ? null : checkInteger(wanted, 'transactionCoordinators', [1, 1_000_000]),
    maxPeakToMean,
    settings: splitSettings(question.config, version),
    version,
  }
}

function checkCandidates(candidates: readonly number[]): readonly number[] {
  if (!Array.isArray(candidates) || candidates.length === 0) {
    const got = Array.isArray(candidates) ? 'none' : shown(candidates)
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `candidates: expected numbers of bundles, got ${got}`)
  }
  const checked = Array.from(candidates, (bundles, i) => checkInteger(bundles, `candidates[${i}]`, [1, 65536]))
  return [...new Set(checked)].sort((a, b) => a - b)
}

/** Everything that does not depend on the number of bundles, and the answer for one number. */
class Advisor {
  readonly #asked: CheckedAdvice
  readonly #load: SortedLoad
  readonly #families: FamilySeparations
  readonly #wishes: Wishes
  /** Positions, among the sorted hashes, of topics that are over a limit alone. */
  readonly #hot: Uint32Array

  constructor(asked: CheckedAdvice, families: NumberedFamilies, hashes: SortedHashes) {
    this.#asked = asked
    this.#load = new SortedLoad(hashes, asked.rates)
    this.#families = new FamilySeparations(families)
    this.#hot = hotTopics(this.#load, asked.settings)
    const bound = leastPeak(this.#load, asked.brokers)
    this.#wishes = { peakToMean: Math.max(asked.maxPeakToMean, bound), coordinators: asked.coordinators }
  }

  candidate(bundles: number): BundleCandidate {
    const { brokers, coordinators } = this.#asked
    const starts = this.#load.startsOf(bundles)
    const loads = new Float64Array(bundles)
    for (let i = 0; i < bundles; i++) loads[i] = this.#load.between(starts[i]!, starts[i + 1]!)
    const counted = countsOf(starts)
    const perBroker = Math.ceil(counted.active / brokers)
    const facts = {
      bundles,
      ...counted,
      even: evenSpread(loads, brokers),
      packed: packedSpread(loads, brokers),
      crowded: this.#families.crowdedOn(bundles),
      ...this.#overLimit(starts),
      unloadSteps: { modular: perBroker, extensible: Math.ceil(perBroker / OVERRIDES) },
      coordinators: coordinators === null ? null : distinctCoordinators(coordinators, bundles),
    }
    return { ...facts, against: objections(facts, this.#wishes) }
  }

  advice(candidates: readonly BundleCandidate[]): BundleAdvice {
    const { version, brokers, coordinators } = this.#asked
    const bundles = best(candidates).bundles
    return {
      bundles,
      defaultBundles: defaults({ version }).bundles.namespace,
      version,
      topics: this.#load.hashes.length,
      brokers,
      unit: this.#load.unit,
      candidates,
      families: this.#families.rows(),
      transactionCoordinators: coordinators === null ? null : transactionCoordinators({ coordinators, bundles }),
    }
  }

  #overLimit(starts: Uint32Array): { overLimit: number; hopeless: number } {
    let [overLimit, hopeless, hot] = [0, 0, 0]
    for (let i = 1; i < starts.length; i++) {
      const [from, to] = [starts[i - 1]!, starts[i]!]
      const first = hot
      while (hot < this.#hot.length && this.#hot[hot]! < to) hot++
      const isOver = this.#isOver(from, to)
      if (isOver) overLimit++
      if (hot > first || (isOver && this.#load.hashes[from] === this.#load.hashes[to - 1])) hopeless++
    }
    return { overLimit, hopeless }
  }

  #isOver(from: number, to: number): boolean {
    const { settings } = this.#asked
    const rates = this.#load.trafficBetween(from, to)
    return reasonToSplit({ topics: to - from, ...rates }, rates, settings) !== null
  }
}

/**
 * What no number of bundles goes below: a broker holds whole topics, and the heaviest one lies somewhere. A hundredth more
 * is no matter.
 */
function leastPeak({ unit, total, heaviest }: SortedLoad, brokers: number): number {
  const least = unit === 'topics' ? Math.ceil(total / brokers) : heaviest
  return total === 0 ? 1 : (1.01 * least * brokers) / total
}

function hotTopics({ traffic, hashes }: SortedLoad, settings: SplitDefaults): Uint32Array {
  if (traffic === null) return new Uint32Array(0)
  const { msgRates, throughputs } = traffic
  const all = Uint32Array.from(hashes.keys())
  return all.filter(
    (i) => overByRates({ msgRateIn: msgRates[i]!, msgThroughputIn: throughputs[i]! }, settings) !== null,
  )
}

function countsOf(starts: Uint32Array): Pick<BundleCandidate, 'topicsPerBundle' | 'active'> {
  let [least, most, active] = [Number.POSITIVE_INFINITY, 0, 0]
  for (let i = 1; i < starts.length; i++) {
    const count = starts[i]! - starts[i - 1]!
    least = Math.min(least, count)
    most = Math.max(most, count)
    if (count > 0) active++
  }
  return { topicsPerBundle: { least, most }, active }
}

/** The first with least against it; among those that all have something, the most even. */
function best(candidates: readonly BundleCandidate[]): BundleCandidate {
  const free = candidates.find(({ against }) => against.length === 0)
  const order = (a: BundleCandidate, b: BundleCandidate) =>
    a.against.length - b.against.length || a.packed.peakToMean - b.packed.peakToMean || a.bundles - b.bundles
  return free ?? [...candidates].sort(order)[0]!
}
