/** Questions to the Pulsar jars of message flow and ledgers: bookies of entries, duplicates, redelivery, delays, expiry, replication. */
import type { Request } from '../../vectors/answer.js'
import type { Chance } from '../chance.js'
import { type Draw, listOf, type Question, whole } from '../question.js'

const INT = 2 ** 31
const START = 1_700_000_000_000

export const ledgers: Draw = (chance) => {
  const style = chance.between(0, 99)
  if (style < 2) return newEnsemble(chance)
  if (style < 40) return adherence(chance)
  return chance.pick([writeSet, bookieEntries, loss, ackSet, coverage])(chance)
}

function sizes(chance: Chance, most = 8): { ensemble: number; writeQuorum: number; ackQuorum: number } {
  const ensemble = chance.between(1, most)
  const writeQuorum = chance.between(1, ensemble)
  return { ensemble, writeQuorum, ackQuorum: chance.between(1, writeQuorum) }
}

const bookiesOf = ({ ensemble }: { ensemble: number }): number[] => Array.from({ length: ensemble }, (_, i) => i)

function writeSet(chance: Chance): Question {
  const near = (n: number) => n + chance.between(-9, 9)
  const entry = () => chance.pick([chance.between(0, 100), chance.uint32(), near(INT), near(2 * INT), near(1e15)])
  return listOf({ op: 'write-set', ...sizes(chance, 12), entries: chance.times(24, entry) }, 'entries')
}

function bookieEntries(chance: Chance): Question {
  const of = sizes(chance)
  const first = chance.pick([0, 1, -1, chance.between(0, 1000), 65_530, INT - 3, 1e12])
  const last = first + chance.between(-1, 24)
  return listOf({ op: 'bookie-entries', ...of, bookies: [-1, ...bookiesOf(of), of.ensemble], first, last }, 'bookies')
}

function loss(chance: Chance): Question {
  const of = sizes(chance, 12)
  const odds = chance.pick([0.1, 0.4, 0.8])
  const first = chance.pick([0, 3, chance.between(0, 1000), 1e12])
  const lost = bookiesOf(of).filter(() => chance.odds(odds))
  return whole({ op: 'ledger-loss', ...of, lost, first, last: first + chance.between(0, 30) })
}

function ackSet(chance: Chance): Question {
  const of = sizes(chance)
  const steps = chance.times(12, () => ({
    [chance.pick(['complete', 'complete', 'fail', 'remove'])]: chance.between(0, of.ensemble - 1),
  }))
  return listOf({ op: 'ack-set', ...of, whole: chance.odds(0.2), steps }, 'steps')
}

function coverage(chance: Chance): Question {
  const of = sizes(chance)
  const code = () => chance.pick([0, 0, -13, -7, -8, -1, 1])
  const steps = chance.times(12, () => ({ bookie: chance.between(0, of.ensemble - 1), code: code() }))
  return listOf({ op: 'quorum-coverage', ...of, steps }, 'steps')
}

function racksOf(chance: Chance, policy: string, count: number): (string | null)[] {
  const racks = ['/a', '/b', '/c', '/d'].slice(0, chance.between(1, 4))
  const places = policy === 'rack' ? racks : ['/x/a', '/x/b', '/y/a', '/y/b', '/z/a']
  return chance.times(count, () => (chance.odds(0.08) ? null : chance.pick(places)))
}

function adherence(chance: Chance): Question {
  const policy = chance.pick(['rack', 'rack', 'rack', 'zone', 'region'])
  const racks = racksOf(chance, policy, chance.between(2, 9))
  const { writeQuorum, ackQuorum } = sizes(chance, 5)
  const all = [...racks.keys(), 99]
  const some = () => chance.shuffled(all).slice(0, chance.between(0, Math.min(7, all.length)))
  const conf =
    policy === 'zone'
      ? { desiredNumZonesPerWriteQuorum: chance.between(1, 3), minNumZonesPerWriteQuorum: chance.between(1, 3) }
      : { minNumRacksPerWriteQuorum: chance.between(1, 3), enforceMinNumRacksPerWriteQuorum: chance.odds(0.3) }
  const request = { policy, racks, conf, writeQuorum, ackQuorum }
  if (policy === 'rack' && chance.odds(0.3)) {
    return listOf({ op: 'acked-adheres', ...request, acked: chance.times(16, some) }, 'acked')
  }
  // A policy that is refused is one answer, whatever it was to be asked.
  const refused = policy === 'zone' && conf.minNumZonesPerWriteQuorum! > conf.desiredNumZonesPerWriteQuorum!
  const question: Request = { op: 'ensemble-adheres', ...request, ensembles: chance.times(16, some) }
  return refused ? whole(question) : listOf(question, 'ensembles')
}

