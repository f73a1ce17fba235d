/**
 * When a scalable topic splits, merges or rebuckets its segments by itself: the decision of one round.
 *
 * Source: Apache Pulsar 5.0.1, org.apache.pulsar.broker.service.scalable.AutoScalePolicyEvaluator and AutoScaleConfig
 * (PIP-483, PIP-486). Consumers are looked at first, then load, then cold segments.
 * What differs from the obvious: the original walks active segments in an order that changes from run to run, so that of
 * equal rates any may win; here it is the order of ranges. Messages and bytes are added up to find the coldest pair.
 */
import { checkInteger, codedError, shown } from '../errors.js'
import { type AutoScaleConfig, checkedConfig, checkRate } from './segment-auto-scale-config.js'
import { bucketCountOf, type Segment, type SegmentLayout } from './segment-layout.js'

/** Load of a segment. */
export interface SegmentLoad {
  /** A second. */
  readonly msgRateIn: number
  readonly byteRateIn: number
  readonly msgRateOut: number
  readonly byteRateOut: number
  /** Since when the load is like that, in milliseconds since 1970. */
  readonly since: number
}

/** What the broker knows at the moment. */
export interface AutoScaleQuestion {
  readonly layout: SegmentLayout
  /** By id of a segment; those without a load are idle, and never cold. */
  readonly loads: ReadonlyMap<number, SegmentLoad>
  /** Number of consumers by subscription. Default: none. */
  readonly consumers?: Readonly<Record<string, number>> | undefined
  /** Subscriptions whose consumers can share a segment by its buckets. Default: none. */
  readonly sharing?: readonly string[] | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** When it was done last, in milliseconds since 1970. Default: never. */
  readonly lastSplit?: number | undefined
  readonly lastMerge?: number | undefined
  readonly lastRebucket?: number | undefined
  readonly config?: Partial<AutoScaleConfig> | undefined
}

/** What is done, why, or why what should be done is not. */
export type AutoScaleDecision =
  | { readonly kind: 'none' }
  | { readonly kind: 'split'; readonly segment: number; readonly reason: string }
  | { readonly kind: 'merge'; readonly segments: readonly [number, number]; readonly reason: string }
  | {
      readonly kind: 'rebucket'
      readonly segments: readonly number[]
      readonly buckets: number
      readonly reason: string
    }
  | { readonly kind: 'blocked'; readonly reason: string }

const NONE: AutoScaleDecision = { kind: 'none' }

/**
 * The decision of one round.
 *
 * @throws ERR_PLACEMENT_ARGUMENT_RANGE for a rate that is NaN or negative, a setting out of range or a time that is none;
 *   ERR_PLACEMENT_ARGUMENT_TYPE
 */
export function decideAutoScale(question: AutoScaleQuestion): AutoScaleDecision {
  const round = new Round(question)
  if (!round.config.scalableTopicAutoScaleEnabled) return NONE
  const byConsumers = round.byConsumers()
  if (endsRound(byConsumers)) return byConsumers
  const byLoad = round.byLoad()
  if (endsRound(byLoad)) return byLoad
  const byCold = round.byCold()
  if (endsRound(byCold) || (byConsumers.kind !== 'blocked' && byLoad.kind !== 'blocked')) return byCold
  return byConsumers.kind === 'blocked' ? byConsumers : byLoad
}

/** A segment that cannot be split ends the round; other hindrances leave the word to what comes after. */
function endsRound(decision: AutoScaleDecision): boolean {
  return decision.kind === 'blocked' ? decision.reason === 'unsplittable' : decision.kind !== 'none'
}

class Round {
  readonly config: AutoScaleConfig
  readonly #question: AutoScaleQuestion
  readonly #active: readonly Segment[]

  constructor(question: AutoScaleQuestion) {
    this.config = checkedConfig(question.config)
    checkQuestion(question)
    this.#question = question
    this.#active = question.layout.active
  }

