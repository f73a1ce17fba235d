/** `pulsar route`: the partition that a client of Pulsar gives each key, or the keys about which the clients disagree. */
import { pulsar } from '../index.js'
import { INPUT_OPTIONS, openInput, placed } from './batches.js'
import type { Command } from './grammar.js'
import { fileOperand } from './operands.js'
import type { DisagreementsDocument, RouteDocument } from './pulsar-documents.js'
import { type Answers, OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

export const PULSAR_ROUTE: Command = {
  path: ['pulsar', 'route'],
  summary: 'the partition of each key, as a client of Pulsar puts it',
  operands: '[FILE | -]',
  details: [
    '',
    'Clients: java, go, and cpp with node and python, which wrap it. JavaStringHash is the same in all of',
    'them for ASCII alone. The C++ client adds up bytes as "char", whose sign is the machine\'s: --char.',
  ],
  options: [
    { name: 'partitions', value: 'N', help: 'partitions of the topic, 1 to 2147483647 (required)' },
    { name: 'client', value: 'NAME', help: `${pulsar.CLIENT_NAMES.join(', ')} (default java)` },
    { name: 'scheme', value: 'NAME', help: "JavaStringHash or Murmur3_32Hash (default the client's own)" },
    { name: 'char', value: 'SIGN', help: 'signed as on x86-64 (default), or unsigned as on arm64' },
    { name: 'disagreements', help: 'only the keys that the clients put into different partitions' },
    ...INPUT_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar route --partitions 7 --client go examples/keys.txt',
    'topic-placement pulsar route --partitions 7 --disagreements examples/keys.txt',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const range = [1, 0x7fffffff] as const
  const numPartitions = args.required('partitions', args.integer('partitions', range, 'ERR_PLACEMENT_NUM_PARTITIONS'))
  const scheme = args.choice('scheme', pulsar.HASHING_SCHEMES, 'ERR_PLACEMENT_UNKNOWN_NAME')
  if (args.flag('disagreements')) return disagreements(session, numPartitions, scheme ?? 'JavaStringHash')
  const client = args.choice('client', pulsar.CLIENT_NAMES, 'ERR_PLACEMENT_UNKNOWN_NAME') ?? 'java'
  const char = args.choice('char', pulsar.CHAR_SIGNS, 'ERR_PLACEMENT_UNKNOWN_NAME') ?? 'signed'
  const options = { client, scheme: scheme ?? pulsar.CLIENT_DEFAULTS[client], char }
  // A client without an answer is refused before the first key.
  pulsar.partitionForKey('key', numPartitions, options)
  const input = openInput(session, fileOperand(args), 'utf8')
  session.noteAnswer(`as the ${client} client, ${options.scheme}, ${numPartitions} partitions`)
  const document: Omit<RouteDocument, 'answers' | 'count'> = { question: 'pulsar route', numPartitions, ...options }
  await session.answerRows(input, document, (batch) => {
    const keys = [...batch.keys]
    return partitionAnswers(
      keys.map((key, index) => placed(batch, () => partitionOf({ key, index }, numPartitions, options))),
    )
  })
}

function partitionOf(
  { key, index }: { readonly key: string; readonly index: number },
  numPartitions: number,
  options: pulsar.ClientOptions,
): number {
  try {
    return pulsar.partitionForKey(key, numPartitions, options)
  } catch (error) {
    throw Object.assign(error as Error, { index })
  }
}

const FIELD = Buffer.from('"partition":')

function partitionAnswers(partitions: readonly number[]): Answers {
  return {
    text: (rows, index) => rows.decimal(partitions[index]!),
    json: (rows, index) => {
      rows.copy(FIELD)
      rows.decimal(partitions[index]!)
    },
  }
}

async function disagreements(session: Session, numPartitions: number, scheme: pulsar.HashingScheme): Promise<void> {
  const { args } = session
  for (const name of ['client', 'char']) {
    if (args.flag(name)) throw args.wrong(`--${name}: expected no --disagreements with it`)
  }
  pulsar.clientDisagreements(['key'], numPartitions, { scheme })
  const input = openInput(session, fileOperand(args), 'utf8')
  session.noteAnswer(`as the java, C++ and go clients, ${scheme}, ${numPartitions} partitions`)
  const rows: DisagreementsDocument['rows'][number][] = []
  let keys = 0
  await session.each(input, (batch) => {
    const found = pulsar.clientDisagreements([...batch.keys], numPartitions, { scheme })
    for (const { key, index, ...row } of found.rows) rows.push({ ...row, index: keys + index, key: String(key) })
    keys += found.keys
  })
  const document: DisagreementsDocument = {
    question: 'pulsar route --disagreements',
    scheme,
    numPartitions,
    keys,
    rows,
  }
  await session.write(written(document, rowFormat(args)))
}

function written(document: DisagreementsDocument, format: ReturnType<typeof rowFormat>): string {
  if (format === 'json') return `${JSON.stringify(document)}\n`
  if (format === 'jsonl') return document.rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const lines = document.rows.map(({ key, java, cppSigned, cppUnsigned, go }) => {
    return `${key}\tjava ${java}, cpp ${cppSigned}, cpp on arm64 ${cppUnsigned}, go ${go ?? 'draws'}\n`
  })
  return `${document.rows.length} of ${document.keys} keys lie in different partitions\n${lines.join('')}`
}
