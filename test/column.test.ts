/**
 * Columns and `TopicSet`: what is taken, what is refused, and that an answer into the caller's array is whole or not there.
 * The answers themselves are those of the npm package crc-32, which shares nothing with this library.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import { Binary, Int32, LargeUtf8, tableFromArrays, Utf8, vectorFromArray } from 'apache-arrow'
import test from 'ava'
import CRC32 from 'crc-32'
import { hash } from '../src/hash.js'
import { TopicSet } from '../src/topic-set.js'
import type { Key, Packed } from '../src/types.js'
import { ENGINES, onEngine } from './engines.js'
import { refusalOf, refusalOfAsync } from './refusal.js'

const NAMES = ['persistent://t/ns/orders', '', 'é', '日本語', '😀', 'a'.repeat(300), 'x\ty']

/** CRC-32 of each key's UTF-8. No lone surrogate among them: the peer knows nothing of Java's `?`. */
const crcs = (keys: readonly Key[]): number[] => keys.map((key) => CRC32.buf(Buffer.from(key as string)) >>> 0)

const answered = (out: ArrayLike<number>): number[] => Array.from(out)

/** A column of its own bytes, `before` bytes of something else in front and behind. */
function packed(names: readonly string[], before = 0): Packed {
  const bytes = names.map((name) => Buffer.from(name))
  const junk = Buffer.alloc(before, 0xee)
  const offsets = Uint32Array.from({ length: names.length + 1 }, (_, i) =>
    bytes.slice(0, i).reduce((sum, { length }) => sum + length, before),
  )
  return { values: new Uint8Array(Buffer.concat([junk, ...bytes, junk])), offsets, length: names.length }
}

/** Registers a test for each engine there is. */
function onEach(claim: string, check: (t: import('ava').ExecutionContext, ask: <T>(f: () => T) => T) => void): void {
  for (const engine of ENGINES) test(`${engine}: ${claim}`, (t) => check(t, (f) => onEngine(engine, f)))
}

onEach("a sandbox's bytes are bytes", (t, ask) => {
  const strange = runInNewContext('new Uint8Array([102, 111, 111, 98, 97, 114])') as Uint8Array
  t.false(strange instanceof Uint8Array)
  t.is(hash.murmur2(strange), -790332482)
  t.deepEqual(answered(ask(() => hash.murmur2([strange]))), [-790332482])
  t.deepEqual(
    answered(ask(() => hash.murmur2({ values: strange, offsets: Int32Array.of(0, 6), length: 1 }))),
    [-790332482],
  )
})

onEach('strings, bytes, both mixed and a TopicSet give the same answers', (t, ask) => {
  const bytes = NAMES.map((name) => Buffer.from(name))
  const mixed = NAMES.map((name, i) => (i % 2 === 0 ? name : Buffer.from(name)))
  for (const keys of [NAMES, bytes, mixed, TopicSet.from(NAMES), TopicSet.from(bytes), TopicSet.from(mixed)]) {
    t.deepEqual(answered(ask(() => hash.crc32(keys))), crcs(NAMES))
  }
})

onEach('a TopicSet is made of any iterable of names', (t, ask) => {
  function* named(): Generator<string> {
    yield* NAMES
  }
  for (const source of [named(), new Set(NAMES), new Map(NAMES.map((name, i) => [i, name])).values()]) {
    t.deepEqual(answered(ask(() => TopicSet.from(source).hash('crc32'))), crcs(NAMES))
  }
})

onEach('String.hashCode is of the UTF-16 given, lone surrogates too, however the names come', (t, ask) => {
  // Java: "\ud800".hashCode() is the unit itself, and "a\udc00" is 97 * 31 + 0xdc00.
  for (const last of ['é', Buffer.from('é')]) {
    const keys = ['\ud800', 'a', 'a\udc00', last]
    const right = [0xd800, 97, 97 * 31 + 0xdc00, 0xe9]
    t.deepEqual(answered(ask(() => hash.javaString(keys))), right)
    t.deepEqual(answered(ask(() => hash.javaString(TopicSet.from(keys)))), right)
    t.deepEqual(answered(ask(() => hash.javaString(TopicSet.fromShared(TopicSet.from(keys).shared())))), right)
  }
})

