/** What happens to a group, from the command line in the order given, or from a file. */
import { codedError, shown } from '../errors.js'
import type { kafka } from '../index.js'
import { textOf } from './consumer-file.js'
import type { Option } from './grammar.js'
import type { FileGroup } from './group-file.js'
import { parseDocument } from './json-file.js'
import { partitionRanges } from './partition-ranges.js'
import type { Session } from './session.js'

export const EVENT_OPTIONS: readonly Option[] = [
  {
    name: 'join',
    value: 'ID,…',
    help: 'members that join, subscribed to all topics of the group',
  },
  { name: 'leave', value: 'ID,…', help: 'members that leave' },
  { name: 'bounce', value: 'ID,…', help: 'members that stop and come back' },
  { name: 'add-partitions', value: 'T=N,…', help: 'topics that grow: T to N partitions in all' },
  { name: 'events', value: 'FILE', help: 'or any events: a JSON array such as [{"leave":"c"},{"bounce":"a"}]' },
]

type MadeOf = (word: string, group: FileGroup, session: Session) => kafka.GroupEvent

const MADE: Readonly<Record<string, MadeOf>> = {
  join: (id, { members, topics }) => {
    const subscribed = members.flatMap((member) => member.topics)
    const all = members.length === 0 ? topics.map(({ name }) => name) : subscribed
    return { join: { id, topics: [...new Set(all)] } }
  },
  leave: (id) => ({ leave: id }),
  bounce: (id) => ({ bounce: id }),
  'add-partitions': (word, _, { args }) => {
    const [, partitions, count] = /^(.+)=([0-9]{1,10})$/.exec(word) ?? []
    if (partitions !== undefined) return { partitions, count: Number(count) }
    throw args.wrong(`--add-partitions: expected T=N, a topic and its partitions, got ${shown(word)}`)
  },
}

/** The events of a command line, at least one. @throws ERR_PLACEMENT_USAGE, ERR_PLACEMENT_INPUT */
export function readEvents(session: Session, group: FileGroup): readonly kafka.GroupEvent[] {
  const { args } = session
  const file = args.text('events')
  const given = args.names.filter((name) => Object.hasOwn(MADE, name))
  if (file !== undefined && given.length > 0) throw args.wrong(`expected --events or --${given[0]}, got both`)
  if (file !== undefined) return eventsOf(file)
  if (given.length === 0) throw args.wrong('expected --join, --leave, --bounce, --add-partitions or --events, got none')
  return given.flatMap((name) =>
    args
      .text(name)!
      .split(',')
      .map((word) => MADE[name]!(word, group, session)),
  )
}

function eventsOf(file: string): readonly kafka.GroupEvent[] {
  const events = parseDocument(textOf(file).replace(/^\ufeff/, ''), file)
  if (Array.isArray(events) && events.length > 0) return events
  const got = Array.isArray(events) ? 'an empty one' : shown(events)
  throw codedError('ERR_PLACEMENT_INPUT', `${file}: expected a JSON array of events, got ${got}`)
}

/** An event in words. */
export function eventText(event: kafka.GroupEvent): string {
  if ('join' in event) {
    const { id, ownedPartitions = [] } = event.join
    return ownedPartitions.length === 0 ? `${id} joins` : `${id} joins, claiming ${partitionRanges(ownedPartitions)}`
  }
  if ('leave' in event) return `${event.leave} leaves`
  if ('bounce' in event) return `${event.bounce} bounces`
  if ('subscribe' in event) return `${event.subscribe} subscribes to ${event.topics.join(', ') || 'nothing'}`
  if ('partitions' in event) return `${event.partitions} grows to ${event.count} partitions`
  if ('addTopic' in event) return `${event.addTopic.name} appears with ${event.addTopic.partitions} partitions`
  if ('removeTopic' in event) return `${event.removeTopic} vanishes`
  return event.to === '' ? `${event.rack} has no rack any more` : `${event.rack} moves to rack ${event.to}`
}
