/** What a command has while it answers: its arguments, where the answer goes, and the person who waits. */
import { engine } from '../index.js'
import type { Batch, Input } from './batches.js'
import type { Arguments } from './grammar.js'
import type { Destination } from './output.js'
import { Progress } from './progress.js'
import { type Answers, RowWriter, rowFormat } from './rows.js'

export class Session {
  readonly args: Arguments
  readonly destination: Destination
  /** 1 where the answer, which is written all the same, is no. */
  exitCode: 0 | 1 = 0

  constructor(args: Arguments, destination: Destination) {
    this.args = args
    this.destination = destination
  }

  /** A line on standard error, which is not part of the answer. */
  note(text: string): void {
    process.stderr.write(`topic-placement: ${text}\n`)
  }

  /** Says as what the answer is given, and by which engine. */
  noteAnswer(text: string): void {
    this.note(`${text}; engine ${engine.name} (${engine.cpu})`)
  }

  /** Hands every batch to `take`, with progress. */
  async each(input: Input, take: (batch: Batch) => Promise<void> | void): Promise<void> {
    const progress = new Progress(process.stderr, input)
    try {
      for await (const batch of input.batches) {
        await take(batch)
        progress.add(batch.keys.length)
      }
    } finally {
      progress.end()
    }
  }

  /** Answers every key of the input by a row. */
  async answerRows(input: Input, document: object, answer: (batch: Batch) => Answers): Promise<void> {
    const rows = new RowWriter(rowFormat(this.args), this.destination, document)
    await this.each(input, (batch) => rows.add(batch, answer(batch)))
    await rows.end()
  }

  /** Writes an answer that is made whole. */
  write(text: string): Promise<void> {
    return this.destination.write(Buffer.from(text))
  }
}
