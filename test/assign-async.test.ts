/** `kafka.assignAsync`: the same answer as `kafka.assign` beside a live event loop, with a signal and progress. */
import test from 'ava'
import { kafka } from '../src/index.js'
import { ENGINES, onEngineAsync } from './engines.js'

type Assignor = 'range' | 'roundrobin' | 'sticky' | 'cooperative-sticky'
const ASSIGNORS: readonly Assignor[] = ['range', 'roundrobin', 'sticky', 'cooperative-sticky']

const SIZE = { topics: 150, partitions: 1000, members: 200 }

/** Everybody owns a run of the partitions, the last member nothing; with `odd`, it also subscribes to less. */
function group(assignor: Assignor, odd: boolean): kafka.AssignQuestion {
  const { topics, partitions, members } = SIZE
  const slots = topics * partitions
  const each = Math.ceil(slots / (members - 1))
  return {
    groupType: 'classic',
    assignor,
    topics: {
      names: Array.from({ length: topics }, (_, i) => `topic-${i}`),
      partitions: new Int32Array(topics).fill(partitions),
    },
    members: {
      ids: Array.from({ length: members }, (_, i) => `member-${i}`),
      owned: {
        offsets: Uint32Array.from({ length: members + 1 }, (_, i) => Math.min(i * each, slots)),
        values: Uint32Array.from({ length: slots }, (_, i) => i),
      },
      ...(odd && {
        subscriptions: {
          offsets: Uint32Array.of(0, topics, 2 * topics - 1),
          topics: Uint32Array.from({ length: 2 * topics - 1 }, (_, i) => i % topics),
          listOf: Uint32Array.from({ length: members }, (_, i) => (i === members - 1 ? 1 : 0)),
        },
      }),
    },
  }
}

/** As bytes, which compare at once. */
const columnsOf = ({ offsets, values, withheld, algorithm, maxGeneration, notes }: kafka.Assignment) => {
  return { columns: [offsets, values, withheld.values].map(hexOf), algorithm, maxGeneration, notes }
}
const hexOf = ({ buffer, byteOffset, byteLength }: Uint32Array) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('base64')

for (const engine of ENGINES) {
  for (const assignor of ASSIGNORS) {
    test.serial(`on ${engine}: ${assignor} answers as at once, equal and unequal subscriptions`, async (t) => {
      await onEngineAsync(engine, async () => {
        for (const odd of [false, true]) {
          const question = group(assignor, odd)
          t.deepEqual(columnsOf(await kafka.assignAsync(question)), columnsOf(kafka.assign(question)))
        }
      })
    })
  }

  test.serial(
    `on ${engine}: the event loop turns meanwhile, and progress only grows until all steps are done`,
    async (t) => {
      await onEngineAsync(engine, async () => {
        let turns = 0
        const timer = setInterval(() => turns++, 0)
        const told: (readonly [number, number])[] = []
        const onProgress = (done: number, total: number) => told.push([done, total])
        for (const odd of [false, true]) await kafka.assignAsync(group('cooperative-sticky', odd), { onProgress })
        clearInterval(timer)
        t.true(turns >= 2, `${turns} turns`)
        const ends = told.flatMap(([done], i) => (done === 8 ? [i] : []))
        t.is(ends.length, 2)
        t.is(ends[1], told.length - 1)
        t.true(
          told.every(([done, total], i) => total === 8 && (i === 0 || i - 1 === ends[0] || done > told[i - 1]![0])),
        )
      })
    },
  )

  test.serial(`on ${engine}: a signal stops before and during the work, with its own reason`, async (t) => {
    await onEngineAsync(engine, async () => {
      const reason = new Error('enough')
      t.is(await t.throwsAsync(kafka.assignAsync(group('sticky', true), { signal: AbortSignal.abort(reason) })), reason)
      const controller = new AbortController()
      const asked = kafka.assignAsync(group('sticky', true), { signal: controller.signal })
      // The work has begun: a turn of the event loop later a fast machine has done it.
      controller.abort(reason)
      t.is(await t.throwsAsync(asked), reason)
    })
  })

  test.serial(`on ${engine}: what the progress function throws is what the promise rejects with`, async (t) => {
    await onEngineAsync(engine, async () => {
      const thrown = new Error('from the caller')
      const onProgress = () => {
        throw thrown
      }
      t.is(await t.throwsAsync(kafka.assignAsync(group('range', false), { onProgress })), thrown)
    })
  })

  test.serial(`on ${engine}: bad input and what stops the original are met as at once`, async (t) => {
    await onEngineAsync(engine, async () => {
      const question = { ...group('range', false), assignor: 'sticky', members: { ids: [] } } as const
      await t.throwsAsync(kafka.assignAsync(question), {
        code: 'ERR_PLACEMENT_ORIGINAL_FAILS',
        message: t.throws(() => kafka.assign(question)).message,
      })
      await t.throwsAsync(kafka.assignAsync({ ...question, members: { ids: ['a', 'a'] } }), {
        code: 'ERR_PLACEMENT_DUPLICATE',
        message: 'members.ids[1]: expected each once, got "a" as at index 0',
      })
    })
  })

  test.serial(`on ${engine}: consumer and share groups are answered as at once`, async (t) => {
    await onEngineAsync(engine, async () => {
      const id = (i: number) => Buffer.from([...new Array(15).fill(0), i + 2]).toString('base64url')
      const topics = [0, 1, 2].map((i) => ({ name: `t${i}`, id: id(i), partitions: 5 }))
      const members = ['a', 'b', 'c', 'd'].map((name) => ({ id: name, topics: ['t0', 't1', 't2'] }))
      for (const [groupType, assignor] of [
        ['consumer', 'uniform'],
        ['consumer', 'range'],
        ['share', 'simple'],
      ] as const) {
        const question = { groupType, assignor, topics, members }
        const [later, now] = [await kafka.assignAsync(question), kafka.assign(question)]
        t.deepEqual(later.toJSON(), now.toJSON(), assignor)
        t.true(now.values.length > 0)
      }
    })
  })
}

test('a signal and a callback of another type are refused', async (t) => {
  const wrong = (options: object) => kafka.assignAsync(group('range', false), options)
  await t.throwsAsync(wrong({ signal: {} }), { code: 'ERR_PLACEMENT_ARGUMENT_TYPE' })
  await t.throwsAsync(wrong({ onProgress: 5 }), { code: 'ERR_PLACEMENT_ARGUMENT_TYPE' })
})
