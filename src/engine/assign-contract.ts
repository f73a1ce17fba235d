/**
 * What an engine is asked about a group, and what it answers: a part of the contract of contract.ts.
 *
 * Twin of native/core/src/kafka/problem.rs.
 */

/** The client-side assignors, by Kafka's names, and ours. */
export type ClientAssignor = 'range' | 'roundrobin' | 'sticky' | 'cooperative-sticky' | 'balanced'

/** The broker-side ones, by the rules that an engine knows: `uniform-4.0` is `uniform` as 4.0 had it. */
export type ServerAssignor = 'uniform' | 'uniform-4.0' | 'server-range' | 'simple'

/**
 * A group and its topics in numbers: topics and members as the caller ordered them, names left at the edge.
 *
 * A _slot_ is a partition that is, or that someone speaks of: slots of topic `t` are `[starts[t], starts[t + 1])`, their
 * numbers ascend. Where all topics are dense (numbers 0..count-1, and nobody claims another), slot `starts[t] + p` is
 * partition `p`, and `numbers` and `kinds` are `null`. A topic without slots has no metadata.
 */
export interface AssignProblem {
  readonly assignor: ClientAssignor | ServerAssignor
  /** One more than there are topics. */
  readonly starts: Uint32Array
  /** Number of the partition of each slot. */
  readonly numbers: Int32Array | null
  /** Of each slot: bit 0 (`SLOT_EXISTS`) it is in the metadata, bit 1 (`SLOT_COUNTED`) its number is below the count. */
  readonly kinds: Uint8Array | null
  /**
   * Topics by name, for broker-side assignors by id, as `compareTo` orders; `null` where that was not worth the sorting: an
   * assignor that needs it all the same answers `order-needed`.
   */
  readonly topicOrder: Uint32Array | null
  /** `hashCode` of each topic's name, for broker-side assignors of its id. */
  readonly topicHashes: Int32Array
  /** Members by id, as `compareTo` orders. */
  readonly memberOrder: Uint32Array
  /** Members as `MemberInfo` orders: static ones by instance id, then the others by id. */
  readonly memberInfoOrder: Uint32Array
  /** `String.hashCode` of each member id. */
  readonly memberHashes: Int32Array
  /** Topics of subscription list `i`: `listTopics[listOffsets[i] .. listOffsets[i + 1])`, as given, repeats too. */
  readonly listOffsets: Uint32Array
  readonly listTopics: Uint32Array
  /** The subscription list of each member: members that give equal lists should share one. */
  readonly listOf: Uint32Array
  /** Slots that member `m` says it owns: `claims[claimOffsets[m] .. claimOffsets[m + 1])`, as given. */
  readonly claimOffsets: Uint32Array
  readonly claims: Uint32Array
  /** The generation that comes with a member's claims, -1 for none. */
  readonly generations: Int32Array
  /** The generation in the subscription's own field, -1 for none. */
  readonly fieldGenerations: Int32Array
  readonly racks: AssignRacks | null
  /** The highest generation that the assignor saw before, -1 for none. */
  readonly maxGeneration: number
  /** What a broker-side assignor is told beside; `null` for the others. */
  readonly server: ServerGroup | null
  /** Load of one partition of each topic, for `balanced`; `null` where all weigh alike. */
  readonly topicWeights: Uint32Array | null
  /** What each member can carry, set against the others, for `balanced`; `null` where all can carry as much. */
  readonly memberWeights: Uint32Array | null
}

/** A consumer or share group as the coordinator describes it. */
export interface ServerGroup {
  /** How many topics are in the metadata: those numbered below. */
  readonly known: number
  /** Said to subscribe alike: then the first member's subscription stands for all. */
  readonly homogeneous: boolean
  /** Claims are walked in the order of the hash maps into which a coordinator reads them from its record; else as given. */
  readonly replayed: boolean
  /** 1 for each slot that a share group may hand out; `null` for all. */
  readonly assignable: Uint8Array | null
}

/** Racks in numbers from 0; `null` in the problem where no member has one. */
export interface AssignRacks {
  readonly count: number
  /** Rack of each member, -1 for none. */
  readonly ofMember: Int32Array
  /** Which set of racks holds the replicas of each slot. Slots that do not exist have an empty one. */
  readonly setOf: Uint32Array
  /** Racks of set `s`, each once: `setRacks[setOffsets[s] .. setOffsets[s + 1])`. */
  readonly setOffsets: Uint32Array
  readonly setRacks: Uint32Array
}

/** Who gets what, or why the original throws. */
export type AssignAnswer = AssignResult | Refused

/** Who waits for an answer meanwhile. */
export interface Waiting {
  readonly signal: AbortSignal | undefined
  /** Told now and then which step is reached, below `STEPS` of src/fallback/kafka/steps.ts. */
  readonly onStep: ((step: number) => void) | undefined
}

/** Why the original throws. */
export interface Refused {
  readonly failure: AssignFailure
  /** The member, topic or slot that the failure names, or -1. */
  readonly member: number
}

export interface AssignResult {
  /** Slots of member `m`, in the order of the original's list: `values[offsets[m] .. offsets[m + 1])`. */
  readonly offsets: Uint32Array
  readonly values: Uint32Array
  /** Positions in `values`, ascending, that cooperative members get only once another gave them up; else empty. */
  readonly withheld: Uint32Array
  /** Which of its two algorithms an assignor took; `null` for those that have one. */
  readonly algorithm: Algorithm | null
  /** The highest generation seen, for the next question to the same assignor. */
  readonly maxGeneration: number
  /** Slots that two members claimed with equal right, or hold both, ascending. */
  readonly clashes: Uint32Array
}

export type Algorithm = 'constrained' | 'general' | 'homogeneous' | 'heterogeneous'

/** What stops the original; the order is the binding's: native/binding/assign.rs. */
export const ASSIGN_FAILURES = [
  /** It must order topics of one hash code and has no `topicOrder`: ask again with it. */
  'order-needed',
  /** It divides by no members. */
  'no-members',
  /** The circular iterator is empty. */
  'empty-iterator',
  /** Partitions are left, and no member has room. */
  'no-room',
  /** Members below the quota are left, and too few are above it. */
  'too-few-above',
  /** The member named ends below the quota. */
  'below-quota',
  /** It asks a member for its partitions that it took out of the balancing. */
  'null',
  /** It asks for the smallest, or the next, of no members. */
  'no-element',
  /** A member subscribes to the topic named, which is not in the metadata. */
  'unknown-topic',
  /** The same, as the broker's `range` says it. */
  'unknown-topic-range',
  /** Members have no room for what is left. */
  'left-unassigned',
  /** The number of the slot named, which is held, is none of its topic's. */
  'out-of-bounds',
] as const
export type AssignFailure = (typeof ASSIGN_FAILURES)[number]
