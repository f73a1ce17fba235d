/** What an engine must answer of new replicas: the questions in numbers, as both engines take them. */

/** Draws: the 48 bits of a `java.util.Random`, or what its `nextInt()` shall give, one after the other. */
export type RandomSource = { readonly state: number } | { readonly numbers: Int32Array }

/** Brokers by rack for the striped placer. Racks are numbered by name, the one of brokers without rack first. */
export interface StripedProblem {
  /** Ids of rack `r`, ascending: `unfenced[unfencedStarts[r] .. unfencedStarts[r + 1])`. One broker at least in all. */
  readonly unfenced: Int32Array
  readonly unfencedStarts: Uint32Array
  readonly fenced: Int32Array
  readonly fencedStarts: Uint32Array
  /** The racks in the order in which the original's map is walked. */
  readonly walk: Uint32Array
  /** In [1, the brokers]. */
  readonly replicationFactor: number
  readonly random: RandomSource
}

/** Brokers for the alternating placer. */
export interface AlternatingProblem {
  /** Ids in the order of placing: with racks, those of one rack after another in turn. */
  readonly ids: Int32Array
  /** Rack of each, in [0, rackCount); empty where racks do not matter. */
  readonly racks: Uint32Array
  /** 0 where racks do not matter. */
  readonly rackCount: number
  /** Number of the first partition. */
  readonly partition: number
  /** Position of the leader of partition 0. */
  readonly leader: number
  /** Shift of the followers of the first partitions; no sum that is made of it passes 2^31. */
  readonly shift: number
  /** In [1, the brokers]. */
  readonly replicationFactor: number
}
