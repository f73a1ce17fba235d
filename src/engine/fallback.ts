/** The engine in pure TypeScript: the twins of the core's rooms, driven over columns and arrays of strings. */
import { firstBadOffset } from '../fallback/column.js'
import { HASHES } from '../fallback/hash/index.js'
import { placeAlternating } from '../fallback/kafka/alternating.js'
import { assignBalanced } from '../fallback/kafka/balanced.js'
import { javaMapOrder } from '../fallback/kafka/java-map.js'
import { reduceAll } from '../fallback/kafka/partitioner.js'
import { betterReplicas } from '../fallback/kafka/planner/ranked.js'
import { planReplicas } from '../fallback/kafka/planner.js'
import { assignRange } from '../fallback/kafka/range.js'
import { assignRoundRobin } from '../fallback/kafka/round-robin.js'
import { assignServerRange } from '../fallback/kafka/server-range.js'
import { assignSimple } from '../fallback/kafka/share.js'
import { finished, type Steps } from '../fallback/kafka/steps.js'
import { assignSticky } from '../fallback/kafka/sticky.js'
import { placeStriped } from '../fallback/kafka/striped.js'
import { topicNameFaults } from '../fallback/kafka/topic-names.js'
import { assignUniform } from '../fallback/kafka/uniform.js'
import { rangeIndex } from '../fallback/pulsar/bundles.js'
import { keyTable } from '../fallback/pulsar/key-shared.js'
import { numberedFamilies } from '../fallback/pulsar/numbered-families.js'
import { flowBoundaries, middleHash, sortHashes } from '../fallback/pulsar/split.js'
import { canonicalNames } from '../fallback/pulsar/topic-name.js'
import { atOnce, inTurns } from '../turns.js'
import type { HashName, Packed } from '../types.js'
import type { AssignAnswer, AssignProblem, Waiting } from './assign-contract.js'
import type { BadOffset, Engine, KeyLayout, KeyTable, PartitionWork, RangeIndex } from './contract.js'
import { betterReplicasInTurns, planReplicasInTurns } from './plan-fallback.js'

export function fallbackEngine(reason: string): Engine {
  return {
    name: 'fallback',
    reason,
    cpu: 'javascript',
    hashPacked,
    hashPackedAsync: (hash, column, out) => later(() => hashPacked(hash, column, out)),
    hashStrings,
    partitionPacked,
    partitionPackedAsync: (work, column, out) => later(() => partitionPacked(work, column, out)),
    partitionStrings,
    hashBytes: (hash, bytes, length) => HASHES[hash].ofBytes(bytes, 0, length),
    rangeIndex: asyncRangeIndex,
    keyTable: asyncKeyTable,
    canonicalNames: (...question) => atOnce(canonicalNames(...question)),
    canonicalNamesAsync: (column, version, signal) => inTurns(canonicalNames(column, version), signal),
    topicNameFaults: (chunks) => atOnce(topicNameFaults(chunks)),
    topicNameFaultsAsync: (chunks, signal) => inTurns(topicNameFaults(chunks), signal),
    middleHash,
    flowBoundaries,
    sortHashes,
    numberedFamilies: (...question) => atOnce(numberedFamilies(...question)),
    numberedFamiliesAsync: (chunks, hashes, signal) => inTurns(numberedFamilies(chunks, hashes), signal),
    sortHashesAsync: (...question) => later(() => sortHashes(...question)),
    javaMapOrder,
    assign,
    striped: placeStriped,
    alternating: placeAlternating,
    assignAsync,
    planReplicas,
    planReplicasAsync: planReplicasInTurns,
    betterReplicas,
    betterReplicasAsync: betterReplicasInTurns,
  }
}

const ASSIGNORS: Readonly<Record<AssignProblem['assignor'], (problem: AssignProblem) => Steps<AssignAnswer>>> = {
  range: assignRange,
  roundrobin: assignRoundRobin,
  sticky: assignSticky,
  'cooperative-sticky': assignSticky,
  balanced: assignBalanced,
  uniform: inOne(assignUniform),
  'uniform-4.0': inOne(assignUniform),
  'server-range': inOne(assignServerRange),
  simple: inOne(assignSimple),
}

/** An assignor that makes no steps. */
function inOne(answer: (problem: AssignProblem) => AssignAnswer): (problem: AssignProblem) => Steps<AssignAnswer> {
  return function* (problem) {
    yield 0
    return answer(problem)
  }
}

const assign = (problem: AssignProblem): AssignAnswer => finished(ASSIGNORS[problem.assignor](problem))

/** How long the event loop waits for the next turn. */
const TURN_MS = 8

/** No other thread here: the event loop turns between two steps where the last turn is a while ago. */
async function assignAsync(problem: AssignProblem, { signal, onStep }: Waiting): Promise<AssignAnswer> {
  const steps = ASSIGNORS[problem.assignor](problem)
  for (let turn = performance.now(); ; ) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (performance.now() - turn < TURN_MS) continue
    onStep?.(value)
    await later(() => signal?.throwIfAborted())
    turn = performance.now()
  }
}

function asyncRangeIndex(starts: Uint32Array): RangeIndex {
  const index = rangeIndex(starts)
  return { ...index, ofPackedAsync: (...question) => later(() => index.ofPacked(...question)) }
}

function asyncKeyTable(layout: KeyLayout): KeyTable {
  const table = keyTable(layout)
  return { ...table, ofPackedAsync: (...question) => later(() => table.ofPacked(...question)) }
}

/** No other thread here: the slice is answered in a turn of its own, so that the event loop goes on between slices. */
function later<T>(answer: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(answer())
      } catch (error) {
        reject(error)
      }
    })
  })
}

function hashPacked(hash: HashName, column: Packed, out: Int32Array | Uint32Array): BadOffset {
  const bad = firstBadOffset(column)
  if (bad >= 0) return bad
  const { ofBytes } = HASHES[hash]
  const { values, offsets, length } = column
  for (let i = 0; i < length; i++) out[i] = ofBytes(values, offsets[i]!, offsets[i + 1]!)
  return -1
}

function hashStrings(hash: HashName, strings: readonly unknown[], out: Int32Array | Uint32Array): boolean {
  const { ofString } = HASHES[hash]
  for (let i = 0; i < out.length; i++) {
    const text = strings[i]
    if (typeof text !== 'string') return false
    out[i] = ofString(text)
  }
  return true
}

function partitionPacked(work: PartitionWork, column: Packed, out: Int32Array): BadOffset {
  const bad = hashPacked(work.hash, column, out)
  if (bad < 0) reduceAll(work.reduction, out.subarray(0, column.length), work.numPartitions)
  return bad
}

function partitionStrings(work: PartitionWork, strings: readonly unknown[], out: Int32Array): boolean {
  const areStrings = hashStrings(work.hash, strings, out)
  if (areStrings) reduceAll(work.reduction, out, work.numPartitions)
  return areStrings
}
