/** `kafka group`: which partitions of Kafka's internal topics a group or transactional id lives in. */
import { kafka } from '../index.js'
import { type Batch, INPUT_OPTIONS } from './batches.js'
import type { GroupDocument } from './documents.js'
import type { Command } from './grammar.js'
import { namesOrFile } from './operands.js'
import { type Answers, OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

/** Kafka's own default of `offsets.topic.num.partitions` and `transaction.state.log.num.partitions`. */
const DEFAULT_PARTITIONS = 50

export const KAFKA_GROUP: Command = {
  path: ['kafka', 'group'],
  summary: 'the __consumer_offsets and __transaction_state partition of each id',
  operands: 'ID… | FILE | -',
  details: [
    '',
    'The leader of that partition is the coordinator: of the group in __consumer_offsets, of the',
    'transactional id in __transaction_state. Both go by String.hashCode, so that one id has the same',
    'number in both. A word that names a file is read as one, which is said; a group of that name can',
    'come through "-".',
  ],
  options: [
    { name: 'partitions', value: 'N', help: 'partitions of the two internal topics (default 50)' },
    ...INPUT_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement kafka group my-group console-consumer-1',
    'topic-placement kafka group --partitions 100 --json examples/groups.txt',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const range = [1, 0x7fffffff] as const
  const given = session.args.integer('partitions', range, 'ERR_PLACEMENT_NUM_PARTITIONS')
  const numPartitions = given ?? DEFAULT_PARTITIONS
  const input = namesOrFile(session, 'group id', 'utf8')
  const whose = given === undefined ? "Kafka's default" : 'as given'
  session.noteAnswer(`internal topics of ${numPartitions} partitions (${whose})`)
  const document: Omit<GroupDocument, 'answers' | 'count'> = { question: 'kafka group', numPartitions }
  await session.answerRows(input, document, (batch) => coordinators(batch, numPartitions))
}

const OFFSETS = Buffer.from('__consumer_offsets-')
const TRANSACTIONS = Buffer.from('\t__transaction_state-')
const OFFSETS_FIELD = Buffer.from('"consumerOffsets":')
const TRANSACTIONS_FIELD = Buffer.from(',"transactionState":')

function coordinators({ keys }: Batch, numPartitions: number): Answers {
  const offsets = new Int32Array(keys.length)
  const transactions = new Int32Array(keys.length)
  let index = 0
  for (const id of keys) {
    offsets[index] = kafka.groupCoordinatorPartition(id, numPartitions)
    transactions[index++] = kafka.transactionCoordinatorPartition(id, numPartitions)
  }
  const both = (first: Uint8Array, second: Uint8Array): Answers['text'] => {
    return (rows, at) => {
      rows.copy(first)
      rows.decimal(offsets[at]!)
      rows.copy(second)
      rows.decimal(transactions[at]!)
    }
  }
  return { text: both(OFFSETS, TRANSACTIONS), json: both(OFFSETS_FIELD, TRANSACTIONS_FIELD) }
}
