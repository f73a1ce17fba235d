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
import type { Parts } from '../../turns.js'
import { type Packed, PULSAR_VERSIONS, type PulsarVersion } from '../../types.js'
import { decodeJava } from '../hash/java-string.js'
import { isWhitespace } from './java-text.js'
import { NameOutput, type Piece } from './name-output.js'
import { canonicalDescriptor } from './segment.js'

const SLASH = 0x2f
const COLON = 0x3a

/** How a full name of each domain begins; the last two are domains since 5.0. */
const PERSISTENT = bytesOf('persistent://')
const NON_PERSISTENT = bytesOf('non-persistent://')
const TOPIC = bytesOf('topic://')
const SEGMENT = bytesOf('segment://')
const HEADS = [PERSISTENT, NON_PERSISTENT, TOPIC, SEGMENT]
const DOMAINS = ['persistent', 'non-persistent', 'topic', 'segment']

const PUBLIC_DEFAULT = bytesOf('persistent://public/default/')

/** The name as it was given. */
const AS_GIVEN: Piece = { head: bytesOf(''), from: 0, to: 0, tail: '' }

/** 1 for the bytes of tenants and namespaces: `[-=:.\w]`. */
const IS_ENTITY = Uint8Array.from({ length: 256 }, (_, byte) => (/[-=:.\w]/.test(String.fromCharCode(byte)) ? 1 : 0))

/** What differs by release. */
interface Rules {
  /** Since 4.2: the text stays, and there are no V1 names; before, the name is rebuilt from its parts. */
  readonly keepsText: boolean
  /** How many of {@link DOMAINS} there are. */
  readonly domains: number
}

function rulesOf(version: PulsarVersion): Rules {
  const isSince = (first: PulsarVersion) => PULSAR_VERSIONS.indexOf(version) >= PULSAR_VERSIONS.indexOf(first)
  return { keepsText: isSince('4.2'), domains: isSince('5.0') ? 4 : 2 }
}

/** Names between two turns of the event loop: a few milliseconds. */
const PART = 1 << 15

/** Makes every name of a column canonical as that release does. */
export function* canonicalNames(column: Packed, version: PulsarVersion): Parts<CanonicalNames> {
  const out = new NameOutput(column)
  const rules = rulesOf(version)
  for (let from = 0; from < column.length; from += PART) {
    const refused = putPart(out, column, [from, Math.min(from + PART, column.length)], rules)
    if (refused >= 0) return { refused }
    yield
  }
  return out.finish()
}

/** Puts the names `[first, end)`; the index of the first that is refused, else -1. */
function putPart(out: NameOutput, column: Packed, [first, end]: readonly [number, number], rules: Rules): number {
  const { values, offsets } = column
  for (let i = first; i < end; i++) {
    const from = offsets[i]!
    const to = offsets[i + 1]!
    if (isCanonical(values, from, to)) continue
    const piece = rewritten(values, from, to, rules)
    if (piece === null) return i
    if (piece !== AS_GIVEN) out.put(i, piece)
  }
  return -1
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
function rewritten(values: Uint8Array, from: number, to: number, rules: Rules): Piece | null {
  const colon = indexOfScheme(values, from, to)
  if (colon === to) return rules.keepsText ? keptShort(values, from, to) : rebuiltShort(values, from, to)
  const spelled = HEADS.findIndex((head) => head.length === colon + 3 - from && startsWith(values, from, to, head))
  const domain = spelled >= 0 ? spelled : DOMAINS.indexOf(lowered(values, from, colon))
  if (domain < 0 || domain >= rules.domains) return null
  const head = HEADS[domain]!
  const piece = rules.keepsText ? keptFull(values, colon + 3, to, head) : rebuiltFull(values, colon + 3, to, head)
  const isAsGiven = piece !== null && spelled >= 0 && piece.to === to && piece.tail === ''
  return isAsGiven ? AS_GIVEN : piece
}

/** Since 4.2: `topic` or `tenant/namespace/topic`. */
function keptShort(values: Uint8Array, from: number, to: number): Piece | null {
  if (indexOfSlash(values, from, to) === to) {
    return isBlank(values, from, to) ? null : { head: PUBLIC_DEFAULT, from, to, tail: '' }
  }
  const local = localOf(values, from, to)
  const isTopic = local >= 0 && indexOfSlash(values, local, to) === to && !isBlank(values, local, to)
  return isTopic ? { head: PERSISTENT, from, to, tail: '' } : null
}

/** Since 4.2: the text is kept, but for a segment's. */
function keptFull(values: Uint8Array, rest: number, to: number, head: Uint8Array): Piece | null {
  const local = localOf(values, rest, to)
  if (local < 0) return null
  if (head === SEGMENT) return segment(values, rest, local, to)
  const hasOneSlashMore = head !== TOPIC && indexOfSlash(values, local, to) < to
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
  return { head: SEGMENT, from: rest, to: isPrinted ? to : after, tail: isPrinted ? '' : tail }
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
  if (parts === 1) return { head: PUBLIC_DEFAULT, from: start, to: end, tail: '' }
  return parts === 3 ? rebuiltFull(values, from, to, PERSISTENT) : null
}

/** Up to 3.0: three parts, or four with a cluster, of which the last may hold slashes; the domain is written anew. */
function rebuiltFull(values: Uint8Array, rest: number, to: number, head: Uint8Array): Piece | null {
  const third = localOf(values, rest, to)
  if (third < 0) return null
  const isV2 = indexOfSlash(values, third, to) === to
  const local = isV2 ? third : afterEntity(values, third, to)
  return local < 0 || local === to ? null : { head, from: rest, to, tail: '' }
}

/** Where the third part begins, if two names of tenants, clusters or namespaces come before it; else -1. */
function localOf(values: Uint8Array, from: number, to: number): number {
  const second = afterEntity(values, from, to)
  return second < 0 ? -1 : afterEntity(values, second, to)
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
