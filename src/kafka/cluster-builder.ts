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
    if (this.length === this.values.length) {
      const grown = new Int32Array(this.length * 2)
      grown.set(this.values)
      this.values = grown
    }
    this.values[this.length++] = value
  }
}

/** Takes brokers and partitions in any order; `build` gives the columns. */
export class ClusterBuilder {
  readonly #brokers = new Map<number, Broker>()
  readonly #topics = new Map<string, number>()
  readonly #minInsyncReplicas = new Integers()
  readonly #topicOfRow = new Integers()
  readonly #partitions = new Integers()
  readonly #ends = new Integers()
  readonly #replicas = new Integers()
  readonly #bytes: number[] = []
  readonly #moving = new Map<number, Moving>()
  #topic: readonly [name: string, at: number] = ['', -1]

  /** @throws ERR_PLACEMENT_DUPLICATE */
  addBroker({ id, rack = null, state = 'in', weight = 1, capacity }: ClusterBroker): void {
    if (this.#brokers.has(id)) throw codedError('ERR_PLACEMENT_DUPLICATE', `brokers: broker ${id} is given twice`)
    this.#brokers.set(id, { id, rack, state, weight, capacity: capacity ?? null, listed: true })
  }

  /** A topic, which may be left without partitions. @throws ERR_PLACEMENT_DUPLICATE */
  addTopic({ name, minInsyncReplicas = 0 }: Omit<ClusterTopic, 'partitions'>): void {
    if (this.#topics.has(name)) {
      throw codedError('ERR_PLACEMENT_DUPLICATE', `topics: topic ${JSON.stringify(name)} is given twice`)
    }
    this.#topics.set(name, this.#topics.size)
    this.#minInsyncReplicas.push(minInsyncReplicas)
  }

  /** A partition; its topic is added where it is new. */
  addPartition(topic: string, { partition, replicas, bytes, adding = [], removing = [] }: ClusterPartition): void {
    const row = this.#partitions.length
    this.#topicOfRow.push(this.#topicAt(topic))
    this.#partitions.push(partition)
    for (let i = 0; i < replicas.length; i++) this.#replicas.push(replicas[i]!)
    this.#ends.push(this.#replicas.length)
    if (bytes !== undefined) this.#bytes.push(bytes)
    if (bytes === undefined ? this.#bytes.length > 0 : this.#bytes.length !== row + 1)
      this.#refuseBytes(topic, partition)
    if (adding.length + removing.length > 0) this.#moving.set(row, { adding, removing })
  }

  /** The cluster. The builder takes no more. @throws ERR_PLACEMENT_DUPLICATE, ERR_PLACEMENT_ARGUMENT_RANGE */
  build({ partial = false }: ClusterOptions = {}): ClusterColumns {
    const names = [...this.#topics.keys()]
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
      partitions: Int32Array.from(rows, (row) => this.#partitions.values[row]!),
      ...this.#replicaColumns(rows, brokers),
      bytes: this.#bytes.length === 0 ? null : Float64Array.from(rows, (row) => this.#bytes[row]!),
      moving: this.#movingRows(rows),
    }
  }

  #topicAt(name: string): number {
    // Partitions of a topic come together nearly always: its name is looked up once.
    if (this.#topic[0] === name && this.#topic[1] >= 0) return this.#topic[1]
    if (!this.#topics.has(name)) this.addTopic({ name })
    this.#topic = [name, this.#topics.get(name)!]
    return this.#topic[1]
  }

  #refuseBytes(topic: string, partition: number): never {
    const message = `topic ${JSON.stringify(topic)}, partition ${partition}: expected bytes of every partition or of none`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
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
    for (let i = 0; i < length; i++) if (!this.#brokers.has(values[i]!)) seen.add(values[i]!)
    return seen
  }

  #allBrokers(): Broker[] {
    for (const id of this.seenBrokers()) {
      this.#brokers.set(id, { id, rack: null, state: 'out', weight: 1, capacity: null, listed: false })
    }
    return [...this.#brokers.values()].sort((a, b) => a.id - b.id)
  }

  #replicaColumns(rows: Uint32Array, brokers: readonly Broker[]) {
    const positionOf = new Map(brokers.map(({ id }, at) => [id, at]))
    const replicaStarts = new Uint32Array(rows.length + 1)
    const replicas = new Int32Array(this.#replicas.length)
    let end = 0
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!
      const to = this.#ends.values[row]!
      for (let at = row === 0 ? 0 : this.#ends.values[row - 1]!; at < to; at++) {
        replicas[end++] = positionOf.get(this.#replicas.values[at]!)!
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
