/**
 * Questions to Kafka's placers: small clusters where epochs end often, racks are uneven or share a bucket, brokers are fenced,
 * and the replication factor is at the brokers or beyond.
 */
import type { Chance } from '../chance.js'
import { type Draw, whole } from '../question.js'

/** Racks alike in `String.hashCode`, the empty one, which hashes as none, and the ends of UTF-16. */
const RACKS = ['a', 'b', 'c', 'Aa', 'BB', 'AaBB', 'BBAa', '', '\uffee', '\u{1f600}', 'r-1', 'r-10', 'r-2']

export interface DrawnBroker {
  readonly id: number
  readonly rack?: string
  readonly fenced?: boolean
}

/** Brokers in any order, their ids dense, sparse or huge. */
export function drawBrokers(
  chance: Chance,
  most: number,
  racked = chance.pick(['none', 'all', 'all', 'some']),
): DrawnBroker[] {
  const count = chance.odds(0.03) ? 0 : chance.between(1, most)
  const step = chance.pick([1, 1, 1, 3, 100_000])
  const ids = chance.shuffled(chance.times(count, (i) => i * step + (step === 100_000 ? 2_000_000_000 : 0)))
  const names = chance.shuffled(RACKS).slice(0, chance.pick([1, 2, 2, 3, 3, 5, 9]))
  return ids.map((id) => {
    const withRack = racked === 'all' || (racked === 'some' && chance.odds(0.7))
    return withRack ? { id, rack: chance.pick(names) } : { id }
  })
}

/** Seldom more than the brokers, seldom 0 or below. */
function factor(chance: Chance, brokers: number): number {
  if (chance.odds(0.02)) return chance.pick([0, -1, -32768, 32767])
  return chance.odds(0.95) ? chance.between(1, Math.max(1, Math.min(brokers, 5))) : brokers + chance.between(0, 2)
}

export const striped: Draw = (chance) => {
  const drawn = drawBrokers(chance, chance.pick([3, 6, 12, 30]))
  const fenced = chance.pick([0, 0, 0.15, 0.6, 1])
  const brokers = drawn.map((broker) => (chance.odds(fenced) ? { ...broker, fenced: true } : broker))
  const random = chance.odds(0.3)
    ? { kind: 'mock', state: chance.uint32() }
    : { kind: 'java', seed: chance.odds(0.5) ? chance.between(-100, 100) : chance.uint32() * 2 ** 21 - 2 ** 52 }
  const topic = () => ({ partitions: partitions(chance), replicationFactor: factor(chance, brokers.length) })
  const base = { op: 'striped', brokers, random }
  return whole(chance.odds(0.15) ? { ...base, topics: chance.times(3, topic) } : { ...base, ...topic() })
}

const partitions = (chance: Chance): number =>
  chance.odds(0.03) ? chance.pick([0, -1]) : chance.pick([1, 2, 3, 5, 9, 20, 41])

export const alternating: Draw = (chance) => {
  const brokers = drawBrokers(chance, chance.pick([2, 4, 8, 15]))
  const fixed = chance.odds(0.6) ? { fixedStartIndex: chance.between(-1, 20) } : {}
  const first = chance.odds(0.6) ? { startPartitionId: chance.pick([-5, -1, 0, 1, 4, 7, 30, 1000]) } : {}
  return whole({
    op: 'alternating',
    brokers,
    partitions: partitions(chance),
    replicationFactor: factor(chance, brokers.length),
    seed: chance.uint32(),
    ...fixed,
    ...first,
  })
}
