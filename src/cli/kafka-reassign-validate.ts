/** `kafka reassign validate`: everything that the tool or the controller would refuse of a reassignment. */
import { kafka } from '../index.js'
import { checkListed, idsOf } from './broker-ids.js'
import { CLUSTER_OPTION, readCluster } from './cluster-file.js'
import type { Command } from './grammar.js'
import { counted } from './progress.js'
import { KAFKA_VERSION_OPTION, kafkaRelease, REASSIGNMENT_OPTION, readReassignment } from './reassignment-file.js'
import type { ValidateDocument } from './replica-documents.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

const SHOWN = 10

export const KAFKA_REASSIGN_VALIDATE: Command = {
  path: ['kafka', 'reassign', 'validate'],
  summary: 'what the tool and the controller would refuse, each fault with its place',
  operands: '',
  details: ['', 'Exit code 1 where one of them refuses. Without a cluster, the file is checked by itself.'],
  options: [
    { ...REASSIGNMENT_OPTION, help: `${REASSIGNMENT_OPTION.help} (required)` },
    CLUSTER_OPTION,
    { name: 'broker-list', value: 'IDS', help: 'brokers besides those that the cluster file names' },
    { name: 'cordoned', value: 'IDS', help: 'brokers whose log directories are all cordoned' },
    { name: 'disallow-replication-factor-change', help: 'as the tool has it' },
    { name: 'cancel', help: 'what the controller says to cancelling (with a cluster)' },
    KAFKA_VERSION_OPTION,
    { name: 'all', help: `every problem, not the first ${SHOWN}` },
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka reassign validate --reassignment-json-file examples/reassignment.json',
    'topic-placement kafka reassign validate --reassignment-json-file examples/reassignment.json --cluster examples/orders-cluster.json',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const file = args.required('reassignment-json-file', args.text('reassignment-json-file'))
  const brokers = idsOf(args, 'broker-list') ?? []
  const cordoned = idsOf(args, 'cordoned')
  const path = args.flag('cancel') ? args.required('cluster', args.text('cluster')) : args.text('cluster')
  const entries = await readReassignment(session, file)
  const cluster = path === undefined ? undefined : await readCluster(session, path, brokers)
  if (cluster === undefined) session.note('no cluster: brokers, topics and partitions are not looked up')
  else checkListed(cluster, brokers)
  const problems = problemsOf(session, entries, cluster, cordoned)
  const valid = problems.every(({ by }) => by === 'warning')
  const document: ValidateDocument = {
    question: 'kafka reassign validate',
    valid,
    partitions: entries.length,
    problems,
  }
  if (!args.flag('cancel')) session.note(`as Kafka ${kafkaRelease(session)}`)
  await session.write(args.flag('json') ? `${JSON.stringify(document)}\n` : textOf(document, args.flag('all')))
  if (!valid) session.exitCode = 1
}

function problemsOf(
  session: Session,
  entries: readonly kafka.reassignment.ReassignmentEntry[],
  cluster: kafka.Cluster | undefined,
  cordoned: number[] | undefined,
): kafka.reassignment.ReassignmentProblem[] {
  const { args } = session
  if (args.flag('cancel')) {
    return kafka.reassignment.validateCancel(entries, args.required('cluster', cluster))
  }
  return kafka.reassignment.validate(entries, cluster, {
    version: kafkaRelease(session),
    disallowReplicationFactorChange: args.flag('disallow-replication-factor-change'),
    ...(cordoned !== undefined && { cordoned }),
  })
}

function textOf({ valid, partitions, problems }: ValidateDocument, all: boolean): string {
  const warnings = problems.filter(({ by }) => by === 'warning').length
  const faults = problems.length - warnings
  const counts = `${counted(partitions, 'partition')}, ${counted(faults, 'fault')}, ${counted(warnings, 'warning')}`
  const lines = [valid ? `valid: ${counts}` : `not valid: ${counts}`]
  const shown = all ? problems : problems.slice(0, SHOWN)
  if (shown.length > 0) lines.push('')
  for (const { by, index, message } of shown) {
    lines.push(`${index < 0 ? 'partitions' : `partitions[${index}]`}  ${by}: ${message}`)
  }
  if (problems.length > shown.length) lines.push(`${problems.length - shown.length} more: --all, or --json`)
  return `${lines.join('\n')}\n`
}
