/** Questions to the Pulsar jars: where a producer's messages go, by key, clock and counter, and which Failover consumer reads them. */
import type { Chance } from '../chance.js'
import { type Draw, listOf, type Question, whole } from '../question.js'

const SCHEMES = ['JavaStringHash', 'Murmur3_32Hash']
const INTS = [0, 1, -1, 0x7fffffff, -0x80000000, 0x7ffffff0]
const LONGS = [0, -1, 1700000000000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
const TOPICS = ['my-topic', 'orders', 't', 'sensor data', '주제', 'events.click']
const NAMES = ['c1', 'c2', 'c3', 'c11', 'c', '', '소비자', '\ud83d\ude00', '\ud800', 'worker\u0000']

export const routing: Draw = (chance) => {
  const style = chance.between(0, 9)
  if (style === 0) return switchIntervals(chance)
  return style < 4 ? stickyKeys(chance) : route(chance)
}

function route(chance: Chance): Question {
  const messages = chance.times(32, () => message(chance))
  return listOf(
    {
      op: 'route',
      mode: chance.pick(['single', 'round-robin']),
      scheme: chance.pick(SCHEMES),
      partitions: chance.odds(0.01) ? 0 : chance.partitions(),
      start: chance.odds(0.3) ? chance.pick(INTS) : chance.uint32() | 0,
      batching: chance.odds(0.5),
      switchMs: chance.odds(0.2) ? chance.pick([0, -5, 1, ...LONGS]) : chance.between(1, 5000),
      messages,
    },
    'messages',
  )
}

function message(chance: Chance): Record<string, unknown> {
  const style = chance.between(0, 3)
  if (style === 0) return { at: chance.pick(LONGS) }
  if (style === 1) return { at: chance.between(-100_000, 100_000_000) }
  return style === 2 ? { keyBytes: chance.bytes().toString('hex') } : { key: chance.text() }
}

function switchIntervals(chance: Chance): Question {
  const settings = chance.times(16, () => ({
    maxPublishDelayMicros: chance.between(0, 5_000_000),
    frequency: chance.between(0, 1000),
  }))
  return listOf({ op: 'switch-interval', settings }, 'settings')
}

function stickyKeys(chance: Chance): Question {
  const messages = chance.times(32, () => {
    const style = chance.between(0, 4)
    if (style === 0) return { producer: chance.text(), sequence: chance.between(-5, 1_000_000_000) }
    if (style === 1) return { orderingKey: chance.bytes().toString('hex'), key: 'k' }
    if (style === 2) return { key: chance.text() }
    const text = chance.bytes(chance.between(0, 12)).toString('base64')
    return {
      key: chance.odds(0.5) ? text : text.replace(/=/g, '') + chance.text(chance.between(0, 2), 'ascii'),
      base64: true,
    }
  })
  return listOf({ op: 'sticky-key', messages }, 'messages')
}

export const failover: Draw = (chance, release) => {
  const steps: object[] = []
  for (let joined = 0, left = chance.between(1, 12); left > 0; left--) {
    if (joined > 0 && chance.odds(0.3)) steps.push({ remove: chance.between(0, joined - 1) })
    else {
      const add = chance.odds(0.6) ? chance.pick(NAMES) : chance.text(chance.between(0, 6))
      steps.push({ add, priority: chance.odds(0.7) ? 0 : chance.pick([1, 2, -1]) })
      joined++
    }
  }
  const partitionIndex = chance.odds(0.3) ? -1 : chance.between(0, 40)
  const topic = `persistent://public/default/${chance.pick(TOPICS)}-${chance.between(0, 9999)}`
  const hasFlag = release !== '2.10' && release !== '3.0'
  return whole({
    op: 'failover',
    topic,
    partitionIndex,
    steps,
    ...(hasFlag && chance.odds(0.4) ? { consistentHashing: true } : {}),
  })
}
