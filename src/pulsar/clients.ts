/**
 * Key → partition as each of Pulsar's clients computes it, and the keys that two of them put into different places.
 *
 * For whoever writes one topic from more than one language. Sources: Apache Pulsar 2.10.5 to 5.0.1 (alike), JavaStringHash,
 * Murmur3Hash32 and MessageRouterBase; pulsar-client-cpp 3.x, JavaStringHash.cc and Murmur3_32Hash.cc, which the clients
 * for Node.js and Python wrap; pulsar-client-go 0.19.0, default_router.go and internal/hash.go.
 * What differs from the obvious: `JavaStringHash` is Java's own in Java alone. C++ adds up UTF-8 bytes as `char`, whose sign
 * is the processor's; Go adds up unsigned bytes and does not mask the sign. Go takes an empty key for none, and asks the
 * ordering key first. Bytes as a key (`keyBytes`) go by their Base64 text in Java.
 */

import { Buffer } from 'node:buffer'
import { isBytes } from '../bytes.js'
import { checkName, codedError, shown } from '../errors.js'
import * as javaBytes from '../fallback/hash/java-bytes.js'
import { reduce } from '../fallback/kafka/partitioner.js'
import { utf8View } from '../fallback/utf8.js'
import { checkNumPartitions } from '../kafka/num-partitions.js'
import { HASH_OF_KEY } from '../single-key.js'
import type { Key } from '../types.js'
import { type PulsarVersionOption, pulsarVersion } from './version.js'

/** The clients; those for Node.js and Python are the C++ one under another name, with defaults of their own. */
export const CLIENT_NAMES = ['java', 'cpp', 'node', 'python', 'go'] as const
export type ClientName = (typeof CLIENT_NAMES)[number]

/** The hashing schemes, in Pulsar's spelling. `BoostHash` is the C++ client's, and depends on the Boost it was linked with. */
export const HASHING_SCHEMES = ['JavaStringHash', 'Murmur3_32Hash', 'BoostHash'] as const
export type HashingScheme = (typeof HASHING_SCHEMES)[number]

/** What a client does where it is told nothing. */
export const CLIENT_DEFAULTS: Readonly<Record<ClientName, HashingScheme>> = Object.freeze({
  java: 'JavaStringHash',
  cpp: 'BoostHash',
  node: 'BoostHash',
  python: 'JavaStringHash',
  go: 'JavaStringHash',
})

/** Whether the C++ compiler takes `char` for signed: it does on x86-64, and not on arm64 under Linux. */
export const CHAR_SIGNS = ['signed', 'unsigned'] as const
export type CharSign = (typeof CHAR_SIGNS)[number]

/** Which client asks, and how it is set up. */
export interface ClientOptions extends PulsarVersionOption {
  /** Default: `java`. */
  readonly client?: ClientName | undefined
  /** Default: the client's own, see {@link CLIENT_DEFAULTS}. */
  readonly scheme?: HashingScheme | undefined
  /** Of the machine that runs the C++ client or one that wraps it. Default: `signed`, as on x86-64. */
  readonly char?: CharSign | undefined
  /** The ordering key of the message: Go takes it before the key, the others do not look at it. Default: none. */
  readonly orderingKey?: Key | null | undefined
}

/**
 * The partition that a producer picks for a message with a key. The same in every release from 2.10 to 5.0.
 *
 * @param key text, or bytes: what Java is given by `keyBytes`, the other clients as a string of bytes; `null` for none
 * @param numPartitions all partitions of the topic, in `[1, 2147483647]`
 * @returns in `[0, numPartitions)`
 * @throws ERR_PLACEMENT_KEY_TYPE, ERR_PLACEMENT_KEY_MISSING (no key, or one that the client takes for none: the clock or
 *   a counter decides, see {@link roundRobinPartition}), ERR_PLACEMENT_NUM_PARTITIONS, ERR_PLACEMENT_UNKNOWN_NAME,
 *   ERR_PLACEMENT_UNSUPPORTED (BoostHash), ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_UNKNOWN_VERSION
 * @example pulsar.partitionForKey('keykeykey2', 7) // 1
 * @example pulsar.partitionForKey('keykeykey2', 7, { client: 'go' }) // 3
 */
export function partitionForKey(key: Key | null, numPartitions: number, options: ClientOptions = {}): number {
  pulsarVersion(options)
  checkNumPartitions(numPartitions)
  const { client, hashOf } = clientOf(options)
  const { orderingKey = null } = options
  const used = client === 'go' && !isNone(orderingKey, 'orderingKey') ? orderingKey! : key
  if (used === null || (client === 'go' && isNone(used, 'key'))) {
    // Go and C++ look at the number of partitions before they look for a key.
    if (numPartitions === 1 && client !== 'java') return 0
    throw keyless(client, key)
  }
  return hashOf(used, numPartitions)
}

/** A key that not all clients put into the same place. */
export interface Disagreement {
  readonly key: Key
  /** Of the key in what was given. */
  readonly index: number
  readonly java: number
  /** On a machine whose `char` is signed: x86-64. */
  readonly cppSigned: number
  /** On a machine whose `char` is unsigned: arm64 under Linux. */
  readonly cppUnsigned: number
  /** `null` where the Go client takes the key for none. */
  readonly go: number | null
}

/** What {@link clientDisagreements} found. */
export interface ClientDisagreements {
  /** Keys asked about. */
  readonly keys: number
  readonly scheme: HashingScheme
  readonly rows: readonly Disagreement[]
}

