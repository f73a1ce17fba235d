/**
 * A JSON value as a tree, and what Kafka's tools ask of one: their checks, in their words.
 *
 * Source: Apache Kafka 4.4.0, org.apache.kafka.server.util.json. Of a name given twice in an object the last one counts.
 */
import { type CodedError, codedError } from '../errors.js'
import { type JsonReader, type JsonScalar, type JsonToken, OtherNumber } from './json-reader.js'
import { jsonString } from './json-text.js'

export type JsonTree = JsonScalar | readonly JsonTree[] | JsonObject
export type JsonObject = ReadonlyMap<string, JsonTree>

const MAPPING = 'com.fasterxml.jackson.databind.JsonMappingException'

/** The value that the reader stands before; `undefined` where there is none. */
export function readTree(reader: JsonReader): JsonTree | undefined {
  const token = reader.next()
  return token === 'end' ? undefined : treeOf(reader, token)
}

/** The value that this token of the reader begins. */
export function treeOf(reader: JsonReader, token: JsonToken): JsonTree {
  if (token === '[') return listOf(reader)
  return token === '{' ? objectOf(reader) : reader.value
}

function listOf(reader: JsonReader): JsonTree[] {
  const list: JsonTree[] = []
  for (let token = reader.next(); token !== ']'; token = reader.next()) list.push(treeOf(reader, token))
  return list
}

function objectOf(reader: JsonReader): JsonObject {
  const object = new Map<string, JsonTree>()
  for (let token = reader.next(); token !== '}'; token = reader.next()) {
    const name = reader.text
    object.set(name, treeOf(reader, reader.next()))
  }
  return object
}

/** As Jackson prints it: compact; nothing for no value. */
export function shownTree(tree: JsonTree | undefined): string {
  if (tree === undefined) return ''
  if (typeof tree === 'string') return jsonString(tree)
  if (tree instanceof OtherNumber) return tree.text
  if (Array.isArray(tree)) return `[${tree.map(shownTree).join(',')}]`
  if (!(tree instanceof Map)) return String(tree)
  return `{${[...tree].map(([name, value]) => `${jsonString(name)}:${shownTree(value)}`).join(',')}}`
}

/** `where` is a path for messages: `partitions[3].topic`. */
export function objectAt(tree: JsonTree | undefined, where: string): JsonObject {
  if (tree instanceof Map) return tree
  const javaMessage = `Expected JSON object, received ${shownTree(tree)}`
  throw notMapped(javaMessage, where, tree === undefined ? `${javaMessage}nothing` : javaMessage)
}

export function arrayAt(tree: JsonTree, where: string): readonly JsonTree[] {
  if (Array.isArray(tree)) return tree
  throw notMapped(`Expected JSON array, received ${shownTree(tree)}`, where)
}

export function fieldOf(object: JsonObject, name: string, where: string): JsonTree {
  const field = object.get(name)
  if (field !== undefined) return field
  throw notMapped(`No such field exists: \`${name}\``, where)
}

export const integerAt = (tree: JsonTree, where: string): number =>
  typeof tree === 'number' ? tree : refuse('Integer', tree, where)

export const stringAt = (tree: JsonTree, where: string): string =>
  typeof tree === 'string' ? tree : refuse('String', tree, where)

/** A list of which each item is read alike. */
export function listAt<T>(tree: JsonTree, where: string, item: (tree: JsonTree, where: string) => T): T[] {
  if (!Array.isArray(tree)) return refuse('JSON array', tree, where)
  return tree.map((one, i) => item(one, `${where}[${i}]`))
}

function refuse(kind: string, tree: JsonTree, where: string): never {
  throw notMapped(`Expected \`${kind}\` value, received ${shownTree(tree)}`, where)
}

/** @param message where Kafka's own says too little */
function notMapped(javaMessage: string, where: string, message = javaMessage): CodedError {
  return codedError('ERR_PLACEMENT_REASSIGNMENT', `${where}: ${message}`, { javaClass: MAPPING, javaMessage })
}
