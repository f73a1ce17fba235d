/**
 * A group given in columns, checked and completed to what the engine is asked.
 *
 * For `kafka.assign` with millions of partitions: nothing is copied that can be used as it is.
 */
import type { AssignProblem, AssignRacks, ClientAssignor } from '../engine/assign-contract.js'
import { codedError, shown } from '../errors.js'
import { checkNames, memberInfoOrder, orderOf } from './group-names.js'
import type { NumberedGroup } from './group-objects.js'
import type { MemberColumns, OwnedColumns, RackColumns, SubscriptionColumns, TopicColumns } from './group-types.js'
import { weightsOfColumns } from './group-weights.js'
import { startsOf } from './slot-space.js'

export function numberColumns(
  assignor: ClientAssignor,
  topics: unknown,
  members: unknown,
  maxGeneration: number,
): NumberedGroup {
  const topicColumns = checkTopics(topics)
  const { names, partitions } = topicColumns
  const columns = checkMembers(members)
  const { ids } = columns
  const [topicHashes, memberHashes] = [checkNames(names, 'topics.names'), checkNames(ids, 'members.ids')]
  const starts = startsOf(partitions)
  const memberOrder = orderOf(ids)
  const generations = checkSigned(columns.generations ?? new Int32Array(ids.length).fill(-1), ids.length, 'generations')
  const racks = columns.racks === undefined ? null : checkRacks(columns.racks, ids.length, starts.at(-1)!)
  const owned = ownedOf(assignor, columns.owned, ids.length, starts.at(-1)!)
  const problem: AssignProblem = {
    assignor,
    starts,
    numbers: null,
    kinds: null,
    topicOrder: assignor === 'range' && racks === null ? null : orderOf(names),
    topicHashes,
    memberOrder,
    memberInfoOrder: memberInfoOrder(memberOrder, checkInstances(columns.instanceIds, ids.length)),
    memberHashes,
    ...listsOf(columns.subscriptions, ids.length, names.length),
    claimOffsets: owned.offsets,
    claims: owned.values,
    generations,
    fieldGenerations: generations,
    racks,
    maxGeneration,
    server: null,
    ...weightsOfColumns(assignor, topicColumns, columns),
  }
  return { problem, topics: names, members: ids, topicOrder: () => orderOf(names) }
}

export function refuse(where: string, expected: string, got: unknown): Error {
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected ${expected}, got ${shown(got)}`)
}

export function refuseRange(where: string, expected: string, got: unknown, index?: number): Error {
  const details = index === undefined ? {} : { index }
  return codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${where}: expected ${expected}, got ${shown(got)}`, details)
}

export function checkTopics(topics: unknown): TopicColumns {
  const { names, partitions } = (topics ?? {}) as Partial<TopicColumns>
  if (!Array.isArray(names) || !(partitions instanceof Int32Array)) {
    throw refuse('topics', '{ names: string[], partitions: Int32Array }, as members are columns', topics)
  }
  if (partitions.length !== names.length) {
    throw refuseRange('topics.partitions', `one count for each of ${names.length} names`, partitions.length)
  }
  const negative = partitions.findIndex((count) => count < 0)
  if (negative !== -1)
    throw refuseRange(`topics.partitions[${negative}]`, 'a count of 0 or more', partitions[negative], negative)
  return topics as TopicColumns
}

export function checkMembers(members: unknown): MemberColumns {
  const columns = (members ?? {}) as Partial<MemberColumns>
  if (!Array.isArray(columns.ids)) throw refuse('members', '{ ids: string[], … }, as topics are columns', members)
  return columns as MemberColumns
}

function checkSigned(column: Int32Array, length: number, name: string): Int32Array {
  if (!(column instanceof Int32Array)) throw refuse(`members.${name}`, 'an Int32Array', column)
  if (column.length !== length)
    throw refuseRange(`members.${name}`, `one entry for each of ${length} members`, column.length)
  const low = column.findIndex((value) => value < -1)
  if (low !== -1) throw refuseRange(`members.${name}[${low}]`, '-1 or more', column[low], low)
  return column
}

export function checkInstances(ids: MemberColumns['instanceIds'], length: number): MemberColumns['instanceIds'] {
  if (ids === undefined) return undefined
  if (!Array.isArray(ids)) throw refuse('members.instanceIds', 'an array of strings and nulls', ids)
  if (ids.length !== length)
    throw refuseRange('members.instanceIds', `one entry for each of ${length} members`, ids.length)
  const wrong = ids.findIndex((id) => id !== null && typeof id !== 'string')
  if (wrong !== -1) throw refuse(`members.instanceIds[${wrong}]`, 'a string or null', ids[wrong])
  return ids
}

