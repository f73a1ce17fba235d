/**
 * The partitions of a topic that the broker's assignors count from 0, and the answers that they give.
 *
 * For `uniform`, `range` and `simple` of consumer and share groups. Twin of native/core/src/kafka/server/runs.rs.
 * In a dense group they are all slots of the topic; else they stand in a row among them, since numbers ascend.
 */
import type { AssignProblem, AssignResult } from '../../../engine/assign-contract.js'
import { isCounted } from '../slots.js'

const NOTHING = new Uint32Array(0)

/** The first slot that counts, and the slot behind the last. */
export function runOf(problem: AssignProblem, topic: number): readonly [from: number, to: number] {
  let [from, to] = [problem.starts[topic]!, problem.starts[topic + 1]!]
  if (problem.kinds === null) return [from, to]
  while (from < to && !isCounted(problem, from)) from += 1
  while (to > from && !isCounted(problem, to - 1)) to -= 1
  return [from, to]
}

/** The answer of a broker-side assignor; each member's slots are brought into ascending order. */
export function serverResult(
  { server }: AssignProblem,
  offsets: Uint32Array,
  values: Uint32Array,
  clashes = NOTHING,
): AssignResult {
  for (let member = 0; member + 1 < offsets.length; member++) {
    const mine = values.subarray(offsets[member]!, offsets[member + 1]!)
    if (!ascends(mine)) mine.sort()
  }
  const algorithm = server!.homogeneous ? 'homogeneous' : 'heterogeneous'
  return { offsets, values, withheld: NOTHING, algorithm, maxGeneration: -1, clashes }
}

/** The answer that gives nobody anything. */
export function nothingFor(problem: AssignProblem): AssignResult {
  return serverResult(problem, new Uint32Array(problem.listOf.length + 1), NOTHING)
}

function ascends(values: Uint32Array): boolean {
  for (let i = 1; i < values.length; i++) if (values[i]! < values[i - 1]!) return false
  return true
}
