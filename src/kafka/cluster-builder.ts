/**
 * Makes the columns of a cluster of brokers and partitions that come one by one, in any order: from objects, or from a file that is
 * read in blocks. What each item is has been checked (cluster-checks.ts); here it is seen that they fit together.
 */
import { codedError } from '../errors.js'
import type {
  Broker,
  ClusterBroker,
  ClusterColumns,
  ClusterOptions,
  ClusterPartition,
  ClusterTopic,
  Moving,
} from './cluster-types.js'

/** Integers that grow: doubled when full. */
class Integers {
  values = new Int32Array(1 << 10)
  length = 0

  push(value: number): void {
    if (this.length === this.values.length) this.#grow()
    this.values[this.length++] = value
  }

  /** The first `count` of these. */
  pushAll(values: ArrayLike<number>, count: number): void {
    for (let i = 0; i < count; i++) this.push(values[i]!)
  }

  #grow(): void {
    const grown = new Int32Array(this.length * 2)
    grown.set(this.values)
    this.values = grown
  }
}

/** A partition in numbers, checked: as many replicas as `count` says, `bytes` -1 for unknown. */
export interface PartitionRow {
  readonly partition: number
  readonly replicas: ArrayLike<number>
  readonly count: number
  readonly bytes: number
}

/** Takes brokers and partitions in any order; `build` gives the columns. */
export class ClusterBuilder {
  readonly #brokers = new Map<number, Broker>()
  /** Names of the topics; `null` of one that has none yet. */
  readonly #names: (string | null)[] = []
  readonly #topics = new Map<string, number>()
  readonly #minInsyncReplicas = new Integers()
  readonly #topicOfRow = new Integers()
  readonly #partitions = new Integers()
  readonly #ends = new Integers()
  readonly #replicas = new Integers()
  /** Of each row, in two halves of 32 bits, the lower one first. */
  readonly #bytes = new Integers()
  readonly #moving = new Map<number, Moving>()
  #topic: readonly [name: string, at: number] = ['', -1]

