/**
 * A cluster as `kafka-topics --describe` prints it.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.tools.TopicCommand; releases before 2.2 print no blank behind a colon.
 */
import { codedError, shown } from '../errors.js'
import type { ClusterBuilder } from '../kafka/cluster-builder.js'
import type { TextBlocks } from './text-blocks.js'

/** Reads the text into a builder. `first` is what was read of it before. @throws ERR_PLACEMENT_INPUT */
export async function readDescription(text: TextBlocks, first: string, builder: ClusterBuilder): Promise<void> {
  const description = new Description(text.name, builder)
  let rest = first
  for (let block: string | null = ''; block !== null; block = text.next()) {
    const lines = (rest + block).split('\n')
    rest = lines.pop()!
    for (const line of lines) description.add(line)
    await text.turn()
  }
  description.add(rest)
  description.end()
}

class Description {
  readonly #name: string
  readonly #builder: ClusterBuilder
  #line = 0
  /** The topic that the lines belong to, and how many partitions it was announced to have. */
  #topic = ''
  #announced = 0
  #found = 0

  constructor(name: string, builder: ClusterBuilder) {
    this.#name = name
    this.#builder = builder
  }

  add(line: string): void {
    this.#line++
    if (line.trim() === '') return
    const fields = new Map(line.trim().split('\t').map(fieldOf))
    const topic = fields.get('Topic')
    if (topic === undefined)
      throw this.#problem(`expected a line of kafka-topics --describe, got ${shown(line.trim())}`)
    if (fields.has('PartitionCount')) this.#announce(topic, fields)
    else this.#partition(topic, fields)
  }

  end(): void {
    if (this.#found === this.#announced) return
    const message = `topic ${shown(this.#topic)}: expected ${this.#announced} partitions (PartitionCount), got ${this.#found}`
    throw this.#problem(`${message}; is the text cut, or a selection?`)
  }

  #announce(topic: string, fields: ReadonlyMap<string, string>): void {
    this.end()
    const minimum = /(?:^|,)min\.insync\.replicas=([0-9]+)/.exec(fields.get('Configs') ?? '')?.[1]
    this.#builder.addTopic({ name: topic, ...(minimum !== undefined && { minInsyncReplicas: Number(minimum) }) })
    this.#topic = topic
    this.#announced = this.#integer(fields, 'PartitionCount')
    this.#found = 0
  }

  #partition(topic: string, fields: ReadonlyMap<string, string>): void {
    if (topic !== this.#topic)
      throw this.#problem(`expected a partition of topic ${shown(this.#topic)}, got ${shown(topic)}`)
    const replicas = this.#brokers(fields, 'Replicas')
    if (replicas.length === 0) throw this.#problem('Replicas: expected one broker or more, got none')
    this.#builder.addPartition(topic, {
      partition: this.#integer(fields, 'Partition'),
      replicas,
      adding: this.#brokers(fields, 'Adding Replicas'),
      removing: this.#brokers(fields, 'Removing Replicas'),
    })
    this.#found++
  }

  #brokers(fields: ReadonlyMap<string, string>, name: string): number[] {
    const text = fields.get(name) ?? ''
    return text === '' ? [] : text.split(',').map((id) => this.#number(id, name))
  }

  #integer(fields: ReadonlyMap<string, string>, name: string): number {
    return this.#number(fields.get(name) ?? '', name)
  }

  #number(text: string, name: string): number {
    const value = /^[0-9]{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN
    if (value <= 0x7fffffff) return value
    throw this.#problem(`${name}: expected an integer in [0, 2147483647], got ${shown(text)}`)
  }

  #problem(message: string): Error {
    return codedError('ERR_PLACEMENT_INPUT', `${this.#name}:${this.#line}: ${message}`)
  }
}

function fieldOf(text: string): [name: string, value: string] {
  const colon = text.indexOf(':')
  return colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1).trim()]
}
