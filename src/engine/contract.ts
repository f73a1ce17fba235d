/**
 * What an engine must answer. Two stand behind this: `native` (the Rust addon) and `fallback` (pure TypeScript), equal
 * bit for bit. The facade has checked every argument before it asks; the engine checks what only a pass over the data
 * shows, and tells it by a number, so that the message is written once, in the facade.
 */
import type { HashName, Packed, PulsarVersion } from '../types.js'
import type { AssignAnswer, AssignProblem, Waiting } from './assign-contract.js'
import type { AlternatingProblem, StripedProblem } from './placement-contract.js'
import type { PlannedReplicas, PlanProblem, PlanWatch, RankedReplicas, RankProblem } from './plan-contract.js'

/** Result of a check over a column: -1, or the position in `offsets` of the first one that is wrong. */
export type BadOffset = number

/** The arms of the native engine, and the one of the fallback. */
export type CpuArm = 'scalar' | 'avx2' | 'avx2-vpclmul' | 'avx512' | 'avx512-gather' | 'neon' | 'javascript'

/**
 * How a partitioner makes a partition of a 32-bit hash `h`, on `n` partitions:
 * `mask`: `(h & 0x7fffffff) % n` · `unsigned`: `(h >>> 0) % n` · `abs`: `|(h | 0) % n|`, the remainder's sign dropped ·
 * `abs-first`: `|h | 0| % n`, with `|-2^31|` = 0 as Kafka's `Utils.abs`.
 */
export type Reduction = 'mask' | 'unsigned' | 'abs' | 'abs-first'

/** A partition of each key: its hash, then the reduction. */
export interface PartitionWork {
  readonly hash: HashName
  readonly reduction: Reduction
  /** In `[1, 2147483647]`. */
  readonly numPartitions: number
}

/** Most threads that may answer, the caller's own among them, in `[1, 256]`. The fallback has one, whatever is given. */
export type Threads = number

/** A table of ranges `[starts[i], starts[i + 1])`, the last one up to 2^32 - 1 inclusive; `starts[0]` is 0. */
export interface RangeIndex {
  /** Index of the range of each hash, into `out` (as long as `hashes`). */
  ofHashes(hashes: Uint32Array, out: Uint32Array, threads: Threads): void
  /** CRC-32 of each key and the index of its range, in one pass. */
  ofPacked(column: Packed, out: Uint32Array, threads: Threads): BadOffset
  /** The same off the event loop. */
  ofPackedAsync(column: Packed, out: Uint32Array, threads: Threads): Promise<BadOffset>
  /**
   * The same of topic names, UTF-16 until hashed: if all are strings, plain names (src/fallback/pulsar/plain-name.ts), and of
   * the namespace, unless that is `null`. False where one is not; `out` is then partly written.
   */
  ofTopics(topics: readonly unknown[], namespace: string | null, out: Uint32Array): boolean
}

/**
 * Consumers over the hashes of keys: of slot `s = (murmur3 & 0x7fffffff) % modulus` (`modulus` 0: no remainder taken), the
 * range `i` is the one of `starts` that holds it, and the consumer `members[firsts[i] + s % n]` of the
 * `n = firsts[i + 1] - firsts[i]` that share the range; -1 where `n` is 0.
 */
export interface KeyLayout {
  readonly modulus: number
  /** Ascend strictly from 0. */
  readonly starts: Uint32Array
  /** One more than `starts`. */
  readonly firsts: Uint32Array
  /** Each below 2^31. */
  readonly members: Uint32Array
}

/** The consumer of each key, into `out` (as long as the keys). */
export interface KeyTable {
  ofPacked(column: Packed, out: Int32Array, threads: Threads): BadOffset
  /** The same off the event loop. */
  ofPackedAsync(column: Packed, out: Int32Array, threads: Threads): Promise<BadOffset>
  /** The same of strings, UTF-16 until hashed. False where an item is no string; `out` is then partly written. */
  ofStrings(strings: readonly unknown[], out: Int32Array): boolean
}

/** Topic names made canonical, or the index of the first that is refused. */
export type CanonicalNames =
  | { readonly values: Uint8Array; readonly offsets: Uint32Array }
  | { readonly refused: number }

/** Topics of a bundle: their hashes, and the traffic of each, in and out together; all of one length, none NaN. */
export interface Flows {
  readonly hashes: Uint32Array
  /** Messages a second. */
  readonly msgRates: Float64Array
  /** Bytes a second. */
  readonly throughputs: Float64Array
}

/** What flow_or_qps_equally_divide gives a bundle at most. */
export interface FlowLimits {
  readonly maxMsgRate: number
  readonly maxThroughput: number
  /** How much of a limit must be reached before anything is split: 1.1 for ten percent above. */
  readonly share: number
}

/**
 * Families of topics: two names or more that are equal but for a number of at most nine digits at their end, in the order of
 * the CRC-32 of what precedes it, then of its CRC-32C and its length. Family `f` has the hashes `[starts[f], starts[f + 1])`.
 */
export interface NumberedFamilies {
  /** How many names. */
  readonly sizes: Uint32Array
  readonly least: Uint32Array
  readonly greatest: Uint32Array
  /** 1 where the number is a partition's. */
  readonly isPartitions: Uint8Array
  /** One more than there are families. */
  readonly starts: Uint32Array
  /** Family by family, each ascending. */
  readonly hashes: Uint32Array
}

