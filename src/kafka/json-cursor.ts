/**
 * A place in a text that comes in blocks: what characters follow, and where they stand.
 *
 * Lines and columns count from 1, columns in UTF-16 units; a line ends with LF, CRLF or CR. They are counted when somebody asks,
 * so that reading costs nothing for it.
 */
import type { CodedError } from '../errors.js'
import { characterText, jsonProblem, type Place, unexpected } from './json-problem.js'

const [TAB, LINE_FEED, RETURN, SPACE, SLASH] = [9, 10, 13, 0x20, 0x2f]

/** Behind any block. */
const NOWHERE = Number.MAX_SAFE_INTEGER

export const isBlank = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === RETURN || code === TAB

export class JsonCursor {
  block = ''
  at = 0
  readonly #more: () => string | null
  /** Units before this block, and before the line that was counted last. */
  #before = 0
  #lineStart = 0
  #line = 1
  /** The first places behind the counted one where the block has such a character. */
  #nextFeed = NOWHERE
  #nextReturn = NOWHERE

  /** @param more the next block of text, `null` at the end */
  constructor(more: () => string | null) {
    this.#more = more
  }

  /** Of the character that comes next. */
  get place(): Place {
    this.#countLines(this.at)
    return { line: this.#line, column: this.#before + this.at - this.#lineStart + 1 }
  }

  /** The next character, or -1 at the end of the text. */
  peek(): number {
    if (this.at < this.block.length || this.refill()) return this.block.charCodeAt(this.at)
    return -1
  }

  /** Goes one further, and tells what comes then. */
  step(): number {
    this.at++
    return this.peek()
  }

  /** Goes to the next character that is no blank, and tells it; -1 at the end. */
  skipBlanks(): number {
    for (;;) {
      const code = this.peek()
      if (code > SPACE) {
        if (code === SLASH) throw this.#comment(code)
        return code
      }
      if (code < 0) return -1
      if (!isBlank(code)) throw this.#control(code)
      this.at++
    }
  }

  /** Takes the next block, what is left of this one unread; false at the end of the text. */
  refill(): boolean {
    for (let block = this.#more(); block !== null; block = this.#more()) {
      if (block === '') continue
      this.#countLines(this.block.length)
      const broken = this.block.endsWith('\r') && block.startsWith('\n')
      this.#before += this.block.length
      this.block = block
      this.at = 0
      // The line ended with the CR of the block before.
      if (broken) this.#lineStart = this.#before + 1
      const from = broken ? 1 : 0
      this.#nextFeed = this.#find('\n', from)
      this.#nextReturn = this.#find('\r', from)
      return true
    }
    return false
  }

  problem(text: string): CodedError {
    return jsonProblem(text, this.place)
  }

  /** The first place of the block from `from` on that holds no blank. */
  afterBlanks(from: number): number {
    const { block } = this
    let at = from
    for (let code = block.charCodeAt(at); isBlank(code); code = block.charCodeAt(at)) at++
    return at
  }

  #comment(code: number): CodedError {
    const comment =
      "maybe a (non-standard) comment? (not recognized as one since Feature 'ALLOW_COMMENTS' not enabled for parser)"
    return this.problem(unexpected(code, comment))
  }

  #control(code: number): CodedError {
    this.at++
    const comment = 'only regular white space (\\r, \\n, \\t) is allowed between tokens'
    return this.problem(`Illegal character (${characterText(code)}): ${comment}`)
  }

  #find(character: string, from: number): number {
    const at = this.block.indexOf(character, from)
    return at < 0 ? NOWHERE : at
  }

  /** Counts the lines that end in this block before a place. */
  #countLines(to: number): void {
    for (;;) {
      const at = Math.min(this.#nextFeed, this.#nextReturn)
      if (at >= to) return
      const isPair = at === this.#nextReturn && this.#nextFeed === at + 1
      const end = at + (isPair ? 2 : 1)
      this.#line++
      this.#lineStart = this.#before + end
      if (this.#nextFeed < end) this.#nextFeed = this.#find('\n', end)
      if (this.#nextReturn < end) this.#nextReturn = this.#find('\r', end)
    }
  }
}