/** Offsets that ascend from 0 to the length of what they cut. */
function checkOffsets(offsets: Uint32Array, lists: number, values: Uint32Array, where: string): void {
  if (!(offsets instanceof Uint32Array)) throw refuse(`${where} offsets`, 'a Uint32Array', offsets)
  if (!(values instanceof Uint32Array)) throw refuse(`${where} values`, 'a Uint32Array', values)
  if (offsets.length !== lists + 1) throw refuseRange(`${where} offsets`, `${lists + 1} entries`, offsets.length)
  for (let i = 0; i < lists; i++) {
    if (offsets[i]! > offsets[i + 1]!)
      throw refuseRange(`${where} offsets[${i + 1}]`, 'no less than the one before', offsets[i + 1])
  }
  if (offsets[0] !== 0 || offsets[lists] !== values.length) {
    throw refuseRange(`${where} offsets`, `to go from 0 to ${values.length}`, `${offsets[0]} to ${offsets[lists]}`)
  }
}

function checkBelow(values: Uint32Array, end: number, where: string): void {
  for (let i = 0; i < values.length; i++) {
    if (values[i]! >= end) throw refuseRange(`${where}[${i}]`, `a number below ${end}`, values[i], i)
  }
}

/** Subscription lists, and which each member has. */
export type Lists = Pick<AssignProblem, 'listOffsets' | 'listTopics' | 'listOf'>

export function listsOf(subscriptions: SubscriptionColumns | undefined, members: number, topics: number): Lists {
  if (subscriptions === undefined) {
    return {
      listOffsets: Uint32Array.of(0, topics),
      listTopics: Uint32Array.from({ length: topics }, (_, topic) => topic),
      listOf: new Uint32Array(members),
    }
  }
  const { offsets, topics: named, listOf } = subscriptions
  checkOffsets(offsets, Math.max(0, (offsets?.length ?? 1) - 1), named, 'members.subscriptions')
  checkBelow(named, topics, 'members.subscriptions.topics')
  if (!(listOf instanceof Uint32Array)) throw refuse('members.subscriptions.listOf', 'a Uint32Array', listOf)
  if (listOf.length !== members) {
    throw refuseRange('members.subscriptions.listOf', `one entry for each of ${members} members`, listOf.length)
  }
  checkBelow(listOf, offsets.length - 1, 'members.subscriptions.listOf')
  return { listOffsets: offsets, listTopics: named, listOf }
}

const STATELESS: readonly AssignProblem['assignor'][] = ['range', 'roundrobin', 'server-range']

/** What `range` and `roundrobin` do not look at is not looked at here either. */
export function ownedOf(
  assignor: AssignProblem['assignor'],
  owned: OwnedColumns | undefined,
  members: number,
  slots: number,
): OwnedColumns {
  const nothing = { offsets: new Uint32Array(members + 1), values: new Uint32Array(0) }
  if (owned === undefined) return nothing
  checkOffsets(owned.offsets, members, owned.values, 'members.owned')
  checkBelow(owned.values, slots, 'members.owned.values')
  return STATELESS.includes(assignor) ? nothing : owned
}

function checkRacks(racks: RackColumns, members: number, slots: number): AssignRacks | null {
  const { count, ofMember, setOf, setOffsets, setRacks } = racks
  if (!Number.isInteger(count) || count < 0) throw refuseRange('members.racks.count', 'a number of racks', count)
  checkSigned(ofMember, members, 'racks.ofMember')
  const high = ofMember.findIndex((rack) => rack >= count)
  if (high !== -1) throw refuseRange(`members.racks.ofMember[${high}]`, `a number below ${count}`, ofMember[high], high)
  if (!(setOf instanceof Uint32Array)) throw refuse('members.racks.setOf', 'a Uint32Array', setOf)
  if (setOf.length !== slots)
    throw refuseRange('members.racks.setOf', `one entry for each of ${slots} partitions`, setOf.length)
  checkOffsets(setOffsets, Math.max(0, (setOffsets?.length ?? 1) - 1), setRacks, 'members.racks')
  checkBelow(setOf, setOffsets.length - 1, 'members.racks.setOf')
  checkBelow(setRacks, count, 'members.racks.setRacks')
  return ofMember.some((rack) => rack >= 0) ? racks : null
}
