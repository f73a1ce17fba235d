/**
 * The keys that are measured: named, made from a seed, and the nasty ones with the reason they are nasty.
 *
 * Every string is flat, as `JSON.parse`, `fs` and sockets deliver it. A string that was just concatenated is a tree of its
 * parts: the first reader pays for flattening it, the second one reads an array, and whoever is measured second wins
 * (`concatenated` shows it; it is measured nowhere else).
 */

/** A stream of pseudo-random numbers in `[0, 1)`, the same for the same seed on every machine (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A named way to make keys. */
export interface Corpus {
  readonly name: string
  /** What it stands for, or why it is nasty. */
  readonly why: string
  readonly make: (count: number) => string[]
}

const SEED = 20260101
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789-'
/** One-byte, two-byte, three-byte and four-byte characters; the second is one byte a unit inside V8, two in UTF-8. */
const WIDE = ['zürich', 'łódź', '東京', 'заказ', '🚚', 'ñandú']

type Random = () => number

function below(random: Random, end: number): number {
  return Math.floor(random() * end)
}

function word(random: Random, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += LETTERS[below(random, LETTERS.length)]
  return text
}

/** The same text in memory of its own, one flat piece: a decoder writes no trees. */
export function flat(text: string): string {
  const bytes = Buffer.from(text)
  return bytes.length === text.length ? bytes.toString('latin1') : bytes.toString('utf8')
}

function corpus(name: string, why: string, key: (random: Random, index: number) => string): Corpus {
  return {
    name,
    why,
    make: (count) => {
      const random = seeded(SEED)
      return Array.from({ length: count }, (_, index) => flat(key(random, index)))
    },
  }
}

/** Full topic names of 33 to 45 ASCII characters: what docs/performance.md calls a key where it says nothing. */
export const TOPICS = corpus('topics', 'full topic names of 33 to 45 ASCII characters', (random) => topic(random))

function topic(random: Random): string {
  return `persistent://t/ns/${word(random, 15 + below(random, 13))}`
}

export const RECORD_KEYS = corpus('record-keys', 'short ids of 8 to 16 characters, as most record keys are', (random) =>
  word(random, 8 + below(random, 9)),
)

export const COLUMN_KEYS = corpus('20 to 60 bytes', 'what rows 5 to 7 are defined over', (random) =>
  word(random, 20 + below(random, 41)),
)

export const EQUAL = corpus('equal', 'all of 36 characters, as UUIDs: lanes never idle', (random) => word(random, 36))

export const MIXED = corpus(
  'mixed',
  'lengths 1 to 300: in a group of lanes the longest key keeps the others waiting',
  (random) => word(random, 1 + below(random, 300)),
)

export const FOUR = corpus('four', 'all of 4 bytes: nothing but the cost of a key itself', (random) => word(random, 4))

export const LONG = corpus('long', 'all of 4,096 bytes: nothing but the cost of a byte', (random) =>
  word(random, 64).repeat(64),
)

export const NON_ASCII = corpus(
  'non-ascii',
  'one name in eight is not ASCII: bytes are no longer characters, and a batch that holds one leaves the short road',
  (random, index) => (index % 8 === 5 ? `${topic(random)}-${WIDE[below(random, WIDE.length)]}` : topic(random)),
)

export const ALL_WIDE = corpus('all-wide', 'every name holds characters of 2, 3 or 4 bytes', (random) => {
  const [first, second] = [WIDE[below(random, WIDE.length)], WIDE[below(random, WIDE.length)]]
  return `persistent://t/${first}/${second}-${word(random, 8)}`
})

export const SORTED: Corpus = {
  name: 'sorted',
  why: 'in order, as listings are: neighbours share most of their bytes',
  make: (count) => TOPICS.make(count).sort(),
}

export const LONE: Corpus = {
  name: 'lone',
  why: 'one name in a thousand ends in a lone surrogate: Java hashes `?` there, and no encoder of Node.js writes it',
  // A decoder never makes a lone surrogate, so these few strings are joined by hand and flattened by the first reading.
  make: (count) => TOPICS.make(count).map((name, index) => (index % 1000 === 7 ? flattened(`${name}\ud800`) : name)),
}

export const CONCATENATED: Corpus = {
  name: 'concatenated',
  why: 'names put together just now: trees, flattened by their first reader. For a single look, never for rounds',
  make: (count) => TOPICS.make(count).map((name) => `${name}-partition-${name.length}`),
}

/** Flat although it holds a lone surrogate: UTF-16 bytes decoded as such. */
function flattened(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

/** All corpora that may be measured in rounds. */
export const CORPORA: readonly Corpus[] = [
  TOPICS,
  RECORD_KEYS,
  COLUMN_KEYS,
  EQUAL,
  MIXED,
  FOUR,
  LONG,
  NON_ASCII,
  ALL_WIDE,
  SORTED,
  LONE,
]

/** ASCII keys of exactly that length, flat. */
export function keysOfLength(count: number, length: number): string[] {
  const random = seeded(SEED + length)
  return Array.from({ length: count }, () => flat(word(random, length)))
}
