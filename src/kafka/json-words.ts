/** What stands for a value in JSON and is neither string nor number: keywords, and what Jackson says of anything else. */
import type { CodedError } from '../errors.js'
import type { JsonCursor } from './json-cursor.js'
import {
  continuesToken,
  jsonProblem,
  type Place,
  startsToken,
  unexpected,
  unexpectedInNumber,
  unrecognized,
  VALUES,
} from './json-problem.js'

const [PLUS, ZERO] = [0x2b, 0x30]
const KEYWORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

/** The keyword that begins at the cursor with this character. */
export function readWord(cursor: JsonCursor, code: number): boolean | null {
  const start = cursor.place
  if (code === PLUS) throw plus(cursor, start)
  if (!startsToken(code)) throw cursor.problem(unexpected(code, VALUES))
  const token = keyword(cursor) ?? tokenOf(cursor)
  if (Object.hasOwn(KEYWORDS, token)) return KEYWORDS[token]!
  if (token === 'NaN' || token === 'Infinity') throw nonStandard(cursor, token)
  throw jsonProblem(unrecognized(token), start)
}

/** `INF` or `Infinity` behind a sign; `null` where it is neither, with the cursor at the character at fault. */
export function infinityOf(
  cursor: JsonCursor,
  code: number,
  { sign, start }: { readonly sign: string; readonly start: Place },
): CodedError | null {
  if (code !== 0x49) return null
  const next = cursor.step()
  if (next < 0) return cursor.problem('Unexpected end-of-input in a Number value')
  const rest = next === 0x4e ? 'INF' : next === 0x6e ? 'Infinity' : null
  if (rest === null) return null
  const token = `${sign}I${tokenOf(cursor)}`
  return token === sign + rest ? nonStandard(cursor, token) : jsonProblem(unrecognized(token), start)
}

function plus(cursor: JsonCursor, start: Place): CodedError {
  const code = cursor.step()
  if (code < 0) return cursor.problem('Unexpected end-of-input in a Number value')
  const comment =
    'JSON spec does not allow numbers to have plus signs: enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow'
  return infinityOf(cursor, code, { sign: '+', start }) ?? cursor.problem(unexpectedInNumber(PLUS, comment))
}

function nonStandard(cursor: JsonCursor, token: string): CodedError {
  const comment = 'enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow'
  return cursor.problem(`Non-standard token '${token}': ${comment}`)
}

/** A keyword of which Jackson does not ask what follows, since that lies below the digits. */
function keyword(cursor: JsonCursor): string | null {
  const { block, at } = cursor
  for (const word of Object.keys(KEYWORDS)) {
    if (block.startsWith(word, at) && block.charCodeAt(at + word.length) < ZERO) {
      cursor.at += word.length
      return word
    }
  }
  return null
}

function tokenOf(cursor: JsonCursor): string {
  let token = ''
  for (let code = cursor.peek(); code >= 0 && continuesToken(code); code = cursor.step()) {
    token += cursor.block[cursor.at]!
  }
  return token
}
