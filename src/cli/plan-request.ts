/** What the three commands about plans share: the cluster file, and the options of a plan. */
import { shown } from '../errors.js'
import { kafka } from '../index.js'
import type { Cluster } from '../kafka/cluster.js'
import { brokersText, checkListed, idOf, idsOf } from './broker-ids.js'
import { readCluster } from './cluster-file.js'
import type { Arguments, Option } from './grammar.js'
import { Progress } from './progress.js'
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
  const options = optionsOf(args)
  const list = idsOf(args, 'broker-list')
  const cluster = await readCluster(session, path, list ?? [])
  checkListed(cluster, list ?? [])
  warnLeftOut(session, cluster, list)
  warnFenced(session, cluster)
  return { cluster, options }
}

/** The plan, made off the event loop: a signal ends it, and who waits is told how far it is. */
export async function planned({ cluster }: PlanRequest, options: kafka.PlanOptions): Promise<kafka.ReassignmentPlan> {
  let [done, size] = [0, 0]
  const work = {
    unit: 'parts',
    bytesRead: () => done,
    get size() {
      return size
    },
  }
  const progress = new Progress(process.stderr, work)
  const onProgress = (now: number, total: number) => {
    const more = now - done
    ;[done, size] = [now, total]
    progress.add(more)
  }
  try {
    return await kafka.planReassignmentAsync(cluster, { ...options, onProgress })
  } finally {
    progress.end()
  }
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

function added(args: Arguments, text: string): kafka.ClusterBroker {
  const at = text.indexOf('@')
  if (at === -1) return { id: idOf(args, 'add-brokers', text) }
  const rack = text.slice(at + 1)
  if (rack === '') throw args.wrong(`--add-brokers: expected a rack behind @, got ${shown(text)}`)
  return { id: idOf(args, 'add-brokers', text.slice(0, at)), rack }
}

function pair(args: Arguments, text: string): readonly [number, number] {
  const [from, to, ...more] = text.split(':')
  if (to !== undefined && more.length === 0) return [idOf(args, 'replace', from!), idOf(args, 'replace', to)]
  throw args.wrong(`--replace: expected pairs such as 5:9, got ${shown(text)}`)
}

/** Brokers that a list leaves out stay in the plan, which is said, since Kafka's tool empties them. */
function warnLeftOut(session: Session, cluster: Cluster, list: readonly number[] | undefined): void {
  if (list === undefined) return
  const holds = holders(cluster)
  const left = (isHolder: 0 | 1) =>
    cluster.brokers.filter(({ id }, at) => holds[at] === isHolder && !list.includes(id)).map(({ id }) => id)
  const [empty, holding] = [left(0), left(1)]
  if (holding.length > 0) {
    const [keeping, them] =
      holding.length === 1 ? ['holds replicas now and keeps', 'it'] : ['hold replicas now and keep', 'them']
    session.note(`the list leaves out ${brokersText(holding)}, which ${keeping} them: --remove-brokers empties ${them}`)
  }
  if (empty.length === 0) return
  session.note(
    `the list leaves out ${brokersText(empty)} of the snapshot, which may get replicas: --remove-brokers forbids it`,
  )
}

/** 1 for each broker that holds a replica. */
function holders({ brokers, replicas }: Cluster): Uint8Array {
  const holds = new Uint8Array(brokers.length)
  for (const broker of replicas) holds[broker] = 1
  return holds
}

/** A fenced broker may be back in a minute: that the plan empties it is said. */
function warnFenced(session: Session, cluster: Cluster): void {
  const holds = holders(cluster)
  const fenced = cluster.brokers.filter(({ state }, at) => state === 'fenced' && holds[at] === 1)
  if (fenced.length === 0) return
  const ids = fenced.map(({ id }) => id)
  session.note(`fenced brokers may hold nothing by the plan: what ${ids.join(', ')} have moves away`)
}
