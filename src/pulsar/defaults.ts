/**
 * What Pulsar takes where nothing is said: bundles of a new namespace, and when bundles are split, by release. Data, to be
 * printed with its source.
 *
 * Source: Apache Pulsar 2.10.5, 3.0.7, 4.2.4 and 5.0.1, the fields of a new org.apache.pulsar.broker.ServiceConfiguration;
 * for the commands that set a cluster up, the documentation of 5.0, "Namespace bundles"; apache/pulsar#26610 raised the
 * numbers in 5.0.0. Namespaces that exist keep theirs when a cluster is upgraded.
 */
import type { PulsarVersion } from '../types.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

/** Bundles of a namespace that is made without a number, by who makes it. */
export interface BundleDefaults {
  /** By the admin API, `pulsar-admin namespaces create`, or a client: `defaultNumberOfNamespaceBundles`. */
  readonly namespace: number
  /** `public/default`, by `initialize-cluster-metadata`: `--default-namespace-bundle-number`. */
  readonly initialNamespace: number
  /** `pulsar/system`, by `initialize-cluster-metadata`: `--system-namespace-bundle-number`. */
  readonly initialSystemNamespace: number
  /** `pulsar/system`, where the broker or a standalone finds it missing: `defaultNumberOfSystemNamespaceBundles`. */
  readonly systemNamespace: number
  /** The namespace of each broker's heartbeat. */
  readonly heartbeatNamespace: number
}

/** When a bundle is split on its own, and how many a namespace may come to. Names of broker.conf. */
export interface SplitDefaults {
  readonly loadBalancerEnabled: boolean
  readonly loadBalancerAutoBundleSplitEnabled: boolean
  readonly loadBalancerAutoUnloadSplitBundlesEnabled: boolean
  /** Bundles of a namespace at which automatic splits stop. */
  readonly loadBalancerNamespaceMaximumBundles: number
  readonly loadBalancerNamespaceBundleMaxTopics: number
  /** Producers and consumers; 0 or less: no limit. */
  readonly loadBalancerNamespaceBundleMaxSessions: number
  /** Messages a second, in and out. */
  readonly loadBalancerNamespaceBundleMaxMsgRate: number
  /** MiB a second, in and out. */
  readonly loadBalancerNamespaceBundleMaxBandwidthMbytes: number
  readonly loadBalancerBrokerMaxTopics: number
  readonly defaultNamespaceBundleSplitAlgorithm: string
  readonly supportedNamespaceBundleSplitAlgorithms: readonly string[]
  readonly namespaceBundleUnloadingTimeoutMs: number
  /** Since 3.0: cycles in a row that a bundle must be over a limit; extensible load manager. */
  readonly loadBalancerNamespaceBundleSplitConditionHitCountThreshold?: number
  /** Since 3.0; extensible load manager. */
  readonly loadBalancerMaxNumberOfBundlesToSplitPerCycle?: number
  /** Since 3.0; extensible load manager. */
  readonly loadBalancerSplitIntervalMinutes?: number
  /** Since 3.0: percent, for `flow_or_qps_equally_divide`. */
  readonly flowOrQpsDifferenceThresholdPercentage?: number
}

const SINCE_5_0: BundleDefaults = {
  namespace: 32,
  initialNamespace: 32,
  initialSystemNamespace: 64,
  systemNamespace: 64,
  heartbeatNamespace: 1,
}

const BEFORE_5_0: BundleDefaults = {
  namespace: 4,
  initialNamespace: 16,
  initialSystemNamespace: 16,
  systemNamespace: 4,
  heartbeatNamespace: 1,
}

const SPLIT_2_10: SplitDefaults = {
  loadBalancerEnabled: true,
  loadBalancerAutoBundleSplitEnabled: true,
  loadBalancerAutoUnloadSplitBundlesEnabled: true,
  loadBalancerNamespaceMaximumBundles: 128,
  loadBalancerNamespaceBundleMaxTopics: 1000,
  loadBalancerNamespaceBundleMaxSessions: 1000,
  loadBalancerNamespaceBundleMaxMsgRate: 30000,
  loadBalancerNamespaceBundleMaxBandwidthMbytes: 100,
  loadBalancerBrokerMaxTopics: 50000,
  defaultNamespaceBundleSplitAlgorithm: 'range_equally_divide',
  supportedNamespaceBundleSplitAlgorithms: ['range_equally_divide', 'topic_count_equally_divide'],
  namespaceBundleUnloadingTimeoutMs: 60000,
}

const SPLIT_SINCE_3_0: SplitDefaults = {
  ...SPLIT_2_10,
  supportedNamespaceBundleSplitAlgorithms: [
    'range_equally_divide',
    'topic_count_equally_divide',
    'specified_positions_divide',
    'flow_or_qps_equally_divide',
  ],
  loadBalancerNamespaceBundleSplitConditionHitCountThreshold: 3,
  loadBalancerMaxNumberOfBundlesToSplitPerCycle: 10,
  loadBalancerSplitIntervalMinutes: 1,
  flowOrQpsDifferenceThresholdPercentage: 10,
}

/** The defaults of a release. */
export interface PulsarDefaults {
  readonly version: PulsarVersion
  readonly bundles: BundleDefaults
  readonly split: SplitDefaults
}

/**
 * The defaults of a release.
 *
 * ```
 * pulsar.defaults({ version: '4.2' }).bundles.namespace // → 4
 * pulsar.defaults().bundles.namespace // → 32
 * ```
 *
 * @throws ERR_PLACEMENT_UNKNOWN_VERSION
 */
export function defaults(options?: PulsarVersionOption): PulsarDefaults {
  const version = pulsarVersion(options)
  return {
    version,
    bundles: isSince(version, '5.0') ? SINCE_5_0 : BEFORE_5_0,
    split: isSince(version, '3.0') ? SPLIT_SINCE_3_0 : SPLIT_2_10,
  }
}
