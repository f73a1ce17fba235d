/**
 * A cluster and its load from files, told apart by looking, which is said on standard error: a document of our own, what
 * `pulsar-admin broker-stats load-report` or `topics` prints, or bundles as CSV. What a later file says of a bundle or broker counts.
 */
import { checkName, codedError, isCodedError, shown } from '../errors.js'
import { pulsar } from '../index.js'
import { LocatedJson } from '../pulsar/located-json.js'
import { textOf } from './consumer-file.js'
import type { Option } from './grammar.js'
import { counted } from './group-table.js'
import { objectOf } from './json-file.js'
import type { Session } from './session.js'

type Question = pulsar.LoadSimulationQuestion

/** What the files say. */
export interface LoadFiles extends Partial<Omit<Question, 'brokers' | 'bundles' | 'loads'>> {
  readonly brokers: readonly pulsar.SimulatedBroker[]
  readonly bundles: readonly pulsar.SimulatedBundle[]
  readonly loads: Readonly<Record<string, pulsar.BundleLoad>>
}

/** The files, and the document of a cluster among them, in which the place of an error is sought. */
export interface ReadFiles {
  readonly files: LoadFiles
  readonly document: JsonFile | null
}

/** A document whose values are sought in its text when an error speaks of one: a node for each number would fill the memory. */
export class JsonFile {
  readonly name: string
  readonly #text: string

  constructor(name: string, text: string) {
    this.name = name
    this.#text = text
  }

  located(): LocatedJson {
    return LocatedJson.documents(this.#text, this.name)[0]!
  }
}

const CPU = ['throughput', 'messages', 'none'] as const

export const LOAD_OPTIONS: readonly Option[] = [
  { name: 'brokers', value: 'NAMES', help: 'brokers beside those of the files, with commas between' },
  { name: 'limits', value: 'R=N,…', help: 'of brokers without: cpu=800,directMemory=4096,bandwidthIn=125e6' },
  { name: 'cpu', value: 'HOW', help: "whose a load report's cpu is: throughput, messages (of bundles), none" },
]

/** Said by each command that reads such files. */
export const LOAD_DETAILS: readonly string[] = [
  'FILE is a cluster as JSON, what pulsar-admin broker-stats load-report or topics print (of each broker,',
  'one file or many), or CSV of bundle, step, owner, msgRateIn, … A later file counts over an earlier one.',
]

const FIELDS = [
  ...['brokers', 'bundles', 'loads', 'policies', 'events', 'steps', 'seed'],
  ...['version', 'loadManager', 'shedder', 'placement', 'settings'],
] as const

/** Reads the operands and {@link LOAD_OPTIONS}. @throws ERR_PLACEMENT_INPUT, ERR_PLACEMENT_USAGE, what the readers throw */
export function readLoadFiles(session: Session): ReadFiles {
  const { args } = session
  const paths = args.operands.length === 0 ? ['-'] : args.operands
  if (paths.filter((path) => path === '-').length > 1) throw args.wrong('expected standard input once, got it twice')
  const reader = new LoadReader(session)
  for (const path of paths) reader.take(path)
  return reader.result()
}

class LoadReader {
  readonly #session: Session
  readonly #brokers = new Map<string, pulsar.SimulatedBroker>()
  readonly #bundles = new Map<string, pulsar.SimulatedBundle>()
  readonly #loads = new Map<string, pulsar.BundleLoad>()
  readonly #reports: pulsar.LoadReportFile[] = []
  #own: Partial<Question> = {}
  #document: JsonFile | null = null

  constructor(session: Session) {
    this.#session = session
  }

  take(path: string): void {
    const name = path === '-' ? 'standard input' : path
    const text = textOf(path).replace(/^\ufeff/, '')
    if (text.trim() === '') {
      throw codedError('ERR_PLACEMENT_INPUT', `${name}: expected a cluster, load reports or CSV, got nothing`)
    }
    if (!/^\s*([[{]|null\b)/.test(text)) this.#takeTable(name, text)
    else this.#takeJson({ name, text })
  }

  #takeJson(file: pulsar.LoadReportFile): void {
    const value = parsed(file.text)
    if (isCluster(value)) this.#takeCluster(new JsonFile(file.name, file.text), value)
    else this.#reports.push(file)
  }

  #takeTable(name: string, text: string): void {
    const table = pulsar.readBundleLoads(text, name)
    const steps = table.steps === 1 ? '' : ` over ${table.steps} steps`
    this.#session.note(`${name}: CSV: ${counted(table.bundles.length, 'bundle')}${steps}`)
    this.#add({ brokers: [], ...table })
  }

