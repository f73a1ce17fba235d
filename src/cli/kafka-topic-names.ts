/** `kafka topic-names`: which names Kafka refuses, and which collide, since metrics write `.` as `_`. */
import { kafka } from '../index.js'
import { INPUT_OPTIONS } from './batches.js'
import type { TopicNamesDocument } from './documents.js'
import type { Command } from './grammar.js'
import { namesOrFile } from './operands.js'
import { grouped } from './progress.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'
import { wholeSet } from './whole-set.js'

const SHOWN = 10

/** Characters of a name or a reason that a line has room for. */
const WIDTH = 90

export const KAFKA_TOPIC_NAMES: Command = {
  path: ['kafka', 'topic-names'],
  summary: 'which names Kafka refuses, and which collide in metrics',
  operands: 'TOPIC… | FILE | -',
  details: [
    '',
    'Names collide that differ in "." and "_" alone: the controller refuses the second one. Exit code 1',
    'where a name is refused or collides. A word that names a file is read as one, which is said.',
  ],
  options: [
    { name: 'all', help: `every fault, not the first ${SHOWN} of a kind` },
    ...INPUT_OPTIONS,
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka topic-names orders.v1 orders_v1 payments',
    'topic-placement kafka topic-names --json examples/groups.txt',
  ],
  run,
}

type Where = (index: number) => string

async function run(session: Session): Promise<void> {
  const { args } = session
  const { topics, where } = await wholeSet(session, namesOrFile(session, 'topic', 'utf8'))
  const { illegal, collisions } = kafka.checkTopicNames(topics)
  const legal = illegal.length + collisions.length === 0
  const document: TopicNamesDocument = {
    question: 'kafka topic-names',
    names: topics.length,
    legal,
    illegal: illegal.map((one) => ({ ...one, where: where(one.index) })),
    collisions: collisions.map((one) => ({ ...one, where: where(one.index) })),
  }
  session.noteAnswer('as Kafka 4.4')
  const text = args.flag('json') ? `${JSON.stringify(document)}\n` : textOf(document, where, args.flag('all'))
  await session.write(text)
  if (!legal) session.exitCode = 1
}

function textOf({ names, illegal, collisions }: TopicNamesDocument, where: Where, all: boolean): string {
  const lines = [`${grouped(names)} names: ${grouped(illegal.length)} refused, ${counted(collisions.length)}`]
  const section = <T>(title: string, faults: readonly T[], line: (fault: T) => string) => {
    if (faults.length === 0) return
    const shown = all ? faults : faults.slice(0, SHOWN)
    lines.push('', title, ...shown.map((fault) => `  ${line(fault)}`))
    if (faults.length > shown.length) lines.push(`  ${grouped(faults.length - shown.length)} more: --all, or --json`)
  }
  section('Refused', illegal, (fault) => `${fault.where}  ${cut(fault.reason)}`)
  section('Colliding', collisions, ({ first, firstIndex, name, where: place }) => {
    return `${place}  ${cut(name)} with ${cut(first)} (${where(firstIndex)})`
  })
  return `${lines.join('\n')}\n`
}

const counted = (count: number): string => (count === 1 ? '1 collides' : `${grouped(count)} collide`)

/** On one line, and no longer than that: a name may hold anything and be of any length. */
function cut(text: string): string {
  const plain = text.replace(/\p{Cc}|\p{Surrogate}/gu, '\ufffd')
  return plain.length <= WIDTH ? plain : `${plain.slice(0, WIDTH / 2)}…${plain.slice(-WIDTH / 2)}`
}
