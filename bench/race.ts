/**
 * Timing of contestants against each other, with tinybench as the clock.
 *
 * The machines are shared and noisy, so the contestants run in turn, a slice each, round after round: a busy minute
 * hits all of them. The best of all samples is the figure; the quartiles of the rounds show how far to trust it.
 */
import { Bench } from 'tinybench'

/** How much to measure. */
export interface Effort {
  /** Keys of the rows over many keys: a million, or 1,000 when run as a test. */
  readonly items: number
  /** Each contestant gets this many slices… */
  readonly rounds: number
  /** …of at least this long, and of one call at least. */
  readonly sliceMs: number
  /** Single keys that the gateway loop asks. */
  readonly calls: number
  /** Peers that take a minute for one answer are asked too. */
  readonly patient: boolean
  /**
   * What a slice is timed by. `processor`: the time that this process computed, garbage collection included, for machines
   * whose processors are taken away every few milliseconds; it is told in microseconds, so short calls stay on the wall.
   */
  readonly clock: 'wall' | 'processor'
}

export const EFFORTS = {
  quick: { items: 1_000, rounds: 1, sliceMs: 0, calls: 5_000, patient: false, clock: 'wall' },
  normal: { items: 1_000_000, rounds: 5, sliceMs: 150, calls: 10_000_000, patient: false, clock: 'wall' },
  slow: { items: 1_000_000, rounds: 25, sliceMs: 300, calls: 10_000_000, patient: true, clock: 'wall' },
} as const satisfies Record<string, Effort>

/** What runs: answers for all items, which are checked before anything is timed. */
export interface Contestant {
  readonly name: string
  readonly run: () => ArrayLike<number>
  /** What it must give where its work is another one: the bytes of a copy. Default: what the race expects. */
  readonly expected?: ArrayLike<number>
  /** It is asked the first so many alone, since it is slow; they lie in cache more often, which favours it. Default: all. */
  readonly items?: number
}

/** Nanoseconds an item. */
export interface Timing {
  readonly name: string
  /** Of all samples. */
  readonly best: number
  /** Quartiles of the rounds' medians; the Rust bench tells its best alone. */
  readonly rounds?: Quartiles
}

/** First quartile, median, third quartile. */
export type Quartiles = readonly [q1: number, median: number, q3: number]

/** A peer's time over ours: more than 1 means that ours is faster. */
export interface PeerTiming extends Timing {
  /** Of the two best. */
  readonly ratio: number
  /** Quartiles of the ratios round by round. */
  readonly ratioRounds?: Quartiles
}

/** One question, answered by all. */
export interface Race {
  readonly ours: Timing
  readonly peers: readonly PeerTiming[]
}

/**
 * Checks that every contestant gives `expected`, then times them.
 *
 * @param contestants ours first
 * @param expected of an independent judge
 */
export function race(contestants: readonly Contestant[], expected: ArrayLike<number>, effort: Effort): Race {
  checkAll(contestants, expected)
  const samples = contestants.map(() => [] as Slice[])
  for (let round = 0; round < effort.rounds; round++) {
    contestants.forEach((contestant, i) => {
      samples[i]!.push(slice(contestant, effort, contestant.items ?? expected.length))
    })
  }
  return raceOf(contestants, samples)
}

/** A contestant in a process of its own, which waits while others run and times itself. */
export interface Distant {
  readonly name: string
  /** Milliseconds for all items. */
  readonly slice: (effort: Effort) => Promise<Slice>
}

/** The same with a last contestant from elsewhere, whose answer the caller asked for: it can be `expected`. */
export async function raceWith(
  distant: Distant,
  contestants: readonly Contestant[],
  expected: ArrayLike<number>,
  effort: Effort,
): Promise<Race> {
  checkAll(contestants, expected)
  const samples = [...contestants, distant].map(() => [] as Slice[])
  for (let round = 0; round < effort.rounds; round++) {
    contestants.forEach((contestant, i) => {
      samples[i]!.push(slice(contestant, effort, contestant.items ?? expected.length))
    })
    samples.at(-1)!.push(eachOf(await distant.slice(effort), expected.length))
  }
  return raceOf([...contestants, distant], samples)
}

