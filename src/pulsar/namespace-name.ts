/**
 * Names of Pulsar namespaces, `tenant/namespace`, read and refused as each release does.
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.common.naming.NamespaceName and NamedEntity.
 * What differs from the obvious: slashes at the end are dropped before the parts are counted and yet stay in the name
 * (`a/b/` is tenant `a`, namespace `b`, and prints `a/b/`); up to 3.0 three parts are `tenant/cluster/namespace`.
 */
import { type CodedError, codedError, shown } from '../errors.js'
import type { PulsarVersion } from '../types.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** The parts of a namespace's name; a cluster makes it a V1 name, which Pulsar knows up to 3.0. */
export interface NamespaceNameParts {
  readonly tenant: string
  readonly cluster?: string | undefined
  readonly localName: string
}

/** Why Java refuses a name: what was expected, in our words, and Java's own text. */
export interface NameFault {
  readonly expected: string
  readonly javaMessage: string
}

/** ASCII, as Java's `\w`. */
const NAMED_ENTITY = /^[-=:.\w]*$/

/** What is wrong with the parts of a namespace's name, as `NamespaceName.validateNamespaceName`; `null` if nothing is. */
export function namespaceFault(parts: readonly (string | null)[]): NameFault | null {
  if (parts.some((part) => part === null || part === '')) {
    return {
      expected: 'no empty part',
      javaMessage: `Invalid namespace format. namespace: ${parts.map(String).join('/')}`,
    }
  }
  const refused = parts.find((part) => !NAMED_ENTITY.test(part!))
  if (refused === undefined) return null
  const expected = 'tenant and namespace of letters, digits, _, -, =, : and . alone'
  return { expected, javaMessage: `Invalid named entity: ${refused}` }
}

/**
 * The name of a namespace, as a release of Pulsar reads it.
 *
 * ```
 * NamespaceName.get('public/default').tenant // → 'public'
 * ```
 */
export class NamespaceName {
  readonly tenant: string
  /** The cluster of a V1 name, which Pulsar knows up to 3.0; else `null`. */
  readonly cluster: string | null
  readonly localName: string
  readonly version: PulsarVersion
  readonly #text: string

  private constructor(text: string, parts: readonly string[], version: PulsarVersion) {
    this.#text = text
    this.tenant = parts[0]!
    this.cluster = parts.length === 3 ? parts[1]! : null
    this.localName = parts[parts.length - 1]!
    this.version = version
  }

  /**
   * Reads `tenant/namespace`, up to 3.0 also `tenant/cluster/namespace`.
   *
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_NAMESPACE, ERR_PLACEMENT_UNKNOWN_VERSION
   */
  static get(namespace: string, options?: PulsarVersionOption): NamespaceName {
    const version = pulsarVersion(options)
    if (typeof namespace !== 'string') throw notString(namespace)
    if (namespace === '') throw refused('', version, nullNamespace(namespace))
    const parts = javaSplit(namespace)
    if (!isForm(parts, version)) throw refused(namespace, version, formFault(namespace, version))
    return new NamespaceName(namespace, parts, version)
  }

  /**
   * The name of these parts.
   *
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_NAMESPACE, ERR_PLACEMENT_UNKNOWN_VERSION; ERR_PLACEMENT_UNSUPPORTED
   * for a cluster since 4.2
   */
  static fromParts(parts: NamespaceNameParts, options?: PulsarVersionOption): NamespaceName {
    const version = pulsarVersion(options)
    const { tenant, cluster, localName } = parts
    const list = cluster === undefined ? [tenant, localName] : [tenant, cluster, localName]
    const fault = namespaceFault(list.map((part) => part ?? null))
    if (list.some((part) => typeof part !== 'string')) throw partType(list, fault)
    if (cluster !== undefined && isSince(version, '4.2')) throw noCluster(version)
    const text = list.join('/')
    if (fault !== null) throw refused(text, version, fault)
    return new NamespaceName(text, list, version)
  }

  toString(): string {
    return this.#text
  }
}

/** `String.split("/")`: empty parts at the end are dropped. */
function javaSplit(text: string): string[] {
  const parts = text.split('/')
  while (parts.length > 0 && parts[parts.length - 1] === '') parts.pop()
  return parts
}

function isForm(parts: readonly string[], version: PulsarVersion): boolean {
  const most = isSince(version, '4.2') ? 2 : 3
  return parts.length >= 2 && parts.length <= most && namespaceFault(parts) === null
}

function formFault(namespace: string, version: PulsarVersion): NameFault {
  const form = isSince(version, '4.2')
    ? '<tenant>/<namespace>'
    : '<tenant>/<namespace> or <tenant>/<cluster>/<namespace>'
  const expected = `${form} of letters, digits, _, -, =, : and .`
  return { expected, javaMessage: `Invalid namespace format. expected ${form} but got: ${namespace}` }
}

function nullNamespace(namespace: string): NameFault {
  return { expected: 'a name', javaMessage: `Invalid null namespace: ${namespace}` }
}

const JAVA_CLASS = 'java.lang.IllegalArgumentException'

function refused(text: string, version: PulsarVersion, { expected, javaMessage }: NameFault): CodedError {
  const message = `namespace: expected ${expected}, got ${shown(text)}; Pulsar ${version} says: ${javaMessage}`
  return codedError('ERR_PLACEMENT_NAMESPACE', message, { javaClass: JAVA_CLASS, javaMessage })
}

function notString(namespace: unknown): CodedError {
  const java = namespace === null ? { javaClass: JAVA_CLASS, javaMessage: 'Invalid null namespace: null' } : {}
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `namespace: expected a string, got ${shown(namespace)}`, java)
}

function partType(list: readonly unknown[], fault: NameFault | null): CodedError {
  const java = list.includes(null) ? { javaClass: JAVA_CLASS, javaMessage: fault?.javaMessage ?? null } : {}
  const got = list.map(shown).join(', ')
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `parts of a namespace: expected strings, got ${got}`, java)
}

function noCluster(version: PulsarVersion): CodedError {
  const message = `cluster: expected none, since Pulsar 4.2 has no V1 names (asked as Pulsar ${version})`
  return codedError('ERR_PLACEMENT_UNSUPPORTED', message, { javaClass: 'java.lang.UnsupportedOperationException' })
}
