/**
 * What an engine is asked about a plan of replicas, and what it answers: a part of the contract of contract.ts.
 *
 * Twin of native/core/src/kafka/planner/problem.rs.
 */

/**
 * Rack rules of the engine. `spread`: the replicas of a partition per rack differ by at most one, as far as the racks' brokers
 * allow; with one rack alone no rule. `distinct`: in as many racks as can be.
 */
export const PLAN_RULES = ['spread', 'distinct'] as const

/** What ranks first: level counts and then the fewest moves, the fewest moves and then level counts, or no move at all. */
export const PLAN_FIRST = ['counts', 'moves', 'nothing'] as const

/** What is levelled after, for no move: leaders per broker, replicas of each topic per broker. */
export const PLAN_AFTER = ['leaders', 'topics'] as const

/** Brokers and partitions in canonical order: brokers by id, racks and topics by name, partitions by topic and number. */
export interface PlanProblem {
  /** Rack of each broker, in `[0, racks)`. */
  readonly rackOf: Uint32Array
  readonly racks: number
  /** 1 for a broker that may hold replicas. */
  readonly isIn: Uint8Array
  /** How much of the load each broker should carry, in proportion; `null`: all alike. */
  readonly weights: Uint32Array | null
  /** Replicas of partition `p`: `replicas[offsets[p] .. offsets[p + 1])`, the leader first. */
  readonly offsets: Uint32Array
  readonly replicas: Uint32Array
  /** How many replicas each partition shall have; `null`: as many as it has. */
  readonly factors: Uint32Array | null
  /** Topic of each partition; ascends. */
  readonly topicOf: Uint32Array
  readonly rule: (typeof PLAN_RULES)[number]
  readonly first: (typeof PLAN_FIRST)[number]
  readonly after: readonly (typeof PLAN_AFTER)[number][]
}

/** New lists, and what proves them. */
export interface PlannedReplicas {
  /** Replicas of partition `p`: `replicas[offsets[p] .. offsets[p + 1])`. */
  readonly offsets: Uint32Array
  readonly replicas: Uint32Array
  /** Replicas on a broker that did not hold their partition. */
  readonly moves: number
  /** Moves that no plan can avoid. */
  readonly bound: number
  /** What of them the counts alone explain: the larger of what is too much and what is too little on the brokers. */
  readonly boundByCounts: number
  /** What of them the rules alone explain: replicas that cannot stay where they stand. */
  readonly boundByRules: number
  /** One number a broker, from which the bound can be computed again. */
  readonly potentials: Int32Array
}

/** What a plan is sought by, each a rank. */
export const PLAN_RANKS = ['counts', 'moves', 'leaders', 'topics'] as const

/** A plan that keeps the rules, and by what it shall be bettered. */
export interface RankProblem {
  /** The start, racks, brokers and rules; `factors`, `first` and `after` say nothing here. */
  readonly problem: PlanProblem
  /** The plan's replicas of partition `p`: `replicas[offsets[p] .. offsets[p + 1])`. */
  readonly offsets: Uint32Array
  readonly replicas: Uint32Array
  /** What the copy of a replica of each partition costs; `null`: 1. */
  readonly costs: Float64Array | null
  /** By rank, each once; what is not named is not sought. */
  readonly ranks: readonly (typeof PLAN_RANKS)[number][]
  /** Looks at replicas and brokers that it may take, in `[0, 2^53)`. */
  readonly looks: number
}

/** Better lists. */
export interface RankedReplicas {
  /** In the places of the plan's. */
  readonly replicas: Uint32Array
  /** Looks that are left; -1 where they did not suffice: then the lists are the plan's own. */
  readonly looks: number
}

/** What the one who waits for a plan hears of it, and says. */
export interface PlanWatch {
  /** Stops the work, on a worker thread at its next look (docs/planner.md), on the event loop at its next turn. */
  readonly signal?: AbortSignal | undefined
  /** Parts of the work that are done, and how many those are. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}
