/**
 * Whether an ensemble keeps BookKeeper's placement policy, and why not.
 *
 * Source: Apache BookKeeper 4.17.3 and 4.18.2, isEnsembleAdheringToPlacementPolicy and
 * areAckedBookiesAdheringToPlacementPolicy of org.apache.bookkeeper.client.RackawareEnsemblePlacementPolicyImpl,
 * RegionAwareEnsemblePlacementPolicy and ZoneawareEnsemblePlacementPolicyImpl.
 * What differs from the obvious: windows wrap, so that the last bookie is compared with the first; bookies that are not
 * known are skipped; bookies without a rack stand together in one; the region-aware policy says yes to everything.
 */
import { checkInteger, checkName, codedError, shown } from '../errors.js'
import type { Note } from '../notes.js'

export const ENSEMBLE_POLICIES = ['rack', 'region', 'zone'] as const
export type EnsemblePolicyName = (typeof ENSEMBLE_POLICIES)[number]

export const ADHERENCES = ['FAIL', 'MEETS_SOFT', 'MEETS_STRICT'] as const
export type Adherence = (typeof ADHERENCES)[number]

/** Where bookies stand: `/rack`, `/region/rack` or `/zone/upgrade-domain` by id; `null` for one without a place. */
export type BookieLocations = Readonly<Record<string, string | null>>

/** A policy and what it is asked about; settings by BookKeeper's names. */
export interface EnsemblePolicy {
  /** `rack` is Pulsar's default, `RackawareEnsemblePlacementPolicy`. Default: `rack`. */
  readonly policy?: EnsemblePolicyName | undefined
  readonly bookies: BookieLocations
  /** Default: 2. */
  readonly writeQuorum?: number | undefined
  /** Rack policy: racks that a write quorum must span. Default: 2. */
  readonly minNumRacksPerWriteQuorum?: number | undefined
  /** Rack policy: whether a bookie without a rack is none. Default: false. */
  readonly enforceMinNumRacksPerWriteQuorum?: boolean | undefined
  /** Zone policy. Default: 3. */
  readonly desiredNumZonesPerWriteQuorum?: number | undefined
  /** Zone policy. Default: 2. */
  readonly minNumZonesPerWriteQuorum?: number | undefined
}

/** What a policy says of an ensemble. */
export interface EnsembleVerdict {
  readonly adherence: Adherence
  /** Why it is not `MEETS_STRICT`, with the bookies; `null` where it is. */
  readonly reason: string | null
  readonly notes: readonly Note[]
}

/** The policy's settings, all there. */
export interface CheckedPolicy {
  readonly policy: EnsemblePolicyName
  readonly bookies: BookieLocations
  readonly writeQuorum: number
  readonly minRacks: number
  readonly enforced: boolean
  readonly desiredZones: number
  readonly minZones: number
}

/** The rack of a bookie that has none. */
export const DEFAULT_RACK = '/default-rack'
const INT_MAX = 2 ** 31 - 1

/** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_NAME (a policy) */
export function checkPolicy(given: EnsemblePolicy): CheckedPolicy {
  const count = (value: unknown, name: string, least: number) => checkInteger(value, name, [least, INT_MAX])
  const enforced = given.enforceMinNumRacksPerWriteQuorum ?? false
  if (typeof enforced !== 'boolean') throw wrongType('enforceMinNumRacksPerWriteQuorum', 'true or false', enforced)
  checkLocations(given.bookies)
  const checked = {
    policy: checkName(given.policy ?? 'rack', 'policy', ENSEMBLE_POLICIES),
    bookies: given.bookies,
    writeQuorum: count(given.writeQuorum ?? 2, 'writeQuorum', 1),
    minRacks: count(given.minNumRacksPerWriteQuorum ?? 2, 'minNumRacksPerWriteQuorum', 0),
    enforced,
    desiredZones: count(given.desiredNumZonesPerWriteQuorum ?? 3, 'desiredNumZonesPerWriteQuorum', 0),
    minZones: count(given.minNumZonesPerWriteQuorum ?? 2, 'minNumZonesPerWriteQuorum', 0),
  }
  const { policy, minZones, desiredZones } = checked
  if (policy === 'zone' && minZones > desiredZones) throw crossedZones(minZones, desiredZones)
  return checked
}

