/**
 * Strings into UTF-8 bytes as Java writes them: a lone surrogate becomes one `?` (0x3f), where Node writes U+FFFD.
 *
 * What is packed here is kept: a TopicSet, or keys of both kinds. Many strings are linked, encoded in one go, and their ends
 * told from the lengths where all is ASCII. Strings that are asked once go as UTF-16 instead (src/engine/texts.ts).
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

/**
 * Strings that are joined at once. One that is not ASCII sends its group the slow way, and a group has its own price. Node 20,
 * AMD EPYC, ns a name of 40 characters, all ASCII against one lone surrogate in a thousand names: groups of 128 39 and 53,
 * of 256 35 and 66, of 1,024 32 and 136.
 */
export const GROUP = 256

/**
 * UTF-16 units of a group. V8 puts a string of more than 128 KiB among its large objects, page by page from the system: text
 * that long, or two-byte text half as long, costs two to three times as much to join (docs/performance.md).
 */
export const GROUP_UNITS = 62 * 1024

/** Where a group is packed. */
export interface Target {
  /** Room for {@link GROUP_UNITS} times three bytes from `at` on, or for three times the units of the strings. */
  readonly values: Uint8Array
  readonly at: number
  /** Room for the ends of {@link GROUP} strings behind `offsets[first]`, or of all strings where there are fewer. */
  readonly offsets: Uint32Array
  readonly first: number
}

/** What became of a group. */
export interface PackedGroup {
  /** Index of the first string that is not packed: `from` itself where that one alone is too long for a group. */
  readonly to: number
  /** Position after the last byte. */
  readonly end: number
  /** A string had lone surrogates; they are `?` now. */
  readonly replaced: boolean
}

/**
 * Packs a group of `strings`, from index `from` on, and writes the end of each.
 *
 * @param index where the strings stand in the caller's input, for the error
 * @throws ERR_PLACEMENT_KEY_TYPE (with the index) when one is no string
 */
export function packStrings(strings: readonly string[], from: number, target: Target, index: number): PackedGroup {
  // One copy, read once: an array of the caller's own may answer differently each time.
  const some = strings.slice(from, from + GROUP)
  const text = joined(some, target, index + from)
  const to = from + some.length
  const end = encoded(text, target)
  if (end - target.at === text.length) return { to, end, replaced: false }
  if (!wellFormed(some, target, { text, end })) return packReplaced(some, from, target)
  wideOffsets(some, target)
  return { to, end, replaced: false }
}

/** A `?` is one unit, as the lone surrogate was: where the rest is ASCII, the offsets stand already. */
function packReplaced(strings: readonly string[], from: number, target: Target): PackedGroup {
  const javas = strings.map(withoutLoneSurrogates)
  const text = javas.join('')
  const end = encoded(text, target)
  if (end - target.at !== text.length) wideOffsets(javas, target)
  return { to: from + strings.length, end, replaced: true }
}

function encoded(text: string, { values, at }: Target): number {
  return at + encoder.encodeInto(text, at === 0 ? values : values.subarray(at)).written
}

/**
 * Joins as many strings as fit a group, cuts the list to those, and writes the ends that hold when all is ASCII. In one pass,
 * since the first look at a string in memory is what costs. `+=` only links the strings, and the encoder copies them once:
 * 4 ns a key less than `join`.
 */
function joined(strings: string[], { offsets, at, first }: Target, index: number): string {
  const most = at + GROUP_UNITS
  let text = ''
  let end = at
  for (let i = 0; i < strings.length; i++) {
    const next = strings[i]!
    if (typeof next !== 'string') throw notString(next, index + i)
    end += next.length
    if (end > most) {
      strings.length = i
      break
    }
    offsets[first + i + 1] = end
    text += next
  }
  return text
}

/** The ends of well-formed strings. A native call a string, still three times as fast as a look at each unit. */
function wideOffsets(strings: readonly string[], { offsets, at, first }: Target): void {
  let end = at
  for (let i = 0; i < strings.length; i++) {
    end += Buffer.byteLength(strings[i]!)
    offsets[first + i + 1] = end
  }
}

/** UTF-8 of U+FFFD, which the encoder writes for a lone surrogate. */
const REPLACEMENT = Buffer.from('\ufffd')

/**
 * Whether each string is well-formed, `text` being all of them joined, and encoded up to `end`. Two lone surrogates may
 * have met in the joint, so no string may begin with a low one. The encoder shows the others: without U+FFFD there is none.
 */
function wellFormed(
  strings: readonly string[],
  { values, at }: Target,
  { text, end }: { readonly text: string; readonly end: number },
): boolean {
  for (let i = 0; i < strings.length; i++) if ((strings[i]!.charCodeAt(0) & 0xfc00) === 0xdc00) return false
  const bytes = Buffer.from(values.buffer, values.byteOffset + at, end - at)
  return !bytes.includes(REPLACEMENT) || text.isWellFormed()
}

/** The error for an item of an array of keys. */
export function notString(value: unknown, index: number): Error {
  return codedError('ERR_PLACEMENT_KEY_TYPE', `keys[${index}]: expected a string or bytes, got ${shown(value)}`, {
    index,
  })
}
