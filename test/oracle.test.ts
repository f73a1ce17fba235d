/** The oracle's own parts: what it draws, how it counts, and a round with the one judge that every machine has. */
import { crc32 } from 'node:zlib'
import test from 'ava'
import { DOORS } from './engines.js'
import { Chance, javaBytes } from './oracle/chance.js'
import { nameOfCrc32 } from './oracle/crc-names.js'
import { functionJudge } from './oracle/judge.js'
import { readOptions } from './oracle/options.js'
import { product } from './oracle/product.js'
import { listOf } from './oracle/question.js'
import { failureText, tallyText } from './oracle/report.js'
import { askSystem, type Plan, type Product } from './oracle/round.js'
import { type System, systems } from './oracle/systems.js'
import type { Answer } from './vectors/answer.js'

const SEED = 20261130
const FAMILIES = systems(['5.0']).flatMap((system) => Object.keys(system.families))

const plan = (asked: Product, count = 100): Plan => ({
  count,
  seed: SEED,
  doors: () => DOORS,
  product: asked,
  progress: () => {},
})

/** A system of one family, whose requests hold two items and whose judge answers `answer`. */
function systemOf(answer: Answer): System {
  const draw = () => listOf({ op: 'asked', items: [1, 2] }, 'items')
  return { name: 's', release: '5.0', judge: functionJudge(() => answer), families: { 's/f': draw } }
}

test('a name can be made for every CRC-32, whatever stands before', (t) => {
  const chance = new Chance(SEED, 'names')
  for (const hash of [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, ...chance.times(500, () => chance.uint32())]) {
    const prefix = `persistent://public/default/${chance.text(3, 'latin')}`
    const name = nameOfCrc32(prefix, hash)
    t.true(name.startsWith(prefix))
    t.is(crc32(name), hash)
  }
})

test('a seed draws the same questions of a family again, another seed others', (t) => {
  for (const system of systems(['3.0'])) {
    for (const [name, draw] of Object.entries(system.families)) {
      const drawn = (seed: number) => {
        const chance = new Chance(seed, name)
        return JSON.stringify(chance.times(5, () => draw(chance, system.release)))
      }
      t.is(drawn(SEED), drawn(SEED), name)
      t.not(drawn(SEED), drawn(SEED + 1), name)
    }
  }
})

test('keys come in every length up to 300, with every byte value, and text with lone surrogates', (t) => {
  const chance = new Chance(SEED, 'keys')
  const keys = chance.times(20_000, () => chance.bytes())
  t.true(new Set(keys.map((key) => key.length)).size >= 301)
  t.is(new Set(Buffer.concat(keys)).size, 256)
  const texts = chance.times(500, () => chance.text())
  t.true(texts.some((text) => text.isWellFormed()) && texts.some((text) => !text.isWellFormed()))
})

test('text becomes the bytes that Java makes of it', (t) => {
  t.is(javaBytes('a\ud800\u00e9\ud83d\ude00\udc00').toString('hex'), '613fc3a9f09f98803f')
})

test('each item of a list is a check on each engine', async (t) => {
  const round = await askSystem(
    systemOf({ ok: { hashes: [1, 2] } }),
    plan(() => ({ ok: { hashes: Int32Array.of(1, 2) } })),
  )
  const tally = round.tallies.get('s/f')!
  t.is(tally.asked, 100)
  t.deepEqual(
    [...tally.passed],
    DOORS.map(({ name }) => [name, 100] as [string, number]),
  )
  t.is(tally.failed + tally.skipped, 0)
})

test('a wrong item fails alone, and is shown with its request, what was expected and what came', async (t) => {
  const round = await askSystem(
    systemOf({ ok: [3, 4] }),
    plan(() => ({ ok: [3, 5] })),
  )
  t.is(round.tallies.get('s/f')!.failed, 50 * DOORS.length)
  const text = failureText(round.failures[0]!)
  for (const part of ['"items":[2]', 'expected  4', 'got       5', 'of item 1']) t.true(text.includes(part), text)
})

test('an error where a list was due fails every item', async (t) => {
  const error = { type: 'no coded error', message: 'x' }
  const round = await askSystem(
    systemOf({ ok: [3, 4] }),
    plan(() => ({ error })),
  )
  t.is(round.tallies.get('s/f')!.failed, 100 * DOORS.length)
})

test('what the product does not answer, or the release cannot, is skipped once and never passes', async (t) => {
  const lacking = { error: { type: 'java.lang.UnsupportedOperationException', message: null } }
  const rounds = [
    await askSystem(
      systemOf({ ok: [3, 4] }),
      plan(() => undefined),
    ),
    await askSystem(
      systemOf(lacking),
      plan(() => ({ ok: [3, 4] })),
    ),
  ]
  for (const round of rounds) {
    const tally = round.tallies.get('s/f')!
    t.deepEqual([tally.skipped, tally.failed, tally.passed.size], [100, 0, 0])
    t.true(tallyText('s/f', '5.0', tally).includes('100 skipped, no answer to: asked 100'))
  }
})

test('a judge that cannot be started is told with what it said', async (t) => {
  const { programJudge } = await import('./oracle/judge.js')
  const judge = programJudge({
    command: ['librdkafka/README.md'],
    missing: () => undefined,
    write: () => '',
    read: () => ({ ok: null }),
  })
  const system = { ...systemOf({ ok: null }), judge }
  await t.throwsAsync(
    askSystem(
      system,
      plan(() => undefined),
    ),
    { message: /EACCES|stopped/ },
  )
})

test('the partitioner of @platformatic/kafka answers as the package itself, on every road and engine', async (t) => {
  const system = systems(['5.0']).find(({ name }) => name === 'clients/platformatic')!
  const round = await askSystem(system, plan(product, 2000))
  const tally = round.tallies.get('clients/platformatic')!
  t.deepEqual(round.failures, [], `seed ${SEED}`)
  t.deepEqual(
    [...tally.passed.values()],
    DOORS.map(() => 2000),
  )
})

test('options are read strictly', (t) => {
  const read = (...args: string[]) => readOptions(args, FAMILIES)
  t.deepEqual(read('--family', 'kafka/group', '--count', '5', '--seed', '0', '--release', '3.0', '--release', '2.10'), {
    families: ['kafka/group'],
    count: 5,
    seed: 0,
    releases: ['3.0', '2.10'],
  })
  t.is(read().count, 10_000)
  t.throws(() => read('--family', 'kafka/grup'), { message: /did you mean kafka\/group/ })
  t.throws(() => read('--count', '0'), { code: 'ERR_PLACEMENT_ARGUMENT_RANGE' })
  t.throws(() => read('--count', ''), { code: 'ERR_PLACEMENT_ARGUMENT_RANGE' })
  t.throws(() => read('--seed', '4294967296'), { code: 'ERR_PLACEMENT_ARGUMENT_RANGE' })
  t.throws(() => read('--release', '4.0'), { code: 'ERR_PLACEMENT_UNKNOWN_VERSION' })
  t.throws(() => read('--frmily', 'x'), { code: 'ERR_PLACEMENT_USAGE' })
})