  /** More consumers than segments: the busiest is split, or segments get more buckets where that will not do. */
  byConsumers(): AutoScaleDecision {
    const count = this.#active.length
    if (this.#mostConsumers(() => true) <= count) return NONE
    const busiest = this.#busiest()
    if (busiest === undefined) return NONE
    const isFull = count >= this.config.scalableTopicMaxSegments
    const isSlow = this.#load(busiest).msgRateIn < this.config.scalableTopicSplitVsRebucketMinMsgRateInThreshold
    const waits = this.#waits('lastSplit', this.config.scalableTopicSplitCooldownSeconds)
    if (!isFull && !isSlow) return waits ? NONE : splitOf(busiest, 'consumer-count')
    const cannotSplit = isFull && !isSlow && !waits && this.#mostConsumers((name) => !this.#shares(name)) > count
    const otherwise: AutoScaleDecision = cannotSplit ? { kind: 'blocked', reason: 'max_segments' } : NONE
    return this.#rebucket(isFull ? 'at-max-segments' : 'below-split-rate-floor') ?? otherwise
  }

  #rebucket(reason: string): AutoScaleDecision | undefined {
    const wanted = this.#mostConsumers((name) => this.#shares(name))
    if (wanted <= this.#buckets()) return undefined
    if (this.#waits('lastRebucket', this.config.scalableTopicRebucketCooldownSeconds)) return undefined
    const each = 2 ** Math.ceil(Math.log2(Math.ceil(wanted / this.#active.length)))
    const buckets = Math.min(each, this.config.scalableTopicEntryBucketMaxPerSegment)
    const fewer = this.#active.filter((segment) => bucketCountOf(segment) < buckets)
    if (fewer.length === 0) return { kind: 'blocked', reason: 'max_entry_buckets' }
    const segments = fewer.map(({ id }) => id).sort((a, b) => a - b)
    return { kind: 'rebucket', segments, buckets, reason }
  }

  /** The segment furthest above one of the four limits is split. */
  byLoad(): AutoScaleDecision {
    if (this.#waits('lastSplit', this.config.scalableTopicSplitCooldownSeconds)) return NONE
    let hottest: { readonly segment: Segment; readonly ratio: number; readonly reason: string } | undefined
    for (const segment of this.#active) {
      const { ratio, reason } = this.#heat(segment)
      if (ratio > (hottest?.ratio ?? 1)) hottest = { segment, ratio, reason }
    }
    if (hottest === undefined) return NONE
    if (this.#active.length >= this.config.scalableTopicMaxSegments) return { kind: 'blocked', reason: 'max_segments' }
    return splitOf(hottest.segment, hottest.reason)
  }

  #heat(segment: Segment): { readonly ratio: number; readonly reason: string } {
    const { msgRateIn, byteRateIn, msgRateOut, byteRateOut } = this.#load(segment)
    const ratios: readonly (readonly [string, number])[] = [
      ['msgRateIn', msgRateIn / this.config.scalableTopicSplitMsgRateInThreshold],
      ['byteRateIn', byteRateIn / this.config.scalableTopicSplitBytesRateInThreshold],
      ['msgRateOut', msgRateOut / this.config.scalableTopicSplitMsgRateOutThreshold],
      ['byteRateOut', byteRateOut / this.config.scalableTopicSplitBytesRateOutThreshold],
    ]
    let hottest = { ratio: 0, reason: '' }
    for (const [reason, ratio] of ratios) if (ratio > hottest.ratio) hottest = { ratio, reason }
    return hottest
  }

  /** The coldest two neighbours are merged. */
  byCold(): AutoScaleDecision {
    if (this.#active.length <= this.config.scalableTopicMinSegments) return NONE
    if (this.#waits('lastMerge', this.config.scalableTopicMergeCooldownSeconds)) return NONE
    let coldest: { readonly pair: readonly [Segment, Segment]; readonly rate: number } | undefined
    let hindered: AutoScaleDecision = NONE
    for (const pair of this.#coldNeighbours()) {
      const reason = this.#hindrance(pair)
      // Of two hindrances, that buckets would run short is told only where it came first.
      if (reason === 'max_dag_depth' || (reason !== null && hindered.kind === 'none'))
        hindered = { kind: 'blocked', reason }
      if (reason !== null) continue
      const rate = this.#sumOfRates(pair[0]) + this.#sumOfRates(pair[1])
      if (rate < (coldest?.rate ?? Number.MAX_VALUE)) coldest = { pair, rate }
    }
    if (coldest === undefined) return hindered
    const [a, b] = coldest.pair
    return { kind: 'merge', segments: [a.id, b.id], reason: 'cold' }
  }

  #coldNeighbours(): readonly (readonly [Segment, Segment])[] {
    const pairs = this.#active.flatMap((a, i) => this.#active.slice(i + 1).map((b) => [a, b] as const))
    return pairs.filter(([a, b]) => a.range.isAdjacentTo(b.range) && this.#isCold(a) && this.#isCold(b))
  }

  /** Why two cold segments stay apart: too many merges behind them, or too few buckets left for the consumers. */
  #hindrance([a, b]: readonly [Segment, Segment]): string | null {
    const { layout } = this.#question
    const depth = Math.max(layout.mergeDepth(a.id), layout.mergeDepth(b.id))
    if (depth >= this.config.scalableTopicMaxDagDepth) return 'max_dag_depth'
    const [all, both] = [this.#buckets(), bucketCountOf(a) + bucketCountOf(b)]
    const left = all - both + Math.min(both, this.config.scalableTopicEntryBucketMaxPerSegment)
    return left <
      Math.min(
        this.#mostConsumers(() => true),
        all,
      )
      ? 'max_entry_buckets'
      : null
  }

  #isCold({ id }: Segment): boolean {
    const load = this.#question.loads.get(id)
    if (load === undefined) return false
    if (this.#question.now - load.since < this.config.scalableTopicMergeWindowSeconds * 1000) return false
    return (
      load.msgRateIn < this.config.scalableTopicMergeMsgRateInThreshold &&
      load.byteRateIn < this.config.scalableTopicMergeBytesRateInThreshold &&
      load.msgRateOut < this.config.scalableTopicMergeMsgRateOutThreshold &&
      load.byteRateOut < this.config.scalableTopicMergeBytesRateOutThreshold
    )
  }

  /** Of equal rates the lower id. */
  #busiest(): Segment | undefined {
    return [...this.#active].sort((a, b) => this.#load(b).msgRateIn - this.#load(a).msgRateIn || a.id - b.id)[0]
  }

  #load({ id }: Segment): SegmentLoad {
    return this.#question.loads.get(id) ?? IDLE
  }

  /** Messages and bytes together, in the order in which the original adds them up. */
  #sumOfRates(segment: Segment): number {
    const { msgRateIn, byteRateIn, msgRateOut, byteRateOut } = this.#load(segment)
    return msgRateIn + byteRateIn + msgRateOut + byteRateOut
  }

  #buckets(): number {
    return this.#active.reduce((sum, segment) => sum + bucketCountOf(segment), 0)
  }

  #mostConsumers(counts: (subscription: string) => boolean): number {
    const some = Object.entries(this.#question.consumers ?? {}).filter(([name]) => counts(name))
    return some.reduce((most, [, count]) => Math.max(most, count), some[0]?.[1] ?? 0)
  }

  #shares(subscription: string): boolean {
    return this.#question.sharing?.includes(subscription) ?? false
  }

  #waits(what: 'lastSplit' | 'lastMerge' | 'lastRebucket', seconds: number): boolean {
    const last = this.#question[what]
    return last !== undefined && this.#question.now - last < seconds * 1000
  }
}

const IDLE: SegmentLoad = { msgRateIn: 0, byteRateIn: 0, msgRateOut: 0, byteRateOut: 0, since: 0 }

function splitOf({ id, range }: Segment, reason: string): AutoScaleDecision {
  return range.size < 2 ? { kind: 'blocked', reason: 'unsplittable' } : { kind: 'split', segment: id, reason }
}

const COUNT = [0, 2 ** 31 - 1] as const

function checkQuestion({ loads, consumers = {}, now, ...question }: AutoScaleQuestion): void {
  if (!(loads instanceof Map)) {
    throw codedError('ERR_PLACEMENT_ARGUMENT_TYPE', `loads: expected a Map by segment, got ${shown(loads)}`)
  }
  for (const [id, load] of loads as ReadonlyMap<number, SegmentLoad>) {
    for (const rate of ['msgRateIn', 'byteRateIn', 'msgRateOut', 'byteRateOut'] as const) {
      checkRate(load[rate], `loads of segment ${id}: ${rate}`)
    }
    checkTime(load.since, `loads of segment ${id}: since`)
  }
  for (const [name, count] of Object.entries(consumers)) checkInteger(count, `consumers.${name}`, COUNT)
  checkTime(now, 'now')
  for (const last of ['lastSplit', 'lastMerge', 'lastRebucket'] as const) checkTime(question[last] ?? 0, last)
}

function checkTime(value: unknown, name: string): void {
  checkInteger(value, name, [0, Number.MAX_SAFE_INTEGER])
}
