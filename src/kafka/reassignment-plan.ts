/**
 * A plan: its lists, the moves, the proof, and what it does to each broker and rack.
 *
 * Columns inside; objects are made when they are asked for. Lists are those of the whole cluster, changed or not.
 */
import { checkInteger, checkText, codedError, shown } from '../errors.js'
import { type Explanation, explain } from './plan-explain.js'
import { fingerprintOf } from './plan-fingerprint.js'
import { type Loss, lossOf } from './plan-loss.js'
import type { CheckedPlanOptions, RackRule } from './plan-options.js'
import type { PlanQuestion } from './plan-question.js'
import type { Answer } from './plan-settled.js'
import {
  type BrokerShare,
  type Gap,
  leaderGap,
  type RackShare,
  sharesOf,
  sharesOfRacks,
  topicGap,
} from './plan-shares.js'
import { type Wave, type WaveLimits, wavesOf } from './plan-waves.js'

/** One partition of a reassignment, as Kafka's JSON has it. */
export interface PartitionReplicas {
  readonly topic: string
  readonly partition: number
  readonly replicas: readonly number[]
}

/** The document of Kafka's reassignment files. */
export interface ReassignmentDocument {
  readonly version: 1
  readonly partitions: readonly PartitionReplicas[]
}

/** A partition that changes. */
export interface PlannedChange extends PartitionReplicas {
  /** The list at the start. */
  readonly before: readonly number[]
  /** Brokers that come and that go. */
  readonly adding: readonly number[]
  readonly removing: readonly number[]
}

/** A plan as JSON. */
export interface PlanDocument extends Pick<CheckedPlanOptions, 'mode' | 'objectives'> {
  readonly rackRule: RackRule
  readonly moves: number
  readonly bound: number
  readonly boundByCounts: number
  readonly boundByRules: number
  readonly isProved: boolean
  readonly movedBytes: number | null
  readonly bytesBound: number | null
  readonly fingerprint: string
  readonly leaders: Gap
  readonly topics: Gap
  readonly brokers: readonly BrokerShare[]
  readonly racks: readonly RackShare[]
  readonly reassignment: ReassignmentDocument
}

export class ReassignmentPlan {
  /** What was asked, in numbers and names. */
  readonly question: PlanQuestion
  /** Row `r` has the brokers `replicas[offsets[r] .. offsets[r + 1])`, as positions in `question.brokers`. */
  readonly offsets: Uint32Array
  readonly replicas: Uint32Array
  /** Replicas on a broker that did not hold their partition: data that is copied. */
  readonly moves: number
  /** Moves that no plan of this rank can avoid. */
  readonly bound: number
  readonly boundByCounts: number
  readonly boundByRules: number
  /** One number a broker, from which the bound can be computed again. */
  readonly potentials: Int32Array
  /** Bytes that no plan of this rank can avoid; `null` where the cluster does not tell bytes. */
  readonly bytesBound: number | null
  readonly #isPacked: boolean
  #fingerprint: string | undefined
  #changed: Uint32Array | undefined

  constructor(question: PlanQuestion, planned: Answer) {
    this.question = question
    this.offsets = planned.offsets
    this.replicas = planned.replicas
    this.moves = planned.moves
    this.bound = planned.bound
    this.boundByCounts = planned.boundByCounts
    this.boundByRules = planned.boundByRules
    this.potentials = planned.potentials
    this.bytesBound = planned.bytesBound
    this.#isPacked = planned.isPacked
  }

  /**
   * True where no plan of this rank moves fewer replicas, or copies fewer bytes where bytes are known. Never where replicas
   * were put elsewhere for the sake of capacities.
   */
  get isProved(): boolean {
    if (this.#isPacked) return false
    return this.bytesBound === null ? this.moves === this.bound : this.movedBytes === this.bytesBound
  }

  /** Rows of the cluster whose lists change. */
  get changedRows(): Uint32Array {
    this.#changed ??= changedRowsOf(this)
    return this.#changed
  }

  /** Bytes that are copied; `null` where the cluster does not tell bytes. */
  get movedBytes(): number | null {
    const { bytes } = this.question.cluster
    if (bytes === null) return null
    let total = 0
    for (const row of this.changedRows) total += bytes[row]! * this.change(row).adding.length
    return total
  }

  /** 16 hex digits over broker ids, topics and lists: equal plans of equal clusters have the same, in whatever order given. */
  get fingerprint(): string {
    this.#fingerprint ??= fingerprintOf(this)
    return this.#fingerprint
  }

  /** Broker ids of a partition by the plan. @throws ERR_PLACEMENT_UNKNOWN_NAME */
  replicasOf(topic: string, partition: number): number[] {
    return this.after(this.row(topic, partition))
  }

  /** Row of a partition. @throws ERR_PLACEMENT_UNKNOWN_NAME */
  row(topic: string, partition: number): number {
    checkText(topic, 'topic')
    checkInteger(partition, 'partition', [0, Number.MAX_SAFE_INTEGER])
    const row = this.question.cluster.rowOf(topic, partition)
    if (row >= 0) return row
    throw codedError(
      'ERR_PLACEMENT_UNKNOWN_NAME',
      `partition: expected one of the cluster, got ${shown(`${topic}-${partition}`)}`,
    )
  }

  /** Broker ids of a row at the start. */
  before(row: number): number[] {
    const { offsets, replicas } = this.question.problem
    return this.#ids(replicas.subarray(offsets[row]!, offsets[row + 1]!))
  }

  /** Broker ids of a row by the plan. */
  after(row: number): number[] {
    return this.#ids(this.replicas.subarray(this.offsets[row]!, this.offsets[row + 1]!))
  }

  #ids(positions: Uint32Array): number[] {
    return Array.from(positions, (position) => this.question.brokers[position]!.id)
  }

