/**
 * Key → partition, of one record and of many, as a named client computes it.
 *
 * For gateways (one key, no allocation) and planners (millions). Sources: the rows of partitioners.ts. The hash of a key
 * runs in JavaScript while that is faster than a native call, see single-key.ts; many keys go to the engine at once.
 */
import { answerAll, type Keys, type Question } from '../bulk.js'
import { chunksOf, isColumn } from '../column.js'
import { engine } from '../engine/index.js'
import { checkInteger, codedError, type ErrorDetails, shown } from '../errors.js'
import { firstBadOffset } from '../fallback/column.js'
import * as javaBytes from '../fallback/hash/java-bytes.js'
import * as javaString from '../fallback/hash/java-string.js'
import { reduce } from '../fallback/kafka/partitioner.js'
import { HASH_OF_KEY } from '../single-key.js'
import type { Key } from '../types.js'
import { checkNumPartitions } from './num-partitions.js'
import {
  checkPartitioner,
  PARTITIONER_NAMES,
  type Partitioner,
  type PartitionerName,
  partitioners,
} from './partitioners.js'

/** Choices for one key. */
export interface PartitionOptions {
  /** Whose answer. Default: `kafka`, the Java producer's. */
  readonly partitioner?: PartitionerName
  /**
   * For a record whose partition the original draws: the number that the original's random source gives.
   * `kafka.partitioners[name].draw` tells which function that is, the range, and what becomes of it. Default: none.
   */
  readonly random?: number
}

/** Choices for many keys. */
export interface BulkPartitionOptions {
  /** Whose answer. Default: `kafka`, the Java producer's. */
  readonly partitioner?: PartitionerName
  /** Where to write: as long as the keys, or longer. Default: a new array. */
  readonly out?: Int32Array
  /** One number for each key that draws, in the order of the keys: a list, or a function called for each. Default: none. */
  readonly randoms?: ArrayLike<number> | (() => number)
}

/** A partitioner, ready: one shape for all, so that the hot path stays of one shape too. */
interface Plan {
  readonly name: PartitionerName
  readonly row: Partitioner
  readonly hash: (key: Key) => number
  readonly nullDraws: boolean
  readonly emptyDraws: boolean
}

const PLANS: ReadonlyMap<unknown, Plan> = new Map(PARTITIONER_NAMES.map((name) => [name, planOf(name)]))
const KAFKA = PLANS.get('kafka')!

function planOf(name: PartitionerName): Plan {
  const row = partitioners[name]
  const hash = row.hash === 'java-bytes' ? hashOfJavaBytes : HASH_OF_KEY[row.hash]
  return { name, row, hash, nullDraws: row.nullKey === 'draws', emptyDraws: row.emptyKey === 'draws' }
}

/**
 * The partition of one record.
 *
 * @param key text (hashed as its UTF-8, a lone surrogate as `?`; by `pulsar-java-string` as its UTF-16 units), bytes, or
 *   `null` for a record without a key
 * @param numPartitions all partitions of the topic, in `[1, 2147483647]`
 * @returns in `[0, numPartitions)`
 * @throws ERR_PLACEMENT_KEY_TYPE, ERR_PLACEMENT_KEY_MISSING (the original draws and there is no `random`),
 *   ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_NUM_PARTITIONS, ERR_PLACEMENT_UNKNOWN_NAME,
 *   ERR_PLACEMENT_UNSUPPORTED (BoostHash)
 * @example kafka.partitionForKey('TT0124', 15) // 10
 * @example kafka.partitionForKey('TT0124', 15, { partitioner: 'librdkafka-consistent-random' }) // 9
 */
export function partitionForKey(key: Key | null, numPartitions: number, options?: PartitionOptions): number {
  const plan = options === undefined ? KAFKA : planFor(options.partitioner)
  checkNumPartitions(numPartitions)
  if (key === null || (plan.emptyDraws && isEmpty(key))) return keyless(plan, key, numPartitions, options?.random)
  return reduce(plan.row.reduction, plan.hash(key), numPartitions)
}

/**
 * The partition of each of many records.
 *
 * @param keys an array of strings, bytes and `null`s, a `TopicSet`, or a column
 * @param numPartitions all partitions of the topic, in `[1, 2147483647]`
 * @returns a partition a key, in `[0, numPartitions)`: in the caller's array where one is given; an error leaves it as it was
 * @throws those of {@link partitionForKey}, with the index; ERR_PLACEMENT_COLUMN, ERR_PLACEMENT_OUTPUT
 * @example kafka.partitionsForKeys(['TT0124', 'wu'], 15) // Int32Array [10, 10]
 */
export function partitionsForKeys(
  keys: Keys | readonly (Key | null)[],
  numPartitions: number,
  options: BulkPartitionOptions = {},
): Int32Array {
  const plan = planFor(options.partitioner)
  checkNumPartitions(numPartitions)
  const drawn = drawnPartitions(plan, keys, numPartitions, options.randoms)
  const question = questionOf(plan, numPartitions)
  const out = answerAll(withoutNulls(keys), { type: Int32Array, given: options.out }, question)
  if (plan.row.hash === 'java-string') correctLone(keys, numPartitions, out)
  for (const [index, partition] of drawn) out[index] = partition
  return out
}

function planFor(name: unknown): Plan {
  return name === undefined ? KAFKA : (PLANS.get(name) ?? PLANS.get(checkPartitioner(name))!)
}

