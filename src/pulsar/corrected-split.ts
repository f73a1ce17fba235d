/**
 * Splits as they are meant: for whoever cuts a bundle by hand with `specified_positions_divide`, and wants no defect in it.
 *
 * Each stands beside the algorithm of Apache Pulsar whose name it bears with `_corrected` behind. No cut lies on an end of
 * the bundle, none comes twice, and topics of one hash, which nothing can part, never stand in the way.
 */
import { engine } from '../engine/index.js'
import type { CheckedSplit, CorrectedSplitAlgorithm } from './split.js'
import { flowsOf } from './topic-rates.js'

const LAST_HASH = 0xffffffff

/** The boundaries of a corrected algorithm; `null` where nothing is to be split. */
export function correctedBoundaries(algorithm: CorrectedSplitAlgorithm, asked: CheckedSplit): number[] | null {
  const { range, positions } = asked
  switch (algorithm) {
    case 'range_equally_divide_corrected':
      return inside([range.lower + Math.floor((endOf(range) - range.lower) / 2)], range)
    case 'topic_count_equally_divide_corrected':
      return inside(
        halved(inOrder(asked), () => 1),
        range,
      )
    case 'specified_positions_divide_corrected':
      return inside(positions, range)
    case 'flow_or_qps_equally_divide_corrected':
      return inside(halved(inOrder(asked), trafficOf(asked)), range)
  }
}

/** The first hash behind the bundle: the last bundle holds 0xffffffff itself. */
const endOf = ({ upper }: CheckedSplit['range']): number => (upper === LAST_HASH ? LAST_HASH + 1 : upper)

function inside(cuts: readonly number[], { lower, upper }: CheckedSplit['range']): number[] | null {
  const kept = [...new Set(cuts)].filter((cut) => cut > lower && cut < upper).sort((a, b) => a - b)
  return kept.length === 0 ? null : kept
}

interface Ordered {
  readonly hashes: Uint32Array
  readonly order: Uint32Array
}

function inOrder({ hashes }: CheckedSplit): Ordered {
  const sorted = { hashes: new Uint32Array(hashes.length), order: new Uint32Array(hashes.length) }
  engine().sortHashes(hashes, sorted.hashes, sorted.order)
  return sorted
}

/** The share of each topic in the bundle's traffic: of messages and of bytes alike, in what is measured of the two. */
function trafficOf({ hashes, rates }: CheckedSplit): (topic: number) => number {
  const { msgRates, throughputs } = flowsOf(hashes, rates)
  const [allRates, allBytes] = [totalOf(msgRates), totalOf(throughputs)]
  return (topic) => shareOf(msgRates[topic]!, allRates) + shareOf(throughputs[topic]!, allBytes)
}

const totalOf = (values: Float64Array): number => values.reduce((sum, value) => sum + Math.max(0, value), 0)

const shareOf = (value: number, total: number): number => (total === 0 ? 0 : Math.max(0, value) / total)

/**
 * One cut, between two hashes, that parts the weights as evenly as can be; of two such cuts the lower one. None where all
 * topics have one hash, or none has weight.
 */
function halved({ hashes, order }: Ordered, weightOf: (topic: number) => number): number[] {
  let total = 0
  for (const topic of order) total += weightOf(topic)
  let [left, best, least] = [0, -1, total]
  for (let i = 1; i < hashes.length; i++) {
    left += weightOf(order[i - 1]!)
    const worse = Math.max(left, total - left)
    if (hashes[i] === hashes[i - 1] || worse >= least) continue
    best = i
    least = worse
  }
  return best < 0 ? [] : [between(hashes[best - 1]!, hashes[best]!)]
}

/** In `(before, hash]`: `before` stays left, `hash` goes right. */
const between = (before: number, hash: number): number => before + Math.floor((hash - before + 1) / 2)
