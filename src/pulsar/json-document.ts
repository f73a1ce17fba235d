/**
 * JSON read with the place of every value, so that a wrong one is told by line and column, and with numbers as they were
 * written: `1e3` may stand where a text is meant.
 *
 * Source: RFC 8259, as Jackson 2 reads it by default: what follows the document is ignored, of two fields with one name
 * both are kept in order, a lone surrogate stays.
 */
import { positionOf } from './text-position.js'

/** A value, where it starts, and where it ends (exclusive), as offsets in UTF-16 units. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null'
  readonly from: number
  readonly to: number
  /** A string's value, a number's spelling; empty for the others. */
  readonly text: string
  /** Items of an array, values of an object. */
  readonly items: readonly JsonNode[]
  /** Names of an object's fields, in the order of `items`. */
  readonly names: readonly string[]
}

/** Where a text is no JSON, and what should stand there. */
export class JsonFault extends Error {
  readonly offset: number

  constructor(expected: string, offset: number) {
    super(expected)
    this.offset = offset
  }
}

/** Jackson's own limit. */
const MOST_DEPTH = 1000

const LITERALS = ['true', 'false', 'null'] as const
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy
const BLANKS = /[ \t\r\n]*/y

/** Reads a document; `null` where the text is blank. Throws {@link JsonFault}. */
export function readJson(text: string): JsonNode | null {
  const from = skip(text, 0)
  return from === text.length ? null : valueAt(text, from, 0)
}

/** `line: 1, column: 2` of an offset, both counted from 1. */
export function placeOf(text: string, offset: number): string {
  const { line, column } = positionOf(text, offset)
  return `line: ${line}, column: ${column}`
}

function valueAt(text: string, from: number, depth: number): JsonNode {
  if (depth > MOST_DEPTH) throw new JsonFault(`at most ${MOST_DEPTH} values inside each other`, from)
  const first = text[from]
  if (first === '{') return objectAt(text, from, depth)
  if (first === '[') return arrayAt(text, from, depth)
  if (first === '"') return stringAt(text, from)
  const literal = LITERALS.find((word) => text.startsWith(word, from))
  if (literal !== undefined) return leaf(literal, '', from, from + literal.length)
  const number = match(NUMBER, text, from)
  if (number === undefined) throw new JsonFault('a value', from)
  return leaf('number', number, from, from + number.length)
}

function leaf(kind: JsonNode['kind'], text: string, from: number, to: number): JsonNode {
  return { kind, from, to, text, items: [], names: [] }
}

function stringAt(text: string, from: number): JsonNode {
  const quoted = match(STRING, text, from)
  const value = quoted === undefined ? undefined : unquoted(quoted)
  if (value === undefined) throw new JsonFault('a string in double quotes', from)
  return leaf('string', value, from, from + quoted!.length)
}

/** `undefined` for a wrong escape or a control character. */
function unquoted(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return undefined
  }
}

function arrayAt(text: string, from: number, depth: number): JsonNode {
  const items: JsonNode[] = []
  const to = eachUntil(text, from, ']', (at) => {
    const item = valueAt(text, at, depth + 1)
    items.push(item)
    return item.to
  })
  return { ...leaf('array', '', from, to), items }
}

function objectAt(text: string, from: number, depth: number): JsonNode {
  const items: JsonNode[] = []
  const names: string[] = []
  const to = eachUntil(text, from, '}', (at) => {
    const name = stringAt(text, at)
    const colon = skip(text, name.to)
    if (text[colon] !== ':') throw new JsonFault("':' after a field's name", colon)
    const item = valueAt(text, skip(text, colon + 1), depth + 1)
    names.push(name.text)
    items.push(item)
    return item.to
  })
  return { ...leaf('object', '', from, to), items, names }
}

/** Reads what stands between commas up to the closing mark; `read` gives the end of one item. */
function eachUntil(text: string, from: number, close: ']' | '}', read: (at: number) => number): number {
  let at = skip(text, from + 1)
  if (text[at] === close) return at + 1
  for (;;) {
    at = skip(text, read(at))
    if (text[at] === close) return at + 1
    if (text[at] !== ',') throw new JsonFault(`',' or '${close}'`, at)
    at = skip(text, at + 1)
  }
}

function skip(text: string, from: number): number {
  return from + match(BLANKS, text, from)!.length
}

/** What a sticky pattern matches at an offset. */
function match(pattern: RegExp, text: string, from: number): string | undefined {
  pattern.lastIndex = from
  return pattern.exec(text)?.[0]
}
