/** `pulsar delayed`: which delayed messages are due when, as the clock of a script goes on. */
import { pulsar } from '../index.js'
import { askedOf, type EventFile, readEvents } from './event-file.js'
import { alignedRows } from './fill.js'
import type { Command } from './grammar.js'
import { fileOperand } from './operands.js'
import type { DelayedDocument } from './pulsar-documents.js'
import { FLOW_VERSION_OPTION, flowVersionOf } from './pulsar-flow.js'
import { OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

const MOST = Number.MAX_SAFE_INTEGER

export const PULSAR_DELAYED: Command = {
  path: ['pulsar', 'delayed'],
  summary: 'which delayed messages are due when, and when the broker wakes for them',
  operands: '[EVENTS | -]',
  details: [
    '',
    'An event a line: {"add":{"position":[1,0],"deliverAt":1500}}, {"at":1100} (the clock goes on),',
    '{"take":100}, {"clear":true}, {"tickTimeMillis":100} (a policy changes the tick). Times in milliseconds.',
  ],
  options: [
    { name: 'at', value: 'MS', help: 'the clock at the start (default 0)' },
    { name: 'tick-time-millis', value: 'MS', help: 'delayedDeliveryTickTimeMillis (default 1000)' },
    { name: 'strict', help: 'isDelayedDeliveryDeliverAtTimeStrict' },
    { name: 'lookahead', value: 'N', help: 'delayedDeliveryFixedDelayDetectionLookahead (default 50000)' },
    FLOW_VERSION_OPTION,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar delayed examples/delayed.jsonl',
    'topic-placement pulsar delayed --strict examples/delayed.jsonl',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const version = flowVersionOf(args)
  const code = 'ERR_PLACEMENT_ARGUMENT_RANGE'
  const options = {
    at: args.integer('at', [0, MOST], code),
    delayedDeliveryTickTimeMillis: args.integer('tick-time-millis', [1, MOST], code),
    isDelayedDeliveryDeliverAtTimeStrict: args.flag('strict'),
    delayedDeliveryFixedDelayDetectionLookahead: args.integer('lookahead', [0, MOST], code),
    version,
  }
  const file = await readEvents<pulsar.DelayedEvent>(fileOperand(args))
  const answer = askedOf(file, 'events', (events) => pulsar.delayed(events, options))
  session.noteAnswer(`as Pulsar ${version}: ${file.events.length} events`)
  for (const { code: name, message } of answer.notes) session.note(`${name}: ${message}`)
  const document: DelayedDocument = { question: 'pulsar delayed', version, ...answer }
  const format = rowFormat(args)
  if (format === 'json') return session.write(`${JSON.stringify(document)}\n`)
  if (format === 'jsonl') return session.write(answer.steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  await session.write(`${textOf(file, answer).join('\n')}\n`)
}

function textOf({ events, lines }: EventFile<pulsar.DelayedEvent>, { steps }: pulsar.DelayedResult): string[] {
  const rows = steps.map((step, i) => [
    `${lines[i]}`,
    Object.keys(events[i]!)[0]!,
    `${step.pending}`,
    step.wakes === null ? '-' : `${step.wakes}`,
    outcome(step),
  ])
  return alignedRows([['line', 'event', 'held back', 'wakes', 'outcome'], ...rows])
}

function outcome({ added, messages, woken, available }: pulsar.DelayedStep): string {
  if (added !== undefined) return added ? 'held back' : 'delivered at once'
  if (messages !== undefined)
    return messages.length === 0 ? 'nothing due' : messages.map((id) => id.join(':')).join(', ')
  const due = available ? 'messages are due' : 'nothing due'
  return woken === undefined || woken.length === 0 ? due : `woken at ${woken.join(', ')}; ${due}`
}
