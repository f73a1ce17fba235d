/** `kafka reassign generate`: what `kafka-reassign-partitions --generate` would print for a cluster. */
import { codedError } from '../errors.js'
import { kafka } from '../index.js'
import { brokersText } from './broker-ids.js'
import { CLUSTER_OPTION, readCluster } from './cluster-file.js'
import type { Command } from './grammar.js'
import { seedOf } from './kafka-place.js'
import { about, KAFKA_VERSION_OPTION, kafkaRelease, readToolFile } from './reassignment-file.js'
import type { GenerateDocument } from './replica-documents.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

export const KAFKA_REASSIGN_GENERATE: Command = {
  path: ['kafka', 'reassign', 'generate'],
  summary: 'what kafka-reassign-partitions --generate prints',
  operands: '',
  details: [
    '',
    "The text is the tool's, byte for byte. It ignores where replicas lie now: nearly all of them move;",
    '"kafka reassign plan" moves the fewest. Up to 4.0 it places alternating, since 4.1 striped.',
  ],
  options: [
    { ...CLUSTER_OPTION, help: `${CLUSTER_OPTION.help} (required)` },
    { name: 'topics-to-move-json-file', value: 'FILE', help: '{"topics":[{"topic":"orders"}],"version":1} (required)' },
    { name: 'broker-list', value: 'IDS', help: 'brokers that get the replicas: 0,1,2 (required)' },
    { name: 'disable-rack-aware', help: 'place as if no broker had a rack' },
    { name: 'seed', value: 'N', help: 'of java.util.Random, where the tool draws by chance (default 0)' },
    KAFKA_VERSION_OPTION,
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka reassign generate --cluster examples/orders-cluster.json --topics-to-move-json-file examples/topics-to-move.json --broker-list 0,1,2,3',
    'topic-placement kafka reassign generate --cluster examples/describe.txt --topics-to-move-json-file examples/topics-to-move.json --broker-list 2,3',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const [version, seed] = [kafkaRelease(session), seedOf(session)]
  const brokerList = args.required('broker-list', args.text('broker-list'))
  const brokers = kafka.reassignment.parseBrokerList(brokerList)
  const path = args.required('topics-to-move-json-file', args.text('topics-to-move-json-file'))
  const clusterPath = args.required('cluster', args.text('cluster'))
  const topicsJson = await readToolFile(path)
  const topics = about(path, () => kafka.reassignment.parseTopicsToMove(topicsJson, { version }))
  const cluster = await readCluster(
    session,
    clusterPath,
    brokers.filter((id) => id >= 0),
  )
  about(clusterPath, () => checkWhole(cluster, topics))
  const state = kafka.reassignment.toolState(cluster, new Set(topics))
  const action = {
    action: 'generate',
    topicsJson,
    brokerList,
    disableRackAware: args.flag('disable-rack-aware'),
    random: { seed },
  } as const
  const { text, failed } = kafka.reassignment.reassignmentTool(state, action, { version })
  if (failed !== null) throw failed
  const document = documentOf(text, { question: 'kafka reassign generate', version, seed })
  warn(session, cluster, brokers, document)
  session.noteAnswer(`as Kafka ${version}, seed ${seed}: ${document.moves} of ${document.replicas} replicas move`)
  await session.write(args.flag('json') ? `${JSON.stringify(document)}\n` : text)
}

/** The tool knows partitions by their place in a topic: with one missing it would name others. */
function checkWhole(cluster: kafka.Cluster, topics: readonly string[]): void {
  for (const topic of topics) {
    const at = cluster.topicNames.indexOf(topic)
    if (at < 0) continue
    const [from, to] = [cluster.topicStarts[at]!, cluster.topicStarts[at + 1]!]
    if (to === from || cluster.partitions[to - 1] === to - from - 1) continue
    const message = `topic ${JSON.stringify(topic)}: expected all its partitions, got ${to - from}, with numbers up to ${cluster.partitions[to - 1]}`
    throw codedError('ERR_PLACEMENT_INPUT', message)
  }
}

type Head = Pick<GenerateDocument, 'question' | 'version' | 'seed'>

function documentOf(text: string, head: Head): GenerateDocument {
  const [, current, proposed] = /^Current.*\n(.*)\n\nProposed.*\n(.*)\n/.exec(text)!
  const [before, after] = [kafka.reassignment.parse(current!), kafka.reassignment.parse(proposed!)]
  const { moves } = kafka.reassignment.diff(before, after)
  const replicas = after.reduce((sum, entry) => sum + entry.replicas.length, 0)
  return { ...head, replicas, moves, current: JSON.parse(current!), proposed: JSON.parse(proposed!) }
}

/** What people are surprised by. */
function warn(
  session: Session,
  cluster: kafka.Cluster,
  listed: readonly number[],
  { current }: GenerateDocument,
): void {
  const held = new Set(current.partitions.flatMap(({ replicas }) => replicas))
  const left = [...held].filter((id) => !listed.includes(id)).sort((a, b) => a - b)
  if (left.length > 0) {
    const hold = left.length === 1 ? 'holds' : 'hold'
    session.note(`warning: the list leaves out ${brokersText(left)}, which ${hold} replicas now: all of them move`)
  }
  const unknown = listed.filter((id) => cluster.brokers[cluster.brokerAt(id)]?.listed !== true)
  if (unknown.length > 0)
    session.note(
      `warning: ${brokersText(unknown)} of the list: not in the cluster, left out by the tool without a word`,
    )
}
