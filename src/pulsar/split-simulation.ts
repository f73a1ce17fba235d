/**
 * What a load manager makes of a namespace whose load is given cycle by cycle: the sequence of splits, until it is quiet.
 *
 * The decisions and the cuts are those of Apache Pulsar 3.0.7, 4.2.4 and 5.0.1 (see split-decision.ts and split.ts); 2.10.5
 * for the modular manager. What is assumed: a cycle is one round of the manager, and its splits are done before the next;
 * bundle `i` begins on broker `i` modulo their number, and the parts of a bundle stay on its broker; the modular manager's
 * long-term rates are the ones of the cycle, as they are once a load has lasted. Unloads by load are not looked at.
 */
import type { Keys } from '../bulk.js'
import { checkInteger, checkName, codedError, isCodedError, shown } from '../errors.js'
import type { Note } from '../notes.js'
import { BundleLoads } from './bundle-loads.js'
import type { NamespaceBundle } from './bundle-range.js'
import type { LoadManager } from './bundle-split.js'
import type { NamespaceBundles } from './bundles.js'
import type { SplitDefaults } from './defaults.js'
import { formatLong } from './java-long.js'
import { type SplitConfig, splitBoundaries, splitSettings } from './split.js'
import { type ExtensibleReason, ExtensibleSplits, modularSplits } from './split-decision.js'
import { type BundleStats, overByRates, reasonToSplit } from './split-limits.js'
import type { PerTopic, TopicRates } from './topic-rates.js'
import { canonicalTopics } from './topics.js'

/** The load of each topic in a cycle. */
export interface TopicLoads extends TopicRates {
  readonly consumers?: PerTopic | undefined
  readonly producers?: PerTopic | undefined
}

export interface SimulationQuestion {
  /** The layout at the beginning. */
  readonly bundles: NamespaceBundles
  readonly topics: Keys
  /** The load of each cycle; the last one lasts. */
  readonly loads: TopicLoads | readonly TopicLoads[]
  /** Default: `modular`, as Pulsar's. */
  readonly loadManager?: LoadManager | undefined
  /** Number of brokers. Default: 1. */
  readonly brokers?: number | undefined
  readonly config?: SplitConfig | undefined
  /** Cycles after which the simulation ends, quiet or not. Default: 1,000. */
  readonly maxCycles?: number | undefined
}

/** One split of the sequence. */
export interface SimulatedSplit {
  /** Counted from 1. */
  readonly cycle: number
  readonly broker: string
  /** Range of the bundle. */
  readonly bundle: string
  readonly reason: ExtensibleReason
  readonly boundaries: readonly number[]
  /** Ranges of its parts. */
  readonly children: readonly string[]
}

export interface SplitSimulation {
  readonly splits: readonly SimulatedSplit[]
  /** The layout at the end. */
  readonly bundles: NamespaceBundles
  /** Cycles walked. */
  readonly cycles: number
  /** Whether no further split would come, however long the last load lasts. */
  readonly quiet: boolean
  readonly notes: readonly Note[]
}

/**
 * Splits a namespace cycle by cycle, until nothing more is split.
 *
 * Cost: one pass over the topics a cycle.
 *
 * @throws as {@link NamespaceBundles.indexOf}, {@link modularSplits}; ERR_PLACEMENT_ARGUMENT_RANGE of loads with index
 * @example pulsar.simulateSplits({ bundles: pulsar.NamespaceBundles.even(1), topics: ['a', 'b'],
 *   loads: { msgRateIn: [40_000, 1] } }).splits.length // → 1
 */
export function simulateSplits(question: SimulationQuestion): SplitSimulation {
  const simulation = new Simulation(question)
  const most = checkInteger(question.maxCycles ?? 1000, 'maxCycles', [1, 1_000_000])
  while (!simulation.isQuiet && simulation.cycle < most) simulation.step()
  return simulation.end()
}

const LOAD_MANAGERS = ['modular', 'extensible'] as const

