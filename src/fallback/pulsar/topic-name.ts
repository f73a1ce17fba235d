/**
 * Topic names by the million, over their UTF-8: each as `TopicName.get(name).toString()`, or the first one refused.
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.common.naming.TopicName. Twin of
 * native/core/src/pulsar/topic_name.rs; the same rules for one name, with Java's words for a refusal, are in
 * src/pulsar/topic-name-rules.ts.
 * What differs from the obvious: a set in which every name is canonical already, which is what brokers list, is not copied;
 * runs of such names are copied whole. A name need not be well-formed UTF-8: no byte above 0x7f ends a part.
 */
import type { CanonicalNames } from '../../engine/contract.js'
import { codedError } from '../../errors.js'
import { type Packed, PULSAR_VERSIONS, type PulsarVersion } from '../../types.js'
import { decodeJava } from '../hash/java-string.js'
import { isWhitespace } from './java-text.js'
import { canonicalDescriptor } from './segment.js'

/** A canonical name: `head`, then the given bytes `[from, to)`, then `tail`. */
interface Piece {
  readonly head: string
  readonly from: number
  readonly to: number
  readonly tail: string
}

/** The name as it was given. */
const AS_GIVEN: Piece = { head: '', from: 0, to: 0, tail: '' }

const SLASH = 0x2f
const COLON = 0x3a
const DOMAINS = ['persistent', 'non-persistent', 'topic', 'segment']
const PERSISTENT = bytesOf('persistent://')
const NON_PERSISTENT = bytesOf('non-persistent://')

/** 1 for the bytes of tenants and namespaces: `[-=:.\w]`. */
const IS_ENTITY = Uint8Array.from({ length: 256 }, (_, byte) => (/[-=:.\w]/.test(String.fromCharCode(byte)) ? 1 : 0))

/** Makes every name of a column canonical as that release does. */
export function canonicalNames(column: Packed, version: PulsarVersion): CanonicalNames {
  const { values, offsets, length } = column
  const out = new Output(column)
  for (let i = 0; i < length; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!]
    if (isCanonical(values, from, to)) continue
    const piece = rewritten(values, from, to, version)
    if (piece === null) return { refused: i }
    if (piece !== AS_GIVEN) out.put(i, piece)
  }
  return out.finish()
}

/** Collects the names: those not put are taken over as they are, in runs. */
class Output {
  readonly #column: Packed
  #values = new Uint8Array(0)
  #offsets: Uint32Array | undefined
  /** Bytes written, and names whose bytes they are. */
  #end = 0
  #names = 0

  constructor(column: Packed) {
    this.#column = column
  }

  /** Puts name `index`, which comes after all that were put. */
  put(index: number, { head, from, to, tail }: Piece): void {
    this.#takeOver(index)
    const end = this.#end + head.length + (to - from) + tail.length
    this.#reserve(end)
    this.#putAscii(head)
    this.#putGiven(from, to)
    this.#putAscii(tail)
    this.#names++
    this.#offsets![this.#names] = end
  }