function checkLocations(bookies: unknown): void {
  if (typeof bookies !== 'object' || bookies === null || Array.isArray(bookies)) {
    throw wrongType('bookies', 'an object of bookie to location', bookies)
  }
  for (const [bookie, location] of Object.entries(bookies)) {
    if (location === null) continue
    if (typeof location !== 'string') throw wrongType(`bookies[${shown(bookie)}]`, 'a location or null', location)
    if (/^(\/[^/]+)+$/.test(location)) continue
    const message = `bookies[${shown(bookie)}]: expected a location that begins with / and has no empty part`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `${message}, got ${shown(location)}`)
  }
}

/**
 * What the policy says of an ensemble.
 *
 * @param ensemble ids of bookies, in the ledger's order; those that `bookies` does not hold are unknown to the cluster
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (with Java's text where the original refuses),
 *   ERR_PLACEMENT_UNKNOWN_NAME
 * @example
 * const bookies = { b1: '/a', b2: '/a', b3: '/b' }
 * pulsar.ledger.ensembleAdherence(['b1', 'b2'], { bookies }).adherence // 'FAIL'
 */
export function ensembleAdherence(ensemble: readonly string[], policy: EnsemblePolicy): EnsembleVerdict {
  const checked = checkPolicy(policy)
  checkBookies(ensemble, 'ensemble')
  return verdictOf(ensemble, checked)
}

/** As {@link ensembleAdherence}, of what is checked. */
export function verdictOf(ensemble: readonly string[], policy: CheckedPolicy): EnsembleVerdict {
  if (policy.policy === 'region') return regionVerdict(ensemble)
  if (ensemble.length === 0) return failed('the ensemble is empty')
  return policy.policy === 'zone' ? zoneVerdict(ensemble, policy) : rackVerdict(ensemble, policy)
}

/**
 * Whether bookies that acknowledged an entry stand in enough racks.
 *
 * @throws as {@link ensembleAdherence}; ERR_PLACEMENT_UNSUPPORTED for another policy than `rack`
 */
export function ackedAdherence(acked: readonly string[], policy: EnsemblePolicy): boolean {
  const { policy: name, bookies, writeQuorum, minRacks } = checkPolicy(policy)
  checkBookies(acked, 'acked')
  if (name !== 'rack') {
    throw codedError(
      'ERR_PLACEMENT_UNSUPPORTED',
      `policy: expected rack, got ${name}: it says nothing of acknowledgements`,
    )
  }
  const racks = new Set(acked.filter((id) => isKnown(bookies, id)).map((id) => rackOf(bookies, id)))
  return racks.size >= Math.min(writeQuorum, minRacks)
}

export const isKnown = (bookies: BookieLocations, id: string): boolean => Object.hasOwn(bookies, id)
export const rackOf = (bookies: BookieLocations, id: string): string => bookies[id] ?? DEFAULT_RACK

/** The bookies of each run of `writeQuorum` neighbours, round the ensemble. */
function windowsOf(ensemble: readonly string[], writeQuorum: number): string[][] {
  return ensemble.map((_, i) => Array.from({ length: writeQuorum }, (_, w) => ensemble[(i + w) % ensemble.length]!))
}

function rackVerdict(ensemble: readonly string[], policy: CheckedPolicy): EnsembleVerdict {
  const { bookies, writeQuorum, minRacks, enforced } = policy
  const least = Math.min(writeQuorum, minRacks)
  for (const window of windowsOf(ensemble, writeQuorum)) {
    const racks = new Set(window.filter((id) => isKnown(bookies, id)).map((id) => rackOf(bookies, id)))
    if (enforced && racks.has(DEFAULT_RACK)) {
      return failed(`${window.join(', ')}: one has no rack, and minNumRacksPerWriteQuorum is enforced`)
    }
    if (racks.size < least) {
      const reason = `${window.join(', ')}: ${racks.size} of ${least} racks${unknownOf(window, bookies)}`
      return { ...failed(reason), notes: oddRing(ensemble, policy) }
    }
  }
  return STRICT
}

