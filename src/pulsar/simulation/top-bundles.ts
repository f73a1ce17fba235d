/**
 * The busiest bundles of a broker, as brokers of the extensible load manager report them.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.loadbalance.extensions.models.TopKBundles and the order of
 * NamespaceBundleStats. What differs from the obvious: bundles are compared in steps of 100,000 bytes a second in, then out, then
 * of 100 messages a second, then of 500 topics, so that many are equal; of equal ones a partition by the last one decides; the
 * list runs from the least busy of the busiest to the busiest. Consumers, producers and caches are taken as 0 here.
 */
import type { BusyBundle } from '../transfer-view.js'
import type { LoadTable } from './series.js'

const BYTES = 100_000
const MESSAGES = 100
const TOPICS = 500

/** The busiest `most` of a broker's bundles; those without traffic are none. */
export function topBundles(bundles: readonly number[], loads: LoadTable, most: number): BusyBundle<number>[] {
  const [bytesIn, bytesOut] = [loads.column('msgThroughputIn'), loads.column('msgThroughputOut')]
  const busy = bundles.filter((bundle) => bytesIn[bundle]! + bytesOut[bundle]! !== 0)
  const count = Math.min(most, busy.length)
  sortFirst(busy, count, busierFirst(loads))
  const top = busy.slice(0, count).reverse()
  return top.map((bundle) => {
    return { bundle, msgThroughputIn: bytesIn[bundle]!, msgThroughputOut: bytesOut[bundle]! }
  })
}

/** Java's Math.round: halves go up. */
const steps = (value: number, width: number): number => Math.floor(value / width + 0.5)

function busierFirst(loads: LoadTable): (a: number, b: number) => number {
  const column = (field: Parameters<LoadTable['column']>[0]) => loads.column(field)
  const [bytesIn, bytesOut] = [column('msgThroughputIn'), column('msgThroughputOut')]
  const [rateIn, rateOut, topics] = [column('msgRateIn'), column('msgRateOut'), column('topics')]
  return (a, b) =>
    steps(bytesIn[b]!, BYTES) - steps(bytesIn[a]!, BYTES) ||
    steps(bytesOut[b]!, BYTES) - steps(bytesOut[a]!, BYTES) ||
    steps(rateIn[b]! + rateOut[b]!, MESSAGES) - steps(rateIn[a]! + rateOut[a]!, MESSAGES) ||
    Math.floor(topics[b]! / TOPICS) - Math.floor(topics[a]! / TOPICS)
}

/**
 * Brings the first `count` of a list to its front, in order but for those equal to the last of them. The list is cut in three by its
 * last item, before, equal and after, and so is the part in which the place `count - 1` lies.
 */
export function sortFirst<T>(list: T[], count: number, compare: (a: T, b: T) => number): void {
  let [start, end] = [0, list.length - 1]
  while (start < end) {
    const { from, to } = cutInThree(list, start, end, compare)
    if (from < count && count <= to) {
      end = from
      break
    }
    if (count <= from) end = from - 1
    else start = to
  }
  const sorted = list.slice(0, Math.max(0, end)).sort(compare)
  for (const [i, item] of sorted.entries()) list[i] = item
}

/** @returns where the items equal to the one at `end` are now: `[from, to)` */
function cutInThree<T>(list: T[], start: number, end: number, compare: (a: T, b: T) => number) {
  const pivot = list[end]!
  let [from, at, after] = [start, start, end]
  while (at <= after) {
    const item = list[at]!
    const order = compare(item, pivot)
    if (order < 0) [list[at++], list[from++]] = [list[from]!, item]
    else if (order > 0) [list[at], list[after--]] = [list[after]!, item]
    else at++
  }
  return { from, to: at }
}