  finish(): { readonly values: Uint8Array; readonly offsets: Uint32Array } {
    const { values, offsets, length } = this.#column
    if (this.#offsets === undefined) return { values, offsets: unsigned(offsets).subarray(0, length + 1) }
    this.#takeOver(length)
    return { values: this.#values.subarray(0, this.#end), offsets: this.#offsets }
  }

  /** Copies the names up to `index`, exclusive. */
  #takeOver(index: number): void {
    const { offsets, length } = this.#column
    this.#offsets ??= new Uint32Array(length + 1)
    if (this.#names === index) return
    const [from, to] = [offsets[this.#names]!, offsets[index]!]
    this.#reserve(this.#end + to - from)
    const shift = this.#end - from
    this.#putGiven(from, to)
    for (let i = this.#names + 1; i <= index; i++) this.#offsets[i] = offsets[i]! + shift
    this.#names = index
  }

  /** Room for so many bytes, growing by halves from what the rest of the column needs. */
  #reserve(bytes: number): void {
    if (bytes <= this.#values.length) return
    if (bytes > 0xffffffff) throw namesTooLong(this.#names)
    const { offsets, length } = this.#column
    const rest = offsets[length]! - offsets[this.#names]!
    const grown = new Uint8Array(Math.min(Math.max(bytes, this.#end + rest) * 1.5 + 64, 0xffffffff))
    grown.set(this.#values.subarray(0, this.#end))
    this.#values = grown
  }

  #putAscii(text: string): void {
    for (let i = 0; i < text.length; i++) this.#values[this.#end++] = text.charCodeAt(i)
  }

  #putGiven(from: number, to: number): void {
    this.#values.set(this.#column.values.subarray(from, to), this.#end)
    this.#end += to - from
  }
}

/** The error of a column whose canonical names need more than 32-bit offsets, for both engines. */
export function namesTooLong(index: number): Error {
  const message = `column: expected canonical names of at most 4 GiB, got more at name ${index}; cut the column in chunks`
  return codedError('ERR_PLACEMENT_COLUMN', message, { index })
}

/** Offsets are never negative: the same words, seen as unsigned. */
function unsigned(offsets: Int32Array | Uint32Array): Uint32Array {
  if (offsets instanceof Uint32Array) return offsets
  return new Uint32Array(offsets.buffer, offsets.byteOffset, offsets.length)
}

/**
 * Whether the name is one that every release takes and leaves as it is. The first byte of the local name must be visible
 * ASCII here, so that a blank one needs no look.
 */
function isCanonical(values: Uint8Array, from: number, to: number): boolean {
  const scheme = values[from] === PERSISTENT[0] ? PERSISTENT : NON_PERSISTENT
  if (!startsWith(values, from, to, scheme)) return false
  const namespace = afterEntity(values, from + scheme.length, to)
  const local = namespace < 0 ? -1 : afterEntity(values, namespace, to)
  if (local < 0 || local === to || values[local]! <= 0x20 || values[local]! > 0x7e) return false
  return indexOfSlash(values, local, to) === to
}

/** Where the part after the slash begins, if `[from, slash)` is the name of a tenant, cluster or namespace; else -1. */
function afterEntity(values: Uint8Array, from: number, to: number): number {
  let i = from
  while (i < to && IS_ENTITY[values[i]!] === 1) i++
  return i > from && i < to && values[i] === SLASH ? i + 1 : -1
}

/** The canonical name; `null` for one that is refused. */
function rewritten(values: Uint8Array, from: number, to: number, version: PulsarVersion): Piece | null {
  const keepsText = PULSAR_VERSIONS.indexOf(version) >= PULSAR_VERSIONS.indexOf('4.2')
  const colon = indexOfScheme(values, from, to)
  if (colon === to) return keepsText ? keptShort(values, from, to) : rebuiltShort(values, from, to)
  const domain = domainOf(values, from, colon, version)
  if (domain === null) return null
  const rest = colon + 3
  const piece = keepsText ? keptFull(values, rest, to, domain) : rebuiltFull(values, rest, to, domain)
  if (piece === null || piece === AS_GIVEN) return piece
  const isAsGiven = piece.to === to && piece.tail === '' && startsWith(values, from, to, bytesOf(piece.head))
  return isAsGiven ? AS_GIVEN : piece
}

/** Since 4.2: `topic` or `tenant/namespace/topic`. */
function keptShort(values: Uint8Array, from: number, to: number): Piece | null {
  if (indexOfSlash(values, from, to) === to) {
    return isBlank(values, from, to) ? null : { head: 'persistent://public/default/', from, to, tail: '' }
  }
  const local = localOf(values, from, to)
  const isTopic = local >= 0 && indexOfSlash(values, local, to) === to && !isBlank(values, local, to)
  return isTopic ? { head: 'persistent://', from, to, tail: '' } : null
}

/** Since 4.2: the text is kept, but for a segment's. */
function keptFull(values: Uint8Array, rest: number, to: number, domain: string): Piece | null {
  const local = localOf(values, rest, to)
  if (local < 0) return null
  if (domain === 'segment') return segment(values, rest, local, to)
  const hasOneSlashMore = domain !== 'topic' && indexOfSlash(values, local, to) < to
  return hasOneSlashMore || isBlank(values, local, to) ? null : AS_GIVEN
}

/** `<parent>/<descriptor>` from `local` on. */
function segment(values: Uint8Array, rest: number, local: number, to: number): Piece | null {
  const slash = values.subarray(local, to).lastIndexOf(SLASH)
  if (slash <= 0 || isBlank(values, local, local + slash)) return null
  const after = local + slash + 1
  const given = decodeJava(values.subarray(after, to))
  const tail = canonicalDescriptor(given)
  if (typeof tail !== 'string') return null
  const isPrinted = tail === given
  return { head: 'segment://', from: rest, to: isPrinted ? to : after, tail: isPrinted ? '' : tail }
}

/** Up to 3.0: empty parts do not count, and yet stay in the text of a name of three. */
function rebuiltShort(values: Uint8Array, from: number, to: number): Piece | null {
  let parts = 0
  let [start, end] = [from, from]
  for (let i = from; i < to; i++) {
    if (values[i] === SLASH) continue
    if (i === from || values[i - 1] === SLASH) {
      parts++
      start = i
    }
    end = i + 1
  }
  if (parts === 1) return { head: 'persistent://public/default/', from: start, to: end, tail: '' }
  return parts === 3 ? rebuiltFull(values, from, to, 'persistent') : null
}

/** Up to 3.0: three parts, or four with a cluster, of which the last may hold slashes; the domain is written anew. */
function rebuiltFull(values: Uint8Array, rest: number, to: number, domain: string): Piece | null {
  const third = localOf(values, rest, to)
  if (third < 0) return null
  const isV2 = indexOfSlash(values, third, to) === to
  const local = isV2 ? third : afterEntity(values, third, to)
  return local < 0 || local === to ? null : { head: `${domain}://`, from: rest, to, tail: '' }
}

/** Where the third part begins, if two names of tenants, clusters or namespaces come before it; else -1. */
function localOf(values: Uint8Array, from: number, to: number): number {
  const second = afterEntity(values, from, to)
  return second < 0 ? -1 : afterEntity(values, second, to)
}

/** The domain that `[from, to)` spells, in whatever case; `null` for none of that release. */
function domainOf(values: Uint8Array, from: number, to: number, version: PulsarVersion): string | null {
  const domain = lowered(values, from, to)
  const known = version === '5.0' ? 4 : 2
  return DOMAINS.indexOf(domain) >= 0 && DOMAINS.indexOf(domain) < known ? domain : null
}

/** In lower case as `equalsIgnoreCase` has it, where `ı` and `İ` are an `i`, and `ſ` an `s`; other letters stay foreign. */
function lowered(values: Uint8Array, from: number, to: number): string {
  // No domain has more than 14 letters, of two bytes at most.
  if (to - from > 28) return ''
  const text = decodeJava(values.subarray(from, to))
  return text
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[\u0130\u0131]/g, 'i')
    .replaceAll('\u017f', 's')
}

/** Where `://` begins; `to` for nowhere. */
function indexOfScheme(values: Uint8Array, from: number, to: number): number {
  for (let i = from; i + 2 < to; i++) {
    if (values[i] === COLON && values[i + 1] === SLASH && values[i + 2] === SLASH) return i
  }
  return to
}

/** Where the first slash is; `to` for nowhere. */
function indexOfSlash(values: Uint8Array, from: number, to: number): number {
  let i = from
  while (i < to && values[i] !== SLASH) i++
  return i
}

/** Whether Java's whitespace is all there is: one byte each, or three from U+1680 on. */
function isBlank(values: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; ) {
    const first = values[i]!
    if (first >= 0x80) {
      if (i + 2 >= to || !isWideBlank(first, values[i + 1]!, values[i + 2]!)) return false
      i += 3
    } else if (isWhitespace(first)) i++
    else return false
  }
  return true
}

function isWideBlank(first: number, second: number, third: number): boolean {
  if ((first & 0xf0) !== 0xe0 || (second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80) return false
  const unit = ((first & 0xf) << 12) | ((second & 0x3f) << 6) | (third & 0x3f)
  // Below U+0800 it would be an overlong form, which is no character.
  return unit >= 0x800 && isWhitespace(unit)
}

function startsWith(values: Uint8Array, from: number, to: number, word: Uint8Array): boolean {
  if (to - from < word.length) return false
  for (let i = 0; i < word.length; i++) if (values[from + i] !== word[i]) return false
  return true
}

function bytesOf(ascii: string): Uint8Array {
  return Uint8Array.from(ascii, (letter) => letter.charCodeAt(0))
}
