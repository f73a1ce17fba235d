/**
 * The ops of Kafka's placers and of Java's random numbers, put to the public API.
 *
 * The generator of Kafka's own tests (`mock`) is a caller's own source of numbers here.
 */
import { engine } from '../../src/engine/index.js'
import { codedError, isCodedError } from '../../src/errors.js'
import { JavaRandom } from '../../src/fallback/kafka/java-random.js'
import { type Draws, type PlacementBroker, placeReplicas } from '../../src/kafka/index.js'
import { randomSource } from '../../src/kafka/random-source.js'
import { stripedBrokers } from '../../src/kafka/striped-placer.js'
import type { KafkaVersion } from '../../src/types.js'
import type { Ops } from './answer.js'

type RandomRequest =
  | { readonly kind?: 'java'; readonly seed?: number }
  | { readonly kind: 'mock'; readonly state?: number }

interface Topic {
  readonly partitions: number
  readonly replicationFactor: number
}

interface StripedRequest extends Topic {
  readonly brokers: readonly PlacementBroker[]
  readonly random: RandomRequest
  readonly topics?: readonly Topic[]
}

interface AlternatingRequest extends Topic {
  readonly brokers: readonly PlacementBroker[]
  readonly fixedStartIndex?: number
  readonly startPartitionId?: number
  readonly seed?: number
}

interface DrawsRequest {
  readonly random: RandomRequest
  readonly calls: readonly (readonly [call: string, bound?: number])[]
}

/** The ops that ask no engine. */
export const REPLICA_TYPESCRIPT_OPS = {
  random: ({ random, calls }: DrawsRequest) => {
    const draws = new JavaRandom(randomSource(drawsOf(random, 10_000)))
    return { values: calls.map(([call, bound]) => drawn(draws, call, bound)) }
  },
} satisfies Ops

export const replicaOps = {
  ...REPLICA_TYPESCRIPT_OPS,
  striped: (request: StripedRequest, version: KafkaVersion) => {
    const topics = withNumbers(request, (random) => stripedTopics(request, version, random))
    return request.topics === undefined ? { replicas: topics[0] } : { topics }
  },
  alternating: (
    { seed, brokers, partitions, replicationFactor, fixedStartIndex, startPartitionId }: AlternatingRequest,
    version: KafkaVersion,
  ) => {
    const random = seed === undefined ? {} : { random: { seed } }
    const question = {
      placer: 'alternating',
      version,
      brokers,
      partitions,
      replicationFactor,
      fixedStartIndex,
      startPartitionId,
      ...random,
    } as const
    const { firstPartition, replicas } = placeReplicas(question).toJSON()
    return { replicas: Object.fromEntries(replicas.map((list, i) => [firstPartition + i, list])) }
  },
} satisfies Ops

/** One topic after another, from one source. */
function stripedTopics(request: StripedRequest, version: KafkaVersion, first: Draws): number[][][] {
  const { brokers, topics = [request] } = request
  if (new Set(brokers.map(({ id }) => id)).size < brokers.length) return [unchecked(request, first)]
  let random = first
  return topics.map(({ partitions, replicationFactor }) => {
    const placed = placeReplicas({ placer: 'striped', version, brokers, partitions, replicationFactor, random })
    random = placed.random!
    return placed.toJSON().replicas
  })
}

/** A broker given twice, which the public API refuses and the inner room places as Kafka does. */
function unchecked({ brokers, partitions, replicationFactor }: StripedRequest, random: Draws): number[][] {
  const out = new Int32Array(partitions * replicationFactor)
  engine().striped({ ...stripedBrokers(brokers), replicationFactor, random: randomSource(random) }, out)
  const rowOf = (_: unknown, i: number) => [...out.subarray(i * replicationFactor, (i + 1) * replicationFactor)]
  return Array.from({ length: partitions }, rowOf)
}

/** Asks with as many numbers of the source as it turns out to need. */
function withNumbers<T>({ random }: StripedRequest, ask: (random: Draws) => T): T {
  for (let count = 1_000; ; count *= 8) {
    try {
      return ask(drawsOf(random, count))
    } catch (error) {
      if (!isCodedError(error) || !error.message.startsWith('random.numbers: expected more')) throw error
    }
  }
}

function drawsOf(random: RandomRequest, count: number): Draws {
  if (random.kind === 'mock') return { numbers: mockNumbers(BigInt(random.state ?? 17), count) }
  return { seed: random.seed ?? 0 }
}

/** The 64-bit linear congruential generator of Kafka's own tests: the high 32 bits of each state. */
function mockNumbers(state: bigint, count: number): Int32Array {
  let now = state
  return Int32Array.from({ length: count }, () => {
    now = BigInt.asUintN(64, now * 2862933555777941757n + 3037000493n)
    return Number(now >> 32n) | 0
  })
}

function drawn(draws: JavaRandom, call: string, bound: number | undefined): number | number[] {
  if (call === 'shuffle') {
    const list = Array.from({ length: bound! }, (_, i) => i)
    draws.shuffle(list)
    return list
  }
  if (bound === undefined) return draws.next()
  if (bound > 0) return draws.below(bound)
  // The room takes bounds above 0 alone; this is what Java's own says of others.
  const javaMessage = 'bound must be positive'
  const javaClass = 'java.lang.IllegalArgumentException'
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', javaMessage, { javaClass, javaMessage })
}