  /** @throws ERR_PLACEMENT_DUPLICATE */
  addBroker({ id, rack = null, state = 'in', weight = 1, capacity }: ClusterBroker): void {
    if (this.#brokers.has(id)) throw codedError('ERR_PLACEMENT_DUPLICATE', `brokers: broker ${id} is given twice`)
    this.#brokers.set(id, { id, rack, state, weight, capacity: capacity ?? null, listed: true })
  }

  /** A topic, which may be left without partitions. @throws ERR_PLACEMENT_DUPLICATE */
  addTopic(topic: Omit<ClusterTopic, 'partitions'>): void {
    this.nameTopic(this.openTopic(), topic)
  }

  /** A topic whose name comes later; the number by which partitions are added to it. */
  openTopic(): number {
    this.#minInsyncReplicas.push(0)
    return this.#names.push(null) - 1
  }

  /** @throws ERR_PLACEMENT_DUPLICATE */
  nameTopic(at: number, { name, minInsyncReplicas = 0 }: Omit<ClusterTopic, 'partitions'>): void {
    if (this.#topics.has(name)) {
      throw codedError('ERR_PLACEMENT_DUPLICATE', `topics: topic ${JSON.stringify(name)} is given twice`)
    }
    // A slice of a file would keep its whole block: this one keeps what is joined, and no more.
    const kept = ` ${name}`.slice(1)
    this.#topics.set(kept, at)
    this.#names[at] = kept
    this.#minInsyncReplicas.values[at] = minInsyncReplicas
  }

  /** A partition; its topic is added where it is new. */
  addPartition(topic: string, partition: ClusterPartition): void {
    this.addPartitionAt(this.topicAt(topic), partition)
  }

  /** A partition of the topic of that number. */
  addPartitionAt(
    topic: number,
    { partition, replicas, bytes = -1, adding = [], removing = [] }: ClusterPartition,
  ): void {
    if (adding.length + removing.length > 0) this.#moving.set(this.#partitions.length, { adding, removing })
    this.addRow(topic, { partition, replicas, count: replicas.length, bytes })
  }

  addRow(topic: number, { partition, replicas, count, bytes }: PartitionRow): void {
    const row = this.#partitions.length
    this.#topicOfRow.push(topic)
    this.#partitions.push(partition)
    this.#replicas.pushAll(replicas, count)
    this.#ends.push(this.#replicas.length)
    if (bytes < 0 ? this.#bytes.length > 0 : this.#bytes.length !== 2 * row) this.#refuseBytes(topic, partition)
    if (bytes < 0) return
    this.#bytes.push(bytes | 0)
    this.#bytes.push(bytes / 2 ** 32)
  }

  /** The cluster. The builder takes no more. @throws ERR_PLACEMENT_DUPLICATE, ERR_PLACEMENT_ARGUMENT_RANGE */
  build({ partial = false }: ClusterOptions = {}): ClusterColumns {
    const names = this.#names as string[]
    const order = Array.from(names.keys()).sort((a, b) => (names[a]! < names[b]! ? -1 : 1))
    const topicNames = order.map((topic) => names[topic]!)
    const { rows, topicStarts } = this.#sortedRows(order)
    const gap = this.#checkRows(rows, topicNames, topicStarts)
    if (gap !== null && !partial) throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', gap)
    const brokers = this.#allBrokers()
    return {
      brokers,
      topicNames,
      topicStarts,
      minInsyncReplicas: Int32Array.from(order, (topic) => this.#minInsyncReplicas.values[topic]!),
      partitions: this.#partitionsOf(rows),
      ...this.#replicaColumns(rows, brokers),
      bytes: this.#bytes.length === 0 ? null : this.#bytesOf(rows),
      moving: this.#movingRows(rows),
    }
  }

  /** The number of a topic, which is added where it is new. */
  topicAt(name: string): number {
    // Partitions of a topic come together nearly always: its name is looked up once.
    if (this.#topic[0] === name && this.#topic[1] >= 0) return this.#topic[1]
    if (!this.#topics.has(name)) this.addTopic({ name })
    this.#topic = [name, this.#topics.get(name)!]
    return this.#topic[1]
  }

  #refuseBytes(topic: number, partition: number): never {
    const name = this.#names[topic]
    const where = name === null ? `topics[${topic}]` : `topic ${JSON.stringify(name)}`
    const message = `${where}, partition ${partition}: expected bytes of every partition or of none`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
  }

  #partitionsOf(rows: Uint32Array): Int32Array {
    const partitions = new Int32Array(rows.length)
    for (let i = 0; i < rows.length; i++) partitions[i] = this.#partitions.values[rows[i]!]!
    return partitions
  }

  #bytesOf(rows: Uint32Array): Float64Array {
    const bytes = new Float64Array(rows.length)
    const halves = this.#bytes.values
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!
      bytes[i] = (halves[2 * row]! >>> 0) + halves[2 * row + 1]! * 2 ** 32
    }
    return bytes
  }

  /** Rows in the order of topics and numbers, and where each topic begins. */
  #sortedRows(order: readonly number[]) {
    const counts = new Uint32Array(order.length + 1)
    const rank = new Uint32Array(order.length)
    for (const [at, topic] of order.entries()) rank[topic] = at
    const topicOfRow = this.#topicOfRow.values.subarray(0, this.#topicOfRow.length)
    for (const topic of topicOfRow) counts[rank[topic]! + 1]!++
    for (let t = 0; t < order.length; t++) counts[t + 1]! += counts[t]!
    const topicStarts = counts.slice()
    const rows = new Uint32Array(topicOfRow.length)
    for (let row = 0; row < rows.length; row++) rows[counts[rank[topicOfRow[row]!]!]!++] = row
    for (let t = 0; t < order.length; t++) this.#sortByNumber(rows.subarray(topicStarts[t], topicStarts[t + 1]))
    return { rows, topicStarts }
  }

