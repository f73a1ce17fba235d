/**
 * One split as `pulsar-admin namespaces split-bundle` asks for it: which bundle, where it is cut, the layout after, which
 * topics have another bundle then, and what is unloaded.
 *
 * Source: Apache Pulsar 5.0.1 and back to 2.10.5, org.apache.pulsar.broker.admin.impl.NamespacesBase.internalSplitNamespaceBundle
 * and getBundleRange, NamespaceBundleFactory.getBundleWithHighestTopics and getBundleWithHighestThroughput (read), and
 * NamespaceService.splitAndOwnBundle.
 * What differs from the obvious: where an algorithm finds no boundary the command reports success and nothing is split.
 */
import type { Keys } from '../bulk.js'
import { codedError, nearest, shown } from '../errors.js'
import type { Note } from '../notes.js'
import type { NamespaceBundle } from './bundle-range.js'
import type { NamespaceBundles } from './bundles.js'
import { formatLong } from './java-long.js'
import {
  SPLIT_ALGORITHMS,
  type SplitAlgorithm,
  type SplitConfig,
  splitAlgorithm,
  splitBoundaries,
  splitSettings,
} from './split.js'
import { checkRates, ratesAt, sumOf, type TopicRates } from './topic-rates.js'
import { canonicalTopics } from './topics.js'

/** Which load manager the cluster runs. Pulsar's default is the modular one, in 5.0 too. */
export type LoadManager = 'modular' | 'extensible'

export interface SplitOptions {
  /** Pulsar's name of an algorithm, or one of ours. Default: the broker's default of the settings. */
  readonly algorithm?: SplitAlgorithm | undefined
  /** The namespace's topics. Default: none. */
  readonly topics?: Keys | undefined
  /** Their traffic, for `flow_or_qps_equally_divide` and `HOT`. */
  readonly rates?: TopicRates | undefined
  /** For `specified_positions_divide`. */
  readonly positions?: readonly number[] | undefined
  /** Whether the parts are unloaded afterwards: `--unload`. Default: `kept`. */
  readonly parts?: 'kept' | 'unloaded' | undefined
  /** For `HOT`, which under the extensible manager is `LARGEST`. Default: `modular`. */
  readonly loadManager?: LoadManager | undefined
  readonly config?: SplitConfig | undefined
}

/** What a split does. */
export interface BundleSplit {
  /** The bundle that is split. */
  readonly parent: NamespaceBundle
  readonly algorithm: SplitAlgorithm
  /** Where it is cut; empty where nothing is split. */
  readonly boundaries: readonly number[]
  /** The layout after; the one before where nothing is split. */
  readonly bundles: NamespaceBundles
  /** The parts, in order; empty where nothing is split. */
  readonly children: readonly NamespaceBundle[]
  /** Topics in each part. */
  readonly counts: Uint32Array
  /** Topics that have another bundle after it, as indices into the topics given: all of the parent's. */
  readonly moved: Uint32Array
  /** For each of them the part that it goes to. */
  readonly childOf: Uint32Array
  /** What is unloaded: clients of the topics in these bundles are cut off and look up anew. */
  readonly unloaded: readonly NamespaceBundle[]
  readonly notes: readonly Note[]
}

/** See {@link NamespaceBundles.split}. */
export function splitBundle(bundles: NamespaceBundles, asked: string, options: SplitOptions): BundleSplit {
  const algorithm = checkedAlgorithm(bundles, options)
  const { names, hashes } = hashesOf(bundles, options)
  const { rates = {}, config } = options
  checkRates(rates, hashes.length, 'as the broker')
  const parent = parentOf(bundles, asked, { ...options, names, hashes })
  const moved = indicesIn(parent, hashes)
  const own = Uint32Array.from(moved, (i) => hashes[i]!)
  const boundaries = splitBoundaries({
    range: parent,
    algorithm,
    hashes: own,
    positions: options.positions,
    rates: ratesAt(rates, moved),
    config,
    version: bundles.version,
  })
  const notes = [
    ...notesOn(parent, algorithm, boundaries ?? []),
    ...hashNotes(algorithm, parent, own, boundaries ?? []),
  ]
  if (boundaries === null || boundaries.length === 0) return nothing({ parent, algorithm, bundles, notes })
  const after = bundles.splitBundles(parent.range, { boundaries })!
  const { counts, childOf } = counted(own, boundaries)
  const empty = after.children.filter((_, i) => counts[i] === 0 && own.length > 0).map(emptyChild)
  const unloaded = options.parts === 'unloaded' ? after.children : []
  return { parent, algorithm, boundaries, ...after, counts, moved, childOf, unloaded, notes: [...notes, ...empty] }
}

function nothing(split: Pick<BundleSplit, 'parent' | 'algorithm' | 'bundles' | 'notes'>): BundleSplit {
  const none = new Uint32Array(0)
  return { ...split, boundaries: [], children: [], counts: none, moved: none, childOf: none, unloaded: [] }
}

const REST = 'org.apache.pulsar.broker.web.RestException'

