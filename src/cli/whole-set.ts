/** All topics of an input at once, for questions that no part of them answers; errors still tell the place in the input. */
import type { CodedError } from '../errors.js'
import { codedError, isCodedError } from '../errors.js'
import { type Packed, TopicSet } from '../index.js'
import type { Batch, Input } from './batches.js'
import type { Session } from './session.js'

/** The topics, and where each stands. */
export interface WholeSet {
  readonly topics: TopicSet
  /** Asks a question about them; an error that names a topic by its index names its place in the input instead. */
  placed<T>(ask: () => T | Promise<T>): Promise<T>
  /** Where a topic stands, for messages: `topics.txt:17`. */
  where(index: number): string
}

/** Reads an input to its end; `null` is no topics. */
export async function wholeSet(session: Session, input: Input | null): Promise<WholeSet> {
  const batches: Batch[] = []
  if (input !== null) {
    await session.each(input, (batch) => {
      batches.push(batch)
    })
  }
  const topics = TopicSet.from(joined(batches.flatMap(({ keys }) => keys.chunks)))
  const places = new Places(batches)
  const placed = async <T>(ask: () => T | Promise<T>): Promise<T> => {
    try {
      return await ask()
    } catch (error) {
      throw isCodedError(error) && error.index !== undefined ? inPlace(error, error.index, places) : error
    }
  }
  return { topics, placed, where: (index) => places.of(index) }
}

/** Where the names of some batches stand. */
class Places {
  readonly #batches: readonly Batch[]
  /** How many names come before each batch. */
  readonly #firsts: number[] = []

  constructor(batches: readonly Batch[]) {
    this.#batches = batches
    let first = 0
    for (const { keys } of batches) {
      this.#firsts.push(first)
      first += keys.length
    }
  }

  /** Cost: logarithmic. */
  of(index: number): string {
    let [low, high] = [0, this.#firsts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.#firsts[middle]! <= index) low = middle
      else high = middle - 1
    }
    return this.#batches[low]!.where(index - this.#firsts[low]!)
  }
}

function inPlace(error: CodedError, index: number, places: Places): Error {
  if (!/^topics\[\d+\]: /.test(error.message)) return error
  const message = error.message.replace(/^topics\[\d+\]: /, '')
  return codedError(error.code, `${places.of(index)}: ${message}`, { index, cause: error })
}

/** One column: families of topics are found over one at once. */
function joined(chunks: readonly Packed[]): Packed {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const bytes = chunks.reduce((sum, { offsets, length: count }) => sum + offsets[count]! - offsets[0]!, 0)
  const [values, offsets] = [new Uint8Array(bytes), new Uint32Array(length + 1)]
  let [at, name] = [0, 0]
  for (const chunk of chunks) {
    const first = chunk.offsets[0]!
    values.set(chunk.values.subarray(first, chunk.offsets[chunk.length]!), at)
    for (let i = 1; i <= chunk.length; i++) offsets[++name] = at + chunk.offsets[i]! - first
    at = offsets[name]!
  }
  return { values, offsets, length }
}
