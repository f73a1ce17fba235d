/**
 * Which brokers are candidates for a bundle: policies first, then filters, as each load manager has them.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, ModularLoadManagerImpl.selectBroker, LoadManagerShared, and
 * org.apache.pulsar.broker.loadbalance.extensions.filter. What differs from the obvious: the modular manager counts, for a group,
 * namespaces on a broker, as brokers reported them, the extensible one bundles, as they are owned now; a limit on topics that
 * leaves nobody is forgotten by the modular manager and kept by the extensible one. All brokers are of one release here.
 */
import type { LoadSettings } from '../load-settings.js'
import { type Cluster, NOBODY } from './cluster.js'
import type { Policies } from './policies.js'

type Brokers = readonly number[]

/** Where bundles of namespaces are: as reported and preallocated, or as owned now. */
export class NamespaceCounts {
  readonly #cluster: Cluster
  readonly #owner: Int32Array
  readonly #bundlesOf: readonly number[][]
  readonly #counts = new Map<number, Int32Array>()

  constructor(cluster: Cluster, owner: Int32Array) {
    this.#cluster = cluster
    this.#owner = owner
    this.#bundlesOf = cluster.namespaces.map(() => [])
    for (const [bundle, namespace] of cluster.namespaceOf.entries()) this.#bundlesOf[namespace]!.push(bundle)
  }

  /** Bundles of a namespace that each broker has. */
  of(namespace: number): Int32Array {
    const known = this.#counts.get(namespace)
    if (known !== undefined) return known
    const counts = new Int32Array(this.#cluster.brokerNames.length)
    for (const bundle of this.#bundlesOf[namespace]!) {
      const owner = this.#owner[bundle]!
      if (owner !== NOBODY) counts[owner]!++
    }
    this.#counts.set(namespace, counts)
    return counts
  }

  /** One bundle goes from one broker to another, or to or from nobody. */
  move(bundle: number, from: number, to: number): void {
    const counts = this.#counts.get(this.#cluster.namespaceOf[bundle]!)
    if (counts === undefined) return
    if (from !== NOBODY) counts[from]!--
    if (to !== NOBODY) counts[to]!++
  }

  clear(): void {
    this.#counts.clear()
  }
}

/** Brokers that policies leave, those of them that pass the filters, and those that are left at the end. */
export interface Filtered {
  readonly allowed: Brokers
  readonly filtered: Brokers
  readonly candidates: Brokers
}

export class Candidates {
  readonly #cluster: Cluster
  readonly #policies: Policies
  readonly #settings: LoadSettings
  readonly #counts: NamespaceCounts
  readonly #numbers: ReadonlyMap<string, number>
  readonly #byPool = new Map<number, Brokers>()
  #membership = -1

  constructor(cluster: Cluster, policies: Policies, settings: LoadSettings, counts: NamespaceCounts) {
    this.#cluster = cluster
    this.#policies = policies
    this.#settings = settings
    this.#counts = counts
    this.#numbers = new Map(cluster.namespaces.map((name, i) => [name, i]))
  }

  /** Brokers that policies leave, in the order of a HashSet. */
  allowed(namespace: number): Brokers {
    if (this.#membership !== this.#cluster.membership) {
      this.#membership = this.#cluster.membership
      this.#byPool.clear()
    }
    const pool = this.#policies.poolOf.get(this.#cluster.namespaces[namespace]!)!
    const known = this.#byPool.get(pool)
    if (known !== undefined) return known
    const allowed = this.#allowedBy(pool)
    this.#byPool.set(pool, allowed)
    return allowed
  }

  /** The modular manager's, one filter after the other. */
  modular(namespace: number, isEven: boolean): Filtered {
    const allowed = this.allowed(namespace)
    const filtered = this.leastOfGroup(this.withFewTopics(allowed), namespace, 'namespaces')
    const even = isEven ? this.withFewestBundles(filtered, namespace) : filtered
    return { allowed, filtered, candidates: even.length === 0 ? allowed : even }
  }

