/** `pulsar advise`: how many bundles a namespace should begin with, and why. */
import { codedError, shown } from '../errors.js'
import { type PulsarVersion, pulsar } from '../index.js'
import { INPUT_OPTIONS, openInput } from './batches.js'
import type { Command } from './grammar.js'
import { fileOperand } from './operands.js'
import { STATS_OPTION, statsOf } from './pulsar-stats.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'
import { wholeSet } from './whole-set.js'

const VERSIONS: readonly PulsarVersion[] = ['2.10', '3.0', '4.2', '5.0']
const MOST_CANDIDATES = 10_000

export const PULSAR_ADVISE: Command = {
  path: ['pulsar', 'advise'],
  summary: 'how many bundles a namespace should begin with, and why',
  operands: '[TOPICS | -]',
  details: [
    '',
    'TOPICS are the topics that the namespace will have, one a line, each partition by its own name.',
    'For 1,000 topics made up: seq -f "topic-%g" 1000 | topic-placement pulsar advise --brokers 16',
  ],
  options: [
    { name: 'brokers', value: 'N', help: 'brokers of the cluster' },
    { name: 'topics', value: 'FILE', help: 'the same as TOPICS' },
    { name: 'candidates', value: 'N,…', help: 'numbers of bundles to look at, or A-B (default 4,8,16,…,1024)' },
    { name: 'transaction-coordinators', value: 'N', help: 'for pulsar/system: so many should lie apart' },
    STATS_OPTION,
    { name: 'version', value: 'RELEASE', help: `${VERSIONS.join(', ')} (default ${VERSIONS.at(-1)})` },
    ...INPUT_OPTIONS,
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement pulsar advise --brokers 4 examples/topics.txt',
    'topic-placement pulsar advise --brokers 4 --candidates 8,16,64 --json --topics examples/topics.txt',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const number = (name: string, most: number) => args.integer(name, [1, most], 'ERR_PLACEMENT_ARGUMENT_RANGE')
  const brokers = args.required('brokers', number('brokers', 100_000))
  const coordinators = number('transaction-coordinators', 1_000_000)
  const [candidates, path] = [candidatesOf(session), pathOf(session)]
  const version = args.choice('version', VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION') ?? VERSIONS.at(-1)!
  const { topics, placed } = await wholeSet(session, openInput(session, path, 'utf8'))
  const advice = await placed(() => {
    const rates = statsOf(session, topics, version)
    return pulsar.adviseBundlesAsync({
      topics,
      brokers,
      rates,
      candidates,
      transactionCoordinators: coordinators,
      version,
    })
  })
  session.noteAnswer(`as Pulsar ${version}: ${advice.topics} topics on ${brokers} brokers, weighed by ${advice.unit}`)
  await session.write(args.flag('json') ? `${JSON.stringify(documentOf(advice))}\n` : textOf(advice))
}

function pathOf({ args }: Session): string | undefined {
  const [option, operand] = [args.text('topics'), fileOperand(args)]
  if (option === undefined || operand === undefined) return option ?? operand
  throw args.wrong(`expected --topics or one FILE, got both: ${shown(operand)}`)
}

function candidatesOf({ args }: Session): number[] | undefined {
  const text = args.text('candidates')
  return text?.split(',').flatMap((part) => {
    const [, from, to = from] = /^([0-9]{1,5})(?:-([0-9]{1,5}))?$/.exec(part) ?? []
    const count = Number(to) - Number(from) + 1
    if (count >= 1 && count <= MOST_CANDIDATES) return Array.from({ length: count }, (_, i) => Number(from) + i)
    throw codedError('ERR_PLACEMENT_USAGE', `--candidates: expected numbers of bundles or A-B, got ${shown(part)}`)
  })
}

const documentOf = ({ transactionCoordinators: system, ...advice }: pulsar.BundleAdvice) => ({
  question: 'pulsar advise',
  ...advice,
  transactionCoordinators: system === null ? null : { ...system, indices: [...system.indices] },
})

const HEADER = ['bundles', 'topics each', 'owned', 'packed', 'even', 'idle', 'unloads', 'split']

function textOf(advice: pulsar.BundleAdvice): string {
  const rows = [HEADER, ...advice.candidates.map(rowOf)]
  const widths = HEADER.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const table = rows.map((row) => row.map((cell, column) => cell.padStart(widths[column]!)).join('  '))
  return `${[headline(advice), '', ...table, '', ...legend(), ...objectionsOf(advice), ...familiesOf(advice)].join('\n')}\n`
}

function headline({ bundles, defaultBundles, version, candidates }: pulsar.BundleAdvice): string {
  const { against } = candidates.find((one) => one.bundles === bundles)!
  const verdict = against.length === 0 ? '' : ', of those looked at; none is without fault'
  return `${bundles} bundles${verdict} (Pulsar ${version} takes ${defaultBundles} by default)`
}

function rowOf(candidate: pulsar.BundleCandidate): string[] {
  const { bundles, topicsPerBundle, active, packed, even, unloadSteps, overLimit } = candidate
  return [
    String(bundles),
    `${topicsPerBundle.least}-${topicsPerBundle.most}`,
    String(active),
    packed.peakToMean.toFixed(2),
    even.peakToMean.toFixed(2),
    String(packed.idle),
    `${unloadSteps.modular}/${unloadSteps.extensible}`,
    String(overLimit),
  ]
}

const legend = (): string[] => [
  'packed, even: fullest broker over the mean, bundles packed by load or in equal numbers;',
  'idle: brokers without topics when packed; unloads: steps a broker stops in, modular/extensible;',
  'split: bundles over a limit, split at once',
]

function objectionsOf({ candidates }: pulsar.BundleAdvice): string[] {
  const lines = candidates.flatMap(({ bundles, against }) => against.map((why) => `  not ${bundles}: ${why}`))
  return lines.length === 0 ? [] : ['', ...lines]
}

function familiesOf({ families }: pulsar.BundleAdvice): string[] {
  const lines = families
    .slice(0, 10)
    .map(({ kind, partitions, families: count, separatedBy, separatedByPowerOfTwo }) => {
      const what = `${count} ${kind === 'partitions' ? 'topic' : 'run'}${count === 1 ? '' : 's'} of ${partitions} ${kind}`
      const power = separatedByPowerOfTwo === null ? '' : `, of powers of two ${separatedByPowerOfTwo}`
      return `  ${what}: apart on ${separatedBy ?? 'no number up to 1024'}${separatedBy === separatedByPowerOfTwo ? '' : power}`
    })
  return lines.length === 0 ? [] : ['', 'Numbered topics, each on a bundle of its own:', ...lines]
}
