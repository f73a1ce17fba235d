/**
 * `BundlesData`, the JSON document in which Pulsar keeps and exchanges a layout: read and written as Jackson does, and the
 * admin API's own check of boundaries.
 *
 * Source: Apache Pulsar 5.0.1 and back to 2.10.5 (all alike), org.apache.pulsar.common.policies.data.impl.BundlesDataImpl
 * through ObjectMapperFactory (Jackson 2.18), and org.apache.pulsar.broker.admin.impl.NamespacesBase.validateBundlesData.
 * What differs from the obvious: a missing `numBundles` is 0, "7" and 7.9 are 7; it is never compared with the
 * boundaries; a number among the boundaries is taken by its spelling; unknown fields are ignored. What is no JSON is
 * refused with line and column, without Java's words.
 */
import { codedError, type ErrorDetails, shown } from '../errors.js'
import { formatLong, parseLong } from './java-long.js'
import { JsonFault, type JsonNode, placeOf, readJson } from './json-document.js'
import { numberOfBoundary } from './layout.js'

/** A layout as Pulsar keeps it. */
export interface BundlesData {
  /** N + 1 numbers as text, such as `0x80000000`; `null` or absent where there are none. */
  readonly boundaries?: readonly (string | null)[] | null
  /** N, right or wrong: Pulsar does not compare it with the boundaries. */
  readonly numBundles?: number
}

/** What reading gives: both fields. */
export interface ReadBundlesData {
  readonly boundaries: readonly (string | null)[] | null
  readonly numBundles: number
}

const IMPL = 'org.apache.pulsar.common.policies.data.impl.BundlesDataImpl'
const DATABIND = 'com.fasterxml.jackson.databind'
const SOURCE = '[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled);'

/** How Jackson calls the kinds of values. */
const TOKENS = {
  object: 'Object value (token `JsonToken.START_OBJECT`)',
  array: 'Array value (token `JsonToken.START_ARRAY`)',
  true: 'Boolean value (token `JsonToken.VALUE_TRUE`)',
  false: 'Boolean value (token `JsonToken.VALUE_FALSE`)',
  integer: 'Integer value (token `JsonToken.VALUE_NUMBER_INT`)',
  float: 'Floating-point value (token `JsonToken.VALUE_NUMBER_FLOAT`)',
} as const

/**
 * Reads a document, or an object of its shape.
 *
 * @param data JSON text, or an object with `boundaries` and `numBundles`
 * @throws ERR_PLACEMENT_BUNDLES_DATA with the place, and with what Java throws where the text is JSON
 * @example pulsar.readBundlesData('{"numBundles":"4"}') // → { boundaries: null, numBundles: 4 }
 */
export function readBundlesData(data: BundlesData | string): ReadBundlesData {
  const text = typeof data === 'string' ? data : textOf(data)
  const root = rootOf(text)
  if (root.kind !== 'object') throw wrongRoot(text, root)
  let read: ReadBundlesData = { boundaries: null, numBundles: 0 }
  root.items.forEach((value, i) => {
    if (root.names[i] === 'boundaries') read = { ...read, boundaries: boundariesOf(text, value) }
    if (root.names[i] === 'numBundles') read = { ...read, numBundles: numBundlesOf(text, value) }
  })
  return read
}

/** Writes a document as Pulsar does: `boundaries` first, and only where there are some; `numBundles` as it is. */
export function writeBundlesData({ boundaries, numBundles = 0 }: BundlesData): string {
  return JSON.stringify(boundaries === null || boundaries === undefined ? { numBundles } : { boundaries, numBundles })
}

/**
 * The admin API's check of boundaries for a new namespace: read, sorted, repeats dropped, and seen to cover all hashes.
 * The order is that of the text, so that 0x100000000 slips in between, as it does there; `numBundles` counts anew.
 *
 * @throws ERR_PLACEMENT_BOUNDARIES with what Java throws, and with the index of what is no number
 * @example pulsar.validateBundlesData({ boundaries: ['0xffffffff', '0', '0x80000000'] }).numBundles // → 2
 */
