/** Questions to the Kafka jars: hashes, partitions of keys, the keyless partitioners, the coordinators' partitions. */
import type { Chance } from '../chance.js'
import { type Draw, listOf, type Question, whole } from '../question.js'

const KEYS_A_LINE = 40

/** Alike in `String.hashCode`, and hash codes at the ends: `polygenelubricants` is -2^31. */
const HASH_CODE_TRAPS = [
  'Aa',
  'BB',
  'AaAaAaAaAa',
  'AaAaAaAaBB',
  'polygenelubricants',
  'GydZG_',
  'DESIGNING WORKHOUSES',
  '',
]

export const murmur2: Draw = (chance) => ofKeys(chance, { op: 'murmur2' })

export const partitioner: Draw = (chance) =>
  chance.odds(0.2)
    ? ofKeys(chance, { op: 'partitionForKey', numPartitions: countOrZero(chance) })
    : whole(chance.pick([loadStats, nextPartition, stickySwitches, roundRobin])(chance))

export const group: Draw = (chance) => {
  const ids = chance.times(KEYS_A_LINE, () => (chance.odds(0.1) ? chance.pick(HASH_CODE_TRAPS) : chance.text()))
  const op = chance.pick(['groupPartition', 'transactionPartition'])
  return listOf({ op, ids, numPartitions: countOrZero(chance) }, 'ids')
}

/** Of few letters, so that they collide; of every length to beyond the limit; with one unit that is not allowed. */
export const topicNames: Draw = (chance) => {
  const names = chance.times(KEYS_A_LINE, () => {
    const length = chance.odds(0.1) ? chance.between(247, 252) : chance.between(0, 5)
    const text = chance.times(length, () => chance.pick([...'a.._.-Z9'])).join('')
    if (chance.odds(0.85)) return text
    const at = chance.between(0, text.length)
    return text.slice(0, at) + chance.text(1) + text.slice(at)
  })
  return listOf({ op: 'topicNames', names }, 'names')
}

function ofKeys(chance: Chance, request: { op: string; numPartitions?: number }): Question {
  if (chance.odds(0.5)) return listOf({ ...request, keys: chance.times(KEYS_A_LINE, () => chance.text()) }, 'keys')
  const keysBase64 = chance.times(KEYS_A_LINE, () => chance.bytes().toString('base64'))
  return listOf({ ...request, keysBase64 }, 'keysBase64')
}

/** Kafka divides by no partitions; below that the jar answers what no caller can mean. */
const countOrZero = (chance: Chance): number => (chance.odds(0.01) ? 0 : chance.partitions())

const int = (chance: Chance): number =>
  chance.odds(0.2) ? chance.pick([0, -1, 0x7fffffff, -0x80000000]) : chance.uint32() | 0

function statistics(chance: Chance): Record<string, unknown> {
  const n = chance.between(2, 12)
  const sizes = chance.times(n, () => chance.pick([0, 0, 1, 2, 3, 7, 50]))
  const ids = chance.shuffled(Array.from({ length: n * 2 }, (_, i) => i)).slice(0, n)
  const length = chance.odds(0.4) ? chance.between(0, n) : n
  return { queueSizes: sizes, partitionIds: ids, length, ...racks(chance, n) }
}

function racks(chance: Chance, n: number): Record<string, unknown> {
  if (chance.odds(0.6)) return {}
  return {
    rack: chance.pick(['a', 'b', 'z', '']),
    leaderRacks: chance.times(n, () => chance.pick(['a', 'b', '', null])),
  }
}

const loadStats = (chance: Chance) => ({ op: 'loadStats', ...statistics(chance) })

function nextPartition(chance: Chance) {
  const randoms = chance.times(chance.between(1, 12), () => int(chance))
  if (chance.odds(0.5)) {
    const request = statistics(chance)
    const n = (request['queueSizes'] as unknown[]).length
    return { op: 'nextPartition', ...request, randoms, partitions: Array.from({ length: n }, (_, i) => i) }
  }
  const rack = chance.odds(0.5) ? { rack: chance.pick(['a', 'b', '']) } : {}
  return { op: 'nextPartition', partitions: partitions(chance), randoms, ...rack }
}

/** In the metadata's order; some have no leader, some a rack. */
function partitions(chance: Chance): unknown[] {
  const ids = chance.shuffled(Array.from({ length: chance.between(1, 7) }, (_, i) => i))
  return ids.map((id) => {
    const style = chance.between(0, 5)
    if (style === 0) return { id, leader: false }
    return style < 3 ? { id, rack: chance.pick(['a', 'b']) } : id
  })
}

function stickySwitches(chance: Chance) {
  const batchSize = chance.pick([1, 5, 10, 100, 16384, 2 ** 30])
  const append = () => [chance.between(0, Math.min(batchSize * 2, 0x7fffffff)), chance.odds(0.6)]
  const n = chance.between(1, 6)
  const ids = Array.from({ length: n }, (_, i) => i)
  const loads =
    n > 1 && chance.odds(0.5) ? { queueSizes: chance.times(n, () => chance.between(0, 5)), partitionIds: ids } : {}
  const appends = chance.times(15, append)
  return {
    op: 'stickySwitches',
    batchSize,
    partitions: chance.shuffled(ids),
    appends,
    randoms: chance.times(20, () => int(chance)),
    ...loads,
  }
}

function roundRobin(chance: Chance) {
  const names = ['a', 'b', 'c'].slice(0, chance.between(1, 3))
  const start = () => (chance.odds(0.5) ? {} : { start: chance.pick([0x7fffffff - 2, -3, -0x80000000, 5]) })
  const topics = names.map((name) => ({ name, partitions: partitions(chance), ...start() }))
  return { op: 'roundRobinPartitioner', topics, calls: chance.times(chance.between(1, 15), () => chance.pick(names)) }
}
