/** What a run of a load manager refuses, each with a code and what was expected. */
import test from 'ava'
import { pulsar } from '../src/index.js'
import { refusalOf } from './refusal.js'
import { bundleKey } from './simulated-cluster.js'

const [a, b] = [bundleKey(0), bundleKey(1)]

/** A question that is right, with one thing wrong. */
const ask = (wrong: object) => () =>
  pulsar.simulate({
    brokers: [{ name: 'b1:1' }, { name: 'b2:1' }],
    bundles: [{ name: a, owner: 'b1:1' }, b],
    loads: { [a]: { cpu: 1 }, [b]: { cpu: 2 } },
    steps: 10,
    ...wrong,
  })
const load = (value: unknown) => ask({ loads: { [a]: value, [b]: {} } })
const isolation = (policy: object) =>
  ask({ policies: { isolation: [{ name: 'p', namespaces: ['acme/.*'], ...policy }] } })

const REFUSED: readonly [title: string, ask: () => unknown, text: RegExp][] = [
  [
    'a load that is NaN',
    load({ cpu: Number.NaN }),
    /^RangeError ERR_PLACEMENT_ARGUMENT_RANGE: loads\["acme.*"\]\.cpu: .* got NaN$/,
  ],
  [
    'a negative load',
    load({ msgRateIn: -1 }),
    /ERR_PLACEMENT_ARGUMENT_RANGE: loads.*\.msgRateIn: expected a finite number of 0 or more, got -1/,
  ],
  ['a load that is infinite', load({ cpu: 1 / 0 }), /ERR_PLACEMENT_ARGUMENT_RANGE.*got Infinity/],
  [
    'a load over 100 %',
    load({ cpu: 101 }),
    /ERR_PLACEMENT_ARGUMENT_RANGE: loads.*cpu: expected at most 100, the cpu limit of the largest broker, got 101: over 100 %/,
  ],
  [
    'a load missing',
    ask({ loads: { [a]: {} } }),
    /ERR_PLACEMENT_ARGUMENT_TYPE: loads\["acme.*"\]: expected a load, got undefined/,
  ],
  ['loads missing', ask({ loads: undefined }), /ERR_PLACEMENT_ARGUMENT_TYPE: loads: expected the load of each bundle/],
  [
    'a load of no bundle',
    ask({ loads: { [a]: {}, [b]: {}, c: {} } }),
    /ERR_PLACEMENT_UNKNOWN_NAME: loads: expected the bundles given, got "c"/,
  ],
  [
    'a field of a load misspelt',
    load({ msgRatein: 1 }),
    /ERR_PLACEMENT_UNKNOWN_NAME.*got "msgRatein" \(did you mean msgRateIn\?\)/,
  ],
  [
    'a load of the wrong type',
    load({ cpu: '1' }),
    /ERR_PLACEMENT_ARGUMENT_TYPE.*expected a number or a series of numbers, got "1"/,
  ],
  [
    'a series with a gap',
    load({ cpu: [1, undefined, 3] }),
    /ERR_PLACEMENT_ARGUMENT_TYPE: loads.*\.cpu\[1\]: .* got undefined: the series has a gap at its step 2/,
  ],
  ['a series with a hole', load({ cpu: new Array(2) }), /ERR_PLACEMENT_ARGUMENT_TYPE.*gap at its step 1/],
  [
    'a series with NaN',
    load({ cpu: Float64Array.of(1, Number.NaN) }),
    /ERR_PLACEMENT_ARGUMENT_RANGE.*gap at its step 2/,
  ],
  [
    'a series without values',
    load({ cpu: [] }),
    /ERR_PLACEMENT_ARGUMENT_RANGE: loads.*cpu\.length: expected an integer in \[1,/,
  ],
  [
    'series of two lengths',
    load({ cpu: [1, 2], msgRateIn: [1, 2, 3] }),
    /ERR_PLACEMENT_ARGUMENT_RANGE: .*cpu: expected a series of 3 steps as msgRateIn has, got 2/,
  ],
  ['no brokers', ask({ brokers: [] }), /ERR_PLACEMENT_ARGUMENT_TYPE: brokers: expected a list of one or more/],
  [
    'a broker twice',
    ask({ brokers: [{ name: 'b1:1' }, { name: 'b1:1' }] }),
    /ERR_PLACEMENT_DUPLICATE: brokers\[1\]: expected each once, got "b1:1" again \[index 1\]/,
  ],
  [
    'a broker without a name',
    ask({ brokers: [{}] }),
    /ERR_PLACEMENT_ARGUMENT_TYPE: brokers\[0\]: expected a broker with a name/,
  ],
  [
    'a base over 100 %',
    ask({ brokers: [{ name: 'b1:1', base: { cpu: 101 } }] }),
    /ERR_PLACEMENT_ARGUMENT_RANGE: brokers\["b1:1"\]\.base\.cpu: expected a number in \[0, 100\], got 101/,
  ],
  [
    'a limit of 0',
    ask({ brokers: [{ name: 'b1:1', limits: { cpu: 0 } }] }),
    /ERR_PLACEMENT_ARGUMENT_RANGE: .*limits\.cpu: expected a number above 0, got 0/,
  ],
  ['a bundle twice', ask({ bundles: [a, b, a] }), /ERR_PLACEMENT_DUPLICATE: bundles\[2\]/],
  [
    'a bundle that is none',
    ask({ bundles: ['t/n/x'] }),
    /ERR_PLACEMENT_BUNDLE_RANGE: bundles\[0\]: expected tenant\/namespace\/0x…_0x…, got "t\/n\/x"/,
  ],
  [
    'an owner that is no broker',
    ask({ bundles: [{ name: a, owner: 'b3:1' }, b] }),
    /ERR_PLACEMENT_UNKNOWN_NAME: bundle "acme.*": expected an owner among the 2 brokers, got "b3:1" \(did you mean b1:1\?\)/,
  ],
  [
    'a policy that names no broker',
    isolation({ primary: ['nobody'] }),
    /^PlacementError ERR_PLACEMENT_INFEASIBLE: policies\.isolation: expected a broker for "acme\/orders", got none: "p" names none of 2 brokers/,
  ],
  [
    'policies that leave no shared broker',
    ask({ policies: { isolation: [{ name: 'p', namespaces: ['x/.*'], primary: ['b.*'] }] } }),
    /ERR_PLACEMENT_INFEASIBLE: .*it has no policy, and each of the 2 brokers is primary of one/,
  ],
  [
    'an expression that is none',
    isolation({ primary: ['('] }),
    /ERR_PLACEMENT_ARGUMENT_RANGE: policies\.isolation\[0\]\.primary\[0\]: expected a regular expression, got "\("/,
  ],
  [
    'a setting misspelt',
    ask({ settings: { loadBalancerSheddingGracePeriodMinute: 1 } }),
    /ERR_PLACEMENT_UNKNOWN_NAME: .*did you mean loadBalancerSheddingGracePeriodMinutes\?/,
  ],
  [
    'an interval of 0',
    ask({ settings: { loadBalancerSheddingIntervalMinutes: 0 } }),
    /ERR_PLACEMENT_ARGUMENT_RANGE: settings\.loadBalancerSheddingIntervalMinutes/,
  ],
  [
    'a manager misspelt',
    ask({ loadManager: 'extensibel' }),
    /ERR_PLACEMENT_UNKNOWN_NAME: loadManager: .*did you mean extensible\?/,
  ],
  [
    'a shedder misspelt',
    ask({ shedder: 'ThresholdSheder' }),
    /ERR_PLACEMENT_UNKNOWN_NAME: shedder: .*did you mean ThresholdShedder\?/,
  ],
  [
    'a placement misspelt',
    ask({ placement: 'LeastLongTermMsgRate' }),
    /ERR_PLACEMENT_UNKNOWN_NAME: placement: .*did you mean LeastLongTermMessageRate\?/,
  ],
  [
    'a class that is no shedder',
    ask({ settings: { loadBalancerLoadSheddingStrategy: 'com.acme.Mine' } }),
    /ERR_PLACEMENT_UNKNOWN_NAME: settings\.loadBalancerLoadSheddingStrategy: expected one of ThresholdShedder/,
  ],
  [
    "the other manager's shedder",
    ask({ shedder: 'TransferShedder' }),
    /^PlacementError ERR_PLACEMENT_UNSUPPORTED: shedder: expected one of the modular load manager, got "TransferShedder"/,
  ],
  [
    'a classic shedder of the extensible manager',
    ask({ loadManager: 'extensible', shedder: 'AvgShedder' }),
    /ERR_PLACEMENT_UNSUPPORTED: shedder: expected one of the extensible load manager, got "AvgShedder"/,
  ],
  [
    'a placement of the extensible manager',
    ask({ loadManager: 'extensible', placement: 'RoundRobinBrokerSelector' }),
    /ERR_PLACEMENT_UNSUPPORTED: placement/,
  ],
  [
    'AvgShedder as placement alone, before 5.0',
    ask({ version: '4.2', placement: 'AvgShedder' }),
    /ERR_PLACEMENT_UNSUPPORTED: placement: .* a broker of 4\.2 does not start so/,
  ],
  [
    'a release without load managers here',
    ask({ version: '2.10' }),
    /ERR_PLACEMENT_UNSUPPORTED: version: expected 3\.0 or newer/,
  ],
  ['no steps', ask({ steps: 0 }), /ERR_PLACEMENT_ARGUMENT_RANGE: steps: expected an integer in \[1, 1000000\], got 0/],
  ['a seed that is none', ask({ seed: 0.5 }), /ERR_PLACEMENT_ARGUMENT_RANGE: seed/],
  [
    'an event after the end',
    ask({ events: [{ step: 11, leave: 'b1:1' }] }),
    /ERR_PLACEMENT_ARGUMENT_RANGE: events\[0\]\.step: expected an integer in \[1, 10\], got 11/,
  ],
  [
    'an event that is none',
    ask({ events: [{ step: 1, dies: 'b1:1' }] }),
    /ERR_PLACEMENT_ARGUMENT_TYPE: events\[0\]: expected join, leave, restart or load, got "step, dies"/,
  ],
  [
    'a broker that joins twice',
    ask({ events: [{ step: 1, join: { name: 'b1:1' } }] }),
    /ERR_PLACEMENT_DUPLICATE: events\[0\]\.join: expected a broker that is not there in step 1, got "b1:1"/,
  ],
  [
    'a broker that leaves twice',
    ask({
      events: [
        { step: 1, leave: 'b1:1' },
        { step: 2, restart: 'b1:1' },
      ],
    }),
    /ERR_PLACEMENT_UNKNOWN_NAME: events\[1\]\.restart: expected a broker that is there in step 2, got "b1:1"/,
  ],
  [
    'an event of no bundle',
    ask({ events: [{ step: 1, load: 'x', becomes: {} }] }),
    /ERR_PLACEMENT_UNKNOWN_NAME: events\[0\]\.load/,
  ],
  [
    'an event that brings too much',
    ask({ events: [{ step: 1, load: a, becomes: { cpu: 101 } }] }),
    /ERR_PLACEMENT_ARGUMENT_RANGE: events\[0\]\.becomes\.cpu: .*over 100 %/,
  ],
  [
    'a step that was not walked',
    () => ask({})().ownersAt(11),
    /ERR_PLACEMENT_ARGUMENT_RANGE: step: expected an integer in \[0, 10\], got 11/,
  ],
  [
    'the bundles of no broker',
    () => ask({})().bundlesOf('b3:1', 1),
    /ERR_PLACEMENT_UNKNOWN_NAME: broker: .*did you mean/,
  ],
  [
    'a comparison of nothing',
    () => pulsar.compareLoadManagers({ brokers: [], bundles: [], loads: {}, runs: {} }),
    /ERR_PLACEMENT_ARGUMENT_TYPE: runs: expected the choices of one run or more/,
  ],
]

for (const [title, question, text] of REFUSED) {
  test(`refused: ${title}`, (t) => {
    t.regex(refusalOf(question), text)
  })
}

test('a question that is right is answered', (t) => {
  t.is((ask({})() as pulsar.LoadSimulation).steps, 10)
})
