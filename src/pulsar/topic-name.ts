/**
 * Names of Pulsar topics: read, taken apart and refused as each release does, for gateways and tools that hold one name.
 * Sets of millions are made canonical by the engine instead (`canonicalNames` of src/engine/contract.ts).
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.common.naming.TopicName. The rules by release are in
 * topic-name-rules.ts.
 * What differs from the obvious: a partition's suffix counts in the local name alone, without zeros in front; since 4.2 an
 * upper-case domain stays as given, and so changes the hash.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import { INT_MAX, parseDigits } from '../fallback/pulsar/java-text.js'
import type { PulsarVersion } from '../types.js'
import { NamespaceName } from './namespace-name.js'
import { fullTopicName, parseTopicName, refused, type TopicDomain, type TopicNameFields } from './topic-name-rules.js'
import { decodeName, encodeName } from './url-codec.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

export type { TopicDomain } from './topic-name-rules.js'

const PARTITION_SUFFIX = '-partition-'

/** The parts of a topic's name. Without `tenant`, the namespace is `tenant/namespace`. */
export interface TopicNameParts {
  readonly domain: string
  readonly tenant?: string | undefined
  /** Only in V1 names, up to Pulsar 3.0. */
  readonly cluster?: string | undefined
  readonly namespace: string
  readonly localName: string
}

/**
 * The name of a topic, as a release of Pulsar reads it.
 *
 * ```
 * const name = TopicName.get('orders-partition-3')
 * name.toString() // → 'persistent://public/default/orders-partition-3'
 * name.partitionIndex // → 3
 * ```
 */
export class TopicName {
  readonly version: PulsarVersion
  readonly #fields: TopicNameFields

  private constructor(fields: TopicNameFields, version: PulsarVersion) {
    this.#fields = fields
    this.version = version
  }

  /**
   * Reads a full name (`persistent://tenant/namespace/topic`) or a short one (`topic`, `tenant/namespace/topic`).
   *
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_TOPIC_NAME, ERR_PLACEMENT_UNKNOWN_VERSION
   */
  static get(name: string, options?: PulsarVersionOption): TopicName {
    const version = pulsarVersion(options)
    return new TopicName(parseTopicName(checkString(name, 'topic name'), version), version)
  }

  /** Whether {@link TopicName.get} takes the name. Errors: ERR_PLACEMENT_UNKNOWN_VERSION. */
  static isValid(name: string, options?: PulsarVersionOption): boolean {
    const version = pulsarVersion(options)
    try {
      TopicName.get(name, { version })
      return true
    } catch {
      return false
    }
  }

  /**
   * The name of these parts: joined, then read as {@link TopicName.get} reads them.
   *
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_TOPIC_NAME, ERR_PLACEMENT_UNKNOWN_VERSION; ERR_PLACEMENT_NAMESPACE
   * for a `tenant/namespace` that is none
   */
  static fromParts(parts: TopicNameParts, options?: PulsarVersionOption): TopicName {
    const { domain, tenant, cluster, namespace, localName } = parts
    const inner =
      tenant === undefined ? [NamespaceName.get(namespace, options).toString()] : [tenant, cluster, namespace]
    const texts = [...inner.filter((part) => part !== undefined), localName].map((part) =>
      checkString(part, 'part of a topic name'),
    )
    return TopicName.get(`${checkString(domain, 'domain')}://${texts.join('/')}`, options)
  }

  /**
   * The full text of a short or full name, as the original's method of that name (since 4.2): without the rules of the
   * domains of 5.0, and refused in other words than {@link TopicName.get}.
   *
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_TOPIC_NAME, ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED
   */
  static toFullTopicName(name: string, options?: PulsarVersionOption): string {
    const version = supported('toFullTopicName', '4.2', options)
    return fullTopicName(checkString(name, 'topic name'), version)
  }

  /**
   * The topic's name that a managed ledger's name stands for (since 3.0); it is not read, and so may be refused later.
   *
   * @param name as {@link TopicName.persistenceNamingEncoding} gives it
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_TOPIC_NAME, ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED
   */
  static fromPersistenceName(name: string, options?: PulsarVersionOption): string {
    const version = supported('fromPersistenceNamingEncoding', '3.0', options)
    if (checkString(name, 'managed ledger name') === '') return ''
    const parts = name.split('/')
    if (parts.length === 4) return fromLedgerParts(parts)
    if (parts.length === 5) return fromFiveLedgerParts(parts, version)
    throw refused(name, version, {
      expected: '<tenant>/<namespace>/<domain>/<encoded local name>',
      javaMessage: `Invalid managedLedger name: ${name}`,
    })
  }

  /**
   * The partition that a name says it is, of whatever form; -1 for none. `t-partition-01` and `t-partition--1` are none.
   *
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE
   */
  static partitionIndex(name: string): number {
    return partitionIndexOf(checkString(name, 'topic name'))
  }

  get domain(): TopicDomain {
    return this.#fields.domain
  }

  get tenant(): string {
    return this.#fields.tenant
  }

  /** `tenant/namespace`; of a V1 name `tenant/cluster/namespace`. */
  get namespace(): string {
    return this.#inner.join('/')
  }

  /** The cluster of a V1 name, which Pulsar knows up to 3.0; else `null`. */
  get cluster(): string | null {
    return this.#fields.cluster
  }

  get localName(): string {
    return this.#fields.localName
  }

