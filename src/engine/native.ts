/** The engine over the Rust addon: views, names to numbers, and the road for strings. No arithmetic of its own. */
import { codedError, shown } from '../errors.js'
import { HASHES } from '../fallback/hash/index.js'
import { reduce } from '../fallback/kafka/partitioner.js'
import { namesTooLong } from '../fallback/pulsar/name-output.js'
import { numberedFamilies } from '../fallback/pulsar/numbered-families.js'
import { encodeJava, GROUP, GROUP_UNITS, packStrings } from '../packing.js'
import { HASH_NAMES, type Packed, PULSAR_VERSIONS } from '../types.js'
import type { CpuArm, Engine, KeyTable, RangeIndex, Reduction } from './contract.js'

type Binding = typeof import('../binding/binding.cjs')

/** The order is the binding's: native/binding/partitioner.rs. */
const REDUCTIONS: readonly Reduction[] = ['mask', 'unsigned', 'abs', 'abs-first']

/** Makes the engine, on the arm that `TOPIC_PLACEMENT_CPU` forces or the best of this processor. */
export function nativeEngine(binding: Binding, reason: string): Engine {
  const cpu = chooseArm(binding, process.env['TOPIC_PLACEMENT_CPU'])
  return {
    name: 'native',
    reason,
    cpu,
    hashPacked: (hash, column, out) =>
      binding.hashPacked(HASH_NAMES.indexOf(hash), column.values, offsetsOf(column), words(out)),
    hashPackedAsync: (hash, column, out) =>
      binding.hashPackedAsync(HASH_NAMES.indexOf(hash), column.values, offsetsOf(column), words(out)),
    hashStrings: (hash, strings, out) => {
      const id = HASH_NAMES.indexOf(hash)
      eachBatch(strings, out, ({ values, offsets, replaced }, part) => {
        binding.hashPacked(id, values, offsets, words(part))
        if (replaced !== undefined && hash === 'java-string') writeLone(replaced, part, (h) => h)
      })
    },
    partitionPacked: (hash, reduction, column, numPartitions, out) =>
      binding.partitionPacked(
        HASH_NAMES.indexOf(hash),
        REDUCTIONS.indexOf(reduction),
        column.values,
        offsetsOf(column),
        numPartitions,
        out,
      ),
    partitionPackedAsync: (hash, reduction, column, numPartitions, out) =>
      binding.partitionPackedAsync(
        HASH_NAMES.indexOf(hash),
        REDUCTIONS.indexOf(reduction),
        column.values,
        offsetsOf(column),
        numPartitions,
        words(out),
      ),
    partitionStrings: (hash, reduction, strings, numPartitions, out) => {
      const [hashId, reductionId] = [HASH_NAMES.indexOf(hash), REDUCTIONS.indexOf(reduction)]
      eachBatch(strings, out, ({ values, offsets, replaced }, part) => {
        binding.partitionPacked(hashId, reductionId, values, offsets, numPartitions, part)
        if (replaced !== undefined && hash === 'java-string') {
          writeLone(replaced, part, (h) => reduce(reduction, h, numPartitions))
        }
      })
    },
    hashBytes: (hash, key) => binding.hashBytes(HASH_NAMES.indexOf(hash), key),
    rangeIndex: (starts) => nativeRangeIndex(new binding.RangeIndex(starts)),
    keyTable: (layout) =>
      nativeKeyTable(new binding.KeyTable(layout.modulus, layout.starts, layout.firsts, layout.members)),
    canonicalNames: (column, version) => {
      const found = binding.canonicalNames(PULSAR_VERSIONS.indexOf(version), column.values, offsetsOf(column))
      if (found === null) return { values: column.values, offsets: offsetsOf(column) }
      if (typeof found !== 'number') return found
      if (found < 0) throw namesTooLong(-1 - found)
      return { refused: found }
    },
    middleHash: (hashes) => binding.middleHash(hashes),
    flowBoundaries: ({ hashes, msgRates, throughputs }, { maxMsgRate, maxThroughput, share }) =>
      binding.flowBoundaries(hashes, msgRates, throughputs, Float64Array.of(maxMsgRate, maxThroughput, share)),
    sortHashes: (hashes, sorted, order) => binding.sortHashes(hashes, sorted, order),
    sortHashesAsync: (hashes, sorted, order) => binding.sortHashesAsync(hashes, sorted, order),
    // A set in several chunks is past what one holds: rare, and a family may lie over two of them.
    numberedFamilies: (chunks, hashes) =>
      chunks.length === 1
        ? binding.numberedFamilies(chunks[0]!.values, offsetsOf(chunks[0]!), hashes)
        : numberedFamilies(chunks, hashes),
  }
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
    ofHashes: (hashes, out) => index.ofHashes(hashes, out),
    ofPacked: (column, out) => index.ofPacked(column.values, offsetsOf(column), out),
    ofPackedAsync: (column, out) => index.ofPackedAsync(column.values, offsetsOf(column), out),
    ofStrings: (strings, out) =>
      eachBatch(strings, out, ({ values, offsets }, part) => {
        index.ofPacked(values, offsets, part)
      }),
  }
}

