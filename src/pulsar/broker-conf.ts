/**
 * broker.conf: the settings of load management out of a whole file, as a broker reads it.
 *
 * Source: Apache Pulsar 3.0.7, 4.2.4, 5.0.1, PulsarConfigurationLoader and FieldParser in org.apache.pulsar.common; names of
 * org.apache.pulsar.broker.ServiceConfiguration.
 * What differs from the obvious: a broker passes over what it does not know, a misspelt name too, and takes any boolean but
 * `true` for false; a value left blank is the default; a name given twice has its last value. A misspelt name is refused here.
 */
import { codedError, nearest, shown } from '../errors.js'
import type { Note } from '../notes.js'
import { LOAD_NAMES } from './broker-conf-names.js'
import { PropertiesFault, type Property, readProperties } from './java-properties.js'
import { type LoadSettings, loadSettings } from './load-settings.js'
import { positionOf } from './text-position.js'
import { isSince, type PulsarVersionOption, pulsarVersion } from './version.js'

export interface BrokerConfOptions extends PulsarVersionOption {
  /** What the text is called in messages. Default: `broker.conf`. */
  readonly name?: string | undefined
}

/** What a broker.conf says of load management. */
export interface BrokerConf {
  /** Those that it sets, for `loadSettings` and `simulate`; a value left blank is not among them. */
  readonly settings: Partial<LoadSettings>
  /** Settings of load management that decide nothing here, such as how often a broker reports; each once. */
  readonly unused: readonly string[]
  /** How many names are about other things. */
  readonly others: number
  /** NOTE_CONF_BOOLEAN, NOTE_CONF_TWICE, NOTE_CONF_RELEASE. */
  readonly notes: readonly Note[]
}

/** Settings with a fraction; the other numbers are Java's int or long. */
const DOUBLES: readonly string[] = [
  'loadBalancerHistoryResourcePercentage',
  'loadBalancerBundleUnloadMinThroughputThreshold',
  'loadBalancerCPUResourceWeight',
  'loadBalancerDirectMemoryResourceWeight',
  'loadBalancerBandwidthInResourceWeight',
  'loadBalancerBandwidthOutResourceWeight',
  'loadBalancerMsgRateDifferenceShedderThreshold',
  'loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold',
  'maxUnloadPercentage',
  'loadBalancerBrokerLoadTargetStd',
]

/** Settings of 64 bits. */
const LONGS: readonly string[] = [
  'loadBalanceSheddingDelayInSeconds',
  'loadBalancerBrokerLoadDataTTLInSeconds',
  'loadBalancerSheddingGracePeriodMinutes',
]

/** A spelling that brokers know since ever, and where there is a right one read only while that one is the default. */
const OLD_SPELLINGS: Readonly<Record<string, keyof LoadSettings>> = {
  loadBalancerBandwithInResourceWeight: 'loadBalancerBandwidthInResourceWeight',
  loadBalancerBandwithOutResourceWeight: 'loadBalancerBandwidthOutResourceWeight',
}

/** Names that a broker before 4.2 passes over. */
const SINCE_4_2: readonly string[] = [
  'loadBalancerBandwidthInResourceWeight',
  'loadBalancerBandwidthOutResourceWeight',
  'loadBalancerSheddingExcludedNamespaces',
  'loadBalancerServiceUnitStateMaxConcurrentOverrides',
  'loadBalancerMultiPhaseBundleUnload',
]

/** How far a misspelt name may be from a setting whose name tells nothing of load balancing. */
const MOST_TYPOS = 2

/**
 * Reads a broker.conf.
 *
 * @param text the file; a broker takes its bytes for ISO 8859-1
 * @returns what it sets, in the file's own names but for the misspelt `Bandwith`
 * @throws ERR_PLACEMENT_UNKNOWN_NAME (a misspelt setting, with the nearest), ERR_PLACEMENT_INPUT (a value that a broker does not
 *   start with), both with line and column; ERR_PLACEMENT_UNKNOWN_VERSION, ERR_PLACEMENT_UNSUPPORTED before 3.0
 */
export function readBrokerConf(text: string, options: BrokerConfOptions = {}): BrokerConf {
  const { name = 'broker.conf', version } = options
  if (typeof text !== 'string') {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `text: expected a string, got ${shown(text)}`)
  }
  const reader = new ConfReader(text, name, { version })
  for (const property of propertiesOf(text, name)) reader.take(property)
  return reader.result()
}

function propertiesOf(text: string, name: string): Property[] {
  try {
    return readProperties(text)
  } catch (fault) {
    if (!(fault instanceof PropertiesFault)) throw fault
    throw codedError('ERR_PLACEMENT_INPUT', `${placed(text, name, fault.offset)}: expected ${fault.message}`, {
      ...javaRefusal('Malformed \\uxxxx encoding.'),
      cause: fault,
    })
  }
}

/** `broker.conf:12:7` */
function placed(text: string, name: string, offset: number): string {
  const { line, column } = positionOf(text, offset)
  return `${name}:${line}:${column}`
}

class ConfReader {
  readonly #text: string
  readonly #name: string
  readonly #defaults: LoadSettings
  readonly #isSince42: boolean
  readonly #version: string
  readonly #settings = new Map<string, unknown>()
  readonly #old = new Map<string, unknown>()
  readonly #lines = new Map<string, number>()
  readonly #unused = new Set<string>()
  readonly #others = new Set<string>()
  readonly #notes: Note[] = []

