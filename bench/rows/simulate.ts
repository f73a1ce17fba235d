/**
 * The row of load managers over time: 1,000 brokers, 20,000 bundles, 1,000 steps, one thread. There is no peer: the broker that would
 * do it takes 1,000 minutes. Loads are skewed, and a broker starts with as many bundles as chance gives it.
 */
import { pulsar } from '../../src/index.js'
import type { Effort } from '../race.js'
import { memoryAbove, resident } from '../resident.js'
import type { CaseResult, Row } from '../row.js'

const CHOICES: Readonly<Record<string, pulsar.LoadManagerChoice>> = {
  'AvgShedder, 5.0': {},
  'ThresholdShedder, 4.2': { version: '4.2' },
  'TransferShedder, 5.0': { loadManager: 'extensible' },
}

const hex = (n: number): string => `0x${n.toString(16).padStart(8, '0')}`

function questionOf({ items }: Effort): pulsar.LoadSimulationQuestion {
  const share = Math.min(1, items / 1e6)
  const brokers = Math.max(10, Math.round(1000 * share))
  const bundles = brokers * 20
  const next = numbers(bundles * 2)
  const named = Array.from({ length: bundles }, (_, i) => {
    const start = Math.floor(i / 100) * 2 ** 24
    const name = `acme/n${i % 100}/${hex(start)}_${hex(start + 2 ** 24 - 1)}`
    return { name, owner: `broker-${Math.floor(next[2 * i]! * brokers)}:8080` }
  })
  const loads = named.map(({ name }, i) => {
    const weight = next[2 * i + 1]! ** 3 * 4
    const [rate, bytes] = [weight * 500, weight * 2e6]
    const load = { cpu: weight * 2, msgRateIn: rate, msgRateOut: rate, msgThroughputIn: bytes, msgThroughputOut: bytes }
    return [name, load] as const
  })
  return {
    brokers: Array.from({ length: brokers }, (_, i) => ({ name: `broker-${i}:8080`, limits: { cpu: 200 } })),
    bundles: named,
    loads: Object.fromEntries(loads),
    steps: Math.max(100, Math.round(1000 * share)),
  }
}

/** Numbers in [0, 1), the same each time. */
function numbers(count: number): Float64Array {
  let state = 12345
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  })
}

/** Load is neither made nor lost, but for what a broker cannot report that has 100 %; and the cluster is no less even at the end. */
function checkAnswer({ loads, steps }: pulsar.LoadSimulation, name: string, mean: number): void {
  const wrong = loads.mean.findIndex((usage, i) => {
    return usage > mean + 1e-4 || (usage < mean - 1e-4 && loads.max[i]! < 100)
  })
  if (wrong >= 0) throw new Error(`${name}: mean usage ${loads.mean[wrong]} in step ${wrong + 1}, expected ${mean}`)
  if (loads.std[steps - 1]! > loads.std[0]!) throw new Error(`${name}: less even at the end`)
}

function simulateCase(name: string, question: pulsar.LoadSimulationQuestion, { rounds }: Effort): CaseResult {
  const total = Object.values(question.loads).reduce((sum, { cpu }) => sum + (cpu as number), 0)
  const before = resident()
  let [best, moves] = [Number.POSITIVE_INFINITY, -1]
  for (let round = 0; round < Math.min(2, rounds); round++) {
    const began = performance.now()
    const answer = pulsar.simulate({ ...question, ...CHOICES[name] })
    best = Math.min(best, performance.now() - began)
    checkAnswer(answer, name, total / 2 / question.brokers.length)
    if (moves >= 0 && answer.moves.length !== moves) throw new Error(`${name}: other moves for the same question`)
    moves = answer.moves.length
  }
  const figures = { seconds: best / 1000, moves, ...memoryAbove(before) }
  return { case: name, unit: 'bundle', items: question.bundles.length, figures }
}

export const SIMULATE_ROWS: readonly Row[] = [
  {
    name: 'simulate',
    work: '1,000 brokers × 20,000 bundles × 1,000 shedding intervals',
    goal: '≤ 10 s and ≤ 500 MB (issue 8)',
    run: (effort) => {
      const question = questionOf(effort)
      return Object.keys(CHOICES).map((name) => simulateCase(name, question, effort))
    },
  },
]
