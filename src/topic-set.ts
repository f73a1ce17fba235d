/**
 * `TopicSet`: names packed once and asked many times. The bytes lie in shared memory, so that native code reads them in
 * place and worker threads get them without a copy.
 */

import { createReadStream } from 'node:fs'
import type { Keys } from './bulk.js'
import { type AsyncOptions, packKeysAsync } from './bulk-async.js'
import { isBytes } from './bytes.js'
import { type ChunkedColumn, checkOffsets, chunksOf, isColumn, lengthOf } from './column.js'
import { type Built, ColumnBuilder } from './column-builder.js'
import type { CanonicalNames } from './engine/contract.js'
import { engine } from './engine/index.js'
import { checkInteger, codedError, isCodedError, shown } from './errors.js'
import { type HashArray, type HashOptions, hash } from './hash.js'
import { type LineOptions, LineSplitter } from './lines.js'
import { encodeJava } from './packing.js'
import { TopicName } from './pulsar/topic-name.js'
import { type HashName, type Key, type Packed, PULSAR_VERSIONS, type PulsarVersion } from './types.js'

/** What `shared()` gives and `fromShared` takes: structured-cloneable, over the same memory. */
export interface SharedTopicSet {
  readonly chunks: readonly Packed[]
  readonly lone: ReadonlyMap<number, string>
}

export class TopicSet implements ChunkedColumn {
  /** The packed names. Do not write into them. */
  readonly chunks: readonly Packed[]
  readonly length: number
  /** Names that held lone surrogates, which the bytes cannot hold: `String.hashCode` and reading back need them. */
  readonly #lone: ReadonlyMap<number, string>
  readonly #canonical = new Map<PulsarVersion, TopicSet>()

  private constructor({ chunks, lone }: Built) {
    this.chunks = chunks
    this.length = lengthOf(chunks)
    this.#lone = lone
  }

  /**
   * Packs names; a column is taken as it lies, without a copy, its offsets checked.
   *
   * @param source strings, bytes or both (array or any iterable), or a column
   * @throws ERR_PLACEMENT_KEY_TYPE (with index), ERR_PLACEMENT_COLUMN, ERR_PLACEMENT_ARGUMENT_TYPE
   */
  static from(source: Keys | Iterable<Key>): TopicSet {
    if (source instanceof TopicSet) return source
    if (isColumn(source)) {
      const chunks = chunksOf(source, 'source')
      checkOffsets(chunks, 'source')
      return new TopicSet({ chunks, lone: new Map() })
    }
    const builder = new ColumnBuilder()
    builder.addKeys(arrayOf(source))
    return new TopicSet(builder.finish())
  }

  /** The async twin of {@link from}: strings are packed a part a turn of the event loop, where they live. */
  static async fromAsync(source: Keys, signal?: AbortSignal): Promise<TopicSet> {
    signal?.throwIfAborted()
    return Array.isArray(source) ? new TopicSet(await packKeysAsync(source, signal)) : TopicSet.from(source)
  }