  /** What happens to a row. */
  change(row: number): PlannedChange {
    checkInteger(row, 'row', [0, this.offsets.length - 2])
    const [before, replicas] = [this.before(row), this.after(row)]
    return {
      ...this.#named(row),
      replicas,
      before,
      adding: replicas.filter((id) => !before.includes(id)),
      removing: before.filter((id, i) => !replicas.includes(id) && before.indexOf(id) === i),
    }
  }

  #named(row: number): Pick<PartitionReplicas, 'topic' | 'partition'> {
    const { cluster } = this.question
    return { topic: cluster.topicOf(row), partition: cluster.partitions[row]! }
  }

  /** All partitions that change, by topic and number. */
  *changes(): Generator<PlannedChange> {
    for (const row of this.changedRows) yield this.change(row)
  }

  /** Kafka's reassignment document: what changes, as it shall be. */
  reassignment(): ReassignmentDocument {
    const one = (row: number): PartitionReplicas => ({ ...this.#named(row), replicas: this.after(row) })
    return { version: 1, partitions: Array.from(this.changedRows, one) }
  }

  /** The way back: what changes, as it was. */
  rollback(): ReassignmentDocument {
    const one = (row: number): PartitionReplicas => ({ ...this.#named(row), replicas: this.before(row) })
    return { version: 1, partitions: Array.from(this.changedRows, one) }
  }

  /** Per broker, by id: replicas and leaders before and after, what comes and goes. */
  brokerShares(): BrokerShare[] {
    return sharesOf(this)
  }

  /** The same per rack, by name; brokers without a rack are left out. */
  rackShares(): RackShare[] {
    return sharesOfRacks(this)
  }

  /** How far the leaders are from level, as a sum of squares: before, after, and the least that could be. */
  get leaderGap(): Gap {
    return leaderGap(this)
  }

  /** The same of the replicas of each topic per broker. */
  get topicGap(): Gap {
    return topicGap(this)
  }

  /** Which rule or objective put the replicas of a partition where they are. @throws ERR_PLACEMENT_UNKNOWN_NAME */
  explain(topic: string, partition: number): Explanation {
    return explain(this, this.row(topic, partition))
  }

  /** What the loss of a broker (an id) or a rack (a name) costs once the plan is done. @throws ERR_PLACEMENT_UNKNOWN_NAME */
  loss(of: number | string): Loss {
    return lossOf(this, of)
  }

  /** The plan in pieces, each with the way back and its throttles. @throws ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_INFEASIBLE */
  waves(limits: WaveLimits = {}): Wave[] {
    return wavesOf(this, limits)
  }

  toJSON(): PlanDocument {
    const { mode, objectives } = this.question.options
    const { moves, bound, boundByCounts, boundByRules, isProved, movedBytes, bytesBound, fingerprint } = this
    return {
      mode,
      rackRule: this.question.rackRule,
      objectives,
      ...{ moves, bound, boundByCounts, boundByRules, isProved, movedBytes, bytesBound, fingerprint },
      leaders: this.leaderGap,
      topics: this.topicGap,
      brokers: this.brokerShares(),
      racks: this.rackShares(),
      reassignment: this.reassignment(),
    }
  }
}

function changedRowsOf({ question, offsets, replicas }: ReassignmentPlan): Uint32Array {
  const { problem } = question
  const rows: number[] = []
  for (let row = 0; row + 1 < offsets.length; row++) {
    const [from, size] = [problem.offsets[row]!, problem.offsets[row + 1]! - problem.offsets[row]!]
    let isSame = offsets[row + 1]! - offsets[row]! === size
    for (let i = 0; i < size && isSame; i++) isSame = replicas[offsets[row]! + i] === problem.replicas[from + i]
    if (!isSame) rows.push(row)
  }
  return Uint32Array.from(rows)
}
