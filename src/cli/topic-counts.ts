/**
 * Topics with their partition counts, told apart by looking: JSON, the text of `kafka-topics --describe`, or a topic and its
 * count a line.
 */
import { codedError, shown } from '../errors.js'
import type { kafka } from '../index.js'
import { textOf } from './consumer-file.js'
import type { Option } from './grammar.js'
import { arrayOf, objectOf, parseDocument } from './json-file.js'
import type { Session } from './session.js'

export const TOPICS_OPTION: Option = {
  name: 'topics',
  value: 'FILE',
  help: 'counts: JSON, kafka-topics --describe, or "TOPIC COUNT" a line',
}

/** Fields of a topic in JSON. */
const FIELDS = ['name', 'partitions', 'ids', 'racks', 'id', 'weight'] as const

/** @throws ERR_PLACEMENT_INPUT */
export function readTopics(session: Session, file: string): kafka.GroupTopic[] {
  const text = textOf(file).replace(/^\ufeff/, '')
  if (/^\s*[[{]/.test(text)) {
    const document = parseDocument(text, file)
    return topicsOf(Array.isArray(document) ? document : objectOf(document, file, ['topics'])['topics'], `${file}: `)
  }
  const isDescription = /^\s*Topic:/.test(text)
  if (isDescription) session.note(`${file}: the text of kafka-topics --describe`)
  const topics = text.split(/\r?\n/).flatMap((line, i) => {
    const where = `${file}:${i + 1}`
    if (line.trim() === '') return []
    return isDescription ? describedTopic(line, where) : [countedTopic(line, where)]
  })
  if (topics.length > 0) return topics
  throw codedError('ERR_PLACEMENT_INPUT', `${file}: expected topics, got none`)
}

/** Topics of a document; their values are checked where the group is. */
export function topicsOf(value: unknown, file: string): kafka.GroupTopic[] {
  return arrayOf(value, `${file}topics`).map(
    (topic, i) => objectOf(topic, `${file}topics[${i}]`, FIELDS) as unknown as kafka.GroupTopic,
  )
}

function countedTopic(line: string, where: string): kafka.GroupTopic {
  const [, name, count] = /^\s*([\w.-]+)[\s,:=]+([0-9]{1,10})\s*$/.exec(line) ?? []
  if (name !== undefined) return { name, partitions: Number(count) }
  throw codedError('ERR_PLACEMENT_INPUT', `${where}: expected a topic and its partition count, got ${shown(line)}`)
}

/** Of a topic's own line; those of its partitions say nothing more. */
function describedTopic(line: string, where: string): kafka.GroupTopic[] {
  const fields = new Map(
    line
      .trim()
      .split('\t')
      .map((field) => {
        const [name, ...value] = field.split(':')
        return [name!.trim(), value.join(':').trim()] as const
      }),
  )
  const [name, count, id] = ['Topic', 'PartitionCount', 'TopicId'].map((field) => fields.get(field))
  if (name === undefined) {
    throw codedError('ERR_PLACEMENT_INPUT', `${where}: expected a line of kafka-topics --describe, got ${shown(line)}`)
  }
  if (count === undefined) return []
  if (!/^[0-9]{1,10}$/.test(count)) {
    throw codedError('ERR_PLACEMENT_INPUT', `${where}: PartitionCount: expected an integer, got ${shown(count)}`)
  }
  return [{ name, partitions: Number(count), ...(id === undefined || id === '' ? {} : { id }) } as kafka.GroupTopic]
}
