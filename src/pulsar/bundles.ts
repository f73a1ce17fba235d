/**
 * The bundles of a namespace: which one holds a topic, for one topic in a gateway and for millions in a plan.
 *
 * Source: Apache Pulsar 5.0.1, 4.2.4, 3.0.7 and 2.10.5, org.apache.pulsar.common.naming.NamespaceBundles and
 * NamespaceBundleFactory. A topic's hash is the CRC-32 of its full name in UTF-8, each partition by its own name.
 * What differs from the obvious: `findBundle` is the broker's own method and loses the hash 0xffffffff, as the broker does;
 * `indexOf`, `bundleOf` and `countsOf` answer every hash.
 */
import { answerColumn, answerStrings, type Keys, threadsOf } from '../bulk.js'
import { type AsyncOptions, answerAllAsync, checkOptions } from '../bulk-async.js'
import { checkInteger, codedError } from '../errors.js'
import { HASH_OF_KEY } from '../single-key.js'
import type { Packed, PulsarVersion } from '../types.js'
import { brokerFind, brokerValidate } from './broker-lookup.js'
import { checkRange, formatRange, type HashRange, LAST_HASH, NamespaceBundle, readRange } from './bundle-range.js'
import { type BundleSplit, type SplitOptions, splitBundle } from './bundle-split.js'
import { type BundlesData, readBundlesData } from './bundles-data.js'
import { formatLong } from './java-long.js'
import { type Edges, edgesOf, evenEdges } from './layout.js'
import { NamespaceName } from './namespace-name.js'
import { type Into, RangeLookup } from './range-table.js'
import { type BundleCut, splitEdges } from './split-layout.js'
import { canonicalTopic, canonicalTopics, canonicalTopicsAsync, type TopicsOf } from './topics.js'
import { type PulsarVersionOption, pulsarVersion } from './version.js'

/** Whose bundles they are. */
export interface BundlesOptions extends PulsarVersionOption {
  /** `tenant/namespace`: topics of another one are refused, as the broker refuses them. Default: one layout serves all. */
  readonly namespace?: string | undefined
}

/**
 * The bundles of a namespace.
 *
 * ```
 * const bundles = pulsar.NamespaceBundles.even(64)
 * bundles.bundleOf('persistent://public/default/my-topic') // → '0x28000000_0x2c000000'
 * bundles.indexOf(['my-topic', 'persistent://public/default/my-topic-partition-0']) // → Uint32Array [10, 15]
 * ```
 */
export class NamespaceBundles {
  /** Number of bundles. */
  readonly length: number
  /** `tenant/namespace`, or `null` where the layout serves every namespace. */
  readonly namespace: string | null
  /** The release whose names and texts are meant. */
  readonly version: PulsarVersion
  readonly #edges: Edges
  readonly #topicsOf: TopicsOf
  readonly #ranges: (string | undefined)[]
  #sound: RangeLookup | undefined

  private constructor(edges: Edges, topicsOf: TopicsOf) {
    this.version = topicsOf.version
    this.namespace = topicsOf.namespace
    this.length = edges.length - 1
    this.#edges = edges
    this.#topicsOf = topicsOf
    this.#ranges = new Array(this.length)
  }

  /**
   * Equal bundles, as Pulsar makes them for a new namespace: each 2^32 / N wide, the last one with the remainder.
   *
   * @param count an integer in [1, 2147483647]; more than 2^26 are refused for their memory
   * @throws ERR_PLACEMENT_BUNDLE_COUNT, ERR_PLACEMENT_UNSUPPORTED, ERR_PLACEMENT_NAMESPACE, ERR_PLACEMENT_UNKNOWN_VERSION
   */
  static even(count: number, options?: BundlesOptions): NamespaceBundles {
    const topicsOf = topicsOfOptions(options)
    return new NamespaceBundles(evenEdges(count), topicsOf)
  }