class Simulation {
  cycle = 0
  #bundles: NamespaceBundles
  #stillFor = 0
  readonly #hashes: Uint32Array
  readonly #loads: readonly TopicLoads[]
  readonly #settings: SplitDefaults
  readonly #config: SplitConfig | undefined
  readonly #owners = new Map<string, number>()
  readonly #brokers: number
  readonly #strategies: readonly ExtensibleSplits[] | null
  readonly #splits: SimulatedSplit[] = []
  readonly #notes = new Map<string, Note>()
  #now: BundleLoads

  constructor({ bundles, topics, loads, config, brokers = 1, loadManager = 'modular' }: SimulationQuestion) {
    this.#bundles = bundles
    this.#config = config
    this.#settings = splitSettings(config, bundles.version)
    this.#brokers = checkInteger(brokers, 'brokers', [1, 100_000])
    this.#hashes = canonicalTopics(topics, bundles).hash('crc32')
    this.#loads = loadsOf(loads)
    this.#now = this.#loadNow()
    for (const [i, range] of bundles.ranges().entries()) this.#owners.set(range, i % brokers)
    const isModular = checkName(loadManager, 'loadManager', LOAD_MANAGERS) === 'modular'
    this.#strategies = isModular ? null : Array.from({ length: brokers }, () => this.#strategy())
  }

  /** The last load has lasted so long without a split that every bundle over a limit has had its turn. */
  get isQuiet(): boolean {
    const wait =
      this.#strategies === null ? 1 : this.#settings.loadBalancerNamespaceBundleSplitConditionHitCountThreshold! + 1
    return this.cycle >= this.#loads.length && this.#stillFor >= Math.max(1, wait)
  }

