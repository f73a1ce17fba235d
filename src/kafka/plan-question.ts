/**
 * A cluster and options as the engine is asked: who is in, racks in numbers, replica lists in canonical order.
 *
 * A reassignment under way is read as its target. Brokers that come are numbered among the others by id.
 */

import type { PlanProblem } from '../engine/plan-contract.js'
import { codedError } from '../errors.js'
import type { Cluster } from './cluster.js'
import { checkedBroker } from './cluster-checks.js'
import type { Broker, ClusterBroker } from './cluster-types.js'
import type { CheckedPlanOptions, RackRule } from './plan-options.js'

/** What is planned, with names. */
export interface PlanQuestion {
  readonly cluster: Cluster
  readonly options: CheckedPlanOptions
  /** Ascending by id, those that come among them. */
  readonly brokers: readonly Broker[]
  readonly rackRule: RackRule
  /** Names of the racks by number. */
  readonly racks: readonly string[]
  readonly problem: PlanProblem
}

/** @throws ERR_PLACEMENT_UNKNOWN_NAME, ERR_PLACEMENT_DUPLICATE, ERR_PLACEMENT_ARGUMENT_RANGE */
export function questionOf(cluster: Cluster, options: CheckedPlanOptions): PlanQuestion {
  const brokers = brokersOf(cluster, options)
  const rackRule = ruleOf(brokers, options)
  const racks = rackRule === 'none' ? ['*'] : racksOf(brokers)
  const rackOf = Uint32Array.from(brokers, ({ rack }) =>
    Math.max(0, rackRule === 'none' ? 0 : racks.indexOf(rack ?? '')),
  )
  const { offsets, replicas } = startOf(cluster, brokers)
  const problem: PlanProblem = {
    rackOf,
    racks: racks.length,
    isIn: Uint8Array.from(brokers, ({ state }) => Number(state === 'in')),
    weights: weightsOf(brokers),
    offsets,
    replicas,
    factors: factorsOf(cluster, offsets, options),
    topicOf: topicsOf(cluster),
    rule: rackRule === 'distinct' ? 'distinct' : 'spread',
    first: firstOf(options),
    after: options.objectives.filter((objective) => objective === 'leaders' || objective === 'topics'),
  }
  return { cluster, options, brokers, rackRule, racks, problem }
}

/** Where other ranks come between, the plan of the engine is the start of a search. */
function firstOf({ mode, objectives }: CheckedPlanOptions): PlanProblem['first'] {
  if (mode === 'leaders') return 'nothing'
  const [counts, moves] = [objectives.indexOf('counts'), objectives.indexOf('moves')]
  return counts !== -1 && counts < moves ? 'counts' : 'moves'
}

function brokersOf(cluster: Cluster, { removeBrokers, addBrokers, replace }: CheckedPlanOptions): Broker[] {
  const byId = new Map(cluster.brokers.map((broker) => [broker.id, broker]))
  for (const [i, added] of addBrokers.entries()) {
    const broker = checkedBroker(typeof added === 'number' ? { id: added } : added, `addBrokers[${i}]`)
    const before = byId.get(broker.id)
    if (before?.rack != null && broker.rack != null && broker.rack !== before.rack) {
      const message = `addBrokers[${i}]: expected rack ${before.rack}, where the cluster has broker ${broker.id}, got ${broker.rack}`
      throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
    }
    byId.set(broker.id, addedTo(before, broker))
  }
  const leaving = [...removeBrokers, ...replace.map(([from]) => from)]
  for (const id of leaving)
    byId.set(id, { ...known(byId, id, removeBrokers.includes(id) ? 'removeBrokers' : 'replace'), state: 'out' })
  for (const [, to] of replace) byId.set(to, { ...known(byId, to, 'replace'), state: 'in' })
  return [...byId.values()].sort((a, b) => a.id - b.id)
}

function addedTo(before: Broker | undefined, { id, rack, weight, capacity }: ClusterBroker): Broker {
  return {
    id,
    rack: rack ?? before?.rack ?? null,
    state: 'in',
    weight: weight ?? before?.weight ?? 1,
    capacity: capacity ?? before?.capacity ?? null,
    listed: true,
  }
}

function known(byId: ReadonlyMap<number, Broker>, id: number, what: string): Broker {
  const broker = byId.get(id)
  if (broker !== undefined) return broker
  throw codedError(
    'ERR_PLACEMENT_UNKNOWN_NAME',
    `${what}: expected ids of the cluster, got ${id}${what === 'replace' ? ': addBrokers adds one' : ''}`,
  )
}