/** The admin API's checks, before it looks at the bundle. */
function checkedAlgorithm(
  { version }: NamespaceBundles,
  { algorithm, positions, config }: SplitOptions,
): SplitAlgorithm {
  const named = algorithm ?? splitAlgorithm(null, { config, version })
  const { supportedNamespaceBundleSplitAlgorithms: supported } = splitSettings(config, version)
  const isOurs = (SPLIT_ALGORITHMS as readonly string[]).includes(named) && named.endsWith('_corrected')
  if (!isOurs && !supported.includes(named)) {
    const near = nearest(String(named), supported)
    const javaMessage = `Unsupported namespace bundle split algorithm, supported algorithms are [${supported.join(', ')}]`
    const message = `algorithm: expected one of ${supported.join(', ')} as Pulsar ${version}, got ${shown(named)}${near === null ? '' : ` (did you mean ${near}?)`}`
    throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message, { javaClass: REST, javaMessage })
  }
  if (named !== 'specified_positions_divide' || (positions?.length ?? 0) > 0) return named
  const javaMessage = 'With specified_positions_divide split algorithm, splitBoundaries must not be empty'
  const message = 'positions: expected one or more for specified_positions_divide, got none'
  throw codedError('ERR_PLACEMENT_SPLIT', message, { javaClass: REST, javaMessage })
}

function hashesOf(bundles: NamespaceBundles, { topics = [] }: SplitOptions) {
  const names = canonicalTopics(topics, bundles)
  return { names, hashes: names.hash('crc32') }
}

/** The bundle of a range, or the one that a word stands for. */
function parentOf(
  bundles: NamespaceBundles,
  asked: string,
  topics: SplitOptions & { readonly names: Keys; readonly hashes: Uint32Array },
): NamespaceBundle {
  if (asked !== 'LARGEST' && asked !== 'HOT') return bundles.bundle(bundles.validateBundle(asked))
  const byTopics = asked === 'LARGEST' || topics.loadManager === 'extensible'
  const found = byTopics ? bundles.largestBundle(topics.names) : hottest(bundles, topics.hashes, topics.rates ?? {})
  if (found !== null) return found
  const javaMessage = `Bundle range ${asked} not found`
  throw codedError(
    'ERR_PLACEMENT_BUNDLE_RANGE',
    `bundle: expected topics for ${asked}, got none (Pulsar: ${javaMessage})`,
    {
      javaClass: REST,
      javaMessage,
    },
  )
}

/** The bundle with topics and most bytes a second; of two the first. */
function hottest(bundles: NamespaceBundles, hashes: Uint32Array, rates: TopicRates): NamespaceBundle | null {
  const bytes = sumOf(rates.msgThroughputIn, rates.msgThroughputOut, hashes.length)
  const load = new Float64Array(bundles.length).fill(-1)
  bundles.indexOfHash(hashes).forEach((index, topic) => {
    load[index] = Math.max(0, load[index]!) + bytes[topic]!
  })
  let [hot, most] = [-1, -1]
  for (let i = 0; i < load.length; i++) if (load[i]! > most) [hot, most] = [i, load[i]!]
  return hot < 0 ? null : bundles.bundle(hot)
}

/** Indices of the hashes in a bundle. */
function indicesIn(bundle: NamespaceBundle, hashes: Uint32Array): Uint32Array {
  const { lower } = bundle
  // The last bundle's end belongs to it.
  const end = bundle.upperClosed ? bundle.upper + 1 : bundle.upper
  const found = new Uint32Array(hashes.length)
  let count = 0
  for (let i = 0; i < hashes.length; i++) if (hashes[i]! >= lower && hashes[i]! < end) found[count++] = i
  return found.slice(0, count)
}

/** The part of each hash, and how many each part gets. */
function counted(hashes: Uint32Array, boundaries: readonly number[]) {
  const sorted = [...boundaries].sort((a, b) => a - b)
  const counts = new Uint32Array(sorted.length + 1)
  const childOf = hashes.map((hash) => {
    let child = 0
    while (child < sorted.length && hash >= sorted[child]!) child++
    counts[child]!++
    return child
  })
  return { counts, childOf }
}

function notesOn(
  { range, upperClosed }: NamespaceBundle,
  algorithm: SplitAlgorithm,
  boundaries: readonly number[],
): Note[] {
  if (boundaries.length === 0) {
    const message = `${algorithm} finds no boundary in ${range}: Pulsar reports success and splits nothing`
    return [{ code: 'NOTE_SPLIT_NOTHING', message, where: range }]
  }
  if (boundaries.length > 1 && algorithm === 'flow_or_qps_equally_divide') {
    const message = `${range} would be cut at ${boundaries.length} boundaries, which the extensible load manager refuses (apache/pulsar#22254); split it by hand`
    return [{ code: 'NOTE_SPLIT_SEVERAL_BOUNDARIES', message, where: range }]
  }
  if (!upperClosed || algorithm !== 'range_equally_divide') return []
  const [cut] = boundaries as [number]
  const message = `${range} is cut at ${formatLong(cut)}, not at ${formatLong(cut + 1)}: its end is counted as 0xffffffff`
  return [{ code: 'NOTE_SPLIT_LAST_BUNDLE', message, where: range }]
}

/** What equal hashes do to the cut by count. */
function hashNotes(
  algorithm: SplitAlgorithm,
  { range }: NamespaceBundle,
  hashes: Uint32Array,
  boundaries: readonly number[],
): Note[] {
  if (algorithm !== 'topic_count_equally_divide' || boundaries.length === 0) return []
  const [cut] = boundaries as [number]
  const left = hashes.reduce((count, hash) => count + (hash < cut ? 1 : 0), 0)
  const half = Math.floor(hashes.length / 2)
  if (left >= half) return []
  const message = `the cut at ${formatLong(cut)} leaves ${left} topics left instead of ${half}: the hashes in the middle are equal or adjacent`
  return [{ code: 'NOTE_SPLIT_EQUAL_HASHES', message, where: range }]
}

const emptyChild = ({ range }: NamespaceBundle): Note => ({
  code: 'NOTE_SPLIT_EMPTY_CHILD',
  message: `${range} holds no topic after the split`,
  where: range,
})
