/** What `kafka.planReassignment` can be asked, and its checks: each option looked at once, before anything is planned. */
import { PLAN_RANKS } from '../engine/plan-contract.js'
import { checkInteger, checkList, checkName, codedError, shown } from '../errors.js'
import { checkOnce } from './cluster-checks.js'
import type { ClusterBroker } from './cluster-types.js'

/**
 * `repair`: the rules alone, with the fewest moves, and among those the most level · `balance`: level counts with the fewest
 * moves · `leaders`: lists are put in another order, nothing moves · `replication-factor`: more or fewer replicas, as repair.
 */
export const PLAN_MODES = ['repair', 'balance', 'leaders', 'replication-factor'] as const
export type PlanMode = (typeof PLAN_MODES)[number]

/**
 * `spread`: the replicas of a partition per rack differ by at most one, as far as the racks' brokers allow · `distinct`: in
 * as many racks as there are replicas or racks, whichever is fewer · `none`: racks do not count.
 */
export const RACK_RULES = ['spread', 'distinct', 'none'] as const
export type RackRule = (typeof RACK_RULES)[number]

/** `counts`: replicas per broker · `moves`: the fewest · `leaders`: leaders per broker · `topics`: replicas of each topic per broker. */
export const PLAN_OBJECTIVES = PLAN_RANKS
export type PlanObjective = (typeof PLAN_OBJECTIVES)[number]

export interface PlanOptions {
  /** Default: repair where brokers are removed or replaced alone, else balance. */
  readonly mode?: PlanMode
  /** Default: spread where brokers have racks, else none. */
  readonly rackRule?: RackRule
  /** Kafka's word for the rule none. Default: false. */
  readonly disableRackAware?: boolean
  /**
   * By rank, in any order: a lower one is never bought with a higher one. What is not named is not sought, but for `moves`,
   * which come last then. Default: counts, moves, leaders, topics for balance; moves, counts for repair and
   * replication-factor; leaders for leaders.
   */
  readonly objectives?: readonly PlanObjective[]
  /** Brokers that shall hold nothing, by id. */
  readonly removeBrokers?: readonly number[]
  /** Brokers that come: an id of the cluster, which is then in, or a broker that is not in it yet. */
  readonly addBrokers?: readonly (number | ClusterBroker)[]
  /** Pairs of ids: all that the first holds goes to the second, as far as the rules allow. */
  readonly replace?: readonly (readonly [from: number, to: number])[]
  /** Of all topics, or by topic; others stay as they are. For the mode replication-factor. */
  readonly replicationFactor?: number | Readonly<Record<string, number>>
}

/** Options with their defaults, but for what the cluster decides. */
export interface CheckedPlanOptions extends Required<Omit<PlanOptions, 'rackRule' | 'replicationFactor'>> {
  readonly rackRule: RackRule | undefined
  readonly replicationFactor: PlanOptions['replicationFactor']
}

const FIELDS = [
  'mode',
  'rackRule',
  'disableRackAware',
  'objectives',
  'removeBrokers',
  'addBrokers',
  'replace',
  'replicationFactor',
]

const MOST_ID = 0x7fffffff

/** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_UNKNOWN_NAME, ERR_PLACEMENT_DUPLICATE */
export function checkPlanOptions(options: PlanOptions): CheckedPlanOptions {
  if (typeof options !== 'object' || options === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `options: expected an object, got ${shown(options)}`)
  }
  for (const field of Object.keys(options)) checkName(field, 'options, a field', FIELDS)
  checkTypes(options)
  const { removeBrokers = [], addBrokers = [], replace = [], disableRackAware = false } = options
  const drains = removeBrokers.length + replace.length > 0 && addBrokers.length === 0
  const mode = checkName(options.mode ?? (drains ? 'repair' : 'balance'), 'mode', PLAN_MODES)
  checkIds(removeBrokers, 'removeBrokers')
  for (const [i, pair] of replace.entries()) {
    if (Array.isArray(pair) && pair.length === 2) continue
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `replace[${i}]: expected a pair of broker ids, got ${shown(pair)}`)
  }
  checkIds(replace.flat(), 'replace')
  checkAdded(addBrokers)
  checkReplicationFactor(mode, options.replicationFactor)
  return {
    mode,
    rackRule: checkedRule(options, disableRackAware),
    disableRackAware,
    objectives: checkedObjectives(mode, options.objectives),
    removeBrokers,
    addBrokers,
    replace,
    replicationFactor: options.replicationFactor,
  }
}

