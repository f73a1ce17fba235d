/**
 * The order of kept slots where the original's comparison of partition numbers overflows: claims 2^31 apart.
 *
 * For the general sticky algorithm, which compares by a 32-bit difference: then a number can be less than another and the
 * other less than it, and the order is what the sort makes of it. Sources: Apache Kafka 4.4.0,
 * org.apache.kafka.clients.consumer.internals.Utils.PartitionComparator, and OpenJDK 17, java.util.TimSort. Twin of
 * native/core/src/kafka/sticky/wrapped_order.rs.
 * Done as the original for fewer than 32 slots, which Java sorts by insertion; more are put in the order of their numbers.
 */

/** Java merges runs from so many items on. */
const MERGES_FROM = 32

/** True where a difference of two of the numbers, which ascend, does not fit into 32 bits. */
export function overflows(numbers: Int32Array): boolean {
  return numbers.length > 1 && numbers.at(-1)! - numbers[0]! > 0x7fffffff
}

/** Sorts slots as Java does: `rank` of the topic, then the number, by 32-bit difference. */
export function sortWrapped(
  slots: number[],
  rank: (slot: number) => number,
  number: (slot: number) => number,
): number[] {
  const wraps = slots.length < MERGES_FROM
  const compare = (a: number, b: number) => {
    if (rank(a) !== rank(b)) return rank(a) - rank(b)
    return wraps ? (number(a) - number(b)) | 0 : number(a) - number(b)
  }
  return wraps ? insertionSorted(slots, compare) : slots.sort(compare)
}

/** A first run, turned around if it descends; then item by item where a search by halves ends. */
function insertionSorted(items: number[], compare: (a: number, b: number) => number): number[] {
  const sorted = firstRun(items, compare)
  for (let i = sorted.length; i < items.length; i++) {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(items[i]!, sorted[middle]!) < 0) high = middle
      else low = middle + 1
    }
    sorted.splice(low, 0, items[i]!)
  }
  return sorted
}

function firstRun(items: readonly number[], compare: (a: number, b: number) => number): number[] {
  if (items.length < 2) return [...items]
  const descends = compare(items[1]!, items[0]!) < 0
  let end = 2
  while (end < items.length && compare(items[end]!, items[end - 1]!) < 0 === descends) end += 1
  const run = items.slice(0, end)
  return descends ? run.reverse() : run
}
