/**
 * Our own assignor: each topic spread evenly first, then loads level, then as few moves as possible, then racks.
 *
 * For `kafka.assign` with `balanced`. No original: docs/assignors.md says what it promises. Twin of
 * native/core/src/kafka/balanced.rs.
 * What differs from the obvious: no partition is looked at while counts are settled. A subscriber gets its share of a topic
 * rounded down or up; who gets it rounded up is a flow from topics to members, exactly solved; names come last.
 */
import type { AssignProblem, AssignResult } from '../../engine/assign-contract.js'
import { type Placing, placeExtras } from './balanced/extras.js'
import { handOut } from './balanced/hand-out.js'
import { levelsOf } from './balanced/levels.js'
import { Nearness, wantsOf } from './balanced/nearness.js'
import { keepersOf, NOBODY, ownersOf } from './balanced/owned.js'
import { floorLoads, floorOf, type Shares, sharesOf } from './balanced/shares.js'
import { exists } from './slots.js'
import type { Steps } from './steps.js'

export function* assignBalanced(problem: AssignProblem): Steps<AssignResult> {
  const shares = sharesOf(problem)
  yield 0
  const owned = yield* ownersOf(problem, shares)
  const keepers = yield* keepersOf(problem, shares, owned.owners)
  const holders = new Uint32Array(shares.extras.at(-1)!)
  const loads = floorLoads(shares)
  const nearness = Nearness.of(problem)
  const wants: Placing['wants'] = (topic, isHolder) => {
    const has = (owner: number) => owner !== NOBODY && (isHolder(owner) || floorOf(shares, topic, owner) > 0)
    const slots = slotsOf(problem, shares.topics[topic]!).filter((slot) => !has(owned.owners[slot]!))
    return wantsOf(nearness!, slots)
  }
  for (const topics of heaviestFirst(shares)) {
    yield 2
    const levels = levelsOf({ shares, topics, loads, holders })
    yield 3
    yield* placeExtras({ shares, topics, keepers, levels, holders, nearness, wants })
    addLoads(shares, topics, holders, loads)
  }
  return yield* handOut({ problem, shares, nearness }, owned, holders)
}

/** Topics that have extras, those of one weight together. */
function heaviestFirst({ topics, topicWeights, extras }: Shares): Uint32Array[] {
  const byWeight = new Map<number, number[]>()
  for (let topic = 0; topic < topics.length; topic++) {
    if (extras[topic] === extras[topic + 1]) continue
    const alike = byWeight.get(topicWeights[topic]!)
    if (alike === undefined) byWeight.set(topicWeights[topic]!, [topic])
    else alike.push(topic)
  }
  return [...byWeight].sort(([a], [b]) => b - a).map(([, alike]) => Uint32Array.from(alike))
}

function addLoads(
  { topicWeights, extras }: Shares,
  topics: Uint32Array,
  holders: Uint32Array,
  loads: Float64Array,
): void {
  for (const topic of topics) {
    for (let i = extras[topic]!; i < extras[topic + 1]!; i++) loads[holders[i]!]! += topicWeights[topic]!
  }
}

/** Slots of a topic that are partitions. */
function slotsOf(problem: AssignProblem, topic: number): number[] {
  const slots: number[] = []
  for (let slot = problem.starts[topic]!; slot < problem.starts[topic + 1]!; slot++) {
    if (exists(problem, slot)) slots.push(slot)
  }
  return slots
}
