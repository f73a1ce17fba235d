/**
 * How evenly bundles lie on brokers: equal numbers of them, as a manager that counts bundles has it; and packed by load, as
 * one that looks at load comes to.
 */

/** A spread of load over brokers. */
export interface BrokerSpread {
  /** Load of the fullest broker over the mean of all; 1 is even, NaN never: 1 where there is no load. */
  readonly peakToMean: number
  /** Brokers that get no topic. */
  readonly idle: number
}

/** Bundle `i` on broker `i` modulo their number. */
export function evenSpread(loads: Float64Array, brokers: number): BrokerSpread {
  const sums = new Float64Array(brokers)
  for (let i = 0; i < loads.length; i++) sums[i % brokers]! += loads[i]!
  return spreadOf(sums)
}

/** The heaviest bundle first, each to the broker with least load so far. */
export function packedSpread(loads: Float64Array, brokers: number): BrokerSpread {
  const descending = loads
    .filter((load) => load > 0)
    .sort()
    .reverse()
  // Brokers beyond the number of bundles stay idle: they need no place in the heap.
  const heap = new Float64Array(Math.min(brokers, Math.max(1, descending.length)))
  for (const load of descending) {
    heap[0]! += load
    sink(heap)
  }
  const sums = new Float64Array(brokers)
  sums.set(heap)
  return spreadOf(sums)
}

/** Restores the order of a heap whose least item, at the top, has grown. */
function sink(heap: Float64Array): void {
  const value = heap[0]!
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++
    if (child >= heap.length || heap[child]! >= value) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = value
}

function spreadOf(sums: Float64Array): BrokerSpread {
  let [total, peak, idle] = [0, 0, 0]
  for (const sum of sums) {
    total += sum
    peak = Math.max(peak, sum)
    if (sum === 0) idle++
  }
  return { peakToMean: total === 0 ? 1 : (peak * sums.length) / total, idle }
}
