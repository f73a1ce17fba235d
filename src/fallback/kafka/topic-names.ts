/**
 * Names of topics by the million: those that Kafka refuses, and those that collide, since metrics write `.` as `_`.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.common.internals.Topic. Twin of native/core/src/kafka/topic_names.rs. What
 * differs from the obvious: a name that is refused collides with none, since no cluster has it; a name given twice does not
 * collide with itself. Kafka counts UTF-16 units, of which a legal name has as many as bytes: it is ASCII.
 */
import type { TopicNameFaults } from '../../engine/contract.js'
import type { Parts } from '../../turns.js'
import type { Packed } from '../../types.js'

/** Bytes of the longest legal name. */
const LONGEST = 249

const [DASH, DOT, UNDERSCORE] = [0x2d, 0x2e, 0x5f]

/** Names between two turns of the event loop: a few milliseconds. */
const PART = 1 << 15

/** What a byte is: `LEGAL` in any legal name, `SEPARATOR` one of the two that metrics write alike. */
const LEGAL = 1
const SEPARATOR = 2
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === DOT || byte === UNDERSCORE) return LEGAL | SEPARATOR
  return byte === DASH || /[a-zA-Z0-9]/.test(String.fromCharCode(byte)) ? LEGAL : 0
})

/** What is wrong with names in chunks, by their positions. */
export function* topicNameFaults(chunks: readonly Packed[]): Parts<TopicNameFaults> {
  const illegal: number[] = []
  const collisions: number[] = []
  const seen = new Seen(chunks)
  let name = 0
  for (const [chunk, { values, offsets, length }] of chunks.entries()) {
    for (let i = 0; i < length; i++, name++) {
      if (i % PART === 0) yield
      const kind = kindOf(values, offsets[i]!, offsets[i + 1]!)
      if (kind === 0) illegal.push(name)
      if ((kind & SEPARATOR) === 0) continue
      const first = seen.otherFirst(name, chunk, i)
      if (first >= 0) collisions.push(first, name)
    }
  }
  return { illegal: Uint32Array.from(illegal), collisions: Uint32Array.from(collisions) }
}

/** `LEGAL`, with `SEPARATOR` where the name holds one; 0 where Kafka refuses it. */
function kindOf(values: Uint8Array, from: number, to: number): number {
  const length = to - from
  if (length === 0 || length > LONGEST) return 0
  if (values[from] === DOT && (length === 1 || (length === 2 && values[from + 1] === DOT))) return 0
  let [all, any] = [LEGAL | SEPARATOR, 0]
  for (let at = from; at < to; at++) {
    const kind = KINDS[values[at]!]!
    all &= kind
    any |= kind
  }
  return (all & LEGAL) === 0 ? 0 : any
}

const unified = (byte: number): number => (byte === DOT ? UNDERSCORE : byte)

/** The names with separators, by what metrics make of them: a table with open addressing, at most half full. */
class Seen {
  readonly #chunks: readonly Packed[]
  /** Of each slot the hash, then three numbers of the name: its position + 1 (0: empty), its chunk, its place there. */
  #slots = new Int32Array(4 << 10)
  #taken = 0

  constructor(chunks: readonly Packed[]) {
    this.#chunks = chunks
  }

  /** The first name that metrics write as this one, if it is spelt otherwise; else -1. */
  otherFirst(name: number, chunk: number, i: number): number {
    if (8 * this.#taken >= this.#slots.length) this.#grow()
    const { values, offsets } = this.#chunks[chunk]!
    const [from, to] = [offsets[i]!, offsets[i + 1]!]
    const hash = hashOf(values, from, to)
    const mask = this.#slots.length - 1
    for (let at = (hash << 2) & mask; ; at = (at + 4) & mask) {
      if (this.#slots[at + 1] === 0) {
        this.#slots.set([hash, name + 1, chunk, i], at)
        this.#taken++
        return -1
      }
      if (this.#slots[at] !== hash) continue
      const likeness = this.#likeness(at, values.subarray(from, to))
      if (likeness !== UNLIKE) return likeness === SAME ? -1 : (this.#slots[at + 1]! >>> 0) - 1
    }
  }

  /** How the name of a slot is like another. */
  #likeness(at: number, name: Uint8Array): number {
    const { values, offsets } = this.#chunks[this.#slots[at + 2]!]!
    const from = offsets[this.#slots[at + 3]!]!
    if (offsets[this.#slots[at + 3]! + 1]! - from !== name.length) return UNLIKE
    let likeness = SAME
    for (let i = 0; i < name.length; i++) {
      const [one, other] = [values[from + i]!, name[i]!]
      if (one === other) continue
      if (unified(one) !== unified(other)) return UNLIKE
      likeness = COLLIDING
    }
    return likeness
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Int32Array(2 * old.length)
    const mask = this.#slots.length - 1
    for (let from = 0; from < old.length; from += 4) {
      if (old[from + 1] === 0) continue
      let at = (old[from]! << 2) & mask
      while (this.#slots[at + 1] !== 0) at = (at + 4) & mask
      this.#slots.set(old.subarray(from, from + 4), at)
    }
  }
}

const [UNLIKE, SAME, COLLIDING] = [0, 1, 2]

/** FNV-1a of what metrics make of a name, its high bits mixed in. */
function hashOf(values: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ unified(values[at]!), 0x01000193)
  return hash ^ (hash >>> 15)
}
