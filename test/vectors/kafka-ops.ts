/**
 * The ops of Kafka's murmur2, partitioner and group families, put to the public API.
 *
 * Keys travel as `keys` (text) and `keysBase64` (bytes), text first; the oracle's `ok` is what each op gives back.
 */
import { Buffer } from 'node:buffer'
import { codedError } from '../../src/errors.js'
import { hash } from '../../src/hash.js'
import {
  checkTopicNames,
  groupCoordinatorPartition,
  loadStats,
  nextPartition,
  type PartitionInfo,
  partitionForKey,
  partitionsForKeys,
  type QueueSizes,
  roundRobin,
  type StickyState,
  stickyAfterAppend,
  transactionCoordinatorPartition,
} from '../../src/kafka/index.js'
import { TopicSet } from '../../src/topic-set.js'
import type { KafkaVersion, Key } from '../../src/types.js'
import type { Ops } from './answer.js'
import { asMany } from './answer.js'

interface Keys {
  readonly keys?: readonly string[]
  readonly keysBase64?: readonly string[]
}

interface Load extends Omit<QueueSizes, 'queueSizes' | 'partitionIds'> {
  readonly queueSizes?: readonly number[] | null
  readonly partitionIds?: readonly number[]
  readonly rack?: string
}

interface Draws extends Load {
  readonly partitions?: readonly PartitionInfo[]
  readonly randoms: readonly number[]
}

interface Switches extends Draws {
  readonly batchSize: number
  readonly appends: readonly (number | readonly [bytes: number, enableSwitch: boolean])[]
}

interface Calls {
  readonly topics: readonly {
    readonly name: string
    readonly partitions: readonly PartitionInfo[]
    readonly start?: number
  }[]
  readonly calls: readonly string[]
}

interface Ids {
  readonly ids: readonly string[]
  readonly numPartitions: number
}

/** The ops that ask no engine: TypeScript alone, written once. */
export const KAFKA_TYPESCRIPT_OPS = {
  loadStats: (request: Load, release: KafkaVersion) => {
    const stats = statsOf(request, release)
    if (stats === null) return { adaptive: false }
    const { total, inThisRack } = stats
    return { adaptive: true, total, ...(release === '4.4' ? { inThisRack } : {}) }
  },
  nextPartition: (request: Draws, release: KafkaVersion) => {
    const draw = drawer(request, release)
    return { partitions: request.randoms.map(draw) }
  },
  stickySwitches,
  roundRobinPartitioner: ({ topics, calls }: Calls) => {
    const counters = new Map(topics.map(({ name, start = 0 }) => [name, start]))
    const partitionsOf = (topic: string) => topics.find(({ name }) => name === topic)?.partitions ?? []
    return { partitions: calls.map((topic) => roundRobin(counters, topic, partitionsOf(topic))) }
  },
  groupPartition: ({ ids, numPartitions }: Ids) => ({
    partitions: ids.map((id) => groupCoordinatorPartition(id, numPartitions)),
  }),
  transactionPartition: ({ ids, numPartitions }: Ids) => ({
    partitions: ids.map((id) => transactionCoordinatorPartition(id, numPartitions)),
  }),
  serialize: (request: Keys) => {
    const packed = TopicSet.from(keysOf(request).flat())
    return {
      base64: Array.from({ length: packed.length }, (_, i) => Buffer.from(packed.bytesAt(i)).toString('base64')),
    }
  },
} satisfies Ops

export const kafkaOps = {
  ...KAFKA_TYPESCRIPT_OPS,
  murmur2: (request: Keys) => ({ hashes: keysOf(request).flatMap((keys) => asMany(keys, hash.murmur2)) }),
  partitionForKey: (request: Keys & { readonly numPartitions: number | readonly number[] }) => {
    const rows = [request.numPartitions].flat().map((count) => partitionsOf(request, count))
    return { partitions: Array.isArray(request.numPartitions) ? rows : rows[0] }
  },
  topicNames,
  hashCode: ({ values, kind = 'string' }: { readonly values: readonly string[]; readonly kind?: string }) =>
    kind === 'string' ? { hashes: asMany(values, hash.javaString) } : undefined,
} satisfies Ops

/** Why each name is refused, and which one before it collides. The jar says which thing it speaks of, too. */
function topicNames({ names }: { readonly names: readonly string[] }) {
  const { illegal, collisions } = checkTopicNames(names)
  const reasons: (string | null)[] = names.map(() => null)
  for (const { index, reason } of illegal) reasons[index] = `Topic name is invalid: ${reason}`
  const firsts = names.map(() => -1)
  for (const { index, firstIndex } of collisions) firsts[index] = firstIndex
  return { reasons, firsts }
}

/** Text and bytes apart: each takes another road to the engine. */
function keysOf({ keys = [], keysBase64 = [] }: Keys): (readonly Key[])[] {
  return [keys, keysBase64.map((key) => new Uint8Array(Buffer.from(key, 'base64')))]
}

/** Both roads of the facade: many at once, and each alone; a difference between them is a fault and shown as one. */
function partitionsOf(request: Keys, count: number): number[] {
  return keysOf(request).flatMap((keys) => {
    const many = asMany(keys, (some) => partitionsForKeys(some, count))
    keys.forEach((key, i) => {
      const one = partitionForKey(key, count)
      if (one !== many[i]) throw new Error(`key ${i} of ${count}: ${one} alone, ${many[i]} among many`)
    })
    return many
  })
}

function optionsOf({ rack }: { readonly rack?: string }, version: KafkaVersion) {
  return { version, ...(rack === undefined ? {} : { rack }) }
}

function statsOf({ queueSizes = null, partitionIds = [], rack, ...rest }: Load, release: KafkaVersion) {
  const queues = queueSizes === null ? null : { ...rest, queueSizes, partitionIds }
  return loadStats(queues, optionsOf(rack === undefined ? {} : { rack }, release))
}

function drawer(request: Draws, release: KafkaVersion): (random: number) => number {
  const { partitions = [] } = request
  const stats = statsOf(request, release)
  return (random) => nextPartition(random, { partitions, stats }, optionsOf(request, release))
}

/** The first partition is drawn when the first append asks for it. */
function stickySwitches(request: Switches, release: KafkaVersion) {
  const draw = drawer(request, release)
  const partitions: number[] = []
  let randomsUsed = 0
  let state: StickyState | undefined
  const next = () => draw(take(request.randoms, randomsUsed++))
  for (const append of request.appends) {
    state ??= { partition: next(), producedBytes: 0 }
    partitions.push(state.partition)
    const [bytes, enableSwitch] = typeof append === 'number' ? [append, true] : append
    state = stickyAfterAppend(state, { bytes, enableSwitch }, request.batchSize, next)
  }
  return { partitions, randomsUsed }
}

/** The caller's source of randomness is the oracle's own, and this is what it says when it is empty. */
function take(randoms: readonly number[], at: number): number {
  if (at < randoms.length) return randoms[at]!
  const javaMessage = 'no random number left'
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `randoms[${at}]: ${javaMessage}`, {
    javaClass: 'java.lang.IllegalArgumentException',
    javaMessage,
  })
}
