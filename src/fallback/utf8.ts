/**
 * UTF-8 as Java's `String.getBytes(UTF_8)` writes it, for the hashes of strings (OpenJDK 17, java.lang.String).
 *
 * Differs from `TextEncoder` in one thing: a lone surrogate becomes the single byte `?` (0x3f), not U+FFFD. Differs from
 * the purity of the rooms around it in one thing too: the bytes go into one reused buffer, since a gateway hashes a key
 * a record and must not feed the garbage collector. Nothing reads the buffer after the call that filled it.
 */

const QUESTION_MARK = 0x3f

/** One UTF-16 unit is three bytes of UTF-8 at most; the two of a surrogate pair are four together. */
const BYTES_PER_UNIT = 3

/** Keys of more units than this get a buffer of their own: one huge key must not hold memory for ever. */
const KEPT_UNITS = 1 << 16

let scratch = new Uint8Array(1024 * BYTES_PER_UNIT)

/** A buffer with room for the UTF-8 of `units` UTF-16 units, valid until the next call. */
export function utf8Room(units: number): Uint8Array {
  const size = units * BYTES_PER_UNIT
  if (size <= scratch.length) return scratch
  if (units > KEPT_UNITS) return new Uint8Array(size)
  scratch = new Uint8Array(Math.min(size * 2, KEPT_UNITS * BYTES_PER_UNIT))
  return scratch
}

/** Writes the UTF-8 of `text` to the start of `out`, a lone surrogate as `?`; returns how many bytes. `out` has the room. */
export function writeUtf8(text: string, out: Uint8Array): number {
  const units = text.length
  let at = 0
  for (let i = 0; i < units; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      out[at++] = unit
    } else if (unit < 0x800) {
      out[at++] = 0xc0 | (unit >> 6)
      out[at++] = 0x80 | (unit & 0x3f)
    } else if ((unit & 0xf800) !== 0xd800) {
      out[at++] = 0xe0 | (unit >> 12)
      out[at++] = 0x80 | ((unit >> 6) & 0x3f)
      out[at++] = 0x80 | (unit & 0x3f)
    } else if (unit < 0xdc00 && i + 1 < units && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      i++
      const point = 0x10000 + ((unit & 0x3ff) << 10) + (text.charCodeAt(i) & 0x3ff)
      out[at++] = 0xf0 | (point >> 18)
      out[at++] = 0x80 | ((point >> 12) & 0x3f)
      out[at++] = 0x80 | ((point >> 6) & 0x3f)
      out[at++] = 0x80 | (point & 0x3f)
    } else {
      out[at++] = QUESTION_MARK
    }
  }
  return at
}