  /**
   * Bundles between boundaries, in the order given, as a broker that finds them in its metadata.
   *
   * @param boundaries N + 1 ascending numbers, the last one 0xffffffff; text is read as Java's `Long.decode` reads it:
   *   `0x80000000`, `2147483648`, `#80000000`, octal `020000000000`. The broker takes a first boundary other than 0; such a
   *   layout can be printed and asked with `findBundle`, but not with `indexOf`.
   * @throws ERR_PLACEMENT_BOUNDARIES with index and what Java throws; ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_NAMESPACE,
   *   ERR_PLACEMENT_UNKNOWN_VERSION
   */
  static fromBoundaries(
    boundaries: readonly (string | number)[] | Uint32Array,
    options?: BundlesOptions,
  ): NamespaceBundles {
    const topicsOf = topicsOfOptions(options)
    return new NamespaceBundles(edgesOf(boundaries), topicsOf)
  }

  /**
   * Bundles from Pulsar's own document, as `pulsar-admin namespaces bundles` prints it. Its boundaries count, not its
   * `numBundles`; where it has none, `numBundles` equal ones are made.
   *
   * @param data JSON text, or an object with `boundaries` and `numBundles`
   * @throws ERR_PLACEMENT_BUNDLES_DATA, and what {@link NamespaceBundles.fromBoundaries} and
   *   {@link NamespaceBundles.even} throw
   */
  static fromData(data: BundlesData | string, options?: BundlesOptions): NamespaceBundles {
    const topicsOf = topicsOfOptions(options)
    const { boundaries, numBundles } = readBundlesData(data)
    const hasOwn = boundaries !== null && boundaries.length > 0
    return new NamespaceBundles(hasOwn ? edgesOf(boundaries) : evenEdges(numBundles), topicsOf)
  }

