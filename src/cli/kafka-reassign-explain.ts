/** `kafka reassign explain`: which rule or objective put the replicas of a partition where they are. */
import { shown } from '../errors.js'
import type { kafka } from '../index.js'
import { CLUSTER_OPTION } from './cluster-file.js'
import type { Arguments, Command } from './grammar.js'
import { PLAN_OPTIONS, planned, planRequest } from './plan-request.js'
import type { KafkaReassignExplainDocument } from './replica-documents.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

export const KAFKA_REASSIGN_EXPLAIN: Command = {
  path: ['kafka', 'reassign', 'explain'],
  summary: 'why the plan puts the replicas of a partition where it does',
  operands: '',
  details: ['', 'The plan is that of "kafka reassign plan" with the same options.'],
  options: [
    CLUSTER_OPTION,
    ...PLAN_OPTIONS,
    { name: 'partition', value: 'TOPIC-N', help: 'the partition' },
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka reassign explain --cluster examples/cluster.json --partition x.y.z.t-1',
    'topic-placement kafka reassign explain --cluster examples/cluster.json --partition x.y.z.t-0',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const [topic, partition] = partitionOf(session.args)
  const request = await planRequest(session)
  const plan = await planned(request, request.options)
  session.noteAnswer(`mode ${plan.question.options.mode}, rack rule ${plan.question.rackRule}`)
  const explanation = plan.explain(topic, partition)
  const document: KafkaReassignExplainDocument = { question: 'kafka reassign explain', ...explanation }
  await session.write(session.args.flag('json') ? `${JSON.stringify(document)}\n` : textOf(explanation))
}

function partitionOf(args: Arguments): [topic: string, partition: number] {
  const text = args.required('partition', args.text('partition'))
  const [, topic, partition] = /^(.+)-([0-9]{1,10})$/.exec(text) ?? []
  if (topic !== undefined) return [topic, Number(partition)]
  throw args.wrong(`--partition: expected a topic and a number such as orders-0, got ${shown(text)}`)
}

function textOf({ topic, partition, before, replicas, parts, leader }: kafka.Explanation): string {
  const lines = [
    `${topic}-${partition}: ${before.join()} → ${replicas.join()}`,
    ...parts.map(({ text }) => text),
    ...(leader === null ? [] : [leader]),
  ]
  return `${lines.join('\n')}\n`
}
