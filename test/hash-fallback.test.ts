/** The hashes of the TypeScript engine: against the jars' vectors, the JDK, published values and naive twins. */
import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import test from 'ava'
import npmCrc32 from 'crc-32'
import fc from 'fast-check'
import { HASHES } from '../src/fallback/hash/index.js'
import { utf8View } from '../src/fallback/utf8.js'
import { hash } from '../src/index.js'
import { HASH_NAMES, type HashName } from '../src/types.js'

const SEED = 20261130

function vectors<T>(path: string): T[] {
  const lines = readFileSync(`test/vectors/${path}`, 'utf8').trimEnd().split('\n')
  return lines.slice(1).map((line) => JSON.parse(line) as T)
}

function ofString(hash: HashName, keys: readonly string[] = []): number[] {
  return keys.map(HASHES[hash].ofString)
}

function ofBytes(hash: HashName, keys: readonly Buffer[]): number[] {
  return keys.map((key) => HASHES[hash].ofBytes(key, 0, key.length))
}

/** UTF-8 by the platform, lone surrogates as `?` by a look at each code point: shares no step with the code under test. */
function javaBytes(text: string): Buffer {
  return Buffer.concat(
    Array.from(text, (point) => Buffer.from(/^[\ud800-\udfff]$/.test(point) && point.length === 1 ? '?' : point)),
  )
}

/** Naive twins, bit by bit and in BigInt where a product is longer than 53 bits. */
const NAIVE: Record<Exclude<HashName, 'java-string'>, (bytes: Buffer) => number> = {
  crc32: (bytes) => naiveCrc(0xedb88320, bytes),
  crc32c: (bytes) => naiveCrc(0x82f63b78, bytes),
  fnv1a: (bytes) =>
    Number(
      BigInt.asIntN(
        32,
        bytes.reduce((h, b) => ((h ^ BigInt(b)) * 16777619n) % 2n ** 32n, 2166136261n),
      ),
    ),
  murmur2: naiveMurmur2,
  murmur3: naiveMurmur3,
}

function naiveCrc(polynomial: number, bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) * polynomial)
  }
  return ~crc
}

const low = (value: bigint) => BigInt.asUintN(32, value)
const rotated = (value: bigint, by: bigint) => low((value << by) | (value >> (32n - by)))
const littleEndian = (bytes: Uint8Array) => bytes.reduceRight((word, byte) => word * 256n + BigInt(byte), 0n)

function naiveMurmur2(bytes: Buffer): number {
  const m = 0x5bd1e995n
  const whole = bytes.length - (bytes.length % 4)
  let h = 0x9747b28cn ^ BigInt(bytes.length)
  for (let i = 0; i < whole; i += 4) {
    let k = low(littleEndian(bytes.subarray(i, i + 4)) * m)
    k = low((k ^ (k >> 24n)) * m)
    h = low(h * m) ^ k
  }
  if (whole < bytes.length) h = low((h ^ littleEndian(bytes.subarray(whole))) * m)
  h = low((h ^ (h >> 13n)) * m)
  return Number(BigInt.asIntN(32, h ^ (h >> 15n)))
}

function naiveMurmur3(bytes: Buffer): number {
  const scrambled = (k: bigint) => low(rotated(low(k * 0xcc9e2d51n), 15n) * 0x1b873593n)
  const whole = bytes.length - (bytes.length % 4)
  let h = 0n
  for (let i = 0; i < whole; i += 4) {
    h = low(rotated(h ^ scrambled(littleEndian(bytes.subarray(i, i + 4))), 13n) * 5n + 0xe6546b64n)
  }
  h ^= scrambled(littleEndian(bytes.subarray(whole))) ^ BigInt(bytes.length)
  h = low((h ^ (h >> 16n)) * 0x85ebca6bn)
  h = low((h ^ (h >> 13n)) * 0xc2b2ae35n)
  return Number(BigInt.asIntN(32, h ^ (h >> 16n)))
}

