/** Duplicates, retries, delays, expiry and replication: what the vectors do not ask, and the texts for people. */
import test from 'ava'
import { isCodedError, pulsar } from '../src/index.js'

const codes = (notes: readonly { readonly code: string }[]): string[] => notes.map(({ code }) => code)

const publish = (sequenceId: number | bigint, more: object = {}): pulsar.DeduplicationEvent => ({
  publish: { producerName: 'p', sequenceId, ...more },
})
const verdicts = (events: readonly pulsar.DeduplicationEvent[]) =>
  pulsar.deduplicate({}, events).steps.flatMap(({ verdict }) => verdict ?? [])

test('sequence ids beyond 2^53 are exact', (t) => {
  const far = 2n ** 53n
  const { steps, state } = pulsar.deduplicate({}, [publish(far), { persisted: 0 }, publish(far + 1n), publish(far)])
  t.deepEqual(
    steps.map(({ verdict }) => verdict),
    ['NotDup', undefined, 'NotDup', 'Dup'],
  )
  t.deepEqual(state.pushed, { p: far + 1n })
  t.deepEqual(state.persisted, { p: far })
})

test('a state goes on where the last call ended', (t) => {
  const first = pulsar.deduplicate({}, [publish(1), { persisted: 0 }])
  const second = pulsar.deduplicate(first.state, [publish(1), publish(2)])
  t.deepEqual(
    second.steps.map(({ verdict }) => verdict),
    ['Dup', 'NotDup'],
  )
})

test('the last chunk that a restart loses is named', (t) => {
  const chunk = (id: number) => ({ producerName: 'p', sequenceId: 1, chunk: [id, 2] as const })
  const { steps, notes } = pulsar.deduplicate({}, [
    { publish: chunk(0) },
    { restart: { replay: [chunk(0)] } },
    { publish: chunk(1) },
  ])
  t.is(steps[2]!.verdict, 'Dup')
  t.deepEqual(codes(notes), ['NOTE_DEDUP_LOST_CHUNK'])
  t.is(notes[0]!.where, 'events[2].publish')
})

test('a batch refused for its first message, and a mark that goes down, are named', (t) => {
  const batch = pulsar.deduplicate({}, [publish(5), publish(4, { highestSequenceId: 9 })])
  t.is(batch.steps[1]!.verdict, 'Unknown')
  t.deepEqual(codes(batch.notes), ['NOTE_DEDUP_BATCH_REFUSED'])
  const lowered = pulsar.deduplicate({}, [publish(1), publish(2), { persisted: 1 }, { persisted: 0 }])
  t.deepEqual(lowered.state.persisted, { p: 1 })
  t.deepEqual(codes(lowered.notes), ['NOTE_DEDUP_MARK_LOWERED'])
})

test('a write that fails is forgotten, and the message can come again', (t) => {
  t.deepEqual(verdicts([publish(1), publish(1), { writeFailed: true }, publish(1)]), ['NotDup', 'Unknown', 'NotDup'])
})

test('a retry flow tells topic, bundle and time, attempt by attempt', (t) => {
  const bundles = pulsar.NamespaceBundles.even(4)
  const { account, attempts, bundle } = pulsar.retryFlow({
    topic: 'orders',
    subscription: 's',
    maxRedeliverCount: 2,
    delays: { minDelayMs: 10_000, maxDelayMs: 60_000, multiplier: 2 },
    bundles,
    at: 1000,
  })
  const name = 'persistent://public/default/orders'
  t.is(bundle, bundles.bundleOf(name))
  t.deepEqual(account, [
    `attempt 1: 10 s later, on ${name}-s-RETRY, bundle ${bundles.bundleOf(`${name}-s-RETRY`)}`,
    `attempt 2: 20 s later, on ${name}-s-RETRY, bundle ${bundles.bundleOf(`${name}-s-RETRY`)}`,
    `attempt 3: at once, on ${name}-s-DLQ, bundle ${bundles.bundleOf(`${name}-s-DLQ`)}, the dead-letter topic`,
  ])
  t.deepEqual(
    attempts.map(({ at, deliverAt, properties }) => [at, deliverAt, properties['RECONSUMETIMES']]),
    [
      [1000, 11_000, '1'],
      [11_000, 31_000, '2'],
      [31_000, 31_000, '3'],
    ],
  )
})