  step(): void {
    this.cycle++
    this.#now = this.#loadNow()
    const before = this.#splits.length
    if (this.#strategies === null) this.#stepModular()
    for (const [broker, strategy] of this.#strategies?.entries() ?? []) this.#stepExtensible(strategy, broker)
    const isLasting = this.cycle >= this.#loads.length && this.#splits.length === before
    this.#stillFor = isLasting ? this.#stillFor + 1 : 0
  }

  end(): SplitSimulation {
    this.#now = this.#loadNow()
    for (const note of this.#hopeless()) this.#note(note)
    if (!this.isQuiet) {
      const message = `after ${this.cycle} cycles bundles may still be split: give more of maxCycles`
      this.#note({ code: 'NOTE_SPLIT_NOT_QUIET', message })
    }
    const [splits, notes] = [this.#splits, [...this.#notes.values()]]
    return { splits, bundles: this.#bundles, cycles: this.cycle, quiet: this.isQuiet, notes }
  }

  #loadNow(): BundleLoads {
    const load = this.#loads[Math.min(Math.max(0, this.cycle - 1), this.#loads.length - 1)]!
    return new BundleLoads(this.#bundles, this.#hashes, load)
  }

  #strategy(): ExtensibleSplits {
    const boundariesOf = (bundle: NamespaceBundle) => this.#cut(bundle)
    return new ExtensibleSplits({ config: this.#config, version: this.#bundles.version, boundariesOf })
  }

  #cut(bundle: NamespaceBundle): number[] | null {
    const { hashes, rates } = this.#now.topicsIn(bundle)
    return splitBoundaries({ range: bundle, hashes, rates, config: this.#config, version: this.#bundles.version })
  }

  #stepModular(): void {
    const stats = Array.from({ length: this.#brokers }, (_, broker) => [nameOf(broker), this.#statsOf(broker)] as const)
    const { split, notes } = modularSplits({
      brokers: Object.fromEntries(stats),
      longTerm: Object.assign({}, ...stats.map(([, ofBroker]) => ofBroker)),
      bundleCounts: this.#counts(),
      config: this.#config,
      version: this.#bundles.version,
    })
    for (const note of notes) this.#note(note)
    const reports = new Map(stats)
    for (const [key, broker] of split) this.#split(key, broker, reports.get(broker)![key]!)
  }

  /** The admin call that the leader makes for each of them. */
  #split(key: string, broker: string, stats: BundleStats): void {
    const range = rangeOf(key)
    const bundle = this.#bundles.bundle(this.#bundles.validateBundle(range))
    const boundaries = this.#cut(bundle) ?? []
    if (boundaries.length === 0) {
      const message = `${key} is over a limit, and the algorithm finds no boundary: it is never split`
      this.#note({ code: 'NOTE_SPLIT_NOTHING', message, where: key })
      return
    }
    const reason = reasonToSplit(stats, stats, this.#settings)!
    try {
      this.#apply({ broker, bundle: range, reason, boundaries })
    } catch (error) {
      this.#note(
        refusalNote(error, 'NOTE_SPLIT_REFUSED', key, `${key} is over a limit, and the broker refuses its cut`),
      )
    }
  }

  #stepExtensible(strategy: ExtensibleSplits, broker: number): void {
    try {
      const cycle = { stats: this.#statsOf(broker), bundleCounts: this.#counts() }
      const { split, notes } = strategy.findBundlesToSplit(cycle)
      for (const note of notes) this.#note(note)
      for (const { bundle, reason, boundary } of split) {
        this.#apply({ broker: nameOf(broker), bundle: rangeOf(bundle), reason, boundaries: [boundary] })
      }
    } catch (error) {
      const what = `the cycles of ${nameOf(broker)} are lost, each with all its decisions`
      this.#note(refusalNote(error, 'NOTE_SPLIT_LOST_CYCLE', nameOf(broker), what))
    }
  }

  #apply(split: Omit<SimulatedSplit, 'cycle' | 'children'>): void {
    const after = this.#bundles.splitBundles(split.bundle, split)!
    const owner = this.#owners.get(split.bundle)!
    const children = after.children.map(({ range }) => range)
    this.#owners.delete(split.bundle)
    for (const child of children) this.#owners.set(child, owner)
    this.#bundles = after.bundles
    this.#splits.push({ cycle: this.cycle, ...split, children })
  }

  #namespace(): string {
    return this.#bundles.namespace ?? 'public/default'
  }

  #counts(): Record<string, number> {
    return { [this.#namespace()]: this.#now.bundles.length }
  }

  /** What a broker reports: its bundles with topics, in the order of the layout. */
  #statsOf(broker: number): Record<string, BundleStats> {
    const stats: Record<string, BundleStats> = {}
    this.#now.bundles.ranges().forEach((range, i) => {
      if (this.#owners.get(range) === broker && this.#now.topics[i]! > 0) {
        stats[`${this.#namespace()}/${range}`] = this.#now.statsOf(i)
      }
    })
    return stats
  }

  #note(note: Note): void {
    const key = `${note.code} ${note.where}`
    if (!this.#notes.has(key)) this.#notes.set(key, note)
  }

  /** Bundles that are over a limit at the end by one topic, or by topics of one hash. */
  #hopeless(): Note[] {
    const { bundles } = this.#now
    return bundles.ranges().flatMap((range, i) => {
      const stats = this.#now.statsOf(i)
      const over = overByRates(stats, this.#settings) ?? reasonToSplit(stats, stats, this.#settings)
      if (over === null) return []
      const { hashes } = this.#now.topicsIn(bundles.bundle(i))
      if (hashes.some((hash) => hash !== hashes[0])) return []
      const what =
        hashes.length === 1 ? 'its only topic' : `its ${hashes.length} topics, all of hash ${formatLong(hashes[0]!)},`
      const message = `${range} stays over the limit (${over}) by ${what}: no split relieves it; give the topic partitions`
      return [{ code: 'NOTE_SPLIT_ONE_HASH', message, where: range }]
    })
  }
}

const nameOf = (broker: number): string => `broker-${broker}`

const rangeOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

function loadsOf(loads: TopicLoads | readonly TopicLoads[]): readonly TopicLoads[] {
  const list = Array.isArray(loads) ? (loads as readonly TopicLoads[]) : [loads as TopicLoads]
  const wrong = list.findIndex((load) => typeof load !== 'object' || load === null)
  if (list.length > 0 && wrong < 0) return list
  const got = list.length === 0 ? 'none' : `${shown(list[wrong])} at ${wrong}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `loads: expected the load of one cycle or more, got ${got}`)
}

/** A refused cut as a note; any other error goes on. */
function refusalNote(error: unknown, code: Note['code'], where: string, what: string): Note {
  if (!isCodedError(error) || error.code !== 'ERR_PLACEMENT_SPLIT') throw error
  return { code, message: `${what}, again in each cycle: ${error.message}`, where }
}