test('murmur2 is what kafka-clients 4.4.0 answers for text and bytes', (t) => {
  type Row = { name: string; request: { op: string; keys?: string[]; keysBase64?: string[] }; ok: { hashes: number[] } }
  const rows = vectors<Row>('kafka/murmur2.jsonl').filter((row) => row.request.op === 'murmur2')
  t.true(rows.length > 200)
  for (const { name, request, ok } of rows) {
    const bytes = (request.keysBase64 ?? []).map((key) => Buffer.from(key, 'base64'))
    t.deepEqual([...ofString('murmur2', request.keys), ...ofBytes('murmur2', bytes)], ok.hashes, name)
  }
})

test('crc32 is what the Pulsar 5.0 jars answer', (t) => {
  type Row = { request: { strings: string[] }; ok: { hashes: number[] } }
  for (const { request, ok } of vectors<Row>('pulsar/crc32.jsonl')) {
    const hashes = ofString('crc32', request.strings).map((hash) => hash >>> 0)
    t.deepEqual(hashes, ok.hashes)
  }
})

test('murmur3 without its sign is what the Pulsar 5.0 jars answer for text and bytes', (t) => {
  type Row = { request: { strings?: string[]; bytes?: string[] }; ok: { broker: number[]; client: number[] } }
  for (const { request, ok } of vectors<Row>('pulsar/murmur3.jsonl')) {
    const bytes = (request.bytes ?? []).map((key) => Buffer.from(key, 'hex'))
    const hashes = [...ofString('murmur3', request.strings), ...ofBytes('murmur3', bytes)]
    const masked = hashes.map((hash) => hash & 0x7fffffff)
    t.deepEqual(masked, ok.broker)
    t.deepEqual(masked, ok.client)
  }
})

test('java-string without its sign is what the Pulsar 5.0 jars answer for text and bytes', (t) => {
  type Row = { request: { strings?: string[]; bytes?: string[] }; ok: { hashes: number[] } }
  for (const { request, ok } of vectors<Row>('pulsar/java-string-hash.jsonl')) {
    const bytes = (request.bytes ?? []).map((key) => Buffer.from(key, 'hex'))
    const hashes = [...ofString('java-string', request.strings), ...ofBytes('java-string', bytes)]
    t.deepEqual(
      hashes.map((hash) => hash & 0x7fffffff),
      ok.hashes,
    )
  }
})

test('java-string, crc32 and crc32c of any bytes are what the JDK answers, malformed UTF-8 included', (t) => {
  type Row = { bytes: string; hash: number; crc32: number; crc32c: number }
  const rows = vectors<Row>('jdk/string-of-bytes.ndjson')
  t.true(rows.length >= 2000)
  for (const row of rows) {
    const key = Buffer.from(row.bytes, 'hex')
    t.deepEqual(ofBytes('java-string', [key]), [row.hash], row.bytes)
    t.deepEqual(ofBytes('crc32', [key]), [row.crc32 | 0], row.bytes)
    t.deepEqual(ofBytes('crc32c', [key]), [row.crc32c | 0], row.bytes)
  }
})

test('an encoded surrogate is one U+FFFD to java-string, where the web platform makes three of it', (t) => {
  t.is(ofBytes('java-string', [Buffer.from([0xed, 0xa0, 0x80])])[0], 0xfffd)
})

test('crc32c has the published values of RFC 3720', (t) => {
  const ascending = Buffer.from(Array.from({ length: 32 }, (_, i) => i))
  const values: [Buffer, number][] = [
    [Buffer.alloc(32), 0x8a9136aa],
    [Buffer.alloc(32, 0xff), 0x62a8ab43],
    [ascending, 0x46dd794e],
    [Buffer.from(ascending).reverse(), 0x113fdb5c],
    [Buffer.from('123456789'), 0xe3069283],
  ]
  for (const [bytes, crc] of values) t.is(ofBytes('crc32c', [bytes])[0]! >>> 0, crc)
})

test("fnv1a has the values that its authors' test suite publishes", (t) => {
  const values: [string, number][] = [
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['b', 0xe70c2de5],
    ['foobar', 0xbf9cf968],
    ['chongo was here!\n', 0xd49930d5],
  ]
  for (const [key, hash] of values) t.is(ofString('fnv1a', [key])[0]! >>> 0, hash, key)
})

