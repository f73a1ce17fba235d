/** A file's bytes as text, block by block: read while the event loop goes on, decoded when it is asked for. */
import { setImmediate } from 'node:timers/promises'
import { codedError } from '../errors.js'
import type { Source } from './input.js'
import { Progress } from './progress.js'

/** How long work may go on before signals and progress get a turn. */
const TURN_MS = 50

/** Text in blocks of a megabyte. */
export class TextBlocks {
  readonly name: string
  readonly #blocks: Uint8Array[]
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #next = 0
  #done = false
  #turn = Date.now()

  private constructor(name: string, blocks: Uint8Array[]) {
    this.name = name
    this.#blocks = blocks
  }

  /** Reads all bytes of a source. @throws ERR_PLACEMENT_INPUT */
  static async read(source: Source): Promise<TextBlocks> {
    const blocks: Uint8Array[] = []
    let read = 0
    const progress = new Progress(process.stderr, { size: source.size, bytesRead: () => read, unit: 'bytes' })
    try {
      for await (const block of source.blocks) {
        blocks.push(block)
        read += block.length
        progress.add(block.length)
      }
    } finally {
      progress.end()
    }
    return new TextBlocks(source.name, blocks)
  }

  /** The next block of text, `null` at the end; its bytes are let go. @throws ERR_PLACEMENT_INPUT where they are no UTF-8 */
  next(): string | null {
    if (this.#done) return null
    const block = this.#blocks[this.#next]
    this.#done = block === undefined
    delete this.#blocks[this.#next++]
    try {
      return block === undefined ? this.#decoder.decode() : this.#decoder.decode(block, { stream: true })
    } catch (cause) {
      throw codedError('ERR_PLACEMENT_INPUT', `${this.name}: expected UTF-8, got other bytes`, { cause })
    }
  }

  /** Lets signals and progress have a turn, if the last one is a while ago. */
  async turn(): Promise<void> {
    if (Date.now() - this.#turn < TURN_MS) return
    await setImmediate()
    this.#turn = Date.now()
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
}