  /**
   * The N + 1 boundaries. Do not write into them.
   *
   * @throws ERR_PLACEMENT_BOUNDARIES for a layout that begins below 0, which only the broker takes
   */
  get boundaries(): Uint32Array {
    if (this.#edges instanceof Uint32Array) return this.#edges
    throw unsound(this.#edges)
  }

  /** The bundle of all hashes in this namespace, whatever the layout. */
  get fullBundle(): NamespaceBundle {
    return this.#bundle({ lower: 0, upper: LAST_HASH, upperClosed: true })
  }

  /** The bundle at an index. @throws ERR_PLACEMENT_ARGUMENT_RANGE */
  bundle(index: number): NamespaceBundle {
    checkInteger(index, 'index', [0, this.length - 1])
    const [lower, upper] = [this.#edges[index]!, this.#edges[index + 1]!]
    return this.#bundle({ lower, upper, upperClosed: upper === LAST_HASH })
  }

  /** The range of the bundle at an index: `0x%08x_0x%08x`. @throws ERR_PLACEMENT_ARGUMENT_RANGE */
  range(index: number): string {
    checkInteger(index, 'index', [0, this.length - 1])
    return this.#rangeAt(index)
  }

  /** All ranges, in order. */
  ranges(): string[] {
    return Array.from({ length: this.length }, (_, i) => this.#rangeAt(i))
  }

  /**
   * The range of the bundle that holds a topic, or of each of many.
   *
   * @param topics a name, short or full, or an array, column or TopicSet of names
   * @returns `0x%08x_0x%08x`, one for each topic; {@link NamespaceBundles.indexOf} is the answer for millions
   * @throws ERR_PLACEMENT_TOPIC_NAME, ERR_PLACEMENT_NAMESPACE (of many with index), ERR_PLACEMENT_ARGUMENT_TYPE,
   *   ERR_PLACEMENT_COLUMN, ERR_PLACEMENT_BOUNDARIES
   */
  bundleOf(topic: string): string
  bundleOf(topics: Keys): string[]
  bundleOf(topics: string | Keys): string | string[] {
    if (typeof topics === 'string') return this.#rangeAt(this.#indexOfTopic(topics))
    return Array.from(this.indexOf(topics), (index) => this.#rangeAt(index))
  }

  /**
   * Index of the bundle that holds a topic, or of each of many.
   *
   * @param topics a name, short or full, or an array, column or TopicSet of names
   * @returns an integer in [0, length), or one for each topic; the hash 0xffffffff is the last bundle's
   *
   * Cost: a TopicSet keeps its canonical names, so that the first question pays for them.
   * @throws ERR_PLACEMENT_TOPIC_NAME, ERR_PLACEMENT_NAMESPACE (of many with index), ERR_PLACEMENT_ARGUMENT_TYPE,
   *   ERR_PLACEMENT_COLUMN, ERR_PLACEMENT_OUTPUT; ERR_PLACEMENT_BOUNDARIES for a layout that does not begin with 0
   */
  indexOf(topic: string): number
  indexOf(topics: Keys, into?: Into): Uint32Array
  indexOf(topics: string | Keys, into: Into = {}): number | Uint32Array {
    return typeof topics === 'string' ? this.#indexOfTopic(topics) : this.#indexOfAll(topics, into)
  }

  /**
   * The async twin of {@link NamespaceBundles.indexOf} for many topics: off the event loop, with `signal` and `onProgress`.
   * Names that are not canonical yet are made so first, on the event loop: `topics.canonical(version)` of a TopicSet does it
   * ahead of time.
   *
   * @throws as `indexOf`, by rejecting; a signal that fires rejects with its reason
   */
  async indexOfAsync(topics: Keys, { out, ...options }: Into & AsyncOptions = {}): Promise<Uint32Array> {
    const { bulk } = this.#lookup
    const threads = threadsOf(options)
    checkOptions(options)
    const names = await canonicalTopicsAsync(topics, { ...this.#topicsOf, out, signal: options.signal })
    const question = { packed: (column: Packed, part: Uint32Array) => bulk.ofPackedAsync(column, part, threads) }
    return answerAllAsync<Uint32Array>(names, { type: Uint32Array, given: out }, question, options)
  }

  /**
   * Index of the bundle of a hash, or of each of many.
   *
   * @param hashes an integer in [0, 0xffffffff], or a Uint32Array: CRC-32 of full names
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_OUTPUT, ERR_PLACEMENT_BOUNDARIES
   */
  indexOfHash(hash: number): number
  indexOfHash(hashes: Uint32Array, into?: Into): Uint32Array
  indexOfHash(hashes: number | Uint32Array, into: Into = {}): number | Uint32Array {
    return this.#lookup.indexOf(hashes, into)
  }

  /** Topics in each bundle. @throws as {@link NamespaceBundles.indexOf} */
  countsOf(topics: Keys): Uint32Array {
    const counts = new Uint32Array(this.length)
    for (const index of this.indexOf(topics)) counts[index]!++
    return counts
  }

  /**
   * The bundle with most topics, `null` where there are none: what `--bundle LARGEST` splits. Of two it is the one that
   * came to this number first, in the order of the topics.
   *
   * @throws as {@link NamespaceBundles.indexOf}
   */
  largestBundle(topics: Keys): NamespaceBundle | null {
    const counts = new Uint32Array(this.length)
    let [largest, most] = [-1, 0]
    for (const index of this.indexOf(topics)) if (++counts[index]! > most) [largest, most] = [index, counts[index]!]
    return largest < 0 ? null : this.bundle(largest)
  }

  /**
   * The broker's own look-up, defects included: the hash 0xffffffff, and one below the first boundary, make it throw.
   *
   * @throws ERR_PLACEMENT_ORIGINAL_FAILS where the broker's list index is out of bounds; ERR_PLACEMENT_TOPIC_NAME,
   *   ERR_PLACEMENT_NAMESPACE; each with what Java throws
   */
  findBundle(topic: string): NamespaceBundle {
    const name = canonicalTopic(topic, this.#topicsOf)
    return brokerFind(this, this.#edges, HASH_OF_KEY.crc32(name) >>> 0, name)
  }

  /**
   * The broker's check that a range is one of its bundles.
   *
   * @returns the index of the bundle
   * @throws ERR_PLACEMENT_BUNDLE_RANGE, and ERR_PLACEMENT_ORIGINAL_FAILS for a range that begins with 0xffffffff; each with
   *   what Java throws, by release
   */
  validateBundle(range: string): number {
    return brokerValidate(this, this.#edges, this.#bundle(checkRange(readRange(range), range)))
  }

  /**
   * Splits a bundle as `pulsar-admin namespaces split-bundle` does: by an algorithm, over the topics it holds.
   *
   * @param range of a bundle of this layout, or `LARGEST` (most topics) or `HOT` (most traffic, the modular manager's)
   * @returns the cuts, the layout after, the topics that change bundle, what is unloaded, and notes on what is not as one
   *   would expect; this layout stays as it is
   * @throws ERR_PLACEMENT_SPLIT where the broker refuses, ERR_PLACEMENT_BUNDLE_RANGE for what is no bundle here,
   *   ERR_PLACEMENT_UNKNOWN_NAME, each with what Java throws; as {@link NamespaceBundles.indexOf} and {@link splitBoundaries}
   * @example pulsar.NamespaceBundles.even(4).split('0xc0000000_0xffffffff').boundaries // → [0xdfffffff]
   */
  split(range: 'LARGEST' | 'HOT' | (string & {}), options: SplitOptions = {}): BundleSplit {
    return splitBundle(this, range, options)
  }

  /**
   * Splits a bundle at ready boundaries, or into equal parts, as the broker's NamespaceBundleFactory does.
   *
   * @returns the layout after and the new bundles; `null` where this layout has no such bundle
   * @throws ERR_PLACEMENT_SPLIT and ERR_PLACEMENT_BUNDLE_RANGE with what Java throws; ERR_PLACEMENT_ARGUMENT_RANGE
   */
  splitBundles(range: string, cut: BundleCut): { bundles: NamespaceBundles; children: NamespaceBundle[] } | null {
    const target = this.#bundle(checkRange(readRange(range), range))
    const split = splitEdges(this.#edges, target, cut, this.version)
    if (split === null) return null
    const bundles = new NamespaceBundles(edgesOf(split.edges), this.#topicsOf)
    return { bundles, children: Array.from({ length: split.parts }, (_, i) => bundles.bundle(split.first + i)) }
  }

  /** The layout as Pulsar keeps it. */
  toData(): { boundaries: string[]; numBundles: number } {
    return { boundaries: Array.from(this.#edges, formatLong), numBundles: this.length }
  }

  /** The same, so that `JSON.stringify` writes Pulsar's document. */
  toJSON(): { boundaries: string[]; numBundles: number } {
    return this.toData()
  }

  get #lookup(): RangeLookup {
    if (this.#sound === undefined) {
      if (!(this.#edges instanceof Uint32Array) || this.#edges[0] !== 0) throw unsound(this.#edges)
      this.#sound = new RangeLookup(this.#edges.subarray(0, -1))
    }
    return this.#sound
  }

  #bundle(ends: HashRange): NamespaceBundle {
    return new NamespaceBundle({ ...this.#topicsOf, ...ends })
  }

  #rangeAt(index: number): string {
    this.#ranges[index] ??= formatRange(this.#edges[index]!, this.#edges[index + 1]!)
    return this.#ranges[index]
  }

  #indexOfTopic(topic: string): number {
    return this.#lookup.single.one(HASH_OF_KEY.crc32(canonicalTopic(topic, this.#topicsOf)) >>> 0)
  }

  #indexOfAll(topics: Keys, { out, ...options }: Into): Uint32Array {
    const { bulk } = this.#lookup
    const threads = threadsOf(options)
    const output = { type: Uint32Array, given: out }
    const ofPlain = (names: readonly unknown[], part: Uint32Array) => bulk.ofTopics(names, this.namespace, part)
    const answer = Array.isArray(topics) ? answerStrings<Uint32Array>(topics, output, ofPlain) : null
    if (answer !== null) return answer
    const names = canonicalTopics(topics, this.#topicsOf, out)
    return answerColumn<Uint32Array>(names, output, { packed: (column, part) => bulk.ofPacked(column, part, threads) })
  }
}

/** The options, checked; the broker, too, reads the namespace before its boundaries. */
function topicsOfOptions(options: BundlesOptions | undefined): TopicsOf {
  const version = pulsarVersion(options)
  const namespace = options?.namespace
  return { version, namespace: namespace === undefined ? null : NamespaceName.get(namespace, { version }).toString() }
}

function unsound(edges: Edges): Error {
  const what = `expected a layout that begins with 0, got ${formatLong(edges[0]!)}; findBundle answers as the broker does`
  return codedError('ERR_PLACEMENT_BOUNDARIES', `boundaries[0]: ${what}`, { index: 0 })
}
