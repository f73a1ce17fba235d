/**
 * Who decides that a bundle is split: the modular load manager's task, and the extensible one's strategy.
 *
 * Source: Apache Pulsar 5.0.1, 4.2.4 and 3.0.7, org.apache.pulsar.broker.loadbalance.impl.BundleSplitterTask and
 * extensions.strategy.DefaultNamespaceBundleSplitStrategyImpl; 2.10.5, the first one, read.
 * What differs from the obvious: the modular task looks at long-term rates and counts no hits; the extensible strategy looks
 * at current ones, must be over a limit in more cycles than the threshold in a row, and takes exactly one boundary; one that
 * lies on an end of its bundle throws out of the whole cycle, and the decisions found before it are lost.
 */
import { codedError } from '../errors.js'
import type { Note } from '../notes.js'
import type { PulsarVersion } from '../types.js'
import { NamespaceBundle } from './bundle-range.js'
import type { SplitDefaults } from './defaults.js'
import { concurrentMapOrder } from './java-map-order.js'
import { type SplitConfig, splitSettings } from './split.js'
import { childRanges } from './split-layout.js'
import {
  type BundleRates,
  type BundleStats,
  checkStats,
  reasonToSplit,
  type SplitReason,
  settingsNotes,
} from './split-limits.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** Statistics by a bundle's key, `tenant/namespace/0x…_0x…`, in the order in which the broker's map has them. */
export type StatsOfBundles = Readonly<Record<string, BundleStats>>

/** How many bundles each namespace has now. */
export type BundleCounts = Readonly<Record<string, number>>

export interface ModularQuestion extends PulsarVersionOption {
  /** The last report of each broker, by the broker's name. */
  readonly brokers: Readonly<Record<string, StatsOfBundles>>
  /** Long-term rates of each bundle, by its key; none are as 0. */
  readonly longTerm?: Readonly<Record<string, BundleRates>> | undefined
  readonly bundleCounts: BundleCounts
  readonly config?: SplitConfig | undefined
}

/** What the modular manager decides in one pass. */
export interface ModularDecision {
  /** The order in which it looks at the brokers. */
  readonly order: readonly string[]
  /** Bundles to split, by their keys, with the broker that reports each; of two brokers the later one. */
  readonly split: ReadonlyMap<string, string>
  readonly notes: readonly Note[]
}

/**
 * One pass of the modular manager's task, which the leader makes over the reports of all brokers.
 *
 * @throws ERR_PLACEMENT_NAMESPACE for a key that is none: it loses the whole pass, as in the original;
 *   ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_ARGUMENT_TYPE
 * @example pulsar.modularSplits({ brokers: { b1: { 'a/b/0x00000000_0x80000000': { topics: 1001 } } },
 *   bundleCounts: { 'a/b': 2 } }).split.get('a/b/0x00000000_0x80000000') // → 'b1'
 */
export function modularSplits(question: ModularQuestion): ModularDecision {
  const version = pulsarVersion(question)
  const settings = splitSettings(question.config, version)
  const pass = new ModularPass(question, settings, version)
  const order = concurrentMapOrder(Object.keys(question.brokers))
  for (const broker of order) pass.addBroker(broker, question.brokers[broker]!)
  return { order, split: pass.split, notes: [...settingsNotes(settings), ...pass.notes] }
}

class ModularPass {
  readonly split = new Map<string, string>()
  readonly notes: Note[] = []
  readonly #question: ModularQuestion
  readonly #settings: SplitDefaults
  readonly #version: PulsarVersion
  readonly #chosen = new Map<string, number>()

  constructor(question: ModularQuestion, settings: SplitDefaults, version: PulsarVersion) {
    this.#question = question
    this.#settings = settings
    this.#version = version
  }

