/** The command line's questions about load managers: simulate, compare, rolling-restart, and the files that they read. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import type { CompareDocument, RollingRestartDocument, SimulateDocument } from '../src/cli/pulsar-documents.js'
import { pulsar } from '../src/index.js'
import { answer, inFolder, run } from './cli-process.js'
import { shownIn } from './shown.js'

const words = (line: string): string[] => line.split(' ')
const CLUSTER = 'examples/pulsar-cluster.json'
const cluster = JSON.parse(readFileSync(CLUSTER, 'utf8')) as pulsar.LoadSimulationQuestion

/** What a run printed, and how it ended. */
async function ended(line: string, input?: string): Promise<{ out: string; err: string; code: number | null }> {
  const { out, err, code } = await run(words(line), input === undefined ? {} : { input })
  return { out: out.toString(), err: err.join('\n'), code }
}

test('what README.md shows of load managers is what the program prints', async (t) => {
  const shown = shownIn('README.md', 'pulsar (?:simulate|compare|rolling-restart)')
  t.is(shown.length, 4)
  for (const [command, parts] of shown) {
    const { out } = await ended(command)
    for (const part of parts) t.true(out.includes(part), `${command}\n${out}`)
  }
})

test('simulate exits 1 where it is never quiet, with the answer written, and 0 where it is quiet', async (t) => {
  const thrash = await ended(`pulsar simulate --version 4.2 --json ${CLUSTER}`)
  t.is(thrash.code, 1)
  const document = JSON.parse(thrash.out) as SimulateDocument
  t.is(document.thrash?.kind, 'cycle')
  t.is(document.thrash?.causes[0]?.setting, 'loadBalancerDistributeBundlesEvenlyEnabled')
  const simulated = pulsar.simulate({ ...cluster, version: '4.2' })
  t.deepEqual(document.moves, JSON.parse(JSON.stringify(simulated.movesAt())))
  t.deepEqual(document.owners, Object.fromEntries(simulated.ownersAt(240)))
  t.is(document.loads.max.length, 240)
  const moves = (await ended(`pulsar simulate --version 4.2 --jsonl ${CLUSTER}`)).out.trimEnd().split('\n')
  t.deepEqual(
    moves.map((line) => JSON.parse(line)),
    document.moves,
  )
  const quiet = `pulsar simulate --version 4.2 --set loadBalancerDistributeBundlesEvenlyEnabled=false ${CLUSTER}`
  t.is((await ended(quiet)).code, 0)
})

test('text fits 100 columns; --all shows every step and move', async (t) => {
  const some = (await ended(`pulsar simulate --version 4.2 ${CLUSTER}`)).out
  t.true(some.split('\n').every((line) => line.length <= 100))
  t.regex(some, /^\d+ more steps with moves: --all, or --json$/m)
  const all = (await ended(`pulsar simulate --version 4.2 --all ${CLUSTER}`)).out
  t.is(all.match(/^step \d+: /gm)!.length, 27)
})

test('options win over the file: version, steps, seed, manager, shedder, placement, settings', async (t) => {
  const options = '--version 5.0 --steps 20 --seed 9 --shedder ThresholdShedder --placement RoundRobinBrokerSelector'
  const set = '--set loadBalancerBrokerThresholdShedderPercentage=20,loadBalancerSheddingExcludedNamespaces=a/b,c/d'
  const document = JSON.parse(
    await answer(words(`pulsar simulate ${options} ${set} --json ${CLUSTER}`)),
  ) as SimulateDocument
  const { version, steps, seed, shedder, placement, settings } = document
  t.deepEqual(
    [version, steps, seed, shedder, placement],
    ['5.0', 20, 9, 'ThresholdShedder', 'RoundRobinBrokerSelector'],
  )
  t.is(settings.loadBalancerBrokerThresholdShedderPercentage, 20)
  t.deepEqual(settings.loadBalancerSheddingExcludedNamespaces, ['a/b', 'c/d'])
})

test('broker.conf is taken whole, and said what of it was', async (t) => {
  const { out, err } = await ended('pulsar simulate --conf examples/broker.conf --json examples/load-reports.jsonl')
  t.true(
    err.includes(
      'examples/broker.conf: 5 settings taken; 1 of load management decide nothing here, 4 are about other things',
    ),
    err,
  )
  t.true(err.includes('examples/load-reports.jsonl: broker-stats of 4 brokers'), err)
  t.is((JSON.parse(out) as SimulateDocument).shedder, 'ThresholdShedder')
  await inFolder(async (folder) => {
    const conf = join(folder, 'b.conf')
    writeFileSync(conf, Buffer.from('\xef\xbb\xbfloadBalancerTransferEnabled=yes\n# \xe9\n', 'latin1'))
    const told = await ended(`pulsar simulate --conf ${conf} --steps 3 ${CLUSTER}`)
    t.regex(told.err, /NOTE_CONF_BOOLEAN: .*b\.conf:1:1: loadBalancerTransferEnabled: Pulsar takes "yes" for false/)
  })
})

