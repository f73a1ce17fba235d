/**
 * RangeAssignor of the broker: of each topic, a run of partitions for each member.
 *
 * For `kafka.assign` of consumer groups with `range`. Source: Apache Kafka 4.4.0,
 * org.apache.kafka.coordinator.group.assignor.RangeAssignor; 4.0 to 4.4 give equal answers. Twin of
 * native/core/src/kafka/server_range.rs.
 * What differs from the obvious: in a group said to subscribe alike, the subscription of the first member in order, static
 * ones before dynamic ones, stands for all; what members hold is not looked at.
 */
import type { AssignAnswer, AssignProblem } from '../../engine/assign-contract.js'
import { offsetsOf } from './list-builder.js'
import { nothingFor, runOf, serverResult } from './server/runs.js'
import { namedTopics, subscriberClasses, topicsOf } from './subscriptions.js'

export function assignServerRange(problem: AssignProblem): AssignAnswer {
  const { memberInfoOrder, listOf, server } = problem
  if (listOf.length === 0) return nothingFor(problem)
  const topics = server!.homogeneous ? topicsOf(problem, memberInfoOrder[0]!) : namedTopics(problem)
  if (topics.some((topic) => topic >= server!.known)) return { failure: 'unknown-topic-range', member: -1 }
  const membersOf = subscribers(problem)
  const counts = new Uint32Array(listOf.length)
  const ascending = topics.slice().sort()
  eachRun(problem, ascending, membersOf, (member, _from, length) => {
    counts[member]! += length
  })
  const offsets = offsetsOf(counts)
  const values = new Uint32Array(offsets[listOf.length]!)
  const ends = offsets.slice()
  eachRun(problem, ascending, membersOf, (member, from, length) => {
    const at = ends[member]!
    for (let i = 0; i < length; i++) values[at + i] = from + i
    ends[member] = at + length
  })
  return serverResult(problem, offsets, values)
}

/** Members of a topic, in order. */
function subscribers(problem: AssignProblem): (topic: number) => Uint32Array {
  const { memberInfoOrder, server } = problem
  if (server!.homogeneous) return () => memberInfoOrder
  const { classOf, members } = subscriberClasses(problem, memberInfoOrder)
  return (topic) => members[classOf[topic]!] ?? new Uint32Array(0)
}

function eachRun(
  problem: AssignProblem,
  topics: Uint32Array,
  membersOf: (topic: number) => Uint32Array,
  give: (member: number, from: number, length: number) => void,
): void {
  for (const topic of topics) {
    const members = membersOf(topic)
    const [first, end] = runOf(problem, topic)
    const each = Math.floor((end - first) / members.length)
    const extra = (end - first) % members.length
    let from = first
    for (let i = 0; i < members.length && from < end; i++) {
      const length = i < extra ? each + 1 : each
      give(members[i]!, from, length)
      from += length
    }
  }
}
