/**
 * Where the Java producer puts a record without a key: `BuiltInPartitioner` (KIP-794, the default since 3.3) and
 * `RoundRobinPartitioner`, as pure functions of the caller's random numbers and counters.
 *
 * For simulators and planners. Source: Apache Kafka 4.4.0, org.apache.kafka.clients.producer.internals.BuiltInPartitioner
 * and org.apache.kafka.clients.producer.RoundRobinPartitioner; racks are known since 4.4.
 * What differs from the obvious: a switch may pick the same partition again; partitions are drawn by their place in the
 * metadata, not by number; where no partition has a leader, the draw is over the count, whatever the numbers are.
 */
import { checkInteger, checkName, codedError, shown } from '../errors.js'
import { KAFKA_VERSIONS, type KafkaVersion } from '../types.js'
import { checkNumPartitions, noPartitions } from './num-partitions.js'

const INT32 = [-(2 ** 31), 2 ** 31 - 1] as const
const COUNT = [0, 2 ** 31 - 1] as const

/** A partition of a topic: its number if it has a leader, else in full. */
export type PartitionInfo =
  | number
  | {
      readonly id: number
      /** `false` where the partition has no leader. Default: it has one. */
      readonly leader?: boolean
      /** The leader's rack. */
      readonly rack?: string | null
    }

/** The partitions of a topic in the order of the metadata; a number stands for `0 .. n - 1`, each with a leader. */
export type TopicPartitions = number | readonly PartitionInfo[]

/** What the producer's accumulator knows of its queues, an entry a partition. */
export interface QueueSizes {
  /** Batches that wait, each in `[0, 2147483647]`. */
  readonly queueSizes: ArrayLike<number>
  /** The partition of each entry. */
  readonly partitionIds: ArrayLike<number>
  /** Entries in use, from the first. Default: all. Fewer when partitions are not available. */
  readonly length?: number
  /** Rack of each entry's leader, `null` for none. Used with `rack` alone. */
  readonly leaderRacks?: ArrayLike<string | null>
}

/** The producer's side of the question. */
export interface ProducerOptions {
  /** `client.rack` of a producer with `partitioner.rack.aware`: since 4.4. Default: not aware of racks. */
  readonly rack?: string
  /** Default: the newest. */
  readonly version?: KafkaVersion
}

/** Partitions and the running sum of their weights: the shorter the queue, the greater the weight. */
export interface LoadTable {
  readonly cumulative: Int32Array
  readonly partitionIds: Int32Array
}

/** Tables to draw from. */
export interface LoadStats {
  readonly total: LoadTable
  /** Of the partitions led in the producer's rack; `null` for a producer that is not aware of racks. */
  readonly inThisRack: LoadTable | null
}

/** The partition that records without a key go to now, and the bytes it took since it was picked. */
export interface StickyState {
  readonly partition: number
  readonly producedBytes: number
}

/** An append to the current batch. */
export interface Append {
  readonly bytes: number
  /** `false` while the batch is not full enough to be sent alone. Default: `true`. */
  readonly enableSwitch?: boolean
}

/**
 * The load tables that the queues make, or `null` where Kafka draws evenly: no queues known, fewer than two entries, none
 * in use, or all of them in use and equal.
 *
 * @param queues what waits, or `null` where nothing is known
 * @returns tables with one entry an entry in use, in the order given; weights are the longest queue + 1 - the own one
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (a running sum beyond an int32 too: Kafka's table
 *   overflows there), ERR_PLACEMENT_UNSUPPORTED (racks before 4.4), ERR_PLACEMENT_UNKNOWN_VERSION
 * @example kafka.loadStats({ queueSizes: [0, 3, 1], partitionIds: [0, 1, 2] })?.total.cumulative // [4, 5, 8]
 */
