/** `kafka.planReassignmentAsync` on larger clusters: progress in every mode, and an end soon after the signal. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { kafka } from '../src/index.js'
import { ENGINES, onEngine, onEngineAsync } from './engines.js'
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

/** One sentence for each thing that does not hold: it grows, and is whole at the end and only there. */
function wrongProgress(told: readonly (readonly [done: number, total: number])[]): string[] {
  const wrong: string[] = []
  for (const [i, [done, total]] of told.entries()) {
    if (i > 0 && done <= told[i - 1]![0]) wrong.push(`${done} comes after ${told[i - 1]![0]}`)
    if (total !== told[0]![1]) wrong.push(`the total was ${told[0]![1]}, and is ${total}`)
    if ((done === total) !== (i === told.length - 1)) wrong.push(`${done} of ${total} in call ${i} of ${told.length}`)
  }
  return told.length === 0 ? ['nothing is told'] : wrong
}

/** What the engine does not solve by itself, and searches for long: other orders, bytes, capacities. */
function searched(partitions: number): kafka.ClusterSnapshot {
  const chance = chanceOf(7)
  const brokers = Array.from({ length: 30 }, (_, id) => ({ id, rack: `r${id % 3}` }))
  const topics = Array.from({ length: 10 }, (_, t) => ({
    name: `t${t}`,
    partitions: Array.from({ length: partitions / 10 }, (_, partition) => {
      const first = Math.min(chance(27), chance(27))
      return { partition, replicas: [first, (first + 1) % 27, (first + 2) % 27], bytes: 1 + chance(1000) }
    }),
  }))
  return { brokers, topics }
}

function withoutBytes({ brokers, topics }: kafka.ClusterSnapshot): kafka.ClusterSnapshot {
  const bare = topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map((one) => ('replicas' in one ? [...one.replicas] : one)),
  }))
  return { brokers, topics: bare as kafka.ClusterTopic[] }
}

function withCapacities({ brokers, topics }: kafka.ClusterSnapshot): kafka.ClusterSnapshot {
  const bytes = topics.flatMap(({ partitions }) => partitions.map((one) => ('bytes' in one ? one.bytes! : 0)))
  const total = bytes.reduce((sum, one) => sum + 3 * one, 0)
  return { brokers: brokers.map((one) => ({ ...one, capacity: Math.ceil((total / brokers.length) * 1.01) })), topics }
}

type Search = readonly [name: string, clusterOf: (engine: string) => kafka.ClusterSnapshot, options: kafka.PlanOptions]

/** The addon searches ranks on a worker thread, ten times as fast, and is asked how far it is every 20 ms. */
const SEARCHES: readonly Search[] = [
  [
    'leaders first',
    (engine) => withoutBytes(searched(engine === 'native' ? 12_000 : 4000)),
    { objectives: ['leaders', 'counts', 'moves'] },
  ],
  ['bytes', () => searched(2000), {}],
  ['capacities', () => withCapacities(searched(2000)), {}],
]

/** The engine has the first half of all parts, the search what is left. */
const ENGINES_PART = 500

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
      t.deepEqual(wrongProgress(told), [])
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
      // Both engines' ends are held at the sizes of the planner's table, below.
      if (engine === 'native') t.true(performance.now() - began < 1000)
    })
  }

  for (const [name, clusterOf, options] of SEARCHES) {
    test.serial(`${engine}: the search for ${name} tells how far it is, to the end`, async (t) => {
      const cluster = kafka.Cluster.from(clusterOf(engine))
      const told: (readonly [number, number])[] = []
      const onProgress = (...progress: [number, number]): void => void told.push(progress)
      const plan = await onEngineAsync(engine, () => kafka.planReassignmentAsync(cluster, { ...options, onProgress }))
      t.deepEqual(wrongProgress(told), [])
      const within = told.filter(([done, total]) => done > ENGINES_PART && done < total)
      t.true(within.length >= 3, String(told))
      const atOnce = onEngine(engine, () => kafka.planReassignment(cluster, options))
      t.is(plan.fingerprint, atOnce.fingerprint)
    })

    test.serial(`${engine}: the search for ${name} ends soon after the signal, with its reason`, async (t) => {
      const cluster = kafka.Cluster.from(clusterOf(engine))
      const reason = new Error('enough')
      const late = new AbortController()
      let began = 0
      const onProgress = (done: number): void => {
        if (done <= ENGINES_PART || began > 0) return
        began = performance.now()
        setImmediate(() => late.abort(reason))
      }
      const asked = onEngineAsync(engine, () =>
        kafka.planReassignmentAsync(cluster, { ...options, signal: late.signal, onProgress }),
      )
      t.is(await t.throwsAsync(asked), reason)
      t.true(began > 0 && performance.now() - began < 500)
    })
  }

  test.serial(`${engine}: what onProgress throws stops the plan`, async (t) => {
    const reason = new Error('not told')
    const onProgress = (): void => {
      throw reason
    }
    for (const options of [{}, { objectives: ['leaders', 'counts'] as const }]) {
      const ask = () => kafka.planReassignmentAsync(withoutBytes(searched(1000)), { ...options, onProgress })
      t.is(await t.throwsAsync(onEngineAsync(engine, ask)), reason)
    }
  })
}

test('a signal or onProgress of null is refused, as by every other async function', async (t) => {
  for (const name of ['signal', 'onProgress']) {
    const ask = () => kafka.planReassignmentAsync(skewed(), { [name]: null })
    await t.throwsAsync(ask, {
      code: 'ERR_PLACEMENT_ARGUMENT_TYPE',
      message: new RegExp(`${name}: expected .*, got null`),
    })
  }
})

/** Of the processor: what is measured is a process of its own, and other work on the machine does not count. */
const MOST_MILLISECONDS = 250

for (const engine of ENGINES) {
  // The fallback at the smallest size: at this one it takes a minute.
  const size = engine === 'native' ? 2 : 1
  test(`${engine}: size ${size} of the planner's table ends within ${MOST_MILLISECONDS} ms of the processor, whenever it is stopped`, (t) => {
    const script = fileURLToPath(new URL('planner/aborts.js', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, String(size), engine], { encoding: 'utf8' })
    t.is(status, 0, stderr)
    const { stopped, processor } = JSON.parse(stdout) as { stopped: number; processor: number }
    t.log(stdout.trim())
    t.true(stopped > 0 && processor <= MOST_MILLISECONDS, stdout)
  })
}
