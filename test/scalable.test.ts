/** Scalable topics beside the jar's vectors (test/vectors): published values, laws of layouts and assignments, what is refused. */
import test from 'ava'
import { pulsar } from '../src/index.js'
import { Chance } from './oracle/chance.js'
import { refusalOf } from './refusal.js'

const { SegmentLayout, SegmentRange } = pulsar

/** Spec 10, computed from the source. */
const HASHES: readonly [key: string, segmentHash: number, entryBucketHash: number][] = [
  ['key1', 39831, 293],
  ['key2', 29553, 14772],
  ['k1', 64966, 24618],
  ['k2', 55350, 32712],
  ['key01', 33373, 47652],
  ['key02', 11470, 63883],
]

test('the upper half of the raw murmur3 chooses the segment, the lower half the bucket', (t) => {
  for (const [key, segmentHash, entryBucketHash] of HASHES) {
    t.like(pulsar.segmentHashes(key), { segmentHash, entryBucketHash }, key)
  }
})

/** A layout after changes at random, and those that were refused left out. */
function grown(chance: Chance): pulsar.SegmentLayout {
  let layout = SegmentLayout.initial(chance.between(1, 6), { budget: chance.pick([1, 4, 16]) })
  for (let left = chance.between(0, 12); left > 0; left--) {
    const ids = layout.active.map(({ id }) => id)
    const any = () => chance.pick(ids)
    const changes = [
      () => layout.split(any()),
      () => layout.split(any()),
      () => layout.merge(any(), any()),
      () => layout.rebucket(any(), chance.pick([1, 2, 4])),
      () => layout.prune(chance.pick(layout.segments).id),
    ]
    try {
      layout = chance.pick(changes)()
    } catch {
      // A change that Pulsar refuses leaves the layout as it is.
    }
  }
  return layout
}

test('active segments cover each hash once, whatever was split, merged and pruned', (t) => {
  const seed = 20261204
  const chance = new Chance(seed)
  t.log(`seed ${seed}`)
  for (let round = 0; round < 200; round++) {
    const layout = grown(chance)
    let next = 0
    for (const { range } of layout.active) {
      t.is(range.start, next)
      next = range.end + 1
    }
    t.is(next, 65536)
    const hash = chance.between(0, 65535)
    t.true(layout.find(hash).range.contains(hash))
  }
})

test('every segment has an owner, consumers differ by what buckets allow, and a change leaves the old layout alone', (t) => {
  const chance = new Chance(20261205)
  for (let round = 0; round < 200; round++) {
    const layout = grown(chance)
    const names = chance.times(chance.between(1, 12), (i) => `c${i}`)
    const rows = pulsar.assignSegments(layout, names)
    t.deepEqual(rows.map(({ name }) => name).sort(), [...names].sort())
    const owned = rows.flatMap(({ segments }) => segments.map(({ id }) => id))
    t.deepEqual([...new Set(owned)].sort(), layout.segments.map(({ id }) => id).sort())
    for (const { id, bucketSplits } of layout.segments) {
      t.true(owned.filter((one) => one === id).length <= Math.max(1, bucketSplits.length + 1))
    }
  }
  const before = SegmentLayout.initial(2)
  before.split(0)
  t.is(before.active.length, 2)
})

test('buckets cover each hash once, and a hash is in the bucket that covers it', (t) => {
  for (const count of [1, 2, 3, 7, 100, 1024]) {
    const splits = pulsar.entryBucketSplits(count)
    const ranges = pulsar.entryBucketRanges(splits)
    t.is(ranges.length, count)
    t.is(
      ranges.reduce((sum, { size }) => sum + size, 0),
      65536,
    )
    for (const hash of [0, 1, 21845, 32768, 65535]) t.true(ranges[pulsar.entryBucketOf(hash, splits)]!.contains(hash))
  }
})

test('the name of a segment holds its range and id, and a migrated partition keeps its own', (t) => {
  t.is(pulsar.segmentTopic('topic://t/ns/x', new SegmentRange(0, 0x7fff), 3), 'segment://t/ns/x/0000-7fff-3')
  const layout = SegmentLayout.migrated('persistent://a/b/c', 2)
  t.is(layout.topicOf(1, 'topic://a/b/c'), 'persistent://a/b/c-partition-1')
  t.is(layout.topicOf(2, 'topic://a/b/c'), 'segment://a/b/c/0000-7fff-2')
  t.is(layout.nextSegmentId, 4)
  // All segments legacy: as `murmur3 & 0x7fffffff` of key1, 462881061, on two partitions.
  const partitions = layout.segments.filter(({ legacyTopic }) => legacyTopic !== null)
  t.is(pulsar.segmentOfKey('key1', partitions), 1)
})

