/**
 * Isolation policies, anti-affinity groups and failure domains: which brokers may have a namespace's bundles.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, LoadManagerShared.applyNamespacePolicies and NamespaceIsolationPolicies. What differs
 * from the obvious: a namespace without a policy goes to brokers that are primary of none; secondary brokers join by the number of
 * primary ones that are there, whatever their usage; of several policies the first that matches counts.
 */
import { checkInteger, codedError, shown } from '../../errors.js'
import type { IsolationPolicy, PlacementPolicies } from '../simulation-types.js'

/** One policy over all brokers, by number. */
interface Pool {
  readonly name: string
  readonly isPrimary: readonly boolean[]
  readonly isSecondary: readonly boolean[]
  readonly minLimit: number
}

export interface Policies {
  /** Isolation policies, in their order. */
  readonly pools: readonly Pool[]
  /** Number of each namespace's policy, -1 for none. */
  readonly poolOf: ReadonlyMap<string, number>
  /** Brokers that are primary of no policy. */
  readonly isShared: readonly boolean[]
  /** Anti-affinity group of a namespace, lower case. */
  readonly groupOf: ReadonlyMap<string, string>
  /** Namespaces of a group that have bundles here. */
  readonly namespacesOf: ReadonlyMap<string, readonly string[]>
  /** Failure domain of each broker; `null` where no domains are given. */
  readonly domainOf: readonly string[] | null
}

interface Cluster {
  /** Namespace of each bundle. */
  readonly namespaces: readonly string[]
  readonly brokerNames: readonly string[]
  /** Names of the brokers that are there at the beginning. */
  readonly first: readonly string[]
}

/** Brokers that no domain names. */
const DEFAULT_DOMAIN = 'default'

/**
 * @throws ERR_PLACEMENT_ARGUMENT_TYPE, ERR_PLACEMENT_ARGUMENT_RANGE, ERR_PLACEMENT_INFEASIBLE (a namespace for which a policy leaves no
 *   broker of those at the beginning)
 */
export function checkPolicies(given: PlacementPolicies, { namespaces, brokerNames, first }: Cluster): Policies {
  const isolation = given.isolation ?? []
  const pools = isolation.map((policy, i) => poolOf(policy, `policies.isolation[${i}]`, brokerNames))
  const matchers = isolation.map((policy, i) => matcherOf(policy.namespaces, `policies.isolation[${i}].namespaces`))
  const distinct = [...new Set(namespaces)]
  const policyOf = new Map(distinct.map((name) => [name, matchers.findIndex((matches) => matches(name))]))
  const isShared = brokerNames.map((_, broker) => !pools.some(({ isPrimary }) => isPrimary[broker]))
  const there = new Set(first)
  const numbers = [...brokerNames.keys()].filter((broker) => there.has(brokerNames[broker]!))
  for (const namespace of distinct) {
    const pool = pools[policyOf.get(namespace)!]
    if (!numbers.some((broker) => mayHave(pool, isShared, broker))) throw noBroker(namespace, pool, first)
  }
  const groupOf = groupsOf(given.antiAffinityGroups ?? {})
  const namespacesOf = membersOf(distinct, groupOf)
  const domainOf = domainsOf(given.failureDomains, brokerNames)
  return { pools, poolOf: policyOf, isShared, groupOf, namespacesOf, domainOf }
}

const mayHave = (pool: Pool | undefined, isShared: readonly boolean[], broker: number): boolean =>
  pool === undefined ? isShared[broker]! : pool.isPrimary[broker]! || (pool.isSecondary[broker]! && pool.minLimit > 0)

function noBroker(namespace: string, pool: Pool | undefined, brokers: readonly string[]): Error {
  const what =
    pool === undefined
      ? `it has no policy, and each of the ${brokers.length} brokers is primary of one`
      : `${shown(pool.name)} names none of ${brokers.length} brokers`
  const message = `policies.isolation: expected a broker for ${shown(namespace)}, got none: ${what}`
  return codedError('ERR_PLACEMENT_INFEASIBLE', message)
}

function poolOf(policy: IsolationPolicy, where: string, brokerNames: readonly string[]): Pool {
  if (typeof policy?.name !== 'string') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a policy with a name, got ${shown(policy)}`)
  }
  const hosts = brokerNames.map(hostOf)
  const isPrimary = hosts.map(matcherOf(policy.primary, `${where}.primary`))
  const isSecondary = hosts.map(matcherOf(policy.secondary ?? [], `${where}.secondary`))
  const minLimit = checkInteger(policy.minLimit ?? 1, `${where}.minLimit`, [0, 2 ** 31 - 1])
  checkInteger(policy.usageThreshold ?? 100, `${where}.usageThreshold`, [0, 100])
  return { name: policy.name, isPrimary, isSecondary, minLimit }
}

/** What stands before the last colon of a broker's id; the whole of one without a colon. */
const hostOf = (name: string): string => (name.includes(':') ? name.slice(0, name.lastIndexOf(':')) : name)

/** Whether one of the expressions matches a whole text, as Java's `matches`. */
function matcherOf(expressions: readonly string[], where: string): (text: string) => boolean {
  if (!Array.isArray(expressions)) {
    const message = `${where}: expected a list of regular expressions, got ${shown(expressions)}`
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
  }
  const compiled = expressions.map((expression, i) => compile(expression, `${where}[${i}]`))
  return (text) => compiled.some((expression) => expression.test(text))
}

function compile(expression: unknown, where: string): RegExp {
  try {
    if (typeof expression === 'string') return new RegExp(`^(?:${expression})$`, 's')
  } catch {
    throw codedError(
      'ERR_PLACEMENT_ARGUMENT_RANGE',
      `${where}: expected a regular expression, got ${shown(expression)}`,
    )
  }
  throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `${where}: expected a string, got ${shown(expression)}`)
}

function groupsOf(groups: Readonly<Record<string, string>>): Map<string, string> {
  const checked = new Map<string, string>()
  for (const [namespace, group] of Object.entries(groups)) {
    if (typeof group !== 'string') {
      const message = `policies.antiAffinityGroups[${shown(namespace)}]: expected a string, got ${shown(group)}`
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
    }
    // A blank group is none; names of groups are compared without case.
    if (group.trim() !== '') checked.set(namespace, group.toLowerCase())
  }
  return checked
}

function membersOf(namespaces: readonly string[], groupOf: ReadonlyMap<string, string>): Map<string, string[]> {
  const members = new Map<string, string[]>()
  for (const namespace of namespaces) {
    const group = groupOf.get(namespace)
    if (group !== undefined) members.set(group, [...(members.get(group) ?? []), namespace])
  }
  return members
}

function domainsOf(domains: PlacementPolicies['failureDomains'], brokerNames: readonly string[]): string[] | null {
  if (domains === undefined || Object.keys(domains).length === 0) return null
  const domainOf = new Map<string, string>()
  for (const [domain, brokers] of Object.entries(domains)) {
    if (!Array.isArray(brokers)) {
      const message = `policies.failureDomains[${shown(domain)}]: expected a list of brokers, got ${shown(brokers)}`
      throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', message)
    }
    for (const broker of brokers) domainOf.set(broker, domain)
  }
  return brokerNames.map((name) => domainOf.get(name) ?? DEFAULT_DOMAIN)
}