onEach('nothing in, nothing out', (t, ask) => {
  for (const keys of [[], TopicSet.from([]), packed([]), { chunks: [] }]) t.is(ask(() => hash.crc32(keys)).length, 0)
})

onEach('offsets need not start at 0, be unsigned, or end with the bytes', (t, ask) => {
  const column = packed(NAMES, 7)
  const signed = { ...column, offsets: Int32Array.from(column.offsets) }
  const longer = { ...column, offsets: Uint32Array.of(...column.offsets, 4_000_000_000) }
  for (const keys of [column, signed, longer]) t.deepEqual(answered(ask(() => hash.crc32(keys))), crcs(NAMES))
})

onEach('a part of a column is asked by moving its offsets', (t, ask) => {
  const column = packed(NAMES)
  const part = { values: column.values, offsets: column.offsets.subarray(2), length: 3 }
  t.deepEqual(answered(ask(() => hash.crc32(part))), crcs(NAMES.slice(2, 5)))
})

onEach('views that begin inside their buffers are read where they begin', (t, ask) => {
  const column = packed(NAMES)
  const values = new Uint8Array(column.values.length + 5).subarray(5)
  values.set(column.values)
  const offsets = new Uint32Array(column.offsets.length + 3).subarray(3)
  offsets.set(column.offsets)
  t.deepEqual(answered(ask(() => hash.crc32({ values, offsets, length: NAMES.length }))), crcs(NAMES))
})

onEach('many chunks answer as one, empty ones among them', (t, ask) => {
  const chunks = [packed(NAMES.slice(0, 2)), packed([]), packed(NAMES.slice(2), 3)]
  t.deepEqual(answered(ask(() => hash.crc32({ chunks }))), crcs(NAMES))
  t.deepEqual(answered(ask(() => TopicSet.from({ chunks }).hash('crc32'))), crcs(NAMES))
  t.deepEqual([...TopicSet.from({ chunks })], NAMES)
})

onEach("apache-arrow's Utf8 and Binary vectors are columns as they are: whole, sliced and in chunks", (t, ask) => {
  const whole = vectorFromArray(NAMES, new Utf8())
  const chunked = whole.concat(vectorFromArray(['one', 'more'], new Utf8()))
  const bytes = vectorFromArray(
    NAMES.map((name) => new Uint8Array(Buffer.from(name))),
    new Binary(),
  )
  t.deepEqual(answered(ask(() => hash.crc32(whole))), crcs(NAMES))
  t.deepEqual(answered(ask(() => hash.crc32(whole.slice(2, 5)))), crcs(NAMES.slice(2, 5)))
  t.is(chunked.data.length, 2)
  t.deepEqual(answered(ask(() => hash.crc32(chunked))), crcs([...NAMES, 'one', 'more']))
  t.deepEqual(answered(ask(() => hash.crc32(bytes))), crcs(NAMES))
  t.deepEqual(answered(ask(() => hash.crc32(whole.data[0]!))), crcs(NAMES))
})

onEach('a column of an apache-arrow table is a column, and a slice without the nulls is too', (t, ask) => {
  const table = tableFromArrays({ name: NAMES }).assign(tableFromArrays({ size: [1, 2, 3, 4, 5, 6, 7] }))
  const decoded = vectorFromArray([...table.getChild('name')!] as string[], new Utf8())
  t.deepEqual(answered(ask(() => TopicSet.from(decoded).hash('crc32'))), crcs(NAMES))
  const nulls = vectorFromArray(['a', null, 'b'], new Utf8())
  t.deepEqual(answered(ask(() => hash.crc32(nulls.slice(0, 1)))), crcs(['a']))
})

