/** The engine over the Rust addon: views, names to numbers, and the road for strings. No arithmetic of its own. */
import { codedError, shown } from '../errors.js'
import { namesTooLong } from '../fallback/pulsar/name-output.js'
import { HASH_NAMES, type Packed, PULSAR_VERSIONS } from '../types.js'
import {
  ASSIGN_FAILURES,
  type AssignAnswer,
  type AssignProblem,
  type ServerGroup,
  type Waiting,
} from './assign-contract.js'
import type { CanonicalNames, CpuArm, Engine, KeyTable, PartitionWork, RangeIndex, Reduction } from './contract.js'
import { fallbackEngine } from './fallback.js'
import { betterReplicas, betterReplicasAsync, planReplicas, planReplicasAsync } from './plan-native.js'
import { eachBatch } from './texts.js'

type Binding = typeof import('../binding/binding.cjs')

/** The order is the binding's: native/binding/partitioner.rs. */
const REDUCTIONS: readonly Reduction[] = ['mask', 'unsigned', 'abs', 'abs-first']

/**
 * Lists of fewer strings are answered by JavaScript: a native call, its text and its views cost 700 ns. The two meet at 14
 * strings of 40 characters, and at 64 of 12.
 */
const FEW = 16
const few = fallbackEngine('few strings')

/** The order is the binding's: native/binding/assign.rs. */
const ASSIGNORS: readonly AssignProblem['assignor'][] = [
  'range',
  'roundrobin',
  'sticky',
  'cooperative-sticky',
  'balanced',
  'uniform',
  'uniform-4.0',
  'server-range',
  'simple',
]
const ALGORITHMS = [null, 'constrained', 'general', 'homogeneous', 'heterogeneous'] as const

