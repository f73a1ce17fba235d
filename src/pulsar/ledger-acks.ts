/**
 * When an entry is written, and when recovery has heard enough bookies.
 *
 * Source: Apache BookKeeper 4.17.3 and 4.18.2, org.apache.bookkeeper.client.RoundRobinDistributionSchedule (AckSetImpl,
 * RRQuorumCoverageSet). What differs from the obvious: of indexes beyond the ensemble the original answers what its reused
 * arrays held before; here they are refused.
 */
import { checkInteger } from '../errors.js'
import { checkQuorums, type LedgerQuorums, type Quorums } from './ledger-schedule.js'

/** What bookies said of one entry. */
export class AckSet {
  readonly #ensembleSize: number
  readonly #writeQuorum: number
  readonly #ackQuorum: number
  readonly #acked = new Set<number>()
  readonly #failed = new Set<number>()

  /**
   * @param whole whether every bookie of the ensemble must acknowledge, as when the last entry is made known. Default: false.
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_QUORUM
   */
  constructor(quorums?: LedgerQuorums, { whole = false }: { readonly whole?: boolean | undefined } = {}) {
    const { ensembleSize, writeQuorum, ackQuorum } = checkQuorums(quorums)
    this.#ensembleSize = ensembleSize
    this.#writeQuorum = whole ? ensembleSize : writeQuorum
    this.#ackQuorum = whole ? ensembleSize : ackQuorum
  }

  /** Bookies that failed, ascending. */
  get failed(): number[] {
    return [...this.#failed].sort((a, b) => a - b)
  }

  /** A bookie has the entry. @returns whether enough have it @throws ERR_PLACEMENT_ARGUMENT_RANGE */
  complete(bookie: number): boolean {
    this.#acked.add(this.#checked(bookie))
    this.#failed.delete(bookie)
    return this.#isWritten
  }

  /** A bookie refused the entry, or is gone. @returns whether the ack quorum is out of reach @throws ERR_PLACEMENT_ARGUMENT_RANGE */
  fail(bookie: number): boolean {
    this.#failed.add(this.#checked(bookie))
    this.#acked.delete(bookie)
    return this.#failed.size > this.#writeQuorum - this.#ackQuorum
  }

  /** A bookie left the ensemble: what it said counts no more. @returns whether enough have the entry @throws ERR_PLACEMENT_ARGUMENT_RANGE */
  remove(bookie: number): boolean {
    this.#acked.delete(this.#checked(bookie))
    this.#failed.delete(bookie)
    return this.#isWritten
  }

  get #isWritten(): boolean {
    return this.#acked.size >= this.#ackQuorum
  }

  #checked(bookie: number): number {
    return checkInteger(bookie, 'bookie', [0, this.#ensembleSize - 1])
  }
}

/** Return codes of BookKeeper after which a bookie counts as known: OK, NoSuchEntry, NoSuchLedgerExists. */
const KNOWN_CODES = [0, -13, -7]
const INT = [-(2 ** 31), 2 ** 31 - 1] as const

/** Whether the bookies heard so far settle what the last entry of a ledger is. */
export class QuorumCoverage {
  readonly #quorums: Quorums
  readonly #unknown: Set<number>

  /** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_QUORUM */
  constructor(quorums?: LedgerQuorums) {
    this.#quorums = checkQuorums(quorums)
    this.#unknown = new Set(Array.from({ length: this.#quorums.ensembleSize }, (_, bookie) => bookie))
  }

  /**
   * A bookie answered; its last answer counts.
   *
   * @param code BookKeeper's return code: 0, -13 and -7 make the bookie known
   * @returns whether fewer than the ack quorum are unknown among any `writeQuorum` neighbours
   * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE
   */
  add(bookie: number, code: number): boolean {
    checkInteger(bookie, 'bookie', [0, this.#quorums.ensembleSize - 1])
    if (KNOWN_CODES.includes(checkInteger(code, 'code', INT))) this.#unknown.delete(bookie)
    else this.#unknown.add(bookie)
    return this.isCovered
  }

  /** As {@link add} answers, of what was heard so far. */
  get isCovered(): boolean {
    const { ackQuorum } = this.#quorums
    return windowCounts(this.#unknown, this.#quorums).every((unknown) => unknown < ackQuorum)
  }
}

/** How many of `bookies` stand in the write set of each remainder `entry mod E`, in one walk round the ensemble. */
export function windowCounts(bookies: ReadonlySet<number>, { ensembleSize, writeQuorum }: Quorums): Int32Array {
  const counts = new Int32Array(ensembleSize)
  const holds = (bookie: number) => (bookies.has(bookie % ensembleSize) ? 1 : 0)
  let inside = 0
  for (let w = 0; w < writeQuorum; w++) inside += holds(w)
  for (let from = 0; from < ensembleSize; from++) {
    counts[from] = inside
    inside += holds(from + writeQuorum) - holds(from)
  }
  return counts
}