test('a namespace of its own has no bundle for what lies elsewhere', (t) => {
  const bundles = pulsar.NamespaceBundles.even(4, { namespace: 'public/default' })
  const question = { topic: 'orders', subscription: 's', bundles, deadLetterTopic: 'persistent://other/place/dead' }
  const { attempts } = pulsar.retryFlow({ ...question, maxRedeliverCount: 0 })
  t.deepEqual([attempts[0]!.topic, attempts[0]!.bundle], ['persistent://other/place/dead', null])
})

test('a count far below the limit is cut, and named', (t) => {
  const flow = pulsar.retryFlow({ topic: 't', subscription: 's', properties: { RECONSUMETIMES: '2147483647' } })
  t.is(flow.attempts.length, 10_000)
  t.is(flow.attempts[0]!.properties['RECONSUMETIMES'], '-2147483648')
  t.deepEqual(codes(flow.notes), ['NOTE_RETRY_ENDLESS'])
})

test('the timer that never fires again is named (broker tick 1,000, topic tick 100)', (t) => {
  const events: pulsar.DelayedEvent[] = [
    { tickTimeMillis: 100 },
    { add: { position: [1, 1], deliverAt: 5000 } },
    { at: 5000 },
    { take: 10 },
    { at: 6000 },
    { take: 10 },
  ]
  const { steps, notes } = pulsar.delayed(events)
  t.deepEqual(steps[2]!.woken, [4608])
  t.deepEqual(steps[3]!.messages, [])
  t.is(steps[3]!.wakes, null)
  t.deepEqual(codes(notes), ['NOTE_DELAYED_NEVER_WOKEN'])
  t.regex(notes[0]!.message, /due at 5019/)
  t.deepEqual(steps[5]!.messages, [[1, 1]])
})

test('a timer given up for a bucket that is due is set again when that bucket is taken', (t) => {
  const add = (entryId: number, deliverAt: number): pulsar.DelayedEvent => ({
    add: { position: [1, entryId], deliverAt },
  })
  const options = { delayedDeliveryTickTimeMillis: 512 }
  const { steps } = pulsar.delayed(
    [{ tickTimeMillis: 100 }, add(1, 2925), add(2, 143), { at: 1620 }, { take: 100 }],
    options,
  )
  t.deepEqual(
    steps.map(({ wakes }) => wakes),
    [null, 2560, null, null, 2560],
  )
})

test('a cleared tracker forgets that delays were not alike since 5.0, and not before', (t) => {
  const add = (deliverAt: number): pulsar.DelayedEvent => ({ add: { position: [1, deliverAt], deliverAt } })
  const pauses = (version: '4.2' | '5.0') => {
    const options = { delayedDeliveryFixedDelayDetectionLookahead: 1, version }
    return pulsar.delayed([add(0), { clear: true }, add(5000)], options).steps.map(({ pause }) => pause)
  }
  t.deepEqual(pauses('4.2'), [false, false, false])
  t.deepEqual(pauses('5.0'), [false, false, true])
})

test('negative acknowledgements: a shorter delay waits for the timer of the first', (t) => {
  const backoff = { minDelayMs: 1000, maxDelayMs: 60_000, multiplier: 2 }
  const events = [
    { at: 0, nack: [7, 1] as const, redeliveryCount: 5 },
    { at: 10, nack: [7, 2] as const },
  ]
  t.deepEqual(pulsar.negativeAcks(events, { negativeAckRedeliveryBackoff: backoff, negativeAckPrecisionBitCnt: 0 }), [
    {
      at: 32_000,
      messages: [
        [7, 1],
        [7, 2],
      ],
    },
  ])
})

test('a message goes to the clusters that its producer chose, and not back', (t) => {
  const to = (message: object) =>
    pulsar
      .replicationTargets(
        { publishTime: 0, ...message },
        { clusters: ['eu', 'ap'], now: 20_000, messageTtlSeconds: 10 },
      )
      .map(({ reason }) => reason)
  t.deepEqual(to({ publishTime: 10_000 }), [null, null])
  t.deepEqual(to({ publishTime: 10_000, replicateTo: ['ap'] }), ['not chosen by its producer', null])
  t.deepEqual(to({ replicatedFrom: 'us' }), ['came by replication', 'came by replication'])
  t.deepEqual(to({}), ['expired', 'expired'])
  t.deepEqual(to({ publishTime: 20_000, marker: 21 }), ['transaction marker', 'transaction marker'])
})

