/**
 * A cluster as `kafka-topics --describe` prints it.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.tools.TopicCommand; releases before 2.2 print no blank behind a colon.
 */
import { codedError, shown } from '../errors.js'
import type { ClusterBuilder } from '../kafka/cluster-builder.js'
import { DescribeScan } from './describe-scan.js'
import type { TextBlocks } from './text-blocks.js'

/** Reads the text into a builder. `first` is what was read of it before. @throws ERR_PLACEMENT_INPUT */
export async function readDescription(text: TextBlocks, first: string, builder: ClusterBuilder): Promise<void> {
  const description = new Description(text.name, builder)
  description.addBlock(first, null)
  for (let block = text.next(); block !== null; block = text.next()) {
    description.addBlock(block, text.ascii)
    await text.turn()
  }
  description.end()
}

class Description {
  readonly #name: string
  readonly #builder: ClusterBuilder
  #line = 0
  /** The topic that the lines belong to, its number, and how many partitions it was announced to have. */
  #topic = ''
  #at = -1
  #announced = 0
  #found = 0
  #rest = ''
  readonly #scan = new DescribeScan()

  constructor(name: string, builder: ClusterBuilder) {
    this.#name = name
    this.#builder = builder
  }

  /**
   * Takes the lines of a block; what follows the last one waits for the next block.
   *
   * @param bytes of the block, where it is ASCII
   */
  addBlock(block: string, bytes: Uint8Array | null): void {
    let at = this.#rest === '' ? 0 : block.indexOf('\n') + 1
    if (at > 0) this.#add(this.#rest + block.slice(0, at - 1))
    else if (this.#rest !== '') at = -1
    if (at < 0) {
      this.#rest += block
      return
    }
    for (let end = 0; end >= 0; ) {
      at = this.#scanned(bytes, at)
      end = block.indexOf('\n', at)
      if (end < 0) this.#rest = block.slice(at)
      else this.#add(block.slice(at, end))
      at = end + 1
    }
  }

  /** The place behind the lines of the usual form. */
  #scanned(bytes: Uint8Array | null, from: number): number {
    if (bytes === null) return from
    let at = from
    for (let next = this.#scan.line(bytes, at); next >= 0; next = this.#scan.line(bytes, at)) {
      this.#builder.addRow(this.#at, this.#scan)
      this.#line++
      this.#found++
      at = next
    }
    return at
  }

  #add(line: string): void {
    this.#line++
    if (line.trim() === '') return
    const topic = fieldOf(line, 'Topic')
    if (topic === null) throw this.#problem(`expected a line of kafka-topics --describe, got ${shown(line.trim())}`)
    const count = fieldOf(line, 'PartitionCount')
    if (count === null) this.#partition(topic, line)
    else this.#announce(topic, count, line)
  }

  /** Takes the last line. */
  end(): void {
    this.#add(this.#rest)
    this.#checkCount()
  }

  #checkCount(): void {
    if (this.#found === this.#announced) return
    const message = `topic ${shown(this.#topic)}: expected ${this.#announced} partitions (PartitionCount), got ${this.#found}`
    throw this.#problem(`${message}; is the text cut, or a selection?`)
  }

  #announce(topic: string, count: string, line: string): void {
    this.#checkCount()
    const minimum = /(?:^|,)min\.insync\.replicas=([0-9]+)/.exec(fieldOf(line, 'Configs') ?? '')?.[1]
    // A slice would keep the whole block of text.
    this.#topic = ` ${topic}`.slice(1)
    this.#builder.addTopic({ name: this.#topic, ...(minimum !== undefined && { minInsyncReplicas: Number(minimum) }) })
    this.#at = this.#builder.topicAt(this.#topic)
    this.#scan.announce(this.#topic)
    this.#announced = this.#number(count, 'PartitionCount')
    this.#found = 0
  }

  #partition(topic: string, line: string): void {
    if (topic !== this.#topic)
      throw this.#problem(`expected a partition of topic ${shown(this.#topic)}, got ${shown(topic)}`)
    const replicas = this.#brokers(line, 'Replicas')
    if (replicas.length === 0) throw this.#problem('Replicas: expected one broker or more, got none')
    this.#builder.addPartitionAt(this.#at, {
      partition: this.#number(fieldOf(line, 'Partition') ?? '', 'Partition'),
      replicas,
      adding: this.#brokers(line, 'Adding Replicas'),
      removing: this.#brokers(line, 'Removing Replicas'),
    })
    this.#found++
  }

  #brokers(line: string, name: string): readonly number[] {
    const text = fieldOf(line, name)
    if (text === null || text === '') return NONE
    return text.split(',').map((id) => this.#number(id, name))
  }

  #number(text: string, name: string): number {
    const value = isShortNumber(text) ? Number(text) : Number.NaN
    if (value <= 0x7fffffff) return value
    throw this.#problem(`${name}: expected an integer in [0, 2147483647], got ${shown(text)}`)
  }

  #problem(message: string): Error {
    return codedError('ERR_PLACEMENT_INPUT', `${this.#name}:${this.#line}: ${message}`)
  }
}

const NONE: readonly number[] = []

/** Ten digits at most, blanks around them. */
const isShortNumber = (text: string): boolean => /^[0-9]{1,10}$/.test(text.trim())

/** The field of that name, which stands at the beginning of the line or behind a tab; `null` where there is none. */
function fieldOf(line: string, name: string): string | null {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const before = at === 0 ? '\t' : line[at - 1]!
    if (before !== '\t' && (before > ' ' || line.slice(0, at).trim() !== '')) continue
    const colon = at + name.length
    if (line[colon] !== ':') continue
    const tab = line.indexOf('\t', colon)
    return line.slice(colon + 1, tab < 0 ? line.length : tab).trim()
  }
  return null
}
