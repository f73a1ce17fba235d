/** `kafka compare-assignors`: the same events under each assignor, side by side. */
import { kafka } from '../index.js'
import type { CompareAssignorsDocument } from './documents.js'
import { alignedRows } from './fill.js'
import type { Command } from './grammar.js'
import { EVENT_OPTIONS, readEvents } from './group-events.js'
import { atGroup, GROUP_OPTIONS, readGroup } from './group-file.js'
import { VERSION_OPTION, versionOf } from './group-question.js'
import { counted } from './group-table.js'
import { noOperands } from './kafka-assign.js'
import { cut } from './partition-ranges.js'
import { grouped } from './progress.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

export const KAFKA_COMPARE_ASSIGNORS: Command = {
  path: ['kafka', 'compare-assignors'],
  summary: 'the same events under each assignor, side by side',
  operands: '--group FILE',
  details: [
    '',
    'rounds: until the group is at rest; stops: partitions nobody reads for a while; fewest: moves that',
    'no assignor does without, for the same balance; even: topics spread as evenly as can be.',
  ],
  options: [
    ...GROUP_OPTIONS,
    ...EVENT_OPTIONS,
    VERSION_OPTION,
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka compare-assignors --group examples/group.json --leave app-3',
    'topic-placement kafka compare-assignors --group examples/group.json --events examples/events.json',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  noOperands(session)
  const { topics, members, maxGeneration = -1, ...group } = readGroup(session)
  const version = versionOf(session, { topics, members, ...group })
  const events = readEvents(session, { topics, members })
  const { rows } = atGroup(session, () => kafka.compareAssignors({ topics, members, maxGeneration, version }, events))
  session.noteAnswer(`as Kafka ${version}: ${counted(rows.length, 'assignor')}`)
  const document: CompareAssignorsDocument = {
    question: 'kafka compare-assignors',
    version,
    ...new kafka.AssignorComparison(rows).toJSON(),
  }
  await session.write(args.flag('json') ? `${JSON.stringify(document)}\n` : textOf(document, events.length))
}

const HEADER = ['rounds', 'stops', 'moves', 'fewest', "nobody's", 'min', 'max', 'even', 'assignor']

function textOf({ rows }: CompareAssignorsDocument, events: number): string {
  const answered = rows.filter(({ error }) => error === null)
  const failed = rows.filter(({ error }) => error !== null)
  const lines = [
    counted(events, 'event'),
    '',
    ...alignedRows([HEADER, ...answered.map(cellsOf)]),
    ...failed.map(({ groupType, assignor, error }) => cut(`no ${groupType} ${assignor}: ${error!.message}`, 100)),
    '',
    "nobody's: the most rounds that nobody has a partition; min, max: partitions of a member at the end",
  ]
  return `${lines.join('\n')}\n`
}

function cellsOf({ groupType, assignor, totals, balance, spread }: kafka.ComparedAssignorDocument): string[] {
  const { rounds, stops, moves, fewestMoves, longestNobodys } = totals!
  return [
    grouped(rounds),
    grouped(stops),
    grouped(moves),
    fewestMoves === null ? '-' : grouped(fewestMoves),
    grouped(longestNobodys),
    grouped(balance!.least),
    grouped(balance!.most),
    `${grouped(spread!.even)}/${grouped(spread!.topics)}`,
    `${assignor} (${groupType})`,
  ]
}
