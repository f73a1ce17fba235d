/**
 * One bundle: a namespace and a range of hashes, read and written as Pulsar does.
 *
 * Source: Apache Pulsar 5.0.1 and back to 2.10.5, org.apache.pulsar.common.naming.NamespaceBundle and
 * NamespaceBundleFactory.getBundle; com.google.common.collect.Range of Guava 33.
 * What differs from the obvious: a range is `[lower, upper)`, but `[lower, 0xffffffff]` where it ends with the last hash;
 * text after a second `_` is ignored; ends outside 32 bits are taken. Ends past 2^53 are refused here, though not there.
 */
import { codedError, type ErrorDetails, shown } from '../errors.js'
import { HASH_OF_KEY } from '../single-key.js'
import type { PulsarVersion } from '../types.js'
import { decodeLong, formatLong } from './java-long.js'
import { NamespaceName } from './namespace-name.js'
import { TopicName } from './topic-name.js'
import { type PulsarVersionOption, pulsarVersion } from './version.js'

/** The last hash, and the last boundary of every layout. */
export const LAST_HASH = 0xffffffff

/** The range of all hashes. */
export const FULL_RANGE = '0x00000000_0xffffffff'

const ILLEGAL_ARGUMENT = 'java.lang.IllegalArgumentException'

/** The ends of a range. */
export interface HashRange {
  readonly lower: number
  readonly upper: number
  /** True where `upper` itself belongs to the range: it is 0xffffffff. */
  readonly upperClosed: boolean
}

/** The text of a range: `0x%08x_0x%08x`. */
export function formatRange(lower: number, upper: number): string {
  return `${formatLong(lower)}_${formatLong(upper)}`
}

/**
 * Reads a range as Pulsar does: two numbers in the forms of Java's `Long.decode`, with `_` between. That the range is
 * empty is not seen here: {@link checkRange} follows, as the original has it.
 *
 * Errors: ERR_PLACEMENT_BUNDLE_RANGE with what Java throws, ERR_PLACEMENT_ARGUMENT_TYPE.
 */
