/**
 * What brokers and bundles report, as the modular load manager looks at it.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData and ResourceUsage.
 * What differs from the obvious: percentages are floats; the heap is not looked at, and direct memory only as much as its
 * weight says; of a map of brokers the order is that of a ConcurrentHashMap, which sums and ties show.
 */
import { codedError, shown } from '../errors.js'
import type { LoadSettings } from './load-settings.js'
import type { BundleRates } from './split-limits.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** Usage of a broker in percent of its limits; what is missing is 0. */
export interface BrokerUsage {
  readonly cpu?: number | undefined
  readonly directMemory?: number | undefined
  readonly bandwidthIn?: number | undefined
  readonly bandwidthOut?: number | undefined
}

/** A broker's report. Rates are a second, bytes for throughput. */
export interface BrokerLoad extends BundleRates {
  readonly usage: BrokerUsage
  /** Bundles that it owns, each once. */
  readonly bundles: readonly string[]
  /** Messages a second over a long time. Default: 0. */
  readonly longTermMsgRate?: number | undefined
  /** Bundles that it was given and has not reported yet, with their rates. Default: none. */
  readonly preallocated?: Readonly<Record<string, BundleRates>> | undefined
}

/** What a leader knows when it sheds. */
export interface ClusterLoad {
  readonly brokers: Readonly<Record<string, BrokerLoad>>
  /** Short-term rates by bundle, such as `tenant/namespace/0x00000000_0x40000000`. */
  readonly bundles: Readonly<Record<string, BundleRates>>
  /** Bundles within their grace period, which are left alone. Default: none. */
  readonly recentlyUnloaded?: readonly string[] | undefined
}

/** Bundles to unload, by broker, in the order of the choice. */
export type Unloads = ReadonlyMap<string, readonly string[]>

export const MEGABYTE = 1 << 20

const USAGES = ['cpu', 'directMemory', 'bandwidthIn', 'bandwidthOut'] as const
/** Messages and bytes a second. */
export const RATES = ['msgRateIn', 'msgRateOut', 'msgThroughputIn', 'msgThroughputOut'] as const

/**
 * Refuses loads that no broker reports.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (negative, NaN, over 100 %), ERR_PLACEMENT_DUPLICATE (a bundle
 *   of two brokers)
 */
export function checkLoad({ brokers, bundles }: ClusterLoad): void {
  const owners = new Map<string, string>()
  for (const [name, broker] of Object.entries(brokers)) {
    const where = `brokers[${shown(name)}]`
    if (typeof broker?.usage !== 'object' || !Array.isArray(broker.bundles)) {
      const message = `${where}: expected a report with usage and bundles, got ${shown(broker)}`
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
    }
    for (const key of USAGES) checkNumber(broker.usage[key], `${where}.usage.${key}`, 100)
    checkRates(broker, where)
    for (const bundle of broker.bundles) {
      if (owners.has(bundle)) throw ownedTwice(bundle, owners.get(bundle)!, name)
      owners.set(bundle, name)
    }
  }
  for (const [bundle, rates] of Object.entries(bundles)) checkRates(rates, `bundles[${shown(bundle)}]`)
}

function checkRates(rates: BundleRates, where: string): void {
  for (const key of RATES) checkNumber(rates[key], `${where}.${key}`, Number.MAX_VALUE)
}

function checkNumber(value: unknown, where: string, most: number): void {
  if (value === undefined || (typeof value === 'number' && value >= 0 && value <= most)) return
  const code = typeof value === 'number' ? 'ERR_PLACEMENT_ARGUMENT_RANGE' : 'ERR_PLACEMENT_ARGUMENT_TYPE'
  const range = most === Number.MAX_VALUE ? 'of 0 or more' : `in [0, ${most}]`
  throw codedError(code, `${where}: expected a number ${range}, got ${shown(value)}`)
}

function ownedTwice(bundle: string, first: string, second: string): Error {
  const message = `bundle ${shown(bundle)}: expected one owner, got ${shown(first)} and ${shown(second)}`
  return codedError('ERR_PLACEMENT_DUPLICATE', message)
}

/** Percent as Java's float has it: 100 times a rounded part of the limit. */
const percentOf = (usage: number | undefined): number => Math.fround(Math.fround((usage ?? 0) / 100) * 100)

/** The largest usage, in [0, 1], each counted as its weight says. */
export function weightedUsage(usage: BrokerUsage, settings: LoadSettings): number {
  return (
    Math.max(
      percentOf(usage.cpu) * settings.loadBalancerCPUResourceWeight,
      percentOf(usage.directMemory) * settings.loadBalancerDirectMemoryResourceWeight,
      percentOf(usage.bandwidthIn) * settings.loadBalancerBandwidthInResourceWeight,
      percentOf(usage.bandwidthOut) * settings.loadBalancerBandwidthOutResourceWeight,
    ) / 100
  )
}

/** The largest usage, in [0, 1], all alike: what is compared with the threshold of overload before 4.2. */
export function plainUsage({ cpu, directMemory, bandwidthIn, bandwidthOut }: BrokerUsage): number {
  const most = Math.max(percentOf(cpu), percentOf(directMemory), percentOf(bandwidthIn), percentOf(bandwidthOut))
  return Math.fround(most / 100)
}

/** Whether a release compares the weighted usage with the threshold of overload. */
export const weighsOverload = (options?: PulsarVersionOption): boolean => isSince(pulsarVersion(options), '4.2')

export const messageRate = ({ msgRateIn = 0, msgRateOut = 0 }: BundleRates): number => msgRateIn + msgRateOut
export const throughput = ({ msgThroughputIn = 0, msgThroughputOut = 0 }: BundleRates): number =>
  msgThroughputIn + msgThroughputOut
