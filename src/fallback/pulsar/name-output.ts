/**
 * The column that canonical topic names are collected in: what was canonical already is taken over in runs.
 *
 * For src/fallback/pulsar/topic-name.ts; twin of `Output` in native/core/src/pulsar/topic_name.rs. Memory is taken once, for
 * the longest that the names can become: what is not written costs addresses, not memory.
 */
import { codedError } from '../../errors.js'
import type { Packed } from '../../types.js'

/** A canonical name: `head`, then the given bytes `[from, to)`, then `tail`. */
export interface Piece {
  readonly head: Uint8Array
  readonly from: number
  readonly to: number
  readonly tail: string
}

/** The most that a name grows by, but for descriptors of segments: `persistent://public/default/`. */
const LONGEST_HEAD = 28

/** What 32-bit offsets reach. */
const MOST_BYTES = 0xffffffff

/** Bytes up to which a loop copies faster than a call of `set`, which needs a view. */
const SHORT = 64

/** Takes names in their order; those not put are taken over as they are. */
export class NameOutput {
  readonly #column: Packed
  #values = new Uint8Array(0)
  #offsets: Uint32Array | undefined
  /** Bytes written, and names whose bytes they are. */
  #end = 0
  #names = 0

  constructor(column: Packed) {
    this.#column = column
  }

  /** Puts name `index`, which comes after all that were put. */
  put(index: number, { head, from, to, tail }: Piece): void {
    this.#takeOver(index)
    const end = this.#end + head.length + (to - from) + tail.length
    this.#reserve(end)
    this.#put(head, 0, head.length)
    this.#put(this.#column.values, from, to)
    for (let i = 0; i < tail.length; i++) this.#values[this.#end++] = tail.charCodeAt(i)
    this.#names++
    this.#offsets![this.#names] = end
  }

  finish(): { readonly values: Uint8Array; readonly offsets: Uint32Array } {
    const { values, offsets, length } = this.#column
    if (this.#offsets === undefined) return { values, offsets: unsigned(offsets).subarray(0, length + 1) }
    this.#takeOver(length)
    return { values: this.#values.subarray(0, this.#end), offsets: this.#offsets }
  }

  /** Copies the names up to `index`, exclusive. */
  #takeOver(index: number): void {
    const { offsets, length } = this.#column
    this.#offsets ??= new Uint32Array(length + 1)
    if (this.#names === index) return
    const [from, to] = [offsets[this.#names]!, offsets[index]!]
    this.#reserve(this.#end + to - from)
    const shift = this.#end - from
    this.#put(this.#column.values, from, to)
    for (let i = this.#names + 1; i <= index; i++) this.#offsets[i] = offsets[i]! + shift
    this.#names = index
  }

  /** Room for so many bytes: at first for all names, each with the longest head; more only for descriptors that grow. */
  #reserve(bytes: number): void {
    if (bytes <= this.#values.length) return
    if (bytes > MOST_BYTES) throw namesTooLong(this.#names)
    const { offsets, length } = this.#column
    const rest = offsets[length]! - offsets[this.#names]! + LONGEST_HEAD * (length - this.#names)
    const grown = new Uint8Array(Math.min(Math.max(bytes, this.#values.length) + rest, MOST_BYTES))
    grown.set(this.#values.subarray(0, this.#end))
    this.#values = grown
  }

  #put(bytes: Uint8Array, from: number, to: number): void {
    const values = this.#values
    let at = this.#end
    if (to - from > SHORT) values.set(bytes.subarray(from, to), at)
    else for (let i = from; i < to; i++) values[at++] = bytes[i]!
    this.#end += to - from
  }
}

/** The error of a column whose canonical names need more than 32-bit offsets, for both engines. */
export function namesTooLong(index: number): Error {
  const message = `column: expected canonical names of at most 4 GiB, got more at name ${index}; cut the column in chunks`
  return codedError('ERR_PLACEMENT_COLUMN', message, { index })
}

/** Offsets are never negative: the same words, seen as unsigned. */
function unsigned(offsets: Int32Array | Uint32Array): Uint32Array {
  if (offsets instanceof Uint32Array) return offsets
  return new Uint32Array(offsets.buffer, offsets.byteOffset, offsets.length)
}
