/**
 * When a bundle is too big: the four limits of the broker, as both load managers look at them.
 *
 * Source: Apache Pulsar 5.0.1, 4.2.4 and 3.0.7, org.apache.pulsar.broker.loadbalance.impl.BundleSplitterTask and
 * extensions.strategy.DefaultNamespaceBundleSplitStrategyImpl; 2.10.5, the first one, read.
 * What differs from the obvious: the bandwidth limit is multiplied in 32 bits, so that 2,048 MB are less than nothing and
 * 4,096 MB nothing; sessions are added in 32 bits; bundles of fewer than two topics are never too big.
 */
import { codedError, shown } from '../errors.js'
import type { Note } from '../notes.js'
import type { SplitDefaults } from './defaults.js'

/** What a broker reports of a bundle. Rates are a second, bytes for throughput; what is missing is 0. */
export interface BundleStats {
  readonly topics?: number | undefined
  readonly consumers?: number | undefined
  readonly producers?: number | undefined
  readonly msgRateIn?: number | undefined
  readonly msgRateOut?: number | undefined
  readonly msgThroughputIn?: number | undefined
  readonly msgThroughputOut?: number | undefined
}

/** Rates of a bundle a second. */
export type BundleRates = Pick<BundleStats, 'msgRateIn' | 'msgRateOut' | 'msgThroughputIn' | 'msgThroughputOut'>

/** Why a bundle is too big, in the words of the extensible manager, and in its order. */
export type SplitReason = 'Topics' | 'Sessions' | 'MsgRate' | 'Bandwidth'

const RATES = ['msgRateIn', 'msgRateOut', 'msgThroughputIn', 'msgThroughputOut'] as const
const COUNTS = ['topics', 'consumers', 'producers'] as const

/** Refuses numbers that no broker reports. Errors: ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_ARGUMENT_TYPE. */
export function checkStats(stats: BundleStats, where: string): void {
  if (typeof stats !== 'object' || stats === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected an object, got ${shown(stats)}`)
  }
  for (const name of COUNTS) checkNumber(stats[name], `${where}.${name}`, Number.isInteger, 'an integer of 0 or more')
  for (const name of RATES) checkNumber(stats[name], `${where}.${name}`, Number.isFinite, 'a number of 0 or more')
}

function checkNumber(value: unknown, where: string, isRight: (value: unknown) => boolean, expected: string): void {
  if (value === undefined || (isRight(value) && (value as number) >= 0)) return
  const code = typeof value === 'number' ? 'ERR_PLACEMENT_ARGUMENT_RANGE' : 'ERR_PLACEMENT_ARGUMENT_TYPE'
  throw codedError(code, `${where}: expected ${expected}, got ${shown(value)}`)
}

/** The first limit that a bundle is over, or `null`; `rates` are what the manager looks at, its own or a long-term mean. */
export function reasonToSplit(stats: BundleStats, rates: BundleRates, settings: SplitDefaults): SplitReason | null {
  const { topics = 0, consumers = 0, producers = 0 } = stats
  if (topics < 2) return null
  if (topics > settings.loadBalancerNamespaceBundleMaxTopics) return 'Topics'
  const sessions = (consumers + producers) | 0
  const maxSessions = settings.loadBalancerNamespaceBundleMaxSessions
  if (maxSessions > 0 && sessions > maxSessions) return 'Sessions'
  return overByRates(rates, settings)
}

/** The limit on traffic that these rates are over, or `null`, whatever the number of topics. */
export function overByRates(rates: BundleRates, settings: SplitDefaults): SplitReason | null {
  const { msgRateIn = 0, msgRateOut = 0, msgThroughputIn = 0, msgThroughputOut = 0 } = rates
  if (msgRateIn + msgRateOut > settings.loadBalancerNamespaceBundleMaxMsgRate) return 'MsgRate'
  return msgThroughputIn + msgThroughputOut > maxBandwidth(settings) ? 'Bandwidth' : null
}

/** The bandwidth limit in bytes, as a Java int holds it. */
export const maxBandwidth = (settings: SplitDefaults): number =>
  Math.imul(settings.loadBalancerNamespaceBundleMaxBandwidthMbytes, 0x100000)

/** What there is to say of the settings themselves. */
export function settingsNotes(settings: SplitDefaults): Note[] {
  const megabytes = settings.loadBalancerNamespaceBundleMaxBandwidthMbytes
  const limit = maxBandwidth(settings)
  if (limit === megabytes * 0x100000) return []
  const where = 'loadBalancerNamespaceBundleMaxBandwidthMbytes'
  const which = limit < 0 ? 'every bundle of two topics or more is split' : 'bundles are split at this limit'
  const message = `${megabytes} MB overflow 32 bits and become ${limit} bytes a second: ${which}; take 2047 or less`
  return [{ code: 'NOTE_SPLIT_BANDWIDTH_OVERFLOW', message, where }]
}
