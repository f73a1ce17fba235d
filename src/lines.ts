/** Newline-separated names: bytes in blocks of any size in, one key a line out. */
import { isUtf8 } from 'node:buffer'
import type { ColumnBuilder } from './column-builder.js'
import { codedError } from './errors.js'

/** How the bytes of a line are taken. */
export interface LineOptions {
  /** `utf8` (default): a line of other bytes is refused, with its number. `binary`: bytes are kept as they are. */
  readonly encoding?: 'utf8' | 'binary'
  /** What the lines come from, for messages. Default `input`. */
  readonly name?: string
  /** Number of the first line, for messages: where the bytes are a part of a file. Default 1. */
  readonly firstLine?: number
}

const NEWLINE = 0x0a
const RETURN = 0x0d

/**
 * Cuts blocks into lines and gives them to a builder. A line ends at LF or CRLF; the last one needs no end; an empty line
 * is an empty key.
 */
export class LineSplitter {
  readonly #builder: ColumnBuilder
  readonly #utf8: boolean
  readonly #name: string
  readonly #firstLine: number
  /** The beginning of a line whose end has not come yet, in pieces. */
  #pieces: Uint8Array[] = []

  constructor(builder: ColumnBuilder, { encoding = 'utf8', name = 'input', firstLine = 1 }: LineOptions = {}) {
    this.#builder = builder
    this.#utf8 = encoding === 'utf8'
    this.#name = name
    this.#firstLine = firstLine
  }

  /** Takes the next block. The block may be reused afterwards. */
  add(block: Uint8Array): void {
    let from = 0
    if (this.#pieces.length > 0) {
      from = block.indexOf(NEWLINE) + 1
      if (from === 0) {
        this.#pieces.push(block.slice())
        return
      }
      this.#finishLine(block.subarray(0, from))
    }
    const to = block.lastIndexOf(NEWLINE) + 1
    if (to > from) this.#wholeLines(block.subarray(from, to))
    if (Math.max(from, to) < block.length) this.#pieces.push(block.slice(Math.max(from, to)))
  }

  /** Takes the last line where no newline ends it. */
  end(): void {
    if (this.#pieces.length > 0) this.#finishLine(Uint8Array.of(NEWLINE))
  }

  #finishLine(end: Uint8Array): void {
    const line = Buffer.concat([...this.#pieces, end])
    this.#pieces = []
    this.#wholeLines(line)
  }

  /** One check of the whole region is cheap; line by line only where it fails, to tell which. */
  #wholeLines(region: Uint8Array): void {
    const search = this.#utf8 && !isUtf8(region)
    for (let from = 0, to = 0; from < region.length; from = to + 1) {
      to = region.indexOf(NEWLINE, from)
      const end = to > from && region[to - 1] === RETURN ? to - 1 : to
      if (search && !isUtf8(region.subarray(from, end))) throw this.#notUtf8(region.subarray(from, end))
      this.#builder.addBytes(region, from, end)
    }
  }

  #notUtf8(line: Uint8Array): Error {
    let byte = 0
    while (isUtf8(line.subarray(0, byte + 1)) || isUtf8PrefixOf(line, byte)) byte++
    const index = this.#builder.length
    return codedError(
      'ERR_PLACEMENT_INPUT',
      `${this.#name}:${this.#firstLine + index}: expected UTF-8, got byte 0x${(line[byte] ?? 0).toString(16)} at column ${byte + 1}`,
      { index },
    )
  }
}

/** True where the bytes up to `byte` begin a character that the following bytes of the line complete. */
function isUtf8PrefixOf(line: Uint8Array, byte: number): boolean {
  for (let more = 2; more <= 4 && byte + more <= line.length; more++) {
    if (isUtf8(line.subarray(0, byte + more))) return true
  }
  return false
}