/** Names of Kafka's topics at fault, by their positions, which ascend. */
export interface TopicNameFaults {
  /** Those that Kafka refuses. */
  readonly illegal: Uint32Array
  /** Pairs: a name, and a later one that is the same in metrics and spelt otherwise. */
  readonly collisions: Uint32Array
}

export interface Engine {
  readonly name: 'native' | 'fallback'
  /** Why this engine answers: one line for people. */
  readonly reason: string
  readonly cpu: CpuArm
  /** Raw 32 bits of each key of a column, into `out` (as long as the column). Nothing is written when an offset is bad. */
  hashPacked(hash: HashName, column: Packed, out: Int32Array | Uint32Array, threads: Threads): BadOffset
  /** The same off the event loop, of a slice of a few hundred thousand keys. */
  hashPackedAsync(hash: HashName, column: Packed, out: Int32Array | Uint32Array, threads: Threads): Promise<BadOffset>
  /**
   * The same of strings, UTF-16 until hashed, into `out` (as long as those). False where an item is no string: what this
   * wrote is worthless then.
   */
  hashStrings(hash: HashName, strings: readonly unknown[], out: Int32Array | Uint32Array): boolean
  /** Hash, then the reduction to a partition, in one pass. */
  partitionPacked(work: PartitionWork, column: Packed, out: Int32Array, threads: Threads): BadOffset
  partitionPackedAsync(work: PartitionWork, column: Packed, out: Int32Array, threads: Threads): Promise<BadOffset>
  partitionStrings(work: PartitionWork, strings: readonly unknown[], out: Int32Array): boolean
  /** One long key, `bytes[0, length)`, signed: no view is made for it. The facade takes short ones itself, where a native call would cost more than the hash. */
  hashBytes(hash: HashName, bytes: Uint8Array, length: number): number
  /** `starts` ascend strictly and begin with 0. */
  rangeIndex(starts: Uint32Array): RangeIndex
  keyTable(layout: KeyLayout): KeyTable
  /** Full names (`persistent://tenant/namespace/topic`) as `TopicName.get(name).toString()` of that release. */
  canonicalNames(column: Packed, version: PulsarVersion): CanonicalNames
  /** The same off the event loop. The fallback looks at the signal between its parts; a task of the addon is not stopped. */
  canonicalNamesAsync(column: Packed, version: PulsarVersion, signal?: AbortSignal): Promise<CanonicalNames>
  /** What is wrong with names of Kafka's topics, in chunks whose offsets are right. */
  topicNameFaults(chunks: readonly Packed[]): TopicNameFaults
  /** The same off the event loop; the signal as in `canonicalNamesAsync`. */
  topicNameFaultsAsync(chunks: readonly Packed[], signal?: AbortSignal): Promise<TopicNameFaults>
  /** The cut of topic_count_equally_divide of two hashes or more: the middle of the two in the middle, rounded down. */
  middleHash(hashes: Uint32Array): number
  /** The cuts of flow_or_qps_equally_divide, in [1, 2^32]; `null` where nothing is split. */
  flowBoundaries(flows: Flows, limits: FlowLimits): Float64Array | null
  /** Hashes ascending into `sorted`, and where wanted the index that each had into `order`; equal hashes keep their order. */
  sortHashes(hashes: Uint32Array, sorted: Uint32Array, order: Uint32Array | null): void
  /** The same off the event loop. */
  sortHashesAsync(hashes: Uint32Array, sorted: Uint32Array, order: Uint32Array | null): Promise<void>
  /** The families of names, whose CRC-32s these are, in the order of the chunks; their offsets are right. */
  numberedFamilies(chunks: readonly Packed[], hashes: Uint32Array): NumberedFamilies
  /** The same off the event loop; the signal as in `canonicalNamesAsync`. */
  numberedFamiliesAsync(chunks: readonly Packed[], hashes: Uint32Array, signal?: AbortSignal): Promise<NumberedFamilies>
  /**
   * Positions of keys in the order in which a `java.util.HashMap` is walked that they were put into; `ranks` is their place
   * in the order of `compareTo`, `null` is given back where that decides and is not known.
   */
  javaMapOrder(hashCodes: Int32Array, ranks: Uint32Array | null, tableSize: number): Uint32Array | null
  /** Partitions to members, as a client-side assignor of Kafka. */
  assign(problem: AssignProblem): AssignAnswer
  /** The same off the event loop. Rejects, with what it likes, where the signal fires meanwhile. */
  assignAsync(problem: AssignProblem, waiting: Waiting): Promise<AssignAnswer>
  /**
   * Replicas of a topic, row by row into `out`: the state of the draws after it, or how many numbers they used, -1 where
   * those are too few.
   */
  striped(problem: StripedProblem, out: Int32Array): number
  alternating(problem: AlternatingProblem, out: Int32Array): void
  /** Replica lists that are level, with the fewest moves; every partition has a legal set. */
  planReplicas(problem: PlanProblem): PlannedReplicas
  /** The same off the event loop; rejects with the signal's reason. */
  planReplicasAsync(problem: PlanProblem, watch: PlanWatch): Promise<PlannedReplicas>
  /** Better lists by ranks in any order, as far as so many looks go; equal to the plan's or better, rank by rank. */
  betterReplicas(question: RankProblem): RankedReplicas
  /** The same off the event loop; rejects with the signal's reason. */
  betterReplicasAsync(question: RankProblem, watch: PlanWatch): Promise<RankedReplicas>
}
