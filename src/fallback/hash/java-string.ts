/**
 * `java.lang.String.hashCode`: the hash of Kafka's group coordinators and of Pulsar's `JavaStringHash`.
 *
 * Source: OpenJDK 17, java.lang.String.hashCode and `new String(bytes, UTF_8)`. Twin of
 * native/core/src/hash/java_string.rs.
 * What differs from the other hashes: it runs over UTF-16 units, so a lone surrogate counts as itself and not as `?`.
 * Bytes are decoded first as Java does: each malformed stretch is one U+FFFD, and so is an encoded surrogate
 * (`ed a0 80`), where the decoder of the web platform makes three of it.
 */

const REPLACEMENT = 0xfffd

/** The hash of a string's UTF-16 units, a signed 32-bit integer. Four units a step: the products do not wait for each other. */
export function ofString(key: string): number {
  const units = key.length
  let h = 0
  let i = 0
  for (; i + 4 <= units; i += 4) {
    h =
      (Math.imul(h, 923521) +
        Math.imul(key.charCodeAt(i), 29791) +
        Math.imul(key.charCodeAt(i + 1), 961) +
        Math.imul(key.charCodeAt(i + 2), 31) +
        key.charCodeAt(i + 3)) |
      0
  }
  for (; i < units; i++) h = appended(h, key.charCodeAt(i))
  return h
}

/** The hash of the string that `bytes[from, to)` are in UTF-8, a signed 32-bit integer. */
export function ofBytes(bytes: Uint8Array, from: number, to: number): number {
  let h = 0
  let i = from
  while (i < to) {
    const first = bytes[i]!
    if (first < 0x80) {
      h = appended(h, first)
      i++
      continue
    }
    const length = stretch(bytes, i, to)
    const point = length === sequenceLength(first) ? decoded(bytes, i, length) : REPLACEMENT
    h = point > 0xffff ? appended(appended(h, highSurrogate(point)), lowSurrogate(point)) : appended(h, point)
    i += length
  }
  return h
}

/** The string that `bytes` are in UTF-8, as Java's `new String(bytes, UTF_8)`. */
export function decodeJava(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i]!
    const length = stretch(bytes, i, bytes.length)
    const point = length === sequenceLength(first) ? decoded(bytes, i, length) : REPLACEMENT
    text += String.fromCodePoint(first < 0x80 ? first : point)
    i += length
  }
  return text
}

function appended(h: number, unit: number): number {
  return (Math.imul(h, 31) + unit) | 0
}

function highSurrogate(point: number): number {
  return 0xd7c0 + (point >> 10)
}

function lowSurrogate(point: number): number {
  return 0xdc00 | (point & 0x3ff)
}

/** Bytes of the sequence that `first` (0x80 or more) begins; 0 for a byte that begins none. */
function sequenceLength(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 0
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
}

/** How many bytes at `at` belong together: a whole sequence, or the malformed stretch that Java replaces by one U+FFFD. */
function stretch(bytes: Uint8Array, at: number, to: number): number {
  const first = bytes[at]!
  const end = Math.min(at + sequenceLength(first), to)
  if (at + 1 >= end || !isSecond(first, bytes[at + 1]!)) return 1
  let i = at + 2
  while (i < end && (bytes[i]! & 0xc0) === 0x80) i++
  return i - at
}

/** No overlong form and nothing above U+10FFFF; surrogates (`ed a0 80` on) pass here, and are replaced whole. */
function isSecond(first: number, second: number): boolean {
  if ((second & 0xc0) !== 0x80) return false
  if (first === 0xe0) return second >= 0xa0
  if (first === 0xf0) return second >= 0x90
  return first !== 0xf4 || second < 0x90
}

function decoded(bytes: Uint8Array, at: number, length: number): number {
  let point = bytes[at]! & (0x7f >> length)
  for (let i = at + 1; i < at + length; i++) point = (point << 6) | (bytes[i]! & 0x3f)
  return (point & 0xfffff800) === 0xd800 ? REPLACEMENT : point
}
