/** The ops of the families ledgers, deduplication, redelivery, delayed and expiry, put to the public API. All are TypeScript only. */

import { ensemblesOf } from '../../src/pulsar/ensemble-choice.js'
import {
  type AckTimeoutEvent,
  ackTimeouts,
  type DeduplicatedMessage,
  type DeduplicationEvent,
  type DelayedEvent,
  type DelayedStep,
  deadLetterTopics,
  deduplicate,
  delayed,
  expiry,
  isExpired,
  ledger,
  type MessagePosition,
  type MessageTimes,
  negativeAcks,
  type Redelivery,
  type RedeliveryBackoff,
  type ReplicatedMessage,
  redeliveryBackoff,
  replicationTargets,
  replicators,
  retryLetter,
  searchRange,
} from '../../src/pulsar/index.js'
import { entriesOf, placementOf } from '../../src/pulsar/ledger-schedule.js'
import { flowVersion } from '../../src/pulsar/version.js'
import type { PulsarVersion } from '../../src/types.js'
import { answerOf, answersOf, type Ops } from './answer.js'

interface Sizes {
  readonly ensemble: number
  readonly writeQuorum: number
  readonly ackQuorum: number
}

const quorumsOf = ({ ensemble, writeQuorum, ackQuorum }: Sizes) => ({ ensembleSize: ensemble, writeQuorum, ackQuorum })

interface Placement {
  readonly policy?: 'rack' | 'region' | 'zone'
  readonly racks: readonly (string | null)[]
  readonly conf?: object
  readonly writeQuorum: number
}

/** Bookies are numbers in the vectors; one beyond the racks is not known. */
function policyOf({ policy, racks, conf, writeQuorum }: Placement) {
  const bookies = Object.fromEntries(racks.map((rack, i) => [String(i), rack]))
  return { policy, bookies, writeQuorum, ...conf }
}

const idsOf = (bookies: readonly number[]): string[] => bookies.map(String)

interface Times {
  readonly at: number
  readonly count?: number
}

type NackStep = Times & { readonly nack: MessagePosition }
type UnackedStep = Times & { readonly receive?: MessagePosition; ack?: MessagePosition; ackUpTo?: MessagePosition }

const redelivered = (all: readonly Redelivery[]) =>
  all.map(({ at, messages }) => ({ at, messages: messages.map(textOf) }))

const textOf = (position: MessagePosition): string => position.join(':')

export const LEDGER_OPS = {
  'write-set': (request: Sizes & { entries: readonly number[] }, version: PulsarVersion) => {
    flowVersion({ version }, 'ledgers')
    return answersOf(request.entries, (entry) => {
      const { writeSet, ensembleSet, hasEntry } = placementOf(entry, quorumsOf(request))
      return { writeSet, ensembleSet, has: hasEntry }
    })
  },
  'bookie-entries': (request: Sizes & { bookies: readonly number[]; first: number; last: number }) =>
    answersOf(request.bookies, (bookie) => Array.from(entriesOf(bookie, request, quorumsOf(request)))),
  'ack-set': (
    request: Sizes & { whole?: boolean; steps: readonly Record<'complete' | 'fail' | 'remove', number>[] },
  ) => {
    const acks = new ledger.AckSet(quorumsOf(request), { whole: request.whole })
    return answersOf(request.steps, (step) => {
      const [[verb, bookie]] = Object.entries(step) as [['complete' | 'fail' | 'remove', number]]
      return { answer: acks[verb](bookie), failed: acks.failed }
    })
  },
  'quorum-coverage': (request: Sizes & { steps: readonly { bookie: number; code: number }[] }) => {
    const coverage = new ledger.QuorumCoverage(quorumsOf(request))
    return answersOf(request.steps, ({ bookie, code }) => coverage.add(bookie, code))
  },
  'ledger-loss': (request: Sizes & { lost: readonly number[]; first: number; last: number }) => {
    const { unreadable, unwritable, covered } = ledger.loss(request.lost, request, quorumsOf(request))
    return { unreadable: Array.from(unreadable.entries()), unwritable: Array.from(unwritable.entries()), covered }
  },
  'ensemble-adheres': (request: Placement & { ensembles: readonly number[][] }) => {
    const policy = policyOf(request)
    ledger.ensembleAdherence([], policy)
    return answersOf(request.ensembles, (ensemble) => ledger.ensembleAdherence(idsOf(ensemble), policy).adherence)
  },
  'acked-adheres': (request: Placement & { acked: readonly number[][] }) =>
    answersOf(request.acked, (acked) => ledger.ackedAdherence(idsOf(acked), policyOf(request))),
  'new-ensemble': (request: Placement & Sizes & { exclude?: readonly number[] }) => {
    const question = { ...policyOf(request), exclude: idsOf(request.exclude ?? []) }
    const answer = answerOf(() => ensemblesOf(question, quorumsOf(request)))!
    if ('error' in answer) return { reached: [], refused: [answer.error] }
    const found = answer.ok as ReturnType<typeof ensemblesOf>
    const reached = found.map(({ bookies, adherence }) => ({ ensemble: bookies.map(Number), adheres: adherence }))
    return { reached, refused: [] }
  },
} satisfies Ops