export function loadStats(queues: QueueSizes | null, options: ProducerOptions = {}): LoadStats | null {
  const { rack } = checkedOptions(options)
  if (queues === null) return null
  const { queueSizes, partitionIds, leaderRacks } = queues
  const length = checkedLength(queues)
  if (length < 1 || queueSizes.length < 2) return null
  const used = Array.from({ length }, (_, i) => i)
  if (length === queueSizes.length && used.every((i) => queueSizes[i] === queueSizes[0])) return null
  const total = loadTable(used, queueSizes, partitionIds)
  if (rack === undefined) return { total, inThisRack: null }
  const local = used.filter((i) => leaderRacks?.[i] === rack)
  return { total, inThisRack: loadTable(local, queueSizes, partitionIds) }
}

/**
 * The next partition for records without a key.
 *
 * @param random what the original's `ThreadLocalRandom.current().nextInt()` gives: any int32
 * @param topic its partitions, and the load tables where there are any; with tables the partitions are not looked at
 * @returns a partition's number
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_NUM_PARTITIONS (no partition),
 *   ERR_PLACEMENT_UNSUPPORTED (racks before 4.4), ERR_PLACEMENT_UNKNOWN_VERSION
 * @example kafka.nextPartition(7, { partitions: 3 }) // 1
 */
export function nextPartition(
  random: number,
  topic: { readonly partitions?: TopicPartitions; readonly stats?: LoadStats | null },
  options: ProducerOptions = {},
): number {
  const { rack } = checkedOptions(options)
  const positive = checkInteger(random, 'random', INT32) & 0x7fffffff
  if (topic.stats) return drawByLoad(positive, topic.stats)
  const partitions = checkedPartitions(topic.partitions ?? [])
  if (typeof partitions === 'number') return positive % partitions
  const available = partitions.filter(hasLeader)
  const local = rack === undefined ? [] : available.filter((info) => typeof info !== 'number' && info.rack === rack)
  return pick(positive, local.length > 0 ? local : available, partitions.length)
}

/**
 * The sticky state after an append: the same partition until it took a batch, or two batches where `enableSwitch` is
 * `false`; then the one that `next` gives, with no bytes.
 *
 * Twice the batch size is a product of int32: from a batch size of 2^30 on it is negative, and every append switches.
 *
 * @param batchSize the producer's `batch.size`, in `[1, 2147483647]`
 * @param next asked once when it switches; see {@link nextPartition}
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE
 * @example kafka.stickyAfterAppend({ partition: 0, producedBytes: 5 }, { bytes: 5 }, 10, () => 2) // { partition: 2, producedBytes: 0 }
 */
export function stickyAfterAppend(
  state: StickyState,
  append: Append,
  batchSize: number,
  next: () => number,
): StickyState {
  checkBatchSize(batchSize)
  const { bytes, enableSwitch = true } = append
  const producedBytes = (state.producedBytes + checkInteger(bytes, 'append.bytes', INT32)) | 0
  const full = producedBytes >= batchSize && enableSwitch
  if (full || producedBytes >= ((batchSize * 2) | 0)) return { partition: next(), producedBytes: 0 }
  return { partition: state.partition, producedBytes }
}

/**
 * The partition that `RoundRobinPartitioner` gives, and the topic's counter moved on by one.
 *
 * A counter a topic, from 0, wrapping like an int32: behind 2^31 - 1 the sequence jumps, unless the number of partitions is
 * a power of two. Keys are ignored. A producer before 3.9 asks twice when it opens a batch, so that every second partition
 * is passed over (KAFKA-9965): ask twice to see it. 3.9 remembers the answer (KAFKA-17632); 4.x asks once.
 *
 * @param counters the next counter of each topic, changed by the call; start with an empty map
 * @param topic the topic's name
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_NUM_PARTITIONS (no partition)
 * @example kafka.roundRobin(counters, 'orders', 3) // 0, then 1, 2, 0 …
 */
