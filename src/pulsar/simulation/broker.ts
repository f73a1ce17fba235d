/** A broker of a run, with nothing left open. */
import { codedError, shown } from '../../errors.js'
import type { BrokerUsage } from '../broker-load.js'
import type { SimulatedBroker } from '../simulation-types.js'

export interface CheckedBroker {
  readonly name: string
  readonly limits: Resources
  /** In percent. */
  readonly base: Resources
}

type Resources = Readonly<Record<(typeof RESOURCES)[number], number>>

export const RESOURCES = ['cpu', 'directMemory', 'bandwidthIn', 'bandwidthOut'] as const

/** @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE */
export function checkBroker(broker: SimulatedBroker, place: number | string): CheckedBroker {
  if (typeof broker?.name !== 'string' || broker.name === '') {
    const where = typeof place === 'number' ? `brokers[${place}]` : place
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a broker with a name, got ${shown(broker)}`)
  }
  const { name, limits = {}, base = {} } = broker
  const where = `brokers[${shown(name)}]`
  for (const key of RESOURCES) {
    checkPart(base[key], `${where}.base.${key}`, [0, 100])
    checkPart(limits[key], `${where}.limits.${key}`, [Number.MIN_VALUE, Number.POSITIVE_INFINITY])
  }
  const unlimited = { bandwidthIn: Number.POSITIVE_INFINITY, bandwidthOut: Number.POSITIVE_INFINITY }
  return {
    name,
    limits: { cpu: 100, directMemory: 100, ...unlimited, ...given(limits) },
    base: { cpu: 0, directMemory: 0, bandwidthIn: 0, bandwidthOut: 0, ...given(base) },
  }
}

const given = (values: BrokerUsage): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

function checkPart(value: unknown, where: string, [least, most]: readonly [number, number]): void {
  if (value === undefined || (typeof value === 'number' && value >= least && value <= most)) return
  const code = typeof value === 'number' ? 'ERR_PLACEMENT_ARGUMENT_RANGE' : 'ERR_PLACEMENT_ARGUMENT_TYPE'
  const range = most === 100 ? 'a number in [0, 100]' : 'a number above 0'
  throw codedError(code, `${where}: expected ${range}, got ${shown(value)}`)
}
