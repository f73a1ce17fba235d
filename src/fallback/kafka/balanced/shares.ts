/**
 * How many partitions of each topic a subscriber gets at least, how many subscribers get one more, and who may be one.
 *
 * For `balanced`. Twin of native/core/src/kafka/balanced/shares.rs.
 * A member of weight w among subscribers of total weight W has the share n * w / W of a topic's n partitions, and gets it
 * rounded down or up. What is left after rounding down are the topic's _extras_; members whose share is no whole number are
 * its _carriers_, who get one at most. Topics stand in the order of their names, members have ranks in the order of their
 * ids, so that nothing below depends on the order of the input.
 */
import type { AssignProblem } from '../../../engine/assign-contract.js'
import { countOf } from '../slots.js'
import { subscriberClasses } from '../subscriptions.js'

/** Topics of the same subscribers; where these have different weights, of the same count too. */
export interface Field {
  /** Ranks, ascending. */
  readonly subscribers: Uint32Array
  /** Those who may get an extra. */
  readonly carriers: Uint32Array
  /** Weight of all subscribers. */
  readonly weight: number
  /** How many extras each of its topics has; `null` where all weigh alike, and the count of the topic tells. */
  readonly extras: number | null
}

interface SubscriberClass {
  /** Ranks, ascending, each once. */
  readonly subscribers: Uint32Array
  readonly name: string
  /** All weigh alike. */
  readonly even: boolean
}

export interface Shares {
  /** Topics that take part, by name, as numbers of the problem. */
  readonly topics: Uint32Array
  /** How many partitions each has. */
  readonly partitions: Uint32Array
  /** Load of one partition of each. */
  readonly topicWeights: Uint32Array
  readonly fieldOf: Uint32Array
  readonly fields: readonly Field[]
  /** Extras of topic `t` are `[extras[t], extras[t + 1])`. */
  readonly extras: Uint32Array
  /** Weight of each member, by rank. */
  readonly weights: Uint32Array
}

export function sharesOf(problem: AssignProblem): Shares {
  const maker = new ShareMaker(problem)
  const topics = problem.topicOrder!.filter((topic) => maker.takesPart(topic))
  const partitions = topics.map((topic) => countOf(problem, topic))
  const fieldOf = topics.map((topic, i) => maker.fieldOf(topic, partitions[i]!))
  const extras = new Uint32Array(topics.length + 1)
  topics.forEach((_, i) => {
    const { extras: some, subscribers } = maker.fields[fieldOf[i]!]!
    extras[i + 1] = extras[i]! + (some ?? partitions[i]! % subscribers.length)
  })
  const topicWeights = topics.map((topic) => problem.topicWeights?.[topic] ?? 1)
  return { topics, partitions, topicWeights, fieldOf, fields: maker.fields, extras, weights: maker.weights }
}

/** The share of a member in a topic, rounded down. Both products stay below 2^53: weights are below 2^20. */
export function floorOf({ partitions, fieldOf, fields, weights }: Shares, topic: number, member: number): number {
  return Math.floor((partitions[topic]! * weights[member]!) / fields[fieldOf[topic]!]!.weight)
}

class ShareMaker {
  readonly weights: Uint32Array
  readonly fields: Field[] = []
  readonly #classOf: Int32Array
  readonly #classes: readonly SubscriberClass[]
  readonly #known = new Map<string, number>()

  constructor(problem: AssignProblem) {
    const { memberOrder, memberWeights } = problem
    this.weights = memberOrder.map((member) => memberWeights?.[member] ?? 1)
    const ranks = ranksOf(memberOrder)
    const { classOf, members } = subscriberClasses(problem, memberOrder)
    this.#classOf = classOf
    this.#classes = members.map((some) => this.#class(some.map((member) => ranks[member]!)))
  }

  /** Classes differ where a member names a topic twice: by their subscribers they may be the same. */
  #class(ranks: Uint32Array): SubscriberClass {
    const subscribers = ranks.filter((rank, i) => rank !== ranks[i - 1])
    const first = this.weights[subscribers[0]!]
    return { subscribers, name: subscribers.join(), even: subscribers.every((rank) => this.weights[rank] === first) }
  }

  takesPart(topic: number): boolean {
    return this.#classOf[topic] !== -1
  }

  fieldOf(topic: number, partitions: number): number {
    const { subscribers, name, even } = this.#classes[this.#classOf[topic]!]!
    const key = even ? name : `${name} ${partitions}`
    let field = this.#known.get(key)
    if (field === undefined) {
      field = this.fields.push(this.#field(subscribers, even ? null : partitions)) - 1
      this.#known.set(key, field)
    }
    return field
  }

  #field(subscribers: Uint32Array, partitions: number | null): Field {
    const weight = subscribers.reduce((sum, rank) => sum + this.weights[rank]!, 0)
    if (partitions === null) return { subscribers, carriers: subscribers, weight, extras: null }
    const carriers = subscribers.filter((rank) => (partitions * this.weights[rank]!) % weight !== 0)
    let extras = partitions
    for (const rank of subscribers) extras -= Math.floor((partitions * this.weights[rank]!) / weight)
    return { subscribers, carriers, weight, extras }
  }
}

/** The place of each item of an order. */
export function ranksOf(order: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(order.length)
  order.forEach((item, rank) => {
    ranks[item] = rank
  })
  return ranks
}

/** The load that every member has in any case: its shares, rounded down. */
export function floorLoads(shares: Shares): Float64Array {
  const { topics, fields, fieldOf, topicWeights, partitions, weights } = shares
  const loads = new Float64Array(weights.length)
  const once = new Float64Array(fields.length)
  for (let topic = 0; topic < topics.length; topic++) {
    const { subscribers, extras } = fields[fieldOf[topic]!]!
    // Of an even field every subscriber has the same; of another one the count is the same for all topics.
    const each = extras === null ? Math.floor(partitions[topic]! / subscribers.length) : 1
    once[fieldOf[topic]!]! += each * topicWeights[topic]!
  }
  const first = firstTopics(shares)
  fields.forEach(({ subscribers, extras }, field) => {
    for (const rank of subscribers) {
      loads[rank]! += once[field]! * (extras === null ? 1 : floorOf(shares, first[field]!, rank))
    }
  })
  return loads
}

/** A topic of each field. */
function firstTopics({ fieldOf, fields }: Shares): Uint32Array {
  const first = new Uint32Array(fields.length)
  for (let topic = fieldOf.length - 1; topic >= 0; topic--) first[fieldOf[topic]!] = topic
  return first
}
