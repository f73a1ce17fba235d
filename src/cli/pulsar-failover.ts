/** `pulsar failover`: the active consumer of each partition of a Failover subscription. */
import { type PulsarVersion, pulsar } from '../index.js'
import { consumerLines, consumersOption, integerOf } from './consumer-file.js'
import type { Command } from './grammar.js'
import type { FailoverDocument } from './pulsar-documents.js'
import { OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

const VERSIONS: readonly PulsarVersion[] = ['2.10', '3.0', '4.2', '5.0']

/** Partitions beyond which the answer is no table. */
const MOST_PARTITIONS = 100_000

export const PULSAR_FAILOVER: Command = {
  path: ['pulsar', 'failover'],
  summary: 'the active consumer of each partition of a Failover subscription',
  operands: 'TOPIC',
  details: [
    '',
    'A priority level stands behind a tab: c1<TAB>1; the least is the best, 0 where there is none.',
    'Without --partitions the topic has none, or is a partition itself.',
  ],
  options: [
    consumersOption(''),
    { name: 'partitions', value: 'N', help: `partitions of the topic, 1 to ${MOST_PARTITIONS}` },
    { name: 'consistent-hashing', help: "the broker's activeConsumerFailoverConsistentHashing" },
    { name: 'version', value: 'RELEASE', help: `${VERSIONS.join(', ')} (default ${VERSIONS.at(-1)})` },
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar failover --consumers examples/consumers.txt --partitions 6 orders',
    'topic-placement pulsar failover --consumers examples/consumers.txt --consistent-hashing orders',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const [given, ...more] = args.operands
  if (given === undefined || more.length > 0) throw args.wrong(`expected one TOPIC, got ${args.operands.length}`)
  const version = args.choice('version', VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION') ?? VERSIONS.at(-1)!
  const partitions = args.integer('partitions', [1, MOST_PARTITIONS], 'ERR_PLACEMENT_NUM_PARTITIONS')
  const consumers = consumerLines(session).map((line) => {
    return { name: line.name, priorityLevel: integerOf(line, line.more ?? '0', 'a priority level') }
  })
  const consistentHashing = args.flag('consistent-hashing')
  const name = pulsar.TopicName.get(given, { version })
  const topics = partitions === undefined ? [name] : Array.from({ length: partitions }, (_, i) => name.partition(i))
  const answers = topics.map((topic) => {
    const active = pulsar.activeConsumer(consumers, { topic: topic.toString(), consistentHashing, version })
    return { input: topic.toString(), consumer: consumers[active!]!.name }
  })
  session.noteAnswer(
    `as Pulsar ${version}: ${consumers.length} consumers${consistentHashing ? ', consistent hashing' : ''}`,
  )
  const document: FailoverDocument = { question: 'pulsar failover', version, consistentHashing, answers }
  await session.write(written(document, rowFormat(args)))
}

function written(document: FailoverDocument, format: ReturnType<typeof rowFormat>): string {
  if (format === 'json') return `${JSON.stringify(document)}\n`
  if (format === 'jsonl') return document.answers.map((row) => `${JSON.stringify(row)}\n`).join('')
  return document.answers.map(({ input, consumer }) => `${input}\t${consumer}\n`).join('')
}
