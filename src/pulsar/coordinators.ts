/**
 * Transaction coordinators: on how many bundles of `pulsar/system` they lie, and how many bundles it takes to part them.
 *
 * Source: Apache Pulsar 5.0.1, the partitions of the topic transaction_coordinator_assign (SystemTopicNames); CRC-32 of their
 * full names. A coordinator lives where its partition's bundle is owned: coordinators of one bundle share a broker.
 */

import { checkInteger } from '../errors.js'
import { hash } from '../hash.js'
import { NamespaceBundles } from './bundles.js'
import { smallestSeparating } from './family-separation.js'

/** `transactionCoordinators` of initialize-cluster-metadata, by default. */
const DEFAULT_COORDINATORS = 16

export interface CoordinatorQuestion {
  /** Default: 16, as `initialize-transaction-coordinator-metadata` has it. */
  readonly coordinators?: number | undefined
  /** Bundles of `pulsar/system`. Default: 64, as since 5.0. */
  readonly bundles?: number | undefined
}

/** Where transaction coordinators lie. */
export interface CoordinatorSpread {
  readonly coordinators: number
  readonly bundles: number
  /** Bundles that hold one or more: no more brokers can share the work. */
  readonly distinct: number
  /** The bundle of each coordinator. */
  readonly indices: Uint32Array
  /** The smallest number of bundles that parts them all; `null` above 1,024. A larger one need not. */
  readonly separatedBy: number | null
  /** The smallest power of two that does; `null` above 1,024. */
  readonly separatedByPowerOfTwo: number | null
}

/**
 * Where the transaction coordinators of a cluster lie.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_BUNDLE_COUNT
 * @example pulsar.transactionCoordinators({ bundles: 16 }).distinct // → 8
 */
export function transactionCoordinators({
  coordinators = DEFAULT_COORDINATORS,
  bundles = 64,
}: CoordinatorQuestion = {}): CoordinatorSpread {
  checkInteger(coordinators, 'coordinators', [1, 1_000_000])
  const hashes = coordinatorHashes(coordinators)
  const indices = NamespaceBundles.even(bundles).indexOfHash(hashes)
  const powers = Array.from({ length: 11 }, (_, bits) => 2 ** bits)
  const isParted = (n: number) => new Set(NamespaceBundles.even(n).indexOfHash(hashes)).size === coordinators
  return {
    coordinators,
    bundles,
    distinct: new Set(indices).size,
    indices,
    separatedBy: smallestSeparating(hashes.slice().sort(), { starts: [0], size: coordinators, known: null }),
    separatedByPowerOfTwo: powers.find(isParted) ?? null,
  }
}

/** Bundles that the coordinators lie on. */
export function distinctCoordinators(coordinators: number, bundles: number): number {
  return new Set(NamespaceBundles.even(bundles).indexOfHash(coordinatorHashes(coordinators))).size
}

const coordinatorHashes = (coordinators: number): Uint32Array =>
  hash.crc32(Array.from({ length: coordinators }, (_, i) => `${TOPIC}-partition-${i}`))

const TOPIC = 'persistent://pulsar/system/transaction_coordinator_assign'
