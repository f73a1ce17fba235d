/**
 * What a plan still takes after its signal: `node build/test/test/planner/aborts.js [SIZE] [ENGINE] [TIMES]`, a size by its
 * place in the planner's table.
 *
 * The plan is stopped so many times, ever later. Prints the milliseconds of the longest end, by the clock and of the
 * processor: what others compute meanwhile does not count in the second.
 */
import { CLUSTERS, problemOf } from '../../bench/clusters.js'
import { useEngine } from '../../src/engine/index.js'
import { kafka } from '../../src/index.js'
import { ENGINES } from '../engines.js'
import { askedOf } from './shuffled.js'

const [size = '2', engine = ENGINES[0]!, times = '12'] = process.argv.slice(2)

const asked = askedOf(problemOf(CLUSTERS[Number(size) - 1]!))
const cluster = kafka.Cluster.from(asked.cluster)

/** Milliseconds by the clock and of the processor from a moment on; `null` where the plan was done before. */
async function ended(after: number): Promise<readonly [clock: number, processor: number] | null> {
  const control = new AbortController()
  const plan = kafka.planReassignmentAsync(cluster, { ...asked.options, signal: control.signal })
  let [began, before] = [0, process.cpuUsage()]
  const timer = setTimeout(() => {
    began = performance.now()
    before = process.cpuUsage()
    control.abort()
  }, after)
  const isDone = await plan.then(
    () => true,
    () => false,
  )
  clearTimeout(timer)
  if (isDone) return null
  const { user, system } = process.cpuUsage(before)
  return [performance.now() - began, (user + system) / 1000]
}

useEngine(engine as (typeof ENGINES)[number])
const began = performance.now()
await kafka.planReassignmentAsync(cluster, asked.options)
const whole = performance.now() - began
let [clock, processor] = [0, 0]
let stopped = 0
for (let i = 0; i < Number(times); i++) {
  const one = await ended((whole * i) / Number(times))
  if (one === null) continue
  stopped += 1
  clock = Math.max(clock, one[0])
  processor = Math.max(processor, one[1])
}
console.log(JSON.stringify({ whole, stopped, clock, processor }))
