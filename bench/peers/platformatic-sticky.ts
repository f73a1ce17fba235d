/**
 * cooperative-sticky of @platformatic/kafka 2.12.1, as its consumer asks it when it leads a group. Releases for Node.js 20
 * have no such assignor; this one is made for 22, and its assignor runs on 20 all the same.
 */
import { cooperativeStickyAssigner } from 'platformatic-kafka-2'
import type { ColumnQuestion } from '../groups.js'

type Assigner = typeof cooperativeStickyAssigner

/** How many partitions each member gets, descending; nobody owns anything before. */
export function platformaticSizes({ topics, members }: ColumnQuestion): () => number[] {
  const group = new Map(members.ids.map((id) => [id, { memberId: id, topics: topics.names, version: 1 }]))
  const metadata = {
    topics: new Map(topics.names.map((name, t) => [name, { partitionsCount: topics.partitions[t]! }])),
  }
  const [all, none] = [new Set(topics.names), members.ids[0]!]
  return () =>
    cooperativeStickyAssigner(
      none,
      group as unknown as Parameters<Assigner>[1],
      all,
      metadata as unknown as Parameters<Assigner>[3],
    )
      .map(({ assignments }) => [...assignments.values()].reduce((sum, { partitions }) => sum + partitions.length, 0))
      .sort((a, b) => b - a)
}
