/**
 * `Long.decode`, `Long.parseLong` and `%08x`: how Pulsar reads and writes the ends of a bundle.
 *
 * Source: OpenJDK 17, java.lang.Long.
 * What differs from the obvious: decimal, `0x`, `0X`, `#` and leading-zero octal text are all read, with a sign before the
 * radix, and with the decimal digits of every script. A number past 2^53 cannot be held exactly here: it is refused,
 * though Java goes on to 2^63.
 */
import { digitOf } from '../fallback/pulsar/java-text.js'

/** A number, or why there is none: Java's text, or `null` where only this library refuses. */
export type Decoded = { readonly value: number } | { readonly refused: string | null }

const LIMIT = 2n ** 63n

/** Reads a number as `Long.decode` does. */
export function decodeLong(text: string): Decoded {
  if (text === '') return { refused: 'Zero length string' }
  const [, sign = '', prefix = '', digits = ''] = /^([+-]?)(0[xX]|#|0(?=.))?(.*)$/s.exec(text)!
  if (/^[+-]/.test(digits)) return { refused: 'Sign character in wrong position' }
  const radix = prefix === '' ? 10 : prefix === '0' ? 8 : 16
  const signed = sign === '-' ? `-${digits}` : digits
  const value = parseLong(signed, radix)
  if (value === undefined)
    return { refused: `For input string: "${signed}"${radix === 10 ? '' : ` under radix ${radix}`}` }
  const number = Number(value)
  return Number.isSafeInteger(number) ? { value: number } : { refused: null }
}

/** Reads a number as `Long.parseLong` does; `undefined` where that throws. */
export function parseLong(text: string, radix: 8 | 10 | 16): bigint | undefined {
  const magnitude = magnitudeOf(text, /^[+-]/.test(text) ? 1 : 0, radix)
  if (magnitude === undefined) return undefined
  const value = text.startsWith('-') ? -magnitude : magnitude
  return value >= -LIMIT && value < LIMIT ? value : undefined
}

function magnitudeOf(text: string, from: number, radix: 8 | 10 | 16): bigint | undefined {
  if (text.length === from) return undefined
  let magnitude = 0n
  for (let i = from; i < text.length; i++) {
    const digit = digitOf(text.charCodeAt(i), 16)
    // The bound keeps the work on a long run of digits small.
    if (digit < 0 || digit >= radix || magnitude > LIMIT) return undefined
    magnitude = magnitude * BigInt(radix) + BigInt(digit)
  }
  return magnitude
}

/** A long as Java's `0x%08x` writes it: eight hexadecimal digits or more, a negative one in two's complement. */
export function formatLong(value: number): string {
  const digits = value < 0 ? BigInt.asUintN(64, BigInt(value)).toString(16) : value.toString(16)
  return `0x${digits.padStart(8, '0')}`
}