test('an Arrow vector with nulls is refused, and so is one that holds no UTF-8 with 32-bit offsets', (t) => {
  const refused = (keys: unknown): string => refusalOf(() => hash.crc32(keys as Packed))
  t.is(
    refused(vectorFromArray(['a', null], new Utf8())),
    'RangeError ERR_PLACEMENT_COLUMN: keys.data[0]: expected no nulls, got 1; filter them out first',
  )
  t.is(
    refused(vectorFromArray(['a'], new LargeUtf8())),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: keys.data[0].offsets: expected an Int32Array or Uint32Array ' +
      '(cast 64-bit offsets, or cut the column in chunks), got a BigInt64Array',
  )
  t.is(
    refused(vectorFromArray([1, 2], new Int32())),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: keys.data[0].values: expected a Uint8Array, got an Int32Array',
  )
})

test('names are read back as they were given, lone surrogates too', (t) => {
  const names = [...NAMES, '\ud800', 'a\udc00b', '\ufeffbom', '\ud83d', '\ude00', '\0']
  const set = TopicSet.from(names)
  t.deepEqual([...set], names)
  t.deepEqual(
    names.map((_, i) => set.at(i)),
    names,
  )
  t.is(set.length, names.length)
  t.deepEqual([...set.bytesAt(NAMES.length + 1)], [0x61, 0x3f, 0x62])
  t.is(
    set.byteLength,
    names.reduce((sum, name) => sum + Buffer.from(name.toWellFormed().replace(/\ufffd/g, '?')).length, 0),
  )
})

test('an index outside the set is refused', (t) => {
  const set = TopicSet.from(['a', 'b'])
  t.is(
    refusalOf(() => set.at(2)),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: index: expected an integer in [0, 1], got 2',
  )
  t.is(
    refusalOf(() => set.bytesAt(-1)),
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: index: expected an integer in [0, 1], got -1',
  )
})

const LINES: readonly [claim: string, text: string, names: readonly string[]][] = [
  ['nothing', '', []],
  ['one newline is one empty name', '\n', ['']],
  ['the last line needs no newline', 'a\nb', ['a', 'b']],
  ['nor does it get one more', 'a\nb\n', ['a', 'b']],
  ['CRLF ends a line', 'a\r\nb\r\n', ['a', 'b']],
  ['CRLF and LF may be mixed', 'a\r\nb\nc', ['a', 'b', 'c']],
  ['empty lines are empty names', '\n\na\n\r\n', ['', '', 'a', '']],
  ['a return inside a line belongs to it', 'a\rb\n\rc\n', ['a\rb', '\rc']],
  ['a byte order mark belongs to the first name', '\ufeffa\n', ['\ufeffa']],
  ['any character', 'é\n日本語\n😀', ['é', '日本語', '😀']],
]

for (const [claim, text, names] of LINES) {
  test(`lines: ${claim}`, (t) => {
    t.deepEqual([...TopicSet.fromLines(Buffer.from(text))], names)
  })
}

test('lines: a stream may be cut anywhere', async (t) => {
  const bytes = Buffer.from('é\r\n\r\n日本\n😀\rx\r\n')
  for (let cut = 0; cut <= bytes.length; cut++) {
    const set = await TopicSet.fromStream(Readable.from([bytes.subarray(0, cut), bytes.subarray(cut)]))
    t.deepEqual([...set], ['é', '', '日本', '😀\rx'], `cut at ${cut}`)
  }
  const one = await TopicSet.fromStream(Readable.from([...bytes].map((byte) => Uint8Array.of(byte))))
  t.deepEqual([...one], ['é', '', '日本', '😀\rx'])
})

