/**
 * The same events under each assignor, side by side, so that a team can choose one.
 *
 * For `kafka.compareAssignors`. Every row is an answer of `kafka.rebalance`; figures are read from it when they are asked.
 */
import { type CodedError, isCodedError } from '../errors.js'
import { type AssignQuestion, CLASSIC_ASSIGNORS, CONSUMER_ASSIGNORS } from './assign.js'
import { type Rebalance, type RebalanceTotals, rebalance } from './rebalance.js'
import type { GroupBalance, GroupSpread } from './rebalance-balance.js'
import type { GroupEvent } from './rebalance-events.js'
import type { RebalanceProtocol } from './rebalance-rounds.js'

/** A group without the assignor. */
export type ComparedGroup = Omit<AssignQuestion, 'groupType' | 'assignor'>

/** What an assignor makes of it. */
export interface ComparedAssignor {
  readonly groupType: AssignQuestion['groupType']
  readonly assignor: AssignQuestion['assignor']
  /** `null` where the original throws. */
  readonly rebalance: Rebalance | null
  /** Why there is none. */
  readonly error: CodedError | null
}

/** The answer of `kafka.compareAssignors`. */
export class AssignorComparison {
  readonly rows: readonly ComparedAssignor[]

  constructor(rows: readonly ComparedAssignor[]) {
    this.rows = rows
  }

  toJSON(): AssignorComparisonDocument {
    return { rows: this.rows.map(documentOf) }
  }
}

/** What `JSON.stringify` writes of a comparison. */
export interface AssignorComparisonDocument {
  readonly rows: readonly ComparedAssignorDocument[]
}

export interface ComparedAssignorDocument extends Pick<ComparedAssignor, 'groupType' | 'assignor'> {
  readonly protocol: RebalanceProtocol | null
  readonly totals: RebalanceTotals | null
  /** At the end. */
  readonly balance: GroupBalance | null
  readonly spread: GroupSpread | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/**
 * Runs events over a group once for each assignor.
 *
 * A group in which nobody owns anything forms under each assignor by itself; else all begin with what members own.
 *
 * @returns a row for each, classic ones first. Where the original throws, the row has an error; so have the rows of a
 *   consumer group where topics have no `id`
 * @throws as `kafka.rebalance`, but for ERR_PLACEMENT_ORIGINAL_FAILS
 * @example
 * const topics = [{ name: 'orders', partitions: 6 }]
 * const members = ['a', 'b', 'c'].map((id) => ({ id, topics: ['orders'] }))
 * const { rows } = kafka.compareAssignors({ topics, members }, [{ leave: 'c' }])
 * rows.map(({ assignor, rebalance }) => [assignor, rebalance.totals.moves]) // range 3, roundrobin 4, sticky 2, …
 */
export function compareAssignors(group: ComparedGroup, events: readonly GroupEvent[]): AssignorComparison {
  const classic = CLASSIC_ASSIGNORS.map((assignor) => rowOf({ ...group, groupType: 'classic', assignor }, events))
  const consumer = CONSUMER_ASSIGNORS.map((assignor) => rowOf({ ...group, groupType: 'consumer', assignor }, events))
  return new AssignorComparison([...classic, ...consumer])
}

/** A group that no classic assignor takes is refused; what a consumer group lacks besides is told in its row. */
function rowOf(question: AssignQuestion, events: readonly GroupEvent[]): ComparedAssignor {
  const { groupType, assignor } = question
  try {
    return { groupType, assignor, rebalance: rebalance(question, events), error: null }
  } catch (error) {
    const isOwn = isCodedError(error) && (error.code === 'ERR_PLACEMENT_ORIGINAL_FAILS' || groupType === 'consumer')
    if (!isOwn) throw error
    return { groupType, assignor, rebalance: null, error }
  }
}

function documentOf({ groupType, assignor, rebalance: answer, error }: ComparedAssignor): ComparedAssignorDocument {
  return {
    groupType,
    assignor,
    protocol: answer?.protocol ?? null,
    totals: answer?.totals ?? null,
    balance: answer?.balance ?? null,
    spread: answer?.spread ?? null,
    error: error === null ? null : { code: error.code, message: error.message },
  }
}
