/** Load managers over time: what moves and why, by load, by events and by policies. */
import test from 'ava'
import { pulsar } from '../src/index.js'
import { bundleKey, clusterOf, endless, MEGABYTE, times, twoBrokers } from './simulated-cluster.js'

const codes = ({ notes }: pulsar.LoadSimulation) => notes.map(({ code }) => code)
const ODD = { loadBalancerDistributeBundlesEvenlyEnabled: false }

test('the same question has the same answer, in whatever order brokers, bundles and loads are given', (t) => {
  const { brokers, bundles, loads } = endless()
  const first = pulsar.simulate({ brokers, bundles, loads, steps: 60, version: '4.2', settings: ODD })
  const turned = pulsar.simulate({
    brokers: [...brokers].reverse(),
    bundles: [...bundles].reverse(),
    loads: Object.fromEntries(Object.entries(loads).reverse()),
    steps: 60,
    version: '4.2',
    settings: ODD,
  })
  t.deepEqual(turned.movesAt(), first.movesAt())
  t.deepEqual(turned.loads, first.loads)
  const other = pulsar.simulate({ brokers, bundles, loads, steps: 60, version: '4.2', settings: ODD, seed: 1 })
  t.notDeepEqual(other.movesAt(), first.movesAt())
})

test('a bundle without an owner is looked up; what look-ups placed counts as 100 messages a second until it is reported', (t) => {
  const brokers = times(3, (i) => ({ name: `b${i}:1` }))
  const bundles = times(6, (i) => bundleKey(i))
  const loads = Object.fromEntries(bundles.map((name) => [name, { cpu: 1, msgRateIn: 10 }]))
  const answer = pulsar.simulate({ brokers, bundles, loads, version: '4.2', settings: ODD, steps: 3 })
  t.deepEqual(
    brokers.map(({ name }) => answer.bundlesOf(name, 1).length),
    [2, 2, 2],
  )
  t.deepEqual(
    answer.movesAt(1).map(({ cause, from }) => [cause, from]),
    times(6, () => ['placed', null]),
  )
  t.is(answer.movesAt(1)[0]!.reason, 'without an owner: placed by LeastLongTermMessageRate')
  t.true([...answer.ownersAt(0).values()].every((owner) => owner === null))
  t.is(answer.quietFrom, 2)
  t.deepEqual([...answer.usageAt(1)], [0, 0, 0])
  t.deepEqual([...answer.usageAt(2)].map(Math.round), [2, 2, 2])
})

test('a bundle that was unloaded is left alone for its grace period', (t) => {
  const { movesAt } = pulsar.simulate({ ...endless(), version: '4.2', steps: 200 })
  const last = new Map<string, number>()
  for (const { bundle, step } of movesAt()) {
    t.true(step - (last.get(bundle) ?? -31) >= 31, bundle)
    last.set(bundle, step)
  }
  const soon = { loadBalancerSheddingGracePeriodMinutes: 4, loadBalancerSheddingIntervalMinutes: 2 }
  const again = pulsar.simulate({ ...endless(), version: '4.2', steps: 60, settings: soon })
  const steps = again
    .movesAt()
    .filter(({ bundle }) => bundle === again.bouncing[0]!.bundle)
    .map(({ step }) => step)
  t.is(Math.min(...steps.slice(1).map((step, i) => step - steps[i]!)), 3)
})

