/** What a question about a rolling restart may not be. */
import { codedError, nearest, shown } from '../errors.js'

export function checkBrokers(names: readonly string[], where: string): void {
  if (!Array.isArray(names)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected an array of names, got ${shown(names)}`)
  }
  const seen = new Set<string>()
  names.forEach((name: unknown, i) => {
    if (typeof name !== 'string') {
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}[${i}]: expected a name, got ${shown(name)}`)
    }
    if (seen.has(name)) {
      throw codedError('ERR_PLACEMENT_DUPLICATE', `${where}[${i}]: expected each broker once, got ${shown(name)} again`)
    }
    seen.add(name)
  })
  if (names.length >= 2) return
  const message = `${where}: expected two brokers or more, so that another one takes the bundles over, got ${names.length}`
  throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
}

export function checkOwners(owners: Readonly<Record<string, string>>, brokers: readonly string[]): void {
  if (typeof owners !== 'object' || owners === null || Array.isArray(owners)) {
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_TYPE',
      `owners: expected an object of bundle to broker, got ${shown(owners)}`,
    )
  }
  const known = new Set(brokers)
  for (const [bundle, broker] of Object.entries(owners)) {
    if (!known.has(broker)) throw unknownBroker(`owners[${shown(bundle)}]`, broker, brokers)
  }
}

export function unknownBroker(where: string, name: unknown, brokers: readonly string[]): Error {
  const near = typeof name === 'string' ? nearest(name, brokers) : null
  const hint = near === null ? '' : ` (did you mean ${near}?)`
  return codedError('ERR_PLACEMENT_UNKNOWN_NAME', `${where}: expected one of the brokers, got ${shown(name)}${hint}`)
}

export function checkLoads(loads: Readonly<Record<string, number>>, owners: Readonly<Record<string, string>>): void {
  const stray = Object.keys(loads).find((bundle) => !Object.hasOwn(owners, bundle))
  if (stray !== undefined) {
    throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', `loads[${shown(stray)}]: expected a bundle of owners, got another`)
  }
  for (const bundle of Object.keys(owners)) {
    const load: unknown = loads[bundle]
    if (typeof load === 'number' && load >= 0 && Number.isFinite(load)) continue
    const message = `loads[${shown(bundle)}]: expected a number of 0 or more, got ${shown(load)}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_RANGE', message)
  }
}