test('events come from a file; CSV gives loads over steps, and its owners are the brokers', async (t) => {
  const events = await ended(
    `pulsar simulate --events examples/broker-events.json --shedder OverloadShedder ${CLUSTER}`,
  )
  t.regex(events.out, /^step 10: /m)
  t.regex(events.out, /broker-2:8080 restarts$/m)
  const { out, err } = await ended('pulsar simulate --json examples/bundle-loads.csv')
  t.regex(
    err,
    /CSV: 4 bundles over 3 steps\n.*no brokers are given: the owners are taken, broker-1:8080, broker-2:8080/,
  )
  t.deepEqual((JSON.parse(out) as SimulateDocument).brokers, ['broker-1:8080', 'broker-2:8080'])
})

test('files are laid over each other: CSV over a cluster, standard input among them', async (t) => {
  const bundle = cluster.bundles[0] as pulsar.SimulatedBundle
  const csv = `bundle,cpu,owner\n${bundle.name},1,broker-4:8080\n`
  const { out, code } = await ended(`pulsar simulate --json --steps 1 ${CLUSTER} -`, csv)
  t.is(code, 0)
  const { owners, brokers } = JSON.parse(out) as SimulateDocument
  t.is(owners[bundle.name], 'broker-4:8080')
  t.is(brokers.length, 4)
})

test('--limits are those of brokers that have none; --brokers adds brokers', async (t) => {
  const line =
    'pulsar simulate --brokers b3,b4 --limits cpu=200,bandwidthIn=1e9 --steps 1 --json examples/bundle-loads.csv'
  const { code, err } = await ended(line)
  // Named brokers are all there is: the owners of the file are none of them.
  t.is(code, 2)
  t.regex(err, /expected an owner among the 2 brokers, got "broker-1:8080"/)
  const known = line.replace('b3,b4', 'broker-1:8080,broker-2:8080,b3')
  t.deepEqual((JSON.parse((await ended(known)).out) as SimulateDocument).brokers, [
    'b3',
    'broker-1:8080',
    'broker-2:8080',
  ])
})

test('compare has a run for each shedder, or for each combination of the lists', async (t) => {
  const line = `pulsar compare --json --steps 60 ${CLUSTER}`
  const { rows } = JSON.parse(await answer(words(line))) as CompareDocument
  t.deepEqual(
    rows.map(({ name, shedder }) => [name, shedder]),
    pulsar.SHEDDERS.map((name) => [name, name]),
  )
  const vary = 'loadBalancerBrokerThresholdShedderPercentage=10,30'
  const combined = `pulsar compare --json --versions 4.2,5.0 --shedders ThresholdShedder --vary ${vary} ${CLUSTER}`
  const document = JSON.parse(await answer(words(combined))) as CompareDocument
  t.deepEqual(
    document.rows.map(({ name }) => name),
    ['4.2', '5.0'].flatMap((version) =>
      ['10', '30'].map((value) => `${version} ThresholdShedder loadBalancerBrokerThresholdShedderPercentage=${value}`),
    ),
  )
  const one = {
    ...cluster,
    version: '4.2',
    shedder: 'ThresholdShedder',
    placement: 'LeastLongTermMessageRate',
  } as const
  t.is(document.rows[0]?.moves, pulsar.simulate(one).moves.length)
})

test('rolling-restart prints the fewest moves, and the moves of the plan', async (t) => {
  const line = `pulsar rolling-restart ${CLUSTER}`
  const document = JSON.parse(await answer([...words(line), '--json'])) as RollingRestartDocument
  t.deepEqual([document.fewest, document.planned.moves, document.planned.moveList.length], [9, 9, 9])
  const moves = (await answer([...words(line), '--jsonl'])).trimEnd().split('\n')
  t.deepEqual(
    moves.map((text) => JSON.parse(text)),
    document.planned.moveList,
  )
  const extensible = `${line} --load-manager extensible --batch 2 --order broker-4:8080,broker-2:8080,broker-1:8080,broker-3:8080 --json`
  const { order, planned, fewest, fewestInAnyOrder } = JSON.parse(
    await answer(words(extensible)),
  ) as RollingRestartDocument
  t.deepEqual([order[0], fewest, fewestInAnyOrder], ['broker-4:8080', 10, 9])
  t.true(planned.unloadSteps < planned.moves)
})

