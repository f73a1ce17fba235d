/** The facade asked about one cluster in two orders. */
import { isDeepStrictEqual } from 'node:util'
import type { PlanProblem } from '../../src/engine/plan-contract.js'
import { kafka } from '../../src/index.js'
import { listAt } from './chains.js'

/** A problem as a user has it, and the options that ask for the same. */
export interface Asked {
  readonly cluster: kafka.ClusterSnapshot
  readonly options: kafka.PlanOptions
}

/** One sentence for each thing that the order changes. To the facade a rack with no broker that is in counts, so that distinct may be refused. */
export function wrongShuffled(problem: PlanProblem, chance: (bound: number) => number): string[] {
  const asked = askedOf(problem.isIn.includes(0) ? { ...problem, rule: 'spread' } : problem)
  const one = kafka.planReassignment(asked.cluster, asked.options)
  return wrongInOtherOrder(asked, one, chance)
}

/** The same, and what the facade's plan has otherwise than these lists: those of the engine's plan, and no factors asked. */
export function wrongAtFacade(
  problem: PlanProblem,
  replicas: Uint32Array,
  chance: (bound: number) => number,
): string[] {
  const asked = askedOf(problem)
  const one = kafka.planReassignment(asked.cluster, asked.options)
  const wrong = isDeepStrictEqual(one.replicas, replicas) ? [] : ['the facade plans other lists']
  return [...wrong, ...wrongInOtherOrder(asked, one, chance)]
}

function wrongInOtherOrder(
  { cluster, options }: Asked,
  one: kafka.ReassignmentPlan,
  chance: (bound: number) => number,
): string[] {
  const topics = cluster.topics.map(({ name, partitions }) => ({ name, partitions: mixed(partitions, chance) }))
  const other = kafka.planReassignment(
    { brokers: mixed(cluster.brokers, chance), topics: mixed(topics, chance) },
    options,
  )
  if (one.fingerprint !== other.fingerprint) return ['the fingerprint depends on the order']
  return isDeepStrictEqual(one.replicas, other.replicas) ? [] : ['lists depend on the order']
}

/** Names ascend as numbers do. */
const named = (letter: string, number: number): string => `${letter}${String(number).padStart(6, '0')}`

export function askedOf(problem: PlanProblem): Asked {
  const { rackOf, isIn, weights, rule, first, after } = problem
  const brokers = [...rackOf].map((rack, id) => {
    const state: kafka.BrokerState = isIn[id] === 1 ? 'in' : 'out'
    return { id, rack: named('r', rack), state, weight: weights?.[id] ?? 1 }
  })
  const mode = first === 'counts' ? 'balance' : 'repair'
  const objectives: kafka.PlanObjective[] = first === 'counts' ? ['counts', 'moves'] : ['moves', 'counts']
  const options = { mode, rackRule: rule, objectives: [...objectives, ...after] } as const
  return { cluster: { brokers, topics: topicsOf(problem) }, options }
}

function topicsOf(problem: PlanProblem): { name: string; partitions: { partition: number; replicas: number[] }[] }[] {
  const topics = new Map<number, { partition: number; replicas: number[] }[]>()
  for (let p = 0; p + 1 < problem.offsets.length; p++) {
    const topic = problem.topicOf[p]!
    const partitions = topics.get(topic) ?? []
    partitions.push({ partition: partitions.length, replicas: [...listAt(problem, p)] })
    topics.set(topic, partitions)
  }
  return [...topics].map(([topic, partitions]) => ({ name: named('t', topic), partitions }))
}

function mixed<T>(items: readonly T[], chance: (bound: number) => number): T[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const other = chance(i + 1)
    const item = order[i]!
    order[i] = order[other]!
    order[other] = item
  }
  return order
}
