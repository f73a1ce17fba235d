/**
 * Row 1 on 10,000 keys, measured by tinybench and by benchmark.js: two harnesses that share no code must tell the same.
 *
 * The two run in turn, and the best of each is compared: a neighbour on the machine only ever adds time. They may differ
 * by TOLERANCE, since benchmark.js reports means of cycles of half a second, where a slice here is a few calls; on a quiet
 * machine they agree within 3 %. A disturbed comparison is repeated twice before it counts as a failure.
 */
import Benchmark from 'benchmark'
import { kafka } from '../../src/index.js'
import { TOPICS } from '../corpora.js'
import { kafkajsPartitioner } from '../peers/kafka-clients.js'
import { type Contestant, checkAnswers, type Effort, race } from '../race.js'
import type { CaseResult, Row } from '../row.js'

const KEYS = 10_000
const PARTITIONS = 12
const TOLERANCE = 0.15
const ATTEMPTS = 3

/** Nanoseconds a key of the best sample. */
function byBenchmarkJs({ name, run }: Contestant, items: number, { rounds }: Effort): number {
  const bench = new Benchmark(name, run, { minSamples: 2 + rounds, maxTime: 0.1 * rounds }).run({ async: false })
  if (bench.error !== undefined) throw bench.error
  return (Math.min(...bench.stats.sample) * 1e9) / items
}

function harnessCases(effort: Effort): CaseResult[] {
  const keys = TOPICS.make(Math.min(KEYS, effort.items))
  const kafkajs = kafkajsPartitioner(PARTITIONS)
  const theirs = { name: 'kafkajs', run: () => Int32Array.from(keys, kafkajs) }
  const ours = { name: 'topic-placement', run: () => kafka.partitionsForKeys(keys, PARTITIONS) }
  const expected = theirs.run()
  checkAnswers(ours.name, ours.run(), expected)
  return [ours, theirs].map((contestant) => comparison(contestant, expected, effort))
}

function comparison(contestant: Contestant, expected: ArrayLike<number>, effort: Effort): CaseResult {
  let [tinybench, benchmarkJs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let attempt = 1; ; attempt++) {
    tinybench = Math.min(tinybench, race([contestant], expected, { ...effort, clock: 'wall' }).ours.best)
    benchmarkJs = Math.min(benchmarkJs, byBenchmarkJs(contestant, expected.length, effort))
    const difference = Math.abs(benchmarkJs / tinybench - 1)
    const figures = { tinybench, 'benchmark.js': benchmarkJs, 'difference %': difference * 100 }
    if (difference <= TOLERANCE || effort.sliceMs === 0) {
      return { case: contestant.name, unit: 'key', items: expected.length, figures }
    }
    if (attempt === ATTEMPTS) {
      throw new Error(
        `harness, ${contestant.name}: expected two harnesses to agree within ${TOLERANCE * 100} %, got ${tinybench.toFixed(1)} ns a key by tinybench and ${benchmarkJs.toFixed(1)} by benchmark.js`,
      )
    }
  }
}

export const HARNESS_ROWS: readonly Row[] = [
  {
    name: 'harness',
    work: 'row 1 on 10,000 keys by tinybench and by benchmark.js',
    goal: `the two within ${TOLERANCE * 100} %`,
    run: harnessCases,
  },
]
