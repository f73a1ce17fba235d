/**
 * What the loss of bookies makes of ledgers: entries that cannot be read, are short of copies, or cannot be written.
 *
 * Source: Apache BookKeeper 4.17.3 and 4.18.2, org.apache.bookkeeper.client.RoundRobinDistributionSchedule: the write set of
 * an entry, its ack set, the coverage that recovery asks for. An entry is unreadable when its whole write set is lost,
 * unwritable when its ack quorum is out of reach, under-replicated when any of its write set is lost.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import { windowCounts } from './ledger-acks.js'
import { checkQuorums, countRepeated, type LedgerQuorums, type Quorums, repeated } from './ledger-schedule.js'

/** Entries of one fate: those whose remainder by the ensemble's size is among `remainders`. */
export interface LostEntries {
  readonly count: number
  /** `entry mod ensembleSize`, ascending. */
  readonly remainders: readonly number[]
  /** The entries themselves, ascending; they are made when asked for. @throws ERR_PLACEMENT_ARGUMENT_RANGE beyond 2^31 - 1 of them */
  entries(): Float64Array
}

/** What is left of a run of entries on one ensemble. */
export interface EnsembleLoss {
  /** No copy is left. */
  readonly unreadable: LostEntries
  /** A copy is lost, and one is left. */
  readonly underReplicated: LostEntries
  /** The ack quorum cannot be reached in this ensemble: a writer must replace a bookie first. */
  readonly unwritable: LostEntries
  /** Whether recovery can still tell which entry is the last one, the other bookies answering. */
  readonly covered: boolean
}

/** Entries on one ensemble; both ends belong to the run. */
export interface EntryRange {
  readonly first: number
  readonly last: number
}

/** A ledger, as `bookkeeper shell ledgermetadata` tells it. */
export interface LedgerMetadata extends LedgerQuorums {
  readonly ledgerId: number | bigint
  /** Bookies by the first entry of each ensemble, ascending; the first one begins at 0. */
  readonly ensembles: readonly { readonly firstEntry: number; readonly bookies: readonly string[] }[]
  /** The last entry, -1 for none. An open ledger's is the last one known. */
  readonly lastEntryId: number
  /** Whether the ledger is written to. Default: false. */
  readonly open?: boolean | undefined
}

/** What is left of one ledger. */
export interface LedgerLoss {
  readonly ledgerId: number | bigint
  readonly unreadable: number
  readonly underReplicated: number
  /** Whether an open ledger cannot be written before a bookie is replaced; false for a closed one. */
  readonly unwritable: boolean
  /** Whether recovery can close an open ledger: that its last ensemble is covered; true for a closed one. */
  readonly recoverable: boolean
  /** The ensembles with a loss, each with its entries. */
  readonly ensembles: readonly (EntryRange & EnsembleLoss & { readonly lost: readonly string[] })[]
}

/**
 * What the loss of bookies makes of the entries of one ensemble.
 *
 * @param lost indexes into the ensemble
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_QUORUM
 * @example
 * pulsar.ledger.loss([0, 1], { first: 0, last: 9 }, { ensembleSize: 5 }).unreadable.entries() // Float64Array [0, 5]
 */
export function loss(lost: readonly number[], range: EntryRange, quorums?: LedgerQuorums): EnsembleLoss {
  const sizes = checkQuorums(quorums)
  if (!Array.isArray(lost)) throw notAList('lost', lost)
  for (const [i, bookie] of lost.entries()) checkInteger(bookie, `lost[${i}]`, [0, sizes.ensembleSize - 1])
  checkRange(range)
  return ensembleLoss(new Set(lost), range, sizes)
}

function ensembleLoss(lost: ReadonlySet<number>, range: EntryRange, sizes: Quorums): EnsembleLoss {
  const { writeQuorum, ackQuorum } = sizes
  const gone = windowCounts(lost, sizes)
  const where = (holds: (count: number) => boolean) => lostEntries(gone, holds, range)
  return {
    unreadable: where((count) => count === writeQuorum),
    underReplicated: where((count) => count > 0 && count < writeQuorum),
    unwritable: where((count) => count > writeQuorum - ackQuorum),
    covered: gone.every((count) => count < ackQuorum),
  }
}

function lostEntries(gone: Int32Array, holds: (count: number) => boolean, { first, last }: EntryRange): LostEntries {
  const size = gone.length
  const remainders = Array.from(gone.keys()).filter((remainder) => holds(gone[remainder]!))
  const firsts = remainders
    .map((remainder) => first + ((remainder - (first % size) + size) % size))
    .filter((entry) => entry <= last)
    .sort((a, b) => a - b)
  const range = { last, step: size }
  return { count: countRepeated(firsts, range), remainders, entries: () => repeated(firsts, range) }
}

