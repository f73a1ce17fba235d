/**
 * Reads JSON token by token, as Jackson does: one value, whatever follows it, and its errors word for word. Text comes in
 * blocks, so a file need not fit into one string.
 *
 * Source: Jackson 2 as Kafka 4.4.0 has it, com.fasterxml.jackson.core.json.ReaderBasedJsonParser. What differs from JSON.parse:
 * text after the value is not looked at, a number that is no 32-bit integer is told apart, and errors have line and column.
 */
import type { CodedError } from '../errors.js'
import {
  characterText,
  continuesToken,
  jsonLimit,
  jsonProblem,
  type Place,
  sourceText,
  startsToken,
  unexpected,
  unexpectedInNumber,
  unrecognized,
  VALUES,
} from './json-problem.js'
import { javaDouble } from './json-text.js'

/** A number that is no 32-bit integer, as Jackson prints it. */
export class OtherNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type JsonScalar = string | number | boolean | null | OtherNumber
export type JsonToken = '{' | '}' | '[' | ']' | 'name' | 'value' | 'end'

interface Scope extends Place {
  readonly isArray: boolean
}

const [QUOTE, MINUS, PLUS, DOT, SLASH, ZERO, NINE] = [0x22, 0x2d, 0x2b, 0x2e, 0x2f, 0x30, 0x39]
const [COMMA, COLON, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x2c, 0x3a, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
]
const [TAB, LINE_FEED, RETURN, SPACE, SMALL_E, CAPITAL_E, SMALL_U] = [9, 10, 13, 0x20, 0x65, 0x45, 0x75]
const MOST_NESTING = 1000
const MOST_NUMBER = 1000
const MOST_NAME = 50_000
const KEYWORDS: Readonly<Record<string, JsonScalar>> = { true: true, false: false, null: null }
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  '"': '"',
  '/': '/',
  '\\': '\\',
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

export class JsonReader {
  /** Of the last token: a name, or a scalar. */
  text = ''
  value: JsonScalar = null
  readonly #more: () => string | null
  readonly #scopes: Scope[] = []
  #block = ''
  #at = 0
  /** Units before this block, and before this line. */
  #before = 0
  #lineStart = 0
  #line = 1
  #isFirst = true
  #afterName = false

  /** @param more the next block of text, `null` at the end */
  constructor(more: () => string | null) {
    this.#more = more
  }

  /** Reads one text. */
  static of(text: string): JsonReader {
    let rest: string | null = text
    return new JsonReader(() => {
      const block = rest
      rest = null
      return block
    })
  }

