/**
 * A partitioner made ready to answer: its row of the table, its hash as a function, and what it does without a key. Shared by
 * the questions about one key and about many.
 */
import { isBytes } from '../bytes.js'
import { checkInteger, codedError, type ErrorDetails, shown } from '../errors.js'
import * as javaBytes from '../fallback/hash/java-bytes.js'
import { HASH_OF_KEY } from '../single-key.js'
import type { Key } from '../types.js'
import {
  checkPartitioner,
  PARTITIONER_NAMES,
  type Partitioner,
  type PartitionerName,
  partitioners,
} from './partitioners.js'

/** A partitioner, ready: one shape for all, so that the road of a single key stays of one shape too. */
export interface Plan {
  readonly name: PartitionerName
  readonly row: Partitioner
  /** Of one key that is present; refuses what is neither text nor bytes. */
  readonly hash: (key: Key) => number
  readonly nullDraws: boolean
  readonly emptyDraws: boolean
}

const PLANS: ReadonlyMap<unknown, Plan> = new Map(PARTITIONER_NAMES.map((name) => [name, planOf(name)]))

/** The Java producer's: the default. */
export const KAFKA = PLANS.get('kafka')!

function planOf(name: PartitionerName): Plan {
  const row = partitioners[name]
  const hash = row.hash === 'java-bytes' ? hashOfJavaBytes : HASH_OF_KEY[row.hash]
  return { name, row, hash, nullDraws: row.nullKey === 'draws', emptyDraws: row.emptyKey === 'draws' }
}

/** The plan of that name; the default for `undefined`. @throws as `checkPartitioner` */
export function planFor(name: unknown): Plan {
  return name === undefined ? KAFKA : (PLANS.get(name) ?? PLANS.get(checkPartitioner(name))!)
}

/** True for the empty string and for no bytes. */
export function isEmpty(key: unknown): boolean {
  return typeof key === 'string' ? key === '' : isBytes(key) && key.length === 0
}

/**
 * The partition that the caller's random number stands for.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, under `name`
 */
export function drawnFrom({ row }: Plan, random: number, name: string, numPartitions: number): number {
  const { range, reduction } = row.draw!
  const number = checkInteger(random, name, range)
  if (reduction === 'mask') return (number & 0x7fffffff) % numPartitions
  const rest = number % numPartitions
  // A remainder of -0 becomes 0.
  return rest < 0 ? rest + numPartitions : rest + 0
}

/** Where a key was missing, and where its random number belongs. */
interface Place {
  readonly what: string
  readonly fix: string
  readonly details?: ErrorDetails
}

/** The error for a key that draws, when no number was given. */
export function missing({ name, row }: Plan, key: Key | null, { what, fix, details }: Place): Error {
  const got = key === null ? 'none' : 'an empty one'
  const message = `${what}: expected a key, got ${got}, for which ${name} draws the partition: give ${fix}, the result of`
  return codedError('ERR_PLACEMENT_KEY_MISSING', `${message} ${row.draw!.from}`, details)
}

function hashOfJavaBytes(key: Key): number {
  if (typeof key === 'string') return javaBytes.ofString(key)
  if (isBytes(key)) return javaBytes.ofBytes(key, 0, key.length)
  throw codedError('ERR_PLACEMENT_KEY_TYPE', `key: expected a string or bytes, got ${shown(key)}`)
}
