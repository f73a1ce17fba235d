/** What the three commands about plans share: the cluster file, and the options of a plan. */
import { codedError, shown } from '../errors.js'
import { kafka } from '../index.js'
import type { Cluster } from '../kafka/cluster.js'
import { readCluster } from './cluster-file.js'
import type { Arguments, Option } from './grammar.js'
import type { Session } from './session.js'

export const PLAN_OPTIONS: readonly Option[] = [
  { name: 'broker-list', value: 'IDS', help: 'all brokers, where the file names none: 0,1,2' },
  { name: 'mode', value: 'MODE', help: kafka.PLAN_MODES.join(', ') },
  { name: 'rack-rule', value: 'RULE', help: `${kafka.RACK_RULES.join(', ')} (default spread where there are racks)` },
  { name: 'disable-rack-aware', help: 'racks do not count' },
  { name: 'objectives', value: 'LIST', help: 'by rank: counts,moves,leaders,topics' },
  { name: 'remove-brokers', value: 'IDS', help: 'brokers that shall hold nothing' },
  { name: 'add-brokers', value: 'IDS', help: 'brokers that come: 7, or with a rack 7@a' },
  { name: 'replace', value: 'PAIRS', help: 'one for one: 5:9' },
  { name: 'replication-factor', value: 'N', help: 'for the mode of that name' },
]

export interface PlanRequest {
  readonly cluster: Cluster
  readonly options: kafka.PlanOptions
}

/** @throws ERR_PLACEMENT_USAGE, ERR_PLACEMENT_INPUT */
export async function planRequest(session: Session): Promise<PlanRequest> {
  const { args } = session
  const path = args.required('cluster', args.text('cluster'))
  if (args.operands.length > 0) throw args.wrong(`expected options alone, got ${args.operands.map(shown).join(', ')}`)
  const options = optionsOf(args)
  const cluster = await readCluster(session, path, idsOf(args, 'broker-list') ?? [])
  warnLeftOut(session, cluster, args)
  warnFenced(session, cluster)
  return { cluster, options }
}

function optionsOf(args: Arguments): kafka.PlanOptions {
  const objectives = args.text('objectives')?.split(',') as kafka.PlanObjective[] | undefined
  const factor = args.integer('replication-factor', [1, 0x7fff], 'ERR_PLACEMENT_USAGE')
  return defined({
    mode: args.choice('mode', kafka.PLAN_MODES) ?? (factor === undefined ? undefined : 'replication-factor'),
    rackRule: args.choice('rack-rule', kafka.RACK_RULES),
    disableRackAware: args.flag('disable-rack-aware') ? true : undefined,
    objectives,
    removeBrokers: idsOf(args, 'remove-brokers'),
    addBrokers: args
      .text('add-brokers')
      ?.split(',')
      .map((text) => added(args, text)),
    replace: args
      .text('replace')
      ?.split(',')
      .map((text) => pair(args, text)),
    replicationFactor: factor,
  })
}

/** What is given alone. */
function defined(options: { [K in keyof kafka.PlanOptions]: kafka.PlanOptions[K] | undefined }): kafka.PlanOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function idsOf(args: Arguments, name: string): number[] | undefined {
  return args
    .text(name)
    ?.split(',')
    .map((text) => idOf(args, name, text))
}

function idOf(args: Arguments, name: string, text: string): number {
  if (/^[0-9]{1,10}$/.test(text)) return Number(text)
  throw args.wrong(`--${name}: expected broker ids such as 0,1,2, got ${shown(text)}`)
}

function added(args: Arguments, text: string): kafka.ClusterBroker {
  const at = text.indexOf('@')
  if (at === -1) return { id: idOf(args, 'add-brokers', text) }
  return { id: idOf(args, 'add-brokers', text.slice(0, at)), rack: text.slice(at + 1) }
}

function pair(args: Arguments, text: string): readonly [number, number] {
  const [from, to, ...more] = text.split(':')
  if (to !== undefined && more.length === 0) return [idOf(args, 'replace', from!), idOf(args, 'replace', to)]
  throw args.wrong(`--replace: expected pairs such as 5:9, got ${shown(text)}`)
}

/** Brokers of a list that leaves some out, which hold replicas now, stay in the plan: said, since Kafka's tool empties them. */
function warnLeftOut(session: Session, cluster: Cluster, args: Arguments): void {
  const list = idsOf(args, 'broker-list')
  if (list === undefined) return
  const twice = list.find((id, i) => list.indexOf(id) !== i)
  if (twice !== undefined)
    throw codedError('ERR_PLACEMENT_DUPLICATE', `--broker-list: expected each broker once, got ${twice} twice`)
  const out = cluster.brokers.map(({ id }) => id).filter((id) => !list.includes(id))
  if (out.length === 0) return
  session.note(
    `the list leaves out brokers ${out.join(', ')}, which hold replicas now and keep them: --remove-brokers empties them`,
  )
}

/** A fenced broker may be back in a minute: that the plan empties it is said. */
function warnFenced(session: Session, { brokers, replicas }: Cluster): void {
  const isFenced = brokers.map(({ state }) => state === 'fenced')
  const held = new Set(replicas.filter((broker) => isFenced[broker]))
  if (held.size === 0) return
  const ids = brokers.filter((_, b) => held.has(b)).map(({ id }) => id)
  session.note(`fenced brokers may hold nothing by the plan: what ${ids.join(', ')} have moves away`)
}