/** Makes the engine, on the arm that `TOPIC_PLACEMENT_CPU` forces or the best of this processor. */
export function nativeEngine(binding: Binding, reason: string): Engine {
  const cpu = chooseArm(binding, process.env['TOPIC_PLACEMENT_CPU'])
  return {
    name: 'native',
    reason,
    cpu,
    hashPacked: (hash, column, out, threads) =>
      binding.hashPacked(HASH_NAMES.indexOf(hash), column.values, offsetsOf(column), words(out), threads),
    hashPackedAsync: (hash, column, out, threads) =>
      binding.hashPackedAsync(HASH_NAMES.indexOf(hash), column.values, offsetsOf(column), words(out), threads),
    hashStrings: (hash, strings, out) => {
      if (strings.length < FEW) return few.hashStrings(hash, strings, out)
      const id = HASH_NAMES.indexOf(hash)
      return eachBatch(strings, words(out), ({ memory, isLatin1, offsets }, part) => {
        binding.hashTexts(id, memory, isLatin1, offsets, part)
        return true
      })
    },
    partitionPacked: (work, column, out, threads) =>
      binding.partitionPacked(...idsOf(work), column.values, offsetsOf(column), work.numPartitions, out, threads),
    partitionPackedAsync: (work, column, out, threads) =>
      binding.partitionPackedAsync(
        ...idsOf(work),
        column.values,
        offsetsOf(column),
        work.numPartitions,
        words(out),
        threads,
      ),
    partitionStrings: (work, strings, out) => {
      if (strings.length < FEW) return few.partitionStrings(work, strings, out)
      const [hashId, reductionId] = idsOf(work)
      return eachBatch(strings, out, ({ memory, isLatin1, offsets }, part) => {
        binding.partitionTexts(hashId, reductionId, memory, isLatin1, offsets, work.numPartitions, part)
        return true
      })
    },
    hashBytes: (hash, bytes, length) => binding.hashBytes(HASH_NAMES.indexOf(hash), bytes, length),
    rangeIndex: (starts) => nativeRangeIndex(new binding.RangeIndex(starts)),
    keyTable: (layout) =>
      nativeKeyTable(new binding.KeyTable(layout.modulus, layout.starts, layout.firsts, layout.members)),
    javaMapOrder: (hashCodes, ranks, tableSize) => binding.javaMapOrder(hashCodes, ranks, tableSize),
    assign: (problem) => answerOf(binding.assign(columnsOf(problem))),
    striped: ({ random, ...columns }, out) => binding.striped({ state: 0, ...columns, ...random }, out),
    alternating: (problem, out) => binding.alternating(problem, out),
    assignAsync: (problem, waiting) => assignAsync(binding, problem, waiting),
    planReplicas: (problem) => planReplicas(binding, problem),
    planReplicasAsync: (problem, watch) => planReplicasAsync(binding, problem, watch),
    betterReplicas: (question) => betterReplicas(binding, question),
    betterReplicasAsync: (question, watch) => betterReplicasAsync(binding, question, watch),
    canonicalNames: (column, version) =>
      namesOf(column, binding.canonicalNames(PULSAR_VERSIONS.indexOf(version), column.values, offsetsOf(column))),
    canonicalNamesAsync: async (column, version) => {
      const id = PULSAR_VERSIONS.indexOf(version)
      return namesOf(column, await binding.canonicalNamesAsync(id, column.values, offsetsOf(column)))
    },
    topicNameFaults: (chunks) => {
      const chunk = onlyOf(chunks)
      if (chunk === undefined) return few.topicNameFaults(chunks)
      return binding.topicNameFaults(chunk.values, offsetsOf(chunk))
    },
    topicNameFaultsAsync: async (chunks, signal) => {
      const chunk = onlyOf(chunks)
      if (chunk === undefined) return few.topicNameFaultsAsync(chunks, signal)
      return binding.topicNameFaultsAsync(chunk.values, offsetsOf(chunk))
    },
    middleHash: (hashes) => binding.middleHash(hashes),
    flowBoundaries: ({ hashes, msgRates, throughputs }, { maxMsgRate, maxThroughput, share }) =>
      binding.flowBoundaries(hashes, msgRates, throughputs, Float64Array.of(maxMsgRate, maxThroughput, share)),
    sortHashes: (hashes, sorted, order) => binding.sortHashes(hashes, sorted, order ?? NO_ORDER),
    sortHashesAsync: (hashes, sorted, order) => binding.sortHashesAsync(hashes, sorted, order ?? NO_ORDER),
    // A set in several chunks is past what one holds: rare, and a family may lie over two of them.
    numberedFamilies: (chunks, hashes) => {
      const chunk = onlyOf(chunks)
      if (chunk === undefined) return few.numberedFamilies(chunks, hashes)
      return binding.numberedFamilies(chunk.values, offsetsOf(chunk), hashes)
    },
    numberedFamiliesAsync: async (chunks, hashes, signal) => {
      const chunk = onlyOf(chunks)
      if (chunk === undefined) return few.numberedFamiliesAsync(chunks, hashes, signal)
      return binding.numberedFamiliesAsync(chunk.values, offsetsOf(chunk), hashes)
    },
  }
}

/** The numbers by which the binding knows a hash and a reduction. */
function idsOf({ hash, reduction }: PartitionWork): [hashId: number, reductionId: number] {
  return [HASH_NAMES.indexOf(hash), REDUCTIONS.indexOf(reduction)]
}

/** What the binding says of names, in the engine's words. */
function namesOf(column: Packed, found: ReturnType<Binding['canonicalNames']>): CanonicalNames {
  if (found === null) return { values: column.values, offsets: offsetsOf(column) }
  if (typeof found !== 'number') return found
  if (found < 0) throw namesTooLong(-1 - found)
  return { refused: found }
}

/** The binding takes an empty order as none. */
const NO_ORDER = new Uint32Array(0)

