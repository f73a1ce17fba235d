/**
 * Columns: strings packed one after the other, in one or many chunks, and the ways in which callers bring them.
 *
 * Taken by their shape, without a copy: `{ values, offsets, length }` (Arrow's Utf8 layout), `{ chunks: [...] }`, and what
 * apache-arrow calls `Data` and `Vector`. A slice, whose offsets do not start at 0, is as good as a whole.
 */
import { isBytes } from './bytes.js'
import type { BadOffset } from './engine/contract.js'
import { codedError, shown } from './errors.js'
import { firstBadOffset } from './fallback/column.js'
import type { Packed } from './types.js'

/** The shape of apache-arrow's `Data<Utf8>`; one with nulls is refused. */
export interface ArrowData {
  readonly values: Uint8Array
  readonly valueOffsets: Int32Array | Uint32Array
  readonly length: number
  readonly nullCount?: number
}

/** The shape of apache-arrow's `Vector<Utf8>`. */
export interface ArrowVector {
  readonly data: readonly ArrowData[]
}

/** Strings in one or many chunks. */
export interface ChunkedColumn {
  readonly chunks: readonly Packed[]
}

/** What is taken for a column. */
export type Column = Packed | ChunkedColumn | ArrowData | ArrowVector

/** True for what has the shape of a column, right or wrong inside. */
export function isColumn(value: unknown): value is Column {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return false
  // A Set and a Map have a method `values`.
  return 'chunks' in value || 'data' in value || ('values' in value && typeof value.values !== 'function')
}

/**
 * The chunks of a column, their shapes checked; the offsets are checked by the engine as it reads them.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_COLUMN
 */
export function chunksOf(column: Column, name: string): readonly Packed[] {
  if ('chunks' in column)
    return list(column.chunks, `${name}.chunks`).map((chunk, i) => packed(chunk, `${name}.chunks[${i}]`))
  if ('data' in column) return list(column.data, `${name}.data`).map((data, i) => packed(data, `${name}.data[${i}]`))
  return [packed(column, name)]
}

function list<T>(value: readonly T[], name: string): readonly T[] {
  if (Array.isArray(value)) return value
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected an array of chunks, got ${shown(value)}`)
}

function packed(chunk: Packed | ArrowData, name: string): Packed {
  if (typeof chunk !== 'object' || chunk === null) {
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_TYPE',
      `${name}: expected { values, offsets, length }, got ${shown(chunk)}`,
    )
  }
  const { values, length } = chunk
  const offsets = 'valueOffsets' in chunk ? chunk.valueOffsets : chunk.offsets
  if (!isBytes(values)) throw wrongArray(`${name}.values`, 'a Uint8Array', values)
  if (!(offsets instanceof Int32Array || offsets instanceof Uint32Array)) {
    throw wrongArray(
      `${name}.offsets`,
      'an Int32Array or Uint32Array (cast 64-bit offsets, or cut the column in chunks)',
      offsets,
    )
  }
  if (!Number.isInteger(length) || length < 0) {
    throw codedError('ERR_PLACEMENT_COLUMN', `${name}.length: expected an integer of 0 or more, got ${shown(length)}`)
  }
  if (offsets.length < length + 1) {
    const why = offsets.length === 0 ? ' (is its buffer detached?)' : ''
    throw codedError(
      'ERR_PLACEMENT_COLUMN',
      `${name}.offsets: expected ${length + 1} entries, got ${offsets.length}${why}`,
    )
  }
  if ('nullCount' in chunk && chunk.nullCount) {
    throw codedError(
      'ERR_PLACEMENT_COLUMN',
      `${name}: expected no nulls, got ${chunk.nullCount}; filter them out first`,
    )
  }
  return { values, offsets, length }
}

function wrongArray(name: string, expected: string, got: unknown): Error {
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected ${expected}, got ${shown(got)}`)
}

/** Keys in all chunks. */
export function lengthOf(chunks: readonly Packed[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

/** The error of an offset that an engine found bad. */
export function badOffset(position: BadOffset, chunk: Packed, name: string): Error {
  const { offsets, values } = chunk
  const before = position > 0 ? offsets[position - 1]! : 0
  return codedError(
    'ERR_PLACEMENT_COLUMN',
    `${name}.offsets[${position}]: expected a number in [${before}, ${values.length}], got ${offsets[position]}`,
    { index: position },
  )
}

/** Checks the offsets of every chunk before the first is answered, so that a bad one leaves nothing half done. */
export function checkOffsets(chunks: readonly Packed[], name: string): void {
  chunks.forEach((chunk, i) => {
    const bad = firstBadOffset(chunk)
    if (bad >= 0) throw badOffset(bad, chunk, chunks.length === 1 ? name : `${name} chunk ${i}`)
  })
}
