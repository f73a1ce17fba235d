/** `pulsar`: names, bundles and defaults of Apache Pulsar, as releases 2.10, 3.0, 4.2 and 5.0 have them. */
export {
  type AdviceQuestion,
  adviseBundles,
  adviseBundlesAsync,
  type BundleAdvice,
  type BundleCandidate,
} from './advise.js'
export { AvgShedder } from './avg-shedder.js'
export { type BrokerConf, type BrokerConfOptions, readBrokerConf } from './broker-conf.js'
export type { BrokerLoad, BrokerUsage, ClusterLoad, Unloads } from './broker-load.js'
export type { BrokerSpread } from './broker-spread.js'
export { type BundleLoadTable, readBundleLoads } from './bundle-load-table.js'
export { type BundleKey, type HashRange, NamespaceBundle, parseBundleKey } from './bundle-range.js'
export type { BundleSplit, LoadManager, SplitOptions } from './bundle-split.js'
export { type BundlesOptions, NamespaceBundles } from './bundles.js'
export {
  type BundlesData,
  type ReadBundlesData,
  readBundlesData,
  validateBundlesData,
  writeBundlesData,
} from './bundles-data.js'
export {
  CHAR_SIGNS,
  type CharSign,
  CLIENT_DEFAULTS,
  CLIENT_NAMES,
  type ClientDisagreements,
  type ClientName,
  type ClientOptions,
  clientDisagreements,
  type Disagreement,
  HASHING_SCHEMES,
  type HashingScheme,
  partitionForKey,
} from './clients.js'
export {
  compareLoadManagers,
  type LoadComparison,
  type LoadComparisonQuestion,
  type LoadComparisonRow,
} from './compare-load-managers.js'
export { type CoordinatorQuestion, type CoordinatorSpread, transactionCoordinators } from './coordinators.js'
export { type DeadLetterQuestion, type DeadLetterTopics, deadLetterTopics } from './dead-letter.js'
export type { DeduplicatedMessage, SequenceMarks } from './deduplicated-message.js'
export {
  type DeduplicationEvent,
  type DeduplicationOptions,
  type DeduplicationResult,
  type DeduplicationSnapshot,
  type DeduplicationState,
  type DeduplicationStep,
  type DuplicateVerdict,
  deduplicate,
  type Recovery,
} from './deduplication.js'
export { defaults, type PulsarDefaults } from './defaults.js'
export {
  type DelayedEvent,
  type DelayedOptions,
  type DelayedResult,
  type DelayedStep,
  delayed,
} from './delayed-delivery.js'
export type { EnsembleQuestion, PossibleEnsemble } from './ensemble-choice.js'
export type {
  Adherence,
  BookieLocations,
  EnsemblePolicy,
  EnsemblePolicyName,
  EnsembleVerdict,
} from './ensemble-policy.js'
export {
  entryBucketOf,
  entryBucketRanges,
  entryBucketSplits,
  entryBucketsForBudget,
} from './entry-buckets.js'
export {
  type ExpiryLedger,
  type ExpiryQuestion,
  type ExpiryRun,
  expiry,
  isExpired,
  type MessageTimes,
  type RangeLedger,
  searchRange,
} from './expiry.js'
export { activeConsumer, type FailoverConsumer, FailoverConsumers, type FailoverOptions } from './failover.js'
export type { CrowdedFamilies, FamilySeparation } from './family-separation.js'
export type { KeyHashRange, KeySharedConsumer, KeySharedSelector } from './key-shared.js'
export type {
  ConsumerShare,
  HashSpace,
  IntoConsumers,
  KeySharedAssignment,
  KeySharedMoves,
  MovedRange,
} from './key-shared-assignment.js'
export { KeySharedAutoSplit, type KeySharedAutoSplitOptions } from './key-shared-auto-split.js'
export {
  type EntryBucketConsumer,
  KeySharedEntryBucket,
  type KeySharedEntryBucketOptions,
} from './key-shared-entry-bucket.js'
export { KeySharedRing, type KeySharedRingOptions } from './key-shared-ring.js'
export { KeySharedSticky, type KeySharedStickyOptions, type StickyConsumer } from './key-shared-sticky.js'
export { ledger } from './ledger.js'
export type { AckSet, QuorumCoverage } from './ledger-acks.js'
export type { EnsembleLoss, EntryRange, LedgerLoss, LedgerMetadata, LostEntries } from './ledger-loss.js'
export type { EntryPlacement, LedgerQuorums } from './ledger-schedule.js'
export { type LoadReportFile, type LoadReportOptions, type MeasuredLoad, readLoadReports } from './load-reports.js'
export { type LoadSettings, loadSettings } from './load-settings.js'
export { NamespaceName, type NamespaceNameParts } from './namespace-name.js'
export {
  AvgShedderPlacement,
  LeastLongTermMessageRate,
  LeastResourceUsageWithWeight,
  type PlacementStrategy,
  RoundRobinBrokerSelector,
} from './placement-strategies.js'
export { type Into, RangeTable } from './range-table.js'
export {
  type AckTimeoutEvent,
  type AckTimeoutOptions,
  ackTimeouts,
  type MessagePosition,
  type NegativeAck,
  type NegativeAckOptions,
  negativeAcks,
  type Redelivery,
} from './redelivery.js'
export { type RedeliveryBackoff, redeliveryBackoff } from './redelivery-backoff.js'
export {
  type NotReplicated,
  type ReplicatedMessage,
  type ReplicationOptions,
  type ReplicationTarget,
  type ReplicatorQuestion,
  type Replicators,
  replicationTargets,
  replicators,
} from './replication.js'
export { type RetryAttempt, type RetryFlow, type RetryFlowQuestion, retryFlow } from './retry-flow.js'
export {
  type ConsumedMessage,
  type RetryFailure,
  type RetryLetter,
  type RetryPolicy,
  retryLetter,
} from './retry-letter.js'
export {
  type BrokerRestart,
  type RestartMoves,
  type RestartRun,
  type RollingRestart,
  type RollingRestartQuestion,
  rollingRestart,
} from './rolling-restart.js'
export {
  type ClockSlot,
  ROUTING_MODES,
  type RoutedMessage,
  type Router,
  type RoutingMode,
  roundRobinPartition,
  routeMessages,
  type SwitchInterval,
  type SwitchSettings,
  switchInterval,
} from './routing.js'
export {
  type AutoScaleDecision,
  type AutoScaleQuestion,
  decideAutoScale,
  type SegmentLoad,
} from './segment-auto-scale.js'
export { AUTO_SCALE_DEFAULTS, type AutoScaleConfig } from './segment-auto-scale-config.js'
export {
  type AssignedSegment,
  assignSegments,
  type SegmentAssignmentOptions,
  type SegmentConsumer,
} from './segment-consumers.js'
export { type BucketBudget, bucketCountOf, type Segment, SegmentLayout, segmentTopic } from './segment-layout.js'
export { SegmentRange } from './segment-range.js'
export {
  type RoutedSegment,
  type SegmentHashes,
  segmentHashes,
  segmentOfKey,
  segmentOfTurn,
} from './segment-routing.js'
export { OverloadShedder, type Shedder, ThresholdShedder, UniformLoadShedder } from './shedders.js'
export { simulate } from './simulation/run.js'
export {
  type BouncingBundle,
  type BrokerLimits,
  type BundleLoad,
  type IsolationPolicy,
  type LoadColumns,
  type LoadEvent,
  type LoadManagerChoice,
  type LoadMove,
  type LoadSimulation,
  type LoadSimulationQuestion,
  type LoadValue,
  MOVE_CAUSES,
  type MoveCause,
  type MoveColumns,
  PLACEMENTS,
  type PlacementName,
  type PlacementPolicies,
  SHEDDERS,
  type ShedderName,
  type SimulatedBroker,
  type SimulatedBundle,
  type Thrash,
  type ThrashCause,
} from './simulation-types.js'
export type { LoadUnit } from './sorted-load.js'
export {
  type CorrectedSplitAlgorithm,
  type PulsarSplitAlgorithm,
  SPLIT_ALGORITHMS,
  type SplitAlgorithm,
  type SplitAlgorithmOptions,
  type SplitConfig,
  type SplitQuestion,
  splitAlgorithm,
  splitBoundaries,
} from './split.js'
export {
  type BoundariesOf,
  type BundleCounts,
  type ExtensibleCycle,
  type ExtensibleDecision,
  type ExtensibleDecisions,
  type ExtensibleOptions,
  type ExtensibleReason,
  ExtensibleSplits,
  type ModularDecision,
  type ModularQuestion,
  modularSplits,
  type StatsOfBundles,
} from './split-decision.js'
export type { BundleCut } from './split-layout.js'
export type { BundleRates, BundleStats, SplitReason } from './split-limits.js'
export {
  type SimulatedSplit,
  type SimulationQuestion,
  type SplitSimulation,
  simulateSplits,
  type TopicLoads,
} from './split-simulation.js'
export { type StickyKeyMessage, stickyKey } from './sticky-key.js'
export { type SuffixAliasing, suffixAliasing } from './suffix-aliasing.js'
export { type TopicDomain, TopicName, type TopicNameParts } from './topic-name.js'
export type { PerTopic, TopicRates } from './topic-rates.js'
export { type Transfer, TransferShedder } from './transfer-shedder.js'
export type { TopBundle, TransferCycle, TransferLoad } from './transfer-view.js'
