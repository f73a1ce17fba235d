/** `kafka size`: descriptors, map areas, disk, network and hours, each figure with its formula, each limit with its source. */
import { codedError, shown } from '../errors.js'
import { kafka } from '../index.js'
import { CLUSTER_OPTION, readCluster } from './cluster-file.js'
import type { Arguments, Command } from './grammar.js'
import { openSource } from './input.js'
import { fileOperand } from './operands.js'
import { grouped } from './progress.js'
import { readReassignment } from './reassignment-file.js'
import type { SizeDocument } from './replica-documents.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'
import { TextBlocks } from './text-blocks.js'

const WORST = 10

/** Options that are bytes, and those that are other numbers, by the names of the API. */
const BYTES = {
  rate: 'rate',
  'retention-bytes': 'retentionBytes',
  'segment-bytes': 'segmentBytes',
  disk: 'disk',
  throttle: 'throttle',
} as const
const NUMBERS = {
  brokers: 'brokers',
  'replication-factor': 'replicationFactor',
  connections: 'connections',
  consumers: 'consumers',
  fill: 'fillPercent',
  'descriptor-limit': 'descriptorLimit',
  'map-limit': 'mapLimit',
  'group-members': 'groupMembers',
} as const

const MODELS = ['mapped', 'log-index', 'three-files'] as const

export const KAFKA_SIZE: Command = {
  path: ['kafka', 'size'],
  summary: 'descriptors, map areas, disk, network, hours: formulas, limits, losses',
  operands: '[TOPICS | -]',
  details: [
    '',
    'TOPICS are lines "name<TAB>partitions", or with a replication factor behind another tab. Bytes may',
    'be written 250MB, a rate 250MB/min; 1 GB is 10^9 bytes. What is not given is not computed, and said.',
  ],
  options: [
    CLUSTER_OPTION,
    { name: 'brokers', value: 'N', help: 'brokers that TOPICS are dealt to, in turn' },
    { name: 'replication-factor', value: 'N', help: 'where a topic says nothing; for brokers by disk' },
    { name: 'rate', value: 'BYTES', help: 'written in a second, over all partitions' },
    { name: 'retention', value: 'TIME', help: '7d, 12h, 90m or seconds' },
    { name: 'retention-bytes', value: 'BYTES', help: 'of a partition, at most' },
    { name: 'segment-bytes', value: 'BYTES', help: 'of a segment' },
    { name: 'descriptor-model', value: 'NAME', help: `${MODELS.join(', ')} (default ${MODELS[0]})` },
    { name: 'connections', value: 'N', help: 'of each broker' },
    { name: 'consumers', value: 'N', help: 'groups that read everything' },
    { name: 'disk', value: 'BYTES', help: 'of a broker' },
    { name: 'fill', value: 'PERCENT', help: 'of the disk that may be used (default 70)' },
    { name: 'descriptor-limit', value: 'N', help: 'open files of a broker (default 100000)' },
    { name: 'map-limit', value: 'N', help: 'vm.max_map_count (default 65530)' },
    { name: 'size-class', value: 'NAME', help: 'of a managed service: its limit of replicas' },
    { name: 'group-members', value: 'N', help: 'of one group that reads all topics' },
    {
      name: 'reassignment-json-file',
      value: 'FILE',
      help: 'its throttle string, its time; again for each wave',
      repeats: true,
    },
    { name: 'throttle', value: 'BYTES', help: 'in a second, for the moves' },
    { name: 'binary-units', help: '1 GB is 2^30 bytes' },
    { name: 'all', help: `every broker, not ${WORST}` },
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka size --cluster examples/orders-cluster.json --rate 200MB --retention 7d --segment-bytes 1GB --disk 2TB --replication-factor 3',
    'topic-placement kafka size --brokers 3 --replication-factor 3 examples/topic-counts.txt',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const options = await optionsOf(session)
  const what = await topicsOf(session)
  const report = kafka.size(what, options)
  const document: SizeDocument = { question: 'kafka size', ...report }
  await session.write(args.flag('json') ? `${JSON.stringify(document)}\n` : textOf(document, args.flag('all')))
}

async function topicsOf(session: Session): Promise<kafka.Cluster | kafka.SizedTopic[]> {
  const { args } = session
  const [cluster, path] = [args.text('cluster'), fileOperand(args)]
  if (cluster !== undefined && path !== undefined) throw args.wrong('expected one of --cluster and TOPICS, got both')
  if (cluster !== undefined) return readCluster(session, cluster)
  const blocks = await TextBlocks.read(openSource(path))
  const { name } = blocks
  const lines = blocks.whole().split(/\r?\n/)
  if (blocks.hasMark) session.note(`${name}: byte order mark left out`)
  if (lines.at(-1) === '') lines.pop()
  if (lines.length === 0) throw codedError('ERR_PLACEMENT_INPUT', `${name}: expected a topic a line, got none`)
  return lines.map((line, i) => topicOf(line, `${name}:${i + 1}`))
}

function topicOf(line: string, where: string): kafka.SizedTopic {
  const [name, partitions, replicationFactor, ...more] = line.split('\t')
  const integer = (text: string, what: string) => {
    if (/^0*[1-9][0-9]{0,8}$/.test(text)) return Number(text)
    throw codedError('ERR_PLACEMENT_INPUT', `${where}: expected ${what}, got ${shown(text)}`)
  }
  if (name === '' || partitions === undefined || more.length > 0) {
    throw codedError(
      'ERR_PLACEMENT_INPUT',
      `${where}: expected "name<TAB>partitions[<TAB>replication factor]", got ${shown(line)}`,
    )
  }
  const topic = { name: name!, partitions: integer(partitions, 'a number of partitions') }
  return replicationFactor === undefined
    ? topic
    : { ...topic, replicationFactor: integer(replicationFactor, 'a replication factor') }
}

async function optionsOf(session: Session): Promise<kafka.SizingOptions> {
  const { args } = session
  const options: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(BYTES)) {
    const text = args.text(name)
    if (text !== undefined) options[field] = bytesOf(args, name, text)
  }
  for (const [name, field] of Object.entries(NUMBERS)) {
    const value = args.integer(name, [0, Number.MAX_SAFE_INTEGER], 'ERR_PLACEMENT_ARGUMENT_RANGE')
    if (value !== undefined) options[field] = value
  }
  const retention = args.text('retention')
  if (retention !== undefined) options['retentionSeconds'] = secondsOf(args, retention)
  const waves: kafka.reassignment.ReassignmentEntry[][] = []
  for (const file of args.texts('reassignment-json-file')) waves.push(await readReassignment(session, file))
  if (waves.length > 0) options['waves'] = waves
  return { ...options, descriptorModel: args.choice('descriptor-model', MODELS), sizeClass: args.text('size-class') }
}

