/** `pulsar rolling-restart`: how often bundles move when every broker restarts once, and the fewest that could. */
import { codedError, shown } from '../errors.js'
import { pulsar } from '../index.js'
import { PULSAR_VERSIONS } from '../types.js'
import { alignedRows } from './fill.js'
import type { Command } from './grammar.js'
import { counted, moreLine, WORST } from './group-table.js'
import { MANAGERS, versionOf } from './load-choice.js'
import { atFiles, LOAD_DETAILS, LOAD_OPTIONS, type ReadFiles, readLoadFiles } from './load-files.js'
import { cut } from './partition-ranges.js'
import { grouped } from './progress.js'
import type { RestartRunDocument, RollingRestartDocument } from './pulsar-documents.js'
import { OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

const INT_MAX = 2 ** 31 - 1
const WEIGHTS = ['throughput', 'messages', 'bundles'] as const

export const PULSAR_ROLLING_RESTART: Command = {
  path: ['pulsar', 'rolling-restart'],
  summary: 'how often bundles move when each broker restarts',
  operands: '[FILE… | -]',
  details: [
    '',
    ...LOAD_DETAILS,
    'Every bundle needs an owner. --jsonl has the moves of the plan, for "pulsar-admin namespaces unload',
    '--bundle RANGE --destinationBroker BROKER NAMESPACE" before each broker goes.',
  ],
  options: [
    ...LOAD_OPTIONS,
    { name: 'order', value: 'NAMES', help: 'brokers as they restart (default: fewest bundles, then least load)' },
    { name: 'weigh', value: 'BY', help: `what is kept level: ${WEIGHTS.join(', ')} (default: throughput, if any)` },
    { name: 'load-manager', value: 'NAME', help: `${MANAGERS.join(' or ')} (default modular)` },
    { name: 'batch', value: 'N', help: 'bundles that the extensible one unloads at a time (default 64)' },
    { name: 'placement', value: 'NAME', help: "the load manager's (default: as the release has it)" },
    { name: 'seed', value: 'N', help: 'of java.util.Random, where it draws (default 0)' },
    { name: 'version', value: 'RELEASE', help: `${PULSAR_VERSIONS.join(', ')} (default ${PULSAR_VERSIONS.at(-1)})` },
    { name: 'all', help: 'every broker, not the first ten' },
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar rolling-restart examples/pulsar-cluster.json',
    'topic-placement pulsar rolling-restart --load-manager extensible examples/load-reports.jsonl',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const format = rowFormat(args)
  const read = readLoadFiles(session)
  const version = versionOf(session, read.files) ?? PULSAR_VERSIONS.at(-1)!
  const question = { ...questionOf(session, read), version }
  const answer = atFiles(read, null, () => pulsar.rollingRestart(question))
  session.noteAnswer(`as Pulsar ${version}: ${answer.loadManager}, ${answer.placement}`)
  const document = documentOf(answer, version)
  if (format === 'json') return session.write(`${JSON.stringify(document)}\n`)
  if (format === 'jsonl') {
    return session.write(document.planned.moveList.map((move) => `${JSON.stringify(move)}\n`).join(''))
  }
  await session.write(textOf(document, args.flag('all')))
}

function questionOf(session: Session, { files }: ReadFiles): pulsar.RollingRestartQuestion {
  const { args } = session
  const homeless = files.bundles.find(({ owner }) => typeof owner !== 'string')
  if (homeless !== undefined) {
    const message = `bundle ${shown(homeless.name)}: expected an owner, got none`
    throw codedError('ERR_PLACEMENT_INPUT', message)
  }
  return {
    brokers: files.brokers.map(({ name }) => name),
    owners: Object.fromEntries(files.bundles.map(({ name, owner }) => [name, owner!])),
    loads: weightsOf(session, files),
    order: args.text('order')?.split(','),
    loadManager: args.choice('load-manager', MANAGERS) ?? files.loadManager,
    placement: args.choice('placement', pulsar.PLACEMENTS) ?? files.placement,
    batch: args.integer('batch', [1, INT_MAX], 'ERR_PLACEMENT_ARGUMENT_RANGE'),
    seed: args.integer('seed', [0, Number.MAX_SAFE_INTEGER], 'ERR_PLACEMENT_ARGUMENT_RANGE') ?? files.seed,
  }
}

/** Loads at their first step, `undefined` where numbers of bundles are kept level. */
function weightsOf({ args }: Session, { bundles, loads }: ReadFiles['files']): Record<string, number> | undefined {
  const asked = args.choice('weigh', WEIGHTS)
  if (asked === 'bundles') return undefined
  const sumOf = (fields: readonly (keyof pulsar.BundleLoad)[], name: string) =>
    fields.reduce((sum, field) => sum + firstOf(loads[name]?.[field]), 0)
  const fields =
    asked === 'messages' ? (['msgRateIn', 'msgRateOut'] as const) : (['msgThroughputIn', 'msgThroughputOut'] as const)
  const weights = bundles.map(({ name }) => [name, sumOf(fields, name)] as const)
  const isIdle = weights.every(([, weight]) => weight === 0)
  return asked === undefined && isIdle ? undefined : Object.fromEntries(weights)
}

function firstOf(value: pulsar.LoadValue | undefined): number {
  return typeof value === 'number' ? value : (value?.[0] ?? 0)
}

function documentOf(answer: pulsar.RollingRestart, version: RollingRestartDocument['version']): RollingRestartDocument {
  const { order, bundles, loadManager, placement, fewest, fewestInAnyOrder } = answer
  return {
    question: 'pulsar rolling-restart',
    ...{ version, order, loadManager, placement, fewest, fewestInAnyOrder },
    bundles: bundles.length,
    byStrategy: runDocument(answer, answer.byStrategy),
    planned: runDocument(answer, answer.planned),
  }
}

function runDocument({ order, bundles }: pulsar.RollingRestart, run: pulsar.RestartRun): RestartRunDocument {
  const { timesMoved: _, columns, loadsAfter: __, ...told } = run
  const moveList = Array.from(columns.restart, (at, i) => {
    return { from: order[at]!, bundle: bundles[columns.bundle[i]!]!, to: order[columns.to[i]!]! }
  })
  return { ...told, moveList }
}

function textOf(document: RollingRestartDocument, all: boolean): string {
  const { order, bundles, placement, fewest, fewestInAnyOrder, byStrategy, planned } = document
  const other = fewest === fewestInAnyOrder ? 'in any order' : `in this order, ${grouped(fewestInAnyOrder)} in another`
  const runs = [
    ['moves', 'unload steps', 'most of one', 'peak/mean', 'placed by'],
    runCells(byStrategy, placement),
    runCells(planned, 'the plan (--jsonl)'),
  ]
  const shown = planned.restarts.slice(0, all ? order.length : WORST)
  const rows = shown.map(({ broker, bundles: has, unloadSteps, peak, peakBroker }, i) => {
    return [
      grouped(has),
      grouped(byStrategy.restarts[i]!.bundles),
      grouped(unloadSteps),
      amount(peak),
      `${broker}: ${peakBroker}`,
    ]
  })
  const lines = [
    `${counted(order.length, 'broker')}, ${counted(bundles, 'bundle')}; the fewest moves are ${grouped(fewest)}, ${other}`,
    `${order.at(-1)} is empty at the end, as the last one always is`,
    '',
    ...alignedRows(runs),
    '',
    ...alignedRows([['plan', 'strategy', 'steps', 'peak', 'broker that restarts: fullest one then'], ...rows]),
    ...moreLine(order.length - shown.length),
  ]
  return `${lines.map((line) => (all ? line : cut(line, 100))).join('\n')}\n`
}

function runCells({ moves, unloadSteps, histogram, peakToMean }: RestartRunDocument, name: string): string[] {
  return [grouped(moves), grouped(unloadSteps), grouped(histogram.length - 1), peakToMean.toFixed(2), name]
}

/** A load of any unit, short. */
const amount = (load: number): string => grouped(Math.round(load))