test('a broker dies: its bundles are looked up in that step; it is back after a restart with none, and gets its share', (t) => {
  const { brokers, bundles, loads } = clusterOf([
    { brokers: 4, loads: times(8, () => ({ cpu: 5, msgRateIn: 900, msgThroughputIn: 9e6 })) },
  ])
  const [first, second] = ['broker-0:8080', 'broker-1:8080']
  const events = [
    { step: 5, leave: first },
    { step: 8, restart: second, downFor: 2 },
  ]
  const answer = pulsar.simulate({ brokers, bundles, loads, events, steps: 120, version: '4.2' })
  t.is(answer.bundlesOf(first, 4).length, 8)
  t.is(answer.bundlesOf(first, 5).length, 0)
  const left = answer.movesAt(5)
  t.deepEqual(
    left.map(({ from, cause }) => [from, cause]),
    times(8, () => [first, 'left']),
  )
  t.true(left.every(({ to }) => to !== null && to !== first))
  t.is(left[0]!.reason, 'broker-0:8080 died')
  t.is(answer.movesAt(8)[0]!.reason, 'broker-1:8080 restarts')
  t.is(answer.bundlesOf(second, 8).length, 0)
  t.true(Number.isNaN(answer.usageAt(8)[1]!))
  t.is(answer.usageAt(10)[1], 0)
  t.true(answer.bundlesOf(second, 120).length > 0, 'it gets its share')
})

test('a broker that joins is filled by AvgShedder, which pairs it with the fullest for two cycles first', (t) => {
  const { brokers, bundles, loads } = clusterOf([
    { brokers: 2, loads: times(8, () => ({ cpu: 9, msgRateIn: 2000, msgThroughputIn: 9e6 })) },
  ])
  const events = [{ step: 3, join: { name: 'late:8080' } }]
  const answer = pulsar.simulate({ brokers, bundles, loads, events, steps: 60 })
  const [move] = answer.movesAt()
  t.is(move!.step, 4)
  t.deepEqual([move!.to, move!.cause], ['late:8080', 'shed'])
  t.regex(move!.reason, /^broker-\d:8080 at 72\.0 % is paired with one at 0\.0 %: >= 40 apart in 2 cycles$/)
  t.true(answer.loads.std[59]! < answer.loads.std[2]!)
})

test('loads change by series and by events, and the last value lasts', (t) => {
  const [a, b] = [bundleKey(0), bundleKey(1)]
  const answer = pulsar.simulate({
    brokers: [
      { name: 'b1:1', base: { cpu: 1 } },
      { name: 'b2:1', limits: { cpu: 200 } },
    ],
    bundles: [
      { name: a, owner: 'b1:1' },
      { name: b, owner: 'b2:1' },
    ],
    loads: { [a]: { cpu: [10, 20, 30], msgRateIn: 1 }, [b]: { cpu: Float64Array.of(10, 40) } },
    events: [{ step: 4, load: a, becomes: { cpu: [50, 60] } }],
    steps: 6,
  })
  const usages = times(6, (i) => [...answer.usageAt(i + 1)].map(Math.round))
  t.deepEqual(usages, [
    [11, 5],
    [21, 20],
    [31, 20],
    [51, 20],
    [61, 20],
    [61, 20],
  ])
  t.is(answer.loads.mean[0], [...answer.usageAt(1)].reduce((sum, usage) => sum + usage, 0) / 2)
})

test('a broker is asked for more than it has: it reports 100 %, and a note says so', (t) => {
  const cluster = clusterOf([{ brokers: 1, loads: times(3, () => ({ cpu: 50 })) }])
  const answer = pulsar.simulate({ ...cluster, steps: 2 })
  t.is(answer.usageAt(1)[0], 100)
  t.is(
    answer.notes[0]!.message,
    'broker-0:8080 is asked for 150.0 % of a limit in step 1: brokers report 100 % at most',
  )
})

