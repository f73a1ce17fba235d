/**
 * Where the Java client's producer puts a message: by its key, or without one by the clock or a counter, as pure functions.
 *
 * For simulators, and for whoever asks why a partition got it all. Source: Apache Pulsar 2.10.5 to 5.0.1 (alike),
 * org.apache.pulsar.client.impl.RoundRobinPartitionMessageRouterImpl, SinglePartitionMessageRouterImpl and
 * conf.ProducerConfigurationData.
 * What differs from the obvious: a key wins over every mode. With batching, all producers that share a clock and a start
 * share a partition for a while; without, a 32-bit counter runs over once and the rotation jumps. An ordering key alone
 * does not route. A start beyond the partitions is answered as it is by `single`.
 */
import { checkInteger, checkName, codedError } from '../errors.js'
import { checkNumPartitions } from '../kafka/num-partitions.js'
import type { Key } from '../types.js'
import { checkScheme, type HashingScheme, javaPartition } from './clients.js'

const INT = [-(2 ** 31), 2 ** 31 - 1] as const
const LONG = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const

/** Routing modes of the Java client that decide by themselves. */
export const ROUTING_MODES = ['round-robin', 'single'] as const
export type RoutingMode = (typeof ROUTING_MODES)[number]

/** The settings from which a batching producer's period follows. */
export interface SwitchSettings {
  /** `batchingMaxPublishDelayMicros`. Default: 1000. */
  readonly maxPublishDelayMicros?: number | undefined
  /** `batchingPartitionSwitchFrequencyByPublishDelay`, 1 or more. Default: 10. */
  readonly frequency?: number | undefined
}

/** How long a batching producer without keys stays on one partition. */
export interface SwitchInterval {
  readonly micros: number
  /** Whole milliseconds, cut; the router takes 1 where this is 0. */
  readonly millis: number
}

/**
 * How long a batching producer stays on one partition.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_ARGUMENT_TYPE
 * @example pulsar.switchInterval() // { micros: 10000, millis: 10 }
 */
export function switchInterval({ maxPublishDelayMicros = 1000, frequency = 10 }: SwitchSettings = {}): SwitchInterval {
  checkInteger(maxPublishDelayMicros, 'maxPublishDelayMicros', [0, 2 ** 31 * 1000])
  checkInteger(frequency, 'frequency', INT)
  if (frequency < 1) {
    const message = `frequency: expected an integer in [1, ${INT[1]}], got ${frequency}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message, {
      javaClass: 'java.lang.IllegalArgumentException',
      javaMessage: 'configured value for partition switch frequency must be >= 1',
    })
  }
  const micros = maxPublishDelayMicros * frequency
  return { micros, millis: Math.floor(micros / 1000) }
}

/** Where in time a batching producer is. */
export interface ClockSlot {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The period in milliseconds; less than 1 counts as 1. Default: 10, see {@link switchInterval}. */
  readonly switchMs?: number | undefined
  /** The index that the producer drew when it was made, an int32. Default: 0. */
  readonly start?: number | undefined
}

/**
 * The partition of a message without a key, of a round-robin producer.
 *
 * @param turn with batching, a moment of the clock; without, the counter: an int32 that begins at the start index drawn and
 *   grows by one a message, from 2147483647 to -2147483648
 * @param numPartitions in `[1, 2147483647]`
 * @returns in `[0, numPartitions)`
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_NUM_PARTITIONS
 * @example pulsar.roundRobinPartition(8, 7) // 1
 * @example pulsar.roundRobinPartition({ now: 1700000000010 }, 7) // 6
 */
export function roundRobinPartition(turn: number | ClockSlot, numPartitions: number): number {
  checkNumPartitions(numPartitions)
  if (typeof turn === 'number') return signSafeMod(checkInteger(turn, 'counter', INT), numPartitions)
  const { now, switchMs = 10, start = 0 } = turn
  checkInteger(now, 'now', LONG)
  checkInteger(start, 'start', INT)
  const period = Math.max(1, checkInteger(switchMs, 'switchMs', LONG))
  // Exact to the last bit of a safe integer, where a quotient of doubles may be rounded up.
  const slot = (now - (now % period)) / period
  return (signSafeMod(slot, numPartitions) + signSafeMod(start, numPartitions)) % numPartitions
}

function signSafeMod(dividend: number, divisor: number): number {
  const rest = dividend % divisor
  return rest < 0 ? rest + divisor : rest + 0
}

/** A message as a producer is given it. */
export interface RoutedMessage {
  /** Text, or bytes by `keyBytes`; `null` or nothing for none. */
  readonly key?: Key | null | undefined
  /** The clock when it is sent, in milliseconds; looked at with batching alone. Default: 0. */
  readonly at?: number | undefined
}

/** A producer's router. */
export interface Router {
  /** Default: `round-robin`. */
  readonly mode?: RoutingMode | undefined
  /** Default: `JavaStringHash`. */
  readonly scheme?: HashingScheme | undefined
  readonly numPartitions: number
  /** The index drawn when the producer was made, an int32: its one partition, its first, or its place in the rotation. Default: 0. */
  readonly start?: number | undefined
  /** Round robin by the clock instead of by a counter. Default: true, as the client's. */
  readonly batching?: boolean | undefined
  /** Default: 10, see {@link switchInterval}. */
  readonly switchMs?: number | undefined
}

/**
 * The partitions that one producer picks for its messages, in their order.
 *
 * @returns a partition each, in `[0, numPartitions)`; of a `single` router without keys its start as it is
 * @throws as {@link roundRobinPartition} and `partitionForKey`, with the index of the message
 * @example pulsar.routeMessages([{}, { key: 'a' }, {}], { numPartitions: 7, batching: false }) // [0, 6, 1]
 */
export function routeMessages(messages: readonly RoutedMessage[], router: Router): number[] {
  checkNumPartitions(router.numPartitions)
  const next = routerOf(router)
  return messages.map((message) => next(message))
}

/** A router that counts as it is asked. */
export function routerOf(router: Router): (message: RoutedMessage) => number {
  const { mode = 'round-robin', numPartitions, start = 0, batching = true, switchMs } = router
  checkName(mode, 'mode', ROUTING_MODES)
  checkInteger(start, 'start', INT)
  const scheme = checkScheme(router.scheme ?? 'JavaStringHash', 'java')
  let counter = start
  return ({ key = null, at = 0 }) => {
    if (key === null && mode === 'single') return start
    checkNumPartitions(numPartitions)
    if (key !== null) return javaPartition(key, numPartitions, scheme)
    if (batching) return roundRobinPartition({ now: at, switchMs, start }, numPartitions)
    const partition = roundRobinPartition(counter, numPartitions)
    counter = (counter + 1) | 0
    return partition
  }
}
