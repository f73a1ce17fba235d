/**
 * A cluster from JSON of any size: a snapshot's `brokers` and `topics`, or a reassignment's `partitions`, item by item into
 * columns. What is in memory is the columns and a few blocks of text.
 *
 * The usual items go the quick way (partition-scan.ts); all else is read as trees and checked as the library checks objects.
 */
import { codedError, shown } from '../errors.js'
import { ClusterBuilder } from '../kafka/cluster-builder.js'
import { checkedBroker, checkedPartition, checkedTopic, checkTopicField } from '../kafka/cluster-checks.js'
import type { ClusterBroker, ClusterPartition, ClusterTopic } from '../kafka/cluster-types.js'
import { JsonReader, OtherNumber } from '../kafka/json-reader.js'
import { type JsonTree, shownTree, treeOf } from '../kafka/json-tree.js'
import { PartitionScan } from '../kafka/partition-scan.js'
import { checkVersion, entryOf } from '../kafka/reassignment-json.js'
import type { TextBlocks } from './text-blocks.js'

const LISTS: readonly string[] = ['brokers', 'topics', 'partitions']

function unknownField(field: string): Error {
  const expected = 'expected the fields brokers and topics of a snapshot, or partitions of a reassignment'
  return codedError('ERR_PLACEMENT_INPUT', `${expected}, got ${shown(field)}`)
}

/** Items between two looks at the clock. */
const ITEMS = 256

export class ClusterJson {
  readonly builder = new ClusterBuilder()
  kind: 'snapshot' | 'reassignment' = 'snapshot'
  readonly #reader: JsonReader
  readonly #text: TextBlocks
  readonly #scan = new PartitionScan()
  #items = 0
  /** The first field that neither kind of file has. */
  #unknown: string | null = null
  #topics = 0

  /** The block that the reader reads, where it is ASCII. */
  #block: Uint8Array | null = null