const RATES = ['rate', 'throttle']
const UNITS = ['', 'K', 'M', 'G', 'T', 'P']

/** `250MB`, `250MB/min`, `1000`. */
function bytesOf(args: Arguments, name: string, text: string): number {
  const isRate = RATES.includes(name)
  const [, digits, unit = '', per] = /^([0-9]+(?:\.[0-9]+)?)([KMGTP])?B?(\/s|\/min)?$/i.exec(text) ?? []
  if (digits === undefined || (per !== undefined && !isRate))
    throw args.wrong(`--${name}: expected bytes such as 1GB${isRate ? ' or 250MB/min' : ''}, got ${shown(text)}`)
  const base = args.flag('binary-units') ? 1024 : 1000
  const bytes = Number(digits) * base ** UNITS.indexOf(unit.toUpperCase())
  const value = per?.toLowerCase() === '/min' ? bytes / 60 : bytes
  // What comes in a minute is no integer a second, and what is computed from it would be off by it.
  return name === 'rate' ? value : Math.round(value)
}

const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }

function secondsOf(args: Arguments, text: string): number {
  const [, digits, unit = ''] = /^([0-9]+)([smhd])?$/.exec(text) ?? []
  if (digits === undefined) throw args.wrong(`--retention: expected a time such as 7d, 12h or 3600, got ${shown(text)}`)
  return Number(digits) * SECONDS[unit]!
}

function textOf(
  { cluster, brokers, racks, afterBrokerLoss, afterRackLoss, notComputed }: SizeDocument,
  all: boolean,
): string {
  const fullest = [...brokers].sort((a, b) => b.figures[0]!.value - a.figures[0]!.value)
  const shownBrokers = all ? brokers : fullest.slice(0, WORST)
  const losses = [afterBrokerLoss, afterRackLoss].filter((part) => part !== null)
  const lines = [cluster, ...racks, ...shownBrokers, ...losses].flatMap((part) => [
    part.name,
    ...part.figures.flatMap(figureLines),
    '',
  ])
  if (brokers.length > shownBrokers.length)
    lines.push(`${brokers.length - shownBrokers.length} more brokers: --all, or --json`, '')
  lines.push(...notComputed.map((what) => `not computed: ${what}`))
  return `${lines.join('\n').trimEnd()}\n`
}

function figureLines({ quantity, value, unit, formula, limit, source, isWithin }: kafka.Figure): string[] {
  const hours = unit === 'minutes' ? ` (${(value / 60).toFixed(1)} h)` : ''
  const number = `${grouped(value)}${unit === '' ? '' : ` ${unit}`}${hours}`
  const line = `  ${quantity}: ${number} = ${formula}`
  if (limit === undefined) return [line]
  return [line, `    ${isWithin ? 'within' : 'BEYOND'} ${grouped(limit)}: ${source}`]
}