export function roundRobin(counters: Map<string, number>, topic: string, partitions: TopicPartitions): number {
  if (typeof topic !== 'string') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `topic: expected a string, got ${shown(topic)}`)
  }
  const checked = checkedPartitions(partitions)
  const counter = checkInteger(counters.get(topic) ?? 0, `counters[${topic}]`, INT32)
  counters.set(topic, (counter + 1) | 0)
  const positive = counter & 0x7fffffff
  if (typeof checked === 'number') return positive % checked
  return pick(positive, checked.filter(hasLeader), checked.length)
}

/** Without a partition to choose from, the original takes the remainder itself for the number. */
function pick(positive: number, choices: readonly PartitionInfo[], count: number): number {
  if (choices.length === 0) return positive % count
  return idOf(choices[positive % choices.length]!)
}

/** The first entry whose running sum is above the draw. */
function drawByLoad(positive: number, { total, inThisRack }: LoadStats): number {
  const { cumulative, partitionIds } = inThisRack !== null && inThisRack.cumulative.length > 0 ? inThisRack : total
  const draw = positive % cumulative[cumulative.length - 1]!
  return partitionIds[cumulative.findIndex((sum) => sum > draw)]!
}

function loadTable(used: readonly number[], sizes: ArrayLike<number>, ids: ArrayLike<number>): LoadTable {
  const most = used.reduce((longest, i) => Math.max(longest, sizes[i]!), 0)
  let sum = 0
  const cumulative = used.map((i) => {
    sum += most + 1 - sizes[i]!
    return sum
  })
  checkInteger(sum, 'queueSizes: the sum of the weights', COUNT)
  return { cumulative: Int32Array.from(cumulative), partitionIds: Int32Array.from(used, (i) => ids[i]!) }
}

function checkedLength({ queueSizes, partitionIds, length = queueSizes.length }: QueueSizes): number {
  if (queueSizes.length !== partitionIds.length) {
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_RANGE',
      `partitionIds: expected one a queue, ${queueSizes.length}, got ${partitionIds.length}`,
    )
  }
  for (let i = 0; i < queueSizes.length; i++) {
    checkInteger(queueSizes[i], `queueSizes[${i}]`, COUNT)
    checkInteger(partitionIds[i], `partitionIds[${i}]`, COUNT)
  }
  return checkInteger(length, 'length', [0, queueSizes.length])
}

function checkedOptions({ rack, version = KAFKA_VERSIONS.at(-1)! }: ProducerOptions): { rack: string | undefined } {
  checkName(version, 'version', KAFKA_VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION')
  if (rack !== undefined && typeof rack !== 'string') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `rack: expected a string, got ${shown(rack)}`)
  }
  if (rack !== undefined && version !== '4.4') {
    throw codedError(
      'ERR_PLACEMENT_UNSUPPORTED',
      `rack: expected none for Kafka ${version}, got ${shown(rack)}: the producer knows racks since 4.4`,
    )
  }
  return { rack }
}

function checkedPartitions(partitions: TopicPartitions): TopicPartitions {
  if (typeof partitions === 'number') {
    checkNumPartitions(partitions)
    return partitions
  }
  if (!Array.isArray(partitions)) {
    const message = `partitions: expected an array or a number, got ${shown(partitions)}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
  }
  if (partitions.length === 0) throw noPartitions('partitions')
  partitions.forEach((info, i) => {
    checkInteger(idOf(info), `partitions[${i}]`, COUNT)
  })
  return partitions
}

function checkBatchSize(batchSize: number): void {
  if (!Number.isInteger(batchSize) || batchSize >= 1) {
    checkInteger(batchSize, 'batchSize', [1, COUNT[1]])
    return
  }
  throw codedError(
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    `batchSize: expected an integer in [1, ${COUNT[1]}], got ${batchSize}`,
    {
      javaClass: 'java.lang.IllegalArgumentException',
      javaMessage: `stickyBatchSize must be >= 1 but got ${batchSize}`,
    },
  )
}

function idOf(info: PartitionInfo): number {
  return typeof info === 'object' && info !== null ? info.id : info
}

function hasLeader(info: PartitionInfo): boolean {
  return typeof info === 'number' || info.leader !== false
}
