/**
 * Rows of replicas placed and planned beside others: the placers of Kafka's jar; the jar's `--generate`, which places anew; and a
 * solver of linear programs, whose optimum is the planner's.
 */
import highs from 'highs'
import { engine, useEngine } from '../../src/engine/index.js'
import type { PlanProblem } from '../../src/engine/plan-contract.js'
import { kafka } from '../../src/index.js'
import { CLUSTERS, problemOf } from '../clusters.js'
import { jarsMissing, startJars } from '../peers/jars.js'
import { linearProgram } from '../peers/linear-program.js'
import { type Contestant, checkAnswers, type Effort, raceWith } from '../race.js'
import type { CaseResult, Row } from '../row.js'

/** Its types are written for CommonJS, where the loader is the field `default`; an import of ESM gives the loader itself. */
const loadSolver = highs as unknown as typeof highs.default

const BROKERS = 200
const RACKS = 5
const SEED = 20_261_201

const racks = Array.from({ length: BROKERS }, (_, id) => `r${id % RACKS}`)
const brokers = racks.map((rack, id) => ({ id, rack }))

const placing = (placer: 'striped' | 'alternating', partitions: number) => (): Int32Array =>
  kafka.placeReplicas({ placer, brokers, partitions, replicationFactor: 3, random: { seed: SEED } }).replicas

function onFallback(contestant: () => Int32Array): Contestant {
  const run = () => {
    useEngine('fallback')
    try {
      return contestant()
    } finally {
      useEngine(null)
    }
  }
  return { name: 'our fallback', run }
}

async function placerCase(placer: 'striped' | 'alternating', effort: Effort): Promise<CaseResult> {
  const title = `${placer}, ${BROKERS} brokers in ${RACKS} racks, three replicas`
  const program = placer === 'striped' ? 'Striped' : 'Alternating'
  const partitions = effort.items
  const missing = jarsMissing(program)
  if (missing !== undefined) return { case: title, unit: 'partition', items: 0, skipped: missing }
  const jar = await startJars(program, { racks, partitions, replicationFactor: 3, seed: SEED })
  try {
    const { values } = await jar.answer()
    const run = placing(placer, partitions)
    const contestants = [{ name: 'topic-placement', run }, onFallback(run)]
    return {
      case: title,
      unit: 'replica',
      items: values.length,
      race: await raceWith(jar, contestants, values, effort),
    }
  } finally {
    jar.stop()
  }
}

/** Best time of so many plans. */
function planned(problem: PlanProblem, { rounds }: Effort) {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    engine().planReplicas(problem)
    best = Math.min(best, performance.now() - began)
  }
  const { moves, bound } = engine().planReplicas(problem)
  if (moves !== bound) throw new Error(`${moves} moves, the bound is ${bound}`)
  return { 'our milliseconds': best, 'our moves': moves, 'the bound': bound }
}

async function generateCase(effort: Effort): Promise<CaseResult> {
  const [shape] = CLUSTERS
  const small = Math.min(1, effort.items / 1e5)
  const problem = problemOf({ ...shape!, replicas: shape!.replicas * small, topics: Math.ceil(shape!.topics * small) })
  const title = `--generate of the jar, ${problem.replicas.length} replicas, ${problem.rackOf.length} brokers, 3 added`
  const missing = jarsMissing('Generate')
  if (missing !== undefined) return { case: title, unit: 'replica', items: 0, skipped: missing }
  const { topicOf, offsets, replicas, rackOf, isIn } = problem
  const listed = Array.from(rackOf.keys()).filter((id) => isIn[id] === 1)
  const jar = await startJars('Generate', { topicOf, offsets, replicas, rackOf, brokers: listed })
  try {
    const { values } = await jar.answer()
    const { best } = await jar.slice(effort)
    const figures = {
      ...planned(problem, effort),
      "Kafka's milliseconds": best,
      "Kafka's moves": movesTo(problem, values),
    }
    return { case: title, unit: 'replica', items: replicas.length, figures }
  } finally {
    jar.stop()
  }
}

/** Replicas that are new on their broker. */
function movesTo({ offsets, replicas, topicOf }: PlanProblem, after: Int32Array): number {
  let moves = 0
  for (let p = 0; p < topicOf.length; p++) {
    const held = replicas.subarray(offsets[p]!, offsets[p + 1]!)
    for (const id of after.subarray(offsets[p]!, offsets[p + 1]!)) if (!held.includes(id)) moves += 1
  }
  return moves
}

/** Three racks of four brokers hold all evenly; one comes to each, and loads come out even again. */
function evenProblem(partitions: number): PlanProblem {
  const rackOf = Uint32Array.from({ length: 15 }, (_, b) => b % 3)
  const replicas = Uint32Array.from({ length: 3 * partitions }, (_, i) => {
    const [p, rack] = [Math.floor(i / 3), (Math.floor(i / 3) + i) % 3]
    return rack + 3 * ((p * 7 + (p >> 2) + rack) % 4)
  })
  return {
    rackOf,
    racks: 3,
    isIn: new Uint8Array(15).fill(1),
    offsets: Uint32Array.from({ length: partitions + 1 }, (_, p) => 3 * p),
    replicas,
    topicOf: new Uint32Array(partitions),
    weights: null,
    factors: null,
    rule: 'spread',
    first: 'counts',
    after: [],
  }
}

async function linearCase(effort: Effort): Promise<CaseResult> {
  const partitions = effort.items < 1e5 ? 20 : 500
  const problem = evenProblem(partitions)
  const solver = await loadSolver()
  const program = linearProgram(problem)
  const began = performance.now()
  const { Status, ObjectiveValue } = solver.solve(program)
  const took = performance.now() - began
  const ours = planned(problem, effort)
  if (Status !== 'Optimal') throw new Error(`HiGHS: ${Status}`)
  checkAnswers('moves of HiGHS', [Math.round(ObjectiveValue)], [ours['our moves']])
  return {
    case: `a linear program, ${partitions} partitions, 12 brokers in 3 racks, 3 added`,
    unit: 'replica',
    items: problem.replicas.length,
    figures: { ...ours, "HiGHS' milliseconds": took, "HiGHS' moves": ObjectiveValue },
  }
}

export const PLACEMENT_ROWS: readonly Row[] = [
  {
    name: 'placers',
    work: 'replicas of one new topic, as the controller and the older tools place them',
    goal: 'faster than the jar',
    run: async (effort) => [await placerCase('striped', effort), await placerCase('alternating', effort)],
  },
  {
    name: 'planner-peers',
    work: "the fewest moves beside Kafka's own proposal, and beside a solver of linear programs",
    goal: "far fewer moves than the tool's; the solver's optimum, sooner",
    run: async (effort) => [await generateCase(effort), await linearCase(effort)],
  },
]