test('isolation: primary brokers, secondary ones where too few are there, and shared ones for namespaces without a policy', (t) => {
  const names = ['p1:1', 'p2:1', 's1:1', 'free:1']
  const bundles = [bundleKey(0, 'paid/a'), bundleKey(1, 'paid/a'), bundleKey(0, 'open/a'), bundleKey(1, 'open/a')]
  const isolation = [{ name: 'paid', namespaces: ['paid/.*'], primary: ['p\\d'], secondary: ['s.*'], minLimit: 1 }]
  const answer = pulsar.simulate({
    brokers: names.map((name) => ({ name })),
    bundles,
    loads: Object.fromEntries(bundles.map((name) => [name, { cpu: 1 }])),
    policies: { isolation },
    events: [
      { step: 2, leave: 'p1:1' },
      { step: 3, leave: 'p2:1' },
      { step: 4, leave: 's1:1' },
      { step: 6, join: { name: 'p2:1' } },
    ],
    steps: 6,
  })
  const paid = (step: number) => new Set(bundles.slice(0, 2).map((name) => answer.ownersAt(step).get(name)!))
  t.true([...paid(1)].every((owner) => owner.startsWith('p')))
  t.deepEqual([...paid(2)], ['p2:1'])
  t.deepEqual([...paid(3)], ['s1:1'])
  t.deepEqual([...paid(4)], [null as never])
  t.deepEqual([...paid(6)], ['p2:1'])
  const [nowhere] = answer.movesAt(4).filter(({ bundle }) => bundle === bundles[0])
  t.deepEqual([nowhere!.cause, nowhere!.reason], ['nowhere', 's1:1 died, and no broker may have it'])
  t.true(codes(answer).includes('NOTE_SIMULATION_NO_BROKER'))
  t.true(bundles.slice(2).every((name) => ['s1:1', 'free:1'].includes(answer.ownersAt(1).get(name)!)))
})

for (const loadManager of ['modular', 'extensible'] as const) {
  test(`anti-affinity, ${loadManager}: namespaces of a group go to domains, then to brokers, that have the least of it`, (t) => {
    const names = times(4, (i) => `b${i}:1`)
    const bundles = times(4, (i) => bundleKey(0, `t/n${i}`))
    const answer = pulsar.simulate({
      brokers: names.map((name) => ({ name })),
      bundles,
      loads: Object.fromEntries(bundles.map((name) => [name, { cpu: 1 }])),
      loadManager,
      settings: { failureDomainsEnabled: true },
      policies: {
        antiAffinityGroups: { 't/n0': 'G', 't/n1': 'g', 't/n2': 'g', 't/n3': 'g' },
        failureDomains: { east: ['b0:1', 'b1:1'], west: ['b2:1', 'b3:1'] },
      },
      steps: 1,
    })
    const owners = bundles.map((name) => answer.ownersAt(1).get(name)!)
    t.is(new Set(owners).size, 4)
    const domains = owners.map((owner) => (owner < 'b2' ? 'east' : 'west'))
    t.not(domains[0], domains[1])
    t.not(domains[2], domains[3])
  })
}

test('a limit on topics: the modular manager forgets it where it leaves nobody, the extensible one does not', (t) => {
  const [a, b] = [bundleKey(0), bundleKey(1)]
  const question = {
    brokers: [{ name: 'b1:1' }, { name: 'b2:1' }],
    bundles: [{ name: a, owner: 'b1:1' }, { name: b }],
    loads: { [a]: { cpu: 1, topics: 50 }, [b]: { cpu: 1 } },
    settings: { loadBalancerBrokerMaxTopics: 10 },
    steps: 1,
  }
  for (const loadManager of ['modular', 'extensible'] as const) {
    t.is(
      pulsar
        .simulate({ ...question, loadManager })
        .ownersAt(1)
        .get(b),
      'b2:1',
    )
  }
  const alone = { ...question, brokers: [{ name: 'b1:1' }] }
  t.is(
    pulsar
      .simulate({ ...alone, loadManager: 'modular' })
      .ownersAt(1)
      .get(b),
    'b1:1',
  )
  t.is(
    pulsar
      .simulate({ ...alone, loadManager: 'extensible' })
      .ownersAt(1)
      .get(b),
    null,
  )
})

