/** Which rule or objective put each replica of a partition where it is, in a word and a sentence. */

import type { PlanQuestion } from './plan-question.js'
import { countsOf } from './plan-shares.js'
import type { ReassignmentPlan } from './reassignment-plan.js'

/**
 * `stays` · `broker-out`: its broker may hold nothing · `repeated`: the list had the broker twice · `rack-rule`: its rack had
 * too many, or needs one · `factor`: the replication factor changes · `level`: for even counts.
 */
export type ExplanationReason = 'stays' | 'broker-out' | 'repeated' | 'rack-rule' | 'factor' | 'level'

export interface ReplicaExplanation {
  readonly broker: number
  readonly change: 'stays' | 'joins' | 'leaves'
  readonly reason: ExplanationReason
  readonly text: string
}

export interface Explanation {
  readonly topic: string
  readonly partition: number
  readonly before: readonly number[]
  readonly replicas: readonly number[]
  /** Who stays, who joins, who leaves, in this order. */
  readonly parts: readonly ReplicaExplanation[]
  /** Why another broker leads than before; `null` where none does. */
  readonly leader: string | null
}

export function explain(plan: ReassignmentPlan, row: number): Explanation {
  const { topic, partition, before, replicas, adding, removing } = plan.change(row)
  const teller = new Teller(plan, before, replicas)
  const stays = replicas.filter((id) => before.includes(id)).map((id) => teller.stays(id))
  const joins = adding.map((id) => teller.joins(id, removing))
  const leaves = removing.map((id) => teller.leaves(id))
  return { topic, partition, before, replicas, parts: [...stays, ...joins, ...leaves], leader: teller.leader() }
}

class Teller {
  readonly #question: PlanQuestion
  readonly #before: readonly number[]
  readonly #after: readonly number[]
  readonly #counts: { readonly before: Uint32Array; readonly after: Uint32Array }

  constructor(plan: ReassignmentPlan, before: readonly number[], after: readonly number[]) {
    this.#question = plan.question
    this.#before = before
    this.#after = after
    const { problem, brokers } = plan.question
    this.#counts = {
      before: countsOf(problem, brokers.length).replicas,
      after: countsOf(plan, brokers.length).replicas,
    }
  }

  stays(broker: number): ReplicaExplanation {
    const text = `broker ${broker} keeps its replica: no rule and no level asks it to move`
    return { broker, change: 'stays', reason: 'stays', text }
  }

  leaves(broker: number): ReplicaExplanation {
    const [reason, text] = this.#whyLeaves(broker)
    return { broker, change: 'leaves', reason, text: `broker ${broker} gives its replica away: ${text}` }
  }

  #whyLeaves(broker: number): [ExplanationReason, string] {
    const at = this.#position(broker)
    if (this.#question.brokers[at]!.state !== 'in') return ['broker-out', 'it is not in']
    const [had, has] = [this.#inRack(this.#before, at), this.#inRack(this.#after, at)]
    if (this.#after.length < this.#before.length)
      return ['factor', `${this.#after.length} replicas are wanted, not ${this.#before.length}`]
    if (had > has && this.#wasUneven(at))
      return ['rack-rule', `its rack ${this.#rack(at)} had ${had} replicas of the partition, and may have ${has}`]
    return ['level', `it has ${counted(this.#counts.before[at]!)} in all, and ${this.#counts.after[at]} by the plan`]
  }

  joins(broker: number, removing: readonly number[]): ReplicaExplanation {
    const at = this.#position(broker)
    const [reason, why] = this.#whyJoins(at, removing)
    const text = `broker ${broker} gets a replica: ${why}; it goes from ${counted(this.#counts.before[at]!)} in all to ${this.#counts.after[at]}`
    return { broker, change: 'joins', reason, text }
  }

  #whyJoins(at: number, removing: readonly number[]): [ExplanationReason, string] {
    const left = removing.map((id) => this.#whyLeaves(id)[0])
    if (removing.length === 0 && new Set(this.#before).size < this.#before.length) {
      return ['repeated', 'the list named a broker twice']
    }
    if (this.#after.length > this.#before.length)
      return ['factor', `${this.#after.length} replicas are wanted, not ${this.#before.length}`]
    if (left.includes('rack-rule'))
      return ['rack-rule', `its rack ${this.#rack(at)} had ${this.#inRack(this.#before, at)} of the partition`]
    if (left.includes('broker-out'))
      return [
        'broker-out',
        `broker ${removing.join(' and ')} must be left, and it has most room of those that the rules allow`,
      ]
    return ['level', 'it has room below its even share']
  }

  leader(): string | null {
    const [was, is] = [this.#before[0], this.#after[0]]
    if (was === is || was === undefined || is === undefined) return null
    if (!this.#after.includes(was)) return `broker ${is} leads: ${was}, which led, holds the partition no longer`
    return `broker ${is} leads: leaders are level so, and broker ${was} led more than its share`
  }

  #position(id: number): number {
    return this.#question.brokers.findIndex((broker) => broker.id === id)
  }

  #rack(at: number): string {
    return this.#question.racks[this.#question.problem.rackOf[at]!]!
  }

  #inRack(list: readonly number[], at: number): number {
    const { rackOf } = this.#question.problem
    return list.filter((id) => rackOf[this.#position(id)] === rackOf[at]).length
  }

  /** True where a rack had two more than another that got one since. */
  #wasUneven(at: number): boolean {
    const had = this.#inRack(this.#before, at)
    const joined = this.#after.filter((id) => !this.#before.includes(id)).map((id) => this.#position(id))
    return joined.some((other) => this.#inRack(this.#before, other) + 1 < had)
  }
}

const counted = (replicas: number): string => `${replicas} replica${replicas === 1 ? '' : 's'}`
