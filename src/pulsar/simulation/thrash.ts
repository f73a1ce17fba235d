/**
 * Moves that do not end: found in what a run recorded, named, and traced to the settings that had a part in them.
 *
 * Looked at is the time since which nothing was given to change. Owners are compared by a hash of 64 bits, so that a cycle is a
 * state that was there before.
 */
import { finished } from '../../fallback/hash/murmur3.js'
import type { LoadSettings } from '../load-settings.js'
import { REASON_KINDS } from '../shedding-reason.js'
import type { BouncingBundle, Thrash, ThrashCause } from '../simulation-types.js'
import type { CheckedQuestion } from './check.js'
import { type Move, type MoveLog, PARTS } from './moves.js'
import { quietWindow } from './quiet.js'

type SettingName = keyof LoadSettings

/** What is looked at. */
export interface Recorded {
  readonly question: CheckedQuestion
  readonly log: MoveLog
}

const isUnload = ({ cause }: Move): boolean => cause === 'shed' || cause === 'swapped'

/** Moves from a step on. */
function* movesSince(log: MoveLog, step: number): Iterable<Move> {
  for (let i = 0; i < log.length; i++) {
    const move = log.at(i)
    if (move.step >= step) yield move
  }
}

interface Path {
  /** Where it was before its last unload, -1 for none. */
  before: number
  times: number
  readonly brokers: Set<number>
}

/** Bundles that came back to a broker that had shed them, from a step on; the most often first. */
export function bouncingSince({ question, log }: Recorded, step: number): BouncingBundle[] {
  const paths = new Map<number, Path>()
  for (const move of movesSince(log, step)) follow(paths, move)
  const nameOf = (broker: number) => question.brokerNames[broker]!
  return [...paths]
    .filter(([, { times }]) => times > 0)
    .sort(([a, { times: x }], [b, { times: y }]) => y - x || a - b)
    .map(([bundle, { times, brokers }]) => {
      return { bundle: question.bundles[bundle]!.name, times, brokers: [...brokers].map(nameOf) }
    })
}

function follow(paths: Map<number, Path>, move: Move): void {
  const path = paths.get(move.bundle) ?? { before: -1, times: 0, brokers: new Set<number>() }
  paths.set(move.bundle, path)
  if (!isUnload(move)) {
    path.before = -1
    return
  }
  path.brokers.add(move.from)
  if (move.to < 0) return
  path.brokers.add(move.to)
  if (path.before === move.to) path.times++
  path.before = move.from
}

/** The thrash that a run ends in, `null` where it is quiet, or too short to tell. */
export function thrashOf(recorded: Recorded): Thrash | null {
  const { question, log } = recorded
  const since = question.events.last + 1
  const window = quietWindow(question)
  if (question.steps - since + 1 < 2 * window) return null
  const moves = [...movesSince(log, since)].filter(isUnload)
  const middle = since + (question.steps - since) / 2
  const late = moves.filter(({ step }) => step > middle).length
  if (late === 0 || moves[moves.length - 1]!.step <= question.steps - window) return null
  const bouncing = bouncingSince(recorded, since)
  const period = periodOf(moves)
  if (period === null && bouncing.length === 0 && late < moves.length / 3) return null
  const kind = period !== null ? 'cycle' : bouncing.length > 0 ? 'bouncing' : 'wandering'
  return describe(question, { kind, since, period, moves, causes: causesOf(question, moves) })
}

interface Found extends Pick<Thrash, 'kind' | 'since' | 'period' | 'causes'> {
  readonly moves: readonly Move[]
}

function describe({ brokerNames }: CheckedQuestion, { moves, ...found }: Found): Thrash {
  const numbers = new Set(moves.flatMap(({ from, to }) => [from, to]).filter((broker) => broker >= 0))
  const brokers = [...numbers].sort((a, b) => a - b).map((broker) => brokerNames[broker]!)
  const rounds = new Set(moves.map(({ step }) => step)).size
  const bundles = new Set(moves.map(({ bundle }) => bundle)).size
  const what = `${moves.length} unloads of ${bundles} bundles in ${rounds} rounds`
  const where = brokers.length <= 4 ? brokers.join(', ') : `${brokers.length} brokers`
  const end = found.period === null ? 'no end' : `the same owners again after ${found.period} steps`
  const [first] = found.causes
  const part = first === undefined ? '' : `; ${first.setting}=${first.value} had a part in ${first.moves} of them`
  const message = `${what} among ${where} since step ${found.since}, and ${end}${part}`
  return { ...found, moves: moves.length, rounds, brokers, message }
}

/** Steps from the last state that was there before to that one; `null` where no state comes twice. */
function periodOf(moves: readonly Move[]): number | null {
  let [high, low, period, repeats] = [0, 0, 0, 0]
  const seen = new Map<string, number>([['0 0', (moves[0]?.step ?? 0) - 1]])
  for (const [i, { step, bundle, from, to }] of moves.entries()) {
    high ^= mix(bundle, from, 1) ^ mix(bundle, to, 1)
    low ^= mix(bundle, from, 2) ^ mix(bundle, to, 2)
    if (moves[i + 1]?.step === step) continue
    const state = `${high} ${low}`
    const before = seen.get(state)
    if (before !== undefined) [period, repeats] = [step - before, repeats + 1]
    seen.set(state, step)
  }
  return repeats >= 2 ? period : null
}

/** 32 bits of a bundle on a broker: the finalizer of murmur3 over both. */
function mix(bundle: number, broker: number, salt: number): number {
  return finished(Math.imul(bundle + 1, 0x9e3779b1) ^ Math.imul(broker + 2, 0x85ebca77) ^ Math.imul(salt, 0xc2b2ae3d))
}

/** What placement did, then the thresholds that were met; each by the number of moves. */
function causesOf(question: CheckedQuestion, moves: readonly Move[]): ThrashCause[] {
  const { settings, placement } = question
  const parts = [
    part(moves, PARTS.evenly, 'loadBalancerDistributeBundlesEvenlyEnabled', EVENLY),
    part(
      moves,
      PARTS.hot,
      'loadBalancerLoadPlacementStrategy',
      `${placement} chose a broker at the mean usage or above`,
    ),
    part(moves, PARTS.lag, 'loadBalancerHistoryResourcePercentage', LAG),
  ]
  const causes = [...parts.sort((a, b) => b.moves - a.moves), ...thresholds(moves)]
  return causes
    .filter((cause) => cause.moves > 0)
    .map(({ setting, moves: count, message }) => ({ setting, value: settings[setting], moves: count, message }))
}

type Counted = Omit<ThrashCause, 'value'>

const EVENLY = 'brokers with less usage were no candidates, since they have more bundles of the namespace'
const LAG = 'the broker that shed was below the threshold by then: only its average over time was above'

function part(moves: readonly Move[], bit: number, setting: SettingName, message: string): Counted {
  return { setting, moves: moves.filter(({ parts }) => (parts & bit) !== 0).length, message }
}

function thresholds(moves: readonly Move[]): Counted[] {
  const counts = new Map<SettingName, number>()
  for (const { reason } of moves) {
    if (reason === null || typeof reason === 'string') continue
    for (const setting of REASON_KINDS[reason.kind].settings) counts.set(setting, (counts.get(setting) ?? 0) + 1)
  }
  const found = [...counts].map(([setting, count]) => ({ setting, moves: count, message: 'its threshold was met' }))
  return found.sort((a, b) => b.moves - a.moves)
}
