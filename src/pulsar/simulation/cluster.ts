/**
 * The cluster of a run, in columns: which brokers are there, who owns what, and what brokers report.
 *
 * Brokers and bundles are numbered by name, ascending, so that the order in which they were given does not matter. A broker's usage
 * is its base and 100 times its bundles' load over its limit, at most 100: no broker reports more than it has. Sums are taken over
 * the bundles by name.
 */
import { javaMapOrder } from '../../kafka/java-map-order.js'
import { plainUsage, weightedUsage } from '../broker-load.js'
import { concurrentMapOrder } from '../java-map-order.js'
import type { LoadSettings } from '../load-settings.js'
import type { CheckedBroker } from './broker.js'
import type { CheckedQuestion } from './check.js'
import { LOAD_FIELDS, LoadTable } from './series.js'

export const NOBODY = -1

/** What the brokers report, a number a broker. */
export interface Report {
  readonly bundles: Int32Array
  readonly msgRateIn: Float64Array
  readonly msgRateOut: Float64Array
  readonly msgThroughputIn: Float64Array
  readonly msgThroughputOut: Float64Array
  readonly cpu: Float64Array
  readonly directMemory: Float64Array
  readonly topics: Float64Array
  /** The largest usage in [0, 1], weighted, and all alike. */
  readonly weighted: Float64Array
  readonly plain: Float64Array
}

export class Cluster {
  readonly brokerNames: readonly string[]
  readonly bundleNames: readonly string[]
  /** Number of each bundle's namespace in `namespaces`. */
  readonly namespaceOf: Int32Array
  readonly namespaces: readonly string[]
  readonly loads: LoadTable
  readonly owner: Int32Array
  /** Owners as they were when brokers reported last. */
  readonly reportedOwner: Int32Array
  readonly report: Report
  /** Bundles, in the order of the leader's map. */
  readonly mapOrder: Int32Array
  /** Broker and what it asked for, in percent of its limit, the first time that it was more than 100. */
  saturated: { readonly broker: number; readonly step: number; readonly demand: number } | null = null
  readonly #settings: LoadSettings
  readonly #there = new Map<number, CheckedBroker>()
  #order: { readonly concurrent: readonly number[]; readonly hash: readonly number[] } | null = null
  #owned: { readonly starts: Int32Array; readonly bundles: Int32Array } | null = null
  /** Counts whoever comes or goes, for what is kept by the set of brokers. */
  membership = 0
  /** Whether anything that was reported is other than the time before. */
  isNew = true
  #isStale = true

  constructor({ settings, brokerNames, bundles, loads, atFirst }: CheckedQuestion) {
    this.#settings = settings
    this.brokerNames = brokerNames
    this.bundleNames = bundles.map(({ name }) => name)
    this.namespaces = [...new Set(bundles.map(({ namespace }) => namespace))]
    const numbers = new Map(this.namespaces.map((name, i) => [name, i]))
    this.namespaceOf = Int32Array.from(bundles, ({ namespace }) => numbers.get(namespace)!)
    this.loads = new LoadTable(loads)
    this.owner = Int32Array.from(bundles, ({ owner }) => owner)
    this.reportedOwner = new Int32Array(bundles.length).fill(NOBODY)
    this.mapOrder = numbersOf(concurrentMapOrder(this.bundleNames), this.bundleNames)
    this.report = emptyReport(brokerNames.length)
    for (const [number, broker] of atFirst) this.#there.set(number, broker)
  }

  /** Numbers of the brokers that are there, in the order of the leader's map. */
  get order(): readonly number[] {
    return this.#orders().concurrent
  }

  /** The same brokers in the order of a HashMap or HashSet. */
  get hashOrder(): readonly number[] {
    return this.#orders().hash
  }

  isThere(broker: number): boolean {
    return this.#there.has(broker)
  }

  join(number: number, broker: CheckedBroker): void {
    this.#there.set(number, broker)
    this.#changeMembers()
  }

  leave(number: number): void {
    this.#there.delete(number)
    this.#changeMembers()
  }

  move(bundle: number, to: number): void {
    this.owner[bundle] = to
    this.#isStale = true
  }

