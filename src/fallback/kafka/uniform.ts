/**
 * UniformAssignor: members get equally much, and keep what they hold where that is possible.
 *
 * For `kafka.assign` of consumer groups with `uniform`, the broker's default. Source: Apache Kafka 4.4.0,
 * org.apache.kafka.coordinator.group.assignor.UniformAssignor with its two builders. Twin of
 * native/core/src/kafka/uniform.rs.
 * What differs from the obvious: one of two algorithms runs, by what the coordinator says of the subscriptions and not by
 * what they are; racks and static members are not looked at.
 */
import type { AssignAnswer, AssignProblem } from '../../engine/assign-contract.js'
import { nothingFor } from './server/runs.js'
import { assignHeterogeneous } from './uniform/heterogeneous.js'
import { assignHomogeneous } from './uniform/homogeneous.js'

export function assignUniform(problem: AssignProblem): AssignAnswer {
  if (problem.listOf.length === 0) return nothingFor(problem)
  return problem.server!.homogeneous ? assignHomogeneous(problem) : assignHeterogeneous(problem)
}