  /** Where the reader stands: at the character that comes next. */
  get place(): Place {
    return { line: this.#line, column: this.#before + this.#at - this.#lineStart + 1 }
  }

  /** The next token; `end` where there is no text at all, or behind the value. */
  next(): JsonToken {
    const scope = this.#scopes.at(-1)
    let code = this.#skipBlanks()
    if (code < 0) return this.#end(scope)
    if (this.#afterName) return this.#member(code)
    if (code === CLOSE_OBJECT || code === CLOSE_LIST) return this.#close(code, scope)
    if (scope === undefined) return this.#isFirst ? this.#start(code) : 'end'
    if (this.#isFirst) this.#isFirst = false
    else code = this.#comma(code, scope)
    if (!scope.isArray) return this.#name(code)
    if (code === CLOSE_OBJECT) throw this.#problem(unexpected(code, 'expected a value'))
    return this.#start(code)
  }

  #end(scope: Scope | undefined): JsonToken {
    if (scope === undefined) return 'end'
    if (this.#afterName) throw this.#problem('Unexpected end-of-input within/between Object entries')
    const kind = scope.isArray ? 'Array' : 'Object'
    const marker = `(start marker at ${sourceText(scope)})`
    throw this.#problem(`Unexpected end-of-input: expected close marker for ${kind} ${marker}`)
  }

  #member(code: number): JsonToken {
    if (code !== COLON) throw this.#problem(unexpected(code, 'was expecting a colon to separate field name and value'))
    this.#at++
    const value = this.#skipBlanks()
    if (value < 0) return this.#end(this.#scopes.at(-1))
    this.#afterName = false
    return this.#start(value)
  }

  #comma(code: number, { isArray }: Scope): number {
    const kind = isArray ? 'Array' : 'Object'
    if (code !== COMMA) throw this.#problem(unexpected(code, `was expecting comma to separate ${kind} entries`))
    this.#at++
    const next = this.#skipBlanks()
    if (next < 0) throw this.#problem(`Unexpected end-of-input within/between ${kind} entries`)
    return next
  }

  #close(code: number, scope: Scope | undefined): JsonToken {
    const isArray = code === CLOSE_LIST
    const token = isArray ? ']' : '}'
    if (scope === undefined) {
      if (!this.#isFirst) return 'end'
      const kind = isArray ? 'Array' : 'Object'
      throw this.#problem(`Unexpected close marker '${token}': no open ${kind} to close`)
    }
    if (scope.isArray !== isArray) {
      const [kind, right] = scope.isArray ? ['Array', ']'] : ['Object', '}']
      const start = sourceText(scope)
      throw this.#problem(`Unexpected close marker '${token}': expected '${right}' (for ${kind} starting at ${start})`)
    }
    this.#scopes.pop()
    this.#at++
    this.#isFirst = false
    return token
  }

  #name(code: number): JsonToken {
    if (code !== QUOTE) throw this.#problem(unexpected(code, 'was expecting double-quote to start field name'))
    this.text = this.#string('name', ' in field name')
    if (this.text.length > MOST_NAME) {
      throw jsonLimit('Name length', this.text.length, [MOST_NAME, 'getMaxNameLength'], this.place)
    }
    this.#afterName = true
    return 'name'
  }