  /** @param first what has been read of the text */
  constructor(text: TextBlocks, first: string) {
    let head: string | null = first
    this.#text = text
    this.#reader = new JsonReader(() => {
      const block = head ?? text.next()
      this.#block = head === null ? text.ascii : asciiOf(head)
      head = null
      return block
    })
  }

  /** Reads to the end of the document. @throws ERR_PLACEMENT_INPUT, and what the checks throw */
  async read(): Promise<void> {
    const reader = this.#reader
    const fields = new Set<string>()
    reader.next()
    for (let token = reader.next(); token !== '}'; token = reader.next()) {
      const field = reader.text
      if (fields.has(field)) throw codedError('ERR_PLACEMENT_INPUT', `${shown(field)}: expected it once, got it twice`)
      fields.add(field)
      if (field === 'version') checkVersion(treeOf(reader, reader.next()))
      else if (LISTS.includes(field)) await this.#list(field)
      else this.#skip(field, fields)
    }
    this.#checkFields(fields)
    if (this.kind === 'reassignment') return
    await this.#text.turn()
    reader.expectEnd()
  }

  /** A reassignment may have fields of others, which Kafka passes over; a snapshot may not. */
  #skip(field: string, fields: ReadonlySet<string>): void {
    this.#unknown ??= field
    if (fields.has('brokers') || fields.has('topics')) throw unknownField(field)
    treeOf(this.#reader, this.#reader.next())
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
    if (this.#unknown !== null) throw unknownField(this.#unknown)
    for (const field of ['brokers', 'topics']) {
      if (!fields.has(field))
        throw codedError('ERR_PLACEMENT_INPUT', `expected the field ${field} of a snapshot, got none`)
    }
  }

  async #list(field: string): Promise<void> {
    const token = this.#reader.next()
    if (token !== '[') {
      const got = token === '{' ? 'an object' : shownTree(this.#reader.value)
      throw codedError('ERR_PLACEMENT_INPUT', `${field}: expected an array, got ${got}`)
    }
    if (field === 'brokers') await this.#brokers()
    else if (field === 'topics') await this.#topicList()
    else await this.#entries()
  }

  async #brokers(): Promise<void> {
    const reader = this.#reader
    let i = 0
    for (let token = reader.next(); token !== ']'; token = reader.next()) {
      this.builder.addBroker(checkedBroker(plain(treeOf(reader, token)) as ClusterBroker, `brokers[${i++}]`))
      if (this.#isDue()) await this.#text.turn()
    }
  }

  async #topicList(): Promise<void> {
    const reader = this.#reader
    for (let token = reader.next(); token !== ']'; token = reader.next()) {
      const where = `topics[${this.#topics++}]`
      if (token === '{') await this.#topic(where)
      else checkedTopic(plain(treeOf(reader, token)) as ClusterTopic, where)
      if (this.#isDue()) await this.#text.turn()
    }
  }

  /** The fields of a topic, in any order: its partitions are put down as they come. */
  async #topic(where: string): Promise<void> {
    const [reader, builder] = [this.#reader, this.builder]
    const at = builder.openTopic()
    const fields: Record<string, unknown> = {}
    for (let token = reader.next(); token !== '}'; token = reader.next()) {
      const field = reader.text
      checkTopicField(field, where)
      const value = reader.next()
      if (Object.hasOwn(fields, field))
        throw codedError('ERR_PLACEMENT_INPUT', `${where}: ${field}: expected it once, got it twice`)
      if (field !== 'partitions' || value !== '[') fields[field] = plain(treeOf(reader, value))
      else {
        fields['partitions'] = []
        await this.#partitions(at, where)
      }
    }
    builder.nameTopic(at, checkedTopic(fields as unknown as ClusterTopic, where))
  }

  async #partitions(topic: number, where: string): Promise<void> {
    const [reader, builder, scan] = [this.#reader, this.builder, this.#scan]
    for (let i = 0; ; i++) {
      if (this.#isDue()) await this.#text.turn()
      if (reader.skipItem(this.#ofSnapshot)) {
        if (scan.partition < 0) scan.partition = i
        builder.addRow(topic, scan)
        continue
      }
      const token = reader.next()
      if (token === ']') return
      const given = plain(treeOf(reader, token)) as ClusterPartition
      builder.addPartitionAt(topic, checkedPartition(given, i, `${where}.partitions[${i}]`))
    }
  }

  async #entries(): Promise<void> {
    const [reader, builder, scan] = [this.#reader, this.builder, this.#scan]
    for (let i = 0; ; i++) {
      if (this.#isDue()) await this.#text.turn()
      if (reader.skipItem(this.#ofReassignment)) {
        builder.addRow(builder.topicAt(scan.topic), scan)
        continue
      }
      const token = reader.next()
      if (token === ']') return
      const where = `partitions[${i}]`
      const { topic, partition, replicas } = entryOf(treeOf(reader, token), where)
      builder.addPartition(topic, checkedPartition({ partition, replicas }, partition, where))
    }
  }

  readonly #ofSnapshot = (at: number): number => (this.#block === null ? -1 : this.#scan.ofSnapshot(this.#block, at))
  readonly #ofReassignment = (at: number): number =>
    this.#block === null ? -1 : this.#scan.ofReassignment(this.#block, at)

  #isDue(): boolean {
    return ++this.#items % ITEMS === 0 || this.#text.isLow
  }
}

/** The bytes of a text that is ASCII. */
function asciiOf(text: string): Uint8Array | null {
  const bytes = Buffer.from(text)
  return bytes.length === text.length ? bytes : null
}

/** A tree as the objects that the checks read. */
function plain(tree: JsonTree): unknown {
  // Infinities stand in quotes.
  if (tree instanceof OtherNumber) return Number(tree.text.replaceAll('"', ''))
  if (Array.isArray(tree)) return tree.map(plain)
  return tree instanceof Map ? Object.fromEntries([...tree].map(([name, value]) => [name, plain(value)])) : tree
}