  /** The local name as one segment of a path. */
  get encodedLocalName(): string {
    return encodeName(this.#fields.localName)
  }

  /** Start and end of the hash range and the number of a segment (5.0), `0000-7fff-3`; `null` for what is no segment. */
  get segmentDescriptor(): string | null {
    return this.#fields.segment
  }

  /** The partition that the local name says it is; -1 for none. */
  get partitionIndex(): number {
    return partitionIndexOf(this.#fields.localName)
  }

  get isPartitioned(): boolean {
    return this.partitionIndex !== -1
  }

  /** The full name without the partition's suffix. It is not read: of `-partition-0` alone it is no topic's name. */
  get partitionedTopicName(): string {
    const { complete } = this.#fields
    return this.isPartitioned ? complete.slice(0, complete.lastIndexOf(PARTITION_SUFFIX)) : complete
  }

  /** Whether messages are stored; true of all domains but `non-persistent`. */
  get isPersistent(): boolean {
    return this.#fields.domain !== 'non-persistent'
  }

  /** The path by which brokers look the topic up: `persistent/tenant/namespace/topic`. */
  get lookupName(): string {
    return [this.domain, ...this.#inner, this.encodedLocalName].join('/')
  }

  /** The topic's path in the admin API; the same text as {@link TopicName.lookupName}. */
  get restPath(): string {
    return this.lookupName
  }

  /** The name of the topic's managed ledger. */
  get persistenceNamingEncoding(): string {
    const { domain, segment } = this.#fields
    const encoded = [...this.#inner, ...(domain === 'topic' ? [] : [domain]), this.encodedLocalName]
    return [...encoded, ...(segment === null ? [] : [segment])].join('/')
  }

  /**
   * The name under which the topic's schemas are kept: the same for all its partitions, without the domain and the cluster.
   *
   * @throws ERR_PLACEMENT_TOPIC_NAME where the name without the partition's suffix is none
   */
  get schemaName(): string {
    const { encodedLocalName } = TopicName.get(this.partitionedTopicName, this)
    return `${this.tenant}/${this.#fields.namespacePortion}/${encodedLocalName}`
  }

  /**
   * The name of a partition of this topic; -1 gives the topic itself. So does the index that the name ends with already, and
   * in 2.10 any index where `-partition-` stands anywhere in the full name.
   *
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE; ERR_PLACEMENT_TOPIC_NAME for a segment
   */
  partition(index: number): TopicName {
    checkInteger(index, 'partition index', [-0x80000000, 0x7fffffff])
    const suffix = `${PARTITION_SUFFIX}${index}`
    const { complete } = this.#fields
    const has = isSince(this.version, '3.0') ? complete.endsWith(suffix) : complete.includes(PARTITION_SUFFIX)
    return index === -1 || has ? this : TopicName.get(complete + suffix, this)
  }

  /**
   * Checks what Pulsar 5.0 refuses in new topics alone: blanks and control characters at the end.
   *
   * @throws ERR_PLACEMENT_TOPIC_NAME, ERR_PLACEMENT_UNSUPPORTED before 5.0
   */
  checkForCreation(): void {
    supported('validateTopicNameForCreation', '5.0', this)
    const { complete } = this.#fields
    // `String.trim`: all up to U+0020. The domain stands in front, so only the end can be trimmed.
    if (complete.charCodeAt(complete.length - 1) > 0x20) return
    const javaMessage = `Invalid topic name: '${complete}'. Topic name must not have leading or trailing whitespace.`
    throw refused(complete, this.version, { expected: 'no blank at the end', javaMessage })
  }

  /** The full name, which is what Pulsar hashes. */
  toString(): string {
    return this.#fields.complete
  }

  /** Tenant, cluster if any, and namespace. */
  get #inner(): string[] {
    const { tenant, cluster, namespacePortion } = this.#fields
    return cluster === null ? [tenant, namespacePortion] : [tenant, cluster, namespacePortion]
  }
}

/** `TopicName.getPartitionIndex`: the digits after the last suffix, written as Java would write the number. */
function partitionIndexOf(name: string): number {
  const at = name.lastIndexOf(PARTITION_SUFFIX)
  if (at < 0) return -1
  const digits = name.slice(at + PARTITION_SUFFIX.length)
  if (digits.length > 10) return -1
  const index = Number(parseDigits(digits, 10, INT_MAX) ?? -1n)
  return String(index).length === digits.length ? index : -1
}

function fromLedgerParts(parts: readonly string[]): string {
  const [tenant, namespace, domain, local] = parts as [string, string, string, string]
  return `${domain}://${tenant}/${namespace}/${decodeName(local)}`
}

/** A cluster in the second place, which 4.2 drops; since 5.0 also a segment. */
function fromFiveLedgerParts(parts: readonly string[], version: PulsarVersion): string {
  const [tenant, second, third, fourth, fifth] = parts as [string, string, string, string, string]
  if (isSince(version, '5.0') && third === 'segment')
    return `${fromLedgerParts([tenant, second, third, fourth])}/${fifth}`
  const cluster = isSince(version, '4.2') ? '' : `${second}/`
  return `${fourth}://${tenant}/${cluster}${third}/${decodeName(fifth)}`
}

function checkString(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  const java = value === null ? { javaClass: 'java.lang.NullPointerException', javaMessage: null } : {}
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${what}: expected a string, got ${shown(value)}`, java)
}

/** The release asked, if it has the method. */
function supported(method: string, first: PulsarVersion, options?: PulsarVersionOption): PulsarVersion {
  const version = pulsarVersion(options)
  if (isSince(version, first)) return version
  const message = `TopicName.${method}: expected Pulsar ${first} or newer, which have it, got ${version}`
  throw codedError('ERR_PLACEMENT_UNSUPPORTED', message, { javaClass: 'java.lang.UnsupportedOperationException' })
}
