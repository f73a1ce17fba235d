/** Which families are asked of which judge. */
import type { PulsarVersion } from '../../src/types.js'
import type { Judge } from './judge.js'
import { goClients, kafkaJars, librdkafka, platformatic, pulsarCpp, pulsarJars, pulsarRouters } from './judges.js'
import type { Draw } from './question.js'
import { cooperativeSticky, mapOrder, range, roundRobin, sticky } from './questions/assign.js'
import { bundles } from './questions/bundles.js'
import { candidates } from './questions/candidates.js'
import { ofPartitioners } from './questions/clients.js'
import { deduplication, delayed, expiry, ledgers, redelivery } from './questions/flow.js'
import { crc32, javaStringHash, murmur3 } from './questions/hashes.js'
import { group, topicNames as kafkaTopicNames, murmur2, partitioner } from './questions/kafka.js'
import { keyShared } from './questions/key-shared.js'
import { reassignment } from './questions/reassignment.js'
import { alternating, striped } from './questions/replicas.js'
import { failover, routing } from './questions/routing.js'
import { scalable } from './questions/scalable.js'
import { serverRange, share, uniform } from './questions/server.js'
import { shedding } from './questions/shedding.js'
import { split, splitDecision } from './questions/splits.js'
import { topicName } from './questions/topic-names.js'

/** A judge, the release it answers as, and the families that go to it in one stream. */
export interface System {
  readonly name: string
  readonly release: string
  readonly judge: Judge
  readonly families: Readonly<Record<string, Draw>>
}

const KAFKA_RELEASE = '4.4'
/** With the rules that 4.0 came with: 4.0.2 has those of 4.1. */
const KAFKA_4_0 = '4.0.0'

/** Go walks the list of partitions: more of them cost memory, and show nothing new. */
const KAFKA_GO_PARTITIONS = 100_000

const KAFKA_FAMILIES: System['families'] = {
  'kafka/murmur2': murmur2,
  'kafka/partitioner': partitioner,
  'kafka/group': group,
  'kafka/topic-names': kafkaTopicNames,
  'kafka/map-order': mapOrder,
  'kafka/range': range,
  'kafka/round-robin': roundRobin,
  'kafka/sticky': sticky,
  'kafka/cooperative-sticky': cooperativeSticky,
  'kafka/uniform': uniform,
  'kafka/server-range': serverRange,
  'kafka/share': share,
  'kafka/striped': striped,
  'kafka/reassignment': reassignment,
}

/** What 4.0 answers otherwise; its tools place by the alternating placer. */
const KAFKA_4_0_FAMILIES: System['families'] = {
  'kafka/uniform': uniform,
  'kafka/alternating': alternating,
  'kafka/striped': striped,
  'kafka/reassignment': reassignment,
}

const PULSAR_FAMILIES: System['families'] = {
  'pulsar/crc32': crc32,
  'pulsar/murmur3': murmur3,
  'pulsar/java-string-hash': javaStringHash,
  'pulsar/topic-name': topicName,
  'pulsar/bundles': bundles,
  'pulsar/routing': routing,
  'pulsar/failover': failover,
  'pulsar/key-shared': keyShared,
}

/** The oracle's program for 2.10 splits nothing: its jar has other signatures. */
const SINCE_3_0: System['families'] = {
  'pulsar/split': split,
  'pulsar/split-decision': splitDecision,
  'pulsar/shedding': shedding,
  'pulsar/candidates': candidates,
}

const SINCE_5_0: System['families'] = { 'pulsar/scalable': scalable }

const SINCE_4_2: System['families'] = {
  'pulsar/ledgers': ledgers,
  'pulsar/deduplication': deduplication,
  'pulsar/redelivery': redelivery,
  'pulsar/delayed': delayed,
  'pulsar/expiry': expiry,
}

const familiesAt = (release: PulsarVersion): System['families'] => ({
  ...PULSAR_FAMILIES,
  ...(release === '2.10' ? {} : SINCE_3_0),
  ...(release === '4.2' || release === '5.0' ? SINCE_4_2 : {}),
  ...(release === '5.0' ? SINCE_5_0 : {}),
})

/** All systems, the Pulsar ones once for each release. */
export function systems(releases: readonly PulsarVersion[]): System[] {
  return [
    {
      name: 'kafka',
      release: KAFKA_RELEASE,
      judge: kafkaJars(),
      families: KAFKA_FAMILIES,
    },
    { name: 'kafka', release: '4.0', judge: kafkaJars(KAFKA_4_0), families: KAFKA_4_0_FAMILIES },
    ...releases.map((release) => ({
      name: 'pulsar',
      release,
      judge: pulsarJars(release),
      families: familiesAt(release),
    })),
    ...releases.map((release) =>
      client('pulsar-java', pulsarRouters(release), ofPartitioners(['pulsar-java-string', 'pulsar-murmur3']), release),
    ),
    client('librdkafka', librdkafka, ofPartitioners(LIBRDKAFKA)),
    client('sarama', goClients, ofPartitioners(['sarama-hash', 'sarama-reference'])),
    client('kafka-go', goClients, ofPartitioners(KAFKA_GO, KAFKA_GO_PARTITIONS)),
    client('pulsar-cpp', pulsarCpp, ofPartitioners(['pulsar-cpp-java-string', 'pulsar-cpp-murmur3'])),
    client('pulsar-go', goClients, ofPartitioners(['pulsar-go-java-string'])),
    client('platformatic', platformatic, ofPartitioners(['platformatic'])),
  ]
}

const LIBRDKAFKA = ['consistent', 'consistent-random', 'murmur2', 'murmur2-random', 'fnv1a', 'fnv1a-random'].map(
  (name) => `librdkafka-${name}`,
)
const KAFKA_GO = ['kafka-go-hash', 'kafka-go-reference', 'kafka-go-crc32', 'kafka-go-murmur2']

function client(name: string, judge: Judge, draw: Draw, release = KAFKA_RELEASE): System {
  return { name: `clients/${name}`, release, judge, families: { [`clients/${name}`]: draw } }
}
