/**
 * The op of Kafka's broker-side assignors, put to the public API.
 *
 * Topics travel by id, which is their name here too: a topic that is not in the metadata is spoken of by its id.
 */
import { type AssignQuestion, assign, type GroupMember, type GroupTopic } from '../../src/kafka/index.js'
import type { KafkaVersion } from '../../src/types.js'
import type { Ops } from './answer.js'
import { type Flat, flatten, unflat } from './kafka-assign-ops.js'

interface ServerRequest {
  readonly assignor: 'uniform' | 'range' | 'simple'
  readonly type: 'homogeneous' | 'heterogeneous'
  readonly order?: 'java' | 'given'
  readonly topics: readonly {
    readonly id: string
    readonly partitions: number
    readonly assignable?: readonly number[]
  }[]
  readonly members: readonly {
    readonly id: string
    readonly topics: readonly string[]
    readonly instanceId?: string
    readonly rack?: string
    readonly previous?: Flat
  }[]
}

export const kafkaServerOps = {
  serverAssign: (request: ServerRequest, version: KafkaVersion) => {
    const answer = assign(questionOf(request, version))
    const lists = answer.names.memberIds.map((id) => [id, flatten(answer.partitionsOf(id))] as const)
    return { assignment: Object.fromEntries(lists) }
  },
} satisfies Ops

function questionOf({ assignor, type, order, topics, members }: ServerRequest, version: KafkaVersion): AssignQuestion {
  return {
    groupType: assignor === 'simple' ? 'share' : 'consumer',
    assignor,
    version,
    subscriptionType: type,
    ...(order !== undefined && { ownedOrder: order }),
    topics: topics.map((topic): GroupTopic => ({ ...topic, name: topic.id })),
    members: members.map(
      ({ id, topics, instanceId, rack, previous }): GroupMember => ({
        id,
        topics,
        instanceId,
        rack,
        ownedPartitions: unflat(previous),
      }),
    ),
  }
}

/**
 * An assignment as what it is, a map of maps, without the sets and members that have nothing: a coordinator reads a member
 * that is left out, and a topic with an empty set, as nothing.
 */
export function withoutNothing(ok: unknown): unknown {
  const { assignment } = ok as { readonly assignment: Readonly<Record<string, Flat>> }
  const members: Record<string, Record<string, number[]>> = {}
  for (const [id, flat] of Object.entries(assignment)) {
    for (const { topic, partition } of unflat(flat)) {
      members[id] ??= {}
      members[id][topic] ??= []
      members[id][topic].push(partition)
    }
  }
  return members
}
