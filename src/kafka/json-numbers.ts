/** Numbers of JSON, read as Jackson reads them: 32-bit integers, and others as it prints them. */
import type { CodedError } from '../errors.js'
import { isBlank, type JsonCursor } from './json-cursor.js'
import { jsonLimit, jsonProblem, type Place, unexpected, unexpectedInNumber } from './json-problem.js'
import { javaDouble } from './json-text.js'
import { infinityOf } from './json-words.js'

const [MINUS, PLUS, DOT, ZERO, NINE] = [0x2d, 0x2b, 0x2e, 0x30, 0x39]
const [SMALL_E, CAPITAL_E] = [0x65, 0x45]
const MOST_NUMBER = 1000

/** A number that is no 32-bit integer, as Jackson prints it. */
export class OtherNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

/** Whether a value that begins so is a number. */
export const startsNumber = (code: number): boolean => isDigit(code) || code === MINUS

/**
 * The number that begins at the cursor with this character.
 *
 * @param isRoot whether it is the whole document: then a blank must follow
 */
export function readNumber(cursor: JsonCursor, first: number, isRoot: boolean): number | OtherNumber {
  let text = ''
  let code = first
  if (code === MINUS) {
    text = '-'
    code = cursor.step()
    if (!isDigit(code)) throw noDigit(cursor, code)
  }
  const startsWithZero = code === ZERO
  const digits = readDigits(cursor)
  if (startsWithZero && digits.length > 1) throw leadingZero(cursor, digits.length)
  text += digits
  code = cursor.peek()
  const value: Value = { text, digits: digits.length, startsWithZero, isRoot }
  if (code === DOT || code === SMALL_E || code === CAPITAL_E) return readDecimal(cursor, value)
  checkAfter(cursor, code, isRoot)
  checkLength(cursor, digits.length)
  const number = Number(text)
  return (number | 0) === number ? number | 0 : new OtherNumber(text)
}

/** What is read of a number when its integer digits are. */
interface Value {
  readonly text: string
  readonly digits: number
  readonly startsWithZero: boolean
  readonly isRoot: boolean
}

function readDigits(cursor: JsonCursor): string {
  let digits = ''
  for (;;) {
    const from = cursor.at
    while (isDigit(cursor.block.charCodeAt(cursor.at))) cursor.at++
    digits += cursor.block.slice(from, cursor.at)
    if (cursor.at < cursor.block.length || !isDigit(cursor.peek())) return digits
  }
}

/** Behind the integer digits: a fraction, an exponent, or both. */
function readDecimal(cursor: JsonCursor, { text: whole, digits, startsWithZero, isRoot }: Value): OtherNumber {
  const inside = cursor.place
  let text = whole
  let [fraction, exponent] = ['', '']
  if (cursor.peek() === DOT) {
    const dot = cursor.place
    const code = cursor.step()
    fraction = readDigits(cursor)
    if (fraction === '') throw noFraction(cursor, code, startsWithZero ? null : dot)
    text += `.${fraction}`
  }
  if (cursor.peek() === SMALL_E || cursor.peek() === CAPITAL_E) {
    let code = cursor.step()
    text += 'e'
    if (code === PLUS || code === MINUS) {
      text += String.fromCharCode(code)
      code = cursor.step()
    }
    exponent = readDigits(cursor)
    if (exponent === '') throw noExponent(cursor, code, startsWithZero ? null : inside)
  }
  checkAfter(cursor, cursor.peek(), isRoot)
  // Jackson does not count a zero in front where a fraction or an exponent alone follows it.
  const isCounted = !startsWithZero || (fraction !== '' && exponent !== '')
  checkLength(cursor, (isCounted ? digits : 0) + fraction.length + exponent.length)
  return new OtherNumber(javaDouble(Number(text + exponent)))
}

function checkLength(cursor: JsonCursor, length: number): void {
  if (length <= MOST_NUMBER) return
  throw jsonLimit('Number value length', length, [MOST_NUMBER, 'getMaxNumberLength'], cursor.place)
}

/** A number alone must be followed by a blank. */
function checkAfter(cursor: JsonCursor, code: number, isRoot: boolean): void {
  if (!isRoot || code < 0) return
  if (isBlank(code)) return
  throw cursor.problem(unexpected(code, 'Expected space separating root-level values'))
}

function leadingZero(cursor: JsonCursor, digits: number): CodedError {
  const { line, column } = cursor.place
  return jsonProblem('Invalid numeric value: Leading zeroes not allowed', { line, column: column - digits + 1 })
}

/** `dot`: where it stands, `null` behind a zero, where Jackson tells the place of what follows. */
function noFraction(cursor: JsonCursor, code: number, dot: Place | null): CodedError {
  const comment = 'Decimal point not followed by a digit'
  if (code >= 0) return jsonProblem(unexpectedInNumber(code, comment), dot ?? cursor.place)
  const { line, column } = cursor.place
  return jsonProblem(unexpectedInNumber(DOT, comment), dot ?? { line, column: column - 1 })
}

function noExponent(cursor: JsonCursor, code: number, inside: Place | null): CodedError {
  if (code < 0) return cursor.problem('Unexpected end-of-inputexpected a digit for number exponent')
  const place = inside ?? cursor.place
  return jsonProblem(unexpectedInNumber(code, 'Exponent indicator not followed by a digit'), place)
}

/** Behind a minus. */
function noDigit(cursor: JsonCursor, code: number): CodedError {
  if (code < 0) return cursor.problem('Unexpected end-of-inputNo digit following sign')
  const start = { ...cursor.place, column: cursor.place.column - 1 }
  const wrong = infinityOf(cursor, code, { sign: '-', start })
  if (wrong !== null) return wrong
  const comment = 'expected digit (0-9) to follow minus sign, for valid numeric value'
  return cursor.problem(unexpectedInNumber(cursor.peek(), comment))
}
