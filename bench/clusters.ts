/** Clusters to plan, as large as they come: placed as Kafka's tools do, then drifted and skewed by what happens over years. */
import type { PlanProblem } from '../src/engine/plan-contract.js'
import { chanceOf } from '../test/planner/chance.js'

/** What a cluster looks like, and what happens to it. */
export interface ClusterShape {
  readonly name: string
  readonly replicas: number
  readonly topics: number
  /** Brokers of each rack that hold data now. */
  readonly racks: readonly number[]
  /** Brokers of each rack that come. */
  readonly added: readonly number[]
  /** How many of those that hold data shall go. */
  readonly removed: number
  /** Replication factors, topic by topic in turn. */
  readonly factors: readonly number[]
  /** Partitions of 1,000 that were moved by hand since, and of those, those that broke the rack rule. */
  readonly drift: number
  readonly illegal: number
  /** Whether what was moved by hand went to the first brokers. */
  readonly isSkewed: boolean
}

const PLAIN = { drift: 150, illegal: 20, isSkewed: false, removed: 0, factors: [3] }

/** The sizes of the planner's table. */
export const CLUSTERS: readonly ClusterShape[] = [
  {
    ...PLAIN,
    name: '100,000 replicas, 30 brokers, 3 added',
    replicas: 1e5,
    topics: 500,
    racks: [10, 10, 10],
    added: [1, 1, 1],
    illegal: 0,
  },
  {
    ...PLAIN,
    name: '2,800,000, 215 brokers, 5 removed',
    replicas: 2.8e6,
    topics: 3500,
    racks: [43, 43, 43, 43, 43],
    added: [0, 0, 0, 0, 0],
    removed: 5,
  },
  {
    ...PLAIN,
    name: '2,800,000, unequal racks, factors 1 to 5, 5 added, 5 removed, skewed',
    replicas: 2.8e6,
    topics: 3500,
    racks: [70, 55, 45, 30, 15],
    added: [0, 0, 3, 0, 2],
    removed: 5,
    factors: [3, 2, 3, 5, 4, 3, 1],
    drift: 400,
    illegal: 50,
    isSkewed: true,
  },
  {
    ...PLAIN,
    name: '10,000,000, 1,000 brokers, 100 added',
    replicas: 1e7,
    topics: 20_000,
    racks: Array(10).fill(90),
    added: Array(10).fill(10),
    illegal: 0,
  },
  {
    ...PLAIN,
    name: '10,000,000, 1,000 brokers, unequal racks, two new, 30 removed, skewed',
    replicas: 1e7,
    topics: 20_000,
    racks: [200, 160, 140, 120, 100, 80, 60, 40, 0, 0],
    added: [0, 0, 0, 0, 0, 0, 0, 0, 50, 50],
    removed: 30,
    isSkewed: true,
  },
]

/** The cluster as the engine is asked about it: level counts first, then moves, then leaders. */
export function problemOf(shape: ClusterShape): PlanProblem {
  const chance = chanceOf(shape.replicas + shape.topics)
  const { rackOf, inRack } = brokersOf(shape)
  const isIn = new Uint8Array(rackOf.length).fill(1)
  const old = shape.racks.reduce((total, count) => total + count, 0)
  for (let i = 0; i < shape.removed; i++) isIn[(i * 7) % old] = 0
  const { offsets, topicOf } = partitionsOf(shape, chance)
  const replicas = new Uint32Array(offsets.at(-1)!)
  const place = placerOf(shape, inRack, chance)
  for (let p = 0; p + 1 < offsets.length; p++) {
    const list = replicas.subarray(offsets[p]!, offsets[p + 1]!)
    place(list)
    if (chance(1000) < shape.drift) drift(list, { rackOf, old, shape, chance })
  }
  const racks = shape.racks.length
  const options = { weights: null, factors: null, rule: 'spread', first: 'counts', after: ['leaders'] } as const
  return { rackOf, racks, isIn, offsets, replicas, topicOf, ...options }
}

/** Old brokers rack by rack in turn, then the new ones. */
function brokersOf({ racks, added }: ClusterShape): { rackOf: Uint32Array; inRack: number[][] } {
  const rackOf: number[] = []
  const left = [...racks]
  while (left.some((count) => count > 0)) {
    for (const [rack, count] of left.entries()) {
      if (count > 0) rackOf.push(rack)
      left[rack] = Math.max(0, count - 1)
    }
  }
  const inRack = racks.map((_, rack) => [...rackOf.keys()].filter((b) => rackOf[b] === rack))
  for (const [rack, count] of added.entries()) for (let i = 0; i < count; i++) rackOf.push(rack)
  return { rackOf: Uint32Array.from(rackOf), inRack }
}

/** Few large topics, many small ones. */
function partitionsOf({ replicas, topics, factors }: ClusterShape, chance: (bound: number) => number) {
  const weights = Array.from({ length: topics }, () => ((chance(1e6) + 1) / 1e6) ** -0.7)
  const all = weights.reduce((total, weight) => total + weight, 0)
  const mean = factors.reduce((total, factor) => total + factor, 0) / factors.length
  const offsets = [0]
  const topicOf: number[] = []
  for (const [topic, weight] of weights.entries()) {
    const size = Math.max(1, Math.floor((weight / all) * (replicas / mean)))
    for (let i = 0; i < size; i++) {
      offsets.push(offsets.at(-1)! + factors[topic % factors.length]!)
      topicOf.push(topic)
    }
  }
  return { offsets: Uint32Array.from(offsets), topicOf: Uint32Array.from(topicOf) }
}

/** One replica a rack; racks in proportion to their brokers, the leader anywhere. */
function placerOf({ racks }: ClusterShape, inRack: readonly number[][], chance: (bound: number) => number) {
  const old = racks.reduce((total, count) => total + count, 0)
  return (list: Uint32Array): void => {
    const taken = new Set<number>()
    for (let i = 0; i < list.length; ) {
      const spot = chance(old)
      let [rack, before] = [0, 0]
      while (before + racks[rack]! <= spot) before += racks[rack++]!
      if (taken.has(rack)) continue
      taken.add(rack)
      list[i++] = inRack[rack]![spot - before]!
    }
  }
}

interface Years {
  readonly rackOf: Uint32Array
  readonly old: number
  readonly shape: ClusterShape
  readonly chance: (bound: number) => number
}

/** One replica to another broker, of a rack that has none unless the rule is broken. */
function drift(list: Uint32Array, { rackOf, old, shape, chance }: Years): void {
  const at = chance(list.length)
  const breaks = chance(1000) < shape.illegal
  for (let tries = 0; tries < 20; tries++) {
    const broker = shape.isSkewed ? Math.min(chance(old), chance(old)) : chance(old)
    if (list.includes(broker)) continue
    const others = list.filter((_, i) => i !== at)
    if (!breaks && others.some((other) => rackOf[other] === rackOf[broker])) continue
    list[at] = broker
    return
  }
}