  #takeCluster(document: JsonFile, value: object): void {
    const { name } = document
    if (this.#document !== null)
      throw document.located().wrong(`one document of a cluster, which ${this.#document.name} is`)
    this.#document = document
    this.#session.note(`${name}: a cluster`)
    const own = objectOf(value, name, FIELDS) as Partial<Question>
    for (const list of ['brokers', 'bundles'] as const) checkNames(own[list], list, document)
    checkLoads(own.loads, document)
    const bundles = own.bundles ?? Object.keys(own.loads ?? {})
    this.#own = own
    this.#add({
      brokers: own.brokers ?? [],
      bundles: bundles.map((bundle) => (typeof bundle === 'string' ? { name: bundle } : bundle)),
      loads: own.loads ?? {},
    })
  }

  #takeReports(): void {
    if (this.#reports.length === 0) return
    const cpu = this.#session.args.choice('cpu', CPU)
    const measured = pulsar.readLoadReports(this.#reports, { cpu })
    const names = this.#reports.map(({ name }) => name).join(', ')
    this.#session.note(`${names}: broker-stats of ${counted(measured.brokers.length, 'broker')}`)
    for (const { code, message } of measured.notes) this.#session.note(`${code}: ${message}`)
    this.#add(measured)
  }

  #add({ brokers, bundles, loads }: Pick<LoadFiles, 'brokers' | 'bundles' | 'loads'>): void {
    for (const broker of brokers) this.#brokers.set(broker.name, { ...this.#brokers.get(broker.name), ...broker })
    for (const bundle of bundles) this.#bundles.set(bundle.name, { ...this.#bundles.get(bundle.name), ...bundle })
    for (const [name, load] of Object.entries(loads)) this.#loads.set(name, load)
  }

  /** Brokers of `--brokers`; where nothing names a broker, the owners. */
  #addBrokers(): void {
    const { args } = this.#session
    for (const name of args.text('brokers')?.split(',') ?? []) {
      if (name === '') throw args.wrong('--brokers: expected names with commas between, got an empty one')
      if (!this.#brokers.has(name)) this.#brokers.set(name, { name })
    }
    if (this.#brokers.size > 0) return
    const owners = [...new Set([...this.#bundles.values()].flatMap(({ owner }) => owner ?? []))]
    if (owners.length === 0) throw args.wrong('expected brokers, from a file or --brokers, got none')
    this.#session.note(`no brokers are given: the owners are taken, ${owners.join(', ')}`)
    for (const name of owners) this.#brokers.set(name, { name })
  }

  result(): ReadFiles {
    this.#takeReports()
    this.#addBrokers()
    if (this.#bundles.size === 0) throw this.#session.args.wrong('expected bundles, got none in the files')
    const limits = limitsOf(this.#session)
    const brokers = [...this.#brokers.values()].map((broker) =>
      limits === undefined || broker.limits !== undefined ? broker : { ...broker, limits },
    )
    const files = {
      ...this.#own,
      brokers,
      bundles: [...this.#bundles.values()],
      loads: Object.fromEntries(this.#loads),
    }
    return { files, document: this.#document }
  }
}

/** `undefined` for what is no JSON, or more than one document. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A cluster has one of the lists; an object of broker to report could have any name, and has objects behind it. */
function isCluster(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const has = (field: string) => Object.hasOwn(value, field)
  if (has('brokers') && Array.isArray((value as { brokers: unknown }).brokers)) return true
  return has('loads') || (has('bundles') && !has('lastStats'))
}

/** Each name once: a merged list would hide the second. */
function checkNames(list: unknown, field: 'brokers' | 'bundles', document: JsonFile): void {
  if (list === undefined) return
  const at = (path: string) => document.located().at(`.${field}${path}`)
  if (!Array.isArray(list)) throw at('').wrong('an array')
  const seen = new Set<string>()
  list.forEach((item: unknown, i) => {
    const name = typeof item === 'object' && item !== null && 'name' in item ? item.name : item
    if (typeof name !== 'string') throw at(`[${i}].name`).wrong('a name, or an object with one')
    if (seen.has(name)) {
      const message = `${at(`[${i}].name`).place}: ${field}[${i}]: expected each once, got ${shown(name)} again`
      throw codedError('ERR_PLACEMENT_DUPLICATE', message)
    }
    seen.add(name)
  })
}

function checkLoads(loads: unknown, document: JsonFile): void {
  if (loads === undefined) return
  if (typeof loads === 'object' && loads !== null && !Array.isArray(loads)) return
  throw document.located().at('.loads').wrong('an object of bundle to load')
}

const RESOURCES = ['cpu', 'directMemory', 'bandwidthIn', 'bandwidthOut'] as const

function limitsOf({ args }: Session): pulsar.BrokerLimits | undefined {
  const text = args.text('limits')
  if (text === undefined) return undefined
  const limits = text.split(',').map((part) => {
    const [resource, value, ...more] = part.split('=')
    const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value)
    if (more.length === 0 && Number.isFinite(number)) {
      return [checkName(resource, '--limits', RESOURCES, 'ERR_PLACEMENT_USAGE'), number] as const
    }
    throw args.wrong(`--limits: expected R=N, a resource and a number, got ${shown(part)}`)
  })
  return Object.fromEntries(limits)
}

/**
 * Asks about the files; an error that begins with a path in a document, such as `loads["t/n/0x…"].cpu`, names its line and column.
 *
 * @param events the document that holds the events, where it is not the cluster's
 */
export function atFiles<T>({ document }: ReadFiles, events: JsonFile | null, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (!isCodedError(error)) throw error
    const place = placeOf(error.message, document, events)
    if (place === null) throw error
    throw codedError(error.code, `${place}: ${error.message}`, { cause: error })
  }
}

function placeOf(message: string, document: JsonFile | null, events: JsonFile | null): string | null {
  const path = /^([a-zA-Z]+)((?:\.\w+|\[\d+\]|\["[^"]*"\])*): /.exec(message)
  if (path === null) return null
  const [, root, rest] = path
  if (root === 'events' && events !== null) return events.located().at(rest!).place
  return document?.located().field(root!)?.at(rest!).place ?? null
}
