/**
 * Key_Shared beside the jars' vectors (test/vectors): published values, cases from the field, both engines against the walk
 * over one key, what moves against a walk over all hashes, and what is refused.
 */
import test from 'ava'
import { pulsar, TopicSet } from '../src/index.js'
import { ENGINES, onEngine, onEngineAsync } from './engines.js'
import { Chance } from './oracle/chance.js'
import { refusalOf } from './refusal.js'

const { KeySharedAutoSplit, KeySharedEntryBucket, KeySharedRing, KeySharedSticky } = pulsar
const VERSIONS = ['2.10', '3.0', '4.2', '5.0'] as const

type Selector = pulsar.KeySharedRing | pulsar.KeySharedAutoSplit | pulsar.KeySharedSticky | pulsar.KeySharedEntryBucket

function ringOf(names: readonly string[], options: pulsar.KeySharedRingOptions = {}): pulsar.KeySharedRing {
  const ring = new KeySharedRing(options)
  for (const name of names) ring.join({ name })
  return ring
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `c${i + 1}`)

test('three consumers on the ring: hashes, owners and points as computed from the source', (t) => {
  const ring = ringOf(['c1', 'c2', 'c3'])
  const rows = ['key1', 'key2', 'k1', 'order-42', ''].map((key) => [ring.hashOf(key), ring.select(key)])
  t.deepEqual(rows, [
    [7357, 0],
    [44326, 2],
    [56817, 2],
    [60576, 2],
    [1, 0],
  ])
  const points = [...ringOf(['c1', 'x']).ranges().get(0)!].flat()
  t.true([1031, 1551, 1726, 1870, 2137].some((point) => points.includes(point)))
  t.is(ring.names[2], 'c3')
})

test('100 points leave the shares of consumers apart as measured: consumer-0, consumer-1, …', (t) => {
  const measured = new Map([
    [2, ['42.4', '57.6']],
    [4, ['21.9', '30.1']],
  ])
  for (const [count, ends] of measured) t.deepEqual(leastAndMost(count, 1), ends)
  t.deepEqual(leastAndMost(10, 2), ['9.07', '11.85'])
  t.deepEqual(leastAndMost(50, 2), ['1.64', '2.29'])
})

function leastAndMost(count: number, digits: number): string[] {
  const shares = ringOf(Array.from({ length: count }, (_, i) => `consumer-${i}`)).shares()
  const parts = shares.map(({ share }) => share * 100)
  return [Math.min(...parts), Math.max(...parts)].map((part) => part.toFixed(digits))
}

test('names that run into their numbers meet on the ring of 2.10, and nowhere else', (t) => {
  const meet = (version: (typeof VERSIONS)[number]) =>
    ringOf(['c1', 'c11'], { version, points: 20 })
      .ranges()
      .get(1)!
      .filter(([start]) =>
        ringOf(['c1', 'c11'], { version, points: 20 })
          .ranges()
          .get(0)!
          .some(([other]) => other === start),
      ).length
  // 'c1' + 10..19 is 'c11' + 0..9.
  t.deepEqual(VERSIONS.map(meet), [10, 0, 0, 0])
})

test('consumers of one name are told apart by number, except that 2.10 lets hashes choose between them', (t) => {
  for (const version of ['3.0', '4.2', '5.0'] as const) {
    const ring = ringOf(['c', 'c'], { version })
    t.is(ring.shares().length, 2, version)
    t.true(ring.leave(0))
    t.false(ring.leave(0), 'to leave again is no error')
    t.deepEqual(
      ring.shares().map(({ consumer, share }) => [consumer, share]),
      [[1, 1]],
    )
  }
  const shares = ringOf(['c', 'c'], { version: '2.10' }).shares()
  t.deepEqual(
    shares.map(({ share }) => share),
    [0.5, 0.5],
  )
})

test('Y02: of ten consumers by auto-split, the third leaves: its 4096 hashes go to the sixth', (t) => {
  const split = new KeySharedAutoSplit()
  for (const name of numbered(10)) split.join({ name })
  const before = split.assignment
  t.is(split.shares()[2]!.hashes, 4096)
  split.leave(2)
  const shares = split.shares()
  t.is(shares.find(({ consumer }) => consumer === 5)!.hashes, 12288)
  t.is(
    shares.reduce((sum, { hashes }) => sum + hashes, 0),
    65536,
  )
  const { ranges, share } = before.movesTo(split.assignment)
  t.deepEqual(
    ranges.map(({ from, to }) => [from, to]),
    [[[2], [5]]],
  )
  t.is(share, 4096 / 65536)
})

