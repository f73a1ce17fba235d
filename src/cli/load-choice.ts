/** Which load manager a command simulates: a broker.conf, single settings, and the options that win over them. */
import { readFileSync } from 'node:fs'
import { codedError, isCodedError, nearest, shown } from '../errors.js'
import { pulsar } from '../index.js'
import { PULSAR_VERSIONS, type PulsarVersion } from '../types.js'
import { type Option, spelling } from './grammar.js'
import { counted } from './group-table.js'
import { unreadable } from './input.js'
import type { LoadFiles } from './load-files.js'
import { grouped } from './progress.js'
import type { Session } from './session.js'

export const MANAGERS = ['modular', 'extensible'] as const
const VERSIONS = PULSAR_VERSIONS.filter((version) => version !== '2.10')

export const SETTINGS_OPTIONS: readonly Option[] = [
  { name: 'conf', value: 'FILE', help: "the brokers' broker.conf" },
  { name: 'set', value: 'NAME=VALUE,…', help: 'settings of broker.conf, over those of --conf' },
  { name: 'version', value: 'RELEASE', help: `${VERSIONS.join(', ')} (default ${VERSIONS.at(-1)})` },
]

export const CHOICE_OPTIONS: readonly Option[] = [
  { name: 'load-manager', value: 'NAME', help: `${MANAGERS.join(' or ')} (default: as the settings say)` },
  { name: 'shedder', value: 'NAME', help: 'ThresholdShedder, OverloadShedder, UniformLoadShedder, AvgShedder, …' },
  { name: 'placement', value: 'NAME', help: 'LeastLongTermMessageRate, LeastResourceUsageWithWeight, …' },
  ...SETTINGS_OPTIONS,
]

/** What the options and the files say together. @throws ERR_PLACEMENT_USAGE, and what readBrokerConf throws */
export function choiceOf(session: Session, files: LoadFiles): pulsar.LoadManagerChoice {
  const { args } = session
  const version = versionOf(session, files)
  return {
    version,
    loadManager: args.choice('load-manager', MANAGERS) ?? files.loadManager,
    shedder: args.choice('shedder', pulsar.SHEDDERS) ?? files.shedder,
    placement: args.choice('placement', pulsar.PLACEMENTS) ?? files.placement,
    settings: settingsOf(session, files, version),
  }
}

export function versionOf({ args }: Session, files: LoadFiles): PulsarVersion | undefined {
  return args.choice('version', PULSAR_VERSIONS, 'ERR_PLACEMENT_UNKNOWN_VERSION') ?? files.version
}

function settingsOf(
  session: Session,
  files: LoadFiles,
  version: PulsarVersion | undefined,
): Partial<pulsar.LoadSettings> {
  const file = session.args.text('conf')
  const conf = file === undefined ? {} : settingsOfFile(session, file, version)
  return { ...files.settings, ...conf, ...settingsGiven(session, version) }
}

function settingsOfFile(
  session: Session,
  file: string,
  version: PulsarVersion | undefined,
): Partial<pulsar.LoadSettings> {
  const { settings, unused, others, notes } = pulsar.readBrokerConf(confText(file), { name: file, version })
  const idle = unused.length === 0 ? '' : `${grouped(unused.length)} of load management decide nothing here, `
  const taken = counted(Object.keys(settings).length, 'setting')
  session.note(`${file}: ${taken} taken; ${idle}${grouped(others)} are about other things`)
  for (const { code, message } of notes) session.note(`${code}: ${message}`)
  return settings
}

/** As a broker takes it, a byte a character; a byte order mark is left out. */
function confText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'latin1').replace(/^\xef\xbb\xbf/, '')
  } catch (cause) {
    throw unreadable(file, cause)
  }
}

/** `--set`: a comma before a name and an equals sign ends a setting, any other one is a part of a list. */
function settingsGiven({ args }: Session, version: PulsarVersion | undefined): Partial<pulsar.LoadSettings> {
  const parts = args.text('set')?.split(/,(?=\s*\w+\s*=)/) ?? []
  return Object.assign({}, ...parts.map((part) => settingGiven(part, version)))
}

export function settingGiven(
  text: string,
  version: PulsarVersion | undefined,
  option = '--set',
): Partial<pulsar.LoadSettings> {
  const name = text.split('=')[0]!.trim()
  if (!text.includes('=')) throw codedError('ERR_PLACEMENT_USAGE', `${option}: expected NAME=VALUE, got ${shown(text)}`)
  const conf = atOption(option, () => pulsar.readBrokerConf(text, { name: option, version }))
  const [note] = conf.notes
  if (note !== undefined) throw codedError('ERR_PLACEMENT_USAGE', note.message.replace(/^\S+:\d+:\d+: /, `${option}: `))
  if (Object.keys(conf.settings).length > 0) return conf.settings
  if (conf.others + conf.unused.length === 0)
    throw codedError('ERR_PLACEMENT_USAGE', `${option}: expected a value, got ${shown(text)}`)
  const hint = spelling(nearest(name, Object.keys(pulsar.loadSettings({}, { version }))))
  const message = `${option}: expected a setting that decides something here, got ${shown(name)}${hint}`
  throw codedError('ERR_PLACEMENT_UNKNOWN_NAME', message)
}

/** An option has no lines. */
function atOption<T>(option: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isCodedError(error)) throw error
    throw codedError(error.code, error.message.replace(/^\S+:\d+:\d+: /, `${option}: `), { cause: error })
  }
}