  /**
   * Names from newline-separated bytes: LF or CRLF, the last line with or without one.
   *
   * @throws ERR_PLACEMENT_INPUT (with the line) for bytes that are no UTF-8, unless `encoding` is `binary`
   */
  static fromLines(bytes: Uint8Array, options?: LineOptions): TopicSet {
    if (!isBytes(bytes)) {
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `bytes: expected a Uint8Array, got ${shown(bytes)}`)
    }
    const builder = new ColumnBuilder()
    const lines = new LineSplitter(builder, options)
    lines.add(bytes)
    lines.end()
    return new TopicSet(builder.finish())
  }

  /** Names from a file of lines, read in blocks. @throws ERR_PLACEMENT_INPUT where it cannot be read */
  static async fromFile(path: string, options?: LineOptions): Promise<TopicSet> {
    try {
      return await TopicSet.fromStream(createReadStream(path), { name: path, ...options })
    } catch (cause) {
      if (!isSystemError(cause)) throw cause
      throw codedError('ERR_PLACEMENT_INPUT', `${path}: expected a readable file, got ${cause.code}`, { cause })
    }
  }

  /** Names from a stream of bytes or text in lines: a Node.js or web stream, or any async iterable. */
  static async fromStream(stream: AsyncIterable<Uint8Array | string>, options?: LineOptions): Promise<TopicSet> {
    const builder = new ColumnBuilder()
    const lines = new LineSplitter(builder, options)
    for await (const block of encodedBlocks(stream)) lines.add(block)
    lines.end()
    return new TopicSet(builder.finish())
  }

  /** The set that another thread shared, over the same memory. */
  static fromShared(shared: SharedTopicSet): TopicSet {
    const chunks = chunksOf({ chunks: shared.chunks }, 'shared')
    checkOffsets(chunks, 'shared')
    return new TopicSet({ chunks, lone: shared.lone })
  }

  /**
   * What `postMessage` sends to a worker without copying the bytes.
   * A set over the caller's own column is copied into shared memory for this, once a call.
   */
  shared(): SharedTopicSet {
    return { chunks: this.chunks.map(sharedChunk), lone: this.#lone }
  }

  /** Bytes of all names. */
  get byteLength(): number {
    return this.chunks.reduce((sum, { offsets, length }) => sum + offsets[length]! - offsets[0]!, 0)
  }

  /** The name at an index, as it was given. @throws ERR_PLACEMENT_ARGUMENT_RANGE */
  at(index: number): string {
    return this.#lone.get(index) ?? textOf(this.bytesAt(index))
  }

  /** Its bytes: a view, not a copy. @throws ERR_PLACEMENT_ARGUMENT_RANGE */
  bytesAt(index: number): Uint8Array {
    checkInteger(index, 'index', [0, this.length - 1])
    let within = index
    for (const { values, offsets, length } of this.chunks) {
      if (within < length) return values.subarray(offsets[within]!, offsets[within + 1]!)
      within -= length
    }
    throw codedError('ERR_PLACEMENT_INTERNAL', `no chunk holds index ${index}`)
  }

  *[Symbol.iterator](): Generator<string> {
    let index = 0
    for (const { values, offsets, length } of this.chunks) {
      for (let i = 0; i < length; i++, index++) {
        yield this.#lone.get(index) ?? textOf(values.subarray(offsets[i]!, offsets[i + 1]!))
      }
    }
  }

  /** Hash of each name: `Int32Array` for murmur2 and java-string, `Uint32Array` for the others. */
  hash<N extends HashName>(name: N, options?: HashOptions<N>): HashArray<N> {
    return hash.of(name, this, options)
  }

  /** The async twin of {@link hash}: off the event loop, with `signal` and `onProgress`. */
  hashAsync<N extends HashName>(name: N, options?: HashOptions<N> & AsyncOptions): Promise<HashArray<N>> {
    return hash.ofAsync(name, this, options)
  }

  /** The names that held lone surrogates, by index. */
  get lone(): ReadonlyMap<number, string> {
    return this.#lone
  }

  /**
   * The set with every name made canonical (`t` → `persistent://public/default/t`), as Pulsar's `TopicName` of that
   * release does. Kept: asked again, it is the same set.
   *
   * @throws ERR_PLACEMENT_TOPIC_NAME with the index of the first name that Pulsar refuses
   */
  canonical(version: PulsarVersion = PULSAR_VERSIONS.at(-1)!): TopicSet {
    const found = this.#canonical.get(version)
    if (found !== undefined) return found
    const names = this.chunks.map((chunk) => engine().canonicalNames(chunk, version))
    return this.#keepCanonical(names, version)
  }

  /** The async twin of {@link canonical}: off the event loop. Rejects with the signal's reason too. */
  async canonicalAsync(version: PulsarVersion = PULSAR_VERSIONS.at(-1)!, signal?: AbortSignal): Promise<TopicSet> {
    signal?.throwIfAborted()
    const found = this.#canonical.get(version)
    if (found !== undefined) return found
    const names: CanonicalNames[] = []
    for (const chunk of this.chunks) {
      names.push(await engine().canonicalNamesAsync(chunk, version, signal))
      signal?.throwIfAborted()
    }
    return this.#keepCanonical(names, version)
  }

  #keepCanonical(names: readonly CanonicalNames[], version: PulsarVersion): TopicSet {
    // The chunks first: they refuse a name with its index.
    const chunks = acceptedChunks(this, names, version)
    const lone = [...this.#lone].map(([i, name]) => [i, TopicName.get(name, { version }).toString()] as const)
    const found = new TopicSet({ chunks, lone: new Map(lone) })
    this.#canonical.set(version, found)
    return found
  }
}

function acceptedChunks(topics: TopicSet, names: readonly CanonicalNames[], version: PulsarVersion): readonly Packed[] {
  let first = 0
  return topics.chunks.map(({ length }, i) => {
    const found = names[i]!
    if ('refused' in found) throw refusedName(topics.at(first + found.refused), first + found.refused, version)
    first += length
    return { values: found.values, offsets: found.offsets, length }
  })
}

/** What `TopicName` says of the name, with its index. */
function refusedName(name: string, index: number, version: PulsarVersion): Error {
  try {
    TopicName.get(name, { version })
  } catch (error) {
    if (!isCodedError(error)) throw error
    const { code, message, javaClass, javaMessage } = error
    return codedError(code, `topics[${index}]: ${message}`, {
      index,
      ...(javaClass === undefined ? {} : { javaClass }),
      ...(javaMessage === undefined ? {} : { javaMessage }),
    })
  }
  return codedError('ERR_PLACEMENT_INTERNAL', `topics[${index}]: the engine refuses what TopicName takes: ${name}`)
}

/** Text as bytes; a surrogate pair that two blocks share stays one character. */
async function* encodedBlocks(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  let high = ''
  for await (const block of stream) {
    if (typeof block !== 'string') {
      yield block
      continue
    }
    const text = high + block
    high = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800 ? text.slice(-1) : ''
    yield encodeJava(high === '' ? text : text.slice(0, -1))
  }
  if (high !== '') yield encodeJava(high)
}

function arrayOf(source: Iterable<Key> | readonly Key[]): readonly Key[] {
  if (Array.isArray(source)) return source
  if (typeof source === 'object' && source !== null && Symbol.iterator in source && !ArrayBuffer.isView(source)) {
    return [...source]
  }
  throw codedError(
    'ERR_PLACEMENT_ARGUMENT_TYPE',
    `source: expected an array, an iterable or a column of names, got ${shown(source)}`,
  )
}

function sharedChunk(chunk: Packed): Packed {
  if (chunk.values.buffer instanceof SharedArrayBuffer && chunk.offsets.buffer instanceof SharedArrayBuffer)
    return chunk
  const { length } = chunk
  const values = new Uint8Array(new SharedArrayBuffer(chunk.values.length))
  values.set(chunk.values)
  const offsets = new Uint32Array(new SharedArrayBuffer(4 * (length + 1)))
  offsets.set(chunk.offsets.subarray(0, length + 1))
  return { values, offsets, length }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
