/**
 * One way to ask about many keys, whatever holds them: an array of strings or bytes, a column, a TopicSet. The answer is a
 * typed array, the caller's where one is given.
 */
import { badOffset, type Column, checkOffsets, chunksOf, isColumn, lengthOf } from './column.js'
import { type Built, ColumnBuilder } from './column-builder.js'
import type { BadOffset, Threads } from './engine/contract.js'
import { checkInteger, codedError, shown } from './errors.js'
import type { Key, Packed } from './types.js'

/** Many keys. */
export type Keys = readonly Key[] | Column

/** The two typed arrays that answers come in. */
export type Words = Int32Array | Uint32Array

/** A question put to an engine, in the two forms that it is asked in. */
export interface Question<T extends Words> {
  packed(column: Packed, out: T): BadOffset
  readonly strings: OfStrings<T>
  /** The answer for text with a lone surrogate, where the bytes (`?`) do not tell it: `String.hashCode` alone. */
  lone?(text: string): number
}

/**
 * Answers for an array that should hold strings alone. False where it does not: what was written to `out`, which is as long as
 * the array, is worthless then.
 */
export type OfStrings<T extends Words> = (strings: readonly unknown[], out: T) => boolean

/** Makes the result array, or takes the caller's. */
export interface Output<T extends Words> {
  readonly type: { new (length: number): T; readonly name: string }
  readonly given: T | undefined
}

/** For questions over large columns. */
export interface ThreadOptions {
  /**
   * Most threads that may answer for a column, a `TopicSet` or a list of hashes, this one among them: an integer in
   * `[1, 256]`. Default: 1. The answer is the same. Small columns are answered by fewer; an array of strings is read by this
   * thread alone, and the TypeScript engine has no other.
   */
  readonly threads?: number | undefined
}

/** More than any machine has processors for one process; each would have a stack of its own. */
const MOST_THREADS = 256

/** The number of threads, checked. Errors: ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE. */
export function threadsOf({ threads }: ThreadOptions): Threads {
  return threads === undefined ? 1 : checkInteger(threads, 'threads', [1, MOST_THREADS])
}

/** True for what {@link answerAll} takes. */
export function isKeys(value: unknown): value is Keys {
  return Array.isArray(value) || isColumn(value)
}

/**
 * Answers a question for every key.
 *
 * @returns the result array: the caller's, of which the first `count` items are written, or a new one of that length
 * @throws ERR_PLACEMENT_KEY_TYPE (with index), ERR_PLACEMENT_COLUMN, ERR_PLACEMENT_OUTPUT, ERR_PLACEMENT_ARGUMENT_TYPE;
 *   a thrown error leaves the caller's array as it was
 */
export function answerAll<T extends Words>(keys: Keys, output: Output<T>, question: Question<T>): T {
  const answer = Array.isArray(keys) ? answerStrings(keys, output, question.strings) : null
  return answer ?? answerColumn(keys, output, question)
}

/**
 * Answers for an array of strings, or `null` where it holds something else, the caller's array left as it was.
 *
 * The strings are read once, and what they are shows as they are read: a look before would cost 3.5 ns each, since all of it is
 * the way to memory. So an array of the caller's is written at the end.
 */
export function answerStrings<T extends Words>(
  keys: readonly unknown[],
  output: Output<T>,
  strings: OfStrings<T>,
): T | null {
  if (keys.length > 0 && typeof keys[0] !== 'string') return null
  const out = resultArray(output, keys.length)
  const own = output.given === undefined ? out : new output.type(keys.length)
  if (!strings(keys, own)) return null
  if (own !== out) out.set(own)
  return out
}

/** {@link answerAll} with every key packed first. */
export function answerColumn<T extends Words>(
  keys: Keys,
  output: Output<T>,
  question: Pick<Question<T>, 'packed' | 'lone'>,
): T {
  const packed = packKeys(keys)
  const out = answerChunks(packed.chunks, output, question)
  answerLone(packed, out, question)
  return out
}

/** Writes the answers for text with lone surrogates over those for its bytes. */
export function answerLone<T extends Words>({ lone }: Built, out: T, question: Pick<Question<T>, 'lone'>): void {
  if (question.lone === undefined) return
  for (const [index, text] of lone) out[index] = question.lone(text)
}

/** The keys as chunks: a column as it lies, an array packed. */
export function packKeys(keys: Keys): Built {
  if (Array.isArray(keys)) {
    const builder = new ColumnBuilder()
    builder.addKeys(keys)
    return builder.finish()
  }
  if (isColumn(keys)) return { chunks: chunksOf(keys, 'keys'), lone: 'lone' in keys ? loneOf(keys) : NONE }
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `keys: expected an array or a column, got ${shown(keys)}`)
}

/** The result array for these chunks: as long as their keys or longer, and over none of them. */
export function outputFor<T extends Words>(chunks: readonly Packed[], output: Output<T>): T {
  const out = resultArray(output, lengthOf(chunks))
  if (output.given !== undefined) for (const chunk of chunks) checkApart(out, chunk)
  return out
}

function answerChunks<T extends Words>(
  chunks: readonly Packed[],
  output: Output<T>,
  question: Pick<Question<T>, 'packed'>,
): T {
  const out = outputFor(chunks, output)
  // One chunk is checked by the engine before it writes.
  if (output.given !== undefined && chunks.length > 1) checkOffsets(chunks, 'keys')
  let at = 0
  for (const chunk of chunks) {
    const bad = question.packed(chunk, out.subarray(at, at + chunk.length) as T)
    if (bad >= 0) throw badOffset(bad, chunk, 'keys')
    at += chunk.length
  }
  return out
}

const NONE: ReadonlyMap<number, string> = new Map()

/** A TopicSet keeps the text of such names aside. */
function loneOf({ lone }: { readonly lone: unknown }): ReadonlyMap<number, string> {
  return lone instanceof Map ? lone : NONE
}

/** The caller's array, or a new one of that length. Errors: ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_OUTPUT. */
export function resultArray<T extends Words>({ type, given }: Output<T>, count: number): T {
  if (given === undefined) return new type(count)
  if (!(given instanceof type)) {
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_TYPE',
      `out: expected ${type === (Int32Array as unknown) ? 'an' : 'a'} ${type.name}, got ${shown(given)}`,
    )
  }
  if (given.length < count) {
    throw codedError('ERR_PLACEMENT_OUTPUT', `out: expected room for ${count} items, got ${given.length}`)
  }
  return given
}

/** Refuses a result array over the memory of a column. Errors: ERR_PLACEMENT_OUTPUT. */
export function checkApart(out: Words, { values, offsets }: Packed): void {
  checkOverlap(out, values, 'values of keys')
  checkOverlap(out, offsets, 'offsets of keys')
}

/** Refuses a result array over other memory. Errors: ERR_PLACEMENT_OUTPUT. */
export function checkOverlap(out: Words, input: Words | Uint8Array, name: string): void {
  if (input.buffer !== out.buffer) return
  if (input.byteOffset < out.byteOffset + out.byteLength && out.byteOffset < input.byteOffset + input.byteLength) {
    throw codedError('ERR_PLACEMENT_OUTPUT', `out: expected memory of its own, got an array over the ${name}`)
  }
}
