/**
 * Strings into UTF-8 bytes as Java writes them: a lone surrogate becomes one `?` (0x3f), where Node writes U+FFFD.
 *
 * The road for many strings is one `join`, one `encodeInto`, and offsets from the lengths: documented calls only, and
 * about half the price of an encode a key (shared/performance.md, fact 2).
 */
import { codedError, shown } from './errors.js'

const encoder = new TextEncoder()

/** With the `u` flag the class holds lone surrogates only: a pair is one character outside it. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu

/** The text that Java's encoder sees: every lone surrogate a `?`. */
export function withoutLoneSurrogates(text: string): string {
  return text.isWellFormed() ? text : text.replace(LONE_SURROGATE, '?')
}

/** UTF-8 of one string, as Java's `getBytes(UTF_8)`. */
export function encodeJava(text: string): Uint8Array {
  return encoder.encode(withoutLoneSurrogates(text))
}

/** Bytes of a well-formed string in UTF-8. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    // A surrogate counts two, so that a pair makes the four bytes it takes.
    bytes += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2
  }
  return bytes
}

/**
 * Packs `strings` at `at` in `values`, and writes the `strings.length` ends behind `offsets[first]`.
 *
 * @param values room for three bytes a UTF-16 unit from `at` on
 * @param index where the strings stand in the caller's input, for the error
 * @returns the position after the last byte, and whether a string had lone surrogates (they are `?` now)
 * @throws ERR_PLACEMENT_KEY_TYPE (with the index) when one is no string
 */
export function packStrings(
  strings: readonly string[],
  target: { readonly values: Uint8Array; readonly at: number; readonly offsets: Uint32Array; readonly first: number },
  index: number,
): { readonly end: number; readonly replaced: boolean } {
  const text = strings.join('')
  const { values, at, offsets, first } = target
  const room = at === 0 ? values : values.subarray(at)
  const { written } = encoder.encodeInto(text, room)
  if (written === text.length) {
    asciiOffsets(strings, target, index)
    return { end: at + written, replaced: false }
  }
  if (!eachIsWellFormed(strings, text, index)) {
    return { end: packStrings(strings.map(withoutLoneSurrogates), target, index).end, replaced: true }
  }
  let end = at
  for (let i = 0; i < strings.length; i++) {
    end += utf8Length(strings[i]!)
    offsets[first + i + 1] = end
  }
  return { end, replaced: false }
}

/** As many bytes as units: all is ASCII, and the lengths are the offsets. */
function asciiOffsets(
  strings: readonly string[],
  { offsets, at, first }: { readonly offsets: Uint32Array; readonly at: number; readonly first: number },
  index: number,
): void {
  let end = at
  for (let i = 0; i < strings.length; i++) {
    const text = strings[i]!
    if (typeof text !== 'string') throw notString(text, index + i)
    end += text.length
    offsets[first + i + 1] = end
  }
}

/** `text` is the strings joined: two lone surrogates may have met there, so no string may begin with a low one. */
function eachIsWellFormed(strings: readonly string[], text: string, index: number): boolean {
  let low = false
  for (let i = 0; i < strings.length; i++) {
    const key = strings[i]!
    if (typeof key !== 'string') throw notString(key, index + i)
    low ||= (key.charCodeAt(0) & 0xfc00) === 0xdc00
  }
  return !low && text.isWellFormed()
}

/** The error for an item of an array of keys. */
export function notString(value: unknown, index: number): Error {
  return codedError('ERR_PLACEMENT_KEY_TYPE', `keys[${index}]: expected a string or bytes, got ${shown(value)}`, {
    index,
  })
}