test('lines: a web stream and a stream of text are streams too', async (t) => {
  const web = new Blob(['a\nb']).stream()
  t.deepEqual([...(await TopicSet.fromStream(web as unknown as AsyncIterable<Uint8Array>))], ['a', 'b'])
  t.deepEqual([...(await TopicSet.fromStream(Readable.from(['a\n', 'é'])))], ['a', 'é'])
})

test('lines: one of 10 MB is one name', async (t) => {
  const long = 'x'.repeat(10_000_000)
  const set = await TopicSet.fromStream(Readable.from([Buffer.from(`a\n${long}`), Buffer.from('y\nb')]))
  t.is(set.length, 3)
  t.is(set.at(1), `${long}y`)
})

test('lines: bytes that are no UTF-8 are refused with their line, or kept where they are asked for', (t) => {
  const bytes = Buffer.from([0x61, 0x0a, 0xc3, 0xa9, 0xff, 0x0a, 0x62])
  t.is(
    refusalOf(() => TopicSet.fromLines(bytes, { name: 'topics.txt' })),
    'RangeError ERR_PLACEMENT_INPUT: topics.txt:2: expected UTF-8, got byte 0xff at column 3 [index 1]',
  )
  const kept = TopicSet.fromLines(bytes, { encoding: 'binary' })
  t.deepEqual([...kept.bytesAt(1)], [0xc3, 0xa9, 0xff])
})

test('lines: a character cut off by the end of its line is no UTF-8', (t) => {
  t.is(
    refusalOf(() => TopicSet.fromLines(Buffer.from([0x61, 0xe6, 0x97, 0x0a, 0x62]))),
    'RangeError ERR_PLACEMENT_INPUT: input:1: expected UTF-8, got byte 0xe6 at column 2 [index 0]',
  )
})