  /** Says that loads changed. */
  touch(): void {
    this.#isStale = true
  }

  /** Bundles of a broker as it reported them, in the order of the leader's map. */
  reportedBundles(broker: number): Int32Array {
    this.#owned ??= this.#groupByOwner()
    return this.#owned.bundles.subarray(this.#owned.starts[broker]!, this.#owned.starts[broker + 1]!)
  }

  /** All brokers report. */
  takeReports(step: number): void {
    this.isNew = this.#isStale
    if (!this.isNew) return
    this.#isStale = false
    this.reportedOwner.set(this.owner)
    this.#owned = null
    this.#sum()
    for (const [number, broker] of this.#there) this.#measure(number, broker, step)
  }

  #orders() {
    if (this.#order !== null) return this.#order
    const names = [...this.#there.keys()].sort((a, b) => a - b).map((number) => this.brokerNames[number]!)
    const concurrent = concurrentMapOrder(names)
    const [inMap, inHash] = [concurrent, javaMapOrder(concurrent)].map((list) => [...numbersOf(list, this.brokerNames)])
    this.#order = { concurrent: inMap!, hash: inHash! }
    return this.#order
  }

  #changeMembers(): void {
    this.#order = null
    this.#isStale = true
    this.membership++
  }

  #groupByOwner() {
    const starts = new Int32Array(this.brokerNames.length + 1)
    for (const owner of this.reportedOwner) if (owner !== NOBODY) starts[owner + 1]!++
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    const [next, bundles] = [starts.slice(), new Int32Array(starts[starts.length - 1]!)]
    for (const bundle of this.mapOrder) {
      const owner = this.reportedOwner[bundle]!
      if (owner !== NOBODY) bundles[next[owner]!++] = bundle
    }
    return { starts, bundles }
  }

  #sum(): void {
    const { report, owner } = this
    report.bundles.fill(0)
    for (let bundle = 0; bundle < owner.length; bundle++) {
      if (owner[bundle] !== NOBODY) report.bundles[owner[bundle]!]!++
    }
    for (const field of LOAD_FIELDS) addUp(report[field], this.loads.column(field), owner)
  }

  #measure(number: number, { limits, base }: CheckedBroker, step: number): void {
    const { report } = this
    const usage = {
      cpu: base.cpu + (100 * report.cpu[number]!) / limits.cpu,
      directMemory: base.directMemory + (100 * report.directMemory[number]!) / limits.directMemory,
      bandwidthIn: base.bandwidthIn + (100 * report.msgThroughputIn[number]!) / limits.bandwidthIn,
      bandwidthOut: base.bandwidthOut + (100 * report.msgThroughputOut[number]!) / limits.bandwidthOut,
    }
    const demand = Math.max(usage.cpu, usage.directMemory, usage.bandwidthIn, usage.bandwidthOut)
    if (demand > 100) {
      this.saturated ??= { broker: number, step, demand }
      for (const key of ['cpu', 'directMemory', 'bandwidthIn', 'bandwidthOut'] as const) {
        usage[key] = Math.min(100, usage[key])
      }
    }
    report.weighted[number] = weightedUsage(usage, this.#settings)
    report.plain[number] = plainUsage(usage)
  }
}

/** Sums the values of what each broker owns, in the order of the bundles. */
export function addUp(sums: Float64Array, values: Float64Array, owner: Int32Array): void {
  sums.fill(0)
  for (let bundle = 0; bundle < owner.length; bundle++) {
    const broker = owner[bundle]!
    if (broker !== NOBODY) sums[broker]! += values[bundle]!
  }
}

function numbersOf(names: readonly string[], all: readonly string[]): Int32Array {
  const numbers = new Map(all.map((name, i) => [name, i]))
  return Int32Array.from(names, (name) => numbers.get(name)!)
}

function emptyReport(brokers: number): Report {
  const column = () => new Float64Array(brokers)
  return {
    bundles: new Int32Array(brokers),
    msgRateIn: column(),
    msgRateOut: column(),
    msgThroughputIn: column(),
    msgThroughputOut: column(),
    cpu: column(),
    directMemory: column(),
    topics: column(),
    weighted: column(),
    plain: column(),
  }
}
