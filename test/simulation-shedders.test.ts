/** A run unloads what the public shedders, which equal the jar, unload when they are asked cycle by cycle; and no more than that. */
import test from 'ava'
import { type PulsarVersion, pulsar } from '../src/index.js'
import { concurrentMapOrder } from '../src/pulsar/java-map-order.js'
import { checkBundleLoad, LoadTable } from '../src/pulsar/simulation/series.js'
import { topBundles } from '../src/pulsar/simulation/top-bundles.js'
import { below, generator } from './random.js'
import { bundleKey, MEGABYTE, times } from './simulated-cluster.js'

/** A cluster with loads that differ, so that no answer hangs on the order of a hash map. */
function randomCluster(seed: number) {
  const next = generator(seed)
  const brokers = times(2 + below(next, 8), (i) => ({ name: `b${i}:1` }))
  const bundles = times(20 + below(next, 40), (i) => {
    return { name: bundleKey(i), owner: brokers[below(next, brokers.length) ** 2 % brokers.length]!.name }
  })
  const loads = Object.fromEntries(
    bundles.map(({ name }, i) => {
      const weight = 1 + below(next, 12)
      return [
        name,
        {
          cpu: weight / 2,
          msgRateIn: weight * 300 + i,
          msgThroughputIn: weight * MEGABYTE,
          msgThroughputOut: i + 1 / 64,
        },
      ]
    }),
  )
  return { brokers, bundles, loads }
}

type Cluster = ReturnType<typeof randomCluster>

const number = (value: pulsar.LoadValue | undefined): number => (typeof value === 'number' ? value : 0)

/** What the leader sees when a step sheds: naively, from who owned what after the step before. */
function loadAt({ brokers, bundles, loads }: Cluster, run: pulsar.LoadSimulation, step: number): pulsar.ClusterLoad {
  const owners = run.ownersAt(step - 1)
  const recentlyUnloaded = run
    .movesAt()
    .filter((move) => move.step < step && step - move.step <= 30)
    .map(({ bundle }) => bundle)
  const reports = brokers.map(({ name }) => {
    const owned = bundles.map((one) => one.name).filter((bundle) => owners.get(bundle) === name)
    const sum = (field: 'cpu' | 'msgRateIn' | 'msgThroughputIn' | 'msgThroughputOut') =>
      owned.reduce((total, bundle) => total + number(loads[bundle]![field]), 0)
    const { msgRateIn, msgThroughputIn, msgThroughputOut } = {
      msgRateIn: sum('msgRateIn'),
      msgThroughputIn: sum('msgThroughputIn'),
      msgThroughputOut: sum('msgThroughputOut'),
    }
    const cpu = Math.min(100, sum('cpu'))
    return [name, { usage: { cpu }, bundles: owned, msgRateIn, msgThroughputIn, msgThroughputOut }] as const
  })
  const rates = bundles.map(({ name }) => {
    const { msgRateIn, msgThroughputIn, msgThroughputOut } = loads[name]!
    return [name, { msgRateIn, msgThroughputIn, msgThroughputOut }] as const
  })
  return { brokers: Object.fromEntries(reports), bundles: Object.fromEntries(rates), recentlyUnloaded }
}

type Make = (settings: pulsar.LoadSettings, version: PulsarVersion) => pulsar.Shedder

const SHEDDERS: readonly [name: pulsar.ShedderName, make: Make][] = [
  ['ThresholdShedder', (settings) => new pulsar.ThresholdShedder(settings)],
  ['OverloadShedder', (settings, version) => new pulsar.OverloadShedder(settings, { version })],
  ['UniformLoadShedder', (settings, version) => new pulsar.UniformLoadShedder(settings, { version })],
  ['AvgShedder', (settings, version) => new pulsar.AvgShedder(settings, { version })],
]

