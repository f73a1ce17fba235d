/** Input as JSON Lines: a JSON string a line, or with a field's name an object that holds it. */
import { codedError, shown } from '../errors.js'
import { TopicSet } from '../index.js'
import type { Batch } from './batches.js'
import type { Source } from './input.js'
import { wholeLines } from './whole-lines.js'

export async function* jsonlBatches(source: Source, field: string | undefined): AsyncGenerator<Batch> {
  const { name } = source
  let firstLine = 1
  for await (const bytes of wholeLines(source)) {
    const first = firstLine
    const where = (index: number) => `${name}:${first + index}`
    const lines = TopicSet.fromLines(bytes, { encoding: 'utf8', name, firstLine })
    const keys = Array.from(lines, (line, index) => keyOf(line, field, where(index)))
    const echo = TopicSet.from(keys.map((key) => JSON.stringify(key)))
    yield { keys: TopicSet.from(keys), echo, utf8: true, where }
    firstLine += lines.length
  }
}

function keyOf(line: string, field: string | undefined, where: string): string {
  const value = parsed(line, where)
  if (field === undefined) return string(value, where)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, field)) {
    throw wrong(where, `expected a JSON object with the field ${shown(field)}, got ${shown(line)}`)
  }
  return string((value as Record<string, unknown>)[field], `${where}: ${field}`)
}

function parsed(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw wrong(where, `expected one JSON value a line, got ${shown(line)}`, cause)
  }
}

function string(value: unknown, where: string): string {
  if (typeof value === 'string') return value
  throw wrong(where, `expected a JSON string, got ${shown(JSON.stringify(value))}`)
}

function wrong(where: string, message: string, cause?: unknown): Error {
  return codedError('ERR_PLACEMENT_INPUT', `${where}: ${message}`, { cause })
}
