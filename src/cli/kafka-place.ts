/** `kafka place`: the replicas of a new topic, as Kafka's controller or its older tools place them. */
import { kafka } from '../index.js'
import { CLUSTER_OPTION, readCluster } from './cluster-file.js'
import type { Command } from './grammar.js'
import { KAFKA_VERSION_OPTION, kafkaRelease } from './reassignment-file.js'
import type { PlaceDocument } from './replica-documents.js'
import { OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

const INT = [0, 0x7fffffff] as const

export const KAFKA_PLACE: Command = {
  path: ['kafka', 'place'],
  summary: "the replicas of a new topic, as Kafka's controller or older tools do",
  operands: '',
  details: [
    '',
    'Rows are "partition<TAB>brokers", the preferred leader first. Racks and fenced brokers come from',
    'a cluster. Kafka draws by chance, here a seed of java.util.Random does, always the same.',
  ],
  options: [
    { name: 'placer', value: 'NAME', help: `${kafka.PLACERS.join(' or ')} (required)` },
    { name: 'partitions', value: 'N', help: 'how many partitions (required)' },
    { name: 'replication-factor', value: 'N', help: 'replicas of each (required)' },
    { name: 'broker-list', value: 'IDS', help: 'brokers without racks: 0,1,2' },
    CLUSTER_OPTION,
    { name: 'seed', value: 'N', help: 'of java.util.Random (default 0)' },
    { name: 'start-index', value: 'N', help: 'alternating: begin there, and draw nothing' },
    { name: 'start-partition', value: 'N', help: 'alternating: number of the first new partition' },
    { name: 'replica-assignment', help: "one line, as kafka-topics' option of that name takes it" },
    KAFKA_VERSION_OPTION,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement kafka place --placer striped --broker-list 0,1,2,3 --partitions 5 --replication-factor 3',
    'topic-placement kafka place --placer striped --cluster examples/orders-cluster.json --partitions 6 --replication-factor 2',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const version = kafkaRelease(session)
  const format = rowFormat(args)
  const seed = seedOf(session)
  const fixedStartIndex = args.integer('start-index', INT, 'ERR_PLACEMENT_ARGUMENT_RANGE')
  const placed = kafka.placeReplicas({
    placer: args.required('placer', args.choice('placer', kafka.PLACERS)),
    version,
    partitions: args.required('partitions', args.integer('partitions', INT, 'ERR_PLACEMENT_ARGUMENT_RANGE')),
    replicationFactor: args.required(
      'replication-factor',
      args.integer('replication-factor', [0, 0x7fff], 'ERR_PLACEMENT_ARGUMENT_RANGE'),
    ),
    brokers: await brokersOf(session),
    random: { seed },
    fixedStartIndex,
    startPartitionId: args.integer('start-partition', INT, 'ERR_PLACEMENT_ARGUMENT_RANGE'),
  })
  const { firstPartition, replicas } = placed.toJSON()
  // The releases since 4.1 have it no longer.
  const origin =
    placed.placer === 'alternating' && !isBefore41(version) ? 'as the tools of Kafka up to 4.0' : `as Kafka ${version}`
  session.noteAnswer(
    `${origin}: ${placed.placer} placer, ${fixedStartIndex === undefined ? `seed ${seed}` : 'no draw'}`,
  )
  const document: PlaceDocument = {
    question: 'kafka place',
    version,
    placer: placed.placer,
    seed,
    firstPartition,
    replicas,
  }
  await session.write(args.flag('replica-assignment') ? assignmentText(document) : textOf(document, format))
}

const isBefore41 = (version: string): boolean => version === '3.9' || version === '4.0'

/** A seed of the command line: Kafka's own is anyone's guess. */
export function seedOf({ args }: Session): number {
  return args.integer('seed', [0, Number.MAX_SAFE_INTEGER], 'ERR_PLACEMENT_ARGUMENT_RANGE') ?? 0
}

async function brokersOf(session: Session): Promise<kafka.PlacementBroker[]> {
  const { args } = session
  args.apart('broker-list', 'cluster')
  const list = args.text('broker-list')
  if (list !== undefined) return kafka.reassignment.parseBrokerList(list).map((id) => ({ id }))
  const cluster = await readCluster(session, args.required('broker-list', args.text('cluster')))
  const usable = cluster.brokers.filter(({ state }) => state !== 'out')
  return usable.map(({ id, rack, state }) => ({ id, rack, fenced: state === 'fenced' }))
}

function textOf({ firstPartition, replicas, ...rest }: PlaceDocument, format: ReturnType<typeof rowFormat>): string {
  if (format === 'json') return `${JSON.stringify({ ...rest, firstPartition, replicas })}\n`
  const rows = replicas.map((list, i) =>
    format === 'jsonl'
      ? JSON.stringify({ partition: firstPartition + i, replicas: list })
      : `${firstPartition + i}\t${list.join(',')}`,
  )
  return rows.map((row) => `${row}\n`).join('')
}

const assignmentText = ({ replicas }: PlaceDocument): string => `${replicas.map((list) => list.join(':')).join(',')}\n`