test('lines: a file is read, and one that cannot be read is refused', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'topic-placement-'))
  try {
    const path = join(folder, 'topics.txt')
    writeFileSync(path, NAMES.join('\r\n'))
    t.deepEqual([...(await TopicSet.fromFile(path))], NAMES)
    const refused = async (where: string): Promise<string> => refusalOfAsync(() => TopicSet.fromFile(where))
    t.is(await refused(folder), `RangeError ERR_PLACEMENT_INPUT: ${folder}: expected a readable file, got EISDIR`)
    const missing = join(folder, 'missing')
    t.is(await refused(missing), `RangeError ERR_PLACEMENT_INPUT: ${missing}: expected a readable file, got ENOENT`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a set goes to a worker thread without a copy, lone surrogates included', async (t) => {
  const names = [...NAMES, 'lone\ud800']
  const set = TopicSet.from(names)
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
     import(workerData.module).then(({ TopicSet }) => {
       const set = TopicSet.fromShared(workerData.shared)
       const names = [...set]
       set.chunks[0].values[0] = 0x50
       parentPort.postMessage({ names, crc32: set.hash('crc32') })
     })`,
    { eval: true, workerData: { module: new URL('../src/topic-set.js', import.meta.url).href, shared: set.shared() } },
  )
  const [answer] = (await once(worker, 'message')) as [{ names: string[]; crc32: Uint32Array }]
  await worker.terminate()
  t.deepEqual(answer.names, names)
  t.is(set.at(0), `P${names[0]!.slice(1)}`, "the worker's write is seen here: the memory is one")
  t.deepEqual(answered(answer.crc32), answered(set.hash('crc32')))
})

test("a set over the caller's own column is shared by copying that once", (t) => {
  const again = TopicSet.fromShared(TopicSet.from(packed(NAMES, 3)).shared())
  t.deepEqual([...again], NAMES)
  t.true(again.chunks[0]!.values.buffer instanceof SharedArrayBuffer)
})

onEach("answers come in the caller's array, which is the one returned; what lies behind them stays", (t, ask) => {
  for (const keys of [NAMES, TopicSet.from(NAMES), { chunks: [packed(NAMES.slice(0, 3)), packed(NAMES.slice(3))] }]) {
    const out = new Uint32Array(NAMES.length + 2).fill(7)
    t.is(
      ask(() => hash.crc32(keys, { out })),
      out,
    )
    t.deepEqual(answered(out), [...crcs(NAMES), 7, 7])
  }
})

onEach('an array that is too short, detached or of another type is refused', (t, ask) => {
  const refused = (out: unknown): string => ask(() => refusalOf(() => hash.crc32(NAMES, { out: out as Uint32Array })))
  t.is(refused(new Uint32Array(6)), 'RangeError ERR_PLACEMENT_OUTPUT: out: expected room for 7 items, got 6')
  t.is(refused(detached(new Uint32Array(7))), 'RangeError ERR_PLACEMENT_OUTPUT: out: expected room for 7 items, got 0')
  t.is(
    refused(new Int32Array(7)),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: out: expected a Uint32Array, got an Int32Array',
  )
  t.is(refused([]), 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: out: expected a Uint32Array, got an Array')
})

function detached<T extends ArrayBufferView>(array: T): T {
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] })
  return array
}

onEach('an array that lies over the input is refused, one beside it is not', (t, ask) => {
  // Two words are free, then come eight bytes of values, three offsets, and free words again.
  const memory = new ArrayBuffer(64)
  const values = new Uint8Array(memory, 8, 8)
  const offsets = new Uint32Array(memory, 16, 3)
  values.set(Buffer.from('abcdefgh'))
  offsets.set([0, 4, 8])
  const refused = (at: number): string =>
    ask(() => refusalOf(() => hash.crc32({ values, offsets, length: 2 }, { out: new Uint32Array(memory, at, 2) })))
  const over = (what: string): string =>
    `RangeError ERR_PLACEMENT_OUTPUT: out: expected memory of its own, got an array over the ${what} of keys`
  for (const at of [4, 8, 12]) t.is(refused(at), over('values'))
  for (const at of [16, 20, 24]) t.is(refused(at), over('offsets'))
  for (const at of [0, 28]) {
    t.regex(refused(at), /^no error/)
    t.deepEqual(answered(new Uint32Array(memory, at, 2)), crcs(['abcd', 'efgh']))
  }
})

/** Columns that must be refused, on `values` of ten bytes. */
const BAD_OFFSETS: readonly [claim: string, offsets: Int32Array | Uint32Array, refusal: string][] = [
  ['go down', Uint32Array.of(0, 6, 4, 10), 'keys.offsets[2]: expected a number in [6, 10], got 4 [index 2]'],
  ['leave the bytes', Uint32Array.of(0, 4, 11, 12), 'keys.offsets[2]: expected a number in [4, 10], got 11 [index 2]'],
  ['overlap their end', Uint32Array.of(0, 4, 8, 11), 'keys.offsets[3]: expected a number in [8, 10], got 11 [index 3]'],
  [
    'start beyond them',
    Uint32Array.of(11, 11, 11, 11),
    'keys.offsets[0]: expected a number in [0, 10], got 11 [index 0]',
  ],
  ['are negative', Int32Array.of(-1, 0, 4, 8), 'keys.offsets[0]: expected a number in [0, 10], got -1 [index 0]'],
  [
    'turn negative',
    Int32Array.of(0, 4, -2147483648, 8),
    'keys.offsets[2]: expected a number in [4, 10], got -2147483648 [index 2]',
  ],
  [
    'are the largest number',
    Uint32Array.of(0, 4294967295, 4, 8),
    'keys.offsets[1]: expected a number in [0, 10], got 4294967295 [index 1]',
  ],
]

for (const [claim, offsets, refusal] of BAD_OFFSETS) {
  onEach(`offsets that ${claim} are refused, and nothing is written`, (t, ask) => {
    const column = { values: new Uint8Array(10), offsets, length: 3 }
    const out = new Uint32Array(3).fill(7)
    t.is(
      ask(() => refusalOf(() => hash.crc32(column, { out }))),
      `RangeError ERR_PLACEMENT_COLUMN: ${refusal}`,
    )
    t.is(
      ask(() => refusalOf(() => hash.crc32(column))),
      `RangeError ERR_PLACEMENT_COLUMN: ${refusal}`,
    )
    t.deepEqual(answered(out), [7, 7, 7])
    t.is(
      refusalOf(() => TopicSet.from(column)),
      `RangeError ERR_PLACEMENT_COLUMN: ${refusal.replace('keys', 'source')}`,
    )
  })
}

onEach('a bad offset in a later chunk leaves the whole answer unwritten', (t, ask) => {
  const bad = { values: new Uint8Array(4), offsets: Uint32Array.of(0, 5), length: 1 }
  const out = new Uint32Array(8).fill(7)
  t.is(
    ask(() => refusalOf(() => hash.crc32({ chunks: [packed(NAMES), bad] }, { out }))),
    'RangeError ERR_PLACEMENT_COLUMN: keys chunk 1.offsets[1]: expected a number in [0, 4], got 5 [index 1]',
  )
  t.deepEqual(answered(out), Array(8).fill(7))
})

onEach('arrays that are detached or too short are refused', (t, ask) => {
  const refused = (column: unknown): string => ask(() => refusalOf(() => hash.crc32(column as Packed)))
  const { values, offsets, length } = packed(['ab', 'cd'])
  t.is(
    refused({ values: detached(values.slice()), offsets, length }),
    'RangeError ERR_PLACEMENT_COLUMN: keys.offsets[1]: expected a number in [0, 0], got 2 [index 1]',
  )
  t.is(
    refused({ values, offsets: detached(offsets.slice()), length }),
    'RangeError ERR_PLACEMENT_COLUMN: keys.offsets: expected 3 entries, got 0 (is its buffer detached?)',
  )
  t.is(
    refused({ values, offsets: offsets.slice(0, 2), length }),
    'RangeError ERR_PLACEMENT_COLUMN: keys.offsets: expected 3 entries, got 2',
  )
  t.is(
    refused({ values: values.slice(0, 3), offsets, length }),
    'RangeError ERR_PLACEMENT_COLUMN: keys.offsets[2]: expected a number in [2, 3], got 4 [index 2]',
  )
})

onEach('a view whose resizable buffer shrank below it is refused', (t, ask) => {
  // ES2024, which Node 20 has and the compiler's ES2022 does not know.
  const Resizable = ArrayBuffer as unknown as {
    new (length: number, options: { maxByteLength: number }): ArrayBuffer & { resize(length: number): void }
  }
  const buffer = new Resizable(4, { maxByteLength: 8 })
  const values = new Uint8Array(buffer, 2, 2)
  buffer.resize(3)
  t.is(
    ask(() => refusalOf(() => hash.crc32({ values, offsets: Uint32Array.of(0, 2), length: 1 }))),
    'RangeError ERR_PLACEMENT_COLUMN: keys.offsets[1]: expected a number in [0, 0], got 2 [index 1]',
  )
})

onEach('what has the shape of a column but not its types is refused', (t, ask) => {
  const refused = (column: object): string => ask(() => refusalOf(() => hash.crc32(column as Packed)))
  const { values, offsets } = packed(['ab', 'cd'])
  const type = 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: keys'
  t.is(refused({ values: [1], offsets, length: 2 }), `${type}.values: expected a Uint8Array, got an Array`)
  t.is(
    refused({ values: new Uint16Array(4), offsets, length: 2 }),
    `${type}.values: expected a Uint8Array, got a Uint16Array`,
  )
  const expected = 'expected an Int32Array or Uint32Array (cast 64-bit offsets, or cut the column in chunks)'
  t.is(refused({ values, length: 2 }), `${type}.offsets: ${expected}, got undefined`)
  t.is(refused({ values, offsets: new Float64Array(3), length: 2 }), `${type}.offsets: ${expected}, got a Float64Array`)
  for (const length of [-1, 1.5, Number.NaN, '2', undefined]) {
    t.is(
      refused({ values, offsets, length }),
      `RangeError ERR_PLACEMENT_COLUMN: keys.length: expected an integer of 0 or more, got ${typeof length === 'string' ? '"2"' : length}`,
    )
  }
  t.is(refused({ chunks: 3 }), `${type}.chunks: expected an array of chunks, got 3`)
  t.is(refused({ chunks: [null] }), `${type}.chunks[0]: expected { values, offsets, length }, got null`)
})

onEach('an item that is neither text nor bytes is refused with its index', (t, ask) => {
  const refused = (keys: unknown[]): string => ask(() => refusalOf(() => hash.crc32(keys as Key[])))
  const key = 'TypeError ERR_PLACEMENT_KEY_TYPE: keys'
  t.is(refused(['a', 1]), `${key}[1]: expected a string or bytes, got 1 [index 1]`)
  t.is(refused([null]), `${key}[0]: expected a string or bytes, got null [index 0]`)
  t.is(refused([Buffer.from('a'), undefined]), `${key}[1]: expected a string or bytes, got undefined [index 1]`)
  t.is(refused(['a', {}]), `${key}[1]: expected a string or bytes, got an Object [index 1]`)
  t.is(refused(['a', new Uint16Array(1)]), `${key}[1]: expected a string or bytes, got a Uint16Array [index 1]`)
  const holes: unknown[] = ['a']
  holes[2] = 'c'
  t.is(refused(holes), `${key}[1]: expected a string or bytes, got undefined [index 1]`)
  t.is(
    refusalOf(() => TopicSet.from(['a', 7] as unknown as string[])),
    `${key}[1]: expected a string or bytes, got 7 [index 1]`,
  )
})

test('what is no source of names is refused', (t) => {
  const refused = (source: unknown): string => refusalOf(() => TopicSet.from(source as string[]))
  const expected = 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: source: expected an array, an iterable or a column of names'
  t.is(refused('a'), `${expected}, got "a"`)
  t.is(refused(null), `${expected}, got null`)
  t.is(refused(7), `${expected}, got 7`)
  t.is(refused(Buffer.from('a')), `${expected}, got a Buffer`)
  t.is(
    refusalOf(() => TopicSet.fromLines('a\n' as unknown as Uint8Array)),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: bytes: expected a Uint8Array, got "a\\n"',
  )
})

onEach('one name of 20 million characters is hashed in one piece', (t, ask) => {
  const long = 'é'.repeat(10_000_000)
  t.deepEqual(answered(ask(() => hash.crc32([long, 'a']))), crcs([long, 'a']))
  t.deepEqual(answered(ask(() => TopicSet.from(['a', long]).hash('crc32'))), crcs(['a', long]))
})

onEach('more than 256 MiB are packed in chunks, which answer as one by one', (t, ask) => {
  const kinds = Array.from({ length: 7 }, (_, i) => Buffer.alloc(1 << 20, i))
  const set = TopicSet.from(Array.from({ length: 260 }, (_, i) => kinds[i % 7]!))
  t.deepEqual(
    set.chunks.map(({ length }) => length),
    [256, 4],
  )
  const right = kinds.map((kind) => CRC32.buf(kind) >>> 0)
  t.deepEqual(
    answered(ask(() => set.hash('crc32'))),
    Array.from({ length: 260 }, (_, i) => right[i % 7]!),
  )
  t.is(set.bytesAt(259)[0], 259 % 7)
})

test('a surrogate pair that two blocks of a text stream share stays one character', async (t) => {
  async function* blocks() {
    yield 'a\ud83d'
    yield '\ude00b\nc\ud83d'
  }
  const topics = await TopicSet.fromStream(blocks())
  t.deepEqual([...topics], ['a\u{1f600}b', 'c?'])
})
