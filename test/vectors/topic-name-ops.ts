/** The ops of the topic-name family, put to the public API. All are TypeScript only. */
import { deadLetterTopics } from '../../src/pulsar/dead-letter.js'
import { NamespaceName } from '../../src/pulsar/namespace-name.js'
import { TopicName } from '../../src/pulsar/topic-name.js'
import type { PulsarVersion } from '../../src/types.js'
import { answersOf, type Ops } from './answer.js'

interface Names {
  readonly names: readonly string[]
  readonly partitions?: readonly number[]
}

interface Parts {
  readonly parts: readonly (readonly string[])[]
  readonly partitions?: readonly number[]
}

interface DeadLetters {
  readonly topics: readonly string[]
  readonly subscription: string
  readonly retryLetterTopic?: string
  readonly deadLetterTopic?: string
  readonly existing?: readonly string[]
}

export const TOPIC_NAME_OPS = {
  'topic-name': ({ names, partitions }: Names, version: PulsarVersion) =>
    answersOf(names, (name) => gettersOf(TopicName.get(name, { version }), partitions)),
  'topic-name-of': ({ parts, partitions }: Parts, version: PulsarVersion) =>
    answersOf(parts, (some) => gettersOf(topicNameOf(some, version), partitions)),
  'topic-name-valid': ({ names }: Names, version: PulsarVersion) =>
    answersOf(names, (name) => TopicName.isValid(name, { version })),
  'topic-name-full': ({ names }: Names, version: PulsarVersion) =>
    answersOf(names, (name) => TopicName.toFullTopicName(name, { version })),
  'topic-name-creation': ({ names }: Names, version: PulsarVersion) =>
    answersOf(names, (name) => TopicName.get(name, { version }).checkForCreation() ?? null),
  'partition-index': ({ names }: Names) => answersOf(names, (name) => TopicName.partitionIndex(name)),
  'from-persistence-name': ({ names }: Names, version: PulsarVersion) =>
    answersOf(names, (name) => TopicName.fromPersistenceName(name, { version })),
  'namespace-name': ({ names }: Names, version: PulsarVersion) =>
    answersOf(names, (name) => namespaceGetters(NamespaceName.get(name, { version }))),
  'namespace-name-of': ({ parts }: Parts, version: PulsarVersion) =>
    answersOf(parts, ([tenant, localName]) =>
      namespaceGetters(NamespaceName.fromParts({ tenant: tenant!, localName: localName! }, { version })),
    ),
  'dead-letter-names': deadLetterNames,
} satisfies Ops

function topicNameOf(parts: readonly string[], version: PulsarVersion): TopicName {
  const [domain, ...rest] = parts as [string, ...string[]]
  const localName = rest[rest.length - 1]!
  if (parts.length === 3) return TopicName.fromParts({ domain, namespace: rest[0]!, localName }, { version })
  return TopicName.fromParts({ domain, tenant: rest[0]!, namespace: rest[1]!, localName }, { version })
}

function gettersOf(name: TopicName, partitions: readonly number[] | undefined): unknown {
  return {
    name: name.toString(),
    domain: name.domain,
    tenant: name.tenant,
    namespace: name.namespace,
    localName: name.localName,
    encodedLocalName: name.encodedLocalName,
    partitionIndex: name.partitionIndex,
    partitioned: name.isPartitioned,
    partitionedTopicName: name.partitionedTopicName,
    persistent: name.isPersistent,
    lookupName: name.lookupName,
    restPath: name.restPath,
    persistenceName: name.persistenceNamingEncoding,
    schemaName: name.schemaName,
    ...(name.cluster === null ? {} : { cluster: name.cluster }),
    ...(name.segmentDescriptor === null ? {} : { segment: name.segmentDescriptor }),
    ...(partitions === undefined ? {} : { partitions: answersOf(partitions, (i) => name.partition(i).toString()) }),
  }
}

function namespaceGetters(name: NamespaceName): unknown {
  const { tenant, localName, cluster } = name
  return { name: name.toString(), tenant, localName, ...(cluster === null ? {} : { cluster }) }
}

/**
 * The oracle's cluster knows a topic by the very text it is asked for, ours by any form of its name: it is told only of
 * those that are asked for.
 */
function deadLetterNames({ existing = [], ...question }: DeadLetters, version: PulsarVersion): unknown {
  const { asked } = deadLetterTopics(question, { version })
  return deadLetterTopics({ ...question, existing: asked.filter((name) => existing.includes(name)) }, { version })
}
