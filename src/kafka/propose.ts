/**
 * What `kafka-reassign-partitions --generate` proposes: every topic placed anew, as if it were new.
 *
 * Source: Apache Kafka 4.4.0 and 4.0.2, org.apache.kafka.tools.reassign.ReassignPartitionsCommand.calculateAssignment. What
 * differs from the obvious: where the replicas lie now does not matter at all; a topic gets the replication factor of the
 * partition that its hash map gives first, and numbers from 0, whatever they were.
 */
import { checkObject } from '../errors.js'
import { ofString } from '../fallback/hash/java-string.js'
import type { KafkaVersion } from '../types.js'
import { partitionMap } from './java-sets.js'
import { type PlacementBroker, type Placer, placeReplicas } from './place-replicas.js'
import type { Draws } from './random-source.js'
import { checkEntryList } from './reassignment-checks.js'
import type { ReassignmentEntry } from './reassignment-json.js'
import { compareEntries } from './reassignment-json.js'
import { isSince } from './version.js'

/** What the proposal is made of, beside the present state. */
export interface ProposalOptions {
  /** In the cluster's order; all have a rack, or none. */
  readonly brokers: readonly PlacementBroker[]
  readonly version: KafkaVersion
  /** `alternating` is for the releases up to 4.0, `striped` for those since. Default: the release's own. */
  readonly placer?: Placer | undefined
  readonly random: Draws
}

/** The proposal for all topics of `current`, sorted. @throws what kafka.placeReplicas throws */
export function propose(current: readonly ReassignmentEntry[], options: ProposalOptions): ReassignmentEntry[] {
  checkEntryList(current, 'current')
  checkObject(options, 'options')
  const { brokers, version, placer = isSince(version, '4.1') ? 'striped' : 'alternating' } = options
  const proposed: ReassignmentEntry[] = []
  let { random } = options
  for (const [topic, entries] of byTopic(partitionMap(current))) {
    const placed = placeReplicas({
      placer,
      version,
      brokers,
      partitions: entries.length,
      replicationFactor: entries[0]!.replicas.length,
      random,
    })
    random = placed.random!
    for (let p = 0; p < placed.length; p++) proposed.push({ topic, partition: p, replicas: placed.replicasOf(p) })
  }
  return proposed.sort(compareEntries)
}

/** Topics in the order of the map that they are gathered in, each with its partitions in the order given. */
function byTopic(entries: readonly ReassignmentEntry[]): [topic: string, entries: ReassignmentEntry[]][] {
  const map = new GatheringMap()
  for (const entry of entries) map.listOf(entry.topic).push(entry)
  return map.lists()
}

const FULL = 8
const SMALLEST_TREE_TABLE = 64

/**
 * A `HashMap` that is filled by `computeIfAbsent`: a new key comes to the front of its bucket, not to the end, and the table
 * grows before a call and not after one. Source: OpenJDK 17.
 */
class GatheringMap {
  readonly #lists = new Map<string, ReassignmentEntry[]>()
  #buckets = 16

  listOf(topic: string): ReassignmentEntry[] {
    if (this.#lists.size > this.#buckets * 0.75) this.#buckets *= 2
    const known = this.#lists.get(topic)
    if (known !== undefined) return known
    const list: ReassignmentEntry[] = []
    this.#lists.set(topic, list)
    if (this.#buckets < SMALLEST_TREE_TABLE && this.#isFull(topic)) this.#buckets *= 2
    return list
  }

  lists(): [topic: string, entries: ReassignmentEntry[]][] {
    const newest = [...this.#lists].reverse()
    // The sort is stable: in a bucket the newest stays first.
    return newest.sort(([a], [b]) => this.#bucketOf(a) - this.#bucketOf(b))
  }

  #isFull(topic: string): boolean {
    const bucket = this.#bucketOf(topic)
    let keys = 0
    for (const key of this.#lists.keys()) if (this.#bucketOf(key) === bucket) keys++
    return keys >= FULL
  }

  #bucketOf(topic: string): number {
    const code = ofString(topic)
    return (code ^ (code >>> 16)) & (this.#buckets - 1)
  }
}