export function readRange(text: string): HashRange {
  if (typeof text !== 'string') {
    const expected = `expected a string such as "${FULL_RANGE}", got ${shown(text)}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `range: ${expected}`)
  }
  if (!text.includes('_')) throw unreadable(text, ILLEGAL_ARGUMENT, 'Invalid bundle range')
  const [lower, upper] = splitRange(text).map((part) => endOf(part, text)) as [number, number]
  const upperClosed = upper === LAST_HASH
  if (lower <= upper) return { lower, upper, upperClosed }
  throw unreadable(text, ILLEGAL_ARGUMENT, `Invalid range: [${lower}..${upper}${upperClosed ? ']' : ')'}`)
}

/** Refuses what NamespaceBundle's constructor refuses. Errors: ERR_PLACEMENT_BUNDLE_RANGE; `text` is for the message. */
export function checkRange(range: HashRange, text: string): HashRange {
  const refused = refusalOfRange(range)
  if (refused === null) return range
  throw unreadable(text, ILLEGAL_ARGUMENT, refused)
}

/** The first two parts. Java's `split` drops empty parts at the end, so either may be missing; the first is read first. */
function splitRange(text: string): string[] {
  const parts = text.split('_')
  while (parts.at(-1) === '') parts.pop()
  if (parts.length > 1) return parts.slice(0, 2)
  if (parts.length === 1) endOf(parts[0]!, text)
  throw missingEnd(text, parts.length)
}

function missingEnd(text: string, index: number): Error {
  const javaClass = 'java.lang.ArrayIndexOutOfBoundsException'
  return unreadable(text, javaClass, `Index ${index} out of bounds for length ${index}`)
}

function endOf(part: string, text: string): number {
  const decoded = decodeLong(part)
  if ('value' in decoded) return decoded.value
  if (decoded.refused !== null) throw unreadable(text, 'java.lang.NumberFormatException', decoded.refused)
  throw rangeError(`range: expected ends within 2^53, got ${shown(text)}`)
}

/** What NamespaceBundle's constructor says to a range, or `null`. The lower end is closed always. */
export function refusalOfRange({ lower, upper, upperClosed }: HashRange): string | null {
  if (upperClosed !== (upper === LAST_HASH)) {
    return 'Invalid hash range. Upper Endpoint should be exclusive unless it is 0xffffffff'
  }
  return lower === upper && !upperClosed ? 'Cannot create bundle object for an empty key range' : null
}

function unreadable(text: string, javaClass: string, javaMessage: string): Error {
  const expected = `expected a bundle range such as "${FULL_RANGE}", got ${shown(text)}`
  return rangeError(`range: ${expected} (Pulsar: ${javaMessage})`, { javaClass, javaMessage })
}

function rangeError(message: string, details?: ErrorDetails): Error {
  return codedError('ERR_PLACEMENT_BUNDLE_RANGE', message, details)
}

/** What a bundle is made of. */
export interface BundleParts extends HashRange {
  /** `tenant/namespace`, or `null` for a layout that serves every namespace. */
  readonly namespace: string | null
  readonly version: PulsarVersion
}

/** A bundle of a namespace: its range of hashes. */
export class NamespaceBundle implements HashRange {
  /** `tenant/namespace`, or `null` for a bundle of a layout that serves every namespace. */
  readonly namespace: string | null
  /** First hash of the bundle; 32 bits unsigned in every sound layout. */
  readonly lower: number
  /** End of the bundle, itself outside unless `upperClosed`. */
  readonly upper: number
  readonly upperClosed: boolean
  readonly #version: PulsarVersion

  /** @internal Made by {@link NamespaceBundle.parse} and by layouts. */
  constructor({ namespace, version, lower, upper, upperClosed }: BundleParts) {
    this.namespace = namespace
    this.lower = lower
    this.upper = upper
    this.upperClosed = upperClosed
    this.#version = version
  }

  /**
   * Reads a bundle as the broker does.
   *
   * @param namespace `tenant/namespace`
   * @param range such as `0x00000000_0x80000000`; decimal, octal and `#ff` are read as Java's `Long.decode` reads them
   * @throws ERR_PLACEMENT_BUNDLE_RANGE, ERR_PLACEMENT_NAMESPACE; with what Java throws, by release
   * @example pulsar.NamespaceBundle.parse('public/default', '0x00000000_0x80000000').toString()
   * // → 'public/default/0x00000000_0x80000000'
   */
  static parse(namespace: string, range: string, options?: PulsarVersionOption): NamespaceBundle {
    const release = pulsarVersion(options)
    // The broker reads the numbers first, then the namespace, and looks at the range last.
    const ends = readRange(range)
    const name = NamespaceName.get(namespace, { version: release }).toString()
    return new NamespaceBundle({ namespace: name, version: release, ...checkRange(ends, range) })
  }

  /** Its range as text: `0x%08x_0x%08x`. */
  get range(): string {
    return formatRange(this.lower, this.upper)
  }

  /** True where it holds two hashes or more apart from the end: less, and the broker refuses to split it. */
  get canSplit(): boolean {
    return this.upper - this.lower > 1
  }

  /** True for the bundle of all hashes. */
  get isFull(): boolean {
    return this.range === FULL_RANGE
  }

  /** True where a hash lies in it. */
  includesHash(hash: number): boolean {
    return hash >= this.lower && (this.upperClosed ? hash <= this.upper : hash < this.upper)
  }

  /**
   * True where a topic belongs to it: its namespace, and its hash within the range, 0xffffffff included.
   *
   * @throws ERR_PLACEMENT_TOPIC_NAME
   */
  includes(topic: string): boolean {
    const name = TopicName.get(topic, { version: this.#version })
    if (this.namespace !== null && name.namespace !== this.namespace) return false
    return this.includesHash(HASH_OF_KEY.crc32(name.toString()) >>> 0)
  }

  /** True where namespace, ends and kinds of ends are the same. */
  equals(other: NamespaceBundle): boolean {
    const sameEnds = this.lower === other.lower && this.upper === other.upper && this.upperClosed === other.upperClosed
    return sameEnds && this.namespace === other.namespace
  }

  /**
   * The order of two bundles: by namespace, then by range.
   *
   * @returns -1, 0 or 1
   * @throws ERR_PLACEMENT_BUNDLE_RANGE for two ranges of one namespace that overlap
   */
  compareTo(other: NamespaceBundle): -1 | 0 | 1 {
    const [mine, others] = [this.namespace ?? '', other.namespace ?? '']
    if (mine !== others) return mine < others ? -1 : 1
    if (this.equals(other)) return 0
    if (overlap(this, other)) throw incomparable(this, other)
    return this.lower < other.lower ? -1 : 1
  }

  /** The key that Pulsar names it by: `tenant/namespace/0x…_0x…`. */
  toString(): string {
    return this.namespace === null ? this.range : `${this.namespace}/${this.range}`
  }
}

function overlap(a: HashRange, b: HashRange): boolean {
  const lower = Math.max(a.lower, b.lower)
  const upper = Math.min(a.upper, b.upper)
  const open = (a.upper === upper && !a.upperClosed) || (b.upper === upper && !b.upperClosed)
  return lower < upper || (lower === upper && !open)
}

function incomparable(a: NamespaceBundle, b: NamespaceBundle): Error {
  const javaMessage = "Can't compare two key ranges with non-empty intersection set"
  const message = `bundle: expected a range apart from ${a}, got ${b}`
  return rangeError(message, { javaClass: ILLEGAL_ARGUMENT, javaMessage })
}

/** What a bundle's key is made of, as the original takes it apart. */
export interface BundleKey {
  /** What stands after the last `/`, the whole key where there is none; not checked. */
  readonly range: string
  /** What stands before it, where that is a namespace; else the whole key. */
  readonly namespace: string
}

/**
 * Takes a bundle's key apart, as NamespaceBundle.getBundleRange and getBundleNamespace do: nothing is refused.
 *
 * @example pulsar.parseBundleKey('public/default/0x00000000_0x80000000').namespace // → 'public/default'
 */
export function parseBundleKey(key: string, options?: PulsarVersionOption): BundleKey {
  if (typeof key !== 'string') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `key: expected a string, got ${shown(key)}`)
  }
  const release = pulsarVersion(options)
  const slash = key.lastIndexOf('/')
  return { range: key.slice(slash + 1), namespace: slash < 0 ? key : namespaceOr(key, slash, release) }
}

function namespaceOr(key: string, slash: number, version: PulsarVersion): string {
  try {
    return NamespaceName.get(key.slice(0, slash), { version }).toString()
  } catch {
    return key
  }
}