function nativeKeyTable(table: InstanceType<Binding['KeyTable']>): KeyTable {
  return {
    ofPacked: (column, out) => table.ofPacked(column.values, offsetsOf(column), words(out)),
    ofPackedAsync: (column, out) => table.ofPackedAsync(column.values, offsetsOf(column), words(out)),
    ofStrings: (strings, out) =>
      eachBatch(strings, out, ({ values, offsets }, part) => {
        table.ofPacked(values, offsets, words(part))
      }),
  }
}

/** A negative offset becomes a too large one, which the check over the column refuses. */
function offsetsOf({ offsets, length }: Packed): Uint32Array {
  return new Uint32Array(offsets.buffer, offsets.byteOffset, length + 1)
}

/** The same memory, as the binding takes it. */
function words(out: Int32Array | Uint32Array): Uint32Array {
  return out instanceof Uint32Array ? out : new Uint32Array(out.buffer, out.byteOffset, out.length)
}

/** `String.hashCode` is of the UTF-16 units: text with a lone surrogate is hashed here, its bytes hold `?`. */
function writeLone(strings: readonly string[], part: Int32Array | Uint32Array, answer: (hash: number) => number): void {
  strings.forEach((text, i) => {
    if (!text.isWellFormed()) part[i] = answer(HASHES['java-string'].ofString(text))
  })
}

/** One call's keys, packed in scratch memory that lives for the length of the call. */
interface Batch {
  readonly values: Uint8Array
  readonly offsets: Uint32Array
  /** The strings, where one of them held a lone surrogate. */
  readonly replaced: readonly string[] | undefined
}

/** Packs the strings batch by batch and hands each to `answer` with its part of `out`. */
function eachBatch<T extends Int32Array | Uint32Array>(
  strings: readonly string[],
  out: T,
  answer: (batch: Batch, part: T) => void,
): void {
  for (let from = 0, to = 0; from < strings.length; from = to) {
    const packed = packBatch(strings, from)
    to = packed.to
    if (to === from) {
      answer(alone(strings[from]!), out.subarray(from, ++to) as T)
      continue
    }
    const offsets = to - from === BATCH ? scratchOffsets : scratchOffsets.subarray(0, to - from + 1)
    const replaced = packed.replaced ? strings.slice(from, to) : undefined
    answer({ values: scratchValues, offsets, replaced }, out.subarray(from, to) as T)
  }
}

/** Packs strings from index `from` on into the scratch memory, group by group, until the batch or the memory is full. */
function packBatch(strings: readonly string[], from: number): { readonly to: number; readonly replaced: boolean } {
  const [values, offsets] = [scratchValues, scratchOffsets]
  const most = Math.min(from + BATCH, strings.length)
  let [to, at, replaced] = [from, 0, false]
  offsets[0] = 0
  while (to < most && at + 3 * GROUP_UNITS <= values.length) {
    const group = packStrings(strings, to, { values, at, offsets, first: to - from }, 0)
    if (group.to === to) break
    to = group.to
    at = group.end
    replaced ||= group.replaced
  }
  return { to, replaced }
}

/** A string that is too long for a group. */
function alone(text: string): Batch {
  const values = encodeJava(text)
  return { values, offsets: Uint32Array.of(0, values.length), replaced: [text] }
}

/** Strings a native call: fewer lose to the call's own 2 µs, more gain nothing. A multiple of the group. */
const BATCH = 4 * GROUP

/** Reused by every call: no native call keeps it, and JavaScript runs one at a time. */
const scratchOffsets = new Uint32Array(BATCH + 1)
const scratchValues = new Uint8Array(2 * 3 * GROUP_UNITS)
