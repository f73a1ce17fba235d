/**
 * How evenly partitions lie on members: all of them, and topic by topic.
 *
 * For `kafka.rebalance`, of each moment that it tells.
 */
import { holdersOf, type Moment, type ScriptSpace } from './rebalance-space.js'

/** Partitions of the members of a group. */
export interface GroupBalance {
  readonly members: number
  /** Partitions that members have, in all. */
  readonly partitions: number
  /** Of the emptiest and the fullest member; 0 where there is none. */
  readonly least: number
  readonly most: number
  readonly mean: number
}

/** Partitions of one topic on its subscribers. */
export interface TopicSpread {
  readonly topic: string
  readonly subscribers: number
  /** What the subscriber with fewest, and with most, has of it. */
  readonly least: number
  readonly most: number
}

/** How evenly each topic lies on its subscribers. */
export interface GroupSpread {
  /** Topics with a subscriber. */
  readonly topics: number
  /** Those that lie as evenly as can be: `most - least` is at most 1. */
  readonly even: number
  /** The topic with the largest difference, the first of several; `null` where there is none. */
  readonly worst: TopicSpread | null
}

export function balanceOf({ members, offsets, values }: Moment): GroupBalance {
  let [least, most] = [members.length === 0 ? 0 : values.length, 0]
  for (let i = 0; i < members.length; i++) {
    const load = offsets[i + 1]! - offsets[i]!
    least = Math.min(least, load)
    most = Math.max(most, load)
  }
  const mean = members.length === 0 ? 0 : values.length / members.length
  return { members: members.length, partitions: values.length, least, most, mean }
}

/** Cost: slots, members and subscription lists, each once. */
export function spreadOf(space: ScriptSpace, moment: Moment): GroupSpread {
  let [topics, even, gap] = [0, 0, -1]
  let worst: TopicSpread | null = null
  for (const spread of spreadsOf(space, moment)) {
    topics += 1
    if (spread.most - spread.least <= 1) even += 1
    if (spread.most - spread.least <= gap) continue
    gap = spread.most - spread.least
    worst = spread
  }
  return { topics, even, worst }
}

/** Topic by topic, those with a subscriber alone. */
export function* spreadsOf(space: ScriptSpace, moment: Moment): Generator<TopicSpread> {
  const holders = holdersOf(space, moment)
  const subscribers = subscribersOf(space, moment)
  const has = new Uint32Array(space.members.names.length)
  for (let topic = 0; topic < moment.counts.length; topic++) {
    const start = space.starts[topic]!
    if (subscribers[topic] === 0 || moment.counts[topic] === 0) continue
    const touched: number[] = []
    for (let slot = start; slot < start + moment.counts[topic]!; slot++) {
      const holder = holders[slot]!
      if (holder === -1) continue
      if (has[holder] === 0) touched.push(holder)
      has[holder]! += 1
    }
    let [least, most] = [touched.length < subscribers[topic]! ? 0 : moment.counts[topic]!, 0]
    for (const holder of touched) {
      least = Math.min(least, has[holder]!)
      most = Math.max(most, has[holder]!)
      has[holder] = 0
    }
    yield { topic: space.topics.names[topic]!, subscribers: subscribers[topic]!, least, most }
  }
}

/** How many members subscribe to each topic. */
function subscribersOf({ lists }: ScriptSpace, { listOf, counts }: Moment): Uint32Array {
  const times = new Map<number, number>()
  for (const list of listOf) times.set(list, (times.get(list) ?? 0) + 1)
  const subscribers = new Uint32Array(counts.length)
  for (const [list, members] of times) for (const topic of new Set(lists.topics(list))) subscribers[topic]! += members
  return subscribers
}
