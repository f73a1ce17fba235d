/** Questions to the Pulsar jars: bundle layouts even, uneven and broken, topics on their boundaries, ranges as text. */
import type { Chance } from '../chance.js'
import { nameOfCrc32 } from '../crc-names.js'
import { type Draw, listOf, type Question, whole } from '../question.js'

const LAST = 0xffffffff
const TOPICS_A_LINE = 48
const RANGES_A_LINE = 16

const SMALL_COUNTS = [1, 2, 3, 4, 5, 7, 9, 10, 12, 16, 31, 32, 33, 57, 60, 64, 100, 120, 128]
const LARGE_COUNTS = [1000, 4095, 4096, 4097, 65535, 65536, 65537]
const ODD_NUMBERS = [
  '',
  'x',
  '0x',
  '-1',
  '0x100000000',
  '0x1ffffffffffffffff',
  '08',
  ' 0x1',
  '0x1 ',
  '1_0',
  '+',
  '-0x1',
  '\u0663',
  '0x1fffffffffffff',
]
const ODD_RANGES = [
  '',
  '_',
  '__',
  '0x0',
  '0x0-0x1',
  '0x0_0x1_0x2',
  '0x8_0x8',
  '0x10_0x8',
  '0xffffffff_0xffffffff',
  '0x00000000_0xffffffff',
]
const ODD_DOCUMENTS = [
  '',
  '{}',
  '[]',
  'null',
  '{"boundaries":null}',
  '{"boundaries":"x"}',
  '{"boundaries":[1,2]}',
  '{"numBundles":1.5}',
  '{"unknown":1}',
  '{"numBundles":4294967296}',
  '{"numBundles":"7"}',
]
const FOREIGN = [
  'persistent://public/other/t',
  'x/y/z',
  'persistent://public/default',
  't',
  'PERSISTENT://public/default/my-topic',
  'topic://public/default/x',
  'persistent://a/c1/b/t',
]

export const bundles: Draw = (chance) => chance.pick(ASKED)(chance)

const ASKED: readonly ((chance: Chance) => Question)[] = [
  find,
  find,
  counts,
  (chance) => whole({ op: 'bundles', namespace: namespace(chance), ...layout(chance) }),
  (chance) => whole({ op: 'bundles', namespace: namespace(chance), boundaries: broken(chance, boundaries(chance)) }),
  (chance) => whole({ op: 'bundles', namespace: namespace(chance), boundaries: broken(chance, boundaries(chance)) }),
  (chance) =>
    listOf({ op: 'bundle-parse', namespace: namespace(chance), ranges: ranges(chance, boundaries(chance)) }, 'ranges'),
  includes,
  validate,
  (chance) =>
    listOf(
      { op: 'bundle-compare', pairs: chance.times(RANGES_A_LINE, () => [bundle(chance), bundle(chance)]) },
      'pairs',
    ),
  (chance) => listOf({ op: 'bundle-key', keys: chance.times(RANGES_A_LINE, () => bundle(chance).join('/')) }, 'keys'),
  (chance) =>
    listOf({ op: 'bundles-data-validate', boundaries: chance.times(8, () => doubtful(chance)) }, 'boundaries'),
  (chance) => listOf({ op: 'bundles-data-json', texts: chance.times(8, () => document(chance)) }, 'texts'),
]

function find(chance: Chance): Question {
  const namespace = chance.pick(['public/default', 'a/b', 'pulsar/system'])
  const made = chance.odds(0.5) ? { numBundles: bundleCount(chance) } : { boundaries: boundaries(chance) }
  const starts = 'boundaries' in made ? made.boundaries.map(Number) : evenStarts(made.numBundles)
  const topics = chance.times(TOPICS_A_LINE, () => topic(chance, namespace, starts))
  return listOf({ op: 'find-bundle', namespace, ...made, topics }, 'topics')
}

/** On a boundary, one beside it, at an end of the hash range, anywhere, or of another namespace. */
function topic(chance: Chance, namespace: string, starts: readonly number[]): string {
  if (chance.odds(0.05)) return chance.pick(FOREIGN)
  const prefix = `${chance.pick(['persistent', 'non-persistent'])}://${namespace}/${chance.text(chance.between(0, 3), 'word')}`
  if (chance.odds(0.4)) return `${prefix}${chance.text(chance.between(1, 24)).replaceAll('/', '-')}x`
  const at = chance.odds(0.1) ? chance.pick([0, LAST, LAST - 1]) : chance.pick(starts) + chance.between(-1, 1)
  return nameOfCrc32(prefix, at >>> 0)
}

function counts(chance: Chance): Question {
  if (chance.odds(0.2)) {
    return listOf(
      { op: 'bundles-of-count', counts: chance.times(4, () => chance.pick(LARGE_COUNTS)), summary: true },
      'counts',
    )
  }
  const count = () =>
    chance.odds(0.1) ? chance.pick([0, -1, -2147483648]) : chance.pick([...SMALL_COUNTS, chance.between(1, 300)])
  return listOf({ op: 'bundles-of-count', counts: chance.times(6, count) }, 'counts')
}

