/**
 * Which bookies of a ledger's ensemble hold an entry, and which entries a bookie holds.
 *
 * Source: Apache BookKeeper 4.17.3 and 4.18.2 (Pulsar 4.2.4, 5.0.1),
 * org.apache.bookkeeper.client.RoundRobinDistributionSchedule.
 * Entry `e` goes to bookies `(e + w) mod E`, `w` = 0 .. Qw - 1, of the ensemble. What differs from the obvious: `hasEntry`
 * cuts `e + w` to an int before it divides, so that from entry 2^31 - Qw + 1 on it names other bookies than the write set.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import type { Note } from '../notes.js'

/** Sizes of a ledger. Pulsar's managed ledgers have 2, 2, 2 unless told otherwise. */
export interface LedgerQuorums {
  /** Bookies of the ensemble, E. Default: 2. */
  readonly ensembleSize?: number | undefined
  /** Bookies that are sent each entry, Qw, at most E. Default: 2. */
  readonly writeQuorum?: number | undefined
  /** Bookies that must have acknowledged an entry, Qa, at most Qw. Default: 2. */
  readonly ackQuorum?: number | undefined
}

/** The sizes, all there. */
export interface Quorums {
  readonly ensembleSize: number
  readonly writeQuorum: number
  readonly ackQuorum: number
}

/** Where an entry lies. Bookies are indexes into the ensemble. */
export interface EntryPlacement {
  /** In the order that the client sends to. */
  readonly writeSet: readonly number[]
  /** The whole ensemble, from the entry's first bookie on. */
  readonly ensembleSet: readonly number[]
  /** Bookies for which the original's `hasEntry` is true, ascending; they are the write set's up to entry 2^31 - Qw. */
  readonly hasEntry: readonly number[]
  readonly notes: readonly Note[]
}

/** The most values that a result holds. */
const MOST_VALUES = 2 ** 31 - 1
const DEFAULT_QUORUM = 2
const LONG = 2n ** 63n

/**
 * The sizes of a ledger, with Pulsar's defaults.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_QUORUM (E < Qw or Qw < Qa)
 */
export function checkQuorums(quorums: LedgerQuorums = {}): Quorums {
  const size = (name: keyof Quorums) => checkInteger(quorums[name] ?? DEFAULT_QUORUM, name, [1, MOST_VALUES])
  const checked = {
    ensembleSize: size('ensembleSize'),
    writeQuorum: size('writeQuorum'),
    ackQuorum: size('ackQuorum'),
  }
  const { ensembleSize, writeQuorum, ackQuorum } = checked
  if (ensembleSize >= writeQuorum && writeQuorum >= ackQuorum) return checked
  throw codedError(
    'ERR_PLACEMENT_QUORUM',
    `expected ensembleSize >= writeQuorum >= ackQuorum, got ${ensembleSize}, ${writeQuorum}, ${ackQuorum}`,
    {
      javaClass: 'java.lang.IllegalArgumentException',
      javaMessage: `Bookkeeper Ensemble (${ensembleSize}) >= WriteQuorum (${writeQuorum}) >= AckQuorum (${ackQuorum})`,
    },
  )
}

/** An entry's number as a long: an integer in [0, 2^63 - 1]. @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
export function checkEntry(entry: unknown, name: string): number | bigint {
  if (typeof entry !== 'bigint') return checkInteger(entry, name, [0, Number.MAX_SAFE_INTEGER])
  if (entry >= 0n && entry < LONG) return entry
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${name}: expected an entry in [0, 2^63 - 1], got ${shown(entry)}`)
}

/**
 * Where an entry lies.
 *
 * @param entry 0 to 2^63 - 1; a bigint beyond 2^53
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_QUORUM
 * @example pulsar.ledger.placeEntry(4, { ensembleSize: 5, writeQuorum: 3, ackQuorum: 2 }).writeSet // [4, 0, 1]
 */
export function placeEntry(entry: number | bigint, quorums?: LedgerQuorums): EntryPlacement {
  return placementOf(checkEntry(entry, 'entry'), checkQuorums(quorums))
}

/** As {@link placeEntry}, of any long and any sizes. */
export function placementOf(entry: number | bigint, { ensembleSize, writeQuorum }: Quorums): EntryPlacement {
  const bookies = Array.from({ length: ensembleSize }, (_, bookie) => bookie)
  const writeSet = neighbours(entry, writeQuorum, ensembleSize)
  const has = bookies.filter((bookie) => hasEntry(entry, bookie, { ensembleSize, writeQuorum }))
  const differs = bookies.some((bookie) => writeSet.includes(bookie) !== has.includes(bookie))
  return {
    writeSet,
    ensembleSet: neighbours(entry, ensembleSize, ensembleSize),
    hasEntry: has,
    notes: differs ? [cutToInt(entry, writeSet, has)] : [],
  }
}

function cutToInt(entry: number | bigint, writeSet: readonly number[], has: readonly number[]): Note {
  const message = `entry ${entry} lies on ${writeSet.join(', ')}; hasEntry says ${has.join(', ') || 'nobody'}, since it cuts the entry to an int`
  return { code: 'NOTE_LEDGER_HAS_ENTRY', message, where: String(entry) }
}

function neighbours(entry: number | bigint, count: number, ensembleSize: number): number[] {
  const [from, size] = [BigInt(entry), BigInt(ensembleSize)]
  return Array.from({ length: count }, (_, w) => Number(BigInt.asIntN(64, from + BigInt(w)) % size))
}

function hasEntry(entry: number | bigint, bookie: number, sizes: Omit<Quorums, 'ackQuorum'>): boolean {
  const low = Number(BigInt.asIntN(32, BigInt(entry)))
  for (let w = 0; w < sizes.writeQuorum; w++) if (((low + w) | 0) % sizes.ensembleSize === bookie) return true
  return false
}

