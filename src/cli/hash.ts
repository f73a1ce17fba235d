/** `hash`: the raw 32 bits of each key, signed or not as the original prints them. */
import { hash } from '../index.js'
import { INPUT_OPTIONS, openInput, placed } from './batches.js'
import type { HashDocument } from './documents.js'
import type { Command } from './grammar.js'
import { fileOperand } from './operands.js'
import { type Answers, OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

export const HASH: Command = {
  path: ['hash'],
  summary: 'the 32-bit hash of each key',
  operands: '[FILE | -]',
  details: [
    '',
    'murmur2 has the seed of Kafka, murmur3 is x86 with seed 0. murmur2 and java-string are signed, as',
    'Java prints them, the others unsigned. Keys are bytes: what is no UTF-8 is hashed and printed as it',
    'is.',
  ],
  options: [
    { name: 'algorithm', value: 'NAME', help: `${hash.names.join(', ')} (required)` },
    ...INPUT_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement hash --algorithm murmur2 examples/keys.txt',
    'topic-placement hash --algorithm crc32 --format csv --column key --json examples/keys.csv',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const algorithm = args.required('algorithm', args.choice('algorithm', hash.names, 'ERR_PLACEMENT_UNKNOWN_NAME'))
  const input = openInput(session, fileOperand(args), 'binary')
  session.noteAnswer(`hash ${algorithm}`)
  const document: Omit<HashDocument, 'answers' | 'count'> = { question: 'hash', algorithm }
  await session.answerRows(input, document, (batch) => hashAnswers(placed(batch, () => hash.of(algorithm, batch.keys))))
}

const FIELD = Buffer.from('"hash":')

function hashAnswers(values: Int32Array | Uint32Array): Answers {
  return {
    text: (rows, index) => rows.decimal(values[index]!),
    json: (rows, index) => {
      rows.copy(FIELD)
      rows.decimal(values[index]!)
    },
  }
}