type Refusal = readonly [files: Readonly<Record<string, string>>, line: string, message: RegExp, code?: number]

const [BROKERS, KEY] = ['"brokers":[{"name":"b1"},{"name":"b2"}]', 't/n/0x00000000_0xffffffff']
const ONE = `{${BROKERS},"bundles":["${KEY}"],\n "loads":{"${KEY}":{"cpu":1}}}`

/** `@` before a name is the folder of the files. */
const REFUSED: readonly Refusal[] = [
  [{}, 'simulate no-such.json', /no-such\.json: expected a readable file, got no such file/],
  [{ c: '' }, 'simulate @c', /c: expected a cluster, load reports or CSV, got nothing/],
  [
    { c: 'null' },
    'simulate @c',
    /c: line: 1, column: 1: expected a load report .* which the extensible load manager answers/,
  ],
  [{ c: '{"brokers":[}' }, 'simulate @c', /c: line: 1, column: 13: expected a value/],
  [
    { c: '{"brokers":[],"bundels":[]}' },
    'simulate @c',
    /expected the fields brokers, .*, got "bundels" \(did you mean bundles\?\)/,
  ],
  [
    { c: '{"brokers":[{"nam":"b"}]}' },
    'simulate @c',
    /c: line: 1, column: 13: brokers\[0\]: expected a name, or an object with one, got an object/,
  ],
  [
    { c: '{"brokers":[{"name":1}]}' },
    'simulate @c',
    /c: line: 1, column: 21: brokers\[0\]\.name: expected a name, or an object with one, got 1/,
  ],
  [
    { c: '{"brokers":[{"name":"b"},\n{"name":"b"}]}' },
    'simulate @c',
    /c: line: 2, column: 9: brokers\[1\]: expected each once, got "b" again \[ERR_PLACEMENT_DUPLICATE\]/,
  ],
  [
    { c: ONE.replace('"cpu":1', '"cpu":-1') },
    'simulate @c',
    /c: line: 2, column: \d+: loads\["t\/n\/.*"\]\.cpu: expected .* got -1/,
  ],
  [
    { c: ONE.replace('"cpu":1', '"cpu":1e999') },
    'simulate @c',
    /c: line: 2, column: \d+: loads\[.*\]\.cpu: expected .* got Infinity/,
  ],
  [{ c: ONE.replace('"cpu":1', '"cpu":101') }, 'simulate @c', /\.cpu: expected at most 100, .* got 101: over 100 %/],
  [{ c: ONE.replace('"cpu"', '"cpus"') }, 'simulate @c', /c: line: 2, column: \d+: loads\[.*\(did you mean cpu\?\)/],
  [{ c: ONE.replace('"cpu":1', '"cpu":[1,null,2]') }, 'simulate @c', /c: line: 2, column: \d+: loads\[/],
  [{ c: ONE, d: ONE }, 'simulate @c @d', /d: line: 1, column: 1: expected one document of a cluster, which .*c is/],
  [{ c: 'bundle,cpu\nx,many' }, 'simulate @c', /c:2:3: cpu: expected a number of 0 or more, got "many"/],
  [{ c: `bundle,cpu\n${KEY},1` }, 'simulate @c', /expected brokers, from a file or --brokers, got none/],
  [
    { c: ONE, e: '[{"step":0,"leave":"b1"}]' },
    'simulate @c --events @e',
    /e: line: 1, column: 10: events\[0\]\.step: expected an integer/,
  ],
  [
    { c: ONE, e: '[\n{"step":1,"leave":"b3"}]' },
    'simulate @c --events @e',
    /e: line: 2, column: \d+: events\[0\].*"b3"/,
  ],
  [{ c: ONE, e: '{}' }, 'simulate @c --events @e', /e: line: 1, column: 1: expected an array, got an object/],
  [
    { c: ONE, b: 'maxUnloadPercentag=1' },
    'simulate @c --conf @b',
    /b:1:1: expected a setting .* \(did you mean maxUnloadPercentage\?\)/,
  ],
  [
    { c: ONE, b: '\n\nminUnloadMessage=x' },
    'simulate @c --conf @b',
    /b:3:18: minUnloadMessage: expected an integer, got "x"/,
  ],
  [{ c: ONE }, 'simulate @c --conf @no', /no: expected a readable file, got no such file/],
  [{ c: ONE }, 'simulate @c --set maxUnloadPercentage', /--set: expected NAME=VALUE, got "maxUnloadPercentage"/],
  [{ c: ONE }, 'simulate @c --set maxUnloadPercentage=', /--set: expected a value, got "maxUnloadPercentage="/],
  [
    { c: ONE },
    'simulate @c --set maxUnloadPercentage=half',
    /--set: maxUnloadPercentage: expected a number, got "half"/,
  ],
  [
    { c: ONE },
    'simulate @c --set lowerBoundarySheddingEnabled=yes',
    /--set: lowerBoundarySheddingEnabled: Pulsar takes "yes" for false/,
  ],
  [
    { c: ONE },
    'simulate @c --set webServicePort=1',
    /--set: expected a setting that decides something here, got "webServicePort"/,
  ],
  [
    { c: ONE },
    'simulate @c --set loadBalancerTransferEnable=true',
    /--set: expected a setting .*\(did you mean loadBalancerTransferEnabled\?\)/,
  ],
  [{ c: ONE }, 'simulate @c --shedder AvgSheder', /--shedder: expected one of .* \(did you mean AvgShedder\?\)/],
  [{ c: ONE }, 'simulate @c --steps 0', /--steps: expected an integer in \[1, 1000000\], got "0"/],
  [{ c: ONE }, 'simulate @c --seed -1', /--seed: expected an integer in \[0, 9007199254740991\], got "-1"/],
  [
    { c: ONE },
    'simulate @c --cpu all examples/load-reports.jsonl',
    /--cpu: expected one of throughput, messages, none, got "all"/,
  ],
  [{ c: ONE }, 'simulate @c --limits cpu', /--limits: expected R=N, a resource and a number, got "cpu"/],
  [{ c: ONE }, 'simulate @c --limits cpus=1', /--limits: expected one of .* \(did you mean cpu\?\)/],
  [{ c: ONE }, 'simulate @c --version 2.10', /version: expected 3\.0 or newer/, 1],
  [
    { c: ONE },
    'simulate @c --shedder TransferShedder',
    /shedder: expected one of the modular load manager, got "TransferShedder"/,
    1,
  ],
  [{ c: ONE }, 'simulate @c --brokers a,,b', /--brokers: expected names with commas between, got an empty one/],
  [{ c: '{"brokers":[{"name":"b"}]}' }, 'simulate @c', /expected bundles, got none in the files/],
  [{ c: ONE }, 'compare @c --vary maxUnloadPercentage=0.1,0.1', /--vary: expected each once, got "0.1" again/],
  [{ c: ONE }, 'simulate - -', /expected standard input once, got it twice/],
  [{ c: ONE }, 'compare @c --vary maxUnloadPercentage', /--vary: expected NAME=A,B, got "maxUnloadPercentage"/],
  [
    { c: ONE },
    'compare @c --vary maxUnloadPercentage=0.1,x',
    /--vary: maxUnloadPercentage: expected a number, got "x"/,
  ],
  [{ c: ONE }, 'compare @c --shedders AvgShedder,AvgShedder', /--shedders: expected each once, got "AvgShedder" again/],
  [{ c: ONE }, 'compare @c --versions 5', /--versions: expected one of 2\.10, 3\.0, 4\.2, 5\.0, got "5"/],
  [{ c: ONE }, 'rolling-restart @c', /bundle "t\/n\/0x00000000_0xffffffff": expected an owner, got none/],
  [
    { c: ONE.replace(`["${KEY}"]`, `[{"name":"${KEY}","owner":"b3"}]`) },
    'rolling-restart @c',
    /owners\[.*\]: expected one of the brokers, got "b3" \(did you mean b1\?\)/,
  ],
  [{}, `rolling-restart ${CLUSTER} --order broker-1:8080`, /order: expected two brokers or more/],
  [
    {},
    `rolling-restart ${CLUSTER} --weigh bytes`,
    /--weigh: expected one of throughput, messages, bundles, got "bytes"/,
  ],
]

for (const [files, line, message, code = 2] of REFUSED) {
  test(`refused with its place, and nothing written: ${line}: ${message}`, async (t) => {
    await inFolder(async (folder) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      const output = join(folder, 'out')
      const asked = words(`pulsar ${line}`).map((word) => word.replace(/^@/, `${folder}/`))
      const { out, err, code: exit } = await run([...asked, '--output', output], { input: ONE })
      t.regex(err.at(-1) ?? '', message)
      t.is(exit, code, err.join('\n'))
      t.is(out.length, 0)
      t.throws(() => readFileSync(output), { code: 'ENOENT' })
    })
  })
}
