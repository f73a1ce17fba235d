/**
 * The settings of broker.conf that decide what is shed and where bundles go, with their defaults by release.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, org.apache.pulsar.broker.ServiceConfiguration.
 */
import { codedError, nearest, shown } from '../errors.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** Settings by broker.conf's names. */
export interface LoadSettings {
  readonly loadBalancerBrokerOverloadedThresholdPercentage: number
  readonly loadBalancerBrokerThresholdShedderPercentage: number
  readonly loadBalancerAverageResourceUsageDifferenceThresholdPercentage: number
  readonly loadBalancerHistoryResourcePercentage: number
  readonly loadBalancerBundleUnloadMinThroughputThreshold: number
  readonly lowerBoundarySheddingEnabled: boolean
  readonly loadBalancerCPUResourceWeight: number
  readonly loadBalancerDirectMemoryResourceWeight: number
  readonly loadBalancerBandwidthInResourceWeight: number
  readonly loadBalancerBandwidthOutResourceWeight: number
  readonly loadBalancerMsgRateDifferenceShedderThreshold: number
  readonly loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold: number
  readonly minUnloadMessage: number
  readonly minUnloadMessageThroughput: number
  readonly maxUnloadPercentage: number
  readonly maxUnloadBundleNumPerShedding: number
  readonly loadBalancerAvgShedderLowThreshold: number
  readonly loadBalancerAvgShedderHighThreshold: number
  readonly loadBalancerAvgShedderHitCountLowThreshold: number
  readonly loadBalancerAvgShedderHitCountHighThreshold: number
  readonly loadBalancerBrokerLoadTargetStd: number
  readonly loadBalancerSheddingConditionHitCountThreshold: number
  readonly loadBalancerTransferEnabled: boolean
  readonly loadBalancerMaxNumberOfBrokerSheddingPerCycle: number
  readonly loadBalanceSheddingDelayInSeconds: number
  readonly loadBalancerBrokerLoadDataTTLInSeconds: number
  readonly loadBalancerSheddingExcludedNamespaces: readonly string[]
  /** Class of the manager: `…impl.ModularLoadManagerImpl` or `…extensions.ExtensibleLoadManagerImpl`. */
  readonly loadManagerClassName: string
  /** Class of the shedder. Default for the extensible manager: `TransferShedder`, whatever is set here. */
  readonly loadBalancerLoadSheddingStrategy: string
  /** Class of the modular manager's placement strategy. */
  readonly loadBalancerLoadPlacementStrategy: string
  readonly loadBalancerEnabled: boolean
  readonly loadBalancerSheddingEnabled: boolean
  readonly loadBalancerSheddingIntervalMinutes: number
  readonly loadBalancerSheddingGracePeriodMinutes: number
  readonly loadBalancerBrokerMaxTopics: number
  readonly loadBalancerDistributeBundlesEvenlyEnabled: boolean
  readonly failureDomainsEnabled: boolean
  readonly loadBalancerSheddingBundlesWithPoliciesEnabled: boolean
  readonly loadBalancerMaxNumberOfBundlesInBundleLoadReport: number
  readonly loadBalancerReportUpdateMinIntervalMillis: number
  /** A debug flag that changes what the transfer shedder does: only then a swap's gain is counted. */
  readonly loadBalancerDebugModeEnabled: boolean
}

