/**
 * Measured load: what `pulsar-admin broker-stats load-report` and `broker-stats topics` print, as brokers, bundles and loads of
 * a simulation.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1: LocalBrokerData and ResourceUsage as Jackson writes them, BrokerService.updateRates,
 * LinuxBrokerHostUsageImpl for units: cpu in percent of one core, direct memory in MiB, bandwidth in kilobits of 1,000 bits.
 * What differs from the obvious: a report has a broker's usage and its bundles' rates, and not what a bundle uses; the topics of a
 * broker have no usage at all; the extensible load manager gives no load report.
 */
import { codedError, shown } from '../errors.js'
import type { Note } from '../notes.js'
import { type BrokerUsage, RATES } from './broker-load.js'
import { LocatedJson } from './located-json.js'
import type { BrokerLimits, BundleLoad, SimulatedBroker, SimulatedBundle } from './simulation-types.js'

/** A file of answers: one, several one behind the other, an array of them, or an object of broker to answer. */
export interface LoadReportFile {
  /** For messages; and where an answer does not tell its broker (`broker-stats topics`), its broker. */
  readonly name: string
  readonly text: string
}

export interface LoadReportOptions {
  /**
   * Whose a broker's cpu is: its bundles', by the part that each has of its bytes (`throughput`) or messages (`messages`) a second,
   * or its own (`none`), which no move takes from it. Default: `throughput`.
   */
  readonly cpu?: 'throughput' | 'messages' | 'none' | undefined
}

/** What was measured, as `simulate` takes it. */
export interface MeasuredLoad {
  readonly brokers: readonly SimulatedBroker[]
  /** With their owners. */
  readonly bundles: readonly SimulatedBundle[]
  readonly loads: Readonly<Record<string, BundleLoad>>
  /** NOTE_LOAD_OVER_LIMIT, NOTE_LOAD_MOVED, NOTE_LOAD_NO_USAGE. */
  readonly notes: readonly Note[]
}

/** Bytes a second in a kilobit a second. */
const KILOBIT = 125
const EXPECTED = 'a load report, topics of a broker, or an array or object of them'

type Load = Record<(typeof RATES)[number], number> & { cpu?: number; topics: number }

/** A broker's answer, read. */
interface Report {
  readonly at: LocatedJson
  readonly broker: SimulatedBroker
  readonly loads: ReadonlyMap<string, Load>
  /** Milliseconds, 0 where the answer does not tell. */
  readonly time: number
}

/**
 * Reads measured load.
 *
 * @returns brokers in the order of the files; what a broker uses beyond its bundles is its `base`
 * @throws ERR_PLACEMENT_INPUT with line, column and path; ERR_PLACEMENT_DUPLICATE (a broker twice, a bundle that two brokers report
 *   at one time)
 */
export function readLoadReports(
  files: readonly LoadReportFile[],
  { cpu = 'throughput' }: LoadReportOptions = {},
): MeasuredLoad {
  const reader = new ReportReader(cpu)
  for (const { text, name } of files) {
    const documents = LocatedJson.documents(text.replace(/^\ufeff/, ''), name)
    if (documents.length === 0) throw codedError('ERR_PLACEMENT_INPUT', `${name}: expected ${EXPECTED}, got nothing`)
    for (const document of documents) reader.take(document, null)
  }
  return reader.result()
}

class ReportReader {
  readonly #cpu: NonNullable<LoadReportOptions['cpu']>
  readonly #reports = new Map<string, Report>()
  readonly #notes: Note[] = []

  constructor(cpu: NonNullable<LoadReportOptions['cpu']>) {
    this.#cpu = cpu
  }

  /** @param broker its name, where what stands around it tells */
  take(at: LocatedJson, broker: string | null): void {
    if (at.node.kind === 'null') throw unread(at, 'null, which the extensible load manager answers')
    if (at.node.kind === 'array') this.#takeAll(at, broker)
    else this.#takeObject(at, broker, [...at.fields().keys()])
  }

