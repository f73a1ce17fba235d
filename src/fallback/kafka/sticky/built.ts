/**
 * What the two sticky algorithms give back, and what the general one looks up all the time.
 *
 * Twin of native/core/src/kafka/sticky/built.rs.
 */
import type { AssignFailure, AssignProblem } from '../../../engine/assign-contract.js'
import type { SubscriberClasses } from '../subscriptions.js'
import type { Lists } from './lists.js'
import type { Smallest, Tally } from './smallest.js'

/** Lists by member, and what tells who must wait for which slot. */
export interface Built {
  readonly offsets: Uint32Array
  readonly values: Uint32Array
  readonly waits: Waits
}

/** Who gets a slot only when another gave it up. */
export type Waits =
  /** That member, for each such slot. */
  | { readonly told: ReadonlyMap<number, number> }
  /** Whoever holds a slot that it did not own, where another did: the holder of each slot. */
  | { readonly holders: Int32Array }
  /** The same where slots have several: members in the order in which the original walks their lists. */
  | { readonly walk: Uint32Array }

export interface Failed {
  readonly failure: AssignFailure
  readonly member: number
}

/** What stops the original in the middle. */
export class Stopped extends Error {
  constructor(readonly failure: AssignFailure) {
    super(failure)
  }
}

/** The general algorithm's state. */
export interface General {
  readonly problem: AssignProblem
  readonly classes: SubscriberClasses
  /** The topic of each slot, until the lists are laid out. */
  readonly topicOf: Uint32Array
  readonly tally: Tally
  /** Of what is kept, from then on. */
  lists: Lists
  /** The most partitions that each member could have. */
  readonly most: Float64Array
  readonly smallestOf: (subscribers: number) => Smallest
  /** Members that are not fixed, in the order of the original's map. */
  readonly mapOrder: () => Uint32Array
}
