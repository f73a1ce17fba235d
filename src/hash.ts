/**
 * `hash.*`: the raw 32 bits that Kafka, Pulsar and their clients compute, of one key or of many.
 *
 * One key gives a number, many give a typed array; the sign is what the original prints: signed for murmur2 and
 * `String.hashCode`, unsigned for the others. Text is UTF-16 until hashed: a lone surrogate counts as Java's `?`, except
 * in `String.hashCode`, which hashes the UTF-16 units themselves.
 */

import { answerAll, isKeys, type Keys, type ThreadOptions, threadsOf, type Words } from './bulk.js'
import { type AsyncOptions, answerAllAsync } from './bulk-async.js'
import { isBytes } from './bytes.js'
import { engine } from './engine/index.js'
import { checkName } from './errors.js'
import { HASHES } from './fallback/hash/index.js'
import { HASH_OF_BYTES, HASH_OF_TEXT, wrongKey } from './single-key.js'
import { HASH_NAMES, type HashName, type Key } from './types.js'

/** The hashes whose originals print a signed number. */
type SignedHash = 'murmur2' | 'java-string'

/** The typed array that a hash answers in. */
export type HashArray<N extends HashName> = N extends SignedHash ? Int32Array : Uint32Array

export interface HashOptions<N extends HashName> extends ThreadOptions {
  /** Where to write: as long as the keys, or longer. Default: a new array. */
  readonly out?: HashArray<N>
}

/** A hash, of one key or of many. */
export interface HashFunction<N extends HashName> {
  (key: Key): number
  (keys: Keys, options?: HashOptions<N>): HashArray<N>
}

function hashAll<T extends Words>(
  name: HashName,
  keys: Keys,
  type: { new (n: number): T; name: string },
  options: { readonly out?: T } & ThreadOptions,
): T {
  const threads = threadsOf(options)
  return answerAll<T>(
    keys,
    { type, given: options.out },
    {
      packed: (column, part) => engine().hashPacked(name, column, part, threads),
      strings: (strings, part) => engine().hashStrings(name, strings, part),
      ...LONE[name],
    },
  )
}

/** `String.hashCode` is of the UTF-16 units, which the bytes of text with a lone surrogate do not hold. */
const LONE: Partial<Record<HashName, { lone(text: string): number }>> = {
  'java-string': { lone: HASHES['java-string'].ofString },
}

/** The question about what is neither text nor bytes: many keys, or wrong. */
function hashMany<N extends HashName>(
  name: N,
  keys: Keys,
  type: { new (n: number): HashArray<N>; name: string },
  options: HashOptions<N> = {},
): HashArray<N> {
  if (!isKeys(keys)) throw wrongKey(keys)
  return hashAll(name, keys, type, options) as HashArray<N>
}

