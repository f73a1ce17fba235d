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
  const placed = async <T>(ask: () => T | Promise<T>): Promise<T> => {
    try {
      return await ask()
    } catch (error) {
      throw isCodedError(error) && error.index !== undefined ? inPlace(error, error.index, batches) : error
    }
  }
  return { topics, placed }
}

function inPlace(error: CodedError, index: number, batches: readonly Batch[]): Error {
  if (!/^topics\[\d+\]: /.test(error.message)) return error
  let within = index
  const batch = batches.find(({ keys }) => {
    if (within < keys.length) return true
    within -= keys.length
    return false
  })!
  const message = error.message.replace(/^topics\[\d+\]: /, '')
  return codedError(error.code, `${batch.where(within)}: ${message}`, { index, cause: error })
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
