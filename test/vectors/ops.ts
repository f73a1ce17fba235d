/** Every op of the vectors that the product answers: the tables of its families, and which of their ops ask no engine. */
import type { Ops } from './answer.js'
import { BROKER_CONF_OPS } from './broker-conf-ops.js'
import { CANDIDATES_OPS } from './candidates-ops.js'
import { DEDUPLICATION_OPS, DELAYED_OPS, EXPIRY_OPS, LEDGER_OPS, REDELIVERY_OPS } from './flow-ops.js'
import { KAFKA_ASSIGN_TYPESCRIPT_OPS, kafkaAssignOps } from './kafka-assign-ops.js'
import { KAFKA_TYPESCRIPT_OPS, kafkaOps } from './kafka-ops.js'
import { kafkaServerOps } from './kafka-server-ops.js'
import { KEY_SHARED_OPS } from './key-shared-ops.js'
import { PULSAR_KEY_OPS } from './pulsar-key-ops.js'
import { PULSAR_OPS, PULSAR_TYPESCRIPT_ONLY } from './pulsar-ops.js'
import { SPLIT_OPS, SPLIT_TYPESCRIPT_OPS } from './pulsar-split-ops.js'
import { PROPOSAL_OPS, REASSIGNMENT_OPS } from './reassignment-ops.js'
import { REPLICA_TYPESCRIPT_OPS, replicaOps } from './replica-ops.js'
import { SCALABLE_OPS } from './scalable-ops.js'
import { SHEDDING_OPS } from './shedding-ops.js'
import { TOPIC_NAME_OPS } from './topic-name-ops.js'

/** Message flow and ledgers: all TypeScript only. */
const FLOW_OPS = { ...LEDGER_OPS, ...DEDUPLICATION_OPS, ...REDELIVERY_OPS, ...DELAYED_OPS, ...EXPIRY_OPS }

/** `shed` asks an engine for the order of a hash map. */
const { shed: _, ...SHEDDING_TYPESCRIPT_OPS } = SHEDDING_OPS

export const OPS: Ops = {
  ...FLOW_OPS,
  ...SHEDDING_OPS,
  ...BROKER_CONF_OPS,
  ...CANDIDATES_OPS,
  ...TOPIC_NAME_OPS,
  ...PULSAR_OPS,
  ...PULSAR_KEY_OPS,
  ...KEY_SHARED_OPS,
  ...SCALABLE_OPS,
  ...SPLIT_OPS,
  ...SPLIT_TYPESCRIPT_OPS,
  ...kafkaOps,
  ...kafkaAssignOps,
  ...kafkaServerOps,
  ...replicaOps,
  ...REASSIGNMENT_OPS,
  ...PROPOSAL_OPS,
}

/** Ops that TypeScript alone answers: written once, so checked once. A test sees that no engine is asked for them. */
export const TYPESCRIPT_ONLY: readonly string[] = [
  ...Object.keys(FLOW_OPS),
  ...Object.keys(SHEDDING_TYPESCRIPT_OPS),
  ...Object.keys(BROKER_CONF_OPS),
  ...Object.keys(TOPIC_NAME_OPS),
  ...PULSAR_TYPESCRIPT_ONLY,
  ...Object.keys(PULSAR_KEY_OPS),
  ...Object.keys(SPLIT_TYPESCRIPT_OPS),
  'sticky-key-hash',
  ...Object.keys(SCALABLE_OPS),
  ...Object.keys(KAFKA_TYPESCRIPT_OPS),
  ...Object.keys(KAFKA_ASSIGN_TYPESCRIPT_OPS),
  ...Object.keys(REPLICA_TYPESCRIPT_OPS),
  ...Object.keys(REASSIGNMENT_OPS),
]
