/**
 * Key → partition of one record, as a named client computes it: the road of a gateway, without allocation.
 *
 * Sources: the rows of partitioners.ts. The hash runs in JavaScript while that is faster than a native call: single-key.ts.
 */
import { reduce } from '../fallback/kafka/partitioner.js'
import type { Key } from '../types.js'
import { checkNumPartitions } from './num-partitions.js'
import type { PartitionerName } from './partitioners.js'
import { drawnFrom, isEmpty, KAFKA, missing, type Plan, planFor } from './plan.js'

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

function keyless(plan: Plan, key: Key | null, numPartitions: number, random: number | undefined): number {
  if (key === null && !plan.nullDraws) return reduce(plan.row.reduction, plan.hash(''), numPartitions)
  if (random === undefined) throw missing(plan, key, { what: 'key', fix: 'options.random' })
  return drawnFrom(plan, random, 'random', numPartitions)
}
