/** `pulsar simulate`: what Pulsar's load manager would do with a cluster and its load, step by step. */
import { pulsar } from '../index.js'
import type { Command, Option } from './grammar.js'
import { CHOICE_OPTIONS, choiceOf } from './load-choice.js'
import { EVENTS_OPTION, eventsOf } from './load-events.js'
import { atFiles, LOAD_DETAILS, LOAD_OPTIONS, type ReadFiles, readLoadFiles } from './load-files.js'
import type { SimulateDocument } from './pulsar-documents.js'
import { OUTPUT_OPTIONS, rowFormat } from './rows.js'
import type { Session } from './session.js'
import { simulationText } from './simulation-text.js'

const MOST_STEPS = 1_000_000

/** How long, and from which seed. */
export const RUN_OPTIONS: readonly Option[] = [
  { name: 'steps', value: 'N', help: 'shedding intervals to walk (default 240, four hours)' },
  { name: 'seed', value: 'N', help: 'of java.util.Random, where Java draws by chance (default 0)' },
  EVENTS_OPTION,
]

export const PULSAR_SIMULATE: Command = {
  path: ['pulsar', 'simulate'],
  summary: 'what a load manager moves, and why, until it is quiet',
  operands: '[FILE… | -]',
  details: ['', ...LOAD_DETAILS, 'Exit code 1: it is never quiet, and the settings that make it so are named.'],
  options: [
    ...LOAD_OPTIONS,
    ...CHOICE_OPTIONS,
    ...RUN_OPTIONS,
    { name: 'all', help: 'every step, move and broker, not the first or fullest ten' },
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'topic-placement pulsar simulate examples/pulsar-cluster.json',
    'topic-placement pulsar simulate --conf examples/broker.conf examples/load-reports.jsonl',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const format = rowFormat(args)
  const answer = simulated(session, readLoadFiles(session))
  const { version, loadManager, shedder, placement, seed } = answer
  session.noteAnswer(`as Pulsar ${version}: ${loadManager}, ${shedder}, ${placement}, seed ${seed}`)
  for (const { code, message } of answer.notes) {
    // The text has it at its head.
    if (format !== 'text' || code !== 'NOTE_SIMULATION_THRASH') session.note(`${code}: ${message}`)
  }
  if (answer.thrash !== null) session.exitCode = 1
  if (format === 'json') return session.write(`${JSON.stringify(documentOf(answer))}\n`)
  if (format === 'jsonl')
    return session.write(
      answer
        .movesAt()
        .map((move) => `${JSON.stringify(move)}\n`)
        .join(''),
    )
  await session.write(simulationText(answer, args.flag('all')))
}

function simulated(session: Session, read: ReadFiles): pulsar.LoadSimulation {
  const events = eventsOf(session)
  const question = {
    ...runOf(session, read),
    ...choiceOf(session, read.files),
    events: events?.events ?? read.files.events,
  }
  return atFiles(read, events?.document ?? null, () => pulsar.simulate(question))
}

/** The cluster, how long and from which seed. */
export function runOf({ args }: Session, { files }: ReadFiles) {
  const { brokers, bundles, loads, policies } = files
  const steps = args.integer('steps', [1, MOST_STEPS], 'ERR_PLACEMENT_ARGUMENT_RANGE') ?? files.steps
  const seed = args.integer('seed', [0, Number.MAX_SAFE_INTEGER], 'ERR_PLACEMENT_ARGUMENT_RANGE') ?? files.seed
  return { brokers, bundles, loads, policies, steps, seed }
}

function documentOf(answer: pulsar.LoadSimulation): SimulateDocument {
  const { version, loadManager, shedder, placement, seed, steps, settings, brokers, bundles } = answer
  const { loads, unloads, quietFrom, isSettled, bouncing, thrash, notes } = answer
  return {
    question: 'pulsar simulate',
    ...{ version, loadManager, shedder, placement, seed, steps, settings, brokers, bundles },
    quietFrom,
    isSettled,
    thrash,
    bouncing,
    loads: { max: [...loads.max], mean: [...loads.mean], std: [...loads.std] },
    unloads: [...unloads],
    usage: [...answer.usageAt(steps)].map((percent) => (Number.isNaN(percent) ? null : percent)),
    owners: Object.fromEntries(answer.ownersAt(steps)),
    moves: answer.movesAt(),
    notes,
  }
}
