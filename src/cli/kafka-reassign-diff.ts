/** `kafka reassign diff`: what a reassignment changes, per partition and per broker; and the file that leads back. */
import { kafka } from '../index.js'
import { checkListed, idsOf } from './broker-ids.js'
import { CLUSTER_OPTION, readCluster } from './cluster-file.js'
import { alignedRows } from './fill.js'
import type { Command } from './grammar.js'
import { counted, grouped } from './progress.js'
import { about, REASSIGNMENT_OPTION, readReassignment } from './reassignment-file.js'
import type { DiffDocument, DiffThrottlesDocument, VerifyDocument } from './replica-documents.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

const WORST = 10

export const KAFKA_REASSIGN_DIFF: Command = {
  path: ['kafka', 'reassign', 'diff'],
  summary: 'what a reassignment changes, its rollback, its throttles',
  operands: '',
  details: ['', 'Exit code 1 where something changes, as diff; 0 with --rollback and --throttles.'],
  options: [
    { ...REASSIGNMENT_OPTION, help: `${REASSIGNMENT_OPTION.help} (required)` },
    { ...CLUSTER_OPTION, help: 'the present state: as for validate (required)' },
    { name: 'broker-list', value: 'IDS', help: 'brokers of the cluster besides those that its file names' },
    { name: 'rollback', help: 'the reassignment that leads back, as a file for the tool' },
    { name: 'throttles', help: 'throttle settings of each topic, and the brokers that get a rate' },
    { name: 'verify', help: 'what --verify would print now; exit code 1 until all is done' },
    { name: 'all', help: `every partition that changes, not ${WORST}` },
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka reassign diff --reassignment-json-file examples/reassignment.json --cluster examples/orders-cluster.json',
    'topic-placement kafka reassign diff --reassignment-json-file examples/reassignment.json --cluster examples/orders-cluster.json --rollback',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  args.apart('rollback', 'throttles', 'verify')
  const file = args.required('reassignment-json-file', args.text('reassignment-json-file'))
  const path = args.required('cluster', args.text('cluster'))
  const brokers = idsOf(args, 'broker-list') ?? []
  const entries = await readReassignment(session, file)
  about(file, () => kafka.reassignment.checkEntries(entries))
  const cluster = await readCluster(session, path, brokers)
  checkListed(cluster, brokers)
  if (args.flag('verify')) return verify(session, cluster, entries)
  const before = kafka.reassignment.rollbackOf(cluster, entries)
  if (args.flag('rollback')) return session.write(`${kafka.reassignment.format(before)}\n`)
  if (args.flag('throttles')) {
    const throttles = throttlesOf(about(file, () => kafka.reassignment.movesIn(cluster, entries)))
    return session.write(args.flag('json') ? `${JSON.stringify(throttles)}\n` : throttlesText(throttles))
  }
  const document = documentOf(before, entries)
  session.exitCode = document.changes.length > 0 ? 1 : 0
  await session.write(args.flag('json') ? `${JSON.stringify(document)}\n` : textOf(document, args.flag('all')))
}

const DONE = /^Reassignment of partition .* is completed\.$/

/** What `--verify` says of each partition, in the tool's words. */
async function verify(session: Session, cluster: kafka.Cluster, entries: Entries): Promise<void> {
  const lines = kafka.reassignment.compare(entries, cluster)
  const completed = lines.filter((line) => DONE.test(line)).length
  const document: VerifyDocument = { question: 'kafka reassign diff --verify', completed, lines }
  session.note(`${completed} of ${entries.length} partitions are where the reassignment wants them`)
  const text = ['Status of partition reassignment:', ...lines, ''].join('\n')
  await session.write(session.args.flag('json') ? `${JSON.stringify(document)}\n` : text)
  if (completed < entries.length) session.exitCode = 1
}

type Entries = readonly kafka.reassignment.ReassignmentEntry[]

function documentOf(before: Entries, after: Entries): DiffDocument {
  return {
    question: 'kafka reassign diff',
    ...kafka.reassignment.diff(before, after),
    brokers: brokersOf(before, after),
  }
}

/** Replicas and leaders of each broker among these partitions. */
function brokersOf(before: Entries, after: Entries): DiffDocument['brokers'] {
  const counts = new Map<number, { before: number; after: number; leadersBefore: number; leadersAfter: number }>()
  const of = (id: number) => {
    const count = counts.get(id) ?? { before: 0, after: 0, leadersBefore: 0, leadersAfter: 0 }
    counts.set(id, count)
    return count
  }
  for (const { replicas } of before) {
    for (const id of replicas) of(id).before++
    of(replicas[0]!).leadersBefore++
  }
  for (const { replicas } of after) {
    for (const id of replicas) of(id).after++
    of(replicas[0]!).leadersAfter++
  }
  return [...counts].sort(([a], [b]) => a - b).map(([broker, count]) => ({ broker, ...count }))
}

function textOf({ changes, unchanged, moves, leaderChanges, brokers }: DiffDocument, all: boolean): string {
  const counts = `${counted(changes.length, 'partition')} ${changes.length === 1 ? 'changes' : 'change'}, ${grouped(unchanged)} ${unchanged === 1 ? 'does' : 'do'} not`
  const lines = [
    `${counted(moves, 'replica')} ${moves === 1 ? 'moves' : 'move'}, ${counted(leaderChanges, 'preferred leader')} ${leaderChanges === 1 ? 'changes' : 'change'}; ${counts}`,
    '',
  ]
  const rows = brokers.map((one) =>
    [one.broker, one.before, one.after, one.leadersBefore, one.leadersAfter].map(String),
  )
  lines.push(...alignedRows([['broker', 'replicas', 'after', 'leaders', 'after'], ...rows]))
  const most = [...changes].sort((a, b) => b.added.length - a.added.length)
  const shown = all ? changes : most.slice(0, WORST)
  if (shown.length > 0) lines.push('')
  for (const { topic, partition, before, after } of shown) {
    lines.push(`${topic}-${partition}  ${before.length === 0 ? 'not there' : before.join(',')} → ${after.join(',')}`)
  }
  if (changes.length > shown.length) lines.push(`${grouped(changes.length - shown.length)} more: --all, or --json`)
  return `${lines.join('\n')}\n`
}

function throttlesOf(moves: readonly kafka.reassignment.PartitionMove[]): DiffThrottlesDocument {
  const { leader, follower, brokers } = kafka.reassignment.throttlesOf(moves)
  // Keys of an object that look like numbers come first: sorted here, they come in Java's order.
  const topics = Object.keys(leader).sort()
  return {
    question: 'kafka reassign diff --throttles',
    topics: topics.map((topic) => ({ topic, leader: leader[topic]!, follower: follower[topic]! })),
    brokers,
  }
}

function throttlesText({ topics, brokers }: DiffThrottlesDocument): string {
  const lines = topics.flatMap(({ topic, leader, follower }) => [
    `${topic}\tleader.replication.throttled.replicas=${leader}`,
    `${topic}\tfollower.replication.throttled.replicas=${follower}`,
  ])
  return `${[...lines, `brokers\t${brokers.join(',')}`].join('\n')}\n`
}