/** The problem as the binding takes it: what is not there is left out. */
function columnsOf({
  assignor,
  numbers,
  kinds,
  topicOrder,
  racks,
  topicWeights,
  memberWeights,
  server,
  ...columns
}: AssignProblem) {
  return {
    ...columns,
    assignor: ASSIGNORS.indexOf(assignor),
    ...(numbers !== null && { numbers }),
    ...(kinds !== null && { kinds }),
    ...(topicOrder !== null && { topicOrder }),
    ...(racks !== null && { racks }),
    ...(topicWeights !== null && { topicWeights }),
    ...(memberWeights !== null && { memberWeights }),
    ...(server !== null && { server: serverColumnsOf(server) }),
  }
}

const serverColumnsOf = ({ assignable, ...group }: ServerGroup) => ({
  ...group,
  ...(assignable !== null && { assignable }),
})

/** How often whoever waits is told how far a worker thread is. */
const TOLD_EVERY_MS = 20

async function assignAsync(binding: Binding, problem: AssignProblem, { signal, onStep }: Waiting) {
  const pace = new binding.AssignPace()
  const stop = () => pace.stop()
  const tell = () => onStep?.(pace.step())
  signal?.addEventListener('abort', stop, { once: true })
  const timer = setInterval(tell, TOLD_EVERY_MS)
  try {
    return answerOf(await binding.assignAsync(columnsOf(problem), pace))
  } finally {
    clearInterval(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** What the binding gives back, in the engine's words. */
function answerOf(outcome: ReturnType<Binding['assign']>): AssignAnswer {
  const { failure, member, algorithm, ...result } = outcome
  if (failure >= 0) return { failure: ASSIGN_FAILURES[failure]!, member }
  return { ...result, algorithm: ALGORITHMS[algorithm]! }
}

function chooseArm(binding: Binding, forced: string | undefined): CpuArm {
  const arms = binding.availableArms() as CpuArm[]
  if (forced === undefined) return binding.useArm(arms[0]!) as CpuArm
  if (!(arms as string[]).includes(forced)) {
    throw codedError(
      'ERR_PLACEMENT_CPU',
      `TOPIC_PLACEMENT_CPU: expected one of ${arms.join(', ')} on this processor, got ${shown(forced)}`,
    )
  }
  return binding.useArm(forced) as CpuArm
}

function nativeRangeIndex(index: InstanceType<Binding['RangeIndex']>): RangeIndex {
  return {
    ofHashes: (hashes, out, threads) => index.ofHashes(hashes, out, threads),
    ofPacked: (column, out, threads) => index.ofPacked(column.values, offsetsOf(column), out, threads),
    ofPackedAsync: (column, out, threads) => index.ofPackedAsync(column.values, offsetsOf(column), out, threads),
    ofTopics: (topics, namespace, out) => {
      const bytes = Buffer.from(namespace ?? '')
      return eachBatch(topics, out, ({ memory, isLatin1, offsets }, part) =>
        index.ofTopics(bytes, memory, isLatin1, offsets, part),
      )
    },
  }
}

function nativeKeyTable(table: InstanceType<Binding['KeyTable']>): KeyTable {
  return {
    ofPacked: (column, out, threads) => table.ofPacked(column.values, offsetsOf(column), words(out), threads),
    ofPackedAsync: (column, out, threads) => table.ofPackedAsync(column.values, offsetsOf(column), words(out), threads),
    ofStrings: (strings, out) =>
      eachBatch(strings, words(out), ({ memory, isLatin1, offsets }, part) => {
        table.ofTexts(memory, isLatin1, offsets, part)
        return true
      }),
  }
}

/** The chunk, where there is one alone: the addon reads one column, and several are the fallback's. */
const onlyOf = (chunks: readonly Packed[]): Packed | undefined => (chunks.length === 1 ? chunks[0] : undefined)

/** A negative offset becomes a too large one, which the check over the column refuses. */
function offsetsOf({ offsets, length }: Packed): Uint32Array {
  return new Uint32Array(offsets.buffer, offsets.byteOffset, length + 1)
}

/** The same memory, as the binding takes it. */
function words(out: Int32Array | Uint32Array): Uint32Array {
  return out instanceof Uint32Array ? out : new Uint32Array(out.buffer, out.byteOffset, out.length)
}
