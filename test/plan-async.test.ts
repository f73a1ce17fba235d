/** `kafka.planReassignmentAsync` on larger clusters: progress in every mode, and an end soon after the signal. */
import test from 'ava'
import { kafka } from '../src/index.js'
import { ENGINES, onEngineAsync } from './engines.js'
import { chanceOf } from './planner/chance.js'

const BROKERS = 200

/** 60,000 partitions that drifted to the first brokers, and a fifth of the brokers new. */
function skewed(): kafka.ClusterSnapshot {
  const chance = chanceOf(5)
  const brokers = Array.from({ length: BROKERS }, (_, id) => ({ id, rack: `r${id % 3}` }))
  const topics = Array.from({ length: 60 }, (_, t) => ({
    name: `t${t}`,
    partitions: Array.from({ length: 1000 }, () => {
      const first = Math.min(chance(160), chance(160))
      return [first, (first + 1) % 160, (first + 2) % 160]
    }),
  }))
  return { brokers, topics }
}

const CASES: readonly (readonly [name: string, options: kafka.PlanOptions])[] = [
  ['balance', {}],
  ['repair', { removeBrokers: [0, 1, 2] }],
  ['leaders', { mode: 'leaders', rackRule: 'none' }],
  ['replication-factor', { mode: 'replication-factor', replicationFactor: 4 }],
  ['replace', { replace: [[3, 199]] }],
]

for (const engine of ENGINES) {
  for (const [name, options] of CASES) {
    test.serial(`${engine}: ${name} tells how far it is, to the end`, async (t) => {
      const cluster = kafka.Cluster.from(skewed())
      const told: (readonly [number, number])[] = []
      const onProgress = (...progress: [number, number]): void => void told.push(progress)
      await onEngineAsync(engine, () => kafka.planReassignmentAsync(cluster, { ...options, onProgress }))
      t.true(told.length > 0 && told.every(([done, total]) => done <= total && total > 0))
      t.is(told.at(-1)![0], told.at(-1)![1])
    })

    test.serial(`${engine}: ${name} ends soon after the signal, with its reason`, async (t) => {
      const cluster = kafka.Cluster.from(skewed())
      const reason = new Error('enough')
      const signal = AbortSignal.abort(reason)
      const late = new AbortController()
      const ask = (signal: AbortSignal) =>
        onEngineAsync(engine, () => kafka.planReassignmentAsync(cluster, { ...options, signal }))
      t.is(await t.throwsAsync(ask(signal)), reason)
      const asked = ask(late.signal)
      let began = 0
      setImmediate(() => {
        began = performance.now()
        late.abort(reason)
      })
      t.is(await t.throwsAsync(asked), reason)
      // A turn of the fallback is a round of the search.
      if (engine === 'native') t.true(performance.now() - began < 1000)
    })
  }
}
