/** The question of a run, checked once and numbered: brokers and bundles by name, ascending. */
import { checkInteger, codedError, nearest, shown } from '../../errors.js'
import type { LoadSimulationQuestion, SimulatedBundle } from '../simulation-types.js'
import { type CheckedBroker, checkBroker } from './broker.js'
import { type CheckedChoice, checkChoice } from './choice.js'
import { type CheckedEvents, checkEvents } from './events.js'
import { checkPolicies, type Policies } from './policies.js'
import { type CheckedLoad, checkBundleLoad, type GivenLoad, LOAD_FIELDS } from './series.js'

export interface CheckedBundle {
  readonly name: string
  readonly namespace: string
  /** Number of its broker, -1 for none. */
  readonly owner: number
}

export interface CheckedQuestion extends CheckedChoice {
  readonly seed: number
  readonly steps: number
  /** Names of all brokers that are ever there, ascending. */
  readonly brokerNames: readonly string[]
  /** Those that are there at the beginning, by number. */
  readonly atFirst: ReadonlyMap<number, CheckedBroker>
  readonly bundles: readonly CheckedBundle[]
  readonly loads: readonly CheckedLoad[]
  readonly events: CheckedEvents
  readonly policies: Policies
}

const MOST_STEPS = 1_000_000
/** Usages that a run keeps, a number a broker and step: 800 MB. */
const MOST_USAGES = 100_000_000
const BUNDLE = /^.+\/0x[\da-f]{8}_0x[\da-f]{8}$/i

/** All that is thrown is told at {@link LoadSimulationQuestion}'s reader, `simulate`. */
export function checkQuestion(question: LoadSimulationQuestion): CheckedQuestion {
  const choice = checkChoice(question)
  const steps = checkInteger(question.steps ?? 240, 'steps', [1, MOST_STEPS])
  const seed = checkInteger(question.seed ?? 0, 'seed', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
  const first = namedOnce(listOf(question.brokers, 'brokers').map(checkBroker), 'brokers')
  const named = namedOnce(listOf(question.bundles, 'bundles').map(checkBundle), 'bundles')
  const bundleNames = [...named.keys()].sort()
  const numbers = new Map(bundleNames.map((name, i) => [name, i]))
  const events = checkEvents(question.events ?? [], { first, bundles: numbers, steps })
  const brokerNames = [...events.brokers.keys()].sort()
  checkUsages(brokerNames.length, steps)
  const brokerNumbers = new Map(brokerNames.map((name, i) => [name, i]))
  const bundles = bundleNames.map((name) => numbered(named.get(name)!, first, brokerNumbers))
  const loads = checkLoads(question.loads, bundleNames)
  const all = loads.map((load, i) => ({ load, where: `loads[${shown(bundleNames[i])}]` }))
  checkShares([...all, ...events.loads], [...events.brokers.values()])
  const atFirst = new Map([...first].map(([name, broker]) => [brokerNumbers.get(name)!, broker]))
  const namespaces = bundles.map(({ namespace }) => namespace)
  const policies = checkPolicies(question.policies ?? {}, { namespaces, brokerNames, first: [...first.keys()] })
  return { ...choice, steps, seed, brokerNames, atFirst, bundles, loads, events, policies }
}

function listOf<T>(list: readonly T[], what: string): readonly T[] {
  if (Array.isArray(list) && list.length > 0) return list
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${what}: expected a list of one or more, got ${shown(list)}`)
}

function checkUsages(brokers: number, steps: number): void {
  if (brokers * steps <= MOST_USAGES) return
  const most = Math.floor(MOST_USAGES / brokers)
  const message = `steps: expected at most ${most} for ${brokers} brokers, got ${steps}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
}

/** @throws ERR_PLACEMENT_DUPLICATE */
function namedOnce<T extends { readonly name: string }>(items: readonly T[], what: string): Map<string, T> {
  const named = new Map<string, T>()
  for (const [index, item] of items.entries()) {
    if (named.has(item.name)) {
      const message = `${what}[${index}]: expected each once, got ${shown(item.name)} again`
      throw codedError('ERR_PLACEMENT_DUPLICATE', message, { index })
    }
    named.set(item.name, item)
  }
  return named
}

function checkBundle(bundle: SimulatedBundle | string, index: number): SimulatedBundle {
  const checked = typeof bundle === 'string' ? { name: bundle } : bundle
  if (typeof checked?.name !== 'string') {
    const message = `bundles[${index}]: expected a bundle or its key, got ${shown(bundle)}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message, { index })
  }
  if (BUNDLE.test(checked.name)) return checked
  const message = `bundles[${index}]: expected tenant/namespace/0x…_0x…, got ${shown(checked.name)}`
  throw codedError('ERR_PLACEMENT_BUNDLE_RANGE', message, { index })
}

function numbered(
  { name, owner }: SimulatedBundle,
  first: ReadonlyMap<string, unknown>,
  numbers: ReadonlyMap<string, number>,
) {
  if (owner !== undefined && owner !== null && !first.has(owner)) throw unknownOwner(name, owner, [...first.keys()])
  return {
    name,
    namespace: name.slice(0, name.lastIndexOf('/')),
    owner: owner === undefined || owner === null ? -1 : numbers.get(owner)!,
  }
}

function unknownOwner(name: string, owner: unknown, brokers: readonly string[]): Error {
  const near = typeof owner === 'string' ? nearest(owner, brokers) : null
  const hint = near === null ? '' : ` (did you mean ${near}?)`
  const message = `bundle ${shown(name)}: expected an owner among the ${brokers.length} brokers, got ${shown(owner)}${hint}`
  return codedError('ERR_PLACEMENT_UNKNOWN_NAME', message)
}

function checkLoads(loads: LoadSimulationQuestion['loads'], names: readonly string[]): CheckedLoad[] {
  if (typeof loads !== 'object' || loads === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `loads: expected the load of each bundle, got ${shown(loads)}`)
  }
  const known = new Set(names)
  const stranger = Object.keys(loads).find((name) => !known.has(name))
  if (stranger !== undefined) {
    const message = `loads: expected the bundles given, got ${shown(stranger)}`
    throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message)
  }
  return names.map((name) => checkBundleLoad(loads[name], `loads[${shown(name)}]`))
}

/** A bundle that is too much for every broker is a mistake of its unit. */
function checkShares(loads: readonly GivenLoad[], brokers: readonly CheckedBroker[]): void {
  const fields = [
    ['cpu', 'cpu'],
    ['directMemory', 'directMemory'],
    ['bandwidthIn', 'msgThroughputIn'],
    ['bandwidthOut', 'msgThroughputOut'],
  ] as const
  for (const [resource, field] of fields) {
    const limit = Math.max(...brokers.map(({ limits }) => limits[resource]))
    const mostOf = ({ load }: GivenLoad) => load.most[LOAD_FIELDS.indexOf(field)]!
    const wrong = loads.find((one) => mostOf(one) > limit)
    if (wrong === undefined) continue
    const message = `${wrong.where}.${field}: expected at most ${limit}, the ${resource} limit of the largest broker, got ${mostOf(wrong)}: over 100 %`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
  }
}
