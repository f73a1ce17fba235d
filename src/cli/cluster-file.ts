/**
 * A cluster from a file, told apart by looking, which is said on standard error: a snapshot as JSON, the text of
 * `kafka-topics --describe`, a reassignment file, or what `kafka-reassign-partitions --generate` prints.
 *
 * A snapshot names its brokers. The others do not: theirs are those of the replicas, and those of `--broker-list`.
 */
import { codedError, isCodedError } from '../errors.js'
import { Cluster } from '../kafka/cluster.js'
import { ClusterBuilder } from '../kafka/cluster-builder.js'
import { checkedBroker, checkedPartition, checkedTopic } from '../kafka/cluster-checks.js'
import type { ClusterBroker, ClusterTopic } from '../kafka/cluster-types.js'
import { JsonReader, OtherNumber } from '../kafka/json-reader.js'
import { type JsonTree, treeOf } from '../kafka/json-tree.js'
import { checkVersion, entryOf } from '../kafka/reassignment-json.js'
import { readDescription } from './describe-text.js'
import type { Option } from './grammar.js'
import { openSource } from './input.js'
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
export async function readCluster(session: Session, path: string, brokers: readonly number[] = []): Promise<Cluster> {
  const text = await TextBlocks.read(openSource(path))
  try {
    return await clusterOf(session, text, brokers)
  } catch (error) {
    if (!isCodedError(error) || error.message.startsWith(`${text.name}:`)) throw error
    throw codedError('ERR_PLACEMENT_INPUT', `${text.name}: ${error.message}`, { cause: error })
  }
}

async function clusterOf(session: Session, text: TextBlocks, brokers: readonly number[]): Promise<Cluster> {
  let first = text.next() ?? ''
  for (let more = ''; first.trim().length < CURRENT.length && more !== null; more = text.next() ?? null!) first += more
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
  let head: string | null = first
  const reader = new JsonReader(() => {
    const block = head ?? text.next()
    head = null
    return block
  })
  const file = new JsonCluster(reader, text)
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

/** A document that is read item by item: a snapshot's `brokers` and `topics`, a reassignment's `partitions`. */
class JsonCluster {
  readonly builder: ClusterBuilder
  kind: 'snapshot' | 'reassignment' = 'snapshot'
  readonly #reader: JsonReader
  readonly #text: TextBlocks

  constructor(reader: JsonReader, text: TextBlocks) {
    this.#reader = reader
    this.#text = text
    this.builder = new ClusterBuilder()
  }

  async read(): Promise<void> {
    const reader = this.#reader
    const fields = new Set<string>()
    reader.next()
    for (let token = reader.next(); token !== '}'; token = reader.next()) {
      const field = reader.text
      fields.add(field)
      if (field === 'version') checkVersion(treeOf(reader, reader.next()))
      else await this.#list(field)
    }
    this.#checkFields(fields)
  }

  #checkFields(fields: ReadonlySet<string>): void {
    if (fields.has('partitions')) {
      this.kind = 'reassignment'
      if (!fields.has('topics') && !fields.has('brokers')) return
      throw codedError(
        'ERR_PLACEMENT_INPUT',
        'expected a snapshot or a reassignment, got partitions beside topics or brokers',
      )
    }
    for (const field of ['brokers', 'topics']) {
      if (!fields.has(field))
        throw codedError('ERR_PLACEMENT_INPUT', `expected the field ${field} of a snapshot, got none`)
    }
  }

  async #list(field: string): Promise<void> {
    const add = this.#adders[field]
    if (add === undefined) {
      const expected = 'expected the fields brokers and topics of a snapshot, or partitions of a reassignment'
      throw codedError('ERR_PLACEMENT_INPUT', `${expected}, got ${JSON.stringify(field)}`)
    }
    const reader = this.#reader
    if (reader.next() !== '[')
      throw codedError('ERR_PLACEMENT_INPUT', `${field}: expected an array, got something else`)
    let i = 0
    for (let token = reader.next(); token !== ']'; token = reader.next()) {
      add(treeOf(reader, token), i++)
      await this.#text.turn()
    }
  }

  readonly #adders: Readonly<Record<string, (tree: JsonTree, i: number) => void>> = {
    brokers: (tree, i) => this.builder.addBroker(checkedBroker(plain(tree) as ClusterBroker, i)),
    topics: (tree, i) => this.#topic(plain(tree) as ClusterTopic, i),
    partitions: (tree, i) => this.#entry(tree, i),
  }

  #topic(given: ClusterTopic, i: number): void {
    const topic = checkedTopic(given, `topics[${i}]`)
    this.builder.addTopic(topic)
    for (const partition of topic.partitions) this.builder.addPartition(topic.name, partition)
  }

  #entry(tree: JsonTree, i: number): void {
    const { topic, partition, replicas } = entryOf(tree, `partitions[${i}]`)
    this.builder.addPartition(topic, checkedPartition({ partition, replicas }, partition, `partitions[${i}]`))
  }
}

/** A tree as the objects that the checks read. */
function plain(tree: JsonTree): unknown {
  if (tree instanceof OtherNumber) return Number(tree.text)
  if (Array.isArray(tree)) return tree.map(plain)
  return tree instanceof Map ? Object.fromEntries([...tree].map(([name, value]) => [name, plain(value)])) : tree
}