  /** A value begins with this character. */
  #start(code: number): JsonToken {
    if (code === OPEN_OBJECT || code === OPEN_LIST) return this.#open(code === OPEN_LIST)
    this.#isFirst = false
    if (code === QUOTE) this.value = this.#string('string value', ': was expecting closing quote for a string value')
    else if (isDigit(code) || code === MINUS) this.value = this.#number(code)
    else this.value = this.#word(code)
    return 'value'
  }

  #open(isArray: boolean): JsonToken {
    const nested = this.#scopes.push({ isArray, ...this.place })
    this.#at++
    this.#isFirst = true
    if (nested <= MOST_NESTING) return isArray ? '[' : '{'
    throw jsonLimit('Document nesting depth', nested, [MOST_NESTING, 'getMaxNestingDepth'], this.place)
  }

  #string(what: string, unclosed: string): string {
    this.#at++
    let text = ''
    for (;;) {
      const from = this.#at
      const code = this.#scanString()
      text += this.#block.slice(from, this.#at)
      if (code === QUOTE) {
        this.#at++
        return text
      }
      if (code === BACKSLASH) text += this.#escape()
      else if (code >= 0) {
        const comment = `has to be escaped using backslash to be included in ${what}`
        throw this.#problem(`Illegal unquoted character (${characterText(code)}): ${comment}`)
      } else if (!this.#refill()) throw this.#problem(`Unexpected end-of-input${unclosed}`)
    }
  }

  /** Goes to the next character of a string that is not itself, or to the end of the block: -1. */
  #scanString(): number {
    const block = this.#block
    for (let at = this.#at; at < block.length; at++) {
      const code = block.charCodeAt(at)
      if (code >= SPACE && code !== QUOTE && code !== BACKSLASH) continue
      this.#at = at
      return code
    }
    this.#at = block.length
    return -1
  }

  #escape(): string {
    this.#at++
    const code = this.#peek()
    if (code < 0) throw this.#problem('Unexpected end-of-input in character escape sequence')
    if (code === SMALL_U) return this.#hexEscape()
    const escaped = ESCAPES[String.fromCharCode(code)]
    if (escaped === undefined) throw this.#problem(`Unrecognized character escape ${characterText(code)}`)
    this.#at++
    return escaped
  }

  #hexEscape(): string {
    let unit = 0
    for (let digits = 0; digits < 4; digits++) {
      this.#at++
      const code = this.#peek()
      if (code < 0) throw this.#problem('Unexpected end-of-input in character escape sequence')
      const digit = Number.parseInt(String.fromCharCode(code), 16)
      if (Number.isNaN(digit)) {
        throw this.#problem(unexpected(code, 'expected a hex-digit for character escape sequence'))
      }
      unit = unit * 16 + digit
    }
    this.#at++
    return String.fromCharCode(unit)
  }

  #number(first: number): JsonScalar {
    let text = ''
    let code = first
    if (code === MINUS) {
      text = '-'
      code = this.#step()
      if (!isDigit(code)) throw this.#noDigit(code)
    }
    const startsWithZero = code === ZERO
    const digits = this.#digits()
    if (startsWithZero && digits.length > 1) throw this.#leadingZero(digits.length)
    text += digits
    code = this.#peek()
    if (code === DOT || code === SMALL_E || code === CAPITAL_E)
      return this.#decimal(text, digits.length, startsWithZero)
    this.#checkAfterNumber(code)
    this.#checkLength(digits.length)
    const number = Number(text)
    return (number | 0) === number ? number | 0 : new OtherNumber(text)
  }

  #digits(): string {
    let digits = ''
    for (let code = this.#peek(); isDigit(code); code = this.#step()) digits += this.#block[this.#at]!
    return digits
  }

  /** Behind the integer digits: a fraction, an exponent, or both. */
  #decimal(whole: string, wholeDigits: number, startsWithZero: boolean): JsonScalar {
    const inside = this.place
    let text = whole
    let [fraction, exponent] = ['', '']
    if (this.#peek() === DOT) {
      const dot = this.place
      const code = this.#step()
      fraction = this.#digits()
      if (fraction === '') throw this.#noFraction(code, dot, startsWithZero)
      text += `.${fraction}`
    }
    if (this.#peek() === SMALL_E || this.#peek() === CAPITAL_E) {
      let code = this.#step()
      text += 'e'
      if (code === PLUS || code === MINUS) {
        text += String.fromCharCode(code)
        code = this.#step()
      }
      exponent = this.#digits()
      if (exponent === '') throw this.#noExponent(code, inside, startsWithZero)
    }
    this.#checkAfterNumber(this.#peek())
    this.#checkLength(exponent === '' ? fraction.length : wholeDigits + fraction.length + exponent.length)
    return new OtherNumber(javaDouble(Number(text + exponent)))
  }

  #checkLength(length: number): void {
    if (length <= MOST_NUMBER) return
    throw jsonLimit('Number value length', length, [MOST_NUMBER, 'getMaxNumberLength'], this.place)
  }

  /** A number alone must be followed by a blank. */
  #checkAfterNumber(code: number): void {
    if (this.#scopes.length > 0 || code < 0) return
    if (code === SPACE || code === TAB || code === LINE_FEED || code === RETURN) return
    throw this.#problem(unexpected(code, 'Expected space separating root-level values'))
  }

  #leadingZero(digits: number): CodedError {
    const { line, column } = this.place
    return jsonProblem('Invalid numeric value: Leading zeroes not allowed', { line, column: column - digits + 1 })
  }

  #noFraction(code: number, dot: Place, startsWithZero: boolean): CodedError {
    const comment = 'Decimal point not followed by a digit'
    if (code < 0) return jsonProblem(unexpectedInNumber(DOT, comment), dot)
    return jsonProblem(unexpectedInNumber(code, comment), startsWithZero ? this.place : dot)
  }

  #noExponent(code: number, inside: Place, startsWithZero: boolean): CodedError {
    if (code < 0) return this.#problem('Unexpected end-of-inputexpected a digit for number exponent')
    const place = startsWithZero ? this.place : inside
    return jsonProblem(unexpectedInNumber(code, 'Exponent indicator not followed by a digit'), place)
  }

  /** Behind a minus. */
  #noDigit(code: number): CodedError {
    if (code < 0) return this.#problem('Unexpected end-of-inputNo digit following sign')
    const start = { ...this.place, column: this.place.column - 1 }
    const wrong = this.#infinity(code, '-', start)
    if (wrong !== null) return wrong
    const comment = 'expected digit (0-9) to follow minus sign, for valid numeric value'
    return this.#problem(unexpectedInNumber(this.#peek(), comment))
  }

  #plus(start: Place): CodedError {
    const code = this.#step()
    if (code < 0) return this.#problem('Unexpected end-of-input in a Number value')
    const comment =
      'JSON spec does not allow numbers to have plus signs: enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow'
    return this.#infinity(code, '+', start) ?? this.#problem(unexpectedInNumber(PLUS, comment))
  }

  /** `INF` or `Infinity` behind a sign; `null` where it is neither, with the reader at the character at fault. */
  #infinity(code: number, sign: string, start: Place): CodedError | null {
    if (code !== 0x49) return null
    const next = this.#step()
    if (next < 0) return this.#problem('Unexpected end-of-input in a Number value')
    const rest = next === 0x4e ? 'INF' : next === 0x6e ? 'Infinity' : null
    if (rest === null) return null
    const token = `${sign}I${this.#token()}`
    return token === sign + rest ? this.#nonStandard(token) : jsonProblem(unrecognized(token), start)
  }

  #nonStandard(token: string): CodedError {
    const comment = 'enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow'
    return this.#problem(`Non-standard token '${token}': ${comment}`)
  }

  #word(code: number): JsonScalar {
    const start = this.place
    if (code === PLUS) throw this.#plus(start)
    if (!startsToken(code)) throw this.#problem(unexpected(code, VALUES))
    const token = this.#keyword() ?? this.#token()
    if (Object.hasOwn(KEYWORDS, token)) return KEYWORDS[token]!
    if (token === 'NaN' || token === 'Infinity') throw this.#nonStandard(token)
    throw jsonProblem(unrecognized(token), start)
  }

  /** A keyword of which Jackson does not ask what follows, since that lies below the digits. */
  #keyword(): string | null {
    for (const word of ['true', 'false', 'null']) {
      if (this.#block.startsWith(word, this.#at) && this.#block.charCodeAt(this.#at + word.length) < ZERO) {
        this.#at += word.length
        return word
      }
    }
    return null
  }

  #token(): string {
    let token = ''
    for (let code = this.#peek(); code >= 0 && continuesToken(code); code = this.#step()) {
      token += this.#block[this.#at]!
    }
    return token
  }

  #skipBlanks(): number {
    for (;;) {
      const code = this.#peek()
      if (code > SPACE) {
        if (code !== SLASH) return code
        const comment =
          "maybe a (non-standard) comment? (not recognized as one since Feature 'ALLOW_COMMENTS' not enabled for parser)"
        throw this.#problem(unexpected(code, comment))
      }
      if (code < 0) return -1
      this.#at++
      if (code === LINE_FEED) this.#newLine()
      else if (code === RETURN) {
        if (this.#peek() === LINE_FEED) this.#at++
        this.#newLine()
      } else if (code !== SPACE && code !== TAB) {
        const comment = 'only regular white space (\\r, \\n, \\t) is allowed between tokens'
        throw this.#problem(`Illegal character (${characterText(code)}): ${comment}`)
      }
    }
  }

  #newLine(): void {
    this.#line++
    this.#lineStart = this.#before + this.#at
  }

  #step(): number {
    this.#at++
    return this.#peek()
  }

  /** The next character, or -1 at the end of the text. */
  #peek(): number {
    if (this.#at < this.#block.length || this.#refill()) return this.#block.charCodeAt(this.#at)
    return -1
  }

  #refill(): boolean {
    for (let block = this.#more(); block !== null; block = this.#more()) {
      if (block === '') continue
      this.#before += this.#block.length
      this.#block = block
      this.#at = 0
      return true
    }
    return false
  }

  #problem(text: string): CodedError {
    return jsonProblem(text, this.place)
  }
}
