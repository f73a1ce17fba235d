/** `pulsar ledger`: on which bookies entries lie; with a file of ledgers what lost bookies cost, and which ensembles adhere. */
import { readFileSync } from 'node:fs'
import { codedError, shown } from '../errors.js'
import { type PulsarVersion, pulsar } from '../index.js'
import { askedOf, type EventFile, jsonOf, readEvents } from './event-file.js'
import { alignedRows } from './fill.js'
import type { Arguments, Command } from './grammar.js'
import { unreadable } from './input.js'
import { fileOperand } from './operands.js'
import { grouped } from './progress.js'
import type { LedgerAdherenceDocument, LedgerLossDocument, LedgerPlacementDocument } from './pulsar-documents.js'
import { FLOW_VERSION_OPTION, flowVersionOf } from './pulsar-flow.js'
import { OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

const INT_MAX = 2 ** 31 - 1
const MOST_ENTRIES = 1_000_000
const WORST = 10
const POLICIES = ['rack', 'region', 'zone'] as const

export const PULSAR_LEDGER: Command = {
  path: ['pulsar', 'ledger'],
  summary: 'where entries lie, what lost bookies cost, which keep the policy',
  operands: '[LEDGERS | -]',
  details: [
    '',
    'Without a file: the write set of entries --first to --last, as indexes into the ensemble.',
    'A ledger a line: {"ledgerId":7,"ensembleSize":3,"writeQuorum":2,"ackQuorum":2,"lastEntryId":99,"open":true,',
    '"ensembles":[{"firstEntry":0,"bookies":["b1:3181","b2:3181","b3:3181"]}]}.',
    'Racks are a JSON object of bookie to location: {"b1:3181":"/rack-1","b2:3181":null}.',
  ],
  options: [
    { name: 'bookkeeper-ensemble', value: 'N', help: 'bookies of an ensemble (default 2)' },
    { name: 'bookkeeper-write-quorum', value: 'N', help: 'bookies that get each entry (default 2)' },
    { name: 'bookkeeper-ack-quorum', value: 'N', help: 'bookies that must have it (default 2)' },
    { name: 'first', value: 'ENTRY', help: 'first entry (default 0)' },
    { name: 'last', value: 'ENTRY', help: `last entry, at most ${grouped(MOST_ENTRIES)} in all (default: the first)` },
    { name: 'lost', value: 'BOOKIES', help: 'bookies that are gone, with commas between' },
    { name: 'racks', value: 'FILE', help: 'where bookies stand: what keeps the policy' },
    { name: 'policy', value: 'NAME', help: `${POLICIES.join(', ')} (default rack)` },
    { name: 'min-racks', value: 'N', help: 'minNumRacksPerWriteQuorum (default 2)' },
    { name: 'enforce-min-racks', help: 'enforceMinNumRacksPerWriteQuorum' },
    FLOW_VERSION_OPTION,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar ledger --bookkeeper-ensemble 3 --first 0 --last 5',
    'topic-placement pulsar ledger --lost bookie-1:3181,bookie-2:3181 examples/ledgers.jsonl',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const version = flowVersionOf(args)
  const path = fileOperand(args)
  if (path === undefined && !args.flag('lost') && !args.flag('racks')) return placed(session, version)
  if (args.flag('lost') === args.flag('racks')) throw args.wrong('expected LEDGERS with one of --lost and --racks')
  const file = await readEvents<pulsar.LedgerMetadata>(path)
  return args.flag('lost') ? lostOf(session, version, file) : adherenceOf(session, version, file)
}

function quorumsOf(args: Arguments): Required<pulsar.LedgerQuorums> {
  const size = (name: string) => args.integer(`bookkeeper-${name}`, [1, INT_MAX], 'ERR_PLACEMENT_ARGUMENT_RANGE') ?? 2
  return { ensembleSize: size('ensemble'), writeQuorum: size('write-quorum'), ackQuorum: size('ack-quorum') }
}

async function placed(session: Session, version: PulsarVersion): Promise<void> {
  const { args } = session
  const quorums = quorumsOf(args)
  const first = args.integer('first', [0, Number.MAX_SAFE_INTEGER - MOST_ENTRIES], 'ERR_PLACEMENT_ARGUMENT_RANGE') ?? 0
  const last = args.integer('last', [first, first + MOST_ENTRIES - 1], 'ERR_PLACEMENT_ARGUMENT_RANGE') ?? first
  const rows = pulsar.ledger.writeSets({ first, count: last - first + 1 }, quorums)
  const { writeQuorum } = quorums
  const entries = Array.from({ length: last - first + 1 }, (_, i) => ({
    entry: first + i,
    writeSet: Array.from(rows.subarray(i * writeQuorum!, (i + 1) * writeQuorum!)),
  }))
  session.noteAnswer(`as Pulsar ${version}: ${grouped(entries.length)} entries`)
  const document: LedgerPlacementDocument = { question: 'pulsar ledger', version, ...quorums, entries }
  const text = () => entries.map(({ entry, writeSet }) => `${entry}\t${writeSet.join(',')}`)
  await written(session, { document, rows: entries, text })
}

async function lostOf(session: Session, version: PulsarVersion, file: EventFile<pulsar.LedgerMetadata>): Promise<void> {
  const lost = session.args.text('lost')!.split(',')
  const losses = askedOf(file, 'ledgers', (ledgers) => pulsar.ledger.ledgersLoss(ledgers, lost))
  const rows = losses.map(({ ensembles, ...loss }) => ({
    ...loss,
    ensembles: ensembles.map(({ first, last, lost: gone, unreadable, underReplicated }) => {
      return { first, last, lost: gone, unreadable: unreadable.count, underReplicated: underReplicated.count }
    }),
  }))
  session.noteAnswer(`as Pulsar ${version}: ${grouped(rows.length)} ledgers, ${lost.length} bookies lost`)
  const document: LedgerLossDocument = { question: 'pulsar ledger --lost', version, lost, ledgers: rows }
  await written(session, { document, rows, text: () => lossText(rows) })
}

type LossRow = LedgerLossDocument['ledgers'][number]

function lossText(rows: readonly LossRow[]): string[] {
  const count = (holds: (row: LossRow) => boolean) => grouped(rows.filter(holds).length)
  const sum = (fate: 'unreadable' | 'underReplicated') => grouped(rows.reduce((total, row) => total + row[fate], 0))
  const head = [
    `${count((row) => row.unreadable > 0)} of ${grouped(rows.length)} ledgers lose entries: ${sum('unreadable')} cannot be read`,
    `${count((row) => row.underReplicated > 0)} are short of copies: ${sum('underReplicated')} entries`,
    `${count((row) => row.unwritable)} open ones cannot be written, ${count((row) => !row.recoverable)} cannot be recovered`,
  ]
  const hurt = rows.filter(({ ensembles }) => ensembles.length > 0)
  const worst = hurt
    .sort((a, b) => b.unreadable - a.unreadable || b.underReplicated - a.underReplicated)
    .slice(0, WORST)
  if (worst.length === 0) return head
  const table = worst.map(({ ledgerId, unreadable, underReplicated, unwritable, recoverable }) => [
    `${ledgerId}`,
    grouped(unreadable),
    grouped(underReplicated),
    unwritable ? 'no' : 'yes',
    recoverable ? 'yes' : 'no',
  ])
  const more = hurt.length - worst.length
  const rest = more > 0 ? [`${grouped(more)} more: --json`] : []
  return [
    ...head,
    '',
    ...alignedRows([['ledger', 'unreadable', 'short of copies', 'writable', 'recoverable'], ...table]),
    ...rest,
  ]
}

async function adherenceOf(
  session: Session,
  version: PulsarVersion,
  file: EventFile<pulsar.LedgerMetadata>,
): Promise<void> {
  const { args } = session
  const policy = {
    policy: args.choice('policy', POLICIES),
    bookies: racksOf(args.text('racks')!),
    minNumRacksPerWriteQuorum: args.integer('min-racks', [0, INT_MAX], 'ERR_PLACEMENT_ARGUMENT_RANGE'),
    enforceMinNumRacksPerWriteQuorum: args.flag('enforce-min-racks'),
  }
  askedOf(file, 'ledgers', (ledgers) => pulsar.ledger.ledgersLoss(ledgers, []))
  const rows = file.events.flatMap(({ ledgerId, ensembles, writeQuorum }) =>
    ensembles.map(({ firstEntry, bookies }) => {
      return { ledgerId, firstEntry, ...pulsar.ledger.ensembleAdherence(bookies, { ...policy, writeQuorum }) }
    }),
  )
  session.noteAnswer(`as Pulsar ${version}: ${grouped(rows.length)} ensembles, policy ${policy.policy ?? 'rack'}`)
  for (const note of new Set(rows.flatMap(({ notes }) => notes.map(({ code, message }) => `${code}: ${message}`)))) {
    session.note(note)
  }
  const document: LedgerAdherenceDocument = { question: 'pulsar ledger --racks', version, ensembles: rows }
  await written(session, { document, rows, text: () => adherenceText(rows) })
}

function adherenceText(rows: LedgerAdherenceDocument['ensembles']): string[] {
  const failing = rows.filter(({ adherence }) => adherence !== 'MEETS_STRICT')
  const head = `${grouped(rows.length - failing.length)} of ${grouped(rows.length)} ensembles keep the policy`
  if (failing.length === 0) return [head]
  const table = failing.slice(0, WORST).map(({ ledgerId, firstEntry, adherence, reason }) => {
    return [`${ledgerId}`, `${firstEntry}`, adherence, reason ?? '']
  })
  const more = failing.length - table.length
  const rest = more > 0 ? [`${grouped(more)} more: --json`] : []
  return [head, '', ...alignedRows([['ledger', 'from entry', 'adherence', 'why'], ...table]), ...rest]
}

function racksOf(path: string): pulsar.BookieLocations {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw unreadable(path, cause)
  }
  try {
    return JSON.parse(text) as pulsar.BookieLocations
  } catch (cause) {
    const message = `${path}: expected a JSON object of bookie to location, got ${shown(text)}`
    throw codedError('ERR_PLACEMENT_INPUT', message, { cause })
  }
}

async function written(
  session: Session,
  { document, rows, text }: { document: object; rows: readonly object[]; text: () => string[] },
): Promise<void> {
  const format = rowFormat(session.args)
  if (format === 'json') return session.write(`${jsonOf(document)}\n`)
  if (format === 'jsonl') return session.write(rows.map((row) => `${jsonOf(row)}\n`).join(''))
  await session.write(`${text().join('\n')}\n`)
}
