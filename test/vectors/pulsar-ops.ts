/** The ops of the families crc32, murmur3, java-string-hash and bundles, put to the public API. */
import { HASHES } from '../../src/fallback/hash/index.js'
import { hash } from '../../src/hash.js'
import { type BundleKey, NamespaceBundle, parseBundleKey } from '../../src/pulsar/bundle-range.js'
import { NamespaceBundles } from '../../src/pulsar/bundles.js'
import { readBundlesData, validateBundlesData, writeBundlesData } from '../../src/pulsar/bundles-data.js'
import type { PulsarVersion } from '../../src/types.js'
import { type Answer, answersOf, asMany, type Ops } from './answer.js'

/** Keys as text, or as bytes in hexadecimal. */
type Keys = { readonly strings: readonly string[] } | { readonly bytes: readonly string[] }

interface Layout {
  readonly namespace: string
  readonly boundaries?: readonly string[]
  readonly numBundles?: number
}

interface Counts {
  readonly counts: readonly number[]
  readonly summary?: boolean
}

interface Ranges {
  readonly namespace: string
  readonly ranges: readonly string[]
}

type Pair = readonly [readonly [string, string], readonly [string, string]]

export const PULSAR_OPS = {
  crc32: (request: Keys) => ({ hashes: asMany(keysOf(request), hash.crc32) }),
  murmur3: (request: Keys) => {
    const masked = asMany(keysOf(request), hash.murmur3).map((h) => h & 0x7fffffff)
    return { broker: masked, client: masked }
  },
  'java-string-hash': (request: Keys) => ({
    hashes: asMany(keysOf(request), hash.javaString).map((h) => h & 0x7fffffff),
  }),
  'bundles-of-count': ({ counts, summary }: Counts) =>
    answersOf(counts, (n) => dataOf(NamespaceBundles.even(n), summary)),
  bundles: (layout: Layout, version: PulsarVersion) => described(layoutOf(layout, version)),
  'find-bundle': (request: Layout & { topics: readonly string[] }, version: PulsarVersion) =>
    foundIn(layoutOf(request, version), request.topics),
  'bundle-parse': ({ namespace, ranges }: Ranges, version: PulsarVersion) =>
    answersOf(ranges, (range) => partsOf(NamespaceBundle.parse(namespace, range, { version }))),
  'bundle-includes': ({ namespace, ranges, topics }: Ranges & { topics: readonly string[] }, version: PulsarVersion) =>
    answersOf(ranges, (range) => {
      const bundle = NamespaceBundle.parse(namespace, range, { version })
      return topics.map((topic) => bundle.includes(topic))
    }),
  'bundle-compare': ({ pairs }: { pairs: readonly Pair[] }, version: PulsarVersion) =>
    answersOf(pairs, (pair) => compared(pair, version)),
  'bundle-validate': (request: Layout & Ranges, version: PulsarVersion) => {
    const bundles = layoutOf(request, version)
    return answersOf(request.ranges, (range) => bundles.validateBundle(range) >= 0)
  },
  'bundle-key': ({ keys }: { keys: readonly string[] }, version: PulsarVersion) =>
    answersOf(keys, (key): BundleKey => parseBundleKey(key, { version })),
  'bundles-data-validate': ({ boundaries }: { boundaries: readonly string[][] }) =>
    answersOf(boundaries, (some) => validateBundlesData({ boundaries: some, numBundles: some.length - 1 })),
  'bundles-data-json': ({ texts }: { texts: readonly string[] }) =>
    answersOf(texts, (text) => {
      const data = readBundlesData(text)
      return { ...data, json: writeBundlesData(data) }
    }),
  'bundle-largest': (request: Layout & { topics: readonly string[] }, version: PulsarVersion) => {
    const bundles = layoutOf(request, version)
    return { bundle: bundles.largestBundle(request.topics)?.range ?? null, of: bundles.length }
  },
} satisfies Ops

/** Ops that ask no engine. */
export const PULSAR_TYPESCRIPT_ONLY: readonly (keyof typeof PULSAR_OPS)[] = [
  'bundles-of-count',
  'bundles',
  'bundle-parse',
  'bundle-includes',
  'bundle-compare',
  'bundle-validate',
  'bundle-key',
  'bundles-data-validate',
  'bundles-data-json',
]

function keysOf(request: Keys): readonly string[] | readonly Uint8Array[] {
  return 'strings' in request ? request.strings : request.bytes.map((hex) => Buffer.from(hex, 'hex'))
}

function layoutOf({ namespace, boundaries, numBundles }: Layout, version: PulsarVersion): NamespaceBundles {
  const options = { namespace, version }
  return boundaries === undefined
    ? NamespaceBundles.even(numBundles!, options)
    : NamespaceBundles.fromBoundaries(boundaries, options)
}

/** A long layout is given by its ends and a CRC-32 of its boundaries. */
function dataOf(bundles: NamespaceBundles, summary = false): unknown {
  const data = bundles.toData()
  if (!summary) return data
  const { boundaries, numBundles } = data
  return {
    numBundles,
    first: boundaries.slice(0, 3),
    last: boundaries.slice(-3),
    crc32: HASHES.crc32.ofString(boundaries.join(',')) >>> 0,
  }
}

function described(bundles: NamespaceBundles): unknown {
  return {
    data: bundles.toData(),
    size: bundles.length,
    full: bundles.fullBundle.toString(),
    bundles: Array.from({ length: bundles.length }, (_, i) => bundles.bundle(i).toString()),
  }
}

/** The broker's look-up of each topic; what it finds, the bulk look-up of the engine must find too. */
function foundIn(bundles: NamespaceBundles, topics: readonly string[]): (Answer | undefined)[] {
  const answers = answersOf(topics, (topic) => bundles.findBundle(topic).range)
  const found = topics.flatMap((topic, i) => (answers[i] !== undefined && 'ok' in answers[i] ? [{ topic, i }] : []))
  if (!bundles.range(0).startsWith('0x00000000_')) return answers
  bundles.bundleOf(found.map(({ topic }) => topic)).forEach((range, k) => {
    const answer = answers[found[k]!.i] as { ok: unknown }
    if (answer.ok !== range) answers[found[k]!.i] = { ok: `${answer.ok}, but in bulk ${range}` }
  })
  return answers
}

function partsOf(bundle: NamespaceBundle): unknown {
  const { range, lower, upper, upperClosed, canSplit, isFull } = bundle
  return { bundle: bundle.toString(), range, lower, upper, upperClosed, canSplit, full: isFull }
}

function compared([left, right]: Pair, version: PulsarVersion): unknown {
  const [a, b] = [NamespaceBundle.parse(...left, { version }), NamespaceBundle.parse(...right, { version })]
  return { equals: a.equals(b), compare: a.compareTo(b) }
}
