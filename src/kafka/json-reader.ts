/**
 * Reads JSON token by token, as Jackson does: one value, whatever follows it, and its errors word for word. Text comes in
 * blocks, so a file need not fit into one string.
 *
 * Source: Jackson 2 as Kafka 4.4.0 has it, com.fasterxml.jackson.core.json.ReaderBasedJsonParser. What differs from JSON.parse:
 * text after the value is not looked at, a number that is no 32-bit integer is told apart, and errors have line and column.
 */
import { JsonCursor } from './json-cursor.js'
import { type OtherNumber, readNumber, startsNumber } from './json-numbers.js'
import { jsonLimit, type Place, sourceText, unexpected } from './json-problem.js'
import { readString } from './json-strings.js'
import { readWord } from './json-words.js'

export { OtherNumber } from './json-numbers.js'

export type JsonScalar = string | number | boolean | null | OtherNumber
export type JsonToken = '{' | '}' | '[' | ']' | 'name' | 'value' | 'end'

interface Scope extends Place {
  readonly isArray: boolean
}

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const MOST_NESTING = 1000
const MOST_NAME = 50_000

export class JsonReader {
  /** Of the last token: a name, or a scalar. */
  text = ''
  value: JsonScalar = null
  readonly #cursor: JsonCursor
  readonly #scopes: Scope[] = []
  #isFirst = true
  #afterName = false

  /** @param more the next block of text, `null` at the end */
  constructor(more: () => string | null) {
    this.#cursor = new JsonCursor(more)
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
    return this.#cursor.place
  }

  /**
   * Hands the next item of the array that the reader is in to a quick reader of its own: of the place in the block where the
   * item begins, it tells where the item ends, or -1 where it does not know the item: then nothing has happened.
   */
  skipItem(scan: (at: number) => number): boolean {
    const cursor = this.#cursor
    let at = cursor.afterBlanks(cursor.at)
    if (!this.#isFirst) {
      if (cursor.block.charCodeAt(at) !== COMMA) return false
      at = cursor.afterBlanks(at + 1)
    }
    const end = scan(at)
    if (end < 0) return false
    cursor.at = end
    this.#isFirst = false
    return true
  }

  /** Behind the value: nothing but blanks may follow. @throws ERR_PLACEMENT_INPUT */
  expectEnd(): void {
    const code = this.#cursor.skipBlanks()
    if (code >= 0) throw this.#cursor.problem(unexpected(code, 'expected nothing behind the document'))
  }

  /** The next token; `end` where there is no text at all, or behind the value. */
  next(): JsonToken {
    const scope = this.#scopes.at(-1)
    let code = this.#cursor.skipBlanks()
    if (code < 0) return this.#end(scope)
    if (this.#afterName) return this.#member(code)
    if (code === CLOSE_OBJECT || code === CLOSE_LIST) return this.#close(code, scope)
    if (scope === undefined) return this.#isFirst ? this.#start(code) : 'end'
    if (this.#isFirst) this.#isFirst = false
    else code = this.#comma(code, scope)
    if (!scope.isArray) return this.#name(code)
    if (code === CLOSE_OBJECT) throw this.#cursor.problem(unexpected(code, 'expected a value'))
    return this.#start(code)
  }

  #end(scope: Scope | undefined): JsonToken {
    if (scope === undefined) return 'end'
    if (this.#afterName) throw this.#cursor.problem('Unexpected end-of-input within/between Object entries')
    const kind = scope.isArray ? 'Array' : 'Object'
    const marker = `(start marker at ${sourceText(scope)})`
    throw this.#cursor.problem(`Unexpected end-of-input: expected close marker for ${kind} ${marker}`)
  }

  #member(code: number): JsonToken {
    if (code !== COLON)
      throw this.#cursor.problem(unexpected(code, 'was expecting a colon to separate field name and value'))
    this.#cursor.at++
    const value = this.#cursor.skipBlanks()
    if (value < 0) return this.#end(this.#scopes.at(-1))
    this.#afterName = false
    return this.#start(value)
  }

  #comma(code: number, { isArray }: Scope): number {
    const kind = isArray ? 'Array' : 'Object'
    if (code !== COMMA) throw this.#cursor.problem(unexpected(code, `was expecting comma to separate ${kind} entries`))
    this.#cursor.at++
    const next = this.#cursor.skipBlanks()
    if (next < 0) throw this.#cursor.problem(`Unexpected end-of-input within/between ${kind} entries`)
    return next
  }

  #close(code: number, scope: Scope | undefined): JsonToken {
    const isArray = code === CLOSE_LIST
    const token = isArray ? ']' : '}'
    if (scope === undefined) {
      if (!this.#isFirst) return 'end'
      const kind = isArray ? 'Array' : 'Object'
      throw this.#cursor.problem(`Unexpected close marker '${token}': no open ${kind} to close`)
    }
    if (scope.isArray !== isArray) {
      const [kind, right] = scope.isArray ? ['Array', ']'] : ['Object', '}']
      const start = sourceText(scope)
      throw this.#cursor.problem(
        `Unexpected close marker '${token}': expected '${right}' (for ${kind} starting at ${start})`,
      )
    }
    this.#scopes.pop()
    this.#cursor.at++
    this.#isFirst = false
    return token
  }

  #name(code: number): JsonToken {
    if (code !== QUOTE) throw this.#cursor.problem(unexpected(code, 'was expecting double-quote to start field name'))
    this.text = readString(this.#cursor, 'name', ' in field name')
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
    const cursor = this.#cursor
    if (code === QUOTE)
      this.value = readString(cursor, 'string value', ': was expecting closing quote for a string value')
    else if (startsNumber(code)) this.value = readNumber(cursor, code, this.#scopes.length === 0)
    else this.value = readWord(cursor, code)
    return 'value'
  }

  #open(isArray: boolean): JsonToken {
    const nested = this.#scopes.push({ isArray, ...this.place })
    this.#cursor.at++
    this.#isFirst = true
    if (nested <= MOST_NESTING) return isArray ? '[' : '{'
    throw jsonLimit('Document nesting depth', nested, [MOST_NESTING, 'getMaxNestingDepth'], this.place)
  }
}
