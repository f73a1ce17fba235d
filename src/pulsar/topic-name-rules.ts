/**
 * How each release of Pulsar takes a topic name apart, and in which words it refuses one.
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.common.naming.TopicName and TopicDomain. The bulk
 * twins of these rules are src/fallback/pulsar/topic-name.ts and native/core/src/pulsar/topic_name.rs.
 * Two sets of rules: up to 3.0 the name is rebuilt from its parts (an upper-case domain is lowered) and four parts are a V1
 * name; since 4.2 (PIP-457) the given text is kept, empty parts and blank local names are refused, and V1 is gone.
 * Since 5.0 there are two more domains, whose local names may hold slashes.
 */
import { type CodedError, codedError, shown } from '../errors.js'
import { equalsIgnoreCase, isBlank } from '../fallback/pulsar/java-text.js'
import { canonicalDescriptor } from '../fallback/pulsar/segment.js'
import type { PulsarVersion } from '../types.js'
import { namespaceFault } from './namespace-name.js'
import { isSince } from './version.js'

/** The domains of topics; `topic` (a scalable one) and `segment` (a part of one) since 5.0. */
export type TopicDomain = 'persistent' | 'non-persistent' | 'topic' | 'segment'

/** A topic name taken apart. */
export interface TopicNameFields {
  /** The whole name, as hashed and printed. */
  readonly complete: string
  readonly domain: TopicDomain
  readonly tenant: string
  /** The cluster of a V1 name; else `null`. */
  readonly cluster: string | null
  readonly namespacePortion: string
  readonly localName: string
  /** What follows the parent's name in a segment's; else `null`. */
  readonly segment: string | null
}

const SCHEME = '://'
const SHORT_FORM = '<tenant>/<namespace>/<topic> or <topic>'
const FULL_FORM = '<domain>://<tenant>/<namespace>/<topic>'

/** Takes a name apart as that release does. Errors: ERR_PLACEMENT_TOPIC_NAME. */
export function parseTopicName(name: string, version: PulsarVersion): TopicNameFields {
  return isSince(version, '4.2') ? parseKept(name, version) : parseRebuilt(name, version)
}

/**
 * The full text of a name, as `TopicName.toFullTopicName` (since 4.2): like the rules above, in other words, and without the
 * rules of the domains of 5.0.
 *
 * Errors: ERR_PLACEMENT_TOPIC_NAME.
 */
export function fullTopicName(name: string, version: PulsarVersion): string {
  const colon = name.indexOf(SCHEME)
  if (colon >= 0) domainOf(name, colon, version)
  const parts =
    colon >= 0 ? splitFull(name, colon + SCHEME.length, version) : splitBySlash(name, Number.POSITIVE_INFINITY, version)
  const form = colon >= 0 ? ". Expected format: '<domain>://tenant/namespace/topic'" : ''
  if (parts.length !== 3 && (colon >= 0 || parts.length !== 1)) {
    throw refused(name, version, {
      expected: colon >= 0 ? FULL_FORM : SHORT_FORM,
      javaMessage: `${name} is invalid${form}`,
    })
  }
  const fault = parts.length === 3 ? namespaceFault(parts.slice(0, 2)) : null
  if (fault !== null) throw refused(name, version, fault)
  if (isBlank(parts[parts.length - 1]!)) {
    throw refused(name, version, { expected: 'a local name', javaMessage: `${name} has blank local topic` })
  }
  if (colon >= 0) return name
  return parts.length === 1 ? `persistent://public/default/${name}` : `persistent://${name}`
}

/** Since 4.2. */
function parseKept(name: string, version: PulsarVersion): TopicNameFields {
  const colon = name.indexOf(SCHEME)
  const fields = colon < 0 ? parseShort(name, version) : parseFull(name, colon, version)
  if (isBlank(fields.localName)) {
    const javaMessage = `Invalid topic name: ${name}. Topic local name must not be blank.`
    throw refused(name, version, { expected: 'a local name', javaMessage })
  }
  return withNamespace(fields, name, version)
}