/** Some brokers with a rack and some without is no answerable question, unless racks do not count. */
function ruleOf(brokers: readonly Broker[], { rackRule }: CheckedPlanOptions): RackRule {
  if (rackRule === 'none') return 'none'
  const ins = brokers.filter(({ state }) => state === 'in')
  const bare = ins.filter(({ rack }) => rack === null)
  if (bare.length === ins.length) {
    if (rackRule === undefined) return 'none'
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_RANGE',
      `rackRule: expected none, since no broker has a rack, got ${rackRule}`,
    )
  }
  if (bare.length === 0) return rackRule ?? 'spread'
  const message = `brokers: expected a rack of each or of none, got none of ${bare.length} of ${ins.length}, the first is broker ${bare[0]!.id}: give it a rack, or set disableRackAware (--disable-rack-aware)`
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
}

function racksOf(brokers: readonly Broker[]): string[] {
  const names = new Set<string>()
  for (const { rack } of brokers) if (rack !== null) names.add(rack)
  return [...names].sort((a, b) => (a < b ? -1 : 1))
}

/** Weights as integers, the largest a million where they are not small integers already; `null` where all are alike. */
function weightsOf(brokers: readonly Broker[]): Uint32Array | null {
  const weights = brokers.filter(({ state }) => state === 'in').map(({ weight }) => weight)
  if (weights.every((weight) => weight === weights[0])) return null
  const areSmall = weights.every((weight) => Number.isInteger(weight) && weight <= 1e6)
  const scale = areSmall ? 1 : 1e6 / Math.max(...weights)
  return Uint32Array.from(brokers, ({ weight }) => Math.max(1, Math.round(Math.min(1e6, weight * scale))))
}

/** Replica lists at the start: of a partition that is being moved, where it goes to. */
function startOf(cluster: Cluster, brokers: readonly Broker[]): Pick<PlanProblem, 'offsets' | 'replicas'> {
  const at = new Map(brokers.map(({ id }, position) => [id, position]))
  const positions = Uint32Array.from(cluster.brokers, ({ id }) => at.get(id)!)
  const replicas = new Uint32Array(cluster.replicas.length)
  for (let i = 0; i < replicas.length; i++) replicas[i] = positions[cluster.replicas[i]!]!
  if (cluster.moving.size === 0) return { offsets: cluster.replicaStarts, replicas }
  return withoutRemoved(cluster, replicas, at)
}

function withoutRemoved(cluster: Cluster, replicas: Uint32Array, at: ReadonlyMap<number, number>) {
  const offsets = new Uint32Array(cluster.length + 1)
  let length = 0
  for (let row = 0; row < cluster.length; row++) {
    const removing = (cluster.moving.get(row)?.removing ?? []).map((id) => at.get(id))
    const [from, to] = [cluster.replicaStarts[row]!, cluster.replicaStarts[row + 1]!]
    for (let i = from; i < to; i++) {
      const broker = replicas[i]!
      if (removing.length === to - from || !removing.includes(broker)) replicas[length++] = broker
    }
    offsets[row + 1] = length
  }
  return { offsets, replicas: replicas.slice(0, length) }
}

function topicsOf({ topicStarts, length }: Cluster): Uint32Array {
  const topics = new Uint32Array(length)
  for (let topic = 0; topic + 1 < topicStarts.length; topic++) {
    topics.fill(topic, topicStarts[topic]!, topicStarts[topic + 1]!)
  }
  return topics
}

function factorsOf(
  cluster: Cluster,
  offsets: Uint32Array,
  { replicationFactor }: CheckedPlanOptions,
): Uint32Array | null {
  if (replicationFactor === undefined) return null
  const factors = new Uint32Array(cluster.length)
  for (let row = 0; row < factors.length; row++) factors[row] = offsets[row + 1]! - offsets[row]!
  if (typeof replicationFactor === 'number') return factors.fill(replicationFactor)
  for (const [topic, factor] of Object.entries(replicationFactor)) {
    const at = cluster.topicNames.indexOf(topic)
    if (at === -1) {
      throw codedError(
        'ERR_PLACEMENT_UNKNOWN_NAME',
        `replicationFactor: expected topics of the cluster, got ${JSON.stringify(topic)}`,
      )
    }
    factors.fill(factor, cluster.topicStarts[at]!, cluster.topicStarts[at + 1]!)
  }
  return factors
}
