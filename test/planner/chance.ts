/** Random clusters for the planner's tests: small ones that can be judged by trying everything, and larger ones. */
import type { PlanProblem } from '../../src/engine/plan-contract.js'

/** Numbers from a seed, for tests alone. */
export function chanceOf(seed: number): (bound: number) => number {
  let state = seed >>> 0 || 1
  return (bound) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return Math.floor((Math.imul(state, 0x9e3779b1) >>> 0) / (2 ** 32 / bound))
  }
}

export interface Shape {
  readonly brokers: number
  readonly racks: number
  readonly partitions: number
  readonly topics: number
}

/** A cluster of that shape: some brokers out, lists drawn anywhere, now and then a broker twice; mostly not legal. */
export function clusterOf(chance: (bound: number) => number, shape: Shape): PlanProblem {
  const { brokers, racks } = shape
  const rackOf = Uint32Array.from({ length: brokers }, (_, b) => (b < racks ? b : chance(racks)))
  const isIn = new Uint8Array(brokers).fill(1)
  if (chance(2) === 0) for (let b = 0; b < brokers; b++) if (chance(4) === 0) isIn[b] = 0
  const ins = isIn.reduce((total, one) => total + one, 0)
  if (ins === 0) return clusterOf(chance, shape)
  const lists = listsOf(chance, shape, Math.min(4, ins))
  const offsets = new Uint32Array(lists.length + 1)
  for (const [p, list] of lists.entries()) offsets[p + 1] = offsets[p]! + list.length
  const factors = chance(4) === 0 ? Uint32Array.from(lists, () => 1 + chance(Math.min(4, ins))) : null
  return {
    rackOf,
    racks,
    isIn,
    weights: chance(4) === 0 ? rackOf.map(() => 1 + chance(5)) : null,
    offsets,
    replicas: Uint32Array.from(lists.flat()),
    factors,
    topicOf: Uint32Array.from(lists, () => chance(shape.topics)).sort(),
    rule: chance(3) === 0 ? 'distinct' : 'spread',
    first: chance(3) === 0 ? 'moves' : 'counts',
    after: AFTER[chance(AFTER.length)]!,
  }
}

const AFTER: readonly PlanProblem['after'][] = [
  [],
  ['leaders'],
  ['leaders', 'topics'],
  ['topics', 'leaders'],
  ['topics'],
]

function listsOf(chance: (bound: number) => number, { brokers, partitions }: Shape, most: number): number[][] {
  const [isUniform, factor, bias] = [chance(2) === 0, 1 + chance(most), chance(4)]
  return Array.from({ length: partitions }, () => {
    const size = isUniform ? factor : 1 + chance(most)
    const width = Math.max(Math.min(size, brokers), brokers - chance(bias + 1))
    const list: number[] = []
    while (list.length < size) {
      const broker = chance(width)
      if (!list.includes(broker) || chance(60) === 0) list.push(broker)
    }
    return list
  })
}

/** Two to seven brokers, one to seven partitions. */
export function smallCluster(chance: (bound: number) => number): PlanProblem {
  const brokers = 2 + chance(6)
  const racks = 1 + chance(Math.min(4, brokers))
  return clusterOf(chance, { brokers, racks, partitions: 1 + chance(7), topics: 3 })
}

/** Up to 25 brokers and 150 partitions. */
export function largerCluster(chance: (bound: number) => number): PlanProblem {
  const brokers = 3 + chance(23)
  const racks = 1 + chance(Math.min(8, brokers))
  return clusterOf(chance, { brokers, racks, partitions: 1 + chance(150), topics: 12 })
}
