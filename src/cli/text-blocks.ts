/**
 * A file's bytes as text, block by block: read while the event loop goes on, decoded when it is asked for. Whole, or ahead of a
 * reader that never waits: then a few blocks are in memory, whatever the size of the file.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { codedError } from '../errors.js'
import type { Source } from './input.js'
import { Progress } from './progress.js'

/** How long work may go on before signals and progress get a turn. */
const TURN_MS = 50

/** Bytes that are read ahead: more than any one item of a file has that is in order. */
const AHEAD = 1 << 23

/** Byte order mark. */
const MARK = [0xef, 0xbb, 0xbf]

/** Text in blocks of a megabyte. */
export class TextBlocks {
  readonly name: string
  /** True where the text began with a byte order mark, which is left out. */
  hasMark = false
  /** The bytes of the text that `next` gave last, where they are as many: ASCII. */
  ascii: Uint8Array | null = null
  readonly #source: AsyncIterator<Uint8Array>
  readonly #progress: Progress
  /** `null` until a block is no ASCII. */
  #decoder: InstanceType<typeof TextDecoder> | null = null
  /** True where the last block ends inside no character. */
  #whole = true
  #blocks: Uint8Array[] = []
  /** Bytes in the blocks, and of all blocks before. */
  #ahead = 0
  #read = 0
  #ended = false
  #done = false
  #turn = Date.now()

  private constructor(source: Source) {
    this.name = source.name
    this.#source = source.blocks[Symbol.asyncIterator]()
    this.#progress = new Progress(process.stderr, { size: source.size, bytesRead: () => this.#read, unit: 'bytes' })
  }

  /** Reads all bytes of a source. @throws ERR_PLACEMENT_INPUT */
  static async read(source: Source): Promise<TextBlocks> {
    const text = new TextBlocks(source)
    await text.#fill(Number.POSITIVE_INFINITY)
    text.#progress.end()
    return text
  }

  /**
   * Reads a source bit by bit: `next` gives what `turn` has read ahead. Call `close` at the end.
   *
   * @throws ERR_PLACEMENT_INPUT
   */
  static async open(source: Source): Promise<TextBlocks> {
    const text = new TextBlocks(source)
    await text.#fill(AHEAD)
    return text
  }

  /**
   * The next block of text, `null` at the end; its bytes are let go.
   *
   * @throws ERR_PLACEMENT_INPUT where they are no UTF-8, or one item is longer than what is read ahead
   */
  next(): string | null {
    if (this.#done) return null
    const block = this.#blocks.shift()
    if (block === undefined && !this.#ended) throw this.#tooLong()
    this.#done = block === undefined
    this.#ahead -= block?.length ?? 0
    this.#read += block?.length ?? 0
    try {
      return this.#decode(block)
    } catch (cause) {
      throw codedError('ERR_PLACEMENT_INPUT', `${this.name}: expected UTF-8, got ${this.#badBytes(block)}`, { cause })
    }
  }

  /** What is no UTF-8, and where: bytes of a file count from 1. */
  #badBytes(block: Uint8Array | undefined): string {
    if (block === undefined) return `the end of the text inside a character, behind byte ${this.#read}`
    const at = badByteOf(block)
    return `byte 0x${block[at]!.toString(16).padStart(2, '0')} at byte ${this.#read - block.length + at + 1}`
  }

  #decode(block: Uint8Array | undefined): string {
    if (block === undefined) return this.#decoder?.decode() ?? ''
    // Half of the time that a large file takes would go into the decoder.
    this.ascii = this.#whole && isAscii(block) ? block : null
    if (this.ascii !== null) return Buffer.from(block.buffer, block.byteOffset, block.length).toString('latin1')
    if (this.#read === block.length) this.hasMark = MARK.every((byte, i) => block[i] === byte)
    // A byte order mark is one at the beginning alone.
    this.#decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: this.#read > block.length })
    this.#whole = block[block.length - 1]! < 0x80
    return this.#decoder.decode(block, { stream: true })
  }

  /** True where `turn` must read before more is taken. */
  get isLow(): boolean {
    return this.#ahead < AHEAD / 2 && !this.#ended
  }

  /** Reads ahead, and lets signals and progress have a turn, if the last one is a while ago. */
  async turn(): Promise<void> {
    if (this.isLow) await this.#fill(AHEAD)
    if (Date.now() - this.#turn < TURN_MS) return
    await setImmediate()
    this.#turn = Date.now()
  }

  /** Lets the source go, whether it is read or not. */
  async close(): Promise<void> {
    this.#progress.end()
    if (!this.#ended) await this.#source.return?.()
  }

  /** All of the text. @throws ERR_PLACEMENT_INPUT where it is more than one string holds */
  whole(): string {
    const parts: string[] = []
    for (let part = this.next(); part !== null; part = this.next()) parts.push(part)
    try {
      return parts.join('')
    } catch (cause) {
      throw codedError('ERR_PLACEMENT_INPUT', `${this.name}: expected less than 512 MiB of text, got more`, { cause })
    }
  }

  async #fill(ahead: number): Promise<void> {
    while (this.#ahead < ahead && !this.#ended) {
      const { done, value } = await this.#source.next()
      this.#ended = done === true
      if (value === undefined) continue
      this.#blocks.push(value)
      this.#ahead += value.length
      this.#progress.add(value.length)
    }
  }

  #tooLong(): Error {
    const expected = `expected items of up to ${AHEAD / 2 / 2 ** 20} MiB, got a longer one`
    return codedError('ERR_PLACEMENT_INPUT', `${this.name}: ${expected} behind byte ${this.#read - 1}`)
  }
}

const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** The first byte of a block that is no UTF-8; what ends a character of the block before it is passed over. */
function badByteOf(block: Uint8Array): number {
  let at = 0
  while (at < 3 && isInside(block[at])) at++
  for (let step = block.length; step > 0; ) {
    let end = Math.min(at + step, block.length)
    while (end > at && isInside(block[end])) end--
    if (end > at && isUtf8(block.subarray(at, end))) at = end
    else step >>= 1
  }
  return Math.min(at, block.length - 1)
}
