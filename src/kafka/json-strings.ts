/** Strings of JSON, read as Jackson reads them. */
import type { JsonCursor } from './json-cursor.js'
import { characterText, unexpected } from './json-problem.js'

const [QUOTE, BACKSLASH, SPACE, SMALL_U] = [0x22, 0x5c, 0x20, 0x75]
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

/**
 * The string that begins at the cursor's quote.
 *
 * @param what it is, for messages
 * @param unclosed what is said behind the message of one that does not end
 */
export function readString(cursor: JsonCursor, what: string, unclosed: string): string {
  cursor.at++
  let text = ''
  for (;;) {
    const from = cursor.at
    const code = scan(cursor)
    text += cursor.block.slice(from, cursor.at)
    if (code === QUOTE) {
      cursor.at++
      return text
    }
    if (code === BACKSLASH) text += readEscape(cursor)
    else if (code >= 0) {
      const comment = `has to be escaped using backslash to be included in ${what}`
      throw cursor.problem(`Illegal unquoted character (${characterText(code)}): ${comment}`)
    } else if (!cursor.refill()) throw cursor.problem(`Unexpected end-of-input${unclosed}`)
  }
}

/** Goes to the next character of a string that is not itself, or to the end of the block: -1. */
function scan(cursor: JsonCursor): number {
  const { block } = cursor
  for (let at = cursor.at; at < block.length; at++) {
    const code = block.charCodeAt(at)
    if (code >= SPACE && code !== QUOTE && code !== BACKSLASH) continue
    cursor.at = at
    return code
  }
  cursor.at = block.length
  return -1
}

function readEscape(cursor: JsonCursor): string {
  const code = cursor.step()
  if (code < 0) throw cursor.problem('Unexpected end-of-input in character escape sequence')
  if (code === SMALL_U) return hexEscape(cursor)
  const escaped = ESCAPES[String.fromCharCode(code)]
  if (escaped === undefined) throw cursor.problem(`Unrecognized character escape ${characterText(code)}`)
  cursor.at++
  return escaped
}

function hexEscape(cursor: JsonCursor): string {
  let unit = 0
  for (let digits = 0; digits < 4; digits++) {
    const code = cursor.step()
    if (code < 0) throw cursor.problem('Unexpected end-of-input in character escape sequence')
    const digit = Number.parseInt(String.fromCharCode(code), 16)
    if (Number.isNaN(digit)) {
      throw cursor.problem(unexpected(code, 'expected a hex-digit for character escape sequence'))
    }
    unit = unit * 16 + digit
  }
  cursor.at++
  return String.fromCharCode(unit)
}
