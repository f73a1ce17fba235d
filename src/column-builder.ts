/** Packs keys into chunks on shared memory, so that native code and worker threads read them where they lie. */
import { isBytes } from './bytes.js'
import { encodeJava, GROUP, GROUP_UNITS, notString, packStrings } from './packing.js'
import type { Key, Packed } from './types.js'

/** A chunk is closed before it passes this many bytes, unless one key alone is longer. Arrow's int32 offsets reach it. */
const CHUNK_BYTES = 1 << 28

/** What a builder made. */
export interface Built {
  readonly chunks: readonly Packed[]
  /** The strings that held a lone surrogate, by index: their bytes hold `?` in its place. */
  readonly lone: ReadonlyMap<number, string>
}

/** Takes keys in any number of calls; `finish` gives the chunks. */
export class ColumnBuilder {
  readonly #chunks: Packed[] = []
  readonly #lone = new Map<number, string>()
  #values = new Uint8Array(1 << 16)
  #offsets = new Uint32Array(1 << 12)
  #bytes = 0
  #keys = 0
  #closed = 0
  /** Keys that this chunk will hold if no more come than are known of. */
  #expected: number

  /** Keys taken so far. */
  get length(): number {
    return this.#closed + this.#keys
  }

  /** @param expected how many keys will come, where that is known */
  constructor(expected = 0) {
    this.#expected = expected
  }

  /** Takes strings and bytes, in any mixture; `first` is the index of the first one in the caller's input, for errors. */
  addKeys(keys: readonly Key[], first = 0): void {
    this.#expected = Math.max(this.#expected, this.#keys + keys.length)
    for (let from = 0, to = 0; from < keys.length; from = to) {
      to = from + 1
      if (typeof keys[from] !== 'string') {
        this.#addKey(keys[from]!, first + from)
        continue
      }
      while (to < keys.length && to < from + GROUP && typeof keys[to] === 'string') to++
      this.#addStrings(keys.slice(from, to) as string[], first + from)
    }
  }

  /** Takes `[from, to)` of some bytes as one key, as they are. */
  addBytes(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#reserve(to - from, 1)
    const [values, at] = [this.#values, this.#bytes]
    // A view and a `set` cost more than the bytes of a short key.
    if (to - from < 64) for (let i = from; i < to; i++) values[at + i - from] = bytes[i]!
    else values.set(bytes.subarray(from, to), at)
    this.#bytes += to - from
    this.#keys++
    this.#offsets[this.#keys] = this.#bytes
  }

  /** The chunks, each exactly as large as its keys. The builder takes no more. */
  finish(): Built {
    this.#close()
    return { chunks: this.#chunks, lone: this.#lone }
  }

  #addKey(key: unknown, index: number): void {
    if (!isBytes(key)) throw notString(key, index)
    this.addBytes(key)
  }

  #addStrings(strings: readonly string[], index: number): void {
    let units = 0
    for (const text of strings) units += text.length
    for (let from = 0, to = 0; from < strings.length; from = to) {
      this.#reserve(Math.min(units, GROUP_UNITS) * 3, strings.length)
      const target = { values: this.#values, at: this.#bytes, offsets: this.#offsets, first: this.#keys }
      const packed = packStrings(strings, from, target, index)
      to = packed.to
      if (to === from) {
        this.#addLong(strings[to++]!)
        continue
      }
      if (packed.replaced) this.#keep(strings.slice(from, to))
      this.#bytes = packed.end
      this.#keys += to - from
    }
  }

  #addLong(text: string): void {
    if (!text.isWellFormed()) this.#lone.set(this.length, text)
    this.addBytes(encodeJava(text))
  }

  #keep(strings: readonly string[]): void {
    strings.forEach((text, i) => {
      if (!text.isWellFormed()) this.#lone.set(this.length + i, text)
    })
  }

  /** Makes room for so many bytes and keys more, in this chunk or a new one. */
  #reserve(bytes: number, keys: number): void {
    if (this.#keys > 0 && this.#bytes + bytes > CHUNK_BYTES) this.#close()
    if (this.#bytes + bytes > this.#values.length) {
      const grown = new Uint8Array(Math.max(this.#bytes + bytes, this.#values.length * 2, this.#expectedBytes()))
      grown.set(this.#values.subarray(0, this.#bytes))
      this.#values = grown
    }
    if (this.#keys + keys >= this.#offsets.length) {
      const grown = new Uint32Array(Math.max(this.#keys + keys + 1, this.#offsets.length * 2, this.#expected + 1))
      grown.set(this.#offsets.subarray(0, this.#keys + 1))
      this.#offsets = grown
    }
  }

  /**
   * What the expected keys take if they are as long as those so far, and a twentieth more. To grow by doubling instead
   * makes twice the garbage, in buffers whose size alone sets the collector going over all the caller's strings.
   */
  #expectedBytes(): number {
    if (this.#keys < GROUP) return 0
    return Math.min(Math.ceil((this.#bytes / this.#keys) * this.#expected * 1.05), CHUNK_BYTES)
  }

  #close(): void {
    if (this.#keys === 0) return
    const values = new Uint8Array(new SharedArrayBuffer(this.#bytes))
    values.set(this.#values.subarray(0, this.#bytes))
    const offsets = new Uint32Array(new SharedArrayBuffer(4 * (this.#keys + 1)))
    offsets.set(this.#offsets.subarray(0, this.#keys + 1))
    this.#chunks.push({ values, offsets, length: this.#keys })
    this.#closed += this.#keys
    this.#expected -= this.#keys
    this.#bytes = 0
    this.#keys = 0
  }
}