function withNamespace(fields: TopicNameFields, name: string, version: PulsarVersion): TopicNameFields {
  const { tenant, cluster, namespacePortion } = fields
  const fault = namespaceFault(cluster === null ? [tenant, namespacePortion] : [tenant, cluster, namespacePortion])
  if (fault !== null) throw refused(name, version, fault)
  return fields
}

function parseShort(name: string, version: PulsarVersion): TopicNameFields {
  const parts = splitBySlash(name, Number.POSITIVE_INFINITY, version)
  if (parts.length !== 1 && parts.length !== 3) throw refused(name, version, shortFault(name))
  const [tenant, namespacePortion, localName] = parts.length === 3 ? parts : ['public', 'default', name]
  return persistentFields(tenant!, namespacePortion!, localName!)
}

function persistentFields(tenant: string, namespacePortion: string, localName: string): TopicNameFields {
  const complete = `persistent://${tenant}/${namespacePortion}/${localName}`
  return { complete, domain: 'persistent', tenant, cluster: null, namespacePortion, localName, segment: null }
}

/** 4.2 counts the parts before it looks at the domain, 5.0 after: they refuse the same names, in other words. */
function parseFull(name: string, colon: number, version: PulsarVersion): TopicNameFields {
  const given = isSince(version, '5.0') ? domainOf(name, colon, version) : null
  const rest = name.slice(colon + SCHEME.length)
  const hasSlashes = given === 'topic' || given === 'segment'
  const parts = hasSlashes ? splitBySlash(rest, 3, version) : splitFull(name, colon + SCHEME.length, version)
  if (parts.length !== 3)
    throw refused(name, version, { expected: FULL_FORM, javaMessage: `Invalid topic name ${name}` })
  const domain = given ?? domainOf(name, colon, version)
  const [tenant, namespacePortion, localName] = parts as [string, string, string]
  const fields = { complete: name, domain, tenant, cluster: null, namespacePortion, localName, segment: null }
  return domain === 'segment' ? segmentFields(fields, version) : fields
}

/** Cuts `<parent>/<descriptor>` apart, and writes the descriptor as the original prints it. */
function segmentFields(fields: TopicNameFields, version: PulsarVersion): TopicNameFields {
  const { complete, tenant, namespacePortion, localName } = fields
  const slash = localName.lastIndexOf('/')
  if (slash <= 0) {
    const form = '<parent-topic>/<hashStart>-<hashEnd>-<segmentId>'
    const javaMessage = `Invalid segment topic name: local name must contain '${form}'. Got: ${complete}`
    throw refused(complete, version, { expected: `segment://<tenant>/<namespace>/${form}`, javaMessage })
  }
  const segment = canonicalDescriptor(localName.slice(slash + 1))
  if (typeof segment !== 'string') {
    throw refused(complete, version, { expected: '<hexStart>-<hexEnd>-<segmentId> at the end', ...segment })
  }
  const parent = localName.slice(0, slash)
  return {
    ...fields,
    localName: parent,
    segment,
    complete: `segment://${tenant}/${namespacePortion}/${parent}/${segment}`,
  }
}

/** The parts after the domain of a name that may not hold a cluster. */
function splitFull(name: string, from: number, version: PulsarVersion): string[] {
  const parts = splitBySlash(name.slice(from), 4, version)
  if (parts.length !== 4) return parts
  const javaMessage = `V1 topic names (with cluster component) are no longer supported. Please use the V2 format: '<domain>://tenant/namespace/topic'. Got: ${name}`
  throw refused(name, version, { expected: `${FULL_FORM} (V1 names, with a cluster, up to Pulsar 3.0)`, javaMessage })
}