/** Two racks cannot alternate round a ring of odd length. */
function oddRing(ensemble: readonly string[], { bookies, writeQuorum, minRacks }: CheckedPolicy): Note[] {
  const racks = new Set(Object.keys(bookies).map((id) => rackOf(bookies, id)))
  if (racks.size !== 2 || ensemble.length % 2 === 0 || Math.min(writeQuorum, minRacks) < 2 || writeQuorum !== 2)
    return []
  const message = `an ensemble of ${ensemble.length} over two racks never adheres with a write quorum of 2: the last bookie is the first one's neighbour; take an even ensemble size or a third rack`
  return [{ code: 'NOTE_LEDGER_ODD_ENSEMBLE', message }]
}

function zoneVerdict(ensemble: readonly string[], policy: CheckedPolicy): EnsembleVerdict {
  const { writeQuorum, minZones, desiredZones } = policy
  if (ensemble.length % writeQuorum !== 0) {
    return failed(`${ensemble.length} bookies are no multiple of the write quorum ${writeQuorum}`)
  }
  if (writeQuorum <= minZones) {
    return failed(`the write quorum ${writeQuorum} is not above minNumZonesPerWriteQuorum ${minZones}`)
  }
  let soft: string | null = null
  for (const window of windowsOf(ensemble, writeQuorum)) {
    const zones = zonesOf(window, policy.bookies)
    if (typeof zones === 'string') return failed(zones)
    const reason = `${window.join(', ')}: ${zones.size} zones`
    if (zones.size < minZones) return failed(`${reason}, expected ${minZones}`)
    for (const [zone, domains] of zones) {
      if (domains.length > 1 && new Set(domains).size === 1) {
        return failed(`${window.join(', ')}: ${domains.length} in zone ${zone}, all in upgrade domain ${domains[0]}`)
      }
    }
    if (zones.size < Math.min(writeQuorum, desiredZones)) soft ??= `${reason}, desired ${desiredZones}`
  }
  return soft === null ? STRICT : { adherence: 'MEETS_SOFT', reason: soft, notes: [] }
}

/** Upgrade domains of the bookies in each zone; a sentence where a bookie has no such place. */
function zonesOf(window: readonly string[], bookies: BookieLocations): Map<string, string[]> | string {
  const zones = new Map<string, string[]>()
  for (const id of window) {
    const parts = (bookies[id] ?? '').split('/')
    if (parts.length !== 3) return `${id}: its zone and upgrade domain are not known`
    const [, zone, domain] = parts as [string, string, string]
    zones.set(zone, [...(zones.get(zone) ?? []), domain])
  }
  return zones
}

function regionVerdict(ensemble: readonly string[]): EnsembleVerdict {
  const message = `the region-aware policy says MEETS_STRICT of every ensemble, this one of ${ensemble.length} bookies too: it compares nothing`
  return { ...STRICT, notes: [{ code: 'NOTE_LEDGER_REGION_UNCHECKED', message }] }
}

const STRICT: EnsembleVerdict = { adherence: 'MEETS_STRICT', reason: null, notes: [] }
const failed = (reason: string): EnsembleVerdict => ({ adherence: 'FAIL', reason, notes: [] })

function unknownOf(window: readonly string[], bookies: BookieLocations): string {
  const unknown = window.filter((id) => !isKnown(bookies, id))
  return unknown.length === 0 ? '' : ` (${unknown.join(', ')} not known)`
}

/** Refuses everything but a list of ids. @throws ERR_PLACEMENT_ARGUMENT_TYPE */
export function checkBookies(ids: unknown, name: string): void {
  if (!Array.isArray(ids)) throw wrongType(name, "a list of bookies' ids", ids)
  const wrong = ids.findIndex((id) => typeof id !== 'string')
  if (wrong >= 0) throw wrongType(`${name}[${wrong}]`, "a bookie's id", ids[wrong])
}

function wrongType(name: string, expected: string, value: unknown): Error {
  return codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${name}: expected ${expected}, got ${shown(value)}`)
}

function crossedZones(least: number, desired: number): Error {
  const message = `minNumZonesPerWriteQuorum: expected at most desiredNumZonesPerWriteQuorum ${desired}, got ${least}`
  return codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message, {
    javaClass: 'java.lang.IllegalArgumentException',
    javaMessage: `minNumZonesPerWriteQuorum: ${least} cann't be greater than desiredNumZonesPerWriteQuorum: ${desired}`,
  })
}
