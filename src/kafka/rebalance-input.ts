/**
 * The group that a script begins with, checked and numbered: what every member owns included, whatever its assignor would read.
 *
 * For rebalance-group.ts.
 */
import { isBytes } from '../bytes.js'
import { codedError, shown } from '../errors.js'
import { SLOT_COUNTED, SLOT_EXISTS } from '../fallback/kafka/slots.js'
import type { AssignQuestion } from './assign.js'
import { numberColumns } from './group-columns.js'
import { type NumberedGroup, numberObjects } from './group-objects.js'
import type { GroupMember } from './group-types.js'
import { decodeStickyUserData } from './sticky-user-data.js'
import { TopicIds } from './topic-ids.js'

export const isConsumer = ({ groupType }: AssignQuestion): boolean => groupType === 'consumer'

/** Uuids of all topics. */
export function checkedIds({ topics }: AssignQuestion): (string | undefined)[] {
  if (isObjects(topics))
    return checkIds(
      topics.map(({ id }) => id),
      (topic) => `topics[${topic}].id`,
    )
  return checkIds(topics.ids ?? new Array(topics.names.length), (topic) => `topics.ids[${topic}]`)
}

export function checkIds(
  ids: readonly (string | undefined)[],
  where: (topic: number) => string,
): (string | undefined)[] {
  const seen = new TopicIds()
  for (const [topic, id] of ids.entries()) seen.add(id, where(topic))
  return [...ids]
}

export function isObjects<T>(given: readonly T[] | object): given is readonly T[] {
  return Array.isArray(given)
}

/**
 * Checks a group and numbers it, what every member owns included, whatever its assignor would read.
 *
 * `sticky` keeps what it owns in its user data: that is read where `ownedPartitions` does not tell.
 */
export function numberedGroup({ topics, members, maxGeneration = -1 }: AssignQuestion): NumberedGroup {
  const group =
    isObjects(topics) && isObjects(members)
      ? numberObjects('cooperative-sticky', topics, members.map(withOwned), maxGeneration)
      : numberColumns('cooperative-sticky', topics, members, maxGeneration)
  const { kinds, starts } = group.problem
  const odd = kinds?.findIndex((kind) => kind !== (SLOT_EXISTS | SLOT_COUNTED)) ?? -1
  if (odd === -1) return group
  const topic = starts.findLastIndex((start) => start <= odd)
  throw codedError(
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    `topics: expected partitions 0 to count - 1 of each, and no claim beyond, got others of ${shown(group.topics[topic])}: kafka.assign takes such a group`,
  )
}

function withOwned(member: GroupMember): GroupMember {
  if (member?.ownedPartitions !== undefined || !isBytes(member?.userData)) return member
  const { ownedPartitions, generationId } = decodeStickyUserData(member.userData)
  return { ...member, ownedPartitions, generationId: member.generationId ?? generationId ?? -1 }
}
