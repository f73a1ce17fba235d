/**
 * Which ensembles a new ledger can get under the rack-aware policy, and one of them by a seed.
 *
 * Source: Apache BookKeeper 4.17.3 and 4.18.2, newEnsemble of
 * org.apache.bookkeeper.client.RackawareEnsemblePlacementPolicyImpl, without a local rack, weights or enforced durability.
 * The original shuffles the bookies with no seed, so that only the set of its answers is a function of the cluster. Each next
 * bookie comes from a rack not used since the last fresh start; where there is none, from anywhere, subject to the racks that
 * each write quorum needs; else, unless they are enforced, from anywhere at all.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import {
  type Adherence,
  type CheckedPolicy,
  checkBookies,
  checkPolicy,
  DEFAULT_RACK,
  type EnsemblePolicy,
  rackOf,
  verdictOf,
} from './ensemble-policy.js'
import { checkQuorums, type LedgerQuorums } from './ledger-schedule.js'

/** A ledger that wants an ensemble; the policy is `rack`. */
export interface EnsembleQuestion extends Omit<EnsemblePolicy, 'policy' | 'writeQuorum'>, LedgerQuorums {
  /** Bookies that are not to be taken. Default: none. */
  readonly exclude?: readonly string[] | undefined
}

/** An ensemble that can be chosen. */
export interface PossibleEnsemble {
  readonly bookies: readonly string[]
  readonly adherence: Adherence
}

/** The most ensembles that are listed. */
const MOST_ENSEMBLES = 100_000

interface Draw {
  readonly policy: CheckedPolicy
  readonly ensembleSize: number
  /** Bookies that may be taken. */
  readonly free: readonly string[]
  /** Whether there is no second rack to speak of. */
  readonly anyRack: boolean
}

/** The bookies taken so far, and the racks not to be used again: `null` for a start from anywhere. */
interface Chosen {
  readonly bookies: readonly string[]
  readonly racks: readonly string[] | null
}

/**
 * Every ensemble that can be chosen, in the order of their bookies in `bookies`.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_QUORUM,
 *   ERR_PLACEMENT_UNKNOWN_NAME (`exclude`), ERR_PLACEMENT_NO_ENSEMBLE (with Java's text),
 *   ERR_PLACEMENT_ARGUMENT_RANGE for more than 100,000 ensembles
 */
export function possibleEnsembles(question: EnsembleQuestion): PossibleEnsemble[] {
  return ensemblesOf(question, checkQuorums(question))
}

/** As {@link possibleEnsembles}, of any sizes. */
export function ensemblesOf(question: EnsembleQuestion, sizes: Required<LedgerQuorums>): PossibleEnsemble[] {
  const draw = drawOf(question, sizes)
  const found: (readonly string[])[] = []
  const walk = (chosen: Chosen): void => {
    if (chosen.bookies.length < draw.ensembleSize) for (const next of nextChoices(draw, chosen)) walk(next)
    else if (found.push(chosen.bookies) > MOST_ENSEMBLES) throw tooMany()
  }
  walk({ bookies: [], racks: null })
  if (found.length === 0) throw notEnough(draw)
  return found.map((bookies) => possible(bookies, draw))
}

/**
 * One ensemble, by a seed: each next bookie is drawn evenly from those that BookKeeper could take. The same seed gives the same
 * ensemble; BookKeeper itself takes no seed.
 *
 * @param seed an int32
 * @throws as {@link possibleEnsembles}, but for their number
 */
export function chooseEnsemble(question: EnsembleQuestion, seed: number): PossibleEnsemble {
  checkInteger(seed, 'seed', [-(2 ** 31), 2 ** 31 - 1])
  const draw = drawOf(question, checkQuorums(question))
  let state = seed
  let chosen: Chosen = { bookies: [], racks: null }
  while (chosen.bookies.length < draw.ensembleSize) {
    const choices = nextChoices(draw, chosen)
    if (choices.length === 0) throw notEnough(draw)
    state = (state + 0x6d2b79f5) | 0
    chosen = choices[Math.floor(fraction(state) * choices.length)]!
  }
  return possible(chosen.bookies, draw)
}

