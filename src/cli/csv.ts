/**
 * Input as CSV (RFC 4180): comma, fields in double quotes where they need them, a quote inside doubled, LF or CRLF. One
 * column is taken; bytes stay as they are.
 *
 * A quote in the middle of an unquoted field stands for itself: only one at its beginning opens a quoted field.
 */
import { isUtf8 } from 'node:buffer'
import { codedError, nearest, shown } from '../errors.js'
import { TopicSet } from '../index.js'
import type { Batch, Encoding } from './batches.js'
import { spelling } from './grammar.js'
import type { Source } from './input.js'
import { MOST_LINE_BYTES } from './whole-lines.js'

const NEWLINE = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const COMMA = 0x2c

/**
 * Keys of a column. Records before an unfinished one wait for the next block, and go with the last one where there is none:
 * a small input is one batch, so that an error in it leaves no half answer.
 *
 * @param column a number from 1 on (every record is data), or a name that the first record holds
 */
export async function* csvBatches(source: Source, column: string, encoding: Encoding): AsyncGenerator<Batch> {
  const reader = new CsvReader(source.name, column, encoding)
  for await (const block of source.blocks) {
    yield* reader.take()
    reader.add(block)
    if (!reader.isInside) yield* reader.take()
  }
  reader.end()
  yield* reader.take()
}

class CsvReader {
  readonly #name: string
  readonly #header: string | null
  readonly #encoding: Encoding
  /** Index of the column, or -1 before the header is read. */
  #column: number
  /** An unfinished record, in pieces. */
  #held: Uint8Array[] = []
  #heldBytes = 0
  /** Bytes to hold before the next look, so that a long record is read a few times, not once a block. */
  #enough = 0
  #line = 1
  #fields: Field[] = []
  #utf8 = true

  constructor(name: string, column: string, encoding: Encoding) {
    this.#name = name
    this.#encoding = encoding
    const number = /^[1-9][0-9]{0,5}$/.test(column)
    this.#header = number ? null : column
    this.#column = number ? Number(column) - 1 : -1
  }

  /** True after a part of a record. */
  get isInside(): boolean {
    return this.#heldBytes > 0
  }