  #takeObject(at: LocatedJson, broker: string | null, names: readonly string[]): void {
    const [some, every] = [names.some((name) => name.includes('/')), names.every((name) => name.includes('/'))]
    if (names.includes('lastStats') || names.includes('loadReportType')) this.#add(this.#report(at))
    else if (names.includes('weightedMaxEMA')) throw unread(at, "the extensible manager's own report, without bundles")
    else if (every) this.#add(this.#topics(at, broker ?? brokerOfFile(at.file)))
    else if (broker !== null || some) throw at.wrong(EXPECTED)
    else for (const [name, inner] of at.fields()) this.take(inner, name)
  }

  #takeAll(at: LocatedJson, broker: string | null): void {
    const items = at.items()
    if (broker !== null) throw at.wrong(EXPECTED)
    for (const item of items) {
      if (!item.isObject) throw item.wrong('a load report')
      if (item.field('metrics') !== undefined)
        throw unread(item, 'broker-stats monitoring-metrics, which has no bundles')
      this.take(item, null)
    }
  }

  #add(report: Report): void {
    const { name } = report.broker
    const before = this.#reports.get(name)
    if (before !== undefined) {
      const message = `${report.at.place}: broker ${shown(name)}: expected one answer, got another at ${before.at.place}`
      throw codedError('ERR_PLACEMENT_DUPLICATE', message)
    }
    this.#reports.set(name, report)
  }

  #report(at: LocatedJson): Report {
    const loads = new Map<string, Load>()
    for (const [bundle, stats] of at.field('lastStats')?.fields() ?? [])
      loads.set(bundleName(bundle, stats), loadOf(stats))
    for (const owned of at.field('bundles')?.items() ?? []) {
      const bundle = bundleName(owned.text(), owned)
      if (!loads.has(bundle)) loads.set(bundle, noLoad())
    }
    const name = brokerName(at)
    const usages = {
      cpu: usageOf(at, 'cpu', 1),
      directMemory: usageOf(at, 'directMemory', 1),
      bandwidthIn: usageOf(at, 'bandwidthIn', KILOBIT),
      bandwidthOut: usageOf(at, 'bandwidthOut', KILOBIT),
    }
    const broker = { name, limits: limitsOf(usages), base: this.#base(name, usages, loads) }
    return { at, broker, loads, time: at.field('lastUpdate')?.amount() ?? 0 }
  }

  /** What is left to the broker in percent when its bundles have theirs; the cpu is dealt to them on the way. */
  #base(name: string, usages: Usages, loads: ReadonlyMap<string, Load>): BrokerUsage {
    const sum = (key: (typeof RATES)[number]) => [...loads.values()].reduce((total, load) => total + load[key], 0)
    const left: Record<string, number> = {}
    for (const [key, usage] of Object.entries(usages)) {
      if (usage === undefined) continue
      if (usage.used > usage.limit) this.#noteOver(name, key, usage)
      left[key] = Math.min(usage.used, usage.limit)
    }
    if (left['cpu'] !== undefined && this.#deal(left['cpu'], loads)) left['cpu'] = 0
    if (left['bandwidthIn'] !== undefined) left['bandwidthIn'] -= sum('msgThroughputIn')
    if (left['bandwidthOut'] !== undefined) left['bandwidthOut'] -= sum('msgThroughputOut')
    const percent = ([key, value]: [string, number]) => [
      key,
      (100 * Math.max(0, value)) / usages[key as keyof Usages]!.limit,
    ]
    return Object.fromEntries(Object.entries(left).map(percent))
  }

  /** @returns whether there was somebody to deal it to */
  #deal(cpu: number, loads: ReadonlyMap<string, Load>): boolean {
    if (this.#cpu === 'none') return false
    const [one, other] =
      this.#cpu === 'messages'
        ? (['msgRateIn', 'msgRateOut'] as const)
        : (['msgThroughputIn', 'msgThroughputOut'] as const)
    const all = [...loads.values()]
    const total = all.reduce((sum, load) => sum + load[one] + load[other], 0)
    if (total === 0) return false
    for (const load of all) load.cpu = (cpu * (load[one] + load[other])) / total
    return true
  }

  #noteOver(name: string, key: string, { used, limit }: Usage): void {
    const message = `broker ${shown(name)}: ${key}: ${used} of ${limit} was measured, and ${limit} is taken`
    this.#notes.push({ code: 'NOTE_LOAD_OVER_LIMIT', message, where: name })
  }

  #topics(at: LocatedJson, broker: string): Report {
    const loads = new Map<string, Load>()
    for (const [namespace, bundles] of at.fields()) {
      for (const [range, domains] of bundles.fields()) {
        const load = noLoad()
        for (const topics of domains.fields().values())
          for (const stats of topics.fields().values()) addTopic(load, stats)
        loads.set(bundleName(`${namespace}/${range}`, domains), load)
      }
    }
    const message = `broker ${shown(broker)}: topics tell no usage: give its limits, or its load report`
    this.#notes.push({ code: 'NOTE_LOAD_NO_USAGE', message, where: broker })
    return { at, broker: { name: broker }, loads, time: 0 }
  }

  result(): MeasuredLoad {
    const reports = [...this.#reports.values()]
    const owners = new Map<string, Report>()
    for (const report of reports) for (const bundle of report.loads.keys()) this.#own(owners, bundle, report)
    const bundles = [...owners].map(([name, { broker }]) => ({ name, owner: broker.name }))
    const loads = [...owners].map(([bundle, report]) => [bundle, report.loads.get(bundle)!] as const)
    return {
      brokers: reports.map(({ broker }) => broker),
      bundles,
      loads: Object.fromEntries(loads),
      notes: this.#notes,
    }
  }

  #own(owners: Map<string, Report>, bundle: string, report: Report): void {
    const before = owners.get(bundle)
    if (before !== undefined && before.time === report.time) {
      const names = `${shown(before.broker.name)} and ${shown(report.broker.name)}`
      const message = `${report.at.place}: bundle ${shown(bundle)}: expected one owner, got ${names} at one time`
      throw codedError('ERR_PLACEMENT_DUPLICATE', message)
    }
    const owner = before === undefined || before.time < report.time ? report : before
    owners.set(bundle, owner)
    if (before === undefined) return
    const message = `bundle ${shown(bundle)}: ${shown(before.broker.name)} and ${shown(report.broker.name)} report it, ${shown(owner.broker.name)} last`
    this.#notes.push({ code: 'NOTE_LOAD_MOVED', message, where: bundle })
  }
}

