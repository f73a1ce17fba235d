/** Hash → range: the caller's own boundaries, and the index behind them, on both engines and against a linear walk. */
import test from 'ava'
import fc from 'fast-check'
import { engine } from '../src/engine/index.js'
import { rangeIndex } from '../src/fallback/pulsar/bundles.js'
import { RangeTable } from '../src/pulsar/range-table.js'
import { ENGINES, onEngine } from './engines.js'
import { refusalOf } from './refusal.js'

const SEED = 20261130
const LAST = 0xffffffff

/** The definition: range `i` starts at `boundaries[i]`, and the last one holds the last boundary too. */
function walk(boundaries: ArrayLike<number>, hash: number): number {
  let range = 0
  while (range + 2 < boundaries.length && boundaries[range + 1]! <= hash) range++
  return range
}

/** Every boundary, its neighbours, and some between. */
function probes(boundaries: ArrayLike<number>): Uint32Array {
  const near = Array.from(boundaries).flatMap((b) => [b - 1, b, b + 1])
  const between = Array.from({ length: 500 }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 0)
  return Uint32Array.from([...near.filter((hash) => hash >= 0 && hash <= LAST), ...between])
}

/** Boundaries of `ranges` equal ranges, the last one wider, as Pulsar cuts them. */
function even(ranges: number): number[] {
  const width = Math.floor(2 ** 32 / ranges)
  return [...Array.from({ length: ranges }, (_, i) => i * width), LAST]
}

function sameAsWalk(boundaries: readonly number[], hashes: Uint32Array): boolean {
  const expected = Uint32Array.from(hashes, (hash) => walk(boundaries, hash))
  return ENGINES.every((name) =>
    onEngine(name, () => {
      const table = new RangeTable(boundaries)
      const many = table.indexOf(hashes)
      return many.every((range, i) => range === expected[i]) && hashes.every((h, i) => table.indexOf(h) === expected[i])
    }),
  )
}

const SHAPES: Record<string, number[]> = {
  'one range': [0, LAST],
  'two ranges parted at 1': [0, 1, LAST],
  'two ranges parted before the last hash': [0, LAST - 1, LAST],
  'two equal ranges': even(2),
  'two nearly equal ranges': [0, 0x80000001, LAST],
  '2^16 equal ranges': even(65536),
  '3 equal ranges': even(3),
  '57 equal ranges': even(57),
  '65,537 equal ranges': even(65537),
  'equal ranges with one split': [...even(64).slice(0, 10), 0x26000000, ...even(64).slice(10)],
  'all inside one cell of the table': [0, ...Array.from({ length: 3000 }, (_, i) => 0x40000000 + i), LAST],
  'all at the end': [...Array.from({ length: 100 }, (_, i) => (i === 0 ? 0 : LAST - 200 + i)), LAST],
}

for (const [shape, boundaries] of Object.entries(SHAPES)) {
  test(`${shape}: every boundary, its neighbours and hashes between are where a walk finds them`, (t) => {
    t.true(sameAsWalk(boundaries, probes(boundaries.length < 5000 ? boundaries : boundaries.slice(-300))))
  })
}

test('random boundaries, close or wide: the range is the one that a walk finds', (t) => {
  const hash = fc.integer({ min: 0, max: LAST })
  const close = fc
    .tuple(hash, fc.uniqueArray(fc.nat(300), { minLength: 1 }))
    .map(([at, steps]) => steps.map((s) => at + s))
  const inner = fc.oneof(fc.array(hash, { maxLength: 200 }), close)
  t.notThrows(() =>
    fc.assert(
      fc.property(inner, fc.array(hash), (some, hashes) => {
        const sorted = [...new Set(some)].filter((b) => b > 0 && b < LAST).sort((a, b) => a - b)
        const boundaries = [0, ...sorted, LAST]
        return sameAsWalk(boundaries, Uint32Array.from([...hashes, ...probes(boundaries)]))
      }),
      { numRuns: 200, seed: SEED },
    ),
  )
})

test('B18: 0xffffffff lies in the last range, 0xc0000000 in the one of four that starts there', (t) => {
  for (const name of ENGINES) {
    onEngine(name, () => {
      const table = new RangeTable(even(4))
      t.is(table.indexOf(LAST), 3)
      t.is(table.indexOf(0xc0000000), 3)
      t.is(table.indexOf(0xbfffffff), 2)
      t.deepEqual(table.indexOf(Uint32Array.of(LAST, 0xc0000000, 0xbfffffff, 0)), Uint32Array.of(3, 3, 2, 0))
    })
  }
})

