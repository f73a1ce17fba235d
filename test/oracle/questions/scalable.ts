/** Questions to the Pulsar 5.0 jar: segments of scalable topics that split and merge, their keys, consumers and loads. Older releases have none. */
import type { Chance } from '../chance.js'
import { type Draw, listOf, type Question, whole } from '../question.js'

export const scalable: Draw = (chance) => chance.pick(ASKED)(chance)

const ASKED: readonly ((chance: Chance) => Question)[] = [
  (chance) => listOf({ op: 'segment-hash', keys: chance.times(48, () => chance.text()) }, 'keys'),
  (chance) => listOf({ op: 'hash-range', ranges: chance.times(32, () => range(chance)) }, 'ranges'),
  (chance) => listOf({ op: 'hash-range-merge', pairs: chance.times(32, () => pair(chance)) }, 'pairs'),
  (chance) => listOf({ op: 'entry-bucket-splits', counts: chance.times(4, () => chance.between(-2, 1100)) }, 'counts'),
  (chance) =>
    listOf(
      { op: 'entry-bucket-budget', pairs: chance.times(16, () => [chance.between(-5, 70000), chance.between(0, 80)]) },
      'pairs',
    ),
  route,
  layout,
  layout,
  layout,
  (chance) =>
    whole({
      op: 'scalable-migrated',
      topic: 'persistent://a/b/c',
      partitions: chance.between(0, 40),
      budget: chance.between(0, 99),
    }),
  assign,
  assign,
  autoScale,
  autoScale,
  autoScale,
]

const hash = (chance: Chance): number =>
  chance.odds(0.2) ? chance.pick([0, 1, 65534, 65535, 65536, -1]) : chance.between(0, 65535)

const range = (chance: Chance): [number, number] => {
  const start = hash(chance)
  return [start, chance.odds(0.5) ? start + chance.between(0, 3) : hash(chance)]
}

const pair = (chance: Chance): [number[], number[]] => {
  const [start, middle] = [chance.between(0, 30000), chance.between(30000, 60000)]
  const other = [middle + (chance.odds(0.8) ? 1 : chance.between(-2, 2)), middle + 9]
  return chance.odds(0.5) ? [[start, middle], other] : [other, [start, middle]]
}

function route(chance: Chance): Question {
  const count = chance.between(0, 9)
  const size = Math.floor(65536 / Math.max(1, count))
  const isLegacy = chance.odds(0.3)
  const segments = Array.from({ length: count }, (_, i) => {
    if (isLegacy) return [i, 0, 65535, `persistent://a/b/c-partition-${i}`]
    return [i + 3, i * size, i === count - 1 ? 65535 : (i + 1) * size - 1, null]
  })
  const keys = chance.times(24, () => chance.text(chance.between(0, 16)))
  return whole({ op: 'segment-route', segments: chance.odds(0.2) ? segments.slice(1) : segments, keys, keyless: 5 })
}

/** Steps that mostly can be done: which ids are active is kept, splits and merges alike. */
function steps(chance: Chance, segments: number): object[] {
  const active = Array.from({ length: segments }, (_, i) => i)
  let next = segments
  const any = () => (chance.odds(0.9) ? chance.pick(active) : chance.between(0, next + 1))
  return chance.times(chance.between(0, 10), () => {
    const style = chance.between(0, 9)
    if (style < 5) {
      const id = any()
      const at = active.indexOf(id)
      if (at >= 0) active.splice(at, 1, next++, next++)
      return { split: id }
    }
    if (style < 8) return { merge: [any(), any()], ...(chance.odds(0.3) ? { maxBuckets: chance.between(1, 6) } : {}) }
    return style < 9 ? { rebucket: any(), buckets: chance.pick([1, 2, 4, 8]) } : { prune: chance.between(0, next) }
  })
}

function layout(chance: Chance): Question {
  const segments = chance.odds(0.02) ? chance.pick([0, -1, 65537]) : chance.between(1, 9)
  const budget = chance.pick([1, 4, 16, 100])
  const hashes = chance.times(5, () => hash(chance))
  return whole({
    op: 'scalable-layout',
    segments,
    budget,
    steps: segments > 0 ? steps(chance, Math.min(9, segments)) : [],
    hashes,
  })
}

/** Splits alone, which can always be done. */
function splits(chance: Chance, segments: number): { done: object[]; active: number[]; sealed: number[] } {
  const active = Array.from({ length: segments }, (_, i) => i)
  const sealed: number[] = []
  let next = segments
  const done = chance.times(chance.between(0, 4), () => {
    const at = chance.between(0, active.length - 1)
    const id = active[at]!
    sealed.push(id)
    active.splice(at, 1, next++, next++)
    return { split: id }
  })
  return { done, active, sealed }
}

function assign(chance: Chance): Question {
  const segments = chance.between(1, 6)
  const { done, sealed } = splits(chance, segments)
  const consumers = chance.times(chance.between(0, 16), () =>
    chance.pick(['a', 'b', 'B', '\ud83d\ude00', '\uffff', chance.text(3, 'word')]),
  )
  const drained = chance.odds(0.5) ? { drained: sealed.filter(() => chance.odds(0.6)) } : {}
  const budget = chance.pick([1, 4, 16])
  const checkpoint = chance.odds(0.2) ? { checkpoint: true } : {}
  return whole({
    op: 'scalable-assign',
    segments,
    budget,
    steps: done,
    consumers: [...new Set(consumers)],
    ...drained,
    ...checkpoint,
  })
}

const MIB = 1024 * 1024

/** Rates with fractions at random, so that no two are equal: the original's choice among equals is left to chance. */
function autoScale(chance: Chance): Question {
  const segments = chance.between(1, 6)
  const { done, active } = splits(chance, segments)
  const rate = (top: number) => chance.between(0, top) + chance.uint32() / 0x100000000
  const isBusy = chance.odds(0.4)
  const load = () =>
    isBusy
      ? [rate(14000), rate(60 * MIB), rate(60000), rate(270 * MIB), 0]
      : [rate(1100), rate(4 * MIB), rate(4000), rate(20 * MIB), chance.pick([0, 9_700_000, 9_700_001])]
  const loads = Object.fromEntries(active.filter(() => chance.odds(0.9)).map((id) => [id, load()]))
  const last = (name: string) =>
    chance.odds(0.25) ? { [name]: chance.pick([9_990_000, 9_940_000, 9_940_001, 9_700_000]) } : {}
  const config = {
    ...(chance.odds(0.3) ? { scalableTopicMaxSegments: chance.between(2, 8) } : {}),
    ...(chance.odds(0.2) ? { scalableTopicEntryBucketMaxPerSegment: chance.between(1, 8) } : {}),
    ...(chance.odds(0.1) ? { scalableTopicMaxDagDepth: chance.between(0, 2) } : {}),
  }
  const consumers = chance.odds(0.6) ? { s: chance.between(0, 9), u: chance.between(0, 40) } : {}
  return whole({
    op: 'auto-scale',
    segments,
    steps: done,
    budget: chance.pick([1, 4, 16]),
    now: 10_000_000,
    loads,
    consumers,
    sharing: chance.odds(0.5) ? ['u'] : [],
    config,
    ...last('lastSplit'),
    ...last('lastMerge'),
    ...last('lastRebucket'),
  })
}
