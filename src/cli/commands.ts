/** Every command, in the order of the help. */
import type { Command } from './grammar.js'
import { HASH } from './hash.js'
import { KAFKA_ASSIGN } from './kafka-assign.js'
import { KAFKA_COMPARE_ASSIGNORS } from './kafka-compare-assignors.js'
import { KAFKA_GROUP } from './kafka-group.js'
import { KAFKA_PARTITION } from './kafka-partition.js'
import { KAFKA_PLACE } from './kafka-place.js'
import { KAFKA_REASSIGN_DIFF } from './kafka-reassign-diff.js'
import { KAFKA_REASSIGN_EXPLAIN } from './kafka-reassign-explain.js'
import { KAFKA_REASSIGN_GENERATE } from './kafka-reassign-generate.js'
import { KAFKA_REASSIGN_PLAN } from './kafka-reassign-plan.js'
import { KAFKA_REASSIGN_VALIDATE } from './kafka-reassign-validate.js'
import { KAFKA_REASSIGN_WAVES } from './kafka-reassign-waves.js'
import { KAFKA_REBALANCE } from './kafka-rebalance.js'
import { KAFKA_SIZE } from './kafka-size.js'
import { KAFKA_TOPIC_NAMES } from './kafka-topic-names.js'
import { PULSAR_ADVISE } from './pulsar-advise.js'
import { PULSAR_BUNDLE_RANGE } from './pulsar-bundle-range.js'
import { PULSAR_BUNDLES } from './pulsar-bundles.js'
import { PULSAR_COMPARE } from './pulsar-compare.js'
import { PULSAR_DEDUP } from './pulsar-dedup.js'
import { PULSAR_DELAYED } from './pulsar-delayed.js'
import { PULSAR_FAILOVER } from './pulsar-failover.js'
import { PULSAR_KEY_SHARED } from './pulsar-key-shared.js'
import { PULSAR_LEDGER } from './pulsar-ledger.js'
import { PULSAR_RETRY_FLOW } from './pulsar-retry-flow.js'
import { PULSAR_ROLLING_RESTART } from './pulsar-rolling-restart.js'
import { PULSAR_ROUTE } from './pulsar-route.js'
import { PULSAR_SEGMENTS } from './pulsar-segments.js'
import { PULSAR_SIMULATE } from './pulsar-simulate.js'
import { PULSAR_SPLIT_BUNDLE } from './pulsar-split-bundle.js'

export const COMMANDS: readonly Command[] = [
  HASH,
  KAFKA_PARTITION,
  KAFKA_GROUP,
  KAFKA_ASSIGN,
  KAFKA_REBALANCE,
  KAFKA_COMPARE_ASSIGNORS,
  KAFKA_PLACE,
  KAFKA_REASSIGN_GENERATE,
  KAFKA_REASSIGN_PLAN,
  KAFKA_REASSIGN_VALIDATE,
  KAFKA_REASSIGN_DIFF,
  KAFKA_REASSIGN_WAVES,
  KAFKA_REASSIGN_EXPLAIN,
  KAFKA_SIZE,
  KAFKA_TOPIC_NAMES,
  PULSAR_BUNDLES,
  PULSAR_BUNDLE_RANGE,
  PULSAR_SPLIT_BUNDLE,
  PULSAR_ADVISE,
  PULSAR_SIMULATE,
  PULSAR_COMPARE,
  PULSAR_ROLLING_RESTART,
  PULSAR_ROUTE,
  PULSAR_KEY_SHARED,
  PULSAR_FAILOVER,
  PULSAR_SEGMENTS,
  PULSAR_LEDGER,
  PULSAR_RETRY_FLOW,
  PULSAR_DEDUP,
  PULSAR_DELAYED,
]
