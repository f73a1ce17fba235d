/** Events of a run, checked against what is there when they happen, and put in order: a restart is a leave and a join. */
import { checkInteger, codedError, nearest, shown } from '../../errors.js'
import type { LoadEvent } from '../simulation-types.js'
import { type CheckedBroker, checkBroker } from './broker.js'
import { type CheckedLoad, checkBundleLoad, type GivenLoad } from './series.js'

export type CheckedEvent =
  | { readonly join: CheckedBroker }
  | { readonly leave: string; readonly why: 'died' | 'restarts' }
  | { readonly bundle: number; readonly load: CheckedLoad }

export interface CheckedEvents {
  readonly at: ReadonlyMap<number, readonly CheckedEvent[]>
  /** Every broker that is ever there, as it was last. */
  readonly brokers: ReadonlyMap<string, CheckedBroker>
  /** The last step in which something is given to change, series of loads included; 0 for none. */
  readonly last: number
  /** Loads that events bring. */
  readonly loads: readonly GivenLoad[]
}

interface Setting {
  readonly first: ReadonlyMap<string, CheckedBroker>
  readonly bundles: ReadonlyMap<string, number>
  readonly steps: number
}

/**
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE (a step outside of the run), ERR_PLACEMENT_DUPLICATE (a broker
 *   joins that is there), ERR_PLACEMENT_UNKNOWN_NAME (one leaves that is not; a bundle that there is none)
 */
export function checkEvents(events: readonly LoadEvent[], { first, bundles, steps }: Setting): CheckedEvents {
  if (!Array.isArray(events)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `events: expected a list, got ${shown(events)}`)
  }
  const sorted = events.map((event, i) => ({ event, where: `events[${i}]`, step: stepOf(event, i, steps) }))
  sorted.sort((a, b) => a.step - b.step)
  const plan = new EventPlan(first, bundles)
  for (const { event, where, step } of sorted) plan.add(event, where, step)
  plan.comeBack(steps)
  return plan
}

function stepOf(event: LoadEvent, i: number, steps: number): number {
  if (typeof event !== 'object' || event === null) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `events[${i}]: expected an event, got ${shown(event)}`)
  }
  return checkInteger(event.step, `events[${i}].step`, [1, steps])
}

class EventPlan implements CheckedEvents {
  readonly at = new Map<number, CheckedEvent[]>()
  readonly brokers: Map<string, CheckedBroker>
  readonly loads: GivenLoad[] = []
  last = 0
  readonly #there: Set<string>
  readonly #bundles: ReadonlyMap<string, number>
  /** Brokers that restart, by the step in which they are back. */
  readonly #away = new Map<string, number>()

  constructor(first: ReadonlyMap<string, CheckedBroker>, bundles: ReadonlyMap<string, number>) {
    this.brokers = new Map(first)
    this.#there = new Set(first.keys())
    this.#bundles = bundles
  }

  add(event: LoadEvent, where: string, step: number): void {
    this.comeBack(step)
    this.last = Math.max(this.last, step)
    if ('join' in event) this.#join(checkBroker(event.join, `${where}.join`), where, step)
    else if ('leave' in event) this.#leave(event.leave, `${where}.leave`, step, 'died')
    else if ('restart' in event) this.#restart(event, where, step)
    else if ('load' in event) this.#load(event, where, step)
    else {
      const message = `${where}: expected join, leave, restart or load, got ${shown(Object.keys(event).join(', '))}`
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
    }
  }

  /** Brokers that restarted are back before anything else happens in a step. */
  comeBack(until: number): void {
    const due = [...this.#away].filter(([, step]) => step <= until).sort(([a, i], [b, j]) => i - j || (a < b ? -1 : 1))
    for (const [name, step] of due) {
      this.#away.delete(name)
      this.#there.add(name)
      this.#put(step, { join: this.brokers.get(name)! })
      this.last = Math.max(this.last, step)
    }
  }

  #put(step: number, event: CheckedEvent): void {
    const list = this.at.get(step)
    if (list === undefined) this.at.set(step, [event])
    else list.push(event)
  }

  #join(broker: CheckedBroker, where: string, step: number): void {
    if (this.#there.has(broker.name) || this.#away.has(broker.name)) {
      const message = `${where}.join: expected a broker that is not there in step ${step}, got ${shown(broker.name)}`
      throw codedError('ERR_PLACEMENT_DUPLICATE', message)
    }
    this.#there.add(broker.name)
    this.brokers.set(broker.name, broker)
    this.#put(step, { join: broker })
  }

  #leave(name: string, where: string, step: number, why: 'died' | 'restarts'): void {
    if (!this.#there.delete(name)) {
      const near = nearest(String(name), [...this.#there])
      const hint = near === null ? '' : ` (did you mean ${near}?)`
      const message = `${where}: expected a broker that is there in step ${step}, got ${shown(name)}${hint}`
      throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message)
    }
    this.#put(step, { leave: name, why })
  }

  #restart({ restart, downFor = 1 }: Extract<LoadEvent, { restart: string }>, where: string, step: number): void {
    checkInteger(downFor, `${where}.downFor`, [1, 2 ** 31 - 1])
    this.#leave(restart, `${where}.restart`, step, 'restarts')
    this.#away.set(restart, step + downFor)
  }

  #load(event: Extract<LoadEvent, { load: string }>, where: string, step: number): void {
    const bundle = this.#bundles.get(event.load)
    if (bundle === undefined) {
      const message = `${where}.load: expected one of the bundles given, got ${shown(event.load)}`
      throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message)
    }
    const load = checkBundleLoad(event.becomes, `${where}.becomes`)
    this.last = Math.max(this.last, step + load.length - 1)
    this.loads.push({ load, where: `${where}.becomes` })
    this.#put(step, { bundle, load })
  }
}
