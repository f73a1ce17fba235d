/** `kafka assign`: who gets which partitions of a group. */
import { kafka } from '../index.js'
import type { AssignDocument } from './documents.js'
import type { Command } from './grammar.js'
import { atGroup, GROUP_OPTIONS, withState } from './group-file.js'
import { ASSIGNOR_OPTIONS, readQuestion } from './group-question.js'
import { balanceLine, counted, memberTable } from './group-table.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

export const KAFKA_ASSIGN: Command = {
  path: ['kafka', 'assign'],
  summary: 'the members of a group and the partitions that each gets',
  operands: '--group FILE',
  details: [
    '',
    'As the assignor of the Java client or of the broker, to the last tie. What members own now is in the',
    "group file, or in --state: a group file, an answer of this program, or the text of Kafka's tool.",
  ],
  options: [
    ...GROUP_OPTIONS,
    { name: 'state', value: 'FILE', help: 'what the members own now' },
    ...ASSIGNOR_OPTIONS,
    { name: 'all', help: 'every member, not the ten fullest' },
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka assign --group examples/group.json',
    'topic-placement kafka assign --assignor range --group examples/group.txt --topics examples/counts',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  noOperands(session)
  const read = readQuestion(session)
  const state = args.text('state')
  const question = state === undefined ? read : { ...read, ...withState(session, read, state) }
  const answer = atGroup(session, () => kafka.assign({ ...question, members: question.members.map(told) }))
  session.noteAnswer(`as Kafka ${answer.version}: ${answer.groupType} ${answer.assignor}`)
  const document = documentOf(answer)
  await session.write(args.flag('json') ? `${JSON.stringify(document)}\n` : textOf(answer, document, args.flag('all')))

  /** What a member owns, where its assignor reads it. */
  function told(member: kafka.GroupMember): kafka.GroupMember {
    const { ownedPartitions = [], generationId = -1 } = member
    if (question.assignor !== 'sticky' || ownedPartitions.length === 0) return member
    return { ...member, userData: kafka.protocol.encodeStickyUserData({ ownedPartitions, generationId }) }
  }
}

/** Refuses words behind the options. */
export function noOperands({ args }: Session): void {
  if (args.operands.length > 0) throw args.wrong(`expected options alone, got also ${args.operands.join(' ')}`)
}

function documentOf(answer: kafka.Assignment): AssignDocument {
  const { groupType, assignor, version, algorithm, maxGeneration, notes, withheld } = answer
  const loads = answer.names.memberIds.map((_, i) => answer.offsets[i + 1]! - answer.offsets[i]!)
  const members = answer.names.memberIds.map((id) => {
    return { id, ownedPartitions: answer.partitionsOf(id), withheld: withheld.partitionsOf(id) }
  })
  const mean = loads.length === 0 ? 0 : answer.values.length / loads.length
  const [least, most] = [loads.length === 0 ? 0 : Math.min(...loads), Math.max(0, ...loads)]
  const balance = { members: loads.length, partitions: answer.values.length, least, most, mean }
  return { question: 'kafka assign', groupType, assignor, version, algorithm, maxGeneration, balance, members, notes }
}

function textOf(answer: kafka.Assignment, { balance, assignor, notes }: AssignDocument, all: boolean): string {
  const held = answer.withheld.values.length
  const lines = [
    `${counted(balance.members, 'member')}, ${counted(balance.partitions, 'partition')} by ${assignor}`,
    balanceLine(balance),
    ...(held === 0 ? [] : [`${counted(held, 'partition')} more in the next round, when their owners gave them up`]),
    '',
    ...memberTable(answer, all),
    ...notes.map(({ code, message }) => `note: ${message} [${code}]`),
  ]
  return `${lines.join('\n')}\n`
}