test('every length 0..300 agrees with the naive twins, as bytes, as ASCII and beyond it', (t) => {
  const bytes = Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 167 + 13) & 0xff))
  const ascii = Buffer.from(bytes.map((byte) => byte & 0x7f)).toString('latin1')
  const wide = `${ascii.slice(0, 150)}é${ascii.slice(150, 200)}€😀\ud800${ascii.slice(200)}`
  for (const [hash, naive] of Object.entries(NAIVE) as [HashName, (bytes: Buffer) => number][]) {
    for (let length = 0; length <= 300; length++) {
      t.is(HASHES[hash].ofBytes(bytes, 0, length), naive(bytes.subarray(0, length)), `${hash} bytes ${length}`)
      t.is(
        HASHES[hash].ofString(ascii.slice(0, length)),
        naive(javaBytes(ascii.slice(0, length))),
        `${hash} ascii ${length}`,
      )
      const last = wide.slice(300 - length)
      t.is(HASHES[hash].ofString(last), naive(javaBytes(last)), `${hash} wide ${length}`)
    }
  }
})

test('a string hashes as its UTF-8 does, lone surrogates as ?, whatever was hashed before', (t) => {
  const text = fc.string({
    unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', '\udfff', 'a')),
    maxLength: 80,
  })
  t.notThrows(() =>
    fc.assert(
      fc.property(text, fc.constantFrom(...HASH_NAMES), (key, hash) => {
        const bytes = javaBytes(key)
        if (hash === 'java-string') return HASHES[hash].ofString(key) === naiveHashCode(key)
        return HASHES[hash].ofString(key) === HASHES[hash].ofBytes(bytes, 0, bytes.length)
      }),
      { numRuns: 2000, seed: SEED },
    ),
  )
})

function naiveHashCode(key: string): number {
  let h = 0n
  for (let i = 0; i < key.length; i++) h = BigInt.asIntN(32, h * 31n + BigInt(key.charCodeAt(i)))
  return Number(h)
}

test('a part of a larger array is hashed as a copy of that part', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 90 }),
        fc.nat(90),
        fc.nat(90),
        fc.constantFrom(...HASH_NAMES),
        (bytes, a, b, hash) => {
          const [from, to] = [Math.min(a, b, bytes.length), Math.min(Math.max(a, b), bytes.length)]
          return HASHES[hash].ofBytes(bytes, from, to) === HASHES[hash].ofBytes(bytes.slice(from, to), 0, to - from)
        },
      ),
      { numRuns: 2000, seed: SEED },
    ),
  )
})

test('every result is a signed 32-bit integer', (t) => {
  for (const hash of HASH_NAMES) {
    const hashes = ofString(hash, ['', 'a', 'ab', 'kafka', '100:48069', 'persistent://public/default/é', '\ud800'])
    t.deepEqual(
      hashes,
      hashes.map((value) => value | 0),
      hash,
    )
  }
})

test('the buffer for UTF-8 is kept for ordinary keys, and not for huge ones', (t) => {
  const huge = 'é'.repeat(100_000)
  t.is(utf8View('a').buffer, utf8View('é'.repeat(1000)).buffer)
  t.not(utf8View(huge).buffer, utf8View(huge).buffer)
  for (const text of [huge, `${huge}\ud800`, 'x'.repeat(100_000), '\udc00'.repeat(70_000)]) {
    const bytes = javaBytes(text)
    t.true(bytes.equals(utf8View(text)))
    t.is(HASHES.murmur2.ofString(text), HASHES.murmur2.ofBytes(bytes, 0, bytes.length))
  }
})

test('a key of bytes asked alone has the CRC-32 of npm, at every length from 0 to 700', (t) => {
  const bytes = Buffer.from(Array.from({ length: 700 }, (_, i) => (i * 151 + (i >> 3)) & 0xff))
  for (let length = 0; length <= bytes.length; length++) {
    const key = bytes.subarray(0, length)
    t.is(hash.crc32(key), npmCrc32.buf(key) >>> 0, `${length} bytes`)
  }
})