function isEmpty(key: unknown): boolean {
  return typeof key === 'string' ? key === '' : key instanceof Uint8Array && key.length === 0
}

function hashOfJavaBytes(key: Key): number {
  if (typeof key === 'string') return javaBytes.ofString(key)
  if (key instanceof Uint8Array) return javaBytes.ofBytes(key, 0, key.length)
  throw codedError('ERR_PLACEMENT_KEY_TYPE', `key: expected a string or bytes, got ${shown(key)}`)
}

function keyless(plan: Plan, key: Key | null, numPartitions: number, random: number | undefined): number {
  if (key === null && !plan.nullDraws) return reduce(plan.row.reduction, plan.hash(''), numPartitions)
  if (random === undefined) throw missing(plan, key, { what: 'key', fix: 'options.random' })
  return drawnFrom(plan, random, 'random', numPartitions)
}

function drawnFrom({ row }: Plan, random: number, name: string, numPartitions: number): number {
  const { range, reduction } = row.draw!
  const number = checkInteger(random, name, range)
  if (reduction === 'mask') return (number & 0x7fffffff) % numPartitions
  const rest = number % numPartitions
  return rest < 0 ? rest + numPartitions : rest + 0
}

/** Where the key was missing, and where its random number belongs. */
interface Place {
  readonly what: string
  readonly fix: string
  readonly details?: ErrorDetails
}

function missing({ name, row }: Plan, key: Key | null, { what, fix, details }: Place): Error {
  const got = key === null ? 'none' : 'an empty one'
  const message = `${what}: expected a key, got ${got}, for which ${name} draws the partition: give ${fix}, the result of`
  return codedError('ERR_PLACEMENT_KEY_MISSING', `${message} ${row.draw!.from}`, details)
}

/** Index and partition of each key that draws; made before any other, so that an error leaves the result array alone. */
function drawnPartitions(
  plan: Plan,
  keys: Keys | readonly (Key | null)[],
  numPartitions: number,
  randoms: BulkPartitionOptions['randoms'],
): readonly (readonly [index: number, partition: number])[] {
  if (!plan.nullDraws && !plan.emptyDraws) return []
  const next = sourceOf(randoms)
  return drawingKeys(plan, keys).map(([index, key], i) => {
    const random = next(i)
    if (random !== undefined) return [index, drawnFrom(plan, random, `randoms[${i}]`, numPartitions)]
    throw missing(plan, key, { what: `keys[${index}]`, fix: `options.randoms[${i}]`, details: { index } })
  })
}

function sourceOf(randoms: BulkPartitionOptions['randoms']): (i: number) => number | undefined {
  if (typeof randoms === 'function') return randoms
  if (randoms === undefined || (typeof randoms === 'object' && randoms !== null)) return (i) => randoms?.[i]
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `randoms: expected numbers or a function, got ${shown(randoms)}`)
}

function drawingKeys(plan: Plan, keys: Keys | readonly (Key | null)[]): (readonly [number, Key | null])[] {
  const drawing: (readonly [number, Key | null])[] = []
  if (Array.isArray(keys)) {
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]
      if (key === null ? plan.nullDraws : plan.emptyDraws && isEmpty(key)) drawing.push([i, key])
    }
  } else if (plan.emptyDraws && isColumn(keys)) {
    let first = 0
    for (const { offsets, length } of chunksOf(keys, 'keys')) {
      for (let i = 0; i < length; i++) if (offsets[i] === offsets[i + 1]) drawing.push([first + i, ''])
      first += length
    }
  }
  return drawing
}

/** A missing key is answered as an empty one; where it draws, that answer is written over. */
function withoutNulls(keys: Keys | readonly (Key | null)[]): Keys {
  if (!Array.isArray(keys) || !keys.includes(null)) return keys as Keys
  return keys.map((key) => (key === null ? '' : key))
}

function questionOf({ row }: Plan, numPartitions: number): Question<Int32Array> {
  const { hash, reduction } = row
  if (hash === 'java-bytes') return javaBytesQuestion(reduction, numPartitions)
  return {
    packed: (column, out) => engine().partitionPacked(hash, reduction, column, numPartitions, out),
    strings: (strings, out) => engine().partitionStrings(hash, reduction, strings, numPartitions, out),
  }
}

function javaBytesQuestion(reduction: Partitioner['reduction'], numPartitions: number): Question<Int32Array> {
  return {
    packed(column, out) {
      const bad = firstBadOffset(column)
      const { values, offsets, length } = column
      for (let i = 0; bad < 0 && i < length; i++) {
        out[i] = reduce(reduction, javaBytes.ofBytes(values, offsets[i]!, offsets[i + 1]!), numPartitions)
      }
      return bad
    },
    strings(strings, out) {
      for (let i = 0; i < strings.length; i++)
        out[i] = reduce(reduction, javaBytes.ofString(strings[i]!), numPartitions)
    },
  }
}

/** The bytes of a TopicSet hold `?` for a lone surrogate; `String.hashCode` is of the text as it was given. */
function correctLone(keys: object, numPartitions: number, out: Int32Array): void {
  if (!('lone' in keys)) return
  for (const [index, text] of keys.lone as ReadonlyMap<number, string>) {
    out[index] = reduce('mask', javaString.ofString(text), numPartitions)
  }
}
