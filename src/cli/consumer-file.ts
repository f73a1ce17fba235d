/** The consumers that a command speaks of: a file with a name a line, and behind a tab what the command wants to know more. */
import { readFileSync } from 'node:fs'
import { codedError, isCodedError, shown } from '../errors.js'
import type { Option } from './grammar.js'
import { unreadable } from './input.js'
import type { RowBuffer } from './row-buffer.js'
import type { Session } from './session.js'

/** A line of the file. */
export interface ConsumerLine {
  readonly name: string
  /** What stands behind the tab, or `undefined`. */
  readonly more: string | undefined
  /** For messages: `consumers.txt:3`. */
  readonly where: string
}

/** The option that names the file. */
export function consumersOption(more: string): Option {
  return {
    name: 'consumers',
    value: 'FILE',
    help: `the consumers in the order of joining, a name a line${more} (required)`,
  }
}

/** The lines of the file, at least one. @throws ERR_PLACEMENT_INPUT, ERR_PLACEMENT_USAGE */
export function consumerLines({ args }: Session): ConsumerLine[] {
  const file = args.required('consumers', args.text('consumers'))
  const lines = textOf(file)
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (lines.length === 0) throw codedError('ERR_PLACEMENT_INPUT', `${file}: expected a consumer a line, got none`)
  return lines.map((line, i) => {
    const [name, ...more] = line.split('\t')
    return { name: name!, more: more.length === 0 ? undefined : more.join('\t'), where: `${file}:${i + 1}` }
  })
}

/** All of a file, or for `-` of standard input. @throws ERR_PLACEMENT_INPUT */
export function textOf(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file === '-' ? 0 : file)
  } catch (cause) {
    throw unreadable(file, cause)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw codedError('ERR_PLACEMENT_INPUT', `${file}: expected UTF-8, got other bytes`, { cause })
  }
}

/** Asks about a line; an error of the library names it. */
export function atLine<T>({ where }: ConsumerLine, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (!isCodedError(error)) throw error
    throw codedError(error.code, `${where}: ${error.message}`, { cause: error })
  }
}

/** An integer of a line. @throws ERR_PLACEMENT_INPUT */
export function integerOf({ where }: ConsumerLine, text: string, what: string): number {
  if (/^-?[0-9]{1,10}$/.test(text)) return Number(text)
  throw codedError('ERR_PLACEMENT_INPUT', `${where}: expected ${what}, got ${shown(text)}`)
}

/** Room for what a row has behind its answer. */
const ROW_END = 160

/** Writes a text of any length into a row. */
export function writeWord(rows: RowBuffer, word: Uint8Array): void {
  rows.reserve(word.length + ROW_END)
  rows.copy(word)
}
