/**
 * The boundaries of a namespace's bundles: made for N equal ones, read from text, and seen to be what Pulsar accepts.
 *
 * Source: Apache Pulsar 5.0.1 and back to 2.10.5, org.apache.pulsar.common.policies.data.PoliciesUtil.getBundles and
 * org.apache.pulsar.common.naming.NamespaceBundles' constructor.
 * What differs from the obvious: the remainder of 2^32 / N goes to the last bundle; a layout may begin above 0, or below it,
 * and only its end is checked.
 */
import { checkInteger, codedError, type ErrorDetails, shown } from '../errors.js'
import { LAST_HASH, refusalOfRange } from './bundle-range.js'
import { decodeLong, formatLong } from './java-long.js'

const HASHES = 2 ** 32

/** Pulsar's own limit is 2^31 - 1, but each of its boundaries is a string; these many are 256 MiB here. */
const MOST_BUNDLES = 2 ** 26

const ILLEGAL_ARGUMENT = 'java.lang.IllegalArgumentException'

/** Boundaries: 32-bit ones, or those of a layout that only the broker takes. */
export type Edges = Uint32Array | readonly number[]

/** The boundaries of `count` equal bundles. */
export function evenEdges(count: number): Uint32Array {
  checkCount(count)
  const width = Math.floor(HASHES / count)
  const edges = new Uint32Array(count + 1)
  for (let i = 0; i < count; i++) edges[i] = i * width
  edges[count] = LAST_HASH
  return edges
}

function checkCount(count: number): void {
  if (Number.isInteger(count) && count <= 0) {
    throw codedError('ERR_PLACEMENT_BUNDLE_COUNT', `bundles: expected an integer in [1, 2147483647], got ${count}`, {
      javaClass: 'org.apache.pulsar.common.util.RestException',
      javaMessage: 'Invalid number of bundles. Number of bundles has to be in the range of (0, 2^32].',
    })
  }
  checkInteger(count, 'bundles', [1, 0x7fffffff], 'ERR_PLACEMENT_BUNDLE_COUNT')
  if (count <= MOST_BUNDLES) return
  const message = `bundles: expected at most ${MOST_BUNDLES}, got ${count}; Pulsar, too, runs out of memory on so many`
  throw codedError('ERR_PLACEMENT_UNSUPPORTED', message)
}

/** Boundaries from text or numbers, in the order given. Errors: ERR_PLACEMENT_BOUNDARIES, with index and what Java throws. */
export function edgesOf(boundaries: readonly (string | number | null)[] | Uint32Array): Edges {
  const edges =
    boundaries instanceof Uint32Array ? boundaries.slice() : listOf(boundaries).map((item, i) => edgeOf(item, i))
  checkEdges(edges)
  return edges instanceof Uint32Array || edges[0]! < 0 ? edges : Uint32Array.from(edges)
}

function listOf<T>(boundaries: readonly T[]): readonly T[] {
  // `from` fills the holes of a sparse array, which `map` would leave out.
  if (Array.isArray(boundaries)) return Array.from(boundaries)
  const message = `boundaries: expected an array or a Uint32Array, got ${shown(boundaries)}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
}

function edgeOf(boundary: string | number | null, index: number): number {
  if (typeof boundary !== 'number') return numberOfBoundary(boundary, index)
  if (Number.isInteger(boundary) && boundary >= 0 && boundary <= LAST_HASH) return boundary
  throw refused(index, `expected an integer in [0, 0xffffffff], got ${boundary}`)
}

/** The number that a boundary's text stands for, as `Long.decode` reads it. */
export function numberOfBoundary(boundary: string | null, index: number): number {
  if (boundary === null) {
    throw refused(index, 'expected a number as text, got null', {
      javaClass: 'java.lang.NullPointerException',
      javaMessage: null,
    })
  }
  if (typeof boundary !== 'string') {
    const message = `boundaries[${index}]: expected a number or a string, got ${shown(boundary)}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message, { index })
  }
  const decoded = decodeLong(boundary)
  if ('value' in decoded) return decoded.value
  if (decoded.refused === null) throw refused(index, `expected a number within 2^53, got ${shown(boundary)}`)
  throw refused(index, `expected a number such as "0x80000000", got ${shown(boundary)}`, {
    javaClass: 'java.lang.NumberFormatException',
    javaMessage: decoded.refused,
  })
}

/** The constructor's checks, in its order. */
function checkEdges(edges: Edges): void {
  if (edges.length < 2) {
    const javaMessage =
      edges.length === 0 ? "Can't create bundles w/o partition boundaries" : 'Need to specify at least 2 boundaries'
    throw refused(edges.length, `expected at least 2 boundaries, got ${edges.length}`, java(javaMessage))
  }
  const last = edges.length - 1
  for (let i = 1; i <= last; i++) {
    const [lower, upper] = [edges[i - 1]!, edges[i]!]
    if (upper < lower) throw refused(i, `expected more than ${formatLong(lower)}, got ${formatLong(upper)}`, java(null))
    const fault = refusalOfRange({ lower, upper, upperClosed: i === last })
    if (fault !== null) throw refused(i, `expected ${wanted(edges, i)}, got ${formatLong(upper)}`, java(fault))
  }
}

function wanted(edges: Edges, index: number): string {
  if (index === edges.length - 1) return '0xffffffff, the last boundary of every layout'
  return `more than ${formatLong(edges[index - 1]!)} and less than 0xffffffff`
}

const java = (javaMessage: string | null): ErrorDetails => ({ javaClass: ILLEGAL_ARGUMENT, javaMessage })

function refused(index: number, what: string, details: ErrorDetails = {}): Error {
  return codedError('ERR_PLACEMENT_BOUNDARIES', `boundaries[${index}]: ${what}`, { index, ...details })
}
