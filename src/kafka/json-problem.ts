/**
 * What Jackson says of JSON that it cannot read: its words, with line and column.
 *
 * Source: Jackson 2 as Kafka 4.4.0 has it, seen in its answers. Lines and columns count from 1, columns in UTF-16 units. What
 * differs from the obvious: a column is that of the character at fault, of the first one behind it, or inside a number that
 * of the character behind its integer digits.
 */
import { type CodedError, codedError } from '../errors.js'

export const JSON_PARSE_EXCEPTION = 'com.fasterxml.jackson.core.JsonParseException'
const CONSTRAINTS = 'com.fasterxml.jackson.core.exc.StreamConstraintsException'

export const VALUES = "expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
const TOKENS = "was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
const LONGEST_TOKEN = 256

export interface Place {
  readonly line: number
  readonly column: number
}

/** A place in Jackson's words, which say that the text itself is not shown. */
export function sourceText({ line, column }: Place): string {
  return `[Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); line: ${line}, column: ${column}]`
}

/** The error for text that is no JSON. */
export function jsonProblem(text: string, place: Place): CodedError {
  const plain = text.replace(/ \(start marker at \[.*?line: (\d+), column: (\d+)\]\)/, ' of line $1, column $2')
  const shown = plain.replace(/ starting at \[.*?line: (\d+), column: (\d+)\]/, ' of line $1, column $2')
  return codedError('ERR_PLACEMENT_INPUT', `line ${place.line}, column ${place.column}: ${shown}`, {
    javaClass: JSON_PARSE_EXCEPTION,
    javaMessage: `${text}\n at ${sourceText(place)}`,
  })
}

/** The error for a number, a name or a nesting beyond Jackson's limits. */
export function jsonLimit(
  what: string,
  size: number,
  most: readonly [number, getter: string],
  place: Place,
): CodedError {
  const limit = `${what} (${size}) exceeds the maximum allowed (${most[0]}, from \`StreamReadConstraints.${most[1]}()\`)`
  return codedError('ERR_PLACEMENT_INPUT', `line ${place.line}, column ${place.column}: ${limit}`, {
    javaClass: CONSTRAINTS,
    javaMessage: limit,
  })
}

/** A character as Jackson names it. */
export function characterText(code: number): string {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `(CTRL-CHAR, code ${code})`
  const hex = code > 255 ? ` / 0x${code.toString(16)}` : ''
  return `'${String.fromCharCode(code)}' (code ${code}${hex})`
}

export const unexpected = (code: number, comment: string): string =>
  `Unexpected character (${characterText(code)}): ${comment}`

export const unexpectedInNumber = (code: number, comment: string): string =>
  `Unexpected character (${characterText(code)}) in numeric value: ${comment}`

export function unrecognized(token: string): string {
  const shown = token.length < LONGEST_TOKEN ? token : `${token.slice(0, LONGEST_TOKEN)}...`
  return `Unrecognized token '${shown}': ${TOKENS}`
}

const START = /[\p{L}\p{Nl}\p{Sc}\p{Pc}]/u
const PART = /[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}\p{Cf}\p{Cc}]/u

/** `Character.isJavaIdentifierStart`. */
export const startsToken = (code: number): boolean => START.test(String.fromCharCode(code))

/** `Character.isJavaIdentifierPart`: of the control characters, those that are no blanks. */
export function continuesToken(code: number): boolean {
  const isBlank = (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f)
  return !isBlank && PART.test(String.fromCharCode(code))
}