test('Y03: ranges of two consumers that do not meet are allowed', (t) => {
  for (const version of VERSIONS) {
    const sticky = new KeySharedSticky({ version })
    sticky.join({
      name: 'c1',
      ranges: [
        [0, 99],
        [400, 65535],
      ],
    })
    sticky.join({ name: 'c2', ranges: [[100, 399]] })
    t.deepEqual(
      [0, 99, 100, 399, 400, 65535].map((hash) => sticky.selectHash(hash)),
      [0, 0, 1, 1, 0, 0],
      version,
    )
  }
})

test('Y05 and other ranges that a client or a broker refuses', (t) => {
  const sticky = new KeySharedSticky()
  sticky.join({ name: 'c1', ranges: [[100, 200]] })
  const refused =
    (...ranges: [number, number][]) =>
    () =>
      sticky.join({ name: 'c2', ranges })
  const code = 'RangeError ERR_PLACEMENT_CONSUMER: '
  const rows: [() => unknown, string, string][] = [
    [
      refused([0, 65536]),
      `${code}ranges[0]: expected hashes in [0, 65535], got [0, 65536] [index 0]`,
      'Ranges must be [0, 65535] but provided range is [0, 65536]',
    ],
    [
      refused([0, 1], [5, 4]),
      `${code}ranges[1]: expected an end at or after the start, got [5, 4] [index 1]`,
      'Range end must >= range start.',
    ],
    [
      refused([0, 10], [10, 20]),
      `${code}ranges[0]: expected hashes that ranges[1], [10, 20], does not have, got [0, 10] [index 0]`,
      'Ranges for KeyShared policy with overlap between [0, 10] and [10, 20]',
    ],
    [
      refused(),
      `${code}ranges: expected one range or more, got none`,
      'Ranges for KeyShared policy must not be empty.',
    ],
    [
      refused([0, 99], [150, 300]),
      `${code}ranges: expected hashes that no one has, got some of consumer 0 ("c1"); Pulsar says: Range conflict with consumer #0`,
      'Range conflict with consumer #0',
    ],
  ]
  for (const [ask, line, javaMessage] of rows) {
    t.is(refusalOf(ask), line)
    t.is((t.throws(ask) as Error & { javaMessage?: string }).javaMessage, javaMessage)
  }
  t.is(sticky.selectHash(50), null, 'nothing of what was refused is kept')
})

test('before 4.0 the hashes between two ranges of one consumer are its own too', (t) => {
  const between = VERSIONS.map((version) => {
    const sticky = new KeySharedSticky({ version })
    sticky.join({
      name: 'a',
      ranges: [
        [0, 10],
        [20, 30],
      ],
    })
    return sticky.selectHash(15)
  })
  t.deepEqual(between, [0, 0, null, null])
})

/** One of each selector and release, with a few consumers on it. */
function selectors(chance: Chance): [string, Selector][] {
  const made: [string, Selector][] = VERSIONS.flatMap((version): [string, Selector][] => {
    const split = new KeySharedAutoSplit({ version })
    for (const name of numbered(chance.between(1, 20))) split.join({ name })
    const sticky = new KeySharedSticky({ version })
    sticky.join({
      name: 'a',
      ranges: [
        [0, 9999],
        [20000, 29999],
      ],
    })
    sticky.join({ name: 'b', ranges: [[30000, 50000]] })
    return [
      [`ring ${version}`, ringOf(numbered(chance.between(1, 30)), { version })],
      [`ring of one name ${version}`, ringOf(['c', 'c', 'd', 'c'], { version, points: 7 })],
      [`auto-split ${version}`, split],
      [`sticky ${version}`, sticky],
    ]
  })
  const small = ringOf(['a', 'b', 'c'], { rangeMax: 37, points: 5 })
  const large = ringOf(numbered(9), { rangeMax: 2 ** 20 })
  const bucket = new KeySharedEntryBucket({
    buckets: [
      [0, 16383],
      [16384, 32767],
      [32768, 65535],
    ],
  })
  for (const name of ['b', 'a']) bucket.join({ name })
  return [...made, ['ring to 37', small], ['ring to 2^20', large], ['buckets', bucket], ['empty ring', ringOf([])]]
}

