/** Blocks of any size in, blocks of whole lines out: what the facade cuts into keys in one call. */
import { codedError } from '../errors.js'
import type { Source } from './input.js'

/** A line of more bytes is refused: a file without line ends must not fill the memory. */
export const MOST_LINE_BYTES = 1 << 28

const NEWLINE = 0x0a

/**
 * Blocks that end with a newline, the last one perhaps without. A line that spans many blocks is joined once.
 *
 * Whole lines before the beginning of one wait for the next block, and go with the last line where there is none: a small
 * input is one block, so that an error in it leaves no half answer.
 */
export async function* wholeLines({ name, blocks }: Source): AsyncGenerator<Uint8Array> {
  let whole: readonly Uint8Array[] = []
  let part: Uint8Array[] = []
  let partBytes = 0
  for await (const block of blocks) {
    if (whole.length > 0) yield joined(whole)
    whole = []
    const end = block.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      whole = [...part, block.subarray(0, end)]
      part = []
      partBytes = 0
    }
    if (end < block.length) part.push(block.subarray(end))
    partBytes += block.length - end
    if (partBytes > MOST_LINE_BYTES) throw tooLong(name)
    if (partBytes > 0) continue
    if (whole.length > 0) yield joined(whole)
    whole = []
  }
  if (partBytes > 0) yield joined([...whole, ...part])
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

function tooLong(name: string): Error {
  const message = `${name}: expected lines of at most ${MOST_LINE_BYTES} bytes, got a longer one`
  return codedError('ERR_PLACEMENT_INPUT', message)
}