  add(block: Uint8Array): void {
    this.#held.push(block)
    this.#heldBytes += block.length
    if (this.#heldBytes >= this.#enough) this.#read()
  }

  /** Reads what is held to its end, which ends a record too. */
  end(): void {
    if (this.isInside) {
      if (this.#held.at(-1)!.at(-1) !== NEWLINE) this.#held.push(Uint8Array.of(NEWLINE))
      this.#read()
    }
    if (this.isInside) throw this.#wrong(this.#line, 'expected a closing quote, got the end of the input')
    if (this.#column < 0) throw this.#wrong(this.#line, `expected a header with ${shown(this.#header)}, got nothing`)
  }

  /** The records read since the last call, if there are any. */
  take(): Batch[] {
    const fields = this.#fields
    if (fields.length === 0) return []
    const [keys, echo] = [TopicSet.from(fields.map(({ key }) => key)), TopicSet.from(fields.map(({ raw }) => raw))]
    const batch = { keys, echo, utf8: this.#utf8, where: (index: number) => `${this.#name}:${fields[index]!.line}` }
    this.#fields = []
    this.#utf8 = true
    return [batch]
  }

  #read(): void {
    const bytes = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held)
    const records = new Records(bytes, this.#line, (line, message) => this.#wrong(line, message))
    if (this.#column < 0 && records.next()) this.#column = this.#columnOf(records)
    const first = this.#fields.length
    while (this.#column >= 0 && records.next()) this.#fields.push(records.field(this.#column))
    if (!isUtf8(bytes.subarray(0, records.end))) this.#notUtf8(this.#fields.slice(first))
    this.#keep(bytes.subarray(records.end))
    this.#line = records.line
  }

  #notUtf8(fields: readonly Field[]): void {
    this.#utf8 = false
    const bad = fields.find(({ key }) => !isUtf8(key))
    if (bad === undefined || this.#encoding === 'binary') return
    throw this.#wrong(bad.line, 'expected UTF-8, got other bytes')
  }

  #keep(rest: Uint8Array): void {
    if (rest.length > MOST_LINE_BYTES) {
      throw this.#wrong(this.#line, `expected records of at most ${MOST_LINE_BYTES} bytes, got a longer one`)
    }
    this.#held = rest.length === 0 ? [] : [rest]
    this.#heldBytes = rest.length
    this.#enough = 2 * rest.length
  }

  #columnOf(records: Records): number {
    const names = records.all().map(({ key }) => Buffer.from(key).toString())
    const column = names.indexOf(this.#header!)
    if (column >= 0) return column
    const near = spelling(nearest(this.#header!, names))
    throw this.#wrong(1, `expected a column ${shown(this.#header)}, got ${names.map(shown).join(', ')}${near}`)
  }

  #wrong(line: number, message: string): Error {
    return codedError('ERR_PLACEMENT_INPUT', `${this.#name}:${line}: ${message}`)
  }
}

/** A field of a record: its bytes, as they stand and without the quotes. */
interface Field {
  readonly raw: Uint8Array
  readonly key: Uint8Array
  /** Line on which its record begins. */
  readonly line: number
}

/** Walks over the whole records of some bytes. */
class Records {
  /** Where the first record that is not whole begins. */
  end = 0
  /** The line of that place. */
  line: number
  readonly #bytes: Uint8Array
  readonly #wrong: (line: number, message: string) => Error
  /** Begin and end of each field of the record, one after the other. */
  #fields: number[] = []
  #recordLine: number

  constructor(bytes: Uint8Array, line: number, wrong: (line: number, message: string) => Error) {
    this.#bytes = bytes
    this.#wrong = wrong
    this.line = line
    this.#recordLine = line
  }

  /** Reads the next record; false where it is not whole. */
  next(): boolean {
    const bytes = this.#bytes
    this.#fields = []
    this.#recordLine = this.line
    let lines = 0
    for (let at = this.end; at < bytes.length; ) {
      const stop = bytes[at] === QUOTE ? this.#closing(at + 1) : this.#delimiter(at)
      if (stop < 0) return false
      if (bytes[at] === QUOTE) lines += newlines(bytes, at, stop)
      const delimiter = bytes[stop] === RETURN ? stop + 1 : stop
      if (delimiter >= bytes.length) return false
      this.#fields.push(at, stop)
      if (bytes[delimiter] === NEWLINE) {
        this.end = delimiter + 1
        this.line += lines + 1
        return true
      }
      if (bytes[delimiter] !== COMMA || delimiter !== stop) throw this.#afterQuote(lines)
      at = delimiter + 1
      // A comma ends the bytes: the field after it has not come yet.
      if (at === bytes.length) return false
    }
    return false
  }

  #afterQuote(lines: number): Error {
    return this.#wrong(this.#recordLine + lines, 'expected a comma or the end of the line after a closing quote')
  }

  /** Where an unquoted field ends: a comma, a newline, or the return before one. */
  #delimiter(from: number): number {
    const bytes = this.#bytes
    for (let at = from; at < bytes.length; at++) {
      if (bytes[at] === COMMA) return at
      if (bytes[at] === NEWLINE) return at > from && bytes[at - 1] === RETURN ? at - 1 : at
    }
    return -1
  }

  /** The position after the closing quote, or -1; a doubled one closes nothing. */
  #closing(from: number): number {
    const bytes = this.#bytes
    for (let at = bytes.indexOf(QUOTE, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(QUOTE, at + 2)) {
      if (bytes[at + 1] !== QUOTE) return at + 1
    }
    return -1
  }

  /** The field of a column. @throws where the record is shorter */
  field(column: number): Field {
    const { length } = this.#fields
    if (2 * column >= length) {
      throw this.#wrong(this.#recordLine, `expected ${column + 1} columns or more, got ${length / 2}`)
    }
    const raw = this.#bytes.subarray(this.#fields[2 * column]!, this.#fields[2 * column + 1]!)
    return { raw, key: unquoted(raw), line: this.#recordLine }
  }

  all(): Field[] {
    return Array.from({ length: this.#fields.length / 2 }, (_, column) => this.field(column))
  }
}

function newlines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE, from); at >= 0 && at < to; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}

function unquoted(raw: Uint8Array): Uint8Array {
  if (raw[0] !== QUOTE) return raw
  const inner = raw.subarray(1, -1)
  if (!inner.includes(QUOTE)) return inner
  const key = new Uint8Array(inner.length)
  let length = 0
  for (let at = 0; at < inner.length; at++) {
    key[length++] = inner[at]!
    if (inner[at] === QUOTE) at++
  }
  return key.subarray(0, length)
}