const ONE = [{ ledgerId: 1, times: [5, 4] }]

const REFUSED: readonly [title: string, ask: () => unknown, code: string, text: RegExp][] = [
  [
    'deduplication before 4.2',
    () => pulsar.deduplicate({}, [], { version: '3.0' }),
    'ERR_PLACEMENT_UNSUPPORTED',
    /3\.0/,
  ],
  [
    'a retry flow before 4.2',
    () => pulsar.retryFlow({ topic: 't', subscription: 's', version: '2.10' }),
    'ERR_PLACEMENT_UNSUPPORTED',
    /2\.10/,
  ],
  ['delayed delivery before 4.2', () => pulsar.delayed([], { version: '3.0' }), 'ERR_PLACEMENT_UNSUPPORTED', /3\.0/],
  ['a sequence id past 2^53 as a number', () => verdicts([publish(2 ** 53)]), 'ERR_PLACEMENT_ARGUMENT_RANGE', /bigint/],
  ['a sequence id beyond a long', () => verdicts([publish(2n ** 63n)]), 'ERR_PLACEMENT_ARGUMENT_RANGE', /long/],
  [
    'a confirmation of what was not published',
    () => verdicts([{ persisted: 0 }]),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /persisted/,
  ],
  ['an event that is none', () => verdicts([{} as never]), 'ERR_PLACEMENT_ARGUMENT_TYPE', /events\[0\]/],
  [
    'a chunk beyond its count',
    () => verdicts([publish(1, { chunk: [2, 2] })]),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /chunk/,
  ],
  [
    'a subscription with a slash (apache/pulsar#10776)',
    () => pulsar.retryFlow({ topic: 't', subscription: 'a/b' }),
    'ERR_PLACEMENT_TOPIC_NAME',
    /a\/b/,
  ],
  [
    'a negative delay',
    () => pulsar.retryFlow({ topic: 't', subscription: 's', delays: [-1] }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /delays\[0\]/,
  ],
  [
    'no delay at all',
    () => pulsar.retryFlow({ topic: 't', subscription: 's', delays: [] }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /delays/,
  ],
  [
    'a count that is no number',
    () => pulsar.retryFlow({ topic: 't', subscription: 's', properties: { RECONSUMETIMES: 'x' } }),
    'ERR_PLACEMENT_ORIGINAL_FAILS',
    /RECONSUMETIMES/,
  ],
  [
    'a negative limit',
    () => pulsar.retryFlow({ topic: 't', subscription: 's', maxRedeliverCount: -1 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /maxRedeliverCount/,
  ],
  [
    'a back-off that shrinks',
    () => pulsar.redeliveryBackoff({ multiplier: 0.5 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /multiplier/,
  ],
  [
    'negative acknowledgements out of order',
    () =>
      pulsar.negativeAcks([
        { at: 5, nack: [1, 1] },
        { at: 4, nack: [1, 2] },
      ]),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /events\[1\]\.at/,
  ],
  [
    'an acknowledgement timeout of 0',
    () => pulsar.ackTimeouts([], { ackTimeoutMillis: 0 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /ackTimeoutMillis/,
  ],
  [
    'a clock that goes back',
    () => pulsar.delayed([{ at: 5 }, { at: 4 }]),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /events\[1\]\.at/,
  ],
  [
    'a tick of 0',
    () => pulsar.delayed([], { delayedDeliveryTickTimeMillis: 0 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /Tick/,
  ],
  [
    'entries whose times go back',
    () => pulsar.expiry({ now: 9, messageTtlSeconds: 1, markDeleted: [1, -1], ledgers: ONE }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /times\[1\]/,
  ],
  [
    'a time to live that is no integer',
    () => pulsar.isExpired({ publishTime: 0 }, { messageTtlSeconds: Number.NaN, now: 0 }),
    'ERR_PLACEMENT_ARGUMENT_RANGE',
    /messageTtlSeconds/,
  ],
  [
    'clusters that are no list',
    () => pulsar.replicators({ local: 'us', clusters: 'eu' as never }),
    'ERR_PLACEMENT_ARGUMENT_TYPE',
    /clusters/,
  ],
]

for (const [title, ask, code, text] of REFUSED) {
  test(`refused: ${title}`, (t) => {
    const error = t.throws(ask)
    t.true(isCodedError(error), String(error))
    t.is((error as { code?: string }).code, code)
    t.regex(error!.message, text)
  })
}