/** Each looks at the key itself and is written out, so that V8 inlines it where it is called: see single-key.ts. */
const FUNCTIONS = {
  /** Kafka's murmur2, seed 0x9747b28c, signed. Source: Kafka 4.4.0, `Utils.murmur2`. */
  murmur2: ((key: Key | Keys, options?: HashOptions<'murmur2'>) => {
    if (typeof key === 'string') return HASH_OF_TEXT.murmur2(key)
    if (isBytes(key)) return HASH_OF_BYTES.murmur2(key)
    return hashMany('murmur2', key, Int32Array, options)
  }) as HashFunction<'murmur2'>,
  /** MurmurHash3 x86 32 bits, seed 0, unsigned. Source: Pulsar 5.0.1, `Murmur3_32Hash` before its mask. */
  murmur3: ((key: Key | Keys, options?: HashOptions<'murmur3'>) => {
    if (typeof key === 'string') return HASH_OF_TEXT.murmur3(key) >>> 0
    if (isBytes(key)) return HASH_OF_BYTES.murmur3(key) >>> 0
    return hashMany('murmur3', key, Uint32Array, options)
  }) as HashFunction<'murmur3'>,
  /** CRC-32 (ISO-HDLC, as zlib), unsigned. Source: Guava `Hashing.crc32()`, which Pulsar's bundles use. */
  crc32: ((key: Key | Keys, options?: HashOptions<'crc32'>) => {
    if (typeof key === 'string') return HASH_OF_TEXT.crc32(key) >>> 0
    if (isBytes(key)) return HASH_OF_BYTES.crc32(key) >>> 0
    return hashMany('crc32', key, Uint32Array, options)
  }) as HashFunction<'crc32'>,
  /** CRC-32C (Castagnoli), unsigned. Source: RFC 3720, appendix B.4. */
  crc32c: ((key: Key | Keys, options?: HashOptions<'crc32c'>) => {
    if (typeof key === 'string') return HASH_OF_TEXT.crc32c(key) >>> 0
    if (isBytes(key)) return HASH_OF_BYTES.crc32c(key) >>> 0
    return hashMany('crc32c', key, Uint32Array, options)
  }) as HashFunction<'crc32c'>,
  /** FNV-1a, 32 bits, unsigned. Source: draft-eastlake-fnv; Go's `hash/fnv` New32a. */
  fnv1a: ((key: Key | Keys, options?: HashOptions<'fnv1a'>) => {
    if (typeof key === 'string') return HASH_OF_TEXT.fnv1a(key) >>> 0
    if (isBytes(key)) return HASH_OF_BYTES.fnv1a(key) >>> 0
    return hashMany('fnv1a', key, Uint32Array, options)
  }) as HashFunction<'fnv1a'>,
  /** Java's `String.hashCode`, signed; bytes are decoded as Java's `new String(bytes, UTF_8)`. */
  javaString: ((key: Key | Keys, options?: HashOptions<'java-string'>) => {
    if (typeof key === 'string') return HASH_OF_TEXT['java-string'](key)
    if (isBytes(key)) return HASH_OF_BYTES['java-string'](key)
    return hashMany('java-string', key, Int32Array, options)
  }) as HashFunction<'java-string'>,
} as const

const BY_NAME: { readonly [N in HashName]: HashFunction<N> } = {
  murmur2: FUNCTIONS.murmur2,
  murmur3: FUNCTIONS.murmur3,
  crc32: FUNCTIONS.crc32,
  crc32c: FUNCTIONS.crc32c,
  fnv1a: FUNCTIONS.fnv1a,
  'java-string': FUNCTIONS.javaString,
}

/** The hash of that name. @throws ERR_PLACEMENT_UNKNOWN_NAME */
function of<N extends HashName>(name: N, key: Key): number
function of<N extends HashName>(name: N, keys: Keys, options?: HashOptions<N>): HashArray<N>
function of(name: HashName, key: Key | Keys, options?: HashOptions<HashName>): number | Words {
  const ask = BY_NAME[checkName(name, 'hash', HASH_NAMES)] as (key: Key | Keys, options?: object) => number | Words
  return ask(key, options)
}

/**
 * The async twin of {@link of} for many keys: off the event loop, with a signal and progress, the same answer.
 *
 * @throws as `of`, by rejecting; a signal that fires rejects with its reason
 */
async function ofAsync<N extends HashName>(
  name: N,
  keys: Keys,
  { out, ...options }: HashOptions<N> & AsyncOptions = {},
): Promise<HashArray<N>> {
  checkName(name, 'hash', HASH_NAMES)
  const threads = threadsOf(options)
  const type = name === 'murmur2' || name === 'java-string' ? Int32Array : Uint32Array
  const hashes = await answerAllAsync<Words>(
    keys,
    { type, given: out },
    { packed: (column, part) => engine().hashPackedAsync(name, column, part, threads), ...LONE[name] },
    options,
  )
  return hashes as HashArray<N>
}

export const hash = { ...FUNCTIONS, of, ofAsync, names: HASH_NAMES }