/**
 * The keys that Java, C++ (hence Node.js and Python) and Go do not put into the same partition under one hashing scheme.
 *
 * @param keys texts or bytes
 * @param numPartitions in `[1, 2147483647]`
 * @param options the scheme; default `JavaStringHash`. Under `Murmur3_32Hash` only empty keys and bytes are apart
 * @returns a row for each such key, in the order given
 * @throws as {@link partitionForKey}, with the index
 * @example pulsar.clientDisagreements(['order-1', '키'], 7).rows // [{ key: '키', index: 1, java: 2, cppSigned: 5, cppUnsigned: 6, go: 6 }]
 */
export function clientDisagreements(
  keys: readonly Key[],
  numPartitions: number,
  { scheme = 'JavaStringHash' }: { readonly scheme?: HashingScheme | undefined } = {},
): ClientDisagreements {
  if (!Array.isArray(keys)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `keys: expected a list of keys, got ${shown(keys)}`)
  }
  checkNumPartitions(numPartitions)
  const hashes = [
    clientOf({ client: 'java', scheme }),
    clientOf({ client: 'cpp', scheme, char: 'signed' }),
    clientOf({ client: 'cpp', scheme, char: 'unsigned' }),
    clientOf({ client: 'go', scheme }),
  ].map(({ hashOf }) => hashOf) as [HashOf, HashOf, HashOf, HashOf]
  const rows = keys.map((key, index) => rowOf({ key, index }, numPartitions, hashes))
  return { keys: keys.length, scheme, rows: rows.filter(disagrees) }
}

function rowOf(
  { key, index }: Pick<Disagreement, 'key' | 'index'>,
  n: number,
  [java, cppSigned, cppUnsigned, go]: readonly [HashOf, HashOf, HashOf, HashOf],
): Disagreement {
  checkKey(key, `keys[${index}]`, index)
  const goDraws = key.length === 0 && n > 1
  return {
    key,
    index,
    java: java(key, n),
    cppSigned: cppSigned(key, n),
    cppUnsigned: cppUnsigned(key, n),
    go: goDraws ? null : go(key, n),
  }
}

const disagrees = ({ java, cppSigned, cppUnsigned, go }: Disagreement): boolean =>
  java !== cppSigned || java !== cppUnsigned || java !== go

/** The partition of a key that counts as one. */
type HashOf = (key: Key, numPartitions: number) => number

/** A client made ready to answer. */
function clientOf({ client = 'java', scheme, char = 'signed' }: ClientOptions): { client: ClientName; hashOf: HashOf } {
  checkName(client, 'client', CLIENT_NAMES)
  checkName(char, 'char', CHAR_SIGNS)
  const used = checkScheme(scheme ?? CLIENT_DEFAULTS[client], client)
  if (client === 'java') return { client, hashOf: (key, n) => javaPartition(key, n, used) }
  if (used === 'Murmur3_32Hash') return { client, hashOf: (key, n) => reduce('mask', HASH_OF_KEY.murmur3(key), n) }
  if (client === 'go') return { client, hashOf: (key, n) => reduce('unsigned', hashOfBytes(key, 'unsigned'), n) }
  return { client, hashOf: (key, n) => reduce('mask', hashOfBytes(key, char), n) }
}

/**
 * Refuses a scheme that is none, or that has no answer of its own.
 *
 * @throws ERR_PLACEMENT_UNKNOWN_NAME, ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_UNSUPPORTED
 */
export function checkScheme(scheme: unknown, client: ClientName): Exclude<HashingScheme, 'BoostHash'> {
  const known = checkName(scheme, 'scheme', HASHING_SCHEMES)
  if (known !== 'BoostHash') return known
  const whose = CLIENT_DEFAULTS[client] === 'BoostHash' ? `, the default of ${client},` : ''
  throw codedError(
    'ERR_PLACEMENT_UNSUPPORTED',
    `scheme: expected JavaStringHash or Murmur3_32Hash, got BoostHash${whose} which depends on the Boost that the client was linked with`,
  )
}

/** As the Java client: bytes are hashed as their Base64 text, by either scheme. */
export function javaPartition(key: Key, numPartitions: number, scheme: Exclude<HashingScheme, 'BoostHash'>): number {
  checkKey(key, 'key')
  const text = typeof key === 'string' ? key : base64Of(key)
  return reduce('mask', HASH_OF_KEY[scheme === 'JavaStringHash' ? 'java-string' : 'murmur3'](text), numPartitions)
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}

/** The polynomial of `String.hashCode` over UTF-8 bytes, each of them a `char`. */
function hashOfBytes(key: Key, char: CharSign): number {
  checkKey(key, 'key')
  if (char === 'unsigned') {
    return typeof key === 'string' ? javaBytes.ofString(key) : javaBytes.ofBytes(key, 0, key.length)
  }
  let hash = 0
  for (const byte of typeof key === 'string' ? utf8View(key) : key) {
    hash = (Math.imul(hash, 31) + ((byte << 24) >> 24)) | 0
  }
  return hash
}

function checkKey(key: unknown, name: string, index?: number): asserts key is Key {
  if (typeof key === 'string' || isBytes(key)) return
  const message = `${name}: expected a string or bytes, got ${shown(key)}`
  throw codedError('ERR_PLACEMENT_KEY_TYPE', message, index === undefined ? {} : { index })
}

/** What Go takes for no key: none, or one of no bytes. */
function isNone(key: Key | null, name: string): boolean {
  if (key === null) return true
  checkKey(key, name)
  return key.length === 0
}

function keyless(client: ClientName, key: Key | null): Error {
  const got = key === null ? 'none' : 'an empty one, which the Go client takes for none'
  return codedError(
    'ERR_PLACEMENT_KEY_MISSING',
    `key: expected a key, got ${got}: without one the ${client} client goes by its clock or counter (pulsar.roundRobinPartition)`,
  )
}
