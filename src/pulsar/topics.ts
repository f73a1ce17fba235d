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
import { atOnce, inTurns, type Parts } from '../turns.js'
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
  checkTopics(topics)
  const set = TopicSet.from(topics)
  checkNamesApart(set, out)
  const names = set.canonical(version)
  if (namespace !== null) atOnce(namespaceChecked(names, namespace, version))
  return names
}

/** What {@link canonicalTopicsAsync} takes beside the topics. */
export interface AsyncTopics extends TopicsOf {
  readonly out?: Uint32Array | undefined
  readonly signal?: AbortSignal | undefined
}

/** The same off the event loop, or in turns of it. Rejects with the signal's reason too. */
export async function canonicalTopicsAsync(topics: Keys, asked: AsyncTopics): Promise<TopicSet> {
  const { namespace, version, out, signal } = asked
  checkTopics(topics)
  const set = await TopicSet.fromAsync(topics, signal)
  checkNamesApart(set, out)
  const names = await set.canonicalAsync(version, signal)
  if (namespace !== null) await inTurns(namespaceChecked(names, namespace, version), signal)
  return names
}

function checkTopics(topics: Keys): void {
  if (isKeys(topics)) return
  const message = `topics: expected a name, an array, a column or a TopicSet of names, got ${shown(topics)}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
}

/** The canonical names lie elsewhere: an answer over the names given would otherwise pass unseen. */
function checkNamesApart(set: TopicSet, out: Uint32Array | undefined): void {
  if (out instanceof Uint32Array) for (const chunk of set.chunks) checkApart(out, chunk)
}

/** Names between two turns of the event loop: a few milliseconds. */
const PART = 1 << 17

function* namespaceChecked(set: TopicSet, namespace: string, version: PulsarVersion): Parts<void> {
  const prefix = new TextEncoder().encode(`${namespace}/`)
  // Up to 3.0 `a/b/c` in front of a local name is a namespace of its own; since 5.0 a local name may hold slashes.
  const isPair = !isSince(version, '4.2') && namespace.split('/').length === 2
  let first = 0
  for (const chunk of set.chunks) {
    for (let from = 0; from < chunk.length; from += PART) {
      const length = Math.min(PART, chunk.length - from)
      const part = { values: chunk.values, offsets: chunk.offsets.subarray(from, from + length + 1), length }
      const index = first + firstForeign(part, prefix, isPair)
      if (index >= first) throw foreign(`topics[${index}]`, set.at(index), namespace, index)
      first += length
      yield
    }
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
