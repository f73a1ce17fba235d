/**
 * JSON as Jackson writes it, which is what Kafka's tools print: compact, and no more escaped than must be.
 *
 * Source: Jackson 2 as Kafka 4.4.0 has it. What differs from JSON.stringify: hexadecimal digits of escapes are capitals, and
 * a lone surrogate stays as it is.
 */

const ESCAPED = /["\\\p{Cc}]/gu
const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
}

/** A text in quotes. */
export function jsonString(text: string): string {
  return `"${text.replace(ESCAPED, escaped)}"`
}

function escaped(character: string): string {
  const code = character.charCodeAt(0)
  if (code >= 0x7f) return character
  return SHORT[character] ?? `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * A double as Java's `Double.toString` prints it; infinities stand in quotes. The digits are the shortest ones; Java 17
 * prints one more for some numbers.
 */
export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '"Infinity"' : '"-Infinity"'
  const size = Math.abs(value)
  if (size === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  if (size >= 1e-3 && size < 1e7) return Number.isInteger(value) ? `${value}.0` : String(value)
  const [digits, exponent] = value.toExponential().split('e') as [string, string]
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`
}