/** Few bookies: the jar draws, and all that can be drawn is to come up. */
function newEnsemble(chance: Chance): Question {
  const racks = racksOf(chance, 'rack', chance.between(1, 4))
  const of = sizes(chance, 3)
  const conf = {
    minNumRacksPerWriteQuorum: chance.between(1, 3),
    enforceMinNumRacksPerWriteQuorum: chance.odds(0.4),
  }
  const exclude = chance.odds(0.2) ? [chance.between(0, racks.length - 1)] : []
  return whole({ op: 'new-ensemble', racks, conf, ...of, exclude, draws: 1500 })
}

export const deduplication: Draw = (chance) => {
  const replay = () => chance.times(chance.between(1, 6), () => publish(chance, false))
  const marks = () => ({ a: chance.between(0, 6), b: chance.between(0, 6) })
  const config = { brokerDeduplicationEntriesInterval: chance.between(1, 5) }
  return whole({
    op: 'deduplication',
    ...(chance.odds(0.3) ? { snapshot: marks() } : {}),
    ...(chance.odds(0.3) ? { replay: replay() } : {}),
    ...(chance.odds(0.05) ? { disabled: true } : {}),
    ...(chance.odds(0.3) ? { config } : {}),
    steps: publishes(chance),
  })
}

function publishes(chance: Chance): object[] {
  let published = 0
  return chance.times(chance.between(3, 30), () => {
    if (published > 0 && chance.odds(0.3)) return { persisted: chance.between(0, published - 1) }
    if (chance.odds(0.07)) return { reset: true }
    published++
    return publish(chance, chance.odds(0.25))
  })
}

function publish(chance: Chance, isFar: boolean): object {
  const sequence = chance.odds(0.03) ? Number.MAX_SAFE_INTEGER - chance.between(0, 2) : chance.between(-1, 8)
  if (isFar) return farPublish(chance, sequence)
  return {
    producer: chance.pick(['a', 'a', 'b']),
    sequence,
    ...(chance.odds(0.25) ? { highest: chance.between(0, 12) } : {}),
    ...(chance.odds(0.15) ? { chunk: [chance.between(0, 1), 2] } : {}),
    ...(chance.odds(0.04) ? { marker: true } : {}),
  }
}

function farPublish(chance: Chance, sequence: number): object {
  const producer = chance.pick(['pulsar.repl.us', 'pulsar.repl.us', 'pulsar.repl.ap'])
  if (chance.odds(0.5)) {
    const original = { producer: chance.pick(['a', 'c']), sequence: chance.between(0, 8) }
    return {
      producer,
      sequence,
      original: chance.odds(0.3) ? { ...original, highest: chance.between(0, 9) } : original,
    }
  }
  const odd = ['3', '3:', ':3', '3:x', '1:2:3', '', '٣:1', '7:1::']
  const position = chance.odds(0.1) ? chance.pick(odd) : `${chance.between(1, 3)}:${chance.between(0, 3)}`
  return { producer, sequence, ...(chance.odds(0.9) ? { position } : {}), byPosition: true }
}

export const redelivery: Draw = (chance) => chance.pick([backoffs, negativeAcks, timeouts, letters])(chance)

function backoff(chance: Chance): object {
  const minDelayMs = chance.pick([0, 1, 100, 1000, chance.between(0, 5000)])
  const maxDelayMs = minDelayMs + chance.pick([0, -1, chance.between(0, 1_000_000), 1e12])
  return { minDelayMs, maxDelayMs, multiplier: chance.pick([1, 1.1, 1.25, 1.5, 2, 2, 3, 10]) }
}

const saneBackoff = (chance: Chance): object => ({
  minDelayMs: chance.pick([0, 1, 10, 100, 1000]),
  maxDelayMs: 60_000,
  multiplier: chance.pick([1.5, 2, 3]),
})

