/** `kafka partition`: the partition of each key, or with `--summary` how full each partition gets and which keys did it. */
import { codedError } from '../errors.js'
import { isCodedError, kafka } from '../index.js'
import { type Batch, INPUT_OPTIONS, type Input, openInput, placed } from './batches.js'
import type { PartitionDocument, PartitionSummaryDocument } from './documents.js'
import { Fill, fillTable, MOST_PLACES } from './fill.js'
import type { Command } from './grammar.js'
import { HeavyKeys } from './heavy-keys.js'
import { heavyDocument, heavyTable, remarks } from './heavy-table.js'
import { fileOperand } from './operands.js'
import { type Answers, OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

type Partitioner = keyof typeof kafka.partitioners

const NAMES = Object.keys(kafka.partitioners) as Partitioner[]

export const KAFKA_PARTITION: Command = {
  path: ['kafka', 'partition'],
  summary: 'the partition of each key, as a named client puts it',
  operands: '[FILE | -]',
  details: ['', 'Keys are bytes: what is no UTF-8 is placed and printed as it is. Partitioners:', ...inLines(NAMES)],
  options: [
    { name: 'partitions', value: 'N', help: 'partitions of the topic, 1 to 2147483647 (required)' },
    { name: 'partitioner', value: 'NAME', help: 'whose answer (default kafka, the Java producer)' },
    { name: 'summary', help: 'keys per partition, worst/mean, and the keys that made it so' },
    { name: 'all', help: 'with --summary: every partition, not the ten fullest' },
    ...INPUT_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement kafka partition --partitions 12 --partitioner sarama-hash examples/keys.txt',
    'topic-placement kafka partition --partitions 12 --summary examples/keys.txt',
  ],
  run,
}

/** Names in lines that fit the help. */
function inLines(names: readonly string[]): string[] {
  const lines = ['']
  for (const name of names) {
    if (lines.at(-1)!.length + name.length > 92) lines.push('')
    lines.push(`${lines.pop()}  ${name}`)
  }
  return lines
}

/** What is asked of every key. */
interface Question {
  readonly numPartitions: number
  readonly partitioner: Partitioner
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const question = questionOf(session)
  if (args.flag('all') && !args.flag('summary')) throw args.wrong('--all: expected --summary with it')
  const input = openInput(session, fileOperand(args), 'binary')
  const { partitioner, numPartitions } = question
  const { source } = kafka.partitioners[partitioner]
  session.noteAnswer(`partitioner ${partitioner} (${source}), ${numPartitions} partitions`)
  if (args.flag('summary')) return summarize(session, input, question)
  const document: Omit<PartitionDocument, 'answers' | 'count'> = { question: 'kafka partition', ...question }
  await session.answerRows(input, document, (batch) => partitionAnswers(partitionsOf(batch, question)))
}

function questionOf({ args }: Session): Question {
  const range = [1, 0x7fffffff] as const
  const numPartitions = args.required('partitions', args.integer('partitions', range, 'ERR_PLACEMENT_NUM_PARTITIONS'))
  const partitioner = knownPartitioner(args.text('partitioner') ?? 'kafka', () =>
    args.choice('partitioner', NAMES, 'ERR_PLACEMENT_UNKNOWN_NAME'),
  )
  if (!args.flag('summary') || numPartitions <= MOST_PLACES) return { partitioner, numPartitions }
  throw args.wrong(`--summary: expected --partitions of at most ${MOST_PLACES}, got ${numPartitions}`)
}

/** The library has more to say to some names than that they are unknown (BoostHash). */
function knownPartitioner(name: string, refuse: () => unknown): Partitioner {
  try {
    kafka.partitionForKey('', 1, { partitioner: name as Partitioner, random: 0 })
  } catch (error) {
    if (!isCodedError(error) || error.code === 'ERR_PLACEMENT_UNKNOWN_NAME') refuse()
    throw error
  }
  return name as Partitioner
}

function partitionsOf(batch: Batch, { numPartitions, partitioner }: Question): Int32Array {
  return placed(batch, () => {
    try {
      return kafka.partitionsForKeys(batch.keys, numPartitions, { partitioner })
    } catch (error) {
      if (!isCodedError(error) || error.code !== 'ERR_PLACEMENT_KEY_MISSING') throw error
      const message = `expected a key, got an empty one, for which ${partitioner} draws the partition: it has no answer`
      throw codedError(error.code, message, { index: error.index!, cause: error })
    }
  })
}

const FIELD = Buffer.from('"partition":')

function partitionAnswers(partitions: Int32Array): Answers {
  return {
    text: (rows, index) => rows.decimal(partitions[index]!),
    json: (rows, index) => {
      rows.copy(FIELD)
      rows.decimal(partitions[index]!)
    },
  }
}

async function summarize(session: Session, input: Input, question: Question): Promise<void> {
  const fill = new Fill(question.numPartitions)
  const heavy = new HeavyKeys()
  await session.each(input, (batch) => {
    const partitions = partitionsOf(batch, question)
    fill.add(partitions)
    heavy.add(batch.keys, partitions)
  })
  const format = rowFormat(session.args)
  if (format === 'json') return session.write(`${JSON.stringify(summaryDocument(question, fill, heavy))}\n`)
  if (format === 'jsonl')
    return session.write(
      rowsOf(fill)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    )
  await session.write(summaryText(session, question, fill, heavy))
}

function rowsOf(fill: Fill): PartitionSummaryDocument['partitions'] {
  return Array.from(fill.counts, (keys, partition) => ({ partition, keys }))
}

function summaryDocument(question: Question, fill: Fill, heavy: HeavyKeys): PartitionSummaryDocument {
  const { total: keys, ...spread } = fill.spread()
  return {
    question: 'kafka partition --summary',
    ...question,
    keys,
    ...spread,
    partitions: rowsOf(fill),
    heaviestKeys: heavyDocument(heavy),
  }
}

function summaryText(session: Session, { partitioner }: Question, fill: Fill, heavy: HeavyKeys): string {
  return fillTable(fill, {
    what: 'keys',
    places: `partitions by ${partitioner}`,
    place: 'partition',
    all: session.args.flag('all'),
    label: String,
    remark: remarks(heavy),
  }).concat('\n', heavyTable(heavy, fill.spread().total))
}
