/**
 * The broker's own look-ups in a layout, defects included, for `findBundle` and `validateBundle`.
 *
 * Source: Apache Pulsar 5.0.1, 4.2.4, 3.0.7 and 2.10.5, org.apache.pulsar.common.naming.NamespaceBundles.findBundle and
 * validateBundle, over java.util.Arrays.binarySearch.
 * The defect: the boundaries are N + 1, the bundles N. What equals the last boundary, 0xffffffff, is found at N, where there
 * is no bundle, though the last bundle's range is closed; and what lies below the first is found at -1.
 */
import { codedError } from '../errors.js'
import type { PulsarVersion } from '../types.js'
import type { NamespaceBundle } from './bundle-range.js'
import type { Edges } from './layout.js'
import { isSince } from './version.js'

/** What a look-up needs of a layout. */
export interface Layout {
  readonly length: number
  readonly version: PulsarVersion
  bundle(index: number): NamespaceBundle
}

/** The bundle in which the broker finds a hash. Errors: ERR_PLACEMENT_ORIGINAL_FAILS; `topic` is for the message. */
export function brokerFind(layout: Layout, edges: Edges, hash: number, topic: string): NamespaceBundle {
  const found = binarySearch(edges, hash)
  return listGet(layout, found < 0 ? -(found + 2) : found, topic)
}

/** The index at which the broker finds a bundle. Errors: ERR_PLACEMENT_ORIGINAL_FAILS, ERR_PLACEMENT_BUNDLE_RANGE. */
export function brokerValidate(layout: Layout, edges: Edges, asked: NamespaceBundle): number {
  const index = binarySearch(edges, asked.lower)
  if (index < 0) {
    const named = `Cannot find bundle ${asked} in the bundles list`
    throw notInLayout(layout, asked, { named, unnamed: 'Cannot find bundle in the bundles list' })
  }
  const found = listGet(layout, index, asked.range)
  if (found.upper === asked.upper) return index
  const named = `Invalid upper boundary for bundle ${asked}. Expected upper boundary of ${found}`
  throw notInLayout(layout, asked, { named, unnamed: 'Invalid upper boundary for bundle' })
}

/** `java.util.Arrays.binarySearch`: the index of an equal item, or -(index where it would stand) - 1. */
function binarySearch(edges: Edges, key: number): number {
  let [low, high] = [0, edges.length - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const edge = edges[middle]!
    if (edge === key) return middle
    if (edge < key) low = middle + 1
    else high = middle - 1
  }
  return -(low + 1)
}

/** `java.util.List.get`. */
function listGet(layout: Layout, index: number, of: string): NamespaceBundle {
  if (index >= 0 && index < layout.length) return layout.bundle(index)
  const javaMessage = `Index ${index} out of bounds for length ${layout.length}`
  throw codedError('ERR_PLACEMENT_ORIGINAL_FAILS', `${of}: the broker's look-up throws (${javaMessage})`, {
    javaClass: 'java.lang.IndexOutOfBoundsException',
    javaMessage,
  })
}

/** Since 4.2 the text names the bundle; one of a layout without a namespace has no name there. */
function notInLayout(layout: Layout, asked: NamespaceBundle, text: { named: string; unnamed: string }): Error {
  const isNamed = isSince(layout.version, '4.2')
  const isKnown = !isNamed || asked.namespace !== null
  return codedError('ERR_PLACEMENT_BUNDLE_RANGE', `range: ${text.named}`, {
    javaClass: 'java.lang.IllegalArgumentException',
    ...(isKnown ? { javaMessage: isNamed ? text.named : text.unnamed } : {}),
  })
}