test('the index of a column hashes and looks up in one pass, and tells the first bad offset', (t) => {
  const values = new TextEncoder().encode('??a123456789')
  for (const name of ENGINES) {
    onEngine(name, () => {
      const index = engine().rangeIndex(Uint32Array.of(0, 0xcbf43926, 0xe8b7be43))
      const out = new Uint32Array(3)
      const column = { values, offsets: Int32Array.of(2, 2, 3, 12), length: 3 }
      t.is(index.ofPacked(column, out, 1), -1)
      t.deepEqual(out, Uint32Array.of(0, 2, 1), 'crc32 of the empty text, of a, of 123456789')
      out.fill(9)
      t.is(index.ofPacked({ ...column, offsets: Int32Array.of(2, 3, 2, 12) }, out, 1), 2)
      t.deepEqual(out, Uint32Array.of(9, 9, 9), 'nothing is written')
    })
  }
})

test('a result array of the caller is filled as far as the hashes go', (t) => {
  for (const name of ENGINES) {
    onEngine(name, () => {
      const out = new Uint32Array(4).fill(7)
      t.is(new RangeTable(even(2)).indexOf(Uint32Array.of(0, LAST), { out }), out)
      t.deepEqual(out, Uint32Array.of(0, 1, 7, 7))
    })
  }
})

test('a table keeps its boundaries when the caller changes the array', (t) => {
  const given = Uint32Array.of(0, 10, LAST)
  const table = new RangeTable(given)
  given[1] = 20
  t.is(table.indexOf(15), 1)
  t.deepEqual(table.boundaries, Uint32Array.of(0, 10, LAST))
  t.is(table.length, 2)
})

test('an index over starts looks up one hash as it looks up many', (t) => {
  const index = rangeIndex(Uint32Array.of(0, 5, 0x80000000))
  t.deepEqual([4, 5, 0x7fffffff, 0x80000000, LAST].map(index.one), [0, 1, 1, 2, 2])
})

const WRONG: [string, unknown, string][] = [
  [
    'too few',
    [0],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected at least 2 boundaries, got 1 [index 1]',
  ],
  ['none', [], 'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[0]: expected at least 2 boundaries, got 0 [index 0]'],
  [
    'unsorted',
    [0, 9, 8, LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[2]: expected more than the boundary before, 9, got 8 [index 2]',
  ],
  [
    'repeated',
    [0, 8, 8, LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[2]: expected more than the boundary before, 8, got 8 [index 2]',
  ],
  [
    'not from 0',
    [1, LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[0]: expected 0, so that the first range covers the smallest hash, got 1 [index 0]',
  ],
  [
    'not to the end',
    [0, LAST - 1],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected 0xffffffff, so that the last range covers the largest hash, got 4294967294 [index 1]',
  ],
  [
    'beyond 32 bits',
    [0, 0x100000000],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected an integer in [0, 0xffffffff], got 4294967296 [index 1]',
  ],
  [
    'NaN',
    [0, Number.NaN, LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected an integer in [0, 0xffffffff], got NaN [index 1]',
  ],
  [
    'a fraction',
    [0, 1.5, LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected an integer in [0, 0xffffffff], got 1.5 [index 1]',
  ],
  [
    'negative',
    [-1, LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[0]: expected an integer in [0, 0xffffffff], got -1 [index 0]',
  ],
  [
    'text',
    [0, '0x80000000', LAST],
    'RangeError ERR_PLACEMENT_BOUNDARIES: boundaries[1]: expected an integer in [0, 0xffffffff], got "0x80000000" [index 1]',
  ],
  [
    'no list',
    'abc',
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: boundaries: expected an array or a Uint32Array, got "abc"',
  ],
]

for (const [what, boundaries, refusal] of WRONG) {
  test(`boundaries are refused with their index: ${what}`, (t) => {
    t.is(
      refusalOf(() => new RangeTable(boundaries as number[])),
      refusal,
    )
  })
}

test('hashes and result arrays are refused by what is wrong with them', (t) => {
  const table = new RangeTable([0, LAST])
  const hashes = new Uint32Array(4)
  const of = (asked: unknown, into?: unknown) => refusalOf(() => table.indexOf(asked as Uint32Array, into as object))
  t.is(of(-1), 'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: hash: expected an integer in [0, 4294967295], got -1')
  t.is(of(1.5), 'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: hash: expected an integer in [0, 4294967295], got 1.5')
  t.is(of([1, 2]), 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: hashes: expected a number or a Uint32Array, got an Array')
  t.is(
    of(hashes, { out: new Uint32Array(3) }),
    'RangeError ERR_PLACEMENT_OUTPUT: out: expected room for 4 items, got 3',
  )
  t.is(
    of(hashes, { out: new Int32Array(4) }),
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: out: expected a Uint32Array, got an Int32Array',
  )
  t.is(
    of(hashes.subarray(0, 3), { out: hashes.subarray(1) }),
    'RangeError ERR_PLACEMENT_OUTPUT: out: expected memory of its own, got an array over the hashes',
  )
})
