/**
 * Key → partition of many records, as a named client computes it: one pass of the engine over all of them, and beside it the
 * few that the original draws.
 *
 * Sources: the rows of partitioners.ts.
 */
import { setImmediate } from 'node:timers/promises'
import {
  answerAll,
  answerStrings,
  type Keys,
  type Output,
  type Question,
  type ThreadOptions,
  threadsOf,
} from '../bulk.js'
import { type AsyncOptions, answerAllAsync } from '../bulk-async.js'
import { chunksOf, isColumn } from '../column.js'
import type { BadOffset, Threads } from '../engine/contract.js'
import { engine } from '../engine/index.js'
import { codedError, shown } from '../errors.js'
import { firstBadOffset } from '../fallback/column.js'
import * as javaBytes from '../fallback/hash/java-bytes.js'
import * as javaString from '../fallback/hash/java-string.js'
import { reduce } from '../fallback/kafka/partitioner.js'
import type { Key, Packed } from '../types.js'
import { checkNumPartitions } from './num-partitions.js'
import type { PartitionerName } from './partitioners.js'
import { drawnFrom, isEmpty, missing, type Plan, planFor } from './plan.js'

/** Many keys; in an array, `null` stands for a record without one. */
export type RecordKeys = Keys | readonly (Key | null)[]

/** Choices for many keys. */
export interface BulkPartitionOptions extends ThreadOptions {
  /** Whose answer. Default: `kafka`, the Java producer's. */
  readonly partitioner?: PartitionerName
  /** Where to write: as long as the keys, or longer. Default: a new array. */
  readonly out?: Int32Array
  /** One number for each key that draws, in the order of the keys: a list, or a function called for each. Default: none. */
  readonly randoms?: ArrayLike<number> | (() => number)
}

/**
 * The partition of each of many records.
 *
 * @param keys an array of strings, bytes and `null`s, a `TopicSet`, or a column
 * @param numPartitions all partitions of the topic, in `[1, 2147483647]`
 * @returns a partition a key, in `[0, numPartitions)`: in the caller's array where one is given; an error leaves it as it was
 * @throws those of `partitionForKey`, with the index; ERR_PLACEMENT_COLUMN, ERR_PLACEMENT_OUTPUT
 * @example kafka.partitionsForKeys(['TT0124', 'wu'], 15) // Int32Array [10, 10]
 */
export function partitionsForKeys(
  keys: RecordKeys,
  numPartitions: number,
  options: BulkPartitionOptions = {},
): Int32Array {
  const plan = planFor(options.partitioner)
  checkNumPartitions(numPartitions)
  const output: Output<Int32Array> = { type: Int32Array, given: options.out }
  const question = questionOf(plan, numPartitions, threadsOf(options))
  // Where only a missing key draws, the first look at the keys is the answer's own.
  const present = Array.isArray(keys) && !plan.emptyDraws ? answerStrings(keys, output, question.strings) : null
  const drawn = drawnPartitions(plan, present === null ? keys : [], numPartitions, options.randoms)
  return present ?? written(drawn, answerAll(withoutNulls(keys), output, question))
}

/**
 * The async twin of {@link partitionsForKeys}: off the event loop, with a signal and progress, the same answer.
 *
 * @throws as `partitionsForKeys`, by rejecting; a signal that fires rejects with its reason
 */
export async function partitionsForKeysAsync(
  keys: RecordKeys,
  numPartitions: number,
  options: BulkPartitionOptions & AsyncOptions = {},
): Promise<Int32Array> {
  const plan = planFor(options.partitioner)
  checkNumPartitions(numPartitions)
  const drawn = drawnPartitions(plan, keys, numPartitions, options.randoms)
  const threads = threadsOf(options)
  const question = {
    ...questionOf(plan, numPartitions, threads),
    packed: asyncPacked(plan, numPartitions, threads),
  }
  const out = await answerAllAsync(withoutNulls(keys), { type: Int32Array, given: options.out }, question, options)
  return written(drawn, out)
}

/** Index and partition of a key that draws. */
type Drawn = readonly [index: number, partition: number]

function written(drawn: readonly Drawn[], out: Int32Array): Int32Array {
  for (const [index, partition] of drawn) out[index] = partition
  return out
}

/** Made before any other answer, so that an error leaves the result array alone. */
function drawnPartitions(
  plan: Plan,
  keys: RecordKeys,
  numPartitions: number,
  randoms: BulkPartitionOptions['randoms'],
): readonly Drawn[] {
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

function drawingKeys(plan: Plan, keys: RecordKeys): (readonly [index: number, key: Key | null])[] {
  if (Array.isArray(keys)) return plan.nullDraws ? drawingItems(plan, keys) : []
  return plan.emptyDraws && isColumn(keys) ? emptyNames(chunksOf(keys, 'keys')) : []
}

/** Whoever draws for an empty key draws for none at all too. */
function drawingItems(plan: Plan, keys: readonly unknown[]): [number, Key | null][] {
  const drawing: [number, Key | null][] = []
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]
    if (key === null || (plan.emptyDraws && isEmpty(key))) drawing.push([i, key === null ? null : ''])
  }
  return drawing
}

function emptyNames(chunks: readonly Packed[]): [number, Key][] {
  const drawing: [number, Key][] = []
  let first = 0
  for (const { offsets, length } of chunks) {
    for (let i = 0; i < length; i++) if (offsets[i] === offsets[i + 1]) drawing.push([first + i, ''])
    first += length
  }
  return drawing
}

/** A missing key is answered as an empty one; where it draws, that answer is written over. */
function withoutNulls(keys: RecordKeys): Keys {
  if (!Array.isArray(keys) || !keys.includes(null)) return keys as Keys
  return keys.map((key) => (key === null ? '' : key))
}

function questionOf({ row }: Plan, numPartitions: number, threads: Threads): Question<Int32Array> {
  const { hash, reduction } = row
  if (hash === 'java-bytes') return javaBytesQuestion(row.reduction, numPartitions)
  const work = { hash, reduction, numPartitions }
  return {
    packed: (column, out) => engine().partitionPacked(work, column, out, threads),
    strings: (strings, out) => engine().partitionStrings(work, strings, out),
    ...(hash === 'java-string' && { lone: (text) => reduce(reduction, javaString.ofString(text), numPartitions) }),
  }
}

function asyncPacked(
  { row }: Plan,
  numPartitions: number,
  threads: Threads,
): (column: Packed, out: Int32Array) => Promise<BadOffset> {
  const { hash, reduction } = row
  if (hash !== 'java-bytes') {
    const work = { hash, reduction, numPartitions }
    return (column, out) => engine().partitionPackedAsync(work, column, out, threads)
  }
  const { packed } = javaBytesQuestion(reduction, numPartitions)
  return async (column, out) => {
    await setImmediate()
    return packed(column, out)
  }
}

/** No engine has this hash: it serves one partitioner. */
function javaBytesQuestion(reduction: Plan['row']['reduction'], numPartitions: number): Question<Int32Array> {
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
      for (let i = 0; i < out.length; i++) {
        const text = strings[i]
        if (typeof text !== 'string') return false
        out[i] = reduce(reduction, javaBytes.ofString(text), numPartitions)
      }
      return true
    },
  }
}