const NEWEST: LoadSettings = {
  loadBalancerBrokerOverloadedThresholdPercentage: 85,
  loadBalancerBrokerThresholdShedderPercentage: 10,
  loadBalancerAverageResourceUsageDifferenceThresholdPercentage: 10,
  loadBalancerHistoryResourcePercentage: 0.9,
  loadBalancerBundleUnloadMinThroughputThreshold: 10,
  lowerBoundarySheddingEnabled: false,
  loadBalancerCPUResourceWeight: 1,
  loadBalancerDirectMemoryResourceWeight: 0,
  loadBalancerBandwidthInResourceWeight: 1,
  loadBalancerBandwidthOutResourceWeight: 1,
  loadBalancerMsgRateDifferenceShedderThreshold: 50,
  loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold: 4,
  minUnloadMessage: 1000,
  minUnloadMessageThroughput: 1 << 20,
  maxUnloadPercentage: 0.5,
  maxUnloadBundleNumPerShedding: -1,
  loadBalancerAvgShedderLowThreshold: 15,
  loadBalancerAvgShedderHighThreshold: 40,
  loadBalancerAvgShedderHitCountLowThreshold: 8,
  loadBalancerAvgShedderHitCountHighThreshold: 2,
  loadBalancerBrokerLoadTargetStd: 0.25,
  loadBalancerSheddingConditionHitCountThreshold: 3,
  loadBalancerTransferEnabled: true,
  loadBalancerMaxNumberOfBrokerSheddingPerCycle: 3,
  loadBalanceSheddingDelayInSeconds: 180,
  loadBalancerBrokerLoadDataTTLInSeconds: 1800,
  loadBalancerSheddingExcludedNamespaces: [],
  loadManagerClassName: 'org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl',
  loadBalancerLoadSheddingStrategy: 'org.apache.pulsar.broker.loadbalance.impl.AvgShedder',
  loadBalancerLoadPlacementStrategy: 'org.apache.pulsar.broker.loadbalance.impl.AvgShedder',
  loadBalancerEnabled: true,
  loadBalancerSheddingEnabled: true,
  loadBalancerSheddingIntervalMinutes: 1,
  loadBalancerSheddingGracePeriodMinutes: 30,
  loadBalancerBrokerMaxTopics: 50_000,
  loadBalancerDistributeBundlesEvenlyEnabled: false,
  failureDomainsEnabled: false,
  loadBalancerSheddingBundlesWithPoliciesEnabled: false,
  loadBalancerMaxNumberOfBundlesInBundleLoadReport: 10,
  loadBalancerReportUpdateMinIntervalMillis: 5000,
  loadBalancerDebugModeEnabled: false,
}

const BEFORE_5_0: Partial<LoadSettings> = {
  maxUnloadPercentage: 0.2,
  loadBalancerDistributeBundlesEvenlyEnabled: true,
  loadBalancerLoadSheddingStrategy: 'org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder',
  loadBalancerLoadPlacementStrategy: 'org.apache.pulsar.broker.loadbalance.impl.LeastLongTermMessageRate',
}
const BEFORE_4_2: Partial<LoadSettings> = { loadBalancerDirectMemoryResourceWeight: 1 }

/**
 * The settings, with the release's defaults for those not given.
 *
 * @throws ERR_PLACEMENT_UNKNOWN_NAME (with the nearest setting), ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE,
 *   ERR_PLACEMENT_UNKNOWN_VERSION; ERR_PLACEMENT_UNSUPPORTED before 3.0
 */
export function loadSettings(config: Partial<LoadSettings> = {}, options?: PulsarVersionOption): LoadSettings {
  const version = pulsarVersion(options)
  if (!isSince(version, '3.0')) {
    const message = `version: expected 3.0 or newer for load managers, got ${version}: what that release answers is not known`
    throw codedError('ERR_PLACEMENT_UNSUPPORTED', message)
  }
  for (const [name, value] of Object.entries(config)) checkSetting(name, value)
  const older = isSince(version, '5.0') ? {} : BEFORE_5_0
  const oldest = isSince(version, '4.2') ? {} : BEFORE_4_2
  return { ...NEWEST, ...older, ...oldest, ...config }
}

function checkSetting(name: string, value: unknown): void {
  if (!Object.hasOwn(NEWEST, name)) {
    const near = nearest(name, Object.keys(NEWEST))
    const hint = near === null ? '' : ` (did you mean ${near}?)`
    throw codedError(
      'ERR_PLACEMENT_UNKNOWN_NAME',
      `config: expected a setting of broker.conf, got ${shown(name)}${hint}`,
    )
  }
  const expected = NEWEST[name as keyof LoadSettings]
  const isRight = Array.isArray(expected) ? Array.isArray(value) : typeof value === typeof expected
  if (!isRight) {
    const what = Array.isArray(expected) ? 'a list' : `a ${typeof expected}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `config.${name}: expected ${what}, got ${shown(value)}`)
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `config.${name}: expected a finite number, got ${value}`)
  }
}