  /** Whether the modular manager may unload a bundle: policies know another broker, and not all have as few of the group. */
  mayLeave(namespace: number, from: number): boolean {
    const allowed = this.allowed(namespace)
    if (!allowed.some((broker) => broker !== from)) return false
    const counts = this.groupCounts(namespace, 'namespaces')
    if (counts === null || counts.every((count) => count === 0)) return true
    const least = Math.min(...allowed.map((broker) => counts[broker]!))
    const own = allowed.includes(from) ? counts[from]! : 0
    return least === 0 || own > least || allowed.some((broker) => counts[broker] !== least)
  }

  hasPolicy(namespace: number): boolean {
    const name = this.#cluster.namespaces[namespace]!
    return this.#policies.poolOf.get(name)! >= 0 || this.#policies.groupOf.has(name)
  }

  /** Those whose topics are at most the limit; all where none is. */
  withFewTopics(brokers: Brokers): Brokers {
    const most = this.#settings.loadBalancerBrokerMaxTopics
    const few = brokers.filter((broker) => this.#cluster.report.topics[broker]! <= most)
    return few.length === 0 ? brokers : few
  }

  /** Those whose topics are below the limit. */
  belowMostTopics(brokers: Brokers): Brokers {
    return brokers.filter((broker) => this.#cluster.report.topics[broker]! < this.#settings.loadBalancerBrokerMaxTopics)
  }

  /** Those of the failure domains, then of the brokers, that have the least of a namespace's group. */
  leastOfGroup(brokers: Brokers, namespace: number, counted: 'namespaces' | 'bundles'): Brokers {
    const counts = this.groupCounts(namespace, counted)
    if (counts === null || brokers.length === 0) return brokers
    const left = this.#settings.failureDomainsEnabled ? this.#leastDomains(brokers, counts) : brokers
    const least = Math.min(...left.map((broker) => counts[broker]!))
    return left.filter((broker) => counts[broker] === least)
  }

  /** Namespaces, or bundles, of a namespace's group that each broker has; `null` without a group. */
  groupCounts(namespace: number, counted: 'namespaces' | 'bundles'): Int32Array | null {
    const group = this.#policies.groupOf.get(this.#cluster.namespaces[namespace]!)
    if (group === undefined) return null
    const sums = new Int32Array(this.#cluster.brokerNames.length)
    for (const name of this.#policies.namespacesOf.get(group)!) {
      const counts = this.#counts.of(this.#numbers.get(name)!)
      for (let i = 0; i < sums.length; i++) sums[i]! += counted === 'bundles' ? counts[i]! : Math.min(1, counts[i]!)
    }
    return sums
  }

  /** Those with the fewest bundles of the namespace. */
  withFewestBundles(brokers: Brokers, namespace: number): Brokers {
    const counts = this.#counts.of(namespace)
    let least = Number.POSITIVE_INFINITY
    for (const broker of brokers) least = Math.min(least, counts[broker]!)
    return brokers.filter((broker) => counts[broker] === least)
  }

  #leastDomains(brokers: Brokers, counts: Int32Array): Brokers {
    const { domainOf } = this.#policies
    if (domainOf === null) return brokers
    const sums = new Map<string, number>()
    for (const broker of brokers) sums.set(domainOf[broker]!, (sums.get(domainOf[broker]!) ?? 0) + counts[broker]!)
    const least = Math.min(...sums.values())
    return brokers.filter((broker) => sums.get(domainOf[broker]!) === least)
  }

  #allowedBy(number: number): Brokers {
    const there = this.#cluster.hashOrder
    const pool = this.#policies.pools[number]
    if (pool === undefined) return there.filter((broker) => this.#policies.isShared[broker])
    const primaries = there.filter((broker) => pool.isPrimary[broker])
    if (primaries.length >= pool.minLimit) return primaries
    return there.filter((broker) => pool.isPrimary[broker] || pool.isSecondary[broker])
  }
}
