/** Moves that do not end, what had a part in them, the setting that ends them, and several settings side by side. */
import test from 'ava'
import { pulsar } from '../src/index.js'
import { endless, times, twoBrokers } from './simulated-cluster.js'

const codes = ({ notes }: pulsar.LoadSimulation) => notes.map(({ code }) => code)
const rounds = ({ unloads }: pulsar.LoadSimulation) => unloads.filter((count) => count > 0).length
const ODD = { loadBalancerDistributeBundlesEvenlyEnabled: false }

test('apache/pulsar#16059: more than 400 rounds in twelve hours and no end, until bundles are not distributed evenly', (t) => {
  const thrashing = pulsar.simulate({ ...endless(), version: '4.2', steps: 720 })
  t.true(rounds(thrashing) > 400, String(rounds(thrashing)))
  t.deepEqual([thrashing.quietFrom, thrashing.isSettled, thrashing.thrash?.kind], [null, false, 'bouncing'])
  const [cause] = thrashing.thrash!.causes
  t.deepEqual([cause!.setting, cause!.value], ['loadBalancerDistributeBundlesEvenlyEnabled', true])
  t.is(cause!.moves, thrashing.thrash!.moves)
  t.deepEqual(
    thrashing.thrash!.brokers,
    times(8, (i) => `broker-${i}:8080`),
  )
  t.true(codes(thrashing).includes('NOTE_SIMULATION_THRASH'))
  t.true(thrashing.bouncing[0]!.times >= 1)

  const calm = pulsar.simulate({ ...endless(), version: '4.2', steps: 720, settings: ODD })
  t.deepEqual([calm.thrash, calm.isSettled, codes(calm)], [null, true, []])
  t.true(calm.quietFrom! < 120, String(calm.quietFrom))
  t.true(calm.loads.max[719]! < thrashing.loads.max[719]!)
})

test('apache/pulsar#8492: eight busy bundles go to and fro between two of eight brokers, until they are not distributed evenly', (t) => {
  const thrashing = pulsar.simulate({ ...twoBrokers(), version: '4.2', steps: 240 })
  const { thrash } = thrashing
  t.deepEqual(thrash!.brokers, ['broker-0:8080', 'broker-1:8080'])
  t.is(thrash!.kind, 'cycle')
  t.is(thrash!.causes[0]!.setting, 'loadBalancerDistributeBundlesEvenlyEnabled')
  t.regex(thrash!.message, /among broker-0:8080, broker-1:8080 since step 1, and the same owners again after \d+ steps/)
  const { reason, settings } = thrashing.movesAt(1)[0]!
  t.is(reason, 'broker-1:8080 at 48.3 % >= mean 13.0 % + 10.0 %')
  t.deepEqual(settings, ['loadBalancerBrokerThresholdShedderPercentage'])

  const calm = pulsar.simulate({ ...twoBrokers(), version: '4.2', steps: 240, settings: ODD })
  t.deepEqual([calm.quietFrom, calm.isSettled, calm.thrash], [2, true, null])
  t.is(calm.moves.length, 4)
})

test('several managers side by side: a row each, from the same answers', (t) => {
  const runs = { now: { version: '4.2' }, 'not evenly': { version: '4.2', settings: ODD }, newest: {} } as const
  const { rows, simulations } = pulsar.compareLoadManagers({ ...twoBrokers(), runs, steps: 240 })
  t.deepEqual(
    rows.map(({ name, unloads, quietFrom, thrash }) => [name, unloads, quietFrom, thrash]),
    [
      ['now', 96, null, 'cycle'],
      ['not evenly', 4, 2, null],
      ['newest', simulations['newest']!.moves.length, simulations['newest']!.quietFrom, null],
    ],
  )
  const [now] = rows
  const { loads } = simulations['now']!
  t.is(now!.worst, Math.max(...loads.max))
  t.is(loads.max[now!.worstStep - 1], now!.worst)
  t.is(now!.rounds, rounds(simulations['now']!))
  t.deepEqual(simulations['now']!.movesAt(), pulsar.simulate({ ...twoBrokers(), version: '4.2', steps: 240 }).movesAt())
})
