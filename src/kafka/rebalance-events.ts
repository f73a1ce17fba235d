/**
 * What can happen to a group, as a caller writes it, checked as far as one event can be alone.
 *
 * For `kafka.rebalance` and `kafka.compareAssignors`. Whether a member or topic is there when its event comes is for
 * rebalance-group.ts to say.
 */
import { checkInteger, checkList, codedError, isCodedError, shown } from '../errors.js'
import { numberObjects } from './group-objects.js'
import type { GroupMember, GroupTopic } from './group-types.js'

/** A member joins, behind all others. What it says it owns is a claim, as of a member that was away for too long. */
export interface JoinEvent {
  readonly join: GroupMember
}

/** A member leaves, or is taken for dead. */
export interface LeaveEvent {
  readonly leave: string
}

/**
 * A member stops and comes back, owning nothing. A static member comes back before anybody takes its place: no rebalance,
 * its partitions stop while it is away. Any other leaves, the group comes to rest, and it joins behind all others.
 */
export interface BounceEvent {
  readonly bounce: string
}

/** A member subscribes to other topics than before. */
export interface SubscribeEvent {
  readonly subscribe: string
  readonly topics: readonly string[]
}

/** A topic gets more partitions: `count` of them in all. */
export interface PartitionsEvent {
  readonly partitions: string
  readonly count: number
  /** Racks of each new partition's replicas. Default: none are known. */
  readonly racks?: readonly (readonly (string | null)[])[]
}

/** A topic appears; members that subscribe to its name get its partitions. */
export interface AddTopicEvent {
  readonly addTopic: GroupTopic
}

/** A topic vanishes; subscriptions to its name stay. */
export interface RemoveTopicEvent {
  readonly removeTopic: string
}

/** A member comes with another `client.rack`, and keeps what it owns. An empty one is none. */
export interface RackEvent {
  readonly rack: string
  readonly to: string
}

export type GroupEvent =
  | JoinEvent
  | LeaveEvent
  | BounceEvent
  | SubscribeEvent
  | PartitionsEvent
  | AddTopicEvent
  | RemoveTopicEvent
  | RackEvent

/** Kinds of events, and the fields that each has beside its own. */
const FIELDS = {
  join: [],
  leave: [],
  bounce: [],
  subscribe: ['topics'],
  partitions: ['count', 'racks'],
  addTopic: [],
  removeTopic: [],
  rack: ['to'],
} as const

type Kind = keyof typeof FIELDS
const KINDS = Object.keys(FIELDS) as Kind[]

/** Most partitions of a topic. */
const MOST = 0x7fffffff

/**
 * Refuses what is no event.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_DUPLICATE, with the event's index
 */
export function checkEvents(events: readonly GroupEvent[]): readonly GroupEvent[] {
  checkList(events, 'events')
  events.forEach((event, i) => {
    atEvent(i, () => checkEvent(event, `events[${i}]`))
  })
  return events
}

/** Asks about an event; an error of it carries its index. */
export function atEvent<T>(index: number, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (!isCodedError(error)) throw error
    const { code, message, javaClass, javaMessage } = error
    const java = javaClass === undefined ? {} : { javaClass, javaMessage: javaMessage ?? null }
    const where = message.startsWith('events[') ? message : `events[${index}]: ${message}`
    throw codedError(code, where, { index, ...java })
  }
}

function checkEvent(event: GroupEvent, where: string): void {
  const kind = kindOf(event, where)
  const allowed: readonly string[] = [kind, ...FIELDS[kind]]
  const unknown = Object.keys(event).find((field) => !allowed.includes(field))
  if (unknown !== undefined) throw refuse(where, `no field beside ${allowed.join(', ')}`, unknown)
  if ('join' in event) checkPart(`${where}.join`, 'members[0]', () => numberMember(event.join))
  else if ('addTopic' in event) checkPart(`${where}.addTopic`, 'topics[0]', () => numberTopic(event.addTopic))
  else checkNamed(event as unknown as Readonly<Record<string, unknown>>, kind, where)
  if ('subscribe' in event) {
    checkPart(where, 'members[0]', () => numberMember({ id: event.subscribe, topics: event.topics }))
  }
  if ('partitions' in event) {
    checkInteger(event.count, `${where}.count`, [1, MOST])
    if (event.racks !== undefined && !Array.isArray(event.racks))
      throw refuse(`${where}.racks`, 'an array', event.racks)
  }
  if ('rack' in event && typeof event.to !== 'string') throw refuse(`${where}.to`, 'a string', event.to)
}

/** The kind of an event: the one field that names it. */
export function kindOf(event: GroupEvent, where: string): Kind {
  if (typeof event !== 'object' || event === null) throw refuse(where, 'an event', event)
  const kinds = KINDS.filter((kind) => Object.hasOwn(event, kind))
  if (kinds.length === 1) return kinds[0]!
  const got = kinds.length === 0 ? Object.keys(event) : kinds
  throw codedError(
    'ERR_PLACEMENT_ARGUMENT_TYPE',
    `${where}: expected one of ${KINDS.join(', ')}, got ${got.length === 0 ? 'none' : got.join(' and ')}`,
  )
}

function checkNamed(event: Readonly<Record<string, unknown>>, kind: Kind, where: string): void {
  if (typeof event[kind] !== 'string') throw refuse(`${where}.${kind}`, 'a string', event[kind])
}

function refuse(where: string, expected: string, got: unknown): Error {
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected ${expected}, got ${shown(got)}`)
}

/** A member and a topic are checked where those of a group are, and refused under their own place. */
function checkPart(where: string, place: string, ask: () => unknown): void {
  try {
    ask()
  } catch (error) {
    if (!isCodedError(error)) throw error
    throw codedError(error.code, error.message.replace(place, where))
  }
}

const numberMember = (member: GroupMember) => numberObjects('cooperative-sticky', [], [member], -1)
const numberTopic = (topic: GroupTopic) => numberObjects('range', [topic], [], -1)
