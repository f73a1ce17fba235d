/**
 * The road of strings into native memory: as many as fit are linked to one text, written as Latin-1 or UTF-16 in one go, and
 * answered in one native call, which makes the bytes.
 *
 * As V8 holds them and not as UTF-8: the write is faster where all is ASCII, half the price where it is not, and exact for lone
 * surrogates; and the ends are known from the lengths, whatever the strings hold. docs/performance.md has the figures.
 */
import { Buffer } from 'node:buffer'
import { GROUP_UNITS } from '../packing.js'

/** Strings a native call. Fewer lose to the call's own price, twice as many gain nothing. */
const BATCH = 1024

/** Strings one after another, in memory that is written again after the call. */
export interface Texts {
  readonly memory: Buffer
  /** Whether a unit is one byte of `memory`, not two. */
  readonly isLatin1: boolean
  /** The end of each, in units, behind a 0. */
  readonly offsets: Uint32Array
}

/** Memory for a batch. */
type Scratch = Omit<Texts, 'isLatin1'>

function scratchFor(units: number, strings: number): Scratch {
  return { memory: Buffer.from(new ArrayBuffer(2 * units)), offsets: new Uint32Array(strings + 1) }
}

/**
 * What no text of bytes holds. V8 keeps text of units below 256 as bytes, and knows without looking that it has no match; text of
 * two bytes a unit it reads up to the first.
 */
const BEYOND_LATIN1 = /[\u0100-\uffff]/

/** Reused by one call after the other; away while a call uses it, since a getter among the strings may ask again. */
let spare: Scratch | undefined

/**
 * Hands the strings to `answer` batch by batch, each with its part of `out`, which is as long as the strings.
 *
 * @returns false where an item is no string, or `answer` said so of a batch; `out` is then partly written
 */
export function eachBatch<T extends Int32Array | Uint32Array>(
  strings: readonly unknown[],
  out: T,
  answer: (texts: Texts, part: T) => boolean,
): boolean {
  const scratch = spare ?? scratchFor(GROUP_UNITS, BATCH)
  spare = undefined
  let isLatin1 = true
  try {
    for (let from = 0, to = 0; from < out.length; from = to) {
      const text = linked(strings, from, Math.min(from + BATCH, out.length), scratch.offsets)
      if (text === null) return false
      to = from + text.strings
      const part = text.strings === out.length ? out : (out.subarray(from, to) as T)
      // Where one batch held others, the next ones will: they are not looked through for them.
      isLatin1 &&= !BEYOND_LATIN1.test(text.text)
      if (!answer(written(text, isLatin1, scratch), part)) return false
    }
    return true
  } finally {
    spare = scratch
  }
}

/** Strings as one text. */
interface Linked {
  readonly text: string
  /** How many they are. */
  readonly strings: number
}

/**
 * Links strings of `[from, to)`, as many as a batch holds and one at least, and writes their ends. Each is read once: an array
 * of the caller's own may answer differently each time, and the first look at a string in memory is what costs. `+=` only links
 * them; the platform copies them in one go.
 */
function linked(strings: readonly unknown[], from: number, to: number, offsets: Uint32Array): Linked | null {
  let text = ''
  let end = 0
  let i = from
  for (; i < to; i++) {
    const next = strings[i]
    if (typeof next !== 'string') return null
    end += next.length
    if (end > GROUP_UNITS && i > from) break
    offsets[i - from + 1] = end
    text += next
  }
  return { text, strings: i - from }
}

/** A text of more units than a batch holds is one string alone, in memory of its own. */
function written({ text, strings }: Linked, isLatin1: boolean, scratch: Scratch): Texts {
  const { offsets } = scratch
  const { memory } = text.length <= GROUP_UNITS ? scratch : scratchFor(text.length, 0)
  memory.write(text, isLatin1 ? 'latin1' : 'utf16le')
  return { memory, isLatin1, offsets: strings === BATCH ? offsets : offsets.subarray(0, strings + 1) }
}