for (const engine of ENGINES) {
  test(`${engine}: many keys go where each of them goes, as strings, bytes, a set and a column`, (t) => {
    const seed = 20261202
    const chance = new Chance(seed)
    t.log(`seed ${seed}`)
    const keys = chance.times(3000, () => chance.text(chance.between(0, 20)))
    const set = TopicSet.from(keys)
    const bytes = keys.map((key) => Buffer.from(key.toWellFormed().replaceAll('\ufffd', '?')))
    for (const [name, selector] of selectors(chance)) {
      const expected = keys.map((key) => selector.selectHash(selector.hashOf(key)) ?? -1)
      onEngine(engine, () => {
        const fresh = new Map([
          ['strings', selector.assignment.select(keys)],
          ['set', selector.select(set)],
          ['bytes', selector.select(bytes)],
          ['one by one', Int32Array.from(keys, (key) => selector.select(key) ?? -1)],
        ])
        for (const [form, got] of fresh) {
          if (form === 'bytes')
            t.deepEqual(
              [...got],
              bytes.map((key) => selector.selectHash(selector.hashOf(key)) ?? -1),
              name,
            )
          else t.deepEqual([...got], expected, `${name}, ${form}`)
        }
        const out = new Int32Array(keys.length + 1).fill(-7)
        t.is(selector.select(keys, { out }), out)
        t.is(out[keys.length], -7)
      })
    }
  })

  test.serial(`${engine}: off the event loop the answer is the same, with progress and a signal`, async (t) => {
    const ring = ringOf(numbered(50))
    const keys = TopicSet.from(Array.from({ length: 300_000 }, (_, i) => `order-${i}`))
    await onEngineAsync(engine, async () => {
      const told: number[] = []
      const got = await ring.selectAsync(keys, { onProgress: (done) => told.push(done) })
      t.deepEqual(got, ring.select(keys))
      t.is(told[told.length - 1], keys.length)
      await t.throwsAsync(ring.selectAsync(keys, { signal: AbortSignal.abort() }), { any: true })
    })
  })
}

test('what moves is what a walk over all hashes finds', (t) => {
  const chance = new Chance(20261203)
  for (const [name, selector] of selectors(chance)) {
    const before = selector.assignment
    if (before.space.size > 2 ** 17 || selector.shares().length === 0) continue
    const owners = (): (number | null)[] => {
      const { start, size, zeroIsOne } = selector.assignment.space
      return Array.from({ length: size }, (_, i) => selector.selectHash(i + start === 0 && zeroIsOne ? 1 : i + start))
    }
    const had = owners()
    selector.leave(0)
    if (selector instanceof KeySharedRing || selector instanceof KeySharedAutoSplit) selector.join({ name: 'new' })
    const have = owners()
    const moves = before.movesTo(selector.assignment)
    const told = had.map((owner) => owner)
    for (const { start, end, from, to } of moves.ranges) {
      for (let hash = start - before.space.start; hash <= end - before.space.start; hash++) {
        told[hash] = told[hash] === (from[0] ?? null) ? (to[0] ?? null) : -1
      }
    }
    t.is(
      told.findIndex((owner, i) => owner !== have[i]),
      -1,
      name,
    )
    t.is(moves.share, had.filter((owner, i) => owner !== have[i]).length / had.length, name)
    const shares = selector.shares()
    for (const { consumer, hashes } of shares) t.is(hashes, have.filter((owner) => owner === consumer).length, name)
  }
})

test('of ranges that several consumers share, only the hashes that change are counted', (t) => {
  const ring = ringOf(['c', 'c', 'c'], { version: '2.10' })
  const before = ring.assignment
  ring.leave(2)
  // Of each six hashes in a row, 0 1 2 0 1 2 became 0 1 0 1 0 1: four changed.
  t.true(Math.abs(before.movesTo(ring.assignment).share - 4 / 6) < 1e-6)
})

test('keys that move are found, and no other', (t) => {
  const ring = ringOf(['c1', 'c2', 'c3'])
  const keys = Array.from({ length: 2000 }, (_, i) => `k${i}`)
  const before = ring.assignment
  const had = ring.select(keys)
  ring.join({ name: 'c4' })
  const have = ring.select(keys)
  const moved = keys.flatMap((_, i) => (had[i] === have[i] ? [] : [i]))
  t.deepEqual([...before.movedKeys(ring.assignment, keys)], moved)
  t.true(
    moved.every((i) => have[i] === 3),
    'who joins only takes',
  )
  t.deepEqual([...before.select(keys)], [...had], 'an assignment stays as it was')
})

