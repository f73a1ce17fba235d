/** `kafka rebalance`: what stops and what moves when something happens to a group, round by round. */
import { kafka } from '../index.js'
import type { RebalanceAnswerDocument } from './documents.js'
import type { Command } from './grammar.js'
import { EVENT_OPTIONS, eventText, readEvents } from './group-events.js'
import { atGroup, GROUP_OPTIONS } from './group-file.js'
import { ASSIGNOR_OPTIONS, readQuestion } from './group-question.js'
import { balanceLine, counted, listLines, spreadLine } from './group-table.js'
import { noOperands } from './kafka-assign.js'
import { grouped } from './progress.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

export const KAFKA_REBALANCE: Command = {
  path: ['kafka', 'rebalance'],
  summary: 'what stops and what moves when something happens to a group',
  operands: '--group FILE',
  details: [
    '',
    'A group in which nobody owns anything forms first. Events happen in the order given, each when the',
    'group has come to rest. --json has the group at the end: the --group of the next question.',
  ],
  options: [
    ...GROUP_OPTIONS,
    ...ASSIGNOR_OPTIONS,
    ...EVENT_OPTIONS,
    { name: 'all', help: 'every member of a round, not the ten with most partitions' },
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka rebalance --group examples/group.json --leave app-3',
    'topic-placement kafka rebalance --assignor range --group examples/group.json --join app-4',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  noOperands(session)
  const question = readQuestion(session)
  const events = readEvents(session, question)
  const answer = atGroup(session, () => kafka.rebalance(question, events))
  session.noteAnswer(`as Kafka ${answer.version}: ${answer.groupType} ${answer.assignor}, ${answer.protocol}`)
  const json = (): RebalanceAnswerDocument => ({ question: 'kafka rebalance', ...answer.toJSON() })
  await session.write(args.flag('json') ? `${JSON.stringify(json())}\n` : textOf(answer, args.flag('all')))
}

function textOf(answer: kafka.Rebalance, all: boolean): string {
  const { steps, totals, assignor, before } = answer
  const head = `${counted(before.names.memberIds.length, 'member')}, ${counted(before.values.length, 'partition')} by ${assignor}`
  const stops = `partitions stop ${counted(totals.stops, 'time')}`
  const sum = `${counted(steps.length, 'event')}, ${counted(totals.rounds, 'round')}, ${stops}, ${movesText(totals)}`
  return `${[head, sum, ...steps.flatMap((step, i) => ['', ...stepLines(step, i + 1, all)])].join('\n')}\n`
}

/** `2 moves, the fewest that could be` */
function movesText({ moves, fewestMoves }: Pick<kafka.RebalanceTotals, 'moves' | 'fewestMoves'>): string {
  const told = counted(moves, 'move')
  if (fewestMoves === null) return told
  if (moves === fewestMoves) return moves === 0 ? told : `${told}, which is the fewest`
  return `${told} where ${grouped(fewestMoves)} would do`
}

function stepLines(step: kafka.RebalanceStep, number: number, all: boolean): string[] {
  const { event, rounds, stopped, before, longestNobodys, balanceAfter, spreadAfter } = step
  const stops = `${grouped(stopped.values.length)} of ${counted(before.values.length, 'partition')} stop`
  const long = longestNobodys > 0 ? `, some are nobody's for ${counted(longestNobodys, 'round')}` : ''
  return [
    `${number}. ${eventText(event)}: ${counted(rounds.length, 'round')}`,
    `   ${stops}${long}; ${movesText(step)}`,
    `   then ${counted(balanceAfter.members, 'member')}, each ${balanceLine(balanceAfter)}`,
    `   ${spreadLine(spreadAfter)}`,
    ...rounds.flatMap((round, i) => roundLines(round, i + 1, all)),
  ]
}

function roundLines(
  { revoked, gained, withheld, notes }: kafka.RebalanceRound,
  number: number,
  all: boolean,
): string[] {
  const lists = [
    [revoked, 'revoked', 'revokes'],
    [gained, 'gained', 'gains'],
    [withheld, 'withheld', 'waits for'],
  ] as const
  const some = lists.filter(([{ values }]) => values.length > 0)
  const counts = some.map(([{ values }, word]) => `${grouped(values.length)} ${word}`)
  return [
    `   round ${number}: ${counts.join(', ') || 'nothing changes'}`,
    ...some.flatMap(([list, , verb]) => listLines(list, verb, all)),
    ...notes.map(({ code, message }) => `     note: ${message} [${code}]`),
  ]
}
