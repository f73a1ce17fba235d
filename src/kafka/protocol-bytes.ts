/**
 * Bytes of Kafka's protocol as they are read and written: big-endian numbers, strings and arrays with their lengths.
 *
 * For user data and subscriptions. Source: Apache Kafka 4.4.0, org.apache.kafka.common.protocol.types.
 * A read beyond the end, or a length that cannot be, marks the reader as failed and gives nothing from there on.
 */
import { codedError, shown } from '../errors.js'
import { decodeJava } from '../fallback/hash/java-string.js'
import { encodeJava } from '../packing.js'
import type { TopicPartition } from './group-types.js'

const MOST_STRING_BYTES = 0x7fff

export class ByteReader {
  readonly #view: DataView
  readonly #bytes: Uint8Array
  #at = 0
  failed = false

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Bytes that are not read yet. */
  get left(): number {
    return this.#bytes.length - this.#at
  }

  /** Takes so many bytes; returns where they begin, or -1. */
  #take(length: number): number {
    if (this.failed || length < 0 || length > this.left) {
      this.failed = true
      return -1
    }
    this.#at += length
    return this.#at - length
  }

  int16(): number {
    const at = this.#take(2)
    return at < 0 ? 0 : this.#view.getInt16(at)
  }

  int32(): number {
    const at = this.#take(4)
    return at < 0 ? 0 : this.#view.getInt32(at)
  }

  /** A string that must be there. */
  string(): string {
    return this.#text(this.int16())
  }

  /** A string, or `null` for the length -1. */
  nullableString(): string | null {
    const length = this.int16()
    return length < 0 ? null : this.#text(length)
  }

  #text(length: number): string {
    const at = this.#take(length)
    return at < 0 ? '' : decodeJava(this.#bytes.subarray(at, at + length))
  }

  /** Bytes, or `null` for a negative length. */
  nullableBytes(): Uint8Array | null {
    const length = this.int32()
    if (length < 0) return null
    const at = this.#take(length)
    return at < 0 ? null : this.#bytes.slice(at, at + length)
  }

  array<T>(item: () => T): T[] {
    const count = this.int32()
    const items: T[] = []
    // No item is shorter than four bytes in an array of numbers, or two in one of strings.
    if (count < 0 || count > this.left) this.failed = true
    for (let i = 0; i < count && !this.failed; i++) items.push(item())
    return items
  }

  /** Topics, each with its partitions. */
  topicPartitions(): TopicPartition[] {
    const topics = this.array(() => ({ topic: this.string(), partitions: this.array(() => this.int32()) }))
    return topics.flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })))
  }
}

export class ByteWriter {
  readonly #parts: Uint8Array[] = []

  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts))
  }

  int16(value: number): void {
    const part = new Uint8Array(2)
    new DataView(part.buffer).setInt16(0, value)
    this.#parts.push(part)
  }

  int32(value: number): void {
    const part = new Uint8Array(4)
    new DataView(part.buffer).setInt32(0, value)
    this.#parts.push(part)
  }

  string(text: string): void {
    const bytes = encodeJava(text)
    if (bytes.length > MOST_STRING_BYTES) {
      throw codedError(
        'ERR_PLACEMENT_ARGUMENT_RANGE',
        `a string of the protocol: expected at most ${MOST_STRING_BYTES} bytes of UTF-8, got ${bytes.length} (${shown(text)})`,
      )
    }
    this.int16(bytes.length)
    this.#parts.push(bytes)
  }

  nullableString(text: string | null): void {
    if (text === null) this.int16(-1)
    else this.string(text)
  }

  nullableBytes(bytes: Uint8Array | null): void {
    this.int32(bytes === null ? -1 : bytes.length)
    if (bytes !== null) this.#parts.push(bytes)
  }

  array<T>(items: readonly T[], write: (item: T) => void): void {
    this.int32(items.length)
    for (const item of items) write(item)
  }

  /** Partitions gathered by topic, topics in the order in which they come first. */
  topicPartitions(partitions: readonly TopicPartition[]): void {
    const byTopic = new Map<string, number[]>()
    for (const { topic, partition } of partitions) {
      const some = byTopic.get(topic)
      if (some === undefined) byTopic.set(topic, [partition])
      else some.push(partition)
    }
    this.array([...byTopic], ([topic, some]) => {
      this.string(topic)
      this.array(some, (partition) => this.int32(partition))
    })
  }
}