/**
 * The write sets of entries that follow one another: row `i`, of `writeQuorum` bookies, is that of entry `first + i`.
 *
 * Speed: write sets repeat with every `ensembleSize` entries, so all but the first of them are copied.
 *
 * @returns Int32Array[count × writeQuorum], values in [0, ensembleSize)
 * @throws as {@link placeEntry}; ERR_PLACEMENT_ARGUMENT_RANGE for more than 2^31 - 1 values;
 *   ERR_PLACEMENT_OUTPUT where `into` is too short
 */
export function writeSets(
  { first, count }: { readonly first: number | bigint; readonly count: number },
  quorums?: LedgerQuorums,
  into?: Int32Array,
): Int32Array {
  const { ensembleSize, writeQuorum } = checkQuorums(quorums)
  const start = Number(BigInt(checkEntry(first, 'first')) % BigInt(ensembleSize))
  checkInteger(count, 'count', [0, Math.floor(MOST_VALUES / writeQuorum)])
  const rows = into ?? new Int32Array(count * writeQuorum)
  if (rows.length < count * writeQuorum) throw shortOutput(count * writeQuorum, rows.length)
  repeatPeriod(rows, firstPeriod(rows, start, { ensembleSize, writeQuorum }), count * writeQuorum)
  return rows
}

/** Values that are copied at once: the source stays in the first cache. */
const BLOCK = 1 << 12

/** Writes the rows of `ensembleSize` entries, as far as there is room. @returns values written */
function firstPeriod(
  rows: Int32Array,
  start: number,
  { ensembleSize, writeQuorum }: Omit<Quorums, 'ackQuorum'>,
): number {
  const length = Math.min(rows.length, ensembleSize * writeQuorum)
  for (let i = 0; i < length; i++) {
    rows[i] = (start + Math.floor(i / writeQuorum) + (i % writeQuorum)) % ensembleSize
  }
  return length
}

/** Copies the first `period` values on and on, up to `length`: ever longer pieces, each a multiple of the period. */
function repeatPeriod(rows: Int32Array, period: number, length: number): void {
  const most = Math.max(1, Math.floor(BLOCK / period)) * period
  for (let done = period; done < length; ) {
    const piece = Math.min(done, most, length - done)
    rows.copyWithin(done, 0, piece)
    done += piece
  }
}

/**
 * The entries of a bookie, ascending.
 *
 * @param bookie index into the ensemble
 * @param range both ends belong to it
 * @returns Float64Array of entries, which hold them exactly up to 2^53 - 1
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (with Java's text where the original refuses),
 *   ERR_PLACEMENT_QUORUM
 */
export function entriesOfBookie(
  bookie: number,
  range: { readonly first: number; readonly last: number },
  quorums?: LedgerQuorums,
): Float64Array {
  return entriesOf(bookie, range, checkQuorums(quorums))
}

/** As {@link entriesOfBookie}, of any sizes: above E, a write quorum gives each bookie fewer entries than its write sets do. */
export function entriesOf(
  bookie: number,
  { first, last }: { readonly first: number; readonly last: number },
  { ensembleSize, writeQuorum }: Quorums,
): Float64Array {
  checkStriped(bookie, { first, last }, ensembleSize)
  const entries: number[] = []
  // The remainders whose window holds the bookie; a window that wraps is told by its ends alone.
  for (let from = first, i = 0; i < Math.min(ensembleSize, last - first + 1); i++, from++) {
    const [begin, end] = [from % ensembleSize, (from + writeQuorum - 1) % ensembleSize]
    const isIn = end < begin ? bookie >= begin || bookie <= end : bookie >= begin && bookie <= end
    if (isIn) entries.push(from)
  }
  return repeated(entries, { last, step: ensembleSize })
}

/** How many entries {@link repeated} gives. */
export function countRepeated(firsts: readonly number[], { last, step }: { last: number; step: number }): number {
  return firsts.reduce((sum, from) => sum + Math.floor((last - from) / step) + 1, 0)
}

/** The entries given, ascending and less than `step` apart, and those every `step` further, up to `last`. */
export function repeated(firsts: readonly number[], range: { last: number; step: number }): Float64Array {
  const length = checkInteger(countRepeated(firsts, range), 'number of entries', [0, MOST_VALUES])
  const entries = new Float64Array(length)
  for (let i = 0; i < length; i++) {
    entries[i] = firsts[i % firsts.length]! + range.step * Math.floor(i / firsts.length)
  }
  return entries
}

function checkStriped(bookie: number, { first, last }: { first: number; last: number }, ensembleSize: number): void {
  const all = { bookie, first, last }
  for (const [name, value] of Object.entries(all)) {
    if (!Number.isSafeInteger(value)) {
      throw codedError(
        typeof value === 'number' ? 'ERR_PLACEMENT_ARGUMENT_RANGE' : 'ERR_PLACEMENT_ARGUMENT_TYPE',
        `${name}: expected an integer up to 2^53 - 1, got ${shown(value)}`,
      )
    }
  }
  if (bookie >= 0 && bookie < ensembleSize && first >= 0 && first <= last) return
  const expected = `expected a bookie in [0, ${ensembleSize - 1}] and 0 <= first <= last`
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${expected}, got bookie ${bookie}, first ${first}, last ${last}`, {
    javaClass: 'java.lang.IllegalArgumentException',
    javaMessage: 'Illegal arguments for getEntriesStripedToTheBookie',
  })
}

function shortOutput(expected: number, got: number): Error {
  return codedError('ERR_PLACEMENT_OUTPUT', `into: expected room for ${expected} values, got ${got}`)
}
