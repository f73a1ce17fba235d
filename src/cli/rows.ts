/** The rows of an answer: `input<TAB>answer` for people and pipes, `--jsonl` and `--json` for programs. */
import { isUtf8 } from 'node:buffer'
import type { Batch } from './batches.js'
import type { Arguments, Option } from './grammar.js'
import type { Destination } from './output.js'
import { RowBuffer } from './row-buffer.js'

/** The options that say how the answer is written. */
export const OUTPUT_OPTIONS: readonly Option[] = [
  { name: 'json', help: 'one JSON document' },
  { name: 'jsonl', help: 'a JSON object a line' },
  { name: 'output', value: 'FILE', help: 'write FILE, whole or not at all' },
]

export type RowFormat = 'text' | 'json' | 'jsonl'

/** The format that the options ask for. @throws ERR_PLACEMENT_USAGE for two at once */
export function rowFormat(args: Arguments): RowFormat {
  args.apart('json', 'jsonl')
  if (args.flag('json')) return 'json'
  return args.flag('jsonl') ? 'jsonl' : 'text'
}

/** How the answers of a batch are written, in at most {@link ANSWER_BYTES} bytes each. */
export interface Answers {
  /** Behind the tab. */
  text(rows: RowBuffer, index: number): void
  /** The fields behind the input: `"partition":3`. */
  json(rows: RowBuffer, index: number): void
}

/** Room for an answer and all that a row has around its input. */
const ANSWER_BYTES = 160

/** A block of output is written when it holds so many bytes. */
const WRITE_BYTES = 1 << 20

const TAB = 0x09
const NEWLINE = 0x0a
const INPUT = Buffer.from('{"input":"')
const INPUT_END = Buffer.from('",')
const CLOSE = 0x7d

/** Writes batch after batch. */
export class RowWriter {
  readonly #rows = new RowBuffer()
  readonly #format: RowFormat
  readonly #destination: Destination
  /** The document's fields before its answers, as a JSON object. */
  readonly #document: object
  #count = 0
  #opened = false

  constructor(format: RowFormat, destination: Destination, document: object) {
    this.#format = format
    this.#destination = destination
    this.#document = document
  }

  /** Writes the answers of a batch. */
  async add(batch: Batch, answers: Answers): Promise<void> {
    const { chunks } = this.#format === 'text' ? batch.echo : batch.keys
    let first = 0
    for (const { values, offsets, length } of chunks) {
      for (let i = 0; i < length; i++) {
        const [from, to] = [offsets[i]!, offsets[i + 1]!]
        if (this.#format === 'text') this.#textRow(values, from, to)
        else this.#jsonRow(batch, first + i, values.subarray(from, to))
        answers[this.#format === 'text' ? 'text' : 'json'](this.#rows, first + i)
        if (this.#format !== 'text') this.#rows.byte(CLOSE)
        if (this.#format !== 'json') this.#rows.byte(NEWLINE)
        if (this.#rows.length > WRITE_BYTES) await this.#flush()
      }
      first += length
    }
    await this.#flush()
  }

  /** Writes what follows the last row. */
  async end(): Promise<void> {
    if (this.#format !== 'json') return
    this.#open()
    this.#rows.text(`${this.#count === 0 ? '' : '\n'}],"count":${this.#count}}\n`)
    await this.#flush()
  }

  #textRow(values: Uint8Array, from: number, to: number): void {
    this.#rows.reserve(to - from + ANSWER_BYTES)
    this.#rows.copy(values, from, to)
    this.#rows.byte(TAB)
  }

  #jsonRow(batch: Batch, index: number, key: Uint8Array): void {
    if (this.#format === 'json') {
      this.#open()
      this.#rows.text(this.#count++ === 0 ? '\n' : ',\n')
    }
    const lone = batch.keys.lone.get(index)
    if (lone !== undefined) this.#rows.text(`{"input":${JSON.stringify(lone)},`)
    else if (batch.utf8 || isUtf8(key)) this.#input(key)
    else this.#rows.text(`{"inputBase64":"${Buffer.from(key).toString('base64')}",`)
    this.#rows.reserve(ANSWER_BYTES)
  }

  #input(key: Uint8Array): void {
    this.#rows.reserve(6 * key.length + ANSWER_BYTES)
    this.#rows.copy(INPUT)
    this.#rows.escaped(key, 0, key.length)
    this.#rows.copy(INPUT_END)
  }

  /** The beginning of the document, once; not before the first answer, so that a refused input leaves nothing. */
  #open(): void {
    if (this.#opened) return
    this.#opened = true
    const fields = JSON.stringify(this.#document).slice(0, -1)
    this.#rows.text(`${fields === '{' ? '{' : `${fields},`}"answers":[`)
  }

  async #flush(): Promise<void> {
    if (this.#rows.length === 0) return
    await this.#destination.write(this.#rows.view())
    this.#rows.clear()
  }
}