const LISTS = ['objectives', 'removeBrokers', 'addBrokers', 'replace'] as const

function checkTypes(options: PlanOptions): void {
  for (const name of LISTS) {
    if (options[name] !== undefined) checkList(options[name], name)
  }
  const { disableRackAware } = options
  if (disableRackAware === undefined || typeof disableRackAware === 'boolean') return
  const message = `disableRackAware: expected true or false, got ${shown(disableRackAware)}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
}

/** What each is, is looked at where it is taken into the cluster. */
function checkAdded(addBrokers: NonNullable<PlanOptions['addBrokers']>): void {
  const ids = addBrokers.map((broker) => (typeof broker === 'number' ? broker : broker?.id))
  checkOnce(
    ids.filter((id) => id !== undefined),
    'addBrokers',
  )
}

function checkedRule({ rackRule }: PlanOptions, disableRackAware: boolean): RackRule | undefined {
  if (rackRule !== undefined) checkName(rackRule, 'rackRule', RACK_RULES)
  if (disableRackAware && rackRule !== undefined && rackRule !== 'none') {
    const message = `rackRule: expected none beside disableRackAware, got ${rackRule}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
  }
  return disableRackAware ? 'none' : rackRule
}

function checkIds(ids: readonly number[], what: string): void {
  for (const [i, id] of ids.entries()) {
    checkInteger(id, `${what}[${i}]`, [0, MOST_ID])
    if (ids.indexOf(id) !== i) {
      throw codedError('ERR_PLACEMENT_DUPLICATE', `${what}: expected each broker once, got ${id} twice`)
    }
  }
}

function checkReplicationFactor(mode: PlanMode, factor: PlanOptions['replicationFactor']): void {
  if ((mode === 'replication-factor') !== (factor !== undefined)) {
    const message = 'replicationFactor: expected with the mode replication-factor, and with it alone'
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
  }
  const factors =
    typeof factor === 'object' ? Object.entries(factor) : factor === undefined ? [] : [['', factor] as const]
  for (const [topic, one] of factors) {
    checkInteger(one, `replicationFactor${topic === '' ? '' : `[${JSON.stringify(topic)}]`}`, [1, 0x7fff])
  }
}

const DEFAULT_OBJECTIVES: Readonly<Record<PlanMode, readonly PlanObjective[]>> = {
  repair: ['moves', 'counts'],
  balance: ['counts', 'moves', 'leaders', 'topics'],
  leaders: ['leaders'],
  'replication-factor': ['moves', 'counts'],
}

/** What is not named is not sought, but that nothing moves for nothing: moves come last where they are not named. */
function checkedObjectives(mode: PlanMode, given: PlanOptions['objectives']): readonly PlanObjective[] {
  const objectives = given ?? DEFAULT_OBJECTIVES[mode]
  for (const [i, one] of objectives.entries()) {
    checkName(one, `objectives[${i}]`, PLAN_OBJECTIVES)
    if (objectives.indexOf(one) !== i) {
      throw codedError('ERR_PLACEMENT_DUPLICATE', `objectives: expected each once, got ${one} twice`)
    }
  }
  if (mode === 'leaders') return onlyLeaders(objectives)
  return objectives.includes('moves') ? objectives : [...objectives, 'moves']
}

function onlyLeaders(objectives: readonly PlanObjective[]): readonly PlanObjective[] {
  if (String(objectives) === 'leaders') return objectives
  const message = `objectives: expected leaders alone, since the mode leaders moves nothing, got ${objectives.join(', ') || 'none'}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
}