  addBroker(broker: string, bundles: StatsOfBundles): void {
    for (const [key, stats] of Object.entries(bundles)) {
      checkStats(stats, `brokers[${JSON.stringify(broker)}][${JSON.stringify(key)}]`)
      const rates = this.#question.longTerm?.[key] ?? {}
      checkStats(rates, `longTerm[${JSON.stringify(key)}]`)
      if (reasonToSplit(stats, rates, this.#settings) !== null) this.#choose(key, broker)
    }
  }

  #choose(key: string, broker: string): void {
    const { namespace } = partsOf(key, this.#version)
    const chosen = this.#chosen.get(namespace) ?? 0
    const most = this.#settings.loadBalancerNamespaceMaximumBundles
    if (countOf(this.#question.bundleCounts, namespace) + chosen >= most) {
      this.notes.push(tooMany(key, namespace, most))
      return
    }
    this.split.set(key, broker)
    this.#chosen.set(namespace, chosen + 1)
  }
}

function tooMany(key: string, namespace: string, most: number): Note {
  const message = `${key} is over a limit, but ${namespace} has ${most} bundles, the most of loadBalancerNamespaceMaximumBundles`
  return { code: 'NOTE_SPLIT_MAXIMUM_BUNDLES', message, where: key }
}

/** A key at its last `/`. Errors: ERR_PLACEMENT_BUNDLE_RANGE with what Java throws. */
function partsOf(key: string, version: PulsarVersion): { namespace: string; range: string } {
  const slash = key.lastIndexOf('/')
  if (slash >= 0) return { namespace: key.slice(0, slash), range: key.slice(slash + 1) }
  throw codedError(
    'ERR_PLACEMENT_BUNDLE_RANGE',
    `bundle: expected a key such as "a/b/0x00000000_0xffffffff", got ${JSON.stringify(key)}`,
    {
      javaClass: 'java.lang.IllegalArgumentException',
      javaMessage: isSince(version, '4.2') ? `Invalid bundle name format: ${key}` : null,
    },
  )
}

function countOf(counts: BundleCounts, namespace: string): number {
  const count = counts[namespace]
  if (Number.isInteger(count) && count! >= 0) return count!
  const expected = `bundleCounts[${JSON.stringify(namespace)}]: expected the number of its bundles, got ${String(count)}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', expected)
}

/** What one cycle of the extensible manager looks at, on the broker that owns the bundles. */
export interface ExtensibleCycle {
  readonly stats: StatsOfBundles
  readonly bundleCounts: BundleCounts
  /** Keys among them that the broker does not own. */
  readonly notOwned?: readonly string[] | undefined
  /** Keys of bundles, of any broker, that are being split now. */
  readonly splitting?: readonly string[] | undefined
}

/** `Unknown`: over no limit, and due by a threshold below 0. */
export type ExtensibleReason = SplitReason | 'Unknown'

/** A bundle that is to be split. */
export interface ExtensibleDecision {
  readonly bundle: string
  readonly reason: ExtensibleReason
  readonly boundary: number
  /** Ranges of its two parts. */
  readonly children: readonly [string, string]
}

/** What the extensible manager decides in one cycle. */
export interface ExtensibleDecisions {
  readonly split: readonly ExtensibleDecision[]
  readonly notes: readonly Note[]
}

/** Where the default algorithm cuts a bundle. */
export type BoundariesOf = (bundle: NamespaceBundle) => readonly number[] | null

export interface ExtensibleOptions extends PulsarVersionOption {
  /** Default: the middle of the bundle's range, as the default algorithm has it. */
  readonly boundariesOf?: BoundariesOf | undefined
  readonly config?: SplitConfig | undefined
}

/**
 * The extensible manager's strategy on one broker, which remembers from cycle to cycle how often a bundle was over a limit.
 *
 * ```
 * const strategy = new pulsar.ExtensibleSplits()
 * const cycle = { stats: { 'a/b/0x00000000_0x80000000': { topics: 1001 } }, bundleCounts: { 'a/b': 2 } }
 * const cycles = [1, 2, 3, 4].map(() => strategy.findBundlesToSplit(cycle).split.length) // → [0, 0, 0, 1]
 * ```
 */
export class ExtensibleSplits {
  readonly #settings: SplitDefaults
  readonly #version: PulsarVersion
  readonly #boundariesOf: BoundariesOf
  readonly #hits = new Map<string, number>()

  /** @throws ERR_PLACEMENT_UNSUPPORTED for 2.10, which has no such manager; ERR_PLACEMENT_ARGUMENT_RANGE */
  constructor({ boundariesOf = middleOf, config, ...options }: ExtensibleOptions = {}) {
    this.#version = pulsarVersion(options)
    if (!isSince(this.#version, '3.0')) {
      throw codedError(
        'ERR_PLACEMENT_UNSUPPORTED',
        `version: expected 3.0 or newer for the extensible load manager, got ${this.#version}`,
      )
    }
    this.#settings = splitSettings(config, this.#version)
    this.#boundariesOf = boundariesOf
  }

  /**
   * One cycle.
   *
   * @throws ERR_PLACEMENT_SPLIT where a boundary lies on an end of its bundle: what was decided before is lost, as in the
   *   original; ERR_PLACEMENT_BUNDLE_RANGE, ERR_PLACEMENT_NAMESPACE for keys that are none
   */
  findBundlesToSplit(cycle: ExtensibleCycle): ExtensibleDecisions {
    const found = new Cycle(cycle, settingsNotes(this.#settings))
    for (const bundle of this.#hits.keys()) if (!Object.hasOwn(cycle.stats, bundle)) this.#hits.delete(bundle)
    for (const [bundle, stats] of Object.entries(cycle.stats)) {
      checkStats(stats, `stats[${JSON.stringify(bundle)}]`)
      const reason = this.#reasonDue(bundle, stats, found)
      const isDecided = reason !== null && this.#decide(bundle, reason, found)
      // Asked after a decision alone: a most of 0 stops nothing.
      if (isDecided && found.split.length === this.#settings.loadBalancerMaxNumberOfBundlesToSplitPerCycle) break
    }
    return found
  }

  /** Why a bundle was over a limit often enough; counts this time. Below a threshold of 0 every bundle is due. */
  #reasonDue(key: string, stats: BundleStats, { notOwned }: Cycle): ExtensibleReason | null {
    if ((stats.topics ?? 0) < 2 || notOwned.has(key)) return null
    if (!this.#bundleOf(key).canSplit) return null
    const reason = reasonToSplit(stats, stats, this.#settings)
    if (reason === null) this.#hits.delete(key)
    else this.#hits.set(key, (this.#hits.get(key) ?? 0) + 1)
    const threshold = this.#settings.loadBalancerNamespaceBundleSplitConditionHitCountThreshold!
    return (this.#hits.get(key) ?? 0) > threshold ? (reason ?? 'Unknown') : null
  }

  #bundleOf(key: string): NamespaceBundle {
    const { namespace, range } = partsOf(key, this.#version)
    return NamespaceBundle.parse(namespace, range, { version: this.#version })
  }

  /** Whether the bundle is to be split. */
  #decide(key: string, reason: ExtensibleReason, found: Cycle): boolean {
    const { namespace } = partsOf(key, this.#version)
    const most = this.#settings.loadBalancerNamespaceMaximumBundles
    if (found.countOf(namespace) >= most) {
      found.notes.push(tooMany(key, namespace, most))
      return false
    }
    const bundle = this.#bundleOf(key)
    if (found.isBeingSplit(key, namespace)) return false
    const boundaries = this.#boundariesOf(bundle)
    if (boundaries === null || boundaries.length !== 1) {
      found.notes.push(notOne(key, boundaries))
      return false
    }
    const [boundary] = boundaries as [number]
    found.add({ bundle: key, reason, boundary, children: childRanges(bundle, boundary) }, namespace)
    this.#hits.delete(key)
    return true
  }
}

const middleOf: BoundariesOf = ({ lower, upper }) => [lower + Math.floor((upper - lower) / 2)]

function notOne(key: string, boundaries: readonly number[] | null): Note {
  const count = boundaries?.length ?? 0
  if (count > 1) {
    const message = `${key} is over a limit in every cycle, and never split: the algorithm gives ${count} boundaries, the extensible manager takes exactly one (apache/pulsar#22254); split it by hand`
    return { code: 'NOTE_SPLIT_SEVERAL_BOUNDARIES', message, where: key }
  }
  const message = `${key} is over a limit, and the algorithm finds no boundary: it is never split`
  return { code: 'NOTE_SPLIT_NOTHING', message, where: key }
}

/** What one cycle has found so far. */
class Cycle implements ExtensibleDecisions {
  readonly split: ExtensibleDecision[] = []
  readonly notes: Note[]
  readonly notOwned: ReadonlySet<string>
  readonly #splitting: readonly string[]
  readonly #bundleCounts: BundleCounts
  readonly #chosen = new Map<string, number>()

  constructor({ bundleCounts, notOwned = [], splitting = [] }: ExtensibleCycle, notes: Note[]) {
    this.notes = notes
    this.notOwned = new Set(notOwned)
    this.#splitting = splitting
    this.#bundleCounts = bundleCounts
  }

  countOf(namespace: string): number {
    return countOf(this.#bundleCounts, namespace) + (this.#chosen.get(namespace) ?? 0)
  }

  /** Whether a bundle that shares an end with this one is being split; its namespace need only begin alike. */
  isBeingSplit(key: string, namespace: string): boolean {
    const [lower, upper] = key.slice(namespace.length + 1).split('_') as [string, string]
    return this.#splitting.some((other) => {
      const range = other.slice(other.lastIndexOf('/') + 1)
      return other.startsWith(namespace) && (range.startsWith(lower) || range.endsWith(upper))
    })
  }

  add(decision: ExtensibleDecision, namespace: string): void {
    this.split.push(decision)
    this.#chosen.set(namespace, (this.#chosen.get(namespace) ?? 0) + 1)
  }
}