test('the extensible manager: hits are counted first, then the fullest gives to the emptiest, and a cool-down follows', (t) => {
  const busy = (i: number) => ({ cpu: 6, msgRateIn: 900, msgThroughputIn: (5 + i) * MEGABYTE })
  const cluster = clusterOf([
    { brokers: 1, loads: times(12, busy) },
    { brokers: 2, loads: [{ cpu: 1, msgThroughputIn: 1000 }] },
  ])
  const answer = pulsar.simulate({ ...cluster, loadManager: 'extensible', steps: 60 })
  const steps = [...new Set(answer.moves.step)]
  t.is(steps[0], 4, 'the fourth hit is the first above the threshold of 3')
  t.true(
    steps.slice(1).every((step, i) => step - steps[i]! >= 6),
    'two skipped cycles, then four hits',
  )
  t.regex(
    answer.movesAt()[0]!.reason,
    /^broker-0:8080 at 72\.0 %, the emptiest at 1\.0 %: deviation 0\.3\d\d > 0\.250$/,
  )
  t.deepEqual([answer.shedder, answer.placement], ['TransferShedder', 'LeastResourceUsageWithWeight'])
  t.true(answer.isSettled)
})

test('a broker that joins the extensible manager has no report in its first step: nothing is shed meanwhile', (t) => {
  const busy = (i: number) => ({ cpu: 6, msgRateIn: 900, msgThroughputIn: (5 + i) * MEGABYTE })
  const cluster = clusterOf([
    { brokers: 1, loads: times(12, busy) },
    { brokers: 2, loads: [{ cpu: 1, msgThroughputIn: 1000 }] },
  ])
  const events = [{ step: 4, join: { name: 'late:1' } }]
  const answer = pulsar.simulate({ ...cluster, loadManager: 'extensible', events, steps: 10 })
  t.is(answer.moves.step[0], 5)
})

test('5.0 places by LeastLongTermMessageRate where only another shedder is chosen, and says so', (t) => {
  const answer = pulsar.simulate({ ...endless(), shedder: 'ThresholdShedder', steps: 1 })
  t.is(answer.placement, 'LeastLongTermMessageRate')
  t.true(answer.settings.loadBalancerLoadPlacementStrategy.endsWith('.LeastLongTermMessageRate'))
  t.is(codes(answer)[0], 'NOTE_SIMULATION_PLACEMENT_FALLBACK')
  const given = { loadBalancerLoadSheddingStrategy: 'org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder' }
  const extensible = pulsar.simulate({ ...endless(), loadManager: 'extensible', settings: given, steps: 1 })
  t.deepEqual([extensible.shedder, codes(extensible)[0]], ['TransferShedder', 'NOTE_SIMULATION_SHEDDER_FALLBACK'])
})

test('what runs by default is what a release runs by default', (t) => {
  const of = (version: '3.0' | '4.2' | '5.0') => {
    const { shedder, placement, settings } = pulsar.simulate({ ...twoBrokers(), version, steps: 1 })
    return [shedder, placement, settings.loadBalancerDistributeBundlesEvenlyEnabled]
  }
  const classic = ['ThresholdShedder', 'LeastLongTermMessageRate', true]
  t.deepEqual([of('3.0'), of('4.2'), of('5.0')], [classic, classic, ['AvgShedder', 'AvgShedder', false]])
})

test('shedding switched off moves nothing, and a run without usage says that there is nothing to compare', (t) => {
  const settings = { loadBalancerSheddingEnabled: false }
  const off = pulsar.simulate({ ...endless(), version: '4.2', settings, steps: 40 })
  t.deepEqual([off.moves.length, off.quietFrom, off.isSettled], [0, 1, true])
  const idle = pulsar.simulate({
    brokers: [{ name: 'a:1' }],
    bundles: [bundleKey(0)],
    loads: { [bundleKey(0)]: {} },
    steps: 40,
  })
  t.deepEqual(codes(idle), ['NOTE_SIMULATION_NO_USAGE'])
  const short = pulsar.simulate({ ...endless(), version: '4.2', settings, steps: 5 })
  t.deepEqual([short.isSettled, codes(short)], [false, ['NOTE_SIMULATION_NOT_SETTLED']])
})