  constructor(text: string, name: string, options: PulsarVersionOption) {
    this.#text = text
    this.#name = name
    this.#version = pulsarVersion(options)
    this.#isSince42 = isSince(pulsarVersion(options), '4.2')
    this.#defaults = loadSettings({}, options)
  }

  take(property: Property): void {
    const { key } = property
    const target = OLD_SPELLINGS[key] ?? key
    if (!Object.hasOwn(this.#defaults, target)) {
      this.#passOver(property)
      return
    }
    this.#noteTwice(property)
    if (!this.#isSince42 && SINCE_4_2.includes(key)) {
      this.#note(property, 'NOTE_CONF_RELEASE', `${key}: Pulsar ${this.#version} does not know it, and passes over it`)
      return
    }
    const value = this.#valueOf(property, this.#defaults[target as keyof LoadSettings])
    const values = target === key ? this.#settings : this.#old
    // Blank takes back what an earlier line said: the name has one value, its last.
    if (value === undefined) values.delete(target)
    else values.set(target, value)
  }

  #passOver(property: Property): void {
    const { key, from } = property
    if (LOAD_NAMES.includes(key)) {
      this.#unused.add(key)
      return
    }
    const near = this.#misspelt(key)
    if (near !== undefined) {
      const hint = near === null ? '' : ` (did you mean ${near}?)`
      const where = placed(this.#text, this.#name, from)
      const message = `${where}: expected a setting of broker.conf, got ${shown(key)}${hint}`
      throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message)
    }
    this.#others.add(key)
  }

  /** The setting that was meant, `null` where none is near; `undefined` where the name is about something else. */
  #misspelt(key: string): string | null | undefined {
    const names = [...new Set([...Object.keys(this.#defaults), ...LOAD_NAMES])]
    return /^loadbalance/i.test(key) ? nearest(key, names) : (nearest(key, names, MOST_TYPOS) ?? undefined)
  }

  #noteTwice(property: Property): void {
    const { key, from } = property
    const before = this.#lines.get(key)
    this.#lines.set(key, from)
    if (before === undefined) return
    const line = placed(this.#text, this.#name, before)
    this.#note(property, 'NOTE_CONF_TWICE', `${key}: it stands at ${line} too, and the last one counts`)
  }

  #note({ key, from }: Property, code: Note['code'], message: string): void {
    this.#notes.push({ code, message: `${placed(this.#text, this.#name, from)}: ${message}`, where: key })
  }

  /** @returns `undefined` for a blank: the default */
  #valueOf(property: Property, fallback: LoadSettings[keyof LoadSettings]): unknown {
    const text = javaTrim(property.value)
    if (text === '') return undefined
    if (typeof fallback === 'number') return this.#number(property, text)
    if (typeof fallback === 'boolean') return this.#boolean(property, text)
    if (typeof fallback === 'string') return text
    return [...new Set(text.split(',').map(javaTrim))].filter((item) => item !== '')
  }

  #number(property: Property, text: string): number {
    const isDouble = DOUBLES.includes(OLD_SPELLINGS[property.key] ?? property.key)
    const form = isDouble ? /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?$/ : /^[+-]?\d+$/
    const value = form.test(text) ? Number(text.replace(/[dDfF]$/, '')) : Number.NaN
    const most = LONGS.includes(property.key) ? Number.MAX_SAFE_INTEGER : 2 ** 31 - 1
    if (Number.isFinite(value) && (isDouble || Math.abs(value) <= most)) return value
    throw this.#refused(property, isDouble ? 'a number' : 'an integer', text)
  }

  #boolean(property: Property, text: string): boolean {
    if (!/^(true|false)$/i.test(text)) {
      const message = `${property.key}: Pulsar takes ${shown(text)} for false, as all but "true"`
      this.#note(property, 'NOTE_CONF_BOOLEAN', message)
    }
    return text.toLowerCase() === 'true'
  }

  #refused({ key, value, valueFrom }: Property, expected: string, text: string): Error {
    const comment = / [#!]/.test(text) ? '; a comment has a line of its own' : ''
    const message = `${key}: expected ${expected}, got ${shown(text)}${comment}`
    const where = placed(this.#text, this.#name, valueFrom)
    const java = javaRefusal(`failed to initialize ${key} field while setting value ${value}`)
    return codedError('ERR_PLACEMENT_INPUT', `${where}: ${message}`, java)
  }

  result(): BrokerConf {
    const settings = new Map(this.#settings)
    for (const [name, value] of this.#old) {
      const right = settings.get(name)
      if (right === undefined || right === this.#defaults[name as keyof LoadSettings]) settings.set(name, value)
    }
    return {
      settings: Object.fromEntries(settings) as Partial<LoadSettings>,
      unused: [...this.#unused],
      others: this.#others.size,
      notes: this.#notes,
    }
  }
}

const javaRefusal = (javaMessage: string) => ({ javaClass: 'java.lang.IllegalArgumentException', javaMessage })

/** As Java's String.trim: all up to the blank, and no other space. */
function javaTrim(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && text.charCodeAt(from) <= 0x20) from++
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to--
  return text.slice(from, to)
}