export function validateBundlesData(data: BundlesData | string): { boundaries: string[]; numBundles: number } {
  const given = readBundlesData(data).boundaries ?? []
  const boundaries = [...new Set(given.map((boundary, i) => formatLong(numberOfBoundary(boundary, i))))].sort()
  if (boundaries.length === 0) {
    throw codedError('ERR_PLACEMENT_BOUNDARIES', 'boundaries: expected at least 2, got none', {
      javaClass: 'java.util.NoSuchElementException',
      javaMessage: null,
    })
  }
  const [first, last] = [boundaries[0]!, boundaries.at(-1)!]
  if (first !== '0x00000000' || last !== '0xffffffff') {
    const message = `boundaries: expected them to reach from 0x00000000 to 0xffffffff, got ${first} to ${last}`
    throw codedError('ERR_PLACEMENT_BOUNDARIES', message, {
      javaClass: 'org.apache.pulsar.broker.web.RestException',
      javaMessage: `Input bundles do not cover the whole hash range. first:${first}, last:${last}`,
    })
  }
  return { boundaries, numBundles: boundaries.length - 1 }
}

function textOf(data: BundlesData): string {
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return JSON.stringify(data)
  const message = `data: expected JSON text or an object with boundaries and numBundles, got ${shown(data)}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
}

function rootOf(text: string): JsonNode {
  const root = parsed(text)
  if (root !== null) return root
  const javaMessage = `No content to map due to end-of-input\n at ${SOURCE} line: 1]`
  throw wrong('expected a JSON object, got nothing', {
    javaClass: `${DATABIND}.exc.MismatchedInputException`,
    javaMessage,
  })
}

function parsed(text: string): JsonNode | null {
  try {
    return readJson(text)
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault
    const got = fault.offset === text.length ? 'its end' : shown(text.slice(fault.offset, fault.offset + 20))
    throw wrong(`expected ${fault.message} at ${placeOf(text, fault.offset)}, got ${got}`, { index: fault.offset })
  }
}

function wrong(what: string, details: ErrorDetails): Error {
  return codedError('ERR_PLACEMENT_BUNDLES_DATA', `BundlesData: ${what}`, details)
}

/** What Jackson refuses: its words, the place, and the fields that lead there. */
interface Mismatch {
  readonly kind: 'exc.MismatchedInputException' | 'exc.InvalidFormatException' | 'JsonMappingException'
  readonly said: string
  readonly offset: number
  /** Such as `["boundaries"]`; none for the whole document. */
  readonly path?: string
}

function mismatch(text: string, { kind, said, offset, path }: Mismatch): Error {
  const place = placeOf(text, offset)
  const chain = path === undefined ? '' : ` (through reference chain: ${IMPL}${path})`
  const javaMessage = `${said}\n at ${SOURCE} ${place}]${chain}`
  return wrong(`${said} at ${place}`, { javaClass: `${DATABIND}.${kind}`, javaMessage })
}

function tokenOf({ kind, text }: JsonNode): string {
  if (kind === 'number') return TOKENS[/^-?\d+$/.test(text) ? 'integer' : 'float']
  return TOKENS[kind as 'object']
}

function wrongRoot(text: string, root: JsonNode): Error {
  if (root.kind === 'null') {
    return wrong('expected an object, got null', { javaClass: 'java.lang.NullPointerException', javaMessage: null })
  }
  if (root.kind === 'string' && root.text.trim() === '') {
    const said = `Cannot coerce empty String ("") to \`${IMPL}\` value (but could if coercion was enabled using \`CoercionConfig\`)`
    return mismatch(text, { kind: 'exc.InvalidFormatException', said, offset: root.from })
  }
  const said =
    root.kind === 'array'
      ? `Cannot deserialize value of type \`${IMPL}\` from ${tokenOf(root)}`
      : `Cannot construct instance of \`${IMPL}\` (although at least one Creator exists): no ${creatorFor(root)}`
  return mismatch(text, { kind: 'exc.MismatchedInputException', said, offset: root.from })
}

