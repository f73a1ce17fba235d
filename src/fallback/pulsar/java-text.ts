/**
 * How Java reads the parts of a topic name: blanks, digits, upper and lower case.
 *
 * Source: OpenJDK 17 and 21 (the same tables), java.lang.Character and java.lang.Integer, over UTF-16 units as Pulsar's
 * classes call them. Twin of the same functions in native/core/src/pulsar/java_text.rs.
 * What differs from the obvious: `Integer.parseInt` takes the decimal digits of every script (of the basic plane: it
 * reads units, so a digit beyond U+FFFF is none), and `equalsIgnoreCase` takes `ı` and `İ` for `i`, `ſ` for `s`.
 */

/** The zeros of the scripts whose ten digits `Character.digit` knows; their digits follow in order. */
const ZEROS = [
  0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
  0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
  0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
]

/** The letters `a` of hexadecimal digits: upper and lower case, plain and full width. */
const LETTERS_A = [0x41, 0x61, 0xff21, 0xff41]

/** Bounds of Java's `int` and `long`, for {@link parseDigits}. */
export const INT_MAX = 0x7fffffffn
export const LONG_MAX = 0x7fffffffffffffffn

/** `StringUtils.isBlank`: empty, or whitespace alone. */
export function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (!isWhitespace(text.charCodeAt(i))) return false
  }
  return true
}

/** `Character.isWhitespace`: no-break spaces (U+00A0, U+2007, U+202F) are none, the four separators U+001C to U+001F are. */
export function isWhitespace(unit: number): boolean {
  if (unit <= 0x20) return unit >= 0x1c || (unit >= 0x09 && unit <= 0x0d)
  if (unit < 0x1680) return false
  if (unit >= 0x2000 && unit <= 0x200a) return unit !== 0x2007
  return unit === 0x1680 || unit === 0x2028 || unit === 0x2029 || unit === 0x205f || unit === 0x3000
}

/** `Character.digit(unit, radix)` for radix 10 and 16; -1 for what is no digit. */
export function digitOf(unit: number, radix: 10 | 16): number {
  if (unit < 0x80) return asciiDigit(unit, radix)
  const zero = ZEROS.find((first) => unit >= first && unit < first + 10)
  if (zero !== undefined) return unit - zero
  return radix === 16 ? letterDigit(unit) : -1
}

function asciiDigit(unit: number, radix: 10 | 16): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30
  return radix === 16 ? letterDigit(unit) : -1
}

function letterDigit(unit: number): number {
  const a = LETTERS_A.find((first) => unit >= first && unit < first + 6)
  return a === undefined ? -1 : unit - a + 10
}

/**
 * `Integer.parseInt` and `Long.parseLong` of a text without `-`: one `+` may lead.
 *
 * @returns the number in `[0, most]`, or `undefined` where Java throws NumberFormatException
 */
export function parseDigits(text: string, radix: 10 | 16, most: bigint): bigint | undefined {
  const from = text.startsWith('+') ? 1 : 0
  if (text.length === from) return undefined
  let value = 0n
  for (let i = from; i < text.length; i++) {
    const digit = digitOf(text.charCodeAt(i), radix)
    if (digit < 0) return undefined
    value = value * BigInt(radix) + BigInt(digit)
    if (value > most) return undefined
  }
  return value
}

/** `String.equalsIgnoreCase` with a lower-case ASCII word. */
export function equalsIgnoreCase(text: string, word: string): boolean {
  if (text.length !== word.length) return false
  for (let i = 0; i < text.length; i++) {
    if (lowered(text.charCodeAt(i)) !== word.charCodeAt(i)) return false
  }
  return true
}

function lowered(unit: number): number {
  if (unit >= 0x41 && unit <= 0x5a) return unit + 0x20
  if (unit === 0x130 || unit === 0x131) return 0x69
  if (unit === 0x17f) return 0x73
  return unit === 0x212a ? 0x6b : unit
}
