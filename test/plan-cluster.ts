/** Clusters for the tests of plans, short to write. */
import type { kafka } from '../src/index.js'

type Snapshot = Parameters<typeof kafka.planReassignment>[0]

/** Brokers by rack; a topic's lists in the order of its partitions. */
export function clusterIn(racks: Readonly<Record<string, readonly number[]>>, lists: readonly (readonly number[])[]) {
  const brokers = Object.entries(racks).flatMap(([rack, ids]) => ids.map((id) => ({ id, rack })))
  return { brokers, topics: [{ name: 't', partitions: lists }] } satisfies Snapshot
}

/** Brokers without racks. */
export function bareCluster(ids: readonly number[], lists: readonly (readonly number[])[]) {
  return { brokers: ids.map((id) => ({ id })), topics: [{ name: 't', partitions: lists }] } satisfies Snapshot
}

/** Replicas of each broker that is in, by id, after a plan. */
export function countsAfter(plan: kafka.ReassignmentPlan): number[] {
  return plan
    .brokerShares()
    .filter(({ isIn }) => isIn)
    .map(({ after }) => after)
}

/** P01 of the cases: even brokers in rack a, odd ones in b. */
export const P01 = clusterIn(
  {
    a: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18],
    b: [1, 3, 5, 7, 9, 11, 13, 15, 17, 19],
  },
  [
    [7, 18],
    [8, 19],
    [9, 10],
    [0, 11],
    [1, 12],
    [2, 13],
    [3, 14],
    [4, 15],
    [5, 16],
    [6, 17],
  ],
)
