/**
 * Files of JSON lines with an object each: events and ledgers. Numbers that a double does not hold are written as texts.
 *
 * An error of the library about item `i` names the line that it came from.
 */
import { codedError, isCodedError, shown } from '../errors.js'
import { openSource } from './input.js'
import { wholeLines } from './whole-lines.js'

/** The objects of a file, and where each stands. */
export interface EventFile<T> {
  readonly name: string
  readonly events: readonly T[]
  /** Line of each event, from 1. */
  readonly lines: readonly number[]
}

/** Reads a file, or standard input for `-` and nothing; empty lines are left out. @throws ERR_PLACEMENT_INPUT */
export async function readEvents<T>(path: string | undefined): Promise<EventFile<T>> {
  const source = openSource(path)
  const events: T[] = []
  const lines: number[] = []
  let line = 0
  for await (const block of wholeLines(source)) {
    for (const text of decoded(block, source.name).split('\n')) {
      line++
      if (text.trim() === '') continue
      events.push(objectOf<T>(text, `${source.name}:${line}`))
      lines.push(line)
    }
    // A block of whole lines ends with one: what stands behind it is the next block's.
    if (block.at(-1) === 0x0a) line--
  }
  if (events.length === 0) {
    throw codedError('ERR_PLACEMENT_INPUT', `${source.name}: expected a JSON object a line, got none`)
  }
  return { name: source.name, events, lines }
}

function decoded(block: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(block)
  } catch (cause) {
    throw codedError('ERR_PLACEMENT_INPUT', `${name}: expected UTF-8, got other bytes`, { cause })
  }
}

function objectOf<T>(text: string, where: string): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw codedError('ERR_PLACEMENT_INPUT', `${where}: expected one JSON object, got ${shown(text)}`, { cause })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as T
  throw codedError('ERR_PLACEMENT_INPUT', `${where}: expected a JSON object, got ${shown(text)}`)
}

/** Asks the library about the events; an error of it that names `list[i]` names the line instead. */
export function askedOf<T, R>(file: EventFile<T>, list: string, ask: (events: readonly T[]) => R): R {
  try {
    return ask(file.events)
  } catch (error) {
    if (!isCodedError(error)) throw error
    const place = new RegExp(`^${list}\\[(\\d+)\\]\\.?`)
    const message = error.message.replace(place, (_, i: string) => `${file.name}:${file.lines[Number(i)]}: `)
    throw codedError(error.code, message, { cause: error })
  }
}

/** A long that JSON holds as a number, or as a text of digits where it is beyond 2^53. */
export function longOf(value: unknown): unknown {
  return typeof value === 'string' && /^-?[0-9]{1,20}$/.test(value) ? BigInt(value) : value
}

/** JSON of a value with bigints in it, which are written as texts. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))
}