function checkAll(contestants: readonly Contestant[], expected: ArrayLike<number>): void {
  for (const { name, run, expected: own, items } of contestants) {
    checkAnswers(name, run(), own ?? Array.prototype.slice.call(expected, 0, items))
  }
}

function raceOf(contestants: readonly { readonly name: string }[], samples: readonly Slice[][]): Race {
  const [ours, ...peers] = contestants.map(({ name }, i) => timing(name, samples[i]!))
  return { ours: ours!, peers: peers.map((peer, i) => against(peer, ours!, [samples[i + 1]!, samples[0]!])) }
}

/** @throws Error at the first answer that differs: a fast wrong answer is worth nothing. */
export function checkAnswers(name: string, got: ArrayLike<number>, expected: ArrayLike<number>): void {
  if (got.length < expected.length) throw new Error(`${name}: ${got.length} answers, expected ${expected.length}`)
  for (let i = 0; i < expected.length; i++) {
    // 32 bits are compared, whatever their sign.
    if ((got[i]! ^ expected[i]!) !== 0) throw new Error(`${name}: answer ${i} is ${got[i]}, expected ${expected[i]}`)
  }
}

const ONE_SLICE = { iterations: 1, warmup: false, subtractTimerOverhead: true, throws: true }

/** Milliseconds. */
const CLOCKS: Readonly<Record<Effort['clock'], () => number>> = {
  wall: () => performance.now(),
  processor: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
}

/** Best and median of one contestant's slice of a round. */
export interface Slice {
  readonly best: number
  readonly median: number
}

function slice({ name, run }: Contestant, { sliceMs, clock }: Effort, items: number): Slice {
  const bench = new Bench({ ...ONE_SLICE, time: sliceMs, now: CLOCKS[clock] })
  // Told to be synchronous: tinybench would call it once more to find out.
  bench.add(name, run, { async: false })
  const task = bench.tasks[0]!.runSync()
  if (task.result.state !== 'completed') throw new Error(`${name}: ${task.result.state}`)
  return eachOf({ best: task.result.latency.min, median: task.result.latency.p50 }, items)
}

/** Milliseconds of all items as nanoseconds of one. */
function eachOf({ best, median }: Slice, items: number): Slice {
  return { best: (best * 1e6) / items, median: (median * 1e6) / items }
}

function timing(name: string, slices: readonly Slice[]): Timing {
  return {
    name,
    best: Math.min(...slices.map(({ best }) => best)),
    rounds: quartiles(slices.map(({ median }) => median)),
  }
}

function against(
  peer: Timing,
  ours: Timing,
  [theirs, mine]: readonly [readonly Slice[], readonly Slice[]],
): PeerTiming {
  const ratios = theirs.map(({ median }, round) => median / mine[round]!.median)
  return { ...peer, ratio: peer.best / ours.best, ratioRounds: quartiles(ratios) }
}

function quartiles(values: readonly number[]): Quartiles {
  return [quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)]
}

/** The value at a share of the sorted values: the nearest one, none invented between two. */
export function quantile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

let compiled = 0

/**
 * What a text makes of its names, compiled anew at each call. Two functions of one text share what V8 learns: a loop that has called
 * one contestant inlines no other, which is why the text ends in a number.
 *
 * @param text the body of a function with the names of `values` as parameters
 */
export function compiledAlone<T>(text: string, values: Readonly<Record<string, unknown>>): T {
  const make = new Function(...Object.keys(values), `${text}\n// ${compiled++}`)
  return make(...Object.values(values)) as T
}

const LOOP = 'return () => { for (let i = 0; i < keys.length; i++) out[i] = ask(keys[i]); return out }'

/**
 * A contestant that asks one key a call, for all keys.
 *
 * Each gets a loop of its own: in one shared loop the call would have many targets, and V8 would inline none of them, where a
 * gateway's own loop has one.
 */
export function eachKey<K>(name: string, keys: readonly K[], ask: (key: K) => number): Contestant {
  return { name, run: compiledAlone(LOOP, { keys, ask, out: new Int32Array(keys.length) }) }
}
