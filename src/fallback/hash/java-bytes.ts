/**
 * The polynomial of `String.hashCode` over UTF-8 bytes instead of UTF-16 units: what Pulsar's Go client calls
 * `JavaStringHash`. The same for ASCII, another hash for everything else.
 *
 * Source: pulsar-client-go 0.19.0, pulsar/internal/hash.go, JavaStringHash. TypeScript only, on every engine: it serves
 * one partitioner, and no public hash has its name.
 */
import { hashUtf8, LONG_UNITS } from '../utf8.js'

/** The hash of `bytes[from, to)`, as a signed 32-bit integer. */
export function ofBytes(bytes: Uint8Array, from: number, to: number): number {
  let h = 0
  for (let i = from; i < to; i++) h = (Math.imul(h, 31) + bytes[i]!) | 0
  return h
}

/** The hash of the UTF-8 of `key`, a lone surrogate as `?`; a signed 32-bit integer. ASCII is read from the string itself. */
export function ofString(key: string): number {
  const units = key.length
  if (units >= LONG_UNITS) return hashUtf8(key, ofBytes)
  let h = 0
  for (let i = 0; i < units; i++) {
    const unit = key.charCodeAt(i)
    if (unit > 0x7f) return hashUtf8(key, ofBytes)
    h = (Math.imul(h, 31) + unit) | 0
  }
  return h
}