function backoffs(chance: Chance): Question {
  const counts = [-(2 ** 31), -1, 0, 1, 2, 3, 5, 8, chance.between(0, 40), chance.between(0, 1000), 2 ** 31 - 1]
  const settings = chance.times(12, () => backoff(chance))
  return listOf({ op: 'redelivery-backoff', settings, counts }, 'settings')
}

function negativeAcks(chance: Chance): Question {
  let after = 0
  const delay = chance.odds(0.5)
    ? { backoff: saneBackoff(chance) }
    : { delayMicros: chance.pick([0, 99_999, 100_000, 1_000_000, 5_000_500, 60_000_000]) }
  const steps = chance.times(chance.between(1, 16), (i) => {
    after += chance.pick([0, 1, chance.between(0, 300), chance.between(0, 5000)])
    return { at: START + after, nack: [chance.between(6, 7), chance.between(0, i)], count: chance.between(0, 6) }
  })
  const precision = chance.odds(0.5) ? { precisionBits: chance.pick([0, 1, 4, 8, 10, 12]) } : {}
  return whole({ op: 'negative-ack', ...delay, ...precision, steps, until: START + 300_000 })
}

function timeouts(chance: Chance): Question {
  const tickMs = chance.pick([100, 500, 1000, 3000, 20_000])
  let at = 0
  const steps = chance.times(chance.between(1, 16), () => {
    at += chance.pick([0, chance.between(0, tickMs), chance.between(0, 4000)])
    const id = [chance.between(6, 7), chance.between(0, 5)]
    return chance.pick([
      { at, receive: id, count: chance.between(0, 5) },
      { at, receive: id },
      { at, ack: id },
      { at, ackUpTo: id },
    ])
  })
  const backing = chance.odds(0.5) ? { backoff: { ...saneBackoff(chance), maxDelayMs: 20_000 } } : {}
  const ackTimeoutMs = chance.pick([1000, 5000, 9999, 10_000])
  return whole({ op: 'ack-timeout', at: 0, ackTimeoutMs, tickMs, ...backing, steps, until: 120_000 })
}

function letters(chance: Chance): Question {
  const partition = chance.pick([-1, 0, 12])
  const name = chance.pick(['orders', 'a-b', 'foo-partition', '주제'])
  const topic = `${chance.pick(['', 'non-'])}persistent://public/default/${name}${partition < 0 ? '' : `-partition-${partition}`}`
  const failures = chance.times(chance.between(1, 7), () => failure(chance))
  const properties = chance.pick([{}, { a: 'b' }, { RECONSUMETIMES: '1' }, { REAL_TOPIC: 'r', DELAY_TIME: '5' }])
  const message = { key: chance.text(chance.between(0, 8), 'word'), eventTime: chance.between(0, 5), properties }
  const ids = chance.times(7, (i) => (i === 0 ? [chance.between(0, 9), chance.between(0, 9), partition] : [20, i, -1]))
  return whole({
    op: 'retry-letter',
    topic,
    subscription: chance.pick(['s', 'sub-1', '구독']),
    maxRedeliverCount: chance.between(0, 5),
    ...(chance.odds(0.5) ? { message } : {}),
    ids,
    single: chance.odds(0.2),
    failures,
  })
}

function failure(chance: Chance): object {
  if (chance.odds(0.08)) return { dead: true }
  const times = ['3', '-5', 'x', '', '2147483647', '-2147483648', '2147483648', '+1', '٣']
  const name = chance.pick(['x', 'DELAY_TIME', 'RECONSUMETIMES', 'ORIGIN_MESSAGE_ID'])
  const value = name === 'RECONSUMETIMES' && chance.odds(0.4) ? chance.pick(times) : String(chance.between(0, 4))
  const delayMs = chance.pick([0, 1, 1000, chance.between(-10, 100_000)])
  return { delayMs, ...(chance.odds(0.2) ? { properties: { [name]: value } } : {}) }
}

