/**
 * Where a bundle is cut, from the hashes of its topics: by their count, and by their traffic; and hashes in order, for
 * questions about many layouts at once.
 *
 * Source: Apache Pulsar 5.0.1, 4.2.4 and 3.0.7 (the first also 2.10.5), org.apache.pulsar.common.naming
 * .TopicCountEquallyDivideBundleSplitAlgorithm and .FlowOrQpsEquallyDivideBundleSplitAlgorithm.
 * Twin of native/core/src/pulsar/split.rs.
 * What differs from the obvious: the cut by count rounds down, so that of two equal or adjacent hashes the lower one goes
 * right; the cut by traffic adds 1 to the middle, and knows topics by their hash, the last one of a hash in place of all.
 */
import type { FlowLimits, Flows } from '../../engine/contract.js'

/** Digits of the radix sort: three passes of 11 bits. */
const DIGIT = 11
const DIGITS = 2 ** DIGIT

/** Fewer hashes than this are sorted whole: a histogram of their top halves costs more. */
const FEW = 4096

/**
 * The cut of topic_count_equally_divide: the middle between the hashes of ranks n/2 - 1 and n/2, rounded down.
 *
 * `hashes` are two or more, in any order, and stay as they are. Cost: two passes.
 */
export function middleHash(hashes: Uint32Array): number {
  const [left, right] = middlePair(hashes)
  return left + Math.floor((right - left) / 2)
}

function middlePair(hashes: Uint32Array): readonly [number, number] {
  const half = Math.floor(hashes.length / 2)
  if (hashes.length < FEW) {
    const sorted = hashes.slice().sort()
    return [sorted[half - 1]!, sorted[half]!]
  }
  const tops = new Uint32Array(2 ** 16)
  for (let i = 0; i < hashes.length; i++) tops[hashes[i]! >>> 16]!++
  return [hashOfRank(hashes, tops, half - 1), hashOfRank(hashes, tops, half)]
}

/** The hash of a rank from 0, where `tops` counts the top halves. */
function hashOfRank(hashes: Uint32Array, tops: Uint32Array, rank: number): number {
  const [top, within] = stepTo(tops, rank)
  const lows = new Uint32Array(2 ** 16)
  for (let i = 0; i < hashes.length; i++) {
    const hash = hashes[i]!
    if (hash >>> 16 === top) lows[hash & 0xffff]!++
  }
  return top * 2 ** 16 + stepTo(lows, within)[0]
}

/** The cell of a histogram that holds a rank, and the rank within it. */
function stepTo(counts: Uint32Array, rank: number): readonly [number, number] {
  let [cell, rest] = [0, rank]
  while (rest >= counts[cell]!) rest -= counts[cell++]!
  return [cell, rest]
}

/**
 * The cuts of flow_or_qps_equally_divide, ascending, possibly none; `null` where the original splits nothing. A cut may be
 * 2^32, past the last hash.
 *
 * Topics whose two rates are both 0 or less do not count. Sums are taken in the order of the topics, and then of the hashes.
 */
export function flowBoundaries(flows: Flows, limits: FlowLimits): Float64Array | null {
  const { hashes, order, rates, throughputs, total } = flowing(flows)
  if (hashes.length === 0 || hashes[0] === hashes[hashes.length - 1]) return null
  if (total.rate < limits.maxMsgRate * limits.share && total.throughput < limits.maxThroughput * limits.share)
    return null
  const cuts: number[] = []
  let last = lastOfHash(hashes, 0)
  let [rate, throughput] = [rates[order[last]!]!, throughputs[order[last]!]!]
  for (let i = 1; i < hashes.length; i++) {
    if (i > last) last = lastOfHash(hashes, i)
    const [nextRate, nextThroughput] = [rates[order[last]!]!, throughputs[order[last]!]!]
    const [before, hash] = [hashes[i - 1]!, hashes[i]!]
    if (rate + nextRate > limits.maxMsgRate || throughput + nextThroughput > limits.maxThroughput) {
      cuts.push(before + Math.floor((hash - before) / 2) + 1)
      rate = nextRate
      throughput = nextThroughput
    } else {
      rate += nextRate
      throughput += nextThroughput
    }
  }
  return Float64Array.from(cuts)
}

/** The position of the last of the equal hashes at `from`: its topic is the one that the original's map keeps. */
function lastOfHash(hashes: Uint32Array, from: number): number {
  let last = from
  while (last + 1 < hashes.length && hashes[last + 1] === hashes[from]) last++
  return last
}

/** The topics with traffic: hashes in order, and by which topic; the sums over all of them. */
function flowing({ hashes, msgRates, throughputs }: Flows) {
  const kept: number[] = []
  const total = { rate: 0, throughput: 0 }
  for (let i = 0; i < hashes.length; i++) {
    if (msgRates[i]! <= 0 && throughputs[i]! <= 0) continue
    kept.push(i)
    total.throughput += throughputs[i]!
    total.rate += msgRates[i]!
  }
  const some = Uint32Array.from(kept, (i) => hashes[i]!)
  const [sorted, order] = [new Uint32Array(kept.length), new Uint32Array(kept.length)]
  sortHashes(some, sorted, order)
  for (let i = 0; i < order.length; i++) order[i] = kept[order[i]!]!
  return { hashes: sorted, order, rates: msgRates, throughputs, total }
}

/**
 * Hashes in ascending order, and where wanted for each the index that it had; equal hashes keep their order.
 *
 * `sorted` and `order` are as long as `hashes`, and not over it. Cost: three passes.
 */
export function sortHashes(hashes: Uint32Array, sorted: Uint32Array, order: Uint32Array | null): void {
  if (order !== null) {
    sortPairs(hashes, sorted, order)
    return
  }
  sorted.set(hashes)
  sorted.sort()
}

function sortPairs(hashes: Uint32Array, sorted: Uint32Array, order: Uint32Array): void {
  const { length } = hashes
  const counts = new Uint32Array(3 * DIGITS)
  for (let i = 0; i < length; i++) {
    const hash = hashes[i]!
    counts[hash & (DIGITS - 1)]!++
    counts[DIGITS + ((hash >>> DIGIT) & (DIGITS - 1))]!++
    counts[2 * DIGITS + (hash >>> (2 * DIGIT))]!++
    order[i] = i
  }
  const [spare, spareOrder] = [new Uint32Array(length), new Uint32Array(length)]
  pass({ hashes, order }, { hashes: sorted, order: spareOrder }, counts.subarray(0, DIGITS), 0)
  pass({ hashes: sorted, order: spareOrder }, { hashes: spare, order }, counts.subarray(DIGITS, 2 * DIGITS), DIGIT)
  pass({ hashes: spare, order }, { hashes: sorted, order: spareOrder }, counts.subarray(2 * DIGITS), 2 * DIGIT)
  order.set(spareOrder)
}

interface Ordered {
  readonly hashes: Uint32Array
  readonly order: Uint32Array
}

/** One stable pass over a digit, whose values are counted in `counts`. */
function pass(from: Ordered, to: Ordered, counts: Uint32Array, shift: number): void {
  for (let digit = 0, at = 0; digit < DIGITS; digit++) {
    const count = counts[digit]!
    counts[digit] = at
    at += count
  }
  const { hashes, order } = from
  for (let i = 0; i < hashes.length; i++) {
    const hash = hashes[i]!
    const at = counts[(hash >>> shift) & (DIGITS - 1)]!++
    to.hashes[at] = hash
    to.order[at] = order[i]!
  }
}