function creatorFor({ kind, text }: JsonNode): string {
  const [types, value] = {
    string: ['String-argument', `String value ('${text}')`],
    number: [/^-?\d+$/.test(text) ? 'int/Int-argument' : 'double/Double-argument', `Number value (${text})`],
  }[kind as string] ?? ['boolean/Boolean-argument', `boolean value (${kind})`]
  return `${types} constructor/factory method to deserialize from ${value}`
}

function boundariesOf(text: string, node: JsonNode): (string | null)[] | null {
  if (node.kind === 'null') return null
  if (node.kind === 'array') return node.items.map((item, i) => boundaryOf(text, item, i))
  const at = { offset: node.from, path: '["boundaries"]' }
  if (node.kind !== 'string') {
    const said = `Cannot deserialize value of type \`java.util.ArrayList<java.lang.String>\` from ${tokenOf(node)}`
    throw mismatch(text, { kind: 'exc.MismatchedInputException', said, ...at })
  }
  if (node.text.trim() === '') {
    const said =
      'Cannot coerce empty String ("") to element of `java.util.ArrayList` (but could if coercion was enabled using `CoercionConfig`)'
    throw mismatch(text, { kind: 'exc.InvalidFormatException', said, ...at })
  }
  const said = `Cannot construct instance of \`java.util.ArrayList\` (although at least one Creator exists): no ${creatorFor(node)}`
  throw mismatch(text, { kind: 'exc.MismatchedInputException', said, ...at })
}

function boundaryOf(text: string, node: JsonNode, index: number): string | null {
  if (node.kind === 'null') return null
  if (node.kind === 'string' || node.kind === 'number') return node.text
  if (node.kind === 'true' || node.kind === 'false') return node.kind
  const said = `Cannot deserialize value of type \`java.lang.String\` from ${tokenOf(node)}`
  const path = `["boundaries"]->java.util.ArrayList[${index}]`
  throw mismatch(text, { kind: 'exc.MismatchedInputException', said, offset: node.from, path })
}

function numBundlesOf(text: string, node: JsonNode): number {
  if (node.kind === 'null') return 0
  if (node.kind === 'number') return truncated(text, node)
  if (node.kind === 'string') return intOf(text, node)
  const said = `Cannot deserialize value of type \`int\` from ${tokenOf(node)}`
  throw mismatch(text, { kind: 'exc.MismatchedInputException', said, offset: node.from, path: '["numBundles"]' })
}

/** A number is cut at its point; Jackson looks at its range before that, and names the place behind it. */
function truncated(text: string, node: JsonNode): number {
  const value = Number(node.text)
  // `+ 0` makes a plain zero of -0.
  if (value >= -0x80000000 && value <= 0x7fffffff) return Math.trunc(value) + 0
  const said = `Numeric value (${node.text}) out of range of int (-2147483648 - 2147483647)`
  throw mismatch(text, { kind: 'JsonMappingException', said, offset: node.to, path: '["numBundles"]' })
}

function intOf(text: string, node: JsonNode): number {
  const digits = node.text.trim()
  if (digits === '' || digits === 'null') return 0
  const value = parseLong(digits, 10)
  if (value !== undefined && BigInt.asIntN(32, value) === value) return Number(value)
  const why =
    value === undefined || digits.length < 10
      ? 'not a valid `int` value'
      : `Overflow: numeric value (${digits}) out of range of int (-2147483648 -2147483647)`
  const said = `Cannot deserialize value of type \`int\` from String "${digits}": ${why}`
  throw mismatch(text, { kind: 'exc.InvalidFormatException', said, offset: node.from, path: '["numBundles"]' })
}
