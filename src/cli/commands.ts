/** Every command, in the order of the help. */
import type { Command } from './grammar.js'
import { HASH } from './hash.js'
import { KAFKA_GROUP } from './kafka-group.js'
import { KAFKA_PARTITION } from './kafka-partition.js'
import { PULSAR_BUNDLE_RANGE } from './pulsar-bundle-range.js'
import { PULSAR_BUNDLES } from './pulsar-bundles.js'

export const COMMANDS: readonly Command[] = [HASH, KAFKA_PARTITION, KAFKA_GROUP, PULSAR_BUNDLES, PULSAR_BUNDLE_RANGE]