test('a hash beyond the range, given as it is, has an answer of its own in each release', (t) => {
  const of = (version: (typeof VERSIONS)[number]) => () => {
    const split = new KeySharedAutoSplit({ version })
    for (const name of ['c1', 'c2']) split.join({ name })
    return split.selectHash(65537)
  }
  t.deepEqual([of('2.10')(), of('3.0')(), of('5.0')()], [1, 1, 0])
  t.is(
    refusalOf(of('4.2')),
    'PlacementError ERR_PLACEMENT_ORIGINAL_FAILS: hash 65537 on 65536 hashes: the broker throws java.lang.NullPointerException',
  )
})

test('buckets are shared out in the order of name and id, and more consumers than buckets get none', (t) => {
  const selector = new KeySharedEntryBucket({
    buckets: [
      [0, 32767],
      [32768, 65535],
    ],
  })
  selector.join({ name: 'b' })
  selector.join({ name: 'a', id: 9 })
  selector.join({ name: 'a', id: 3 })
  t.deepEqual([selector.selectHash(0), selector.selectHash(65535)], [1, 0])
  t.is(selector.ranges().get(2), undefined)
})

test('what is no question is refused', (t) => {
  const ring = ringOf(['c1'])
  const lines = [
    () => new KeySharedRing({ points: -1 }),
    () => new KeySharedRing({ rangeMax: 0 }),
    () => ring.join({ name: 7 as never }),
    () => ring.leave(1),
    () => ring.leave(-1),
    () => ring.select(7 as never),
    () => ring.selectHash(2 ** 31),
    () => ring.select(['a'], { out: new Int32Array(0) }),
    () => new KeySharedAutoSplit({ rangeSize: 1 }),
    () => new KeySharedAutoSplit({ rangeSize: 6 }),
    () => new KeySharedSticky({ rangeSize: 0 }),
    () => new KeySharedSticky().addConsumer({ name: 'a', ranges: undefined as never }),
    () => new KeySharedSticky().join({ name: 'a', ranges: [[1, 2, 3]] as never }),
    () => new KeySharedEntryBucket({ buckets: [] }),
    () =>
      new KeySharedEntryBucket({
        buckets: [
          [0, 5],
          [5, 9],
        ],
      }),
    () => new KeySharedEntryBucket({ buckets: [[0, 5]], version: '4.2' }),
    () => ring.assignment.movesTo(new KeySharedAutoSplit().assignment),
    () => ring.assignment.movedKeys(new KeySharedAutoSplit().assignment, []),
  ].map(refusalOf)
  t.deepEqual(lines, [
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: points: expected an integer in [0, 1000000], got -1',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rangeMax: expected an integer in [1, 2147483647], got 0',
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: name: expected a string, got 7',
    'RangeError ERR_PLACEMENT_CONSUMER: consumer: expected the number of one of the 1 consumers that joined, got 1',
    'RangeError ERR_PLACEMENT_CONSUMER: consumer: expected the number of one of the 1 consumers that joined, got -1',
    'TypeError ERR_PLACEMENT_KEY_TYPE: key: expected a string or bytes, got 7',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: hash: expected an integer in [-2147483648, 2147483647], got 2147483648',
    'RangeError ERR_PLACEMENT_OUTPUT: out: expected room for 1 items, got 0',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rangeSize: expected a power of two from 2 on, got 1',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rangeSize: expected a power of two from 2 on, got 6',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: rangeSize: expected an integer in [1, 2147483647], got 0',
    'RangeError ERR_PLACEMENT_CONSUMER: ranges: expected one range or more, got none; Pulsar says: Must specify key shared meta for consumer.',
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: ranges[0]: expected [start, end], got an Array',
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: buckets: expected a list of one [start, end] or more, got none',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: buckets[1][0]: expected an integer in [6, 65535], got 5',
    'PlacementError ERR_PLACEMENT_UNSUPPORTED: version: expected 5.0, got 4.2: entry buckets came with scalable topics',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: after: expected an assignment over the hashes [1, 65535], got one over [0, 65535]',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: after: expected an assignment over the hashes [1, 65535], got one over [0, 65535]',
  ])
})