/** In the unit of the simulation. */
interface Usage {
  readonly used: number
  readonly limit: number
}

type Usages = Readonly<Record<'cpu' | 'directMemory' | 'bandwidthIn' | 'bandwidthOut', Usage | undefined>>

/** `undefined` where the broker knows no limit: Pulsar takes 0 percent then. */
function usageOf(at: LocatedJson, key: string, unit: number): Usage | undefined {
  const usage = at.field(key)
  if (usage === undefined) return undefined
  const limit = usage.field('limit')
  // Without a network card to ask the limit is negative.
  if (limit === undefined || (limit.node.kind === 'number' && Number(limit.node.text) <= 0)) return undefined
  return { used: (usage.field('usage')?.amount() ?? 0) * unit, limit: limit.amount() * unit }
}

function limitsOf(usages: Usages): BrokerLimits {
  const known = Object.entries(usages).filter(([, usage]) => usage !== undefined)
  return Object.fromEntries(known.map(([key, usage]) => [key, usage!.limit]))
}

const noLoad = (): Load => ({ msgRateIn: 0, msgRateOut: 0, msgThroughputIn: 0, msgThroughputOut: 0, topics: 0 })

function loadOf(stats: LocatedJson): Load {
  const rates = RATES.map((key) => [key, required(stats, key).amount()] as const)
  return { ...noLoad(), ...Object.fromEntries(rates), topics: stats.field('topics')?.amount() ?? 0 }
}

function addTopic(load: Load, stats: LocatedJson): void {
  for (const key of RATES) load[key] += required(stats, key).amount()
  load.topics++
}

function required(at: LocatedJson, key: string): LocatedJson {
  const field = at.field(key)
  if (field !== undefined) return field
  const message = `${at.place}: ${at.path}.${key}: expected a number of 0 or more, got nothing`
  throw codedError('ERR_PLACEMENT_INPUT', message)
}

function bundleName(key: string, at: LocatedJson): string {
  if (/^[^/]+(\/[^/]+){1,2}\/0x[0-9a-f]{8}_0x[0-9a-f]{8}$/i.test(key)) return key
  const message = `${at.place}: expected a bundle such as tenant/namespace/0x00000000_0x40000000, got ${shown(key)}`
  throw codedError('ERR_PLACEMENT_INPUT', message)
}

/** 5.0 tells the id; before it is the host and port of the web service. */
function brokerName(at: LocatedJson): string {
  const id = at.field('brokerId')?.text()
  if (id !== undefined) return id
  const url = at.field('webServiceUrl') ?? at.field('webServiceUrlTls')
  const host = url === undefined ? undefined : /^https?:\/\/([^/]+)/.exec(url.text())?.[1]
  if (host !== undefined) return host
  throw (url ?? at).wrong(url === undefined ? 'the field brokerId or webServiceUrl' : 'a URL with a host')
}

const brokerOfFile = (file: string): string => file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '')

function unread(at: LocatedJson, got: string): Error {
  const message = `${at.place}: expected a load report of the modular load manager or broker-stats topics, got ${got}`
  return codedError('ERR_PLACEMENT_INPUT', message)
}