function includes(chance: Chance): Question {
  const edges = boundaries(chance)
  const topics = chance.times(12, () => topic(chance, 'public/default', edges.map(Number)))
  return listOf({ op: 'bundle-includes', namespace: 'public/default', ranges: ranges(chance, edges), topics }, 'ranges')
}

function validate(chance: Chance): Question {
  const edges = boundaries(chance)
  return listOf({ op: 'bundle-validate', namespace: 'a/b', boundaries: edges, ranges: ranges(chance, edges) }, 'ranges')
}

const namespace = (chance: Chance): string =>
  chance.odds(0.95) ? chance.pick(['a/b', 'public/default']) : chance.pick(['a', 'a/b/c', 'a$/b', ''])

const bundleCount = (chance: Chance): number =>
  chance.odds(0.7) ? chance.pick(SMALL_COUNTS) : chance.odds(0.9) ? chance.between(1, 3000) : chance.pick(LARGE_COUNTS)

const layout = (chance: Chance) =>
  chance.odds(0.3) ? { numBundles: chance.between(1, 64) } : { boundaries: boundaries(chance) }

const evenStarts = (n: number): number[] => Array.from({ length: n }, (_, i) => i * Math.floor(0x100000000 / n))

/** Ascending, from 0 to 0xffffffff, some right beside another. */
function boundaries(chance: Chance): string[] {
  const inner = new Set<number>()
  const wished = chance.odds(0.9) ? chance.between(0, 12) : chance.between(13, 200)
  for (let at = 1; inner.size < wished; inner.add(at)) {
    at = chance.odds(0.15) ? Math.min(LAST - 1, at + 1) : chance.between(1, LAST - 1)
  }
  return [0, ...[...inner].sort((a, b) => a - b), LAST].map(padded)
}

/** One thing wrong, or a number that is merely written otherwise. */
function broken(chance: Chance, edges: readonly string[]): string[] {
  const at = chance.between(0, edges.length - 1)
  const style = chance.between(0, 5)
  if (style === 0) return edges.toSpliced(at, 1)
  if (style === 1) return edges.toSpliced(at, 0, edges[at]!)
  if (style === 2) return edges.toSpliced(at, 1, chance.pick(ODD_NUMBERS))
  if (style === 3) return chance.shuffled(edges)
  if (style === 4) return edges.slice(0, at)
  return edges.map((text) => written(chance, Number(text)))
}

const doubtful = (chance: Chance): string[] => {
  const made = chance.odds(0.5) ? boundaries(chance) : broken(chance, boundaries(chance))
  return made.length === 0 ? ['0x0'] : made
}

/** Bundles of the layout, neighbours joined, ranges at random, and what is no range. */
function ranges(chance: Chance, edges: readonly string[]): string[] {
  return chance.times(RANGES_A_LINE, () => {
    const at = chance.between(0, edges.length - 2)
    const style = chance.between(0, 5)
    if (style < 2) return `${edges[at]}_${edges[at + 1]}`
    if (style === 2) return `${edges[at]}_${chance.pick(edges)}`
    if (style === 3)
      return `${written(chance, chance.uint32())}_${written(chance, chance.odds(0.3) ? LAST : chance.uint32())}`
    if (style === 4) return chance.pick(ODD_RANGES)
    return `${chance.pick([...ODD_NUMBERS, padded(chance.uint32())])}_${chance.pick([...ODD_NUMBERS, padded(LAST)])}`
  })
}

const bundle = (chance: Chance): [string, string] => {
  const [a, b] = [chance.uint32(), chance.uint32()].sort((x, y) => x - y) as [number, number]
  const range = chance.odds(0.5)
    ? `${padded(a)}_${padded(b)}`
    : chance.pick(['0x00000000_0x80000000', '0x80000000_0xffffffff', ...ODD_RANGES])
  return [chance.pick(['a/b', 'a/b', 'a/c', 'a/c1/b']), range]
}

function document(chance: Chance): string {
  if (chance.odds(0.2)) return chance.pick(ODD_DOCUMENTS)
  const edges = doubtful(chance)
  const numBundles = chance.odds(0.7) ? edges.length - 1 : chance.between(-1, 20)
  return JSON.stringify(chance.odds(0.2) ? { boundaries: edges } : { boundaries: edges, numBundles })
}

const padded = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`

/** A number in one of the ways that Java's `Long.decode` reads. */
const written = (chance: Chance, value: number): string =>
  chance.pick([
    padded(value),
    `0x${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `#${value.toString(16)}`,
    String(value),
    `0${value.toString(8)}`,
    `+${value}`,
  ])