test('of equal loads the decision is the same each time, and a hot segment is split after its cool-down', (t) => {
  const layout = SegmentLayout.initial(2)
  const load = { msgRateIn: 20_000, byteRateIn: 0, msgRateOut: 0, byteRateOut: 0, since: 0 }
  const loads = new Map([
    [0, load],
    [1, load],
  ])
  const at = (now: number) => pulsar.decideAutoScale({ layout, loads, now, lastSplit: 1_000_000 })
  t.deepEqual(at(1_059_999), { kind: 'none' })
  t.deepEqual(at(1_060_000), { kind: 'split', segment: 0, reason: 'msgRateIn' })
})

test('what Pulsar or this library refuses', (t) => {
  const layout = SegmentLayout.initial(2)
  const idle = { layout, loads: new Map(), now: 0 }
  const rate = (msgRateIn: number) => ({
    ...idle,
    loads: new Map([[0, { msgRateIn, byteRateIn: 0, msgRateOut: 0, byteRateOut: 0, since: 0 }]]),
  })
  const lines = [
    () => new SegmentRange(5, 4),
    () => new SegmentRange(0, 65536),
    () => new SegmentRange(5, 5).split(),
    () => SegmentLayout.initial(0),
    () => SegmentLayout.initial(65537),
    () => layout.split(7),
    () => layout.split(0).split(0),
    () => layout.prune(0),
    () => layout.rebucket(0, 2),
    () => layout.find(65536),
    () => layout.split('0' as never),
    () => pulsar.segmentTopic('persistent://t/ns/x', new SegmentRange(0, 1), 0),
    () => pulsar.segmentOfKey('a', []),
    () => pulsar.segmentOfKey(7 as never, []),
    () => pulsar.segmentOfTurn(2 ** 31, []),
    () => pulsar.assignSegments(layout, ['a', 7 as never]),
    () => pulsar.entryBucketsForBudget(4, 0),
    () => pulsar.decideAutoScale(rate(Number.NaN)),
    () => pulsar.decideAutoScale(rate(-1)),
    () => pulsar.decideAutoScale({ ...idle, config: { scalableTopicMaxSegment: 2 } as never }),
    () => pulsar.decideAutoScale({ ...idle, config: { scalableTopicSplitMsgRateInThreshold: 0 } }),
    () => pulsar.decideAutoScale({ ...idle, now: -1 }),
    () => pulsar.decideAutoScale({ ...idle, consumers: { s: 0.5 } }),
  ].map(refusalOf)
  const segment = 'RangeError ERR_PLACEMENT_SEGMENT: segment: Pulsar says:'
  t.deepEqual(lines, [
    `${segment} end must be >= start, got: [5, 4]`,
    `${segment} end must be in [0x0000, 0xFFFF], got: 65536`,
    `${segment} Cannot split range of size 1`,
    `${segment} Must have at least 1 segment`,
    `${segment} end must be in [0x0000, 0xFFFF], got: -1`,
    `${segment} Segment not found: 7`,
    `${segment} Cannot split non-active segment: 0`,
    `${segment} Cannot prune an active segment: 0`,
    `${segment} Segment 0 already has the requested entry-bucket splits`,
    `${segment} No active segment covers hash: 65536`,
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: id: expected the id of a segment, got "0"',
    `${segment} Parent topic must have domain 'topic', got: persistent`,
    `${segment} No active segments`,
    'TypeError ERR_PLACEMENT_KEY_TYPE: key: expected a string, got 7',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: counter: expected an integer in [-2147483648, 2147483647], got 2147483648',
    'TypeError ERR_PLACEMENT_ARGUMENT_TYPE: consumers[1]: expected a name, got 7',
    'RangeError ERR_PLACEMENT_SEGMENT: segments: expected one or more, got 0',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: loads of segment 0: msgRateIn: expected a number from 0 on, got NaN',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: loads of segment 0: msgRateIn: expected a number from 0 on, got -1',
    'RangeError ERR_PLACEMENT_UNKNOWN_NAME: config: expected settings of scalable topics, got "scalableTopicMaxSegment"',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: config.scalableTopicSplitMsgRateInThreshold: expected a number above 0, got 0',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: now: expected an integer in [0, 9007199254740991], got -1',
    'RangeError ERR_PLACEMENT_ARGUMENT_RANGE: consumers.s: expected an integer in [0, 2147483647], got 0.5',
  ])
})