/** At most `limit` parts, none empty but the last: the last one of fewer than `limit`, as the original has it. */
function splitBySlash(text: string, limit: number, version: PulsarVersion): string[] {
  const parts: string[] = []
  let from = 0
  while (parts.length < limit - 1) {
    const slash = text.indexOf('/', from)
    if (slash < 0) return [...parts, text.slice(from)]
    if (slash === from) throw emptyPart(text, version)
    parts.push(text.slice(from, slash))
    from = slash + 1
  }
  if (from >= text.length) throw emptyPart(text, version)
  return [...parts, text.slice(from)]
}

function emptyPart(text: string, version: PulsarVersion): CodedError {
  return refused(text, version, { expected: 'no empty part', javaMessage: `Invalid topic name ${text}` })
}

/** Up to 3.0: the name is written out in full first, and then taken apart; the local name is looked at last. */
function parseRebuilt(name: string, version: PulsarVersion): TopicNameFields {
  const full = name.includes(SCHEME) ? name : writtenOut(name, version)
  const fields = withNamespace(rebuiltFields(full, name, version), name, version)
  if (fields.localName === '') throw refused(name, version, rebuiltFault(full))
  return fields
}

function rebuiltFields(full: string, name: string, version: PulsarVersion): TopicNameFields {
  const colon = full.indexOf(SCHEME)
  const domain = domainOf(full, colon, version)
  const rest = full.slice(colon + SCHEME.length)
  const parts = rest.split('/')
  if (parts.length < 3) throw refused(name, version, rebuiltFault(full))
  const isV2 = parts.length === 3
  return {
    complete: `${domain}://${rest}`,
    domain,
    tenant: parts[0]!,
    cluster: isV2 ? null : parts[1]!,
    namespacePortion: isV2 ? parts[1]! : parts[2]!,
    localName: isV2 ? parts[2]! : parts.slice(3).join('/'),
    segment: null,
  }
}

/** Empty parts do not count here, and yet stay in the text of a name of three. */
function writtenOut(name: string, version: PulsarVersion): string {
  const parts = name.split('/').filter((part) => part !== '')
  if (parts.length === 3) return `persistent://${name}`
  if (parts.length === 1) return `persistent://public/default/${parts[0]}`
  throw refused(name, version, shortFault(name))
}

function domainOf(name: string, colon: number, version: PulsarVersion): TopicDomain {
  const text = name.slice(0, colon)
  const domains: TopicDomain[] = ['persistent', 'non-persistent']
  if (isSince(version, '5.0')) domains.push('topic', 'segment')
  const domain = domains.find((word) => equalsIgnoreCase(text, word))
  if (domain !== undefined) return domain
  throw refused(name, version, {
    expected: `a domain of ${domains.join(', ')}`,
    javaMessage: `Invalid topic domain: '${text}'`,
  })
}

/** What Java says of a name, and under which class; IllegalArgumentException where none is named. */
export interface TopicNameFault {
  readonly expected: string
  readonly javaMessage: string
  readonly javaClass?: string
}

function shortFault(name: string): TopicNameFault {
  const javaMessage = `Invalid short topic name '${name}', it should be in the format of ${SHORT_FORM}`
  return { expected: SHORT_FORM, javaMessage }
}

function rebuiltFault(full: string): TopicNameFault {
  return { expected: FULL_FORM, javaMessage: `Invalid topic name: ${full}` }
}

/** The error of a name that Java refuses. */
export function refused(name: string, version: PulsarVersion, fault: TopicNameFault): CodedError {
  const { expected, javaMessage, javaClass = 'java.lang.IllegalArgumentException' } = fault
  const message = `topic name: expected ${expected}, got ${shown(name)}; Pulsar ${version} says: ${quoted(javaMessage)}`
  return codedError('ERR_PLACEMENT_TOPIC_NAME', message, { javaClass, javaMessage })
}

/** Java's text holds the whole name; ours is read by people, and the whole text stands in `javaMessage`. */
function quoted(javaMessage: string): string {
  return javaMessage.length > 300 ? `${javaMessage.slice(0, 297)}...` : javaMessage
}
