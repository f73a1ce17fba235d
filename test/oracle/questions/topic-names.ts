/** Questions to the Pulsar jars: topic and namespace names, whole, broken and odd, and their partition suffixes. */
import type { Chance } from '../chance.js'
import { type Draw, listOf } from '../question.js'

const NAMES_A_LINE = 16

const DOMAINS = [
  'persistent://',
  'persistent://',
  'persistent://',
  'non-persistent://',
  '',
  '',
  'topic://',
  'segment://',
]
const ODD_DOMAINS = [
  'Persistent://',
  'NON-PERSISTENT://',
  'non_persistent://',
  'http://',
  '://',
  'persistent:/',
  'persistent:',
  ' persistent://',
]
const WORDS = [
  'public',
  'default',
  'my-tenant',
  'pulsar',
  'system',
  't',
  'acme.eu',
  'a=b:c',
  'orders_v2',
  '0',
  'foo-partition',
  'sensor data',
]
const CLUSTERS = ['global', 'us-west', 'c1']
const SUFFIXES = [
  '0',
  '1',
  '10',
  '01',
  '00',
  '-1',
  '--1',
  '+1',
  '',
  ' 1',
  '1 ',
  '2147483647',
  '2147483648',
  '-2147483648',
  '9999999999',
  '99999999999999999999',
]
const ODD_SUFFIXES = [
  '1-partition-2',
  '1x',
  'x',
  '\u0663',
  '1/2',
  '0-partition-',
  '-partition-0',
  '0x1',
  '1.0',
  '1_0',
  '\uff11',
  '1\u0000',
  '-0',
  '0-DLQ',
  '0-RETRY',
]
const SEGMENTS = [
  '0000-7fff-3',
  '8000-ffff-0',
  '0-7FFF-3',
  '7fff-0000-1',
  '0000-10000-1',
  '0000-ffff--1',
  '0000-ffff-x',
  'x',
  '0000-ffff',
]
const INSERTS = [
  '/',
  '//',
  '://',
  ' ',
  '\t',
  '\n',
  '\u0000',
  '\u00a0',
  '%2F',
  '%',
  '?',
  '#',
  '+',
  '.',
  '..',
  'é',
  '\ud800',
  '-partition-',
  'persistent://',
]

const NAME_OPS = [
  'topic-name',
  'topic-name',
  'topic-name',
  'topic-name-valid',
  'topic-name-full',
  'topic-name-creation',
  'partition-index',
]
const PARTITIONS = [0, 1, 10, -1, -2, 2147483647]

/** A V1 name has a cluster in its namespace, and releases part there; a null name is Java's own refusal. */
export const topicName: Draw = (chance) => {
  if (chance.odds(0.2)) return ofParts(chance)
  const op = chance.pick(NAME_OPS)
  const names = chance.times(NAMES_A_LINE, () => (chance.odds(0.004) ? null : name(chance)))
  return listOf(op === 'topic-name' ? { op, names, partitions: somePartitions(chance) } : { op, names }, 'names')
}

function ofParts(chance: Chance) {
  const style = chance.between(0, 3)
  if (style === 0)
    return listOf({ op: 'namespace-name', names: chance.times(NAMES_A_LINE, () => namespace(chance)) }, 'names')
  if (style === 1) {
    return listOf(
      { op: 'namespace-name-of', parts: chance.times(NAMES_A_LINE, () => [word(chance), word(chance)]) },
      'parts',
    )
  }
  if (style === 2)
    return listOf({ op: 'from-persistence-name', names: chance.times(NAMES_A_LINE, () => ledgerName(chance)) }, 'names')
  const parts = chance.times(NAMES_A_LINE, () => [domainWord(chance), ...partsAfterDomain(chance)])
  return listOf({ op: 'topic-name-of', parts, partitions: somePartitions(chance) }, 'parts')
}

const somePartitions = (chance: Chance): number[] => chance.shuffled(PARTITIONS).slice(0, chance.between(0, 3))

const domainWord = (chance: Chance): string =>
  chance.pick(['persistent', 'non-persistent', 'PERSISTENT', 'topic', 'x', ''])

const partsAfterDomain = (chance: Chance): string[] =>
  chance.odds(0.5) ? [namespace(chance), local(chance)] : [word(chance), word(chance), local(chance)]

/** A well-formed name, and one time in three something done to it. */
function name(chance: Chance): string {
  const path = [word(chance), word(chance), local(chance)]
  if (chance.odds(0.12)) path.splice(1, 0, chance.pick(CLUSTERS))
  if (chance.odds(0.06)) path.splice(chance.between(0, path.length - 1), 1)
  if (chance.odds(0.1)) path.splice(chance.between(0, path.length), 0, '')
  const domain = chance.pick(chance.odds(0.9) ? DOMAINS : ODD_DOMAINS)
  const made =
    domain + path.join('/') + (domain === 'segment://' && chance.odds(0.8) ? `/${chance.pick(SEGMENTS)}` : '')
  return chance.odds(0.3) ? damaged(chance, made) : made
}

function damaged(chance: Chance, text: string): string {
  const at = chance.between(0, text.length)
  const style = chance.between(0, 3)
  if (style === 0) return text.slice(0, at) + text.slice(at + chance.between(1, 3))
  if (style === 1) return text.slice(0, at)
  if (style === 2) return text.slice(0, at) + text.slice(at).toUpperCase()
  return text.slice(0, at) + chance.pick(INSERTS) + text.slice(at)
}

function word(chance: Chance): string {
  return chance.odds(0.85) ? chance.pick(WORDS) : chance.text(chance.between(0, 6))
}

function local(chance: Chance): string {
  const base = chance.odds(0.6) ? chance.pick(WORDS) : chance.text(chance.between(0, 12))
  if (chance.odds(0.5)) return base
  const index = chance.odds(0.5)
    ? String(chance.between(0, 1200))
    : chance.pick(chance.odds(0.6) ? SUFFIXES : ODD_SUFFIXES)
  return `${base}-partition-${index}`
}

function namespace(chance: Chance): string {
  const made = chance.times(chance.pick([2, 2, 2, 2, 1, 3, 4]), () => word(chance)).join('/')
  return chance.odds(0.2) ? damaged(chance, made) : made
}

function ledgerName(chance: Chance): string {
  const parts = [word(chance), word(chance), chance.pick(['persistent', 'persistent', 'segment']), encodedLocal(chance)]
  if (chance.odds(0.1)) parts.splice(1, 0, chance.pick(CLUSTERS))
  return chance.odds(0.15) ? damaged(chance, parts.join('/')) : parts.join('/')
}

const encodedLocal = (chance: Chance): string => encodeURIComponent(local(chance).toWellFormed())
