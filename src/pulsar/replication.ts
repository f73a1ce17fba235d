/**
 * To which clusters a message is replicated, and which replicators a topic runs.
 *
 * Source: Apache Pulsar 4.2.4, 5.0.1, org.apache.pulsar.broker.service.persistent.GeoPersistentReplicator.replicateEntries
 * and PersistentTopic.checkReplication.
 * What differs from the obvious: expiry looks at the publish time, even where the broker wrote its own; of transactions' markers the commit and the abort are not sent; one cluster alone starts no
 * replicator, even if it is another one; a local cluster that is nowhere allowed deletes the topic.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import { isExpired } from './expiry.js'
import { flowVersion, type PulsarVersionOption } from './version.js'

/** What a replicator looks at in a message. */
export interface ReplicatedMessage {
  /** Milliseconds; a replicator does not read the broker's own time. */
  readonly publishTime: number
  /** The cluster that it came from. */
  readonly replicatedFrom?: string | undefined
  /** The clusters that its producer chose; empty for all. */
  readonly replicateTo?: readonly string[] | undefined
  /** Type of a marker: 10 to 13 of replicated subscriptions, 20 to 23 of transactions. */
  readonly marker?: number | undefined
}

/** Why a message is not sent to a cluster. */
export type NotReplicated = 'transaction marker' | 'came by replication' | 'not chosen by its producer' | 'expired'

/** A message's way. */
export interface ReplicationTarget {
  readonly cluster: string
  readonly isSent: boolean
  /** `null` where it is sent. */
  readonly reason: NotReplicated | null
}

/** Where and when. */
export interface ReplicationOptions extends PulsarVersionOption {
  /** Clusters with a replicator. */
  readonly clusters: readonly string[]
  /** Milliseconds; for the time to live. Default: 0. */
  readonly now?: number | undefined
  /** Seconds; 0 for none. Default: 0. */
  readonly messageTtlSeconds?: number | undefined
}

/** What a topic's replicators are chosen by. */
export interface ReplicatorQuestion extends PulsarVersionOption {
  /** The broker's own cluster. */
  readonly local: string
  /** The namespace's replication clusters. */
  readonly clusters: readonly string[]
  /** The topic's own, in their place. */
  readonly topicClusters?: readonly string[] | undefined
  /** The namespace's allowed clusters. Default: none. */
  readonly allowedClusters?: readonly string[] | undefined
  /** Clusters whose replicators run. Default: none. */
  readonly running?: readonly string[] | undefined
}

export interface Replicators {
  /** In the order of the clusters; one that is listed twice is started twice, and the second start finds the first. */
  readonly started: readonly string[]
  /** Sorted. */
  readonly removed: readonly string[]
  readonly topicDeleted: boolean
}

/** Types of the transactions' markers that stay at home. */
const COMMIT_AND_ABORT = [21, 22]

/**
 * To which clusters a message goes.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED
 * @example
 * pulsar.replicationTargets({ publishTime: 0, replicateTo: ['eu'] }, { clusters: ['eu', 'us'] }).map((t) => t.isSent) // [true, false]
 */
export function replicationTargets(message: ReplicatedMessage, options: ReplicationOptions): ReplicationTarget[] {
  const { clusters, now = 0, messageTtlSeconds = 0, ...version } = options
  flowVersion(version, 'replication')
  checkNames(clusters, 'clusters')
  if (message.replicateTo !== undefined) checkNames(message.replicateTo, 'replicateTo')
  if (message.marker !== undefined) checkInteger(message.marker, 'marker', [0, 2 ** 31 - 1])
  const expired = isExpired({ publishTime: message.publishTime }, { messageTtlSeconds, now })
  return clusters.map((cluster) => {
    const reason = reasonAgainst(message, cluster, expired)
    return { cluster, isSent: reason === null, reason }
  })
}

function reasonAgainst(message: ReplicatedMessage, cluster: string, expired: boolean): NotReplicated | null {
  const { marker, replicatedFrom, replicateTo = [] } = message
  if (marker !== undefined && COMMIT_AND_ABORT.includes(marker)) return 'transaction marker'
  if (replicatedFrom !== undefined) return 'came by replication'
  if (replicateTo.length > 0 && !replicateTo.includes(cluster)) return 'not chosen by its producer'
  return expired ? 'expired' : null
}

/**
 * Which replicators a topic starts and stops.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED
 */
export function replicators(question: ReplicatorQuestion): Replicators {
  flowVersion(question, 'replication')
  const { local, clusters, topicClusters, allowedClusters = [], running = [] } = question
  checkNames([local], 'local')
  for (const [name, value] of Object.entries({
    clusters,
    allowedClusters,
    running,
    topicClusters: topicClusters ?? [],
  })) {
    checkNames(value, name)
  }
  const wanted = topicClusters ?? clusters
  if (wanted.length === 0) return NOTHING
  if (!wanted.includes(local) && !allowedClusters.includes(local)) return { ...NOTHING, topicDeleted: true }
  if (wanted.length === 1 && running.length === 0) return NOTHING
  const started = wanted.filter((cluster) => cluster !== local && !running.includes(cluster))
  const removed = running.filter((cluster) => cluster !== local && !wanted.includes(cluster)).sort()
  return { started, removed, topicDeleted: false }
}

const NOTHING: Replicators = { started: [], removed: [], topicDeleted: false }

function checkNames(names: unknown, name: string): void {
  if (!Array.isArray(names)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected a list of clusters, got ${shown(names)}`)
  }
  const wrong = names.findIndex((cluster) => typeof cluster !== 'string')
  if (wrong < 0) return
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}[${wrong}]: expected a cluster, got ${shown(names[wrong])}`)
}
