/** `kafka`: where Apache Kafka, its clients and the clients of Pulsar put records and groups. */
export {
  type AssignorName,
  type AssignQuestion,
  assign,
  CLASSIC_ASSIGNORS,
  CONSUMER_ASSIGNORS,
  GROUP_TYPES,
  type GroupType,
  OWNED_ORDERS,
  type OwnedOrder,
  SHARE_ASSIGNORS,
  SUBSCRIPTION_TYPES,
  type SubscriptionType,
} from './assign.js'
export { assignAsync } from './assign-async.js'
export type { AssignNote } from './assign-notes.js'
export {
  Assignment,
  type AssignmentFacts,
  type GroupNames,
  type MemberPartition,
  PartitionLists,
} from './assignment.js'
export {
  type Append,
  type LoadStats,
  type LoadTable,
  loadStats,
  nextPartition,
  type PartitionInfo,
  type ProducerOptions,
  type QueueSizes,
  roundRobin,
  type StickyState,
  stickyAfterAppend,
  type TopicPartitions,
} from './built-in-partitioner.js'
export { Cluster } from './cluster.js'
export {
  BROKER_STATES,
  type Broker,
  type BrokerState,
  type ClusterBroker,
  type ClusterColumns,
  type ClusterOptions,
  type ClusterPartition,
  type ClusterSnapshot,
  type ClusterTopic,
  type Moving,
} from './cluster-types.js'
export {
  type CoPartitionDifference,
  type CoPartitionedTopics,
  type CoPartitioning,
  coPartitioned,
  type PartitionedTopic,
} from './co-partitioned.js'
export {
  AssignorComparison,
  type AssignorComparisonDocument,
  type ComparedAssignor,
  type ComparedAssignorDocument,
  type ComparedGroup,
  compareAssignors,
} from './compare-assignors.js'
export { groupCoordinatorPartition, transactionCoordinatorPartition } from './group.js'
export type {
  GroupMember,
  GroupTopic,
  MemberColumns,
  OwnedColumns,
  RackColumns,
  SubscriptionColumns,
  TopicColumns,
  TopicPartition,
} from './group-types.js'
export { type JavaMapOptions, javaMapOrder, javaUuidMapOrder } from './java-map-order.js'
export { type PartitionOptions, partitionForKey } from './partition.js'
export { type Draw, type Partitioner, type PartitionerName, partitioners } from './partitioners.js'
export { type BulkPartitionOptions, partitionsForKeys, partitionsForKeysAsync, type RecordKeys } from './partitions.js'
export {
  PLACERS,
  type PlacementBroker,
  type PlacementQuestion,
  type Placer,
  placeReplicas,
} from './place-replicas.js'
export type { Explanation, ExplanationReason, ReplicaExplanation } from './plan-explain.js'
export type { Loss } from './plan-loss.js'
export {
  PLAN_MODES,
  PLAN_OBJECTIVES,
  type PlanMode,
  type PlanObjective,
  type PlanOptions,
  RACK_RULES,
  type RackRule,
} from './plan-options.js'
export { type PlanAsyncOptions, planReassignment, planReassignmentAsync } from './plan-reassignment.js'
export type { BrokerShare, Gap, RackShare, Share } from './plan-shares.js'
export type { TopicThrottle, Wave, WaveLimits } from './plan-waves.js'
export { type ConsumerAssignment, type ConsumerSubscription, protocol, type StickyUserData } from './protocol.js'
export type { Draws } from './random-source.js'
export * as reassignment from './reassignment.js'
export {
  type PartitionReplicas,
  type PlanDocument,
  type PlannedChange,
  type ReassignmentDocument,
  ReassignmentPlan,
} from './reassignment-plan.js'
export { type Rebalance, type RebalanceDocument, type RebalanceTotals, rebalance } from './rebalance.js'
export type { GroupBalance, GroupSpread, TopicSpread } from './rebalance-balance.js'
export type {
  AddTopicEvent,
  BounceEvent,
  GroupEvent,
  JoinEvent,
  LeaveEvent,
  PartitionsEvent,
  RackEvent,
  RemoveTopicEvent,
  SubscribeEvent,
} from './rebalance-events.js'
export type { RebalanceProtocol } from './rebalance-rounds.js'
export type {
  PartitionsByMember,
  RebalanceRound,
  RebalanceRoundDocument,
  RebalanceStep,
  RebalanceStepDocument,
} from './rebalance-step.js'
export { ReplicaPlacement, type ReplicaPlacementFacts } from './replica-placement.js'
export { size } from './size.js'
export * as sizing from './sizing-formulas.js'
export { SIZE_CLASSES, type SizingLimit } from './sizing-limits.js'
export type { Figure, SizedPart, SizedTopic, SizingOptions, SizingReport } from './sizing-types.js'
export {
  checkTopicNames,
  checkTopicNamesAsync,
  type IllegalTopicName,
  type TopicNameCollision,
  type TopicNameReport,
  topicNameRefusal,
} from './topic-names.js'
