/**
 * A file of properties as java.util.Properties reads it, with the place of every entry.
 *
 * Source: the Java SE 17 API, java.util.Properties.load(Reader).
 * What differs from the obvious: a key ends at the first `=`, `:` or blank, whichever it is; a comment does not go on in the next
 * line, and a line that goes on may begin with `#`; a backslash before another character than t, n, r, f, u is left out.
 */

/** An entry, with offsets in UTF-16 units. */
export interface Property {
  readonly key: string
  readonly value: string
  /** Where its line begins, and where its value does, blanks left out. */
  readonly from: number
  readonly valueFrom: number
}

/** What no Properties reads, and where it stands. */
export class PropertiesFault extends Error {
  readonly offset: number

  constructor(expected: string, offset: number) {
    super(expected)
    this.offset = offset
  }
}

/** Lines that went on in the next one, joined, and the offset of each character. */
interface LogicalLine {
  readonly text: string
  readonly offsets: readonly number[]
}

const NATURAL_LINE = /([^\r\n]*)(\r\n|\r|\n|$)/y
const ESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' }

/** All entries in their order, repeated keys too. @throws PropertiesFault for an escape that is none */
export function readProperties(text: string): Property[] {
  return [...logicalLines(text)].map(propertyOf)
}

function* logicalLines(text: string): Generator<LogicalLine> {
  let held = null as LogicalLine | null
  for (let at = 0; at < text.length; ) {
    NATURAL_LINE.lastIndex = at
    const [all, line] = NATURAL_LINE.exec(text)!
    const begin = at + /^[ \t\f]*/.exec(line!)![0].length
    const rest = text.slice(begin, at + line!.length)
    at += all.length
    if (held === null && (rest === '' || /^[#!]/.test(rest))) continue
    const goesOn = /\\*$/.exec(rest)![0].length % 2 === 1
    const part = goesOn ? rest.slice(0, -1) : rest
    const offsets = Array.from(part, (_, i) => begin + i)
    held = { text: (held?.text ?? '') + part, offsets: [...(held?.offsets ?? []), ...offsets, begin + part.length] }
    if (goesOn) held = { ...held, offsets: held.offsets.slice(0, -1) }
    else {
      yield held
      held = null
    }
  }
  if (held !== null) yield { ...held, offsets: [...held.offsets, text.length] }
}

const KEY = /^(?:\\.|[^\\=: \t\f])*/s
const SEPARATOR = /^[ \t\f]*[=:]?[ \t\f]*/

function propertyOf({ text, offsets }: LogicalLine): Property {
  const key = KEY.exec(text)![0]
  const valueAt = key.length + SEPARATOR.exec(text.slice(key.length))![0].length
  const unescapedPart = (from: number, to: number) => unescaped(text.slice(from, to), (at) => offsets[from + at]!)
  const [from, valueFrom] = [offsets[0]!, offsets[valueAt]!]
  return { key: unescapedPart(0, key.length), value: unescapedPart(valueAt, text.length), from, valueFrom }
}

function unescaped(text: string, offsetOf: (at: number) => number): string {
  return text.replace(/\\(u([0-9a-fA-F]{4})?|[\s\S])/g, (_, mark: string, hex: string | undefined, at: number) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (mark === 'u') throw new PropertiesFault('four hexadecimal digits behind \\u', offsetOf(at))
    return ESCAPED[mark] ?? mark
  })
}