export const delayed: Draw = (chance) => {
  let now = START
  const add = (deliverAt: number) => ({ add: [chance.between(1, 3), chance.between(0, 9), deliverAt] })
  const steps = chance.times(chance.between(3, 30), () => {
    const style = chance.between(0, 19)
    if (style < 6) return add(now + chance.between(-500, 6000))
    if (style < 10) return add(now + chance.between(0, 3) * 1000)
    if (style < 15) {
      now += chance.between(0, 2500)
      return { at: now }
    }
    if (style < 18) return { take: chance.pick([0, 1, 2, 3, 100]) }
    return style === 18 ? { tickMs: chance.pick([1, 100, 512, 1000, 5000]) } : chance.pick([{ clear: true }, add(-1)])
  })
  return whole({
    op: 'delayed-delivery',
    at: START,
    tickMs: chance.pick([1, 50, 100, 511, 512, 1000, 1024]),
    strict: chance.odds(0.5),
    lookahead: chance.pick([0, 1, 2, 5, 50_000]),
    steps,
  })
}

export const expiry: Draw = (chance) =>
  chance.pick([expire, expire, replicators, expired, findRange, replicate])(chance)

const CLUSTERS = ['us', 'eu', 'ap', 'cn']

function message(chance: Chance): object {
  const time = () => START + chance.pick([0, -10_000, -10_001, chance.between(-20_000, 100)])
  return {
    publishTime: time(),
    ...(chance.odds(0.3) ? { brokerTime: time() } : {}),
  }
}

const ttl = (chance: Chance): number => chance.pick([10, 10, 0, 1, -1, 5, 2 ** 31 - 1])

function expired(chance: Chance): Question {
  const messages = chance.times(24, () => message(chance))
  return listOf({ op: 'message-expired', ttlSeconds: ttl(chance), now: START, messages }, 'messages')
}

function findRange(chance: Chance): Question {
  let closed = 0
  const list = chance.times(chance.between(0, 5), (i) => {
    closed += chance.between(0, 1500)
    return { id: i + 1, entries: chance.between(0, 5), closed }
  })
  if (list.length > 0 && chance.odds(0.7)) list[list.length - 1]!.closed = 0
  const skewMs = chance.pick([0, 0, 100, 1000, -1])
  return whole({ op: 'find-range', ledgers: list, last: [9, 9], timestamp: chance.between(0, 6000), skewMs })
}

function expire(chance: Chance): Question {
  let time = START - chance.between(5, 60) * 1000
  const step = () => {
    time = Math.min(START, time + chance.pick([0, 1, 1000 * chance.between(0, 8)]))
    return time
  }
  const list = chance.times(chance.between(1, 4), (i) => {
    const times = chance.times(chance.between(0, 5), step)
    return { id: i + 1, closed: chance.odds(0.1) ? step() : time, times }
  })
  list[list.length - 1]!.closed = 0
  const skew = { managedLedgerCursorResetLedgerCloseTimestampMaxClockSkewMillis: chance.pick([-1, 0, 2000]) }
  const config = chance.odds(0.3) ? { config: skew } : {}
  const markDeleted = chance.odds(0.7) ? [1, -1] : [chance.between(1, list.length), chance.between(-1, 2)]
  const ttlSeconds = chance.pick([0, 1, 5, 10, 20])
  return whole({ op: 'expire', now: START, ttlSeconds, markDeleted, ledgers: list, ...config })
}

function replicators(chance: Chance): Question {
  const some = () => chance.shuffled(CLUSTERS).filter(() => chance.odds(0.5))
  return whole({
    op: 'replicators',
    local: 'us',
    clusters: some(),
    ...(chance.odds(0.3) ? { topicClusters: some() } : {}),
    ...(chance.odds(0.4) ? { allowed: some() } : {}),
    running: some().filter((name) => name !== 'us'),
  })
}

function replicate(chance: Chance): Question {
  const messages = chance.times(16, () => ({
    ...message(chance),
    ...(chance.odds(0.2) ? { replicatedFrom: chance.pick(CLUSTERS) } : {}),
    ...(chance.odds(0.4) ? { replicateTo: chance.pick([['eu'], ['us'], ['eu', 'ap'], ['__local__'], []]) } : {}),
    ...(chance.odds(0.3) ? { marker: chance.pick([10, 11, 12, 13, 20, 21, 22, 23]) } : {}),
  }))
  return listOf(
    { op: 'replicate', local: 'us', remote: 'eu', ttlSeconds: ttl(chance), now: START, messages },
    'messages',
  )
}
