/**
 * What `kafka-reassign-partitions` checks of its arguments before it asks a cluster, in its order and its words.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.tools.reassign.ReassignPartitionsCommand. What differs from the obvious: a list
 * of brokers may end with a comma, have plus signs and zeros in front and digits of any script; blanks it may not have.
 */
import { codedError, shown } from '../errors.js'
import { integerSet, partitionKey, partitionMap, partitionText, repeated, stringSet } from './java-sets.js'
import { checkEntryList } from './reassignment-checks.js'
import {
  COMMAND_FAILED,
  listText,
  parseReassignment,
  parseTopicsToMove,
  type ReassignmentEntry,
  refused,
} from './reassignment-json.js'
import { asThrown } from './tool-classes.js'
import type { KafkaVersionOption } from './version.js'

const DIGITS = /^[+-]?\p{Nd}+$/u
const DIGIT = /\p{Nd}/u

/**
 * The brokers of `--broker-list`, in its order.
 *
 * @throws ERR_PLACEMENT_REASSIGNMENT, with what the tool throws
 * @example kafka.reassignment.parseBrokerList('0,2,1') // [0, 2, 1]
 */
export function parseBrokerList(text: string): number[] {
  if (typeof text !== 'string') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `broker list: expected a string, got ${shown(text)}`)
  }
  const pieces = text.split(',')
  // Java's split leaves out what is empty at the end, and keeps one piece at least.
  while (pieces.length > 1 && pieces.at(-1) === '') pieces.pop()
  if (pieces.length === 1 && pieces[0] === '' && text !== '') pieces.pop()
  const brokers = pieces.map(javaInteger)
  const twice = repeated(brokers, (id) => id)
  if (twice.length === 0) return brokers
  const javaMessage = `Broker list contains duplicate entries: ${listText(integerSet(twice))}`
  throw refused(javaMessage, { javaClass: COMMAND_FAILED, javaMessage })
}

/** `Integer.parseInt`. */
function javaInteger(text: string, index: number): number {
  const value = DIGITS.test(text) ? Number([...text].map(asciiDigit).join('')) : Number.NaN
  if (value >= -0x80000000 && value <= 0x7fffffff) return value
  const message = `broker list[${index}]: expected a broker id, got ${shown(text)}`
  const javaMessage = `For input string: ${text === '' ? '""' : `"${text}"`}`
  throw refused(message, { index, javaClass: 'java.lang.NumberFormatException', javaMessage })
}

/** A digit of any script; those of one script follow each other. */
function asciiDigit(character: string): string {
  if (!DIGIT.test(character)) return character
  const code = character.codePointAt(0)!
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}

/** The brokers and the topics of `--generate`. @throws ERR_PLACEMENT_REASSIGNMENT */
export function generateArguments(topicsJson: string, brokerList: string, options: KafkaVersionOption = {}) {
  return asThrown(options, () => generated(topicsJson, brokerList))
}

function generated(topicsJson: string, brokerList: string): { brokers: number[]; topics: string[] } {
  const brokers = parseBrokerList(brokerList)
  const topics = parseTopicsToMove(topicsJson)
  const twice = repeated(topics, (topic) => topic)
  if (twice.length === 0) return { brokers, topics }
  const javaMessage = `List of topics to reassign contains duplicate entries: ${listText(stringSet(twice))}`
  throw refused(javaMessage, { javaClass: COMMAND_FAILED, javaMessage })
}

/** The partitions of `--execute`, in the file's order. @throws ERR_PLACEMENT_REASSIGNMENT */
export function executeArguments(json: string, options: KafkaVersionOption = {}): ReassignmentEntry[] {
  return asThrown(options, () => {
    const entries = parseReassignment(json)
    checkEntries(entries)
    return entries
  })
}

/** What the tool checks of a file before it asks a cluster. @throws ERR_PLACEMENT_REASSIGNMENT, with the index of the first at fault */
export function checkEntries(entries: readonly ReassignmentEntry[]): void {
  checkEntryList(entries, 'entries')
  if (entries.length === 0) throw failed('Partition reassignment list cannot be empty', -1)
  const empty = entries.findIndex(({ replicas }) => replicas.length === 0)
  if (empty >= 0) throw failed('Partition replica list cannot be empty', empty)
  const twice = repeated(entries, partitionKey)
  if (twice.length > 0) {
    const names = partitionMap(twice).map(partitionText).join(',')
    throw failed(`Partition reassignment contains duplicate topic partitions: ${names}`, entries.indexOf(twice[0]!))
  }
  const wrong = entries.filter(({ replicas }) => new Set(replicas).size < replicas.length)
  if (wrong.length === 0) return
  const lists = wrong.map(repeatsText).join('. ')
  throw failed(`Partition replica lists may not contain duplicate entries: ${lists}`, entries.indexOf(wrong[0]!))
}

function repeatsText(entry: ReassignmentEntry): string {
  const brokers = integerSet(repeated(entry.replicas, (id) => id))
  return `${partitionText(entry)} contains multiple entries for ${brokers.join(',')}`
}

function failed(javaMessage: string, index: number): Error {
  const details = { javaClass: COMMAND_FAILED, javaMessage }
  if (index < 0) return refused(`partitions: ${javaMessage}`, details)
  return refused(`partitions[${index}]: ${javaMessage}`, { index, ...details })
}
