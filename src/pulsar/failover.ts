/**
 * Failover subscriptions: which of the consumers is active, for each partition, as they join and leave.
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.service.AbstractDispatcherSingleActiveConsumer;
 * the ring by PIP-392 (`activeConsumerFailoverConsistentHashing`).
 * A partition takes the consumer at its own index among those of the best priority level, in the order of their names; a
 * topic without partitions, and with the flag every topic, asks a ring of their names.
 * What differs from the obvious: levels are compared by an int32 subtraction, so that 2147483647 stands before -2; 2.10
 * does not sort the consumers of a topic without partitions at all, the eldest is active; on the ring the later of two
 * consumers takes a point.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import { HASH_OF_KEY } from '../single-key.js'
import { TopicName } from './topic-name.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** Points of a consumer on the ring. */
const POINTS = 100

const INT = [-(2 ** 31), 2 ** 31 - 1] as const

/** A consumer of the subscription. */
export interface FailoverConsumer {
  readonly name: string
  /** An int32, the least is the best. Default: 0. */
  readonly priorityLevel?: number | undefined
}

/** Where the subscription is. */
export interface FailoverOptions extends PulsarVersionOption {
  /** The topic, or the partition of one (`orders-partition-3`). */
  readonly topic: string
  /** Default: the one in the topic's name; -1 for none. */
  readonly partitionIndex?: number | undefined
  /** The broker's `activeConsumerFailoverConsistentHashing`, since 4.1. Default: false. */
  readonly consistentHashing?: boolean | undefined
}

interface Member {
  readonly name: string
  readonly priorityLevel: number
}

/**
 * The consumers of one partition's Failover subscription.
 *
 * ```
 * const consumers = new pulsar.FailoverConsumers({ topic: 'orders-partition-1' })
 * consumers.join({ name: 'c2' }) // → 0, its number
 * consumers.join({ name: 'c1' }) // → 1
 * consumers.active // → 0: index 1 of c1, c2
 * ```
 */
export class FailoverConsumers {
  /** -1 for a topic without partitions. */
  readonly partitionIndex: number
  readonly #topic: string
  readonly #sorted: boolean
  readonly #ring: boolean
  readonly #members: Member[] = []
  #order: number[] = []

  /**
   * @throws ERR_PLACEMENT_TOPIC_NAME, ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE,
   *   ERR_PLACEMENT_UNSUPPORTED (the flag before 4.2), ERR_PLACEMENT_UNKNOWN_VERSION
   */
  constructor({ topic, partitionIndex, consistentHashing = false, ...options }: FailoverOptions) {
    const version = pulsarVersion(options)
    const name = TopicName.get(topic, { version })
    this.partitionIndex = partitionIndex ?? name.partitionIndex
    checkInteger(this.partitionIndex, 'partitionIndex', [-1, INT[1]])
    if (consistentHashing && !isSince(version, '4.2')) throw noFlag(version)
    const isPartition = this.partitionIndex >= 0
    this.#topic = name.toString()
    this.#sorted = isPartition || isSince(version, '3.0')
    this.#ring = consistentHashing || (!isPartition && isSince(version, '3.0'))
  }

  /** Number of the active consumer, `null` where there is none. */
  get active(): number | null {
    if (this.#order.length === 0) return null
    if (!this.#sorted) return this.#order[0]!
    const best = this.#members[this.#order[0]!]!.priorityLevel
    const eligible = this.#order.filter((number) => this.#members[number]!.priorityLevel === best)
    return this.#ring ? this.#onRing(eligible) : eligible[this.partitionIndex % eligible.length]!
  }

  /** Numbers of the consumers, in the order that the broker keeps them in. */
  get order(): readonly number[] {
    return this.#order
  }

  /** A consumer joins. Names may be alike. @returns its number: 0, 1, … in the order of joining */
  join({ name, priorityLevel = 0 }: FailoverConsumer): number {
    if (typeof name !== 'string') {
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `name: expected a string, got ${shown(name)}`)
    }
    checkInteger(priorityLevel, 'priorityLevel', INT)
    const number = this.#members.push({ name, priorityLevel }) - 1
    this.#order.push(number)
    if (this.#sorted) this.#order.sort((a, b) => compare(this.#members[a]!, this.#members[b]!))
    return number
  }

  /** The consumer of that number leaves. @throws ERR_PLACEMENT_CONSUMER where it is not there */
  leave(number: number): void {
    const at = this.#order.indexOf(number)
    if (at < 0) throw notConnected(number)
    this.#order.splice(at, 1)
  }

  #onRing(eligible: readonly number[]): number {
    const points = new Map<number, number>()
    for (const number of eligible) {
      for (let i = 0; i < POINTS; i++) points.set(masked(this.#members[number]!.name + i), number)
    }
    const hash = masked(this.#topic)
    const ascending = [...points.keys()].sort((a, b) => a - b)
    return points.get(ascending.find((point) => point >= hash) ?? ascending[0]!)!
  }
}

/**
 * The consumer that is active when all of these are there.
 *
 * @param consumers in the order of their joining
 * @returns its index among them, `null` where there are none
 * @throws as {@link FailoverConsumers}
 * @example pulsar.activeConsumer([{ name: 'c2' }, { name: 'c1' }], { topic: 'orders-partition-1' }) // 0
 */
export function activeConsumer(consumers: readonly FailoverConsumer[], options: FailoverOptions): number | null {
  const subscription = new FailoverConsumers(options)
  for (const consumer of consumers) subscription.join(consumer)
  return subscription.active
}

/** Java's `a - b` of two ints, then `String.compareTo`. */
function compare(a: Member, b: Member): number {
  const levels = (a.priorityLevel - b.priorityLevel) | 0
  if (levels !== 0) return levels
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

const masked = (text: string): number => HASH_OF_KEY.murmur3(text) & 0x7fffffff

function notConnected(number: number): Error {
  return codedError('ERR_PLACEMENT_CONSUMER', `number: expected a consumer that is there, got ${shown(number)}`, {
    javaClass: 'org.apache.pulsar.broker.service.BrokerServiceException$ServerMetadataException',
    javaMessage: 'Consumer was not connected',
  })
}

function noFlag(version: string): Error {
  const message = `consistentHashing: expected false, got true: Pulsar ${version} has no activeConsumerFailoverConsistentHashing`
  return codedError('ERR_PLACEMENT_UNSUPPORTED', message)
}
