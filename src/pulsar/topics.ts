/**
 * Topics as a layout of bundles takes them: their names canonical, and all of its namespace.
 *
 * Source: Apache Pulsar 5.0.1 and back to 2.10.5, org.apache.pulsar.common.naming.NamespaceBundles.findBundle, which
 * refuses a topic of another namespace.
 */
import { checkApart, isKeys, type Keys } from '../bulk.js'
import { codedError, shown } from '../errors.js'
import { isPlain } from '../fallback/pulsar/plain-name.js'
import { TopicSet } from '../topic-set.js'
import type { Packed, PulsarVersion } from '../types.js'
import { TopicName } from './topic-name.js'
import { isSince } from './version.js'

const SLASH = 0x2f
const COLON = 0x3a

/** Whose topics, and as which release reads them. */
export interface TopicsOf {
  /** `null` takes every namespace. */
  readonly namespace: string | null
  readonly version: PulsarVersion
}

/** One name, canonical. Errors: ERR_PLACEMENT_TOPIC_NAME, ERR_PLACEMENT_NAMESPACE, ERR_PLACEMENT_ARGUMENT_TYPE. */
export function canonicalTopic(topic: string, topicsOf: TopicsOf): string {
  if (typeof topic === 'string' && isPlain(topic, topicsOf.namespace)) return topic
  const { namespace, version } = topicsOf
  const name = TopicName.get(topic, { version })
  if (namespace !== null && name.namespace !== namespace) throw foreign('topic', topic, namespace)
  return name.toString()
}

/**
 * Many names, canonical. A TopicSet keeps what is made here, so that it is made once.
 *
 * `out` is where an answer will be written, which may not be over the names.
 * Errors: ERR_PLACEMENT_OUTPUT, ERR_PLACEMENT_TOPIC_NAME and ERR_PLACEMENT_NAMESPACE, each with the index of the first name refused.
 */
export function canonicalTopics(topics: Keys, { namespace, version }: TopicsOf, out?: Uint32Array): TopicSet {
  if (!isKeys(topics)) {
    const message = `topics: expected a name, an array, a column or a TopicSet of names, got ${shown(topics)}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
  }
  const set = TopicSet.from(topics)
  // The canonical names lie elsewhere: an answer over the names given would otherwise pass unseen.
  if (out instanceof Uint32Array) for (const chunk of set.chunks) checkApart(out, chunk)
  const names = set.canonical(version)
  if (namespace !== null) checkNamespace(names, namespace, version)
  return names
}

function checkNamespace(set: TopicSet, namespace: string, version: PulsarVersion): void {
  const prefix = new TextEncoder().encode(`${namespace}/`)
  // Up to 3.0 `a/b/c` in front of a local name is a namespace of its own; since 5.0 a local name may hold slashes.
  const isPair = !isSince(version, '4.2') && namespace.split('/').length === 2
  let first = 0
  for (const chunk of set.chunks) {
    const index = firstForeign(chunk, prefix, isPair)
    if (index >= 0) throw foreign(`topics[${first + index}]`, set.at(first + index), namespace, first + index)
    first += chunk.length
  }
}

/** -1, or the index of the first name whose domain is not followed by `prefix`, and where `isPair` by no further slash. */
function firstForeign({ values, offsets, length }: Packed, prefix: Uint8Array, isPair: boolean): number {
  for (let i = 0; i < length; i++) {
    const end = offsets[i + 1]!
    let at = offsets[i]!
    while (values[at] !== COLON) at++
    at += 3
    for (let k = 0; k < prefix.length; k++, at++) if (at === end || values[at] !== prefix[k]) return i
    if (isPair) for (; at < end; at++) if (values[at] === SLASH) return i
  }
  return -1
}

function foreign(where: string, topic: string, namespace: string, index?: number): Error {
  return codedError('ERR_PLACEMENT_NAMESPACE', `${where}: expected a topic of ${namespace}, got ${shown(topic)}`, {
    ...(index === undefined ? {} : { index }),
    javaClass: 'java.lang.IllegalArgumentException',
    javaMessage: null,
  })
}
