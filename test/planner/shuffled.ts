/** The facade asked about one cluster in two orders. */
import type { PlanProblem } from '../../src/engine/plan-contract.js'
import { kafka } from '../../src/index.js'
import { listsOf } from './claims.js'

/** One sentence for each thing that the order changes. */
export function wrongShuffled(problem: PlanProblem, chance: (bound: number) => number): string[] {
  const topics = [...new Set(problem.topicOf)].map((topic) => ({
    name: `t${topic}`,
    partitions: listsOf(problem)
      .filter((_, p) => problem.topicOf[p] === topic)
      .map((replicas, partition) => ({ partition, replicas })),
  }))
  const brokers = [...problem.rackOf].map((rack, id) => {
    const state: kafka.BrokerState = problem.isIn[id] === 1 ? 'in' : 'out'
    return { id, rack: `r${rack}`, state, weight: problem.weights?.[id] ?? 1 }
  })
  const mode = problem.first === 'counts' ? 'balance' : 'repair'
  const one = kafka.planReassignment({ brokers, topics }, { mode })
  const turned = topics.map(({ name, partitions }) => ({ name, partitions: mixed(partitions, chance) }))
  const other = kafka.planReassignment({ brokers: mixed(brokers, chance), topics: mixed(turned, chance) }, { mode })
  if (one.fingerprint !== other.fingerprint) return ['the fingerprint depends on the order']
  return String(one.replicas) === String(other.replicas) ? [] : ['lists depend on the order']
}

function mixed<T>(items: readonly T[], chance: (bound: number) => number): T[] {
  const order = items.map((item) => ({ item, at: chance(2 ** 20) }))
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item)
}