for (const [shedder, make] of SHEDDERS) {
  for (const version of ['3.0', '4.2', '5.0'] as const) {
    test(`${shedder} ${version}: every unload of a run is one of the shedder's, and what stays would have come back`, (t) => {
      let unloads = 0
      for (let seed = 1; seed <= 12; seed++) {
        const cluster = randomCluster(seed)
        const settings = {
          lowerBoundarySheddingEnabled: seed % 2 === 0,
          loadBalancerBrokerOverloadedThresholdPercentage: 40,
          // An even distribution would leave out brokers that AvgShedder planned with.
          loadBalancerDistributeBundlesEvenlyEnabled: shedder !== 'AvgShedder' && seed % 3 === 0,
        }
        const placement = shedder === 'AvgShedder' ? 'AvgShedder' : 'LeastResourceUsageWithWeight'
        const run = pulsar.simulate({ ...cluster, version, shedder, placement, settings, seed, steps: 40 })
        const twin = make(pulsar.loadSettings(settings, { version }), version)
        for (let step = 1; step <= 40; step++) {
          const found = twin.findBundlesForUnloading(loadAt(cluster, run, step))
          const expected = [...found].flatMap(([broker, bundles]) => bundles.map((bundle) => `${broker} ${bundle}`))
          const moved = run.movesAt(step).map(({ from, bundle }) => `${from} ${bundle}`)
          unloads += moved.length
          t.deepEqual(
            moved,
            expected.filter((one) => moved.includes(one)),
            `seed ${seed}, step ${step}`,
          )
          if (twin instanceof pulsar.AvgShedder) {
            for (const { bundle, to } of run.movesAt(step)) t.is(to, twin.planned.get(bundle)!)
            t.is(moved.length, expected.length)
          }
        }
      }
      t.true(unloads > 30, String(unloads))
    })
  }
}

/** What the extensible leader sees, naively: averages over twelve samples a step, and the busiest bundles. */
class TransferTwin {
  readonly #cluster: Cluster
  readonly #averages = new Map<string, { usage: number; bytes: number }>()

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  cycleAt(run: pulsar.LoadSimulation, step: number): pulsar.TransferCycle {
    const { brokers, recentlyUnloaded } = loadAt(this.#cluster, run, step)
    const before = run.movesAt().filter((move) => move.step < step)
    const names = this.#cluster.bundles.map(({ name }) => name).sort()
    const inOrder = concurrentMapOrder(names)
    const table = new LoadTable(names.map((name) => checkBundleLoad(this.#cluster.loads[name], name)))
    const top = Object.entries(brokers).map(([name, { bundles }]) => {
      const busiest = topBundles(
        inOrder.filter((bundle) => bundles.includes(bundle)).map((bundle) => names.indexOf(bundle)),
        table,
        10,
      )
      return [name, busiest.map((one) => ({ ...one, bundle: names[one.bundle]! }))] as const
    })
    return {
      brokers: Object.fromEntries(
        concurrentMapOrder(Object.keys(brokers).sort()).map((name) => [name, this.#report(name, brokers[name]!)]),
      ),
      topBundles: Object.fromEntries(top),
      recentlyUnloaded,
      recentlyUnloadedBrokers: Object.fromEntries(before.map(({ from, step: at }) => [from!, at * 60_000])),
      now: step * 60_000,
    }
  }

  #report(name: string, { usage, msgThroughputIn = 0, msgThroughputOut = 0 }: pulsar.BrokerLoad): pulsar.TransferLoad {
    const [now, bytes] = [Math.fround(Math.fround(usage.cpu! / 100) * 100) / 100, msgThroughputIn + msgThroughputOut]
    const average = this.#averages.get(name) ?? { usage: now, bytes }
    for (let i = this.#averages.has(name) ? 0 : 1; i < 12; i++) {
      average.usage = average.usage * 0.9 + (1 - 0.9) * now
      average.bytes = average.bytes * 0.9 + (1 - 0.9) * bytes
    }
    this.#averages.set(name, average)
    return { weightedMaxEMA: average.usage, msgThroughputEMA: average.bytes, msgThroughputIn, msgThroughputOut }
  }
}

test('TransferShedder: a run transfers what the public one transfers, and there', (t) => {
  let transfers = 0
  for (let seed = 1; seed <= 12; seed++) {
    const cluster = randomCluster(seed)
    const settings = { loadBalancerBrokerLoadTargetStd: 0.1 }
    const run = pulsar.simulate({ ...cluster, loadManager: 'extensible', settings, seed, steps: 40 })
    const shedder = new pulsar.TransferShedder(pulsar.loadSettings(settings))
    const twin = new TransferTwin(cluster)
    for (let step = 1; step <= 40; step++) {
      const found = shedder.findBundlesForUnloading(twin.cycleAt(run, step))
      const moved = run.movesAt(step).map(({ bundle, from, to }) => [bundle, from, to])
      t.deepEqual(
        moved,
        found.map(({ bundle, from, to }) => [bundle, from, to]),
        `seed ${seed}, step ${step}`,
      )
      transfers += moved.length
    }
  }
  t.true(transfers > 30, String(transfers))
})
