/** `pulsar compare`: the same cluster and load under several load managers, shedders, releases or settings, side by side. */
import { codedError, shown } from '../errors.js'
import { pulsar } from '../index.js'
import { PULSAR_VERSIONS } from '../types.js'
import { alignedRows } from './fill.js'
import type { Arguments, Command } from './grammar.js'
import { counted } from './group-table.js'
import { choiceOf, MANAGERS, SETTINGS_OPTIONS, settingGiven } from './load-choice.js'
import { eventsOf } from './load-events.js'
import { atFiles, LOAD_DETAILS, LOAD_OPTIONS, type ReadFiles, readLoadFiles } from './load-files.js'
import { cut } from './partition-ranges.js'
import { grouped } from './progress.js'
import type { CompareDocument } from './pulsar-documents.js'
import { RUN_OPTIONS, runOf } from './pulsar-simulate.js'
import { OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'

export const PULSAR_COMPARE: Command = {
  path: ['pulsar', 'compare'],
  summary: 'the same load under several load managers or settings',
  operands: '[FILE… | -]',
  details: [
    '',
    ...LOAD_DETAILS,
    'Every combination of the lists given is a run; without a list, each shedder is.',
    'quiet: the step from which nothing moves; worst: the largest load in any step; max, std: over all steps.',
  ],
  options: [
    ...LOAD_OPTIONS,
    { name: 'load-managers', value: 'A,B', help: `of ${MANAGERS.join(', ')}` },
    { name: 'shedders', value: 'A,B', help: 'of ThresholdShedder, OverloadShedder, UniformLoadShedder, AvgShedder, …' },
    { name: 'placements', value: 'A,B', help: 'of LeastLongTermMessageRate, LeastResourceUsageWithWeight, …' },
    { name: 'versions', value: 'A,B', help: 'of 3.0, 4.2, 5.0, each with its defaults' },
    { name: 'vary', value: 'NAME=A,B', help: 'a setting of broker.conf, and its values' },
    ...SETTINGS_OPTIONS,
    ...RUN_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar compare --version 4.2 examples/pulsar-cluster.json',
    'topic-placement pulsar compare --shedders ThresholdShedder --versions 4.2,5.0 examples/load-reports.jsonl',
  ],
  run,
}

type Runs = Readonly<Record<string, pulsar.LoadManagerChoice>>

async function run(session: Session): Promise<void> {
  const { args } = session
  const format = rowFormat(args)
  const read = readLoadFiles(session)
  const events = eventsOf(session)
  const runs = runsOf(args, choiceOf(session, read.files))
  const question = { ...runOf(session, read), events: events?.events ?? read.files.events, runs }
  const { rows, simulations } = atFiles(read, events?.document ?? null, () => pulsar.compareLoadManagers(question))
  const { steps, seed } = simulations[rows[0]!.name]!
  session.noteAnswer(`${counted(rows.length, 'run')} of ${counted(steps, 'step')}, seed ${seed}`)
  const document: CompareDocument = { question: 'pulsar compare', steps, seed, rows }
  if (format === 'json') return session.write(`${JSON.stringify(document)}\n`)
  if (format === 'jsonl') return session.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  await session.write(textOf(read, document, args.text('vary')?.split('=')[0]))
}

/** A way in which runs differ: its values by name. */
type Dimension = Readonly<Record<string, pulsar.LoadManagerChoice>>

function runsOf(args: Arguments, base: pulsar.LoadManagerChoice): Runs {
  const dimensions = [
    dimensionOf(args, 'versions', PULSAR_VERSIONS, (version) => ({ version })),
    dimensionOf(args, 'load-managers', MANAGERS, (loadManager) => ({ loadManager })),
    dimensionOf(args, 'shedders', pulsar.SHEDDERS, shedderChoice),
    dimensionOf(args, 'placements', pulsar.PLACEMENTS, (placement) => ({ placement })),
    varied(args, base),
  ].filter((dimension) => dimension !== null)
  const shedders = Object.fromEntries(pulsar.SHEDDERS.map((shedder) => [shedder, shedderChoice(shedder)]))
  const combined = (dimensions.length === 0 ? [shedders] : dimensions).reduce(product, { '': base })
  return Object.fromEntries(Object.entries(combined).map(([name, choice]) => [name.trim(), choice]))
}

/** A shedder brings the manager that has it, and a placement that goes with it. */
function shedderChoice(shedder: pulsar.ShedderName): pulsar.LoadManagerChoice {
  if (shedder === 'TransferShedder') return { shedder, loadManager: 'extensible' }
  const placement = shedder === 'AvgShedder' ? 'AvgShedder' : 'LeastLongTermMessageRate'
  return { shedder, loadManager: 'modular', placement }
}

/** Values with commas between, each once. @throws ERR_PLACEMENT_USAGE */
function listed(args: Arguments, option: string, text: string): string[] {
  const values = text.split(',')
  const twice = values.find((value, i) => values.indexOf(value) !== i)
  if (twice === undefined) return values
  throw args.wrong(`--${option}: expected each once, got ${shown(twice)} again`)
}

function dimensionOf<T extends string>(
  args: Arguments,
  option: string,
  names: readonly T[],
  choice: (name: T) => pulsar.LoadManagerChoice,
): Dimension | null {
  const text = args.text(option)
  if (text === undefined) return null
  const values = listed(args, option, text)
  return Object.fromEntries(values.map((value) => [value, choice(args.oneOf(option, value, names))]))
}

function varied(args: Arguments, { version }: pulsar.LoadManagerChoice): Dimension | null {
  const text = args.text('vary')
  if (text === undefined) return null
  const [, name, values] = /^\s*(\w+)\s*=(.*)$/s.exec(text) ?? []
  if (name === undefined) throw codedError('ERR_PLACEMENT_USAGE', `--vary: expected NAME=A,B, got ${shown(text)}`)
  const settings = listed(args, 'vary', values!).map((value) => {
    return [`${name}=${value}`, { settings: settingGiven(`${name}=${value}`, version, '--vary') }] as const
  })
  return Object.fromEntries(settings)
}

function product(left: Dimension, right: Dimension): Dimension {
  const pairs = Object.entries(left).flatMap(([name, choice]) =>
    Object.entries(right).map(([more, other]) => {
      const settings = { ...choice.settings, ...other.settings }
      return [`${name} ${more}`, { ...choice, ...other, settings }] as const
    }),
  )
  return Object.fromEntries(pairs)
}

const HEADER = ['moves', 'unloads', 'bounce', 'quiet', 'worst', 'max', 'std', 'thrash', 'run']

/** @param setting the one of `--vary`, which stands once above the table */
function textOf({ files }: ReadFiles, { steps, rows }: CompareDocument, setting: string | undefined): string {
  const size = `${counted(files.brokers.length, 'broker')}, ${counted(files.bundles.length, 'bundle')}`
  const told = rows.map((row) => ({ ...row, name: row.name.replace(`${setting}=`, '') }))
  const table = alignedRows([HEADER, ...told.map(cellsOf)]).map((line) => cut(line, 100))
  const by = setting === undefined ? '' : `; runs by ${setting}`
  return `${[`${size}, ${counted(steps, 'step')}${by}`, '', ...table].join('\n')}\n`
}

function cellsOf({
  name,
  moves,
  unloads,
  bouncing,
  quietFrom,
  worst,
  meanMax,
  meanStd,
  thrash,
}: pulsar.LoadComparisonRow): string[] {
  return [
    grouped(moves),
    grouped(unloads),
    grouped(bouncing),
    quietFrom === null ? 'no' : grouped(quietFrom),
    worst.toFixed(1),
    meanMax.toFixed(1),
    meanStd.toFixed(1),
    thrash ?? '-',
    name,
  ]
}
