/**
 * Row 9e: a gateway's loop. Ten million single keys of mixed lengths, some not ASCII, some Buffers, some long, while the
 * number of partitions changes under them.
 *
 * Two passes a contestant. `timed`: each call between two readings of the clock, whose own median cost (an empty call in
 * the same loop) is taken off; it shows the tail. `blocks`: a reading every 1,000 calls; it shows the mean, and the
 * garbage collections there are the contestant's own, since nothing else in that loop allocates.
 */
import { type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { kafka } from '../../src/index.js'
import { flat, keysOfLength, MIXED, NON_ASCII, RECORD_KEYS, seeded, TOPICS } from '../corpora.js'
import { kafkajsPartitioner } from '../peers/kafka-clients.js'
import { checkAnswers, compiledAlone, type Effort, quantile } from '../race.js'
import type { CaseResult, Row } from '../row.js'

type GatewayKey = string | Buffer
type Ask = (key: GatewayKey, numPartitions: number) => number

/** The partition counts that the topic has, one after the other: every 4,096 calls another one. */
const COUNTS = [12, 13, 24, 48, 96, 6, 1, 100] as const
const CALLS_A_COUNT_LOG2 = 12
const BLOCK = 1_000
const POOL = 1 << 15

/** kafkajs is asked for a tenth of the calls: it needs microseconds for each. */
const KAFKAJS_SHARE = 0.1

/** Keys as they arrive at a gateway, in no order. */
function gatewayKeys(): GatewayKey[] {
  const parts = [
    ...RECORD_KEYS.make(POOL / 2),
    ...TOPICS.make(POOL / 8),
    ...MIXED.make(POOL / 16),
    ...NON_ASCII.make(POOL / 4).map((name, i) => (i % 2 === 0 ? name : flat(`${name}-ключ`))),
    ...keysOfLength(POOL / 64, 1024),
  ]
  const random = seeded(9)
  const keys: GatewayKey[] = Array.from({ length: POOL }, (_, i) => parts[i % parts.length]!)
  for (let i = keys.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1))
    ;[keys[i], keys[other]] = [keys[other]!, keys[i]!]
  }
  return keys.map((key, i) => (i % 8 === 3 ? Buffer.from(key) : key))
}

function kafkajs(): Ask {
  const partitioners = new Map(COUNTS.map((count) => [count as number, kafkajsPartitioner(count)]))
  return (key, numPartitions) => partitioners.get(numPartitions)!(key)
}

/** Calls in a row; the answers are summed so that no call can be left out. */
interface Loops {
  timed(calls: number, nanoseconds: Float32Array): number
  blocks(calls: number, nanoseconds: Float32Array): number
}

/** Loops of its own for each contestant, compiled from text: see eachKey in race.ts. */
function loopsOf(ask: Ask, keys: readonly GatewayKey[]): Loops {
  const next = `const key = keys[i & ${POOL - 1}], count = counts[(i >> ${CALLS_A_COUNT_LOG2}) & ${COUNTS.length - 1}]`
  return compiledAlone<Loops>(
    `return {
      timed(calls, nanoseconds) {
        let sum = 0
        for (let i = 0; i < calls; i++) {
          ${next}
          const from = performance.now()
          sum = (sum + ask(key, count)) | 0
          nanoseconds[i] = (performance.now() - from) * 1e6
        }
        return sum
      },
      blocks(calls, nanoseconds) {
        let sum = 0
        for (let block = 0; block < calls / ${BLOCK}; block++) {
          const from = performance.now()
          for (let i = block * ${BLOCK}; i < (block + 1) * ${BLOCK}; i++) {
            ${next}
            sum = (sum + ask(key, count)) | 0
          }
          nanoseconds[block] = (performance.now() - from) * ${1e6 / BLOCK}
        }
        return sum
      },
    }`,
    { ask, keys, counts: COUNTS, performance },
  )
}

/** Garbage collections while `work` ran. */
async function collections(work: () => void): Promise<{ count: number; worst: number; total: number }> {
  const seen: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  // What the loops before left behind is not this one's.
  globalThis.gc?.()
  await pause(20)
  const from = performance.now()
  work()
  const to = performance.now()
  // Entries are handed over by later turns of the event loop.
  await pause(20)
  observer.disconnect()
  const during = seen.filter(({ startTime }) => startTime >= from && startTime < to)
  const durations = during.map(({ duration }) => duration * 1000)
  return { count: durations.length, worst: Math.max(0, ...durations), total: durations.reduce((a, b) => a + b, 0) }
}

/** Figures of one contestant, nanoseconds a call and microseconds a pause. */
async function measured(loops: Loops, calls: number, clock: number): Promise<Record<string, number>> {
  loops.timed(Math.min(calls, 200_000), new Float32Array(calls))
  loops.blocks(Math.min(calls, 200_000), new Float32Array(calls))
  const timed = new Float32Array(calls)
  const blocks = new Float32Array(calls / BLOCK)
  const whileTimed = await collections(() => loops.timed(calls, timed))
  const { count, worst, total } = await collections(() => loops.blocks(calls, blocks))
  timed.sort()
  const alone = (share: number): number => Math.max(0, timed[Math.min(calls - 1, Math.floor(share * calls))]! - clock)
  return {
    calls,
    p50: alone(0.5),
    'p99.9': alone(0.999),
    worst: alone(1),
    'gc while timed': whileTimed.count,
    'block mean p50': quantile(Float64Array.from(blocks), 0.5),
    'block mean p99.9': quantile(Float64Array.from(blocks), 0.999),
    gc: count,
    'gc worst µs': worst,
    'gc total µs': total,
  }
}

function medianOf(loops: Loops, calls: number): number {
  const timed = new Float32Array(calls)
  loops.timed(calls, timed)
  loops.timed(calls, timed)
  return timed.sort()[calls >> 1]!
}

async function gatewayCases({ calls }: Effort): Promise<CaseResult[]> {
  const keys = gatewayKeys()
  const theirs = kafkajs()
  for (const count of COUNTS) {
    const expected = keys.slice(0, 4096).map((key) => theirs(key, count))
    checkAnswers(
      'topic-placement',
      keys.slice(0, 4096).map((key) => kafka.partitionForKey(key, count)),
      expected,
    )
  }
  const few = Math.max(BLOCK, calls * KAFKAJS_SHARE)
  const empty = loopsOf(() => 0, keys)
  const clock = medianOf(empty, few)
  const ours = await measured(
    loopsOf((key, count) => kafka.partitionForKey(key, count), keys),
    calls,
    clock,
  )
  const peer = await measured(loopsOf(theirs, keys), few, clock)
  const ratios = Object.fromEntries(
    ['p50', 'p99.9', 'worst', 'block mean p50'].map((name) => [`${name} ratio`, peer[name]! / ours[name]!]),
  )
  return [
    { case: 'clock alone', unit: 'call', items: few, figures: { ...(await measured(empty, few, 0)) } },
    { case: 'topic-placement', unit: 'call', items: calls, figures: ours },
    { case: 'kafkajs', unit: 'call', items: few, figures: peer },
    { case: 'kafkajs over topic-placement', unit: 'call', items: few, figures: ratios },
  ]
}

export const GATEWAY_ROWS: readonly Row[] = [
  {
    name: '9e',
    work: 'a gateway: ten million single keys, counts changing, against kafkajs in the same loop',
    goal: 'p50 ≥ 20 ×, p99.9 ≥ 5 ×; no garbage collection of ours',
    run: gatewayCases,
  },
]
