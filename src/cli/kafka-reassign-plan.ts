/** `kafka reassign plan`: which replicas should move, and the proof that no plan moves fewer. */
import { kafka } from '../index.js'
import { CLUSTER_OPTION } from './cluster-file.js'
import type { Command } from './grammar.js'
import { PLAN_OPTIONS, type PlanRequest, planned, planRequest } from './plan-request.js'
import { planText } from './plan-text.js'
import type { KafkaReassignPlanDocument } from './replica-documents.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

const PRINTS = ['summary', 'reassignment', 'rollback'] as const

export const KAFKA_REASSIGN_PLAN: Command = {
  path: ['kafka', 'reassign', 'plan'],
  summary: 'replica lists that are level, with the fewest moves, and the proof',
  operands: '',
  details: [
    '',
    'Balances; with --remove-brokers or --replace alone it repairs: what must move and no more. The bound',
    'is what no plan can avoid. --print reassignment is a file for kafka-reassign-partitions --execute.',
  ],
  options: [
    CLUSTER_OPTION,
    ...PLAN_OPTIONS,
    { name: 'print', value: 'WHAT', help: "summary (default), or Kafka's JSON: reassignment, rollback" },
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka reassign plan --cluster examples/cluster.json --remove-brokers 19',
    'topic-placement kafka reassign plan --cluster examples/cluster.json --mode leaders --json',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const { args } = session
  const print = args.choice('print', PRINTS) ?? 'summary'
  const request = await planRequest(session)
  const plan = await planned(request, request.options)
  session.noteAnswer(`mode ${plan.question.options.mode}, rack rule ${plan.question.rackRule}`)
  if (print !== 'summary') {
    const document = print === 'rollback' ? plan.rollback() : plan.reassignment()
    await session.write(`${kafka.reassignment.format(document.partitions)}\n`)
    return
  }
  const balanced = await balancedBeside(request, plan)
  await session.write(args.flag('json') ? `${JSON.stringify(documentOf(plan, balanced))}\n` : planText(plan, balanced))
}

/** Where brokers are drained by repair: what balance would cost beside it. */
async function balancedBeside(request: PlanRequest, plan: kafka.ReassignmentPlan): Promise<number | null> {
  if (plan.question.options.mode !== 'repair' || plan.question.options.replace.length > 0) return null
  return (await planned(request, { ...request.options, mode: 'balance' })).moves
}

function documentOf(plan: kafka.ReassignmentPlan, balanced: number | null): KafkaReassignPlanDocument {
  return { question: 'kafka reassign plan', ...plan.toJSON(), movesOfBalance: balanced }
}
