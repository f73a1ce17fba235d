/**
 * The files of `kafka-reassign-partitions`: topics to move, and reassignments. Read as the tool reads them, written byte for
 * byte as it prints them.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.tools.reassign.ReassignPartitionsCommand. What differs from the obvious: unknown
 * fields are passed over, text behind the value too, and a missing list is an empty one; nothing is coerced.
 */
import { checkList, checkText, codedError, type ErrorDetails, isCodedError } from '../errors.js'
import { JSON_PARSE_EXCEPTION } from './json-problem.js'
import { JsonReader } from './json-reader.js'
import { jsonString } from './json-text.js'
import { arrayAt, fieldOf, integerAt, type JsonTree, listAt, objectAt, readTree, stringAt } from './json-tree.js'
import { checkEntry, checkEntryList } from './reassignment-checks.js'
import { asThrown } from './tool-classes.js'
import type { KafkaVersionOption } from './version.js'

/** Any log directory: the broker's choice. */
export const ANY_LOG_DIR = 'any'

/** A partition of a reassignment. */
export interface ReassignmentEntry {
  readonly topic: string
  readonly partition: number
  /** Broker ids, the preferred leader first. */
  readonly replicas: readonly number[]
  /** Log directory of each replica, `any` or a path. Default: any. */
  readonly logDirs?: readonly string[]
}

const TOOLS = 'org.apache.kafka.tools.'
export const OPERATION = `${TOOLS}AdminOperationException`
export const COMMAND_FAILED = `${TOOLS}AdminCommandFailedException`

/**
 * The topics of a topics-to-move file, in its order, repeats included.
 *
 * @throws ERR_PLACEMENT_REASSIGNMENT, with what the tool throws
 * @example kafka.reassignment.parseTopicsToMove('{"version":1,"topics":[{"topic":"orders"}]}') // ['orders']
 */
export function parseTopicsToMove(json: string, options: KafkaVersionOption = {}): string[] {
  checkText(json, 'json')
  return asThrown(options, () => topicsOf(json))
}

function topicsOf(json: string): string[] {
  const document = objectAt(topicsTree(json), 'document')
  checkVersion(document.get('version'))
  const topics = document.get('topics')
  if (topics === undefined) return []
  return arrayAt(topics, 'topics').map((topic, i) => {
    const where = `topics[${i}]`
    return stringAt(fieldOf(objectAt(topic, where), 'topic', where), `${where}.topic`)
  })
}

/** The tool does not say what is wrong with this file; the message does. */
function topicsTree(json: string): JsonTree | undefined {
  const javaMessage = 'The input string is not a valid JSON'
  if (json === '') throw refused(`topics to move: ${javaMessage}: it is empty`, { javaClass: OPERATION, javaMessage })
  try {
    return readTree(JsonReader.of(json))
  } catch (cause) {
    if (!isCodedError(cause)) throw cause
    throw refused(`topics to move: ${cause.message}`, { javaClass: OPERATION, javaMessage, cause })
  }
}

/**
 * The partitions of a reassignment file, in its order, repeats included.
 *
 * @throws ERR_PLACEMENT_REASSIGNMENT, with what the tool throws
 * @example kafka.reassignment.parse('{"partitions":[{"topic":"a","partition":0,"replicas":[1,2]}]}')[0].replicas // [1, 2]
 */
export function parseReassignment(json: string, options: KafkaVersionOption = {}): ReassignmentEntry[] {
  checkText(json, 'json')
  return asThrown(options, () => entriesOf(json))
}

function entriesOf(json: string): ReassignmentEntry[] {
  const document = objectAt(reassignmentTree(json), 'document')
  checkVersion(document.get('version'))
  const partitions = document.get('partitions')
  if (partitions === undefined) return []
  return arrayAt(partitions, 'partitions').map((entry, i) => entryOf(entry, `partitions[${i}]`))
}

function reassignmentTree(json: string): JsonTree | undefined {
  if (json === '') {
    const javaMessage = "The input string shouldn't be empty\n at [Source: UNKNOWN; byte offset: #UNKNOWN]"
    throw refused('reassignment: expected JSON, got nothing', { javaClass: OPERATION, javaMessage })
  }
  try {
    return readTree(JsonReader.of(json))
  } catch (error) {
    throw asRefusal(error)
  }
}