interface Publish {
  readonly producer: string
  readonly sequence: number
  readonly highest?: number
  readonly chunk?: readonly [number, number]
  readonly marker?: boolean
  readonly original?: Publish
  readonly position?: string
  readonly byPosition?: boolean
}

type DeduplicationStep = Publish | { readonly persisted: number } | { readonly reset: true }

interface Deduplication {
  readonly steps: readonly DeduplicationStep[]
  readonly snapshot?: Readonly<Record<string, number>>
  readonly replay?: readonly Publish[]
  readonly disabled?: boolean
  readonly config?: object
  readonly trace?: boolean
}

function messageOf({ producer, sequence, highest, original, position, ...rest }: Publish): DeduplicatedMessage {
  const message = { producerName: producer, sequenceId: sequence, highestSequenceId: highest, sourcePosition: position }
  return { ...message, ...rest, original: original && messageOf(original) }
}

function deduplicationEvent(step: DeduplicationStep): DeduplicationEvent {
  if ('persisted' in step) return { persisted: step.persisted, position: `2:${step.persisted}` }
  return 'reset' in step ? { writeFailed: true } : { publish: messageOf(step) }
}

export const DEDUPLICATION_OPS = {
  deduplication: (request: Deduplication, version: PulsarVersion) => {
    const { steps, snapshot, replay = [], disabled = false, config, trace = true } = request
    const restart = { snapshot, replay: replay.map(messageOf), position: `1:${replay.length - 1}` }
    const options = { ...config, brokerDeduplicationEnabled: !disabled, version }
    const answer = deduplicate({}, [{ restart }, ...steps.map(deduplicationEvent)], options)
    const [, ...told] = answer.steps
    const verdictOnly = told.map(({ verdict }) => (verdict === undefined ? {} : { verdict }))
    return {
      status: disabled ? 'Removing' : 'Enabled',
      steps: trace ? told : verdictOnly,
      pushed: answer.state.pushed,
      persisted: answer.state.persisted,
      snapshots: answer.snapshots,
    }
  },
} satisfies Ops

interface Backoffs {
  readonly settings: readonly RedeliveryBackoff[]
  readonly counts: readonly number[]
}

interface Nacks {
  readonly delayMicros?: number
  readonly precisionBits?: number
  readonly backoff?: RedeliveryBackoff
  readonly steps: readonly NackStep[]
  readonly until: number
}

interface Timeouts {
  readonly at?: number
  readonly ackTimeoutMs: number
  readonly tickMs?: number
  readonly backoff?: RedeliveryBackoff
  readonly steps: readonly UnackedStep[]
  readonly until: number
}

interface Letters {
  readonly topic: string
  readonly subscription: string
  readonly maxRedeliverCount: number
  readonly retryLetterTopic?: string
  readonly deadLetterTopic?: string
  readonly retryEnable?: boolean
  readonly single?: boolean
  readonly message?: {
    key?: string
    base64?: boolean
    orderingKey?: string
    eventTime?: number
    properties?: Record<string, string>
  }
  readonly ids: readonly (readonly number[])[]
  readonly failures: readonly ({ delayMs: number; properties?: Record<string, string> } | { dead: true })[]
}

export const REDELIVERY_OPS = {
  'redelivery-backoff': ({ settings, counts }: Backoffs, version: PulsarVersion) => {
    flowVersion({ version }, 'redelivery')
    return answersOf(settings, (backoff) => counts.map(redeliveryBackoff(backoff)))
  },
  'negative-ack': ({ delayMicros, precisionBits, backoff, steps, until }: Nacks, version: PulsarVersion) => {
    const events = steps.map(({ at, nack, count }) => ({ at, nack, redeliveryCount: count }))
    const options = { negativeAckRedeliveryBackoff: backoff, negativeAckPrecisionBitCnt: precisionBits, until, version }
    return redelivered(negativeAcks(events, { ...options, negativeAckRedeliveryDelayMicros: delayMicros }))
  },
  'ack-timeout': ({ at, ackTimeoutMs, tickMs, backoff, steps, until }: Timeouts, version: PulsarVersion) => {
    const events = steps.map(({ count, ...step }) => ({ ...step, redeliveryCount: count })) as AckTimeoutEvent[]
    const options = { at, ackTimeoutMillis: ackTimeoutMs, tickDurationMillis: tickMs, until, version }
    return redelivered(ackTimeouts(events, { ...options, ackTimeoutRedeliveryBackoff: backoff }))
  },
  'retry-letter': (request: Letters, version: PulsarVersion) => lettersOf(request, version),
} satisfies Ops

