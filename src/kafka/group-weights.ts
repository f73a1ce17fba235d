/**
 * Weights of topics and members, checked: what `balanced` alone looks at.
 *
 * For `kafka.assign`. Whole numbers, so that both engines compare them exactly: a share is partitions * weight, and the cost
 * of a load is load * weight, which must stay apart as 64-bit floating point numbers too.
 */
import type { AssignProblem, ClientAssignor } from '../engine/assign-contract.js'
import { checkInteger, codedError, shown } from '../errors.js'
import type { MemberColumns, TopicColumns } from './group-types.js'

/** The heaviest weight. The lightest is 1. */
const HEAVIEST = 1_000_000
/** All loads together, times the heaviest member: three times that is below 2^53. */
const MOST_LOAD = 2 ** 51

/** Refuses a weight that is no integer in `[1, 1000000]`. */
export function checkWeight(weight: unknown, where: string): number {
  return checkInteger(weight, where, [1, HEAVIEST])
}

type Weights = Pick<AssignProblem, 'topicWeights' | 'memberWeights'>
const NO_WEIGHTS: Weights = { topicWeights: null, memberWeights: null }

interface Weighed {
  readonly weight?: number | undefined
}

/** Weights given in objects that are checked; `length` topics are named. */
export function weightsOfObjects(
  assignor: ClientAssignor,
  topics: readonly (Weighed & { readonly partitions: number })[],
  members: readonly Weighed[],
  length: number,
): Weights {
  if (assignor !== 'balanced') return NO_WEIGHTS
  const weights = { topicWeights: columnOf(topics, length), memberWeights: columnOf(members, members.length) }
  return checkLoad(
    weights,
    topics.map(({ partitions }) => partitions),
  )
}

/** `null` where none has a weight. */
function columnOf(some: readonly Weighed[], length: number): Uint32Array | null {
  if (some.every(({ weight }) => weight === undefined)) return null
  return Uint32Array.from({ length }, (_, i) => some[i]?.weight ?? 1)
}

/** Weights given in columns. Errors: ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE. */
export function weightsOfColumns(assignor: ClientAssignor, topics: TopicColumns, members: MemberColumns): Weights {
  const weights = {
    topicWeights: checkColumn(topics.weights, topics.names.length, 'topics.weights'),
    memberWeights: checkColumn(members.weights, members.ids.length, 'members.weights'),
  }
  return assignor === 'balanced' ? checkLoad(weights, topics.partitions) : NO_WEIGHTS
}

function checkColumn(column: unknown, length: number, where: string): Uint32Array | null {
  if (column === undefined) return null
  if (!(column instanceof Uint32Array)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a Uint32Array, got ${shown(column)}`)
  }
  if (column.length !== length) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${where}: expected ${length} entries, got ${column.length}`)
  }
  column.forEach((weight, i) => {
    checkWeight(weight, `${where}[${i}]`)
  })
  return column
}

/** Refuses loads that are too great to be compared. */
function checkLoad(weights: Weights, counts: ArrayLike<number>): Weights {
  const { topicWeights, memberWeights } = weights
  let load = 0
  for (let topic = 0; topic < counts.length; topic++) load += counts[topic]! * (topicWeights?.[topic] ?? 1)
  const heaviest = memberWeights?.reduce((most, weight) => Math.max(most, weight), 1) ?? 1
  if (load * heaviest <= MOST_LOAD) return weights
  throw codedError(
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    `weights: expected all loads, times the heaviest member, to be at most ${MOST_LOAD}, got ${load * heaviest}`,
  )
}
