/**
 * Rows of the planner: clusters of the sizes of its table, the fewest moves proved; and beside our moves those of Kafka's own
 * tool, which places anew.
 */
import { engine } from '../../src/engine/index.js'
import type { PlanProblem } from '../../src/engine/plan-contract.js'
import { kafka } from '../../src/index.js'
import { CLUSTERS, type ClusterShape, problemOf } from '../clusters.js'
import type { Effort } from '../race.js'
import { memoryAbove, resident } from '../resident.js'
import type { CaseResult, Row } from '../row.js'

/** A part of the cluster for a run as a test. */
function scaled(shape: ClusterShape, { items }: Effort): ClusterShape {
  const share = Math.min(1, items / 1e6)
  const least = shape.racks.reduce((total, count) => total + count, 0)
  return {
    ...shape,
    replicas: Math.max(least, Math.round(shape.replicas * share)),
    topics: Math.max(1, Math.round(shape.topics * share)),
  }
}

function planCase(shape: ClusterShape, effort: Effort, otherwise: Partial<PlanProblem> = {}): CaseResult {
  const problem = { ...problemOf(scaled(shape, effort)), ...otherwise }
  let [best, processor] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const before = resident()
  for (let round = 0; round < effort.rounds; round++) {
    const cpu = process.cpuUsage()
    const began = performance.now()
    const { moves, bound } = engine().planReplicas(problem)
    best = Math.min(best, performance.now() - began)
    const { user, system } = process.cpuUsage(cpu)
    processor = Math.min(processor, (user + system) / 1000)
    if (moves !== bound) throw new Error(`${shape.name}: ${moves} moves, the bound is ${bound}`)
  }
  const { moves, bound } = engine().planReplicas(problem)
  return {
    case: shape.name,
    unit: 'replica',
    items: problem.replicas.length,
    figures: {
      milliseconds: best,
      'of the processor': processor,
      moves,
      bound,
      ...memoryAbove(before),
      ...toolMoves(shape, problem),
    },
  }
}

/** The default of the API, which levels topics too; not among the goals. */
function withTopics(effort: Effort): CaseResult[] {
  return CLUSTERS.slice(0, 2).map((shape) =>
    planCase({ ...shape, name: `${shape.name}, topics level too` }, effort, { after: ['leaders', 'topics'] }),
  )
}

/** The size whose racks are unequal, by the rules alone and by weights; not among the goals. */
function otherwise(effort: Effort): CaseResult[] {
  const shape = CLUSTERS[2]!
  const brokers = [...shape.racks, ...shape.added].reduce((total, count) => total + count, 0)
  const weights = Uint32Array.from({ length: brokers }, (_, b) => 1 + (b % 3))
  return [
    planCase({ ...shape, name: `${shape.name}, repair` }, effort, { first: 'moves' }),
    planCase({ ...shape, name: `${shape.name}, weights 1 to 3` }, effort, { weights }),
  ]
}

/** Moves of kafka-reassign-partitions --generate, topic by topic by the placer of 4.1 on, on the smallest cluster alone. */
function toolMoves({ replicas }: ClusterShape, problem: PlanProblem): { "moves of Kafka's --generate"?: number } {
  if (replicas > 2e5) return {}
  const brokers = [...problem.rackOf]
    .map((rack, id) => ({ id, rack: `r${rack}` }))
    .filter(({ id }) => problem.isIn[id] === 1)
  let moves = 0
  for (let from = 0; from < problem.topicOf.length; ) {
    let to = from
    while (problem.topicOf[to] === problem.topicOf[from]) to += 1
    const replicationFactor = problem.offsets[from + 1]! - problem.offsets[from]!
    const random = { seed: problem.topicOf[from]! }
    const placed = kafka.placeReplicas({ placer: 'striped', brokers, partitions: to - from, replicationFactor, random })
    for (let p = from; p < to; p++) {
      const held = problem.replicas.subarray(problem.offsets[p]!, problem.offsets[p + 1]!)
      moves += placed.replicasOf(p - from).filter((id) => !held.includes(id)).length
    }
    from = to
  }
  return { "moves of Kafka's --generate": moves }
}

export const PLANNER_ROWS: readonly Row[] = [
  {
    name: 'planner',
    work: 'level replica lists with the fewest moves, integers in memory, the bound included',
    goal: '10 ms, 0.3 s, 2 s, 1.5 s, 5 s, by size; moves = bound',
    run: (effort) => [...CLUSTERS.map((shape) => planCase(shape, effort)), ...withTopics(effort), ...otherwise(effort)],
  },
]
