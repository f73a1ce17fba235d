/**
 * The boundaries of a layout after one of its bundles is cut.
 *
 * Source: Apache Pulsar 5.0.1, 4.2.4, 3.0.7 and 2.10.5, org.apache.pulsar.common.naming.NamespaceBundleFactory.splitBundles.
 * What differs from the obvious: whether a bundle can be cut is asked before whether there is such a bundle; equal parts
 * are counted from its two ends, so that in the last bundle they are one hash short; the last part takes the remainder.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import type { PulsarVersion } from '../types.js'
import { formatRange, type NamespaceBundle, refusalOfRange } from './bundle-range.js'
import { formatLong } from './java-long.js'
import type { Edges } from './layout.js'
import { isSince } from './version.js'

const ILLEGAL_ARGUMENT = 'java.lang.IllegalArgumentException'

/** How a bundle is cut: into so many equal parts, or at these boundaries, in any order. */
export type BundleCut = { readonly into: number } | { readonly boundaries: readonly number[] }

/** The boundaries after, and which bundles of them are new: `[first, first + parts)`. */
export interface SplitEdges {
  readonly edges: number[]
  readonly first: number
  readonly parts: number
}

/** Cuts one bundle of a layout; `null` where the layout has no such bundle. Errors: ERR_PLACEMENT_SPLIT with what Java throws. */
export function splitEdges(
  edges: Edges,
  bundle: NamespaceBundle,
  cut: BundleCut,
  version: PulsarVersion,
): SplitEdges | null {
  checkWidth(bundle, version)
  const inner = 'boundaries' in cut && cut.boundaries.length > 0 ? given(bundle, cut.boundaries, version) : undefined
  const first = edges.findIndex((lower, i) => lower === bundle.lower && edges[i + 1] === bundle.upper)
  if (first < 0) return null
  const between = inner ?? equal(bundle, 'into' in cut ? cut.into : 0)
  checkParts(bundle, between)
  return {
    edges: [...edges.slice(0, first + 1), ...between, ...edges.slice(first + 1)],
    first,
    parts: between.length + 1,
  }
}

function checkWidth(bundle: NamespaceBundle, version: PulsarVersion): void {
  if (bundle.canSplit) return
  const why = isSince(version, '3.0') ? ' since range not larger than 1' : ''
  throw refused(bundle, `${bundle} bundle can't be split further${why}`, 'a bundle of two hashes or more')
}

function given(bundle: NamespaceBundle, boundaries: readonly number[], version: PulsarVersion): number[] {
  const sorted = boundaries.map(checkBoundary).sort((a, b) => a - b)
  if (sorted[0]! > bundle.lower && sorted.at(-1)! < bundle.upper) return sorted
  const word = isSince(version, '3.0') ? 'keys' : 'key'
  const expected = `boundaries above ${formatLong(bundle.lower)} and below ${formatLong(bundle.upper)}`
  const text = `The given fixed ${word} must between the key range of the ${bundle} bundle`
  throw refused(bundle, text, `${expected}, got ${sorted.map(formatLong).join(', ')}`)
}

const checkBoundary = (boundary: number, i: number): number =>
  checkInteger(boundary, `boundaries[${i}]`, [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])

function equal({ lower, upper }: NamespaceBundle, into: number): number[] {
  if (into === 0) {
    throw codedError('ERR_PLACEMENT_SPLIT', 'into: expected an integer in [1, 2147483647], got 0', {
      javaClass: 'java.lang.ArithmeticException',
      javaMessage: '/ by zero',
    })
  }
  const parts = checkInteger(into, 'into', [1, 2 ** 31 - 1])
  // More parts than hashes would only build a long list to be refused.
  const width = Math.floor((upper - lower) / parts)
  return width === 0 ? [lower] : Array.from({ length: parts - 1 }, (_, i) => lower + (i + 1) * width)
}

/** No part may be empty. */
function checkParts(bundle: NamespaceBundle, between: readonly number[]): void {
  const ends = [bundle.lower, ...between, bundle.upper]
  for (let i = 1; i < ends.length; i++) {
    const [lower, upper] = [ends[i - 1]!, ends[i]!]
    const text = refusalOfRange({ lower, upper, upperClosed: i === ends.length - 1 && bundle.upperClosed })
    if (text !== null) throw refused(bundle, text, `boundaries that differ, got ${formatLong(upper)} twice`)
  }
}

function refused(bundle: NamespaceBundle, javaMessage: string, expected: string): Error {
  // Without a namespace the text would name a bundle that no broker has.
  const isExact = bundle.namespace !== null || !javaMessage.includes(bundle.range)
  const message = `${bundle}: expected ${expected} (Pulsar: ${javaMessage})`
  return codedError('ERR_PLACEMENT_SPLIT', message, {
    javaClass: ILLEGAL_ARGUMENT,
    ...(isExact ? { javaMessage } : {}),
  })
}

/** The two parts of a bundle, as the extensible load manager makes them. Errors: ERR_PLACEMENT_SPLIT with what Java throws. */
export function childRanges(bundle: NamespaceBundle, boundary: number): readonly [string, string] {
  for (const [lower, upper, upperClosed] of [
    [bundle.lower, boundary, false],
    [boundary, bundle.upper, bundle.upperClosed],
  ] as const) {
    const closes = upper === 0xffffffff || upperClosed
    const text =
      lower > upper
        ? `Invalid range: [${lower}..${upper}${closes ? ']' : ')'}`
        : refusalOfRange({ lower, upper, upperClosed: closes })
    if (text !== null) throw refused(bundle, text, `a boundary inside the bundle, got ${shown(boundary)}`)
  }
  return [formatRange(bundle.lower, boundary), formatRange(boundary, bundle.upper)]
}
