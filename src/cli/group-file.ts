/**
 * A group from files: its members and topics as JSON, or as Kafka's own tools print them, told apart by looking, which is
 * said on standard error.
 */
import { codedError, isCodedError, shown } from '../errors.js'
import { kafka } from '../index.js'
import { textOf } from './consumer-file.js'
import type { Option } from './grammar.js'
import { isGroupText, readGroupText, type TextMember } from './group-text.js'
import { arrayOf, objectOf, parseDocument } from './json-file.js'
import type { Session } from './session.js'
import { readTopics, TOPICS_OPTION, topicsOf } from './topic-counts.js'

type Question = kafka.AssignQuestion
type Members = readonly kafka.GroupMember[]

/** What the files tell; options tell the rest. */
export interface FileGroup extends Partial<Pick<Question, 'groupType' | 'assignor' | 'version' | 'maxGeneration'>> {
  readonly topics: readonly kafka.GroupTopic[]
  readonly members: Members
}

/** The options of a command that reads a group. */
export const GROUP_OPTIONS: readonly Option[] = [
  {
    name: 'group',
    value: 'FILE',
    help: 'JSON, or kafka-consumer-groups --describe --members --verbose',
  },
  TOPICS_OPTION,
]

const GROUP_FIELDS = [
  'groupType',
  'assignor',
  'version',
  'topics',
  'members',
  'maxGeneration',
  'subscriptionType',
] as const
const MEMBER_FIELDS = ['id', 'topics', 'instanceId', 'rack', 'ownedPartitions', 'generationId', 'weight'] as const

/** Reads `--group` and `--topics`. @throws ERR_PLACEMENT_INPUT, ERR_PLACEMENT_USAGE */
export function readGroup(session: Session): FileGroup {
  const { args } = session
  const file = args.required('group', args.text('group'))
  const counts = args.text('topics')
  const text = textOf(file).replace(/^\ufeff/, '')
  if (!isGroupText(text)) return jsonGroup(session, text, { file, counts })
  session.note(`${file}: the text of kafka-consumer-groups --describe --members --verbose`)
  if (counts === undefined) throw args.wrong(`--topics is missing: the text of ${file} has no partition counts`)
  return textGroup(session, text, { file, counts })
}

interface Files {
  readonly file: string
  readonly counts: string | undefined
}

function jsonGroup(session: Session, text: string, { file, counts }: Files): FileGroup {
  const document = parseDocument(text, file)
  const isAnswer = typeof document === 'object' && document !== null && 'question' in document && 'state' in document
  if (isAnswer) session.note(`${file}: an answer of kafka rebalance; the group at its end is taken`)
  const where = isAnswer ? `${file}: state` : file
  const group = objectOf(isAnswer ? document.state : document, where, GROUP_FIELDS)
  const members = membersOf(group['members'], isAnswer ? `${where}.` : `${file}: `)
  const topics = counts === undefined ? topicsOf(group['topics'], `${file}: `) : readTopics(session, counts)
  return { ...group, topics, members } as FileGroup
}

function membersOf(value: unknown, prefix: string): Members {
  return arrayOf(value, `${prefix}members`).map((member, i) => {
    return objectOf(member, `${prefix}members[${i}]`, MEMBER_FIELDS) as unknown as kafka.GroupMember
  })
}

function textGroup(session: Session, text: string, { file, counts }: Required<Files>): FileGroup {
  const { name, members: shownMembers, hasEpochs } = readGroupText(text, file)
  const topics = readTopics(session, counts!)
  const names = [...new Set(shownMembers.flatMap(({ ownedPartitions }) => ownedPartitions.map(({ topic }) => topic)))]
  const missing = names.find((topic) => !topics.some((one) => one.name === topic))
  if (missing !== undefined) {
    throw codedError('ERR_PLACEMENT_INPUT', `${counts}: expected the topic ${shown(missing)} of ${file}, got none`)
  }
  session.note(`group ${name}: every member is taken to subscribe to all its topics: ${names.join(', ') || 'none'}`)
  const byId = new Map(shownMembers.map((member) => [member.id, member]))
  // A leader is handed its members in a HashMap.
  const members = kafka.javaMapOrder([...byId.keys()]).map((id) => memberOf(byId.get(id)!, names))
  return { ...(hasEpochs ? { groupType: 'consumer' as Question['groupType'] } : {}), topics, members }
}

function memberOf({ id, instanceId, ownedPartitions }: TextMember, topics: readonly string[]): kafka.GroupMember {
  const generationId = 1
  return { id, topics, ...(instanceId === null ? {} : { instanceId }), ownedPartitions, generationId }
}

/** Reads what members have from `--state`; members of the group that it does not tell of have nothing. */
export function withState(session: Session, group: FileGroup, file: string): FileGroup {
  const text = textOf(file).replace(/^\ufeff/, '')
  const told = isGroupText(text) ? readGroupText(text, file).members : stateOf(parseDocument(text, file), file)
  const owned = new Map(told.map((member) => [member.id, member]))
  const gone = told.filter(({ id }) => !group.members.some((member) => member.id === id))
  if (gone.length > 0) {
    const names = gone.map(({ id }) => id).join(', ')
    session.note(`${file}: ${gone.length} not in the group, what they have is nobody's: ${names}`)
  }
  const members = group.members.map((member) => {
    const own: Told | undefined = owned.get(member.id)
    const generationId = own === undefined ? -1 : (own.generationId ?? 1)
    return { ...member, ownedPartitions: own?.ownedPartitions ?? [], generationId }
  })
  return { ...group, members }
}

type Told = Pick<kafka.GroupMember, 'id' | 'ownedPartitions' | 'generationId'>

/** A group's document, or the answer of `kafka assign` or `kafka rebalance`. */
function stateOf(document: unknown, file: string): readonly Told[] {
  const group = typeof document === 'object' && document !== null && 'state' in document ? document.state : document
  const { members } = objectOf(group, file, [...GROUP_FIELDS, 'question', 'members', 'algorithm', 'notes', 'balance'])
  return arrayOf(members, `${file}: members`).map((member, i) => {
    const where = `${file}: members[${i}]`
    const { id, ownedPartitions, generationId } = objectOf(member, where, [...MEMBER_FIELDS, 'withheld'])
    if (typeof id !== 'string')
      throw codedError('ERR_PLACEMENT_INPUT', `${where}.id: expected a string, got ${shown(id)}`)
    return { id, ownedPartitions, ...(generationId === undefined ? {} : { generationId }) } as Told
  })
}

/** Asks about a group; an error that names a part of it names the file too. */
export function atGroup<T>({ args }: Session, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (!isCodedError(error)) throw error
    const [part] = /^(members|topics|events|maxGeneration)\b/.exec(error.message) ?? []
    const option = part === 'topics' && args.flag('topics') ? 'topics' : part === 'events' ? 'events' : 'group'
    const file = args.text(option)
    if (part === undefined || file === undefined) throw error
    throw codedError(error.code, `${file}: ${error.message}`, { cause: error })
  }
}
