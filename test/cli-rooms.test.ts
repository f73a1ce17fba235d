/** The rooms of the command line that a process cannot show alone: CSV and rows by law, counting in small memory, progress. */
import test from 'ava'
import fc from 'fast-check'
import type { Batch } from '../src/cli/batches.js'
import { csvBatches } from '../src/cli/csv.js'
import { Fill, fillTable } from '../src/cli/fill.js'
import { HeavyKeys } from '../src/cli/heavy-keys.js'
import type { Source } from '../src/cli/input.js'
import { jsonlBatches } from '../src/cli/jsonl.js'
import type { Destination } from '../src/cli/output.js'
import { Progress } from '../src/cli/progress.js'
import { RowBuffer } from '../src/cli/row-buffer.js'
import { type RowFormat, RowWriter } from '../src/cli/rows.js'
import { wholeLines } from '../src/cli/whole-lines.js'
import { TopicSet } from '../src/topic-set.js'

const SEED = 20261201

/** Bytes as a source that gives them in blocks of these lengths, the rest at once. */
function sourceOf(bytes: Uint8Array, cuts: readonly number[]): Source {
  const blocks: Uint8Array[] = []
  let from = 0
  for (const cut of cuts) {
    if (from >= bytes.length) break
    blocks.push(bytes.subarray(from, from + cut))
    from += cut
  }
  if (from < bytes.length) blocks.push(bytes.subarray(from))
  return { name: 'input', size: null, blocks: each(blocks) }
}

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

async function keysOf(batches: AsyncIterable<Batch>): Promise<string[]> {
  const keys: string[] = []
  for await (const batch of batches) keys.push(...batch.keys)
  return keys
}

const CUTS = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 })
const FIELD = fc.array(fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ', '\ud83d\ude00'), { maxLength: 6 })

/** Quoted where it must be, and now and then where it need not. */
const quoted = (field: string, always: boolean) =>
  always || /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field

test('CSV gives back the fields it was made of, wherever its blocks are cut', async (t) => {
  const records = fc.array(fc.tuple(FIELD, FIELD, fc.boolean()), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(records, CUTS, fc.constantFrom('\n', '\r\n'), fc.boolean(), async (rows, cuts, ending, ended) => {
      const text = rows
        .map(([first, second, always]) => `${quoted(first.join(''), true)},${quoted(second.join(''), always)}`)
        .join(ending)
      const bytes = Buffer.from(ended ? text + ending : text)
      for (const [column, index] of [
        ['1', 0],
        ['2', 1],
      ] as const) {
        const found = await keysOf(csvBatches(sourceOf(bytes, cuts), column, 'utf8'))
        t.deepEqual(
          found,
          rows.map((row) => row[index].join('')),
        )
      }
    }),
    { numRuns: 300, seed: SEED },
  )
})

test('blocks of whole lines are the input again, and each but the last ends with a newline', async (t) => {
  const texts = fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n'), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(texts, CUTS, async (parts, cuts) => {
      const bytes = Buffer.from(parts.join(''))
      const blocks: Uint8Array[] = []
      for await (const block of wholeLines(sourceOf(bytes, cuts))) blocks.push(block)
      t.true(Buffer.concat(blocks).equals(bytes))
      t.true(blocks.slice(0, -1).every((block) => block.at(-1) === 0x0a))
    }),
    { numRuns: 300, seed: SEED },
  )
})

/** Rows written to memory. */
async function rowsOf(format: RowFormat, batches: AsyncIterable<Batch>): Promise<string> {
  const written: Buffer[] = []
  const destination: Destination = {
    write: async (bytes) => void written.push(Buffer.from(bytes)),
    finish: async () => {},
    abandon: () => {},
  }
  const rows = new RowWriter(format, destination, { question: 'test' })
  for await (const batch of batches) {
    await rows.add(batch, { text: (row, i) => row.decimal(i), json: (row, i) => row.text(`"row":${i}`) })
  }
  await rows.end()
  return Buffer.concat(written).toString()
}

test('JSON rows hold every key as it was, control characters and lone surrogates too', async (t) => {
  const keys = fc.array(
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  )
  await fc.assert(
    fc.asyncProperty(keys, async (expected) => {
      const input = Buffer.from(expected.map((key) => `${JSON.stringify(key)}\n`).join(''))
      const batches = () => jsonlBatches(sourceOf(input, []), undefined)
      const document = JSON.parse(await rowsOf('json', batches()))
      t.deepEqual(
        document.answers.map((row: { input: string }) => row.input),
        expected,
      )
      t.is(document.count, expected.length)
      const lines = (await rowsOf('jsonl', batches())).split('\n').slice(0, -1)
      t.deepEqual(
        lines.map((line) => JSON.parse(line).input),
        expected,
      )
    }),
    { numRuns: 200, seed: SEED },
  )
})