/**
 * What the loss of bookies makes of ledgers, one answer a ledger, in their order.
 *
 * @param lost ids of bookies, as the ensembles name them
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_QUORUM,
 *   ERR_PLACEMENT_UNKNOWN_NAME (a bookie that no ensemble names), ERR_PLACEMENT_DUPLICATE (a bookie twice in an ensemble)
 */
export function ledgersLoss(ledgers: readonly LedgerMetadata[], lost: readonly string[]): LedgerLoss[] {
  if (!Array.isArray(ledgers)) throw notAList('ledgers', ledgers)
  if (!Array.isArray(lost)) throw notAList('lost', lost)
  const known = new Set(ledgers.flatMap((ledger, i) => checkLedger(ledger, i)))
  const unknown = lost.findIndex((bookie) => !known.has(bookie))
  if (unknown >= 0) {
    const message = `lost[${unknown}]: expected a bookie of an ensemble, got ${shown(lost[unknown])}`
    throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message, { index: unknown })
  }
  const gone = new Set(lost)
  return ledgers.map((ledger) => ledgerLoss(ledger, gone))
}

function ledgerLoss(ledger: LedgerMetadata, gone: ReadonlySet<string>): LedgerLoss {
  const sizes = checkQuorums(ledger)
  const runs = ledger.ensembles.map(({ firstEntry, bookies }, i) => {
    const last = (ledger.ensembles[i + 1]?.firstEntry ?? ledger.lastEntryId + 1) - 1
    const lost = bookies.filter((bookie) => gone.has(bookie))
    const indexes = new Set(lost.map((bookie) => bookies.indexOf(bookie)))
    return { first: firstEntry, last, lost, ...ensembleLoss(indexes, { first: firstEntry, last }, sizes) }
  })
  const current = runs[runs.length - 1]!
  const total = (fate: 'unreadable' | 'underReplicated') => runs.reduce((sum, run) => sum + run[fate].count, 0)
  return {
    ledgerId: ledger.ledgerId,
    unreadable: total('unreadable'),
    underReplicated: total('underReplicated'),
    unwritable: ledger.open === true && current.unwritable.remainders.length > 0,
    recoverable: ledger.open !== true || current.covered,
    ensembles: runs.filter(({ lost }) => lost.length > 0),
  }
}

/** Refuses a ledger that cannot be. @returns its bookies */
function checkLedger(ledger: LedgerMetadata, i: number): string[] {
  const where = `ledgers[${i}]`
  const { ensembleSize } = checkQuorums(ledger)
  checkInteger(ledger.lastEntryId, `${where}.lastEntryId`, [-1, Number.MAX_SAFE_INTEGER - 1])
  if (!Array.isArray(ledger.ensembles)) throw notAList(`${where}.ensembles`, ledger.ensembles)
  if (ledger.ensembles.length === 0) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${where}.ensembles: expected one ensemble or more, got none`)
  }
  ledger.ensembles.forEach(({ firstEntry }, k) => {
    const least = k === 0 ? 0 : ledger.ensembles[k - 1]!.firstEntry + 1
    const most = k === 0 ? 0 : Math.max(least, ledger.lastEntryId + 1)
    checkInteger(firstEntry, `${where}.ensembles[${k}].firstEntry`, [least, most])
  })
  return ledger.ensembles.flatMap(({ bookies }, k) => checkEnsemble(bookies, `${where}.ensembles[${k}]`, ensembleSize))
}

function checkEnsemble(bookies: readonly string[], where: string, ensembleSize: number): readonly string[] {
  if (!Array.isArray(bookies)) throw notAList(`${where}.bookies`, bookies)
  if (bookies.length !== ensembleSize) {
    const message = `${where}.bookies: expected ${ensembleSize} bookies, the ensemble's size, got ${bookies.length}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
  }
  for (const [i, bookie] of bookies.entries()) {
    if (typeof bookie !== 'string') {
      const message = `${where}.bookies[${i}]: expected a bookie's id, got ${shown(bookie)}`
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message, { index: i })
    }
    if (bookies.indexOf(bookie) < i) {
      const message = `${where}.bookies[${i}]: expected each bookie once, got ${shown(bookie)} again`
      throw codedError('ERR_PLACEMENT_DUPLICATE', message, { index: i })
    }
  }
  return bookies
}

function checkRange({ first, last }: EntryRange): void {
  checkInteger(first, 'first', [0, Number.MAX_SAFE_INTEGER - 1])
  checkInteger(last, 'last', [first - 1, Number.MAX_SAFE_INTEGER - 1])
}

function notAList(name: string, value: unknown): Error {
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected a list, got ${shown(value)}`)
}
