/** The ops of scalable topics (5.0), put to the public API. All are TypeScript only; entry buckets are in key-shared-ops.ts. */
import { hash } from '../../src/hash.js'
import {
  type AutoScaleConfig,
  type AutoScaleDecision,
  assignSegments,
  bucketCountOf,
  decideAutoScale,
  entryBucketSplits,
  entryBucketsForBudget,
  type RoutedSegment,
  SegmentLayout,
  SegmentRange,
  segmentHashes,
  segmentOfKey,
  segmentOfTurn,
} from '../../src/pulsar/index.js'
import { answerOf, answersOf, type Ops } from './answer.js'

type Range = readonly [number, number]

type Step =
  | { readonly split: number }
  | { readonly merge: Range; readonly maxBuckets?: number }
  | { readonly rebucket: number; readonly buckets: number }
  | { readonly prune: number }

interface Layout {
  readonly segments: number
  readonly budget?: number
  readonly maxBuckets?: number
  readonly steps?: readonly Step[]
  readonly topic?: string
  readonly hashes?: readonly number[]
}

interface Assign extends Layout {
  readonly consumers: readonly string[]
  readonly drained?: readonly number[]
  readonly checkpoint?: boolean
}

/** "loads": segment to [rate in, bytes in, rate out, bytes out, since]. */
interface AutoScale extends Layout {
  readonly loads?: Readonly<Record<string, readonly [number, number, number, number, number]>>
  readonly consumers?: Readonly<Record<string, number>>
  readonly sharing?: readonly string[]
  readonly now: number
  readonly config?: Partial<AutoScaleConfig>
  readonly lastSplit?: number
  readonly lastMerge?: number
  readonly lastRebucket?: number
}

/** "segments": [id, start, end, legacy topic or null]. */
interface Route {
  readonly segments: readonly (readonly [number, number, number, string | null])[]
  readonly keys: readonly string[]
  readonly keyless?: number
}

export const SCALABLE_OPS = {
  'segment-hash': ({ keys }: { keys: readonly string[] }) =>
    answersOf(keys, (key) => {
      const { murmur, segmentHash, entryBucketHash } = segmentHashes(key)
      return [murmur, segmentHash, entryBucketHash]
    }),
  'segment-route': ({ segments, keys, keyless = 0 }: Route) => {
    const told = segments.map(
      ([id, start, end, legacyTopic]): RoutedSegment => ({ id, range: { start, end }, legacyTopic }),
    )
    return {
      keyed: answersOf(keys, (key) => segmentOfKey(key, told)),
      keyless: answersOf(Array.from({ length: keyless }), (_, turn) => segmentOfTurn(turn, told)),
    }
  },
  'hash-range': ({ ranges }: { ranges: readonly Range[] }) =>
    answersOf(ranges, ([start, end]) => {
      const range = new SegmentRange(start, end)
      const split = answerOf(() => range.split().map((half) => half.toHex()))
      return { hex: range.toHex(), size: range.size, text: range.toString(), split }
    }),
  'hash-range-merge': ({ pairs }: { pairs: readonly (readonly [Range, Range])[] }) =>
    answersOf(pairs, ([a, b]) => new SegmentRange(...a).merge(new SegmentRange(...b)).toHex()),
  'scalable-layout': ({ steps = [], topic, hashes = [], ...begin }: Layout) => {
    let layout = initial(begin)
    const done: unknown[] = [described(layout)]
    for (const step of steps) {
      const next = answerOf(() => {
        layout = applied(layout, step)
        return described(layout)
      })!
      done.push('ok' in next ? next.ok : next)
    }
    return { steps: done, all: segmentsOf(layout, topic), selected: answersOf(hashes, (one) => layout.find(one).id) }
  },
  'scalable-migrated': ({ topic, partitions, budget }: { topic: string; partitions: number; budget?: number }) =>
    segmentsOf(SegmentLayout.migrated(topic, partitions, { budget, maxBuckets: 65536 })),
  'entry-bucket-splits': ({ counts }: { counts: readonly number[] }) => answersOf(counts, entryBucketSplits),
  'entry-bucket-budget': ({ pairs }: { pairs: readonly Range[] }) =>
    answersOf(pairs, ([budget, segments]) => entryBucketsForBudget(budget, segments)),
  'scalable-assign': ({ consumers, drained, checkpoint, ...layout }: Assign) => {
    const rows = assignSegments(laidOut(layout), consumers, { drained, checkpoint })
    return Object.fromEntries(
      rows.map(({ name, consumer, segments }) => [
        `${name}#${consumer}`,
        segments.map(({ id, buckets }) => [id, buckets.length]),
      ]),
    )
  },
  'auto-scale': ({ segments, budget, steps, loads = {}, ...question }: AutoScale) => {
    const layout = laidOut({ segments, ...(budget === undefined ? {} : { budget }), ...(steps ? { steps } : {}) })
    const byId = Object.entries(loads).map(([id, [msgRateIn, byteRateIn, msgRateOut, byteRateOut, since]]) => {
      return [Number(id), { msgRateIn, byteRateIn, msgRateOut, byteRateOut, since }] as const
    })
    return decided(decideAutoScale({ ...question, layout, loads: new Map(byId) }))
  },
} satisfies Ops

/** The oracle's class takes more buckets than a broker is set to. */
function initial({ segments, budget, maxBuckets = 65536 }: Layout): SegmentLayout {
  return SegmentLayout.initial(segments, { budget, maxBuckets })
}

const laidOut = ({ steps = [], ...begin }: Layout): SegmentLayout => steps.reduce(applied, initial(begin))

function applied(layout: SegmentLayout, step: Step): SegmentLayout {
  if ('split' in step) return layout.split(step.split)
  if ('merge' in step) return layout.merge(...step.merge, step.maxBuckets ?? 65536)
  return 'rebucket' in step ? layout.rebucket(step.rebucket, step.buckets) : layout.prune(step.prune)
}

function described(layout: SegmentLayout): unknown {
  const active = layout.active.map((segment) => [segment.id, segment.range.toHex(), bucketCountOf(segment)])
  return { epoch: layout.epoch, next: layout.nextSegmentId, active }
}

function segmentsOf(layout: SegmentLayout, parent = 'topic://t/ns/x'): unknown[] {
  return layout.segments.map(({ id, range, isActive, parents, children, bucketSplits }) => {
    const topic = layout.topicOf(id, parent)
    return {
      id,
      range: range.toHex(),
      active: isActive,
      parents,
      children,
      bucketSplits,
      topic,
      crc32: hash.crc32(topic),
    }
  })
}

function decided(decision: AutoScaleDecision): unknown {
  switch (decision.kind) {
    case 'none':
      return { none: true }
    case 'blocked':
      return { blocked: decision.reason }
    case 'split':
      return { split: decision.segment, reason: decision.reason }
    case 'merge':
      return { merge: [...decision.segments].sort((a, b) => a - b), reason: decision.reason }
    case 'rebucket':
      return { rebucket: decision.segments, buckets: decision.buckets, reason: decision.reason }
  }
}
