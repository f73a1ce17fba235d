/** JSON as Jackson reads it: what JSON.parse reads is the same, wherever the blocks are cut; what is refused has its place. */
import test from 'ava'
import fc from 'fast-check'
import { JsonReader, OtherNumber } from '../src/kafka/json-reader.js'
import { type JsonTree, readTree, shownTree } from '../src/kafka/json-tree.js'
import { refusalOf } from './refusal.js'

const SEED = 20261201

/** A text in blocks of these lengths, the rest at once. */
function readerOf(text: string, cuts: readonly number[]): JsonReader {
  const blocks: string[] = []
  let from = 0
  for (const cut of cuts) {
    blocks.push(text.slice(from, from + cut))
    from += cut
  }
  blocks.push(text.slice(from))
  return new JsonReader(() => blocks.shift() ?? null)
}

function plain(tree: JsonTree | undefined): unknown {
  if (tree instanceof OtherNumber) return Number(tree.text.replaceAll('"', ''))
  if (Array.isArray(tree)) return tree.map(plain)
  return tree instanceof Map ? Object.fromEntries([...tree].map(([name, value]) => [name, plain(value)])) : tree
}

test('what JSON.parse reads is read alike, wherever the blocks are cut', (t) => {
  fc.assert(
    fc.property(
      fc.json({ stringUnit: 'binary' }),
      fc.array(fc.nat(9), { maxLength: 40 }),
      fc.nat(2),
      (json, cuts, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        t.deepEqual(plain(readTree(readerOf(text, cuts))), JSON.parse(text))
      },
    ),
    { numRuns: 500, seed: SEED },
  )
})

test('spoilt text that JSON.parse reads all the same is read alike', (t) => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(200),
      fc.constantFrom('', '{', '}', '"', ',', 'x', '\\', '\n', '1'),
      (json, at, put) => {
        const text = json.slice(0, at) + put + json.slice(at + 1)
        let parsed: unknown
        try {
          parsed = JSON.parse(text)
        } catch {
          return
        }
        t.deepEqual(plain(readTree(JsonReader.of(text))), parsed)
      },
    ),
    { numRuns: 2000, seed: SEED },
  )
})

test('a number that is no 32-bit integer is told apart, as Java prints it', (t) => {
  const shown = ['1', '-0', '2147483648', '1.0', '1e0', '1e7', '0.0001', '1e400', '-1.5e-9'].map((text) =>
    shownTree(readTree(JsonReader.of(`[${text}]`))),
  )
  t.deepEqual(shown, [
    '[1]',
    '[0]',
    '[2147483648]',
    '[1.0]',
    '[1.0]',
    '[1.0E7]',
    '[1.0E-4]',
    '["Infinity"]',
    '[-1.5E-9]',
  ])
})

test('numbers have 1,000 digits at most, counted as Jackson counts them', (t) => {
  const ones = (count: number) => '1'.repeat(count)
  // As Kafka 4.4.0 says (op parseReassignment): a zero in front counts where both a fraction and an exponent follow.
  for (const number of [
    ones(1001),
    `1.${ones(1000)}`,
    `-${ones(1000)}.5`,
    `1e${ones(1000)}`,
    `0.${ones(1001)}`,
    `0e${ones(1001)}`,
    `0.5e${ones(999)}`,
  ]) {
    t.regex(
      refusalOf(() => readTree(JsonReader.of(`[${number}]`))),
      /Number value length \(1001\)/,
    )
  }
  for (const number of [ones(1000), `1.${ones(999)}`, `0.${ones(1000)}`, `0e${ones(1000)}`, `0.5e${ones(998)}`]) {
    t.notThrows(() => readTree(JsonReader.of(`[${number}]`)))
  }
})

test('an error names line and column, in any block', (t) => {
  const text = '{\r\n"a":\r[1,\n 2 3]}'
  for (let cut = 0; cut <= text.length; cut++) {
    t.is(
      refusalOf(() => readTree(readerOf(text, [cut]))),
      "RangeError ERR_PLACEMENT_INPUT: line 4, column 4: Unexpected character ('3' (code 51)): was expecting comma to separate Array entries",
    )
  }
})