/** Mulberry32's mixing of a counter, as a number in [0, 1). */
function fraction(counter: number): number {
  let mixed = Math.imul(counter ^ (counter >>> 15), counter | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

function drawOf(question: EnsembleQuestion, sizes: Required<LedgerQuorums>): Draw {
  const writeQuorum = sizes.writeQuorum!
  const policy = checkPolicy({ ...question, policy: 'rack', writeQuorum })
  const { bookies, minRacks, enforced } = policy
  const excluded = new Set(checkExcluded(question.exclude ?? [], policy))
  const ids = Object.keys(bookies)
  const racks = new Set(ids.map((id) => rackOf(bookies, id)))
  const isFree = (id: string) => !excluded.has(id) && !(enforced && rackOf(bookies, id) === DEFAULT_RACK)
  const draw = { policy, ensembleSize: sizes.ensembleSize!, free: ids.filter(isFree), anyRack: racks.size < 2 }
  if (draw.anyRack && enforced && Math.min(writeQuorum, minRacks) > 1) throw notEnough(draw)
  return draw
}

function checkExcluded(exclude: readonly string[], { bookies }: CheckedPolicy): readonly string[] {
  checkBookies(exclude, 'exclude')
  const unknown = exclude.findIndex((id) => !Object.hasOwn(bookies, id))
  if (unknown < 0) return exclude
  const message = `exclude[${unknown}]: expected one of bookies, got ${shown(exclude[unknown])}`
  throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message, { index: unknown })
}

/** What can follow; empty where the original gives up. */
function nextChoices(draw: Draw, chosen: Chosen): Chosen[] {
  const { policy, free } = draw
  const left = free.filter((id) => !chosen.bookies.includes(id))
  const rack = (id: string) => rackOf(policy.bookies, id)
  if (draw.anyRack) return left.map((id) => ({ bookies: [...chosen.bookies, id], racks: null }))
  const fits = (id: string) => spansRacks([...chosen.bookies, id].map(rack), draw)
  const fresh = left.filter((id) => !chosen.racks?.includes(rack(id))).filter(fits)
  if (fresh.length > 0 || chosen.racks === null) {
    return fresh.map((id) => ({ bookies: [...chosen.bookies, id], racks: [...(chosen.racks ?? []), rack(id)] }))
  }
  const anywhere = left.filter(fits)
  const taken = anywhere.length > 0 || policy.enforced ? anywhere : left
  return taken.map((id) => ({ bookies: [...chosen.bookies, id], racks: [rack(id)] }))
}

/** Whether each write quorum that the last rack belongs to can still span enough racks. */
function spansRacks(racks: readonly string[], { policy, ensembleSize }: Draw): boolean {
  const { writeQuorum, minRacks } = policy
  if (writeQuorum < 2) return true
  const least = Math.min(writeQuorum, minRacks)
  const at = racks.length - 1
  for (let start = at - writeQuorum + 1; start <= at; start++) {
    const seen = windowFrom((start + ensembleSize) % ensembleSize, { racks, writeQuorum, ensembleSize })
    const missing = least - new Set(seen).size
    if (missing > 0 && writeQuorum - seen.length < missing) return false
  }
  return true
}

/** Racks of the bookies chosen so far that belong to the window, the last one among them. */
function windowFrom(
  start: number,
  { racks, writeQuorum, ensembleSize }: { racks: readonly string[]; writeQuorum: number; ensembleSize: number },
): string[] {
  return racks.filter((_, i) => (i - start + ensembleSize) % ensembleSize < writeQuorum)
}

function possible(bookies: readonly string[], { policy, anyRack }: Draw): PossibleEnsemble {
  return { bookies, adherence: anyRack ? 'FAIL' : verdictOf(bookies, policy).adherence }
}

function notEnough({ ensembleSize, policy }: Draw): Error {
  const racks = new Set(Object.keys(policy.bookies).map((id) => rackOf(policy.bookies, id))).size
  const message = `no ensemble of ${ensembleSize} bookies: ${Object.keys(policy.bookies).length} bookies in ${racks} racks${policy.enforced ? ', minNumRacksPerWriteQuorum enforced' : ''}; add bookies or racks, or take a smaller ensemble`
  return codedError('ERR_PLACEMENT_NO_ENSEMBLE', message, {
    javaClass: 'org.apache.bookkeeper.client.BKException$BKNotEnoughBookiesException',
    javaMessage: 'Not enough non-faulty bookies available',
  })
}

function tooMany(): Error {
  const message = `expected at most ${MOST_ENSEMBLES} ensembles to list, got more: ask chooseEnsemble for one of them`
  return codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
}
