/** What a plan does to each broker and rack, and how far from level it leaves leaders and topics. */
import type { ReassignmentPlan } from './reassignment-plan.js'

export interface Share {
  readonly before: number
  readonly after: number
  readonly leadersBefore: number
  readonly leadersAfter: number
  /** Replicas that come and that go. */
  readonly incoming: number
  readonly outgoing: number
}

export interface BrokerShare extends Share {
  readonly id: number
  readonly rack: string | null
  readonly isIn: boolean
  readonly weight: number
}

export interface RackShare extends Share {
  readonly rack: string
  /** Brokers of it that are in. */
  readonly brokers: number
}

/** A sum of squares at the start, by the plan, and a number that none can be below. */
export interface Gap {
  readonly before: number
  readonly after: number
  readonly least: number
}

type Lists = Pick<ReassignmentPlan, 'offsets' | 'replicas'>

/** Replicas and leaders of each broker. */
export interface Counts {
  readonly replicas: Uint32Array
  readonly leaders: Uint32Array
}

export function countsOf({ offsets, replicas }: Lists, brokers: number): Counts {
  const counts = { replicas: new Uint32Array(brokers), leaders: new Uint32Array(brokers) }
  for (const broker of replicas) counts.replicas[broker]! += 1
  for (let row = 0; row + 1 < offsets.length; row++) {
    if (offsets[row]! < offsets[row + 1]!) counts.leaders[replicas[offsets[row]!]!]! += 1
  }
  return counts
}

/** Per broker, by id. */
export function sharesOf(plan: ReassignmentPlan): BrokerShare[] {
  const { brokers, problem } = plan.question
  const [before, after] = [countsOf(problem, brokers.length), countsOf(plan, brokers.length)]
  const incoming = new Uint32Array(brokers.length)
  for (const row of plan.changedRows) {
    const held = problem.replicas.subarray(problem.offsets[row]!, problem.offsets[row + 1]!)
    for (const broker of plan.replicas.subarray(plan.offsets[row]!, plan.offsets[row + 1]!)) {
      if (!held.includes(broker)) incoming[broker]! += 1
    }
  }
  return brokers.map(({ id, rack, state, weight }, b) => ({
    id,
    rack,
    isIn: state === 'in',
    weight,
    before: before.replicas[b]!,
    after: after.replicas[b]!,
    leadersBefore: before.leaders[b]!,
    leadersAfter: after.leaders[b]!,
    incoming: incoming[b]!,
    outgoing: before.replicas[b]! + incoming[b]! - after.replicas[b]!,
  }))
}

/** Per rack, by name. */
export function sharesOfRacks(plan: ReassignmentPlan): RackShare[] {
  const byRack = new Map<string, BrokerShare[]>()
  for (const share of sharesOf(plan)) {
    if (share.rack !== null) byRack.set(share.rack, [...(byRack.get(share.rack) ?? []), share])
  }
  const names = [...byRack.keys()].sort((a, b) => (a < b ? -1 : 1))
  return names.map((rack) => {
    const shares = byRack.get(rack)!
    const total = (of: (share: Share) => number): number => shares.reduce((sum, share) => sum + of(share), 0)
    return {
      rack,
      brokers: shares.filter(({ isIn }) => isIn).length,
      before: total(({ before }) => before),
      after: total(({ after }) => after),
      leadersBefore: total(({ leadersBefore }) => leadersBefore),
      leadersAfter: total(({ leadersAfter }) => leadersAfter),
      incoming: total(({ incoming }) => incoming),
      outgoing: total(({ outgoing }) => outgoing),
    }
  })
}

const squares = (counts: Iterable<number>): number => {
  let total = 0
  for (const count of counts) total += count * count
  return total
}

/** The sum of squares of so many over so many, as even as can be. */
function evenSquares(total: number, over: number): number {
  if (over === 0) return 0
  const each = Math.floor(total / over)
  return over * each * each + (total % over) * (2 * each + 1)
}

const brokersIn = ({ question }: ReassignmentPlan): number => question.problem.isIn.reduce((sum, one) => sum + one, 0)

export function leaderGap(plan: ReassignmentPlan): Gap {
  const { brokers, problem } = plan.question
  return {
    before: squares(countsOf(problem, brokers.length).leaders),
    after: squares(countsOf(plan, brokers.length).leaders),
    least: evenSquares(problem.offsets.length - 1, brokersIn(plan)),
  }
}

export function topicGap(plan: ReassignmentPlan): Gap {
  const { cluster, problem } = plan.question
  let least = 0
  for (let topic = 0; topic + 1 < cluster.topicStarts.length; topic++) {
    const [from, to] = [cluster.topicStarts[topic]!, cluster.topicStarts[topic + 1]!]
    least += evenSquares(plan.offsets[to]! - plan.offsets[from]!, brokersIn(plan))
  }
  return { before: topicSquares(plan, problem), after: topicSquares(plan, plan), least }
}

function topicSquares({ question }: ReassignmentPlan, { offsets, replicas }: Lists): number {
  const { topicStarts } = question.cluster
  const counts = new Uint32Array(question.brokers.length)
  let total = 0
  for (let topic = 0; topic + 1 < topicStarts.length; topic++) {
    counts.fill(0)
    for (let i = offsets[topicStarts[topic]!]!; i < offsets[topicStarts[topic + 1]!]!; i++) counts[replicas[i]!]! += 1
    total += squares(counts)
  }
  return total
}
