/** A rolling restart: the fewest moves, which every way to restart a small cluster confirms, and what load managers make of it. */
import test from 'ava'
import { pulsar } from '../src/index.js'
import { below, generator } from './random.js'
import { refusalOf } from './refusal.js'

type Owners = Readonly<Record<string, string>>

const namesOf = (letter: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${letter}${i}`)

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  )
}

/** The fewest moves of a restart in an order, by trying every broker for every bundle at every restart. */
function fewestByTrying(order: readonly string[], owners: readonly string[], at = 0): number {
  const broker = order[at]
  if (broker === undefined) return 0
  const leaving = owners.flatMap((owner, i) => (owner === broker ? [i] : []))
  const others = order.filter((name) => name !== broker)
  let fewest = Number.POSITIVE_INFINITY
  for (let way = 0; way < others.length ** leaving.length; way++) {
    const after = [...owners]
    leaving.forEach((bundle, i) => {
      after[bundle] = others[Math.floor(way / others.length ** i) % others.length]!
    })
    fewest = Math.min(fewest, leaving.length + fewestByTrying(order, after, at + 1))
  }
  return fewest
}

const SEED = Number(process.env['TOPIC_PLACEMENT_SEED'] ?? 20261201)

test(`the fewest moves are the fewest of every way to place, in a given order and in any (seed ${SEED})`, (t) => {
  const next = generator(SEED)
  for (let round = 0; round < 60; round++) {
    const brokers = namesOf('b', 2 + below(next, 2))
    const bundles = namesOf('t/n/', 1 + below(next, 4))
    const owners: Owners = Object.fromEntries(bundles.map((name) => [name, brokers[below(next, brokers.length)]!]))
    const byOrder = permutations(brokers).map((order) => ({
      order,
      fewest: fewestByTrying(order, Object.values(owners)),
    }))
    for (const { order, fewest } of byOrder) {
      const answer = pulsar.rollingRestart({ brokers, owners, order })
      t.deepEqual([answer.fewest, answer.planned.moves], [fewest, fewest], JSON.stringify({ owners, order }))
      t.true(answer.byStrategy.moves >= fewest)
    }
    const free = pulsar.rollingRestart({ brokers, owners })
    const fewest = Math.min(...byOrder.map((one) => one.fewest))
    t.deepEqual([free.fewest, free.fewestInAnyOrder, free.planned.moves], [fewest, fewest, fewest])
  }
})

const TEN = namesOf('b', 10)
const EVEN: Owners = Object.fromEntries(namesOf('t/n/', 200).map((name, i) => [name, TEN[i % 10]!]))

test('the planned restart keeps the load as level as nine of ten brokers can, and leaves the last one empty', (t) => {
  const { planned, fewest, order } = pulsar.rollingRestart({ brokers: TEN, owners: EVEN })
  t.deepEqual([planned.moves, fewest, planned.histogram], [220, 220, [0, 180, 20]])
  t.is(planned.peak, Math.ceil(200 / 9))
  t.is(planned.loadsAfter.at(-1), 0)
  t.is(order.at(-1), 'b9')
})

test('a spare broker that restarts first makes it one move a bundle', (t) => {
  const answer = pulsar.rollingRestart({ brokers: [...TEN, 'spare'], owners: EVEN })
  t.is(answer.order[0], 'spare')
  t.deepEqual([answer.fewest, answer.planned.histogram], [200, [0, 200]])
})

test('the modular manager unloads bundle by bundle, the extensible one 64 at a time', (t) => {
  const owners: Owners = Object.fromEntries(namesOf('t/n/', 130).map((name) => [name, 'b']))
  const brokers = ['a', 'b']
  const modular = pulsar.rollingRestart({ brokers, owners })
  t.deepEqual([modular.planned.moves, modular.planned.unloadSteps], [130, 130])
  const extensible = pulsar.rollingRestart({ brokers, owners, loadManager: 'extensible' })
  t.deepEqual([extensible.placement, extensible.planned.unloadSteps], ['LeastResourceUsageWithWeight', 3])
  t.is(pulsar.rollingRestart({ brokers, owners, loadManager: 'extensible', batch: 100 }).planned.unloadSteps, 2)
})

test('a strategy that draws sends bundles to brokers that are yet to restart; one that looks at load hardly does', (t) => {
  const run = (version: '5.0' | '4.2') => pulsar.rollingRestart({ brokers: TEN, owners: EVEN, version })
  t.is(run('5.0').placement, 'AvgShedder')
  t.true(run('5.0').byStrategy.moves > 300)
  t.is(run('4.2').placement, 'LeastLongTermMessageRate')
  t.true(run('4.2').byStrategy.moves < 230)
  t.deepEqual(run('5.0'), run('5.0'))
  t.notDeepEqual(
    pulsar.rollingRestart({ brokers: TEN, owners: EVEN, seed: 7 }).byStrategy.columns,
    run('5.0').byStrategy.columns,
  )
})

for (const placement of [
  'LeastLongTermMessageRate',
  'LeastResourceUsageWithWeight',
  'RoundRobinBrokerSelector',
  'AvgShedder',
] as const) {
  test(`${placement}: the columns, followed from the beginning, are what is told of them`, (t) => {
    const next = generator(5)
    const loads = Object.fromEntries(Object.keys(EVEN).map((name) => [name, below(next, 100)]))
    const answer = pulsar.rollingRestart({ brokers: TEN, owners: EVEN, loads, placement, version: '4.2' })
    for (const { columns, timesMoved, moves, histogram, restarts, loadsAfter } of [answer.planned, answer.byStrategy]) {
      const owners = answer.bundles.map((name) => answer.order.indexOf(EVEN[name]!))
      const times = new Int32Array(200)
      for (let i = 0; i < columns.length; i++) {
        const bundle = columns.bundle[i]!
        t.is(owners[bundle], columns.from[i])
        t.is(columns.from[i], columns.restart[i])
        t.not(columns.to[i], columns.from[i])
        owners[bundle] = columns.to[i]!
        times[bundle]!++
      }
      t.deepEqual(times, timesMoved)
      t.is(moves, columns.length)
      t.is(
        histogram.reduce((sum, count, n) => sum + n * count, 0),
        moves,
      )
      t.is(
        restarts.reduce((sum, { bundles }) => sum + bundles, 0),
        moves,
      )
      const after = new Float64Array(10)
      answer.bundles.forEach((name, i) => {
        after[owners[i]!]! += loads[name]!
      })
      t.deepEqual(after, loadsAfter)
    }
  })
}

const TWO = { brokers: ['a', 'b'], owners: { x: 'a' } }
const REFUSED: readonly (readonly [question: object, refusal: string])[] = [
  [{ brokers: 'a' }, 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: brokers: expected an array of names, got "a"'],
  [{ brokers: ['a', 1] }, 'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: brokers[1]: expected a name, got 1'],
  [{ brokers: ['a', 'a'] }, 'RangeError ERR_PLACEMENT_DUPLICATE: brokers[1]: expected each broker once, got "a" again'],
  [
    { brokers: ['a'] },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: brokers: expected two brokers or more, so that another one takes the bundles over, got 1',
  ],
  [
    { owners: [] },
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: owners: expected an object of bundle to broker, got an Array',
  ],
  [
    { brokers: ['broker-1', 'broker-2'], owners: { x: 'broker1' } },
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: owners["x"]: expected one of the brokers, got "broker1" (did you mean broker-1?)',
  ],
  [
    { order: ['a', 'c'] },
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: order[1]: expected one of the brokers, got "c" (did you mean a?)',
  ],
  [
    { brokers: ['a', 'b', 'c'], order: ['c', 'a'] },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: order: expected every broker once, got none of "b"',
  ],
  [{ order: ['a', 'a'] }, 'RangeError ERR_PLACEMENT_DUPLICATE: order[1]: expected each broker once, got "a" again'],
  [{ loads: {} }, 'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: loads["x"]: expected a number of 0 or more, got undefined'],
  [
    { loads: { x: Number.NaN } },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: loads["x"]: expected a number of 0 or more, got NaN',
  ],
  [
    { loads: { x: 1, y: 1 } },
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: loads["y"]: expected a bundle of owners, got another',
  ],
  [{ batch: 0 }, 'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: batch: expected an integer in [1, 2147483647], got 0'],
  [
    { seed: 0.5 },
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: seed: expected an integer in [-9007199254740991, 9007199254740991], got 0.5',
  ],
  [
    { placement: 'AvgSheder' },
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: placement: expected one of LeastLongTermMessageRate, LeastResourceUsageWithWeight, RoundRobinBrokerSelector, AvgShedder, got "AvgSheder" (did you mean AvgShedder?)',
  ],
  [
    { loadManager: 'modula' },
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: loadManager: expected one of modular, extensible, got "modula" (did you mean modular?)',
  ],
]

for (const [question, refusal] of REFUSED) {
  test(`a restart that cannot be meant: ${JSON.stringify(question)}`, (t) => {
    t.is(
      refusalOf(() => pulsar.rollingRestart({ ...TWO, ...question } as never)),
      refusal,
    )
  })
}
