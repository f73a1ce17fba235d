/**
 * Keys in batches: a block of the input at a time, whatever its format, so that the memory does not grow with the file and
 * the engine is never called for a line alone.
 */
import { isUtf8 } from 'node:buffer'
import { codedError, isCodedError, shown } from '../errors.js'
import { TopicSet } from '../index.js'
import { csvBatches } from './csv.js'
import type { Option } from './grammar.js'
import { openSource, type Source } from './input.js'
import { jsonlBatches } from './jsonl.js'
import type { Session } from './session.js'
import { wholeLines } from './whole-lines.js'

/** Some keys of the input, in order. */
export interface Batch {
  readonly keys: TopicSet
  /** The same keys as they stand in the input, quoted where its format quotes: what is written before the answer. */
  readonly echo: TopicSet
  /** True where every key is UTF-8. */
  readonly utf8: boolean
  /** Where a key stands, for messages: `keys.txt:17`. */
  where(index: number): string
}

/** What a key may be: any bytes, or text. */
export type Encoding = 'utf8' | 'binary'

/** All batches of one input. */
export interface Input {
  /** For messages. */
  readonly name: string
  /** Bytes in all, or `null` where nobody knows before the end. */
  readonly size: number | null
  readonly batches: AsyncIterable<Batch>
  /** Bytes read so far. */
  bytesRead(): number
}

/** The options that say how the input is read. */
export const INPUT_OPTIONS: readonly Option[] = [
  { name: 'format', value: 'FORMAT', help: 'lines (default), jsonl (a JSON string a line) or csv' },
  {
    name: 'column',
    value: 'NAME|N',
    help: "csv: a column's number or header (default 1); jsonl: a field",
  },
]

const FORMATS = ['lines', 'jsonl', 'csv'] as const

/** Keys from a file, or from standard input for `-` and nothing. @throws ERR_PLACEMENT_INPUT, ERR_PLACEMENT_USAGE */
export function openInput(session: Session, path: string | undefined, encoding: Encoding): Input {
  const { args } = session
  const format = args.choice('format', FORMATS) ?? 'lines'
  const column = args.text('column')
  if (format === 'lines' && column !== undefined) throw args.wrong('--column: expected --format csv or jsonl with it')
  const source = openSource(path)
  if (source.isTerminal) session.note('reading standard input; Ctrl-D ends it')
  let bytesRead = 0
  const count = (bytes: number) => {
    bytesRead += bytes
  }
  // A Kafka key may begin with any bytes; names, JSON and CSV do not begin with a byte order mark that is meant.
  const isText = format !== 'lines' || encoding === 'utf8'
  const blocks = isText
    ? withoutMark(source.blocks, () => session.note(`${source.name}: byte order mark left out`))
    : source.blocks
  const counted = { ...source, blocks: counting(blocks, count) }
  return {
    name: source.name,
    size: source.size,
    batches: batchesOf(counted, format, { column, encoding }),
    bytesRead: () => bytesRead,
  }
}

function batchesOf(
  source: Source,
  format: (typeof FORMATS)[number],
  { column, encoding }: { column: string | undefined; encoding: Encoding },
): AsyncIterable<Batch> {
  if (format === 'csv') return csvBatches(source, column ?? '1', encoding)
  return format === 'jsonl' ? jsonlBatches(source, column) : lineBatches(source, encoding)
}

async function* counting(
  blocks: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const block of blocks) {
    count(block.length)
    yield block
  }
}

const MARK = Buffer.from('\ufeff')

async function* withoutMark(blocks: AsyncIterable<Uint8Array>, note: () => void): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const block of blocks) {
    const marked = isFirst && MARK.equals(block.subarray(0, MARK.length))
    isFirst = false
    if (marked) note()
    yield marked ? block.subarray(MARK.length) : block
  }
}

async function* lineBatches(source: Source, encoding: Encoding): AsyncGenerator<Batch> {
  const { name } = source
  let firstLine = 1
  for await (const bytes of wholeLines(source)) {
    const first = firstLine
    const keys = TopicSet.fromLines(bytes, { encoding, name, firstLine })
    yield { keys, echo: keys, utf8: encoding === 'utf8' || isUtf8(bytes), where: (index) => `${name}:${first + index}` }
    firstLine += keys.length
  }
}

/** Keys that stand on the command line. */
export function wordInput(words: readonly string[]): Input {
  const keys = TopicSet.from(words)
  const batch: Batch = { keys, echo: keys, utf8: true, where: (index) => `argument ${shown(words[index])}` }
  return { name: 'command line', size: null, batches: oneBatch(batch), bytesRead: () => 0 }
}

async function* oneBatch(batch: Batch): AsyncGenerator<Batch> {
  yield batch
}

/** Asks a question about a batch; an error that names a key by its index names its place in the input instead. */
export function placed<T>(batch: Batch, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (!isCodedError(error) || error.index === undefined) throw error
    const message = error.message.replace(/^(keys|topics)\[\d+\]: /, '')
    throw codedError(error.code, `${batch.where(error.index)}: ${message}`, { index: error.index, cause: error })
  }
}