/** A problem of the JSON as the tool throws it. */
export function asRefusal(cause: unknown): unknown {
  if (!isCodedError(cause) || cause.code !== 'ERR_PLACEMENT_INPUT') return cause
  const { javaClass, javaMessage = null } = cause
  const thrown = javaClass === JSON_PARSE_EXCEPTION ? OPERATION : javaClass!
  return refused(`reassignment: ${cause.message}`, { javaClass: thrown, javaMessage, cause })
}

/** A partition of the file. */
export function entryOf(tree: JsonTree, where: string): ReassignmentEntry {
  const object = objectAt(tree, where)
  const topic = stringAt(fieldOf(object, 'topic', where), `${where}.topic`)
  const partition = integerAt(fieldOf(object, 'partition', where), `${where}.partition`)
  const replicas = listAt(fieldOf(object, 'replicas', where), `${where}.replicas`, integerAt)
  const dirs = object.get('log_dirs')
  if (dirs === undefined) return { topic, partition, replicas }
  const logDirs = listAt(dirs, `${where}.log_dirs`, stringAt)
  if (replicas.length === logDirs.length) return { topic, partition, replicas, logDirs }
  const lists = `Size of replicas list ${listText(replicas)} is different from size of log dirs list ${listText(logDirs)}`
  const javaMessage = `${lists} for partition ${topic}-${partition}`
  throw refused(`${where}: ${javaMessage}`, { javaClass: COMMAND_FAILED, javaMessage })
}

/** A list as Java prints it. */
export const listText = (items: Iterable<string | number>): string => `[${[...items].join(', ')}]`

/** The version of a file, if it has one. */
export function checkVersion(version: JsonTree | undefined): void {
  if (version === undefined || integerAt(version, 'version') === 1) return
  const javaMessage = `Not supported version field value ${version}`
  throw refused(`version: expected 1, got ${version}`, { javaClass: OPERATION, javaMessage })
}

export function refused(message: string, details: ErrorDetails): Error {
  return codedError('ERR_PLACEMENT_REASSIGNMENT', message, details)
}

const HEAD = '{"version":1,"partitions":['
const FOOT = ']}'

/** Entries a block: a block is some hundred kilobytes. */
const BLOCK = 4096

/**
 * A reassignment as the tool prints it: sorted by topic (UTF-16) and number, compact, without a line's end.
 *
 * @example kafka.reassignment.format([{ topic: 'a', partition: 0, replicas: [1] }])
 */
export function formatReassignment(entries: readonly ReassignmentEntry[]): string {
  checkEntryList(entries, 'entries')
  return [...reassignmentBlocks([...entries].sort(compareEntries))].join('')
}

/** The same in blocks of text, for more than one string holds; the entries come sorted. */
export function* reassignmentBlocks(entries: Iterable<ReassignmentEntry>): Generator<string> {
  let block = HEAD
  let count = 0
  if (typeof entries?.[Symbol.iterator] !== 'function') checkList(entries, 'entries')
  for (const entry of entries) {
    checkEntry(entry, 'entries', count)
    block += count++ === 0 ? entryText(entry) : `,${entryText(entry)}`
    if (count % BLOCK > 0) continue
    yield block
    block = ''
  }
  yield block + FOOT
}

function entryText({ topic, partition, replicas, logDirs }: ReassignmentEntry): string {
  const dirs = replicas.map((_, i) => jsonString(logDirs?.[i] ?? ANY_LOG_DIR))
  return `{"topic":${jsonString(topic)},"partition":${partition},"replicas":[${replicas.join(',')}],"log_dirs":[${dirs.join(',')}]}`
}

/** By topic, then by number. */
export function compareEntries(a: TopicPartition, b: TopicPartition): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1
  return a.partition - b.partition
}

type TopicPartition = Pick<ReassignmentEntry, 'topic' | 'partition'>

/** Topics in a topics-to-move file. */
export function formatTopicsToMove(topics: readonly string[]): string {
  checkList(topics, 'topics')
  for (const [i, topic] of topics.entries()) checkText(topic, `topics[${i}]`)
  return `{"version":1,"topics":[${topics.map((topic) => `{"topic":${jsonString(topic)}}`).join(',')}]}`
}
