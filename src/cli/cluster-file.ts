/**
 * A cluster from a file, told apart by looking, which is said on standard error: a snapshot as JSON, the text of
 * `kafka-topics --describe`, a reassignment file, or what `kafka-reassign-partitions --generate` prints.
 *
 * A snapshot names its brokers. The others do not: theirs are those of the replicas, and those of `--broker-list`.
 */
import { codedError, isCodedError } from '../errors.js'
import { Cluster } from '../kafka/cluster.js'
import { ClusterBuilder } from '../kafka/cluster-builder.js'
import { ClusterJson } from './cluster-json.js'
import { readDescription } from './describe-text.js'
import type { Option } from './grammar.js'
import { openSource, type Source } from './input.js'
import type { Session } from './session.js'
import { TextBlocks } from './text-blocks.js'

/** The option that names the file. */
export const CLUSTER_OPTION: Option = {
  name: 'cluster',
  value: 'FILE',
  help: 'snapshot, kafka-topics --describe, or a reassignment',
}

/** Heading of the state in what `--generate` prints. */
const CURRENT = 'Current partition replica assignment'

/**
 * Reads the cluster.
 *
 * @param brokers ids that are brokers besides those of the file; a snapshot has its own
 * @throws ERR_PLACEMENT_INPUT, and what Cluster.from throws, with the file's name
 */
export function readCluster(session: Session, path: string, brokers: readonly number[] = []): Promise<Cluster> {
  return clusterFrom(session, openSource(path), brokers)
}

/** The same from any source of bytes. */
export async function clusterFrom(session: Session, source: Source, brokers: readonly number[] = []): Promise<Cluster> {
  const text = await TextBlocks.open(source)
  try {
    return await clusterOf(session, text, brokers)
  } catch (error) {
    if (!isCodedError(error) || error.message.startsWith(`${text.name}:`)) throw error
    throw codedError('ERR_PLACEMENT_INPUT', `${text.name}: ${error.message}`, { cause: error })
  } finally {
    await text.close()
  }
}

async function clusterOf(session: Session, text: TextBlocks, brokers: readonly number[]): Promise<Cluster> {
  let first = ''
  while (first.trim().length < CURRENT.length) {
    const more = text.next()
    if (more === null) break
    first += more
  }
  if (text.hasMark) session.note(`${text.name}: byte order mark left out`)
  const start = first.trimStart()
  if (start.startsWith('{')) return jsonCluster(session, text, first, brokers)
  if (start.startsWith(CURRENT)) {
    session.note(`${text.name}: what --generate prints; the current assignment is taken`)
    return jsonCluster(session, text, start.slice(CURRENT.length), brokers)
  }
  if (/^Topic:/.test(start)) {
    session.note(`${text.name}: the text of kafka-topics --describe`)
    const builder = new ClusterBuilder()
    await readDescription(text, first, builder)
    return withBrokers(session, text.name, builder, { brokers, partial: false })
  }
  const expected = 'a snapshot (JSON), the text of kafka-topics --describe, or a reassignment (JSON)'
  throw codedError(
    'ERR_PLACEMENT_INPUT',
    `${text.name}: expected ${expected}, got ${start === '' ? 'nothing' : 'another text'}`,
  )
}

async function jsonCluster(
  session: Session,
  text: TextBlocks,
  first: string,
  brokers: readonly number[],
): Promise<Cluster> {
  const file = new ClusterJson(text, first)
  await file.read()
  if (file.kind === 'snapshot') {
    session.note(`${text.name}: a snapshot`)
    return new Cluster(file.builder.build())
  }
  session.note(`${text.name}: a reassignment; its replicas are taken for the present ones`)
  return withBrokers(session, text.name, file.builder, { brokers, partial: true })
}

/** Files that name no brokers. */
function withBrokers(session: Session, name: string, builder: ClusterBuilder, { brokers, partial }: Rest): Cluster {
  for (const id of new Set([...builder.seenBrokers(), ...brokers])) builder.addBroker({ id })
  if (brokers.length === 0) session.note(`${name}: no list of brokers: those of the replicas are taken`)
  return new Cluster(builder.build({ partial }))
}

/** What such a file leaves open. */
interface Rest {
  readonly brokers: readonly number[]
  /** A reassignment may hold a part of the partitions. */
  readonly partial: boolean
}