test('numbers are written as JavaScript writes them', (t) => {
  const rows = new RowBuffer()
  const values = [0, 9, 10, 99, 100, 12345, 2147483647, -1, -10, -2147483648, 4294967295, 1000000000]
  for (const value of values) {
    rows.clear()
    rows.decimal(value)
    t.is(Buffer.from(rows.view()).toString(), String(value))
    rows.clear()
    rows.hex(value >>> 0)
    t.is(Buffer.from(rows.view()).toString(), `0x${(value >>> 0).toString(16).padStart(8, '0')}`)
  }
})

test('a part of a file is refused with the line of the file', (t) => {
  const part = Buffer.from('good\nb\xff\n', 'latin1')
  t.throws(() => TopicSet.fromLines(part, { name: 'names.txt', firstLine: 41 }), {
    message: 'names.txt:42: expected UTF-8, got byte 0xff at column 2',
  })
})

/** A stream of keys in which few are frequent, from a seed. */
function* skewed(count: number, seed: number): Generator<string> {
  let state = seed
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const draw = state / 2 ** 32
    yield draw < 0.3 ? `hot-${Math.floor(draw * 20)}` : `cold-${i}`
  }
}

test('the heaviest keys are found among many in small memory, within the bound that is told', (t) => {
  const [count, counters] = [400_000, 1 << 15]
  const exact = new Map<string, number>()
  const heavy = new HeavyKeys()
  const keys = [...skewed(count, SEED)]
  for (const key of keys) exact.set(key, (exact.get(key) ?? 0) + 1)
  for (let from = 0; from < count; from += 10_000) {
    const some = TopicSet.from(keys.slice(from, from + 10_000))
    heavy.add(
      some,
      Int32Array.from(some, (key) => key.length),
    )
  }
  t.true(heavy.tooLow > 0 && heavy.tooLow <= count / (counters + 1))
  const found = heavy.keys().slice(0, 6)
  t.deepEqual(
    found.map(({ key }) => Buffer.from(key).toString()).sort(),
    [...exact.keys()].filter((key) => key.startsWith('hot')).sort(),
  )
  for (const { key, atLeast, partition } of found) {
    const text = Buffer.from(key).toString()
    t.true(atLeast <= exact.get(text)! && exact.get(text)! <= atLeast + heavy.tooLow)
    t.is(partition, text.length)
  }
})

test('while counters last, counts are exact', (t) => {
  const heavy = new HeavyKeys()
  const keys = ['a', 'b', 'a', 'c', 'a', 'b']
  for (const key of keys) heavy.add(TopicSet.from([key]), Int32Array.of(7))
  t.is(heavy.tooLow, 0)
  t.deepEqual(
    heavy.keys().map(({ key, atLeast }) => [Buffer.from(key).toString(), atLeast]),
    [
      ['a', 3],
      ['b', 2],
    ],
  )
})

test('a table stays inside 100 columns, and of two alike the lower number is told first', (t) => {
  const fill = new Fill(30)
  fill.add(Int32Array.from({ length: 300 }, (_, i) => i % 30))
  fill.add(Int32Array.of(29, 29, 4))
  t.deepEqual(fill.fullest(4), [29, 4, 0, 1])
  const words = { what: 'keys', places: 'partitions by kafka', place: 'partition', all: false, label: String }
  const table = fillTable(fill, { ...words, remark: () => `${'"'.padEnd(43, 'x')}… (1,000,000)` })
  t.true(table.split('\n').every((line) => line.length <= 100))
  t.is(new Fill(3).spread().worstToMean, null)
})

/** A terminal that keeps what is written, and a clock that is set. */
function watched(isTTY: boolean, size: number | null) {
  const written: string[] = []
  const clock = { now: 0 }
  const work = { size, bytesRead: () => 250 }
  const terminal = { isTTY, write: (text: string) => void written.push(text) }
  return { written, clock, progress: new Progress(terminal, work, () => clock.now) }
}

test('progress comes after a second, on a terminal alone, with the rate and the time that is left', (t) => {
  const { written, clock, progress } = watched(true, 1000)
  progress.add(500)
  t.deepEqual(written, [])
  clock.now = 2000
  progress.add(500_500)
  t.deepEqual(written, ['\r\u001b[K501,000 lines, 250,500 a second, 25 %, 6 s left'])
  progress.end()
  t.is(written.at(-1), '\r\u001b[K')
  const quiet = watched(false, 1000)
  quiet.clock.now = 5000
  quiet.progress.add(1)
  quiet.progress.end()
  t.deepEqual(quiet.written, [])
  const pipe = watched(true, null)
  pipe.clock.now = 2000
  pipe.progress.add(10)
  t.deepEqual(pipe.written, ['\r\u001b[K10 lines, 5 a second'])
})
