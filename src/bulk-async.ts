/** The async twin of `answerAll`: slice by slice off the event loop, with a signal and progress; the same answer. */
import { setImmediate } from 'node:timers/promises'
import { answerLone, type Keys, type Output, outputFor, packKeys, type Question, type Words } from './bulk.js'
import { badOffset, checkOffsets, lengthOf } from './column.js'
import { type Built, ColumnBuilder } from './column-builder.js'
import type { BadOffset } from './engine/contract.js'
import { codedError, shown } from './errors.js'
import type { Packed } from './types.js'

/** What the long questions take beside their own options. */
export interface AsyncOptions {
  /** Stops the work within a slice (a few milliseconds); the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal
  /** Called after each slice with the keys answered so far and in all; the last call has both equal. */
  readonly onProgress?: (done: number, total: number) => void
}

/** A question put to an engine slice by slice. */
export interface AsyncQuestion<T extends Words> extends Pick<Question<T>, 'lone'> {
  packed(column: Packed, out: T): Promise<BadOffset>
}

/** Keys a slice: 1 to 2 ms on a worker thread, and in the fallback 5 to 15 ms between two turns of the event loop. */
const SLICE = 1 << 18

/** Keys packed a turn of the event loop: about 2 ms. */
const PART = 1 << 15

/**
 * Answers a question for every key of a column or an array. The input and the result array must not be written until the
 * promise settles. A signal that fires leaves a result array of the caller's partly written.
 */
export async function answerAllAsync<T extends Words>(
  keys: Keys,
  output: Output<T>,
  question: AsyncQuestion<T>,
  options: AsyncOptions = {},
): Promise<T> {
  checkOptions(options)
  const { signal, onProgress } = options
  signal?.throwIfAborted()
  const built = await packKeysAsync(keys, signal)
  const { chunks } = built
  checkOffsets(chunks, 'keys')
  const out = outputFor(chunks, output)
  const total = lengthOf(chunks)
  let done = 0
  for (const slice of slicesOf(chunks)) {
    const bad = await question.packed(slice, out.subarray(done, done + slice.length) as T)
    if (bad >= 0) throw badOffset(bad, slice, 'keys')
    done += slice.length
    signal?.throwIfAborted()
    onProgress?.(done, total)
  }
  answerLone(built, out, question)
  return out
}

/** The keys as chunks: an array is packed on the event loop, where strings live, but a part a turn. */
export async function packKeysAsync(keys: Keys, signal: AbortSignal | undefined): Promise<Built> {
  if (!Array.isArray(keys)) return packKeys(keys)
  const builder = new ColumnBuilder(keys.length)
  for (let from = 0; from < keys.length; from += PART) {
    if (from > 0) await setImmediate()
    signal?.throwIfAborted()
    builder.addKeys(keys.slice(from, from + PART), from)
  }
  return builder.finish()
}

/** Errors: ERR_PLACEMENT_ARGUMENT_TYPE. */
export function checkOptions({ signal, onProgress }: AsyncOptions): void {
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `signal: expected an AbortSignal, got ${shown(signal)}`)
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `onProgress: expected a function, got ${shown(onProgress)}`)
  }
}

function* slicesOf(chunks: readonly Packed[]): Generator<Packed> {
  for (const { values, offsets, length } of chunks) {
    for (let from = 0; from < length; from += SLICE) {
      const to = Math.min(from + SLICE, length)
      yield { values, offsets: offsets.subarray(from, to + 1), length: to - from }
    }
  }
}