  #sortByNumber(rows: Uint32Array): void {
    const numbers = this.#partitions.values
    for (let i = 1; i < rows.length; i++) {
      if (numbers[rows[i - 1]!]! <= numbers[rows[i]!]!) continue
      rows.sort((a, b) => numbers[a]! - numbers[b]!)
      return
    }
  }

  /** No partition twice; what is said of the first that is missing, if one is. */
  #checkRows(rows: Uint32Array, topicNames: readonly string[], topicStarts: Uint32Array): string | null {
    let gap: string | null = null
    for (const [t, name] of topicNames.entries()) {
      let expected = 0
      for (let i = topicStarts[t]!; i < topicStarts[t + 1]!; i++, expected++) {
        const number = this.#partitions.values[rows[i]!]!
        if (number === expected) continue
        const where = `topic ${JSON.stringify(name)}`
        if (number < expected)
          throw codedError('ERR_PLACEMENT_DUPLICATE', `${where}: partition ${number} is given twice`)
        gap ??= `${where}: partition ${expected} is missing before partition ${number}`
        expected = number
      }
    }
    return gap
  }

  /** Ids that replica lists name and no broker has yet. */
  seenBrokers(): Set<number> {
    const { values, length } = this.#replicas
    const seen = new Set<number>()
    const known = new IdTable(this.#brokers.keys(), values.subarray(0, length))
    for (let i = 0; i < length; i++) {
      if (known.get(values[i]!) >= 0) continue
      known.set(values[i]!, 0)
      seen.add(values[i]!)
    }
    return seen
  }

  #allBrokers(): Broker[] {
    for (const id of this.seenBrokers()) {
      this.#brokers.set(id, { id, rack: null, state: 'out', weight: 1, capacity: null, listed: false })
    }
    return [...this.#brokers.values()].sort((a, b) => a.id - b.id)
  }

  #replicaColumns(rows: Uint32Array, brokers: readonly Broker[]) {
    const positions = new IdTable(brokers.map(({ id }) => id))
    const replicaStarts = new Uint32Array(rows.length + 1)
    const replicas = new Int32Array(this.#replicas.length)
    let end = 0
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!
      const to = this.#ends.values[row]!
      for (let at = row === 0 ? 0 : this.#ends.values[row - 1]!; at < to; at++) {
        replicas[end++] = positions.get(this.#replicas.values[at]!)
      }
      replicaStarts[i + 1] = end
    }
    return { replicaStarts, replicas }
  }

  #movingRows(rows: Uint32Array): Map<number, Moving> {
    const moving = new Map<number, Moving>()
    if (this.#moving.size === 0) return moving
    for (const [at, row] of rows.entries()) {
      const move = this.#moving.get(row)
      if (move !== undefined) moving.set(at, move)
    }
    return moving
  }
}

/** Ids up to here are looked up in an array: 4 MB at most. */
const MOST_DENSE = 1 << 20

/** Positions of broker ids, which may be anything up to 2^31 - 1; -1 for one that has none. */
class IdTable {
  readonly #dense: Int32Array
  readonly #sparse = new Map<number, number>()

  /** @param ids those of the positions 0, 1, 2 … · @param others ids that may be asked for beside them */
  constructor(ids: Iterable<number>, others: Int32Array = new Int32Array(0)) {
    const listed = [...ids]
    let most = -1
    for (const id of listed) if (id < MOST_DENSE && id > most) most = id
    for (let i = 0; i < others.length; i++) if (others[i]! < MOST_DENSE && others[i]! > most) most = others[i]!
    this.#dense = new Int32Array(most + 1).fill(-1)
    for (const [at, id] of listed.entries()) this.set(id, at)
  }

  get(id: number): number {
    return id < this.#dense.length ? this.#dense[id]! : (this.#sparse.get(id) ?? -1)
  }

  set(id: number, at: number): void {
    if (id < this.#dense.length) this.#dense[id] = at
    else this.#sparse.set(id, at)
  }
}
