/** `pulsar retry-flow`: a message's way through retries to the dead-letter topic. */

import { codedError, shown } from '../errors.js'
import { pulsar } from '../index.js'
import type { Arguments, Command } from './grammar.js'
import type { RetryFlowDocument } from './pulsar-documents.js'
import { FLOW_VERSION_OPTION, flowVersionOf } from './pulsar-flow.js'
import { OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

const INT_MAX = 2 ** 31 - 1

export const PULSAR_RETRY_FLOW: Command = {
  path: ['pulsar', 'retry-flow'],
  summary: 'attempt by attempt: retry topic, bundle, when, and the dead-letter topic',
  operands: 'TOPIC',
  details: [
    '',
    'Delays are what reconsumeLater is called with, in milliseconds; the last one holds for all further attempts.',
    '--min-delay-ms, --max-delay-ms and --multiplier make a MultiplierRedeliveryBackoff in their place.',
  ],
  options: [
    { name: 'subscription', value: 'NAME', help: 'the subscription (required)' },
    { name: 'max-redeliver-count', value: 'N', help: 'maxRedeliverCount of the dead-letter policy (default 16)' },
    { name: 'delays', value: 'MS', help: 'milliseconds, with commas between (default 0)' },
    { name: 'min-delay-ms', value: 'MS', help: 'the back-off begins with it (10000)' },
    { name: 'max-delay-ms', value: 'MS', help: 'and ends with it (600000)' },
    { name: 'multiplier', value: 'X', help: 'and grows by it (2)' },
    { name: 'retry-letter-topic', value: 'TOPIC', help: "a name of the caller's own" },
    { name: 'dead-letter-topic', value: 'TOPIC', help: "a name of the caller's own" },
    { name: 'bundles', value: 'N', help: 'bundles of the namespace, to tell where the topics lie' },
    FLOW_VERSION_OPTION,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar retry-flow --subscription billing --max-redeliver-count 3 --bundles 64 orders',
    'topic-placement pulsar retry-flow --subscription billing --max-redeliver-count 5 --min-delay-ms 1000 orders',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const [topic, ...more] = args.operands
  if (topic === undefined || more.length > 0) throw args.wrong(`expected one TOPIC, got ${args.operands.length}`)
  const version = flowVersionOf(args)
  const count = args.integer('bundles', [1, 65_536], 'ERR_PLACEMENT_BUNDLE_COUNT')
  const flow = pulsar.retryFlow({
    topic,
    subscription: args.required('subscription', args.text('subscription')),
    maxRedeliverCount: args.integer('max-redeliver-count', [0, INT_MAX], 'ERR_PLACEMENT_ARGUMENT_RANGE'),
    delays: delaysOf(args),
    retryLetterTopic: args.text('retry-letter-topic'),
    deadLetterTopic: args.text('dead-letter-topic'),
    bundles: count === undefined ? undefined : pulsar.NamespaceBundles.even(count, { version }),
    version,
  })
  session.noteAnswer(`as Pulsar ${version}: ${flow.attempts.length} attempts`)
  for (const { code, message } of flow.notes) session.note(`${code}: ${message}`)
  const document: RetryFlowDocument = { question: 'pulsar retry-flow', version, ...flow }
  const format = rowFormat(args)
  if (format === 'json') return session.write(`${JSON.stringify(document)}\n`)
  if (format === 'jsonl') return session.write(flow.attempts.map((row) => `${JSON.stringify(row)}\n`).join(''))
  await session.write(`${textOf(flow).join('\n')}\n`)
}

/** Attempts in the middle beyond this many are left out of the text. */
const MOST_LINES = 20

function textOf({ attempts, account, retryLetterTopic, deadLetterTopic }: pulsar.RetryFlow): string[] {
  const last = attempts[attempts.length - 1]!
  const ended = last.to === 'dead-letter' ? `dead letter after ${last.deliverAt / 1000} s` : 'no dead letter'
  const head = [
    `${attempts.length} attempts, ${ended}`,
    `retry topic ${retryLetterTopic}`,
    `dead-letter topic ${deadLetterTopic}`,
  ]
  const more = account.length - MOST_LINES
  const lines = more <= 0 ? account : [...account.slice(0, MOST_LINES - 1), `… ${more} more: --json`, account.at(-1)!]
  return [...head, '', ...lines]
}

function delaysOf(args: Arguments): readonly number[] | pulsar.RedeliveryBackoff | undefined {
  const names = ['min-delay-ms', 'max-delay-ms', 'multiplier']
  const given = names.filter((name) => args.flag(name))
  const delays = args.text('delays')
  if (delays !== undefined) {
    if (given.length > 0) throw args.wrong(`--delays: expected it alone, got also --${given[0]}`)
    return delays.split(',').map((word) => numberOf(word, 'delays'))
  }
  if (given.length === 0) return undefined
  const [minDelayMs, maxDelayMs, multiplier] = names.map((name) => {
    const text = args.text(name)
    return text === undefined ? undefined : numberOf(text, name)
  })
  return { minDelayMs, maxDelayMs, multiplier }
}

function numberOf(text: string, name: string): number {
  if (/^[0-9]+(\.[0-9]+)?$/.test(text)) return Number(text)
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', `--${name}: expected a number, got ${shown(text)}`)
}