/** One message's way: each letter is what the next failure is of. Keys and times are carried along as they are. */
function lettersOf(request: Letters, version: PulsarVersion): unknown[] {
  const { subscription, maxRedeliverCount, ids, failures, message: given = {} } = request
  const names = deadLetterTopics({ ...request, topics: [request.topic] }, { version })
  const policy = { subscription, maxRedeliverCount, ...names, enableRetry: request.retryEnable, version }
  let [topic, properties] = [request.topic, given.properties ?? {}]
  const sent: unknown[] = []
  for (const [i, failure] of failures.entries()) {
    const messageId = ids[i]!.join(':')
    const message = { topic, messageId, properties, idTellsTopic: request.single !== true }
    const answer = answerOf(() => retryLetter(message, failure, policy))!
    if ('error' in answer) return [...sent, answer]
    const letter = answer.ok as ReturnType<typeof retryLetter>
    const { deliverAfterMs } = letter
    sent.push({
      properties: letter.properties,
      ...carried(given),
      ...(deliverAfterMs > 0 ? { deliverAfterMs } : {}),
      to: letter.to === 'retry' ? 'retry' : 'dead',
      topic: letter.topic,
      ...('dead' in failure ? {} : { acked: messageId }),
    })
    if (letter.to === 'dead-letter') break
    ;[topic, properties] = [letter.topic, letter.properties]
  }
  return sent
}

function carried({ key, base64, orderingKey, eventTime = 0 }: NonNullable<Letters['message']>) {
  const keyed = key === undefined ? {} : base64 ? { keyBytes: key } : { key }
  return { ...keyed, ...(orderingKey === undefined ? {} : { orderingKey }), eventTime }
}

interface Tracker {
  readonly at: number
  readonly tickMs?: number
  readonly strict?: boolean
  readonly lookahead?: number
  readonly steps: readonly {
    at?: number
    add?: readonly [number, number, number]
    take?: number
    clear?: true
    tickMs?: number
  }[]
}

function delayedEvent(step: Tracker['steps'][number]): DelayedEvent {
  if (step.at !== undefined) return { at: step.at }
  if (step.add !== undefined) return { add: { position: [step.add[0], step.add[1]], deliverAt: step.add[2] } }
  if (step.take !== undefined) return { take: step.take }
  return step.clear === undefined ? { tickTimeMillis: step.tickMs! } : { clear: true }
}

const delayedStep = ({ messages, ...step }: DelayedStep) =>
  messages === undefined ? step : { messages: messages.map(textOf), ...step }

export const DELAYED_OPS = {
  'delayed-delivery': ({ at, tickMs, strict, lookahead, steps }: Tracker, version: PulsarVersion) => {
    const options = { at, delayedDeliveryTickTimeMillis: tickMs, isDelayedDeliveryDeliverAtTimeStrict: strict, version }
    const tracker = { ...options, delayedDeliveryFixedDelayDetectionLookahead: lookahead }
    return { steps: delayed(steps.map(delayedEvent), tracker).steps.map(delayedStep) }
  },
} satisfies Ops

interface Expire {
  readonly now: number
  readonly ttlSeconds: number
  readonly markDeleted: MessagePosition
  readonly ledgers: readonly { id: number; closed?: number; times: readonly number[] }[]
  readonly config?: object
}

const positionText = (position: MessagePosition | null): string | null => position && textOf(position)

export const EXPIRY_OPS = {
  'message-expired': (
    { messages, ttlSeconds, now }: { messages: readonly MessageTimes[]; ttlSeconds: number; now: number },
    version: PulsarVersion,
  ) => answersOf(messages, (message) => isExpired(message, { messageTtlSeconds: ttlSeconds, now, version })),
  'find-range': (request: {
    ledgers: readonly { id: number; entries: number; closed?: number }[]
    timestamp: number
    skewMs: number
  }) => {
    const ledgers = request.ledgers.map(({ id, entries, closed }) => ({ ledgerId: id, entries, closedAt: closed }))
    return searchRange(ledgers, request.timestamp, request.skewMs).map(positionText)
  },
  expire: ({ ledgers, config, ttlSeconds, ...rest }: Expire, version: PulsarVersion) => {
    const given = ledgers.map(({ id, closed, times }) => ({ ledgerId: id, closedAt: closed, times }))
    const run = expiry({ ...rest, messageTtlSeconds: ttlSeconds, ledgers: given, ...config, version })
    const searched = run.searched.map(positionText)
    return { ran: true, marked: run.marked.map(textOf), searched, markDeleted: textOf(run.markDeleted) }
  },
  replicate: (
    {
      remote,
      messages,
      ttlSeconds,
      now,
    }: Pick<Expire, 'now' | 'ttlSeconds'> & {
      remote: string
      messages: readonly ReplicatedMessage[]
    },
    version: PulsarVersion,
  ) =>
    answersOf(messages, (message) => {
      const [target] = replicationTargets(message, { clusters: [remote], now, messageTtlSeconds: ttlSeconds, version })
      return target!.isSent
    }),
  replicators: (
    { allowed, ...request }: Omit<Parameters<typeof replicators>[0], 'version'> & { allowed?: readonly string[] },
    version: PulsarVersion,
  ) => replicators({ ...request, allowedClusters: allowed, version }),
} satisfies Ops
