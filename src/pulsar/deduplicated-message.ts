/** What deduplication looks at in a message: its producer, its sequence ids, its chunk, where it was replicated from. */
import { codedError, shown } from '../errors.js'
import { parseLong } from './java-long.js'

/** A publish. Sequence ids are longs: a bigint beyond 2^53. */
export interface DeduplicatedMessage {
  readonly producerName: string
  /** Of the message, or of the first one of its batch. */
  readonly sequenceId: number | bigint
  /** Of the last one of its batch. Default: 0, none. */
  readonly highestSequenceId?: number | bigint | undefined
  /** `[chunkId, numChunksFromMsg]` of a chunk. */
  readonly chunk?: readonly [number, number] | undefined
  /** Whether it is a marker, such as a transaction's. Default: false. */
  readonly marker?: boolean | undefined
  /** Of a replicator's publish: the message as its first producer sent it. */
  readonly original?: Omit<DeduplicatedMessage, 'original'> | undefined
  /** Of a replicator's publish: its property `__MSG_PROP_REPL_SOURCE_POSITION`, `ledger:entry`. */
  readonly sourcePosition?: string | undefined
  /** Whether the replicator is judged by that position. Default: false. */
  readonly byPosition?: boolean | undefined
}

/** Sequence ids by producer. */
export type SequenceMarks = Readonly<Record<string, number | bigint>>

/** As {@link SequenceMarks}, exact. */
export type Marks = Map<string, bigint>

const LONG = 2n ** 63n

/** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
export function checkMessage(message: DeduplicatedMessage, where: string): void {
  if (typeof message !== 'object' || message === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a message, got ${shown(message)}`)
  }
  const { producerName, sequenceId, highestSequenceId, chunk, original } = message
  if (typeof producerName !== 'string') {
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_TYPE',
      `${where}.producerName: expected a string, got ${shown(producerName)}`,
    )
  }
  checkSequence(sequenceId, `${where}.sequenceId`)
  if (highestSequenceId !== undefined) checkSequence(highestSequenceId, `${where}.highestSequenceId`)
  if (chunk !== undefined) checkChunk(chunk, `${where}.chunk`)
  if (original !== undefined) checkMessage(original, `${where}.original`)
}

function checkSequence(value: unknown, name: string): bigint {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  if (!isInteger && typeof value !== 'number') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected an integer or a bigint, got ${shown(value)}`)
  }
  const isExact = typeof value === 'bigint' ? value >= -LONG && value < LONG : Number.isSafeInteger(value)
  if (isExact) return BigInt(value as number | bigint)
  const range = 'expected a long, as a bigint beyond 2^53 - 1'
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${name}: ${range}, got ${shown(value)}`)
}

function checkChunk(chunk: unknown, name: string): void {
  const [id, count] = Array.isArray(chunk) && chunk.length === 2 ? chunk : []
  if (Number.isInteger(id) && Number.isInteger(count) && id >= 0 && id < count) return
  const expected = 'expected [id, count] with 0 <= id < count'
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${name}: ${expected}, got ${JSON.stringify(chunk) ?? shown(chunk)}`)
}

/** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
export function marksOf(marks: SequenceMarks | undefined, name: string): Marks {
  if (typeof (marks ?? {}) !== 'object' || marks === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected sequence ids by producer, got ${shown(marks)}`)
  }
  const entries = Object.entries(marks ?? {})
  return new Map(entries.map(([producer, mark]) => [producer, checkSequence(mark, `${name}[${shown(producer)}]`)]))
}

export const sequenceOf = (id: number | bigint): bigint => BigInt(id)

/** What a mark becomes when the message is taken. */
export function highestOf({ sequenceId, highestSequenceId = 0 }: DeduplicatedMessage): bigint {
  const [sequence, highest] = [BigInt(sequenceId), BigInt(highestSequenceId)]
  return sequence > highest ? sequence : highest
}

export const isMiddleChunk = ({ chunk }: DeduplicatedMessage): boolean =>
  chunk !== undefined && chunk[0] !== chunk[1] - 1

/** Ledger and entry of a replicated message's source; `null` where the property is missing or is no two numbers. */
export function sourcePosition(
  { sourcePosition: text }: DeduplicatedMessage,
  where: string,
): readonly [bigint, bigint] | null {
  // String.split leaves out empty texts at the end.
  const parts = (text ?? '').replace(/:+$/, '').split(':')
  if (!text?.includes(':') || parts.length !== 2 || parts.some((part) => !/^\p{Nd}+$/u.test(part))) return null
  const [ledger, entry] = parts.map((part) => parseLong(part, 10))
  if (ledger !== undefined && entry !== undefined) return [ledger, entry]
  throw codedError('ERR_PLACEMENT_ORIGINAL_FAILS', `${where}.sourcePosition: expected two longs, got ${shown(text)}`, {
    javaClass: 'java.lang.NumberFormatException',
  })
}
