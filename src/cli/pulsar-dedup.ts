/** `pulsar dedup`: the verdict on each publish of a script of events. */
import { pulsar } from '../index.js'
import { askedOf, type EventFile, jsonOf, longOf, readEvents } from './event-file.js'
import { alignedRows } from './fill.js'
import type { Command } from './grammar.js'
import { fileOperand } from './operands.js'
import type { DeduplicationDocument } from './pulsar-documents.js'
import { FLOW_VERSION_OPTION, flowVersionOf } from './pulsar-flow.js'
import { OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

const INT_MAX = 2 ** 31 - 1

export const PULSAR_DEDUP: Command = {
  path: ['pulsar', 'dedup'],
  summary: 'which publishes a topic takes for duplicates',
  operands: '[EVENTS | -]',
  details: [
    '',
    'An event a line: {"publish":{"producerName":"p","sequenceId":4,"highestSequenceId":9,"chunk":[0,2]}},',
    '{"persisted":0} (the first publish is stored), {"writeFailed":true},',
    '{"restart":{"snapshot":{"p":3},"replay":[{"producerName":"p","sequenceId":4}]}}.',
    'A sequence id beyond 2^53 is written as a text of digits.',
  ],
  options: [
    { name: 'entries-interval', value: 'N', help: 'brokerDeduplicationEntriesInterval (default 1000)' },
    { name: 'max-producers', value: 'N', help: 'brokerDeduplicationMaxNumberOfProducers (default 10000)' },
    FLOW_VERSION_OPTION,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar dedup examples/publishes.jsonl',
    'topic-placement pulsar dedup --json examples/publishes.jsonl',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const version = flowVersionOf(args)
  const options = {
    brokerDeduplicationEntriesInterval: args.integer('entries-interval', [1, INT_MAX], 'ERR_PLACEMENT_ARGUMENT_RANGE'),
    brokerDeduplicationMaxNumberOfProducers: args.integer(
      'max-producers',
      [0, INT_MAX],
      'ERR_PLACEMENT_ARGUMENT_RANGE',
    ),
    version,
  }
  const file = await readEvents<pulsar.DeduplicationEvent>(fileOperand(args))
  const events = file.events.map(withLongs)
  const answer = askedOf({ ...file, events }, 'events', (script) => pulsar.deduplicate({}, script, options))
  session.noteAnswer(`as Pulsar ${version}: ${events.length} events`)
  for (const { code, message, where } of answer.notes) session.note(`${lineOf(file, where)}${code}: ${message}`)
  const document: DeduplicationDocument = { question: 'pulsar dedup', version, ...answer }
  const format = rowFormat(args)
  if (format === 'json') return session.write(`${jsonOf(document)}\n`)
  if (format === 'jsonl') return session.write(answer.steps.map((step) => `${jsonOf(step)}\n`).join(''))
  await session.write(`${textOf(file, events, answer).join('\n')}\n`)
}

const LONGS = ['sequenceId', 'highestSequenceId']

/** The event with texts of digits read where a long stands. */
function withLongs(event: pulsar.DeduplicationEvent): pulsar.DeduplicationEvent {
  return read(event) as pulsar.DeduplicationEvent
}

function read(value: unknown, isMarks = false): unknown {
  if (Array.isArray(value)) return value.map((item) => read(item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    isMarks || LONGS.includes(name) ? longOf(part) : read(part, name === 'snapshot'),
  ])
  return Object.fromEntries(entries)
}

/** `events.jsonl:3: ` of a note's place. */
function lineOf({ name, lines }: EventFile<unknown>, where: string | undefined): string {
  const index = /^events\[(\d+)\]/.exec(where ?? '')?.[1]
  return index === undefined ? '' : `${name}:${lines[Number(index)]}: `
}

function textOf(
  { lines }: EventFile<unknown>,
  events: readonly pulsar.DeduplicationEvent[],
  { steps, state }: pulsar.DeduplicationResult,
): string[] {
  const verdicts = ['NotDup', 'Dup', 'Unknown'].map((verdict) => {
    return `${steps.filter((step) => step.verdict === verdict).length} ${verdict}`
  })
  const rows = events.flatMap((event, i) => {
    if (!('publish' in event)) return []
    const { producerName, sequenceId, highestSequenceId } = event.publish
    const ids = highestSequenceId === undefined ? `${sequenceId}` : `${sequenceId}..${highestSequenceId}`
    return [[`${lines[i]}`, producerName, ids, steps[i]!.verdict!]]
  })
  const marks = Object.entries(state.pushed).map(([producer, pushed]) => {
    return [producer, `${pushed}`, `${state.persisted[producer] ?? '-'}`]
  })
  const marked = marks.length === 0 ? [] : ['', ...alignedRows([['producer', 'pushed', 'persisted'], ...marks])]
  return [verdicts.join(', '), '', ...alignedRows([['line', 'producer', 'sequence', 'verdict'], ...rows]), ...marked]
}
