import { createHash } from 'node:crypto'
import test from 'ava'
import { engine } from '../src/engine/index.js'
import { pulsar, TopicSet } from '../src/index.js'
import { atOnce, inTurns, type Parts } from '../src/turns.js'
import { ENGINES, onEngine, onEngineAsync } from './engines.js'

/** More than the names of one part, none of them canonical, an eighth of each family beside the next. */
const NAMES = Array.from({ length: 150_000 }, (_, i) => `orders-${i % 20_000}-partition-${Math.floor(i / 20_000)}`)

function* counting(parts: number): Parts<number> {
  for (let i = 0; i < parts; i++) yield
  return parts
}

/** Turns of the event loop that others get while `work` is under way. */
async function turnsDuring<T>(work: Promise<T>): Promise<{ turns: number; answer: T }> {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    return { answer: await work, turns }
  } finally {
    isOver = true
  }
}

/** A digest of each column: ava takes minutes over long ones. */
const digests = (columns: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(columns).map(([key, column]) => [
      key,
      createHash('sha256')
        .update(column as Uint8Array)
        .digest('hex'),
    ]),
  )

test('parts are done at once or a turn each, with one answer', async (t) => {
  t.is(atOnce(counting(5)), 5)
  const { answer, turns } = await turnsDuring(inTurns(counting(5)))
  t.is(answer, 5)
  t.true(turns >= 5)
})

test('a signal stops between two parts', async (t) => {
  let done = 0
  const stop = new AbortController()
  function* parts(): Parts<void> {
    for (;;) {
      if (++done === 3) stop.abort(new Error('enough'))
      yield
    }
  }
  await t.throwsAsync(inTurns(parts(), stop.signal), { message: 'enough' })
  t.is(done, 3)
})

for (const name of ENGINES) {
  test.serial(`${name}: names made canonical and their families are the same off the event loop`, async (t) => {
    await onEngineAsync(name, async () => {
      const [chunk] = TopicSet.from(NAMES).chunks
      const names = await engine().canonicalNamesAsync(chunk!, '5.0')
      t.deepEqual(digests(names), digests(engine().canonicalNames(chunk!, '5.0')))
      const topics = TopicSet.from(NAMES).canonical()
      const hashes = topics.hash('crc32')
      const families = await engine().numberedFamiliesAsync(topics.chunks, hashes)
      t.deepEqual(digests(families), digests(engine().numberedFamilies(topics.chunks, hashes)))
      t.is(families.sizes.length, 20_000)
      const refused = TopicSet.from([...NAMES.slice(0, 40_000), 'a/b']).chunks[0]!
      t.deepEqual(await engine().canonicalNamesAsync(refused, '5.0'), { refused: 40_000 })
    })
  })

  test.serial(
    `${name}: the event loop goes on while a layout is asked about names that are not canonical`,
    async (t) => {
      const bundles = pulsar.NamespaceBundles.even(64, { namespace: 'public/default' })
      const { answer, turns } = await onEngineAsync(name, () => turnsDuring(bundles.indexOfAsync(NAMES)))
      t.deepEqual(
        answer,
        onEngine(name, () => bundles.indexOf(NAMES)),
      )
      // Packed, made canonical and looked at for their namespace in parts.
      t.true(turns > NAMES.length / 2 ** 15, `${turns}`)
    },
  )

  test.serial(`${name}: a signal that fires while names are made canonical stops advice and look-up`, async (t) => {
    await onEngineAsync(name, async () => {
      const bundles = pulsar.NamespaceBundles.even(64)
      for (const ask of [
        (signal: AbortSignal) => bundles.indexOfAsync(NAMES, { signal }),
        (signal: AbortSignal) => pulsar.adviseBundlesAsync({ topics: NAMES, brokers: 3 }, { signal }),
      ]) {
        const stop = new AbortController()
        setImmediate(() => stop.abort(new Error('enough')))
        await t.throwsAsync(ask(stop.signal), { message: 'enough' })
      }
      const signal = 5 as unknown as AbortSignal
      const expected = { code: 'ERR_PLACEMENT_ARGUMENT_TYPE', message: 'signal: expected an AbortSignal, got 5' }
      await t.throwsAsync(bundles.indexOfAsync(NAMES, { signal }), expected)
      await t.throwsAsync(pulsar.adviseBundlesAsync({ topics: NAMES, brokers: 3 }, { signal }), expected)
    })
  })
}
