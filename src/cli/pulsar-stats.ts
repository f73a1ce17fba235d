/** `--stats FILE`: the traffic of topics, a JSON object of a topic's name to the fields that `pulsar-admin topics stats` prints. */
import { readFileSync } from 'node:fs'
import { codedError, shown } from '../errors.js'
import { type PulsarVersion, pulsar, type TopicSet } from '../index.js'
import type { Option } from './grammar.js'
import { unreadable } from './input.js'
import type { Session } from './session.js'

export const STATS_OPTION: Option = {
  name: 'stats',
  value: 'FILE',
  help: 'their traffic, JSON: {"TOPIC":{"msgRateIn":1,"msgThroughputOut":9}}',
}

const FIELDS = ['msgRateIn', 'msgRateOut', 'msgThroughputIn', 'msgThroughputOut'] as const

type Json = Record<string, unknown>

/** The rates of the topics, `undefined` where the option is not given. Topics that the file lacks have none. */
export function statsOf(session: Session, topics: TopicSet, version: PulsarVersion): pulsar.TopicRates | undefined {
  const file = session.args.text('stats')
  if (file === undefined) return undefined
  const stats = new Map(Object.entries(read(file)).map(([name, fields]) => [fullName(file, name, version), fields]))
  const columns = FIELDS.map((field) => [field, new Float64Array(topics.length)] as const)
  let [topic, found] = [0, 0]
  for (const name of topics.canonical(version)) {
    const fields = stats.get(name)
    if (fields !== undefined) {
      found++
      for (const [field, column] of columns) column[topic] = rate(file, name, field, fields)
    }
    topic++
  }
  session.note(`${file}: traffic of ${found} of ${topic} topics`)
  return Object.fromEntries(columns)
}

function fullName(file: string, name: string, version: PulsarVersion): string {
  try {
    return pulsar.TopicName.get(name, { version }).toString()
  } catch (cause) {
    throw codedError('ERR_PLACEMENT_INPUT', `${file}: ${shown(name)}: ${(cause as Error).message}`, { cause })
  }
}

function rate(file: string, name: string, field: string, fields: unknown): number {
  const value = (fields as Json | null)?.[field] ?? 0
  if (typeof fields === 'object' && typeof value === 'number' && value >= 0) return value
  const got = typeof fields === 'object' ? shown(value) : shown(fields)
  throw codedError(
    'ERR_PLACEMENT_INPUT',
    `${file}: ${shown(name)}.${field}: expected a number of 0 or more, got ${got}`,
  )
}

function read(file: string): Json {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw unreadable(file, cause)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  } catch (cause) {
    throw codedError('ERR_PLACEMENT_INPUT', `${file}: ${(cause as Error).message}`, { cause })
  }
  throw codedError('ERR_PLACEMENT_INPUT', `${file}: expected a JSON object of topics, got ${shown(text)}`)
}
