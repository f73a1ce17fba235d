/** What a plan changes in each objective, against the start of its question. */
import type { PlannedReplicas } from '../engine/plan-contract.js'
import type { Difference } from '../fallback/kafka/planner/ranked-state.js'
import type { PlanQuestion } from './plan-question.js'

/** Sums of squares after, less those before; of moves what they cost: bytes, or 1 each where bytes are not known. */
export function differenceOf(question: PlanQuestion, planned: PlannedReplicas): Difference {
  const { problem, cluster } = question
  const moves = costOfMoves(problem, planned, cluster.bytes)
  const [before, after] = [talliesOf(question, problem), talliesOf(question, planned)]
  let [counts, size, leaders] = [0, 0, 0]
  for (let b = 0; b < before.load.length; b++) {
    const step = (after.load[b]! ** 2 - before.load[b]! ** 2) / (problem.weights?.[b] ?? 1)
    counts += step
    size += Math.abs(step)
    leaders += after.leads[b]! ** 2 - before.leads[b]! ** 2
  }
  // Fractions of weights leave a rest that means nothing.
  if (Math.abs(counts) <= size * 1e-12) counts = 0
  const topics = question.options.objectives.includes('topics') && cluster.length > 0 ? after.topics - before.topics : 0
  return { counts, moves, leaders, topics }
}

type Lists = Pick<PlannedReplicas, 'offsets' | 'replicas'>

function talliesOf({ brokers, cluster }: PlanQuestion, { offsets, replicas }: Lists) {
  const [load, leads, own] = [brokers, brokers, brokers].map(({ length }) => new Float64Array(length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  let topics = 0
  for (let topic = 0; topic + 1 < cluster.topicStarts.length; topic++) {
    own.fill(0)
    for (let row = cluster.topicStarts[topic]!; row < cluster.topicStarts[topic + 1]!; row++) {
      const [from, to] = [offsets[row]!, offsets[row + 1]!]
      if (from < to) leads[replicas[from]!]! += 1
      for (let i = from; i < to; i++) own[replicas[i]!]! += 1
    }
    for (const [b, count] of own.entries()) {
      load[b]! += count
      topics += count * count
    }
  }
  return { load, leads, topics }
}

/** How many replicas stand where none stood before. */
export const movesBetween = (before: Lists, after: Lists): number => costOfMoves(before, after, null)

/** What those cost, by the row: 1 each where nothing else is known. */
function costOfMoves(start: Lists, { offsets, replicas }: Lists, costs: Float64Array | null): number {
  let cost = 0
  for (let row = 0; row + 1 < offsets.length; row++) {
    const before = start.replicas.subarray(start.offsets[row]!, start.offsets[row + 1]!)
    for (let i = offsets[row]!; i < offsets[row + 1]!; i++) {
      if (!before.includes(replicas[i]!)) cost += costs?.[row] ?? 1
    }
  }
  return cost
}
