/**
 * What the product answers, through its public API: requests of the jars' form by the vectors' adapter, those of the other
 * clients here.
 */
import { isCodedError } from '../../src/errors.js'
import { kafka, type Packed, pulsar } from '../../src/index.js'
import { answerOf } from '../vectors/answer.js'
import { replayRequest } from '../vectors/replay.js'
import { bytesOf, type ClientKey, type ClientRequest } from './questions/clients.js'
import type { Product } from './round.js'

/** A partition, or `~` where the caller is asked for the number that the original draws. */
type Partition = number | '~'

export const product: Product = (family, request, release) =>
  request.op === 'clientPartitions'
    ? answerOf(() => ({ partitions: partitionsOf(request as unknown as ClientRequest) }))
    : replayRequest(family, request, release)

const partitionsOf = (request: ClientRequest): unknown[] =>
  request.partitioner.startsWith('pulsar-cpp') ? cppPartitions(request) : clientPartitions(request)

/** A client that is no partitioner of Kafka's; `char` is signed but on arm64, where the judge's is unsigned too. */
function cppPartitions({ partitioner, numPartitions, keys }: ClientRequest): Partition[] {
  const scheme = partitioner.endsWith('murmur3') ? 'Murmur3_32Hash' : 'JavaStringHash'
  const options = { client: 'cpp', scheme, char: process.arch === 'arm64' ? 'unsigned' : 'signed' } as const
  const given = keys.map((key) => (key === null ? null : 'text' in key ? key.text : Buffer.from(key.bytes, 'hex')))
  return given.map((key) => (key === null ? '~' : pulsar.partitionForKey(key, numPartitions, options)))
}

/** Key by key; where the roads for many keys lead elsewhere, all three answers, which equal no judge's. */
function clientPartitions(request: ClientRequest): unknown[] {
  const single = request.keys.map((key) => oneKey(request, key))
  const list = listed(request, single)
  const column = packed(request, single)
  return single.map((partition, i) =>
    partition === list[i] && partition === column[i]
      ? partition
      : { single: partition, list: list[i], column: column[i] },
  )
}

function oneKey({ partitioner, numPartitions }: ClientRequest, key: ClientKey): Partition {
  try {
    return kafka.partitionForKey(keyOf(partitioner, key), numPartitions, { partitioner: nameOf(partitioner) })
  } catch (error) {
    if (isCodedError(error) && error.code === 'ERR_PLACEMENT_KEY_MISSING') return '~'
    throw error
  }
}

/** All at once; a key that draws is given 0, and is known by how many numbers were asked for. */
function listed({ partitioner, numPartitions, keys }: ClientRequest, single: readonly Partition[]): Partition[] {
  let draws = 0
  const randoms = () => {
    draws += 1
    return 0
  }
  const given = keys.map((key) => keyOf(partitioner, key))
  const partitions = kafka.partitionsForKeys(given, numPartitions, { partitioner: nameOf(partitioner), randoms })
  const asMany = draws === single.filter((partition) => partition === '~').length
  return single.map((partition, i) => (partition === '~' && asMany && partitions[i] === 0 ? '~' : partitions[i]!))
}

/** A column has no missing keys, and no lone surrogates for `String.hashCode`: those are taken as answered. */
function packed({ partitioner, numPartitions, keys }: ClientRequest, single: readonly Partition[]): Partition[] {
  if (partitioner === 'pulsar-java-string') return [...single]
  const places = keys.flatMap((_, i) => (single[i] === '~' || keys[i] === null ? [] : [i]))
  const column = columnOf(places.map((i) => bytesOfKey(partitioner, keys[i]!)))
  const partitions = kafka.partitionsForKeys(column, numPartitions, { partitioner: nameOf(partitioner) })
  const answers = [...single]
  for (const [at, place] of places.entries()) answers[place] = partitions[at]!
  return answers
}

function columnOf(keys: readonly Uint8Array[]): Packed {
  const offsets = new Int32Array(keys.length + 1)
  for (const [i, key] of keys.entries()) offsets[i + 1] = offsets[i]! + key.length
  return { values: Buffer.concat(keys), offsets, length: keys.length }
}

function keyOf(partitioner: string, key: ClientKey): string | Uint8Array | null {
  if (key === null) return null
  if ('text' in key) return key.text
  return isJavaPulsar(partitioner) ? base64Of(key.bytes) : Buffer.from(key.bytes, 'hex')
}

const bytesOfKey = (partitioner: string, key: ClientKey): Buffer =>
  key !== null && 'bytes' in key && isJavaPulsar(partitioner) ? Buffer.from(base64Of(key.bytes)) : bytesOf(key)!

/** The Java client's routers know bytes (`keyBytes`) by their base64 text alone. */
const isJavaPulsar = (partitioner: string): boolean => ['pulsar-java-string', 'pulsar-murmur3'].includes(partitioner)

const base64Of = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

const nameOf = (partitioner: string) => partitioner as kafka.PartitionerName
