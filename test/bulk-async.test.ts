/** The async twins of the bulk questions: the same answer, a live event loop, a signal and progress. */
import test from 'ava'
import { hash, TopicSet } from '../src/index.js'
import { ENGINES, onEngineAsync } from './engines.js'

const NAMES = Array.from({ length: 600_000 }, (_, i) => `persistent://t/ns/${i % 7 === 0 ? '주문' : 'orders'}-${i}`)

for (const engine of ENGINES) {
  test.serial(`on ${engine}: an array and a set are answered as at once, while the event loop turns`, async (t) => {
    await onEngineAsync(engine, async () => {
      const expected = hash.crc32(NAMES)
      let turns = 0
      const timer = setInterval(() => turns++, 0)
      const progress: (readonly [number, number])[] = []
      const onProgress = (done: number, total: number) => progress.push([done, total])
      t.deepEqual(await hash.ofAsync('crc32', NAMES, { onProgress }), expected)
      t.deepEqual(await TopicSet.from(NAMES).hashAsync('crc32'), expected)
      clearInterval(timer)
      t.true(turns >= 5, `${turns} turns`)
      t.deepEqual(progress, [
        [262_144, 600_000],
        [524_288, 600_000],
        [600_000, 600_000],
      ])
    })
  })

  test.serial(`on ${engine}: a signal ends the work between two slices, with its own reason`, async (t) => {
    await onEngineAsync(engine, async () => {
      const reason = new Error('enough')
      const controller = new AbortController()
      let slices = 0
      const onProgress = () => {
        if (++slices === 2) controller.abort(reason)
      }
      const asked = hash.ofAsync('murmur2', TopicSet.from(NAMES), { signal: controller.signal, onProgress })
      t.is(await t.throwsAsync(asked), reason)
      t.is(slices, 2)
      t.is(await t.throwsAsync(hash.ofAsync('murmur2', NAMES, { signal: controller.signal })), reason)
    })
  })

  test.serial(`on ${engine}: a lone surrogate and a wrong key are met as at once`, async (t) => {
    await onEngineAsync(engine, async () => {
      t.deepEqual(await hash.ofAsync('java-string', ['a', '\ud800']), Int32Array.of(97, 0xd800))
      const keys = [...NAMES.slice(0, 40_000), 5 as unknown as string]
      await t.throwsAsync(hash.ofAsync('crc32', keys), {
        code: 'ERR_PLACEMENT_KEY_TYPE',
        message: 'keys[40000]: expected a string or bytes, got 5',
      })
    })
  })
}

test('a signal and a callback of another type are refused', async (t) => {
  const wrong = (options: object) => hash.ofAsync('crc32', ['a'], options)
  await t.throwsAsync(wrong({ signal: {} }), {
    instanceOf: TypeError,
    code: 'ERR_PLACEMENT_ARGUMENT_TYPE',
    message: 'signal: expected an AbortSignal, got an Object',
  })
  await t.throwsAsync(wrong({ onProgress: 5 }), {
    code: 'ERR_PLACEMENT_ARGUMENT_TYPE',
    message: 'onProgress: expected a function, got 5',
  })
})
