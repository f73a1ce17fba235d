/** `kafka reassign waves`: a plan in pieces, each with its way back and its throttles. */
import type { kafka } from '../index.js'
import { CLUSTER_OPTION } from './cluster-file.js'
import type { Command } from './grammar.js'
import { PLAN_OPTIONS, planned, planRequest } from './plan-request.js'
import { counted, grouped } from './progress.js'
import type { KafkaReassignWavesDocument } from './replica-documents.js'
import { OUTPUT_OPTIONS } from './rows.js'
import type { Session } from './session.js'

export const KAFKA_REASSIGN_WAVES: Command = {
  path: ['kafka', 'reassign', 'waves'],
  summary: 'the plan in pieces, each with its way back and its throttles',
  operands: '',
  details: ['', 'The plan is that of "kafka reassign plan" with the same options. --json has the files.'],
  options: [
    CLUSTER_OPTION,
    ...PLAN_OPTIONS,
    { name: 'max-replicas-per-broker', value: 'N', help: 'that one broker sends or receives in a wave' },
    { name: 'max-bytes', value: 'N', help: 'that are copied in a wave' },
    { name: 'max-throttle-bytes', value: 'N', help: "of a topic's throttle string (default 32767)" },
    ...OUTPUT_OPTIONS.filter(({ name }) => name !== 'jsonl'),
  ],
  examples: [
    'topic-placement kafka reassign waves --cluster examples/cluster.json --remove-brokers 18,19',
    'topic-placement kafka reassign waves --cluster examples/cluster.json --remove-brokers 19 --json',
  ],
  run,
}

async function run(session: Session): Promise<void> {
  const limits = limitsOf(session)
  const request = await planRequest(session)
  const plan = await planned(request, request.options)
  const waves = plan.waves(limits)
  noteUnderWay(session, request.cluster.moving.size)
  session.noteAnswer(`mode ${plan.question.options.mode}, rack rule ${plan.question.rackRule}`)
  await session.write(session.args.flag('json') ? `${JSON.stringify(documentOf(plan, waves))}\n` : textOf(plan, waves))
}

/** The tool refuses such a wave but for an option. */
function noteUnderWay(session: Session, count: number): void {
  if (count === 0) return
  session.note(
    `${counted(count, 'partition')} ${count === 1 ? 'moves' : 'move'} already, beside the first wave: the tool takes it with --additional`,
  )
}

function limitsOf({ args }: Session): kafka.WaveLimits {
  const limit = (name: string, most: number) => args.integer(name, [1, most], 'ERR_PLACEMENT_USAGE')
  const [replicas, bytes] = [limit('max-replicas-per-broker', 2 ** 53 - 1), limit('max-bytes', 2 ** 53 - 1)]
  const throttle = limit('max-throttle-bytes', 32_767)
  return {
    ...(replicas !== undefined && { maxReplicasPerBroker: replicas }),
    ...(bytes !== undefined && { maxBytes: bytes }),
    ...(throttle !== undefined && { maxThrottleBytes: throttle }),
  }
}

function documentOf(
  { moves, bound, fingerprint }: kafka.ReassignmentPlan,
  waves: readonly kafka.Wave[],
): KafkaReassignWavesDocument {
  return { question: 'kafka reassign waves', moves, bound, fingerprint, waves }
}

function textOf({ moves, bound }: kafka.ReassignmentPlan, waves: readonly kafka.Wave[]): string {
  const lines = waves.map(({ reassignment, moves, bytes, throttles }, i) => {
    const longest = Math.max(0, ...throttles.map(({ leader, follower }) => Math.max(leader.length, follower.length)))
    const copied = bytes === null ? '' : `, ${counted(bytes, 'byte')}`
    return `wave ${i + 1}: ${counted(reassignment.partitions.length, 'partition')}, ${counted(moves, 'replica')}${copied}; longest throttle string ${counted(longest, 'byte')}`
  })
  const head = `${counted(moves, 'replica')} ${moves === 1 ? 'moves' : 'move'} (the bound is ${grouped(bound)}) in ${counted(waves.length, 'wave')}; --json has the files`
  return `${[head, ...lines].join('\n')}\n`
}
