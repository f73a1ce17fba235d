/** The ops of the families routing and failover, put to the public API. All are TypeScript only. */
import {
  CLIENT_DEFAULTS,
  FailoverConsumers,
  type HashingScheme,
  type RoutingMode,
  stickyKey,
  switchInterval,
} from '../../src/pulsar/index.js'
import { routerOf } from '../../src/pulsar/routing.js'
import type { PulsarVersion } from '../../src/types.js'
import { type Answer, answerOf, answersOf, type Ops } from './answer.js'

interface Route {
  readonly mode: RoutingMode
  readonly scheme: HashingScheme
  readonly partitions: number
  readonly start: number
  readonly batching?: boolean
  readonly switchMs?: number
  readonly messages: readonly Message[]
}

/** "key" is text, "keyBytes" and "orderingKey" hexadecimal. */
interface Message {
  readonly key?: string | null
  readonly keyBytes?: string
  readonly orderingKey?: string
  readonly at?: number
}

interface StickyMessage {
  readonly producer?: string
  readonly sequence?: number
  readonly key?: string
  readonly base64?: boolean
  readonly orderingKey?: string
}

interface Settings {
  readonly maxPublishDelayMicros?: number
  readonly frequency?: number
}

interface Failover {
  readonly topic: string
  readonly partitionIndex: number
  readonly consistentHashing?: boolean
  readonly steps: readonly ({ add: string; priority?: number } | { remove: number })[]
}

export const PULSAR_KEY_OPS = {
  route: ({ mode, scheme, partitions, start, batching = false, switchMs, messages }: Route) => {
    const next = routerOf({ mode, scheme, numPartitions: partitions, start, batching, switchMs })
    return answersOf(messages, ({ at, ...message }) => next({ key: keyOf(message), at }))
  },
  'switch-interval': ({ settings }: { settings: readonly Settings[] }) =>
    answersOf(settings, (some) => ({ ...switchInterval(some), scheme: CLIENT_DEFAULTS.java, mode: 'null' })),
  'sticky-key': ({ messages }: { messages: readonly StickyMessage[] }, version: PulsarVersion) =>
    answersOf(messages, (message) => ({ hex: Buffer.from(stickyKeyOf(message, version)).toString('hex') })),
  failover: ({ steps, ...options }: Failover, version: PulsarVersion) => {
    const consumers = new FailoverConsumers({ ...options, version })
    return { steps: steps.map((step) => ({ ...failoverStep(consumers, step), ...stateOf(consumers) })) }
  },
} satisfies Ops

/** The builder keeps what is set last: these vectors set the bytes after the text. */
function keyOf({ key, keyBytes }: Message): string | Uint8Array | null {
  return keyBytes === undefined ? (key ?? null) : Buffer.from(keyBytes, 'hex')
}

function stickyKeyOf({ producer = 'p', sequence = 0, orderingKey, ...message }: StickyMessage, version: PulsarVersion) {
  const ordering = orderingKey === undefined ? null : Buffer.from(orderingKey, 'hex')
  return stickyKey({ ...message, orderingKey: ordering, producerName: producer, sequenceId: sequence }, { version })
}

function failoverStep(consumers: FailoverConsumers, step: Failover['steps'][number]): Answer | object {
  const answer = answerOf(() =>
    'add' in step ? consumers.join({ name: step.add, priorityLevel: step.priority }) : consumers.leave(step.remove),
  )
  return answer !== undefined && 'error' in answer ? answer : {}
}

const stateOf = (consumers: FailoverConsumers) => ({ active: consumers.active, order: [...consumers.order] })
